"""Bins of predictions."""

from __future__ import annotations

import numpy as np
import pytest

from core.metrics.calibration.bins import Binning


@pytest.mark.parametrize("number", [0, -1, 1001, 2.5, "15", None])
def test_number_of_bins_is_checked(number: object) -> None:
    """The error says what was allowed and what was given."""
    with pytest.raises(ValueError, match="whole number from 1 to 1000"):
        Binning(number=number)  # type: ignore[arg-type]


def test_kind_of_bins_is_checked() -> None:
    """The error lists the kinds."""
    with pytest.raises(ValueError, match="one of equal width, equal mass, got 'quantile'"):
        Binning("quantile")  # type: ignore[arg-type]


@pytest.mark.parametrize("number", [1, 3, 7, 15])
def test_equal_mass_bins_hold_equally_many(number: int) -> None:
    """Of distinct predictions, no bin has two more than another, NaN left aside."""
    rng = np.random.default_rng(number)
    predicted = np.stack([rng.permutation(np.linspace(0, 1, 101)), rng.random(101)], axis=1)
    predicted[::10] = np.nan
    edges = Binning("equal mass", number).edges(predicted)
    assert edges.shape == (2, number + 1)
    for k in range(2):
        place = np.searchsorted(edges[k, 1:-1], predicted[~np.isnan(predicted[:, k]), k], side="right")
        assert np.ptp(np.bincount(place, minlength=number)) <= 1


def test_edges_begin_at_0_and_end_at_1() -> None:
    """Whatever is predicted, even nothing and less than there are bins."""
    for predicted in (np.full((4, 1), np.nan), np.full((9, 1), 0.3), np.array([[0.2], [0.9]])):
        for kind in ("equal width", "equal mass"):
            edges = Binning(kind, 5).edges(predicted)[0]
            assert (edges[0], edges[-1]) == (0, 1)
            assert (np.diff(edges) >= 0).all()


def test_equal_predictions_share_a_bin() -> None:
    """Half of the predictions are equal: equal mass must not tear them apart."""
    predicted = np.r_[np.full(50, 0.5), np.linspace(0, 1, 50)][:, None]
    edges = Binning("equal mass", 10).edges(predicted)[0]
    place = np.searchsorted(edges[1:-1], predicted[:, 0], side="right")
    assert np.bincount(place, minlength=10)[place[0]] >= 50
