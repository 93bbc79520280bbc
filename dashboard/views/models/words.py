"""What the page says of a comparison, each text made once for what it tells of."""

from __future__ import annotations

from typing import Any

import numpy as np

from core.analysis.formatting import of_hundred
from core.analysis.models.finding import best_in_draws, distinct, reasons, signed, subject
from core.analysis.models.finding import finding as finding_of
from core.analysis.models.hard_labels import n_tied
from core.analysis.models.tables import Measured
from dashboard.components.text import count
from dashboard.views.models.model_comparison import ModelComparison, once

UNDEFINED = "–"
"""Stands for a metric that a model does not have."""


@once
def finding(comparison: ModelComparison) -> str:
    """State the finding with its uncertainty."""
    about = subject(comparison.study, comparison.task, comparison.measure, comparison.found.compared.label)
    draws = comparison.draws + comparison.against
    said = finding_of(comparison.rows, comparison.of_source("best"), draws=draws, about=about)
    if not comparison.falls_back or comparison.drawn is None:
        return said
    best = comparison.drawn.best
    best = best[(best["source"] == "cases") & (best["metric"] == comparison.counterpart)]
    soft = best_in_draws(comparison.rows, best, draws="resamplings of the cases")
    return f"{said} {soft}".rstrip()


@once
def finding_of_values(comparison: ModelComparison) -> str:
    """State who leads by both metrics on the readings and cases as they are, and nothing of draws."""
    about = subject(comparison.study, comparison.task, comparison.measure, comparison.found.compared.label)
    return finding_of(comparison.rows, comparison.of_source("best").iloc[:0], draws="", about=about)


@once
def rests_on(comparison: ModelComparison) -> str:
    """Which cases, readings and models the comparison rests on, and what is left out and why."""
    compared = comparison.found.compared
    readings = comparison.found.labels["n_readings"]
    low, high = int(readings.min()), int(readings.max())
    each = f"{low}" if low == high else f"{low} to {high}"
    words = [
        "A hard metric takes the label with most readings for the truth, its counterpart keeps them all.",
        f"Judged: {len(compared.cases):,} of {count(comparison.study.n_cases, 'case')}, with {each} "
        "readings each",
    ]
    if compared.n_unread:
        words[-1] += f"; {compared.n_unread:,} were not read"
    if compared.n_left_out:
        words[-1] += f"; {compared.n_left_out:,} lack a prediction"
    words[-1] += "."
    tied = n_tied(compared)
    if tied:
        how = "the study's first label is taken"
        if comparison.aggregation.tie_rule == "split":
            how = "a hard metric is its mean over all ways of breaking the ties"
        words.append(f"In {count(tied, 'case')} several labels have most readings: {how}.")
    if comparison.settings.coverage == "own":
        scored = compared.n_scored
        words.append(f"Each model on its own cases: {int(scored.min()):,} to {int(scored.max()):,}.")
    if comparison.rows["reason"].ne("").any():
        words.append(f"Left out: {reasons(comparison.rows)}.")
    if comparison.found.refused:
        words.append(refusals(comparison.found))
    return " ".join(words)


def refusals(found: Measured) -> str:
    """Which metrics cannot be had, and why."""
    by_reason: dict[str, list[str]] = {}
    for metric, reason in found.refused.items():
        by_reason.setdefault(reason, []).append(metric)
    return " ".join(
        f"Not offered: {', '.join(metrics)} ({reason.rstrip('.')})." for reason, metrics in by_reason.items()
    )


@once
def all_metrics(comparison: ModelComparison) -> tuple[list[str], list[list[str]]]:
    """Heads and rows of the table of all metrics: a model, and a cell for each metric."""
    pairs = dict(
        zip(comparison.found.metrics["metric"], comparison.found.metrics["counterpart"], strict=True)
    )
    offered = [metric for metric in pairs if metric not in comparison.found.refused]
    models = distinct(comparison.rows).sort_values("soft_rank", kind="stable")
    cells = {(row.metric, row.model): _cell(row) for row in comparison.found.metrics.itertuples()}
    rows = [
        [names, *(cells[metric, model] for metric in offered)]
        for model, names in zip(models["model"], models["names"], strict=True)
    ]
    return ["Model", *(f"{metric} → {pairs[metric]}" for metric in offered)], rows


def _cell(row: Any) -> str:
    """Both values of a row of `rank_change`, their difference, and both ranks."""
    if np.isnan(row.hard) or np.isnan(row.soft):
        return UNDEFINED
    ranks = f"rank\u00a0{row.hard_rank}\u00a0→\u00a0{row.soft_rank}"
    return f"{row.hard:.3f} → {row.soft:.3f} ({signed(row.difference)}) {ranks}"


@once
def more_stable(comparison: ModelComparison) -> str:
    """Say whether the counterpart's order is the more stable."""
    assert comparison.drawn is not None
    tests = comparison.drawn.tests
    row = tests[
        (tests["source"] == comparison.settings.source)
        & (tests["metric"] == comparison.measure)
        & (tests["coefficient"] == "spearman")
    ]
    if row.empty or row["share_better"].isna().all():
        return ""
    found = row.iloc[0]
    n_draws = found["wins"] + found["losses"] + found["ties"]
    better, worse, alike = (of_hundred(found[which] / n_draws) for which in ("wins", "losses", "ties"))
    return (
        f"Of 100 {comparison.draws}, {comparison.counterpart} keeps its order better than "
        f"{comparison.measure} in {better}, worse in {worse} and equally well in {alike}."
    )
