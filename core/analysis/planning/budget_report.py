"""Which cases to read again, of a task by its name or of a panel of raters and cases, and as files."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from pathlib import Path

import numpy as np

from core.analysis.export import provenance
from core.analysis.methods_text import Paragraph, of_data
from core.analysis.planning.budget import Budget, plan_budget
from core.analysis.planning.certainty import of_panel
from core.analysis.planning.methods import of_budget
from core.analysis.planning.settings import BudgetSettings
from core.analysis.raters.panel import Panel
from core.analysis.reliability.methods import of_aggregation
from core.analysis.reliability.sampling import convergence_of
from core.analysis.report_files import Output, find_task, write_report
from core.plausibility.settings import Aggregation, AggregationChoice
from core.progress import Progress
from core.settings import entries
from core.study.model import Predictions, Study, Task


def budget_report(
    study: Study,
    settings: BudgetSettings,
    choice: AggregationChoice,
    *,
    task_name: str | None = None,
    progress: Progress | None = None,
) -> tuple[Budget, dict[str, str], tuple[Paragraph, ...]]:
    """Plan for a task of a study by name, its first by default; return the plan, what made it, and how."""
    task = find_task(study, task_name, predicted=settings.order == "models")
    budget = plan_budget(study, task, settings, aggregation=choice.for_task(task), progress=progress)
    made = budget_provenance(study, task, settings, budget)
    return budget, made, budget_methods(study, task, settings, budget)


def panel_budget(
    panel: Panel, settings: BudgetSettings, aggregation: Aggregation, *, progress: Progress | None = None
) -> Budget:
    """Plan for the cases of a panel, by what its raters said; of all raters and cases as the command does."""
    study, task = of_panel(panel)
    place = {case_id: i for i, case_id in enumerate(panel.study.case_ids)}
    cases = np.array([place[case_id] for case_id in panel.case_ids], np.int64)
    predictions = {
        model: Predictions(model, panel.task.predictions[model].probability[cases])
        for model in panel.task.probability_models
    }
    task = replace(task, predictions=predictions)
    return plan_budget(study, task, settings, aggregation=aggregation, progress=progress)


def budget_provenance(study: Study, task: Task, settings: BudgetSettings, budget: Budget) -> dict[str, str]:
    """Say what made the tables of a plan."""
    return provenance(study, task, budget.aggregation) | entries(settings)


def budget_methods(
    study: Study, task: Task, settings: BudgetSettings, budget: Budget
) -> tuple[Paragraph, ...]:
    """Say how the cases of a plan were chosen."""
    convergence = convergence_of(study, task, budget.aggregation)
    return (
        of_data(study, task),
        of_aggregation(budget.aggregation, convergence, task=task),
        of_budget(settings),
    )


def write_budget(
    budget: Budget, settings: Mapping[str, str], to: Output, methods: Sequence[Paragraph] = ()
) -> list[Path]:
    """Write the curves and the cases as CSV, and the sentence with the settings as ``reread.json``."""
    content = {
        "readings": budget.readings,
        "cases": budget.n_cases,
        "as many at random": budget.as_many_at_random,
        "sentence": budget.sentence,
        "notes": list(budget.notes),
    }
    tables = {"reread_curve": budget.curve, "reread_cases": budget.cases}
    return write_report(to, "reread", tables, settings, content, methods=methods)
