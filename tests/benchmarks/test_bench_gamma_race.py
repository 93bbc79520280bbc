"""Time and memory of exact order statistics on the dermatology release and on a million cases."""

from __future__ import annotations

import json
import time

import numpy as np
import peak_memory
import pytest
from shared_data import shared_data

from core.plausibility.candidates import Candidates
from core.plausibility.dirichlet import label_counts, prirn
from core.plausibility.gamma_race.order_statistics import GammaRace
from core.study.model import Readings

MOST_SECONDS_RELEASE = 0.05
"""PrIRN top-1 certainty of the release, from readings."""

MOST_SECONDS_MILLION = 10.0
MOST_GIGABYTES_MILLION = 2.0
"""Label counts, a million cases of ten labels: certainty and adjusted accuracy."""


def choices(label: np.ndarray, per_case: int) -> Readings:
    """Readings of one label each, equally many a case."""
    n = len(label)
    return Readings(
        case_start=np.arange(0, n + 1, per_case),
        rater=np.zeros(n, np.int32),
        repeat=np.ones(n, np.int32),
        confidence=np.full(n, np.nan),
        score=np.full(n, np.nan),
        entry_start=np.arange(n + 1),
        label=label,
        block=np.zeros(n, np.int32),
    )


def release() -> Readings:
    """Readings of the dermatology release."""
    path = shared_data("data", "dermatology_ddx", "dermatology_selectors.json")
    cases = json.loads(path.read_text())
    readings = [blocks for case in cases for blocks in case]
    entries = [(y, b) for blocks in readings for b, block in enumerate(blocks) for y in block]
    n = len(readings)
    return Readings(
        case_start=np.cumsum([0, *map(len, cases)]),
        rater=np.zeros(n, np.int32),
        repeat=np.ones(n, np.int32),
        confidence=np.full(n, np.nan),
        score=np.full(n, np.nan),
        entry_start=np.cumsum([0, *(sum(map(len, blocks)) for blocks in readings)]),
        label=np.array([y for y, _ in entries], np.int32),
        block=np.array([b for _, b in entries], np.int32),
    )


def test_top_1_certainty_of_the_release(benchmark):
    """Nothing kept from an earlier round."""
    readings = release()
    benchmark.pedantic(
        lambda: prirn(readings, 419, gamma=30, ties="full").certainty(1), rounds=15, warmup_rounds=1
    )
    assert benchmark.stats.stats.median < MOST_SECONDS_RELEASE


@pytest.mark.parametrize("readers", [5, 50])
def test_label_counts_of_a_million_cases(readers, capsys):
    """Certainty and adjusted top-1 accuracy; few and many distinct histograms."""
    peak_memory.begin()
    rng = np.random.default_rng(1)
    n, n_labels = 1_000_000, 10
    part = [rng.dirichlet(np.full(n_labels, 0.3), n // 50).cumsum(axis=1) for _ in range(50)]
    label = np.concatenate(
        [
            (p[:, None, :-1] < rng.random((len(p), readers, 1))).sum(axis=2, dtype=np.int32).ravel()
            for p in part
        ]
    )
    readings = choices(label, readers)
    predicted = rng.integers(0, n_labels, (n, 1))
    label_counts(readings.take_cases(range(100)), n_labels, gamma=1.0).certainty(1)
    label_counts(readings.take_cases(range(100)), n_labels, gamma=1.0).in_top(1)
    begin = time.process_time()
    posterior = label_counts(readings, n_labels, gamma=1.0)
    certainty = posterior.certainty(1)
    accuracy = posterior.top1.at(posterior.candidates.locate(predicted))[:, 0]
    seconds = time.process_time() - begin
    peak = peak_memory.peak() / 2**30
    with capsys.disabled():
        print(f"\n{readers} readers: {seconds:.1f} s, peak {peak:.2f} GB with the readings and their making")  # noqa: T201
    assert np.isfinite(certainty).all()
    assert np.isfinite(accuracy).all()
    assert seconds < MOST_SECONDS_MILLION
    if readers == 5:
        assert peak < MOST_GIGABYTES_MILLION


@pytest.mark.parametrize("n_labels", [419, 100_000])
def test_cost_of_unmentioned_labels(benchmark, n_labels):
    """The number of labels nobody mentioned enters through the number of nodes alone."""
    rng = np.random.default_rng(2)
    start = np.arange(0, 10_001, 5)
    label = np.tile(np.arange(5, dtype=np.int32), 2000)
    shape = rng.gamma(1.0, 5.0, 10_000)
    benchmark.pedantic(
        lambda: GammaRace(Candidates(start, label, n_labels), shape, np.full(2000, 0.01)).in_top(1),
        rounds=5,
        warmup_rounds=1,
    )
