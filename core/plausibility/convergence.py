"""Whether the draws of a posterior can be trusted: R-hat and effective sample size of every case."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import pandas as pd
from arviz_stats.base import array_stats
from scipy import special, stats

from core.plausibility.posterior import SampledPosterior
from core.study.model import FloatArray

RHAT_LIMIT = 1.01
"""Chains with a larger R-hat have not mixed (Vehtari et al. 2021)."""

_FEWEST_DRAWS = 4
"""In half a chain: what autocorrelations need."""

_BATCH = 256
"""Cases that are ranked together, to keep memory small."""


def convergence(posterior: SampledPosterior, *, cases: Sequence[int] | None = None) -> pd.DataFrame:
    """Diagnose the draws of each case by the plausibility of its leading label.

    Parameters
    ----------
    posterior : SampledPosterior
        Draws chain after chain.
    cases : sequence of int, optional
        Only these cases, in this order; all by default.

    Returns
    -------
    DataFrame
        One row a case: ``case``; ``rhat``, 1 where the chains agree; ``ess``, how many independent draws the
        draws are worth. Both are NaN for a case that is undefined, or whose draws are all equal or fewer
        than 8 a chain: nothing was sampled there.

    Notes
    -----
    Rank-normalised split R-hat, the larger of that of the draws and that of their distances from the median,
    and bulk effective sample size (Vehtari et al. 2021). Every chain is split in halves, so that a single one
    is compared with itself. The leading label is the one most often the arg max; where that is an
    unmentioned label, the plausibility of all unmentioned labels together is diagnosed.
    """
    draws, candidates = posterior.draws, posterior.candidates
    chosen = np.arange(candidates.n_cases) if cases is None else np.asarray(cases, np.int64)
    leading = posterior.best_set(1)
    slots = candidates.locate(leading)[chosen, 0]
    rhat, ess = np.full((2, len(chosen)), np.nan)
    for first in range(0, len(chosen), _BATCH):
        batch = slice(first, first + _BATCH)
        series = draws.rest[chosen[batch]].astype(np.float64)
        mentioned = slots[batch] >= 0
        series[mentioned] = draws.value[slots[batch][mentioned]]
        halves = _split_chains(series, draws.n_chains)
        if halves.shape[2] < _FEWEST_DRAWS:
            break
        sampled = (leading[chosen[batch], 0] >= 0) & (np.ptp(halves, axis=(1, 2)) > 0)
        if sampled.any():
            rhat[batch][sampled], ess[batch][sampled] = _diagnose(halves[sampled])
    return pd.DataFrame({"case": chosen, "rhat": rhat, "ess": ess})


def convergence_summary(table: pd.DataFrame) -> dict[str, float]:
    """Summarise `convergence` over its cases, those that are NaN left out.

    Returns
    -------
    dict of str to float
        ``worst_rhat``, ``smallest_ess`` and ``share_above_limit``, the share of cases with an R-hat above
        `RHAT_LIMIT`; NaN where no case was diagnosed.
    """
    diagnosed = table.dropna()
    return {
        "worst_rhat": float(diagnosed["rhat"].max()),
        "smallest_ess": float(diagnosed["ess"].min()),
        "share_above_limit": float((diagnosed["rhat"] > RHAT_LIMIT).mean()),
    }


def _split_chains(series: FloatArray, n_chains: int) -> FloatArray:
    """Halves of all chains, with shape (n_cases, 2 · n_chains, half), less an odd draw in the middle."""
    length = series.shape[1] // n_chains
    chains = series[:, : n_chains * length].reshape(-1, n_chains, length)
    half = length // 2
    return np.concatenate([chains[..., :half], chains[..., length - half :]], axis=1)


def _normal_scores(halves: FloatArray) -> FloatArray:
    """Standard normal quantiles of the ranks among all draws of a case, ties sharing their average rank."""
    rank = stats.rankdata(halves.reshape(len(halves), -1), axis=1)
    return special.ndtri((rank - 3 / 8) / (rank.shape[1] + 1 / 4)).reshape(halves.shape)


def _diagnose(halves: FloatArray) -> tuple[FloatArray, FloatArray]:
    """R-hat and effective sample size of each case: ranks for all at once, the rest by arviz-stats."""
    scores = _normal_scores(halves)
    folded = _normal_scores(np.abs(halves - np.median(halves, axis=(1, 2), keepdims=True)))
    with np.errstate(
        divide="ignore", invalid="ignore"
    ):  # a half without spread, as draws of 0 and 1 may have
        located = array_stats.rhat(scores, method="identity")
        scaled = array_stats.rhat(folded, method="identity")
    return np.fmax(located, scaled), array_stats.ess(scores, method="identity")
