"""What a study comes to at several reliabilities: the numbers of each, and how they are written."""

from __future__ import annotations

import math

import numpy as np
import pandas as pd
import pytest

from core.analysis.models.by_reliability import Reckoned, in_words, reckoned, shown_reliabilities
from core.plausibility.settings import Aggregation

ONCE = Aggregation("label-counts", 1.0)


def test_cases_below_the_line_are_counted_and_the_ceiling_is_a_range() -> None:
    """99 % is settled; who was not read does not count."""
    found = reckoned(pd.Series([0.5, 0.989, 0.99, 1.0, np.nan]), "A, 60 to 70 %")
    assert found == Reckoned(0.5, (0.75, 1.0), "A, 60 to 70 %")
    sure = reckoned(pd.Series([0.5, 1.0, 1.0, np.nan]), is_point=True)
    assert sure.ceiling == (pytest.approx(5 / 6), pytest.approx(5 / 6))
    with pytest.raises(ValueError, match="no case has a reading"):
        reckoned(pd.Series([np.nan]))


def test_what_is_in_force_and_what_is_supported_are_among_those_shown() -> None:
    """Each once, in ascending order."""
    assert shown_reliabilities(1.0, None) == (1.0, 5.0)
    assert shown_reliabilities(math.inf, 2.0) == (1.0, 2.0, 5.0, math.inf)
    assert shown_reliabilities(5.0, 5.0) == (1.0, 5.0)


def test_rows_say_which_is_in_use_and_which_the_readings_support() -> None:
    """What is not known yet has a place; without models there is nothing to say of any."""
    rows = {1.0: Reckoned(0.91, (0.73, 0.81), "A, 67 %"), 2.0: None}
    heads, written = in_words(rows, ONCE, best=2.0, has_models=True)
    assert heads[0] == "γ: times each reading counts"
    assert written == [
        ["1: in use", "91\u00a0%", "73\u00a0to\u00a081\u00a0%", "A, 67 %"],
        ["2: the readings support it", "…", "…", "…"],
    ]
    assert in_words({1.0: rows[1.0]}, ONCE, best=1.0, has_models=False)[1] == [
        ["1: in use, the readings support it", "91\u00a0%"]
    ]
    assert (
        "that a case counts as" in in_words(rows, Aggregation("prirn", 1.0), best=None, has_models=True)[0][0]
    )
