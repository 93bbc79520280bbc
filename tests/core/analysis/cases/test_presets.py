"""Presets keep the cases that their names promise, in a stable order."""

from __future__ import annotations

import numpy as np
import pandas as pd
import pytest
from small_study import small_study

from core.analysis.cases.presets import PRESETS
from core.analysis.cases.worklist import worklist
from core.plausibility.aggregate import aggregate
from core.plausibility.settings import Aggregation

CASES = pd.DataFrame(
    {
        "certainty": [0.9, 0.5, np.nan, 0.5, 0.7, 0.3],
        "risk": ["low", "high", "", "medium", "low", "low"],
        "high_risk": [0.05, 0.8, np.nan, 0.3, 0.04, 0.5],
        "disagreement": [0.0, 0.2, np.nan, 0.0, 0.0, 0.1],
        "model_error": [0.6, 0.9, np.nan, 0.49, np.nan, 0.6],
    },
    index=["v", "w", "x", "y", "z", "u"],
)


@pytest.mark.parametrize(
    ("name", "kept"),
    [
        ("most uncertain", ["u", "w", "y", "z", "v"]),
        ("high-risk labels lead together, none of them alone", ["u"]),
        ("a high-risk label is plausible but does not lead", ["y", "v"]),
        ("readers agree, model differs", ["v"]),
    ],
)
def test_kept_cases_and_order(name: str, kept: list[str]) -> None:
    """By hand; unread cases never come up, equal ones stay in order."""
    assert PRESETS[name].apply(CASES).index.tolist() == kept


def test_presets_say_what_they_need() -> None:
    """Without models or risks a preset does not suit, and says why when it is forced."""
    study, task = small_study("choice", "ab", [["a", "b"], ["a"]])
    cases = worklist(study, task, aggregate(study, task, Aggregation("label-counts", 1)))
    assert [name for name, preset in PRESETS.items() if preset.suits(cases)] == ["most uncertain"]
    with pytest.raises(ValueError, match="got no model_error"):
        PRESETS["readers agree, model differs"].apply(cases)
    for preset in PRESETS.values():
        assert len(preset.sort) == len(preset.ascending)
        assert set(preset.sort) <= {"certainty", *preset.needs}
        assert preset.meaning.endswith(".")
