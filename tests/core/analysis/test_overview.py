"""What a study holds, counted by hand."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest
from scipy import stats
from small_study import small_study

from core.analysis.cases.worklist import worklist
from core.analysis.overview import (
    OTHERS,
    label_spread,
    missing_parts,
    personal_columns,
    range_for_others,
    rater_workload,
    risk_levels_in_words,
    risk_table,
    spread_per_case,
)
from core.analysis.raters.identified import raters_are_identified
from core.plausibility.aggregate import aggregate
from core.plausibility.reading_agreement import leave_one_out_agreement
from core.plausibility.settings import Aggregation
from core.study.model import Study

CASES = [["a b", "ab", "a"], ["c"], [], ["b", "b c"]]
STUDY, TASK = small_study("ranking", "abcd", CASES, risk="LMHL")
LIST = worklist(STUDY, TASK, aggregate(STUDY, TASK, Aggregation("irn")))


def test_cases_by_readings_and_labels() -> None:
    """Leaders a (low), c (high), nobody, b (medium)."""
    rows = {tuple(row) for row in spread_per_case(LIST).itertuples(index=False, name=None)}
    assert rows == {
        ("readings", 0, "", 1),
        ("readings", 1, "high", 1),
        ("readings", 2, "medium", 1),
        ("readings", 3, "low", 1),
        ("labels", 0, "", 1),
        ("labels", 1, "high", 1),
        ("labels", 2, "medium", 1),
        ("labels", 2, "low", 1),
    }


def test_whose_the_risk_levels_are_is_said_and_every_label_is_listed() -> None:
    """High risk first, and of each level those that most readings name; none is cut off, however many."""
    _, task = small_study("ranking", "abcde", [["d c", "d"], ["c d"]], risk="LHHHM")
    whose, levels = risk_levels_in_words(task)
    assert "labels.csv" in whose
    assert levels == "Of 5 labels: high 3, medium 1, low 1."
    assert risk_table(task).to_numpy().tolist() == [
        ["d", "high", 3], ["c", "high", 2], ["b", "high", 0], ["e", "medium", 0], ["a", "low", 0]
    ]  # fmt: skip
    some = replace(task, risk=np.array([0, -1, -1, 0, 0]))
    assert risk_levels_in_words(some)[1] == "Of 5 labels: low 3, unknown 2."
    assert risk_table(some)["risk"].tolist() == ["low"] * 3 + ["unknown"] * 2
    wide = replace(task, labels=tuple(f"label {n}" for n in range(100)), risk=np.full(100, 2), predictions={})
    assert sorted(risk_table(wide)["label"]) == sorted(wide.labels)


def test_labels_and_risks_by_how_often_they_are_named() -> None:
    """Named at all, first (ties too), in how many cases; the rest together."""
    assert label_spread(TASK).to_numpy().tolist() == [
        ["b", "M", 3, 4, 2],
        ["a", "L", 3, 3, 1],
        ["c", "H", 1, 2, 2],
        ["d", "L", 0, 0, 0],
    ]
    short = label_spread(TASK, top=1)
    assert short.to_numpy().tolist() == [["b", "M", 3, 4, 2], [OTHERS, "", 4, 5, 3]]
    assert short.attrs["n_others"] == 3


def test_counts_add_up(dermatology: Study) -> None:
    """Every case, entry and reading is counted once, however the rows are cut."""
    task = next(iter(dermatology.tasks.values()))
    cases = worklist(dermatology, task, aggregate(dermatology, task, Aggregation("prirn", 5)))
    spread = spread_per_case(cases).groupby("quantity")["cases"].sum()
    assert spread.eq(dermatology.n_cases).all()
    for top in (1, 7, 1000):
        table = label_spread(task, top=top)
        assert len(table) == min(top + 1, len(task.labels))
        assert table["named"].sum() == len(task.readings.label)
    workload = rater_workload(dermatology, task)
    assert workload["readings"].sum() == task.readings.n_readings
    mean = np.average(workload["agreement"], weights=workload["readings"])
    per_case = leave_one_out_agreement(task.readings)
    assert mean == pytest.approx(np.average(per_case, weights=task.readings.per_case))


def test_workload_counts_repeats_and_agreement() -> None:
    """Rater B reads case 1 twice and agrees with nobody."""
    study, task = small_study("choice", "ab", [["a", "b", "a"], ["a", "b"]], raters=[[0, 1, 2], [0, 2]])
    table = rater_workload(study, task).set_index("rater")
    assert table["readings"].tolist() == [2, 1, 2]
    assert table.loc["B", "agreement"] == 0.0
    assert table.loc["A", "agreement"] == 0.5
    assert table["repeats"].tolist() == [0, 0, 0]
    study, task = small_study("score", "", [[1.0, 2.0]])
    assert rater_workload(study, task)[["labels", "agreement"]].isna().all(axis=None)


@pytest.mark.parametrize(
    ("cases", "raters", "ids", "identified"),
    [
        ([["a"], ["a", "b"], ["b", "b", "a"]], None, ("reader 1", "reader 2", "reader 3"), False),
        ([["a"], ["a", "b"], ["b", "b", "a"]], None, ("reader-0", "reader-1", "reader-2"), False),
        ([["a"], ["a", "b"], ["b", "b", "a"]], None, ("reader-2", "reader-3", "reader-4"), True),
        ([["a"], ["a", "b"], ["b", "b", "a"]], None, ("Ann", "Bo", "Cem"), True),
        ([["a"], ["a", "b"], ["b", "b", "a"]], [[1], [0, 1], [0, 1, 2]], ("r1", "r2", "r3"), True),
        ([["a", "b"], ["b", "a"]], None, ("r1", "r2"), True),
        ([["a", "b"], ["a", "b"], ["a", "a"]], None, ("r1", "r2"), False),
        ([["a", "b"], ["a", "b", "a"]], None, ("r1", "r2", "r3"), True),
        ([["a", "a"], ["b", "b"]], None, ("r1", "r2"), True),
        ([["a"], ["a", "b"], ["b", "b", "a", "a"]], None, ("r1", "r2", "r3", "Zoe"), False),
        (
            [["a", "a"], ["a", "b", "a"], ["a", "b", "b", "a"]],
            [[1, 2], [1, 2, 0], [1, 2, 3, 0]],
            ("Ada", "r1", "r2", "r3"),
            False,
        ),
        ([["a", "a"], ["a", "b"]], [[0, 1], [0, 2]], ("Ada", "r1", "r2"), True),
    ],
)
def test_raters_numbered_within_each_case_are_no_persons(
    cases: list[list[str]], raters: list[list[int]] | None, ids: tuple[str, ...], identified: bool
) -> None:
    """Position numbers and sorted counts are noticed; a full panel, an arbiter and names are let be."""
    study, task = small_study("choice", "ab", cases, raters=raters, rater_ids=ids)
    assert raters_are_identified(study, task) is identified
    assert rater_workload(study, task).empty is not identified


def test_what_is_missing_and_what_is_not(dermatology: Study, digits: Study, scores: Study) -> None:
    """The digits lack risk alone; a bare study lacks all."""
    digit = next(iter(digits.tasks.values()))
    assert missing_parts(digits, digit)["missing"].tolist() == ["risk levels"]
    diagnosis = next(iter(dermatology.tasks.values()))
    assert "risk levels" not in set(missing_parts(dermatology, diagnosis)["missing"])
    severity = next(iter(scores.tasks.values()))
    assert "risk levels" not in set(missing_parts(scores, severity)["missing"])
    study, task = small_study("choice", "ab", [["a"], ["b"]])
    table = missing_parts(study, task)
    assert len(table) == 5
    assert (table.map(len) > 3).all(axis=None)


def test_a_share_has_its_range() -> None:
    """Wilson's of yes and no, as scipy has it; a narrower one of shares; none of one case."""
    yes = np.repeat([True, False], [90, 10])
    low, high = stats.binomtest(90, 100).proportion_ci(method="wilson")
    assert range_for_others(yes) == f"{100 * low:.0f} to {100 * high:.0f}\u00a0%"
    assert range_for_others(np.linspace(0.8, 1, 100)) == "89 to 91\u00a0%"
    assert range_for_others(np.zeros(50)) == "0 to 7\u00a0%"
    assert range_for_others(np.array([0.25, np.nan])) == ""
    assert range_for_others(np.array([np.nan])) == ""


def test_refusals() -> None:
    """Labels of scores, no labels at all, and risks that nobody gave."""
    with pytest.raises(ValueError, match="score"):
        label_spread(small_study("score", "", [[1.0]])[1])
    with pytest.raises(ValueError, match="top"):
        label_spread(TASK, top=0)


def test_columns_that_may_identify_a_person() -> None:
    """By name or by full dates; sites and ages do not."""
    metadata = {
        "patient_name": ["Ann", "Bo"],
        "visit": ["2020-01-02", "2021-03-04"],
        "site": ["arm", "leg"],
        "age": [40, 50],
    }
    study, _ = small_study("choice", "ab", [["a"], ["b"]], metadata=metadata)
    assert list(personal_columns(study)) == ["patient_name", "visit"]
    assert personal_columns(study)["visit"] == "a full date"
