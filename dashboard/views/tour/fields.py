"""The numbers that somebody was told: what may be typed, what it is taken for, and what is assumed."""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, NamedTuple

import streamlit as st

from core.analysis import tour_answer, tour_claim
from core.analysis.tour import N_CASES, N_RATERS
from dashboard.components.text import element
from dashboard.shell import state, widgets
from dashboard.views import parts

_REFUSED, _LEFT, _VISIT = "loupe-tour-refused", "loupe-tour-left", "loupe-tour-visit"
_HARDLY = 1e-9
"""So much more than it shows is in a field that was left at a number: browsers never send an equal one."""
_PERCENT_NOT_KAPPA = "type percent, as 60; κ is another number"
EXAMPLE = 92
"""Percent that is claimed where nobody types another number."""


@dataclass(frozen=True)
class Field:
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
    why_least: str = ""
    """Why less is taken for the least; empty where it is not taken at all."""

    @property
    def span(self) -> str:
        """The range with its unit."""
        return f"{self.least} to {self.most:,}{self.unit}"

    @property
    def label(self) -> str:
        """Words with the range, which no narrow line breaks."""
        span = self.span.replace(" ", "\u00a0")
        return f"{self.words} ({span})"

    def taken(self, said: float) -> tuple[float | None, str]:
        """The number that what is typed is taken for, and what is said where it is another.

        It has as many ``decimals`` as the field. A claim between 0 and 1 is a share, which is the same number
        in percent; of how often readers agree it may be κ as well, and is taken for nothing. So is what lies
        outside the range, unless it is too low and there is a reason to take the least for it, and a count
        with a fraction, as 1.500 is where it is written for 1,500.
        """
        typed = f"{self.words}: {_plain(said)}{self.unit}"
        if not self.unit and said != math.floor(said):
            return None, f"{typed} is not a whole number and is not used{self._thousands(said)}"
        if self.why_least and 0 < said <= 1:
            return None, f"{self.words}: {_plain(said)} is not used ({_PERCENT_NOT_KAPPA})"
        is_share = self.name == _CLAIMED and 0 < said < 1
        unit, meant = 10**self.decimals, round(100 * said if is_share else said, 6)
        # Halves upwards, as people round; what floats make of 92.55 is one as well.
        units = math.floor(round(meant * unit, 6) + 0.5)
        number = units / unit if self.decimals else units
        if self.why_least and 0 < number < self.least:
            return self.least, f"{typed} is taken as {self.least}{self.unit}: {self.why_least}"
        if not self.least <= number <= self.most:
            return None, f"{typed} lies outside {self.span} and is not used"
        if number == meant:
            return number, ""
        then = f"{_plain(number)}{self.unit}"
        return number, f"{typed.removesuffix(self.unit) if is_share else typed} is taken as {then}."

    @property
    def as_untold(self) -> str:
        """What is said where somebody types that it was not told."""
        return f"{self.words}: 0 means not told. The answer uses {self.example}{self.unit}."

    def in_its_place(self, now: float | None) -> str:
        """Say what the answer is to where what is typed is not taken: what was there, or the example."""
        return f"The answer uses {_plain(self.example if now is None else now)}{self.unit}."

    def _thousands(self, said: float) -> str:
        """How to type what may be thousands, parted by a point; empty where it cannot be."""
        number = round(1000 * said, 6)
        is_meant = number.is_integer() and self.least <= number <= self.most
        return f" (for {number:,.0f}, type {number:.0f})" if is_meant else ""


class _Said(NamedTuple):
    """What a field holds after something was typed, what is said of that, and whether it is taken at all."""

    holds: float | None
    words: str
    is_taken: bool


def _plain(number: float) -> str:
    """Write what is typed with no more digits than it has."""
    return f"{number:,.6f}".rstrip("0").rstrip(".")


_PERCENT = "\u00a0%"
_CLAIMED, _READERS, SELDOM_TOLD = "tour_claimed", "tour_readers", "tour_agreement"
FIELDS = (
    Field(
        _CLAIMED,
        "Claimed accuracy",
        least=0,
        most=100,
        example=EXAMPLE,
        unit=_PERCENT,
        is_what="The accuracy that you were told.",
        decimals=1,
    ),
    Field(
        "tour_cases",
        "Cases tested",
        least=tour_claim.LEAST_CASES,
        most=tour_claim.MOST_CASES,
        example=N_CASES,
        is_what="How many cases it was measured on. If you do not know, ask; 0 means not told.",
    ),
    Field(
        _READERS,
        "Readers of each case",
        least=1,
        most=tour_claim.MOST_READERS,
        example=N_RATERS,
        is_what="How many readers read each case independently; 0 means not told.",
    ),
    Field(
        SELDOM_TOLD,
        "Any two readers agree",
        least=round(100 * tour_claim.LEAST_AGREEMENT),
        most=round(100 * tour_claim.MOST_AGREEMENT),
        example=round(100 * tour_claim.AGREEMENT),
        unit=_PERCENT,
        is_what="Pick a case and two of its readers at random: how often do both name the same label? "
        "Percent agreement, not κ. If you do not know, ask; 0 means not told.",
        why_least="the answer is worked out for three conditions, where even readers who guess agree "
        f"33{_PERCENT} of the time. Less agreement supports no more.",
    ),
)
"""Claim, cases, readers a case, and in how many percent of the cases two of them name the same."""


def asked() -> tuple[float, list[int]]:
    """Let the numbers be typed, and say which are examples; what is out of range is not taken."""
    element("p", tour_answer.of_example(len(_assumed()), len(FIELDS)), role="tour-example")
    with st.container(horizontal=True, key="tour-fields"):
        for field in FIELDS:
            st.number_input(
                field.label,
                # With fractions: what is typed as 0.92 or 92.5 would come without them, and unsaid.
                step=1.0,
                format="%.9g",
                width="stretch",
                help=field.is_what,
                # No words beside it: a narrow window has no room for them.
                placeholder=f"{field.example}{field.unit}",
                **widgets.bind(field.name, _in_field(field), take=_take(field)),
            )
    # Its place stays where there is nothing to say: what stands below would be made anew.
    with st.container():
        if said := [*_said_of_typed(), *_said_of_one_reader()]:
            parts.warning(" ".join(said))
    claimed, *others = map(_number, FIELDS)
    return claimed, [int(number) for number in others]


def take_examples() -> None:
    """Take the examples for what somebody was told, as if typed; how often readers agree is seldom told."""
    for field in FIELDS:
        if field.name != SELDOM_TOLD:
            _take(field)(field.example)


def forget_agreement() -> None:
    """Take back how often readers agree: nobody can empty a field that was begun with a number."""
    (field,) = (one for one in FIELDS if one.name == SELDOM_TOLD)
    _take(field)(None)


def _typed(field: Field) -> float | None:
    """The number that is typed, as the field has it; None while it is empty."""
    now = getattr(state.view(), field.name)
    return None if now is None else float(now)


def _in_field(field: Field) -> float | None:
    """The number that is typed, as the browser has it: hardly more where another was typed over it."""
    typed = _typed(field)
    is_left = st.session_state.get(_LEFT, {}).get(field.name) == typed
    return typed + _HARDLY if typed and is_left else typed


def _said_of_typed() -> list[str]:
    """What is said of fields that still hold another number than was typed into them, or none.

    That a number is taken for another is said once: the field holds it, and what is typed next may be it.
    Nothing of this is said any more once the page was left.
    """
    if st.session_state.get(_VISIT) != widgets.visits():
        st.session_state[_VISIT], st.session_state[_REFUSED] = widgets.visits(), {}
    kept: dict[str, _Said] = st.session_state.get(_REFUSED, {})
    st.session_state[_REFUSED] = {name: of for name, of in kept.items() if not of.is_taken}
    told = [(getattr(state.view(), one.name), kept[one.name]) for one in FIELDS if one.name in kept]
    return [of.words for now, of in told if of.words and now == of.holds]


def _said_of_one_reader() -> list[str]:
    """Say that with one reader of each case it hardly matters how often two agree, if that is told."""
    typed = {one.name: _typed(one) for one in FIELDS}
    is_told = typed[_READERS] == 1 and typed[SELDOM_TOLD] is not None
    return ["With one reader of each case, how often two agree hardly changes the answer."] * is_told


def _number(field: Field) -> float:
    """The number that is typed, or assumed where the field is empty."""
    typed = _typed(field)
    return field.example if typed is None else typed


def _assumed() -> set[str]:
    """Names of the fields that nobody has filled.

    Where one reader alone reads each case nothing is assumed of how often two would agree.
    """
    is_alone = any(one.name == _READERS and _typed(one) == 1 for one in FIELDS)
    untold = {one.name for one in FIELDS if _typed(one) is None}
    return untold - ({SELDOM_TOLD} if is_alone else set())


def told() -> set[str]:
    """What somebody was told, as `core.analysis.tour_answer.questions` names it."""
    return {one.name.removeprefix("tour_") for one in FIELDS if _typed(one) is not None}


def untold(told: set[str]) -> set[str]:
    """What nobody was told, by the names of `told`."""
    return {one.name.removeprefix("tour_") for one in FIELDS} - told


def _take(field: Field) -> Callable[[float | None], None]:
    """Keep what is typed, where there is an answer for it; 0 where nothing was told.

    What is not taken leaves what was typed before. The browser lets nobody empty a field that was begun with
    a number, as by a link.
    """

    def take(said: float | None) -> None:
        is_untold = said is None or (field.name != _CLAIMED and said == 0)
        number, words = (None, "") if said is None or is_untold else field.taken(said)
        is_taken = number is not None or not words
        if not is_taken:
            number = getattr(state.view(), field.name)
            words = f"{words}. {field.in_its_place(number)}"
        elif said == 0 and is_untold:
            is_taken, words = False, field.as_untold
        kept: dict[str, _Said] = st.session_state.get(_REFUSED, {})
        if is_taken or is_untold:
            # All is well again: what was not taken before has been read.
            kept = {name: said_of for name, said_of in kept.items() if said_of.is_taken}
        st.session_state[_REFUSED] = kept | {field.name: _Said(number, words, is_taken)}
        left: dict[str, float | None] = st.session_state.get(_LEFT, {})
        st.session_state[_LEFT] = left | {field.name: number if words else None}
        chosen: dict[str, Any] = {field.name: number}
        state.fall_back(**chosen)

    return take
