"""CPU time of certainty, adjusted metrics and their spread on the public dermatology release.

Everything here runs on one core, so that CPU time is what a clock shows on an idle machine, and other work
on the machine does not enter.
"""

from __future__ import annotations

import json
import time
from pathlib import Path

import numpy as np
import pytest
from all_at_once import spread_over_draws
from shared_data import shared_data

from core.metrics.adjusted.metrics import adjusted_metrics
from core.metrics.certainty import certainties
from core.metrics.ranking import top_labels
from core.plausibility.dirichlet import prirn
from core.study.model import Predictions, Readings

pytestmark = pytest.mark.benchmark(timer=time.process_time)

MOST_SECONDS = 0.3
"""Exact PrIRN posterior, top-1 to top-3 certainty and all adjusted metrics of four models."""


@pytest.fixture(scope="module")
def readings() -> Readings:
    """Readings of the release."""
    path: Path = shared_data("data", "dermatology_ddx", "dermatology_selectors.json")
    cases = json.loads(path.read_text())
    differentials = [blocks for case in cases for blocks in case]
    entries = [(y, b) for blocks in differentials for b, block in enumerate(blocks) for y in block]
    n = len(differentials)
    return Readings(
        case_start=np.cumsum([0, *map(len, cases)]),
        rater=np.arange(n, dtype=np.int32),
        repeat=np.ones(n, np.int32),
        confidence=np.full(n, np.nan),
        score=np.full(n, np.nan),
        entry_start=np.cumsum([0, *(sum(map(len, blocks)) for blocks in differentials)]),
        label=np.array([y for y, _ in entries], np.int32),
        block=np.array([b for _, b in entries], np.int32),
    )


@pytest.fixture(scope="module")
def models() -> list[Predictions]:
    """Four models' probabilities of 419 labels, most of them tiny."""
    generator = np.random.default_rng(0)
    return [Predictions(f"model {i}", generator.dirichlet(np.full(419, 0.1), 1947)) for i in range(4)]


def test_certainty_and_adjusted_metrics_of_four_models(benchmark, readings, models):
    """Quadrature included, nothing kept from an earlier round."""

    def everything():
        posterior = prirn(readings, 419, gamma=30, ties="full")
        certainties(posterior)
        return [adjusted_metrics(posterior, model) for model in models]

    benchmark.pedantic(everything, rounds=7, warmup_rounds=1)
    benchmark.extra_info["at most, seconds"] = MOST_SECONDS
    assert benchmark.stats.stats.median < MOST_SECONDS


def test_spread_over_a_thousand_draws(benchmark, readings, models):
    """One model, draws and leaders made before."""
    sampled = prirn(readings, 419, gamma=30, ties="full").sample(1000, np.arange(1947, dtype=np.uint64))
    sampled.leaders(3)
    benchmark.pedantic(spread_over_draws, (sampled, models[0]), rounds=7, warmup_rounds=1)


@pytest.mark.parametrize("shape", [(1947, 419), (1000, 10_000)])
def test_top_labels(benchmark, shape):
    """Five of many labels, in one pass."""
    probability = np.random.default_rng(1).random(shape)
    benchmark.pedantic(top_labels, (probability, 5), rounds=7, warmup_rounds=1)
