"""All tasks of a study at a glance: every model, task and metric, hard beside soft, and their averages."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

import numpy as np
import pandas as pd

from core.analysis.export import provenance
from core.analysis.methods_text import Paragraph, of_data
from core.analysis.models.all_tasks_draws import TasksDrawn, none_compared, predicted_tasks
from core.analysis.models.all_tasks_words import drawn_sentences, most_changed
from core.analysis.models.comparison import comparison
from core.analysis.models.methods import of_comparison
from core.analysis.models.rank_change import LOSSES, rank_agreement, rank_change
from core.analysis.models.settings import ComparisonSettings
from core.analysis.reliability.methods import of_aggregation
from core.analysis.reliability.sampling import convergence_of
from core.analysis.reliability.words import states_confidence
from core.analysis.report_files import Output, records, write_report
from core.metrics.rank_correlation import shared_ranks
from core.plausibility.settings import Aggregation, AggregationChoice
from core.progress import Progress
from core.settings import entries
from core.study.brief import tables_in_brief
from core.study.model import Study

_KEYS = ["metric", "counterpart", "model"]


@dataclass(frozen=True, eq=False)
class AllTasks:
    """All tasks compared.

    Attributes
    ----------
    tables : mapping of str to DataFrame
        ``all_tasks`` (`rank_change` with the ``task`` and its ``positive`` label), ``all_tasks_macro`` (the
        plain averages over tasks, with ranks), ``all_tasks_agreement`` (`rank_agreement` with the ``task``).
    settings : mapping of str to str
        What made them.
    refused : mapping of str to str
        Tasks whose models cannot be compared, with the reason.
    sentence : str
        What changes most.
    methods : tuple of Paragraph
        What was done, in words, as `core.analysis.methods_text` writes it.
    """

    tables: Mapping[str, pd.DataFrame]
    settings: Mapping[str, str]
    refused: Mapping[str, str]
    sentence: str
    methods: tuple[Paragraph, ...] = ()

    __repr__ = tables_in_brief


def all_tasks(
    study: Study,
    chosen: AggregationChoice | None = None,
    settings: ComparisonSettings = ComparisonSettings(),  # noqa: B008 - frozen
    *,
    progress: Progress | None = None,
) -> AllTasks:
    """Measure the models of every task that has predictions.

    Parameters
    ----------
    study : Study
        What was observed.
    chosen : AggregationChoice, optional
        Aggregation model; what is recommended for each task by default.
    settings : ComparisonSettings
        What the comparison rests on.
    progress : callable, optional
        Called with the share done, and the task.

    Returns
    -------
    AllTasks

    Raises
    ------
    ValueError
        Where the models of no task can be compared.

    Notes
    -----
    Averages over tasks are plain means ("macro"), as in Lionetti 2025, table 4: each task counts as much as
    any other. A model has one where all tasks define both its values.
    """
    tasks = predicted_tasks(study)
    found, agreement, refused = [], [], {}
    aggregated: dict[str, dict[str, str]] = {}
    measured: dict[str, Aggregation] = {}
    for place, task in enumerate(tasks):
        if progress is not None:
            progress(place / len(tasks), task.name)
        try:
            aggregation = (chosen or AggregationChoice()).for_task(task)
            compared = comparison(study, task, label=settings.label, coverage=settings.coverage)
            metrics = rank_change(study, task, settings, aggregation=aggregation)
        except ValueError as error:
            refused[task.name] = str(error)
            continue
        aggregated[task.name], measured[task.name] = provenance(study, task, aggregation), aggregation
        metrics.insert(0, "task", task.name)
        metrics.insert(1, "positive", compared.label)
        found.append(metrics)
        agreed = rank_agreement(metrics)
        agreed.insert(0, "task", task.name)
        agreement.append(agreed)
    if not found:
        raise ValueError(none_compared(refused))
    table = pd.concat(found, ignore_index=True)
    tables = {
        "all_tasks": table,
        "all_tasks_macro": macro_averages(table),
        "all_tasks_agreement": pd.concat(agreement, ignore_index=True),
    }
    made = _in_common(aggregated) | entries(settings)
    methods = _methods(study, measured, settings)
    return AllTasks(tables, made, refused, most_changed(table), methods)


def _methods(
    study: Study, measured: Mapping[str, Aggregation], settings: ComparisonSettings
) -> tuple[Paragraph, ...]:
    """Say what was done, each way of aggregating once, with the draws of all tasks that have it."""
    tasks = {name: study.tasks[name] for name in measured}
    aggregated = []
    for aggregation in dict.fromkeys(measured.values()):
        own = [tasks[name] for name, of in measured.items() if of == aggregation]
        found = pd.DataFrame([convergence_of(study, task, aggregation) for task in own])
        worst = {"worst_rhat": "max", "smallest_ess": "min", "share_above_limit": "mean"}
        convergence = {name: float(found[name].agg(how)) for name, how in worst.items()} if found.size else {}
        stated = next((task for task in own if states_confidence(task)), own[0])
        aggregated.append(of_aggregation(aggregation, convergence, task=stated))
    return of_data(study, *tasks.values()), *aggregated, of_comparison(settings, all_tasks=True)


def _in_common(made: Mapping[str, Mapping[str, str]]) -> dict[str, str]:
    """What made the tables: what all tasks have in common once, what differs task by task."""
    found = {}
    for name in dict.fromkeys(name for of in made.values() for name in of):
        values = {task: of[name] for task, of in made.items() if name in of}
        same = len(values) == len(made) and len(set(values.values())) == 1
        found[name] = (
            next(iter(values.values()))
            if same
            else "; ".join(f"{task}: {value}" for task, value in values.items())
        )
    return found | {"task": f"all that can be compared: {', '.join(made)}"}


def macro_averages(table: pd.DataFrame) -> pd.DataFrame:
    """Average every metric of every model over the tasks, and rank the models both ways.

    Parameters
    ----------
    table : DataFrame
        ``task``, ``metric``, ``counterpart``, ``model``, ``hard``, ``soft``.

    Returns
    -------
    DataFrame
        One row a metric and model: ``metric``, ``counterpart``, ``model``; ``n_tasks`` that define both
        values; ``hard`` and ``soft``, the means over tasks, NaN unless all tasks define both; ``hard_rank``,
        ``soft_rank`` and ``rank_change``, ranks gained with the counterpart.
    """
    n_tasks = table["task"].nunique()
    defined = table.assign(defined=table[["hard", "soft"]].notna().all(axis=1))
    macro = (
        defined.groupby(_KEYS, sort=False)
        .agg(n_tasks=("defined", "sum"), hard=("hard", "mean"), soft=("soft", "mean"))
        .reset_index()
    )
    macro.loc[macro["n_tasks"] < n_tasks, ["hard", "soft"]] = np.nan
    for side in ("hard", "soft"):
        ranks = [
            pd.Series(
                shared_ranks(of[side].to_numpy(), larger_is_better=metric not in LOSSES), index=of.index
            )
            for metric, of in macro.groupby("metric", sort=False)
        ]
        macro[f"{side}_rank"] = pd.concat(ranks)
    macro["rank_change"] = macro["hard_rank"] - macro["soft_rank"]
    return macro.astype(dict.fromkeys(["hard_rank", "soft_rank", "rank_change"], "Int64"))


def write_all_tasks(result: AllTasks, drawn: TasksDrawn, to: Output) -> list[Path]:
    """Write each table as CSV, and settings with the averages as ``all_tasks.json``; return the paths."""
    content = {
        "refused": dict(result.refused),
        "no_draws_of_averages": drawn.no_average,
        "sentences": [result.sentence, *drawn_sentences(drawn)],
        "macro": records("all_tasks", "all_tasks_macro", result.tables["all_tasks_macro"]),
    }
    tables = {**result.tables, **drawn.tables}
    return write_report(to, "all_tasks", tables, result.settings, content, methods=result.methods)
