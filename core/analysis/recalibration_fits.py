"""The cross-fitted fits behind a recalibrated model: which cases take part, and what each fold gave."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np

from core.analysis.sweep import Progress
from core.metrics.label_histogram import LabelHistograms
from core.recalibration.alpha import STRENGTHS
from core.recalibration.combined import Cases, ScaledAlpha, fit_scaled_alpha
from core.recalibration.crossfit import Folds, cross_fit, cross_fit_penalised
from core.recalibration.scaling import Scaling, fit_scaling
from core.study.model import FloatArray, IntArray

READY, LABELLED, UNLABELLED = range(3)
"""Kinds of case: α-calibration can learn from it; only a temperature can; nothing can."""


class FoldRow(NamedTuple):
    """What one fold was judged by; NaN where the method has no such thing."""

    method: str
    fold: int
    n_fitted: int
    n_judged: int
    temperature: float = np.nan
    strength: float = np.nan
    n_features: float = np.nan


def case_strata(cases: Cases, n_folds: int) -> tuple[IntArray, list[str]]:
    """Kind of each case for the folds, −1 for those that take no part, and what to tell about them."""
    n_labels, covered = cases.counts.sum(axis=1), ~np.isnan(cases.probability[:, 0])
    ready = covered & cases.featured & (n_labels >= 2)
    stratum = np.select([~covered, ready, n_labels > 0], [-1, READY, LABELLED], UNLABELLED)
    n_labelled, n_ready = int((covered & (n_labels > 0)).sum()), int(ready.sum())
    if n_labelled < n_folds:
        what = f"only {n_labelled} cases have a label and a prediction" if n_labelled else "no case has both"
        return np.full(len(covered), -1), [
            f"Nothing was fitted: {what}, and {n_folds} folds need {n_folds} or more."
        ]
    if n_ready < n_folds:
        stratum[ready] = LABELLED
        return stratum, [
            f"α-calibration was not fitted: it learns from cases with two labels or more"
            f"{'' if cases.features is None else ' and features'}, of which there are {n_ready}, and "
            f"{n_folds} folds need {n_folds} or more. A single label a case says nothing about disagreement."
        ]
    n_without = int((covered & ~cases.featured).sum())
    without = "1 case without features has no α and stays out of the results with α."
    if n_without > 1:
        without = f"{n_without:,} cases without features have no α and stay out of the results with α."
    return stratum, [without] * (n_without > 0)


def zero_notes(histograms: LabelHistograms, given: FloatArray) -> list[str]:
    """Say how often raters gave a label that the model had excluded."""
    n_excluded = int(histograms.counts[given == 0].sum())
    return [
        f"Raters gave labels {n_excluded:,} times to which the model gives the probability 0. For "
        "recalibration a 0 counts as half of the smallest probability above 0 that the model gives."
    ] * (n_excluded > 0)


class CrossFits:
    """Cross-fitted fits of one model, and the rows of the table of folds."""

    def __init__(self, cases: Cases, stratum: IntArray, folds: Folds) -> None:
        self._cases, self._folds = cases, folds
        self._is_labelled = np.isin(stratum, (READY, LABELLED))
        self.rows: list[FoldRow] = []

    def fit_temperature(self, method: str, progress: Progress) -> FloatArray:
        """Class probabilities of every case under the temperature of the other folds."""

        def fit(cases: IntArray) -> Scaling:
            return fit_scaling(self._cases.probability[cases], self._cases.counts[cases])

        scaled = np.full(self._cases.probability.shape, np.nan)
        for k, scaling in enumerate(cross_fit(self._folds, fit, progress=progress)):
            judged = self._folds.held_out(k)
            scaled[judged] = scaling.apply(self._cases.probability[judged])
            n_fitted = int(self._is_labelled[self._folds.training(k)].sum())
            self.rows.append(FoldRow(method, k + 1, n_fitted, len(judged), scaling.temperature))
        return scaled

    def fit_alpha(self, method: str, progress: Progress, *, with_temperature: bool) -> FloatArray:
        """Concentration of every case under the fit, and the choice of penalty, of the other folds."""

        def fit(cases: IntArray, strengths: Sequence[float]) -> list[ScaledAlpha]:
            return fit_scaled_alpha(self._cases.take(cases), strengths, with_temperature=with_temperature)

        def loss(fitted: ScaledAlpha, cases: IntArray) -> float:
            return fitted.loss(self._cases.take(cases))

        featured = self._cases.featured
        concentration = np.full(len(self._cases.probability), np.nan)
        found = cross_fit_penalised(self._folds, fit, loss, STRENGTHS, progress=progress)
        for k, fitted in enumerate(found):
            held_out = self._folds.held_out(k)
            judged = held_out[featured[held_out]]
            concentration[judged] = fitted.concentration(self._cases.take(judged))
            training = self._folds.training(k)
            n_fitted = int((self._is_labelled & featured)[training].sum())
            temperature = np.nan if fitted.scaling is None else fitted.scaling.temperature
            alpha = fitted.alpha
            row = FoldRow(
                method, k + 1, n_fitted, len(judged), temperature, alpha.strength, len(alpha.weight)
            )
            self.rows.append(row)
        return concentration
