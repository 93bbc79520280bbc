"""Draws of what the truth could be: readings resampled, or plausibilities drawn from a posterior."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from typing import NamedTuple

import numpy as np
from numba import njit
from numpy.typing import NDArray

from core.analysis.aggregate import MODELS, Aggregation, aggregate
from core.analysis.comparison import Comparison, votes
from core.plausibility.random import seed_state, uniform
from core.study.model import FloatArray, IntArray, Study
from core.study.seeds import case_seeds

OTHER = -1
"""Leading label of a draw: one of those that nobody mentioned for the case."""

_SAME_VOTES = 1e-9
"""Sums of votes that differ by less are equal on paper."""


class Truth(NamedTuple):
    """Some truths of all cases of a comparison.

    Attributes
    ----------
    plausibility : ndarray of float64 with shape (n_draws, n_cases)
        Of the compared label.
    leading : ndarray of int32 with shape (n_draws, n_cases), or None
        Code of the most plausible label, of equals the first, or `OTHER`; None where there are two labels, so
        that the plausibility says it.
    """

    plausibility: FloatArray
    leading: IntArray | None


TruthSource = Callable[[int, int], Truth]
"""Gives the draws from the first number up to the second: the same ones, however they are divided."""


def resampled_readings(study: Study, compared: Comparison) -> TruthSource:
    """Draw truths by the annotation bootstrap.

    Parameters
    ----------
    study : Study
        Gives the seed and the case ids: a case's draws depend on nothing else.
    compared : Comparison
        Label and cases.

    Notes
    -----
    The R readings of a case are drawn R times with replacement and their votes averaged anew (Lionetti 2025,
    app. C). A reading without a score does not take part.
    """
    task = compared.task
    given = ~np.isnan(votes(task, compared.label))
    readings = task.readings.keep(given).take_cases(compared.cases)
    vote = votes(replace(task, readings=readings), compared.label)
    seeds = _seeds(study, compared, "bootstrap of readings")
    n_labels = len(task.labels)

    def draws(begin: int, end: int) -> Truth:
        plausibility = np.empty((end - begin, readings.n_cases))
        _resample_votes(readings.case_start, vote, seeds, begin, plausibility)
        if n_labels == 2:
            return Truth(plausibility, None)
        leading = np.empty(plausibility.shape, np.int32)
        _resample_leading(
            readings.case_start,
            readings.entry_start,
            readings.label,
            readings.block,
            np.zeros(n_labels),
            seeds,
            begin,
            leading,
        )
        return Truth(plausibility, leading)

    return draws


@njit(cache=True, nogil=True)
def _resample_votes(
    case_start: IntArray,
    vote: FloatArray,
    seeds: NDArray[np.uint64],
    first_draw: int,
    plausibility: FloatArray,
) -> None:
    """Average the votes of readings drawn with replacement; every draw of a case has its own stream."""
    for case in range(len(seeds)):
        start = case_start[case]
        n = case_start[case + 1] - start
        for d in range(len(plausibility)):
            state = seed_state(seeds[case], first_draw + d)
            total = 0.0
            for _ in range(n):
                u, state = uniform(state)
                total += vote[start + int(u * n)]
            plausibility[d, case] = total / n


@njit(cache=True, nogil=True)
def _resample_leading(
    case_start: IntArray,
    entry_start: IntArray,
    label: IntArray,
    block: IntArray,
    tally: FloatArray,
    seeds: NDArray[np.uint64],
    first_draw: int,
    leading: IntArray,
) -> None:
    """Find the label with most votes among the same readings as `_resample_votes` draws; ``tally`` is 0."""
    for case in range(len(seeds)):
        start = case_start[case]
        n = case_start[case + 1] - start
        entries = range(entry_start[start], entry_start[start + n])
        for d in range(len(leading)):
            state = seed_state(seeds[case], first_draw + d)
            for _ in range(n):
                u, state = uniform(state)
                reading = start + int(u * n)
                named = entry_start[reading]
                while named < entry_start[reading + 1] and block[named] == 0:
                    named += 1
                for entry in range(entry_start[reading], named):
                    tally[label[entry]] += 1.0 / (named - entry_start[reading])
            best = -1
            for entry in entries:
                y = label[entry]
                lead = tally[y] - (tally[best] if best >= 0 else 0.0)
                if lead > _SAME_VOTES or (abs(lead) <= _SAME_VOTES and y < best):
                    best = y
            leading[d, case] = best
            for entry in entries:
                tally[label[entry]] = 0.0


def drawn_plausibilities(
    study: Study, compared: Comparison, aggregation: Aggregation, n_draws: int
) -> TruthSource:
    """Draw truths from the posterior over plausibilities.

    Parameters
    ----------
    study, compared
        As for `resampled_readings`.
    aggregation : Aggregation
        Model and reliability, which must be finite: a point estimate leaves nothing to draw.
    n_draws : int
        How many will be asked for. A model that samples gives the draws that it has, in turn.

    Raises
    ------
    ValueError
        For a point estimate, and as `aggregate` does.
    """
    if np.isinf(aggregation.reliability):
        can = [name for name, model in MODELS.items() if model.has_reliability]
        raise ValueError(
            "plausibilities can be drawn from an aggregation model with a finite reliability "
            f"({', '.join(can)}), got {aggregation.model} at ∞, which is certain of one truth"
        )
    posterior = aggregate(study, compared.task, aggregation, cases=compared.cases.tolist())
    n_labels = len(compared.task.labels)
    seeds = _seeds(study, compared, f"{aggregation.model} truths")
    group = (np.arange(n_labels) == compared.label_code).astype(np.int64)
    if n_labels == 2:
        drawn = posterior.grouped(group, 2).sample(n_draws, seeds)
        return _stored(drawn.draws.value[1::2].T, None)
    sample = posterior.sample(n_draws, seeds)
    candidates = sample.candidates
    first = sample.leaders(1)[:, :, 0].astype(np.int64)
    named = candidates.label[np.maximum(candidates.start[:-1, None] + first, 0)]
    leading = np.where(first >= 0, named, OTHER).astype(np.int32)
    return _stored(sample.grouped(group, 2).draws.value[1::2].T, leading.T)


def _stored(plausibility: FloatArray, leading: IntArray | None) -> TruthSource:
    """Give out draws that are there already."""

    def draws(begin: int, end: int) -> Truth:
        # A float32 just above 1 would not be a plausibility.
        part = np.clip(plausibility[begin:end].astype(np.float64), 0.0, 1.0)
        return Truth(part, None if leading is None else leading[begin:end])

    return draws


def _seeds(study: Study, compared: Comparison, purpose: str) -> NDArray[np.uint64]:
    """Seeds of the compared cases."""
    return case_seeds(study.seed, [study.case_ids[i] for i in compared.cases], purpose)
