"""What cases can be read again for: a certain leading label, no overlooked risk, an order of two models."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from core.analysis.planning.settings import ORDERS, Order
from core.metrics.certainty import risk_levels
from core.metrics.ranking import top_labels
from core.study.model import RISK_NAMES, FloatArray, IntArray, Task

FIRST_MODEL, SECOND_MODEL = 1, 2
"""Groups of the labels that the two models put first."""


@dataclass(frozen=True, eq=False)
class Question:
    """How much a case calls for a reading, and what a reading is worth there.

    Attributes
    ----------
    order : {"certainty", "risk", "models"}
        Its name.
    label_groups : ndarray of int8 with shape (n_labels,)
        Group of each label: its risk level, 3 where unknown; all 0 where labels have no groups.
    first_labels : ndarray of int with shape (n_cases, 2), optional
        For "models": the labels that the two models put first, −1 where a case was not predicted by both.
    """

    order: Order
    label_groups: IntArray
    first_labels: IntArray | None = None

    def groups(self, cases: IntArray) -> IntArray:
        """Group of each label of some cases, with shape (len(cases), n_labels)."""
        groups = np.broadcast_to(self.label_groups, (len(cases), len(self.label_groups)))
        if self.first_labels is None:
            return groups
        groups = groups.copy()
        rows = np.arange(len(cases))
        for column, group in enumerate((FIRST_MODEL, SECOND_MODEL)):
            groups[rows, self.first_labels[cases, column]] = group
        return groups

    @property
    def n_groups(self) -> int:
        """Number of groups."""
        return len(RISK_NAMES) + 1

    def of(self, n_cases: int) -> NDArray[np.bool_]:
        """Whether each case can matter at all, with shape (n_cases,)."""
        if self.first_labels is None:
            return np.ones(n_cases, np.bool_)
        first, second = self.first_labels.T
        return (first >= 0) & (second >= 0) & (first != second)

    def measure(
        self, leading: FloatArray, leading_group: FloatArray, by_group: FloatArray
    ) -> tuple[FloatArray, FloatArray]:
        """How much each state of knowledge calls for a reading, and what it is worth.

        Parameters
        ----------
        leading : ndarray of float with shape (n_states,)
            P(k leads) of the label k that most probably does.
        leading_group : ndarray of float with shape (n_states, n_groups)
            1 for that label's group; of labels that lead alike, the share that is of each group.
        by_group : ndarray of float with shape (n_states, n_groups)
            P(the leading label is of this group).

        Returns
        -------
        need, worth : ndarrays of float with shape (n_states,)
            For "certainty" 1 − P(k leads), and P(k leads). For "risk" P(the leading label is of a higher
            level than k), labels of unknown risk apart and averaged over labels k that lead alike, and the
            largest P(level). For "models" both are the
            variance of which model is right where they differ, p_a + p_b − (p_a − p_b)².
        """
        if self.order == "certainty":
            return 1 - leading, leading
        if self.order == "risk":
            below = leading_group[:, : len(RISK_NAMES) - 1].cumsum(axis=1)
            return (by_group[:, 1 : len(RISK_NAMES)] * below).sum(axis=1), by_group.max(axis=1)
        first, second = by_group[:, FIRST_MODEL], by_group[:, SECOND_MODEL]
        variance = first + second - (first - second) ** 2
        return variance, variance


def question(task: Task, order: Order, models: tuple[str, str] | None = None) -> Question:
    """Ask for the readings of a task.

    Parameters
    ----------
    task : Task
        With a risk of some label for "risk", and predictions for "models".
    order : {"certainty", "risk", "models"}
        What for.
    models : tuple of two str, optional
        For "models"; each answers with its most probable label, the first in the study's order of several.

    Raises
    ------
    ValueError
        For an unknown order, and where the task lacks what it needs.
    """
    if order not in ORDERS:
        raise ValueError(f"order must be one of {', '.join(ORDERS)}, got {order!r}")
    groups = np.zeros(len(task.labels), np.int8)
    if order == "risk":
        if not task.has_risk:
            raise ValueError(f"no label of task {task.name!r} has a risk: give labels.csv a column risk")
        return Question(order, risk_levels(task.risk).astype(np.int8))
    if order == "certainty":
        return Question(order, groups)
    known = task.probability_models
    if models is None or len(set(models)) != 2 or not set(models) <= set(known):
        raise ValueError(
            f"models must be two of those that give probabilities ({', '.join(known) or 'there are none'}), "
            f"got {', '.join(models or ()) or 'none'}"
        )
    return Question(order, groups, np.column_stack([_first(task, model) for model in models]))


def _first(task: Task, model: str) -> IntArray:
    """Most probable label of each case by a model, −1 where it did not predict the case."""
    return top_labels(task.predictions[model].probability, 1)[:, 0]
