"""Whether an answer hangs on one reading is what opening the case without each of them says."""

from __future__ import annotations

import math
import re
from dataclasses import replace

import numpy as np
import pytest
from scipy.optimize import brentq
from scipy.stats import beta
from small_study import small_study

from core.analysis.cases.beside import tied_words
from core.analysis.cases.case import Case, open_case
from core.analysis.cases.danger_hanging import DANGER, MOVED, RISES, SAFETY, dangers
from core.analysis.cases.hanging import (
    ALL,
    ANOTHER,
    MOST_ROWS,
    NO_LABEL,
    ONLY,
    SEVERAL,
    Hanging,
    Row,
    Share,
    _range,
    _shown,
    hanging,
)
from core.analysis.cases.left_out import MOST_LEFT_OUT, left_out
from core.analysis.cases.settle import settle
from core.analysis.reliability.words import TIE_COUNTS, tie_words
from core.plausibility.settings import Aggregation, default_aggregation
from core.study.model import Study

COUNTS, RACE = Aggregation("label-counts", 1.0), Aggregation("plackett-luce", 1.0, draws=4000)


def opened(*cases: str, aggregation: Aggregation = COUNTS, labels: str = "abc", risk: str = "") -> list[Case]:
    """Cases with these readings, one letter each, of the raters A to J."""
    study, task = small_study("choice", labels, [list(case) for case in cases], risk=risk)
    return [open_case(study, task, aggregation, index) for index in range(len(cases))]


def ranked(*readings: str, gamma: float = 1.0, risk: str = "") -> Case:
    """A case of six labels with these differentials under Plackett–Luce."""
    study, task = small_study("ranking", "abcdef", [list(readings)], risk=risk)
    return open_case(study, task, RACE.at(gamma), 0)


def of(case: Case) -> Hanging:
    """What is said of a case."""
    found = hanging(case, left_out(case))
    assert found is not None
    return found


def begun(said: str, of: str = "") -> str:
    """A sentence of what a case hangs on; ``of`` counts readers that are each named alone."""
    return f"Depends on {of}: {said}." if of else f"{said[0].upper()}{said[1:]}."


def leads(case: Case) -> int:
    """How often the leading label leads, of 100."""
    return round(100 * float(case.posterior.certainty(1)[0]))


def test_a_lead_of_one_reading_hangs_on_either_that_gives_it() -> None:
    """Two of three: without one of the two, both labels have one."""
    case = opened("aab", labels="ab")[0]
    now = leads(case)
    rows = (
        Row(ALL, (Share("a", "", f"{now}"),), Share("b", "", f"{100 - now}"), ""),
        Row("A or B", (Share("a", "", "50"), Share("b", "", "50")), None, ""),
    )
    assert of(case) == Hanging(begun(f"without A or without B, {NO_LABEL}"), "", rows, 0, frozenset({0, 1}))


def test_both_labels_are_told_with_the_reading_and_without_it() -> None:
    """As the case has them, and as the case has that lacks the reading, here one of b that counts most."""
    study, task = small_study("choice", "ab", [["a", "a", "b"], ["a", "a"]])
    task = replace(task, readings=replace(task.readings, confidence=np.array([0.3, 0.3, 1.0, 0.3, 0.3])))
    weighed = replace(COUNTS, confidence="weights")
    case, without = (open_case(study, task, weighed, index) for index in range(2))
    now, then = leads(case), leads(without)
    rows = (
        Row(ALL, (Share("b", "", f"{now}"),), Share("a", "", f"{100 - now}"), ""),
        Row("C", (Share("a", "", f"{then}"),), Share("b", "", f"{100 - then}"), ""),
    )
    assert of(case) == Hanging(begun("without C, a leads", "one reader"), "", rows, 0, frozenset({2}))


def test_readings_that_would_each_put_another_label_first_are_all_told(dermatology: Study) -> None:
    """Two of three would in this case of the sample; without the third two labels tie."""
    task = next(iter(dermatology.tasks.values()))
    case = open_case(dermatology, task, default_aggregation(task), dermatology.case_ids.index("derm-145"))
    found, without = of(case), left_out(case)
    assert without is not None
    others = [one.leaders for one in without.without if one.leaders.isdisjoint(case.leaders)]
    assert len(set(others)) == 3
    assert found.head == (
        "Without R05 or without R20, another label leads; without R06, no label clearly leads; "
        "without R05, danger falls from 36 to 16 of 100."
    )
    first, *rows = found.rows
    assert first == Row(ALL, (Share("Psoriasis", "M", "29"),), Share("Cellulitis", "H", "21"), "36")
    assert rows[0] == Row("R05", (Share("Eczema", "M", "45"),), Share("Psoriasis", "M", "26"), "16")
    assert [row.without for row in rows] == ["R05", "R20", "R06"]
    assert [row.n_tied for row in rows] == [1, 2, 1]
    # The one that comes next, whether it led before or not.
    assert rows[1].then == Share("Stasis Dermatitis", "M", "20")
    assert {of.label for of in rows[2].leads} == {"Eczema", "Cellulitis"}


def test_a_lead_of_two_readings_hangs_on_none() -> None:
    """The least and the most are those of the case without an a, and without the b."""
    case, least, most = opened("aaab", "aab", "aaa")
    words = f"Whichever reader is left out, a still leads, in {leads(least)} to {leads(most)} of 100."
    assert of(case) == Hanging("", words)


def test_a_tie_that_one_reading_breaks_is_no_answer_that_hangs() -> None:
    """None of the labels that tie loses the lead to one that did not tie; danger hangs on every reading."""
    said = "Whichever reader is left out, one of the same labels leads"
    assert of(opened("aabb")[0]) == Hanging("", f"{said}.")
    low, high = (round(100 * beta.sf(0.5, b + 0.5, a + 0.5)) for a, b in ((2, 1), (1, 2)))
    how = f"{DANGER.format('C or without D', 50, low)}; without A or without B, it rises to {high}"
    found = of(opened("aabb", labels="ab", risk="LH")[0])
    assert found.head == begun(how)
    assert [(row.without, row.high_risk) for row in found.rows[1:]] == [
        ("C or D", f"{low}"),
        ("A or B", f"{high}"),
    ]
    all_of = "all of them are high-risk"
    assert of(opened("aabb", risk="HH")[0]) == Hanging("", f"{said}; {all_of}.")


def _two_labels(without: str, danger: int) -> Row:
    """A harmless label a, and b that is all danger there is."""
    return Row(without, (Share("a", "L", f"{100 - danger}"),), Share("b", "H", f"{danger}"), f"{danger}")


def test_danger_hangs_on_the_reading_that_names_it() -> None:
    """Label counts of two labels are a Beta distribution: P(b > a) is its upper half."""
    (case,) = opened("aaab", labels="ab", risk="LH")
    now, without = (round(100 * beta.sf(0.5, n + 0.5, 3.5)) for n in (1, 0))
    assert (now, without) == (16, 3)
    most = round(100 * beta.sf(0.5, 1.5, 2.5))
    both = f"{DANGER.format('D', now, without)}; without any one of A, B or C, it rises to {most}"
    assert of(case) == Hanging(
        begun(both),
        "",
        (_two_labels(ALL, now), _two_labels("D", without), _two_labels("A, B or C", most)),
        0,
        frozenset(range(4)),
    )


def test_safety_may_hang_on_a_reading_too() -> None:
    """Each counting twice, any of three that see no danger halves it, more than the one that sees it does."""
    study, task = small_study("choice", "ab", [list("aaab")], risk="LH")
    now, without = (round(100 * beta.sf(0.5, 2.5, 2 * n + 0.5)) for n in (3, 2))
    assert without > 2 * now
    rises = SAFETY.format("any one of A, B or C", now, without)
    found = of(open_case(study, task, COUNTS.at(2.0), 0))
    assert found.head == begun(f"{rises}; without D, it falls to fewer than 1")
    assert found.rows[:2] == (_two_labels(ALL, now), _two_labels("A, B or C", without))
    assert found.readings == frozenset(range(4))


@pytest.mark.parametrize("gamma", [1.0, math.inf])
def test_a_tie_of_three_outweighs_a_single_label(gamma: float) -> None:
    """One reader names a alone, another ties b, c and d: these lead, and a does without that reading."""
    found = of(ranked("a", "bcd", gamma=gamma))
    assert found.head == begun("without B, a leads", "one reader")
    with_all, without = found.rows
    assert without.without == "B"
    assert without.n_tied == 3
    assert [of.label for of in without.leads] == ["a"]
    assert {of.label for of in with_all.leads} == set("bcd")
    assert all(bool(of.often) == math.isfinite(gamma) for row in found.rows for of in row.leads)
    assert (without.then is None) == math.isinf(gamma)


def test_lead_and_danger_may_hang_on_different_readings() -> None:
    """Without a reader of a it is b that leads; without the one who ties c, d and e, danger is much less."""
    found = of(ranked("f", "cde", "a", "a b", "b", risk="LLHHHM"))
    every, *_, last = found.rows
    ends = [int(row.high_risk) for row in found.rows]
    most = rf"is {min(ends)} to \d+, and another label may lead"
    assert re.fullmatch(rf"{SEVERAL} danger, now {every.high_risk} of 100, {most}\.", found.head)
    assert last.without == "B"
    assert last.n_tied == 3
    assert last.high_risk
    assert len(found.rows) == 1 + len(found.readings)


def test_the_tie_is_not_divided() -> None:
    """By hand: b maximises 6(1 − 3b)b³/((1 − b)(1 − 2b)), and is larger than a = 1 − 3b."""
    slope = brentq(lambda b: -3 / (1 - 3 * b) + 3 / b + 1 / (1 - b) + 2 / (1 - 2 * b), 0.01, 0.33)
    case = ranked("a", "bcd", gamma=math.inf)
    mean = dict(zip(case.point.candidates.label.tolist(), case.point.mean.candidate.tolist(), strict=True))
    assert [mean[code] for code in (1, 2, 3)] == pytest.approx([slope] * 3, abs=1e-4)
    assert mean[0] == pytest.approx(1 - 3 * slope, abs=1e-4)
    assert mean[0] < 0.19 < 0.27 < mean[1]
    drawn = ranked("a", "bcd")
    top = dict(
        zip(drawn.posterior.candidates.label.tolist(), drawn.posterior.top1.candidate.tolist(), strict=True)
    )
    assert min(top[code] for code in (1, 2, 3)) > top[0] + 0.05


def test_ties_are_spoken_of_where_they_are_not_divided() -> None:
    """Under Plackett–Luce alone, and only where a reading ties labels."""
    tied, single = ranked("a", "bcd", "b cd"), ranked("a", "b c")
    assert tied_words(tied).startswith("2 of 3 readings tie labels. A tie is not divided among its labels: ")
    assert tied_words(tied).endswith("(this is how the Plackett–Luce model counts).")
    assert tied_words(single) == ""
    assert tie_words(tied.task, RACE) == TIE_COUNTS
    assert tie_words(single.task, RACE) == ""
    assert tie_words(tied.task, Aggregation("prirn", 10.0)) == ""
    study, task = tied.study, tied.task
    assert tied_words(open_case(study, task, Aggregation("irn"), 0)) == ""


def test_nothing_is_said_where_nothing_can_be_left_out() -> None:
    """A single reading is all there is; of very many each matters little."""
    labels = "abcdefghijklmnop"
    one, many, none = opened("a", labels[: MOST_LEFT_OUT + 1], "", labels=labels)
    assert of(one) == Hanging(ONLY, "")
    for case in (many, none):
        assert left_out(case) is None
        assert hanging(case, None) is None


def test_of_many_readings_those_that_say_the_same_weigh_the_same() -> None:
    """Seven against six, whoever they are, and however sure, where that counts for nothing."""
    said = of(opened("abababababaab", labels="ab")[0])
    assert said.head == begun(f"without any one of 7 readings, {NO_LABEL}")
    (row,) = said.rows[1:]
    assert row == Row("any one of 7", (Share("a", "", "50"), Share("b", "", "50")), None, "")


def test_of_many_lines_the_first_are_shown() -> None:
    """Six readers of a, each surer than the last; of the others the number is said."""
    study, task = small_study("choice", "ab", [list("aaaaaabbbbbb")])
    sure = np.array([0.5, 0.6, 0.7, 0.8, 0.9, 1.0, *[0.74] * 6])
    task = replace(task, readings=replace(task.readings, confidence=sure))
    said = of(open_case(study, task, replace(COUNTS, confidence="weights"), 0))
    assert said.head == begun("without any one of 6 readings, b leads")
    assert len(said.rows) == MOST_ROWS + 1
    assert said.n_more == 2
    assert len(said.readings) == MOST_ROWS


def test_readings_that_weigh_otherwise_are_told_apart() -> None:
    """One sure of a and one unsure of it against one of b: without the sure one b leads."""
    study, task = small_study("choice", "ab", [["a", "a", "b"]])
    confidence = np.array([1.0, 0.1, 0.8])
    task = replace(task, readings=replace(task.readings, confidence=confidence))
    weighed = open_case(study, task, replace(COUNTS, confidence="weights"), 0)
    row = of(weighed).rows[1]
    assert row.without == "A"
    assert row.leads[0].label == "b"


def test_scores_hang_on_an_outlier() -> None:
    """Two below the threshold of 5, one far above it."""
    study, task = small_study("score", "", [[4.0, 4.0, 20.0]])
    found = of(open_case(study, task, Aggregation("gaussian", 1.0).point, 0))
    rows = (
        Row(ALL, (Share("5 or above", "", ""),), None, ""),
        Row("C", (Share("below 5", "", ""),), None, ""),
    )
    assert found == Hanging(begun("without C, below 5 leads", "one reader"), "", rows, 0, frozenset({2}))


def test_many_that_tie_are_counted() -> None:
    """Four of one level, each as often as the others."""
    (case,) = opened("aabcd", labels="abcd", risk="LLLL")
    row = of(case).rows[1]
    assert row.leads == (Share("4 labels", "L", "25"),)


def test_what_is_known_already_changes_nothing() -> None:
    """What would settle a case is the same, given what its readings weigh or not."""
    for case in opened("aab", "abc", risk="LHM"):
        given, found = settle(case, left_out(case)), settle(case)
        assert given is not None
        assert found is not None
        assert given.table.equals(found.table)
        assert given.action == found.action


def test_rows_say_who_leads_then_and_name_every_reading_that_moves_danger_far(dermatology: Study) -> None:
    """Of two labels that tie one leads without a reading; another moves danger as far, the other way."""
    task = next(iter(dermatology.tasks.values()))
    case = open_case(dermatology, task, RACE.at(2.0), dermatology.case_ids.index("derm-153"))
    said = of(case)
    every, without_r19, without_r05 = said.rows
    falls = DANGER.format("R19", every.high_risk, without_r19.high_risk)
    both = f"{falls}; without R05, it rises to {without_r05.high_risk}"
    assert said.head == begun(both, "two readers")
    assert [one.label for one in every.leads] == ["Melanoma", "Melanocytic Nevus"]
    assert (without_r19.without, without_r05.without) == ("R19", "R05")
    assert [one.label for one in without_r19.leads] == ["Melanocytic Nevus"]
    assert without_r19.then is not None
    assert without_r19.then.label == "Melanoma"
    assert [one.label for one in without_r05.leads] == ["Melanoma"]
    danger = [int(row.high_risk) for row in said.rows]
    assert danger[1] < danger[0] / 2
    assert danger[2] >= danger[0] + 20


def test_where_danger_hangs_on_another_reading_than_the_answer_both_are_said(dermatology: Study) -> None:
    """Once for R02 and R06, of which both are so; R07 alone takes most danger away."""
    task = next(iter(dermatology.tasks.values()))
    case = open_case(dermatology, task, RACE.at(2.0), dermatology.case_ids.index("derm-298"))
    said = of(case)
    answer = begun(f"without R02 or without R06, {ANOTHER}").removesuffix(".")
    danger = {row.without: int(row.high_risk) for row in said.rows}
    assert abs(danger["R02"] - danger["R06"]) < 4
    rises = RISES.format(danger[ALL], f"(about )?{max(danger['R02'], danger['R06'])}")
    falls = f"without R07, it falls to {danger['R07']}"
    assert re.fullmatch(rf"{answer}, and {rises}; {falls}\.", said.head), said.head
    assert danger["R07"] < danger[ALL] / 2 < danger["R02"]


@pytest.mark.parametrize("case_id", ["derm-063", "derm-031", "derm-050", "derm-085", "derm-113", "derm-172"])
def test_no_row_moves_danger_far_of_which_the_sentence_says_nothing(dermatology: Study, case_id: str) -> None:
    """Each reader of such a row is named where the sentence speaks of danger, with where it moves to."""
    task = next(iter(dermatology.tasks.values()))
    case = open_case(dermatology, task, RACE.at(2.0), dermatology.case_ids.index(case_id))
    said = of(case)
    every, *rows = said.rows
    clauses = [part for part in said.head.split("; ") if re.search(r"to (about |between )?\d+", part)]
    far = [row for row in rows if abs(int(row.high_risk) - int(every.high_risk)) > 20]
    assert far
    if said.head.startswith(SEVERAL):
        # Of many the sentence says how far danger moves at the most; the rows say who moves it.
        low, high = map(int, re.findall(r"is (\d+) to (\d+), and", said.head)[0])
        assert all(low <= int(row.high_risk) <= high for row in rows)
        assert {low, high} & {int(row.high_risk) for row in rows}
        return
    for row in far:
        for rater in re.findall(r"R\d+", row.without):
            (clause,) = (part for part in clauses if rater in part)
            low, *high = (
                int(n) for n in re.findall(r"\d+", clause.rpartition(" to ")[2].partition(" of ")[0])
            )
            assert low - 4 <= int(row.high_risk) <= (high or [low])[0] + 4, clause


@pytest.mark.parametrize(
    ("case_id", "words"),
    [
        (
            "derm-031",
            r", and danger falls from \d+ to between \d+ and \d+ of 100; without R04, it rises to \d+",
        ),
    ],
)
def test_readings_of_the_answer_that_move_danger_one_way_are_named_once(
    dermatology: Study, case_id: str, words: str
) -> None:
    """With a range, where it moves further without one than without the other."""
    task = next(iter(dermatology.tasks.values()))
    case = open_case(
        dermatology, task, Aggregation("plackett-luce", 2.0), dermatology.case_ids.index(case_id)
    )
    head = of(case).head
    assert re.search(words, head), head
    assert len(re.findall(r"R\d+", head)) == len(set(re.findall(r"R\d+", head)))


@pytest.mark.parametrize("case_id", ["derm-044", "derm-132"])
def test_danger_that_moves_far_behind_a_tie_has_rows(dermatology: Study, case_id: str) -> None:
    """No single reading brings another label than those that tie, but danger is far from firm."""
    task = next(iter(dermatology.tasks.values()))
    case = open_case(
        dermatology, task, Aggregation("plackett-luce", 2.0), dermatology.case_ids.index(case_id)
    )
    without = left_out(case)
    assert without is not None
    before, after = dangers(case, without)
    assert len(case.leaders) == 2
    said = hanging(case, without)
    assert said is not None
    assert said.sentence == ""
    assert {after.index(min(after)), after.index(max(after))} <= said.readings
    danger = [int(row.high_risk) for row in said.rows]
    assert danger[0] == pytest.approx(100 * before, abs=1)
    assert (min(danger), max(danger)) == pytest.approx((100 * min(after), 100 * max(after)), abs=1)
    assert max(danger) - min(danger) >= 40


def test_who_moves_danger_most_is_listed_and_named(dermatology: Study) -> None:
    """In Stutz’s figure S5 alone takes danger from 38 to 20, though the answer hangs on S3 and S6."""
    task = next(iter(dermatology.tasks.values()))
    index = dermatology.case_ids.index("stutz-2025-fig-5")
    case = open_case(dermatology, task, Aggregation("plackett-luce", 2.0), index)
    without = left_out(case)
    assert without is not None
    before, after = dangers(case, without)
    moved = [abs(then - before) for then in after]
    assert moved.index(max(moved)) == 4
    assert max(moved) < MOVED
    said = of(case)
    assert [row.without for row in said.rows] == [ALL, "S3", "S6", "S5"]
    assert [int(row.high_risk) for row in said.rows] == pytest.approx([38, 53, 46, 20], abs=1)
    assert re.search(r"; without S5, (danger|it) falls (from \d+ )?to (19|20|21)\b", said.head), said.head
    told = settle(case, without, said.readings)
    assert told is not None
    assert not told.table["head"].str.contains("S5").any(), "nothing is said twice"


def test_who_moves_danger_most_has_a_row_though_room_is_short() -> None:
    """Without any of six unlike readers of a it is b that leads; of these the last moves danger most."""
    study, task = small_study("choice", "ab", [list("aaaaaabbbbbb")], risk="LH")
    sure = np.array([0.5, 0.6, 0.7, 0.8, 0.9, 1.0, *[0.74] * 6])
    task = replace(task, readings=replace(task.readings, confidence=sure))
    case = open_case(study, task, replace(COUNTS, confidence="weights"), 0)
    without = left_out(case)
    assert without is not None
    before, after = dangers(case, without)
    moved = [abs(then - before) for then in after]
    said = of(case)
    assert said.n_more > 0
    assert len(said.rows) == MOST_ROWS + 1
    assert moved.index(max(moved)) in said.readings


def test_most_is_told_of_rows_without_room() -> None:
    """Of five rows the last, which moves danger most, stands in place of the fourth."""
    case = opened("aaaabbbbb", labels="ab", risk="LH")[0]
    without = left_out(case)
    assert without is not None
    rows = [(_two_labels(f"{place}", place), [place]) for place in range(5)]
    far = without._replace(
        without=(*without.without[:4], replace(without.without[4], high_risk=0.0), *without.without[5:])
    )
    assert [which for _, which in _shown(case, far, rows)] == [[0], [1], [2], [4]]


@pytest.mark.parametrize(
    ("shares", "words"),
    [
        ([0.2, 0.4], "20 to 40"),
        ([0.3, 0.301], "30"),
        ([0.001, 0.2], "at most 20"),
        ([0.8, 0.999], "80 to 99"),
        ([0.001, 0.999], "at most 99"),
        ([0.999, 0.9991], "99"),
    ],
)
def test_a_range_is_said_by_the_end_that_says_something(shares: list[float], words: str) -> None:
    """Of an end that is nearly none only the other one is told."""
    assert _range(shares) == words


def test_a_reading_that_makes_a_tie_is_told_beside_those_that_change_the_label(dermatology: Study) -> None:
    """Without R16, or R22, another label leads; without R08 three tie, and the likeliest stands first."""
    task = next(iter(dermatology.tasks.values()))
    # As many draws as the page has: with more, no three of them tie.
    counted = Aggregation("plackett-luce", 2.0)
    case = open_case(dermatology, task, counted, dermatology.case_ids.index("derm-113"))
    said = of(case)
    # Too much for a sentence: it says between what danger moves, and the rows have each reading.
    assert said.head.startswith(SEVERAL)
    assert said.head.endswith("and another label may lead.")
    assert [row.without for row in said.rows[1:4]] == ["R16", "R22", "R08"]
    (tied,) = (row for row in said.rows if row.without == "R08")
    assert [one.label for one in tied.leads] == ["Actinic Keratosis", "SCC/SCCIS", "Verruca vulgaris"]
    for row in said.rows:
        led = [int(one.often) for one in row.leads]
        assert led == sorted(led, reverse=True)
        assert row.then is None or int(row.then.often) <= led[0]
