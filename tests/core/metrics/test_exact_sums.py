"""Sums without rounding: the nearest mean and error, the same bits however the cases are divided."""

from __future__ import annotations

import math
from fractions import Fraction

import numpy as np
import pytest

from core.metrics.estimate import mean_over_cases
from core.metrics.exact_sums import Moments, moments


@pytest.mark.parametrize("scale", [1e-12, 1.0, 40.0, 2.0**25])
def test_sums_are_exact(scale: float) -> None:
    """Of values of any sign, and of their squares, against fractions."""
    values = np.random.default_rng(3).normal(size=500) * scale
    values = np.clip(values, -(2.0**26), 2.0**26)
    found = moments(values)
    assert Fraction(found.total, 2**150) == sum(Fraction(float(value)) for value in values)
    squares = sum(Fraction(float(value)) ** 2 for value in values)
    assert abs(Fraction(found.squares, 2**150) - squares) <= Fraction(2000, 2**150)


@pytest.mark.parametrize("scale", [1e-300, 1e-46, 1e-30, 1.0, 2.0**20])
def test_what_lies_below_a_step_is_cut_off(scale: float) -> None:
    """Of each value towards 0, and of its square and what rounding that leaves, however small."""
    values = np.random.default_rng(8).normal(size=300) * scale
    values[:3] = 0.0, -0.0, 5e-324
    found, total, squares = moments(values), 0, 0
    for value in values.tolist():
        total += int(Fraction(value) * 2**150)
        square = value * value
        squares += int(Fraction(square) * 2**150)
        squares += int(Fraction(float(Fraction(value) ** 2 - Fraction(square))) * 2**150)
    assert (found.n, found.total, found.squares) == (300, total, squares)


def test_the_mean_and_its_error_are_those_of_numpy() -> None:
    """To the last digits; values that are alike have no error at all."""
    values = np.random.default_rng(4).random(1000)
    values[::7] = np.nan
    found, wanted = moments(values).estimate(), mean_over_cases(values)
    assert found.n_cases == wanted.n_cases
    assert found.value == pytest.approx(wanted.value, rel=1e-14)
    assert found.standard_error == pytest.approx(wanted.standard_error, rel=1e-13)
    assert moments(np.full(1000, 0.3)).estimate().standard_error == 0
    assert moments(np.full(10, 0.3)).estimate().value == 0.3


def test_parts_add_up_to_the_same_bits() -> None:
    """In any order and of any size."""
    values = np.random.default_rng(5).normal(size=1000)
    whole = moments(values)
    for cuts in ([1], [500], [10, 20, 990]):
        parts = [moments(part) for part in np.split(values, cuts)]
        assert sum(parts, Moments()) == sum(parts[::-1], Moments()) == whole


def test_what_has_no_mean_says_so() -> None:
    """No case, one case, an infinite loss, and a value that would not fit."""
    none = moments(np.array([np.nan])).estimate()
    assert none.n_cases == 0
    assert math.isnan(none.value)
    one = moments(np.array([0.25])).estimate()
    assert (one.value, one.n_cases) == (0.25, 1)
    assert math.isnan(one.standard_error)
    assert moments(np.array([1.0, np.inf])).estimate().value == math.inf
    with pytest.raises(ValueError, match="values must be at most 6"):
        moments(np.array([1e9]))
