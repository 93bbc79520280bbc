"""All tasks at a glance: what is drawn where."""

from __future__ import annotations

import json

import numpy as np
import pandas as pd
import pytest
import vl_convert

from dashboard.charts.models.all_tasks import all_tasks_chart
from dashboard.shell.theme import LIGHT

ROWS = pd.DataFrame(
    [
        ("", "All tasks", "first: a", "a", 0.8, 0.6), ("", "All tasks", "first: a", "b", 0.7, 0.5),
        ("t", "t", "first: b", "a", 0.9, 0.7), ("t", "t", "first: b", "b", 0.8, 0.8),
        ("t", "t", "first: b", "copy", 0.9, 0.7), ("u", "u", "", "b", np.nan, 0.3),
    ],
    columns=["task", "title", "first", "model", "hard", "soft"],
)  # fmt: skip


def test_models_stand_as_far_apart_as_their_values() -> None:
    """About the mean of those drawn, in each task and on each side; what has no value has no line."""
    figure = all_tasks_chart(
        ROWS,
        models=["a", "b", "copy"],
        names={"a": "a = copy", "b": "b"},
        metric="AUROC",
        counterpart="s-AUROC",
        tokens=LIGHT,
    )
    ends = figure.data["ends"].set_index(["task", "model", "side"])["value"]
    assert ends["t", "a", "hard"] == pytest.approx(0.05)
    assert ends["t", "a", "soft"] == pytest.approx(-0.05)
    assert not {"u"} & set(ends.index.get_level_values("task"))
    assert "copy" not in ends.index.get_level_values("model")
    rows = figure.data["rows"].set_index("task")
    assert rows["mean"].tolist() == ["mean 0.750 → 0.550, ", "mean 0.850 → 0.750, ", ""]
    data = {name: json.loads(frame.to_json(orient="records")) for name, frame in figure.data.items()}
    svg = str(vl_convert.vegalite_to_svg({**figure.spec, "width": 600, "datasets": data}))
    assert "a = copy" in svg
    assert "first: b" in svg
