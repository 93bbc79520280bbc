"""A posterior that is certain that one label has all the plausibility, and not which."""

from __future__ import annotations

from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from core.compiled import njit
from core.plausibility.candidates import Candidates, LabelValues, no_readings
from core.plausibility.draws import LARGEST, Draws
from core.plausibility.posterior import Posterior, SampledPosterior
from core.plausibility.random import seed_state, uniform
from core.study.model import FloatArray, IntArray, freeze


class OneHotPosterior(Posterior):
    """A plausibility that is all on one label, with a known probability that it is this label or that.

    Parameters
    ----------
    candidates : Candidates
        All labels that it may be on.
    probability : ndarray of float64 with shape (n_candidates,)
        P(all plausibility is on the candidate), summing to 1 over a case; NaN throughout a case that is
        undefined.

    Notes
    -----
    Only one label has any mass, so every top-j set is that label alone. Undefined cases, and those without
    candidates, give NaN.
    """

    def __init__(self, candidates: Candidates, probability: FloatArray) -> None:
        self.candidates = candidates
        self.probability = freeze(probability)

    @cached_property
    def _defined(self) -> NDArray[np.bool_]:
        """Whether the case has a candidate and a defined probability, with shape (n_cases,)."""
        defined = ~no_readings(self.candidates)
        filled = np.flatnonzero(defined)
        defined[filled] = ~np.isnan(self.probability[self.candidates.start[filled]])
        return defined

    @cached_property
    def mean(self) -> LabelValues:
        """Probability of each label; 0 for one that is no candidate."""
        return LabelValues(self.probability, freeze(np.where(self._defined, 0.0, np.nan)))

    def in_top(self, j: int) -> LabelValues:
        """Probability of each label, whatever j."""
        if j < 1:
            raise ValueError(f"j must be 1 or more, got {j}")
        return self.mean

    def top_set(self, labels: IntArray, cases: IntArray | None = None) -> FloatArray:
        """Probability of the label where the set is of one label, otherwise 0."""
        labels = np.asarray(labels)
        rows = np.arange(self.candidates.n_cases) if cases is None else np.asarray(cases)
        highest = labels.max(axis=1, initial=-1, keepdims=True)
        probability = self.mean.at(self.candidates.find(rows[:, None], highest), rows)[:, 0]
        return probability * ((labels >= 0).sum(axis=1) == 1)

    def best_set(self, j: int) -> IntArray:
        """Most probable label, of equals the first, and padding; only padding where the case is undefined."""
        if j < 1:
            raise ValueError(f"j must be 1 or more, got {j}")
        sets = np.full((self.candidates.n_cases, j), -1, np.int64)
        best_first = np.lexsort((-self.probability, self.candidates.case))
        sets[self._defined, 0] = self.candidates.label[best_first[self.candidates.start[:-1][self._defined]]]
        return sets

    def precedes(self, first: IntArray, second: IntArray) -> FloatArray:
        """P(all is on the first), plus half of P(neither has any)."""
        first, second = np.asarray(first), np.asarray(second)
        on_first, on_second = self.probability[first], self.probability[second]
        return (1 + on_first - on_second) / 2

    def grouped(self, group: IntArray, n_groups: int) -> OneHotPosterior:
        """Sums of the probabilities by group."""
        candidates = self.candidates
        slot_group = candidates.case * n_groups + np.asarray(group)[candidates.label]
        summed = np.bincount(slot_group, self.probability, candidates.n_cases * n_groups).astype(np.float64)
        summed.reshape(-1, n_groups)[~self._defined] = np.nan
        groups = Candidates(
            np.arange(candidates.n_cases + 1, dtype=np.int64) * n_groups,
            np.tile(np.arange(n_groups, dtype=np.int32), candidates.n_cases),
            n_groups,
        )
        return OneHotPosterior(groups, summed)

    def sample(self, n: int, seeds: NDArray[np.uint64]) -> SampledPosterior:
        """Independent draws by inversion: one uniform number a draw, from the case's seed alone."""
        if n < 1:
            raise ValueError(f"n must be 1 or more, got {n}")
        candidates = self.candidates
        value = np.zeros((len(self.probability), n), np.float32)
        _draw_labels(candidates.start, self.probability, np.asarray(seeds, np.uint64), value)
        value[np.isnan(self.probability)] = np.nan
        return SampledPosterior(
            Draws(
                candidates,
                value,
                rest=np.zeros((candidates.n_cases, n), np.float32),
                shares=np.zeros((1, n, LARGEST)),
                size=np.zeros(candidates.n_cases, np.int64),
            )
        )


@njit(cache=True, nogil=True)
def _draw_labels(
    start: IntArray, probability: FloatArray, seeds: NDArray[np.uint64], value: FloatArray
) -> None:
    """Set to 1 the slot drawn for each case and draw."""
    for case in range(len(start) - 1):
        last = start[case + 1] - 1
        if last < start[case]:
            continue
        state = seed_state(seeds[case], 0)
        for d in range(value.shape[1]):
            left, state = uniform(state)
            slot = start[case]
            while slot < last and left >= probability[slot]:
                left -= probability[slot]
                slot += 1
            value[slot, d] = 1.0
