"""Buttons for ready-made worklists."""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import dataclass
from html import escape
from typing import NamedTuple

import pandas as pd
import streamlit as st
from streamlit.delta_generator import DeltaGenerator

from core.analysis.cases.misleads import MISLEADS
from core.analysis.cases.missed import MISSED
from core.analysis.cases.missed_words import expected_in_words, missed_in_brief, missed_in_words
from core.analysis.cases.orders import ordered, usual_order
from core.analysis.cases.presets import (
    ANY_HIGH_RISK,
    DANGER_MISSED,
    MARKED,
    MISSED_BY_ALL,
    MISSED_PARTS,
    NAMED_ONLY,
    OF_HIGH_RISK,
    OF_MISSED,
    PRESETS,
    Preset,
    listed_in_words,
)
from core.analysis.cases.presets_apart import APART, left_out_in_words
from core.analysis.cases.select import ANY_MODEL, EVERY_MODEL, Filters, select
from dashboard.components.tips import tips
from dashboard.shell import widgets
from dashboard.shell.derived import Derived
from dashboard.views import parts

_GIVEN_BY = {
    "risk": "risk levels of the labels",
    "high_risk": "risk levels of the labels",
    "high_risk_tied": "risk levels of the labels",
    "high_risk_named": "risk levels of the labels",
    "model_error": "predictions of a model",
    MISLEADS: "readers who name labels and predictions of a model",
    MISSED: "predictions of a model and risk levels of the labels",
}
"""What a study needs for a column of the worklist to be there."""
_COUNTS: Derived[dict[str, int]] = Derived()
_KEPT: Derived[pd.DataFrame] = Derived()
_PARTS = (*OF_HIGH_RISK, *MISSED_PARTS)
"""Lists that unfold beneath another."""
_MISSED_BY = "Danger missed by which model"
"""Name of the box of models; no other list of options is called so."""


@dataclass(frozen=True)
class ByModel:
    """Models of which one can be chosen, where a list is about what models miss.

    Attributes
    ----------
    models : sequence of str
        All that give probabilities.
    chosen : tuple of str
        Those that are asked for; none stands for any of them.
    adopt : callable
        Called with what is asked for then.
    """

    models: Sequence[str]
    chosen: tuple[str, ...]
    adopt: Callable[[tuple[str, ...]], None]


class Listed(NamedTuple):
    """Cases of a list in its order, and what they have in common, in full; empty without a list."""

    rows: pd.DataFrame
    meaning: str


def choose(  # noqa: PLR0913 - parts of a list, by name
    rows: pd.DataFrame,
    chosen: str,
    *,
    adopt: Callable[[str], None],
    by_model: ByModel | None = None,
    of: int | None = None,
    offered: Collection[str] = (),
    marked_at: DeltaGenerator | None = None,
    is_point: bool = False,
    is_sorted: bool = False,
) -> Listed:
    """Draw a button for each preset that suits, and return the rows of the chosen one in its order.

    ``rows`` are those that pass the filters, and the buttons count them. Without a preset all of them stay,
    in the usual order; ``adopt`` is called with the preset clicked, or "". Where dangers are listed that
    models miss, how likely they are is a button beneath, and the model is chosen beside, which keeps what
    ``by_model`` asks for: ``rows`` are then those whichever of them is asked for. Beneath stands how many
    cases are listed then, of how many (``of``), and in brief which. Lists that are not always there stand
    there where they are ``offered``; the one of what is marked at a place of its own (``marked_at``), so that
    it moves nothing as it comes. Of a list without a case stands why, if that is known: of a point estimate
    (``is_point``) that nothing is in doubt. An order of several parts is said with the number, unless another
    is asked for (``is_sorted``).
    """
    shown = tuple(name for name, one in PRESETS.items() if not one.is_quiet or name in (chosen, *offered))
    counts = _COUNTS.of(rows, shown, lambda: _counts(rows, shown))
    found, in_box = _KEPT.of(rows, chosen, lambda: kept(rows, chosen)), ""
    asked = by_model if chosen in OF_MISSED and chosen in counts else None
    if asked is not None:
        whole = PRESETS[DANGER_MISSED].apply(rows) if chosen == MISSED_BY_ALL else found
        by_each = [len(select(whole, Filters(missed_by=(name,)))) for name in (EVERY_MODEL, *asked.models)]
        in_box = _counted_in_box([len(whole), *by_each])
        found = select(found, Filters(missed_by=asked.chosen))
        of_model = select(rows, Filters(missed_by=asked.chosen))
        counts = counts | _counts(of_model, OF_MISSED)
    drawn = _buttons(counts, chosen, adopt=adopt, by_model=asked)
    if MARKED in counts:
        drawn["preset-marked"] = [MARKED]
        with marked_at or st.container():
            _pills("preset-marked", "What is marked", [MARKED], chosen, adopt)
    order = PRESETS[chosen].comes_first(rows) if chosen in counts and not is_sorted else ""
    listed = listed_in_words(len(found), len(rows) if of is None else of, order * ("," in order))
    # Numbers stand behind the names of the buttons by this rule of style, which goes with the words.
    brief, meaning = _meaning(rows, chosen, counts, asked)
    none = PRESETS[chosen].none_in_words(is_point=is_point) if chosen in counts else ""
    said = _line(listed, brief if len(found) else none) + _beneath(rows, chosen, counts, asked, found)
    st.html(_counted(drawn, counts) + in_box + _tips(drawn) + said)
    if chosen in PRESETS and chosen not in counts:
        parts.warning(f"The list “{chosen}” is not for this study. {why_not(rows, PRESETS[chosen])}")
    elif chosen and chosen not in counts:
        parts.warning(f"There is no preset “{chosen}”; all cases are listed.")
    return Listed(found, meaning)


def above(rows: pd.DataFrame, chosen: str) -> dict[str, str]:
    """Lists that have a button above such cases, as the buttons name them, and what each is.

    The parts of the chosen one are among them, behind it.
    """
    found: dict[str, str] = {}
    for name, one in PRESETS.items():
        if name not in _PARTS and not one.is_quiet and one.suits(rows):
            found[one.short] = APART[name]
            found |= {PRESETS[part].short: APART[part] for part in _unfolded(chosen, name) if part in APART}
    return found


def _unfolded(chosen: str, of: str) -> tuple[str, ...]:
    """Parts of a list that are unfolded beneath its button."""
    parts_of = {ANY_HIGH_RISK: OF_HIGH_RISK, DANGER_MISSED: MISSED_PARTS}.get(of, ())
    return parts_of if chosen in (of, *parts_of) else ()


def _counts(rows: pd.DataFrame, names: Sequence[str]) -> dict[str, int]:
    """How many cases are in each of these lists, of those that suit."""
    return {name: int(PRESETS[name].keep(rows).sum()) for name in names if PRESETS[name].suits(rows)}


def _line(listed: str, brief: str) -> str:
    """Write how many cases are listed now, and which."""
    return (
        f'<p dir="auto" class="loupe-text loupe-note loupe-listed"><strong>{escape(listed)}</strong> '
        f"{escape(brief)}</p>"
    )


def _beneath(
    rows: pd.DataFrame,
    chosen: str,
    counts: Mapping[str, int],
    asked: ByModel | None,
    listed: pd.DataFrame,
) -> str:
    """Write how many of the cases ``listed`` are dangerous on average, and what a list leaves out."""
    if chosen not in counts:
        return ""
    expected = expected_in_words(listed) if chosen in OF_MISSED else ""
    of_models = select(rows, Filters(missed_by=asked.chosen if asked is not None else ()))
    said = " ".join(filter(None, (expected, left_out_in_words(of_models, chosen))))
    return f'<p dir="auto" class="loupe-text loupe-note loupe-expected">{escape(said)}</p>' if said else ""


def _meaning(
    rows: pd.DataFrame, chosen: str, counts: Mapping[str, int], asked: ByModel | None
) -> tuple[str, str]:
    """Say what the cases of a list have in common, in brief and in full; empty without a list."""
    if chosen not in counts:
        return "", ""
    if chosen in OF_MISSED:
        models = asked.chosen if asked is not None else ()
        return missed_in_brief(rows, models, chosen), missed_in_words(rows, models, chosen)
    of = PRESETS[chosen]
    return of.brief, of.meaning + (_more(counts) if chosen == ANY_HIGH_RISK else "")


def _more(counts: Mapping[str, int]) -> str:
    """Say how many cases the list of all high risk leaves out, in which somebody names it nonetheless."""
    n = counts.get(NAMED_ONLY, 0)
    return f" In {n:,} more, a reading names one that leads less often: “{PRESETS[NAMED_ONLY].short}”." * (
        n > 0
    )


def kept(rows: pd.DataFrame, chosen: str) -> pd.DataFrame:
    """Rows of the chosen preset in its order; all in the usual one, without one that suits."""
    if chosen in PRESETS and PRESETS[chosen].suits(rows):
        return PRESETS[chosen].apply(rows)
    return ordered(rows, usual_order(rows))


def _buttons(
    counts: Mapping[str, int], chosen: str, *, adopt: Callable[[str], None], by_model: ByModel | None
) -> dict[str, Sequence[str]]:
    """Draw the presets, and beneath them what refines the chosen one; return what stands on which buttons.

    The parts of high risk, or of danger that is missed, unfold beneath the button of them all, which stays
    on. Where a list is of missed danger the model is chosen that misses it.
    """
    first = [name for name in counts if name not in (*_PARTS, MARKED)]
    is_high, is_missed = chosen in (ANY_HIGH_RISK, *OF_HIGH_RISK), chosen in (DANGER_MISSED, *MISSED_PARTS)
    whole = ANY_HIGH_RISK if is_high else DANGER_MISSED if is_missed else ""
    if first:
        _pills("preset-button", "Ready-made worklists", first, whole or chosen, adopt)
    drawn: dict[str, Sequence[str]] = {"preset-button": first}
    # A place of its own: where the row comes or goes, what stands below is not made anew.
    with st.container(key="preset-parts", horizontal=True, vertical_alignment="center", gap="small"):
        if is_high and whole in counts:
            drawn["preset-part"] = [name for name in counts if name in OF_HIGH_RISK]
            _pills("preset-part", "High risk, in parts", drawn["preset-part"], chosen,
                   lambda said: adopt(said or whole))  # fmt: skip
        elif is_missed and whole in counts:
            drawn["preset-missed-part"] = [
                name for name in counts if name in MISSED_PARTS and name != MISSED_BY_ALL
            ]
            _pills("preset-missed-part", "Danger missed, in parts", drawn["preset-missed-part"], chosen,
                   lambda said: adopt(said or whole))  # fmt: skip
        if by_model is not None and (len(by_model.models) > 1 or chosen == MISSED_BY_ALL):
            _models(by_model, chosen, adopt)
    return drawn


def _models(by: ByModel, chosen: str, adopt: Callable[[str], None]) -> None:
    """A box of models, of which one is chosen, any, or all; none where several are asked for elsewhere.

    What all of them miss has a list of its own too, for links: the box turns it into the choice of all.
    """
    is_by_all = chosen == MISSED_BY_ALL
    words = {ANY_MODEL: "By any model", EVERY_MODEL: PRESETS[MISSED_BY_ALL].short}

    def take(said: str | None) -> None:
        if is_by_all:
            adopt(DANGER_MISSED)
        by.adopt(() if said in (None, ANY_MODEL) else (said,))

    asked = by.chosen[0] if len(by.chosen) == 1 else None if by.chosen else ANY_MODEL
    st.selectbox(
        _MISSED_BY,
        label_visibility="collapsed",
        placeholder="By several models",
        **widgets.choice(
            "preset-missed",
            EVERY_MODEL if is_by_all else asked,
            [*words, *by.models],
            words=lambda one: words.get(one, f"By {one}"),
            take=take,
        ),
    )


def _pills(name: str, title: str, presets: Sequence[str], chosen: str, adopt: Callable[[str], None]) -> None:
    """A row of presets, of which one is on or none."""
    st.pills(
        title,
        label_visibility="collapsed",
        wrap=True,
        **widgets.choices(
            name,
            chosen if chosen in presets else None,
            presets,
            words=lambda one: PRESETS[one].short,
            take=lambda said: adopt(said or ""),
        ),
    )


def _counted(drawn: Mapping[str, Sequence[str]], counts: Mapping[str, int]) -> str:
    """Style that writes a number behind the name of each button.

    Numbers follow the slider, and the browser knows a button by its name: with the number in it another
    button would take its place under the finger that presses it.
    """
    rules = "".join(
        f'[class*=st-key-choose-{row}] button:nth-of-type({place})::after {{ content: "{counts[name]:,}" }}'
        for row, names in drawn.items()
        for place, name in enumerate(names, start=1)
    )
    return f"<style>{rules}</style>"


def _tips(drawn: Mapping[str, Sequence[str]]) -> str:
    """Have each button say under the pointer how its list differs from the others."""
    return "".join(
        tips(f"[class*=st-key-choose-{row}]", {PRESETS[name].short: APART[name] for name in names})
        for row, names in drawn.items()
    )


def _counted_in_box(options: Sequence[int]) -> str:
    """Style that writes behind each option of the box of models how many cases it would list."""
    rules = "".join(
        f'[role=listbox][aria-label="{_MISSED_BY}"] [data-key="{place}"]::after {{ content: "{n:,}" }}'
        for place, n in enumerate(options)
    )
    return f"<style>{rules}</style>"


def why_not(rows: pd.DataFrame, preset: Preset) -> str:
    """Say what a study lacks for a preset; empty where it has all."""
    missing = [_GIVEN_BY.get(column, column) for column in preset.needs if column not in rows]
    return f"It would need {' and '.join(dict.fromkeys(missing))}." if missing else ""
