"""The labels that a case is between, with the readings that put each first, alone, or name it at all."""

from __future__ import annotations

import math
from dataclasses import replace

import pytest
from small_study import small_study

from core.analysis.cases.case import Case, is_known, open_case, plausibility_table
from core.analysis.cases.contenders import (
    LATER_PLACES,
    MOST_ROWS,
    OTHER_PLACES,
    contenders,
    later_words,
    others_words,
    unlisted_words,
)
from core.analysis.cases.headline import headline
from core.plausibility.settings import Aggregation, default_aggregation
from core.study.model import Study

RACE = Aggregation("plackett-luce", 1.0)


def rows(case: Case) -> dict[str, tuple[int, int, int]]:
    """First, alone and named of each label."""
    table = contenders(case, headline(case))
    return dict(
        zip(table["label"], zip(table["first"], table["alone"], table["named"], strict=True), strict=True)
    )


def ranked(*readings: str, risk: str = "", gamma: float = 1.0) -> Case:
    """A case with these differentials of the labels a to j."""
    study, task = small_study("ranking", "abcdefghij", [list(readings)], risk=risk)
    return open_case(study, task, RACE.at(gamma), 0)


def test_readings_are_counted_by_hand() -> None:
    """A is first in four, tied in one of them; b is first in that one alone; c, of high risk, never."""
    case = ranked("a b", "ab c", "a", "a c", risk="LMHLLLLLLL")
    assert rows(case) == {"a": (4, 3, 4), "b": (1, 0, 2), "c": (0, 0, 2)}
    table = contenders(case, headline(case))
    assert table["is_leader"].tolist() == [True, False, False]
    assert f"leads in {table['leads'].iloc[0]} of 100" in headline(case).sentence


def test_what_most_readings_put_first_stands_beside_what_leads() -> None:
    """B leads, for all name it; a is put first most often."""
    case = ranked("a b", "a b", "b", "b", "b a", "a c", "c b")
    assert {"a", "b"} <= set(rows(case))
    quiet = ranked("a b", "a c b", "d b", "e b a", "f b")
    assert set(rows(quiet)) >= {"b", "a"}


def test_without_doubt_no_truths_are_counted() -> None:
    """A point estimate leads in all or none."""
    table = contenders(*(lambda case: (case, headline(case)))(ranked("a b", "b", gamma=math.inf)))
    assert table["leads"].isna().all()
    assert table["first"].tolist() == [1, 1]


def test_danger_that_never_leads_is_in_sight() -> None:
    """Named once, in the last place, where doubt is switched off."""
    assert rows(ranked("a b c d", "a b", gamma=math.inf, risk="LLMHLLLLLL"))["d"] == (0, 0, 1)


@pytest.mark.parametrize("n", [MOST_ROWS, MOST_ROWS + 2])
def test_of_very_many_tied_labels_the_first_are_shown(n: int) -> None:
    """The others are named in a line of their own, and it is said how often they lead."""
    case = ranked(*"abcdefghij"[:n])
    table = contenders(case, headline(case))
    assert len(table) == MOST_ROWS
    left = 100 * (1 - table["share"].sum())
    assert others_words(table) == (f"Other labels lead in about {left:.0f} of 100" if left > 1 else "")


def test_what_one_reading_puts_first_alone_is_in_sight() -> None:
    """However rarely it leads."""
    assert "j" in rows(ranked("a b", "a c", "a d", "bcd a", "j"))


@pytest.mark.parametrize("gamma", [0.5, 1.0, 3.0])
def test_no_label_is_left_out_that_leads_more_often_than_one_that_is_shown(
    dermatology: Study, gamma: float
) -> None:
    """In no case of the sample, the published one among them; they stand in that order, and are few."""
    task = next(iter(dermatology.tasks.values()))
    aggregation = default_aggregation(task).at(gamma)
    for index in [*range(40), dermatology.case_ids.index("stutz-2025-fig-5")]:
        case = open_case(dermatology, task, aggregation, index)
        if not is_known(case):
            continue
        table = contenders(case, headline(case))
        all_of = plausibility_table(case)
        assert table["label"].tolist() == all_of["label"].tolist()[: len(table)]
        assert table["leads"].is_monotonic_decreasing
        assert len(table) <= MOST_ROWS


def test_a_label_that_fewer_put_first_and_that_leads_more_often_is_explained() -> None:
    """Named second by all, b leads more often than the c and d that one puts first each; a leads alone."""
    case = ranked("a b", "a b", "c b", "d b")
    table = contenders(case, headline(case)).set_index("label")
    assert table.loc["b", "leads"] > table.loc["c", "leads"]
    assert later_words(table) == LATER_PLACES
    plain = ranked("a", "a", "a", "b", "b", "c")
    assert later_words(contenders(plain, headline(plain))) == ""


def test_of_labels_named_alike_one_may_lead_far_more_often(dermatology: Study) -> None:
    """Granuloma and SCC are put first by one each and named by two; of what is chance nothing is said."""
    task = next(iter(dermatology.tasks.values()))
    index = dermatology.case_ids.index("derm-132")
    case = open_case(dermatology, task, default_aggregation(task).at(2.0), index)
    table = contenders(case, headline(case))
    of = table.set_index("label").loc[["Pyogenic granuloma", "SCC/SCCIS"]]
    assert of[["first", "alone", "named"]].nunique().eq(1).all()
    assert of["leads"].iloc[0] - of["leads"].iloc[1] > 20
    assert later_words(table) == OTHER_PLACES
    close = table.assign(leads=range(30, 30 - len(table), -1), first=1, alone=1, named=2)
    assert later_words(close) == ""


def test_no_danger_that_may_lead_is_left_to_the_other_labels(dermatology: Study) -> None:
    """A melanoma that nobody puts first and that leads in 3 of 100 has its row, behind likelier dangers."""
    task = next(iter(dermatology.tasks.values()))
    case = open_case(dermatology, task, RACE.at(2.0), dermatology.case_ids.index("derm-132"))
    table = contenders(case, headline(case)).set_index("label")
    high = plausibility_table(case).query("risk == 'H' and leads >= 0.02")["label"]
    assert {"Basal Cell Carcinoma", "SCC/SCCIS", "Melanoma"} <= set(high)
    assert set(high) <= set(table.index)
    assert table.loc["Melanoma", "first"] == 0


def test_what_leads_between_two_that_are_shown_is_shown(dermatology: Study) -> None:
    """Melanocytic nevus leads more often than two labels that a reading puts first alone."""
    task = next(iter(dermatology.tasks.values()))
    index = dermatology.case_ids.index("stutz-2025-fig-5")
    case = open_case(dermatology, task, default_aggregation(task), index)
    table = contenders(case, headline(case))
    assert table["label"].tolist()[1:4] == ["Melanoma", "Melanocytic Nevus", "Pyogenic granuloma"]
    left = 100 * (1 - table["share"].sum())
    assert 0 < left < 2
    assert others_words(table) == "", "no more than rounding would leave"


def test_scores_and_what_nobody_read_have_no_such_labels() -> None:
    """Scores name none."""
    study, task = small_study("score", "", [[4.0, 6.0]])
    case = open_case(study, task, Aggregation("gaussian", 1.0), 0)
    assert contenders(case, headline(case)).empty
    assert not rows(ranked())


def test_labels_that_are_named_and_never_first_are_said_dangers_first() -> None:
    """One that more readings name before others; of more than three the number; none that has a row."""
    case = ranked("a b c d e f g", "a b e", "a b", "a", "a", risk="LLLLLMHLLL")
    said = replace(headline(case), labels=headline(case).labels.head(0))
    words = unlisted_words(case, said, contenders(case, said).head(1).assign(label="a"))
    assert words == "Named, but never first: g (high risk), b, e and 3 more"
    table = contenders(case, headline(case))
    others = unlisted_words(case, headline(case), table).partition(": ")[2]
    assert others
    assert not set(table["label"]) & set(others.replace(" (high risk)", "").split(", "))
    few = ranked("a b", "b a")
    assert unlisted_words(few, headline(few), contenders(few, headline(few))) == ""


def test_of_choices_every_label_is_first() -> None:
    """And of scores nothing is named; nor in a case that nobody read."""
    study, task = small_study("choice", "abc", [list("aab"), []])
    for index in (0, 1):
        case = open_case(study, task, Aggregation("label-counts", 1.0), index)
        assert unlisted_words(case, headline(case), contenders(case, headline(case))) == ""


def test_a_label_that_is_first_only_in_a_tie_is_not_left_out_without_a_word(dermatology: Study) -> None:
    """Of the published case: one of three that a reading ties for first, and none of the others names."""
    task, index = next(iter(dermatology.tasks.values())), dermatology.case_ids.index("stutz-2025-fig-5")
    case = open_case(dermatology, task, RACE, index)
    said = headline(case)
    words = unlisted_words(case, said, contenders(case, said))
    assert words.startswith("Named, but never first: ")
    assert words.endswith("; first only in a tie: Skin Tag")


def test_a_label_that_one_reader_puts_first_is_not_left_out_without_a_word(dermatology: Study) -> None:
    """Of the same case: trusted more, the readings leave that label further behind than a row reaches."""
    task, index = next(iter(dermatology.tasks.values())), dermatology.case_ids.index("stutz-2025-fig-5")
    case = open_case(dermatology, task, RACE.at(2.0), index)
    words = unlisted_words(case, headline(case), contenders(case, headline(case)))
    assert words.startswith("Also put first: Angiokeratoma of skin. Named, but never first: ")
