"""What becomes of a claimed accuracy under labels like the tour's, what to do, and what to ask."""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping, Sequence
from dataclasses import asdict, dataclass
from html import escape
from typing import Any

import pandas as pd
import streamlit as st
from streamlit.delta_generator import DeltaGenerator

from core.analysis import tour_answer, tour_claim
from core.analysis.formatting import percent_as_said
from core.analysis.support_words import MAY_BE_BETTER, NO_ESTIMATE
from core.analysis.tour import N_CASES, N_RATERS
from core.analysis.tour_proof import ceiling_in_words, range_in_words
from dashboard.charts.tour.claim import claim_chart
from dashboard.components.note import made_on, offered, shown
from dashboard.components.picture import picture
from dashboard.components.text import element
from dashboard.shell import cache, state, theme, widgets
from dashboard.views import parts

_REFUSED = "loupe-tour-refused"
CLAIMED = 92
"""Percent that is claimed where nobody types another number."""
_NOTE = "loupe-claim"
_FOLDED = "What more readers, or more trust in them, would change"
_TO_SAVE = "Note with questions:"
_WORKING = "Which readers would be enough is being worked out …"


@dataclass(frozen=True)
class _Field:
    """A number that can be typed: its name in the address, its words, its range, its unit and what it is.

    Until it is, the field is empty, be it the very ``example`` that stands there, pale, meanwhile.
    """

    name: str
    words: str
    least: int
    most: int
    example: int
    unit: str = ""
    is_what: str | None = None
    decimals: int = 0

    @property
    def span(self) -> str:
        """The range with its unit."""
        return f"{self.least} to {self.most:,}{self.unit}"

    @property
    def label(self) -> str:
        """Words with the range."""
        return f"{self.words} ({self.span})"

    def nearest(self, number: float) -> float:
        """The number within the range that is nearest."""
        return min(max(number, self.least), self.most)

    def taken(self, said: float) -> tuple[float | None, str]:
        """The number that what is typed is taken for, and what is said where it is another.

        It has as many ``decimals`` as the field. A claim between 0 and 1 is a share. What nobody can mean is
        taken for nothing: a claim beyond 100 %, and a count with a fraction, as 1.500 is where it is written
        for 1,500.
        """
        typed = f"{self.words}: {_plain(said)}{self.unit}"
        if self.name == _CLAIMED and not 0 <= said <= self.most:
            return None, f"{typed} lies outside {self.span}, and is not taken."
        if not self.unit and said != math.floor(said):
            return None, f"{typed} is no whole number, and is not taken.{self._thousands(said)}"
        is_share = self.name == _CLAIMED and 0 < said < 1
        unit = 10**self.decimals
        # Halves upwards, as people round; what floats make of 92.55 is one as well.
        units = math.floor(round((100 * said if is_share else said) * unit, 6) + 0.5)
        number = units / unit if self.decimals else units
        taken = self.nearest(number)
        if taken == said:
            return taken, ""
        then = f"{_plain(taken)}{self.unit}"
        if taken == number:
            return taken, f"{typed.removesuffix(self.unit) if is_share else typed} is taken as {then}."
        return taken, f"{typed} lies outside {self.span}. The answer is to {then}."

    def _thousands(self, said: float) -> str:
        """How to type what may be thousands, parted by a point; empty where it cannot be."""
        number = round(1000 * said, 6)
        is_meant = number.is_integer() and self.least <= number <= self.most
        return f" For {number:,.0f} type {number:.0f}." if is_meant else ""


def _plain(number: float) -> str:
    """Write what is typed with no more digits than it has."""
    return f"{number:,.3f}".rstrip("0").rstrip(".")


_PERCENT = "\u00a0%"
_CLAIMED, _SELDOM_TOLD = "tour_claimed", "tour_agreement"
FIELDS = (
    _Field(
        _CLAIMED,
        "Claimed accuracy",
        least=0,
        most=100,
        example=CLAIMED,
        unit=_PERCENT,
        is_what="The accuracy that you were told.",
        decimals=1,
    ),
    _Field(
        "tour_cases",
        "Cases tested",
        least=tour_claim.LEAST_CASES,
        most=tour_claim.MOST_CASES,
        example=N_CASES,
        is_what="How many cases it was measured on. If you do not know it, ask; 0 stands for not told.",
    ),
    _Field(
        "tour_readers",
        "Readers of each case",
        least=1,
        most=tour_claim.MOST_READERS,
        example=N_RATERS,
        is_what="How many read each case, independently of each other; 0 stands for not told.",
    ),
    _Field(
        _SELDOM_TOLD,
        "Any two readers agree",
        least=round(100 * tour_claim.LEAST_AGREEMENT),
        most=round(100 * tour_claim.MOST_AGREEMENT),
        example=round(100 * tour_claim.AGREEMENT),
        unit=_PERCENT,
        is_what="Draw a case and two of its readers at random: how often do both name the same label? Plain "
        "agreement, not κ. If you do not know it, ask; 0 stands for not told.",
    ),
)
"""Claim, cases, readers a case, and in how many percent of the cases two of them name the same."""


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


@st.fragment
def show(source: Mapping[str, str]) -> None:
    """Offer fields for a claim, its cases and readers; say and draw what labels show, and what to do."""
    claimed, (n_cases, n_readers, agreement) = _asked()
    found = _claim(claimed, n_readers, agreement, n_cases)
    twice = _claim(claimed, n_readers, agreement, n_cases, tour_answer.TWICE)
    # Where a claim is ruled out, that is said before it is known how many readers would be enough.
    needed = _needed(claimed, agreement, n_cases) if found.grade == "possible" else None
    advised = tour_answer.advice(found, needed)
    said, drawn = st.columns([6, 5], gap="large")
    with said:
        _say(found, needed, advised)
        # Its place is kept: what it saves has to be worked out first.
        save = st.container(key="tour-save", horizontal=True, vertical_alignment="center")
    with drawn:
        picture(
            claim_chart(found.row, as_said=True, tokens=theme.tokens()),
            name="tour-your-claim",
            alternative=f"Claimed {percent_as_said(found.claimed)}, supported {range_in_words(found.row)}, "
            f"ceiling {ceiling_in_words(found.row)}.",
            caption="Cross and strokes: the claim. Ceiling: a model that repeats what most readers named.",
            table=pd.DataFrame([asdict(found)]).round(6),
            provenance=source,
        )
    told = _told()
    untold = _whatever_agreement(told, claimed, n_readers, n_cases)
    # Beneath both, which are about as high as each other without it.
    _facts(tour_answer.shown(found))
    # What is advised says already that the model may be better.
    what_not = f"{NO_ESTIMATE}." if found.grade == "unproved" else MAY_BE_BETTER
    element("p", f"{what_not} {untold}".rstrip())
    asked = tour_answer.questions(told, n_readers)
    _questions(asked)
    # More percentages than these three would hide which of them count.
    with st.expander(_FOLDED):
        passes = st.empty()
        element("p", tour_answer.by_trust(found, twice))
    # Its head stands before what it holds is known: nothing slips in between later.
    with st.container(key="tour-note"):
        to_read = st.expander("What the note for a vendor or a board says")
    with st.expander("How this is worked out"):
        element(
            "p", f"{tour_answer.NARROWS} {tour_answer.rule()} {tour_answer.of_what()} {tour_answer.GAMMA}"
        )
    passing = ""
    if tour_answer.is_open(found, needed):
        _pass(passes, _WORKING)
        needed, better = _needed(claimed, agreement, n_cases), _better(claimed, agreement, n_cases)
        passing = tour_answer.would_pass(found, needed, better)
        _pass(passes, passing)
    note = tour_answer.note(
        found,
        twice,
        advised,
        f"{untold} {passing}".strip(),
        needed,
        asked=asked,
        made_on=made_on(),
        example=_noted(),
    )
    with save:
        element("p", _TO_SAVE, role="tour-save")
        offered(note, key="tour", stem=_NOTE)
    with to_read:
        shown(note, key="tour")
    state.write_address()


def _say(found: tour_claim.Claim, needed: int | None, advised: str) -> None:
    """Say what the labels support, what becomes of the claim, and what to do."""
    element("p", tour_answer.verdict(found, needed), role="tour-verdict")
    held = tour_answer.holds(found)
    element("p", f"{held} {tour_answer.INVENTED} {tour_answer.WHY}", role="note")
    element("p", advised, role="tour-advice")


def _whatever_agreement(told: set[str], claimed: float, n_readers: int, n_cases: int) -> str:
    """Say what becomes of the claim where nobody tells how often readers agree; empty where somebody does."""
    if _SELDOM_TOLD.removeprefix("tour_") in told:
        return ""
    return tour_answer.whatever_agreement(_not_ruled_out_from(claimed, n_readers, n_cases))


def _pass(place: DeltaGenerator, words: str) -> None:
    """Say which readers would be enough in place of what was said there before."""
    with place.container():
        element("p", words, role="tour-pass")


def _facts(said: Sequence[tuple[str, str]]) -> None:
    """Say why the answer is as it is, side by side where there is room."""
    items = "".join(f"<div><dt>{escape(head)}</dt><dd>{escape(words)}</dd></div>" for head, words in said)
    st.html(f'<dl class="loupe-text tour-facts">{items}</dl>')


def _questions(questions: Sequence[str]) -> None:
    """Say what is still to be asked."""
    *others, last = questions
    asked = (*others, f"{last.removesuffix('.')} {tour_answer.SHOWN_IN}.")
    items = "".join(f"<li>{question}</li>" for question in asked)
    st.html(f'<div class="tour-questions"><p>Ask whoever names an accuracy</p><ol>{items}</ol></div>')


def _asked() -> tuple[float, list[int]]:
    """Let the numbers be typed, and say which are examples; what is out of range becomes the nearest."""
    element("p", tour_answer.of_example(_assumed(), len(FIELDS)), role="tour-example")
    with st.container(horizontal=True, key="tour-fields"):
        for field in FIELDS:
            st.number_input(
                field.label,
                # With fractions: what is typed as 0.92 or 92.5 would come without them, and unsaid.
                step=1.0,
                format="%g",
                width="stretch",
                help=field.is_what,
                # No words beside it: a narrow window has no room for them.
                placeholder=f"{field.example}{field.unit}",
                **widgets.bind(field.name, _typed(field), take=_take(field)),
            )
    # Its place stays where there is nothing to say: what stands below would be made anew.
    with st.container():
        if said := _said_of_typed():
            parts.warning(" ".join(said))
    claimed, *others = map(_number, FIELDS)
    return claimed, [int(number) for number in others]


def _typed(field: _Field) -> float | None:
    """The number that is typed, as the field has it; None while it is empty."""
    now = getattr(state.view(), field.name)
    return None if now is None else float(now)


def _said_of_typed(*, of_taken: bool = False) -> list[str]:
    """What is said of fields that still hold another number than was typed into them, or none.

    For a note of those alone ``of_taken`` is another number.
    """
    kept: dict[str, tuple[float | None, str]] = st.session_state.get(_REFUSED, {})
    told = [(getattr(state.view(), one.name), *kept.get(one.name, (None, ""))) for one in FIELDS]
    return [
        words for now, taken, words in told if words and now == taken and not (of_taken and taken is None)
    ]


def _noted() -> str:
    """What a note says of its numbers: which are assumed, and which were typed otherwise."""
    assumed = tour_answer.of_example_noted(_assumed(), len(FIELDS))
    return " ".join([assumed, *_said_of_typed(of_taken=True)]).strip()


def _number(field: _Field) -> float:
    """The number that is typed, or assumed where the field is empty."""
    typed = _typed(field)
    return field.example if typed is None else typed


def _assumed() -> list[str]:
    """Words of the fields that nobody has filled, with the values that are assumed."""
    return [f"{one.words} {one.example}{one.unit}" for one in FIELDS if _typed(one) is None]


def _told() -> set[str]:
    """What somebody was told, as `core.analysis.tour_answer.questions` names it."""
    return {one.name.removeprefix("tour_") for one in FIELDS if _typed(one) is not None}


def _take(field: _Field) -> Callable[[float | None], None]:
    """Keep what is typed, or the nearest number that there is an answer for; 0 where nothing was told.

    The browser lets nobody empty a field that was begun with a number, as by a link.
    """

    def take(said: float | None) -> None:
        is_untold = said is None or (field.name != _CLAIMED and said == 0)
        number, words = (None, "") if said is None or is_untold else field.taken(said)
        st.session_state.setdefault(_REFUSED, {})[field.name] = number, words
        chosen: dict[str, Any] = {field.name: number}
        state.fall_back(**chosen)

    return take
