"""A model recalibrated with a study's label histograms: no case is judged by a fit that saw its labels."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np
import pandas as pd
from threadpoolctl import threadpool_limits

from core.analysis.disagreement.forecasts import AS_GIVEN, Forecast
from core.analysis.disagreement.recalibration_fits import (
    ALPHA,
    READY,
    SCALINGS,
    TEMPERATURE,
    TEMPERATURE_ALPHA,
    CrossFits,
    Fitted,
    FoldRow,
    case_strata,
    fit_methods,
    why_skipped,
    zero_notes,
)
from core.analysis.models.score_models import require_probabilities
from core.metrics.calibration.label_histogram import LabelHistograms, task_histograms
from core.plausibility.dirichlet import DirichletPosterior
from core.progress import Progress
from core.recalibration.combined import Cases
from core.recalibration.crossfit import deal_folds
from core.recalibration.ensembles import (
    ensemble_disagreement,
    ensemble_epistemic_loss,
    ensemble_posterior,
)
from core.recalibration.estimates import (
    disagreement_probability,
    posterior_epistemic_loss,
    posterior_probability,
)
from core.recalibration.model_posterior import model_posterior
from core.recalibration.probabilities import without_zeros
from core.study.brief import brief
from core.study.model import FloatArray, IntArray, Study, Task, freeze

ENSEMBLE = "ensemble"
METHODS = (AS_GIVEN, TEMPERATURE, *SCALINGS, ALPHA, TEMPERATURE_ALPHA, ENSEMBLE)
"""In the order of every table. The last one is there for a model with several predictions a case."""
DEFAULT_METHODS = tuple(method for method in METHODS if method not in ("matrix", "Dirichlet"))
"""Those that take no longer than α-calibration does."""

N_FOLDS = 5


@dataclass(frozen=True, eq=False)
class Recalibrated:
    """What a model says before and after each method of recalibration.

    Attributes
    ----------
    study, task
        What was observed.
    model : str
        Name of the model.
    histograms : LabelHistograms
        Labels given to each case.
    probability : mapping of str to ndarray of float64 with shape (n_cases, n_labels)
        Class probabilities by method, NaN for a case that was not predicted.
    concentration : mapping of str to ndarray of float64 with shape (n_cases,)
        α0 by method, for the methods that have one; NaN for a case without prediction or features.
    ensemble : ndarray of float with shape (n_draws, n_cases, n_labels), or None
        The model's several predictions.
    folds : DataFrame
        One row a method and fold: ``method``, ``fold``, ``n_fitted`` and ``n_judged`` cases, ``temperature``,
        ``strength`` of the penalty and ``n_features`` of α-calibration (NaN where the method has none).
    notes : tuple of str
        What could not be done, or not for all cases, in whole sentences.
    """

    study: Study
    task: Task
    model: str
    histograms: LabelHistograms
    probability: Mapping[str, FloatArray]
    concentration: Mapping[str, FloatArray]
    ensemble: FloatArray | None
    folds: pd.DataFrame
    notes: tuple[str, ...]

    __repr__ = brief

    @property
    def methods(self) -> list[str]:
        """Methods that there are results of, in the order of `METHODS`."""
        return [method for method in METHODS if method in self.probability]

    @property
    def updating(self) -> list[str]:
        """Methods that are distributions over class probabilities: an expert label changes what they say."""
        return [method for method in self.methods if method in (*self.concentration, ENSEMBLE)]

    def forecasts(self) -> list[Forecast]:
        """What every method says of every case, for the tables of `core.analysis.disagreement.forecasts`."""
        return [
            Forecast(self.model, method, self.probability[method], self.disagreement(method))
            for method in self.methods
        ]

    def disagreement(self, method: str) -> FloatArray:
        """Probability that two raters give different labels, as the method expects it, (n_cases,)."""
        if method == ENSEMBLE:
            assert self.ensemble is not None
            return ensemble_disagreement(self.ensemble)
        return disagreement_probability(self.probability[method], self.concentration.get(method))

    def after_labels(self, method: str, case: int, told: IntArray) -> tuple[FloatArray, float]:
        """Expect class probabilities and disagreement of one case after expert labels.

        Parameters
        ----------
        method : str
            One of ``methods``.
        case : int
            Index of the case.
        told : ndarray of int with shape (n_labels,)
            How often experts gave each label.

        Returns
        -------
        probability : ndarray of float64 with shape (n_labels,)
        disagreement : float
            Probability that two further raters give different labels.
        """
        told = np.asarray(told)[None]
        if method == ENSEMBLE:
            assert self.ensemble is not None
            members = self.ensemble[:, [case]]
            return ensemble_posterior(members, told)[0], float(ensemble_disagreement(members, told)[0])
        probability, alpha = self.probability[method][[case]], None
        if method in self.concentration:
            alpha = self.concentration[method][[case]]
        after = posterior_probability(probability, alpha, told)
        return after[0], float(
            disagreement_probability(after, None if alpha is None else alpha + told.sum())[0]
        )

    def epistemic_loss(self, method: str, *, after_a_label: bool) -> FloatArray:
        """Unbiased epistemic loss of each case, by its own labels, before or after one of them is told.

        NaN for cases with fewer than three labels; see
        `core.recalibration.estimates.posterior_epistemic_loss`.
        """
        counts = self.histograms.counts
        if method == ENSEMBLE and after_a_label:
            assert self.ensemble is not None
            return ensemble_epistemic_loss(self.ensemble, counts)
        concentration = self.concentration.get(method) if after_a_label else None
        return posterior_epistemic_loss(self.probability[method], concentration, counts)

    def posterior(self, method: str, cases: Sequence[int] | None = None) -> DirichletPosterior:
        """Distribution over plausibilities that the α-calibrated model stands for.

        Parameters
        ----------
        method : str
            One of ``concentration``.
        cases : sequence of int, optional
            Only these cases, in this order; all by default.

        Raises
        ------
        ValueError
            If the method has no concentration.
        """
        if method not in self.concentration:
            raise ValueError(f"method must be one of {', '.join(self.concentration)}, got {method!r}")
        kept = slice(None) if cases is None else np.asarray(cases, np.int64)
        return model_posterior(self.probability[method][kept], self.concentration[method][kept])


def recalibrate(
    study: Study,
    task: Task,
    model: str,
    *,
    methods: Sequence[str] = DEFAULT_METHODS,
    n_folds: int = N_FOLDS,
    progress: Progress | None = None,
) -> Recalibrated:
    """Recalibrate a model by scaling, by α-calibration and by a temperature with α, cross-fitted.

    Parameters
    ----------
    study, task
        What was observed. Folds follow from the study's seed and the case ids.
    model : str
        One of the task's models that give probabilities.
    methods : sequence of str
        Of `METHODS`, in any order; what the model says as given is always there.
    n_folds : int
        3 or more. Every case is judged by a fit on the other folds, and so is the choice of its penalty.
    progress : callable, optional
        Called with the share done, in [0, 1], and what is being done; it may raise to end the work.

    Returns
    -------
    Recalibrated
        Without α where fewer than ``n_folds`` cases have two labels, a prediction and features; without any
        method where fewer have a label and a prediction; without a scaling that has more to learn than the
        readings allow, or more labels than it is fitted for. The notes say so.

    Raises
    ------
    ValueError
        If the task has no such model or it gives scores, a method is unknown, or ``n_folds`` is below 3.

    Notes
    -----
    Vector, matrix and Dirichlet scaling follow a temperature and are drawn towards it, more strongly the less
    the cases tell: see `core.recalibration.tempered.fit_tempered`. The features of α-calibration are the
    study's, and without these the logarithms of the class probabilities that it is applied to (Mimori 2021,
    §5).
    """
    if model not in task.predictions:
        raise ValueError(f"model must be one of {', '.join(task.predictions)}, got {model!r}")
    require_probabilities(task, model, "Recalibration")
    unknown = [method for method in methods if method not in METHODS]
    if unknown:
        raise ValueError(f"methods must be of {', '.join(METHODS)}, got {unknown[0]!r}")
    if n_folds < 3:
        raise ValueError(f"n_folds must be 3 or more, got {n_folds}")
    tell = progress or _tell_nobody
    predictions = task.predictions[model]
    given = predictions.probability.astype(np.float64)
    histograms = task_histograms(task)
    table = study.features
    features = None if table is None or table.shape[1] == 0 else table.to_numpy(np.float64)
    cases = Cases(without_zeros(given), histograms.counts, features)
    stratum, notes = case_strata(cases, n_folds)
    results = Fitted({AS_GIVEN: given}, {}, [])
    if (stratum >= 0).any():
        skipped = {str(name): why_skipped(name, cases) for name in SCALINGS if name in methods}
        notes += [why for why in skipped.values() if why] + zero_notes(histograms, given)
        fits = CrossFits(cases, stratum, deal_folds(study.seed, study.case_ids, stratum, n_folds=n_folds))
        wanted = [method for method in methods if not skipped.get(method)]
        # Matrices are small here: more threads only wait for one another, at many times the cost.
        with threadpool_limits(1, user_api="blas"):
            results = fit_methods(fits, wanted, tell, with_alpha=bool((stratum == READY).any()))
        results.probability[AS_GIVEN] = given
    if predictions.ensemble is not None and ENSEMBLE in methods:
        results.probability[ENSEMBLE] = given
    tell(1.0, "done")
    return Recalibrated(
        study,
        task,
        model,
        histograms,
        {name: freeze(results.probability[name]) for name in METHODS if name in results.probability},
        {name: freeze(values) for name, values in results.concentration.items()},
        predictions.ensemble,
        pd.DataFrame(results.rows, columns=FoldRow._fields),
        tuple(notes),
    )


def _tell_nobody(share: float, doing: str) -> None:
    """Progress that nobody asked for."""
