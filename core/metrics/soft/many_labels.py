"""Ranking metrics of many labels: one against the rest, one against one, and their averages."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from core.metrics.soft.hard import hard_ranking_metrics
from core.metrics.soft.ranking import ranking_metrics, sort_scores
from core.study.model import FloatArray


@dataclass(frozen=True, eq=False)
class Averaged:
    """A metric of every label, or of every pair of labels, and its averages.

    Attributes
    ----------
    value : ndarray of float64 with shape (n_labels,) or (n_pairs,)
        NaN where undefined.
    prevalence : ndarray of float64 with shape (n_labels,) or (n_pairs,)
        Share of the cases' mass that the label, or both labels of the pair, have.
    """

    value: FloatArray
    prevalence: FloatArray

    @property
    def n_defined(self) -> int:
        """How many labels or pairs enter the averages."""
        return int((~np.isnan(self.value)).sum())

    @property
    def macro(self) -> float:
        """Plain mean over what is defined; NaN where nothing is."""
        return float(np.nanmean(self.value)) if self.n_defined else float("nan")

    @property
    def weighted(self) -> float:
        """Mean weighted by prevalence over what is defined; NaN where nothing is."""
        defined = ~np.isnan(self.value)
        total = self.prevalence[defined].sum()
        if not total > 0:
            return float("nan")
        return float(self.value[defined] @ self.prevalence[defined] / total)


def one_vs_rest(
    probability: FloatArray,
    plausibility: FloatArray,
    *,
    weight: FloatArray | None = None,
    hard: bool = False,
) -> tuple[Averaged, Averaged]:
    """s-AUROC and s-AP of each label against all others.

    Parameters
    ----------
    probability : ndarray of float with shape (n_cases, n_labels)
        Of one model; any numbers but NaN, compared within a label only.
    plausibility : ndarray of float with shape (n_cases, n_labels)
        Soft or hard labels in [0, 1].
    weight : ndarray of float with shape (n_cases,), optional
        Weight of each case, finite and 0 or more; 1 if not given.
    hard : bool
        Whether ``plausibility`` holds hard labels: each metric is then its mean over the ways of breaking
        ties (`core.metrics.soft.hard.hard_ranking_metrics`, which takes whole weights).

    Returns
    -------
    auroc, ap : Averaged
        Over labels.

    Raises
    ------
    ValueError
        For NaN scores, impossible weights or shapes that do not fit together.
    """
    w = _checked_weight(probability, plausibility, weight)
    prevalence = w @ plausibility / w.sum()
    auroc, ap = np.full((2, probability.shape[1]), np.nan)
    metrics = hard_ranking_metrics if hard else ranking_metrics
    for label in np.flatnonzero(prevalence > 0):
        values = metrics(
            sort_scores(probability[None, :, label]), plausibility[None, :, label], weight=w[None]
        )
        auroc[label], ap[label] = values[0][0, 0], values[1][0, 0]
    return Averaged(auroc, prevalence), Averaged(ap, prevalence)


def one_vs_one(
    probability: FloatArray, plausibility: FloatArray, *, weight: FloatArray | None = None
) -> Averaged:
    """s-AUROC of each pair of labels, all other labels left aside.

    Parameters
    ----------
    probability : ndarray of float with shape (n_cases, n_labels)
        Of one model; any numbers but NaN, compared within a label only.
    plausibility : ndarray of float with shape (n_cases, n_labels)
        Soft or hard labels in [0, 1].
    weight : ndarray of float with shape (n_cases,), optional
        Weight of each case, finite and 0 or more; 1 if not given.

    Returns
    -------
    Averaged
        Over pairs a < b in the order of `numpy.triu_indices`.

    Raises
    ------
    ValueError
        For NaN scores, impossible weights or shapes that do not fit together.

    Notes
    -----
    The mean of A(a | b) and A(b | a), where A(a | b) ranks by the probability of a, with positive mass λ_a
    and negative mass λ_b (Hand and Till 2001, with soft labels). It takes one sort a label.
    """
    w = _checked_weight(probability, plausibility, weight)
    n_labels = probability.shape[1]
    prevalence = w @ plausibility / w.sum()
    against = np.full((n_labels, n_labels), np.nan)
    for label in np.flatnonzero(prevalence > 0):
        own = plausibility[:, label]
        both = own + plausibility.T
        part = np.divide(own, both, out=np.zeros_like(both), where=both > 0)
        scores = sort_scores(probability[None, :, label])
        against[label] = ranking_metrics(scores, part, weight=w * both)[0][0]
    first, second = np.triu_indices(n_labels, 1)
    value = (against[first, second] + against[second, first]) / 2
    return Averaged(value, prevalence[first] + prevalence[second])


def _checked_weight(
    probability: FloatArray, plausibility: FloatArray, weight: FloatArray | None
) -> FloatArray:
    """Weight of each case, after refusing shapes that differ, NaN, and weights that leave nothing."""
    if probability.ndim != 2 or probability.shape != plausibility.shape:
        raise ValueError(
            "probability and plausibility must have the same shape (n_cases, n_labels), got "
            f"{probability.shape} and {plausibility.shape}"
        )
    if np.isnan(probability).any():
        raise ValueError(f"probability must be numbers, got NaN in {int(np.isnan(probability).sum())} places")
    w = np.ones(len(probability)) if weight is None else np.asarray(weight, np.float64)
    if w.shape != (len(probability),) or not (w >= 0).all() or not 0 < w.sum() < np.inf:
        raise ValueError(f"weight must be {len(probability)} numbers, 0 or more and not all 0, got {w}")
    return w
