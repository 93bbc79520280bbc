"""Charts that compare models: what is drawn where, in which colour, and whose names stand beside it."""

from __future__ import annotations

import json
from collections.abc import Iterator
from typing import Any

import numpy as np
import pandas as pd
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy.optimize import isotonic_regression

from dashboard.charts.figure import Figure
from dashboard.charts.models.best import best_bars_chart
from dashboard.charts.models.better import better_matrix_chart
from dashboard.charts.models.marks import apart, joined, shortened
from dashboard.charts.models.rank_change import rank_slope_chart
from dashboard.charts.models.scatter import model_scatter_chart
from dashboard.charts.models.soft_labels import BINS, soft_label_chart
from dashboard.charts.models.stability import rank_correlation_chart, rank_distribution_chart
from dashboard.shell.theme import DARK, LIGHT, Tokens

ODD = "a.b[c] 'd' \\ <b>"
MODELS = ["A", ODD, "C", "D", "E", "F", "G", "C again"]
SAME = ["", "", "", "", "", "", "", "C"]


def _values(hard: list[float] | None = None, soft: list[float] | None = None) -> pd.DataFrame:
    """Values and ranks of all models, equals sharing the best of their ranks."""
    hard = hard or [0.9, 0.8, 0.7, 0.6, 0.5, 0.4, 0.4, 0.7]
    soft = soft or [0.5, 0.6, 0.7, 0.8, 0.9, 0.4, 0.3, 0.7]
    table = pd.DataFrame({"model": MODELS, "hard": hard, "soft": soft, "same_as": SAME})
    ranks = {f"{side}_rank": table[side].rank(ascending=False, method="min") for side in ("hard", "soft")}
    return table.assign(**{name: rank.astype("Int64") for name, rank in ranks.items()})


def _slope(table: pd.DataFrame, tokens: Tokens = LIGHT) -> Figure:
    return rank_slope_chart(table, models=MODELS, metric="AUROC", counterpart="s-AUROC", tokens=tokens)


def _scatter(table: pd.DataFrame, tokens: Tokens = LIGHT, r_squared: float = 0.25) -> Figure:
    return model_scatter_chart(
        table, models=MODELS, metric="AUROC", counterpart="s-AUROC", r_squared=r_squared, tokens=tokens
    )


def _best(tokens: Tokens = LIGHT) -> Figure:
    rows = [
        (model, same, source, 1 / len(MODELS))
        for model, same in zip(MODELS, SAME, strict=True)
        for source in ("annotations", "cases", "both")
    ]
    table = pd.DataFrame(rows, columns=["model", "same_as", "source", "probability"])
    titles = {"annotations": "Annotations", "cases": "Cases", "both": "Both"}
    return best_bars_chart(table, models=MODELS, titles=titles, tokens=tokens)


def _pairs(probability: float = 0.7) -> pd.DataFrame:
    rows = [
        (a, same, b, probability if i < j else 1 - probability)
        for i, (a, same) in enumerate(zip(MODELS, SAME, strict=True))
        for j, b in enumerate(MODELS)
        if a != b
    ]
    return pd.DataFrame(rows, columns=["model", "same_as", "other", "probability"])


def _matrix(table: pd.DataFrame, tokens: Tokens = LIGHT) -> Figure:
    return better_matrix_chart(table, models=MODELS, tokens=tokens)


def _ranks() -> pd.DataFrame:
    rows = [
        (model, same, kind, rank, share)
        for model, same in zip(MODELS, SAME, strict=True)
        for kind in ("hard", "soft")
        for rank, share in ((1, 0.25), (4, 0.75), (5, 0.0))
    ]
    return pd.DataFrame(rows, columns=["model", "same_as", "kind", "rank", "share"])


def _distribution(tokens: Tokens = LIGHT) -> Figure:
    return rank_distribution_chart(
        _ranks(), models=MODELS, metric="AUROC", counterpart="s-AUROC", tokens=tokens
    )


def _correlations() -> pd.DataFrame:
    rng = np.random.default_rng(0)
    frames = [
        pd.DataFrame({"metric": metric, "kind": kind, "correlation": rng.uniform(low, 1, 200)})
        for metric, kind, low in (("AUROC", "hard", -0.33), ("s-AUROC", "soft", 0.5))
    ]
    return pd.concat(frames, ignore_index=True)


def _soft(values: Any, tokens: Tokens = LIGHT, **options: Any) -> Figure:
    value = np.asarray(values, float)
    share = np.where(value == 0.5, 0.5, value > 0.5)
    return soft_label_chart(
        pd.DataFrame({"soft_label": value, "hard_share": share}), label=ODD, tokens=tokens, **options
    )


def _figures(tokens: Tokens) -> Iterator[Figure]:
    yield _slope(_values(), tokens)
    yield _scatter(_values(), tokens)
    yield _soft([0.0, 0.5, 1.0, np.nan], tokens)
    yield _soft(np.linspace(0, 1, 100), tokens)
    yield rank_correlation_chart(_correlations(), coefficient="Spearman's ρ", tokens=tokens)
    yield _distribution(tokens)
    yield _matrix(_pairs(), tokens)
    yield _best(tokens)


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


def _drawn(spec: Any) -> Iterator[tuple[str, str]]:
    """Name of the data and field of every encoding."""
    for layer in spec["layer"]:
        for field in _fields(layer["encoding"]):
            yield layer["data"]["name"], field


@pytest.mark.parametrize("tokens", [LIGHT, DARK], ids=["light", "dark"])
def test_every_field_is_in_its_frame(tokens: Tokens) -> None:
    """What a layer reads is in the frame that it draws, and no column name needs escaping."""
    for figure in _figures(tokens):
        for name, field in _drawn(figure.spec):
            assert field in figure.data[name].columns
            assert field.isidentifier()


def test_light_and_dark_differ_in_colours_only() -> None:
    """Every colour comes from the tokens."""
    names = ("soft", "hard", "muted", "page", "rule", "text", "other")
    for light, dark in zip(_figures(LIGHT), _figures(DARK), strict=True):
        texts = []
        for figure, tokens in ((light, LIGHT), (dark, DARK)):
            text = json.dumps(figure.spec)
            for colour in (*(getattr(tokens, name) for name in names), *tokens.models):
                text = text.replace(colour, "colour")
            texts.append(text)
        assert texts[0] == texts[1]


def test_layouts_stay_while_values_change() -> None:
    """Other values and metrics of the same models need no new layout; fewer rows only another height."""
    pairs = [
        (_slope(_values()), _slope(_values(soft=[0.1 * i for i in range(7)] + [0.2]))),
        (_scatter(_values()), _scatter(_values(soft=[0.1 * i for i in range(7)] + [0.2]))),
        (_matrix(_pairs(0.7)), _matrix(_pairs(0.2))),
        (_slope(_values()), _slope(_values().iloc[:3])),
    ]
    for first, second in pairs:
        assert first.spec["layer"] is second.spec["layer"]
    (one, same), (three_rows, eight_rows) = pairs[0], pairs[3][::-1]
    assert one.spec == same.spec
    assert three_rows.spec["height"] < eight_rows.spec["height"]


def test_a_model_left_out_leaves_the_height() -> None:
    """A picture is as high as all models want it, so that it is not built anew; of few it is lower."""
    pairs = _pairs()
    left_out = pairs[(pairs["model"] != "G") & (pairs["other"] != "G")]
    assert _slope(_values().drop(index=6)).spec == _slope(_values()).spec
    assert _matrix(left_out).spec == _matrix(pairs).spec
    few = pairs[pairs["model"].isin(MODELS[:3]) & pairs["other"].isin(MODELS[:3])]
    assert _matrix(few).spec["height"] < _matrix(pairs).spec["height"]


def test_names_of_same_models_are_joined() -> None:
    """Models that predict the same are one row with all names; others with equal values stay apart."""
    rows = joined(_values())
    assert rows["members"].tolist() == ["A", ODD, "C = C again", "D", "E", "F", "G"]
    assert (_slope(_values()).data["ends"].groupby("side").size() == 7).all()


def test_slope_places_follow_the_ranks() -> None:
    """Higher ranks are higher up; equals share a point, have a row each for their names, and say so."""
    ends = _slope(_values()).data["ends"]
    hard, soft = (ends[ends["side"] == side].set_index("model") for side in (0, 1))
    assert hard["place"].tolist() == [0, 1, 2, 3, 4, 5.5, 5.5]
    assert hard["number"].tolist() == ["1", "2", "3", "5", "6", "7=", "7="]
    # F is better than G by the soft metric, so its name stands above: the lines do not cross.
    assert hard["name_at"].tolist() == [0, 1, 2, 3, 4, 5, 6]
    assert soft["place"].tolist() == [4, 3, 2, 1, 0, 5, 6]
    assert soft["number"].tolist() == ["6", "5", "3", "2", "1", "7", "8"]
    assert set(hard["metric"]) == {"AUROC"}


def test_models_have_their_colour_and_mark_on_every_picture() -> None:
    """Colour and mark go by the position among all models, whoever is drawn; dashes where colours repeat."""
    for figure in (_slope(_values().iloc[3:6]), _scatter(_values().iloc[3:6]), _best(), _distribution()):
        scales = [
            layer["encoding"][channel]["scale"]
            for channel in ("color", "shape")
            for layer in figure.spec["layer"]
            if layer["encoding"].get(channel, {}).get("field") == "model"
        ]
        assert len(scales) >= 2
        assert all(scale["domain"] == MODELS for scale in scales)
    dashes = _slope(_values()).spec["layer"][1]["encoding"]["strokeDash"]["scale"]["range"]
    assert dashes[0] == dashes[4] != dashes[5]


def test_models_without_a_value_are_left_out() -> None:
    """An undefined metric or rank has no place; without any the pictures stay empty."""
    table = _values()
    table.loc[1, ["hard", "hard_rank"]] = None
    assert ODD not in set(_slope(table).data["ends"]["model"])
    assert ODD not in set(_scatter(table).data["points"]["model"])
    nothing = table.assign(hard=np.nan, soft=np.nan)
    assert _slope(nothing).data["ends"].empty
    assert _scatter(nothing, r_squared=np.nan).data["note"]["words"].tolist() == [""]


@pytest.mark.parametrize("shift", [0.0, -10.0, 10.0])
def test_scatter_shows_where_values_are_equal(shift: float) -> None:
    """The line of equality joins equal values inside the picture, or has no row where it is outside."""
    table = _values()
    figure = _scatter(table.assign(soft=table["soft"] + shift))
    equal = figure.data["equal"]
    assert figure.data["note"]["words"].tolist() == [f"R² = 0.25 ({len(figure.data['points'])} models)"]
    assert equal.empty == (shift != 0)
    np.testing.assert_array_equal(equal["hard"], equal["soft"])
    x, y = (figure.data["corners"][side].tolist() for side in ("hard", "soft"))
    assert x[1] - x[0] == pytest.approx(y[1] - y[0])
    if shift == 0:
        assert equal["hard"].min() == max(x[0], y[0])
        assert equal["hard"].max() == min(x[1], y[1])
    points = figure.data["points"]
    assert points["hard"].between(*x).all()
    assert points["soft"].between(*y).all()


def test_scatter_names_keep_apart() -> None:
    """Ten models with nearly the same value have names that do not overlap, in the order of the values."""
    soft = [0.8 + 1e-6 * i for i in range(7)] + [0.8 + 2e-6]
    data = _scatter(_values(soft=soft)).data
    points, (low, high) = data["points"], data["corners"]["soft"]
    gaps = np.diff(points["name_at"]) / (high - low)
    assert gaps.min() > 0.03
    assert points["name_at"].between(low, high).all()


@settings(deadline=None)
@given(st.lists(st.floats(-1e3, 1e3), max_size=12), st.floats(0.01, 50))
def test_apart_moves_no_more_than_needed(places: list[float], gap: float) -> None:
    """Names keep order and gap, and stand as near to their places as an independent solver gets them."""
    found = apart(places, gap)
    order = np.argsort(places, kind="stable")
    assert (np.diff(found[order]) >= gap - 1e-6).all()
    if places:
        steps = gap * np.arange(len(places))
        best = isotonic_regression(np.asarray(places)[order] - steps).x + steps
        np.testing.assert_allclose(found[order], best, atol=1e-6)


@pytest.mark.parametrize(
    ("name", "width", "lines", "expected"),
    [
        ("alone", 10, 2, "alone"),
        ("a = b = c", 20, 1, "a = b = c"),
        ("alpha = beta = gamma = delta", 20, 2, "alpha = beta = gamma\n= delta"),
        ("alpha = beta = gamma = delta", 16, 1, "alpha + 3 more"),
        ("alpha = beta = gamma = delta", 21, 1, "alpha = beta + 2 more"),
        ("a_very_long_single_name", 10, 1, "a_very_lo…"),
        ("a_very_long_single_name = b = c", 20, 1, "a_very_lon… + 2 more"),
    ],
)
def test_long_names_are_shortened(name: str, width: int, lines: int, expected: str) -> None:
    """As many joined names as fit, and how many more there are."""
    assert shortened(name, width, lines=lines) == expected


def test_soft_labels_count_every_case_once() -> None:
    """A bar for each share of eight readers; cases whose hard label is tied are neither."""
    values = np.repeat(np.arange(9) / 8, range(1, 10)).tolist()
    figure = _soft([*values, np.nan])
    bars, sides = figure.data["bars"], figure.data["sides"]
    assert bars["cases"].tolist() == list(range(1, 10))
    assert bars["kind"].tolist() == ["negative"] * 4 + ["tied"] + ["positive"] * 4
    assert sides["words"].tolist() == ["hard label negative: 10 cases", "tied: 5", "positive: 30"]
    assert _soft([0.0, 1.0]).data["sides"]["words"].tolist()[1] == ""
    plural = pd.DataFrame({"soft_label": [0.4, 0.4, 0.2], "hard_share": [1.0, 0.5, 0.0]})
    stacked = soft_label_chart(plural, label=ODD, tokens=LIGHT).data["bars"]
    assert stacked[["middle", "kind", "base", "top"]].to_numpy().tolist() == [
        [0.2, "negative", 0, 1],
        [0.4, "tied", 0, 1],
        [0.4, "positive", 1, 2],
    ]
    assert (bars["high"].to_numpy()[:-1] < bars["low"].to_numpy()[1:]).all()


def test_many_soft_labels_share_bars() -> None:
    """Continuous plausibilities fall into equal steps, each case once; nothing at all is drawn as nothing."""
    values = np.random.default_rng(0).random(500)
    bars = _soft(values).data["bars"]
    assert len(bars) == BINS
    assert bars["cases"].sum() == 500
    assert bars.loc[bars["kind"] == "positive", "cases"].sum() == (values > 0.5).sum()
    assert _soft([np.nan]).data["bars"].empty
    assert _soft([0.5]).data["bars"]["cases"].tolist() == [1]


def test_correlation_bars_add_up() -> None:
    """Shares of each metric sum to 1 inside the axis, and the mean is that of the resamples."""
    table = _correlations()
    figure = rank_correlation_chart(table, coefficient="ρ", tokens=LIGHT)
    bars, means = figure.data["bars"], figure.data["means"].set_index("metric")
    assert bars.groupby("metric")["share"].sum().tolist() == pytest.approx([1, 1])
    expected = table.groupby("metric")["correlation"].mean()
    assert means["mean"].to_dict() == pytest.approx(expected.to_dict())
    assert bars["low"].min() <= table["correlation"].min()
    for _, of in bars.groupby("metric"):
        assert (of["top"] - of["floor"]).max() == pytest.approx(0.78)
    undefined = table.assign(correlation=table["correlation"].where(table["kind"] == "hard"))
    words = rank_correlation_chart(undefined, coefficient="ρ", tokens=LIGHT).data["means"]["words"]
    assert words.iloc[1] == "undefined"
    all_one = rank_correlation_chart(table.assign(correlation=1.0), coefficient="ρ", tokens=LIGHT)
    assert all_one.data["bars"]["share"].tolist() == [1, 1]


def test_rank_distribution_keeps_shares_and_order() -> None:
    """Every rank that occurs is a mark of its model's row, with its metric; same models are one row."""
    dots = _distribution().data["dots"]
    assert (dots.groupby(["row", "metric"])["share"].sum() == 1).all()
    assert dots["share"].min() > 0
    assert sorted(dots["row"].unique()) == list(range(7))
    assert set(zip(dots["kind"], dots["metric"], strict=True)) == {("hard", "AUROC"), ("soft", "s-AUROC")}


@pytest.mark.parametrize(
    ("probability", "words", "kind"),
    [
        (0.0, "0", "worse"),
        (0.001, "<1", "worse"),
        (0.37, "37", "worse"),
        (0.5, "50", "even"),
        (0.999, ">99", "better"),
        (1.0, "100", "better"),
        (np.nan, "–", "even"),
    ],
)
def test_cells_say_their_probability(probability: float, words: str, kind: str) -> None:
    """The number is in the cell, and never 0 or 100 for what is in between."""
    cells = _matrix(_pairs().assign(probability=probability)).data["cells"]
    assert set(cells["words"]) == {words}
    assert set(cells["kind"]) == {kind}
    assert cells["strength"].notna().all()


def test_matrix_has_a_cell_for_every_pair() -> None:
    """Rows and columns in the same order, no cell on the diagonal, same models once."""
    cells = _matrix(_pairs()).data["cells"]
    assert {(row, column) for row, column in zip(cells["row"], cells["column"], strict=True)} == {
        (i, j) for i in range(7) for j in range(7) if i != j
    }
    assert (cells["kind"] == np.where(cells["row"] < cells["column"], "better", "worse")).all()


def test_best_bars_begin_in_their_panels() -> None:
    """Every panel has every model once, and a full bar stays clear of the next panel."""
    figure = _best()
    bars = figure.data["bars"]
    assert bars.groupby("what")["row"].nunique().to_dict() == {"Annotations": 7, "Cases": 7, "Both": 7}
    length = (bars["end"] - bars["start"]).groupby(bars["model"]).unique()
    # Two models that predict the same share every place, so their bar is as long as two.
    assert {model: of.round(9).tolist() for model, of in length.items()} == {
        model: [0.25 if model == "C" else 0.125] for model in bars["model"]
    }
    starts = sorted(bars["start"].unique())
    assert np.diff(starts).min() > 1.2
    assert figure.data["names"]["members"].tolist()[2] == "C = C again"
