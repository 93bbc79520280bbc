"""How long a reader study under plausible truths takes."""

from __future__ import annotations

import time

import numpy as np

from core.metrics.mrmc.pair_sums import pair_sums
from core.metrics.mrmc.plausible_truths import over_truths
from core.metrics.mrmc.variance import variance
from tests.helpers.reader_studies import roe_metz


def test_a_thousand_truths_of_five_readers_two_modalities_and_500_cases_take_five_seconds() -> None:
    """Two hundredths of the cases uncertain or all of them: the time is the same."""
    rng = np.random.default_rng(0)
    curves, truth = roe_metz(rng, n_readers=5, n_cases=(250, 250))
    truths = (rng.uniform(size=(1000, 500)) < 0.2) ^ truth
    before = time.process_time()
    found = variance(curves, pair_sums(curves, truths), 0, 1)
    combined = over_truths(found.estimate, found.variance, found.df)
    assert time.process_time() - before < 5
    assert combined.n_truths == 1000
