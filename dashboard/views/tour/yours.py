"""What becomes of a claimed accuracy under labels like the tour's, what to do, and what to ask."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from html import escape

import pandas as pd
import streamlit as st
from streamlit.delta_generator import DeltaGenerator

from core.analysis import tour_agreement, tour_answer, tour_claim, tour_danger, tour_note
from core.analysis.formatting import percent_as_said
from core.analysis.tour_proof import ceiling_in_words, range_in_words
from dashboard.charts.tour.claim import claim_chart
from dashboard.components.note import made_on, offered, shown
from dashboard.components.picture import picture
from dashboard.components.text import element
from dashboard.shell import cache, theme
from dashboard.shell.view import TOUR_STEPS
from dashboard.views.tour import danger, fields, steps

_NOTE = "loupe-claim"
_FOLDED = "What more readers, or more trust in them, would change"
_TOLD = "What these labels support, by how often two readers agree; marked: what you entered."
_SCALE = "Not told how often two readers agree? What these labels support, by how often they do:"
_HOW_TO_READ = "Cross and upright lines: the claim."
_TO_SAVE = "Note with questions:"
_OF_EXAMPLE = "It uses the example numbers until you enter your own."
"""Said beside it while nobody has named a number."""
_ASK = "Ask whoever quotes an accuracy"
_WORKING = "Working out how many readers would be enough …"


@cache.cached(128)
def _claim(
    claimed: float, n_readers: int, agreement: int, n_cases: int, reliability: float = 1.0
) -> tour_claim.Claim:
    return tour_claim.claim(claimed / 100, n_readers, agreement / 100, n_cases, reliability=reliability)


@cache.cached(64)
def _needed(claimed: float, agreement: int, n_cases: int) -> int | None:
    return tour_claim.readers_needed(claimed / 100, agreement / 100, n_cases)


@cache.cached(64)
def _better(claimed: float, agreement: int, n_cases: int) -> tuple[float, int] | None:
    return tour_claim.better_readers(claimed / 100, agreement / 100, n_cases)


@cache.cached(64)
def _not_ruled_out_from(claimed: float, n_readers: int, n_cases: int) -> float | None:
    return tour_claim.not_ruled_out_from(claimed / 100, n_readers, n_cases)


def show(source: Mapping[str, str], *, explain: Callable[[tour_claim.Claim], None]) -> None:
    """Offer fields for a claim, its cases and readers; say and draw what labels show, and what to do.

    To ``explain`` it comes before what takes a moment to work out.
    """
    claimed, (n_cases, n_readers, agreement) = fields.asked()
    found = _claim(claimed, n_readers, agreement, n_cases)
    # Where a claim is ruled out, that is said before it is known how many readers would be enough.
    needed = _needed(claimed, agreement, n_cases) if found.grade == "possible" else None
    advised = tour_answer.advice(found, needed)
    told = fields.told()
    assumed = fields.untold(told)
    said, drawn = st.columns([6, 5], gap="large")
    with said:
        _say(found, assumed, advised)
        # Its place is kept: what it saves has to be worked out first.
        place = "tour-save" if told else "tour-save-example"
        save = st.container(key=place, horizontal=True, vertical_alignment="center")
    with drawn:
        picture(
            claim_chart(found, tokens=theme.tokens()),
            name="tour-your-claim",
            alternative=f"Claimed {percent_as_said(found.claimed)}, supported {range_in_words(found.row)}, "
            f"ceiling {ceiling_in_words(found.row)}.",
            caption=_HOW_TO_READ,
            table=pd.DataFrame([found.row]).round(6),
            provenance=source,
        )
    # Beneath both, which are about as high as each other without it; and the note is saved without scrolling.
    whatever = _whatever_agreement(assumed, claimed, found)
    if whatever:
        element("p", whatever, role="strong")
    agreements = _by_agreement(found, is_told="agreement" not in assumed)
    twice = _claim(claimed, n_readers, agreement, n_cases, tour_answer.TWICE)
    if guide := tour_answer.guide(found):
        element("p", guide, role="tour-guide")
    asked = tour_answer.questions(told, n_readers)
    _questions(asked)
    explain(found)
    by_trust = (tour_answer.by_trust(found, twice), tour_answer.to_quote(found, twice))
    enough, to_read = _folded(found, by_trust)
    passing = ""
    if tour_answer.is_open(found, needed):
        _fill(enough, _WORKING)
        needed = _needed(claimed, agreement, n_cases)
        passing = tour_answer.enough(found, needed, _better(claimed, agreement, n_cases))
        _fill(enough, passing)
    note = tour_note.note(
        found,
        advised,
        f"{passing} {tour_answer.quoted(found)}".strip(),
        whatever=whatever,
        asked=asked,
        made_on=made_on(),
        assumed=assumed,
        agreements=agreements,
    )
    with save:
        element("p", _TO_SAVE)
        offered(note, key="tour", stem=_NOTE)
        if not told:
            element("p", _OF_EXAMPLE)
            st.button(
                "The first three match mine", key="tour-mine", type="tertiary", on_click=fields.take_examples
            )
    with to_read:
        shown(note, key="tour")


def _by_agreement(found: tour_claim.Claim, *, is_told: bool) -> list[tour_claim.Claim]:
    """Say what labels support by how often readers agree; return the claim by that, where it is not told."""
    if found.n_readers == 1:
        return []
    claimed, agreement = round(100 * found.claimed, 6), round(100 * found.agreement)
    shown = sorted({*(round(100 * of) for of in tour_claim.SHOWN_AGREEMENTS), *([agreement] * is_told)})
    agreements = [_claim(claimed, found.n_readers, percent, found.n_cases) for percent in shown]
    _scale(agreements, agreement, is_told=is_told)
    return [] if is_told else agreements


def _scale(agreements: Sequence[tour_claim.Claim], now: int, *, is_told: bool) -> None:
    """Say what labels support by how often readers agree; what is told or assumed is marked."""
    cells = [
        f"<i>agree in {agree}</i> <b>{supported}</b> <small>{of_claim}</small>"
        for agree, supported, of_claim in tour_agreement.scale(agreements)
    ]
    listed = "".join(
        f"<li{' data-now' if of.agreement == now / 100 else ''}>{cell}</li>"
        for of, cell in zip(agreements, cells, strict=True)
    )
    with st.container(key="tour-scale-head", horizontal=True, vertical_alignment="center"):
        element("p", _TOLD if is_told else _SCALE)
        if is_told:
            st.button(
                "I was not told", key="tour-not-told", type="tertiary", on_click=fields.forget_agreement
            )
    st.html(f'<div class="loupe-text tour-scale"><ul>{listed}</ul></div>')


def _folded(found: tour_claim.Claim, by_trust: Sequence[str]) -> tuple[DeltaGenerator, DeltaGenerator]:
    """Fold away what else may be asked; return the places of how many readers would do, and of the note."""
    # More percentages than the three above would hide which of them count. Heads stand before what they hold
    # is known: nothing slips in between later.
    with st.container(key="tour-folds"):
        with st.expander(_FOLDED):
            enough = st.empty()
            for words in filter(None, by_trust):
                element("p", words)
        to_read = st.expander("What the note for a vendor or a board says")
        with st.expander("How this is worked out"):
            for words in tour_answer.worked_out(found):
                element("p", words)
    return enough, to_read


def _say(found: tour_claim.Claim, assumed: set[str], advised: str) -> None:
    """Say what the labels support, on what that hangs which nobody told, why, and what to do."""
    if condition := tour_answer.condition(found, assumed):
        element("p", condition, role="tour-if")
    element("p", tour_answer.verdict(found), role="tour-verdict")
    if support := tour_answer.support(found):
        element("p", support, role="tour-support")
    if reason := tour_answer.reason(found):
        element("p", reason, role="tour-reason")
    element("p", advised, role="tour-advice")


def _whatever_agreement(assumed: set[str], claimed: float, found: tour_claim.Claim) -> str:
    """Say what becomes of a claim however often readers agree, or that one alone reads each case.

    Where somebody tells how often they agree, it is said only of a claim that no agreement can support; of
    readers who always agree, that they may be wrong.
    """
    if found.n_readers == 1:
        return tour_agreement.ONE_READER
    is_told = "agreement" not in assumed
    always = tour_agreement.ALWAYS_AGREE if found.agreement == tour_claim.MOST_AGREEMENT else ""
    least = None
    if not is_told or found.grade == "unproved":
        least = _not_ruled_out_from(claimed, found.n_readers, found.n_cases)
    if is_told and (least is not None or found.grade != "unproved"):
        return always
    whatever = tour_agreement.whatever_agreement(least, found.n_readers if "readers" in assumed else None)
    return f"{whatever} {always}".rstrip()


def _fill(place: DeltaGenerator, words: str) -> None:
    """Say something in place of what was said there before; nothing takes no place."""
    if not words:
        place.empty()
        return
    with place.container():
        element("p", words)


def _questions(questions: Sequence[str]) -> None:
    """Say what is still to be asked, and why also about dangers."""
    items = "".join(f"<li>{escape(question)}</li>" for question in questions)
    # One of both heads is shown: where there is room, what would be folded stands open.
    st.html(
        f'<div class="tour-questions"><p>{_ASK}</p>'
        f"<details><summary>{_ASK}: {len(questions)}\u00a0questions</summary><ol>{items}</ol></details></div>"
    )
    with st.container(key="tour-last-question", horizontal=True, vertical_alignment="center"):
        element("p", tour_danger.danger_in_brief(danger.found()))
        steps.lead_to(TOUR_STEPS[-1], "See where a model errs")
