"""Cases that are marked in a picture."""

from __future__ import annotations

import numpy as np
import pandas as pd

from core.analysis.cases.brushed import brushed


def test_brushed_cases() -> None:
    """Ranges hold all at once, whatever end comes first; a click adds a case; the first range orders."""
    table = pd.DataFrame(
        {
            "case_id": ["a", "b", "c", "d"],
            "certainty": [0.996, 0.4, np.nan, 0.295],
            "disagreement": [0.0, 0.5, np.nan, 0.5],
        }
    )
    assert brushed(table, {}) == []
    assert brushed(table, {}, ["d", "a"]) == ["a", "d"]
    assert brushed(table, {"certainty": (0.5, 0.2)}) == ["d", "b"]
    assert brushed(table, {"certainty": (0, 1), "disagreement": (0.4, 0.6)}) == ["d", "b"]
    assert brushed(table, {"certainty": (0.9, 1)}, ["b"]) == ["b", "a"]
