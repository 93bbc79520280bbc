"""Squared losses of class probabilities against label histograms, and what they are made of.

With few labels a case, the share of raters who chose a label is a noisy stand-in for the probability that a
rater chooses it. A plug-in estimate takes that noise for a fault of the model; a debiased one takes its
expectation off.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from core.metrics.calibration.bins import Binning
from core.metrics.calibration.label_histogram import LabelHistograms
from core.metrics.calibration.loss_sums import CASES_AT_ONCE, BinSums, LossAccumulator, LossSums
from core.study.model import FloatArray, IntArray

EXPECTED = "expected squared loss"
EPISTEMIC = "epistemic loss"
IRREDUCIBLE = "irreducible loss"
CALIBRATION = "calibration loss"
DISPERSION = "dispersion loss"
REFINEMENT = "refinement loss"


@dataclass(frozen=True, eq=False)
class LossEstimate:
    """One estimate of a loss, on the cases as they are and on resamples of them.

    Attributes
    ----------
    samples : ndarray of float64 with shape (n_classes, S)
        Column 0 for the cases as they are, the others for resamples; NaN where it cannot be estimated.
    n_cases : int
        Cases that entered.
    """

    samples: FloatArray
    n_cases: int

    @property
    def by_class(self) -> FloatArray:
        """The loss of each class, with shape (n_classes,)."""
        return self.samples[:, 0]

    def of_class(self, k: int) -> LossEstimate:
        """Keep one class alone, which is then the total."""
        return LossEstimate(self.samples[[k]], self.n_cases)

    @property
    def total(self) -> float:
        """Sum over the classes."""
        return float(self.by_class.sum())

    @property
    def total_error(self) -> float:
        """Standard deviation of the total over resamples; NaN with fewer than two resamples or cases.

        Where the true calibration loss is 0, resampling overstates the error of the debiased one, by a factor
        of about √3.
        """
        return _standard_error(self.samples.sum(axis=0), self.n_cases)

    @property
    def root(self) -> Root:
        """The error that belongs to the total: its square root."""
        total = self.samples.sum(axis=0)
        roots = np.sqrt(np.maximum(total, 0))
        return Root(float(roots[0]), _standard_error(roots, self.n_cases), bool(total[0] < 0))


@dataclass(frozen=True)
class Root:
    """Square root of a loss.

    Attributes
    ----------
    value : float
        0 where the loss was estimated below 0, NaN where it could not be estimated.
    standard_error : float
        By resampling, negative losses likewise as 0.
    is_below_zero : bool
        Whether the estimate of the loss itself was negative, as a debiased one of a small loss can be.
    """

    value: float
    standard_error: float
    is_below_zero: bool


@dataclass(frozen=True, eq=False)
class Loss:
    """A loss estimated both ways.

    Attributes
    ----------
    plug_in : LossEstimate
        Shares of labels taken for probabilities.
    debiased : LossEstimate
        The expected effect of having few labels taken off; it may be negative.
    lone_bins : ndarray of int64 with shape (n_classes,)
        Bins that hold a single case, whose part of the debiased loss is not debiased: where there are many of
        them, the calibration loss is too high and what is left of another loss without it too low.
    """

    plug_in: LossEstimate
    debiased: LossEstimate
    lone_bins: IntArray

    def of_class(self, k: int) -> Loss:
        """Keep one class alone, which is then the total."""
        return Loss(self.plug_in.of_class(k), self.debiased.of_class(k), self.lone_bins[[k]])


def _standard_error(samples: FloatArray, n_cases: int) -> float:
    """Standard deviation over the resamples that define the value; NaN with too little to tell."""
    resampled = samples[1:][~np.isnan(samples[1:])]
    if len(resampled) < 2 or n_cases < 2 or np.isnan(samples[0]):
        return float("nan")
    return float(resampled.std(ddof=1))


def loss_sums(
    histograms: LabelHistograms,
    probability: FloatArray,
    *,
    edges: FloatArray,
    weights: NDArray[np.uint8] | None = None,
) -> LossSums:
    """Add up the cases of a model, block by block.

    Parameters
    ----------
    histograms : LabelHistograms
        Labels given to n_cases cases.
    probability : ndarray of float with shape (n_cases, n_labels)
        The model's, in [0, 1]; a row of NaN is a case that was not predicted.
    edges : ndarray of float64 with shape (n_labels, n_bins + 1)
        Of the bins of each label; see `core.metrics.calibration.bins.Binning.edges`.
    weights : ndarray of uint8 with shape (n_cases, S), optional
        How often each case enters each sample, from `core.metrics.bootstrap.case_weights`; once by
        default.

    Returns
    -------
    LossSums

    Raises
    ------
    ValueError
        Where ``probability`` has another shape or holds a value that is no probability.
    """
    if probability.shape != histograms.counts.shape:
        raise ValueError(
            f"probability must have shape {histograms.counts.shape}, one row a case and one column a label, "
            f"got {probability.shape}"
        )
    weights = np.ones((histograms.n_cases, 1), np.uint8) if weights is None else weights
    accumulator = LossAccumulator(edges, weights.shape[1])
    for first in range(0, histograms.n_cases, CASES_AT_ONCE):
        block = slice(first, first + CASES_AT_ONCE)
        accumulator.add(
            histograms.shares(block), probability[block], histograms.per_case[block], weights[block]
        )
    return accumulator.sums()


def calibration_losses(
    histograms: LabelHistograms,
    probability: FloatArray,
    *,
    binning: Binning = Binning(),  # noqa: B008 - frozen
    weights: NDArray[np.uint8] | None = None,
) -> dict[str, Loss]:
    """Estimate the expected squared loss of class probabilities and its parts.

    Parameters
    ----------
    histograms : LabelHistograms
        Labels of every case; a case without any is left out.
    probability : ndarray of float with shape (n_cases, n_labels)
        Class probabilities; a row with a NaN is a case that was not predicted, and is left out.
    weights : ndarray of uint8 with shape (n_cases, S), optional
        How often each case enters each sample; once by default.
    binning : Binning
        Bins of the calibration loss, for each label by its own predictions.

    Returns
    -------
    dict of str to Loss
        ``expected squared loss``, ``epistemic loss``, ``irreducible loss``, ``calibration loss``,
        ``dispersion loss`` and ``refinement loss``. Cases with a single label leave the debiased epistemic
        and irreducible losses, as their ``n_cases`` says; without a case that has two labels these are NaN,
        and so is the debiased dispersion loss.

    Raises
    ------
    ValueError
        Where ``probability`` has another shape or holds a value that is no probability.

    Notes
    -----
    With μ̂ the shares of labels, z the predictions, n the number of labels, and means over cases, each class
    has

    - expected squared loss, mean of (μ̂ − z)² + μ̂ (1 − μ̂), which has no bias (Mimori 2021, eq. 8);
    - epistemic loss, mean of (μ̂ − z)² (eq. 9), debiased less μ̂ (1 − μ̂)/(n − 1) (eq. 10), z against the
      probability that a rater chooses the class;
    - irreducible loss, what is left of the first;
    - calibration loss, as `bin_calibration` (eq. 13, 14), z against what is true on average where said;
    - dispersion loss, epistemic less calibration loss; refinement loss, expected less calibration loss.
    """
    sums = loss_sums(histograms, probability, edges=binning.edges(probability), weights=weights)
    return losses_of(sums)


def losses_of(sums: LossSums) -> dict[str, Loss]:
    """Estimates of `calibration_losses` from sums over cases."""
    n = int(sums.n[0])
    n_more = int(sums.n_more[0])
    squared = _divide(sums.squared_one + sums.squared_more, sums.n)
    spread = _divide((sums.bins.observed - sums.bins.observed_squared).sum(axis=1), sums.n)
    # Cases with a single label have μ̂ (1 − μ̂) = 0: the sum over all cases is the one over the others.
    spread_more = _divide((sums.bins.observed - sums.bins.observed_squared).sum(axis=1), sums.n_more)
    noise = _divide(sums.noise, sums.n_more)
    epistemic = _divide(sums.squared_more, sums.n_more) - noise
    calibration = bin_calibration(sums.bins)
    expected = LossEstimate(squared + spread, n)
    no_bins = np.zeros(len(sums.noise), np.int64)
    return {
        EXPECTED: Loss(expected, expected, no_bins),
        EPISTEMIC: Loss(LossEstimate(squared, n), LossEstimate(epistemic, n_more), no_bins),
        IRREDUCIBLE: Loss(LossEstimate(spread, n), LossEstimate(spread_more + noise, n_more), no_bins),
        CALIBRATION: calibration,
        DISPERSION: Loss(
            LossEstimate(squared - calibration.plug_in.samples, n),
            LossEstimate(epistemic - calibration.debiased.samples, n_more),
            calibration.lone_bins,
        ),
        REFINEMENT: refinement(expected, calibration),
    }


def refinement(expected: LossEstimate, calibration: Loss) -> Loss:
    """Take the calibration loss off the expected squared loss: what no recalibration can mend."""
    return Loss(
        LossEstimate(expected.samples - calibration.plug_in.samples, expected.n_cases),
        LossEstimate(expected.samples - calibration.debiased.samples, expected.n_cases),
        calibration.lone_bins,
    )


def bin_calibration(bins: BinSums) -> Loss:
    """Estimate the calibration loss from bins of predictions.

    Parameters
    ----------
    bins : BinSums
        Of the cases that enter, by class.

    Returns
    -------
    Loss
        NaN without any case.

    Notes
    -----
    Σ_b (n_b/N) (c_b − z_b)², c_b and z_b being the means of shares and of predictions in bin b (Mimori 2021,
    eq. 13); debiased, each square less the variance of the shares in the bin (by n_b) over n_b − 1 (eq. 14).
    A bin of one case keeps its square. The variance of shares contains that of the bin's predictions, which
    is no noise: for a calibrated model the debiased estimate is too low by Σ_b Var_b(z)/N, about K/(12 B N)
    under B bins of equal width.
    """
    n_cases = bins.n[0].sum(axis=0)
    filled = bins.n > 0
    share = np.divide(bins.observed, bins.n, out=np.zeros(bins.n.shape), where=filled)
    predicted = np.divide(bins.predicted, bins.n, out=np.zeros(bins.n.shape), where=filled)
    square = np.divide(bins.observed_squared, bins.n, out=np.zeros(bins.n.shape), where=filled)
    gap = (share - predicted) ** 2
    variance = np.maximum(square - share**2, 0)
    noise = np.divide(variance, bins.n - 1, out=np.zeros(bins.n.shape), where=bins.n > 1)
    n = int(n_cases[0])
    return Loss(
        LossEstimate(_divide((bins.n * gap).sum(axis=1), n_cases), n),
        LossEstimate(_divide((bins.n * (gap - noise)).sum(axis=1), n_cases), n),
        (bins.n[..., 0] == 1).sum(axis=1),
    )


def _divide(total: FloatArray, n: FloatArray) -> FloatArray:
    """Mean from sums of shape (n_classes, S) and numbers of shape (S,); NaN where the number is 0."""
    n = np.broadcast_to(n, total.shape)
    return np.divide(total, n, out=np.full(total.shape, np.nan), where=n > 0)
