"""Risk over plausible truths: how dangerous the cases may be, and how models do where danger is."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

import pandas as pd
import streamlit as st

from core.analysis.models.score_models import left_out
from core.analysis.reliability.risk import (
    BY_POINT,
    EXPECTED,
    N_DRAWS,
    high_risk_metrics,
    risk_by_case,
    why_ill_defined,
)
from core.metrics.risk import HIGH
from core.plausibility.aggregate import aggregate
from core.plausibility.settings import Aggregation
from core.study.model import RISK_NAMES, Study, Task
from dashboard.charts.reliability import risk
from dashboard.components.picture import picture
from dashboard.components.text import count, element
from dashboard.shell import cache, theme
from dashboard.views import parts


@dataclass(frozen=True, eq=False)
class RiskTables:
    """What the panel shows: a row a case; a row a model, k and condition; why that has no single meaning."""

    by_case: pd.DataFrame
    by_model: pd.DataFrame
    why: str


@cache.cached(16, waiting="Measuring risk over plausible truths …")
def risk_tables(study: Study, task: Task, aggregation: Aggregation) -> RiskTables:
    """Describe the risk of all cases, and every model where it is high."""
    posterior = aggregate(study, task, aggregation)
    point = aggregate(study, task, aggregation.point)
    return RiskTables(
        risk_by_case(study, task, posterior),
        high_risk_metrics(task, posterior, point),
        why_ill_defined(task, posterior, point),
    )


@parts.folded("Risk: how dangerous may the cases be?", key="panel-risk")
def show(study: Study, task: Task, aggregation: Aggregation, source: Mapping[str, str]) -> None:
    """Draw the panel; it is measured only once it is opened."""
    if not task.has_risk:
        parts.note("This needs risk levels: a column risk in labels.csv (0 low, 1 medium, 2 high).")
        return
    tables = risk_tables(study, task, aggregation)
    if tables.by_case.empty:
        parts.note("No case has a reading yet.")
        return
    leading = cache.worklist_at(study, task, aggregation)["risk"]
    n_high = int((leading == RISK_NAMES[HIGH]).sum())
    parts.beside(
        lambda: _certainty(tables.by_case, n_high, source), lambda: _expected(tables.by_case, source)
    )
    if task.probability_models:
        _models(tables, list(task.predictions), source)
    if task.score_models:
        parts.note(left_out(task))


def _certainty(table: pd.DataFrame, n_high: int, source: Mapping[str, str]) -> None:
    """Draw how certain each case's risk level is; by the leading label alone so many are of high risk."""
    parts.head("Is the risk level certain?")
    picture(
        risk.risk_certainty_chart(table, tokens=theme.tokens()),
        name="risk-certainty",
        alternative="Risk certainty of all cases, in ascending order within each leading risk level",
        caption="L, M, H: the level that leads most often, all labels of a level together, with its number "
        f"of cases; by the leading label alone, as Study and Cases count, high are {n_high:,}. "
        "Within a level, the least certain first. Above a field: how likely another level is.",
        table=table[["risk", "risk_certainty", "certainty_place"]],
        provenance=source,
    )


def _expected(table: pd.DataFrame, source: Mapping[str, str]) -> None:
    """Draw each case's expected risk with its spread."""
    parts.head("How high is the risk?")
    drawn = min(len(table), risk.MOST_CASES)
    shown = "All cases" if drawn == len(table) else f"{drawn} of {len(table):,} cases, evenly spaced"
    picture(
        risk.expected_risk_chart(table, tokens=theme.tokens()),
        name="expected-risk",
        alternative="Expected risk of cases in ascending order, with quantiles and extremes over draws",
        caption=f"{shown}. Dot: expected risk. Blue: 90 % of {N_DRAWS} plausible truths. Grey: all of them.",
        table=table.drop(columns=["risk", "risk_certainty", "certainty_place"]),
        provenance=source,
    )


def _models(tables: RiskTables, models: list[str], source: Mapping[str, str]) -> None:
    """Draw each model's accuracy on the cases of high risk."""
    parts.head("How good are the models where risk is high?")
    element("p", tables.why)
    table = tables.by_model
    depths = sorted(set(table["k"]))
    k = st.segmented_control(
        "Right within",
        depths,
        default=depths[0],
        format_func=lambda k: f"top {k}",
        key="choose-risk-depth",
        label_visibility="collapsed",
        required=True,
    )
    shown = table[table["k"] == k]
    picture(
        risk.high_risk_chart(
            shown,
            models,
            (BY_POINT, EXPECTED),
            title=f"Top-{k} accuracy on high-risk cases",
            tokens=theme.tokens(),
        ),
        name="high-risk-accuracy",
        alternative=f"Top-{k} accuracy of every model on the cases of high risk, in two senses",
        caption=f"Cross: {_entered(shown, BY_POINT)} that the point estimate calls high-risk"
        f"{_ties(shown)}. "
        f"Dot: {_entered(shown, EXPECTED)}, each as far as it plausibly is of high risk"
        f"{_amount(shown, EXPECTED)}. Lines: 95 % over cases.",
        table=table,
        provenance=source,
    )


def _entered(table: pd.DataFrame, condition: str) -> str:
    """Say how many cases entered under a condition; models may differ in it."""
    n_cases = table.loc[table["condition"] == condition, "n_cases"]
    low, high = int(n_cases.min()), int(n_cases.max())
    return f"the {count(high, 'case')}" if low == high else f"the {low:,} to {high:,} cases"


def _ties(table: pd.DataFrame) -> str:
    """Say what becomes of cases whose leading labels are tied by the point estimate, where there are any."""
    of = table[table["condition"] == BY_POINT]
    has_ties = (of["weight"].round(6) < of["n_cases"]).any()
    return f", those with tied labels in part{_amount(table, BY_POINT)}" if has_ties else ""


def _amount(table: pd.DataFrame, condition: str) -> str:
    """Say what the cases amount to that are of high risk in part; nothing where models differ in it."""
    weight = table.loc[table["condition"] == condition, "weight"].round(1).unique()
    return f", {weight[0]:,.1f} in all" if len(weight) == 1 else ""
