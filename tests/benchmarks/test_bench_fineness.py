"""CPU time of fineness over all groups of raters, of correspondence, and of planning.

Run with ``python -m pytest -s tests/benchmarks/test_bench_fineness.py``.
"""

from __future__ import annotations

import time

import numpy as np
import pytest

from core.analysis.planning.raters_and_cases import Assumptions, plan_ranking
from core.analysis.raters.fineness import fineness_by_size, judge
from core.analysis.raters.panel import panel
from core.cli import sample_folder
from core.metrics.agreement.rater_groups import group_fineness, rater_groups, weighted_group_fineness
from core.metrics.correspondence.correspondence import correspondence
from core.metrics.fineness.majority import majority_fineness
from core.study.reading.folder import read_study

pytestmark = pytest.mark.benchmark(timer=time.process_time)

MOST_SECONDS = 1.0
"""Fineness over all 8,191 groups of 13 raters, of each reduction."""
ACCURACY = np.linspace(0.70, 0.92, 13)
CONFIDENCE = np.random.default_rng(0).uniform(0.5, 1, 13)


def test_majority_over_all_groups(benchmark):
    """Exact, groups listed anew."""

    def everything():
        return [group_fineness(ACCURACY, rater_groups(13, size)) for size in range(1, 14)]

    found = benchmark.pedantic(everything, rounds=7, warmup_rounds=1)
    assert sum(map(len, found)) == 8191
    assert benchmark.stats.stats.median < MOST_SECONDS


def test_weighted_majority_over_all_groups(benchmark):
    """Exact, every outcome of every group: 1.6 million."""

    def everything():
        return [
            weighted_group_fineness(ACCURACY, CONFIDENCE, rater_groups(13, size)) for size in range(1, 14)
        ]

    found = benchmark.pedantic(everything, rounds=7, warmup_rounds=1)
    assert all((error == 0).all() for _, error in found)
    assert benchmark.stats.stats.median < MOST_SECONDS


def test_table_of_all_groups(benchmark):
    """Four reductions, independent and dependent, with the observed accuracy on 300 cases."""
    study = read_study(sample_folder("knee_mri"))
    raters = judge(panel(study, study.tasks["tear"]))
    benchmark.pedantic(fineness_by_size, (raters,), rounds=5, warmup_rounds=1)


@pytest.mark.parametrize("n_raters", [1_000, 10_000])
def test_majority_of_many_raters(benchmark, n_raters):
    """One large group."""
    benchmark.pedantic(majority_fineness, (np.full(n_raters, 0.6),), rounds=3)


@pytest.mark.parametrize("n_cases", [300, 1_000, 5_000])
def test_correspondence(benchmark, n_cases):
    """A quarter of the cases against the rest, 19 splits (5,000 cases: 3)."""
    rows = np.random.default_rng(1).normal(size=(n_cases, 5))
    splits = 3 if n_cases == 5_000 else 19
    second = n_cases // 4
    benchmark.pedantic(
        correspondence,
        (rows[second:], rows[:second]),
        {"splits": splits},
        rounds=1 if n_cases == 5_000 else 3,
    )


def test_ranking_plan(benchmark):
    """Fourteen sizes and truths, with difficulty."""
    benchmark.pedantic(plan_ranking, (Assumptions(0.81, 2.0), 0.9, 0.85, 0.95), rounds=3)
