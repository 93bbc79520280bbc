"""Models that are probably wrong, in few words."""

from __future__ import annotations

import numpy as np
import pandas as pd

from core.analysis.cases.wrong_words import surest_told, wrong_told

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


def test_models_that_are_wrong_alike_are_named_together() -> None:
    """Behind them what all of them say; where one says something else, it stands beside."""
    alike = CASES.iloc[:1].assign(
        **{"models_wrong": "n: Cyst; m: Cyst", "n: answer": "Cyst", "n: error": 0.9}
    )
    assert wrong_told(alike)["n: Cyst; m: Cyst"] == ("n, m: Cyst", "n: Cyst and 1 more", "Cyst and 1 more")
    third = alike.assign(
        **{"models_wrong": "n: Cyst; o: Acne; m: Cyst", "o: answer": "Acne", "o: error": 0.8}
    )
    assert wrong_told(third)["n: Cyst; o: Acne; m: Cyst"][0] == "n, m: Cyst; o: Acne"


def test_the_model_of_the_surest_error_is_named() -> None:
    """With its error; all whose errors are equal; nobody where none is known."""
    cases = CASES.assign(**{"n: error": [0.5, 0.9, np.nan], "m: error": [0.5, 0.6, np.nan]})
    cases["model_error"] = [0.5, 0.9, np.nan]
    assert surest_told(cases) == [
        ("m, n: 50\u00a0%", "m and 1 more: 50\u00a0%"),
        ("n: 90\u00a0%",),
        (),
    ]
