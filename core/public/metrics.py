"""Metrics of predictions against soft labels, and averaged over plausibilities."""

from __future__ import annotations

import numpy as np
import pandas as pd
from numpy.typing import ArrayLike

from core.metrics.adjusted import metrics as adjusted
from core.metrics.adjusted.predicted_order import predicted_order
from core.metrics.estimate import Estimate, mean_over_cases
from core.metrics.soft import metrics as soft
from core.plausibility.draws import LARGEST
from core.public.names import require
from core.public.posterior import Posterior, whole
from core.study.model import FloatArray, Predictions

Predicted = Predictions | pd.DataFrame | ArrayLike
"""What a model predicts for each case: its `Predictions` of a task, or probabilities, cases × labels."""


def soft_auroc(plausibility: ArrayLike, score: ArrayLike, *, weight: ArrayLike | None = None) -> float:
    """Area under the ROC curve against soft labels.

    Parameters
    ----------
    plausibility : array-like of float with shape (n_cases,)
        Soft labels in [0, 1]: how plausible it is that the case is positive, such as the share of raters who
        say so (`Task.vote_shares`). Labels 0 and 1 give the ordinary metric.
    score : array-like of float with shape (n_cases,)
        Any numbers but NaN, the largest the most positive.
    weight : array-like of float with shape (n_cases,), optional
        Weight of each case, finite and 0 or more.

    Returns
    -------
    float
        In [0, 1]; NaN where all plausibility is on one side. Equal scores count half.

    Raises
    ------
    ValueError
        For labels out of range, NaN, impossible weights, and series or shapes that do not fit together.

    Notes
    -----
    Lionetti 2025, eq. 4; see `core.metrics.soft.metrics.s_auroc`.

    Examples
    --------
    >>> print(soft_auroc([0.0, 0.25, 1.0, 0.75], [0.1, 0.4, 0.8, 0.3]))
    0.8125
    """
    return float(soft.s_auroc(*_beside(plausibility, score, weight), weight=weight))


def soft_average_precision(
    plausibility: ArrayLike, score: ArrayLike, *, weight: ArrayLike | None = None
) -> float:
    """Average precision against soft labels; parameters and errors are those of `soft_auroc`.

    Returns
    -------
    float
        In [0, 1]; NaN where no case has any plausibility of being positive.

    Notes
    -----
    Lionetti 2025, eq. 5, with equal scores grouped; see `core.metrics.soft.metrics.s_ap`.
    """
    return float(soft.s_ap(*_beside(plausibility, score, weight), weight=weight))


def soft_brier_score(
    plausibility: ArrayLike, probability: ArrayLike, *, weight: ArrayLike | None = None
) -> float:
    """Brier score expected under soft labels.

    Parameters
    ----------
    plausibility : array-like of float with shape (n_cases,)
        Plausibility of being positive, in [0, 1].
    weight : array-like of float with shape (n_cases,), optional
        How often each case counts, 0 or more; 1 by default.
    probability : array-like of float with shape (n_cases,)
        Of being positive, in [0, 1].

    Returns
    -------
    float
        In [0, 1], smaller is better; NaN where all weights are 0.

    Raises
    ------
    ValueError
        For NaN, impossible weights, shapes that do not fit together, and numbers that are no probabilities.

    Notes
    -----
    Mean of p (1 − s)² + (1 − p) s².
    """
    return float(soft.soft_brier(*_beside(plausibility, probability, weight), weight=weight))


def soft_log_loss(
    plausibility: ArrayLike, probability: ArrayLike, *, weight: ArrayLike | None = None
) -> float:
    """Logarithmic loss expected under soft labels; parameters and errors are those of `soft_brier_score`.

    Returns
    -------
    float
        In nats, 0 or more, smaller is better. Probabilities 0 and 1 are moved inwards by 2.2e-16.

    Notes
    -----
    Mean of −p log s − (1 − p) log(1 − s).
    """
    return float(soft.soft_log_loss(*_beside(plausibility, probability, weight), weight=weight))


def _beside(
    plausibility: ArrayLike, score: ArrayLike, weight: ArrayLike | None
) -> tuple[FloatArray, FloatArray]:
    """Scores and soft labels of the same cases, in the order that the core takes them."""
    series = [given for given in (plausibility, score, weight) if isinstance(given, pd.Series)]
    if any(not of.index.equals(series[0].index) for of in series):
        raise ValueError("series must have the same index, got different ones: align them first")
    labels, scores = np.asarray(plausibility, np.float64), np.asarray(score, np.float64)
    if labels.ndim != 1 or labels.shape != scores.shape or not len(labels):
        raise ValueError(
            f"plausibility and score must have shape (n_cases,), one case at least, got {labels.shape} and "
            f"{scores.shape}"
        )
    if missing := int(np.isnan(labels).sum()):
        raise ValueError(f"plausibility must be known, got NaN for {missing} cases: leave them out")
    return scores, labels


def adjusted_accuracy(posterior: Posterior, predictions: Predicted, *, k: int = 1) -> Estimate:
    """Top-k accuracy of a model, averaged over all truths that the readings leave open.

    Parameters
    ----------
    posterior : Posterior
        Of `Task.aggregate`.
    predictions : Predictions, DataFrame, or array-like of float with shape (n_cases, n_labels)
        A model's, as in ``task.predictions["model"]``; or probabilities, in the order of the posterior's
        cases and labels, or a frame that names them. A row of NaN, or a case that the frame lacks, was not
        predicted.
    k : int
        How many of the most probable labels count, from 1 to 10.

    Returns
    -------
    Estimate
        Mean over cases in [0, 1], its standard error, and the number of cases that were read and predicted.

    Raises
    ------
    ValueError
        For probabilities of another shape, labels that the task does not have, a model that gives scores,
        or a k out of range.

    Notes
    -----
    E over plausibilities of [arg max λ is among the k labels predicted first] (Stutz 2025, eq. 12). Labels
    predicted alike are each there in an equal part of the orders.
    """
    predicted = _predictions(posterior, predictions)
    if not 1 <= whole("k", k) <= LARGEST:
        raise ValueError(f"k must be from 1 to {LARGEST}, got {k}")
    depth = adjusted.depth_limit(posterior.numeric.candidates, k)
    ranked = adjusted.RankedLabels(posterior.numeric, predicted_order(predicted, depth))
    return mean_over_cases(ranked.top_k_accuracy(depth))


def adjusted_metrics(posterior: Posterior, predictions: Predicted, *, max_k: int = 3) -> pd.DataFrame:
    """All uncertainty-adjusted metrics of a model.

    Parameters
    ----------
    posterior : Posterior
        Of `Task.aggregate`.
    predictions : Predictions, DataFrame, or array-like of float with shape (n_cases, n_labels)
        A model's, in any form that `adjusted_accuracy` takes.
    max_k : int
        Largest depth; the number of labels where that is smaller.

    Returns
    -------
    DataFrame
        Indexed by metric, from "top-1 accuracy" to "Kendall's τ": ``value``, the mean over cases;
        ``standard_error``; ``n_cases``. The values are those of ``loupe evaluate``.

    Raises
    ------
    ValueError
        For probabilities of another shape, labels that the task does not have, and a model that gives scores.

    Notes
    -----
    Stutz 2025, eq. 12 to 20.
    """
    predicted = _predictions(posterior, predictions)
    found = adjusted.adjusted_metrics(posterior.numeric, predicted, max_k=max_k)
    rows = [(of.value, of.standard_error, of.n_cases) for of in map(mean_over_cases, found.values())]
    columns = ["value", "standard_error", "n_cases"]
    return pd.DataFrame(rows, pd.Index(list(found), name="metric"), columns)


def _predictions(posterior: Posterior, given: Predicted) -> Predictions:
    """Probabilities of every label of every case of the posterior."""
    require(posterior, Posterior, "posterior", "aggregate the task first")
    shape = (len(posterior.case_ids), len(posterior.labels))
    if isinstance(given, str):
        raise TypeError(f'predictions must be probabilities, got a str: task.predictions["{given}"] has them')
    if isinstance(given, Predictions):
        if given.kind == "score":
            raise ValueError(f"predictions must be probabilities, and {given.model} gives scores")
        probability: FloatArray = given.probability
    elif isinstance(given, pd.DataFrame):
        probability = _aligned(posterior, given)
    else:
        probability = np.array(given, np.float64)
    if probability.shape != shape:
        raise ValueError(
            f"predictions must have shape {shape}, the posterior's cases × labels, got {probability.shape}"
        )
    known = probability[~np.isnan(probability)]
    if known.size and not 0 <= known.min() <= known.max() <= 1:
        raise ValueError(f"probabilities must be in [0, 1], got {known.min():g} to {known.max():g}")
    return given if isinstance(given, Predictions) else Predictions("given", probability)


def _aligned(posterior: Posterior, frame: pd.DataFrame) -> FloatArray:
    """Probabilities of a frame in the order of the posterior."""
    if "case_id" in frame:
        frame = frame.set_index("case_id")
    columns = frame.columns.map(str)
    if strange := [column for column in columns if column not in posterior.labels]:
        raise ValueError(f"predictions must have a column for each label, got {strange[0]!r}, which is none")
    named = frame.set_axis(columns, axis=1).set_axis(frame.index.map(str), axis=0)
    if named.index.has_duplicates:
        raise ValueError("predictions must have one row a case, got several")
    named = named.reindex(columns=list(posterior.labels), fill_value=0.0)
    if not named.index.isin(posterior.case_ids).any():
        raise ValueError("predictions must be indexed by case id, or have a column case_id; no id is known")
    return named.reindex(list(posterior.case_ids)).to_numpy(np.float64)
