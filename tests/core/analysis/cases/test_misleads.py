"""Where plain accuracy misleads: by hand, and in the first sample."""

from __future__ import annotations

import numpy as np
import pandas as pd
import pytest
from small_study import small_study

from core.analysis.cases.misleads import (
    COUNTED,
    MISLEADS,
    counted_right,
    misleading,
    misled_told,
    with_counted,
)
from core.analysis.cases.percent_ranges import whole_percent
from core.analysis.cases.presets import ACCURACY_MISLEADS, NO_DOUBT, PRESETS
from core.analysis.cases.worklist import PLAUSIBLE, worklist_of
from core.plausibility.settings import Aggregation
from core.study.model import Study

TWICE = Aggregation(model="prirn", reliability=2)


def _cases() -> pd.DataFrame:
    """Five cases, of which the second to fourth mislead about some model, the fourth most."""
    right = {"A": [0.9, 0.5, 0.3, 0.1, np.nan], "B": [0.1, 0.9, 0.6, 0.95, 0.5]}
    columns: dict[str, list[object]] = {f"{name}: right": [*values] for name, values in right.items()}
    # Both name one label, but for the third case, in which they differ; the second ties two.
    columns |= {"A: answer": ["p"] * 5, "B: answer": ["p", "p", "q", "p", "p"]}
    columns["leading"] = ["p", "p or q (tied)", "q", "q", ""]
    cases = pd.DataFrame(columns, index=pd.Index(list("vwxyz"), name="case_id"))
    counted = {"A": [1, 1, 1, 1, np.nan], "B": [0, 1, 0, 0.5, 0.5]}
    return with_counted(cases, {name: np.array(values, float) for name, values in counted.items()})


def test_it_misleads_from_a_difference_of_half_on() -> None:
    """In either direction; what is unknown differs by nothing."""
    cases = _cases()
    assert cases.index[misleading(cases)].tolist() == ["w", "x", "y"]
    np.testing.assert_allclose(cases[MISLEADS], [0.1, 0.5, 0.7, 0.9, 0])
    assert PRESETS[ACCURACY_MISLEADS].apply(cases).index.tolist() == ["y", "x", "w"]


def test_each_model_is_told_with_how_it_is_counted() -> None:
    """The furthest off first; on two lines only that one, and on shorter ones how many models they are.

    It is told apart whether a label that is counted right is the likeliest, one of several, or another is.
    """
    told = misled_told(_cases())
    assert told[0] == told[4] == ()
    said = "Counted right: A, none clearly likelier, but only 50 of 100"
    two, shorter = (
        "Counted right: A\nnone clearly likelier, but only 50 of 100",
        "Counted right: 1 model\nnone clearly likelier: 50 of 100",
    )
    assert told[1] == (said, two, shorter)
    assert told[2] == (
        "Counted right: A, not likeliest: only 30 of 100; counted wrong: B, but likeliest: 60 of 100",
        "Counted right: A\nnot likeliest: only 30 of 100",
        "Counted right: 1 model\nnot likeliest: 30 of 100",
    )
    of_tie = pd.DataFrame({"A: right": [0.0, 0.99], "A: answer": ["p", "p"], "leading": ["q", "p"]})
    assert [one[0] for one in misled_told(with_counted(of_tie, {"A": np.array([1 / 2, 1 / 3])}))] == [
        "Counted half right: A, not likeliest: only 0 of 100",
        "Counted partly right: A, but likeliest: 99 of 100",
    ]
    alone = of_tie.assign(**{"A: right": [0.45, 0.55]}, leading=["p", "p or q (tied)"])
    assert [one[0] for one in misled_told(with_counted(alone, {"A": np.array([1.0, 0.0])}))] == [
        "Counted right: A, likeliest, but only 45 of 100",
        "Counted wrong: A, but right in 55 of 100",
    ]


def test_models_that_are_counted_alike_are_told_together() -> None:
    """Two by their names, more by their number: the line has no room for them."""
    for names, said in (("AB", "Models A,\u00a0B"), ("ABC", "3 models")):
        models = [f"Model {name}" for name in names]
        cases = pd.DataFrame({f"{name}: right": [0.3] for name in models} | {"leading": ["p"]})
        cases = cases.assign(**{f"{name}: answer": ["q"] for name in models})
        told = misled_told(with_counted(cases, {name: np.array([1.0]) for name in models}))
        assert told[0][1:] == (
            f"Counted right: {said}\nnot likeliest: only 30 of 100",
            f"Counted right: {len(names)} models\nnot likeliest: 30 of 100",
        )


def test_danger_comes_first_and_then_the_furthest_off() -> None:
    """Where danger leads, then where it is plausible; of each, and without levels, the furthest off."""
    preset = PRESETS[ACCURACY_MISLEADS]
    for of_w, of_x, of_y, order in (
        (0.06, 0.7, 0.04, "xwy"),
        (0.495, 0.06, 0.49, "wyx"),
        (0.5, 0.99, 0.04, "xwy"),
        (0.06, 0.07, 0.5, "yxw"),
    ):
        cases = _cases().assign(high_risk=[0.9, of_w, of_x, of_y, np.nan])
        assert "".join(preset.apply(cases).index) == order
    assert preset.comes_first(cases) == "Danger first, then the furthest off"
    assert preset.comes_first(_cases()) == "Furthest off first"


def test_nothing_is_added_without_models() -> None:
    """The list is not for such a study."""
    study, task = small_study("choice", "ab", [["a", "b"], ["a"]])
    cases = worklist_of(study, task, Aggregation(model="label-counts", reliability=2))
    assert counted_right(task) == {}
    assert not PRESETS[ACCURACY_MISLEADS].suits(with_counted(cases, {}))


def test_the_label_with_most_votes_counts(dermatology: Study) -> None:
    """Against the rows of the tables: by first places, ties of votes and of a model's answers split."""
    task = next(iter(dermatology.tasks.values()))
    counted, readings = counted_right(task), task.readings
    assert list(counted) == list(task.probability_models)
    for case in range(0, dermatology.n_cases, 17):
        votes: dict[int, float] = {}
        for reading in np.flatnonzero(readings.case == case):
            entries = np.flatnonzero((readings.entry_reading == reading) & (readings.block == 0))
            for entry in entries:
                label = int(readings.label[entry])
                votes[label] = votes.get(label, 0) + 1 / len(entries)
        leads = {label for label, n in votes.items() if n > max(votes.values()) - 1e-9}
        for name, said in counted.items():
            probability = task.predictions[name].probability[case]
            first = np.flatnonzero(probability == probability.max())
            by_hand = np.mean([label in leads for label in first]) / len(leads)
            assert said[case] == pytest.approx(by_hand)


def test_the_list_has_the_cases_that_are_furthest_off(dermatology: Study) -> None:
    """In their order; under a point estimate none, which it says."""
    task = next(iter(dermatology.tasks.values()))
    cases = worklist_of(dermatology, task, TWICE)
    known = with_counted(cases, counted_right(task))
    off = pd.concat(
        [(known[COUNTED.format(name)] - known[f"{name}: right"]).abs() for name in task.probability_models],
        axis=1,
    ).max(axis=1)
    preset = PRESETS[ACCURACY_MISLEADS]
    listed = preset.apply(known)
    assert set(listed.index) == set(off.index[off >= 0.5 - 1e-9]) != set()
    level = (whole_percent(listed["high_risk"]) >= 50) + (listed["high_risk"] >= PLAUSIBLE).astype(int)
    for _, of in listed.groupby(level):
        assert (100 * off[of.index]).round().is_monotonic_decreasing
    assert level.is_monotonic_decreasing
    assert level.max() == 2
    point = worklist_of(dermatology, task, Aggregation(model="prirn", reliability=np.inf))
    assert preset.apply(with_counted(point, counted_right(task), is_point=True)).empty
    assert preset.none_in_words(is_point=True) == NO_DOUBT
    assert preset.none_in_words(is_point=False) == preset.none
