"""A case without each of its readings in turn, aggregated again."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from core.analysis.cases.case import Case, is_known
from core.analysis.cases.outcome import MOST_NAMED, Outcome, outcomes
from core.analysis.cases.what_if import Reading, said_in

MOST_LEFT_OUT = 12
"""Different readings up to which each is left out in turn; of more, a single one matters little."""
_PAIR = 2


class LeftOut(NamedTuple):
    """What becomes of a case without each of its readings.

    Attributes
    ----------
    base : Outcome
        Of all readings, drawn as the others are.
    without : tuple of Outcome
        Without the first reading, without the second, and so on.
    """

    base: Outcome
    without: tuple[Outcome, ...]


def left_out(case: Case) -> LeftOut | None:
    """Aggregate a case again without each of its readings.

    Returns
    -------
    LeftOut or None
        None where nothing is known of the case, of a single reading, and of more than `MOST_LEFT_OUT` that
        differ. Readings that say the same weigh the same.
    """
    said = said_in(case.readings, 0)
    if not is_known(case) or len(said) < 2:
        return None
    kinds = [(one.blocks, one.score, one.confidence if weighs_confidence(case) else None) for one in said]
    first = {kind: kinds.index(kind) for kind in dict.fromkeys(kinds)}
    if len(first) > MOST_LEFT_OUT:
        return None
    variants = [[*said[:r], *said[r + 1 :]] for r in first.values()]
    base, *without = outcomes(case, [said, *variants])
    of = dict(zip(first, without, strict=True))
    return LeftOut(base, tuple(of[kind] for kind in kinds))


def weighs_confidence(case: Case) -> bool:
    """Whether the confidence that a reading states changes what it weighs."""
    return case.aggregation.confidence == "weights" or case.aggregation.model == "confidence-weighted"


def beside(
    case: Case, said: Sequence[Reading], variants: Sequence[Sequence[Reading]], of: LeftOut | None
) -> tuple[Outcome, list[Outcome]]:
    """All readings, as ``of`` knows them if it is given, and variants of them, all drawn alike."""
    if of is not None:
        return of.base, outcomes(case, variants)
    base, *others = outcomes(case, [said, *variants])
    return base, others


def without_words(case: Case, readings: Sequence[int]) -> str:
    """Name readings of which any one may be left out; of many, their number."""
    return f"Without {which_words(case, readings)}"


def raters_words(case: Case, readings: Sequence[int]) -> str:
    """Name who gave some readings, as a choice of one."""
    *others, last = [case.study.rater_ids[case.readings.rater[r]] for r in readings]
    return f"{', '.join(others)} or {last}" if others else last


def which_words(case: Case, readings: Sequence[int]) -> str:
    """Name the readers on any of whom something hangs; of many, the number of readings."""
    if len(readings) > MOST_NAMED:
        return f"any one of {len(readings)} readings"
    if len(readings) == _PAIR:
        # “Without either A or B” would be read as without both.
        return " or without ".join(raters_words(case, [r]) for r in sorted(readings))
    return f"{'any one of ' * (len(readings) > 1)}{raters_words(case, sorted(readings))}"
