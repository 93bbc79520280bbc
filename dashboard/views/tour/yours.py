"""What becomes of a claimed accuracy under labels like the tour's, what to do, and what to ask."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import asdict, dataclass
from html import escape
from typing import Any

import pandas as pd
import streamlit as st
from streamlit.delta_generator import DeltaGenerator

from core.analysis import tour_answer, tour_claim
from core.analysis.formatting import percent
from core.analysis.support_words import MAY_BE_BETTER
from core.analysis.tour_proof import ceiling_in_words, range_in_words
from dashboard.charts.tour.claim import claim_chart
from dashboard.components.note import made_on, offered, shown
from dashboard.components.picture import picture
from dashboard.components.text import element
from dashboard.shell import cache, state, theme, widgets
from dashboard.shell.view import View
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
    """A number that can be typed: its name in the address, its words, its range, its unit and what it is."""

    name: str
    words: str
    least: int
    most: int
    unit: str = ""
    is_what: str | None = None

    @property
    def span(self) -> str:
        """The range with its unit."""
        return f"{self.least} to {self.most:,}{self.unit}"

    @property
    def label(self) -> str:
        """Words with the range."""
        return f"{self.words} ({self.span})"

    def nearest(self, number: int) -> int:
        """The number within the range that is nearest."""
        return min(max(number, self.least), self.most)

    def refused(self, number: int) -> str:
        """What is said where a number is out of range; empty where it is not."""
        taken = self.nearest(number)
        if taken == number:
            return ""
        outside = f"{number:,}{self.unit} lies outside {self.span}"
        return f"{self.words}: {outside}. The answer is to {taken:,}{self.unit}."


_PERCENT = "\u00a0%"
_SELDOM_TOLD = "tour_agreement"
_EMPTY = {"tour_claimed": CLAIMED, _SELDOM_TOLD: round(100 * tour_claim.AGREEMENT)}
"""Fields that are empty until somebody types a number, be it the one that stands there, pale, meanwhile."""
FIELDS = (
    _Field("tour_claimed", "Claimed accuracy", 0, 100, _PERCENT, "The accuracy that you were told."),
    _Field(
        "tour_cases",
        "Cases tested",
        tour_claim.LEAST_CASES,
        tour_claim.MOST_CASES,
        is_what="How many cases it was measured on.",
    ),
    _Field(
        "tour_readers",
        "Readers of each case",
        1,
        tour_claim.MOST_READERS,
        is_what="How many read each case, independently of each other.",
    ),
    _Field(
        "tour_agreement",
        "Any two readers agree",
        round(100 * tour_claim.LEAST_AGREEMENT),
        round(100 * tour_claim.MOST_AGREEMENT),
        _PERCENT,
        "Draw a case and two of its readers at random: how often do both name the same label? Plain "
        "agreement, not κ. If you do not know it, ask; 0 stands for not told.",
    ),
)
"""Claim, cases, readers a case, and in how many percent of the cases two of them name the same."""


@cache.cached(128)
def _claim(
    claimed: int, n_readers: int, agreement: int, n_cases: int, reliability: float = 1.0
) -> tour_claim.Claim:
    return tour_claim.claim(claimed / 100, n_readers, agreement / 100, n_cases, reliability=reliability)


@cache.cached(64)
def _needed(claimed: int, agreement: int, n_cases: int) -> int | None:
    return tour_claim.readers_needed(claimed / 100, agreement / 100, n_cases)


@cache.cached(64)
def _better(claimed: int, agreement: int, n_cases: int) -> tuple[float, int] | None:
    return tour_claim.better_readers(claimed / 100, agreement / 100, n_cases)


@cache.cached(64)
def _not_ruled_out_from(claimed: int, n_readers: int, n_cases: int) -> float | None:
    return tour_claim.not_ruled_out_from(claimed / 100, n_readers, n_cases)


@st.fragment
def show(source: Mapping[str, str]) -> None:
    """Offer fields for a claim, its cases and readers; say and draw what labels show, and what to do."""
    claimed, n_cases, n_readers, agreement = _asked()
    found = _claim(claimed, n_readers, agreement, n_cases)
    twice = _claim(claimed, n_readers, agreement, n_cases, tour_answer.TWICE)
    # Where a claim is ruled out, that is said before it is known how many readers would be enough.
    needed = _needed(claimed, agreement, n_cases) if found.grade == "possible" else None
    advised = tour_answer.advice(found, needed)
    said, drawn = st.columns([6, 5], gap="large")
    with said:
        element("p", tour_answer.verdict(found, needed), role="tour-verdict")
        element("p", f"{tour_answer.TRUTH} {tour_answer.INVENTED}", role="note")
        element("p", advised, role="tour-advice")
        # Its place is kept: what it saves has to be worked out first.
        save = st.container(key="tour-save", horizontal=True, vertical_alignment="center")
    with drawn:
        picture(
            claim_chart(found.row, tokens=theme.tokens()),
            name="tour-your-claim",
            alternative=f"Claimed {percent(found.claimed)}, supported {range_in_words(found.row)}, "
            f"ceiling {ceiling_in_words(found.row)}.",
            caption="Cross and strokes: the claim. Ceiling: by repeating what most readers named.",
            table=pd.DataFrame([asdict(found)]).round(6),
            provenance=source,
        )
    told = _told()
    untold = _whatever_agreement(told, claimed, n_readers, n_cases)
    # Beneath both, which are about as high as each other without it.
    _facts(tour_answer.shown(found))
    element("p", f"{MAY_BE_BETTER} {untold}".rstrip())
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
        example=tour_answer.of_example_noted(_assumed(), len(FIELDS)),
    )
    with save:
        element("p", _TO_SAVE, role="tour-save")
        offered(note, key="tour", stem=_NOTE)
    with to_read:
        shown(note, key="tour")
    state.write_address()


def _whatever_agreement(told: set[str], claimed: int, n_readers: int, n_cases: int) -> str:
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


def _asked() -> tuple[int, ...]:
    """Let the numbers be chosen, and say which are examples; what is out of range becomes the nearest."""
    with st.container(horizontal=True, key="tour-whose", vertical_alignment="top"):
        element("p", tour_answer.of_example(_assumed(), len(FIELDS)), role="tour-example")
        if _to_confirm():
            st.checkbox(
                tour_answer.CONFIRM,
                help="Then none of them is called an example, and the note asks only for what is still open. "
                "Claim and agreement are yours once you type them.",
                **widgets.bind("tour_own", state.view().tour_own, take=_confirm),
            )
    with st.container(horizontal=True, key="tour-fields"):
        for field in FIELDS:
            st.number_input(
                field.label,
                step=1,
                width="stretch",
                help=field.is_what,
                # No words beside it: a narrow window has no room for them.
                placeholder=f"{_EMPTY[field.name]}{field.unit}" if field.name in _EMPTY else None,
                **widgets.bind(field.name, getattr(state.view(), field.name), take=_take(field)),
            )
    refused = st.session_state.pop(_REFUSED, "")
    # Its place stays where there is nothing to say: what stands below would be made anew.
    with st.container():
        if refused:
            parts.warning(refused)
    return tuple(map(_number, FIELDS))


def _number(field: _Field) -> int:
    """The number that is typed, or assumed where the field is empty."""
    typed = getattr(state.view(), field.name)
    return _EMPTY[field.name] if typed is None else int(typed)


def _untouched() -> list[_Field]:
    """Fields that hold what they begin with."""
    now, first = state.view(), View()
    return [one for one in FIELDS if getattr(now, one.name) == getattr(first, one.name)]


def _to_confirm() -> list[_Field]:
    """Those of which somebody can say that it is their own: what is told is typed into an empty field."""
    return [one for one in _untouched() if one.name not in _EMPTY]


def _examples() -> list[str]:
    """Words of the fields that hold what they begin with, and nobody says that it is their own."""
    own = _to_confirm() if state.view().tour_own else []
    return [one.words for one in _untouched() if one not in own]


def _assumed() -> list[str]:
    """The same with the values that they hold."""
    examples = _examples()
    return [f"{one.words} {_number(one)}{one.unit}" for one in FIELDS if one.words in examples]


def _told() -> set[str]:
    """What somebody was told, as `core.analysis.tour_answer.questions` names it."""
    examples = _examples()
    return {one.name.removeprefix("tour_") for one in FIELDS if one.words not in examples}


def _confirm(said: bool) -> None:
    """Keep that the numbers are somebody's own, or that those as in the example are examples again."""
    state.fall_back(tour_own=bool(said))


def _take(field: _Field) -> Callable[[int], None]:
    """Keep what is typed, or the nearest number that there is an answer for; 0 where nothing was told.

    The browser lets nobody empty a field that was begun with a number, as by a link.
    """

    def take(said: int) -> None:
        is_untold = field.name == _SELDOM_TOLD and said == 0
        st.session_state[_REFUSED] = "" if is_untold else field.refused(int(said))
        chosen: dict[str, Any] = {field.name: None if is_untold else field.nearest(int(said))}
        state.fall_back(**chosen)

    return take
