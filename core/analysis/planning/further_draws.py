"""What further readings are expected to tell under stored draws of the plausibilities.

Each draw is taken for the truth in turn: it gives the further readings, and the other draws, weighted by how
probable they make these readings, say which label leads then. Nothing is sampled anew but the readings.
"""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
from numpy.typing import NDArray

from core.analysis.planning.questions import Question
from core.plausibility.draws import Draws, group_parts
from core.plausibility.posterior import SampledPosterior
from core.study.model import FloatArray, IntArray

MOST_TRUTHS = 200
"""Draws that are taken for the truth, evenly spaced; all of them weigh in each answer."""


def expected_by_draws(
    posterior: SampledPosterior,
    asked: Question,
    cases: IntArray,
    *,
    most: int,
    gamma: float,
    seeds: NDArray[np.uint64],
    tell: Callable[[float], None],
) -> tuple[FloatArray, FloatArray]:
    """Expected need and worth of cases after 0, 1 … further readings.

    Parameters
    ----------
    posterior : SampledPosterior
        Draws of all cases.
    asked, cases, most, gamma, tell
        As `core.analysis.planning.further_counts.expected_by_counts` takes them.
    seeds : ndarray of uint64 with shape (n,)
        One for each of ``cases``: its further readings depend on nothing else.

    Returns
    -------
    need, worth : ndarrays of float64 with shape (n, most + 1)

    Notes
    -----
    A reading names label j with probability λ_j (its first choice). After readings j_1 … j_m,
    P(k leads) = E[w 1(k leads)] / E[w] with w = ∏ λ_j^γ. The draw that the readings come from is left out,
    for it would speak for itself. Where γ = 1, P(k leads) is on average what it was before, so that the mean
    worth is taken as the worth now and the mean rise above the label (or level) that led before; that keeps
    the noise of the readings out of it.
    """
    need, worth = np.empty((len(cases), most + 1)), np.empty((len(cases), most + 1))
    of = posterior.candidates
    order = np.argsort(of.unmentioned[cases], kind="stable")
    parts: FloatArray = np.empty((0, 1))
    size = -1
    for done, at in enumerate(order.tolist()):
        if done % 50 == 0:
            tell(done / len(cases))
        case = int(cases[at])
        if of.unmentioned[case] != size:
            size = int(of.unmentioned[case])
            parts = _parts(posterior.draws, size)
        known = _Case(posterior.draws, case, parts, asked)
        need[at], worth[at] = known.expected(most, gamma, np.random.default_rng(int(seeds[at])))
    return need, worth


def _parts(draws: Draws, size: int) -> FloatArray:
    """Shares of each unmentioned label in their sum, with shape (size, n_rows); as `Posterior.grouped`."""
    if size == 0:
        return np.empty((0, draws.shares.shape[1]))
    return group_parts(np.ones(size, np.int64), draws.concentration, draws.shares.shape[1], draws.share_seed)


class _Case:
    """The draws of one case, and who leads in each."""

    def __init__(self, draws: Draws, case: int, parts: FloatArray, asked: Question) -> None:
        candidates = draws.candidates
        slots = candidates.of_case(case)
        self.asked = asked
        groups = asked.groups(np.array([case]))[0]
        mentioned = candidates.label[slots]
        self.group = np.concatenate([groups[mentioned], np.delete(groups, mentioned)]).astype(np.int64)
        self.value = draws.value[slots].astype(np.float64)
        self.rest = draws.rest[case].astype(np.float64)
        self.parts = parts
        self.row = (draws.first_row[case] + draws.row) % draws.shares.shape[1]
        self.n = len(mentioned)
        self.leader = self.value.argmax(axis=0)
        if len(parts):
            largest = parts.argmax(axis=0)[self.row]
            stranger = self.rest * parts[largest, self.row] > self.value.max(axis=0)
            self.leader = np.where(stranger, self.n + largest, self.leader)
        one = np.zeros((len(self.rest), self.n + asked.n_groups))
        draw = np.arange(len(self.rest))
        known = self.leader < self.n
        one[draw[known], self.leader[known]] = 1.0
        one[draw, self.n + self.group[self.leader]] = 1.0
        self.indicator = one

    def plausibility(self, labels: IntArray) -> FloatArray:
        """Plausibility of labels in all draws, with shape (len(labels), n_draws): unmentioned ones last."""
        value = np.empty((len(labels), len(self.rest)))
        known = labels < self.n
        value[known] = self.value[labels[known]]
        if not known.all():
            strangers = labels[~known] - self.n
            value[~known] = self.rest * self.parts[strangers[:, None], self.row[None, :]]
        return value

    def readings(self, truths: IntArray, most: int, rng: np.random.Generator) -> IntArray:
        """Draw the labels that further readings name, with shape (len(truths), most)."""
        total = np.concatenate([self.value[:, truths], self.rest[None, truths]]).cumsum(axis=0)
        level = rng.random((most, len(truths))) * total[-1]
        named = (level[:, None, :] >= total[None, :-1, :]).sum(axis=1).T
        within = rng.random((len(truths), most))
        for t, step in np.argwhere(named == self.n).tolist():
            shares = self.parts[:, self.row[truths[t]]].cumsum()
            named[t, step] += np.searchsorted(shares[:-1], within[t, step] * shares[-1], side="right")
        return named

    def expected(self, most: int, gamma: float, rng: np.random.Generator) -> tuple[list[float], list[float]]:
        """Mean need and worth after 0 … ``most`` readings."""
        n_draws = len(self.rest)
        now = self._measured(np.ones((1, n_draws)), np.empty((1, 0), np.int64))
        truths = np.unique(np.linspace(0, n_draws - 1, min(n_draws, MOST_TRUTHS)).astype(np.int64))
        named = self.readings(truths, most, rng)
        weight = np.ones((len(truths), n_draws))
        weight[np.arange(len(truths)), truths] = 0.0
        need, worth = [float(now[0][0])], [float(now[1][0])]
        for step in range(most):
            value = self.plausibility(named[:, step])
            weight *= value if gamma == 1 else value**gamma
            weight /= weight.max(axis=1, keepdims=True)
            after_need, after_worth, before = self._measured(weight, named[:, : step + 1])
            need.append(float(after_need.mean()))
            rise = float((after_worth - before).mean())
            is_mean = gamma == 1 and self.asked.order != "models"
            worth.append(worth[0] + rise if is_mean else float(after_worth.mean()))
        return need, worth

    def _measured(self, weight: FloatArray, named: IntArray) -> tuple[FloatArray, FloatArray, FloatArray]:
        """Need and worth under weights of the draws, and what the label or level that leads now has then."""
        probability = weight @ self.indicator / weight.sum(axis=1, keepdims=True)
        leads, by_group = probability[:, : self.n], probability[:, self.n :]
        best = leads.argmax(axis=1)
        leading, group = leads.max(axis=1), self.group[best]
        for column in named.T:
            for t in np.flatnonzero(column >= self.n).tolist():
                share = float(weight[t] @ (self.leader == column[t]) / weight[t].sum())
                if share > leading[t]:
                    leading[t], group[t] = share, self.group[column[t]]
        need, worth = self.asked.measure(leading, np.eye(self.asked.n_groups)[group], by_group)
        if self.asked.order == "risk":
            before = by_group[:, self.indicator[:, self.n :].mean(axis=0).argmax()]
        else:
            before = leads[:, self.indicator[:, : self.n].mean(axis=0).argmax()]
        return need, worth, before
