"""Presets keep the cases that their names promise, in a stable order."""

from __future__ import annotations

import numpy as np
import pandas as pd
import pytest
from small_study import small_study

from core.analysis.cases.presets import (
    ANY_HIGH_RISK,
    HIGH_RISK_LISTS,
    NAMED_ONLY,
    PRESETS,
    UNSETTLED,
    listed_in_words,
)
from core.analysis.cases.worklist import PLAUSIBLE, worklist
from core.plausibility.aggregate import aggregate
from core.plausibility.settings import Aggregation

CASES = pd.DataFrame(
    {
        "certainty": [0.9, 0.5, np.nan, 0.5, 0.7, 0.3, 0.4],
        "risk": ["low", "high", "", "medium", "low", "low", "high"],
        "high_risk": [0.05, 0.8, np.nan, 0.3, 0.04, 0.5, 0.4],
        "high_risk_tied": [False, False, False, False, False, False, True],
        "high_risk_named": [True, True, False, True, True, True, True],
        "models_missing": ["", "m: a", "", "", "", "m: a; n: b", ""],
        "m: misses danger": [False, True, False, False, False, True, False],
        "n: misses danger": [False, False, False, False, False, True, False],
        "disagreement": [0.0, 0.2, np.nan, 0.0, 0.0, 0.1, 0.5],
        "readers_agree": [True, False, False, True, True, False, False],
        "model_error": [0.6, 0.9, np.nan, 0.49, np.nan, 0.6, 0.1],
        "status": ["open", "to re-read", "open", "settled", "in discussion", "open", "open"],
        "flags": ["", "", "odd", "", "", "", "odd"],
        "notes": ["blurred", "", "", "", "", "", "old"],
    },
    index=["v", "w", "x", "y", "z", "u", "t"],
)


@pytest.mark.parametrize(
    ("name", "kept"),
    [
        ("most uncertain", ["u", "t", "w", "y", "z", "v"]),
        ("any high-risk label is plausible", ["u", "t", "y", "w", "v"]),
        ("dangerous and unsettled", ["u", "t", "y", "w", "v"]),
        ("a high-risk label leads", ["w"]),
        ("a high-risk label is tied for the lead", ["t"]),
        ("high-risk labels lead together, none of them alone", ["u"]),
        ("a high-risk label is plausible but does not lead", ["y", "v"]),
        ("a high-risk label is named but not plausible", ["z"]),
        ("a model misses danger", ["w", "u"]),
        ("a model misses danger that is likely", ["w", "u"]),
        ("a model misses danger that is unsettled", ["u", "w"]),
        ("readers agree, model differs", ["v"]),
        ("every model misses danger", ["u"]),
        ("marked", ["w", "t", "v", "z", "x"]),
    ],
)
def test_kept_cases_and_order(name: str, kept: list[str]) -> None:
    """By hand; unread cases never come up, equal ones stay in order."""
    assert PRESETS[name].apply(CASES).index.tolist() == kept


@pytest.mark.parametrize(
    ("kind", "model", "gamma"),
    [
        ("choice", "label-counts", 0.5),
        ("choice", "label-counts", np.inf),
        ("ranking", "prirn", 2),
        ("ranking", "prirn", 20),
    ],
)
def test_lists_of_high_risk_share_no_case_and_miss_none(kind: str, model: str, gamma: float) -> None:
    """Over simulated readings: no case in two lists, none in which high risk is plausible in none of them.

    The first two are the cases whose leading label is said to be of high risk.
    """
    rng = np.random.default_rng(5)
    said = [
        ["".join(rng.permutation(list("abcdef"))[:1]) for _ in range(rng.integers(0, 7))] for _ in range(300)
    ]
    study, task = small_study(kind, "abcdef", said, risk="LMHHLH")
    cases = worklist(study, task, aggregate(study, task, Aggregation(model, gamma)))
    lists = [set(PRESETS[name].apply(cases).index) for name in HIGH_RISK_LISTS]
    assert sum(map(len, lists)) == len(set.union(*lists))
    assert set(PRESETS[ANY_HIGH_RISK].apply(cases).index) == set.union(*lists)
    assert set(cases.index[cases["risk"] == "high"]) == lists[0] | lists[1]
    assert set(cases.index[cases["high_risk"] >= PLAUSIBLE]) <= set.union(*lists)
    # With what is named only, every case in which somebody names a label of high risk.
    named = {
        case for case, readings in zip(cases.index, said, strict=True) if set("".join(readings)) & set("cdf")
    }
    only = set(PRESETS[NAMED_ONLY].apply(cases).index)
    assert only.isdisjoint(set.union(*lists))
    assert named <= only | set.union(*lists)
    assert only <= named
    unsettled = PRESETS[UNSETTLED].apply(cases)
    assert set(unsettled.index) <= set.union(*lists)
    assert unsettled["high_risk"].between(PLAUSIBLE, 1 - PLAUSIBLE).all()
    assert (unsettled["high_risk"] - 0.5).abs().round(9).is_monotonic_increasing
    assert all(lists if gamma < 10 else lists[:2])
    tied = cases.loc[list(lists[1])]
    assert tied["leading"].str.contains("tied").all()
    assert not cases.loc[list(lists[0]), "leading"].str.contains("^[abe] |, [abe] or| or [abe] ").any()


def test_unsettled_are_neither_ruled_out_nor_certain() -> None:
    """From 5 to 95 %; as far from one half on either side is equal, and stays in order."""
    cases = CASES.assign(high_risk=[0.6, 0.96, np.nan, 0.4, 0.04, 0.95, 0.05])
    assert PRESETS[UNSETTLED].apply(cases).index.tolist() == ["v", "y", "u", "t"]


def test_presets_say_what_they_need() -> None:
    """Without models or risks a preset does not suit, and says why when it is forced."""
    study, task = small_study("choice", "ab", [["a", "b"], ["a"]])
    cases = worklist(study, task, aggregate(study, task, Aggregation("label-counts", 1)))
    assert [name for name, preset in PRESETS.items() if preset.suits(cases)] == ["most uncertain"]
    with pytest.raises(ValueError, match="got no model_error"):
        PRESETS["readers agree, model differs"].apply(cases)
    for preset in PRESETS.values():
        assert len(preset.sort) == len(preset.ascending)
        optional = {"high_risk"} if preset.without_risk else set()
        assert set(preset.sort) - optional <= {"certainty", *preset.needs}
        assert preset.meaning.endswith(".")
        assert preset.brief.endswith(".")
        assert len(preset.brief) <= 46, "it stands in one line with a number"


def test_models_that_differ_come_by_danger_as_it_is_written_and_then_by_the_surest_error() -> None:
    """A cellulitis called eczema stands before a harmless false alarm; without levels errors alone count."""
    cases = pd.DataFrame(
        {
            "certainty": 0.9,
            "readers_agree": True,
            "high_risk": [0.0, 0.991, 0.994, 0.2],
            "model_error": [0.99, 0.9, 0.6, 0.95],
        },
        index=["v", "w", "x", "y"],
    )
    of = PRESETS["readers agree, model differs"]
    assert of.apply(cases).index.tolist() == ["w", "x", "y", "v"]
    assert of.comes_first(cases) == "Most danger first"
    without = cases.drop(columns="high_risk")
    assert of.apply(without).index.tolist() == ["v", "y", "w", "x"]
    assert of.comes_first(without) == "Surest error first"


@pytest.mark.parametrize(
    ("n", "of", "words"),
    [
        (301, 301, "All 301 cases, least certain first."),
        (99, 1301, "99 of 1,301 cases, least certain first."),
        (1, 5, "1 of 5 cases."),
        (1, 1, "1 of 1 case."),
        (0, 5, "None of 5 cases."),
    ],
)
def test_how_many_are_listed_and_in_which_order(n: int, of: int, words: str) -> None:
    """An order is said where there are several cases."""
    assert listed_in_words(n, of, "Least certain first") == words
    assert listed_in_words(n, of) == words.replace(", least certain first", "")
