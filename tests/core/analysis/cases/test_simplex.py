"""Plausible truths on the simplex of the leading labels, and what chosen ones have in common."""

from __future__ import annotations

import math
from collections import Counter

import numpy as np
import pytest
from small_study import small_study

from core.analysis.cases.case import ANY_OTHER, Case, open_case, plausibility_table
from core.analysis.cases.chosen import chosen_truths
from core.analysis.cases.simplex import ELSEWHERE, OTHER_LABELS, others, simplex_of
from core.plausibility.settings import Aggregation

PREDICTIONS = {
    "sure": [[0.7, 0.2, 0.1, 0.0, 0.0, 0.0]],
    "torn": [[0.4, 0.4, 0.1, 0.1, 0.0, 0.0]],
    "odd": [[0.0, 0.0, 0.0, 0.0, 0.0, 1.0]],
}


def case_of(*readings: str, model: str = "label-counts", reliability: float = 1.0) -> Case:
    """A case with readings of the labels a to f, of which c is of high risk, judged by three models."""
    study, task = small_study("choice", "abcdef", [list(readings)], risk="LMHLLL", predictions=PREDICTIONS)
    return open_case(study, task, Aggregation(model, reliability), 0)


def test_shares_are_those_of_the_labels() -> None:
    """Labels in the order of leading; with the others all add up to 1; means are the posterior's."""
    case = case_of(*"aaabbcd")
    simplex = simplex_of(case, 3)
    assert simplex is not None
    assert simplex.labels == ("a", "b", "c")
    assert simplex.risk == ("L", "M", "H")
    # Dirichlet of counts and one half for each of six labels: (3.5, 2.5, 1.5, 1.5, 0.5, 0.5) of 10.
    np.testing.assert_allclose(simplex.mean, [0.35, 0.25, 0.15])
    assert others(simplex.mean) == pytest.approx(0.25)
    np.testing.assert_allclose(simplex.point, np.array([3, 2, 1]) / 7)
    np.testing.assert_allclose(simplex.leads, plausibility_table(case)["leads"].head(3))
    value, rest = case.draws.draws.value, case.draws.draws.rest
    np.testing.assert_allclose(others(simplex.share), value[3] + rest[0], atol=1e-6)


def test_a_plausible_danger_has_a_corner() -> None:
    """In place of the last of those that lead most often; without doubt, or hardly plausible, it has none."""
    case = case_of(*"aaabbbdddcc")
    three, four = simplex_of(case, 3), simplex_of(case, 4)
    assert three is not None
    assert four is not None
    assert plausibility_table(case).set_index("label")["leads"]["c"] >= 0.05
    assert list(case.order[:3]) == [0, 1, 3], "it does not lead as often as these"
    assert sorted(three.labels) == ["a", "b", "c"]
    assert three.danger == four.danger == ()
    for readings, reliability in (("aaabbbdddcc", math.inf), ("aaaaabbbbdddc", 1.0)):
        simplex = simplex_of(case_of(*readings, reliability=reliability), 3)
        assert simplex is not None
        assert sorted(simplex.labels) == ["a", "b", "d"]
        assert simplex.danger == ()


def test_corners_stay_while_the_reliability_moves() -> None:
    """Whoever leads most: b is in more first places, d in more readings."""
    study, task = small_study("ranking", "abcdef", [["b d", "b d", "b d", "c d", "a d"]])
    cases = [open_case(study, task, Aggregation("plackett-luce", gamma), 0) for gamma in (1.0, 3.0, 30.0)]
    found = [simplex_of(case, 4) for case in cases]
    assert len({"".join(task.labels[k] for k in case.order) for case in cases}) > 1
    assert len({of.labels for of in found if of is not None}) == 1


def test_leader_of_a_draw_is_the_largest_of_all_labels() -> None:
    """Also where that is a label which the simplex does not show, or one that nobody mentioned."""
    case = case_of(*"abcde")
    simplex = simplex_of(case, 3)
    assert simplex is not None
    value = case.draws.draws.value
    first = value.argmax(axis=0)
    is_mentioned = value.max(axis=0) > case.draws.draws.rest[0]
    expected = np.where((first < 3) & is_mentioned, first, ELSEWHERE)
    np.testing.assert_array_equal(simplex.leader, expected)
    assert (expected == ELSEWHERE).mean() > 0.3
    table = simplex.table
    assert len(table) == len(value.T) + 2
    np.testing.assert_allclose(table[["a", "b", "c", OTHER_LABELS]].sum(axis=1), 1)
    assert table["leading label"].eq(ANY_OTHER).sum() == (expected == ELSEWHERE).sum()


@pytest.mark.parametrize(("readings", "n"), [("ab", 3), ("abc", 4), ("", 3)])
def test_no_simplex_of_too_few_labels(readings: str, n: int) -> None:
    """As many labels have to be mentioned as the picture has corners."""
    assert simplex_of(case_of(*readings), n) is None


def test_point_estimate_is_a_single_draw() -> None:
    """At the limit of reliability, all marks are in one place."""
    simplex = simplex_of(case_of(*"aaabbc", reliability=np.inf), 3)
    assert simplex is not None
    np.testing.assert_allclose(simplex.share, [simplex.point])
    np.testing.assert_allclose(simplex.mean, simplex.point)


def test_chosen_truths_are_counted_by_leader() -> None:
    """Who leads in them, as counting by hand says, and which models' first label that is."""
    case = case_of(*"aaabbc")
    value, rest = case.draws.draws.value, case.draws.draws.rest
    chosen = [i for i in range(40) if value[:, i].max() > rest[0, i]]
    by_hand = Counter("abc"[value[:, i].argmax()] for i in chosen)
    common = chosen_truths(case, chosen)
    assert common is not None
    assert (common.n, common.of) == (len(chosen), 300)
    assert dict(zip(common.leaders["label"], common.leaders["truths"], strict=True)) == dict(by_hand)
    assert common.leaders["truths"].is_monotonic_decreasing
    right = dict(zip(common.models["model"], common.models["right"], strict=True))
    assert right == pytest.approx({"sure": by_hand["a"], "torn": (by_hand["a"] + by_hand["b"]) / 2, "odd": 0})
    leads = f"a leads in {by_hand['a']}, b in {by_hand['b']} and c, high risk, in {by_hand['c']}."
    who, which = common.sentences
    assert who == f"In the {len(chosen)} chosen truths {leads}"
    assert which.startswith("If one of them is the truth, the first label of sure is right in ")
    assert which.endswith(" and odd in 0\u00a0%.")


def test_unmentioned_labels_are_one_row() -> None:
    """A model that puts one of them first is right in its part of these truths."""
    case = case_of(*"abc")
    leader = case.draws.leaders(1)[0, :, 0]
    chosen = np.flatnonzero(leader < 0)
    common = chosen_truths(case, chosen)
    assert common is not None
    assert common.leaders.to_numpy().tolist() == [[ANY_OTHER, "", len(chosen)]]
    assert common.models["right"].tolist() == pytest.approx([len(chosen) / 3, 0, 0])
    assert common.models["model"].iloc[0] == "odd"


def test_a_single_truth_and_none() -> None:
    """One truth has one leader; nothing chosen, or what is no draw, has nothing in common."""
    case = case_of(*"aaabbc")
    common = chosen_truths(case, [7, 7])
    assert common is not None
    assert common.leaders["truths"].tolist() == [1]
    assert chosen_truths(case, []) is None
    assert chosen_truths(case, [-1, 300]) is None
    assert chosen_truths(case_of(), [0]) is None


def test_labels_that_are_numbers_are_quoted_in_words() -> None:
    """A label is not taken for a count of truths."""
    study, task = small_study("choice", "123", [list("112")])
    common = chosen_truths(open_case(study, task, Aggregation("label-counts", 1000.0), 0), range(300))
    assert common is not None
    assert common.sentences == (
        "In the 300 chosen truths “1” always leads. Mean shares: “1” 67\u00a0%, “2” 33\u00a0%.",
        "In these, “2” comes second in 300.",
        "“1” leads in 100 of 100 truths that the picture shows, and in 100 of 100 altogether.",
    )


@pytest.mark.parametrize("model", ["label-counts", "plackett-luce"])
def test_truths_that_one_label_leads_say_what_else_they_share(model: str) -> None:
    """That it leads in all of them is no news: shares and seconds are, and of how many they are shown."""
    case = case_of(*"aaabbc", model=model)
    draws = case.draws.draws
    value = draws.value
    # Where no label that nobody named can be the second.
    chosen = np.flatnonzero((value.argmax(axis=0) == 0) & (value[1:].max(axis=0) > draws.rest[0]))
    common = chosen_truths(case, chosen)
    assert common is not None
    mean = draws.value[:, chosen].mean(axis=1)
    assert common.shares.set_index("label")["share"][list("abc")].tolist() == pytest.approx(mean, rel=1e-5)
    seconds = Counter(value[1:, chosen].argmax(axis=0).tolist())
    found = dict(zip(common.seconds["label"], common.seconds["truths"], strict=True))
    assert found == {"bc"[k]: n for k, n in seconds.items()}
    who, second, shown, right = common.sentences
    assert who.startswith(f"In the {len(chosen)} chosen truths a always leads. Mean shares: a ")
    assert second == f"In these, b comes second in {found['b']} and c, high risk, in {found['c']}."
    assert right.startswith("If one of them is the truth, the first label of sure is right in 100")
    exact = plausibility_table(case)["leads"].iloc[0]
    drawn = float((case.draws.leaders(1)[0, :, 0] == 0).mean())
    assert shown == (
        f"a leads in {100 * drawn:.0f} of 100 truths that the picture shows, and in "
        f"{100 * exact:.0f} of 100 altogether."
    )
