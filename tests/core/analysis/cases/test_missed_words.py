"""Which models miss danger, in words."""

from __future__ import annotations

import pandas as pd

from core.analysis.cases.missed_words import (
    MISSED_RULES,
    WORST_FIRST,
    missed_in_words,
    missing_told,
)
from core.analysis.cases.preset_rules import missing_models
from core.analysis.cases.presets import MISSED_BEHIND

CASES = pd.DataFrame(
    {
        "risk": ["high", "low", "high", "low"],
        "high_risk": [0.9, 0.2, 0.7, 0.01],
        "high_risk_tied": [False] * 4,
        "m: answer": ["Acne", "Cyst", "", "Cyst"],
        "n: answer": ["Acne", "Tinea; Nevus", "Melanoma", "Cyst"],
        "o: answer": ["Melanoma", "Cyst", "Melanoma", "Cyst"],
        "m: misses danger": [True, True, False, False],
        "n: misses danger": [True, True, False, False],
        "o: misses danger": [False, True, False, False],
        "models_missing": ["m: Acne; n: Acne", "m: Cyst; n: Tinea; Nevus; o: Cyst", "", ""],
        "metadata: reader: misses danger": ["yes", "no", "no", "no"],
    },
    index=pd.Index(list("abcd"), name="case_id"),
)


def test_a_column_of_the_study_is_no_model() -> None:
    """Whatever it is called; nor does it change what is said of all models, or of one."""
    assert missing_models(CASES) == ["m", "n", "o"]
    of_three = "In 2 of the 3 cases in which high risk is plausible (5\u00a0% or more), "
    assert missed_in_words(CASES) == (
        f"{of_three}at least one model puts no high-risk label first. "
        f"Truly dangerous: about 1 of them on average. {WORST_FIRST}"
    )
    one = CASES.drop(columns=["n: misses danger", "o: misses danger"])
    assert missed_in_words(one).startswith(
        f"{of_three}m puts no high-risk label first; it predicts 2 of these. Truly dangerous: "
    )


def test_the_models_that_are_asked_for_are_named_first() -> None:
    """And shorter; without such in the order of the worklist."""
    assert [one[0] if one else "" for one in missing_told(CASES)] == ["m, n", "m, n, o", "", ""]
    assert missing_told(CASES, ("n", "unknown")) == [
        ("n, m", "n and 1 more"),
        ("n, m, o", "n and 2 more"),
        (),
        (),
    ]
    assert [one[-1] if one else "" for one in missing_told(CASES)] == [
        "2 of 3 models",
        "all 3 models",
        "",
        "",
    ]
    assert missing_told(CASES[["m: answer", "m: misses danger"]])[0] == ("m", "the model")


def test_the_reference_is_counted_beside_the_danger_that_readings_leave_open() -> None:
    """A case can be dangerous by its readings and not by its reference: one is taken for the other."""
    told = CASES.assign(reference_risk=["high", "low", "high", ""])
    assert missed_in_words(told).endswith(
        f" Truly dangerous: about 1 of them on average; by the study’s reference 1. {WORST_FIRST}"
    )
    assert missed_in_words(told, part=MISSED_BEHIND).endswith(
        "high risk has under 50\u00a0%. Truly dangerous: fewer than 1 of them on average; "
        "by the study’s reference none."
    )
    some = CASES.assign(reference_risk=["high", "", "high", ""])
    assert " by the study’s reference 1 of the 1 that have one. " in missed_in_words(some)
    none = CASES.assign(reference_risk="")
    assert missed_in_words(none) == missed_in_words(CASES)


def test_without_a_danger_none_is_counted() -> None:
    """As where a search leaves no dangerous case, or none at all."""
    assert missed_in_words(CASES.iloc[3:]) == (
        "High risk is plausible in none of the 1 that search and filters leave."
    )
    assert missed_in_words(CASES.iloc[:0]) == ""


def test_a_part_is_said_in_the_words_of_study() -> None:
    """Where a label of high risk is plausible and another leads, danger is behind, and hides from nobody."""
    assert missed_in_words(CASES, part=MISSED_BEHIND).endswith(
        "Listed: the 1 in which another label leads, and high risk has under 50\u00a0%. Truly dangerous: "
        "fewer than 1 of them on average."
    )
    certain = CASES.assign(high_risk=[1.0, 1.0, 1.0, 0.0])
    assert "Truly" not in missed_in_words(certain)
    assert "Behind: one is plausible, another label leads. Missed and unsettled: " in MISSED_RULES
