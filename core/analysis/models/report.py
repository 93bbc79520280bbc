"""A whole comparison of models as tables, the ones that the page shows, for the command and for papers."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from pathlib import Path

import pandas as pd

from core.analysis.export import provenance
from core.analysis.methods_text import Paragraph, of_data
from core.analysis.models.deciding import deciding_cases
from core.analysis.models.meter import METRICS
from core.analysis.models.methods import of_comparison, of_slices
from core.analysis.models.settings import ComparisonSettings, SliceSettings
from core.analysis.models.slice_differences import slice_differences, slice_summary
from core.analysis.models.slices import slice_metrics
from core.analysis.models.stability_averages import AVERAGES
from core.analysis.models.tables import measured, resampled
from core.analysis.reliability.methods import of_aggregation
from core.analysis.reliability.sampling import convergence_of
from core.analysis.report_files import Output, find_task, records, write_report
from core.plausibility.settings import AggregationChoice
from core.progress import Progress
from core.settings import entries
from core.study.brief import tables_in_brief
from core.study.model import Study

PUBLISHED_TEST = (
    "one-sided sign test over draws (Lionetti 2025, app. C): it falls with the number of draws whatever the "
    "data, so it does not say how sure a difference is; share_better does"
)
"""Goes with every table of a comparison."""
_DRAWN = ("pairs", "best", "ranks", "correlation_draws", "correlations", "tests")


@dataclass(frozen=True, eq=False)
class ModelComparison:
    """Tables by name, and the settings that made them.

    Attributes
    ----------
    tables : mapping of str to DataFrame
        As `compare` lists them.
    settings : mapping of str to str
        `core.analysis.export.provenance`, and `ComparisonSettings` as far as they matter.
    left_out : mapping of str to mapping of str to str
        For each metric that was drawn, the models that it is not defined for, with the reason.
    refused : mapping of str to str
        Metrics that are defined for no model, with the reason.
    sentences : tuple of str
        What slices of the cases come to, where there are any.
    methods : tuple of Paragraph
        What was done, in words, as `core.analysis.methods_text` writes it.
    """

    tables: Mapping[str, pd.DataFrame]
    settings: Mapping[str, str]
    left_out: Mapping[str, Mapping[str, str]]
    refused: Mapping[str, str]
    sentences: tuple[str, ...] = ()
    methods: tuple[Paragraph, ...] = ()

    __repr__ = tables_in_brief


def compare(
    study: Study,
    chosen: AggregationChoice | None = None,
    settings: ComparisonSettings = ComparisonSettings(),  # noqa: B008 - frozen
    *,
    slicing: SliceSettings = SliceSettings(),  # noqa: B008 - frozen
    task_name: str | None = None,
    progress: Progress | None = None,
) -> ModelComparison:
    """Compare the models of one task against hard and soft labels, and say how sure the order is.

    Parameters
    ----------
    study : Study
        What was observed.
    chosen : AggregationChoice, optional
        Aggregation model, its reliability and options; what is recommended for the task by default.
    settings : ComparisonSettings
        What the comparison rests on, and what is asked of it.
    slicing : SliceSettings
        By what the cases are parted, if they are.
    task_name : str, optional
        The study's first task with predictions by default.
    progress : callable, optional
        Called with the share done, in [0, 1], and what is being done.

    Returns
    -------
    ModelComparison
        Tables ``metrics`` (`rank_change`), ``agreement`` (`rank_agreement`), ``pairs`` (`pair_table`),
        ``best`` (`best_table`), ``correlation_draws`` (`correlation_draws`), ``correlations``
        (`correlation_table`), ``tests`` (`stability_tests`), ``ranks`` (`rank_table`), ``labels``
        (`label_table`); for two models ``deciding_cases`` (`deciding_cases`); with slices ``slices``
        (`slice_metrics`) and ``slice_differences`` (`slice_differences`).

    Raises
    ------
    ValueError
        For a task, label or model that does not exist or does not suit.
    """
    report = progress or (lambda _share, _what: None)
    task = find_task(study, task_name, predicted=True)
    aggregation = (chosen or AggregationChoice()).for_task(task)
    report(0.0, "metrics")
    sliced = slice_metrics(study, task, slicing, settings, aggregation=aggregation) if slicing.by else None
    found = measured(study, task, settings, aggregation=aggregation)
    drawn = resampled(
        study,
        task,
        settings,
        metrics=(*METRICS, *AVERAGES) if settings.draw_averages and len(task.labels) > 2 else METRICS,
        aggregation=aggregation,
        progress=lambda share, what: report(0.2 + 0.7 * share, what),
    )
    report(0.9, "tables")
    tables = {"metrics": found.metrics, "agreement": found.agreement, "labels": found.labels} | {
        name: getattr(drawn, name) for name in _DRAWN
    }
    if settings.rivals:
        tables["deciding_cases"] = deciding_cases(
            study,
            task,
            *settings.rivals,
            metric=settings.metric,
            label=settings.label,
            aggregation=aggregation,
        )
    sentences: tuple[str, ...] = ()
    if sliced is not None:
        differences = slice_differences(sliced.table)
        tables |= {"slices": sliced.table, "slice_differences": differences}
        sentences = (slice_summary(sliced, differences),)
    report(1.0, "tables")
    compared = found.compared
    made = provenance(study, task, aggregation) | entries(replace(settings, positive=compared.label))
    made |= entries(slicing)
    made |= {
        "cases": f"{len(compared.cases)} of {study.n_cases}, {compared.n_unread} not read, "
        f"{compared.n_left_out} without a prediction",
        "intervals": "95 %, of what interval_of names, where caution is empty; they hold the value on the "
        "readings as they are",
        "lionetti_2025_p": PUBLISHED_TEST,
    }
    methods = (
        of_data(study, task),
        of_aggregation(aggregation, convergence_of(study, task, aggregation), task=task),
        of_comparison(replace(settings, positive=compared.label)),
        *filter(None, [of_slices(slicing)]),
    )
    return ModelComparison(tables, made, drawn.left_out, drawn.refused, sentences, methods)


def write_comparison(result: ModelComparison, to: Output) -> list[Path]:
    """Write each table as CSV, and settings with all metrics as ``comparison.json``; return the paths."""
    rows = {
        name: records("comparison", name, result.tables[name])
        for name in ("metrics", "agreement", "best", "tests")
    }
    left_out = {metric: dict(models) for metric, models in result.left_out.items() if models}
    content = {"refused": dict(result.refused), "left_out": left_out} | rows
    return write_report(
        to,
        "comparison",
        result.tables,
        result.settings,
        content,
        methods=result.methods,
    )
