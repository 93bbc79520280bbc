"""Standard errors of agreement without resampling: derivatives, published formula, jackknife, coverage."""

from __future__ import annotations

import numpy as np
import pytest
from rater_matrices import choices, random_matrix

from core.metrics.agreement.chance import chance_agreement
from core.metrics.agreement.chance_names import (
    AC1,
    ALPHA,
    COEFFICIENTS,
    FLEISS,
    OBSERVED,
    ORDERED_COEFFICIENTS,
)
from core.metrics.agreement.influence import influence_error, influences
from core.metrics.agreement.labels import agreement_by_label
from core.metrics.agreement.rating_counts import RatingCounts, first_labels, rating_counts

NUMBER = np.array([1.0, 2.0, 4.0, 5.0, 9.0])


def counts_of(labels: np.ndarray, n_labels: int, *, number: np.ndarray | None = None) -> RatingCounts:
    """Counts of a matrix of labels, NaN where a rater did not read."""
    readings = choices(labels)
    return rating_counts(readings, first_labels(readings), n_labels, number=number)


def gappy(n: int, n_raters: int, n_labels: int, seed: int = 0) -> np.ndarray:
    """Raters who are right in 70 % of cases, and miss a quarter of them."""
    rng = np.random.default_rng(seed)
    truth = rng.integers(n_labels, size=(n, 1))
    labels = np.where(rng.random((n, n_raters)) < 0.7, truth, rng.integers(n_labels, size=(n, n_raters)))
    return np.where(rng.random((n, n_raters)) < 0.25, np.nan, labels.astype(float))


@pytest.mark.parametrize("name", [*COEFFICIENTS, *ORDERED_COEFFICIENTS])
def test_a_case_counted_twice_moves_a_coefficient_by_its_influence(name: str) -> None:
    """In a large study; repeating every case k times turns one case more into a small step."""
    labels = gappy(30, 4, 5)
    repeated = np.repeat(labels, 200, axis=0)
    before = chance_agreement(counts_of(repeated, 5, number=NUMBER))[name].value
    moved = influences(counts_of(repeated, 5, number=NUMBER))[name]
    for case in (0, 7, 21):
        more = np.concatenate([repeated, labels[case : case + 1]])
        after = chance_agreement(counts_of(more, 5, number=NUMBER))[name].value
        assert after - before == pytest.approx(moved[case * 200], rel=0.01, abs=1e-9)


@pytest.mark.parametrize("name", [*COEFFICIENTS, *ORDERED_COEFFICIENTS])
def test_the_error_is_that_of_the_jackknife(name: str) -> None:
    """Cases left out one by one, in a study of some size."""
    labels = gappy(150, 5, 5, seed=3)
    labels = labels[(~np.isnan(labels)).any(axis=1)]
    n = len(labels)
    without = [
        chance_agreement(counts_of(np.delete(labels, i, axis=0), 5, number=NUMBER))[name].value
        for i in range(n)
    ]
    expected = np.sqrt((n - 1) * np.var(without))
    found = chance_agreement(counts_of(labels, 5, number=NUMBER))[name].standard_error
    assert found == pytest.approx(expected, rel=0.03)


def test_without_gaps_it_is_the_published_formula() -> None:
    """Gwet 2014: κ*_i = κ_i − 2 (1 − κ) (P_e,i − P_e) / (1 − P_e), by plain loops."""
    labels = random_matrix(2, n_cases=42, n_raters=4, n_labels=3, missing=0.0)[2:]
    found = chance_agreement(counts_of(labels, 3))
    n, q = len(labels), 3
    shares = np.array([[np.mean(row == k) for k in range(q)] for row in labels])
    pairs = [(a, b) for a in range(4) for b in range(4) if a != b]
    agreed = np.array([np.mean([row[a] == row[b] for a, b in pairs]) for row in labels])
    pi = shares.mean(axis=0)
    chance = {
        FLEISS: (np.sum(pi**2), shares @ pi),
        AC1: (np.sum(pi * (1 - pi)) / (q - 1), shares @ (1 - pi) / (q - 1)),
    }
    for name, (p_e, p_ei) in chance.items():
        kappa = (agreed.mean() - p_e) / (1 - p_e)
        starred = (agreed - p_e) / (1 - p_e) - 2 * (1 - kappa) * (p_ei - p_e) / (1 - p_e)
        expected = np.sqrt(np.sum((starred - kappa) ** 2) / (n * (n - 1)))
        assert found[name].value == pytest.approx(kappa)
        assert found[name].standard_error == pytest.approx(expected)
    assert found[OBSERVED].standard_error == pytest.approx(agreed.std(ddof=1) / np.sqrt(n))


@pytest.mark.parametrize("name", [FLEISS, ALPHA, AC1])
def test_intervals_hold_the_truth_as_often_as_they_say(name: str) -> None:
    """In 500 studies of 60 cases with gaps; the truth is that of a study of 50,000."""
    truth = chance_agreement(counts_of(gappy(50_000, 4, 3, seed=9), 3))[name].value
    held = 0
    for study in range(500):
        low, high = chance_agreement(counts_of(gappy(60, 4, 3, seed=100 + study), 3))[name].error_interval()
        held += low <= truth <= high
    assert 0.93 <= held / 500 <= 0.975


def test_a_result_without_an_interval_says_why() -> None:
    """No readings, one case, no resamples."""
    nothing = chance_agreement(counts_of(np.full((3, 2), np.nan), 2))[FLEISS]
    assert nothing.why_no_interval == nothing.undefined == "there are no readings"
    one = chance_agreement(counts_of(np.array([[0.0, 1.0]]), 2))[FLEISS]
    assert "a single case with two readings" in one.why_no_interval
    assert np.isnan(one.error_interval()).all()
    several = gappy(20, 3, 2)
    assert "no interval by resampling" in chance_agreement(counts_of(several, 2))[FLEISS].why_no_interval
    sampled = chance_agreement(counts_of(several, 2), n_boot=50, rng=np.random.default_rng(0))[FLEISS]
    assert sampled.why_no_interval == ""
    assert np.isnan(influence_error(np.array([0.0]), 1))


def test_a_label_has_the_error_of_the_readings_recoded_to_it() -> None:
    """That label or another: the same value and the same error, also where alike cases stand together."""
    labels = gappy(80, 4, 4, seed=5)
    found = agreement_by_label(counts_of(labels, 4))
    for k in range(4):
        recoded = np.where(np.isnan(labels), np.nan, (labels == k).astype(float))
        whole = chance_agreement(counts_of(recoded, 2))
        for name in COEFFICIENTS:
            assert found[name][k].value == pytest.approx(whole[name].value)
            assert found[name][k].standard_error == pytest.approx(whole[name].standard_error)
            assert 0 < found[name][k].standard_error < 0.2


def test_the_error_of_a_label_is_that_of_the_bootstrap() -> None:
    """In a study of some size, and the interval of it is much as wide."""
    labels = gappy(400, 4, 3, seed=6)
    found = agreement_by_label(counts_of(labels, 3), n_boot=1000, rng=np.random.default_rng(0))
    for name in COEFFICIENTS:
        one = found[name][1]
        assert one.high - one.low == pytest.approx(2 * 1.96 * one.standard_error, rel=0.12)
