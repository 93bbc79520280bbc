"""Annotation certainty against counting and by hand."""

from collections import Counter

import numpy as np
import pytest
from shared_data import shared_data

from core.metrics.certainty import certainties, leading_risk, share_below, top_certainty
from core.metrics.estimate import mean_over_cases
from core.plausibility.candidates import Candidates
from core.plausibility.dirichlet import prirn
from core.plausibility.point import point_mass


def test_top_sets_counted_by_hand(builder):
    """With all labels mentioned: the share of the commonest set among the draws."""
    posterior = builder(([0, 1, 2, 3],) * 5, 4, 40, 2)
    for j in (1, 2, 3):
        values = top_certainty(posterior, j)
        for case in range(5):
            drawn = posterior.draws.value[posterior.candidates.of_case(case)]
            sets = Counter(frozenset(np.argsort(-column)[:j].tolist()) for column in drawn.T)
            assert values[case] == pytest.approx(sets.most_common(1)[0][1] / 40)
    assert top_certainty(posterior, 4).tolist() == [1] * 5


def test_point_mass_is_certain():
    """Whoever takes the point estimate for the truth doubts nothing but which of two tied labels it is."""
    candidates = Candidates(np.array([0, 2]), np.array([0, 3], np.int32), 5)
    tied = certainties(point_mass(candidates, np.array([0.5, 0.5])), np.array([0, 1, 2, 1, -1]))
    assert [value[0] for value in tied.values()] == [0.5, 1, 1, 0.5]
    posterior = point_mass(candidates, np.array([0.6, 0.4]))
    values = certainties(posterior, np.array([0, 1, 2, 0, -1]))
    assert list(values) == ["top-1 certainty", "top-2 certainty", "top-3 certainty", "risk certainty"]
    for name, value in values.items():
        assert value.tolist() == [1], name


def test_unread_cases_are_undefined(builder):
    """Nobody's reading makes nobody certain, of labels or levels."""
    posterior = builder(([0, 1], [], [2]), 4, 10, 1)
    for value in certainties(posterior, np.array([0, 0, 1, 2])).values():
        assert np.isnan(value).tolist() == [False, True, False]


def test_leading_risk_counts_the_levels_of_the_leaders(sampled, brute_force):
    """By enumeration, unmentioned labels included; unknown risk is a level of its own."""
    risk = np.array([2, 0, 2, -1, 0])
    values = leading_risk(sampled, risk)
    assert values.shape == (6, 4)
    for level in (0, 1, 2, -1):
        expected = brute_force(sampled, lambda case, full, level=level: float(risk[full.argmax()] == level))
        assert values[:, level] == pytest.approx(expected.mean(axis=1))
    assert certainties(sampled, risk)["risk certainty"] == pytest.approx(values.max(axis=1))


def test_published_shares_on_dermatology(release, plackett_luce_draws):
    """Top-j and risk certainties, shares below .99: reference figures of 1,000 draws (Stutz 2025, fig. 7)."""
    risk = np.loadtxt(shared_data("data", "dermatology_ddx", "dermatology_risks.txt"), dtype=np.int8)
    for posterior, certainty, below in (
        (prirn(release, 419, gamma=30, ties="full"), [0.8473, 0.7255, 0.7314, 0.9287], [0.5819, 0.3641]),
        (plackett_luce_draws, [0.8418, 0.6402, 0.4619, 0.927], [0.5896, 0.3775]),
    ):
        values = certainties(posterior, risk)
        means = [mean_over_cases(value).value for value in values.values()]
        shares = [share_below(values[f"{of} certainty"]).value for of in ("top-1", "risk")]
        assert means == pytest.approx(certainty, abs=0.005)
        assert shares == pytest.approx(below, abs=0.005)


def test_share_below():
    """A case at the level is not below it; an undefined one does not count."""
    estimate = share_below(np.array([0.99, 0.5, np.nan, 1, 0.98]))
    assert (estimate.value, estimate.n_cases) == (0.5, 4)


def test_depth_stops_at_the_number_of_labels(builder):
    """Two labels have no top-3 set of their own."""
    posterior = builder(([0, 1],), 2, 5, 0)
    assert list(certainties(posterior)) == ["top-1 certainty", "top-2 certainty"]
    with pytest.raises(ValueError, match="1 or more, got 0"):
        certainties(posterior, max_j=0)
