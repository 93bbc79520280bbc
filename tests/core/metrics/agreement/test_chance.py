"""Coefficients of agreement against published numbers, other programs and plain loops."""

from __future__ import annotations

from dataclasses import replace
from itertools import combinations

import krippendorff
import numpy as np
import pytest
from rater_matrices import choices, knee_matrices, random_matrix
from statsmodels.stats.inter_rater import fleiss_kappa

from core.metrics.agreement.chance import (
    agreement_per_case,
    chance_agreement,
    coefficients_of,
    percentile_interval,
    resampled_means,
)
from core.metrics.agreement.chance_names import (
    AC1,
    AC2,
    ALPHA,
    ALPHA_INTERVAL,
    ALPHA_ORDINAL,
    FLEISS,
    OBSERVED,
)
from core.metrics.agreement.labels import agreement_by_label
from core.metrics.agreement.rating_counts import first_labels, first_readings, rating_counts

FOUR_OBSERVERS = [
    "1 2 3 3 2 1 4 1 2 . . .",
    "1 2 3 3 2 2 4 1 2 5 . 3",
    ". 3 3 3 2 3 4 2 2 5 1 .",
    "1 2 3 3 2 4 4 1 2 5 1 .",
]
"""Krippendorff's example: 12 units, 4 observers, 5 values, missing data."""


def counts_of(labels, n_labels, *, number=None):
    """Counts of a matrix of labels."""
    readings = choices(labels)
    return rating_counts(readings, first_labels(readings), n_labels, number=number)


def values(labels, n_labels, *, number=None):
    """Coefficients without intervals."""
    return {k: c.value for k, c in chance_agreement(counts_of(labels, n_labels, number=number)).items()}


@pytest.fixture(scope="module")
def observers():
    """Krippendorff's example as label codes from 0."""
    rows = [[np.nan if x == "." else float(x) - 1 for x in row.split()] for row in FOUR_OBSERVERS]
    return np.array(rows).T


def test_published_example(observers):
    """α .743, .815 and .849 (Krippendorff 2011); agreement .818, κ .761 and AC1 .775 (Gwet 2014)."""
    found = values(observers, 5, number=np.arange(1.0, 6))
    expected = {
        OBSERVED: 0.81818,
        FLEISS: 0.76117,
        ALPHA: 0.74342,
        AC1: 0.77544,
        ALPHA_ORDINAL: 0.8154,
        ALPHA_INTERVAL: 0.8491,
    }
    for name, value in expected.items():
        assert found[name] == pytest.approx(value, abs=5e-5), name


def test_knee_radiologists():
    """The 13 radiologists of Cabitza 2020."""
    found = values(knee_matrices()[0], 2)
    assert found[OBSERVED] == pytest.approx(0.81841, abs=5e-6)
    assert found[FLEISS] == pytest.approx(0.63163, abs=5e-6)
    assert found[ALPHA] == pytest.approx(0.63170, abs=5e-6)


@pytest.mark.parametrize(
    ("columns", "observed", "kappa", "alpha"),
    [
        ([0, 1], 0.8337236533957846, 0.6553496012595991, 0.6557531731550796),
        ([0, 1, 2], 0.8251366120218581, 0.6407092056496047, 0.6409896824601823),
    ],
)
def test_groups_of_knee_radiologists(columns, observed, kappa, alpha):
    """Two and three of them, by the paper's public code."""
    found = values(knee_matrices()[0][:, columns], 2)
    assert found[OBSERVED] == pytest.approx(observed, abs=1e-12)
    assert found[FLEISS] == pytest.approx(kappa, abs=1e-12)
    assert found[ALPHA] == pytest.approx(alpha, abs=1e-12)


@pytest.mark.parametrize("seed", range(5))
def test_alpha_equals_krippendorff(seed):
    """All three levels of measurement, a third of the readings missing, unequal steps between values."""
    number = np.array([0.0, 1.0, 2.5, 7.0])
    labels = random_matrix(seed)
    found = values(labels, 4, number=number)
    data = np.where(np.isnan(labels), np.nan, number[np.nan_to_num(labels).astype(int)]).T
    levels = (("nominal", ALPHA), ("ordinal", ALPHA_ORDINAL), ("interval", ALPHA_INTERVAL))
    for level, name in levels:
        oracle = krippendorff.alpha(data, value_domain=number, level_of_measurement=level)
        assert found[name] == pytest.approx(oracle, abs=1e-12), level


@pytest.mark.parametrize("seed", range(5))
def test_kappa_equals_statsmodels(seed):
    """Fleiss' κ where nothing is missing, which is all that the other program allows."""
    labels = np.nan_to_num(random_matrix(seed, missing=0))
    table = np.stack([(labels == k).sum(axis=1) for k in range(4)], axis=1)
    assert values(labels, 4)[FLEISS] == pytest.approx(fleiss_kappa(table), abs=1e-12)


def test_ac2_by_pairs():
    """AC2 by going through pairs of readings, and of values for chance."""
    number = np.array([0.0, 1.0, 2.5, 7.0])
    labels = random_matrix(3)
    weight = 1 - (number[:, None] - number) ** 2 / 49
    agreement, share = [], []
    for row in labels:
        given = row[~np.isnan(row)].astype(int)
        if len(given):
            share.append(np.bincount(given, minlength=4) / len(given))
        if len(given) > 1:
            agreement.append(np.mean([weight[a, b] for a, b in combinations(given, 2)]))
    pi = np.mean(share, axis=0)
    chance = weight.sum() * (pi * (1 - pi)).sum() / (4 * 3)
    expected = (np.mean(agreement) - chance) / (1 - chance)
    assert values(labels, 4, number=number)[AC2] == pytest.approx(expected, abs=1e-12)


def test_two_numbers_are_two_labels():
    """With two values an order adds nothing: AC2 is AC1, and all three α are equal."""
    found = values(random_matrix(1, n_labels=2), 2, number=np.array([3.0, 8.0]))
    assert found[AC2] == pytest.approx(found[AC1], abs=1e-12)
    assert found[ALPHA_ORDINAL] == pytest.approx(found[ALPHA], abs=1e-12)
    assert found[ALPHA_INTERVAL] == pytest.approx(found[ALPHA], abs=1e-12)


def test_order_of_raters_and_cases_does_not_matter():
    """Rows and columns shuffled."""
    labels = random_matrix(2)
    rng = np.random.default_rng(0)
    shuffled = labels[rng.permutation(len(labels))][:, rng.permutation(labels.shape[1])]
    assert values(labels, 4) == pytest.approx(values(shuffled, 4), abs=1e-12)


def test_interval_of_far_away_scores_keeps_its_digits():
    """α does not change when a million is added to every score."""
    number = np.array([0.0, 1.0, 2.5, 7.0])
    near, far = (values(random_matrix(4), 4, number=number + shift) for shift in (0, 1e6))
    assert far[ALPHA_INTERVAL] == pytest.approx(near[ALPHA_INTERVAL], abs=1e-9)


def test_skewed_prevalence_spares_ac1():
    """96 % agreement on a rare label: κ near 0, AC1 near the agreement (Gwet 2008)."""
    labels = np.zeros((100, 2))
    labels[:2, 0] = labels[2:4, 1] = 1
    found = values(labels, 2)
    assert found[OBSERVED] == pytest.approx(0.96)
    assert found[FLEISS] < 0
    assert found[AC1] > 0.95


def test_bootstrap_weighs_cases_as_if_they_were_repeated():
    """A resample's coefficients are those of the study in which its cases stand as often as drawn."""
    labels = random_matrix(6)
    number = np.arange(4.0)
    counts = counts_of(labels, 4, number=number)
    rng = np.random.default_rng(5)
    drawn = [rng.integers(0, len(labels), len(labels)) for _ in range(4)]
    expected = [values(labels[rows], 4, number=number) for rows in drawn]
    found = chance_agreement(counts, n_boot=4, rng=np.random.default_rng(5))
    for name, coefficient in found.items():
        resampled = np.array([e[name] for e in expected])
        low, high = np.percentile(resampled, [2.5, 97.5])
        assert (coefficient.low, coefficient.high) == pytest.approx((low, high), abs=1e-9), name


def test_interval_covers_the_truth():
    """Two independent halves of a large study: about 95 in 100 intervals of small parts hold its value."""
    labels = random_matrix(7, n_cases=20_000, missing=0.2)
    truth = values(labels, 4)[FLEISS]
    rng = np.random.default_rng(1)
    hits = 0
    for part in np.split(labels, 200):
        found = chance_agreement(counts_of(part, 4), n_boot=200, rng=rng)[FLEISS]
        hits += found.low <= truth <= found.high
    assert 175 <= hits <= 200


def test_how_many_resamples_come_at_once_does_not_matter():
    """65 resamples come in two goes; the first 64 are those of a run of 64."""
    per_case = np.random.default_rng(0).random(30)
    long = resampled_means(per_case, n_boot=65, rng=np.random.default_rng(9))
    short = resampled_means(per_case, n_boot=64, rng=np.random.default_rng(9))
    np.testing.assert_array_equal(long[:64], short)
    assert per_case.min() < long.min() < per_case.mean() < long.max()


def test_percentiles_need_half_of_the_resamples():
    """Undefined resamples are left out, and make the interval undefined where they prevail."""
    low, high = percentile_interval(np.array([[np.nan, 1.0], [2.0, np.nan], [4.0, np.nan]]))
    assert low[0] == pytest.approx(2.05)
    assert high[0] == pytest.approx(3.95)
    assert np.isnan([low[1], high[1]]).all()
    assert np.isnan(percentile_interval(np.empty(0))).all()


def test_each_label_is_agreement_of_two_values():
    """A label against all others equals the coefficients of readings recoded to 0 and 1."""
    labels = random_matrix(8)
    found = agreement_by_label(counts_of(labels, 4), n_boot=5, rng=np.random.default_rng(2))
    for k in range(4):
        recoded = np.where(np.isnan(labels), np.nan, (labels == k).astype(float))
        expected = chance_agreement(counts_of(recoded, 2), n_boot=5, rng=np.random.default_rng(2))
        for name, by_label in found.items():
            assert by_label[k].value == pytest.approx(expected[name].value, abs=1e-12)
            assert by_label[k].low == pytest.approx(expected[name].low, abs=1e-12)


def test_agreement_of_each_case():
    """Two of three pairs differ; one reading alone is undefined."""
    labels = np.array([[0, 0, 1], [2, np.nan, np.nan], [1, 1, 1]])
    found = agreement_per_case(counts_of(labels, 3))
    np.testing.assert_allclose(found, [1 / 3, np.nan, 1])


@pytest.mark.parametrize(
    ("labels", "reason"),
    [
        (np.full((3, 2), np.nan), "no readings"),
        (np.array([[0.0], [1.0]]), "no case has readings by two raters"),
        (np.array([[0, np.nan], [np.nan, 1]]), "no case has readings by two raters"),
        (np.zeros((5, 3)), "every reading is the same"),
    ],
)
def test_undefined_coefficients_say_why(labels, reason):
    """One rater, no common case, and readings that are all the same."""
    found = chance_agreement(counts_of(labels, 2), n_boot=20, rng=np.random.default_rng(0))
    assert np.isnan(found[ALPHA].value)
    assert np.isnan(found[ALPHA].low)
    assert reason in found[ALPHA].undefined
    by_label = agreement_by_label(counts_of(labels, 2))
    assert all(reason in c.undefined for c in by_label[ALPHA].values())


def test_equal_readings_are_agreement_for_ac1():
    """Where every reading is the same, AC1 says 1 though κ cannot."""
    found = chance_agreement(counts_of(np.zeros((5, 3)), 2))
    assert found[AC1].value == found[OBSERVED].value == 1
    assert found[AC1].undefined == ""


def test_first_readings_are_those_with_the_smallest_repeat():
    """Each rater's reading of a case counts once."""
    readings = choices(np.array([[0, 1, 2], [3, 4, np.nan]]))
    readings = replace(
        readings, rater=np.array([0, 0, 1, 1, 1], np.int32), repeat=np.array([2, 1, 1, 5, 7], np.int32)
    )
    assert first_readings(readings).label.tolist() == [1, 2, 3]


def test_bad_input_is_refused():
    """Codes and numbers out of place, resamples without a generator."""
    readings = choices(np.array([[0, 1]]))
    with pytest.raises(ValueError, match="codes must be 0 to 0, got 0 to 1"):
        rating_counts(readings, np.array([0, 1]), 1)
    with pytest.raises(ValueError, match="value for each of 2 readings, got 1"):
        rating_counts(readings, np.array([0]), 2)
    with pytest.raises(ValueError, match="2 finite, ascending values"):
        rating_counts(readings, np.array([0, 1]), 2, number=np.array([1.0, 1.0]))
    with pytest.raises(ValueError, match="needs a generator"):
        chance_agreement(counts_of(np.array([[0, 1]]), 2), n_boot=10)
    with pytest.raises(ValueError, match="n_boot must be 0 or more"):
        coefficients_of(dict, 1, -1, None)
