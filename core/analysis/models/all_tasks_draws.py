"""How sure the order of models is in every task and on average over tasks, and how far models differ."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace

import numpy as np
import pandas as pd

from core.analysis.models.best import best_table, pair_table
from core.analysis.models.comparison import Comparison, comparison
from core.analysis.models.intervals import LESS
from core.analysis.models.meter import ADJUSTED, METRICS, divided
from core.analysis.models.rank_change import UNDEFINED
from core.analysis.models.resampling import Stability, mean_of
from core.analysis.models.settings import RATER_SOURCES, ComparisonSettings
from core.analysis.models.stability import stability
from core.metrics.holm import holm
from core.plausibility.settings import AggregationChoice
from core.progress import Progress
from core.study.brief import tables_in_brief
from core.study.model import FloatArray, IntArray, Study, Task

AVERAGE = ""
"""Stands for a task where a row is of the average over all of them."""
CLAIMED = ("cases", "all")
"""Sources of which differences are told: other cases and, where they are drawn, other raters with them."""
SAME_CASES = "the tasks do not judge models on the same cases, so no draw is one of all of them"
_FEW = f"{LESS}: the rarer side"
DIFFERENCES = [
    "task", "positive", "source", "metric", "model_a", "model_b", "value_a", "value_b", "difference", "low",
    "high", "p", "p_holm", "n_comparisons", "interval_of", "caution", "n_draws",
]  # fmt: skip


@dataclass(frozen=True, eq=False)
class TasksDrawn:
    """How sure the order of models is in every task.

    Attributes
    ----------
    tables : mapping of str to DataFrame
        ``all_tasks_best``: `core.analysis.models.best.best_table` with ``task``, `AVERAGE` for that over all
        tasks. ``all_tasks_differences``: see `all_tasks_drawn`.
    refused : mapping of str to str
        Tasks whose models cannot be compared, with the reason.
    no_average : str
        Why nothing is said of the average over tasks; empty where it is.
    n_draws : int
        Of truths and cases.
    """

    tables: Mapping[str, pd.DataFrame]
    refused: Mapping[str, str]
    no_average: str
    n_draws: int

    __repr__ = tables_in_brief


def predicted_tasks(study: Study) -> list[Task]:
    """Tasks that models by themselves predict."""
    return [task for task in study.tasks.values() if task.predictions]


def all_tasks_drawn(
    study: Study,
    chosen: AggregationChoice | None = None,
    settings: ComparisonSettings = ComparisonSettings(),  # noqa: B008 - frozen
    *,
    metrics: Sequence[str] = (*METRICS, ADJUSTED),
    progress: Progress | None = None,
) -> TasksDrawn:
    """Draw truths and cases for the models of every task that has predictions.

    Parameters
    ----------
    study : Study
        What was observed.
    chosen : AggregationChoice, optional
        Aggregation model; what is recommended for each task by default.
    settings : ComparisonSettings
        What the comparison rests on.
    metrics : sequence of str
        Any of `METRICS` and `ADJUSTED`, which alone depends on the aggregation model unless truths are drawn
        from it.
    progress : callable, optional
        Called with the share done, and the task.

    Returns
    -------
    TasksDrawn
        ``all_tasks_differences`` has one row a source (`CLAIMED`), metric, task and pair of models: ``task``
        (`AVERAGE` for that over all tasks) and its ``positive`` label; ``source``, ``metric``; ``model_a``,
        ``model_b``, their values ``value_a`` and ``value_b``, and their ``difference``; ``low`` and ``high``,
        the ends of its 95 % interval, and ``interval_of``; ``p``, two-sided, of no difference; ``p_holm``,
        corrected for the ``n_comparisons`` pairs of all tasks with this source and metric (of averages, for
        the pairs of these); ``caution``, why the interval may hold the truth less often, and then there is no
        p; ``n_draws``.

    Raises
    ------
    ValueError
        Where the models of no task can be compared.

    Notes
    -----
    For p see `core.analysis.models.intervals.difference_intervals`. Corrected after Holm 1979, whatever
    depends on what, so of all differences of one metric with ``p_holm`` below 0.05, in all tasks, none is
    wrong with a probability of 95 %. Metrics and their counterparts are corrected apart.

    Of the average over tasks something is said where all tasks judge models on the same cases: then a draw
    has the same cases, and of them the same readings, in all tasks. Plausible truths are drawn task by task.
    The degrees of freedom of its Student's t are the harmonic mean of those of the tasks, by their shares of
    the variance: those of each where all tasks are one, and fewer than Satterthwaite's of 1946 where tasks
    have nothing to do with one another. Draws of raters are averaged where the same ones read for all tasks.
    """
    tasks = predicted_tasks(study)
    found: dict[str, tuple[Comparison, Stability]] = {}
    refused = {}
    for place, task in enumerate(tasks):
        part = _part(progress, place, len(tasks))
        try:
            found[task.name] = _of_task(study, task, chosen, settings, metrics, part)
        except ValueError as error:
            refused[task.name] = str(error)
    if not found:
        raise ValueError(none_compared(refused))
    no_average, average = SAME_CASES, None
    if len({of.cases.tobytes() for of, _ in found.values()}) == 1:
        raters = {_raters(of).tobytes() for of, _ in found.values()}
        average = average_of_tasks([of for _, of in found.values()], same_raters=len(raters) == 1)
        no_average = "" if average else "no metric has a value for two models in all tasks"
    best: list[pd.DataFrame] = []
    differences: list[pd.DataFrame] = []
    for name, positive, of in _each(found, average):
        tables = best_table(of), pair_table(of)
        for table, gathered in zip(tables, (best, differences), strict=True):
            table.insert(0, "task", name)
            table.insert(1, "positive", positive)
            gathered.append(table)
        differences[-1] = _once(differences[-1], of)
    tables_found = {"all_tasks_best": pd.concat(best, ignore_index=True)}
    tables_found["all_tasks_differences"] = _corrected(pd.concat(differences, ignore_index=True))
    for table in tables_found.values():
        few = (table["task"] == AVERAGE) & table["caution"].str.startswith(_FEW)
        table.loc[few, "caution"] = f"{LESS}: tasks with few cases on the rarer side make most of its scatter"
    return TasksDrawn(tables_found, refused, no_average, settings.n_draws)


def none_compared(refused: Mapping[str, str]) -> str:
    """Say why the models of no task can be compared."""
    why = "; ".join(f"{name}: {reason}" for name, reason in refused.items())
    return f"the models of no task can be compared: {why or 'no task has predictions'}"


def _part(progress: Progress | None, place: int, n_tasks: int) -> Progress | None:
    """Progress of one of the tasks."""
    if progress is None:
        return None
    return lambda share, what: progress((place + share) / n_tasks, what)


def _of_task(
    study: Study,
    task: Task,
    chosen: AggregationChoice | None,
    settings: ComparisonSettings,
    metrics: Sequence[str],
    progress: Progress | None,
) -> tuple[Comparison, Stability]:
    """Draw metrics of one task."""
    if progress is not None:
        progress(0.0, task.name)
    aggregation = (chosen or AggregationChoice()).for_task(task)
    compared = comparison(study, task, label=settings.label, coverage=settings.coverage)
    drawn = stability(
        study,
        task,
        settings,
        metrics=metrics,
        sources=settings.sources,
        aggregation=aggregation,
        progress=None if progress is None else lambda share, _: progress(share, task.name),
    )
    return compared, drawn


def _each(
    found: Mapping[str, tuple[Comparison, Stability]], average: Stability | None
) -> Iterator[tuple[str, str, Stability]]:
    """Name, positive label and draws of each task and last of their average."""
    for name, (compared, of) in found.items():
        yield name, compared.label, of
    if average is not None:
        yield AVERAGE, "", average


def average_of_tasks(stable: list[Stability], *, same_raters: bool = False) -> Stability | None:
    """Average the draws of several tasks over the same cases.

    Parameters
    ----------
    stable : list of Stability
        Of each task; the draws of any number belong together.
    same_raters : bool
        Whether the same raters read for all of them, so that draws of raters belong together too.

    Returns
    -------
    Stability or None
        Of the models of all tasks, and of the metrics that two of them have in every task; None where there
        is none. What is lost by drawing anew is the mean square of what the tasks lose.
    """
    models = tuple(model for model in stable[0].models if all(model in of.models for of in stable))
    parts = [_of_models(of, models) for of in stable]
    means = {
        metric: np.mean([of.observed[metric] for of in parts], axis=0)
        for metric in parts[0].observed
        if all(metric in of.observed for of in parts)
    }
    observed = {metric: value for metric, value in means.items() if (~np.isnan(value)).sum() > 1}
    if not observed:
        return None
    drawn = {
        (source, metric): np.mean([_drawn(of, source, metric, i) for i, of in enumerate(parts)], axis=0)
        for source, metric in parts[0].drawn
        if metric in observed and (same_raters or source not in RATER_SOURCES)
    }
    for (_, metric), values in drawn.items():
        values[:, np.isnan(observed[metric])] = np.nan
    return replace(
        parts[0],
        observed=observed,
        drawn=drawn,
        left_out={
            metric: {model: UNDEFINED for model, of in zip(models, value, strict=True) if np.isnan(of)}
            for metric, value in observed.items()
        },
        refused={},
        lost=float(np.sqrt(np.mean([of.lost**2 for of in parts]))),
        read_again={
            metric: np.mean([of.read_again[metric] for of in parts], axis=0)
            for metric in observed
            if metric in parts[0].read_again
        },
        rarer={metric: _rarer(parts, metric) for metric in observed},
    )


def _raters(compared: Comparison) -> IntArray:
    """Who read the compared cases."""
    return np.unique(compared.task.readings.take_cases(compared.cases).rater)


def _of_models(of: Stability, models: tuple[str, ...]) -> Stability:
    """Keep some models, in their order."""
    at = [of.models.index(model) for model in models]
    return replace(
        of,
        models=models,
        observed={metric: value[at] for metric, value in of.observed.items()},
        drawn={key: values[:, at] for key, values in of.drawn.items()},
        read_again={metric: values[:, at] for metric, values in of.read_again.items()},
        rarer={metric: value[at] for metric, value in of.rarer.items()},
    )


def _drawn(of: Stability, source: str, metric: str, place: int) -> FloatArray:
    """Draws of a task, to be averaged with those of others.

    The same random numbers make the plausible truths of a case in all tasks; those of other draws have
    nothing to do with one another.
    """
    values = of.drawn[source, metric]
    apart = source == "annotations" and of.annotations == "plausibility"
    return np.roll(values, place, axis=0) if apart else values


def _rarer(parts: list[Stability], metric: str) -> FloatArray:
    """Cases on the rarer side that the average over tasks amounts to, by what each adds to its variance."""
    variance = np.array([_variance(of.drawn["cases", metric]) for of in parts])
    below = variance / np.array([np.maximum(of.rarer[metric] - 1, 1.0) for of in parts])
    return 1 + divided(variance.sum(axis=0), below.sum(axis=0))


def _variance(values: FloatArray) -> FloatArray:
    """Mean square about the mean, over the draws."""
    return mean_of(np.square(values - mean_of(values)))


def _once(pairs: pd.DataFrame, of: Stability) -> pd.DataFrame:
    """Each pair of models once, in the study's order, with both values, of what is claimed."""
    place = {model: i for i, model in enumerate(of.models)}
    a, b = (pairs[f"model_{side}"].map(place) for side in "ab")
    kept = pairs[(a < b) & pairs["source"].isin(CLAIMED) & pairs["difference"].notna()].copy()
    for side in "ab":
        at = zip(kept["metric"], kept[f"model_{side}"], strict=True)
        kept[f"value_{side}"] = np.array([of.observed[metric][place[m]] for metric, m in at], np.float64)
    return kept


def _corrected(differences: pd.DataFrame) -> pd.DataFrame:
    """Correct the p-values of each source and metric for all pairs of all tasks, those of averages apart."""
    family = differences.groupby(["source", "metric", differences["task"] == AVERAGE], sort=False)["p"]
    differences["p_holm"] = family.transform(lambda p: holm(p.to_numpy(np.float64)))
    differences["n_comparisons"] = family.transform("count").astype(np.int64)
    return differences[DIFFERENCES]
