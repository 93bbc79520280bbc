"""Charts of the page Raters: what is drawn where, what is written, and that odd names are only values."""

from __future__ import annotations

import json
from collections.abc import Callable

import numpy as np
import pandas as pd
import pytest

from core.metrics.agreement.chance_names import AC1, FLEISS
from dashboard.charts.figure import Figure
from dashboard.charts.raters.agreement import agreement_matrix_chart
from dashboard.charts.raters.calibration import MOST_NAMED, calibration_chart, rater_confidence_chart
from dashboard.charts.raters.coefficients import intervals_chart
from dashboard.charts.raters.concordance import concordance_chart
from dashboard.charts.raters.confidence import confidence_ridges_chart
from dashboard.charts.raters.groups import MOST_POINTS as MOST_GROUPS
from dashboard.charts.raters.groups import groups_chart
from dashboard.charts.raters.skew import skew_chart
from dashboard.charts.reliability.certainty import MOST_POINTS
from dashboard.shell.theme import DARK, LIGHT, Tokens

ODD = "a.b[c] 'd' \\ <b> " + "long name without end " * 4


def _pairs() -> pd.DataFrame:
    """Three raters; the third has no case in common with the first, and one pair is undefined."""
    value = {("a", "b"): 0.9, ("b", ODD): np.nan}
    common = {("a", "b"): 40, ("b", ODD): 2, ("a", ODD): 0}
    rows = []
    for one in ("a", "b", ODD):
        for other in ("a", "b", ODD):
            key = (one, other) if (one, other) in common else (other, one)
            rows.append((one, other, common.get(key, 1234), value.get(key, np.nan)))
    return pd.DataFrame(rows, columns=["rater", "other", "common", "value"])


def _matrix(tokens: Tokens = LIGHT, *, shares: bool = True) -> Figure:
    return agreement_matrix_chart(_pairs(), measure="Same label", shares=shares, tokens=tokens)


def _intervals(tokens: Tokens = LIGHT) -> Figure:
    table = pd.DataFrame(
        {
            "row": ["x", ODD, "x", ODD],
            "series": [FLEISS, FLEISS, AC1, AC1],
            "value": [0.4, np.nan, 0.8, 0.7],
            "low": [0.3, np.nan, 0.75, np.nan],
            "high": [0.5, np.nan, 0.85, np.nan],
        }
    )
    return intervals_chart(
        table, series=(FLEISS, AC1), neutral=(FLEISS,), title="Agreement", guide=0.0, tokens=tokens
    )


def _skew(tokens: Tokens = LIGHT) -> Figure:
    table = pd.DataFrame(
        {
            "coefficient": [FLEISS] * 3 + [AC1] * 3,
            "share": [0.5, 0.7, 0.9] * 2,
            "value": [0.6, 0.4, -0.2, 0.6, 0.7, 0.8],
            "here": [False, True, False] * 2,
        }
    )
    return skew_chart(table, coefficients=(FLEISS, AC1), label=ODD, tokens=tokens)


def _cases(n: int = 10, *, spread: float = 0.1) -> pd.DataFrame:
    weighted = np.linspace(0.2, 0.9, n)
    return pd.DataFrame(
        {
            "share": (np.arange(n) + 0.5) / n,
            "case_id": [f"{ODD}{i}" for i in range(n)],
            "concordance": weighted,
            "low": weighted - spread,
            "high": weighted + spread,
            "agreement": 1.0,
            "readings": 3,
            "leading": ODD,
        }
    )


def _concordance(tokens: Tokens = LIGHT) -> Figure:
    return concordance_chart(_cases(), rule=2 / 3, mean=0.55, tokens=tokens)


def _confidences() -> pd.DataFrame:
    rows = [
        (name, c, c, c, n, n / 10) for name in (ODD, "b", "all") for c, n in ((0.2, 1), (0.6, 3), (1.0, 6))
    ]
    columns = ["rater", "confidence", "low", "high", "readings", "share"]
    return pd.DataFrame(rows, columns=columns)


def _ridges(tokens: Tokens = LIGHT) -> Figure:
    return confidence_ridges_chart(_confidences(), everybody="all", tokens=tokens)


def _calibration(tokens: Tokens = LIGHT) -> Figure:
    table = _confidences().assign(accuracy=[0.1, 0.6, 0.9] * 3, judged=5)
    table = table.assign(accuracy_low=table["accuracy"] - 0.1, accuracy_high=table["accuracy"] + 0.1)
    return calibration_chart(table, everybody="all", judged="by the reference", tokens=tokens)


def _raters(n: int) -> pd.DataFrame:
    return pd.DataFrame(
        {
            "rater": [f"{i} {ODD}" for i in range(n)],
            "confidence": 0.9,
            "accuracy": 0.7,
            "low": 0.6,
            "high": 0.8,
            "verdict": ["too sure"] * (n - 1) + [""],
        }
    )


def _by_rater(tokens: Tokens = LIGHT) -> Figure:
    return rater_confidence_chart(_raters(4), judged="by the reference", tokens=tokens)


def _groups(tokens: Tokens = LIGHT, *, n: int = 20) -> Figure:
    table = pd.DataFrame(
        {
            "size": np.repeat([3, 5], n // 2),
            "raters": ", ".join([ODD] * 9),
            "concordance": np.linspace(0.5, 0.7, n),
            "accuracy": np.linspace(0.8, 0.9, n),
        }
    )
    return groups_chart(table, size=5, accuracy="Right", rule=2 / 3, tokens=tokens)


CHARTS = (_matrix, _intervals, _skew, _concordance, _ridges, _calibration, _by_rater, _groups)


@pytest.mark.parametrize("draw", CHARTS)
def test_names_are_only_values(draw: Callable[[Tokens], Figure]) -> None:
    """No name of a rater, label or case stands in the specification, but for a shortened one in a title."""
    for tokens in (LIGHT, DARK):
        figure = draw(tokens)
        spec = json.dumps(figure.spec)
        assert ODD not in spec
        assert tokens.soft in spec
        assert set(figure.data) >= {layer["data"]["name"] for layer in figure.spec["layer"]}


def test_matrix_says_value_and_common_cases() -> None:
    """Percent and count in each cell; nothing where no case is common, a dash where it is undefined."""
    cells = _matrix().data["cells"].set_index(["rater", "other"])
    assert cells.loc[("a", "b"), ["words", "cases"]].tolist() == ["90", "40"]
    assert cells.loc[("a", ODD), ["words", "cases"]].tolist() == ["", "0"]
    assert cells.loc[(ODD, "b"), "words"] == "–"
    assert cells.loc[("a", "a"), ["words", "cases"]].tolist() == ["", "1,234"]
    assert cells["strength"].between(0, 0.55).all()
    assert (cells.loc[[("a", "a"), ("a", ODD)], "strength"] == 0).all()
    names = _matrix().data["names"]
    assert names["words"].str.endswith(("  1", "  2", "  3")).all()
    assert names["column"].tolist() == [1, 2, 3]


def test_matrix_of_a_coefficient_has_decimals() -> None:
    """κ is no share."""
    cells = _matrix(shares=False).data["cells"].set_index(["rater", "other"])
    assert cells.loc[("a", "b"), "words"] == "0.90"


def test_intervals_leave_out_what_is_unknown() -> None:
    """A row without a value keeps its name and place; series of a row stand apart; the guide is in view."""
    figure = _intervals()
    marks, names = figure.data["marks"], figure.data["names"]
    assert len(marks) == 3
    assert names["middle"].tolist() == [0.5, 1.5]
    x = marks[marks["row"] == "x"].set_index("series")["at"]
    assert 0 < x[FLEISS] < 0.5 < x[AC1] < 1
    assert marks["words"].tolist() == ["0.40 (0.30 to 0.50)", "0.80 (0.75 to 0.85)", "0.70"]
    ends = {param["name"]: param["value"] for param in figure.spec["params"]}
    assert ends["low"] < 0
    assert ends["high"] > 0.85
    assert ends["rows"] == 2


def test_skew_marks_where_the_study_is() -> None:
    """Two dots at the observed share, a name at the end of each curve, and the axis reaches below 0."""
    figure = _skew()
    assert figure.data["here"]["share"].tolist() == [0.7, 0.7]
    assert figure.data["ends"]["value"].tolist() == [-0.2, 0.8]
    y = [layer["encoding"]["y"] for layer in figure.spec["layer"] if "y" in layer["encoding"]]
    assert y[0]["scale"]["domain"] == [-0.2, 1]


def test_concordance_draws_evenly_chosen_cases() -> None:
    """Both ends are among them; the band is there only where confidence varies."""
    many = concordance_chart(_cases(5000), rule=2 / 3, mean=0.5, tokens=LIGHT).data
    assert len(many["cases"]) == MOST_POINTS
    assert many["cases"]["concordance"].iloc[[0, -1]].tolist() == [0.2, 0.9]
    assert "band" in many
    assert "band" not in concordance_chart(_cases(spread=0.0), rule=2 / 3, mean=0.5, tokens=LIGHT).data


@pytest.mark.parametrize(
    ("mean", "below"), [(0.65, [False, True]), (0.7, [True, False]), (0.3, [False, False])]
)
def test_lines_that_are_close_keep_their_names_apart(mean: float, below: list[bool]) -> None:
    """The lower one of two close lines has its name below."""
    lines = concordance_chart(_cases(), rule=2 / 3, mean=mean, tokens=LIGHT).data["lines"]
    assert lines["below"].tolist() == below


def test_ridges_have_one_scale() -> None:
    """The tallest is as tall as there is room, all others in proportion; the mean has its tick."""
    figure = _ridges()
    ridges = figure.data["ridges"]
    height = ridges["floor"] - ridges["top"]
    assert height.max() == pytest.approx(1.7)
    assert (height / ridges["share"]).to_numpy() == pytest.approx(1.7 / 0.6)
    assert figure.data["names"]["mean"].tolist() == pytest.approx([0.8] * 3)
    assert set(ridges.loc[ridges["rater"] == "all", "kind"]) == {"all"}


def test_the_diagonal_begins_where_both_axes_do() -> None:
    """The line of equal confidence and accuracy starts where the axis that begins higher does."""
    figure = _calibration()
    diagonal = figure.data["diagonal"]
    x, y = (figure.spec["layer"][0]["encoding"][axis]["scale"]["domain"][0] for axis in ("x", "y"))
    assert diagonal["confidence"].tolist() == diagonal["accuracy"].tolist()
    assert diagonal["confidence"].iloc[0] == max(x, y)
    assert x < 0.2
    assert y == 0.0


def test_raters_with_a_verdict_are_named() -> None:
    """Apart from each other, and no longer where there are too many."""
    names = _by_rater().data["names"]
    assert len(names) == 3
    assert np.diff(np.sort(names["accuracy"])).min() > 0.01
    assert set(names["side"]) == {"left"}
    many = rater_confidence_chart(_raters(MOST_NAMED + 2), judged="so", tokens=LIGHT)
    assert many.data["names"].empty
    assert len(many.data["raters"]) == MOST_NAMED + 2


def test_groups_of_one_size_stand_out() -> None:
    """The size that is chosen is drawn in colour over the others, of which there may be too many."""
    data = _groups().data
    assert set(data["chosen"]["size"]) == {5}
    assert set(data["others"]["size"]) == {3}
    assert data["chosen"]["raters"].str.len().max() <= 160
    drawn = _groups(n=4 * MOST_GROUPS).data
    assert len(drawn["chosen"]) + len(drawn["others"]) == MOST_GROUPS
