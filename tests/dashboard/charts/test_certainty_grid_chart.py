"""Lines of equal certainty: every place in words, the study's own one, and the printed form."""

from __future__ import annotations

import json

import numpy as np
import pandas as pd
import plotly.graph_objects as go
import pytest

from core.analysis.planning.certainty_grid import CertaintyGrid
from dashboard.charts.live import mixed
from dashboard.charts.planning.certainty_grid import certainty_contour
from dashboard.shell.theme import DARK, LIGHT, Tokens

GRID = CertaintyGrid(
    pd.DataFrame(
        [(1, 0.3, 0.2, 0.01), (5, 0.3, 0.4, 0.01), (1, 3.0, 0.6, 0.01), (5, 3.0, 0.841, 0.01)],
        columns=["n_readings", "reliability", "certainty", "standard_error"],
    ),
    readings=4.2,
    reliability=2.0,
    certainty=0.77,
)


@pytest.mark.parametrize("tokens", [LIGHT, DARK], ids=["light", "dark"])
def test_every_place_speaks_in_words(tokens: Tokens) -> None:
    """Readings, reliability and certainty, at the places of the grid; the dotted line says nothing."""
    figure = certainty_contour(GRID, wanted=0.8, tokens=tokens)
    go.Figure(figure.traces, figure.layout)
    field, goal, own = figure.traces
    assert field["z"] == [[0.2, 0.4], [0.6, 0.841]]
    assert field["text"][1][1] == "5 readings a case, γ = 3:<br>84\u00a0% certain on average"
    assert field["text"][0][0].startswith("1 reading a case, γ = 0.3:")
    assert (goal["hoverinfo"], goal["contours"]["start"], goal["contours"]["end"]) == ("skip", 0.8, 0.8)
    assert (own["x"], own["y"]) == ([4.2], [2.0])
    assert own["text"] == ["This study: 4.2 readings a case, γ = 2:<br>77\u00a0% certain on average"]
    assert "http" not in json.dumps([figure.traces, figure.layout])


def test_the_studys_place_lies_within_the_axes() -> None:
    """Beyond the grid too: both axes reach as far."""
    far = CertaintyGrid(GRID.table, readings=80.0, reliability=0.1, certainty=0.9)
    layout = certainty_contour(far, wanted=0.8, tokens=LIGHT).layout
    assert layout["xaxis"]["range"][1] > np.log10(80)
    assert layout["yaxis"]["range"][0] < -1
    (words,) = layout["annotations"]
    assert (words["x"], words["y"]) == (pytest.approx(np.log10(80), abs=1e-4), -1)


def test_printed_form_has_all_numbers() -> None:
    """A cell for each place, and the study's place at the nearest."""
    figure = certainty_contour(GRID, wanted=0.8, tokens=LIGHT).printed
    assert figure.data["cells"]["words"].tolist() == [f"{n}\u00a0%" for n in (20, 40, 60, 84)]
    assert figure.data["own"][["n_readings", "reliability"]].to_numpy().tolist() == [[5, 3]]


def test_tints_are_opaque() -> None:
    """Between two colours, each part by its own."""
    assert mixed("#000000", "#FF8000", 0.5) == "#804000"
    assert mixed("#102030", "#FFFFFF", 0) == "#102030"
