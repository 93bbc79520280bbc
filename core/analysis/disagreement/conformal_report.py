"""Conformal sets of all models as tables, for the command line and for papers."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

import pandas as pd

from core.analysis.disagreement.conformal import CHOSEN, ConformalSets, conformal_sets
from core.analysis.disagreement.conformal_finding import MEANINGS, set_lines, set_sentence
from core.analysis.disagreement.conformal_settings import ConformalSettings
from core.analysis.disagreement.conformal_tables import coverage_table, set_table
from core.analysis.disagreement.conformal_truths import truths
from core.analysis.disagreement.methods import of_conformal
from core.analysis.disagreement.report import judged_models
from core.analysis.export import provenance
from core.analysis.methods_text import Paragraph, of_data
from core.analysis.models.score_models import left_out
from core.analysis.reliability.methods import of_aggregation
from core.analysis.reliability.sampling import convergence_of
from core.analysis.report_files import Output, find_task, records, write_report
from core.plausibility.settings import AggregationChoice
from core.progress import Progress
from core.settings import entries
from core.study.brief import tables_in_brief
from core.study.model import Study


@dataclass(frozen=True, eq=False)
class ConformalReport:
    """Tables by name, the settings that made them, sentences and notes.

    Attributes
    ----------
    tables : mapping of str to DataFrame
        ``coverage`` (`coverage_table`) and ``sets`` (`set_table`) of
        `core.analysis.disagreement.conformal_tables`.
    settings : mapping of str to str
        Study, task, aggregation, models and options.
    sentences : tuple of str
        What it comes to: for each model one, and a line for each calibration.
    notes : tuple of str
        What is left out, and why.
    methods : tuple of Paragraph
        What was done, in words, as `core.analysis.methods_text` writes it.
    """

    tables: Mapping[str, pd.DataFrame]
    settings: Mapping[str, str]
    sentences: tuple[str, ...]
    notes: tuple[str, ...]
    methods: tuple[Paragraph, ...] = ()

    __repr__ = tables_in_brief


def conformal_report(
    study: Study,
    chosen: AggregationChoice | None = None,
    settings: ConformalSettings = ConformalSettings(),  # noqa: B008 - frozen
    *,
    task_name: str | None = None,
    progress: Progress | None = None,
) -> ConformalReport:
    """Make sets of labels that hold the truth as often as is wanted, and say how large they have to be.

    Parameters
    ----------
    study : Study
        What was observed.
    chosen : AggregationChoice, optional
        How readings become plausibilities; what is recommended for the task by default.
    settings : ConformalSettings
        Coverage, truth, score, groups.
    task_name : str, optional
        The study's first task with predictions by default.
    progress : callable, optional
        Called with the share done, in [0, 1], and what is being done; it may raise to end the work.

    Returns
    -------
    ConformalReport

    Raises
    ------
    ValueError
        For a task, model or column that does not exist, a model that gives scores, a task without a model
        that gives probabilities or with one label, and too few cases for the coverage.
    """
    tell = progress or (lambda _share, _what: None)
    task = find_task(study, task_name, predicted=True)
    models = judged_models(task, settings.predictor or None, "Conformal prediction")
    aggregation = (chosen or AggregationChoice()).for_task(task)
    tell(0.0, "plausible truths")
    found = truths(study, task, aggregation)
    sets: list[ConformalSets] = []
    for place, model in enumerate(models):
        tell(0.5 + 0.4 * place / len(models), f"{model}, sets")
        sets.append(conformal_sets(study, task, found, model, settings))
    tell(0.9, "tables")
    table = coverage_table(study, task, found, sets, by=settings.by)
    notes = dict.fromkeys(note for of in sets for note in of.notes)
    truth = CHOSEN[settings.truth]
    return ConformalReport(
        {"coverage": table, "sets": set_table(study, task, found, sets)},
        provenance(study, task, aggregation) | {"models": ", ".join(models), **entries(settings)},
        tuple(
            text
            for model in models
            for text in (set_sentence(table, model, settings), *set_lines(table, model))
        ),
        (
            *([left_out(task)] if task.score_models else []),
            f"The truth here is the {truth}: {MEANINGS[truth]}. Each set is calibrated on other cases.",
            *notes,
        ),
        (
            of_data(study, task),
            of_aggregation(aggregation, convergence_of(study, task, aggregation), task=task),
            of_conformal(settings),
        ),
    )


def write_conformal(report: ConformalReport, to: Output) -> list[Path]:
    """Write each table as CSV, and all but the sets as ``conformal.json``; return the paths."""
    content = {
        "sentences": list(report.sentences),
        "notes": list(report.notes),
        "coverage": records("conformal", "coverage", report.tables["coverage"]),
    }
    return write_report(
        to,
        "conformal",
        report.tables,
        report.settings,
        content,
        methods=report.methods,
    )
