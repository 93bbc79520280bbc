"""Everything that the page Disagreement shows, as tables for the command line and for papers."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

import pandas as pd

from core.analysis.disagreement.diagram import disagreement_diagram, probability_diagram
from core.analysis.disagreement.forecasts import (
    ALL_LABELS,
    Forecast,
    given_forecasts,
    label_notes,
    loss_table,
)
from core.analysis.disagreement.methods import of_disagreement
from core.analysis.disagreement.recalibrated import METHODS, N_FOLDS, Recalibrated, recalibrate
from core.analysis.disagreement.recalibrated_tables import (
    disagreement_by_case,
    expert_label_table,
    likelihood_table,
)
from core.analysis.disagreement.settings import DisagreementSettings
from core.analysis.disagreement.surprising import surprising_cases
from core.analysis.export import made_by
from core.analysis.methods_text import Paragraph, of_data
from core.analysis.models.score_models import require_probabilities
from core.analysis.report_files import Output, find_task, records, write_report
from core.metrics.calibration.bins import Binning
from core.metrics.calibration.label_histogram import task_histograms
from core.progress import Progress
from core.settings import entries
from core.study.brief import tables_in_brief
from core.study.model import Study, Task

_FITTING = 0.7
"""Share of the time that recalibration takes, roughly, where it is asked for."""


@dataclass(frozen=True, eq=False)
class DisagreementReport:
    """Tables by name, the settings that made them, and what to know of them.

    Attributes
    ----------
    tables : mapping of str to DataFrame
        As `disagreement_report` lists them.
    settings : mapping of str to str
        Study, task, models, bins and methods.
    notes : tuple of str
        Sentences: what counts as a label, what is left out and why, what could not be fitted.
    methods : tuple of Paragraph
        What was done, in words, as `core.analysis.methods_text` writes it.
    """

    tables: Mapping[str, pd.DataFrame]
    settings: Mapping[str, str]
    notes: tuple[str, ...]
    methods: tuple[Paragraph, ...] = ()

    __repr__ = tables_in_brief


def disagreement_report(
    study: Study,
    settings: DisagreementSettings = DisagreementSettings(),  # noqa: B008 - frozen
    *,
    task_name: str | None = None,
    progress: Progress | None = None,
) -> DisagreementReport:
    """Judge class probabilities and expectations of disagreement of the models of a task.

    Parameters
    ----------
    study : Study
        What was observed.
    settings : DisagreementSettings
        Which models, bins and methods.
    task_name : str, optional
        The study's first task with predictions by default.
    progress : callable, optional
        Called with the share done, in [0, 1], and what is being done; it may raise to end the work.

    Returns
    -------
    DisagreementReport
        Tables ``losses`` (`loss_table`), ``probability_diagram`` and ``disagreement_diagram`` (of
        `core.analysis.disagreement.diagram`) and ``surprising_cases`` (`surprising_cases`); with methods also
        ``expert_label`` (`expert_label_table`; Mimori 2021, Table 2), ``likelihood`` (`likelihood_table`),
        ``fits`` (``Recalibrated.folds``) and ``cases`` (`disagreement_by_case`). Those of one model have a
        column ``model``, those of one forecast also ``method``, in front.

    Raises
    ------
    ValueError
        For a task, model or method that does not exist, a model that gives scores, a negative number of
        resamples, and a task without a model that gives probabilities or without a label to judge by.
    """
    tell = progress or (lambda _share, _what: None)
    by_label, resamples = settings.by_label, settings.resamples
    binning = Binning(settings.bin_kind, settings.bins)
    methods = settings.methods or (METHODS if settings.recalibrate else ())
    task = find_task(study, task_name, predicted=True)
    models = judged_models(task, settings.predictor or None)
    histograms = task_histograms(task)
    if not histograms.counts.any():
        raise ValueError(
            f"task {task.name!r} has no reading that counts as one label, so there is nothing to judge by"
        )
    fits = _fits(study, task, models, methods, tell)
    forecasts = [one for fit in fits for one in fit.forecasts()]
    forecasts = forecasts or [one for one in given_forecasts(task) if one.model in models]
    tell(_FITTING if fits else 0.0, "losses")
    tables = {
        "losses": loss_table(study, task, forecasts, binning=binning, resamples=resamples, by_label=by_label)
    }
    tell(0.9, "reliability diagrams")
    labels = [ALL_LABELS, *(task.labels if by_label else ())]
    tables["probability_diagram"] = pd.concat(
        [
            probability_diagram(study, task, forecasts, label=label, binning=binning, resamples=resamples)
            for label in labels
        ],
        ignore_index=True,
    )
    tables["disagreement_diagram"] = disagreement_diagram(
        study, task, forecasts, binning=binning, resamples=resamples
    )
    tables["surprising_cases"] = _of_forecasts(study, task, forecasts)
    for name, table_of in _OF_A_FIT.items() if fits else ():
        tables[name] = _of_models(fits, table_of)
    tell(1.0, "tables")
    fitted = [method for method in METHODS if any(method in fit.methods for fit in fits)]
    made = made_by(study, task) | {
        "models": ", ".join(models),
        "recalibration": f"{', '.join(fitted)}; {N_FOLDS} folds" if fits else "none",
        **entries(settings),
    }
    notes = (*label_notes(task, histograms), *_fit_notes(fits))
    said = of_data(study, task), of_disagreement(settings, fitted)
    return DisagreementReport(tables, made, notes, said)


_OF_A_FIT: dict[str, Callable[[Recalibrated], pd.DataFrame]] = {
    "expert_label": expert_label_table,
    "likelihood": likelihood_table,
    "fits": lambda fit: fit.folds,
    "cases": disagreement_by_case,
}
"""Tables of a recalibrated model."""


def judged_models(task: Task, model: str | None, what: str = "Calibration") -> list[str]:
    """Find a model of the task by name; all that give probabilities where none is given.

    Parameters
    ----------
    task : Task
        With predictions.
    model : str or None
        One of the task's.
    what : str
        What needs probabilities, as a noun that begins a sentence.

    Raises
    ------
    ValueError
        For a model that does not exist or gives scores, and a task without one that gives probabilities.
    """
    if model is not None:
        if model not in task.predictions:
            raise ValueError(f"model must be one of {', '.join(task.predictions) or 'none'}, got {model!r}")
        require_probabilities(task, model, what)
        return [model]
    if not task.probability_models:
        raise ValueError(
            f"task {task.name!r} has no model that gives probabilities, so there is none to judge"
        )
    return list(task.probability_models)


def _fits(
    study: Study, task: Task, models: Sequence[str], methods: Sequence[str], tell: Progress
) -> list[Recalibrated]:
    """Recalibrate every model by the given methods; without any, nothing is fitted."""
    if not methods:
        return []
    if unknown := [method for method in methods if method not in METHODS]:
        raise ValueError(f"methods must be of {', '.join(METHODS)}, got {unknown[0]!r}")
    share = _FITTING / len(models)

    def part(place: int, model: str) -> Progress:
        return lambda done, what: tell((place + done) * share, f"{model}, {what}")

    return [
        recalibrate(study, task, model, methods=methods, progress=part(place, model))
        for place, model in enumerate(models)
    ]


def _fit_notes(fits: Sequence[Recalibrated]) -> list[str]:
    """Notes of the fits, each once, with the models that it is about."""
    models: dict[str, list[str]] = {}
    for fit in fits:
        for note in fit.notes:
            models.setdefault(note, []).append(fit.model)
    return [f"{', '.join(about)}: {note}" for note, about in models.items()]


def _of_models(
    fits: Sequence[Recalibrated], table_of: Callable[[Recalibrated], pd.DataFrame]
) -> pd.DataFrame:
    """Put a table of each recalibrated model below one another."""
    tables = []
    for fit in fits:
        tables.append(table_of(fit).copy())
        tables[-1].insert(0, "model", fit.model)
    return pd.concat(tables, ignore_index=True)


def _of_forecasts(study: Study, task: Task, forecasts: Sequence[Forecast]) -> pd.DataFrame:
    """Surprising cases of each forecast below one another."""
    tables = []
    for forecast in forecasts:
        tables.append(surprising_cases(study, task, forecast))
        tables[-1].insert(0, "model", forecast.model)
        tables[-1].insert(1, "method", forecast.method)
    return pd.concat(tables, ignore_index=True)


def write_disagreement(report: DisagreementReport, to: Output) -> list[Path]:
    """Write each table as CSV, and settings, notes and tables as ``disagreement.json``; return the paths.

    The tables of cases are in the CSV files alone.
    """
    rows = {
        name: records("disagreement", name, table)
        for name, table in report.tables.items()
        if name not in ("surprising_cases", "cases")
    }
    content = {"notes": list(report.notes)} | rows
    return write_report(
        to,
        "disagreement",
        report.tables,
        report.settings,
        content,
        methods=report.methods,
    )
