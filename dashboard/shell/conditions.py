"""The condition on the cases: asked for in the sidebar, put to the study, and said on every page.

A study of the cases that fulfil it is made once, and takes the place of the study on all pages but Review:
rounds are made of cases of the published study, and nobody's cases to read may be hidden.
"""

from __future__ import annotations

from dataclasses import dataclass

import streamlit as st

from core.streamed.aggregates import read_some
from core.streamed.sample import KNOWN
from core.study.brief import first_names
from core.study.condition import ConditionError
from core.study.condition_example import condition_example
from core.study.model import Study
from core.study.narrowed import narrowed
from core.study.partitions.manifest import Partitions
from core.study.problems import shown
from core.study.settings import LONGEST
from dashboard.components.text import count, element
from dashboard.shell import cache, state, widgets

_OPENED = "loupe-only-where-opened"
_HOW = (
    "Compare columns of cases.csv with values by ==, !=, <, <=, >, >=, in [ … ] and not in [ … ]; join what "
    "is compared by and, or, not and brackets. Text stands between quotes; a column whose name is no plain "
    "word, between backticks."
)


@dataclass(frozen=True, eq=False)
class Kept:
    """What a condition comes to.

    Attributes
    ----------
    study : Study
        Of the cases that fulfil it; the whole study where there is no condition, or a fault.
    whole : Study
        That it was put to.
    fault : str
        Why it cannot be in force, in a sentence; empty where it can.
    n_fulfilling, n_all : int, optional
        Of a study in parts: cases that fulfil it, and cases that there are.
    """

    study: Study
    whole: Study
    fault: str = ""
    n_fulfilling: int | None = None
    n_all: int | None = None

    @property
    def of(self) -> str:
        """How many cases the condition was put to, in words."""
        return count(self.n_all or self.whole.n_cases, "case")


def kept_of_parts(opened: cache.Opened) -> Kept:
    """Put the condition that is chosen to all cases of a study in parts."""
    where = state.view().where
    assert opened.study is not None
    assert opened.in_parts is not None
    n_all = opened.in_parts.n_cases
    if not where:
        return Kept(opened.study, opened.study, n_all=n_all)
    return _kept_of_parts(cache.identity(opened), opened, opened.in_parts, opened.study, where)


@cache.cached(4)
def _kept_of_parts(
    number: int,  # noqa: ARG001
    opened: cache.Opened,  # noqa: ARG001
    parts: Partitions,
    whole: Study,
    where: str,
) -> Kept:
    try:
        some = read_some(parts, where)
    except ConditionError as wrong:
        return Kept(whole, whole, f"At {wrong.words}.", n_all=parts.n_cases)
    except ValueError:
        fault = f"None of {count(parts.n_cases, 'case')} fulfils it."
        return Kept(whole, whole, fault, n_all=parts.n_cases)
    return Kept(some.study, whole, "", some.n_fulfilling, parts.n_cases)


def kept(whole: Study) -> Kept:
    """Put the condition that is chosen to a study; each once."""
    where = state.view().where
    return _kept(cache.identity(whole), whole, where) if where else Kept(whole, whole)


# By the study itself: others with the same observations may have another name, and lie in another folder.
@cache.cached(8)
def _kept(number: int, whole: Study, where: str) -> Kept:  # noqa: ARG001
    try:
        return Kept(narrowed(whole, where), whole)
    except ConditionError as wrong:
        return Kept(whole, whole, f"At {wrong.words}.")
    except ValueError:
        return Kept(whole, whole, f"None of {count(whole.n_cases, 'case')} fulfils it.")


@cache.cached(8)
def _example(study: Study) -> str:
    return condition_example(study.cases)


def ask(found: Kept) -> None:
    """Draw the field of the sidebar, folded while it is empty, and beneath it what is wrong."""
    where = state.view().where
    # It goes on as it was left on the page before.
    drawn = widgets.as_first_drawn("only-where", st.session_state.get(_OPENED, bool(where)))
    panel = st.expander("Only some cases", expanded=drawn, key="only-where", on_change="rerun")
    st.session_state[_OPENED] = panel.open
    if not panel.open:
        return
    with panel:
        st.text_input(
            "Only cases where …",
            placeholder=_example(found.whole),
            help=_HOW,
            **widgets.bind("where", where, take=_take),
        )
        if found.fault:
            element("p", f"{found.fault} All cases are shown.", role="warning")
        counted = KNOWN if found.n_all is not None else ()
        columns = first_names([*map(str, found.whole.cases.columns), *counted, "case_id"])
        element("p", f"Columns: {columns}.", role="note")


def _take(said: str) -> None:
    """Take over what was written."""
    said = said.strip()
    if len(said) <= LONGEST:
        state.change(where=said)
    else:
        state.notes().append(
            f"The condition was not taken: it may have {LONGEST:,} characters, and this has {len(said):,}."
        )


def say(found: Kept, *, all_cases: bool) -> None:
    """Say on the page which cases its numbers are of, with a button that shows all again."""
    where = state.view().where
    # Its place stays where there is nothing to say: what stands below would be made anew.
    with st.container():
        if not where:
            return
        named = shown(where)
        cases = found.of
        if found.fault:
            words = f"All {cases}: the condition {named} is not in force. {found.fault}"
        elif all_cases:
            words = f"All {cases} here, for rounds are read whole; on the other pages only where {named}"
        else:
            words = f"{found.n_fulfilling or found.study.n_cases:,} of {cases}: {named}"
        with st.container(
            key="condition", horizontal=True, wrap=False, vertical_alignment="center", gap="small"
        ):
            element("p", words)
            st.button(
                "Clear it" if found.fault else "Show all cases",
                key="condition-off",
                type="tertiary",
                on_click=lambda: state.change(where=""),
            )
