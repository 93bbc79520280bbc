"""The picture of the Disagreement page."""

from __future__ import annotations

import json

import numpy as np
import pandas as pd
import pytest

from dashboard.charts.disagreement.diagram import _short, reliability_diagram_chart
from dashboard.charts.figure import Figure
from dashboard.shell.theme import DARK, LIGHT, Tokens


def _table(n: list[int], *, shift: float = 0.0) -> pd.DataFrame:
    """Bins of equal width; an empty one has nothing, one of a single prediction no band."""
    edges = np.linspace(0, 1, len(n) + 1)
    filled = np.array(n) > 0
    middle = np.where(filled, (edges[:-1] + edges[1:]) / 2, np.nan)
    observed = np.clip(middle + shift, 0, 1)
    banded = np.array(n) > 1
    return pd.DataFrame(
        {
            "lower": edges[:-1],
            "upper": edges[1:],
            "n": n,
            "predicted": middle,
            "observed": observed,
            "low": np.where(banded, observed - 0.05, np.nan),
            "high": np.where(banded, observed + 0.05, np.nan),
        }
    )


def _chart(*tables: pd.DataFrame, tokens: Tokens = LIGHT, model: int = 1) -> Figure:
    return reliability_diagram_chart(
        tables,
        tables,
        ["as given", "α"][-len(tables) :],
        model=model,
        titles=("said", "seen"),
        unit="cases",
        tokens=tokens,
    )


def test_every_bin_that_holds_something_is_drawn() -> None:
    """A dot and a bar each, with the number; a band only where there is one."""
    figure = _chart(_table([200, 0, 1, 50]))
    assert figure.data["points"]["n"].tolist() == [200, 1, 50]
    assert figure.data["bands"]["n"].tolist() == [200, 50]
    assert figure.data["numbers"]["words"].tolist() == ["200", "1", "50"]
    points = figure.data["points"]
    assert points["band"].tolist()[1] == "too few to say"
    assert points["range"].tolist()[0] == "0 to 25 %"
    # The area of a dot grows with the number: its size encodes the root of the share.
    assert points["weight"].tolist() == pytest.approx([1, np.sqrt(1 / 200), 0.5])


def test_bars_stand_below_the_diagram_and_apart() -> None:
    """Each row has its own foot, no bar reaches the heading, and even one prediction can be seen."""
    figure = _chart(_table([1000, 1]), _table([3, 4]))
    bars = figure.data["bars"]
    assert (bars["top"] < 0).all()
    assert (bars["top"] > bars["base"] + 0.001).all()
    feet = bars.groupby("series")["base"].first()
    keys = figure.data["keys"].set_index("series")["y"]
    top = bars.groupby("series")["top"].max()
    assert feet["after"] < top["after"] < keys["after"] < feet["before"] < top["before"] < keys["before"] < 0


def test_before_is_hollow_and_neutral_after_has_the_models_colour() -> None:
    """Colour is not the only carrier: fill, dash and mark differ too."""
    spec = json.dumps(_chart(_table([5, 5]), _table([5, 5]), tokens=DARK).spec)
    assert f'"range": ["{DARK.muted}", "{DARK.models[1]}"]' in spec
    assert f'"range": ["{DARK.page}", "{DARK.models[1]}"]' in spec
    assert '"range": [[4, 3], [1, 0]]' in spec
    alone = _chart(_table([5, 5]))
    assert set(alone.data["points"]["series"]) == {"after"}


def test_the_layout_does_not_depend_on_the_numbers() -> None:
    """Another number of bins changes the data alone, so that the browser need not draw anew."""
    assert _chart(_table([5, 5])).spec is _chart(_table([1, 2, 3, 4])).spec
    assert _chart(_table([5, 5])).spec is not _chart(_table([5, 5]), _table([5, 5])).spec


def test_numbers_are_left_out_where_they_would_overlap() -> None:
    """Hundred bins have no room for them; the tooltip has them."""
    figure = _chart(_table([1234] * 100))
    assert figure.data["numbers"].empty
    assert len(figure.data["bars"]) == 100


def test_empty_bins_only() -> None:
    """Nothing to draw is drawn."""
    figure = _chart(_table([0, 0]))
    assert figure.data["points"].empty
    assert figure.data["bars"].empty


@pytest.mark.parametrize(
    ("number", "text"),
    [
        (0, "0"),
        (999, "999"),
        (1000, "1.0k"),
        (9949, "9.9k"),
        (9951, "10k"),
        (123_456, "123k"),
        (2_000_000, "2.0M"),
    ],
)
def test_short_numbers(number: int, text: str) -> None:
    """At most four characters."""
    assert _short(number) == text
