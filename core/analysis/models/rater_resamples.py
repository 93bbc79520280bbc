"""Draws of raters: whole raters with all their readings, so that claims speak of other raters too."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
from scipy import sparse

from core.analysis.models.comparison import Comparison, votes
from core.analysis.models.reading_resamples import SAME_VOTES
from core.analysis.models.truth_draws import Truth
from core.analysis.raters.identified import raters_are_identified
from core.metrics.bootstrap import seeded_case_weights
from core.plausibility.irn import block_sizes
from core.plausibility.settings import TieRule
from core.study.model import FloatArray, IntArray, Readings, Study
from core.study.seeds import case_seeds

RaterSource = Callable[[int, int], tuple[Truth, FloatArray]]
"""Gives truths from the first draw up to the second, and whether somebody drawn read each case, with shape
(n_draws, n_cases)."""


def n_raters(compared: Comparison) -> int:
    """How many raters read the compared cases."""
    return len(np.unique(compared.task.readings.take_cases(compared.cases).rater))


def raters_refused(study: Study, compared: Comparison) -> str:
    """Say why no raters can be drawn; empty where they can."""
    if not raters_are_identified(study, compared.task):
        return (
            "raters cannot be drawn: they are numbered within each case, so nobody knows who read which cases"
        )
    of_reading = votes(compared.task, compared.label)
    given = compared.task.readings.keep(~np.isnan(of_reading))
    if len(np.unique(given.take_cases(compared.cases).rater)) < 2:
        return "raters cannot be drawn: one rater read these cases, and two are needed"
    return ""


def resampled_raters(study: Study, compared: Comparison, *, tie_rule: TieRule = "split") -> RaterSource:
    """Draw truths by drawing whole raters, as many as there are, with replacement.

    Parameters
    ----------
    study : Study
        Gives the seed.
    compared : Comparison
        Label and cases.
    tie_rule : {"split", "first label"}
        What becomes of labels that have equally many votes in a draw.

    Raises
    ------
    ValueError
        Where raters are numbered within each case, or fewer than two read these cases.

    Notes
    -----
    A case is judged in a draw by its readings by drawn raters, each as often as its rater was drawn; one that
    none of them read does not enter. Cases stay together with what one rater makes of all of them, which
    reading by reading is lost.
    """
    refusal = raters_refused(study, compared)
    if refusal:
        raise ValueError(refusal)
    task = compared.task
    of_reading = votes(task, compared.label)
    given = task.readings.keep(~np.isnan(of_reading))
    readings = given.take_cases(compared.cases)
    raters, rater = np.unique(readings.rater, return_inverse=True)
    vote = of_reading[~np.isnan(of_reading)][_kept(given, compared.cases)]
    n_cases, case = len(compared.cases), readings.case
    of_label = _summed(vote, rater, case, (len(raters), n_cases))
    n_readings = _summed(np.ones(len(rater)), rater, case, (len(raters), n_cases))
    tallies = None if len(task.labels) == 2 else _Tallies(readings, rater, len(raters), compared, tie_rule)

    def draws(begin: int, end: int) -> tuple[Truth, FloatArray]:
        seeds = case_seeds(study.seed, [str(d) for d in range(begin, end)], "bootstrap of raters")
        weight = seeded_case_weights(len(raters), seeds).astype(np.float64)
        n = weight @ n_readings
        read = n > 0
        share = np.divide(weight @ of_label, n, out=np.zeros_like(n), where=read)
        share = np.clip(share, 0.0, 1.0)
        if tallies is not None:
            return tallies.truth(weight, share), read.astype(np.float64)
        tied = np.abs(share - 0.5) < SAME_VOTES
        at_tie = 0.5 if tie_rule == "split" else float(compared.label_code == 0)
        return Truth(share, np.where(tied, at_tie, share > 0.5), None), read.astype(np.float64)

    return draws


def _kept(readings: Readings, cases: IntArray) -> IntArray:
    """Indices of the readings of some cases, in the order in which `Readings.take_cases` has them."""
    return np.concatenate([np.arange(readings.case_start[c], readings.case_start[c + 1]) for c in cases])


def _summed(
    values: FloatArray, rater: IntArray, column: IntArray, shape: tuple[int, int]
) -> sparse.csr_array:
    """Matrix of raters and columns with the sum of the values of each."""
    return sparse.csr_array(sparse.coo_array((values, (rater, column)), shape=shape))


class _Tallies:
    """Votes of each rater for each label that somebody puts first in a case, for more than two labels."""

    def __init__(
        self, readings: Readings, rater: IntArray, n: int, compared: Comparison, tie_rule: TieRule
    ) -> None:
        self._compared, self._takes_first = compared, tie_rule == "first label"
        first = readings.block == 0
        of = readings.entry_reading[first]
        n_labels = len(compared.task.labels)
        key = readings.case[of] * n_labels + readings.label[first]
        self._cells, cell = np.unique(key, return_inverse=True)
        self._votes = _summed(1 / block_sizes(readings)[first], rater[of], cell, (n, len(self._cells)))
        self._start = np.searchsorted(self._cells, np.arange(len(compared.cases)) * n_labels)
        self._case = self._cells // n_labels
        self._n_labels = n_labels

    def truth(self, weight: FloatArray, share: FloatArray) -> Truth:
        """Truths of drawn raters, each as often as ``weight`` says, with shape (n_draws, n_raters)."""
        tally = weight @ self._votes
        best = np.maximum.reduceat(tally, self._start, axis=1)
        leads = (tally > 0) & (tally >= best[:, self._case] - SAME_VOTES)
        if self._takes_first:
            before = np.cumsum(leads, axis=1)
            until = np.concatenate([np.zeros((len(tally), 1)), before], axis=1)[:, self._start]
            leads &= before - until[:, self._case] == 1
        number = np.maximum(np.add.reduceat(leads, self._start, axis=1), 1)
        part = leads / number[:, self._case]
        codes = np.full(len(self._compared.cases), self._compared.label_code)
        credit = [self._mean_of(part, of.start, of.label) for of in self._compared.answers]
        return Truth(share, self._of(part, codes, np.arange(len(codes))), np.array(credit))

    def _of(self, part: FloatArray, codes: IntArray, cases: IntArray) -> FloatArray:
        """Shares that labels have of the hard label of cases; 0 where nobody puts them first."""
        key = cases * self._n_labels + codes
        at = np.minimum(np.searchsorted(self._cells, key), len(self._cells) - 1)
        return np.where(self._cells[at] == key, part[:, at], 0.0)

    def _mean_of(self, part: FloatArray, start: IntArray, label: IntArray) -> FloatArray:
        """Mean share of the labels that a model finds most probable in each case; 0 where it has none."""
        n = np.diff(start)
        cases = np.repeat(np.arange(len(n)), n)
        found = np.zeros((len(part), len(n)))
        if len(label):
            by_answer = self._of(part, label[start[0] : start[-1]], cases)
            has = n > 0
            sums = np.add.reduceat(by_answer, (start[:-1] - start[0])[has], axis=1)
            found[:, has] = sums / n[has]
        return found
