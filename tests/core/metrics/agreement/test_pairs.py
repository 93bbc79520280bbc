"""Raters two by two against another program, plain loops and numerical derivatives."""

from __future__ import annotations

from dataclasses import replace
from itertools import combinations

import numpy as np
import pytest
from rankings_by_hand import partial_average_overlap
from rater_matrices import choices, knee_matrices, random_matrix
from statsmodels.stats.inter_rater import cohens_kappa

from core.metrics.agreement.differentials import differential_agreement
from core.metrics.agreement.pairs import MOST_RATERS, pair_agreement
from core.metrics.agreement.rating_counts import first_labels


def compare(labels, n_labels):
    """Agreement of the columns of a matrix."""
    readings = choices(labels)
    return pair_agreement(readings, first_labels(readings), n_labels, labels.shape[1])


@pytest.mark.parametrize("seed", range(4))
def test_kappa_equals_statsmodels_on_common_cases(seed):
    """Value and large-sample standard error of every pair, readings missing."""
    labels = random_matrix(seed)
    found = compare(labels, 4)
    for r, s in combinations(range(labels.shape[1]), 2):
        both = ~np.isnan(labels[:, r]) & ~np.isnan(labels[:, s])
        table = np.zeros((4, 4))
        np.add.at(table, (labels[both, r].astype(int), labels[both, s].astype(int)), 1)
        oracle = cohens_kappa(table)
        for a, b in ((r, s), (s, r)):
            assert found.n_common[a, b] == both.sum()
            assert found.observed[a, b] == pytest.approx(np.trace(table) / table.sum(), abs=1e-12)
            assert found.kappa[a, b] == pytest.approx(oracle.kappa, abs=1e-12)
            assert found.standard_error[a, b] == pytest.approx(oracle.std_kappa, abs=1e-12)


def test_knee_radiologists():
    """The mean over pairs of the 13 radiologists, .63189."""
    assert compare(knee_matrices()[0], 2).mean_kappa == pytest.approx(0.6318933170813905, abs=1e-12)


def test_influence_is_the_derivative():
    """Adding one more copy of a case to a thousand copies of the study moves the mean κ by its influence."""
    labels = random_matrix(5, n_cases=25, n_raters=4)
    found = compare(labels, 4)
    many = np.repeat(labels, 1000, axis=0)
    for case in (2, 3, 4):
        moved = compare(np.concatenate([many, labels[case : case + 1]]), 4).mean_kappa
        assert (moved - found.mean_kappa) * 1000 == pytest.approx(found.influence[case], rel=0.01, abs=1e-5)
    assert found.influence.sum() == pytest.approx(0, abs=1e-12)


def test_raters_without_a_common_case_are_undefined():
    """No number, and no share of the mean."""
    labels = np.array([[0, 0, np.nan], [1, 1, np.nan], [0, 1, np.nan], [np.nan, np.nan, 1]])
    found = compare(labels, 2)
    assert found.n_common[0, 2] == 0
    assert np.isnan(found.kappa[0, 2])
    assert np.isnan(found.observed[0, 2])
    assert found.mean_kappa == pytest.approx(0.4)


def test_equal_readings_leave_kappa_undefined():
    """Full agreement by chance alone."""
    found = compare(np.zeros((4, 2)), 2)
    assert found.observed[0, 1] == 1
    assert np.isnan(found.mean_kappa)


def test_too_many_raters_and_repeats_are_refused():
    """Both in words."""
    readings = choices(np.array([[0, 1]]))
    with pytest.raises(ValueError, match=r"up to 2,000 raters.*got 2,001: choose some"):
        pair_agreement(readings, first_labels(readings), 2, MOST_RATERS + 1)
    twice = replace(readings, rater=np.zeros(2, np.int32), repeat=np.array([1, 2], np.int32))
    with pytest.raises(ValueError, match="one reading a case"):
        pair_agreement(twice, first_labels(twice), 2, 1)
    crowd = choices(np.zeros((1, 70_000)))
    with pytest.raises(ValueError, match=r"pairs of readings.*choose fewer raters or cases"):
        pair_agreement(crowd, crowd.label.astype(np.int64), 2, 2)


def random_differentials(seed, n_cases):
    """Cases of up to five differentials over seven labels, with ties."""
    rng = np.random.default_rng(seed)

    def differential():
        labels = rng.permutation(7)[: rng.integers(1, 6)]
        cuts = np.sort(rng.choice(len(labels) + 1, rng.integers(0, 4)))
        return [part.tolist() for part in np.split(labels, cuts) if len(part)]

    return [[differential() for _ in range(rng.integers(0, 6))] for _ in range(n_cases)]


@pytest.mark.parametrize("length", [1, 3, 9])
def test_overlap_equals_the_plain_one(readings_of, length):
    """Every pair by `partial_average_overlap`, averaged by case and by pair of raters."""
    cases = random_differentials(0, 60)
    readings = readings_of(cases)
    rater = np.concatenate([np.arange(len(case)) for case in cases]).astype(np.int32)
    found = differential_agreement(replace(readings, rater=rater), 7, 6, length=length)
    by_pair: dict[tuple[int, int], list[float]] = {}
    for i, case in enumerate(cases):
        pairs = list(combinations(range(len(case)), 2))
        overlaps = [partial_average_overlap(case[a], case[b], 7, min(length, 7)) for a, b in pairs]
        same = [partial_average_overlap(case[a], case[b], 7, 1, normalized=False) for a, b in pairs]
        for pair, value in zip(pairs, overlaps, strict=True):
            by_pair.setdefault(pair, []).append(value)
        if pairs:
            assert found.overlap[i] == pytest.approx(np.mean(overlaps), abs=1e-12)
            assert found.top1[i] == pytest.approx(np.mean(same), abs=1e-12)
        else:
            assert np.isnan([found.overlap[i], found.top1[i]]).all()
    for (a, b), mean in by_pair.items():
        assert found.pair_overlap[a, b] == pytest.approx(np.mean(mean), abs=1e-12)
        assert found.pair_overlap[b, a] == found.pair_overlap[a, b]
    assert np.isnan(np.diag(found.pair_overlap)).all()


def test_choices_overlap_as_they_agree():
    """With one label a reading, the first labels are the same exactly where the choices are."""
    labels = random_matrix(9)
    readings = choices(labels)
    found = differential_agreement(readings, 4, 6)
    np.testing.assert_allclose(found.pair_top1, compare(labels, 4).observed)


def test_depth_must_be_positive(readings_of):
    """Depth 0 is refused."""
    with pytest.raises(ValueError, match="length must be 1 or more, got 0"):
        differential_agreement(readings_of([[[[0]], [[1]]]]), 2, 2, length=0)
