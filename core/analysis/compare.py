"""A whole comparison of models as tables, the ones that the page shows, for the command and for papers."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

import pandas as pd

from core.analysis.aggregate import MODELS, Aggregation, models_for
from core.analysis.comparison import Comparison, Coverage, comparison, hard_codes
from core.analysis.deciding import deciding_cases
from core.analysis.export import guarded_csv, provenance
from core.analysis.rank_change import rank_agreement, rank_change
from core.analysis.stability import Annotations, stability
from core.analysis.stability_tables import (
    best_table,
    correlation_draws,
    correlation_table,
    pair_table,
    stability_tests,
)
from core.analysis.sweep import Progress
from core.metrics.soft import MajorityRule
from core.study.model import Study, Task


@dataclass(frozen=True, eq=False)
class ModelComparison:
    """Tables by name, and the settings that made them.

    Attributes
    ----------
    tables : mapping of str to DataFrame
        As `compare` lists them.
    settings : mapping of str to str
        `core.analysis.export.provenance`, and the options of `compare`.
    refused : mapping of str to str
        Metrics that could not be measured, with the reason.
    """

    tables: Mapping[str, pd.DataFrame]
    settings: Mapping[str, str]
    refused: Mapping[str, str]


def compare(
    study: Study,
    *,
    task_name: str | None = None,
    label: str | None = None,
    model: str | None = None,
    reliability: float | None = None,
    rule: MajorityRule = "more than half",
    coverage: Coverage = "common",
    annotations: Annotations = "bootstrap",
    n_draws: int = 1000,
    label_pairs: bool = False,
    printed: bool = False,
    models: tuple[str, str] | None = None,
    metric: str = "s-AUROC",
    progress: Progress | None = None,
) -> ModelComparison:
    """Compare the models of one task against hard and soft labels, and say how sure the order is.

    Parameters
    ----------
    study : Study
        What was observed.
    task_name : str, optional
        The study's first task with predictions by default.
    model : str, optional
        Aggregation model; the recommended one for the task by default.
    reliability : float, optional
        γ > 0; the model's own default if not given.
    label, rule, coverage, printed
        As for `core.analysis.rank_change.rank_change`.
    annotations, n_draws
        As for `core.analysis.stability.stability`.
    label_pairs : bool
        Also AUROC averaged over pairs of labels, for more than two labels.
    models : (str, str), optional
        Two models, for which the cases that decide between them are listed.
    metric : str
        What they decide: as for `core.analysis.deciding.deciding_cases`.
    progress : callable, optional
        Called with the share done, in [0, 1], and what is being done.

    Returns
    -------
    ModelComparison
        Tables ``metrics`` (`rank_change`), ``agreement`` (`rank_agreement`), ``pairs`` (`pair_table`),
        ``best`` (`best_table`), ``correlation_draws`` (`correlation_draws`), ``correlations``
        (`correlation_table`), ``tests`` (`stability_tests`), ``labels`` (`label_table`) and, for two models,
        ``deciding_cases`` (`deciding_cases`).

    Raises
    ------
    ValueError
        For a task, label or model that does not exist or does not suit.
    """
    report = progress or (lambda _share, _what: None)
    task = _task(study, task_name)
    aggregation = _aggregation(task, model, reliability)
    compared = comparison(study, task, label=label, coverage=coverage)
    report(0.0, "metrics")
    tables = {
        "metrics": rank_change(
            study,
            task,
            label=label,
            aggregation=aggregation,
            rule=rule,
            coverage=coverage,
            averages=True,
            pairs=label_pairs,
            printed=printed,
        )
    }
    tables["agreement"] = rank_agreement(tables["metrics"])
    stable = stability(
        study,
        task,
        label=label,
        annotations=annotations,
        aggregation=aggregation,
        rule=rule,
        coverage=coverage,
        n_draws=n_draws,
        progress=lambda share, what: report(0.2 + 0.7 * share, what),
    )
    report(0.9, "tables")
    tables["pairs"] = pair_table(stable)
    tables["best"] = best_table(stable)
    tables["correlation_draws"] = correlation_draws(stable)
    tables["correlations"] = correlation_table(tables["correlation_draws"])
    tables["tests"] = stability_tests(tables["correlation_draws"])
    tables["labels"] = label_table(study, compared, rule=rule)
    if models is not None:
        tables["deciding_cases"] = deciding_cases(
            study, task, *models, metric=metric, label=label, aggregation=aggregation, rule=rule
        )
    report(1.0, "tables")
    settings = provenance(study, task, aggregation) | {
        "label": compared.label,
        "hard label": rule,
        "cases": f"{coverage}: {len(compared.cases)} of {study.n_cases}, {compared.n_unread} not read, "
        f"{compared.n_left_out} without a prediction",
        "annotations": annotations,
        "draws of truths and cases": str(n_draws),
    }
    if models is not None:
        settings["deciding cases"] = f"{models[0]} against {models[1]} by {metric}"
    return ModelComparison(tables, settings, stable.refused)


def _task(study: Study, name: str | None) -> Task:
    """Find a task of the study by name; the first one with predictions where none is given."""
    if name is None:
        predicted = [task for task in study.tasks.values() if task.predictions]
        if not predicted:
            raise ValueError(f"study {study.name!r} has no predictions, so there is no model to compare")
        return predicted[0]
    if name not in study.tasks:
        raise ValueError(f"task must be one of {', '.join(study.tasks)}, got {name!r}")
    return study.tasks[name]


def _aggregation(task: Task, model: str | None, reliability: float | None) -> Aggregation:
    """Model and reliability, or what is recommended for the task."""
    chosen = Aggregation(models_for(task)[0] if model is None else model)
    return chosen.at(MODELS[chosen.model].default_reliability if reliability is None else reliability)


def label_table(study: Study, compared: Comparison, *, rule: MajorityRule = "more than half") -> pd.DataFrame:
    """Soft and hard label of every compared case (Lionetti 2025, fig. 4).

    Returns
    -------
    DataFrame
        One row a case: ``case_id``; ``plausibility``, the share of votes for the compared label, in [0, 1];
        ``hard_label``; ``n_readings``.
    """
    task = compared.task
    return pd.DataFrame(
        {
            "case_id": [study.case_ids[i] for i in compared.cases],
            "plausibility": compared.plausibility,
            "hard_label": [task.labels[code] for code in hard_codes(compared, rule)],
            "n_readings": task.readings.per_case[compared.cases],
        }
    )


def write_comparison(result: ModelComparison, folder: Path) -> list[Path]:
    """Write each table as CSV, and settings with all metrics as ``comparison.json``; return the paths."""
    folder.mkdir(parents=True, exist_ok=True)
    paths = []
    for name, table in result.tables.items():
        paths.append(folder / f"{name}.csv")
        paths[-1].write_text(guarded_csv(table, provenance=result.settings), encoding="utf-8")
    paths.append(folder / "comparison.json")
    rows = {
        name: json.loads(result.tables[name].to_json(orient="records", double_precision=15))
        for name in ("metrics", "agreement", "best", "tests")
    }
    content = {"settings": dict(result.settings), "refused": dict(result.refused)} | rows
    text = json.dumps(content, ensure_ascii=False, indent=1)
    paths[-1].write_text(text + "\n", encoding="utf-8")
    return paths
