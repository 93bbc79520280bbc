"""Scores of labels: worked out by hand, and without a say for the order of labels."""

from __future__ import annotations

import numpy as np
import pytest

from core.recalibration.conformal_choices import SCORES, ScoreName
from core.recalibration.conformal_scores import nonconformity

SAID = np.array([[0.5, 0.1, 0.3, 0.1]])


def test_scores_by_hand() -> None:
    """Probabilities 0.5, 0.1, 0.3, 0.1: two labels tied for the last place."""
    np.testing.assert_allclose(nonconformity(SAID), [[0.5, 0.9, 0.7, 0.9]])
    np.testing.assert_allclose(nonconformity(SAID, "aps"), [[0.5, 1.0, 0.8, 1.0]])
    half = np.array([0.5])
    np.testing.assert_allclose(nonconformity(SAID, "aps", position=half), [[0.25, 0.9, 0.65, 0.9]])
    np.testing.assert_allclose(nonconformity(SAID, "raps", penalty=0.1, free=1), [[0.5, 1.3, 0.9, 1.3]])


@pytest.mark.parametrize("score", SCORES)
def test_the_order_of_labels_has_no_influence(score: ScoreName) -> None:
    """Bit for bit, with ties and sums in another order."""
    rng = np.random.default_rng(0)
    said = rng.integers(0, 4, (50, 7)) + 0.1
    said /= said.sum(axis=1, keepdims=True)
    order = rng.permutation(7)
    np.testing.assert_array_equal(nonconformity(said[:, order], score), nonconformity(said, score)[:, order])


@pytest.mark.parametrize("score", SCORES)
def test_a_case_without_a_prediction_has_no_scores(score: ScoreName) -> None:
    """And changes none of the others."""
    said = np.concatenate([SAID, np.full((1, 4), np.nan), SAID])
    scores = nonconformity(said, score)
    assert np.isnan(scores[1]).all()
    np.testing.assert_array_equal(scores[[0]], nonconformity(SAID, score))
    np.testing.assert_array_equal(scores[2], scores[0])


def test_an_unknown_score_is_refused() -> None:
    """With those that there are."""
    with pytest.raises(ValueError, match="score must be one of threshold, aps, raps, got 'lac'"):
        nonconformity(SAID, "lac")  # type: ignore[arg-type]
