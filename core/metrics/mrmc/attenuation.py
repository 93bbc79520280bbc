"""How far truths that are drawn from readings pull an AUROC towards one half."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from core.metrics.mrmc.curves import Curves
from core.study.model import FloatArray


def attenuation(curves: Curves, truths: NDArray[np.bool_]) -> FloatArray:
    """Share of its distance from one half that the AUROC of each modality keeps under drawn truths.

    Parameters
    ----------
    curves : Curves
        What was said.
    truths : ndarray of bool with shape (n_truths, n_cases) or (n_truths, n_curves, n_cases)
        Whether each case is positive, in independent draws, perhaps of each curve's own; of each curve both
        classes were read in every one. A single truth is taken as certain.

    Returns
    -------
    ndarray of float64 with shape (n_modalities,)
        κ, 1 where the truth is certain, about 0 where the draws know nothing of it.

    Notes
    -----
    Let p_i be the plausibility that case i is positive, calibrated (of cases with p, a share p is positive),
    and scores be independent of the readings given the truth. The drawn positive class then holds true
    positives in a share a, its mean plausibility, and the drawn negative one true negatives in a share b. A
    pair of one drawn case of each class is truly in order with ab, in reverse order with (1 − a)(1 − b), and
    else of one class, worth ½: AUROC − ½ is (ab − (1 − a)(1 − b)) = a + b − 1 = κ times the true one (Menon,
    van Rooyen, Ong and Williamson 2015, of mutually contaminated classes).

    In a draw κ is the mean p of the cases drawn positive less that of the others; over draws its mean is
    Σp²/Σp + Σ(1 − p)²/Σ(1 − p) − 1, but for terms that vanish with the number of cases. It is of the cases
    that a curve read; p is the share of the *other* draws in which the case is positive, so that no draw
    pulls it towards itself. Curves count by their pairs, as in the pooled AUROC.
    """
    n_modalities, m = len(curves.modalities), len(truths)
    if m == 1:
        return np.ones(n_modalities)
    read: FloatArray = (~np.isnan(curves.score)).astype(np.float64)
    positive: FloatArray = truths.astype(np.float64)
    plausibility = (positive.sum(axis=0) - positive) / (m - 1)
    n_positive, n_negative = _of_curves(positive, read), _of_curves(1 - positive, read)
    kept = _of_curves(positive * plausibility, read) / n_positive
    kept -= _of_curves((1 - positive) * plausibility, read) / n_negative
    pairs = n_positive * n_negative
    found = np.empty(n_modalities)
    for modality in range(n_modalities):
        of = curves.of(modality)
        found[modality] = ((pairs * kept)[:, of].sum(axis=1) / pairs[:, of].sum(axis=1)).mean()
    return found


def _of_curves(of_case: FloatArray, read: FloatArray) -> FloatArray:
    """Sum over the cases that each curve read, with shape (n_truths, n_curves)."""
    return np.einsum("tcn,cn->tc", of_case, read) if of_case.ndim == 3 else of_case @ read.T


def shown_margin(margin: float, first: float, second: float) -> float:
    """Margin of the true AUROC, as a difference under drawn truths shows it.

    Parameters
    ----------
    margin : float
        Above 0, of the true AUROC.
    first, second : float
        `attenuation` of the two modalities.

    Returns
    -------
    float
        What a difference under drawn truths is to be held against; 0 or less where nothing can be shown.

    Notes
    -----
    With δ the true distances from one half the difference shown is κ₁δ₁ − κ₂δ₂. Where the first is worse by
    the margin or more, that is at most −κ₁·margin + (κ₁ − κ₂)δ₂, and |δ₂| is at most ½. Modalities that
    were read on the same cases have one κ, so that the margin shown is κ times the true one.
    """
    return min(first, second) * margin - abs(first - second) / 2
