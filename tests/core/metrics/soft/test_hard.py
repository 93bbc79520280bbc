"""Ranking metrics against tied hard labels: scikit-learn on every way of breaking the ties."""

from __future__ import annotations

from itertools import product

import numpy as np
import pytest
from scipy.stats import binom
from sklearn.metrics import average_precision_score, roc_auc_score

from core.metrics.soft.hard import hard_ranking_metrics, hard_shares
from core.metrics.soft.ranking import ranking_metrics, sort_scores
from core.metrics.soft.tie_expectation import expected_inverses


def by_enumeration(score: np.ndarray, share: np.ndarray) -> tuple[float, float]:
    """Mean of both metrics over all labels, weighted by their probability, where defined."""
    auroc, ap, both, some = 0.0, 0.0, 0.0, 0.0
    for label in product((0, 1), repeat=len(share)):
        y = np.array(label)
        chance = np.prod(np.where(y == 1, share, 1 - share))
        if chance == 0 or y.sum() == 0:
            continue
        some += chance
        ap += chance * average_precision_score(y, score)
        if y.sum() < len(y):
            both += chance
            auroc += chance * roc_auc_score(y, score)
    return (auroc / both if both else np.nan), (ap / some if some else np.nan)


@pytest.mark.slow
@pytest.mark.parametrize("levels", [3, 1000])
@pytest.mark.parametrize("shares", [(0, 0.5, 1), (0, 1 / 3, 0.5, 1), (0.5,), (0, 0.5), (0.5, 1), (0.25, 0.5)])
def test_the_mean_over_all_ways_of_breaking_ties(levels: int, shares: tuple[float, ...]) -> None:
    """Exact for ties of two labels and of more, with equal scores, and where some ways define nothing."""
    rng = np.random.default_rng(levels + len(shares))
    for n in (2, 3, 6):
        score = rng.integers(0, levels, (2, n)) / levels
        share = rng.choice(shares, (2, n))
        auroc, ap = hard_ranking_metrics(sort_scores(score), share)
        for m in range(2):
            for v in range(2):
                expected = by_enumeration(score[m], share[v])
                assert (auroc[m, v], ap[m, v]) == pytest.approx(expected, abs=1e-12, nan_ok=True)


def test_of_many_tied_cases_what_is_left_out_does_not_count() -> None:
    """The expectations of thousands of ties are those over every number of positives that there can be."""
    number, shares = np.array([900.0, 700.0, 4000.0, 30.0]), np.array([0.0, 1 / 3, 0.5, 1.0])
    found = expected_inverses(number, shares)
    for a, b in product((1, 2, 3), (0, 1, 2)):
        chance = np.ones(1)
        for c in (1, 2):
            n = int(number[c]) - (c == a) - (c == b)
            chance = np.convolve(chance, binom.pmf(np.arange(n + 1), n, shares[c]))
        x = number[-1] - (a == 3) + np.arange(len(chance))
        assert found.positive[a, b] == pytest.approx(chance @ (1 / (1 + x)), rel=1e-12)
        assert found.pair[a, b] == pytest.approx(chance @ (1 / ((1 + x) * (number.sum() - 1 - x))), rel=1e-12)
    assert (found.some, found.both) == (1.0, 1.0)


def test_a_case_drawn_twice_is_two_cases() -> None:
    """Weights are the same as rows repeated."""
    rng = np.random.default_rng(4)
    score, share = rng.integers(0, 5, (1, 6)) / 5, np.array([[0, 0.5, 1, 0.5, 0, 0.5]])
    times = np.array([2, 1, 1, 2, 0, 1])
    found = hard_ranking_metrics(sort_scores(score), share, weight=times[None].astype(float))
    rows = np.repeat(np.arange(6), times)
    assert found == tuple(
        pytest.approx(x) for x in hard_ranking_metrics(sort_scores(score[:, rows]), share[:, rows])
    )
    expected = by_enumeration(score[0, rows], share[0, rows])
    assert (found[0][0, 0], found[1][0, 0]) == pytest.approx(expected)


def test_without_ties_the_ordinary_metrics() -> None:
    """Nothing is tied: the very same numbers, unscored cases left out."""
    rng = np.random.default_rng(5)
    score, hard = rng.random((3, 40)), rng.integers(0, 2, (7, 40)).astype(float)
    score[1, :5] = np.nan
    plain = ranking_metrics(sort_scores(score), hard)
    for found, expected in zip(hard_ranking_metrics(sort_scores(score), hard), plain, strict=True):
        np.testing.assert_array_equal(found, expected)


def test_unscored_cases_stay_out() -> None:
    """A model's metric is that on the cases which it scored."""
    rng = np.random.default_rng(6)
    score, share = rng.random((1, 12)), rng.choice([0, 0.5, 1], (1, 12))
    gappy = np.vstack([score, np.where(np.arange(12) < 4, np.nan, score)])
    found = hard_ranking_metrics(sort_scores(gappy), share)
    alone = hard_ranking_metrics(sort_scores(score[:, 4:]), share[:, 4:])
    for both, one in zip(found, alone, strict=True):
        assert both[1] == pytest.approx(one[0])


def test_hard_shares_of_two_labels() -> None:
    """Even splits count half, or go to the first label of the study, whichever is looked at."""
    p = np.array([0.4, 0.5, 3 * (1 / 6), 0.6])
    assert hard_shares(p).tolist() == [0, 0.5, 0.5, 1]
    assert hard_shares(p, tie_rule="first label").tolist() == [0, 0, 0, 1]
    assert hard_shares(p, tie_rule="first label", first=True).tolist() == [0, 1, 1, 1]
    with pytest.raises(ValueError, match="tie_rule must be one of split, first label, got 'last'"):
        hard_shares(p, tie_rule="last")
