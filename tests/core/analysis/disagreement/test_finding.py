"""Findings: what is said of some cases beside what is seen in them."""

from __future__ import annotations

import numpy as np
import pytest
from small_study import small_study

from core.analysis.disagreement.finding import (
    Finding,
    all_disagreement,
    least_disagreement,
    probable_labels,
)
from core.analysis.disagreement.forecasts import Forecast, given_forecasts
from core.metrics.calibration.label_histogram import task_histograms
from core.metrics.calibration.u_statistics import pair_disagreement
from core.study.model import Study


def test_the_lowest_third_by_sorting(digits: Study) -> None:
    """The same cases by hand: those with the smallest expectations."""
    task = digits.tasks["digit"]
    observed = pair_disagreement(task_histograms(task))
    for forecast in given_forecasts(task):
        found = least_disagreement(digits, task, forecast, resamples=50)
        assert found is not None
        # Of which a model says the same as of the first case beyond the third stay with that one.
        says = np.sort(forecast.disagreement)
        ends = says[digits.n_cases // 3], says[2 * digits.n_cases // 3]
        # Nearest neighbours says its least of nearly half of the cases: these are not divided.
        lowest = forecast.disagreement < (ends[0] if ends[0] > says[0] else ends[1])
        assert 0 < found.n == lowest.sum()
        assert found.said == pytest.approx(forecast.disagreement[lowest].mean())
        assert found.seen == pytest.approx(observed[lowest].mean())
        assert found.low <= found.seen <= found.high
        whole = all_disagreement(digits, task, forecast, resamples=50)
        assert whole is not None
        assert (whole.n, whole.n_all) == (digits.n_cases, digits.n_cases)
        assert whole.seen == pytest.approx(observed.mean())


def test_equal_expectations_stay_together() -> None:
    """A model that says the same of all cases has one part, the whole."""
    study, task = small_study("choice", "ab", [["a", "b"], ["a", "a"], ["b", "b"], ["a", "b"]])
    says = Forecast("M", "as given", np.full((4, 2), 0.5), np.full(4, 0.5))
    found = least_disagreement(study, task, says, resamples=20)
    assert found is not None
    assert (found.n, found.n_all, found.said, found.seen) == (4, 4, 0.5, 0.5)


def test_single_labels_show_no_disagreement() -> None:
    """None for pairs; what is said of probable labels can still be judged."""
    study, task = small_study(
        "choice", "abc", [["a"], ["b"], ["b"]], predictions={"M": [[0.7, 0.2, 0.1]] * 2 + [[0.1, 0.5, 0.4]]}
    )
    (says,) = given_forecasts(task)
    assert least_disagreement(study, task, says) is None
    assert all_disagreement(study, task, says) is None
    found = probable_labels(study, task, says, resamples=20)
    assert found is not None
    assert (found.n, found.n_all) == (3, 9)
    assert found.said == pytest.approx((0.7 + 0.7 + 0.5) / 3)
    assert found.seen == pytest.approx(2 / 3)
    hesitant = Forecast("M", "as given", np.full((3, 3), 1 / 3), np.full(3, 2 / 3))
    assert probable_labels(study, task, hesitant) is None


@pytest.mark.parametrize(
    ("said", "low", "high", "verdict"),
    [(0.1, 0.2, 0.4, 1), (0.5, 0.2, 0.4, -1), (0.3, 0.2, 0.4, 0), (0.3, np.nan, np.nan, 0)],
)
def test_verdict(said: float, low: float, high: float, verdict: int) -> None:
    """Only an interval that does not hold what is said speaks against it."""
    assert Finding(said, 0.3, low, high, 3, 9).verdict == verdict
