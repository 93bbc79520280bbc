"""Panels of risk and of plausible truths, and their charts."""

from __future__ import annotations

import json
import math
from collections.abc import Iterator
from typing import Any

import numpy as np
import pandas as pd
import pytest
from streamlit.testing.v1 import AppTest

from core.plausibility.aggregate import aggregate
from core.plausibility.settings import Aggregation
from core.study.reading.folder import read_study
from dashboard.charts.figure import Figure
from dashboard.charts.reliability.over_draws import over_draws_chart
from dashboard.charts.reliability.risk import (
    MOST_CASES,
    expected_risk_chart,
    high_risk_chart,
    risk_certainty_chart,
)
from dashboard.shell import studies
from dashboard.shell.theme import DARK, LIGHT, Tokens
from dashboard.views.reliability import over_draws, risk
from dashboard.views.reliability.over_draws import _lacking

SENSES = ("one", "other")


def _cases(n: int) -> pd.DataFrame:
    """Cases of all levels with risks in no order."""
    rng = np.random.default_rng(3)
    quantiles = np.sort(rng.uniform(0, 2, (n, 7)), axis=1)
    names = ("lowest", "low", "lower", "median", "upper", "high", "highest")
    return pd.DataFrame(
        {
            "risk": np.resize(["low", "high", "medium", "unknown"], n),
            "risk_certainty": rng.uniform(0.3, 1, n),
            "expected_risk": quantiles.mean(axis=1),
            **dict(zip(names, quantiles.T, strict=True)),
        },
        index=pd.Index([f"c{i}" for i in range(n)], name="case_id"),
    )


def _accuracies() -> pd.DataFrame:
    rows = [("A", SENSES[0], 0.9, 0.1), ("A", SENSES[1], 0.8, 0.1), ("B", SENSES[0], np.nan, np.nan),
            ("B", SENSES[1], 0.5, np.nan)]  # fmt: skip
    table = pd.DataFrame(rows, columns=["model", "condition", "value", "standard_error"])
    return table.assign(n_cases=3, weight=2.5)


def _bars() -> pd.DataFrame:
    return pd.DataFrame({"low": [0.5, 0.6], "high": [0.6, 0.7], "draws": [3, 7], "share": [0.3, 0.7]})


def _marks(adjusted: float, point: float) -> pd.DataFrame:
    rows = [("adjusted", adjusted), ("point estimate", point), ("2.5 % of draws", 0.5)]
    return pd.DataFrame(rows, columns=["mark", "value"])


def _figures(tokens: Tokens) -> Iterator[Figure]:
    for n in (0, 1, 500):
        yield risk_certainty_chart(_cases(n), tokens=tokens)
        yield expected_risk_chart(_cases(n), tokens=tokens)
    yield high_risk_chart(_accuracies(), ["A", "B"], SENSES, title="Accuracy", tokens=tokens)
    yield over_draws_chart(_bars(), _marks(0.62, 0.8), title="accuracy", tokens=tokens)
    yield over_draws_chart(_bars().head(0), _marks(np.nan, np.nan), title="Kendall's τ", tokens=tokens)


def _data_names(spec: Any) -> Iterator[str]:
    """Every frame that a specification reads."""
    if isinstance(spec, dict):
        if isinstance(spec.get("data"), dict):
            yield spec["data"]["name"]
        for value in spec.values():
            yield from _data_names(value)
    elif isinstance(spec, list):
        for value in spec:
            yield from _data_names(value)


@pytest.mark.parametrize("tokens", [LIGHT, DARK])
def test_charts_read_the_frames_they_carry(tokens: Tokens) -> None:
    """Each layout names the figure's frames, all of them, and is plain JSON."""
    for figure in _figures(tokens):
        assert set(_data_names(figure.spec)) == set(figure.data)
        json.dumps(figure.spec)


def test_level_fields_fill_the_axis_in_order() -> None:
    """Low, medium, high and unknown follow one another from 0 to 1, each as wide as it has cases."""
    table = _cases(10)
    fields = risk_certainty_chart(table, tokens=LIGHT).data["cases"]
    ends = fields.groupby("risk", sort=False)["place"].agg(["min", "max"])
    assert list(ends.index) == ["low", "medium", "high", "unknown"]
    np.testing.assert_allclose(ends["min"].to_numpy()[1:], ends["max"].to_numpy()[:-1])
    assert (ends["min"].iloc[0], ends["max"].iloc[-1]) == (0, 1)
    widths = (ends["max"] - ends["min"]) * 10
    np.testing.assert_allclose(widths, table["risk"].value_counts()[ends.index])
    for _, field in fields.groupby("risk"):
        assert field["certainty"].is_monotonic_increasing


def test_long_studies_are_drawn_with_few_marks() -> None:
    """Of many cases some are drawn, in ascending order, the safest and the most dangerous among them."""
    table = _cases(5000)
    shown = expected_risk_chart(table, tokens=LIGHT).data["cases"]
    assert len(shown) == MOST_CASES
    assert shown["expected_risk"].is_monotonic_increasing
    extremes = shown["expected_risk"].iloc[[0, -1]]
    assert extremes.tolist() == [table["expected_risk"].min(), table["expected_risk"].max()]
    assert len(risk_certainty_chart(table, tokens=LIGHT).data["cases"]) < 300


def test_unknown_risk_is_not_drawn() -> None:
    """A case whose risk is undefined has no place among the sorted ones."""
    table = _cases(4)
    table.loc["c1", "expected_risk"] = np.nan
    assert "c1" not in set(expected_risk_chart(table, tokens=LIGHT).data["cases"]["case_id"])


def test_high_risk_marks_stay_on_the_axis() -> None:
    """Error lines end at 0 and 1; an undefined accuracy has no mark, but its model keeps its row."""
    data = high_risk_chart(_accuracies(), ["A", "B"], SENSES, title="Accuracy", tokens=LIGHT).data
    assert data["marks"]["high"].max() == 1
    assert list(data["marks"]["row"]) == [0, 0, 1]
    assert list(data["names"]["words"]) == ["A", "B"]


def test_both_marks_are_within_the_histogram() -> None:
    """The axis reaches to a point estimate far from all draws, and its words stand on the inner side."""
    figure = over_draws_chart(_bars(), _marks(0.62, 0.95), title="accuracy", tokens=LIGHT)
    low, high = figure.spec["layer"][0]["encoding"]["x"]["scale"]["domain"]
    assert low < 0.5 < 0.95 < high
    marks = figure.data["marks"].set_index("mark")
    assert list(marks.index) == ["adjusted", "point estimate"]
    assert bool(marks["left"]["adjusted"])
    assert not marks["left"]["point estimate"]


def _panels(sample: str, model: str, reliability: float) -> None:
    from core.plausibility.settings import Aggregation
    from dashboard.shell import cache, studies
    from dashboard.views.reliability import over_draws, risk

    source = studies.sources()[sample]
    study = cache.open_source(source).study
    assert study is not None
    task = next(iter(study.tasks.values()))
    aggregation = Aggregation(model, reliability)
    over_draws.show(study, task, aggregation, {"study": study.name})
    risk.show(study, task, aggregation, {"study": study.name})


def _run(sample: str, model: str, reliability: float = 1.0, *, is_open: bool = True) -> AppTest:
    test = AppTest.from_function(_panels, args=(sample, model, reliability), default_timeout=300)
    for key in ("panel-risk", "panel-over-draws"):
        test.session_state[key] = is_open
    return test.run()


def _words(test: AppTest) -> str:
    return " ".join(element.proto.body for element in test.get("html"))


def _charts(test: AppTest) -> int:
    return len(test.get("arrow_vega_lite_chart")) + len(test.get("vega_lite_chart"))


SAMPLES = {
    "chest_xrays": ("label-counts", 1),
    "dermatology_like": ("prirn", 4),
    "knee_mri": ("label-counts", 1),
    "mixed_digits": ("label-counts", 1),
    "scores": ("gaussian", 1),
    "toy_three_labels": ("label-counts", 1),
}


@pytest.mark.parametrize("sample", [source.key for source in studies.samples()])
@pytest.mark.parametrize("reliability", [1.0, math.inf])
def test_panels_open_on_sample(sample: str, reliability: float) -> None:
    """Both panels draw what the sample allows, and say what it lacks."""
    model, n_charts = SAMPLES[sample]
    test = _run(sample, model, reliability)
    assert not test.exception
    assert _charts(test) == n_charts - math.isinf(reliability)
    assert ("This needs risk levels" in _words(test)) == (sample != "dermatology_like")
    assert ("one truth only" in _words(test)) == math.isinf(reliability)


def test_closed_panels_measure_nothing(monkeypatch: pytest.MonkeyPatch) -> None:
    """A closed panel costs a step of the slider nothing."""
    monkeypatch.setattr(risk, "risk_tables", lambda *_: 1 / 0)
    monkeypatch.setattr(over_draws, "_measured", lambda *_: 1 / 0)
    test = _run("dermatology_like", "prirn", is_open=False)
    assert not test.exception
    assert _charts(test) == 0


def test_choices_survive_where_they_can() -> None:
    """A chosen metric is kept when another model is chosen."""
    test = _run("dermatology_like", "prirn")
    test.selectbox(key="choose-draws-metric").set_value("set accuracy @2").run()
    test.selectbox(key="choose-draws-model").set_value("Model C").run()
    assert not test.exception
    assert test.selectbox(key="choose-draws-metric").value == "set accuracy @2"


def test_why_is_said_in_numbers() -> None:
    """The sentence above the models' picture is there, and the caption counts the same cases."""
    study = read_study(studies.samples()[0].folder)
    task = next(iter(study.tasks.values()))
    point = aggregate(study, task, Aggregation("prirn", math.inf))
    # A case of which two labels lead by the point estimate counts by the share of them that is of high risk.
    leads, of = point.top1.candidate, point.candidates
    of_high = np.where(task.risk[of.label] == 2, leads, 0.0)
    n_high, n_any = of_high.sum(), len(set(of.case[of_high > 0]))
    words = _words(_run("dermatology_like", "prirn"))
    assert f"the point estimate says {n_high:.1f}".removesuffix(".0") in words
    assert f"Cross: the {n_any} cases that the point estimate calls high-risk" in words
    assert f"those with tied labels in part, {n_high:.1f} in all. Dot:" in words


def test_lacking_predictions_are_asked_for() -> None:
    """Without models the panel says what to add."""
    study = read_study(studies.samples()[0].folder)
    task = next(iter(study.tasks.values()))
    assert _lacking(task, Aggregation("prirn", 1.0)) == ""
    assert "finite" in _lacking(task, Aggregation("majority", math.inf))
