"""Which order of readings finds the leading label soonest: readings that a study has, revealed one by one."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np
import pandas as pd

from core.analysis.formatting import precise
from core.plausibility.aggregate import LABEL_COUNT_ALPHA
from core.plausibility.candidates import Candidates
from core.plausibility.dirichlet import DirichletPosterior
from core.progress import Progress
from core.study.model import FloatArray, IntArray, Readings, Study, Task
from core.study.seeds import case_seeds

BEGIN = 2
"""Readings of each case that are known from the start."""
STRATEGIES = ("random", "entropy", "certainty")
_SAID = {"random": "at random", "entropy": "by entropy", "certainty": "by certainty"}
_BATCHES = 40
"""About so many batches where nothing else is asked for."""


@dataclass(frozen=True, eq=False)
class Replay:
    """How soon each strategy finds the label that leads all readings.

    Attributes
    ----------
    curves : DataFrame
        ``strategy``, ``further_readings``, ``share`` of the cases whose leading label is that of all
        readings (mean over repeats), and its ``standard_error`` over repeats.
    areas : DataFrame
        ``strategy``; ``area``, the mean share over all budgets, and its ``standard_error``;
        ``over_random``, its mean difference to that of random in the same repeat, with
        ``over_random_error``; ``over_entropy`` and ``over_entropy_error`` likewise.
    batch : int
        Readings revealed at once.
    n_cases : int
        Cases with more readings than are known from the start.
    sentence : str
        The areas in words.
    """

    curves: pd.DataFrame
    areas: pd.DataFrame
    batch: int
    n_cases: int
    sentence: str


def replay(
    study: Study,
    task: Task,
    *,
    batch: int | None = None,
    most: int | None = None,
    repeats: int = 20,
    seed: int | None = None,
    progress: Progress | None = None,
) -> Replay:
    """Reveal a study's readings in the order that each strategy asks for them.

    Parameters
    ----------
    study, task : Study, Task
        Choices, more than `BEGIN` for some cases.
    batch : int, optional
        Readings revealed at once; a fortieth of all by default.
    most : int, optional
        Readings revealed in all; every one by default.
    repeats : int
        With other readings known from the start, and others next; the same for every strategy.
    seed : int, optional
        The study's by default.
    progress : callable, optional
        Called with the share done and what is being done.

    Raises
    ------
    ValueError
        For a task that is not of choices, one in which no case has more than `BEGIN` readings, and numbers
        below 1.

    Notes
    -----
    `BEGIN` readings of each case are known. A batch is one reading of each of the cases that a strategy puts
    first among those with any left, and a second where these are too few: "random" any; "entropy" the
    largest entropy of the mean share (c + α) / (n + αK), α = 0.5; "certainty" the smallest probability that
    the leading label leads, under label counts at γ = 1. Equal cases come in random order. Where labels lead
    alike, a case counts by the share of them that lead all readings too, so that every curve ends at 1.
    """
    if task.kind != "choice":
        raise ValueError(f"task must be of choices, got the {task.kind} task {task.name!r}")
    for name, value in (("batch", batch), ("most", most), ("repeats", repeats)):
        if value is not None and value < 1:
            raise ValueError(f"{name} must be 1 or more, got {value}")
    cases = np.flatnonzero(task.readings.per_case > BEGIN)
    if len(cases) == 0:
        raise ValueError(f"no case of task {task.name!r} has more than {BEGIN} readings to reveal")
    known = _Deck(task.readings.take_cases(cases), len(task.labels))
    total = known.n_hidden if most is None else min(most, known.n_hidden)
    size = min(batch or max(1, round(total / _BATCHES)), total)
    budgets = np.unique([*range(0, total, size), total])
    shares = np.empty((len(STRATEGIES), repeats, len(budgets)))
    certainty = _Certainty(len(task.labels))
    names = [f"{task.name}\0{repeat}" for repeat in range(repeats)]
    seeds = case_seeds(study.seed if seed is None else seed, names, "replay")
    for repeat in range(repeats):
        if progress is not None:
            progress(repeat / repeats, "revealing readings")
        order = known.shuffled(np.random.default_rng(int(seeds[repeat])))
        for place, strategy in enumerate(STRATEGIES):
            rng = np.random.default_rng([int(seeds[repeat]), place])
            shares[place, repeat] = _revealed(known, order, strategy, budgets, rng, certainty)
    return _replayed(shares, budgets, size, len(cases))


class _Deck:
    """The readings of all cases, each naming one of the few labels that its case ever gets."""

    def __init__(self, readings: Readings, n_labels: int) -> None:
        self.n_labels = n_labels
        self.number = readings.per_case
        self.start = readings.case_start
        self.case = readings.case
        keys, slot = np.unique(self.case.astype(np.int64) * n_labels + readings.label, return_inverse=True)
        first = np.searchsorted(keys // n_labels, np.arange(len(self.number)))
        self.slot = slot.reshape(-1) - first[self.case]
        self.width = int(self.slot.max()) + 1
        counts = np.zeros((len(self.number), self.width), np.int64)
        np.add.at(counts, (self.case, self.slot), 1)
        self.leads_all = counts == counts.max(axis=1, keepdims=True)

    @property
    def n_hidden(self) -> int:
        """Readings that are not known from the start."""
        return int(self.number.sum()) - BEGIN * len(self.number)

    def shuffled(self, rng: np.random.Generator) -> IntArray:
        """Slots of the readings in a random order within each case."""
        return self.slot[np.lexsort((rng.random(len(self.slot)), self.case))]


class _Certainty:
    """Certainty of the leading label by the counts of its case, each pattern of them worked out once."""

    def __init__(self, n_labels: int) -> None:
        self.n_labels = n_labels
        self._known: dict[tuple[int, ...], float] = {}

    def __call__(self, counts: IntArray) -> FloatArray:
        """Certainty of cases by the counts of their labels, with shape (n_cases, width)."""
        patterns = [tuple(n for n in row if n) for row in np.sort(counts, axis=1).tolist()]
        new = sorted(set(patterns) - self._known.keys())
        if new:
            start = np.concatenate([[0], np.cumsum([len(pattern) for pattern in new])]).astype(np.int64)
            label = np.concatenate([np.arange(len(pattern), dtype=np.int32) for pattern in new])
            shape = np.concatenate(new) + LABEL_COUNT_ALPHA
            of = DirichletPosterior(Candidates(start, label, self.n_labels), shape, LABEL_COUNT_ALPHA)
            self._known.update(zip(new, of.certainty(1).tolist(), strict=True))
        return np.array([self._known[pattern] for pattern in patterns])


def entropy_of_mean_share(counts: IntArray, n_labels: int) -> FloatArray:
    """Entropy of the mean share of each case, in nats, with shape (n_cases,).

    Parameters
    ----------
    counts : ndarray of int with shape (n_cases, width)
        Readings by label, for some of the labels; none names another.
    n_labels : int
        Number of labels, K.

    Notes
    -----
    −Σ_k s_k log s_k with s_k = (c_k + α) / (n + αK), α = 0.5, over all K labels.
    """
    total = counts.sum(axis=1, keepdims=True) + LABEL_COUNT_ALPHA * n_labels
    share, other = (counts + LABEL_COUNT_ALPHA) / total, LABEL_COUNT_ALPHA / total[:, 0]
    return -(share * np.log(share)).sum(axis=1) - (n_labels - counts.shape[1]) * other * np.log(other)


def _revealed(
    deck: _Deck,
    order: IntArray,
    strategy: str,
    budgets: IntArray,
    rng: np.random.Generator,
    certainty: _Certainty,
) -> FloatArray:
    """Share of the cases whose leading label is right at each budget, by one strategy."""
    need: dict[str, Callable[[IntArray], FloatArray]] = {
        "random": lambda counts: np.zeros(len(counts)),
        "entropy": lambda counts: entropy_of_mean_share(counts, deck.n_labels),
        "certainty": lambda counts: 1 - certainty(counts),
    }
    n_cases = len(deck.number)
    counts, seen = np.zeros((n_cases, deck.width), np.int64), np.full(n_cases, BEGIN)
    for reading in range(BEGIN):
        counts[np.arange(n_cases), order[deck.start[:-1] + reading]] += 1
    now, right = need[strategy](counts), _right(counts, deck.leads_all)
    shares = [right.mean()]
    for wanted in np.diff(budgets).tolist():
        missing = wanted
        while missing:
            left = np.flatnonzero(seen < deck.number)
            first = np.lexsort((rng.random(len(left)), -now[left]))[:missing]
            chosen = left[first]
            counts[chosen, order[deck.start[chosen] + seen[chosen]]] += 1
            seen[chosen] += 1
            now[chosen] = need[strategy](counts[chosen])
            right[chosen] = _right(counts[chosen], deck.leads_all[chosen])
            missing -= len(chosen)
        shares.append(right.mean())
    return np.array(shares)


def _right(counts: IntArray, leads_all: IntArray) -> FloatArray:
    """Of the labels that lead, the share that lead all readings too."""
    leads = counts == counts.max(axis=1, keepdims=True)
    return (leads & leads_all).sum(axis=1) / leads.sum(axis=1)


def _replayed(shares: FloatArray, budgets: IntArray, batch: int, n_cases: int) -> Replay:
    """Mean curves and areas of the repeats, with shape (n_strategies, n_repeats, n_budgets)."""
    weight = np.diff(budgets)
    area = ((shares[:, :, 1:] + shares[:, :, :-1]) / 2 * weight).sum(axis=2) / weight.sum()
    curves = pd.concat(
        [
            pd.DataFrame(
                {
                    "strategy": strategy,
                    "further_readings": budgets,
                    "share": of.mean(axis=0),
                    "standard_error": _error(of),
                }
            )
            for strategy, of in zip(STRATEGIES, shares, strict=True)
        ],
        ignore_index=True,
    )
    columns = {"strategy": STRATEGIES, "area": area.mean(axis=1), "standard_error": _error(area.T)}
    for place, other in enumerate(STRATEGIES[:2]):
        columns |= {
            f"over_{other}": (area - area[place]).mean(axis=1),
            f"over_{other}_error": _error((area - area[place]).T),
        }
    areas = pd.DataFrame(columns)
    return Replay(curves, areas, batch, n_cases, _sentence(areas, n_cases, int(budgets[-1])))


def _error(values: FloatArray) -> FloatArray:
    """Standard error of the mean over the first axis; NaN of one alone."""
    if len(values) < 2:
        return np.full(values.shape[1], np.nan)
    return values.std(axis=0, ddof=1) / np.sqrt(len(values))


def _sentence(areas: pd.DataFrame, n_cases: int, most: int) -> str:
    """Say the areas."""
    said = [
        f"{precise(area)} {_SAID[strategy]}"
        for strategy, area in zip(areas["strategy"], areas["area"], strict=True)
    ]
    return (
        f"The label that leads {n_cases:,} cases is that of all their readings, on average over budgets up "
        f"to {most:,} further readings, in {', '.join(said)}."
    )
