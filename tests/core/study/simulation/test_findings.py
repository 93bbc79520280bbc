"""Simulated findings: evidence with the moments asked for, and models that know what they should."""

from __future__ import annotations

import numpy as np
import pytest
from scipy.special import expit, logit
from scipy.stats import spearmanr

from core.study.simulation.findings import draw_evidence, present_or_absent, score_majority, score_shares


def test_evidence_has_the_moments_asked_for() -> None:
    """Mean and deviation of each finding's log odds, and the correlation of any two."""
    evidence = draw_evidence(
        np.random.default_rng(0), 40_000, prevalence=(0.2, 0.5, 0.7), spread=(1.0, 2.0, 3.0), shared=0.4
    )
    np.testing.assert_allclose(evidence.mean(axis=1), logit([0.2, 0.5, 0.7]), atol=0.05)
    np.testing.assert_allclose(evidence.std(axis=1), [1, 2, 3], rtol=0.02)
    np.testing.assert_allclose(np.corrcoef(evidence)[np.triu_indices(3, 1)], 0.4, atol=0.02)


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"prevalence": (0.0,)}, "prevalence must lie between 0 and 1"),
        ({"prevalence": (np.nan,)}, "prevalence must lie between 0 and 1"),
        ({"spread": (0.0,)}, "spread must be positive"),
        ({"spread": (1.0, 1.0)}, "one for each of 1 findings"),
        ({"shared": 1.5}, "shared must lie between 0 and 1, got 1.5"),
    ],
)
def test_options_out_of_range_are_refused(options: dict, message: str) -> None:
    """A wrong option is named with what was allowed and what was given."""
    known = {"prevalence": (0.3,), "spread": (1.0,)} | options
    with pytest.raises(ValueError, match=message):
        draw_evidence(np.random.default_rng(0), 5, **known)


def test_plausibilities_are_shares() -> None:
    """Rows sum to 1, and even log odds are one half."""
    plausibility = present_or_absent(np.array([0.0, 40.0, -40.0]))
    np.testing.assert_allclose(plausibility, [[0.5, 0.5], [0, 1], [1, 0]], atol=1e-15)


def test_a_model_of_shares_without_blur_knows_them() -> None:
    """Without noise it is the truth itself."""
    evidence = np.linspace(-4, 4, 50)
    np.testing.assert_allclose(score_shares(np.random.default_rng(0), evidence, blur=0), expit(evidence))


def test_a_model_of_the_majority_knows_sides_and_not_grades() -> None:
    """It parts the two sides nearly always; within a side far from one half its order means nothing."""
    evidence = np.concatenate([np.linspace(-6, -3, 2000), np.linspace(3, 6, 2000)])
    score = score_majority(np.random.default_rng(0), evidence, n_raters=8, blur=0.1, haze=1.0)
    assert ((score > 0.5) == (evidence > 0)).mean() > 0.999
    assert abs(spearmanr(score[:2000], evidence[:2000]).statistic) < 0.06
    assert abs(spearmanr(score[2000:], evidence[2000:]).statistic) < 0.06
