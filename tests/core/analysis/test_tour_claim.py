"""What labels support of a claim: counts by hand, and readers that are enough."""

from __future__ import annotations

from itertools import pairwise

import numpy as np
import pytest

from core.analysis import tour, tour_proof
from core.analysis import tour_claim as claims

TOY = tour.toy_study()
ASKED = [0.05, 0.3, 0.5, 0.61, 0.7, 0.78, 0.8, 0.85, 0.88, 0.9, 0.92, 0.93, 0.95, 0.99, 1.0]


@pytest.mark.parametrize("n_cases", [20, 150, 5000])
@pytest.mark.parametrize("agreement", [0.4, 0.6, 0.8, 0.95, 1.0])
def test_readers_needed_are_enough_and_one_less_is_not(agreement: float, n_cases: int) -> None:
    """Nor is any larger number too little."""
    needed = [claims.readers_needed(claimed, agreement, n_cases) for claimed in ASKED]
    for claimed, enough in zip(ASKED, needed, strict=True):
        if enough is not None:
            more = (enough, min(enough + 7, claims.MOST_READERS))
            found = [claims.claim(claimed, n, agreement, n_cases) for n in more]
            assert all(one.reached >= claims.POSSIBLE and one.grade in ("possible", "less") for one in found)
        if enough is None or enough > 1:
            less = claims.MOST_READERS if enough is None else enough - 1
            assert claims.claim(claimed, less, agreement, n_cases).reached < claims.POSSIBLE
    assert len(set(needed)) > 2


@pytest.mark.parametrize("agreement", [0.4, 0.6, 0.8, 0.92, 0.95, 0.99])
def test_better_readers_agree_more_and_are_enough(agreement: float) -> None:
    """By the least agreement, of those that are tried, by which a number is enough that can be asked for."""
    for claimed in (0.7, 0.92, 1.0):
        better = claims.better_readers(claimed, agreement)
        tried = [more for more in claims.BETTER if more > agreement]
        needed = [(more, claims.readers_needed(claimed, more)) for more in tried]
        enough = [(more, n) for more, n in needed if n is not None and n <= claims.FEW]
        assert better == (enough[0] if enough else None)
    assert claims.better_readers(0.92, claims.MOST_AGREEMENT) is None


def test_a_claim_is_graded_without_a_cliff() -> None:
    """Above the range it is reached in few truths; within it seldom, or often; below it in nearly all."""
    grades = set()
    for claimed in ASKED:
        for n_readers in (1, 3, 6, 10, 45, 80):
            found = claims.claim(claimed, n_readers)
            grades.add(found.grade)
            low, high = {
                "unproved": (0, 0.035),
                "barely": (0.015, claims.POSSIBLE),
                "possible": (claims.POSSIBLE, 0.985),
                "less": (0.96, 1),
            }[found.grade]
            assert low <= found.reached <= high
    assert len(grades) == 4


@pytest.mark.parametrize("claimed", [0.6, 0.78, 0.92])
def test_more_cases_narrow_the_range_and_do_not_move_it(claimed: float) -> None:
    """As one over the root of their number; of the ceiling too, and where the normal law takes over."""
    found = {n: claims.claim(claimed, 3, n_cases=n) for n in (20, 50, 100, 150, 300, 600, 2400, 9600)}
    usual = found[150]
    for n, one in found.items():
        assert one.n_cases == n
        for ends, others in (
            ((one.low, one.high), (usual.low, usual.high)),
            ((one.ceiling_low, one.ceiling_high), (usual.ceiling_low, usual.ceiling_high)),
        ):
            # Ends lie at whole numbers of cases.
            step = 1 / n + 1 / 150
            assert np.mean(ends) == pytest.approx(np.mean(others), abs=step + 0.005)
            width = (others[1] - others[0]) * np.sqrt(150 / n)
            assert ends[1] - ends[0] == pytest.approx(width, abs=2 / n + 2 / 150 * np.sqrt(150 / n))
    assert found[9600].high - found[9600].low < 0.02


def test_the_range_is_counted_by_hand() -> None:
    """Models are made here, labels drawn elsewhere: each truth has a model of its own that claims so much."""
    rng = np.random.default_rng(5)
    (task,) = TOY.study.tasks.values()
    named = task.predictions[tour_proof.MODEL].probability.argmax(axis=1)
    label = tour_proof.read_by(TOY, 10).label.reshape(-1, 10)
    counts = (label[:, :, None] == np.arange(3)).sum(axis=1)
    own = ((counts == counts.max(axis=1, keepdims=True)) / (counts == counts.max(axis=1, keepdims=True)).sum(
        axis=1, keepdims=True
    ))[np.arange(150), named].mean()  # fmt: skip
    for claimed in (0.95, 0.6):
        accuracy, agreed = [], []
        for _ in range(3000):
            kept = (counts + 0.5 * rng.random(counts.shape)).argmax(axis=1)
            leader = rng.standard_gamma(counts + 0.5).argmax(axis=1)
            other = (kept + rng.integers(1, 3, size=150)) % 3
            chance = (claimed - own) / (1 - own) if claimed > own else (own - claimed) / own
            model = np.where(rng.random(150) < chance, kept if claimed > own else other, named)
            accuracy.append((model == leader).mean())
            agreed.append((model == kept).mean())
        found = claims.claim(claimed, 10)
        assert np.mean(agreed) == pytest.approx(claimed, abs=0.003)
        assert (found.low, found.high) == pytest.approx(np.quantile(accuracy, [0.025, 0.975]), abs=0.012)
        for asked in (found.low, 0.5 * (found.low + found.high), found.high):
            right, _ = claims._chances(claimed, 10, claims.AGREEMENT, 150)
            assert claims.reached_in(right, asked) == pytest.approx(
                np.mean([one >= asked - 1e-9 for one in accuracy]), abs=0.03
            )


@pytest.mark.parametrize("n_cases", [20, 150, 3000])
@pytest.mark.parametrize("agreement", [0.4, 0.6, 0.95, 1.0])
def test_what_is_plain_without_counting_is_what_counts_say(agreement: float, n_cases: int) -> None:
    """Near to the bound, and far from it."""
    for claimed in ASKED:
        for n_readers in (1, 2, 4, 9, 30, 80):
            reached = claims.claim(claimed, n_readers, agreement, n_cases).reached
            assert claims.is_possible(claimed, n_readers, agreement, n_cases) == (reached >= claims.POSSIBLE)


def test_more_is_supported_of_larger_claims_more_readers_and_more_agreement() -> None:
    """Ranges do not fall with the claim, nor ceilings with readers or agreement."""
    for n_readers in (1, 3, 30):
        found = [claims.claim(claimed, n_readers) for claimed in np.linspace(0, 1, 21)]
        assert all(
            one.low <= other.low + 0.005 and one.high <= other.high + 0.005 for one, other in pairwise(found)
        )
    by_readers = [claims.claim(1.0, n) for n in (1, 2, 3, 5, 10, 20, 50, 100)]
    assert all(
        one.ceiling_low < other.ceiling_low and one.ceiling_high < other.ceiling_high
        for one, other in pairwise(by_readers)
    )
    by_agreement = [claims.claim(0.9, 5, agreement) for agreement in claims.AGREEMENTS]
    assert all(
        one.ceiling_low < other.ceiling_low and one.high <= other.high
        for one, other in pairwise(by_agreement)
    )


def test_who_names_every_label_kept_has_the_ceiling() -> None:
    """The range of a claim of 100 % is that of the best possible model, and no other ends above it."""
    for n_readers in (3, 30):
        most = claims.claim(1.0, n_readers)
        assert (most.low, most.high) == pytest.approx((most.ceiling_low, most.ceiling_high), abs=0.015)
        for claimed in ASKED:
            found = claims.claim(claimed, n_readers)
            assert found.low <= found.ceiling_low
            assert found.high <= found.ceiling_high


@pytest.mark.parametrize("agreement", [0.4, 0.75, 0.95, 0.97, 0.99, 1.0])
def test_readers_agree_as_often_as_is_set(agreement: float) -> None:
    """Counted over pairs of a hundred simulated readings of each case."""
    simulated = claims._problem(agreement)
    label = tour_proof.read_by(simulated, 100).label.reshape(-1, 100)
    counts = (label[:, :, None] == np.arange(3)).sum(axis=1)
    assert (counts * (counts - 1)).sum() / (150 * 100 * 99) == pytest.approx(agreement, abs=0.015)


def test_the_tour_s_own_agreement_is_the_one_written() -> None:
    """At first the cases are those of the tour."""
    assert claims._problem(claims.AGREEMENT).study.fingerprint == TOY.study.fingerprint


def test_the_ends_of_each_range_have_an_answer() -> None:
    """Both of them, of all four numbers."""
    for inside in ((0, 1, 0.4, 20), (1, 100, 1.0, 10_000)):
        claims.claim(*inside)


@pytest.mark.parametrize(
    ("claimed", "n_readers", "agreement", "n_cases"),
    [
        (1.1, 3, 0.6, 150),
        (-0.1, 3, 0.6, 150),
        (0.9, 0, 0.6, 150),
        (0.9, 101, 0.6, 150),
        (0.9, 3, 0.3, 150),
        (0.9, 3, 1.01, 150),
        (np.nan, 3, 0.6, 150),
        (0.9, 3, 0.6, 19),
        (0.9, 3, 0.6, 10_001),
    ],
)
def test_what_cannot_be_is_refused(claimed: float, n_readers: int, agreement: float, n_cases: int) -> None:
    """A share beyond all, too few or many readers or cases, and agreement that three labels do not have."""
    with pytest.raises(ValueError, match="must lie between"):
        claims.claim(claimed, n_readers, agreement, n_cases)


@pytest.mark.parametrize(
    ("claimed", "high", "excess", "grade"),
    [
        (0.81, 0.814, 0.0, "possible"),
        (0.814, 0.814, 0.4, "unproved"),
        (0.925, 0.81, 11.5, "unproved"),
        (0.995, 0.997, 0.0, "possible"),
        (1.0, 0.997, 0.1, "unproved"),
        (1.0, 1.0, 0.0, "possible"),
        (0.684, 0.81, 0.0, "less"),
    ],
)
def test_a_claim_to_a_tenth_is_compared_with_the_range_as_it_is_written(
    claimed: float, high: float, excess: float, grade: str
) -> None:
    """Of 81.4 % beside 69 to 81 % nobody reads that it lies within."""
    found = claims.Claim(claimed, 3, 0.6, 150, 0.69, high, 0.73, 1.0, 0.79, 0.5)
    assert (found.excess, found.grade) == (excess, grade)
