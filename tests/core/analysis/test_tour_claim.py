"""What labels can support of a claim: bounds that hold for the tour's models, and words."""

from __future__ import annotations

from dataclasses import replace
from itertools import pairwise, product

import numpy as np
import pytest

from core.analysis import tour, tour_claim, tour_proof

TOY = tour.toy_study()


def test_bounds_are_the_extremes_over_all_models(monkeypatch: pytest.MonkeyPatch) -> None:
    """Of four cases every way to name the leading label in three is tried."""
    leads = np.array([[0.8, 0.15, 0.05], [0.2, 0.5, 0.3], [0.4, 0.25, 0.35], [0.1, 0.3, 0.6]])
    monkeypatch.setattr(tour_claim, "_leads", lambda simulated, n: leads)
    for claimed, others in ((0.75, 1), (0.5, 2), (1.0, 0)):
        values = [
            np.mean([row[label] for row, label in zip(leads, labels, strict=True)])
            for labels in product(range(3), repeat=4)
            if (leads.argmax(axis=1) != labels).sum() == others
        ]
        found = tour_claim.claim(TOY, claimed, 3)
        assert (found.low, found.high) == pytest.approx((min(values), max(values)))
    half = tour_claim.claim(TOY, 0.875, 3)
    assert half.high == pytest.approx(leads.max(axis=1).mean() - 0.5 * 0.05 / 4)


@pytest.mark.parametrize("readings", tour_proof.READINGS)
def test_what_the_tours_models_have_lies_within(readings: int) -> None:
    """Their support as step four and five count it; and the ceiling is the one that these show."""
    table = tour_proof.proof_table(TOY, n_readings=[readings], n_draws=10)
    for _, row in table.iterrows():
        found = tour_claim.claim(TOY, row["claimed"], readings)
        assert found.low - 0.01 <= row["supported"] <= found.high + 0.01
        assert found.ceiling == pytest.approx(row["ceiling"])


def test_more_readers_support_more_and_a_full_claim_is_the_ceiling() -> None:
    """From one reader to a hundred the ceiling rises; who names every leading label has it."""
    found = [tour_claim.claim(TOY, 1.0, n) for n in tour_claim.READERS]
    assert all(one.ceiling < other.ceiling for one, other in pairwise(found))
    assert all(one.low == one.high == pytest.approx(one.ceiling) for one in found)
    assert found[0].needed is None
    needed = tour_claim.claim(TOY, 0.9, 3).needed
    assert needed is not None
    assert tour_claim.claim(TOY, 0.9, needed).ceiling >= 0.9


def test_words_say_range_ceiling_and_what_is_needed() -> None:
    """Each number once; nothing is needed where the ceiling reaches the claim."""
    found = tour_claim.Claim(0.92, 3, 0.72, 0.77, 0.79, 0.64, 50)
    assert tour_claim.in_words(found) == (
        "A model that claims 92\u00a0%: with 3 readers a case, such labels can support 72 to 77\u00a0%, on "
        "average over plausible truths, and of no model more than 79\u00a0%. Labels that could support as "
        "much as is claimed need some 50 readers a case."
    )
    assert "Even 100 readers" in tour_claim.in_words(replace(found, needed=None))
    assert tour_claim.in_words(replace(found, claimed=0.7, n_readers=1)).endswith("79\u00a0%.")
    assert "agree in 64\u00a0%" in tour_claim.of_whom(found)


@pytest.mark.parametrize(("claimed", "n_readers"), [(1.1, 3), (-0.1, 3), (0.9, 0), (0.9, 101)])
def test_what_cannot_be_is_refused(claimed: float, n_readers: int) -> None:
    """A share beyond all cases, and too few or many readers."""
    with pytest.raises(ValueError, match="must lie between"):
        tour_claim.claim(TOY, claimed, n_readers)
