"""Differences against a margin, and shares of variances: what is drawn where."""

from __future__ import annotations

import json
import math

import pandas as pd
import pytest
import vl_convert

from core.analysis.models.other_readers_words import SOURCES
from dashboard.charts.figure import Figure
from dashboard.charts.models.other_readers import margin_chart, variance_shares_chart
from dashboard.shell.theme import DARK, LIGHT

ROWS = pd.DataFrame(
    {
        "first": ["net", "film"],
        "second": ["film", "screen"],
        "difference": [0.012, -0.06],
        "low": [-0.047, -0.11],
        "high": [0.071, -0.01],
        "says": ["+0.012", "−0.060"],
    }
)


def rendered(figure: Figure) -> str:
    """SVG of a figure."""
    data = {name: json.loads(frame.to_json(orient="records")) for name, frame in figure.data.items()}
    return str(vl_convert.vegalite_to_svg({**figure.spec, "width": 500, "datasets": data}))


def test_what_lies_beyond_the_margin_is_shaded() -> None:
    """To the left of it, as far as the axis goes, which holds every interval."""
    figure = margin_chart(ROWS, margin=0.05, metric="AUROC", tokens=LIGHT)
    zone = figure.data["zone"].iloc[0]
    assert zone["edge"] == -0.05
    assert zone["from"] < ROWS["low"].min()
    svg = rendered(figure)
    for words in ("net − film", "margin", "the first is worse", "Difference in AUROC"):
        assert words in svg


def test_without_a_margin_nothing_is_shaded() -> None:
    """Only no difference is marked."""
    figure = margin_chart(ROWS, margin=0.0, metric="accuracy", tokens=DARK)
    assert figure.data["zone"].empty
    assert "margin" not in rendered(figure)


def test_the_parts_of_a_bar_follow_each_other_to_its_end() -> None:
    """Parts of nothing are left out, and so is a bar of which nothing is known; small ones have no words."""
    shares = [[0.5, 0.3, 0.15, 0.05], [0.0, 1.0, 0.0, 0.0], [math.nan] * 4]
    table = pd.DataFrame(shares, columns=[*SOURCES]).assign(row=["a", "b", "c"], says=["1", "2", "3"])
    figure = variance_shares_chart(table, names=SOURCES, tokens=LIGHT)
    bars = figure.data["bars"]
    assert bars["row"].value_counts().to_dict() == {"a": 4, "b": 1}
    assert bars[bars["row"] == "a"]["end"].tolist() == pytest.approx([0.5, 0.8, 0.95, 1.0])
    assert bars["words"].tolist() == ["50\u00a0%", "30\u00a0%", "15\u00a0%", "", "100\u00a0%"]
    assert "uncertain truth" in rendered(figure)
