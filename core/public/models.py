"""Whole questions about a task, answered with the numbers of the commands."""

from __future__ import annotations

from dataclasses import replace
from typing import Literal, TypeVar

import pandas as pd

from core.analysis import evaluate as evaluation
from core.analysis.columns import as_written
from core.analysis.disagreement.conformal_report import ConformalReport, conformal_report
from core.analysis.disagreement.conformal_settings import ConformalSettings
from core.analysis.disagreement.recalibrated import METHODS
from core.analysis.disagreement.report import DisagreementReport, disagreement_report
from core.analysis.disagreement.settings import DisagreementSettings
from core.analysis.evaluate import Evaluation
from core.analysis.models import rank_change as ranks
from core.analysis.models.meter import METRICS
from core.analysis.models.report import ModelComparison, compare
from core.analysis.models.settings import ComparisonSettings
from core.analysis.planning.report import PlanReport, plan_report
from core.analysis.planning.settings import PlanSettings
from core.analysis.raters.report import RaterReport, rater_report
from core.analysis.raters.settings import RaterSettings
from core.plausibility.settings import Aggregation
from core.public.names import one_of, require
from core.public.study import Study, Task
from core.settings import Settings


def evaluate(
    study: Study | Task,
    model: str | Aggregation | None = None,
    *,
    reliability: float | Literal["auto"] | None = None,
    sweep: bool = False,
) -> Evaluation:
    """Aggregate one task and measure everything, as ``loupe evaluate`` does.

    Parameters
    ----------
    study : Study or Task
        A study of one task, or the task.
    model : str or Aggregation, optional
        Name of an aggregation model, or one with its options; the recommended one by default.
    reliability : float or "auto", optional
        γ > 0, how far the raters are trusted; "auto" takes that under which left-out readings are predicted
        best. The model's own default if left out.
    sweep : bool
        Also measure at every reliability of the slider.

    Returns
    -------
    Evaluation
        Its ``tables`` are frames: ``cases``, ``metrics``, where labels have risk levels ``risk`` and
        ``high_risk``, with "auto" ``reliability``, with a sweep ``sweep``.

    Raises
    ------
    ValueError
        For a model that does not exist or suit, or a study of several tasks.
    """
    task = _task(study)
    auto = reliability == "auto"
    if isinstance(reliability, str):
        one_of(reliability, ["auto"], "a reliability that is no number")
        reliability = None
    found = evaluation.evaluate(
        task.study,
        task.aggregation(model, reliability),
        task_name=task.name,
        auto=auto,
        with_sweep=sweep,
    )
    return _written("evaluation", found)


def compare_models(
    study: Study | Task,
    settings: ComparisonSettings | None = None,
    *,
    aggregation: str | Aggregation | None = None,
    reliability: float | None = None,
) -> ModelComparison:
    """Compare the models of a task by hard and soft metrics, and say how sure the order is.

    Parameters
    ----------
    study : Study or Task
        A study of one task, or the task; with predictions.
    settings : ComparisonSettings, optional
        The options of ``loupe compare``, as in ``ComparisonSettings(positive="edema", n_draws=200)``: the
        label that counts as positive, the cases that models are judged on, how truths are drawn, and two
        models between which cases decide.
    aggregation, reliability
        What adjusted metrics average over, as ``model`` and ``reliability`` of `Task.aggregate`.

    Returns
    -------
    ModelComparison
        Its ``tables`` are the frames of ``loupe compare``: ``metrics`` (`rank_change`), ``agreement``,
        ``pairs``, ``best``, ``ranks`` and others.

    Raises
    ------
    ValueError
        For a label, model or metric that does not exist, and a task without predictions.
    """
    task = _task(study)
    asked = _named(task, settings)
    chosen = task.aggregation(aggregation, reliability)
    return _written("comparison", compare(task.study, chosen, asked, task_name=task.name))


def rank_change(
    study: Study | Task,
    settings: ComparisonSettings | None = None,
    *,
    aggregation: str | Aggregation | None = None,
    reliability: float | None = None,
    averages: bool = False,
) -> pd.DataFrame:
    """Measure every model against hard and against soft labels, and rank both ways.

    Parameters
    ----------
    study : Study or Task
        A study of one task, or the task; with predictions.
    settings : ComparisonSettings, optional
        The label that counts as positive, and the cases that models are judged on.
    aggregation, reliability
        What adjusted metrics average over, as ``model`` and ``reliability`` of `Task.aggregate`.
    averages : bool
        Also AUROC and AP averaged over all labels, where there are more than two.

    Returns
    -------
    DataFrame
        One row a metric and model: ``metric`` and its soft ``counterpart``, ``model``, ``hard``, ``soft``,
        ``difference``, ``hard_rank`` and ``soft_rank`` (1 is best), ``rank_change`` (ranks gained),
        ``change``, ``same_as``, ``n_cases`` and ``reason`` (why a value is missing).

    Raises
    ------
    ValueError
        For a label or model that does not exist, and a task without predictions.

    Notes
    -----
    See `core.analysis.models.rank_change.rank_change` (Lionetti 2025; Stutz 2025, eq. 12).
    """
    task = _task(study)
    chosen = task.aggregation(aggregation, reliability)
    return ranks.rank_change(task.study, task, _named(task, settings), aggregation=chosen, averages=averages)


def disagreement(study: Study | Task, settings: DisagreementSettings | None = None) -> DisagreementReport:
    """Judge class probabilities, and the disagreement that they let one expect, against what raters said.

    Parameters
    ----------
    study : Study or Task
        A study of one task, or the task; with predictions.
    settings : DisagreementSettings, optional
        The options of ``loupe disagreement``, as in ``DisagreementSettings(recalibrate=True, bins=10)``.

    Returns
    -------
    DisagreementReport
        Its ``tables`` are the frames of ``loupe disagreement``: ``losses``, ``probability_diagram``,
        ``disagreement_diagram``, ``surprising_cases`` and, where asked, those of the recalibration.

    Raises
    ------
    ValueError
        For a model or method that does not exist, a model that gives scores, and a task without predictions.

    Notes
    -----
    Mimori 2021: losses, plug-in and debiased, of class probabilities and of the probability that two raters
    disagree.
    """
    task = _task(study)
    asked = _asked(settings, DisagreementSettings)
    if asked.predictor:
        one_of(asked.predictor, list(task.predictions), "model")
    for method in asked.methods:
        one_of(method, METHODS, "method")
    return _written("disagreement", disagreement_report(task.study, asked, task_name=task.name))


def conformal(
    study: Study | Task,
    settings: ConformalSettings | None = None,
    *,
    aggregation: str | Aggregation | None = None,
    reliability: float | None = None,
) -> ConformalReport:
    """Say how many labels models must name to hold an uncertain truth, as ``loupe conformal`` does.

    Parameters
    ----------
    study : Study or Task
        A study of one task, or the task; with predictions.
    settings : ConformalSettings, optional
        The options of ``loupe conformal``, as in ``ConformalSettings(coverage=95, score="aps")``.
    aggregation, reliability
        What is plausible, as ``model`` and ``reliability`` of `Task.aggregate`.

    Returns
    -------
    ConformalReport
        Its ``tables`` are the frames ``coverage`` and ``sets``; its ``sentences`` say what it comes to.

    Raises
    ------
    ValueError
        For a model that does not exist or gives scores, a task without predictions or with one label, and
        too few cases for the coverage.

    Notes
    -----
    Conformal prediction under ambiguous truth (Stutz 2023, arXiv 2307.09302).
    """
    task = _task(study)
    asked = _asked(settings, ConformalSettings)
    if asked.predictor:
        one_of(asked.predictor, list(task.predictions), "model")
    chosen = task.aggregation(aggregation, reliability)
    return _written("conformal", conformal_report(task.study, chosen, asked, task_name=task.name))


def raters(study: Study | Task, settings: RaterSettings | None = None) -> RaterReport:
    """Measure how far raters agree, how sure and how right they are, as ``loupe raters`` does.

    Parameters
    ----------
    study : Study or Task
        A study of one task, or the task.
    settings : RaterSettings, optional
        The options of ``loupe raters``, as in ``RaterSettings(raters=("A", "B"), label_order=True)``.

    Returns
    -------
    RaterReport
        Its ``tables`` are frames: ``coefficients``, ``labels``, ``concordance``, ``cases``, ``raters``,
        ``pairs``, ``confidence``, ``calibration`` and ``groups``; its ``notes`` say what was assumed.

    Raises
    ------
    ValueError
        For a rater that the study does not have, or a setting out of range.

    Notes
    -----
    Cabitza 2020; the coefficients are those of `agreement`, by their own sources.
    """
    task = _task(study)
    asked = _asked(settings, RaterSettings)
    for rater in asked.raters:
        one_of(rater, task.study.rater_ids, "rater")
    return _written("raters", rater_report(task.study, asked, task_name=task.name))


def plan(study: Study | Task | None = None, settings: PlanSettings | None = None) -> PlanReport:
    """Say how many raters and cases a wanted quality needs, as ``loupe plan`` does.

    Parameters
    ----------
    study : Study or Task, optional
        What raters and cases are like: a study of one task, or the task. Without it the settings must give an
        accuracy.
    settings : PlanSettings, optional
        What is wanted, as in ``PlanSettings(certainty=0.9)``; a fineness of 0.95 if nothing is said.

    Returns
    -------
    PlanReport
        Its ``plans`` have a sentence and a frame each.

    Raises
    ------
    ValueError
        Where something is missing, unknown or out of range.

    Notes
    -----
    Cabitza 2020 (fineness); see `core.analysis.planning.report`.
    """
    asked = _asked(settings, PlanSettings)
    if study is None:
        found = plan_report(None, asked)
    else:
        task = _task(study)
        found = plan_report(task.study, asked, task_name=task.name)
    plans = {
        name: replace(of, table=as_written("plan", f"plan_{name}", of.table))
        for name, of in found.plans.items()
    }
    return replace(found, plans=plans)


Answer = TypeVar("Answer", Evaluation, ModelComparison, DisagreementReport, ConformalReport, RaterReport)


def _written(report: str, found: Answer) -> Answer:
    """Name the columns as the files of the command have them."""
    tables = {name: as_written(report, name, table) for name, table in found.tables.items()}
    return replace(found, tables=tables)


def _task(study: Study | Task) -> Task:
    """Return the task that was meant."""
    if isinstance(study, Task):
        return study
    require(study, Study, "study", "a Study or one of its tasks; read_study and Study.from_frames make one")
    return study.task()


Asked = TypeVar("Asked", bound=Settings)


def _asked(settings: Asked | None, kind: type[Asked]) -> Asked:
    """Return the settings, those that nothing was changed of where none are given."""
    if settings is None:
        return kind()
    require(settings, kind, "settings")
    return settings


def _named(task: Task, settings: ComparisonSettings | None) -> ComparisonSettings:
    """Return settings whose label, models and metric exist."""
    asked = _asked(settings, ComparisonSettings)
    if asked.positive:
        one_of(asked.positive, task.labels, "label")
    for model in asked.rivals:
        one_of(model, list(task.predictions), "model")
    one_of(asked.metric, METRICS, "metric")
    return asked
