"""Leave-one-out agreement against a plain loop, by hand, and on public data."""

from dataclasses import replace

import numpy as np
import pytest
from small_study import small_study

from core.metrics.certainty import top_certainty
from core.metrics.estimate import mean_over_cases
from core.plausibility.dirichlet import prirn
from core.plausibility.reading_agreement import (
    leave_one_out_agreement,
    rater_agreement,
    reading_agreement,
    share_a_first_label,
)


def _loop(cases):
    """Agreement by summing the others' weights anew for every reading, in exact multiples of 1/2520."""
    values = []
    for case in cases:
        scores = []
        for left_out, blocks in enumerate(case):
            weight = {}
            for other in case[:left_out] + case[left_out + 1 :]:
                for b, block in enumerate(other):
                    for y in block:
                        weight[y] = weight.get(y, 0) + 2520 // (b + 1)
            first = {y for y in weight if weight[y] == max(weight.values())}
            scores.append(bool(first & {y for block in blocks for y in block}))
        values.append(np.mean(scores) if len(case) > 1 else np.nan)
    return np.array(values)


def test_by_hand(readings_of):
    """Two agree, the third names their label second; then two who share nothing; then one alone."""
    cases = [[[[0]], [[0], [1]], [[2], [0]]], [[[0]], [[1]]], [[[3]]]]
    assert leave_one_out_agreement(readings_of(cases)).tolist()[:2] == [1, 0]
    assert np.isnan(leave_one_out_agreement(readings_of(cases))[2])
    assert reading_agreement(readings_of([[[[0]], [[0]], [[1]]]])).tolist() == [1, 1, 0]


def test_any_of_the_tied_first_labels_counts(readings_of):
    """The others tie 0 and 1 in first place: naming either is agreement."""
    assert reading_agreement(readings_of([[[[1]], [[0, 1]], [[2]]]])).tolist() == [1, 1, 0]


def test_random_readings_agree_with_the_loop(readings_of):
    """Ties across different sums of fractions included (1/2 + 1/2 = 1, 1/2 + 1/3 + 1/6 = 1)."""
    generator = np.random.default_rng(3)

    def differential():
        labels = generator.permutation(6)[: generator.integers(1, 7)]
        cuts = np.sort(generator.choice(len(labels) + 1, generator.integers(0, 4)))
        return [part.tolist() for part in np.split(labels, cuts) if len(part)]

    cases = [[differential() for _ in range(generator.integers(1, 8))] for _ in range(400)]
    assert leave_one_out_agreement(readings_of(cases)) == pytest.approx(_loop(cases), nan_ok=True)


def test_raters_by_hand(readings_of):
    """Rater 0 agrees once in two, 1 once in one, 2 reads alone, 3 never agrees, 4 reads nothing."""
    readings = replace(
        readings_of([[[[0]], [[0], [1]]], [[[2]], [[1]]], [[[3]]]]), rater=np.array([0, 1, 0, 3, 2], np.int32)
    )
    values = rater_agreement(readings, 5)
    assert values[[0, 1, 3]].tolist() == [0.5, 1, 0]
    assert np.isnan(values[[2, 4]]).all()


def test_no_readings_at_all(readings_of):
    """Cases without a reading are undefined."""
    assert np.isnan(leave_one_out_agreement(readings_of([[], []]))).all()


def test_published_agreement_on_dermatology(release):
    """.704 over the 1,922 cases with more than one reader (Stutz 2025, app. E)."""
    estimate = mean_over_cases(leave_one_out_agreement(release))
    assert estimate.value == pytest.approx(0.704, abs=0.0005)
    assert estimate.n_cases == 1922


def test_agreement_follows_certainty_on_dermatology(release, plackett_luce_draws):
    """Correlation .864 with Plackett–Luce certainty, .897 of that with PrIRN's (Stutz 2025, app. E)."""
    certainty = top_certainty(plackett_luce_draws)
    dirichlet = top_certainty(prirn(release, 419, gamma=30, ties="full"))
    agreement = leave_one_out_agreement(release)
    shared = ~np.isnan(agreement)
    assert np.corrcoef(agreement[shared], certainty[shared])[0, 1] == pytest.approx(0.864, abs=0.005)
    assert np.corrcoef(certainty, dirichlet)[0, 1] == pytest.approx(0.897, abs=0.005)


@pytest.mark.parametrize("seed", range(5))
def test_all_share_a_first_label_where_counting_says_so(seed: int) -> None:
    """By sets, of random differentials; of choices it is an agreement of 1; of one reading it is not said."""
    rng = np.random.default_rng(seed)
    said = []
    for _ in range(80):
        readings = []
        for _ in range(rng.integers(0, 4)):
            labels = rng.permutation(list("abcd"))[: rng.integers(1, 5)]
            first = "".join(labels[: rng.integers(1, len(labels) + 1)])
            rest = "".join(one for one in labels if one not in first)
            readings.append(f"{first} {rest}".strip())
        said.append(readings)
    _, task = small_study("ranking", "abcd", said)
    expected = [
        len(of) > 1 and bool(set.intersection(*(set(one.split(" ")[0]) for one in of))) for of in said
    ]
    assert share_a_first_label(task.readings).tolist() == expected
    assert 0 < sum(expected) < sum(len(of) > 1 for of in said)
    _, choices = small_study("choice", "abcd", [[one[0] for one in of] for of in said])
    agreed = leave_one_out_agreement(choices.readings)
    np.testing.assert_array_equal(share_a_first_label(choices.readings), agreed == 1)


def test_readers_who_only_name_what_others_put_first_do_not_share_a_first_label() -> None:
    """Three first choices, each of which the others name further down."""
    _, task = small_study("ranking", "abc", [["a b c", "b c a", "c a b"], ["ab", "b c", "ab"]])
    assert leave_one_out_agreement(task.readings).tolist() == [1, 1]
    assert share_a_first_label(task.readings).tolist() == [False, True]
