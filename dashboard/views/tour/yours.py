"""What becomes of a claimed accuracy under labels like the tour's, what to do, and what to ask."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from html import escape

import pandas as pd
import streamlit as st
from streamlit.delta_generator import DeltaGenerator

from core.analysis import tour_answer, tour_claim, tour_note
from core.analysis.formatting import percent_as_said
from core.analysis.support_words import MAY_BE_BETTER, NO_ESTIMATE
from core.analysis.tour_proof import ceiling_in_words, range_in_words
from dashboard.charts.tour.claim import claim_chart
from dashboard.components.note import made_on, offered, shown
from dashboard.components.picture import picture
from dashboard.components.text import element, table
from dashboard.shell import cache, theme
from dashboard.shell.view import TOUR_STEPS
from dashboard.views.tour import fields, steps

_NOTE = "loupe-claim"
_FOLDED = "What more readers, more agreement or more trust in them would change"
_HOW_TO_READ = "Cross and strokes: the claim. Ceiling: of a model that repeats what most readers named."
_TO_SAVE = "Note with questions:"
_WORKING = "Which readers would be enough is being worked out …"


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
    twice = _claim(claimed, n_readers, agreement, n_cases, tour_answer.TWICE)
    # Where a claim is ruled out, that is said before it is known how many readers would be enough.
    needed = _needed(claimed, agreement, n_cases) if found.grade == "possible" else None
    advised = tour_answer.advice(found, needed)
    told = fields.told()
    # Where nothing was told all of it is an example, and called one.
    assumed = fields.untold(told)
    verdict = tour_answer.verdict(found, needed, assumed=assumed if told else ())
    said, drawn = st.columns([6, 5], gap="large")
    with said:
        _say(found, verdict, advised)
        # Its place is kept: what it saves has to be worked out first.
        save = st.container(key="tour-save", horizontal=True, vertical_alignment="center")
    with drawn:
        picture(
            claim_chart(found.row, as_said=True, tokens=theme.tokens()),
            name="tour-your-claim",
            alternative=f"Claimed {percent_as_said(found.claimed)}, supported {range_in_words(found.row)}, "
            f"ceiling {ceiling_in_words(found.row)}.",
            caption=_HOW_TO_READ,
            table=pd.DataFrame([found.row]).round(6),
            provenance=source,
        )
    untold = _whatever_agreement(assumed, claimed, n_readers, n_cases)
    # Beneath both, which are about as high as each other without it.
    _facts(tour_answer.shown(found))
    # What is advised says already that the model may be better.
    what_not = f"{NO_ESTIMATE}." if found.grade == "unproved" else MAY_BE_BETTER
    is_open = tour_answer.is_open(found, needed)
    enough = st.empty()
    if is_open:
        _fill(enough, _WORKING, role="tour-enough")
    element("p", " ".join(filter(None, (what_not, untold, tour_answer.INVENTED))))
    steps.lead_to(TOUR_STEPS[0], "Why: see it in three steps")
    asked = tour_answer.questions(told, n_readers)
    _questions(asked)
    agreements = [] if n_readers == 1 else _by_agreement(claimed, n_readers, n_cases)
    explain(found)
    passes, to_read = _folded(agreements, tour_answer.by_trust(found, twice))
    passing = ""
    if is_open:
        passing = _passing(found, claimed, agreement, n_cases, (enough, passes))
    note = tour_note.note(
        found,
        twice,
        advised,
        " ".join(filter(None, (untold, passing))),
        verdict,
        asked=asked,
        made_on=made_on(),
        example=fields.noted(),
        assumed=assumed,
        agreements=agreements if untold else (),
    )
    with save:
        element("p", _TO_SAVE, role="tour-save")
        offered(note, key="tour", stem=_NOTE)
    with to_read:
        shown(note, key="tour")


def _folded(agreements: Sequence[tour_claim.Claim], by_trust: str) -> tuple[DeltaGenerator, DeltaGenerator]:
    """Fold away what else may be asked; return the places of which readers would do, and of the note."""
    # More percentages than the three above would hide which of them count.
    with st.expander(_FOLDED):
        passes = st.empty()
        if agreements:
            by_agreement = tour_answer.supported_if(tour_answer.by_agreement(agreements))
            table(by_agreement.heads, by_agreement.rows, name=by_agreement.name)
        element("p", by_trust)
    # Its head stands before what it holds is known: nothing slips in between later.
    with st.container(key="tour-note"):
        to_read = st.expander("What the note for a vendor or a board says")
    with st.expander("How this is worked out"):
        element(
            "p", f"{tour_answer.NARROWS} {tour_answer.rule()} {tour_answer.of_what()} {tour_answer.GAMMA}"
        )
    return passes, to_read


def _say(found: tour_claim.Claim, verdict: str, advised: str) -> None:
    """Say what the labels support, for which of them that holds, and what to do."""
    element("p", verdict, role="tour-verdict")
    if only_if := tour_answer.only_if(found):
        element("p", only_if, role="tour-only-if")
    element("p", advised, role="tour-advice")


def _whatever_agreement(assumed: set[str], claimed: float, n_readers: int, n_cases: int) -> str:
    """Say what becomes of the claim where nobody tells how often readers agree, or one alone reads each case.

    Empty where somebody tells it.
    """
    if n_readers == 1:
        return tour_answer.ONE_READER
    if "agreement" not in assumed:
        return ""
    least = _not_ruled_out_from(claimed, n_readers, n_cases)
    return tour_answer.whatever_agreement(least, n_readers if "readers" in assumed else None)


def _by_agreement(claimed: float, n_readers: int, n_cases: int) -> list[tour_claim.Claim]:
    """What labels support by how often readers agree."""
    percents = [round(100 * agreement) for agreement in tour_claim.SHOWN_AGREEMENTS]
    return [_claim(claimed, n_readers, percent, n_cases) for percent in percents]


def _passing(
    found: tour_claim.Claim,
    claimed: float,
    agreement: int,
    n_cases: int,
    places: tuple[DeltaGenerator, DeltaGenerator],
) -> str:
    """Say in its place how many readers would be enough, and in another who agree more; return both.

    Both take a moment to work out.
    """
    enough, more = places
    needed = _needed(claimed, agreement, n_cases)
    said = tour_answer.enough(found, needed)
    _fill(enough, said, role="tour-enough")
    _fill(more, _WORKING)
    better = tour_answer.better(found, needed, _better(claimed, agreement, n_cases))
    _fill(more, better)
    return " ".join(filter(None, (said, better)))


def _fill(place: DeltaGenerator, words: str, *, role: str = "tour-pass") -> None:
    """Say something in place of what was said there before; nothing takes no place."""
    if not words:
        place.empty()
        return
    with place.container():
        element("p", words, role=role)


def _facts(said: Sequence[tuple[str, str]]) -> None:
    """Say why the answer is as it is, side by side where there is room."""
    items = "".join(f"<div><dt>{escape(head)}</dt><dd>{escape(words)}</dd></div>" for head, words in said)
    st.html(f'<dl class="loupe-text tour-facts">{items}</dl>')


def _questions(questions: Sequence[str]) -> None:
    """Say what is still to be asked."""
    items = "".join(f"<li>{escape(question)}</li>" for question in questions)
    st.html(f'<div class="tour-questions"><p>Ask whoever names an accuracy</p><ol>{items}</ol></div>')
    steps.lead_to(TOUR_STEPS[-1], "Why the last question: see where a model errs")
