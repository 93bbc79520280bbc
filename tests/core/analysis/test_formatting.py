"""Numbers as people read them."""

from __future__ import annotations

import numpy as np
import pandas as pd

from core.analysis.formatting import cases_on_average, readable


def test_an_estimate_is_rounded_as_its_error_allows() -> None:
    """Both end with the second digit of the error; four digits where no error is known."""
    table = pd.DataFrame(
        {
            "reliability": [0.25, np.inf, 3.0],
            "value": [0.444108577778, 12.3456789, np.nan],
            "standard_error": [0.0123456, 3.456, 0.1],
            "kappa": [0.55555555, 0.55555555, 0.5],
            "kappa_error": [np.nan, 0.0, 0.06666],
            "n_cases": [1947, 1, 2],
            "label": ["a", "b", "c"],
        }
    )
    shown = readable(table)
    assert shown["value"].tolist()[:2] == [0.444, 12.3]
    assert shown["standard_error"].tolist() == [0.012, 3.5, 0.1]
    assert shown["kappa"].tolist() == [0.5556, 0.5556, 0.5]
    assert shown["kappa_error"].tolist()[2] == 0.067
    for same in ("reliability", "n_cases", "label"):
        assert shown[same].tolist() == table[same].tolist()
    assert np.isnan(shown["value"][2])


def test_no_number_is_lost_by_rounding() -> None:
    """Zero, tiny, huge, below zero; an empty table stays empty; the table that came is as it was."""
    table = pd.DataFrame({"x": [0.0, 1.23456e-30, -9.87654e20]})
    before = table.copy()
    assert readable(table)["x"].tolist() == [0.0, 1.235e-30, -9.877e20]
    pd.testing.assert_frame_equal(table, before)
    assert readable(table.head(0)).empty


def test_half_a_case_is_written_alike_however_it_was_added_up() -> None:
    """A sum of parts that is a hair below the half is that half."""
    assert [cases_on_average(mean) for mean in (0.0, 0.4, 0.5, 6.4, 6.5)] == [
        "0",
        "fewer than 1",
        "1",
        "6",
        "7",
    ]
    assert cases_on_average(6.499999999999998) == "7"
    assert cases_on_average(sum([0.1] * 5)) == cases_on_average(0.5 - 1e-15) == "1"
