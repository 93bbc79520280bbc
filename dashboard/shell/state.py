"""What is chosen: kept over pages, written to the address bar, read back from it."""

from __future__ import annotations

from collections.abc import Container, Mapping
from dataclasses import replace
from typing import Any
from urllib.parse import parse_qs

import streamlit as st
from streamlit.navigation.page import StreamlitPage
from streamlit.runtime.scriptrunner import get_script_run_ctx
from streamlit.runtime.scriptrunner_utils.script_run_context import RunLocation, ThreadState

from core.analysis.cases.select import Filters
from core.plausibility.settings import (
    MODELS,
    RELIABILITIES,
    Aggregation,
    AggregationChoice,
)
from core.settings import RESETS, options, part
from core.study.model import Study
from dashboard.shell import hand, tried
from dashboard.shell.address import format_address, parse
from dashboard.shell.session import take_gone_back
from dashboard.shell.view import View

_VIEW, _NOTES, _WRITTEN, _PAGES = "loupe-view", "loupe-notes", "loupe-written", "loupe-pages"
_COUNTED, _ASKED = "loupe-counted", "loupe-asked-for-another-study"
_PUBLISHED, _POSITIONS = "loupe-published", "loupe-positions"
_LEADS, _LED = "loupe-leads-to", "loupe-times-led"
_USUAL, _TAKEN = "loupe-usual-reliability", "loupe-taken-reliability"
_COUNTED_BY = ("study", "task", "model", "reliability")
"""While these stay, so does whether somebody has chosen the reliability."""
NO_FILTER = {of.name: of.default for of in options(Filters)}
"""All filters off."""
ALL_CASES = NO_FILTER | {"preset": "", "sort": "", "case": "", "what_if": ""}
"""What lists all cases in their usual order; who leads to some of them says which, and nothing else stays."""


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
    _choose(values)
    redraw_if_elsewhere()


def _choose(values: Mapping[str, Any]) -> None:
    _follow_back()
    now = view()
    changed = next((name for name in RESETS if name in values and values[name] != getattr(now, name)), "")
    reset = reset_by(changed)
    left = _leaving_case(replace(now, **{**reset, **values}))
    st.session_state[_VIEW] = replace(now, **{**reset, **left, **values})
    st.session_state[_NOTES] = []
    if "reliability" in values:
        st.session_state[_USUAL], st.session_state[_TAKEN] = False, None


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


def reset_by(name: str) -> dict[str, Any]:
    """Defaults of what goes with another study, task, model or case."""
    return {of.name: of.default for of in options(View) if of.scope in RESETS.get(name, ())}


def _leaving_case(then: View) -> dict[str, str]:
    """What changes where another case is open ``then``: changed readings belong to their case.

    What was tried on that one before is there again; the part that is shown stays.
    """
    now = view()
    return {} if tried.which(now) == tried.which(then) else {"what_if": tried.leave(now, then)}


def notes() -> list[str]:
    """What the address bar asked for and could not have, in plain words."""
    found: list[str] = st.session_state.setdefault(_NOTES, [])
    return found


def keep_counted(words: str) -> None:
    """Remember what counts on this page beside what was published, for the page to say."""
    st.session_state[_COUNTED] = words


def counted() -> str:
    """What counts on this page beside what was published; empty for nothing."""
    words: str = st.session_state.get(_COUNTED, "")
    return words


def keep_published(fingerprint: str) -> None:
    """Remember the fingerprint of the study as it is in its files."""
    st.session_state[_PUBLISHED] = fingerprint


def published(study: Study) -> str:
    """Fingerprint of a study as it is in its files, whatever counts in it and which cases are looked at."""
    fingerprint: str = st.session_state.get(_PUBLISHED, study.fingerprint)
    return fingerprint


def read_address() -> None:
    """Take the view from the address bar: from a link, and where somebody goes back or forward.

    Any other run that brings another address than was written last was asked for before the browser had taken
    that over; to read it would take back what was chosen meanwhile.
    """
    if not _follow_back() and _WRITTEN not in st.session_state and st.query_params:
        _read({key: tuple(st.query_params.get_all(key)) for key in st.query_params})


def _follow_back() -> bool:
    """Take the view of the address that somebody went back or forward to; whether anybody did.

    What is done after that counts, though both may be heard in one run: callbacks call it first.
    """
    run = get_script_run_ctx()
    query = take_gone_back(run.session_id) if run is not None else None
    if not query:
        return False
    address = {key: tuple(values) for key, values in parse_qs(query, keep_blank_values=True).items()}
    if address != st.session_state.get(_WRITTEN):
        before, chosen = view(), (st.session_state.get(_USUAL, False), st.session_state.get(_TAKEN))
        _read(address)
        # An address names the reliability in force, whoever has chosen it, or nobody.
        if all(getattr(before, name) == getattr(view(), name) for name in _COUNTED_BY):
            st.session_state[_USUAL], st.session_state[_TAKEN] = chosen
    return True


def _read(address: Mapping[str, tuple[str, ...]]) -> None:
    found, problems = parse(address)
    st.session_state[_VIEW] = found
    st.session_state[_NOTES] = problems
    st.session_state[_USUAL], st.session_state[_TAKEN] = False, None


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


def write_address_early() -> None:
    """Put the view into the address bar as soon as it is settled, but for a first visit.

    Who goes on before the page has come to its end, where it says the rest, finds this one with Back.
    """
    if _WRITTEN in st.session_state:
        write_address()


def keep_known(name: str, known: Container[str]) -> None:
    """Leave out, with a note, what the study does not have of a choice that names several things."""
    asked: tuple[str, ...] = getattr(view(), name)
    unknown = [value for value in asked if value not in known]
    if unknown:
        more = f" and {len(unknown) - 1:,} more" if len(unknown) > 1 else ""
        fall_back(
            f"The address asks for {_noun(name)} “{unknown[0]}”{more}, which this study does not have. "
            f"{'It is' if len(unknown) == 1 else 'They are'} left out.",
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
        fall_back(f"The address asks for {noun} “{asked}”, which this page does not have.", **{name: ""})


def positions(study: Study) -> dict[str, int]:
    """Position of each case id; kept with the session because studies are long, the last two."""
    kept: dict[str, dict[str, int]] = st.session_state.setdefault(_POSITIONS, {})
    if study.fingerprint not in kept:
        while len(kept) > 1:
            del kept[next(iter(kept))]
        kept[study.fingerprint] = {case_id: i for i, case_id in enumerate(study.case_ids)}
    return kept[study.fingerprint]


def position(study: Study) -> int | None:
    """Position of the chosen case in the study; None where none is chosen."""
    return positions(study).get(view().case)


def aggregation() -> Aggregation:
    """How readings are aggregated now."""
    chosen = part(AggregationChoice, view())
    if not MODELS[chosen.model].can_weigh:
        chosen = replace(chosen, confidence="ignored")
    return chosen.under(chosen.model)


def take_reliability(reliability: float, *, is_usual: bool) -> None:
    """Take a reliability as nobody has chosen one: the model's own, which is usual, or a better one."""
    st.session_state[_TAKEN] = None if is_usual else (view().reliability, reliability)
    fall_back(reliability=reliability)
    st.session_state[_USUAL] = is_usual
    if is_usual:
        hand.forget()


def keep_reliability() -> None:
    """Take the reliability in force for chosen."""
    st.session_state[_USUAL] = False


def is_reliability_usual() -> bool:
    """Whether the reliability in force is the model's own, chosen by nobody: neither a person nor a link."""
    return bool(st.session_state.get(_USUAL, False))


def taken_reliability() -> tuple[float, float] | None:
    """The reliability before, and the one in force, where that was taken unasked; None where it was not."""
    taken: tuple[float, float] | None = st.session_state.get(_TAKEN)
    return taken if taken is not None and taken[1] == view().reliability else None


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


def lead_to(name: str, *said: str, **values: Any) -> None:
    """Choose something else, in a callback, and have the whole page that is drawn next be another one.

    What is ``said`` stands on it, as what an address could not have does.
    """
    st.session_state[_LEADS] = name
    st.session_state[_LED] = times_led() + 1
    _choose(values)
    notes().extend(said)
    st.rerun()


def ask_for_another(asked: bool) -> None:
    """Have the place where studies are opened on top of Study and unfolded until one is; or no more."""
    st.session_state[_ASKED] = asked


def is_asked_for_another() -> bool:
    """Whether somebody came to open another study."""
    return st.session_state.get(_ASKED, False)


def times_led() -> int:
    """How often a callback has led this session to another page."""
    times: int = st.session_state.get(_LED, 0)
    return times


def follow_lead(page: str) -> None:
    """Go where a callback leads, unless this is the page, which is given by its path.

    It is forgotten only there: a run that is overtaken on the way leaves it to the next. The path of Study is
    not its name: who took one for the other would lead there for ever.
    """
    name = st.session_state.get(_LEADS)
    pages: dict[str, StreamlitPage] = st.session_state[_PAGES]
    if name and pages[name].url_path != page:
        open_page(name)
    st.session_state.pop(_LEADS, None)


def fall_back(note: str = "", **values: Any) -> None:
    """Change the view without dropping the notes."""
    st.session_state[_VIEW] = replace(view(), **values)
    if note:
        notes().append(note)


def choose_case_of_round(case_id: str) -> None:
    """Open another case of the round; the one that is open on the page Cases stays."""
    _follow_back()
    if case_id != view().round_case:
        fall_back(round_case=case_id)
        redraw_if_elsewhere()


def choose_case(case_id: str) -> None:
    """Open another case, as it was read, or as somebody tried it before."""
    _follow_back()
    if case_id != view().case:
        then = {"case": case_id} | reset_by("case")
        fall_back(**then | _leaving_case(replace(view(), **then)))
        redraw_if_elsewhere()
