"""Raters and cases drawn again: how far what a plan rests on could have come out otherwise."""

from __future__ import annotations

import numpy as np

from core.analysis.planning.raters_and_cases import Assumptions
from core.analysis.raters.accuracy import readings_right
from core.analysis.raters.fineness import PanelAccuracies, condensed
from core.metrics.fineness.difficulty import difficulty_from_agreement
from core.progress import Progress
from core.study.model import FloatArray, IntArray

RESAMPLES = 100
"""Resamples of raters and cases."""
FEWEST_RATERS = 4
"""With fewer raters, or raters who are not identified, only the cases are drawn again."""
MOST_ACCURACIES = 50
"""More raters than this are represented by so many means of neighbours in accuracy."""


def resampled_assumptions(
    raters: PanelAccuracies, *, n: int = RESAMPLES, progress: Progress | None = None
) -> tuple[Assumptions, ...]:
    """Fit the assumptions of a plan to raters and cases that are drawn again with replacement.

    Parameters
    ----------
    raters : PanelAccuracies
        Whose accuracy and agreement are fitted
        (`core.analysis.planning.raters_and_cases.fitted_assumptions`). Accuracies that are given, or come
        from a model, are kept; which raters are drawn, and their agreement, still vary.
    n : int
        Number of resamples.
    progress : callable, optional
        Called with the share done and what is being done.

    Returns
    -------
    tuple of Assumptions
        Drawn by the study's seed; fewer than ``n`` where a resample holds no reading whose truth is known.

    Notes
    -----
    Raters and cases are drawn independently of each other (a two-way bootstrap). Pairs of readings of one
    rater who is drawn twice do not count as agreement.
    """
    rng = raters.panel.generator("plan resamples")
    draw = _Resampler(raters)
    found = []
    for resample in range(n):
        if progress is not None:
            progress(resample / n, f"{resample:,} of {n:,} resamples of raters and cases")
        assumed = draw(rng)
        if assumed is not None:
            found.append(assumed)
    return tuple(found)


class _Resampler:
    """What one resample needs of the readings, laid out once."""

    def __init__(self, raters: PanelAccuracies) -> None:
        panel = raters.panel
        self.raters, self.readings = raters, panel.readings
        place = np.full(panel.n_raters, -1)
        place[raters.member] = np.arange(raters.n_raters)
        self.place = place[self.readings.rater]
        self.case = self.readings.case
        self.right: FloatArray | None = None
        if raters.standard in ("reference", "majority"):
            self.right = readings_right(panel, raters.standard)
        _, self.cell = np.unique(self.case * panel.n_labels + panel.code, return_inverse=True)
        self.cell_case = np.zeros(int(self.cell.max(initial=-1)) + 1, np.int64)
        self.cell_case[self.cell] = self.case
        self.all_raters = not panel.identified or raters.n_raters < FEWEST_RATERS

    def __call__(self, rng: np.random.Generator) -> Assumptions | None:
        n_cases, n_raters = self.readings.n_cases, self.raters.n_raters
        cases = np.bincount(rng.integers(0, n_cases, n_cases), minlength=n_cases)
        times = np.ones(n_raters, np.int64)
        if not self.all_raters:
            times = np.bincount(rng.integers(0, n_raters, n_raters), minlength=n_raters)
        accuracy = np.repeat(self._accuracy(cases), times)
        accuracy = accuracy[~np.isnan(accuracy)]
        if len(accuracy) == 0:
            return None
        n_labels, difficulty = self.raters.panel.n_labels, 0.0
        agreement = self._agreement(cases, times)
        if len(accuracy) > 1 and not np.isnan(agreement):
            difficulty = difficulty_from_agreement(
                condensed(accuracy, MOST_ACCURACIES), agreement, n_labels=n_labels
            )
        return Assumptions(float(accuracy.mean()), difficulty, n_labels, "resampled")

    def _accuracy(self, cases: IntArray) -> FloatArray:
        """Accuracy of each rater over resampled cases; the common mean where raters are not identified."""
        if self.right is None:
            return self.raters.accuracy
        known = ~np.isnan(self.right) & (self.place >= 0)
        place, weight = self.place[known], cases[self.case[known]].astype(np.float64)
        n = self.raters.n_raters
        total, right = np.bincount(place, weight, n), np.bincount(place, weight * self.right[known], n)
        accuracy = np.divide(right, total, out=np.full(n, np.nan), where=total > 0)
        if self.raters.panel.identified or np.isnan(accuracy).all():
            return accuracy
        return np.full(n, np.nanmean(accuracy))

    def _agreement(self, cases: IntArray, times: IntArray) -> float:
        """Share of agreeing pairs of readings of different raters, the mean over resampled cases."""
        weight = np.where(self.place >= 0, times[self.place], 0).astype(np.float64)
        n = self.readings.n_cases
        of_cell = np.bincount(self.cell, weight, len(self.cell_case))
        own = np.bincount(self.case, weight**2, n)
        same = np.bincount(self.cell_case, of_cell**2, n) - own
        pairs = np.bincount(self.case, weight, n) ** 2 - own
        read = (pairs > 0) & (cases > 0)
        if not read.any():
            return float("nan")
        return float(np.clip(np.average(same[read] / pairs[read], weights=cases[read]), 0, 1))
