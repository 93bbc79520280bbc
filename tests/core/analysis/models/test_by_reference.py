"""Models judged by the study's own reference beside its readings: by hand, by counting, and in true words."""

from __future__ import annotations

import math
from dataclasses import replace
from typing import Any

import numpy as np
import pandas as pd
import pytest
from small_study import small_study

from core.analysis.models.by_reference import ByReference, by_reference
from core.analysis.models.reference_words import (
    ASK,
    ASK_AGAIN,
    check,
    decide_by,
    in_brief,
    is_for_most,
    lead,
    table_of,
    to_ask,
    worth,
)
from core.analysis.models.supported import supported
from core.plausibility.settings import Aggregation

COUNTS = Aggregation("label-counts", 1.0)
CASES = ["aac", "cc", "bb", "ac", "abc", "c"]


def judged(
    says: dict[str, list[list[float]]],
    references: list[str],
    *,
    risk: str = "LMH",
    coverage: Any = "common",
    aggregation: Aggregation = COUNTS,
) -> Any:
    """Judge models of three labels by references of six cases."""
    study, task = small_study(
        "choice", "abc", [*map(list, CASES)], risk=risk, predictions=says, metadata={"reference": references}
    )
    return supported(study, task, aggregation, coverage=coverage)


def sure(said: str) -> list[list[float]]:
    """Predictions that put all on one label each; a dot is none, a star a tie of the first and last."""
    all_on = {"a": [1.0, 0.0, 0.0], "b": [0.0, 1.0, 0.0], "c": [0.0, 0.0, 1.0]}
    also = {"*": [0.5, 0.0, 0.5], ".": [math.nan] * 3}
    return [(all_on | also)[letter] for letter in said]


def test_by_hand() -> None:
    """Six cases, five references, one tie: right in 3.5 of 5, of two dangers half a one missed."""
    found = judged({"m": sure("acb*ac")}, ["c", "c", "b", "c", "", "a"]).reference
    (row,) = found.table.to_dict("records")
    assert (found.n_cases, found.of) == (5, 6)
    assert (row["names"], row["n"]) == ("m", 5)
    assert row["right"] == pytest.approx(2.5 / 5)
    assert (row["dangers"], row["missed"]) == (3, 1.5)
    # It warns in 1 + 0.5 + 1 cases, of which the last is none.
    assert row["false_alarms"] == pytest.approx(1 / 2.5)


@pytest.mark.parametrize("aggregation", [COUNTS, COUNTS.at(3.0), COUNTS.point])
def test_readings_are_those_of_the_claims_where_all_have_a_reference(aggregation: Aggregation) -> None:
    """The same accuracy, dangers and false warnings as beside the claims, in the same order."""
    says = {"bad": sure("bcaabc"), "good": sure("ccbacc"), "twin": sure("ccbacc")}
    found = judged(says, list("acbcac"), aggregation=aggregation)
    read, table = found.reference.table, found.table
    assert list(read["names"]) == list(table["names"])
    np.testing.assert_allclose(read["right_read"], table["value"], atol=1e-12)
    np.testing.assert_allclose(read["dangers_read"], table["dangers"], atol=1e-12)
    np.testing.assert_allclose(read["missed_read"], table["dangers"] * (1 - table["caught"]), atol=1e-12)
    np.testing.assert_allclose(read["false_alarms_read"], table["false_alarms"], atol=1e-12)


def test_it_is_what_counting_case_by_case_gives() -> None:
    """Of random answers and references, some of which are missing, each model on its own cases."""
    rng = np.random.default_rng(3)
    for _ in range(20):
        answers = rng.choice([*"abc."], size=(2, len(CASES)))
        answers[:, 0] = "c"
        references = ["c", *rng.choice(["a", "b", "c", ""], size=len(CASES) - 1)]
        says = {name: sure("".join(row)) for name, row in zip("mn", answers, strict=True)}
        found = judged(says, references, coverage="own").reference
        rows = {
            names: row for row in found.table.to_dict("records") for names in str(row["names"]).split(" = ")
        }
        for name, row in zip("mn", answers, strict=True):
            if name not in rows:
                continue
            of = [(said, truth) for said, truth in zip(row, references, strict=True) if truth and said != "."]
            told, dangers = rows[name], sum(truth == "c" for _, truth in of)
            assert told["n"] == len(of)
            assert told["right"] == pytest.approx(np.mean([said == truth for said, truth in of]))
            assert told["dangers"] == dangers
            assert told["missed"] == sum(truth == "c" != said for said, truth in of)
            false = np.mean([truth != "c" for said, truth in of if said == "c"])
            assert told["false_alarms"] == pytest.approx(false)


def test_nothing_is_said_without_references_or_of_danger_without_risks() -> None:
    """No row and no word; without risk levels no column of danger."""
    none = judged({"m": sure("acbcac")}, [""] * 6).reference
    assert none.table.empty
    assert (none.n_cases, none.of) == (0, 6)
    assert in_brief(none) == ""
    assert not is_for_most(none)
    plain = judged({"m": sure("acbcac")}, list("acbcac"), risk="").reference
    assert "dangers" not in plain.table
    assert table_of(plain)[0] == ["Model", "Right"]
    said = "By the study’s own reference (6 cases, one answer each), m is right in 100\u00a0%."
    assert in_brief(plain) == f"{said} {decide_by({'': 6})}"


def test_unknown_labels_are_no_reference() -> None:
    """What is no label of the task is as if nothing stood there."""
    found = judged({"m": sure("acbcac")}, ["a", "x", "", "C", "nan", "c"]).reference
    assert (found.n_cases, found.of) == (2, 6)


def of(*rows: dict[str, object], n: int = 9, cases: int = 10) -> ByReference:
    """Models by a reference, as they are told."""
    usual = {"n": n, "dangers": 4.0, "dangers_read": 5.2, "missed": 0.0, "missed_read": 1.4}
    usual |= {"right_read": 0.6, "false_alarms": 0.5, "false_alarms_read": math.nan}
    return ByReference(pd.DataFrame([usual | row for row in rows]), n, cases)


def test_the_sentence_names_the_first_and_what_it_misses() -> None:
    """Of several equal ones how many they are; of one model alone nothing is most often."""
    a, b = {"names": "A", "right": 0.9}, {"names": "B", "right": 0.7, "missed": 2.0}
    start = "By the study’s own reference (9 cases, one answer each), "
    assert in_brief(of(a, b)) == (
        f"{start}A is right most often, in 90\u00a0%, and misses none of 4 dangers."
    )
    assert in_brief(of(a, b), "B") == f"{start}B is right in 70\u00a0%, and misses 2 of 4 dangers."
    assert in_brief(of(a, b | {"right": 0.9})) == f"{start}2 models are right most often, in 90\u00a0%."
    ten = {"dangers": 44.0, "missed": 10.0}
    assert in_brief(of(a | ten)) == f"{start}A is right in 90\u00a0%, and misses 10 of 44 dangers."
    assert in_brief(of(a, b, n=4)) == ""
    assert in_brief(of(a, b, n=5)) != ""
    assert lead(of(a, b)).startswith(
        "The study gives its own answer, a reference, for 9 of 10 cases; all below is about these, about 5 "
        "of them dangerous by the readings. "
    )
    assert "dangerous" not in lead(of(a, b, n=10)), "as many as in all"


@pytest.mark.parametrize(
    ("standards", "said", "asked"),
    [
        ({"": 9}, "How it was established is not stated; unless by readers alone, it outweighs", ASK),
        ({"readers": 9}, "It was established by readers alone, so it may be wrong as readings may.", ""),
        ({"surgery": 9}, "It was established by surgery, so it outweighs these readings.", ASK_AGAIN),
        (
            {"readers": 2, "histology": 5, "": 2},
            "It was established by readers alone in 2, by histology in 5 and in 2 this is not stated; where ",
            ASK_AGAIN,
        ),
        ({}, "How it was established is not stated", ""),
    ],
)
def test_how_references_were_established_says_what_they_are_worth(
    standards: dict[str, int], said: str, asked: str
) -> None:
    """And what to ask for: where readers alone established them, something firmer."""
    assert worth(standards).startswith(said)
    assert to_ask(standards) == asked
    found = replace(of({"names": "A", "right": 0.9}), standards=standards)
    assert worth(standards) in lead(found)
    if found.decides:
        judged = (
            "Judged by the study’s own reference (by surgery, 9 of 10 cases), which outweighs the readings."
        )
        assert in_brief(found) == judged
        return
    by = "by readers alone; " * (set(standards) == {"readers"})
    assert in_brief(found).startswith(f"By the study’s own reference ({by}9 cases, one answer each), A ")
    assert in_brief(found).endswith(decide_by(standards))


@pytest.mark.parametrize(
    ("standards", "words"),
    [
        ({}, ""),
        ({"surgery": 9}, "Where a case has one, it outweighs the readings."),
        ({"surgery": 9, "histology": 2}, "Where a case has one, it outweighs the readings."),
        (
            {"readers": 9},
            "The readings keep all: decide by what the readings support.",
        ),
        ({"": 9}, "Where it is not known to be by more than readers, decide by what the readings support."),
        ({"surgery": 9, "": 2}, "Where it is not known to be by more than readers, decide by what the"),
        ({"surgery": 9, "readers": 2}, "Where it is not known to be by more than readers, decide by"),
    ],
)
def test_by_which_of_both_to_decide_follows_from_how_references_were_made(
    standards: dict[str, int], words: str
) -> None:
    """Two numbers that differ, with no word on which of them counts, are none."""
    assert words in decide_by(standards)
    assert bool(decide_by(standards)) == bool(standards)


def test_the_table_has_both_for_each_model() -> None:
    """What is not known is a dash."""
    heads, rows, read = table_of(of({"names": "A", "right": 0.9}))
    assert heads == ["Model", "Right", "Dangers missed", "False warnings"]
    assert rows == [["A", "90\u00a0%", "0\u00a0of\u00a04", "50\u00a0%"]]
    assert read == [["60\u00a0%", "1\u00a0of\u00a05", "–"]]


def test_the_other_source_is_told_of_in_short() -> None:
    """Whether it puts the same model first, how it was made, of how many cases; no number of a model."""
    a, b = {"names": "A", "right": 0.9}, {"names": "B", "right": 0.7}
    missed = ". By it, A misses none of 4 dangers"
    of_both = replace(of(a, b), standards={"readers": 9})
    how = "The study’s own reference (one answer of readers per case, 9 of 10 cases)"
    assert check(of_both, "A", "A") == f"{how} also puts A first{missed}."
    assert check(of_both, "B", "B") == f"{how} puts A first{missed}."
    alike = replace(of(a, b | {"right": 0.9}, n=10), standards={"": 10})
    read = {"A": "about 1 of 5", "B": "about 2 of 5"}
    count_on = (
        ". But it keeps one answer per case: a danger that only some readers saw is dropped. The readings "
        "keep it: count on about 1 of 5."
    )
    assert check(of_both, "A", "A", read) == f"{how} also puts A first{missed}{count_on}"
    assert check(alike, "A", "A", read) == (
        "The study’s own reference (how it was established is not stated) puts 2 models first alike."
    )
    mixed = replace(of(a, b), standards={"surgery": 4, "": 5})
    assert check(mixed, "A", "A").startswith(
        "The study’s own reference (by surgery, or not stated, 9 of 10 cases) also puts A"
    )
    unsure = ". Until it is known how it was established, count on about 1 of 5."
    assert unsure in check(mixed, "A", "A", read)
    assert "count on" not in check(replace(mixed, standards={"surgery": 9}), "A", "A", read)
    assert check(of(a), "", "") == ""
    assert check(of(a, b, n=4), "A", "A") == ""


def test_references_of_no_case_leave_an_empty_table() -> None:
    """As of a study that has the column alone."""
    study, task = small_study("choice", "abc", [["a"]])
    found = by_reference(study, task, np.array([0]), [])
    assert found.table.empty
    assert ASK.startswith("how the study’s reference was established")
