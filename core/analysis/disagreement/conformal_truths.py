"""What counts as the truth that a set of labels is to hold: the leading label, or a plausible one."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from core.plausibility.aggregate import aggregate
from core.plausibility.candidates import no_readings
from core.plausibility.draws import Draws
from core.plausibility.settings import Aggregation
from core.study.brief import brief
from core.study.model import FloatArray, Study, Task
from core.study.seeds import case_seeds

LEADING_LABEL = "leading label"
PLAUSIBLE_LEADER = "plausible leader"
PLAUSIBLE_LABEL = "plausible label"
TRUTHS = (PLAUSIBLE_LEADER, PLAUSIBLE_LABEL, LEADING_LABEL)
"""Notions of the truth; the last is what is left of the readings where one label is taken for true."""
N_DRAWS = 100
"""Plausible truths of each case."""


@dataclass(frozen=True, eq=False)
class Truths:
    """Distributions of each case's true label, one for each notion of the truth.

    Attributes
    ----------
    of : mapping of str to ndarray of float64 with shape (n_cases, n_labels)
        By a notion of `TRUTHS`: all on the leading label of the point estimate, its ties split; how probably
        each label leads; the mean plausibility. Rows sum to 1; NaN where nothing is known of a case.
    draws : Draws
        Plausible truths.
    """

    of: Mapping[str, FloatArray]
    draws: Draws

    __repr__ = brief

    @property
    def known(self) -> NDArray[np.bool_]:
        """Whether anything is known of each case, with shape (n_cases,)."""
        unknown: NDArray[np.bool_] = np.isnan([of[:, 0] for of in self.of.values()])
        return np.logical_not(unknown.any(axis=0))

    def mean_scores(self, scores: FloatArray) -> FloatArray:
        """Mean score of the labels under each plausible truth.

        Parameters
        ----------
        scores : ndarray of float with shape (n_cases, n_labels)
            Of each label.

        Returns
        -------
        ndarray of float64 with shape (n_cases, n_draws)
            Σ_k λ_k e_k. What a truth gives to labels that nobody mentioned counts with their mean score.
        """
        of, filled = self.draws.candidates, np.flatnonzero(~no_readings(self.draws.candidates))
        own = scores[of.case, of.label]
        found = np.full((of.n_cases, self.draws.n_draws), np.nan)
        if len(filled) == 0:
            return found
        found[filled] = np.add.reduceat(self.draws.value * own[:, None], of.start[filled], axis=0)
        named = np.bincount(of.case, own, minlength=of.n_cases)
        other = (scores.sum(axis=1) - named) / np.maximum(of.unmentioned, 1)
        return found + self.draws.rest * other[:, None]


def truths(study: Study, task: Task, aggregation: Aggregation, *, n_draws: int = N_DRAWS) -> Truths:
    """Aggregate the readings of a task into the notions of the truth.

    Parameters
    ----------
    study : Study
        Gives the seeds.
    task : Task
        One of the study's.
    aggregation : Aggregation
        Model and reliability; the leading label is that of its point estimate.
    n_draws : int
        Plausible truths of each case.
    """
    posterior = aggregate(study, task, aggregation)
    point = aggregate(study, task, aggregation.point)
    values = {
        PLAUSIBLE_LABEL: (posterior.candidates, posterior.mean),
        PLAUSIBLE_LEADER: (posterior.candidates, posterior.top1),
        LEADING_LABEL: (point.candidates, point.top1),
    }
    of = {}
    for name, (candidates, label_values) in values.items():
        of[name] = candidates.table(label_values)
        of[name][no_readings(candidates)] = np.nan
    seeds = case_seeds(study.seed, study.case_ids, "conformal truths")
    return Truths(of, posterior.sample(n_draws, seeds).draws)
