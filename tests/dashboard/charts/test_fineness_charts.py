"""Charts of fineness, raters needed, plans and correspondence: frames in, sound figures out."""

from __future__ import annotations

import json
from collections.abc import Iterator
from typing import Any

import numpy as np
import pandas as pd
import pytest

from core.analysis.planning.raters_and_cases import Assumptions, plan_fineness, plan_ranking
from core.analysis.raters.fineness import raters_needed_table
from dashboard.charts.figure import Figure
from dashboard.charts.planning.plan import certainty_plan_chart, fineness_plan_chart, ranking_plan_chart
from dashboard.charts.raters.fineness import promise_chart, reductions_chart
from dashboard.charts.raters.needed import COUNTS, raters_needed_chart
from dashboard.charts.raters.representativeness import (
    MOST_COLUMNS,
    MOST_POINTS,
    chance_chart,
    columns_chart,
    distances_chart,
    psi_chart,
    unusual_chart,
)
from dashboard.shell.theme import DARK, LIGHT, Tokens

REDUCTIONS = ("majority", "probabilistic", "confidence-weighted", "accuracy-weighted")


def _fineness(sizes: list[int], *, error: float = 0.0) -> pd.DataFrame:
    """Rows as `fineness_by_size` gives them; all reductions end within a hair of each other."""
    rows = []
    for n in sizes:
        for place, reduction in enumerate(REDUCTIONS):
            value = 0.8 + 0.1 * (1 - 1 / n) + 0.001 * place
            rows.append(
                {
                    "reduction": reduction, "n_raters": n, "readings_per_case": 0.5 * n,
                    "fineness": value, "fineness_low": value - 0.05, "fineness_high": value + 0.05,
                    "fineness_error": error, "fineness_dependent": value - 0.04 if place < 2 else np.nan,
                    "accuracy": value - 0.05, "accuracy_low": value - 0.1, "accuracy_high": value,
                }
            )  # fmt: skip
    return pd.DataFrame(rows)


def _groups(n: int) -> pd.DataFrame:
    return pd.DataFrame(
        {
            "value": [f"<b>site</b> {i}" for i in range(n)], "n_cases": 10, "psi": np.linspace(0.005, 1, n),
            "deviation": 0.1, "usual_deviation": 0.05,
        }
    )  # fmt: skip


def _tests(n: int) -> pd.DataFrame:
    return pd.DataFrame(
        {
            "column": [f"a.b[{i}]" for i in range(n)], "mean_first": 0.0, "mean_second": 1.0,
            "standardised_difference": np.linspace(-1, 0.5, n), "ks": 0.2,
            "p_holm": np.linspace(0.001, 0.9, n),
        }
    )  # fmt: skip


def _bins() -> pd.DataFrame:
    edges = np.arange(6.0)
    return pd.DataFrame(
        {
            "low": edges[:-1],
            "high": edges[1:],
            "before": [0.5, 0.3, 0.2, 0, 0],
            "after": [0.4, 0.3, 0.3, 0, 0],
        }
    )


def _cases(n: int) -> pd.DataFrame:
    return pd.DataFrame(
        {"case_id": [f"c{i}" for i in range(n)], "deviation": np.linspace(1, 0, n), "psi": 0.1,
         "place": np.arange(1, n + 1)}
    )  # fmt: skip


def _certainty() -> pd.DataFrame:
    return pd.DataFrame(
        {"n_raters": [1, 5, 50], "certainty": [0.6, 0.8, 0.95], "standard_error": 0.01,
         "share_certain": [0.0, 0.2, 0.7]}
    )  # fmt: skip


def _figures(tokens: Tokens) -> Iterator[Figure]:
    for sizes, error in (([1], 0.0), ([1, 2, 3], 0.01), ([1, 10, 200], 0.01)):
        table = _fineness(sizes, error=error)
        for reduction in REDUCTIONS:
            yield promise_chart(table[table["reduction"] == reduction], tokens=tokens)
        for reached in (True, False):
            yield reductions_chart(table, reached=reached, tokens=tokens)
    for difficulty, n_labels, accuracy in ((0.0, 2, 0.81), (30.0, 2, 0.55), (1.0, 4, 0.99)):
        needed = raters_needed_table(0.9, difficulty=difficulty, n_labels=n_labels)
        yield raters_needed_chart(needed, accuracy=accuracy, tokens=tokens)
    for dependent in (True, False):
        plan = plan_fineness(Assumptions(0.8, 2.0 * dependent), 0.84, resampled=[Assumptions(0.75, 2.1)])
        yield fineness_plan_chart(
            plan.table, wanted=0.84, raters=plan.raters, dependent=dependent, tokens=tokens
        )
    yield certainty_plan_chart(_certainty(), wanted=0.9, raters=None, tokens=tokens)
    for plan in (
        plan_ranking(Assumptions(0.8), 0.9, 0.8, 0.9, sizes=(1, 3)),
        plan_ranking(Assumptions(0.3), 0.9, 0.8, 0.9, sizes=(1,)),
    ):
        yield ranking_plan_chart(plan.table, raters=plan.raters, cases=plan.cases, tokens=tokens)
    for n in (2, 20):
        yield psi_chart(_groups(n), chosen="<b>site</b> 1", tokens=tokens)
    for deviation in (0.0, 0.4):
        yield chance_chart(np.linspace(0, 0.2, 50), deviation, tokens=tokens)
    yield distances_chart(_bins(), tokens=tokens)
    for n in (1, 200):
        yield columns_chart(_tests(n), tokens=tokens)
    yield unusual_chart(_cases(900), tokens=tokens)


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


def _fields(spec: Any) -> Iterator[tuple[str, str]]:
    """Every frame of a layer with each field that is encoded from it."""
    for layer in spec.get("layer", [spec]):
        name = layer.get("data", spec.get("data", {})).get("name")
        for channel in layer.get("encoding", {}).values():
            for one in channel if isinstance(channel, list) else [channel]:
                if isinstance(one, dict) and "field" in one:
                    yield name, one["field"]


@pytest.mark.slow
@pytest.mark.parametrize("tokens", [LIGHT, DARK])
def test_figures_are_sound(tokens: Tokens) -> None:
    """Frames and fields that are encoded are there, no number is infinite, all of it is small."""
    for figure in _figures(tokens):
        assert set(_data_names(figure.spec)) == set(figure.data)
        for name, field in _fields(figure.spec):
            assert field in figure.data[name], (name, field)
        for frame in figure.data.values():
            numbers = frame.select_dtypes("number").to_numpy(float)
            assert not np.isinf(numbers).any()
        rows = {name: json.loads(frame.to_json(orient="records")) for name, frame in figure.data.items()}
        assert len(json.dumps(rows)) < 200_000


def test_names_of_curves_keep_apart() -> None:
    """Four curves that end together: each name has room, in their order, within the picture."""
    figure = reductions_chart(_fineness([1, 3, 5]), reached=True, tokens=LIGHT)
    names = figure.data["names"].sort_values("value")
    at = names["label_at"].to_numpy()
    low, high = _domain(figure, "y")
    assert (np.diff(at) >= 0.07 * (high - low)).all()
    assert low <= at.min()
    assert at.max() <= high
    assert set(names["words"]) == set(REDUCTIONS)


def _domain(figure: Figure, channel: str) -> list[float]:
    """Ends of an axis, of the first layer that states them."""
    for layer in figure.spec["layer"]:
        scale = layer.get("encoding", {}).get(channel, {}).get("scale") or {}
        if "domain" in scale:
            found: list[float] = scale["domain"]
            return found
    raise AssertionError(channel)


def test_what_is_reached_stands_at_the_readings_that_there_were() -> None:
    """Half of the raters read a case: accuracy is drawn at half as many readings as fineness."""
    table = _fineness([2, 4])
    figure = promise_chart(table[table["reduction"] == "majority"], tokens=LIGHT)
    places = figure.data["curves"].groupby("series")["place"].apply(list).to_dict()
    assert places == {"if independent": [2, 4], "if dependent": [2, 4], "reached": [1, 2]}


def test_error_of_a_simulation_is_a_band_of_its_own() -> None:
    """95 % of it, and none where values are exact."""
    exact = promise_chart(_fineness([3]).head(1), tokens=LIGHT)
    assert exact.data["errors"].empty
    simulated = promise_chart(_fineness([3], error=0.01).head(1), tokens=LIGHT).data["errors"].iloc[0]
    assert simulated["high"] - simulated["low"] == pytest.approx(0.0392)


def test_many_sizes_have_a_logarithmic_axis() -> None:
    """Two hundred raters do not press the first ten together."""
    kinds = [
        reductions_chart(_fineness(sizes), reached=False, tokens=LIGHT).spec["layer"][2]["encoding"]["x"]
        for sizes in ([1, 2, 13], [1, 20, 200])
    ]
    assert [axis["scale"]["type"] for axis in kinds] == ["linear", "log"]


def test_needed_draws_only_what_is_defined() -> None:
    """With more labels there is no bound; numbers at the line do not overlap."""
    figure = raters_needed_chart(raters_needed_table(0.95, n_labels=3), accuracy=0.81, tokens=LIGHT)
    assert set(figure.data["curves"]["count"]) == {"needed", "needed_dependent"}
    figure = raters_needed_chart(raters_needed_table(0.95, difficulty=1.0), accuracy=0.81, tokens=LIGHT)
    here = figure.data["here"].set_index("count")
    assert set(here.index) == set(COUNTS)
    assert here["raters"]["needed"] == 7
    steps = np.diff(np.log(here["label_at"].to_numpy()))
    assert (steps >= 0.05 * np.log(figure.data["curves"]["raters"].max())).all()


def test_the_answer_is_ringed_where_the_table_has_it() -> None:
    """On the curve that the answer was read from; nowhere where no number is enough."""
    plan = plan_fineness(Assumptions(0.8, 1.0), 0.85)
    figure = fineness_plan_chart(plan.table, wanted=0.85, raters=plan.raters, dependent=True, tokens=LIGHT)
    ring = figure.data["answer"].iloc[0]
    curve = figure.data["curves"].query("series == 'if dependent'").set_index("place")["value"]
    assert ring["value"] == curve[ring["place"]] >= 0.85
    none = fineness_plan_chart(plan.table, wanted=0.99, raters=None, dependent=True, tokens=LIGHT)
    assert none.data["answer"].empty


def test_only_so_many_columns_and_cases_are_drawn() -> None:
    """Those that differ most; what is filled differs by its adjusted p."""
    rows = columns_chart(_tests(200), tokens=LIGHT).data["rows"]
    assert len(rows) == MOST_COLUMNS
    assert rows["standardised_difference"].abs().is_monotonic_decreasing
    assert (rows["differs"] == (rows["p_holm"] < 0.05)).all()
    assert len(unusual_chart(_cases(900), tokens=LIGHT).data["cases"]) == MOST_POINTS
