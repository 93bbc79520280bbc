"""Certainty over readings and reliability: answers worked out otherwise, and the study's own place."""

from __future__ import annotations

import numpy as np
import pytest
from scipy.stats import beta
from small_study import small_study

from core.analysis.planning.certainty import plan_certainty_like
from core.analysis.planning.certainty_grid import certainty_grid
from core.cli import sample_folder
from core.plausibility.aggregate import aggregate
from core.plausibility.settings import Aggregation
from core.study.reading.folder import read_study


def test_one_reading_of_two_labels_is_a_beta_probability() -> None:
    """One reading, γ = 2: the leader's share is Beta(2.5, 0.5), whichever label it names."""
    study, task = small_study("choice", "ab", ["ab", "aab", "b"])
    grid = certainty_grid(study, task, sizes=(1, 3), reliabilities=(2.0, 4.0))
    rows = grid.table.set_index(["n_readings", "reliability"])["certainty"]
    for gamma in (2.0, 4.0):
        assert rows[1, gamma] == pytest.approx(beta.sf(0.5, 0.5 + gamma, 0.5), abs=1e-6)


def test_place_of_the_study_is_that_of_its_own_readings() -> None:
    """Mean readings of the cases that were read, and the certainty that the whole study has at that γ."""
    study, task = small_study("choice", "abc", ["ab", "aab", "b", ""])
    grid = certainty_grid(study, task, reliability=3.0, sizes=(1,), reliabilities=(1.0,))
    assert (grid.readings, grid.reliability) == (2.0, 3.0)
    certainty = aggregate(study, task, Aggregation("label-counts", 3.0)).certainty(1)
    assert grid.certainty == pytest.approx(np.nanmean(certainty[:3]))


def test_at_reliability_one_the_grid_is_the_plan() -> None:
    """The same simulation with the same readers gives the same numbers."""
    study = read_study(sample_folder("mixed_digits"))
    task = next(iter(study.tasks.values()))
    sizes = (1, 3, 5)
    grid = certainty_grid(study, task, sizes=sizes, reliabilities=(0.3, 1.0, 10.0))
    plan = plan_certainty_like(study, task, 0.9, sizes=sizes).table
    at_one = grid.table[grid.table["reliability"] == 1]
    np.testing.assert_allclose(at_one["certainty"], plan["certainty"])
    np.testing.assert_allclose(at_one["standard_error"], plan["standard_error"])
    by_gamma = grid.table.pivot_table(index="reliability", columns="n_readings", values="certainty")
    assert by_gamma.diff().iloc[1:].gt(0).all(axis=None)


def test_progress_is_told_and_scores_are_refused() -> None:
    """Each place says how far it is; a score has no leading label."""
    study, task = small_study("choice", "ab", ["ab"])
    told: list[tuple[float, str]] = []
    certainty_grid(
        study,
        task,
        sizes=(1, 3),
        reliabilities=(1.0,),
        progress=lambda share, doing: told.append((share, doing)),
    )
    assert told == [(0.0, "1 rater a case, γ = 1"), (0.5, "3 raters a case, γ = 1")]
    with pytest.raises(ValueError, match="choice or ranking"):
        certainty_grid(*small_study("score", "", [[3.0]]))
