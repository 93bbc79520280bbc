"""Counts of values, against sorting all readings at once."""

from __future__ import annotations

import numpy as np
import pytest

from core.metrics.agreement.rating_counts import rating_counts
from core.study.simulation.simulate import simulate_choices


@pytest.mark.parametrize(("n_labels", "most"), [(3, 5), (200, 120)])
def test_counts_are_those_of_a_sort(n_labels: int, most: int) -> None:
    """Of few values and of many, where some cases have dozens and some have none."""
    study = simulate_choices(n_cases=60, raters_per_case=(2, most), n_raters=most, seed=2).study
    readings = next(iter(study.tasks.values())).readings
    readings = readings.keep(readings.case % 7 > 0)
    code = np.random.default_rng(n_labels).integers(0, n_labels, readings.n_readings)
    keys, number = np.unique(readings.case * n_labels + code, return_counts=True)
    found = rating_counts(readings, code, n_labels)
    per_case = np.bincount(keys // n_labels, minlength=60)
    assert (per_case.max() > 32) == (n_labels > 32)
    assert per_case.min() == 0
    np.testing.assert_array_equal(np.diff(found.start), per_case)
    np.testing.assert_array_equal(found.value, keys % n_labels)
    np.testing.assert_array_equal(found.count, number)
    assert (found.value.dtype, found.count.dtype) == (np.int64, np.float64)
