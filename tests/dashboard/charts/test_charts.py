"""Charts: what is drawn where, and in which colour."""

from __future__ import annotations

import json
import math
from collections.abc import Iterator
from typing import Any

import numpy as np
import pandas as pd
import pytest
from simplexes import simplex_with

from core.analysis.cases.bars import MOST_BARS, Bars, certainty_bars, number_bars, risk_bars
from core.analysis.overview import spread_per_case
from dashboard.charts.cases.dots import MOST_ROWS, dot_chart
from dashboard.charts.cases.plausibility import MOST_LABELS, plausibility_chart
from dashboard.charts.cases.predictions import predictions_chart
from dashboard.charts.cases.simplex_print import simplex_print
from dashboard.charts.figure import Figure
from dashboard.charts.reliability.certainty import (
    BRUSH,
    CLICK,
    comparison_chart,
    places,
    sorted_certainty_chart,
)
from dashboard.charts.reliability.fit import predictive_chart
from dashboard.charts.reliability.sweep import sweep_chart
from dashboard.charts.study.certainty import certainty_histogram
from dashboard.charts.study.counts import count_histogram, label_chart, risk_chart, score_histogram
from dashboard.charts.study.opening import OPENS, SAID
from dashboard.shell.theme import DARK, LIGHT, MARKS, Tokens, model_colour, model_mark

ODD = "a.b[c] 'd' \\ <b>"


def _plausibilities(labels: list[str]) -> pd.DataFrame:
    share = 1 / len(labels)
    columns = {"leads": share, "plausibility": share, "low": share / 2, "high": share, "point": share}
    return pd.DataFrame({"label": labels, "risk": "H", **columns})


def _swept() -> pd.DataFrame:
    rows = [(g, name, value, value - 0.1, value + 0.1) for g in (1.0, 10.0, math.inf) for name, value in
            (("A", 0.5), ("B", 0.5), ("held-out reader", 0.7))]  # fmt: skip
    return pd.DataFrame(rows, columns=["reliability", "series", "value", "low", "high"])


def _figures(tokens: Tokens) -> Iterator[Figure]:
    certainty = pd.DataFrame(
        {"case_id": ["a", "b", "c"], "certainty": [0.2, 1.0, np.nan], "risk_certainty": 1.0}
    )
    draws = pd.DataFrame({"label": [ODD, "x"], "plausibility": [0.1, 0.2]})
    pairs = pd.DataFrame({"case_id": ["a"], "certainty_a": [0.1], "certainty_b": [0.2]})
    says = pd.DataFrame({"model": ["B"], "right": [0.1], "holds the truth": [0.2]}).assign(
        **{"prediction": "x: 9%", "first answer": "x", "probability": 0.09, "score": "", "then": ""}
    )
    curve = pd.DataFrame(
        {"reliability": [1.0, 3.0], "log_likelihood": [-4.0, -5.0], "standard_error": 0.1, "best_share": 0.5}
    )
    yield plausibility_chart(_plausibilities([ODD, "x"]), draws, tokens=tokens)
    yield simplex_print(simplex_with((ODD, "x", "y"), [[0.5, 0.3, 0.2]]), tokens=tokens)
    yield dot_chart(
        pd.DataFrame({"label": [ODD], "risk": [""], "dots": [20], "truths": [100]}), tokens=tokens
    )
    yield predictions_chart(says, ["A", "B"], k=1, tokens=tokens)
    yield sorted_certainty_chart(certainty, tokens=tokens)
    yield certainty_histogram(_bars(certainty_bars(certainty)), tokens=tokens)
    yield comparison_chart(pairs, ("one", "two"), tokens=tokens)
    yield count_histogram(_bars(number_bars(_spread([1, 2, 2]), "readings")), title="Readings", tokens=tokens)
    yield score_histogram(np.array([0.1, 0.9]), 0.5, tokens=tokens)
    yield label_chart(pd.DataFrame({"label": [ODD], "risk": ["H"], "readings": [3]}), tokens=tokens)
    yield risk_chart(_bars(risk_bars(certainty.assign(risk="high"))), tokens=tokens)
    yield risk_chart(_bars(risk_bars(certainty.assign(risk="low", high_risk=0.2))), tokens=tokens)
    yield sweep_chart(_swept(), subjects=["A", "B"], tokens=tokens, title="Accuracy", chosen=3.0)
    yield predictive_chart(curve, 1.0, chosen=math.inf, tokens=tokens)


def test_a_long_label_of_a_model_is_whole_where_no_verdict_stands_beside_it() -> None:
    """Beside a verdict there is less room."""
    label = "Lichen planus/lichenoid eruption"
    says = pd.DataFrame(
        {
            "model": ["A"], "prediction": [label], "first answer": [label], "then": [""], "score": [""],
            "probability": [0.92], "right": [0.98], "holds the truth": [1.0],
        }
    )  # fmt: skip
    (whole,) = predictions_chart(says, ["A"], k=3, tokens=LIGHT).data["rows"]["first"]
    (cut,) = predictions_chart(says.assign(warns="no"), ["A"], k=3, tokens=LIGHT).data["rows"]["first"]
    assert whole.startswith(label)
    assert "…" in cut


def test_high_risk_behind_another_level_has_its_colour() -> None:
    """The part of a bar, and a second line of words; none where there is no such case."""
    cases = pd.DataFrame({"risk": ["low", "low", "low", "high"]}).assign(
        risk_certainty=[1, 0.9, 0.9, 0.8], high_risk=[0, 0, 0.1, 0.8]
    )
    data = risk_chart(_bars(risk_bars(cases)), tokens=LIGHT).data
    assert data["parts"]["letter"].tolist() == ["L", "L", "H", "H", "H"]
    assert data["parts"]["to"].tolist() == [1, 2, 3, 0, 1]
    assert data["parts"]["strength"].between(0.3, 1).all()
    assert data["levels"]["words"].tolist() == ["1 certain, 1 uncertain", "0 certain, 1 uncertain"]
    assert data["levels"]["danger"].tolist() == ["and 1 perhaps high risk", ""]


def _bars(bars: Bars) -> pd.DataFrame:
    """Bars with what each opens."""
    return bars.table.assign(**{OPENS: "", SAID: ""})


def _spread(readings: list[int]) -> pd.DataFrame:
    """Cases by their numbers of readings."""
    return spread_per_case(pd.DataFrame({"readings": readings, "labels": 1}))


def _fields(spec: Any) -> Iterator[str]:
    """Every field that a specification reads."""
    if isinstance(spec, dict):
        if isinstance(spec.get("field"), str):
            yield spec["field"]
        for value in spec.values():
            yield from _fields(value)
    elif isinstance(spec, list):
        for value in spec:
            yield from _fields(value)


@pytest.mark.parametrize("tokens", [LIGHT, DARK], ids=["light", "dark"])
def test_every_field_is_in_the_data(tokens: Tokens) -> None:
    """What a layout reads is there, and no column name needs escaping."""
    for figure in _figures(tokens):
        columns = {column for frame in figure.data.values() for column in frame.columns}
        for field in _fields(figure.spec):
            assert field in columns
            assert field.isidentifier()


def test_colours_come_from_the_tokens() -> None:
    """Light and dark differ in colours only."""
    for light, dark in zip(_figures(LIGHT), _figures(DARK), strict=True):
        text = json.dumps(light.spec)
        for colour in (
            LIGHT.soft,
            LIGHT.hard,
            LIGHT.muted,
            LIGHT.page,
            LIGHT.rule,
            LIGHT.text,
            *LIGHT.models,
        ):
            text = text.replace(colour, "colour")
        assert DARK.soft not in text
        assert light.data.keys() == dark.data.keys()


def test_layout_stays_while_data_change() -> None:
    """A step of the slider changes data, not the specification: the browser need not draw anew."""
    table = _plausibilities(["x", "y"])
    draws = pd.DataFrame({"label": ["x"], "plausibility": [0.1]})
    first = plausibility_chart(table, draws, tokens=LIGHT)
    second = plausibility_chart(table.assign(plausibility=0.9), draws, tokens=LIGHT)
    assert first.spec is second.spec
    assert second.data["rows"]["mean"].tolist() == [0.9, 0.9]


def test_dots_add_up() -> None:
    """As many dots as the table says, in their rows, each with its letter."""
    table = pd.DataFrame({"label": ["x", "y"], "risk": ["L", "H"], "dots": [13, 7], "truths": [65, 35]})
    dots = dot_chart(table, tokens=LIGHT).data["dots"]
    assert dots.groupby("row").size().tolist() == [13, 7]
    assert dots.groupby("row")["risk"].first().tolist() == ["L", "H"]


def test_plausibility_folds_many_labels() -> None:
    """Ten thousand labels give the most likely leaders only."""
    table = _plausibilities([f"label {i}" for i in range(10_000)])
    figure = plausibility_chart(table, pd.DataFrame({"label": [], "plausibility": []}), tokens=LIGHT)
    assert len(figure.data["rows"]) == MOST_LABELS


def test_histogram_counts_every_case_once() -> None:
    """Settled and open cases add up to all that have a certainty; a bar stands where its range is."""
    certainty = pd.DataFrame({"certainty": [0.0, 0.05, 0.5, 0.98, 0.99, 1.0, np.nan]})
    bars = certainty_histogram(_bars(certainty_bars(certainty)), tokens=LIGHT).data["bars"]
    assert bars["cases"].sum() == 6
    assert bars.loc[bars["kind"] == "settled", "cases"].tolist() == [2]
    still_open = bars[bars["kind"] == "open"]
    assert (still_open["from"] >= still_open["low"] / 100).all()
    assert (still_open["to"] > still_open["from"]).all()


def test_large_counts_share_the_last_bar() -> None:
    """A thousand readings of one case do not stretch the axis, and numbers that no case has keep a place."""
    bars = _bars(number_bars(_spread([1, 2, 1000]), "readings"))
    shown = count_histogram(bars, title="Readings", tokens=LIGHT).data["bars"]
    assert len(shown) == MOST_BARS
    assert shown["number"].iloc[-1] == f"{MOST_BARS}–1000"
    assert shown["cases"].tolist() == [1, 1, *[0] * (MOST_BARS - 3), 1]


def test_sweep_names_do_not_overlap() -> None:
    """Names of lines that end together are moved apart; infinity stands beyond the largest step."""
    figure = sweep_chart(_swept(), subjects=["A", "B"], tokens=LIGHT, title="Accuracy", chosen=3.0)
    assert np.diff(np.sort(figure.data["names"]["label_at"])).min() > 0.01
    assert (figure.data["crosses"]["place"] > figure.data["curve"]["place"].max()).all()
    colours = figure.spec["layer"][2]["encoding"]["color"]["scale"]["range"]
    assert colours == [LIGHT.models[0], LIGHT.models[1], LIGHT.hard]


def test_lines_of_a_sweep_differ_beyond_colour_and_each_cross_hangs_on_its_line() -> None:
    """Ten models, some left out: a pair of one colour has two dashes, the same whoever else is drawn."""
    names = [f"model {i}" for i in range(10)]

    def dashes(drawn: list[str]) -> dict[str, list[int]]:
        rows = [(g, name, 0.5 + 0.01 * i) for g in (1.0, 10.0, math.inf) for i, name in enumerate(drawn)]
        table = pd.DataFrame(rows, columns=["reliability", "series", "value"]).assign(low=np.nan, high=np.nan)
        figure = sweep_chart(table, subjects=names, tokens=LIGHT, title="Accuracy", chosen=3.0)
        assert figure.data["ties"].groupby("series").size().eq(2).all()
        assert set(figure.data["ties"]["place"]) == {10.0, figure.data["crosses"]["place"].iloc[0]}
        scales = [
            layer["encoding"]["strokeDash"]["scale"]
            for layer in figure.spec["layer"]
            if "strokeDash" in layer["encoding"]
        ]
        return dict(zip(scales[0]["domain"], scales[0]["range"], strict=True))

    found = dashes(names)
    assert len({(model_colour(i, LIGHT), tuple(found[name])) for i, name in enumerate(names)}) == 10
    assert dashes(names[3:])[names[7]] == found[names[7]]
    metrics = dashes(["top-1", "top-2", "top-3"])
    assert len(set(map(tuple, metrics.values()))) == 3


def test_sorted_certainty_ascends() -> None:
    """Each curve ascends and leaves out cases without a certainty."""
    rng = np.random.default_rng(0)
    table = pd.DataFrame({"case_id": [str(i) for i in range(9000)], "certainty": rng.random(9000)})
    table.loc[5, "certainty"] = np.nan
    cases = sorted_certainty_chart(table, tokens=LIGHT).data["cases"]
    assert cases["certainty"].is_monotonic_increasing
    assert len(cases) <= 2000


def test_models_keep_colour_and_mark_apart() -> None:
    """Twenty-five models never share both colour and mark."""
    pairs = [(model_colour(i, LIGHT), model_mark(i)) for i in range(len(MARKS) * len(LIGHT.models))]
    assert len(set(pairs)) == len(pairs)


def test_many_leaders_share_the_last_row_of_dots() -> None:
    """Twenty labels with a dot each: all dots are drawn, and the last row holds those of the other labels."""
    labels = [f"label {i}" for i in range(20)]
    table = pd.DataFrame({"label": labels, "risk": "H", "dots": 1, "truths": 5})
    figure = dot_chart(table, tokens=LIGHT)
    assert len(figure.data["rows"]) == MOST_ROWS
    assert len(figure.data["dots"]) == 20
    assert figure.data["rows"]["words"].iloc[-1] == "other labels: 65 of 100"
    assert set(figure.data["dots"]["risk"].iloc[-13:]) == {""}


def test_places_of_sorted_cases() -> None:
    """Shares of the known cases in ascending order."""
    table = places(pd.Series([0.9, np.nan, 0.1], index=["a", "b", "c"]))
    assert table["case_id"].tolist() == ["c", "a"]
    assert table["share"].tolist() == [0.25, 0.75]


@pytest.mark.parametrize("chart", ["sorted", "compared"])
def test_pictures_that_can_be_brushed_say_so(chart: str) -> None:
    """Both selections are named, once each."""
    table = pd.DataFrame({"case_id": ["a", "b"], "certainty": [0.2, 0.4]})
    pairs = table.assign(certainty_a=0.5, certainty_b=[0.1, 0.9])
    figure = (
        sorted_certainty_chart(table, tokens=LIGHT)
        if chart == "sorted"
        else comparison_chart(pairs, ("A", "B"), tokens=LIGHT)
    )
    assert sorted(param["name"] for param in figure.spec["params"]) == [BRUSH, CLICK]


def test_a_point_estimate_has_shares_and_leads_in_no_truths() -> None:
    """Of draws that are all alike nothing can be counted."""
    table = pd.DataFrame(
        {"label": ["a", "b"], "risk": ["L", "H"], "leads": [1.0, 0.0], "plausibility": [0.6, 0.4],
         "low": [0.6, 0.4], "high": [0.6, 0.4], "point": [0.6, 0.4]}
    )  # fmt: skip
    none = pd.DataFrame({"label": [], "plausibility": []})
    rows = plausibility_chart(table, none, tokens=LIGHT).data["rows"]
    assert rows["leads"].tolist() == ["share 60\u00a0%", "share 40\u00a0%"]
    rows = plausibility_chart(table.assign(low=[0.5, 0.2]), none, tokens=LIGHT).data["rows"]
    assert rows["leads"].tolist() == ["leads in 100 of 100", "leads in none of 100"]


def test_of_labels_together_it_is_said_whether_one_of_them_leads() -> None:
    """Their shares are added up, and may be large where none of them ever leads."""
    table = pd.DataFrame(
        {"label": ["a", "7 others"], "risk": ["L", ""], "leads": [1.0, 0.0], "plausibility": [0.6, 0.4],
         "low": [0.5, 0.1], "high": [0.7, 0.5], "point": [0.6, 0.4]}
    )  # fmt: skip
    none = pd.DataFrame({"label": [], "plausibility": []})

    def said(table: pd.DataFrame) -> str:
        return str(
            plausibility_chart(table, none, tokens=LIGHT, together="7 others").data["rows"]["leads"][1]
        )

    assert said(table) == "none of them leads"
    assert said(table.assign(leads=[0.9, 0.1])) == "one leads in 10 of 100"
    before = {"leads before": [0.8, 0.2], "plausibility before": 0.5, "low before": 0.4,
              "high before": 0.6, "point before": 0.5}  # fmt: skip
    assert said(table.assign(**before)) == "one leads in 20 → 0 of 100"


@pytest.mark.parametrize(
    ("shares", "words"),
    [
        ([0.3, 0.7, 0.0], "best: γ = 2 (1 to 2)"),
        ([0.01, 0.985, 0.005], "best: γ = 2 (in 98 of 100)"),
        ([np.nan] * 3, "best: γ = 2"),
    ],
)
def test_the_best_reliability_says_how_surely_it_is(shares: list[float], words: str) -> None:
    """Where the best lies in most resamples of the cases; where that is one step, how often it is."""
    curve = pd.DataFrame({"reliability": [1.0, 2.0, 3.0], "log_likelihood": [-5.0, -4.0, -6.0]})
    curve = curve.assign(standard_error=0.1, best_share=shares)
    drawn = predictive_chart(curve, 2.0, chosen=1.0, tokens=LIGHT)
    assert drawn.data["best"]["words"].tolist() == [words]
