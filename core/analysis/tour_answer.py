"""The answer to a claimed accuracy in words: what is shown, by which rule, what to do, and what to ask."""

from __future__ import annotations

from core.analysis.formatting import of_hundred, percent
from core.analysis.tour import N_CASES
from core.analysis.tour_claim import Claim
from core.analysis.tour_proof import MIDDLE, range_in_words

QUESTIONS = (
    "Who read the cases, and without seeing what the model says?",
    "How many read each case, independently of each other?",
    "How often did they agree, and what became of the cases in which they did not?",
)
"""What to ask whoever names an accuracy."""
POSSIBLE = 3
"""A claim counts as possible where the model is so accurate in about so many of 100 plausible truths."""
_WITH_EACH, _BY_FIVES = 10, 30
"""Numbers of readers up to which each is named, and every fifth; beyond, every tenth."""


def verdict(found: Claim, needed: int | None) -> str:
    """Say in few words what becomes of a claim; ``needed`` is that of `core.analysis.tour_claim`."""
    asked = percent(found.claimed)
    if not found.holds:
        return f"{asked} is unproved, not untrue."
    if _is_below(found):
        return f"{asked} is less than these labels vouch for."
    if needed is not None and found.n_readers >= needed:
        return f"{asked} is possible, not proved."
    return f"{asked} is just possible, by the luck of who read."


def shown(found: Claim) -> str:
    """Say what the labels vouch for, of this model and of any."""
    who = "one reader" if found.n_readers == 1 else f"{found.n_readers} readers"
    agree = "" if found.n_readers == 1 else f" who agree in {percent(found.agreement)}"
    alone = f" (two would agree in {percent(found.agreement)})" if found.n_readers == 1 else ""
    return (
        f"With {who} a case{agree}{alone}, labels vouch for {range_in_words(found.row)}, and for no model "
        f"beyond {percent(found.ceiling_high)}."
    )


def rule(found: Claim) -> str:
    """Say in how many truths the model is as accurate as claimed, and how many make a claim possible."""
    return (
        "Of 100 truths that these readings leave possible, the model is this accurate in "
        f"{of_hundred(found.reached)}. From about {POSSIBLE} on a claim counts as possible."
    )


def advice(found: Claim, needed: int | None, better: tuple[float, int] | None) -> str:
    """Say what to do, and what to ask for: readers that would leave room for the claim.

    ``needed`` and ``better`` are those of `core.analysis.tour_claim.readers_needed` and
    `core.analysis.tour_claim.better_readers`.
    """
    if _is_below(found):
        return (
            f"Check the number: these labels vouch for {percent(found.low)} or more. Then ask where it errs."
        )
    if found.holds and needed is not None and found.n_readers >= needed:
        return (
            f"These labels do not speak against it, but count on {percent(found.low)}: no more is shown. "
            "Then ask where it errs."
        )
    wanted = [] if needed is None else [f"about {about(needed)} readers a case"]
    who = "" if wanted else " readers a case"
    if better is not None and (needed is None or better[1] < needed):
        agreement, fewer = better
        one = f"one where two would agree in {percent(agreement)}"
        wanted.append(one if fewer == 1 else f"about {about(fewer)}{who} who agree in {percent(agreement)}")
    then = f"then {percent(found.claimed)} would be possible, not proved"
    ask = (
        f"Ask for {', or '.join(wanted)}: {then}."
        if wanted
        else "No readers that can be tried here could show it."
    )
    if found.holds:
        return f"Do not decide yet: by other readers it might not be possible. {ask}"
    return f"Neither buy nor refuse on this number. {ask}"


def _is_below(found: Claim) -> bool:
    """Whether a claim lies below what the labels vouch for, as both are written."""
    return round(100 * found.claimed) < round(100 * found.low)


def about(n_readers: int) -> int:
    """Round a number of readers up, as far as a simulation can tell it: to 5 beyond 10, to 10 beyond 30."""
    step = 1 if n_readers <= _WITH_EACH else 5 if n_readers <= _BY_FIVES else 10
    return -(-n_readers // step) * step


def of_what() -> str:
    """Say what the range is of, for which cases, and how exact it is."""
    return (
        f"Simulated, as step 3 is: {N_CASES} made-up cases of three conditions. What labels vouch for is how "
        f"often the model is right in {100 * MIDDLE:.0f} of 100 plausible truths, as step 3 counts it; it "
        "is taken to err where the model of step 3 does, as much less or more as is claimed. Take the "
        "number of readers for an order of magnitude. A claim counts as possible unless it lies above that "
        "range, in whole percents. Your own labels are judged on the page Study."
    )
