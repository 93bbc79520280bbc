"""Cases that are alike, against plain sorting and dictionaries."""

from __future__ import annotations

import numpy as np
import pytest

from core.plausibility.alike import first_alike, order_within
from core.study.model import IntArray


def _rows(longest: int, n_values: int) -> tuple[IntArray, IntArray]:
    """Row starts and items of some cases, some of them without any."""
    rng = np.random.default_rng([longest, n_values])
    start = np.concatenate([[0], np.cumsum(rng.integers(0, longest + 1, 200))]).astype(np.int64)
    return start, rng.integers(0, n_values, start[-1])


@pytest.mark.parametrize(("longest", "n_values"), [(3, 2), (6, 100), (90, 7)])
def test_order_within_is_a_stable_sort_of_each_case(longest: int, n_values: int) -> None:
    """As sorting by case and item at once has it, for short cases and long ones."""
    start, items = _rows(longest, n_values)
    case = np.repeat(np.arange(200), np.diff(start))
    np.testing.assert_array_equal(order_within(start, items), np.lexsort((items, case)))


@pytest.mark.parametrize("n_traits", [0, 2])
def test_first_alike_is_the_first_of_equals(n_traits: int) -> None:
    """A dictionary of whole cases finds the same."""
    start, items = _rows(3, 2)
    trait = np.random.default_rng(1).integers(0, 2, (200, n_traits))
    seen: dict[tuple[tuple[int, ...], tuple[int, ...]], int] = {}
    wanted = []
    for case in range(200):
        key = tuple(items[start[case] : start[case + 1]].tolist()), tuple(trait[case].tolist())
        wanted.append(seen.setdefault(key, case))
    assert len(seen) < 150
    np.testing.assert_array_equal(first_alike(start, items, trait), wanted)
