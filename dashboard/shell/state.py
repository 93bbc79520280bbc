"""What is chosen: kept over pages, written to the address bar, read back from it."""

from __future__ import annotations

import math
from collections.abc import Container, Mapping
from dataclasses import replace
from typing import Any

import streamlit as st
from pandas.api.types import is_numeric_dtype
from streamlit.navigation.page import StreamlitPage
from streamlit.runtime.scriptrunner import get_script_run_ctx
from streamlit.runtime.scriptrunner_utils.script_run_context import RunLocation, ThreadState

from core.analysis.cases.select import ANY_MODEL, Filters, parse_span
from core.plausibility.settings import (
    MODELS,
    RELIABILITIES,
    Aggregation,
    AggregationChoice,
    default_aggregation,
    models_for,
)
from core.settings import RESETS, options, part
from core.study.model import Study, Task
from dashboard.shell import studies
from dashboard.shell.address import format_address, parse
from dashboard.shell.view import View

_VIEW, _NOTES, _WRITTEN, _PAGES = "loupe-view", "loupe-notes", "loupe-written", "loupe-pages"
NO_FILTER = {of.name: of.default for of in options(Filters)}
"""All filters off."""


def view() -> View:
    """What is chosen now."""
    chosen: View = st.session_state.setdefault(_VIEW, View())
    # A run that another has overtaken, and waited for just now, ends at its next look into the session: it
    # holds what that other has still to settle.
    st.session_state.get(_VIEW)
    return chosen


def filters() -> Filters:
    """Filters of the worklist as they are chosen now."""
    return part(Filters, view())


def change(**values: Any) -> None:
    """Choose something else; what belonged to the study, task or case that is left goes with it."""
    now = view()
    changed = next((name for name in RESETS if name in values and values[name] != getattr(now, name)), "")
    st.session_state[_VIEW] = replace(now, **{**_reset_by(changed), **values})
    st.session_state[_NOTES] = []
    redraw_if_elsewhere()


def redraw_if_elsewhere() -> None:
    """Draw the whole page where the widget that is heard stands outside of what is drawn.

    The browser sends what is done at two widgets in one breath as if it were done at one of them; and asks to
    draw the fragment of that one alone. The other's part of the page would stay as it was.
    """
    run = get_script_run_ctx()
    drawn = (run.fragment_ids_this_run if run else None) or []
    if not drawn:
        return
    now = ThreadState.get()
    if now.run_location is RunLocation.CALLBACK and now.fragment_id not in drawn:
        st.rerun()


def _reset_by(name: str) -> dict[str, Any]:
    """Defaults of what goes with another study, task, model or case."""
    return {of.name: of.default for of in options(View) if of.scope in RESETS.get(name, ())}


def notes() -> list[str]:
    """What the address bar asked for and could not have, in plain words."""
    found: list[str] = st.session_state.setdefault(_NOTES, [])
    return found


def read_address() -> None:
    """Take the view from the address bar: from a link, and where somebody goes back or forward.

    Any other run that brings another address than was written last was asked for before the browser had taken
    that over; to read it would take back what was chosen meanwhile.
    """
    address = {key: tuple(st.query_params.get_all(key)) for key in st.query_params}
    written = st.session_state.get(_WRITTEN)
    if not address or address == written or (written is not None and not _went_back_or_forward()):
        return
    found, problems = parse(address)
    st.session_state[_VIEW] = found
    st.session_state[_NOTES] = problems


def _went_back_or_forward() -> bool:
    """Whether this run answers the browser's own buttons."""
    run = get_script_run_ctx()
    return run is not None and run.is_history_navigation


def write_address() -> None:
    """Put the view into the address bar.

    What a run asks the browser for may be lost where the next gives it no time, and that one knows the
    address only as it was when the browser asked for it. So each run says it anew; only a first visit, at an
    address that says all of it in other letters, keeps these.
    """
    address, first = format_address(view()), _WRITTEN not in st.session_state
    st.session_state[_WRITTEN] = address
    if not first or {key: tuple(st.query_params.get_all(key)) for key in st.query_params} != address:
        st.query_params.from_dict(address)


def settle_source() -> studies.Source:
    """Return the study that is chosen, or the first that can be opened."""
    known = studies.sources()
    chosen = view().study
    if chosen not in known:
        first = next(iter(known))
        if chosen:
            note = (
                f"The address asks for the study “{chosen}”, which has not been opened on this computer. "
                "If it is a folder here, open it under Study; another study is shown."
            )
            _fall_back(note, study=first, **_reset_by("study"))
        else:
            _fall_back(study=first)
    return known[view().study]


def settle(study: Study) -> tuple[Task, Aggregation]:
    """Make every choice one that the study allows; return its task and how its readings are aggregated."""
    if view().task not in study.tasks:
        _replace_unknown("task", view().task, next(iter(study.tasks)))
    task = study.tasks[view().task]
    suitable = models_for(task)
    if view().model not in suitable:
        _replace_unknown("model", view().model, default_aggregation(task).model)
    if view().against and view().against not in suitable:
        _replace_unknown("against", view().against, "")
    if view().against == view().model:
        _fall_back(against="")
    if view().case and view().case not in _positions(study):
        _replace_unknown("case", view().case, "")
    keep_known("label", task.labels)
    keep_known("expert_says", task.labels)
    keep_known("wrong", (ANY_MODEL, *task.probability_models))
    keep_known("only", _positions(study))
    keep_known("raters", study.rater_ids)
    keep_known("rivals", task.predictions)
    if view().judged_by == "reference" and "reference" not in study.cases:
        _replace_unknown("judged_by", "reference", "")
    _settle_metadata(study)
    if view().sort in ("stake", "high_risk") and not task.has_risk:
        _replace_unknown("sort", view().sort, "")
    if view().sort == "error" and not task.probability_models:
        _replace_unknown("sort", "error", "")
    model = MODELS[view().model]
    if not model.has_reliability:
        _fall_back(reliability=math.inf)
    elif view().reliability is None:
        _fall_back(reliability=float(model.default_reliability))
    return task, aggregation()


def keep_known(name: str, known: Container[str]) -> None:
    """Leave out, with a note, what the study does not have of a choice that names several things."""
    asked: tuple[str, ...] = getattr(view(), name)
    unknown = [value for value in asked if value not in known]
    if unknown:
        more = f" and {len(unknown) - 1:,} more" if len(unknown) > 1 else ""
        _fall_back(
            f"The address asks for {_noun(name)} “{unknown[0]}”{more}, which this study does not have.",
            **{name: tuple(value for value in asked if value in known)},
        )


def _noun(name: str) -> str:
    """What a value of an option is called."""
    return next(of.noun or name for of in options(View) if of.name == name)


def keep_choice(name: str, known: Container[str], noun: str = "") -> None:
    """Fall back to a page's own default, with a note, where it is asked for what it does not have."""
    asked: str = getattr(view(), name)
    if asked and asked not in known:
        noun = noun or _noun(name)
        _fall_back(f"The address asks for {noun} “{asked}”, which this page does not have.", **{name: ""})


def _settle_metadata(study: Study) -> None:
    """Leave out columns that the study does not have, and ranges of numbers that cannot be read."""
    kept = []
    for column, value in view().metadata:
        if column not in study.cases:
            note = f"The address asks for the column “{column}”, which this study does not have."
        elif is_numeric_dtype(study.cases[column]) and not _is_span(value):
            note = f"The address asks for {column} “{value}”: a range was expected, such as 20..40."
        else:
            kept.append((column, value))
            continue
        notes().append(note)
    if tuple(kept) != view().metadata:
        _fall_back(metadata=tuple(kept))


def _is_span(value: str) -> bool:
    try:
        parse_span(value)
    except ValueError:
        return False
    return True


def _positions(study: Study) -> dict[str, int]:
    """Position of each case id; kept with the session because studies are long."""
    kept = st.session_state.get("loupe-positions")
    if kept is None or kept[0] != study.fingerprint:
        kept = (study.fingerprint, {case_id: i for i, case_id in enumerate(study.case_ids)})
        st.session_state["loupe-positions"] = kept
    positions: dict[str, int] = kept[1]
    return positions


def position(study: Study) -> int | None:
    """Position of the chosen case in the study; None where none is chosen."""
    return _positions(study).get(view().case)


def aggregation() -> Aggregation:
    """How readings are aggregated now."""
    chosen = part(AggregationChoice, view())
    if not MODELS[chosen.model].can_weigh:
        chosen = replace(chosen, confidence="ignored")
    return chosen.under(chosen.model)


def slider_steps() -> list[float]:
    """Steps of the reliability slider: the usual ones and, from a link, any other."""
    chosen = view().reliability
    return sorted({*map(float, RELIABILITIES), *([] if chosen is None else [chosen])})


def keep_pages(pages: Mapping[str, StreamlitPage]) -> None:
    """Remember the pages of this session by name, so that one can lead to another."""
    st.session_state[_PAGES] = dict(pages)


def open_page(name: str) -> None:
    """Go to another page with everything that is chosen."""
    pages: dict[str, StreamlitPage] = st.session_state[_PAGES]
    st.switch_page(pages[name], query_params=format_address(view()))


def _replace_unknown(name: str, given: Any, value: Any) -> None:
    """Fall back, and say so if somebody asked for it."""
    if given:
        _fall_back(f"The address asks for {name} “{given}”, which this study does not have.", **{name: value})
    else:
        _fall_back(**{name: value})


def _fall_back(note: str = "", **values: Any) -> None:
    """Change the view without dropping the notes."""
    st.session_state[_VIEW] = replace(view(), **values)
    if note:
        notes().append(note)


def choose_case(case_id: str) -> None:
    """Open another case, as it was read."""
    if case_id != view().case:
        _fall_back(case=case_id, **_reset_by("case"))
        redraw_if_elsewhere()
