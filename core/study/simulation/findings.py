"""Findings that are present or absent in the same cases: the evidence for them, and models that see it."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from scipy.special import expit, logit
from scipy.stats import binom

from core.study.model import FloatArray


def draw_evidence(
    rng: np.random.Generator,
    n_cases: int,
    *,
    prevalence: Sequence[float],
    spread: Sequence[float],
    shared: float = 0.4,
) -> FloatArray:
    """Draw the log odds with which raters call each finding present.

    Parameters
    ----------
    rng : numpy.random.Generator
        Source of randomness.
    n_cases : int
        Number of cases.
    prevalence : sequence of float
        Share that calls the finding present in the middling case, in (0, 1), by finding.
    spread : sequence of float
        Standard deviation of the log odds, positive, by finding: small for a finding on which raters disagree
        in many cases.
    shared : float
        Correlation of any two findings, in [0, 1]: sick cases have several.

    Returns
    -------
    ndarray of float64 with shape (n_findings, n_cases)

    Raises
    ------
    ValueError
        If an option lies outside its range.
    """
    middle, width = np.asarray(prevalence, float), np.asarray(spread, float)
    if not ((middle > 0) & (middle < 1)).all():
        raise ValueError(f"prevalence must lie between 0 and 1, got {tuple(prevalence)}")
    if not (width > 0).all() or middle.shape != width.shape:
        raise ValueError(
            f"spread must be positive, one for each of {len(middle)} findings, got {tuple(spread)}"
        )
    if not 0 <= shared <= 1:
        raise ValueError(f"shared must lie between 0 and 1, got {shared}")
    common = rng.standard_normal(n_cases)
    own = rng.standard_normal((len(middle), n_cases))
    sickness = np.sqrt(shared) * common + np.sqrt(1 - shared) * own
    return logit(middle)[:, None] + width[:, None] * sickness


def present_or_absent(evidence: FloatArray) -> FloatArray:
    """Plausibilities of absent and present, with shape (n_cases, 2), from log odds with shape (n_cases,)."""
    present = expit(evidence)
    return np.stack([1 - present, present], axis=1)


def score_shares(rng: np.random.Generator, evidence: FloatArray, *, blur: float) -> FloatArray:
    """Predict as a model that has learnt the raters' shares.

    Parameters
    ----------
    rng : numpy.random.Generator
        Source of randomness.
    evidence : ndarray of float with shape (n_cases,)
        True log odds.
    blur : float
        Standard deviation of what the model sees about them.

    Returns
    -------
    ndarray of float64 with shape (n_cases,)
        P(present), in [0, 1].
    """
    return expit(evidence + blur * rng.standard_normal(len(evidence)))


def score_majority(
    rng: np.random.Generator, evidence: FloatArray, *, n_raters: int, blur: float, haze: float
) -> FloatArray:
    """Predict as a model that has learnt only what the majority says.

    Parameters
    ----------
    rng : numpy.random.Generator
        Source of randomness.
    evidence : ndarray of float with shape (n_cases,)
        True log odds.
    blur : float
        Standard deviation of what the model sees about them.
    n_raters : int
        Size of the majority's panel.
    haze : float
        Standard deviation of the score on the log odds scale among cases that the majority calls alike.

    Returns
    -------
    ndarray of float64 with shape (n_cases,)
        P(present), in [0, 1].

    Notes
    -----
    The score is expit(8 (t − ½) + haze · noise) with t = P(more than half of n raters call it present), which
    is near 0 or 1 as soon as the share leaves the neighbourhood of one half. So it parts the two sides of the
    majority sharply, but orders cases on one side at random: few positive readings or none look alike.
    """
    seen = evidence + blur * rng.standard_normal(len(evidence))
    majority = binom.sf(n_raters // 2, n_raters, expit(seen))
    return expit(8 * (majority - 0.5) + haze * rng.standard_normal(len(evidence)))
