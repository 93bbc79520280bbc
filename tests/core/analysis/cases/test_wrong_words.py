"""Models that are probably wrong, in few words."""

from __future__ import annotations

import numpy as np
import pandas as pd

from core.analysis.cases.wrong_words import wrong_told

CASES = pd.DataFrame(
    {
        "models_wrong": ["m: Cyst", "n: Tinea; Nevus; m: Cyst", ""],
        "m: answer": ["Cyst", "Cyst", "Cyst"],
        "m: error": [0.5, 0.6, 0.4],
        "n: answer": ["Nevus", "Tinea; Nevus", ""],
        "n: error": [0.1, 0.9, np.nan],
        "metadata: x: error": [1.0, 1.0, 1.0],
    }
)


def test_the_surest_error_is_named_and_others_are_counted() -> None:
    """Whatever a label is called; a column of the study is no model."""
    assert wrong_told(CASES) == {
        "m: Cyst": ("Cyst",),
        "n: Tinea; Nevus; m: Cyst": ("n: Tinea; Nevus and 1 more", "Tinea; Nevus and 1 more"),
    }
