"""What further choices are expected to tell under label counts: exactly, by all outcomes there can be.

A case is known by how often each of its labels was chosen, and is so after further readings. Labels counted
alike are alike, so that the counts, sorted, are the state; few states are reached by a few readings, and each
is worked out once.
"""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

from core.analysis.planning.questions import Question
from core.plausibility.candidates import Candidates
from core.plausibility.dirichlet import DirichletPosterior
from core.study.model import FloatArray

Item = tuple[float, float, int]
"""Of a label that was chosen: its shape if further readings counted once, its shape as they do, its group."""
State = tuple[tuple[Item, ...], tuple[int, ...]]
"""The labels that were chosen, ascending; the numbers of labels of each group that nobody chose."""
PATTERNS_AT_ONCE = 128
"""Distinct states of departure that are worked out together: memory grows with them."""


def expected_by_counts(
    posterior: DirichletPosterior,
    asked: Question,
    cases: np.ndarray,
    *,
    most: int,
    gamma: float,
    tell: Callable[[float], None],
) -> tuple[FloatArray, FloatArray]:
    """Expected need and worth of cases after 0, 1 … further readings.

    Parameters
    ----------
    posterior : DirichletPosterior
        Label counts of all cases.
    asked : Question
        What they are read for.
    cases : ndarray of int with shape (n,)
        Read cases that are asked about.
    most : int
        Largest number of further readings, 0 or more.
    gamma : float
        How often a further reading counts.
    tell : callable
        Told the share done.

    Returns
    -------
    need, worth : ndarrays of float64 with shape (n, most + 1)
        As `Question.measure` has them, their means over all outcomes of the readings.

    Notes
    -----
    λ ~ Dirichlet(a) gives the readings: after m_j that named j, each once, the next names j with probability
    (a_j + m_j) / Σ(a + m). What is known then is Dirichlet(a + γ·m).
    """
    states = _states(posterior, asked, cases)
    place: dict[State, int] = {}
    of_case = np.array([place.setdefault(state, len(place)) for state in states], np.int64)
    patterns = list(place)
    need, worth = np.empty((len(patterns), most + 1)), np.empty((len(patterns), most + 1))
    for begin in range(0, len(patterns), PATTERNS_AT_ONCE):
        tell(begin / len(patterns))
        stop = min(begin + PATTERNS_AT_ONCE, len(patterns))
        need[begin:stop], worth[begin:stop] = _expected(
            patterns[begin:stop], asked, most, gamma, posterior.other
        )
    return need[of_case], worth[of_case]


def _states(posterior: DirichletPosterior, asked: Question, cases: np.ndarray) -> list[State]:
    """The state of each case."""
    candidates, states = posterior.candidates, []
    for begin in range(0, len(cases), 1024):
        part = cases[begin : begin + 1024]
        for case, groups in zip(part.tolist(), asked.groups(part), strict=True):
            slots = candidates.of_case(case)
            mentioned = groups[candidates.label[slots]]
            left = np.bincount(groups, minlength=asked.n_groups)
            left = left - np.bincount(mentioned, minlength=asked.n_groups)
            shape = posterior.shape[slots].round(9).tolist()
            items = sorted(zip(shape, shape, mentioned.tolist(), strict=True))
            states.append((tuple(items), tuple(left.tolist())))
    return states


def _expected(
    patterns: list[State], asked: Question, most: int, gamma: float, other: float
) -> tuple[FloatArray, FloatArray]:
    """Expected need and worth of some states of departure."""
    place: dict[State, int] = {}
    levels = [[{pattern: 1.0}] for pattern in patterns]
    after: dict[State, list[tuple[State, float]]] = {}
    for ahead in levels:
        for _ in range(most):
            ahead.append(_after_one(ahead[-1], gamma, other, after))
        for level in ahead:
            for state in level:
                place.setdefault(state, len(place))
    values = np.column_stack(_measured(list(place), asked, other))
    answers = np.array(
        [
            [np.array(list(level.values())) @ values[[place[state] for state in level]] for level in ahead]
            for ahead in levels
        ]
    )
    return answers[:, :, 0], answers[:, :, 1]


def _after_one(
    level: dict[State, float], gamma: float, other: float, known: dict[State, list[tuple[State, float]]]
) -> dict[State, float]:
    """Probabilities of the states that one more reading leaves."""
    reached: dict[State, float] = {}
    for state, probability in level.items():
        if state not in known:
            known[state] = _outcomes(state, gamma, other)
        for following, share in known[state]:
            reached[following] = reached.get(following, 0.0) + probability * share
    return reached


def _outcomes(state: State, gamma: float, other: float) -> list[tuple[State, float]]:
    """The states that a reading can leave, each with its probability."""
    items, left = state
    total = sum(once for once, _, _ in items) + other * sum(left)
    outcomes = []
    for i, (once, shape, group) in enumerate(items):
        chosen = (*items[:i], *items[i + 1 :], (round(once + 1, 9), round(shape + gamma, 9), group))
        outcomes.append(((tuple(sorted(chosen)), left), once / total))
    for group, n in enumerate(left):
        if n > 0 and other > 0:
            chosen = tuple(sorted((*items, (round(other + 1, 9), round(other + gamma, 9), group))))
            fewer = (*left[:group], n - 1, *left[group + 1 :])
            outcomes.append(((chosen, fewer), n * other / total))
    return outcomes


def _measured(states: list[State], asked: Question, other: float) -> tuple[FloatArray, FloatArray]:
    """Need and worth of each state, by exact order statistics."""
    sizes = np.array([len(items) for items, _ in states])
    start = np.concatenate([[0], np.cumsum(sizes)]).astype(np.int64)
    n_labels = len(states[0][0]) + sum(states[0][1])
    label = np.arange(start[-1]) - np.repeat(start[:-1], sizes)
    shape = np.array([shape for items, _ in states for _, shape, _ in items])
    group = np.array([group for items, _ in states for _, _, group in items], np.int64)
    left = np.array([left for _, left in states], float)
    posterior = DirichletPosterior(Candidates(start, label.astype(np.int32), n_labels), shape, other)
    leads = posterior.top1
    slot = start[:-1] + posterior.best_set(1)[:, 0]
    cell = np.repeat(np.arange(len(states)), sizes) * asked.n_groups + group
    chosen = np.bincount(cell, leads.candidate, len(states) * asked.n_groups).reshape(len(states), -1)
    by_group: FloatArray = chosen + left * leads.other[:, None]
    ahead = shape == np.repeat(shape[slot], sizes)
    alike = np.bincount(cell, ahead, len(states) * asked.n_groups).reshape(len(states), -1)
    return asked.measure(leads.candidate[slot], alike / alike.sum(axis=1, keepdims=True), by_group)
