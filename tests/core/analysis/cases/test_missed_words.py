"""Which models miss danger, in words."""

from __future__ import annotations

import re

import pandas as pd

from core.analysis.cases.missed_words import (
    MISSED_RULES,
    expected_in_words,
    missed_in_brief,
    missed_in_words,
    missing_told,
)
from core.analysis.cases.preset_rules import missing_models
from core.analysis.cases.presets import (
    DANGER_MISSED,
    MISSED_BEHIND,
    MISSED_BY_ALL,
    MISSED_UNSETTLED,
    PRESETS,
)
from core.analysis.cases.select import EVERY_MODEL

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
    plausible = "A high-risk label leads in 5 or more of 100 plausible truths, and "
    assert missed_in_words(CASES) == f"{plausible}at least one model puts no high-risk label first."
    one = CASES.drop(columns=["n: misses danger", "o: misses danger"])
    assert missed_in_words(one) == (
        f"{plausible}m puts no high-risk label first. It has an answer for 2 of the 3 in which high risk is "
        "plausible."
    )


def test_of_the_models_one_that_is_asked_for_is_named_where_there_is_room_for_one() -> None:
    """All are in the order of the worklist, as everywhere."""
    assert [one[0] if one else "" for one in missing_told(CASES)] == ["m, n", "m, n, o", "", ""]
    assert missing_told(CASES, ("n", "unknown")) == [
        ("m, n", "n and 1 more"),
        ("m, n, o", "n and 2 more"),
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
    called = CASES.rename(columns=lambda name: re.sub("^([mno]):", r"Model \1:", name))
    assert missing_told(called)[0] == ("Models m,\u00a0n", "2 of 3 models")


def test_the_reference_is_counted_beside_the_danger_that_readings_leave_open() -> None:
    """A case can be dangerous by its readings and not by its reference: both are said in one sentence."""
    listed, expected = (
        CASES.iloc[:2],
        "Danger is expected in about 1 of these 2 cases",
    )
    assert expected_in_words(listed) == f"{expected}."
    for risks, words in (
        (["high", "low", "high", "low"], "; by the study’s reference in 1"),
        (["high", "high", "", ""], "; by the study’s reference in 2"),
        (["low", "low", "high", ""], "; by the study’s reference in none"),
        (["high", "", "", ""], "; by the study’s reference in 1 of the 1 that have one"),
        (["", "low", "", ""], "; by the study’s reference in none of the 1 that have one"),
        ([""] * 4, ""),
    ):
        assert expected_in_words(listed.assign(reference_risk=risks[:2])) == f"{expected}{words}."


def test_which_dangers_are_missed_is_said_in_brief() -> None:
    """Whoever is asked for is named; a model that the study does not have is none."""
    for chosen, preset, words in (
        ((), DANGER_MISSED, "Danger is plausible; a model does not warn."),
        (("m", "unknown"), DANGER_MISSED, "Danger is plausible; m does not warn."),
        (("m", "*"), MISSED_BEHIND, "Another label leads; a model does not warn."),
        (
            ("m", "o"),
            MISSED_BEHIND,
            "Another label leads; one of m and o does not warn.",
        ),
        ((), MISSED_BY_ALL, "Danger is plausible; no model warns."),
        ((EVERY_MODEL,), DANGER_MISSED, "Danger is plausible; no model warns."),
        ((EVERY_MODEL,), MISSED_UNSETTLED, "Danger is open; no model warns."),
    ):
        assert missed_in_brief(CASES, chosen, preset) == words


def test_without_a_danger_none_is_counted() -> None:
    """As where a search leaves no dangerous case, or none at all."""
    assert missed_in_words(CASES.iloc[3:]) == (
        "High risk is plausible in none of the 1 left by search and filters."
    )
    assert missed_in_words(CASES.iloc[:0]) == ""


def test_a_part_is_said_in_the_words_of_study() -> None:
    """Where a label of high risk is plausible and another leads, danger is behind, and hides from nobody."""
    assert missed_in_words(CASES, part=MISSED_BEHIND) == (f"{PRESETS[MISSED_BEHIND].meaning}")
    of_two = missed_in_words(CASES, ("m", "o"), MISSED_BEHIND)
    assert "and at least one of m and o puts none of them first." in of_two
    assert (
        "Another label leads: a high-risk one is plausible, but does not lead. Still open: " in MISSED_RULES
    )


def test_of_one_case_or_of_certain_ones_nothing_is_expected() -> None:
    """Under a point estimate each is dangerous or is not; unread ones count as none."""
    assert expected_in_words(CASES.iloc[:1]) == ""
    assert expected_in_words(CASES.assign(high_risk=[1.0, 1.0, 1.0, 0.0])) == ""
    assert expected_in_words(CASES.assign(high_risk=[0.2, float("nan"), 0.1, float("nan")])) == (
        "Danger is expected in fewer than 1 of these 4 cases."
    )
