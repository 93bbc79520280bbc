"""Differences of agreement between two groups of raters: identities, jackknife, coverage, the command."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pandas as pd
import pytest
from small_study import small_study

from core.analysis.raters.coefficients import coefficient_table
from core.analysis.raters.difference import agreement_difference
from core.analysis.raters.panel import Panel, panel
from core.cli import main, sample_folder
from core.metrics.agreement.chance_names import AC1, ALPHA, FLEISS
from core.study.model import Study, Task

GOOD, POOR = ("A", "B", "C"), ("D", "E", "F")


def two_groups(n: int, seed: int, *, good: float = 0.85, poor: float = 0.6) -> tuple[Study, Task]:
    """Study of three labels, which three raters get right more often than three others."""
    rng = np.random.default_rng(seed)
    truth = rng.integers(3, size=(n, 1))
    right = rng.random((n, 6)) < np.repeat([good, poor], 3)
    said = np.where(right, truth, rng.integers(3, size=(n, 6)))
    return small_study("choice", "abc", [["abc"[k] for k in row] for row in said])


def difference(study: Study, task: Task, *, n_boot: int = 0, cases: list[int] | None = None) -> pd.DataFrame:
    """Table of the good and the poor, by coefficient."""
    groups: list[Panel] = [panel(study, task, raters=who, cases=cases) for who in (GOOD, POOR)]
    return agreement_difference(*groups, n_boot=n_boot).set_index("coefficient")


def test_values_are_those_of_each_group_alone() -> None:
    """And of a group with itself, nothing, for sure."""
    study, task = two_groups(80, 1)
    found = difference(study, task, n_boot=100)
    alone = [
        coefficient_table(panel(study, task, raters=who), n_boot=0).set_index("coefficient")
        for who in (GOOD, POOR)
    ]
    for name in (FLEISS, ALPHA, AC1):
        row = found.loc[name]
        assert row["first"] == pytest.approx(alone[0].loc[name, "value"])
        assert row["second"] == pytest.approx(alone[1].loc[name, "value"])
        assert row["difference"] == pytest.approx(row["first"] - row["second"])
        assert row["error_low"] < row["difference"] < row["error_high"]
        assert (row["high"] - row["low"]) == pytest.approx(row["error_high"] - row["error_low"], rel=0.3)
    same = panel(study, task, raters=GOOD)
    nothing = agreement_difference(same, same, n_boot=0)
    assert (nothing["difference"] == 0).all()
    np.testing.assert_allclose(nothing["standard_error"], 0, atol=1e-12)


def test_the_error_is_that_of_the_jackknife() -> None:
    """Cases left out one by one, for both groups together."""
    study, task = two_groups(90, 2)
    found = difference(study, task)
    every = list(range(90))
    without = [difference(study, task, cases=[i for i in every if i != out]) for out in every]
    for name in (FLEISS, ALPHA, AC1):
        expected = np.sqrt(89 * np.var([one.loc[name, "difference"] for one in without]))
        assert found.loc[name, "standard_error"] == pytest.approx(expected, rel=0.04)


def test_intervals_hold_a_difference_of_none() -> None:
    """Six raters alike: in 95 of 100 studies, 0 lies within."""
    held = []
    for seed in range(200):
        row = difference(*two_groups(50, 1000 + seed, poor=0.85)).loc[FLEISS]
        held.append(row["error_low"] <= 0 <= row["error_high"])
    assert 0.91 <= np.mean(held) <= 0.99


def test_what_cannot_be_compared_says_why() -> None:
    """A group of one, other cases."""
    study, task = two_groups(20, 3)
    one = panel(study, task, raters=["A"])
    found = agreement_difference(one, panel(study, task, raters=POOR), n_boot=0)
    assert found["difference"].isna().all()
    assert found["why_no_interval"].str.startswith("one of the groups has no coefficient").all()
    with pytest.raises(ValueError, match="on one task and the same cases"):
        agreement_difference(one, panel(study, task, raters=POOR, cases=[0, 1]))


def test_the_command_writes_it(tmp_path: Path) -> None:
    """With the raters in its provenance; without a second group there is no such table."""
    folder = str(sample_folder("knee_mri"))
    arguments = ["raters", folder, "--raters", "reader-01,reader-02,reader-03", "--resamples", "20"]
    assert main([*arguments, "--other-raters", "reader-04,reader-05", "--out", str(tmp_path)]) == 0
    table = pd.read_csv(tmp_path / "raters" / "difference.csv")
    assert table["coefficient"].tolist() == ["observed agreement", FLEISS, ALPHA, AC1]
    assert table[["standard_error", "low_over_cases", "high_over_cases"]].notna().all(axis=None)
    made = (tmp_path / "raters" / "difference.provenance.json").read_text(encoding="utf-8")
    assert '"compared with raters": "reader-04, reader-05"' in made
    assert main([*arguments, "--out", str(tmp_path / "b")]) == 0
    assert not (tmp_path / "b" / "raters" / "difference.csv").exists()
