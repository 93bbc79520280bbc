"""Distances between all pairs of cases, and how they change when other cases stand in for some."""

from __future__ import annotations

import math
from typing import Literal, get_args

import numpy as np
from scipy.optimize import linear_sum_assignment
from scipy.spatial.distance import cdist
from scipy.special import rel_entr

from core.study.model import FloatArray, IntArray

Deviation = Literal["ks", "js", "mmd"]
_MOST_STEPS = 2**16
_BINS = 64


class Distances:
    """Distances between all pairs of cases, coded for quick comparison of their distributions.

    Parameters
    ----------
    rows : ndarray of float with shape (n_cases, n_columns)
        Numbers on comparable scales (`standardised`).
    kind : {"ks", "js", "mmd"}
        How two distributions of distances are compared: Kolmogorov–Smirnov statistic; Jensen–Shannon distance
        (base 2) over 64 bins with equal numbers of the pooled distances; maximum mean discrepancy over the
        same bins, with a Gaussian kernel as wide as their median.

    Raises
    ------
    ValueError
        For an unknown kind, fewer than 3 cases, or numbers that are missing or infinite.
    """

    def __init__(self, rows: FloatArray, kind: Deviation = "ks") -> None:
        if kind not in get_args(Deviation):
            raise ValueError(f"kind must be one of {', '.join(get_args(Deviation))}, got {kind!r}")
        rows = np.asarray(rows, np.float64)
        if rows.ndim != 2 or len(rows) < 3 or rows.shape[1] == 0:
            raise ValueError(f"cases must be 3 rows or more of at least one number, got shape {rows.shape}")
        if not np.isfinite(rows).all():
            raise ValueError(
                f"every number must be known and finite, got {int((~np.isfinite(rows)).sum())} others"
            )
        self.kind = kind
        self.matrix = cdist(rows, rows)
        pairs = self.matrix[np.triu_indices(len(rows), 1)]
        edges = np.unique(pairs)
        most = _MOST_STEPS if kind == "ks" else _BINS
        if len(edges) > most:
            edges = np.unique(_quantiles(pairs, most))
        self._code = (np.searchsorted(edges, self.matrix, side="right") - 1).clip(min=0).astype(np.uint16)
        self._n_codes = len(edges)
        if kind == "mmd":
            code = np.searchsorted(edges, pairs, side="right") - 1
            centre = np.bincount(code, pairs) / np.bincount(code)
            width = float(np.median(pairs)) or 1.0
            self._kernel = np.exp(-((centre[:, None] - centre) ** 2) / (2 * width**2))

    def deviation(self, first: IntArray, second: IntArray) -> float:
        """Change of the distances within ``first`` when ``second``, no larger, takes the nearest places.

        Notes
        -----
        Cases of ``second`` are paired with different cases of ``first`` at the least total distance (optimal
        assignment), and stand in for them (Cabitza 2020, app. C).
        """
        return self._compare(self._counts(first), self._counts(self.replaced(first, second)))

    def replaced(self, first: IntArray, second: IntArray) -> IntArray:
        """Cases of ``first`` with those of ``second``, no more, in the nearest places (see `deviation`)."""
        place, taken = linear_sum_assignment(self.matrix[np.ix_(first, second)])
        after = first.copy()
        after[place] = second[taken]
        return after

    def single_deviations(self) -> FloatArray:
        """`deviation` of every case on its own from all the others, with shape (n_cases,).

        One case of the others, the nearest, gives its place up: the distances change in one row only.
        """
        n = len(self.matrix)
        total = np.bincount(self._code[np.triu_indices(n, 1)], minlength=self._n_codes).astype(np.float64)
        others = self.matrix.copy()
        np.fill_diagonal(others, np.inf)
        nearest = others.argmin(axis=1)
        deviation = np.empty(n)
        for case, place in enumerate(nearest.tolist()):
            before = total - self._row(case, [case])
            after = before - self._row(place, [case, place]) + self._row(case, [case, place])
            n_pairs = before.sum()
            deviation[case] = self._compare(before / n_pairs, after / n_pairs)
        return deviation

    def _row(self, case: int, without: list[int]) -> FloatArray:
        """Number of a case's distances at each code, those to some cases left out."""
        counts = np.bincount(self._code[case], minlength=self._n_codes)
        np.subtract.at(counts, self._code[case, without], 1)
        return counts.astype(np.float64)

    def _counts(self, cases: IntArray) -> FloatArray:
        """Share of the pairs of cases at each coded distance."""
        codes = self._code[np.ix_(cases, cases)]
        counts = np.bincount(codes.ravel(), minlength=self._n_codes).astype(np.float64)
        counts -= np.bincount(codes.diagonal(), minlength=self._n_codes)
        return counts / counts.sum()

    def _compare(self, before: FloatArray, after: FloatArray) -> float:
        """Deviation of two distributions over coded distances."""
        change = after - before
        if self.kind == "ks":
            return round(float(np.abs(np.cumsum(change)).max()), 12)
        if self.kind == "mmd":
            return round(math.sqrt(max(float(change @ self._kernel @ change), 0.0)), 12)
        middle = (before + after) / 2
        divergence = 0.0
        for share in (before, after):
            divergence += float(rel_entr(share, middle).sum())
        return round(math.sqrt(max(divergence / math.log(4), 0.0)), 12)


def _quantiles(values: FloatArray, n: int) -> FloatArray:
    """The 0, 1/n, 2/n … quantiles, linearly between neighbours: one sort, however many are asked for."""
    last = len(values) - 1
    return np.interp(np.arange(n) / n * last, np.arange(last + 1), np.sort(values))


def standardised(rows: FloatArray) -> FloatArray:
    """Columns with mean 0 and standard deviation 1; one that never varies becomes 0.

    Parameters
    ----------
    rows : ndarray of float with shape (n_cases, n_columns)
    """
    spread = rows.std(axis=0)
    return (rows - rows.mean(axis=0)) / np.where(spread > 0, spread, 1)
