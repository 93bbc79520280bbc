"""Plackett–Luce posterior of plausibilities, by Gibbs sampling of arrival times."""

from __future__ import annotations

import math
from typing import Literal, get_args

import numpy as np
from numpy.typing import NDArray

from core.plausibility.candidates import candidates_of
from core.plausibility.draws import N_SHARES, Draws, first_rows
from core.plausibility.plackett_luce.alike import alike_candidates
from core.plausibility.plackett_luce.likelihood import LATTICE_LIMIT
from core.plausibility.plackett_luce.maximum_likelihood import plackett_luce_mle
from core.plausibility.plackett_luce.sampler import sample_cases
from core.plausibility.plackett_luce.shares import largest_shares
from core.plausibility.plackett_luce.states import States, differentials_of, states_of, weights_of
from core.plausibility.plackett_luce.workspace import Chains, Weights
from core.plausibility.posterior import SampledPosterior
from core.plausibility.reading_weights import that_count
from core.plausibility.settings import TieRule
from core.study.model import FloatArray, Readings

Prior = Literal["released", "per_label"]

_SHARE_SEED = 0
"""The shares of unmentioned labels are the same whichever cases are sampled together."""

_ROUNDING = 1e-9
"""A weight this close to a whole number is whole."""


def plackett_luce(  # noqa: PLR0913 - the model's parameters, by name
    readings: Readings,
    n_labels: int,
    *,
    gamma: float,
    seeds: NDArray[np.uint64],
    prior: Prior = "released",
    draws: int = 1000,
    warmup: int = 500,
    chains: int = 1,
    weight: FloatArray | None = None,
    tie_rule: TieRule = "split",
) -> SampledPosterior:
    """Sample the posterior of Plackett–Luce plausibilities given differentials.

    Parameters
    ----------
    readings : Readings
        Of a ranking or choice task. Labels that a reading does not mention rank below those that it does.
    n_labels : int
        Number of labels of the task, K.
    gamma : float
        Reliability γ, above 0: how often a reading counts, beside its weight. Infinity gives the maximum
        likelihood estimate.
    seeds : ndarray of uint64 with shape (n_cases,)
        One for each case, which alone decides its draws.
    prior : {"released", "per_label"}
        ``released``: the rate of every mentioned label, and the sum S of all the others, are Gamma(1, β), and
        the others share S by a flat Dirichlet. ``per_label``: every label is Gamma(1/K, β).
    draws : int
        Number of draws kept, of all chains together: a multiple of ``chains``.
    warmup : int
        Number of draws discarded at the start of each chain.
    chains : int
        Independent chains, each started at random.
    weight : ndarray of float with shape (n_readings,), optional
        How much each reading counts, 0 or more; 1 by default. A reading of weight 0 is left out.
    tie_rule : {"split", "first label"}
        At infinite reliability: labels of equal plausibility are split, or the first in the study's order.

    Returns
    -------
    SampledPosterior
        Its draws come chain after chain.

    Raises
    ------
    ValueError
        If an option is not allowed or ``seeds`` has the wrong shape.

    Notes
    -----
    Arrivals after a reading's last label are censored (Stutz 2025, app. B.2). A reading of weight γ
    multiplies the log-likelihood by γ. The sampler alternates between the times spent in each state A, a set
    of labels that have arrived, and the rates λ:

    - T_A ~ Gamma(γ·W_A, Λ − λ(A)), where W_A readings tell what arrives next after A and Λ − λ(A) is the
      rate of all that remains;
    - λ_k ~ Gamma(a + γ·n_k, 1 + Σ_{A∌k} T_A), where n_k readings rank k, and S ~ Gamma(a_S, 1 + Σ_A T_A).

    Plausibilities are λ/Λ. Their likelihood does not depend on Λ, and under the prior neither do they, so Λ
    may be given any density: Λ^{γW_∅} times its prior density cancels the factors of the empty set, whose
    times, and β, drop out. Cases in which every reading is a single label are therefore drawn independently.

    Of a tied block, ⌊w⌋ of its total weight w are copies whose orders are drawn down the lattice of subsets
    (Stutz 2025, eq. B.3), split binomially, all copies together. Copies of a block of more than
    ``LATTICE_LIMIT`` labels are drawn one by one through the first arrival from outside, at a cost linear
    in the block's size and in w. The fraction f = w − ⌊w⌋ contributes R^f, where R = Σ_σ P_σ over orders σ.
    With σ drawn from P_σ/R the joint density is R^f·P_σ/R = P_σ^f·(P_σ/R)^(1−f): the first factor is
    conjugate and makes a proposal for the rates, which a Metropolis step accepts by the second. For a large
    block the first arrival τ from outside takes the place of σ.

    At large γ the rates outside a state follow one another closely from sweep to sweep, though their common
    scale is hardly known. So every other sweep begins by scaling them together, for each state in turn, by a
    log-normal factor that is accepted or not by the exact posterior, times and orders summed out (cases with
    a large block go without). Likewise, many copies of a tied block hold the rates of its labels together,
    though which is larger is hardly known. So where a block weighs 5 or more, every sweep begins by scaling
    the rate of one tied label, and by exchanging the rates of two. All steps leave the exact posterior as it
    is.
    """
    _check(gamma, prior, draws, warmup, chains)
    if np.shape(seeds) != (readings.n_cases,):
        raise ValueError(f"seeds must have shape ({readings.n_cases},), got {np.shape(seeds)}")
    if weight is not None:
        readings, weight = that_count(readings, weight)
    if math.isinf(gamma):
        return plackett_luce_mle(readings, n_labels, weight=weight, tie_rule=tie_rule)
    candidates = candidates_of(readings, n_labels)
    unmentioned = candidates.unmentioned
    differentials = differentials_of(readings, candidates)
    states = states_of(differentials, candidates, unmentioned == 0, weights_of(readings, weight))
    concentration = 1.0 if prior == "released" else 1 / n_labels
    rest_shape = np.where(unmentioned > 0, 1.0 if prior == "released" else unmentioned / n_labels, 0.0)
    value = np.empty((len(candidates.label), draws), np.float32)
    rest = np.empty((candidates.n_cases, draws), np.float32)
    tied = np.diff(states.tied_start)
    sample_cases(
        states,
        candidates.start,
        _weights(states, gamma, concentration, rest_shape),
        np.asarray(seeds, np.uint64),
        Chains(chains, warmup, draws // chains),
        value,
        rest,
        np.empty(len(tied)) if (tied > LATTICE_LIMIT).any() else None,
    )
    sizes, size = np.unique(unmentioned, return_inverse=True)
    shares = largest_shares(sizes, concentration, max(draws, N_SHARES), _SHARE_SEED)
    return SampledPosterior(
        Draws(
            candidates,
            value,
            rest,
            shares,
            size.astype(np.int64),
            n_chains=chains,
            concentration=concentration,
            share_seed=_SHARE_SEED,
            first_row=first_rows(seeds, shares.shape[1]),
            alike=alike_candidates(readings, candidates, weight),
        )
    )


def _check(gamma: float, prior: str, draws: int, warmup: int, chains: int) -> None:
    """Raise ValueError unless the options are allowed."""
    if not gamma > 0:
        raise ValueError(f"gamma must be above 0, got {gamma}")
    if prior not in get_args(Prior):
        raise ValueError(f"prior must be one of {', '.join(get_args(Prior))}, got {prior!r}")
    if draws < 1 or chains < 1 or warmup < 0 or draws % chains:
        raise ValueError(
            f"draws must be a positive multiple of chains and warmup at least 0, "
            f"got draws={draws}, chains={chains}, warmup={warmup}"
        )


def _weights(states: States, gamma: float, concentration: float, rest_shape: FloatArray) -> Weights:
    """Count each reading γ times; weights of tied blocks in whole copies and a fraction."""
    block = gamma * states.block_weight
    copies = np.floor(block + _ROUNDING).astype(np.int64)
    fraction = np.where(np.abs(block - copies) > _ROUNDING, block - copies, 0.0)
    shape = _label_shapes(states, concentration, gamma, fraction)
    return Weights(shape, rest_shape, gamma * states.passes, block, copies, fraction)


def _label_shapes(states: States, prior_shape: float, gamma: float, fraction: FloatArray) -> FloatArray:
    """Gamma shape of each candidate's rate: fractions of large blocks enter in another way."""
    tied = np.diff(states.tied_start)
    outstanding = np.repeat(np.where(tied > LATTICE_LIMIT, fraction, 0.0), tied)
    shape = prior_shape + gamma * states.weight
    np.subtract.at(shape, states.tied, outstanding)
    return shape
