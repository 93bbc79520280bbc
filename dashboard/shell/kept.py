"""Tables that the pages show, computed once for each study and each choice."""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np
import pandas as pd

from core.analysis import overview
from core.analysis.cases import case as case_analysis
from core.analysis.cases.reasons import reasons
from core.analysis.cases.what_if import WhatIf, apply, effect_sentence
from core.analysis.reliability import over_draws as draws_view
from core.analysis.reliability import risk
from core.metrics.adjusted.metrics import adjusted_metrics
from core.plausibility.aggregate import aggregate
from core.plausibility.posterior import SampledPosterior
from core.plausibility.settings import MODELS, Aggregation
from core.study.model import Study, Task
from dashboard.shell import cache

N_TICKS = 40
"""Draws shown as single marks for each label."""


@dataclass(frozen=True, eq=False)
class CaseTables:
    """Everything that the page of a case shows, as `core.analysis.cases.case` gives it.

    Attributes
    ----------
    readings, plausibility, simplex, dots, predictions : DataFrame
        One row a reading, label, draw, label and model.
    draws : DataFrame
        ``label`` and ``plausibility`` of `N_TICKS` draws.
    sentence : str
        How certain the leading label is.
    effect : str
        What changed readings do to it; empty where the readings are the study's.
    convergence : DataFrame or None
        R-hat and effective sample sizes; None unless the model samples.
    """

    readings: pd.DataFrame
    plausibility: pd.DataFrame
    simplex: pd.DataFrame
    dots: pd.DataFrame
    predictions: pd.DataFrame
    draws: pd.DataFrame
    sentence: str
    effect: str
    convergence: pd.DataFrame | None


def case_tables(study: Study, task: Task, aggregation: Aggregation, index: int, change: WhatIf) -> CaseTables:
    """Aggregate and describe one case, its readings changed as asked."""
    return cache.kept_case(
        "case",
        study,
        task,
        index,
        aggregation,
        _change_key(change),
        compute=lambda: _describe(study, task, aggregation, index, change),
    )


def case_reasons(
    study: Study, task: Task, aggregation: Aggregation, index: int, change: WhatIf
) -> pd.DataFrame:
    """Why one case is uncertain, as `core.analysis.cases.reasons.reasons` says it."""
    return cache.kept_case(
        "reasons",
        study,
        task,
        index,
        aggregation,
        _change_key(change),
        compute=lambda: reasons(_open_case(study, task, aggregation, index, change)),
    )


def _change_key(change: WhatIf) -> str:
    """Text that differs for different changes; sets have no order of their own."""
    return repr((sorted(change.off), change.added, change.edited))


def _open_case(
    study: Study, task: Task, aggregation: Aggregation, index: int, change: WhatIf
) -> case_analysis.Case:
    """Open a case with changed readings."""
    readings = apply(study, task, index, change) if change else None
    return case_analysis.open_case(study, task, aggregation, index, readings=readings)


def _describe(study: Study, task: Task, aggregation: Aggregation, index: int, change: WhatIf) -> CaseTables:
    case = _open_case(study, task, aggregation, index, change)
    effect = ""
    if change:
        before = case_analysis.open_case(study, task, aggregation, index)
        effect = effect_sentence(before, case)
    plausibility = case_analysis.plausibility_table(case)
    return CaseTables(
        readings=case_analysis.readings_table(case),
        plausibility=plausibility,
        simplex=case_analysis.simplex_table(case),
        dots=case_analysis.dot_table(case),
        predictions=case_analysis.predictions_table(case),
        draws=_shown_draws(case, plausibility["label"]),
        sentence=case_analysis.certainty_sentence(case),
        effect=effect,
        convergence=_convergence(case, aggregation),
    )


def _shown_draws(case: case_analysis.Case, labels: pd.Series) -> pd.DataFrame:
    """Evenly chosen draws of each label's plausibility, and of any other label's together."""
    draws = case.draws.draws
    slots = case.posterior.candidates.locate(case.order[None, :])[0]
    value = np.concatenate([draws.value[slots], draws.rest])[: len(labels)]
    if value.shape[1] < 2:
        return pd.DataFrame({"label": [], "plausibility": []})
    kept = value[:, np.linspace(0, value.shape[1] - 1, N_TICKS).astype(int)]
    return pd.DataFrame({"label": np.repeat(labels.to_numpy(), kept.shape[1]), "plausibility": kept.ravel()})


def _convergence(case: case_analysis.Case, aggregation: Aggregation) -> pd.DataFrame | None:
    """Diagnostics of a sampled posterior."""
    if MODELS[aggregation.model].answer != "draws" or math.isinf(aggregation.reliability):
        return None
    if not isinstance(case.posterior, SampledPosterior):
        return None
    # It takes half a second to import, which the first page need not wait for.
    from core.plausibility.convergence import convergence

    return convergence(case.posterior)


@dataclass(frozen=True, eq=False)
class RiskTables:
    """What the panel of risk shows, as `core.analysis.reliability.risk` gives it.

    Attributes
    ----------
    by_case : DataFrame
        One row a case.
    by_model : DataFrame
        One row a model, k and condition.
    why : str
        Why accuracy on the high-risk cases has no single meaning.
    """

    by_case: pd.DataFrame
    by_model: pd.DataFrame
    why: str


def risk_tables(study: Study, task: Task, aggregation: Aggregation) -> RiskTables:
    """Describe the risk of all cases, and every model where it is high."""
    return cache.kept(
        "risk",
        study,
        task,
        aggregation,
        compute=lambda: _measure_risk(study, task, aggregation),
        waiting="Measuring risk over plausible truths …",
    )


def _measure_risk(study: Study, task: Task, aggregation: Aggregation) -> RiskTables:
    posterior = aggregate(study, task, aggregation)
    point = aggregate(study, task, aggregation.point)
    return RiskTables(
        risk.risk_by_case(study, task, posterior),
        risk.high_risk_metrics(task, posterior, point),
        risk.why_ill_defined(task, posterior, point),
    )


def metric_names(study: Study, task: Task, aggregation: Aggregation, model: str) -> tuple[str, ...]:
    """Metrics that a model can be measured by."""
    return cache.kept(
        "metric names",
        study,
        task,
        aggregation.point,
        model,
        compute=lambda: tuple(
            adjusted_metrics(aggregate(study, task, aggregation.point), task.predictions[model])
        ),
    )


def over_draws(
    study: Study, task: Task, aggregation: Aggregation, model: str, metric: str
) -> draws_view.OverDraws:
    """Measure one model against each of many plausible truths."""
    return cache.kept(
        "over draws",
        study,
        task,
        aggregation,
        model,
        metric,
        compute=lambda: draws_view.over_draws(study, task, aggregation, model, metric),
        waiting="Measuring the model against plausible truths …",
    )


def rater_workload(study: Study, task: Task) -> pd.DataFrame:
    """Count what each rater read; empty where raters are not identified."""
    return cache.kept("workload", study, task, compute=lambda: overview.rater_workload(study, task))
