"""Which labels lead a case: one, or all that cannot be told from it."""

from __future__ import annotations

from collections.abc import Iterable, Mapping

import numpy as np

from core.analysis.portions import aggregate_portion
from core.plausibility.posterior import Posterior, SampledPosterior
from core.plausibility.settings import MODELS, Aggregation
from core.plausibility.simulation_error import error_of_difference, is_simulated
from core.study.model import FloatArray, IntArray, Study, Task

SAME = 1e-9
"""Probabilities of leading that differ by less are equal on paper."""
_FARTHEST = 5.0
"""Errors of independent draws beyond which a difference is real, even of draws that depend on each other."""


def riskier_first(task: Task, codes: Iterable[int], of_hundred: Mapping[int, float]) -> list[int]:
    """Order labels by how often they lead in a hundred truths; of those written alike the riskier first."""
    return sorted(codes, key=lambda code: (-round(of_hundred.get(code, 0.0)), -task.risk[code]))


def leading_slots(posterior: Posterior, point: Posterior | None = None) -> IntArray:
    """Find the label that leads each case most often, and all that are tied with it.

    Parameters
    ----------
    posterior : Posterior
        Of any number of cases.
    point : Posterior, optional
        The same model's point estimate of the same cases, where the posterior is simulated.

    Returns
    -------
    ndarray of int64 with shape (n_leading,)
        Slots of candidates, ascending: one or more for each case in which a label that was mentioned ever
        leads.

    Notes
    -----
    A label is tied with the one that leads most often

    1. if it leads equally often: under exact posteriors and point estimates there is no other tie;
    2. if the posterior is simulated, and the difference is not larger than its 95 % simulation error
       (`core.plausibility.simulation_error.error_of_difference`): other draws could put the other one first;
    3. if the posterior is simulated, and both share the largest plausibility of the point estimate: the
       readings do not tell them apart, and how often each leads rests on the prior and the other labels.
    """
    candidates, leads = posterior.candidates, posterior.top1.candidate
    most = np.zeros(candidates.n_cases)
    np.fmax.at(most, candidates.case, leads)
    behind = most[candidates.case] - leads
    tied = (leads > 0) & (behind <= SAME)
    if isinstance(posterior, SampledPosterior) and is_simulated(posterior):
        leader = np.full(candidates.n_cases, -1)
        slots = np.flatnonzero(tied)[::-1]
        leader[candidates.case[slots]] = slots
        tied |= _within_error(posterior, leader, behind)
        if point is not None:
            tied |= _same_estimate(point, leader) & (leads > 0)
    return np.flatnonzero(tied)


def point_portion(study: Study, task: Task, aggregation: Aggregation, cases: range) -> Posterior | None:
    """Point estimate of a portion, for `leading_slots`; None where the posterior is not simulated."""
    if MODELS[aggregation.model].answer != "draws" or np.isinf(aggregation.reliability):
        return None
    return aggregate_portion(study, task, aggregation.point, cases)


def _within_error(posterior: SampledPosterior, leader: IntArray, behind: FloatArray) -> np.ndarray:
    """Whether each slot is behind the leader of its case by no more than the simulation error."""
    candidates, leads = posterior.candidates, posterior.top1.candidate
    best = leader[candidates.case]
    both = leads + np.where(best >= 0, leads[best], 0.0)
    near = (leads > 0) & (best >= 0) & (behind > SAME)
    near &= behind <= _FARTHEST * 2 * np.sqrt(np.maximum(both, 0.0) / posterior.draws.n_draws)
    slots = np.flatnonzero(near)
    tied = np.zeros(len(leads), bool)
    tied[slots] = behind[slots] <= error_of_difference(posterior, best[slots], slots)
    return tied


def _same_estimate(point: Posterior, leader: IntArray) -> np.ndarray:
    """Whether each slot shares the largest plausibility of the point estimate with the leader of its case."""
    candidates, leads = point.candidates, point.top1.candidate
    most = np.zeros(candidates.n_cases)
    np.fmax.at(most, candidates.case, leads)
    largest = (leads > 0) & (leads >= most[candidates.case] - SAME)
    of_leader = np.zeros(candidates.n_cases, bool)
    led = leader >= 0
    of_leader[led] = largest[leader[led]]
    return largest & of_leader[candidates.case]
