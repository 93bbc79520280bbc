"""A whole evaluation as tables, the ones that the pages show, for the command line and for papers."""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

import pandas as pd

from core.analysis.cases.leading import point_portion
from core.analysis.cases.worklist import worklist
from core.analysis.export import provenance
from core.analysis.methods_text import Paragraph, of_data
from core.analysis.models.score_models import left_out
from core.analysis.portions import aggregate_portion, part_of, portions
from core.analysis.reliability.fit import best_reliability, predictive_curve
from core.analysis.reliability.held_out_reader import reader_left_out
from core.analysis.reliability.measures import TOP_1, Measures
from core.analysis.reliability.methods import of_aggregation, of_certainty
from core.analysis.reliability.risk import HighRiskMeasures, risk_rows, with_places
from core.analysis.reliability.settings import AgainstSettings
from core.analysis.reliability.sweep import sweep
from core.analysis.reliability.two_aggregations import (
    CLAIM,
    two_aggregations,
    two_aggregations_finding,
)
from core.analysis.reliability.words import aggregation_title, confidence_words
from core.analysis.report_files import Output, find_task, records, write_report
from core.plausibility.convergence import convergence_summary
from core.plausibility.settings import Aggregation, AggregationChoice
from core.progress import Progress
from core.study.brief import tables_in_brief
from core.study.model import Study, Task


@dataclass(frozen=True, eq=False)
class Evaluation:
    """Tables by name, the settings that made them, and how well the draws converged.

    Attributes
    ----------
    tables : mapping of str to DataFrame
        As `evaluate` lists them.
    settings : mapping of str to str
        `core.analysis.export.provenance`, and which models, and metrics of the held-out reader, are left out.
    notice : str
        What becomes of stated confidences; empty where there are none.
    sentences : tuple of str
        What a comparison with another aggregation model comes to, where there is one.
    convergence : mapping of str to float
        `core.plausibility.convergence.convergence_summary` where the model samples, else empty.
    methods : tuple of Paragraph
        What was done, in words, as `core.analysis.methods_text` writes it.
    """

    tables: Mapping[str, pd.DataFrame]
    settings: Mapping[str, str]
    convergence: Mapping[str, float]
    notice: str = ""
    sentences: tuple[str, ...] = ()
    methods: tuple[Paragraph, ...] = ()

    __repr__ = tables_in_brief


def evaluate(
    study: Study,
    chosen: AggregationChoice | None = None,
    *,
    task_name: str | None = None,
    auto: bool = False,
    with_sweep: bool = False,
    against: AgainstSettings = AgainstSettings(),  # noqa: B008 - frozen
    progress: Progress | None = None,
) -> Evaluation:
    """Aggregate one task and measure everything.

    Parameters
    ----------
    study : Study
        What was observed.
    chosen : AggregationChoice, optional
        Aggregation model, its reliability and options; what is recommended for the task by default.
    task_name : str, optional
        The study's first task by default.
    auto : bool
        Take the reliability under which left-out readings are predicted best instead.
    with_sweep : bool
        Also measure at every reliability of the slider.
    against : AgainstSettings
        Another aggregation model that the metrics are compared with, if any.
    progress : callable, optional
        Called with the share done, in [0, 1], and what is being done.

    Returns
    -------
    Evaluation
        Tables ``cases`` (`worklist`; with ``rhat`` and ``ess`` where the model samples), ``metrics``
        (`core.analysis.reliability.sweep.metrics_at`), where labels have risk levels ``risk`` and
        ``high_risk`` (`core.analysis.reliability.risk.risk_by_case`, `high_risk_metrics`), with ``auto`` also
        ``reliability`` (`predictive_curve`), with ``with_sweep`` also ``sweep`` (`sweep`), with
        another aggregation model ``aggregations`` (`two_aggregations`).

    Raises
    ------
    ValueError
        For a task or model that does not exist or does not suit.
    """
    report = progress or (lambda _share, _what: None)
    task = find_task(study, task_name)
    aggregation = (chosen or AggregationChoice()).for_task(task)
    tables: dict[str, pd.DataFrame] = {}
    if against.against and not auto:
        against.beside(aggregation, task)  # Refused before anything is worked out.
    if auto:
        tables["reliability"] = predictive_curve(study, task, aggregation.point, progress=report)
        aggregation = aggregation.at(best_reliability(tables["reliability"]))
    tables |= _in_portions(study, task, aggregation, report)
    if with_sweep:
        tables["sweep"] = sweep(study, task, aggregation, progress=report)
    sentences: tuple[str, ...] = ()
    other = against.beside(aggregation, task) if against.against else None
    if other is not None:
        tables["aggregations"] = found = two_aggregations(study, task, aggregation, other, progress=report)
        titles = aggregation_title(aggregation), aggregation_title(other)
        sentences = (two_aggregations_finding(found, TOP_1, titles), CLAIM)
    summary = convergence_summary(tables["cases"]) if "rhat" in tables["cases"] else {}
    settings = provenance(study, task, aggregation)
    if other is not None:
        settings["compared with"] = aggregation_title(other)
    if task.score_models:
        settings["models"] = left_out(task)
    if reader_left_out(task):
        settings["held-out reader"] = reader_left_out(task)
    methods = (
        of_data(study, task),
        of_aggregation(aggregation, summary, task=task, found=auto),
        of_certainty(
            has_models=bool(task.predictions),
            has_risk=task.has_risk,
            compared_with=settings.get("compared with", ""),
            is_swept=with_sweep,
        ),
    )
    return Evaluation(tables, settings, summary, confidence_words(task, aggregation), sentences, methods)


def _in_portions(
    study: Study, task: Task, aggregation: Aggregation, report: Progress
) -> dict[str, pd.DataFrame]:
    """Aggregate and describe the cases one portion after the other, so that few draws are kept at a time."""
    measures = Measures(study, task, aggregation)
    high_risk = HighRiskMeasures(task) if task.has_risk else None
    worklists, risks = [], []
    for cases in portions(task, aggregation):
        report(cases.start / max(study.n_cases, 1), "cases")
        posterior = aggregate_portion(study, task, aggregation, cases)
        part, part_task = part_of(study, task, cases)
        worklists.append(worklist(part, part_task, posterior, point_portion(study, task, aggregation, cases)))
        if high_risk is not None:
            point = aggregate_portion(study, task, aggregation.point, cases)
            risks.append(risk_rows(part, part_task, posterior))
            high_risk.add(part_task.predictions, posterior, point)
        measures.add(cases, posterior)
    tables = {"cases": pd.concat(worklists)}
    if measures.convergence is not None and not math.isinf(aggregation.reliability):
        tables["cases"][["rhat", "ess"]] = measures.convergence[["rhat", "ess"]].to_numpy()
    if high_risk is not None:
        tables["risk"] = with_places(pd.concat(risks))
        tables["high_risk"] = high_risk.table()
    tables["metrics"] = measures.table()
    report(1.0, "metrics")
    return tables


def write_tables(evaluation: Evaluation, to: Output) -> list[Path]:
    """Write each table as CSV, and settings with all estimates as ``evaluation.json``; return the paths."""
    metrics = records("evaluation", "metrics", evaluation.tables["metrics"])
    content = {"convergence": dict(evaluation.convergence), "metrics": metrics}
    return write_report(
        to,
        "evaluation",
        evaluation.tables,
        evaluation.settings,
        content,
        methods=evaluation.methods,
    )
