"""Cases in which model and raters do not agree about agreement."""

from __future__ import annotations

import numpy as np
import pytest
from small_study import small_study

from core.analysis.disagreement.forecasts import Forecast, given_forecasts
from core.analysis.disagreement.surprising import LESS, MORE, surprising_cases
from core.study.model import Study


def test_both_kinds_in_order_of_surprise() -> None:
    """Written out: usual disagreement is 1/2, the cases on its two sides are listed."""
    study, task = small_study(
        "choice",
        "abc",
        [["a", "b"], ["a", "b", "c"], ["c", "c"], ["b", "b", "b"], ["a"], ["a", "b"], ["c", "c"]],
    )
    expected = np.array([0.1, 0.1, 0.6, 0.6, 0.0, 0.7, 0.2])
    probability = np.tile([0.2, 0.5, 0.3], (7, 1))
    table = surprising_cases(study, task, Forecast("M", "as given", probability, expected))
    assert table.attrs["usual"] == 0.5
    assert table["case_id"].tolist() == ["case 1", "case 0", "case 3", "case 2"]
    assert table["kind"].tolist() == [MORE, MORE, LESS, LESS]
    assert table["difference"].tolist() == pytest.approx([0.9, 0.9, -0.6, -0.6])
    assert table["given"].tolist() == ["a × 1, b × 1, c × 1", "a × 1, b × 1", "b × 3", "c × 2"]
    assert table["labels"].tolist() == [3, 2, 3, 2]
    assert (table["leading"] == "b").all()
    assert (table["leading_probability"] == 0.5).all()
    first = surprising_cases(study, task, Forecast("M", "as given", probability, expected), limit=1)
    assert first["case_id"].tolist() == ["case 1", "case 3"]


def test_lists_are_consistent_with_the_study(digits: Study) -> None:
    """Each kind lies on its two sides, sorted by the size of the difference."""
    task = digits.tasks["digit"]
    for forecast in given_forecasts(task):
        table = surprising_cases(digits, task, forecast)
        usual = table.attrs["usual"]
        more, less = table[table["kind"] == MORE], table[table["kind"] == LESS]
        assert ((more["expected"] < usual) & (more["observed"] > usual)).all()
        assert ((less["expected"] > usual) & (less["observed"] < usual)).all()
        assert more["difference"].is_monotonic_decreasing
        assert less["difference"].is_monotonic_increasing
        assert len(more) + len(less) == len(table) > 0


def test_nothing_to_judge() -> None:
    """Single labels, or no prediction: an empty list with its columns, no warning."""
    study, task = small_study("choice", "ab", [["a"], ["a", "b"]])
    says = Forecast("M", "as given", np.array([[0.5, 0.5], [np.nan, np.nan]]), np.array([0.5, np.nan]))
    table = surprising_cases(study, task, says)
    assert table.empty
    assert "leading" in table.columns
    assert np.isnan(table.attrs["usual"])
