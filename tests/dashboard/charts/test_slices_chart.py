"""A metric in every slice: what is drawn where."""

from __future__ import annotations

import json

import numpy as np
import pandas as pd
import vl_convert

from dashboard.charts.models.slices import forest_chart
from dashboard.shell.theme import LIGHT

ROWS = pd.DataFrame(
    [
        ("s-AUROC", "", 86, 0.8, 0.7, 0.9, ""),
        ("s-AUROC", "A", 50, 0.9, 0.8, 0.95, ""),
        ("s-AUROC", "B", 30, 0.7, 0.6, 0.8, ""),
        ("s-AUROC", "C", 6, 0.75, 0.1, 1.0, "too few to say: 6 of 10 cases needed"),
        ("s-AUROC", "D", 0, np.nan, np.nan, np.nan, "too few to say: 0 of 10 cases needed"),
    ],
    columns=["metric", "slice", "n_cases", "value", "low", "high", "small"],
)


def test_small_slices_are_faint_and_do_not_make_the_picture_wider() -> None:
    """They have a row that says so; one without a value has a row and no mark."""
    figure = forest_chart(ROWS, metrics=("s-AUROC",), title="s-AUROC", tokens=LIGHT)
    marks, rows = figure.data["marks"].set_index("slice"), figure.data["rows"]
    assert rows["slice"].tolist() == ["A", "B", "C", "D"]
    assert rows["says"].tolist()[0] == "0.900, n = 50"
    assert rows["says"].str.startswith("too few to say").tolist() == [False, False, True, True]
    assert marks.loc["C", "strength"] < marks.loc["A", "strength"]
    assert "D" not in marks.index
    ends = {of["name"]: of["value"] for of in figure.spec["params"] if "value" in of}
    assert 0.55 < ends["left"] < 0.6
    assert 0.95 < ends["right"] < 1.0
    data = {name: json.loads(frame.to_json(orient="records")) for name, frame in figure.data.items()}
    svg = str(vl_convert.vegalite_to_svg({**figure.spec, "width": 500, "datasets": data}))
    assert "too few to say, n = 6" in svg
