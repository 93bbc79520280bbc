"""Joint draws of plausibilities."""

from __future__ import annotations

from dataclasses import dataclass, field

import numpy as np
from numpy.typing import NDArray

from core.plausibility.candidates import Candidates
from core.study.brief import brief
from core.study.model import FloatArray, IntArray, freeze

N_SHARES = 1000
"""Rows of a table of shares at least: two cases have all their rows in common once in so many pairs."""

LARGEST = 10
"""How many of the largest unmentioned labels are kept apart: the largest j that `in_top` answers."""


@dataclass(frozen=True, eq=False)
class Draws:
    """Joint draws of plausibilities.

    The labels that nobody mentioned for a case share ``rest``; each draw knows the shares of the largest few
    of them, and which label has which share is uniformly random. Cases with equally many such labels take
    their shares from one table, each from a row of its own on, so that draws of different cases stay
    independent: with rows in common, what is averaged over cases would scatter too much.

    Attributes
    ----------
    candidates : Candidates
        Of all cases.
    value : ndarray of float32 or float64 with shape (n_candidates, n_draws)
        Plausibility of each candidate; NaN throughout a case whose plausibility is undefined.
    rest : ndarray of float32 or float64 with shape (n_cases, n_draws)
        Plausibility of all unmentioned labels together; 0 where there are none.
    shares : ndarray of float64 with shape (n_sizes, n_rows, LARGEST)
        Shares of ``rest`` of the largest unmentioned labels, descending, 0 where there are fewer.
    size : ndarray of int64 with shape (n_cases,)
        Table of ``shares`` that holds for each case: that of its number of unmentioned labels.
    n_chains : int
        Draws come chain after chain; 1 for independent draws.
    concentration : float
        The shares are Dirichlet with this parameter for every unmentioned label; infinity: equal shares.
    share_seed : int
        Seed, 0 or more, of what is drawn about the unmentioned labels later on (their sums by group).
    first_row : ndarray of int64 with shape (n_cases,), optional
        Draw d of case i has the shares of row ``(first_row[i] + row[d]) % n_rows``; 0 if not given.
    row : ndarray of int64 with shape (n_draws,), optional
        0, 1, 2 … if not given. Both are below n_rows, which is no less than n_draws.
    alike : ndarray of int64 with shape (n_candidates,), optional
        The first slot of those whose labels the posterior treats alike, by
        `core.plausibility.plackett_luce.alike`: what is counted over draws is averaged over them. Each is
        like no other if not given.
    """

    candidates: Candidates
    value: FloatArray
    rest: FloatArray
    shares: FloatArray
    size: IntArray
    n_chains: int = 1
    concentration: float = np.inf
    share_seed: int = 0
    first_row: IntArray = field(default_factory=lambda: np.empty(0, np.int64))
    row: IntArray = field(default_factory=lambda: np.empty(0, np.int64))
    alike: IntArray = field(default_factory=lambda: np.empty(0, np.int64))

    __repr__ = brief

    def __post_init__(self) -> None:
        if len(self.first_row) == 0:
            object.__setattr__(self, "first_row", np.zeros(len(self.size), np.int64))
        if len(self.row) == 0:
            object.__setattr__(self, "row", np.arange(self.n_draws))
        if len(self.alike) == 0:
            object.__setattr__(self, "alike", np.arange(len(self.candidates.label)))
        for array in (self.value, self.rest, self.shares, self.size, self.first_row, self.row, self.alike):
            freeze(array)

    @property
    def n_draws(self) -> int:
        """Number of draws of each case."""
        return self.value.shape[1] if len(self.value) else self.rest.shape[1]

    @property
    def first_shares(self) -> FloatArray:
        """Shares of ``rest`` in the first draw of each case, with shape (n_cases, LARGEST)."""
        return self.shares[self.size, (self.first_row + self.row[0]) % self.shares.shape[1]]


def first_rows(seeds: NDArray[np.uint64], n_rows: int) -> IntArray:
    """Row of the table of shares that each case begins with, by its seed, with shape (n_cases,)."""
    return (np.asarray(seeds, np.uint64) % np.uint64(n_rows)).astype(np.int64)


def group_parts(counts: IntArray, concentration: float, n_draws: int, seed: int) -> FloatArray:
    """Draw the parts of ``rest`` that fall to each group, with shape (n_groups, n_draws)."""
    parts = np.zeros((len(counts), n_draws))
    filled = np.flatnonzero(counts)
    if len(filled) == 0 or np.isinf(concentration):
        return parts + (counts / max(int(counts.sum()), 1))[:, None]
    generator = np.random.default_rng([seed, *counts.tolist()])
    shape = np.repeat(concentration * counts[filled, None], n_draws, axis=1)
    # Gamma(a) is Gamma(a + 1) · U^(1/a): in logarithms, so that a tiny shape cannot make every part 0.
    log_part = np.log(generator.standard_gamma(shape + 1))
    log_part -= generator.standard_exponential(shape.shape) / shape
    part = np.exp(log_part - log_part.max(axis=0))
    parts[filled] = part / part.sum(axis=0)
    return parts
