"""Pictures of a case with changed readings show how it was: hollow, named, and said in words."""

from __future__ import annotations

import json
from dataclasses import replace

import numpy as np
import pandas as pd
import plotly.graph_objects as go
import pytest
from simplexes import simplex_with

from core.analysis.cases.simplex import Before, Simplex
from dashboard.charts.cases import ternary
from dashboard.charts.cases.dots import dot_chart
from dashboard.charts.cases.plausibility import MOST_LABELS, leads_words, plausibility_chart
from dashboard.charts.cases.predictions import predictions_chart
from dashboard.charts.cases.simplex import simplex_figure
from dashboard.charts.cases.simplex_legend import simplex_legend
from dashboard.charts.cases.simplex_print import faces_print, simplex_print
from dashboard.charts.cases.tetrahedron import CORNERS, tetrahedron_figure
from dashboard.charts.live import LiveFigure
from dashboard.shell.theme import DARK, LIGHT, Tokens
from dashboard.views.cases.pictures import dot_words, plausibility_words
from dashboard.views.cases.simplex import words

NOW, THEN = (0.74, 0.61)
DOTS = pd.DataFrame(
    {"label": ["a", "b", "c"], "risk": ["H", "L", ""], "dots": [15, 5, 0], "dots before": [9, 7, 4]}
).assign(truths=[75, 25, 0])
DOTS["truths before"] = [45, 35, 20]


def _table(n: int = 2) -> pd.DataFrame:
    """Label 0 rises from 61 to 74 %; the last has led before and is not mentioned any more."""
    table = pd.DataFrame({"label": [f"x{i}" for i in range(n)], "risk": ""})
    for name in ("leads", "plausibility", "low", "high", "point"):
        table[name] = [NOW, *[0.01] * (n - 2), 0.0]
        table[f"{name} before"] = [THEN, *[0.01] * (n - 2), 0.3]
    table.loc[n - 1, ["low", "high"]] = np.nan
    return table


def _simplex(n: int = 3) -> Simplex:
    """Draws whose mean before lay on the first label."""
    shares = [[0.2] * n, [0.1, 0.5, *[0.1] * (n - 2)]]
    first = np.eye(n)[0]
    return replace(simplex_with("wxyz"[:n], shares), before=Before(first * 0.9, first, first * 0.8))


@pytest.mark.parametrize("tokens", [LIGHT, DARK], ids=["light", "dark"])
def test_plausibility(tokens: Tokens) -> None:
    """Both numbers stand in the row, the ghost lies where it was, and the tooltip names it."""
    draws = pd.DataFrame({"label": ["x0"], "plausibility": [0.5]})
    figure = plausibility_chart(_table(), draws, tokens=tokens)
    rows = figure.data["rows"]
    assert rows["leads"].tolist() == ["leads in 61 → 74 of 100", "leads in 30 → 0 of 100"]
    assert rows["mean_before"].tolist() == [THEN, 0.3]
    assert rows["said"].tolist() == ["before", ""]
    spec = json.dumps(figure.spec)
    assert "Before the change, mean share" in spec
    plain = plausibility_chart(_table().iloc[:, [0, 1, 2, 4, 6, 8, 10]], draws, tokens=tokens)
    assert "before" not in json.dumps(plain.spec).lower()
    assert plain.spec["height"] < figure.spec["height"]


def test_a_label_that_led_before_has_its_row() -> None:
    """However many labels there are, none that led and does no more is left out."""
    rows = plausibility_chart(_table(20), pd.DataFrame({"label": [], "plausibility": []}), tokens=LIGHT)
    shown = rows.data["rows"]["label"].tolist()
    assert len(shown) == MOST_LABELS
    assert shown[0] == "x0"
    assert shown[-1] == "x19"


def test_dots() -> None:
    """Twenty hollow ones lie below the twenty, and the words say both."""
    data = dot_chart(DOTS, tokens=LIGHT).data
    assert data["rows"]["words"].tolist() == ["a: 45 → 75 of 100", "b: 35 → 25 of 100", "c: 20 → 0 of 100"]
    assert data["before"].groupby("row").size().tolist() == [9, 7, 4]
    assert data["said"]["said"].tolist() == ["before"]
    many = pd.concat([DOTS.assign(label=DOTS["label"] + str(i)) for i in range(4)], ignore_index=True)
    assert dot_chart(many, tokens=LIGHT).data["before"].shape[0] == 80


def test_predictions() -> None:
    """How often a model was right is said and marked."""
    table = pd.DataFrame(
        {"model": ["m"], "prediction": ["x: 9%"], "first answer": ["x"], "probability": [0.09],
         "score": [""], "then": [""], "right": [NOW], "holds the truth": [0.9],
         "right before": [THEN], "holds the truth before": [0.8]}
    )  # fmt: skip
    rows = predictions_chart(table, ["m"], k=3, tokens=LIGHT).data["rows"]
    assert rows["was"].tolist() == ["before: right in 61 of 100 truths; its top 3 hold the truth in 80"]
    assert rows["right_before"].tolist() == [THEN]


def test_simplex() -> None:
    """A hollow mark at its place says the shares; it cannot be chosen; Plotly takes the figure."""
    figure: LiveFigure = simplex_figure(_simplex(3), tokens=LIGHT)
    go.Figure({"data": figure.traces, "layout": figure.layout})
    hollow = [
        trace for trace in figure.traces if str(trace.get("text", [""])[0]).startswith("Before the change")
    ]
    assert "customdata" not in hollow[0]
    assert (hollow[0]["marker"]["symbol"], hollow[0]["marker"]["color"]) == ("circle", LIGHT.page)
    assert "w 100\u00a0%" in hollow[0]["text"][0]
    assert [hollow[0]["x"][0], hollow[0]["y"][0]] == [0.0, 0.0]
    assert '"before"' in json.dumps(figure.layout)
    said = {one["text"]: one for one in figure.layout["annotations"] if one["text"] in ("before", "after")}
    (lower, upper) = sorted(said.values(), key=lambda one: one["y"])
    assert lower["yshift"] < 0 < upper["yshift"], "away from each other"
    mean = next(one for one in figure.traces if str(one.get("text", [""])[0]).startswith("Mean"))
    assert (mean["marker"]["symbol"], mean["marker"]["color"]) == ("diamond", LIGHT.text)
    styles = {words: style for style, words in simplex_legend(_simplex(3), LIGHT)}
    assert LIGHT.text in styles["mean after the change"]
    assert "border-radius" not in styles["mean after the change"]
    assert "border-radius:50%" in styles["before the change"]
    without = simplex_figure(replace(_simplex(3), before=None), tokens=LIGHT)
    assert "before" not in json.dumps([without.traces, without.layout]).lower()


def test_tetrahedron() -> None:
    """Where the mean was stands a mark that says its shares, with the way to where it is now."""
    figure = tetrahedron_figure(_simplex(4), tokens=LIGHT)
    before, mean = figure.marks[:2]
    assert (before["kind"], mean["kind"]) == ("before", "mean")
    np.testing.assert_allclose(before["at"], CORNERS[0], atol=1e-4)
    assert before["to"] == mean["at"]
    assert "w 100\u00a0%" in before["says"]
    without = tetrahedron_figure(replace(_simplex(4), before=None), tokens=LIGHT)
    assert [mark["kind"] for mark in without.marks] == ["mean", "point"]


def test_point_estimates_have_a_ghost_too() -> None:
    """Where nothing but the point estimate is left, that is what is marked and named."""
    simplex = replace(simplex_with("xyz", [[0.2, 0.5, 0.3]]), before=_simplex().before)
    figure = simplex_figure(simplex, tokens=LIGHT)
    says = [trace["text"][0] for trace in figure.traces if "Before" in str(trace.get("text"))]
    assert len(says) == 1
    assert says[0].startswith("Before the change, point estimate")


def test_prints_have_it() -> None:
    """What is saved shows it at the same place, on every face."""
    marks = simplex_print(_simplex(), tokens=LIGHT).data["landmarks_0"].set_index("kind")
    np.testing.assert_allclose(marks.loc["mean before", ["x", "y"]].to_numpy(float), ternary.CORNERS[0])
    assert "mean after" in marks.index
    assert "mean" not in marks.index
    assert "mean before" in faces_print(_simplex(4), tokens=LIGHT).data["landmarks_2"]["kind"].tolist()


def test_words() -> None:
    """Those who do not see the pictures are told."""
    assert dot_words(DOTS).startswith("Of 100 plausible truths: a leads in 75 (45 before the change); ")
    assert "x0 leads in 61 → 74 of 100" in plausibility_words(_table())
    assert plausibility_words(_table()[["label", "leads"]]) == ""
    assert leads_words(_table()[["leads"]])[0] == "74 of 100"
    assert "before and after the change: w leads in 90 → " in words(_simplex())
    legend = [said for _, said in simplex_legend(_simplex(), LIGHT)]
    assert "before the change" in legend
    assert legend[-1] == "bluer: leads more often"
    few = [said for _, said in simplex_legend(_simplex(), LIGHT, all_marks=False)]
    assert few == ["another label leads", "mean after the change", "before the change"]
