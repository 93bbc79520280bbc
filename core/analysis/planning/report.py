"""Plans for what was asked, as sentences and tables, for the command line."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path

from core.analysis.export import made_by
from core.analysis.methods_text import Paragraph, of_data
from core.analysis.planning.certainty import plan_certainty, plan_certainty_like
from core.analysis.planning.methods import of_plan
from core.analysis.planning.raters_and_cases import (
    Assumptions,
    Plan,
    fitted_assumptions,
    model_accuracies,
    plan_fineness,
    plan_ranking,
)
from core.analysis.planning.resamples import resampled_assumptions
from core.analysis.planning.settings import PlanSettings
from core.analysis.raters.fineness import PanelAccuracies, judge
from core.analysis.raters.panel import panel
from core.analysis.report_files import Output, find_task, write_report
from core.settings import entries
from core.study.model import Study


@dataclass(frozen=True, eq=False)
class PlanReport:
    """Answers by question, and the settings that made them.

    Attributes
    ----------
    plans : mapping of str to Plan
        Keys ``fineness``, ``certainty`` and ``ranking``, those asked for; each sentence ends with its doubt.
    settings : mapping of str to str
        Provenance of the tables.
    methods : tuple of Paragraph
        What was done, in words, as `core.analysis.methods_text` writes it.
    """

    plans: Mapping[str, Plan]
    settings: Mapping[str, str]
    methods: tuple[Paragraph, ...] = ()

    def __repr__(self) -> str:
        said = " ".join(plan.sentence for plan in self.plans.values())
        return f"PlanReport({', '.join(self.plans)}: {said})"


def plan_report(
    study: Study | None = None,
    settings: PlanSettings = PlanSettings(),  # noqa: B008 - frozen
    *,
    task_name: str | None = None,
) -> PlanReport:
    """Answer what is asked: how many raters and cases for a fineness, a certainty, a ranking.

    Parameters
    ----------
    study : Study, optional
        What raters and cases are like; without it ``accuracy`` must be given.
    settings : PlanSettings
        What is wanted, and what is assumed.
    task_name : str, optional
        Its first task by default.


    Raises
    ------
    ValueError
        Where something is missing, unknown or out of range.
    """
    task = None if study is None else find_task(study, task_name)
    if settings.fineness is settings.certainty is settings.ranking is None:
        settings = replace(settings, fineness=0.95)
    fineness, certainty, ranking = settings.fineness, settings.certainty, settings.ranking
    given = any(value is not None for value in (settings.accuracy, settings.difficulty, settings.labels))
    judged = None
    if (
        study is not None
        and task is not None
        and (settings.models or ranking is not None or settings.accuracy is None)
    ):
        judged = judge(panel(study, task))
    assumptions = _assumptions(judged, settings)
    resampled: tuple[Assumptions, ...] = ()
    if judged is not None and not given and (fineness is not None or ranking is not None):
        resampled = resampled_assumptions(judged)
    plans: dict[str, Plan] = {}
    if fineness is not None:
        plans["fineness"] = plan_fineness(assumptions, fineness, resampled=resampled)
    if certainty is not None and study is not None and task is not None and not given:
        plans["certainty"] = plan_certainty_like(study, task, certainty)
    elif certainty is not None:
        plans["certainty"] = plan_certainty(assumptions, certainty, seed=0 if study is None else study.seed)
    if ranking is not None:
        plans["ranking"] = plan_ranking(
            assumptions, *_two_models(judged, settings.models), ranking, resampled=resampled
        )
    made = (
        made_by(study, task)
        | entries(settings)
        | {
            "accuracy of a rater": f"{assumptions.accuracy:.6g}",
            "difficulty": f"{assumptions.difficulty:.6g}",
            "labels": str(assumptions.n_labels),
            "assumptions": assumptions.source,
        }
    )
    said = {
        name: replace(plan, sentence=f"{plan.sentence} {plan.doubt}".rstrip()) for name, plan in plans.items()
    }
    data = () if study is None or task is None else (of_data(study, task),)
    return PlanReport(said, made, (*data, of_plan(settings, assumptions)))


def _assumptions(judged: PanelAccuracies | None, settings: PlanSettings) -> Assumptions:
    """Take what is given, and what the study says for the rest."""
    accuracy, difficulty, n_labels = settings.accuracy, settings.difficulty, settings.labels
    if judged is not None and accuracy is None:
        fitted = fitted_assumptions(judged)
        return replace(
            fitted,
            difficulty=fitted.difficulty if difficulty is None else difficulty,
            n_labels=fitted.n_labels if n_labels is None else n_labels,
        )
    if accuracy is None:
        raise ValueError("without a study, the accuracy of a rater must be given")
    of_study = 2 if judged is None else judged.panel.n_labels
    return Assumptions(accuracy, difficulty or 0.0, of_study if n_labels is None else n_labels)


def _two_models(judged: PanelAccuracies | None, models: Sequence[str]) -> tuple[float, float]:
    """Accuracies of two models, the better one first."""
    known = {} if judged is None else model_accuracies(judged)
    if not models:
        distinct = list(dict.fromkeys(known.values()))
        if len(distinct) < 2:
            raise ValueError("name two models, or give their accuracies, that differ; the study has no two")
        found = distinct[:2]
    else:
        if len(models) != 2:
            raise ValueError(f"two models must be compared, got {len(models)}")
        found = [known[model] if model in known else _number(model, known) for model in models]
    return max(found), min(found)


def _number(text: str, known: Mapping[str, float]) -> float:
    """Accuracy of a model given as a number."""
    try:
        value = float(text)
    except ValueError:
        value = float("nan")
    if not 0 <= value <= 1:
        names = f" or one of {', '.join(known)}" if known else ""
        raise ValueError(f"a model must be an accuracy from 0 to 1{names}, got {text!r}")
    return value


def write_plans(report: PlanReport, to: Output) -> list[Path]:
    """Write each table as CSV, and the sentences with the settings as ``plan.json``; return the paths."""
    answers = {
        name: {"raters": plan.raters, "cases": plan.cases, "sentence": plan.sentence}
        for name, plan in report.plans.items()
    }
    tables = {f"plan_{name}": plan.table for name, plan in report.plans.items()}
    content = {"plans": answers}
    return write_report(to, "plan", tables, report.settings, content, methods=report.methods)
