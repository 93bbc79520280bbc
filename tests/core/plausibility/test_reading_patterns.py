"""Patterns of readings: by plain counting, in any order of the cases, and however these are divided."""

from __future__ import annotations

from collections import Counter
from dataclasses import replace

import numpy as np
import pytest
from rater_matrices import choices, random_matrix

from core.plausibility.dawid_skene import fit_dawid_skene, fit_patterns
from core.plausibility.reading_patterns import ReadingPatterns, joined, patterns_of


def listed(found: ReadingPatterns, n_labels: int) -> Counter[tuple[object, ...]]:
    """Number of cases by truth and readings, each a rater and a label."""
    assert (found.n_cases > 0).all()
    rows: Counter[tuple[object, ...]] = Counter()
    for i, n in enumerate(found.n_cases.tolist()):
        cells = found.cell[found.reading[found.start[i] : found.start[i + 1]]].tolist()
        row = (int(found.known[i]), *(divmod(cell, n_labels) for cell in cells))
        assert row not in rows
        rows[row] = n
    return rows


@pytest.mark.parametrize("seed", range(4))
@pytest.mark.parametrize("gold", [False, True])
def test_patterns_by_plain_counting(seed: int, gold: bool) -> None:
    """Cases of few and of many readings, some of known truth; cases without a reading are not counted."""
    labels = random_matrix(seed, n_cases=200, n_raters=5, n_labels=2, missing=0.5)
    known = np.random.default_rng(seed).integers(-1, 2, 200) if gold else np.full(200, -1)
    found = patterns_of(choices(labels), 2, known=known)
    wanted: Counter[tuple[object, ...]] = Counter(
        (int(truth), *((r, int(label)) for r, label in enumerate(row) if not np.isnan(label)))
        for row, truth in zip(labels, known, strict=True)
        if not np.isnan(row).all()
    )
    assert listed(found, 2) == wanted
    assert max(wanted.values()) > 2
    assert found.n_readings == int((~np.isnan(labels)).sum())


def test_neither_order_nor_division_matters() -> None:
    """The same arrays, bit by bit, of cases in another order, and of parts whose raters have other codes."""
    labels = random_matrix(7, n_cases=300, n_raters=6, n_labels=3, missing=0.4)
    whole = patterns_of(choices(labels), 3)
    shuffled = patterns_of(choices(np.random.default_rng(0).permutation(labels)), 3)
    labels[100:, 1] = np.nan
    labels[:100, 4] = np.nan
    whole_of_two = patterns_of(choices(labels), 3)
    raters = [np.array([0, 1, 2, 3, 5]), np.array([0, 2, 3, 4, 5])]
    parts = [patterns_of(choices(labels[of][:, code]), 3) for of, code in
             zip((slice(0, 100), slice(100, 300)), raters, strict=True)]  # fmt: skip
    for one, other in ((whole, shuffled), (whole_of_two, joined(parts, raters, 3))):
        for name in ReadingPatterns.__dataclass_fields__:
            np.testing.assert_array_equal(getattr(one, name), getattr(other, name))


def test_the_fit_counts_a_case_as_often_as_it_occurs() -> None:
    """Of every case three times, and of the patterns of one with three times the weight."""
    labels = random_matrix(3, n_cases=60, n_raters=5, n_labels=3)
    once = patterns_of(choices(labels), 3)
    weighed = fit_patterns(
        ReadingPatterns(once.cell, once.start, once.reading, once.known, 3 * once.n_cases), 3, 5
    )
    thrice = fit_dawid_skene(choices(np.concatenate([labels] * 3)), 3, 5)
    np.testing.assert_array_equal(weighed.log_confusion, thrice.log_confusion)
    assert not np.allclose(weighed.log_confusion, fit_dawid_skene(choices(labels), 3, 5).log_confusion)


def test_no_readings_are_no_patterns() -> None:
    """As the fit then takes them: prevalences are even."""
    none = patterns_of(choices(np.full((3, 2), np.nan)), 4)
    assert len(none.n_cases) == none.n_readings == 0
    np.testing.assert_allclose(fit_patterns(joined([none], [np.arange(0)], 4), 4, 2).prevalence, 0.25)


def test_a_rater_who_reads_again_may_say_either_first() -> None:
    """The order of readings in a case is no part of its pattern."""
    readings = choices(np.array([[0.0, 1.0, 1.0], [1.0, 0.0, 1.0]]))
    again = replace(readings, rater=np.array([0, 0, 1, 0, 0, 1], np.int32))
    found = patterns_of(again, 2)
    assert listed(found, 2) == {(-1, (0, 0), (0, 1), (1, 1)): 2}
