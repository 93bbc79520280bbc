"""Which cases to read again: so many further readings, spent where they are called for most."""

from __future__ import annotations

import heapq
from collections.abc import Callable
from dataclasses import dataclass

import numpy as np
import pandas as pd
from scipy.special import ndtr
from scipy.stats import hypergeom

from core.analysis.planning.further_readings import PURPOSE, Outlook, outlook
from core.analysis.planning.questions import Question, question
from core.analysis.planning.settings import BudgetSettings, Order
from core.plausibility.settings import MODELS, Aggregation
from core.progress import Progress
from core.study.brief import number_of
from core.study.model import IntArray, Study, Task
from core.study.seeds import case_seeds

MOST_POINTS = 16
"""Places at which the curves are given."""
_LITTLE = 5e-4
"""Less than this is not seen in a percentage with one decimal."""
_WORTH = {
    "certainty": "certainty of the leading label",
    "risk": "certainty of the leading label's risk",
    "models": "probability that the better model is known",
}
_CASES = {
    "certainty": "the {} least certain cases",
    "risk": "the {} cases with most risk at stake",
    "models": "the {} cases that decide most between the models",
}
_ONE_CASE = {
    "certainty": "the least certain case",
    "risk": "the case with most risk at stake",
    "models": "the case that decides most between the models",
}


@dataclass(frozen=True, eq=False)
class Budget:
    """Which cases to read again, and what that is expected to be worth.

    Attributes
    ----------
    readings : int
        Further readings: as many as were asked for, or all that the cap leaves room for.
    n_cases : int
        Cases that they are of.
    as_many_at_random : int
        So many spread at random are worth as much.
    sentence : str
        The answer in words.
    notes : tuple of str
        What it rests on.
    worth : str
        What the curves show, in words.
    curve : DataFrame
        ``further_readings``; ``chosen`` and ``random``: what they are expected to be worth when spent in the
        order chosen and at random, as a share in [0, 1].
    cases : DataFrame
        One row a case to read, in the order in which they are called for: ``case_id``,
        ``further_readings``, ``readings`` it has, ``need`` (0 to 1: what it is chosen by),
        ``need_then``, what of it these readings are expected to leave, ``now`` and
        ``expected``, its certainty without and with these readings (for "models" what they leave open, the
        variance), and ``gain``, by how much the first of them alone changes it.
    aggregation : Aggregation
        The model planned with.
    """

    readings: int
    n_cases: int
    as_many_at_random: int
    sentence: str
    notes: tuple[str, ...]
    worth: str
    curve: pd.DataFrame
    cases: pd.DataFrame
    aggregation: Aggregation


def plan_budget(
    study: Study,
    task: Task,
    settings: BudgetSettings,
    *,
    aggregation: Aggregation | None = None,
    progress: Progress | None = None,
) -> Budget:
    """Choose the cases that further readings are to be of.

    Parameters
    ----------
    study, task : Study, Task
        Choices or rankings.
    settings : BudgetSettings
        How many readings, for what, and how many a case at most.
    aggregation : Aggregation, optional
        See `core.analysis.planning.further_readings.planning_model`.
    progress : callable, optional
        Called with the share done and what is being done.

    Raises
    ------
    ValueError
        Where the task lacks what the order needs; see also `outlook`.

    Notes
    -----
    Readings are given out one by one, each to the case that calls for one most, given what the readings that
    it already has been given are expected to leave open. What they will say is not known yet: whoever plans
    again after each batch does better. Readings at random fall on any case that still has room, all
    equally likely: the number of a case is hypergeometric, so that their worth is exact too. Cases that call
    for a reading alike are put in an order by the study's seed.
    """
    models = settings.between or task.probability_models[:2]
    asked = question(task, settings.order, (models[0], models[1]) if len(models) == 2 else None)
    known = outlook(study, task, asked, most=settings.most_each, aggregation=aggregation, progress=progress)
    given = _given_out(known, case_seeds(study.seed, [study.case_ids[i] for i in known.cases], PURPOSE))
    chosen, at_random = _worths(known, asked, given)
    n, room = min(settings.readings, len(given)), known.n_read * known.most
    equal = _as_many_at_random(at_random, chosen(n), room)
    places = np.unique([*np.linspace(0, max(n, equal), MOST_POINTS).round().astype(int).tolist(), n, equal])
    curve = pd.DataFrame(
        {
            "further_readings": places,
            "chosen": [chosen(min(place, len(given))) for place in places.tolist()],
            "random": [at_random(place) for place in places.tolist()],
        }
    )
    cases = _case_table(study, task, known, given[:n])
    return Budget(
        readings=n,
        n_cases=len(cases),
        as_many_at_random=equal,
        sentence=_sentence(
            settings.order, (n, len(cases), equal), (chosen(0), chosen(n), at_random(n)), room
        ),
        notes=_notes(task, settings, known, tuple(models), aggregation),
        worth=_WORTH[settings.order],
        curve=curve,
        cases=cases,
        aggregation=known.aggregation,
    )


def _given_out(known: Outlook, seeds: np.ndarray) -> IntArray:
    """Row of the case that each reading is given to, until every case has as many as it may have."""
    waiting = [
        (-need, int(seed), row) for row, (need, seed) in enumerate(zip(known.need[:, 0], seeds, strict=True))
    ]
    heapq.heapify(waiting)
    has = np.zeros(len(known.cases), np.int64)
    given = np.empty(len(known.cases) * known.most, np.int64)
    for place in range(len(given)):
        _, seed, row = waiting[0]
        given[place] = row
        has[row] += 1
        if has[row] < known.most:
            heapq.heapreplace(waiting, (-known.need[row, has[row]], seed, row))
        else:
            heapq.heappop(waiting)
    return given


def _worths(
    known: Outlook, asked: Question, given: IntArray
) -> tuple[Callable[[int], float], Callable[[int], float]]:
    """Expected worth of n readings in the order given, and at random."""
    has = _rank_within(given)
    steps = known.worth[given, has + 1] - known.worth[given, has]
    total = known.worth[:, 0].sum() + np.concatenate([[0.0], np.cumsum(steps)])
    by_number = known.worth.sum(axis=0)
    numbers = np.arange(known.most + 1)

    def random_total(n: int) -> float:
        return float(hypergeom(known.n_read * known.most, known.most, n).pmf(numbers) @ by_number)

    if asked.order != "models":
        n_cases = len(known.cases)
        return (lambda n: float(total[n]) / n_cases), (lambda n: random_total(n) / n_cases)
    lead, variance = _lead(known, asked), float(by_number[0])
    return (
        lambda n: probability_of_the_better(lead, variance, float(total[n])),
        lambda n: probability_of_the_better(lead, variance, random_total(n)),
    )


def _rank_within(given: IntArray) -> IntArray:
    """How often each entry came before."""
    order = np.argsort(given, kind="stable")
    counts = np.bincount(given)
    rank = np.empty(len(given), np.int64)
    rank[order] = np.arange(len(given)) - np.repeat(np.cumsum(counts) - counts, counts)
    return rank


def _lead(known: Outlook, asked: Question) -> float:
    """Expected number of cases in which the first model is right and the second is not, less the reverse."""
    assert asked.first_labels is not None
    slots = known.posterior.candidates.locate(asked.first_labels)
    first, second = known.posterior.top1.at(slots)[known.cases].T
    return float((first - second).sum())


def probability_of_the_better(lead: float, variance: float, left: float) -> float:
    """Expected probability that the model which leads after further readings is the better one.

    Parameters
    ----------
    lead : float
        Expected number of cases by which one model is ahead.
    variance : float
        Of that number, over what the readings of now leave open.
    left : float
        What is expected to be left of the variance after further readings.

    Returns
    -------
    float
        In [0.5, 1].

    Notes
    -----
    The number of cases is a sum over independent cases, taken for normal. Its expectation after the readings
    is N(lead, variance − left), and the leader is then the better one with probability Φ(|·| / √left).
    """
    left = min(left, variance)
    if left <= 0:
        return 0.5 if lead == 0 and variance <= 0 else 1.0
    spread = np.sqrt(variance - left)
    node = np.linspace(-8, 8, 4001)
    weight = np.exp(-(node**2) / 2)
    later = np.abs(lead + spread * node)
    return float(weight @ ndtr(later / np.sqrt(left)) / weight.sum())


def _as_many_at_random(at_random: Callable[[int], float], wanted: float, most: int) -> int:
    """Fewest readings at random that are worth as much, or all there are room for."""
    low, high = 0, most
    while low < high:
        middle = (low + high) // 2
        if at_random(middle) >= wanted - 1e-12:
            high = middle
        else:
            low = middle + 1
    return low


def _case_table(study: Study, task: Task, known: Outlook, given: IntArray) -> pd.DataFrame:
    """The cases in the order of their first reading."""
    rows, first, number = np.unique(given, return_index=True, return_counts=True)
    order = np.argsort(first)
    rows, number = rows[order], number[order]
    cases = known.cases[rows]
    return pd.DataFrame(
        {
            "case_id": np.array(study.case_ids, object)[cases],
            "further_readings": number,
            "readings": task.readings.per_case[cases],
            "need": known.need[rows, 0],
            "need_then": known.need[rows, number],
            "now": known.worth[rows, 0],
            "expected": known.worth[rows, number],
            "gain": np.abs(known.worth[rows, 1] - known.worth[rows, 0]).round(12),
        }
    )


def _sentence(
    order: Order, numbers: tuple[int, int, int], worth: tuple[float, float, float], room: int
) -> str:
    """Say what the readings are expected to be worth, and how many at random are worth as much."""
    (n, n_cases, equal), (now, chosen, random) = numbers, worth
    which = _ONE_CASE[order] if n_cases == 1 else _CASES[order].format(f"{n_cases:,}")
    said, verb = f"{number_of(n, 'further reading')} of {which}", "is" if n == 1 else "are"
    if chosen - now < _LITTLE:
        return f"{said} {verb} not expected to change the {_WORTH[order]}, {_share(now)}."
    if equal < n:
        said += f" {verb} worth no more than {equal:,} spread at random"
    elif equal == room:
        said += f" {verb} worth as much as all {room:,} that there is room for"
    else:
        said += f" {verb} worth as much as {equal:,} spread at random"
    return (
        f"{said}: the {_WORTH[order]}, {_share(now)} now, is expected to become {_share(chosen)}, and "
        f"{_share(random)} with {n:,} at random."
    )


def _share(share: float) -> str:
    """Write a share as a percentage with one decimal."""
    return f"{100 * share:.1f} %"


def _notes(
    task: Task,
    settings: BudgetSettings,
    known: Outlook,
    models: tuple[str, ...],
    wanted: Aggregation | None,
) -> tuple[str, ...]:
    """Say what the answer rests on."""
    used, room, notes = known.aggregation, len(known.cases) * known.most, []
    if wanted is not None and used != wanted:
        notes.append(
            f"Planned with {MODELS[used.model].title} at γ = {used.reliability:g}: under the model chosen, "
            "further readings leave nothing open, or count no more than few."
        )
    if settings.readings > room:
        notes.append(
            f"With at most {known.most:,} more for each of {number_of(len(known.cases), 'case')}, there is "
            f"room for {room:,} of the {settings.readings:,} readings."
        )
    unread = task.readings.n_cases - known.n_read
    if unread:
        notes.append(f"Left out: {number_of(unread, 'case')} without a reading to plan from.")
    if settings.order == "models":
        notes.append(
            f"{models[0]} against {models[1]}: whose most probable label is the leading one. They differ in "
            f"{len(known.cases):,} of {number_of(known.n_read, 'case')} that were read."
        )
    return tuple(notes)
