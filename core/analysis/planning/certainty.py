"""How many raters a case make the leading label as certain as wanted: by simulation.

Readings are drawn from assumed raters, or from what a study's own readings leave open, and aggregated as
usual.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from core.analysis.formatting import precise
from core.analysis.planning.raters_and_cases import (
    MARGIN,
    SIZES,
    Assumptions,
    Plan,
    cases_for,
    raters_in_words,
)
from core.analysis.raters.panel import Panel
from core.analysis.reliability.fit import best_reliability, predictive_curve
from core.metrics.estimate import mean_over_cases
from core.metrics.fineness.difficulty import WEIGHTS, accuracy_by_difficulty
from core.plausibility.aggregate import aggregate_readings
from core.plausibility.draws import LARGEST
from core.plausibility.posterior import Posterior
from core.plausibility.settings import Aggregation
from core.progress import Progress
from core.study.model import FloatArray, IntArray, Readings, Study, Task
from core.study.seeds import case_seeds
from core.study.simulation.readers import Assignment, draw_choices, draw_rankings

CERTAIN = 0.95
"""Certainty from which on a case counts as certain."""
SIMULATED_CASES = 1_000
DIFFERENTIAL_CASES = 300
"""Simulated cases of choices, and of differentials."""


def plan_certainty(
    assumptions: Assumptions,
    wanted: float,
    *,
    sizes: Sequence[int] = SIZES,
    n_cases: int = SIMULATED_CASES,
    reliability: float = 1.0,
    seed: int = 0,
    progress: Progress | None = None,
) -> Plan:
    """Find how many raters a case make the leading label as certain as wanted, under assumed raters.

    Parameters
    ----------
    assumptions : Assumptions
        Accuracy, difficulty, labels.
    wanted : float
        Mean annotation certainty in (0, 1).
    sizes : sequence of int
        Numbers of raters tried, ascending.
    n_cases : int
        Simulated cases.
    reliability : float
        γ of the label counts that the readings are aggregated by.
    seed : int
        Of the simulation.
    progress : callable, optional
        Called with the share done and what is being done.

    Returns
    -------
    Plan
        Table: ``n_raters``, ``certainty`` (mean over simulated cases), ``standard_error``, ``share_certain``
        (of cases with a certainty of `CERTAIN` or more), ``cases_needed`` to measure the mean within
        ± `MARGIN`.

    Notes
    -----
    Choices only, aggregated by label counts. All sizes share one simulation: 5 raters are the first 5 of 10.
    """
    rng = np.random.default_rng(seed)
    at = accuracy_by_difficulty(np.array([assumptions.accuracy]), assumptions.difficulty)[:, 0]
    right = rng.choice(at, size=n_cases, p=WEIGHTS)
    others = (1 - right) / (assumptions.n_labels - 1)
    shares = np.repeat(others[:, None], assumptions.n_labels, axis=1)
    shares[:, 0] = right
    aggregation = Aggregation("label-counts", reliability)
    readings = draw_choices(rng, _everyone(n_cases, max(sizes)), shares, np.ones(max(sizes)))
    labels = tuple(f"Label {k + 1}" for k in range(assumptions.n_labels))
    ids = tuple(str(i) for i in range(n_cases))
    task = Task("simulated", "choice", labels, readings)
    study = Study("simulated", ids, tuple(map(str, range(max(sizes)))), {task.name: task}, pd.DataFrame(), "")
    return _certainty_plan(study, task, aggregation, wanted, sizes, assumptions.source, progress)


def of_panel(panel: Panel) -> tuple[Study, Task]:
    """Return the study and task of a panel with its raters' readings of its cases alone, repeats included."""
    study, task = panel.study, panel.task
    place = {case_id: i for i, case_id in enumerate(study.case_ids)}
    codes = [i for i, rater in enumerate(study.rater_ids) if rater in set(panel.rater_ids)]
    readings = task.readings.take_cases([place[case_id] for case_id in panel.case_ids])
    readings = readings.keep(np.isin(readings.rater, codes))
    return replace(study, case_ids=panel.case_ids), replace(task, readings=readings, predictions={})


def plan_certainty_like(
    study: Study,
    task: Task,
    wanted: float,
    *,
    aggregation: Aggregation | None = None,
    sizes: Sequence[int] = SIZES,
    n_cases: int | None = None,
    progress: Progress | None = None,
) -> Plan:
    """Find how many raters a case make the leading label as certain as wanted, for cases like a study's.

    Parameters
    ----------
    study, task
        Choices or rankings; a plausibility of each case is drawn from what its readings leave open, and
        readers from that.
    wanted : float
        Mean annotation certainty in (0, 1).
    aggregation : Aggregation, optional
        Model and finite reliability that readings are aggregated by; by default label counts (choices) or
        Plackett–Luce (rankings) at γ = 1. Under PrIRN certainty does not grow with the number of raters: it
        knows their average only.
    sizes : sequence of int
        Numbers of raters tried, ascending.
    n_cases : int, optional
        Cases that are simulated, drawn from the study's; by default `SIMULATED_CASES`, or
        `DIFFERENTIAL_CASES` for rankings.
    progress : callable, optional
        Called with the share done and what is being done.

    Returns
    -------
    Plan
        As `plan_certainty`.

    Raises
    ------
    ValueError
        For a score task, a task without readings, or a model that answers with a point.

    Notes
    -----
    Plausibilities of choices are drawn at the reliability that predicts left-out readings best
    (`core.analysis.reliability.fit`): at γ = 1 the prior alone would make cases of many labels far too open.
    Those of rankings are drawn from the aggregating model.
    """
    chosen = counting_model(task) if aggregation is None else aggregation
    study, simulated = cases_like(study, task, chosen, n_raters=max(sizes), n_cases=n_cases)
    return _certainty_plan(study, simulated, chosen, wanted, sizes, f"fitted to {study.name}", progress)


def cases_like(
    study: Study, task: Task, chosen: Aggregation, *, n_raters: int, n_cases: int | None = None
) -> tuple[Study, Task]:
    """Simulate cases like a study's, each read by all of ``n_raters`` readers.

    Parameters
    ----------
    study, task, n_cases
        As in `plan_certainty_like`, which says how they are drawn.
    chosen : Aggregation
        The aggregating model.
    n_raters : int
        Readers; the readings of the first n are those that n readers would have given.

    Returns
    -------
    study, task : Study, Task
        With the simulated readings, and no predictions.
    """
    if task.kind == "score":
        raise ValueError(f"task must ask for labels (choice or ranking), got the score task {task.name!r}")
    if np.isinf(chosen.reliability):
        raise ValueError(f"the model must leave something open (finite reliability), got {chosen.model}")
    read = np.flatnonzero(task.readings.per_case > 0)
    if len(read) == 0:
        raise ValueError(f"task {task.name!r} must have readings to plan from, got none")
    most = (SIMULATED_CASES if task.kind == "choice" else DIFFERENTIAL_CASES) if n_cases is None else n_cases
    rng = np.random.default_rng(case_seeds(study.seed, [task.name], "planning"))
    cases = np.sort(rng.permutation(read)[:most])
    ids = tuple(study.case_ids[case] for case in cases)
    observed = replace(task, readings=task.readings.take_cases(cases), predictions={})
    posterior = aggregate_readings(
        study, task, _drawing_model(study, observed, chosen), observed.readings, ids
    )
    shares, label = _one_plausibility(rng, posterior, case_seeds(study.seed, ids, "planning"))
    draw = draw_choices if task.kind == "choice" else draw_rankings
    local = draw(rng, _everyone(len(cases), n_raters), shares, np.ones(n_raters))
    simulated = replace(observed, readings=_relabelled(local, label))
    return replace(study, case_ids=ids), simulated


def counting_model(task: Task) -> Aggregation:
    """Return the model in which every reading counts once, so that more raters make it more certain."""
    if task.kind == "ranking":
        return Aggregation("plackett-luce", 1.0, draws=400, warmup=200)
    return Aggregation("label-counts", 1.0)


def _drawing_model(study: Study, task: Task, chosen: Aggregation) -> Aggregation:
    """Return the model that plausibilities are drawn from."""
    if chosen.model != "label-counts" or task.readings.per_case.max() < 2:
        return chosen
    return chosen.at(best_reliability(predictive_curve(study, task, chosen)))


def _one_plausibility(
    rng: np.random.Generator, posterior: Posterior, seeds: NDArray[np.uint64]
) -> tuple[FloatArray, IntArray]:
    """Draw one plausibility of each case over its candidates and its largest unmentioned labels.

    Returns shares with shape (n_cases, m), rows summing to 1, and the distinct label codes that they are of.
    """
    draws = posterior.sample(1, seeds).draws
    candidates, first_shares = draws.candidates, draws.first_shares
    n_cases, n_labels = candidates.n_cases, candidates.n_labels
    width = min(n_labels, int(candidates.per_case.max(initial=0)) + LARGEST)
    share, label = np.zeros((n_cases, width)), np.empty((n_cases, width), np.int64)
    for case in range(n_cases):
        here = candidates.of_case(case)
        mentioned = candidates.label[here]
        others = rng.permutation(np.setdiff1d(np.arange(n_labels), mentioned))
        label[case] = np.concatenate([mentioned, others])[:width]
        n = len(mentioned)
        share[case, :n] = draws.value[here, 0]
        unmentioned = draws.rest[case, 0] * first_shares[case]
        share[case, n : n + LARGEST] = unmentioned[: width - n]
    return share / share.sum(axis=1, keepdims=True), label


def _everyone(n_cases: int, n_raters: int) -> Assignment:
    """Let every rater read every case."""
    return Assignment(
        case_start=np.arange(n_cases + 1, dtype=np.int64) * n_raters,
        rater=np.tile(np.arange(n_raters, dtype=np.int32), n_cases),
        rater_ids=tuple(str(rater) for rater in range(n_raters)),
    )


def _relabelled(readings: Readings, label: IntArray) -> Readings:
    """Readings whose labels count within ``label``, of shape (n_cases, m), with the task's own codes."""
    code = label[readings.case[readings.entry_reading], readings.label]
    order = np.lexsort((code, readings.block, readings.entry_reading))
    return replace(readings, label=code[order].astype(np.int32), block=readings.block[order].copy())


def _certainty_plan(
    study: Study,
    task: Task,
    aggregation: Aggregation,
    wanted: float,
    sizes: Sequence[int],
    source: str,
    progress: Progress | None,
) -> Plan:
    """Aggregate the first n readings of every simulated case, for each size n."""
    if not 0 < wanted < 1:
        raise ValueError(f"the wanted certainty must lie between 0 and 1, got {wanted}")
    rows = []
    for place, n in enumerate(sizes):
        if progress is not None:
            progress(place / len(sizes), f"{raters_in_words(n)} a case")
        readings = task.readings.keep(task.readings.rater < n)
        certainty = aggregate_readings(study, task, aggregation, readings, study.case_ids).certainty(1)
        mean = mean_over_cases(certainty)
        certain = float((certainty >= CERTAIN).mean())
        rows.append((n, mean.value, mean.standard_error, certain, cases_for(certainty.std(ddof=1))))
    columns = ["n_raters", "certainty", "standard_error", "share_certain", "cases_needed"]
    table = pd.DataFrame(rows, columns=columns)
    enough = _enough(table, table["certainty"], wanted)
    if enough is None:
        best = table.iloc[-1]
        sentence = (
            f"Even {raters_in_words(int(best['n_raters']))} a case make the leading label certain to "
            f"{precise(best['certainty'])} on average, not to {precise(wanted)} ({source})."
        )
        return Plan(None, None, sentence, table, _certainty_doubt(table, wanted))
    first = table[table["n_raters"] == enough].iloc[0]
    n, cases = enough, int(first["cases_needed"])
    sentence = (
        f"{raters_in_words(n)} a case make the leading label certain to {precise(first['certainty'])} "
        f"on average; {cases:,} cases measure that within ± {precise(MARGIN)} ({source})."
    )
    return Plan(n, cases, sentence, table, _certainty_doubt(table, wanted))


def _enough(table: pd.DataFrame, certainty: pd.Series, wanted: float) -> int | None:
    """Fewest raters from which on all numbers are enough: an odd number may be more certain than one more."""
    enough = table.loc[(certainty >= wanted)[::-1].cummin()[::-1], "n_raters"]
    return int(enough.iloc[0]) if len(enough) else None


def _certainty_doubt(table: pd.DataFrame, wanted: float) -> str:
    """Say what the simulation leaves open."""
    error = 1.96 * table["standard_error"]
    fewest, most = (_enough(table, table["certainty"] + sign * error, wanted) for sign in (1, -1))
    words = "With other cases like these (95 % interval of the mean over simulated cases)"
    if fewest is None:
        return f"{words}, no number up to {table['n_raters'].iloc[-1]} would be enough either."
    if fewest == most:
        return f"{words}, the answer is the same."
    last = f"more than {table['n_raters'].iloc[-1]} raters" if most is None else raters_in_words(most)
    return f"{words}, the answer lies between {fewest} and {last}."
