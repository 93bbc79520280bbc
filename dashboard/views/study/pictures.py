"""The claims in pictures: the numbers of their table, for whoever wants to see or to save them."""

from __future__ import annotations

from functools import partial

import pandas as pd
import streamlit as st

from dashboard.charts.study import models
from dashboard.components.picture import picture
from dashboard.shell import theme
from dashboard.views import parts

_BY_TRUTHS = "Bar: supported, in 95 of 100 plausible truths. Pale: the ceiling for any model."
_BY_POINT = (
    "Dot: by the point estimate, a single truth without doubt. Line: the ceiling for any model, below "
    "100\u00a0% only because of ties."
)
"""How to read what is supported: over plausible truths, and by the one truth of a point estimate."""
_ALARMS = ("false_alarms", "false_alarms_low", "false_alarms_high")


@st.fragment
@parts.folded("The claims in pictures", key="study-pictures")
def show(table: pd.DataFrame, danger: str, source: dict[str, str], *, is_point: bool) -> None:
    """Picture what is claimed of each model and what is supported, and who warns where there is ``danger``.

    ``table`` is that of `core.analysis.models.supported.Supported`; ``danger`` says where danger is, and is
    empty without levels of risk.
    """
    drawn = [partial(_claimed, table, source, is_point=is_point)]
    if danger:
        drawn.append(partial(_where_risk_is_high, table, danger, source))
    parts.beside(*drawn)


def _claimed(table: pd.DataFrame, source: dict[str, str], *, is_point: bool) -> None:
    """Draw what is claimed of every model, what is supported, and the ceiling."""
    parts.head("Claimed, and supported by the labels")
    columns = {"names": "model", "hard": "claimed", "value": "supported"}
    picture(
        models.claimed_chart(table, tokens=theme.tokens()),
        name="claimed",
        alternative="Accuracy of each model: claimed, supported by the labels, and the ceiling of any model",
        caption="Cross: claimed, with the majority label taken as the truth. "
        + (_BY_POINT if is_point else _BY_TRUTHS)
        + _fold(table),
        table=table.drop(columns="model").rename(columns=columns)[
            ["model", "claimed", "supported", "low", "high", "ceiling", "ceiling_low", "ceiling_high"]
        ],
        provenance=source,
    )


def _where_risk_is_high(of: pd.DataFrame, danger: str, source: dict[str, str]) -> None:
    """Draw how often every model warns where the truth is a high-risk label."""
    table = of.drop(columns="model").rename(columns={"names": "model"}).dropna(subset="caught")
    parts.head("Where the truth is a high-risk label")
    picture(
        models.high_risk_chart(of, tokens=theme.tokens()),
        name="high-risk",
        alternative=f"{danger} With intervals, and the share of each model’s warnings that are false.",
        caption="Warned of: the model puts a high-risk label first, right or not. False warnings: share of "
        "its own warnings. Lines: 95\u00a0% intervals for other cases of this kind." + _fold(table),
        table=table[["model", "caught", "caught_low", "caught_high", *_ALARMS]].rename(
            columns={"caught_low": "low", "caught_high": "high"}
        ),
        provenance=source,
    )


def _fold(table: pd.DataFrame) -> str:
    """Say which models are drawn where not all are."""
    return (
        f" The first {models.MOST_MODELS} of {len(table)} models." if len(table) > models.MOST_MODELS else ""
    )
