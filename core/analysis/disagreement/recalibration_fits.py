"""The cross-fitted fits behind a recalibrated model: which cases take part, and what each fold gave."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np

from core.metrics.calibration.label_histogram import LabelHistograms
from core.progress import Progress
from core.recalibration.alpha import STRENGTHS
from core.recalibration.combined import Cases, ScaledAlpha, fit_scaled_alpha
from core.recalibration.crossfit import Folds, cross_fit, cross_fit_penalised
from core.recalibration.scaling import Method, Scaling, fit_scaling
from core.recalibration.tempered import STRENGTHS as SCALING_STRENGTHS
from core.recalibration.tempered import TemperedScaling, fit_tempered
from core.study.model import FloatArray, IntArray

TEMPERATURE = "temperature"
SCALINGS: tuple[Method, ...] = ("vector", "matrix", "Dirichlet")
"""Scalings beyond a temperature, each fitted on top of one."""
ALPHA = "α"
TEMPERATURE_ALPHA = "temperature and α"

_COST = {TEMPERATURE: 1, "vector": 4, "matrix": 6, "Dirichlet": 15, ALPHA: 4, TEMPERATURE_ALPHA: 5}
"""How long each fit takes, roughly, for the progress that is told."""

READY, LABELLED, UNLABELLED = range(3)
"""Kinds of case: α-calibration can learn from it; only a scaling can; nothing can."""

MOST_LABELS: dict[Method, int] = {"vector": 100, "matrix": 30, "Dirichlet": 30}
"""Scalings of more labels are skipped: they take long, and the penalty leaves little but a temperature."""


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


def why_skipped(method: Method, cases: Cases) -> str:
    """Say why a scaling is not fitted; empty where it is.

    Notes
    -----
    Vector scaling learns a weight and a bias for each label, the others a weight for each
    pair of labels and a bias for each.
    """
    n_labels = cases.counts.shape[1]
    n_learnt = n_labels * (2 if method == "vector" else n_labels + 1)
    n_readings = int(cases.counts[~np.isnan(cases.probability[:, 0])].sum())
    what = (
        f"{method.capitalize()} scaling was not fitted: with {n_labels:,} labels it has {n_learnt:,} numbers"
    )
    if n_labels > MOST_LABELS[method]:
        return f"{what} to learn, and it is fitted for {MOST_LABELS[method]} labels or fewer."
    if n_learnt > n_readings:
        return f"{what} to learn, more than the {n_readings:,} readings that it could learn from."
    return ""


class CrossFits:
    """Cross-fitted fits of one model, and the rows of the table of folds."""

    def __init__(self, cases: Cases, stratum: IntArray, folds: Folds) -> None:
        self._cases, self._folds = cases, folds
        self._is_labelled = np.isin(stratum, (READY, LABELLED))
        self.rows: list[FoldRow] = []

    @property
    def probability(self) -> FloatArray:
        """Class probabilities of every case as the fits see them: above 0."""
        return self._cases.probability

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

    def fit_scaling(self, method: Method, progress: Progress) -> FloatArray:
        """Class probabilities of every case under the scaling, and the choice of penalty, of other folds."""
        probability, counts = self._cases.probability, self._cases.counts

        def fit(cases: IntArray, strengths: Sequence[float]) -> list[TemperedScaling]:
            return fit_tempered(probability[cases], counts[cases], method=method, strengths=strengths)

        def loss(fitted: TemperedScaling, cases: IntArray) -> float:
            return fitted.loss(probability[cases], counts[cases])

        scaled = np.full(probability.shape, np.nan)
        found = cross_fit_penalised(self._folds, fit, loss, SCALING_STRENGTHS, progress=progress)
        for k, fitted in enumerate(found):
            judged = self._folds.held_out(k)
            scaled[judged] = fitted.apply(probability[judged])
            n_fitted = int(self._is_labelled[self._folds.training(k)].sum())
            temperature = fitted.tempering.temperature
            self.rows.append(FoldRow(method, k + 1, n_fitted, len(judged), temperature, fitted.strength))
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


class Fitted(NamedTuple):
    """Class probabilities and concentrations by method, and the rows of the table of folds."""

    probability: dict[str, FloatArray]
    concentration: dict[str, FloatArray]
    rows: list[FoldRow]


def fit_methods(fits: CrossFits, methods: Sequence[str], tell: Progress, *, with_alpha: bool) -> Fitted:
    """Fit the given methods; those with α only where cases allow it."""
    alphas = [method for method in (ALPHA, TEMPERATURE_ALPHA) if with_alpha and method in methods]
    scalings = [method for method in SCALINGS if method in methods]
    tempered = TEMPERATURE in methods or TEMPERATURE_ALPHA in alphas
    parts = _parts(tell, [TEMPERATURE] * tempered + [*scalings, *alphas])
    probability, concentration = {}, {}
    if tempered:
        probability[TEMPERATURE] = fits.fit_temperature(TEMPERATURE, parts[TEMPERATURE])
    for method in scalings:
        probability[method] = fits.fit_scaling(method, parts[method])
    for name in alphas:
        with_temperature = name == TEMPERATURE_ALPHA
        probability[name] = probability[TEMPERATURE] if with_temperature else fits.probability
        concentration[name] = fits.fit_alpha(name, parts[name], with_temperature=with_temperature)
    kept = {name: values for name, values in probability.items() if name in methods}
    return Fitted(kept, concentration, [row for row in fits.rows if row.method in methods])


def _parts(tell: Progress, methods: Sequence[str]) -> dict[str, Progress]:
    """Progress of each fit, told as progress of the whole."""
    ends = np.cumsum([0] + [_COST[method] for method in methods])
    share = ends / ends[-1] if methods else ends
    return {
        method: _part(tell, method, float(start), float(end))
        for method, start, end in zip(methods, share[:-1], share[1:], strict=True)
    }


def _part(tell: Progress, method: str, start: float, end: float) -> Progress:
    """Progress of one fit, told as progress of the whole."""
    return lambda share, doing: tell(start + share * (end - start), f"{method}, {doing}")
