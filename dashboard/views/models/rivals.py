"""The cases that decide between two models."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Any, cast

import pandas as pd
import streamlit as st

from core.analysis.deciding import DECIDING_METRICS, deciding_cases
from core.analysis.model_finding import pair_finding
from core.study.model import Task
from dashboard import cache, state
from dashboard.case_list import Column, case_list
from dashboard.charts.better_matrix import PAIR
from dashboard.picture import data_button
from dashboard.text import element, percent
from dashboard.views import parts
from dashboard.views.models.scene import Scene

MOST_CASES = 50
"""Listed; the data have all."""
_HEIGHT = 420
"""Pixels of the list at most."""
_SOFT = "Share of the readings that say the label."
_KEYS = ("rival-a", "rival-b")
_CLICKED = "loupe-clicked-pair"


def adopt(selected: Mapping[str, Any]) -> None:
    """Take over a pair that was clicked in the matrix, once."""
    clicked = [(row["model"], row["other"]) for row in selected.get(PAIR, []) if "other" in row]
    if clicked and clicked[0] != st.session_state.get(_CLICKED):
        state.change(rivals=clicked[0])
    st.session_state[_CLICKED] = clicked[0] if clicked else None


def show(scene: Scene) -> None:
    """Let two models be chosen, and list the cases that decide between them."""
    if not scene.ranks:
        return
    parts.head("Which cases decide between two models?")
    metric = scene.ranked_by
    if metric not in DECIDING_METRICS:
        parts.note(f"{metric} is an average over labels: choose a metric of one label, or accuracy.")
        return
    a, b = _choose(scene.distinct)
    try:
        cases = _deciding(scene, a, b, metric)
    except ValueError as refusal:
        parts.note(f"{a} and {b} cannot be compared by {metric}: {refusal}.")
        return
    found = scene.kept(f"who is better, {a!r} or {b!r}", lambda: _finding(scene, cases, a, b))
    if found:
        element("p", found)
    _table(scene, cases, (a, b), metric)


def _finding(scene: Scene, cases: pd.DataFrame, a: str, b: str) -> str:
    """Which of two models is better, and how surely; nothing where nothing was drawn."""
    pairs = scene.of_source("pairs")
    if pairs.empty:
        return ""
    pair = pairs[(pairs["model_a"] == a) & (pairs["model_b"] == b)].iloc[0]
    return pair_finding(pair, cases, draws=scene.draws)


def _choose(models: pd.DataFrame) -> tuple[str, str]:
    """Offer the models that differ; the leaders by both metrics at first."""
    names = dict(zip(models["model"], models["names"], strict=True))
    asked = [model for model in state.view().rivals if model in names][:2]
    hard = models.sort_values("hard_rank", kind="stable")["model"].iloc[0]
    a, b, *_ = dict.fromkeys([*asked, hard, *names])
    with st.container(horizontal=True, key="models-rivals"):
        for place, (key, value, other) in enumerate(((_KEYS[0], a, b), (_KEYS[1], b, a))):
            if st.session_state.get(key) != value:
                st.session_state[key] = value
            st.selectbox(
                ("Model A", "Model B")[place],
                [model for model in names if model != other],
                format_func=lambda model: names[model],
                key=key,
                on_change=_take,
                width=270,
            )
    return a, b


def _take() -> None:
    """Keep the two models that are chosen."""
    state.change(rivals=tuple(st.session_state[key] for key in _KEYS))


def _deciding(scene: Scene, a: str, b: str, metric: str) -> pd.DataFrame:
    """Cases in the order of how much they decide."""
    aggregation = scene.aggregation if metric == "adjusted accuracy" else None
    return cache.kept(
        "deciding cases",
        scene.study,
        scene.task,
        a,
        b,
        metric,
        scene.basis.label,
        scene.basis.rule,
        aggregation,
        compute=lambda: deciding_cases(
            scene.study,
            scene.task,
            a,
            b,
            metric=metric,
            label=scene.basis.label,
            aggregation=aggregation,
            rule=scene.basis.rule,
        ),
    )


def _table(scene: Scene, cases: pd.DataFrame, models: Sequence[str], metric: str) -> None:
    """List the cases; a click opens one."""
    columns, rows, shares = scene.kept(
        f"deciding between {models}", lambda: _listed(cases, models, metric, scene.task)
    )
    if not rows:
        parts.note("No case decides: both say the same of all, as far as this metric sees.")
        return
    name = "Cases that decide between two models"
    opened = case_list(columns, rows, name=name, key="deciding", height=_HEIGHT, shares=shares)
    with st.container(horizontal=True, wrap=False, vertical_alignment="center"):
        parts.note(
            f"The most decisive first, {len(rows):,} of {len(cases):,} cases. Click a row to open the case "
            "in Cases."
        )
        data_button(
            name="deciding-cases",
            table=cases,
            provenance=dict(scene.source) | {"model A": models[0], "model B": models[1], "metric": metric},
        )
    if opened is not None:
        state.choose_case(opened)
        state.open_page("cases")


def _listed(
    cases: pd.DataFrame, models: Sequence[str], metric: str, task: Task
) -> tuple[list[Column], list[list[str]], list[float]]:
    """Columns, rows and shares of the list, the most decisive case first."""
    decide = cases[cases["advantage"].fillna(0) != 0].head(MOST_CASES)
    of_all_labels = "accuracy" in metric
    has_soft_label = not of_all_labels or len(task.labels) == 2
    by = "What the case adds to A's lead over B, on the cases that both predicted."
    columns = [
        Column("Case"),
        Column("Speaks for"),
        Column("By", is_number=True, help=by),
        *([Column("Soft label", is_share=True, help=_SOFT)] if has_soft_label else []),
        Column("Hard label"),
        Column("Readings", is_number=True),
        *(Column(f"{model} {'says' if of_all_labels else 'gives'}", not of_all_labels) for model in models),
    ]
    rows = [
        [
            row.case_id,
            row.favours,
            f"{row.advantage:+.5f}".replace("-", "−"),
            *([percent(row.plausibility)] if has_soft_label else []),
            row.hard_label,
            f"{row.n_readings}",
            *((row.predicted_a, row.predicted_b) if of_all_labels else _scores(row.score_a, row.score_b)),
        ]
        for row in cast("Iterable[Any]", decide.itertuples())
    ]
    return columns, rows, decide["plausibility"].tolist() if has_soft_label else [0.0] * len(rows)


def _scores(*scores: float) -> list[str]:
    """Probabilities or scores with three decimals."""
    return [f"{score:.3f}".replace("-", "−") for score in scores]
