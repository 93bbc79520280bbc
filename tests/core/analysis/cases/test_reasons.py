"""Reasons for uncertainty are differences of certainties that can be had otherwise."""

from __future__ import annotations

import math
import re
from dataclasses import replace

import numpy as np
import pytest
from scipy.stats import beta
from small_study import small_study

from core.analysis.cases.case import Case, open_case
from core.analysis.cases.outcome import (
    BREAKS,
    CHANGES,
    TIES_ANOTHER,
    Outcome,
    change_between,
    leads_of,
    smallest,
)
from core.analysis.cases.reasons import (
    DISAGREEMENT,
    EQUAL_ESTIMATE,
    EXACT_TIE,
    FEW_READINGS,
    LONG_LISTS,
    POINT_ESTIMATE,
    RELIABILITY,
    TIES,
    reasons,
)
from core.analysis.cases.what_if import WhatIf, apply
from core.plausibility.aggregate import LABEL_COUNT_ALPHA, aggregate_readings
from core.plausibility.settings import Aggregation
from core.study.model import Study

COUNTS = Aggregation("label-counts", 1.0)


def strengths(case: Case) -> dict[str, float]:
    """Points by reason."""
    table = reasons(case)
    return dict(zip(table["reason"], table["strength"], strict=True))


def sentence(case: Case, reason: str) -> str:
    """Sentence of one reason."""
    return str(reasons(case).set_index("reason").loc[reason, "sentence"])


def percent(share: float) -> str:
    """As it is written."""
    return f"{100 * share:.0f}"


def leads(a: int, b: int, gamma: float = 1.0) -> float:
    """P(the first of two labels leads) for counts of choices: a Beta distribution beyond one half."""
    return float(beta.sf(0.5, gamma * a + LABEL_COUNT_ALPHA, gamma * b + LABEL_COUNT_ALPHA))


def test_label_counts_against_the_beta_distribution() -> None:
    """Two labels, three votes to two: every reason in closed form."""
    study, task = small_study("choice", "ab", [["a", "b", "a", "b", "a"]])
    case = open_case(study, task, COUNTS, 0)
    now = leads(3, 2)
    expected = {
        DISAGREEMENT: leads(5, 0) - now,
        FEW_READINGS: leads(6, 4) - now,
        RELIABILITY: 1 - now,
    }
    assert list(strengths(case)) == list(expected)
    assert strengths(case) == pytest.approx({k: 100 * v for k, v in expected.items()}, abs=1e-5)
    assert sentence(case, FEW_READINGS) == (
        f"Twice as many readings, 10 that say the same: a {percent(now)} → {percent(leads(6, 4))} of 100; "
        f"two more: {percent(now)} → {percent(leads(3, 2, 7 / 5))}."
    )
    assert sentence(case, DISAGREEMENT) == (
        f"2 of 5 readings do not put a first; if all did: a {percent(now)} → {percent(leads(5, 0))} of 100."
    )


@pytest.mark.parametrize("model", ["label-counts", "plackett-luce"])
def test_doubling_the_readings_is_doubling_the_reliability(model: str) -> None:
    """Where readings are counted, each of them twice is the same as twice the trust in each."""
    study, task = small_study("choice", "abc", [["a", "a", "b"]])
    case = open_case(study, task, Aggregation(model, 1.5), 0)
    trusted = [
        float(
            aggregate_readings(
                study, task, replace(case.aggregation.at(gamma), draws=20000), case.readings, ["case 0"]
            ).certainty(1)[0]
        )
        for gamma in (1.5, 3.0)
    ]
    gained = 100 * (trusted[1] - trusted[0])
    assert strengths(case)[FEW_READINGS] == pytest.approx(gained, abs=1e-6 if model == "label-counts" else 3)


def test_an_exact_tie_is_not_settled_by_trust() -> None:
    """One vote each: no reliability takes certainty beyond one half, and the sentence says why."""
    study, task = small_study("choice", "abc", [["a", "b"], ["a", "b", "c"]])
    for index, limit in ((0, 1 / 2), (1, 1 / 3)):
        case = open_case(study, task, COUNTS, index)
        now = float(case.posterior.certainty(1)[0])
        near = open_case(study, task, COUNTS.at(1000.0), index).posterior.certainty(1)[0]
        assert near == pytest.approx(limit, abs=1e-3)
        assert strengths(case)[RELIABILITY] == pytest.approx(100 * (limit - now), abs=1e-6)
        assert sentence(case, RELIABILITY).endswith("; the tie stays.")
        assert reasons(case)["reason"].iloc[0] == EXACT_TIE
    case = open_case(study, task, COUNTS, 0)
    gained = 100 * (_three_labels(2, 1) - _three_labels(1, 1))
    assert strengths(case)[EXACT_TIE] == pytest.approx(gained, abs=0.2)
    assert sentence(case, EXACT_TIE).startswith(
        "The readings tie exactly between a and b. Trusting them more cannot decide it; another reading can. "
        "One that puts a first: a leads alone, in "
    )
    assert "between a and b and c." in sentence(open_case(study, task, COUNTS, 1), EXACT_TIE)
    assert EXACT_TIE not in strengths(open_case(*small_study("choice", "abc", [["a", "b", "a"]]), COUNTS, 0))


def test_an_exact_tie_within_a_wider_one_says_how_many_tie() -> None:
    """Where draws do not tell a third label from two that tie exactly, one count holds for all sentences."""
    study, task = small_study("choice", "abc", [list("aabbc")])
    case = open_case(study, task, COUNTS, 0)
    case.__dict__["leaders"] = frozenset({0, 1, 2})
    assert sentence(case, EXACT_TIE).startswith(
        "The readings tie exactly between a and b; the others of the 3 labels that lead are too "
        "close to tell. Trusting the readings more cannot decide it"
    )


def _three_labels(a: int, b: int) -> float:
    """P(the first of three labels leads) by drawing gammas: votes a, b and none, under label counts."""
    shape = np.array([a, b, 0]) + LABEL_COUNT_ALPHA
    drawn = np.random.default_rng(0).gamma(shape, size=(4_000_000, 3))
    return float((drawn.argmax(axis=1) == 0).mean())


def test_ties_and_long_lists_are_those_of_changed_readings() -> None:
    """The same as opening a case that was read without ties, and one that was cut after first places."""
    study, task = small_study(
        "ranking", "abcd", [["ab c", "a b", "cd a"], ["a b c", "a b", "c d a"], ["ab", "a", "cd"]]
    )
    aggregation = Aggregation("prirn", 5.0)
    case = open_case(study, task, aggregation, 0)
    now, broken, first = (open_case(study, task, aggregation, i).posterior.certainty(1)[0] for i in range(3))
    order = [task.labels[k] for k in case.order]
    assert order.index("a") < order.index("b")
    assert order.index("c") < order.index("d")
    found = strengths(case)
    assert found[TIES] == pytest.approx(100 * (broken - now), abs=1e-6)
    assert found[LONG_LISTS] == pytest.approx(100 * (first - now), abs=1e-6)
    assert "2 of 3 readings tie labels" in sentence(case, TIES)
    assert "2.7 on average" in sentence(case, LONG_LISTS)


def test_a_reader_who_lists_the_leader_lower_moves_it_up() -> None:
    """Disagreement is measured with the leader in front and the rest as it was."""
    study, task = small_study("ranking", "abcd", [["a", "ab c", "d a", "bc"]])
    agreed, same = small_study("ranking", "abcd", [["a", "ab c", "a d", "a bc"]])
    aggregation = Aggregation("prirn", 8.0)
    case = open_case(study, task, aggregation, 0)
    assert case.order[0] == 0
    gained = (
        open_case(agreed, same, aggregation, 0).posterior.certainty(1)[0] - case.posterior.certainty(1)[0]
    )
    assert strengths(case)[DISAGREEMENT] == pytest.approx(100 * gained, abs=1e-6)
    assert "2 of 4 readings do not put a first" in sentence(case, DISAGREEMENT)


def test_prirn_says_that_it_does_not_count_readings() -> None:
    """More of the same change nothing there, so few readings are no reason; reliability is."""
    study, task = small_study("ranking", "abc", [["a b", "b a", "a"]])
    case = open_case(study, task, Aggregation("prirn", 4.0), 0)
    assert FEW_READINGS not in strengths(case)
    assert "does not count readings" in sentence(case, RELIABILITY)
    same, doubled = small_study("ranking", "abc", [["a b", "b a", "a"] * 2])
    again = open_case(same, doubled, Aggregation("prirn", 4.0), 0)
    assert again.posterior.certainty(1)[0] == pytest.approx(case.posterior.certainty(1)[0], abs=1e-9)


def test_scores_scatter() -> None:
    """Without scatter the side is surer; a mean on the threshold stays open."""
    study, task = small_study("score", "", [[4.0, 9.0, 6.0], [6.0, 6.0], [4.0, 6.0]])
    aggregation = Aggregation("gaussian", 1.0)
    case = open_case(study, task, aggregation, 0)
    assert strengths(case)[DISAGREEMENT] > 1
    assert "scatter from 4 to 9, 2 of 3 at the threshold or above" in sentence(case, DISAGREEMENT)
    assert set(strengths(open_case(study, task, aggregation, 1))) == {FEW_READINGS, RELIABILITY}
    tied = open_case(study, task, aggregation, 2)
    now = float(tied.posterior.certainty(1)[0])
    assert strengths(tied)[RELIABILITY] == pytest.approx(100 * (0.5 - now))
    assert sentence(tied, RELIABILITY).endswith(
        "the mean score lies on the threshold; a point estimate counts it as 5 or above."
    )


def test_nothing_is_claimed_where_nothing_is_known(dermatology: Study) -> None:
    """A point estimate has one line that says so; a case without readings has none."""
    task = next(iter(dermatology.tasks.values()))
    for aggregation in (Aggregation("irn"), Aggregation("plackett-luce", math.inf)):
        assert strengths(open_case(dermatology, task, aggregation, 3)) == {POINT_ESTIMATE: 0.0}
    off = WhatIf(frozenset(range(int(task.readings.per_case[3]))))
    case = open_case(
        dermatology, task, Aggregation("prirn", 5.0), 3, readings=apply(dermatology, task, 3, off)
    )
    assert reasons(case).empty


@pytest.mark.parametrize(
    ("aggregation", "readings", "words"),
    [
        (
            COUNTS.point,
            "aabb",
            "The readings tie exactly between a and b. Trusting them more cannot decide it",
        ),
        (Aggregation("majority"), "abcd", "tie exactly between a and b and c and 1 more. Trusting"),
        (COUNTS.point, "aab", "no doubt about which label leads: choose a finite reliability to see it."),
        (Aggregation("majority"), "aab", "leads: choose a model that has a reliability to see it."),
    ],
)
def test_a_point_estimate_says_whether_there_is_doubt(
    aggregation: Aggregation, readings: str, words: str
) -> None:
    """Of an exact tie nobody says that no doubt is left."""
    study, task = small_study("choice", "abcd", [list(readings)])
    case = open_case(study, task, aggregation, 0)
    assert words in sentence(case, POINT_ESTIMATE)
    assert ("no doubt" in sentence(case, POINT_ESTIMATE)) == (case.posterior.certainty(1)[0] == 1)


@pytest.mark.parametrize("model", ["plackett-luce", "prirn"])
def test_reasons_of_a_real_sample_hold_together(dermatology: Study, model: str) -> None:
    """Strongest first, reliability last with all that is missing, percentages as the case has them."""
    task = next(iter(dermatology.tasks.values()))
    for index in range(0, 300, 60):
        case = open_case(dermatology, task, Aggregation(model, 2.0), index)
        table = reasons(case)
        assert table["reason"].iloc[-1] == RELIABILITY
        ranked = table["strength"][table["reason"] != EXACT_TIE].iloc[:-1]
        assert (np.diff(ranked) <= 0).all()
        now = case.posterior.certainty(1)[0]
        assert table["sentence"].str.contains(percent(now), regex=False).all()
        hardly = table["sentence"].str.contains("stays at about") & ~table["sentence"].str.contains("→")
        assert (table.loc[hardly, "strength"].abs() < smallest(case)).all()
        assert (table.loc[hardly, "points"] == 0).all()


@pytest.mark.parametrize("model", ["label-counts", "plackett-luce"])
def test_points_are_those_between_the_numbers_that_are_said(model: str) -> None:
    """Who reckons 26 % less 16 % finds what stands beside it."""
    kind = "choice" if model == "label-counts" else "ranking"
    cases = [list("aab"), list("aabc"), list("abcd"), list("aabbc"), list("abbbcc")]
    study, task = small_study(kind, "abcd", cases)
    found = 0
    for index in range(len(cases)):
        for row in reasons(open_case(study, task, Aggregation(model, 0.7), index)).itertuples():
            numbers = re.search(r"(\d+) → (\d+) of 100", str(row.sentence))
            if numbers:
                found += 1
                assert row.points == int(numbers[2]) - int(numbers[1])
                assert abs(float(row.points) - float(row.strength)) <= 1
    assert found > 5


def test_a_change_of_the_label_is_named() -> None:
    """First places alone put b before a: certainty is then that of b, and the sentence says so."""
    study, task = small_study("ranking", "abc", [["b a", "c a", "b a", "a"]], risk="LHM")
    case = open_case(study, task, Aggregation("prirn", 8.0), 0)
    row = reasons(case).set_index("reason").loc[LONG_LISTS]
    assert row["effect"] == CHANGES
    now = percent(case.posterior.certainty(1)[0])
    assert re.search(rf": b \(high risk\) leads in \d+ of 100, not a in {now}\.$", row["sentence"])
    others = reasons(case).set_index("reason")["effect"].drop(LONG_LISTS)
    assert (others == "").all()


@pytest.mark.parametrize(
    ("leaders", "words", "effect"),
    [
        ({0, 1}, "raise the certainty of a or b (tied) from 40 to 60 of 100", ""),
        ({1}, "let b (high risk) lead alone, in 60 rather than 40 of 100", BREAKS),
        ({2}, "let c (medium risk) lead in 60 of 100, not a or b (tied) in 40", CHANGES),
        (
            {0, 1, 2},
            "let a (low risk) or b (high risk) or c (medium risk) (tied) lead in 60 of 100",
            TIES_ANOTHER,
        ),
    ],
)
def test_what_becomes_of_tied_labels_is_said(leaders: set[int], words: str, effect: str) -> None:
    """They stay, one of them wins, another one does, or more are tied."""
    study, task = small_study("choice", "abc", [["a", "b", "a", "b", "c"]], risk="LHM")
    case = open_case(study, task, COUNTS, 0)
    now = float(case.posterior.certainty(1)[0])
    assert case.leaders == {0, 1}
    same = frozenset({0, 1})
    change = change_between(case, Outcome(now, same), Outcome(0.6, frozenset(leaders)))
    assert change.words.startswith(words.replace("40", percent(now)))
    assert change.effect == effect
    assert change.points == pytest.approx(100 * (0.6 - now))


def test_a_label_that_wins_a_tie_is_compared_with_itself(dermatology: Study) -> None:
    """Labels tie within what chance moves: certainty is that of the one ahead, not of the one that wins."""
    (task,) = dermatology.tasks.values()
    case = open_case(
        dermatology, task, Aggregation("plackett-luce", 2.0), dermatology.case_ids.index("derm-044")
    )
    assert len(case.leaders) == 2
    said = [re.search(r": (.+?)(?: \(.*\))? leads alone, in \d+ rather than (\d+) of 100", sentence)
            for sentence in reasons(case)["sentence"]]  # fmt: skip
    won = [(found[1], int(found[2])) for found in said if found]
    own = leads_of(case.posterior, sorted(case.leaders))[0]
    assert {name for name, _ in won} == {task.labels[code] for code in case.leaders}
    assert all(before == round(100 * own[task.labels.index(name)]) for name, before in won)


@pytest.mark.parametrize(("case_id", "limit"), [("stutz-2025-fig-5", 1.0), ("derm-132", 0.5)])
def test_the_limit_is_one_whatever_the_reliability(dermatology: Study, case_id: str, limit: float) -> None:
    """It is the point estimate; draws of two lengths are not mixed."""
    task, index = next(iter(dermatology.tasks.values())), dermatology.case_ids.index(case_id)
    for gamma in (0.25, 1.0, 5.0):
        case = open_case(dermatology, task, Aggregation("plackett-luce", gamma), index)
        now = float(case.posterior.certainty(1)[0])
        assert now + strengths(case)[RELIABILITY] / 100 == pytest.approx(limit, abs=1e-12)


def test_a_tie_with_a_dangerous_label_is_not_explained_as_the_harmless_one(dermatology: Study) -> None:
    """What other readings would make of the tie is named, with its risk; what ties is said."""
    task, index = next(iter(dermatology.tasks.values())), dermatology.case_ids.index("derm-132")
    table = reasons(open_case(dermatology, task, Aggregation("plackett-luce", 1.0), index))
    table = table.set_index("reason")
    assert table.loc[[EQUAL_ESTIMATE, LONG_LISTS, DISAGREEMENT], "effect"].tolist() == [BREAKS] * 3
    for reason in (EQUAL_ESTIMATE, LONG_LISTS, DISAGREEMENT):
        assert ": Basal Cell Carcinoma (high risk) leads alone, in " in table.loc[reason, "sentence"]
    assert table.loc[EQUAL_ESTIMATE, "sentence"].startswith(
        "The point estimate makes Basal Cell Carcinoma (first in 2 readings) and Pyogenic granuloma "
        "(first in 1 reading) equal, as all places of a reading count."
    )


def test_only_readings_that_treat_labels_alike_tie_exactly(dermatology: Study) -> None:
    """The point estimate of derm-044 is equal, but one reader puts the one beside a wart, one before it."""
    task, index = next(iter(dermatology.tasks.values())), dermatology.case_ids.index("derm-044")
    case = open_case(dermatology, task, Aggregation("plackett-luce", 2.0), index)
    table = reasons(case).set_index("reason")
    assert EXACT_TIE not in table.index
    assert table.index[0] == EQUAL_ESTIMATE
    said = table.loc[EQUAL_ESTIMATE, "sentence"]
    assert "tie exactly" not in said
    leads = dict(zip(case.plausibilities["label"], case.plausibilities["leads"], strict=True))
    nevus, melanoma = (f"{100 * leads[name]:.0f}" for name in ("Melanocytic Nevus", "Melanoma"))
    assert nevus != melanoma
    assert {*re.findall(r"they lead in (\d+) and (\d+) of 100", said)[0]} == {nevus, melanoma}
    study, small = small_study("ranking", "abc", [["a b", "b a", "a c", "b c"], ["a b", "b a", "a c", "b"]])
    race = Aggregation("plackett-luce", 2.0)
    alike, unlike = (reasons(open_case(study, small, race, index))["reason"].iloc[0] for index in (0, 1))
    assert alike == EXACT_TIE
    assert unlike != EXACT_TIE


def test_reasons_are_short(dermatology: Study) -> None:
    """A line or two of each, but for a tie that needs explaining, with the numbers before and after."""
    task, index = next(iter(dermatology.tasks.values())), dermatology.case_ids.index("stutz-2025-fig-5")
    table = reasons(open_case(dermatology, task, Aggregation("plackett-luce", 1.0), index))
    assert table["sentence"].str.len().max() <= 105
    assert table["sentence"].str.contains(" of 100", regex=False).all()
