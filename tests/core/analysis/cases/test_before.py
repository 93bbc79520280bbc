"""How a case was before its readings were changed, beside how it is."""

from __future__ import annotations

import numpy as np
import pandas as pd
import pytest
from small_study import small_study

from core.analysis.cases.before import (
    plausibility_beside,
    predictions_beside,
    simplex_beside,
)
from core.analysis.cases.case import (
    ANY_OTHER,
    Case,
    open_case,
    plausibility_table,
    predictions_table,
)
from core.analysis.cases.dots import dot_table, dots_beside
from core.analysis.cases.simplex import simplex_of
from core.analysis.cases.what_if import Reading, WhatIf, apply, marked_raters
from core.plausibility.settings import MODELS, Aggregation

SAID = ["a b", "a c", "b"]
CHANGE = WhatIf(off=frozenset({1}), edited=((2, Reading(((3,),))),), added=(Reading(((3,), (0,))),))
"""Nobody mentions c any more; d is new."""


def _both(model: str, reliability: float = 3.0) -> tuple[Case, Case]:
    study, task = small_study(
        "ranking", "abcdef", [SAID], predictions={"m": [[0.4, 0.3, 0.1, 0.1, 0.05, 0.05]]}
    )
    aggregation = Aggregation(model, reliability)
    before = open_case(study, task, aggregation, 0)
    return open_case(study, task, aggregation, 0, readings=apply(study, task, 0, CHANGE)), before


@pytest.mark.parametrize("model", [name for name in MODELS if "ranking" in MODELS[name].kinds])
def test_both_sides_are_those_of_the_single_tables(model: str) -> None:
    """Every label of either table is there with its numbers, and both sides are whole."""
    after, before = _both(model, 3.0 if MODELS[model].has_reliability else np.inf)
    table = plausibility_beside(after, before).set_index("label")
    assert list(table.index)[-1] == ANY_OTHER
    assert {"a", "b", "c", "d"} <= set(table.index)
    for case, end in ((after, ""), (before, " before")):
        own = plausibility_table(case).set_index("label").drop(index=ANY_OTHER)
        for name in ("leads", "plausibility", "low", "high", "point"):
            pd.testing.assert_series_equal(
                table.loc[own.index, name + end], own[name], check_names=False, check_dtype=False
            )
        np.testing.assert_allclose(table[["leads" + end, "plausibility" + end]].sum(), 1, atol=1e-6)


def test_a_label_that_nobody_mentions_keeps_its_chance() -> None:
    """What it has where it is no candidate is that of any unmentioned label; quantiles are unknown."""
    after, before = _both("prirn")
    table = plausibility_beside(after, before).set_index("label")
    assert table.loc["c", "leads"] == after.posterior.top1.other[0] < table.loc["c", "leads before"]
    assert table.loc["d", "plausibility before"] == before.posterior.mean.other[0]
    assert np.isnan(table.loc["c", "high"])
    assert np.isnan(table.loc["d", "low before"])


def test_dots() -> None:
    """Twenty each; labels in the order of now, those that led before alone at the end."""
    after, before = _both("prirn", 30.0)
    table = dots_beside(after, before)
    assert table["dots"].sum() == table["dots before"].sum() == 20
    own = dot_table(after)
    assert table["label"].head(len(own)).tolist() == own["label"].tolist()
    assert (table["dots"].iloc[len(own) :] == 0).all()
    was = dict(zip(*dot_table(before)[["label", "dots"]].to_numpy().T, strict=True))
    assert {k: n for k, n in zip(table["label"], table["dots before"], strict=True) if n} == was


def test_predictions() -> None:
    """The models' chances are those of the case before."""
    after, before = _both("prirn")
    table = predictions_beside(after, before)
    assert table["right before"].tolist() == predictions_table(before)["right"].tolist()
    assert (
        table["right"].tolist()
        == predictions_table(after)["right"].tolist()
        != table["right before"].tolist()
    )


def test_simplex() -> None:
    """Mean and point estimate before, of the labels that lead now; the table names them."""
    after, before = _both("prirn")
    simplex, found = simplex_of(after, 3), simplex_beside(after, before, 3)
    assert simplex is not None
    assert simplex.before is None
    assert found is not None
    assert found.before is not None
    assert set(found.labels) == set(simplex.labels)
    was = plausibility_beside(after, before).set_index("label").loc[list(found.labels)]
    np.testing.assert_array_equal(found.before.mean, was["plausibility before"])
    np.testing.assert_array_equal(found.before.leads, was["leads before"])
    assert found.table["kind"].tail(4).tolist() == [
        "mean",
        "point estimate",
        "mean before",
        "point estimate before",
    ]
    np.testing.assert_allclose(found.table[[*found.labels, "other labels"]].sum(axis=1), 1)


@pytest.mark.parametrize(
    ("was", "now", "corners"),
    [
        ("aaabbc", "abbbbc", "abc"),
        ("aaabbc", "aaabbcccc", "abc"),
        ("aaabbc", "aaaddddccc", "adc"),
        ("aaabbc", "dddddeeec", "dec"),
        ("aab", "aabbbc", "abc"),
    ],
)
def test_a_label_keeps_its_corner(was: str, now: str, corners: str) -> None:
    """Whoever leads after a change: what is new takes the corner of what is gone."""
    study, task = small_study("choice", "abcdef", [list(was), list(now)])
    before, after = (open_case(study, task, Aggregation("label-counts", 1.0), i) for i in (0, 1))
    found = simplex_beside(after, before, 3)
    assert found is not None
    assert "".join(found.labels) == corners
    assert found.before is not None
    at = {label: i for i, label in enumerate(found.labels)}
    assert found.point[at["c"]] == pytest.approx(now.count("c") / len(now))
    assert found.before.point[at["c"]] == pytest.approx(was.count("c") / len(was))


def test_changed_readings_are_marked() -> None:
    """Nobody takes a changed reading for one of the study."""
    assert marked_raters(["A", "C", "added 1"], CHANGE, 3) == ["A", "C, changed", "added 1"]
