"""Votes and leading labels of readings that are drawn with replacement."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from core.analysis.models.comparison import votes
from core.compiled import njit
from core.metrics.adjusted.predicted_order import PredictedOrder
from core.plausibility.random import seed_state, uniform
from core.plausibility.settings import TieRule
from core.study.model import FloatArray, IntArray, Readings, Task

SAME_VOTES = 1e-9
"""Sums of votes that differ by less are equal on paper."""


@dataclass(frozen=True, eq=False)
class VoteDraws:
    """Votes of readings drawn with replacement, for any label of a task."""

    task: Task
    seeds: NDArray[np.uint64]

    def __call__(self, label: str, begin: int, end: int) -> FloatArray:
        """Plausibilities of a label, with shape (end - begin, n_cases)."""
        start = self.task.readings.case_start
        vote = votes(self.task, label)
        has_vote = np.add.reduceat(np.append(vote, 0.0), start[:-1]) > 0
        plausibility = np.zeros((end - begin, len(self.seeds)))
        _resample_votes(start, vote, np.flatnonzero(has_vote), self.seeds, begin, plausibility)
        return plausibility


@njit(cache=True, nogil=True)
def _resample_votes(
    case_start: IntArray,
    vote: FloatArray,
    cases: IntArray,
    seeds: NDArray[np.uint64],
    first_draw: int,
    plausibility: FloatArray,
) -> None:
    """Average the votes of readings drawn with replacement; every draw of a case has its own stream."""
    for case in cases:
        start = case_start[case]
        n = case_start[case + 1] - start
        for d in range(len(plausibility)):
            state = seed_state(seeds[case], first_draw + d)
            total = 0.0
            for _ in range(n):
                u, state = uniform(state)
                total += vote[start + int(u * n)]
            plausibility[d, case] = total / n


class Leaders(NamedTuple):
    """The labels with most votes in each draw, with shape (n_draws, n_cases) but for ``credit``.

    Attributes
    ----------
    best : ndarray of float64
        Their share of the votes.
    number : ndarray of int32
        How many there are.
    first : ndarray of int32
        The first of them in the label order, where that one is taken; else −1.
    credit : ndarray of float64 with shape (n_models, n_draws, n_cases)
        P(a model's label is the hard one), over the ways of breaking ties.
    """

    best: FloatArray
    number: IntArray
    first: IntArray
    credit: FloatArray

    def share(self, code: int, plausibility: FloatArray) -> FloatArray:
        """How far a label with this share of the votes is the hard label."""
        leads = (plausibility > 0) & (plausibility >= self.best - SAME_VOTES)
        return np.where(self.first >= 0, self.first == code, leads / self.number)


def resampled_leaders(
    readings: Readings,
    n_labels: int,
    seeds: NDArray[np.uint64],
    draws: range,
    tie_rule: TieRule,
    answers: Sequence[PredictedOrder],
) -> Leaders:
    """Find the labels with most votes among the same readings as `_resample_votes` draws."""
    shape = len(draws), len(seeds)
    found = Leaders(
        np.zeros(shape),
        np.ones(shape, np.int32),
        np.full(shape, -1, np.int32),
        np.zeros((len(answers), *shape)),
    )
    offset = np.concatenate([[0], np.cumsum([len(of.label) for of in answers])]).astype(np.int64)
    starts = [of.start + begin for of, begin in zip(answers, offset, strict=False)]
    _resample_leaders(
        readings.case_start,
        readings.entry_start,
        readings.label,
        readings.block,
        np.zeros(n_labels),
        np.zeros(n_labels, np.bool_),
        seeds,
        draws.start,
        tie_rule == "first label",
        np.array(starts, np.int64).reshape(len(answers), len(seeds) + 1),
        np.concatenate([np.zeros(0, np.int32), *(of.label for of in answers)]),
        *found,
    )
    return found


@njit(cache=True, nogil=True)
def _resample_leaders(  # noqa: C901, PLR0912, PLR0913, PLR0917 - compiled code takes arrays one by one
    case_start: IntArray,
    entry_start: IntArray,
    label: IntArray,
    block: IntArray,
    tally: FloatArray,
    leads: NDArray[np.bool_],
    seeds: NDArray[np.uint64],
    first_draw: int,
    take_first: bool,
    answer_start: IntArray,
    answer: IntArray,
    best: FloatArray,
    number: IntArray,
    first: IntArray,
    credit: FloatArray,
) -> None:
    """Fill in what `Leaders` holds; ``tally`` is 0 and ``leads`` false before and after."""
    for case in range(len(seeds)):
        start = case_start[case]
        n = case_start[case + 1] - start
        entries = range(entry_start[start], entry_start[start + n])
        for d in range(len(best)):
            state = seed_state(seeds[case], first_draw + d)
            for _ in range(n):
                u, state = uniform(state)
                reading = start + int(u * n)
                named = entry_start[reading]
                while named < entry_start[reading + 1] and block[named] == 0:
                    named += 1
                for entry in range(entry_start[reading], named):
                    tally[label[entry]] += 1.0 / (named - entry_start[reading])
            most = 0.0
            for entry in entries:
                most = max(most, tally[label[entry]])
            together, lowest = 0, -1
            for entry in entries:
                y = label[entry]
                if not leads[y] and tally[y] >= most - SAME_VOTES:
                    leads[y] = True
                    together += 1
                    lowest = y if lowest < 0 else min(lowest, y)
            best[d, case] = most / n
            number[d, case] = 1 if take_first else together
            if take_first:
                first[d, case] = lowest
            for m in range(len(credit)):
                answers = range(answer_start[m, case], answer_start[m, case + 1])
                held = 0
                for at in answers:
                    held += answer[at] == lowest if take_first else leads[answer[at]]
                if held > 0:
                    credit[m, d, case] = held / (len(answers) * number[d, case])
            for entry in entries:
                tally[label[entry]] = 0.0
                leads[label[entry]] = False
