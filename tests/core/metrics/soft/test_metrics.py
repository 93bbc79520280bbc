"""Soft metrics: scikit-learn on the doubled weighted sample, row order, limits and refusals."""

from __future__ import annotations

import json

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from shared_data import shared_data
from sklearn.metrics import average_precision_score, brier_score_loss, log_loss, roc_auc_score

from core.metrics.soft.metrics import (
    s_ap,
    s_auroc,
    soft_brier,
    soft_log_loss,
    undefined_reasons,
)
from core.metrics.soft.ranking import ranking_metrics, sort_scores


def doubled(scores, p, weight):
    """Each case once as a positive of weight w·p and once as a negative of weight w·(1 − p)."""
    y = np.repeat([1, 0], len(scores))
    return y, np.tile(scores, 2), np.concatenate([weight * p, weight * (1 - p)])


def random_case(rng, *, levels):
    """Scores with ties, soft labels of a few readers, weights of which some are 0."""
    n = int(rng.integers(5, 2500))
    scores = rng.integers(0, levels, n) / levels
    return scores, rng.integers(0, 9, n) / 8, rng.choice([0.0, 0.3, 1.0, 2.5], n)


@pytest.mark.parametrize("levels", [2, 7, 10**6])
@pytest.mark.parametrize("weighted", [False, True])
def test_equal_to_scikit_learn_on_the_doubled_sample(levels, weighted):
    """Ties and weights included, across the borders of the blocks that the pass works in."""
    rng = np.random.default_rng([levels, weighted])
    for _ in range(25):
        scores, p, weight = random_case(rng, levels=levels)
        if not weighted:
            weight = np.ones(len(scores))
        if not 0 < weight @ p < weight.sum():
            continue
        y, s, w = doubled(scores, p, weight)
        given_weight = weight if weighted else None
        expected = roc_auc_score(y, s, sample_weight=w)
        assert s_auroc(scores, p, weight=given_weight) == pytest.approx(expected, abs=1e-12)
        expected = average_precision_score(y, s, sample_weight=w)
        assert s_ap(scores, p, weight=given_weight) == pytest.approx(expected, abs=1e-12)
        expected = brier_score_loss(y, s, sample_weight=w)
        assert soft_brier(scores, p, weight=given_weight) == pytest.approx(expected, abs=1e-12)
        expected = log_loss(y, s, sample_weight=w)
        assert soft_log_loss(scores, p, weight=given_weight) == pytest.approx(expected, rel=1e-12)


def test_equal_to_the_reference_numbers():
    """Random input with many ties, weights, and scores out of [0, 1]."""
    cases = json.loads(shared_data("goldens", "soft_metrics_random_cases.json").read_text())["cases"]
    assert cases
    for case in cases:
        weight = case["w"]
        assert s_auroc(case["s"], case["p"], weight=weight) == pytest.approx(case["soft_auroc"], abs=1e-12)
        assert s_ap(case["s"], case["p"], weight=weight) == pytest.approx(case["soft_ap"], abs=1e-12)


def test_hard_labels_give_the_ordinary_metrics():
    """With labels 0 and 1."""
    rng = np.random.default_rng(0)
    for levels in (3, 10**6):
        y, scores = rng.integers(0, 2, 300), rng.integers(0, levels, 300) - 5.0
        assert s_auroc(scores, y) == pytest.approx(roc_auc_score(y, scores), abs=1e-12)
        assert s_ap(scores, y) == pytest.approx(average_precision_score(y, scores), abs=1e-12)


@settings(max_examples=60, deadline=None)
@given(st.lists(st.tuples(st.integers(0, 4), st.integers(0, 8)), min_size=1, max_size=30), st.randoms())
def test_row_order_changes_nothing(rows, random):
    """Tied scores with different soft labels in any order."""
    scores, eighths = np.array(rows, float).T
    shuffled = random.sample(range(len(rows)), len(rows))
    for metric in (s_auroc, s_ap):
        a, b = metric(scores, eighths / 8), metric(scores[shuffled], eighths[shuffled] / 8)
        assert (np.isnan(a) and np.isnan(b)) or a == pytest.approx(b, abs=1e-13)


def test_order_is_all_that_counts_for_ranking_and_reversal_mirrors_it():
    """A monotone transform changes nothing; turning scores and labels round gives the same AUROC."""
    rng = np.random.default_rng(1)
    scores, p = rng.integers(0, 50, 400) / 50, rng.random(400)
    assert s_auroc(np.exp(5 * scores), p) == s_auroc(scores, p)
    assert s_ap(np.exp(5 * scores), p) == s_ap(scores, p)
    assert s_auroc(-scores, p) == pytest.approx(1 - s_auroc(scores, p), abs=1e-12)
    assert s_auroc(-scores, 1 - p) == pytest.approx(s_auroc(scores, p), abs=1e-12)


def test_constant_scores_know_nothing():
    """AUROC is one half and AP the prevalence."""
    p = np.array([0.0, 0.25, 1.0, 0.5])
    assert s_auroc(np.full(4, 0.3), p) == 0.5
    assert s_ap(np.full(4, 0.3), p) == pytest.approx(p.mean())


def test_many_vectors_and_models_at_once_equal_one_at_a_time():
    """Rows of labels, rows of weights, one for all, and cases that a model did not score."""
    rng = np.random.default_rng(2)
    scores = rng.integers(0, 40, (3, 300)) / 40
    p, weight = rng.random((5, 300)), rng.integers(0, 3, (5, 300)).astype(float)
    missing = scores.copy()
    missing[1, ::3] = np.nan
    sort = sort_scores(missing)
    for labels, weights in [(p, None), (p, weight), (p[:1], weight), (p, weight[:1])]:
        auroc, ap = ranking_metrics(sort, labels, weight=weights)
        assert auroc.shape == ap.shape == (3, 5)
        for m in range(3):
            known = ~np.isnan(missing[m])
            for v in range(5):
                w = None if weights is None else weights[v % len(weights)][known]
                label = labels[v % len(labels)][known]
                assert auroc[m, v] == pytest.approx(s_auroc(scores[m, known], label, weight=w), abs=1e-14)
                assert ap[m, v] == pytest.approx(s_ap(scores[m, known], label, weight=w), abs=1e-14)


def test_shapes_follow_the_input():
    """A number for one model and vector; axes for more."""
    rng = np.random.default_rng(3)
    scores, p = rng.random((2, 20)), rng.random((4, 20))
    for metric in (s_auroc, s_ap, soft_brier, soft_log_loss):
        assert np.ndim(metric(scores[0], p[0])) == 0
        assert metric(scores, p[0]).shape == (2,)
        assert metric(scores[0], p).shape == (4,)
        assert metric(scores, p).shape == (2, 4)
        assert metric(scores, p)[1, 2] == pytest.approx(metric(scores[1], p[2]))


def test_undefined_is_nan_with_a_reason():
    """Never 0."""
    scores = np.array([0.1, 0.7, 0.4])
    p = np.array([[0, 0, 0], [1, 1, 1], [0.5, 1, 0]])
    auroc = s_auroc(scores, p)
    assert np.isnan(auroc[:2]).all()
    assert auroc[2] > 0
    ap = s_ap(scores, p)
    assert np.isnan(ap[0])
    assert ap[1] == average_precision_score([1, 1, 1], scores) == 1
    assert undefined_reasons(p) == [
        "no case is positive to any degree",
        "no case is negative to any degree",
        "",
    ]
    nothing = np.zeros(3)
    for metric in (s_auroc, s_ap, soft_brier, soft_log_loss):
        assert np.isnan(metric(scores, p[2], weight=nothing))


def test_losses_expected_under_the_label():
    """Worked by hand; the Brier score is the squared distance and a term without the scores."""
    assert soft_brier([0.8], [0.25]) == pytest.approx(0.25 * 0.04 + 0.75 * 0.64)
    scores, p = np.array([0.1, 0.9, 0.4]), np.array([0.5, 0.75, 0.0])
    constant = (p * (1 - p)).mean()
    assert soft_brier(scores, p) == pytest.approx(((scores - p) ** 2).mean() + constant)
    assert soft_log_loss([0.5, 0.5], [0.3, 1.0]) == pytest.approx(np.log(2))
    assert soft_log_loss([0.0], [1.0]) == pytest.approx(-np.log(np.finfo(float).eps))


def test_scores_out_of_range_rank_but_have_no_loss():
    """The refusal says what was given and what takes them."""
    scores, p = np.array([-3.0, 0.2, 2.37]), np.array([0.0, 0.5, 1.0])
    assert s_auroc(scores, p) == s_auroc([0.0, 0.2, 1.0], p)
    for loss in (soft_brier, soft_log_loss):
        with pytest.raises(ValueError, match=r"in \[0, 1\].*got -3 to 2.37; ranking metrics take"):
            loss(scores, p)


@pytest.mark.parametrize(
    ("scores", "p", "weight", "message"),
    [
        ([0.1, np.nan], [0, 1], None, "scores must be numbers, got NaN in 1 place"),
        ([0.1, 0.2], [0, 1.5], None, r"plausibility must be in \[0, 1\], got 0 to 1.5"),
        ([0.1, 0.2], [0, np.nan], None, "plausibility must be in"),
        ([0.1, 0.2], [0, 1, 1], None, r"plausibility must have shape \(2,\)"),
        ([], [], None, "scores must have shape"),
        ([0.1, 0.2], [0, 1], [1, -1], "weight must be finite and 0 or more"),
        ([0.1, 0.2], [0, 1], [1, np.inf], "weight must be finite and 0 or more"),
        ([0.1, 0.2], [0, 1], [1], r"weight must have shape \(2,\), got \(1,\)"),
    ],
)
def test_bad_input_is_refused(scores, p, weight, message):
    """Each says what was expected and what came."""
    for metric in (s_auroc, s_ap, soft_brier, soft_log_loss):
        with pytest.raises(ValueError, match=message):
            metric(scores, p, weight=weight)


def test_rows_that_do_not_fit_are_refused():
    """Labels and weights of different numbers of rows, and of another number of cases."""
    sort = sort_scores(np.zeros((1, 4)))
    with pytest.raises(ValueError, match="weight must have 1 or 3 rows, got 2"):
        ranking_metrics(sort, np.zeros((3, 4)), weight=np.ones((2, 4)))
    with pytest.raises(ValueError, match=r"plausibility must have shape \(n_vectors, 4\)"):
        ranking_metrics(sort, np.zeros((3, 5)))
    assert ranking_metrics(sort, np.zeros((0, 4)))[0].shape == (1, 0)
