"""Danger behind the labels is counted under every aggregation, and none is said in words."""

from __future__ import annotations

import math
from dataclasses import replace

import pandas as pd
import pytest
from small_study import small_study

from core.analysis.cases.presets import PRESETS
from core.analysis.cases.worklist import worklist
from core.analysis.danger import Dangers, danger_behind
from core.analysis.risk_words import which_labels
from core.plausibility.aggregate import aggregate
from core.plausibility.settings import Aggregation

COUNTS = Aggregation("label-counts", 1.0)


def found(
    cases: list[str], aggregation: Aggregation, *, risk: str = "LMH"
) -> tuple[Dangers | None, pd.DataFrame]:
    """Danger in cases with readings of the labels a to c, and their worklist."""
    study, task = small_study("choice", "abc", [list(case) for case in cases], risk=risk)
    table = worklist(study, task, aggregate(study, task, aggregation))
    return danger_behind(table, aggregation), table


def listed(dangers: Dangers | None) -> list[tuple[str, tuple[str, ...]]]:
    """What is said of each list, and its cases."""
    assert dangers is not None
    return [(of.words, of.case_ids) for of in dangers.lists]


def test_the_lists_add_up() -> None:
    """Each case stands in one, and their numbers make the one that is said of all."""
    dangers, table = found(["aac", "ac", "cc", "ab", "bc", "aaaaaaaaaaaaa"], COUNTS.at(3.0))
    assert dangers is not None
    assert dangers.total == 4
    assert dangers.words == "4 of 6 cases may be of high risk."
    assert listed(dangers) == [
        ("1 where a high-risk label leads", ("case 2",)),
        ("2 where one ties for the lead", ("case 1", "case 4")),
        ("0 where several lead only together", ()),
        ("1 where one is plausible but does not lead", ("case 0",)),
    ]
    assert dangers.note == ""
    assert dangers.first is not None
    said = f"{len(dangers.first.case_ids)} of these: danger is open, neither ruled out nor certain"
    assert dangers.first.words == said
    assert set(dangers.first.case_ids) < {one for of in dangers.lists for one in of.case_ids}
    for of in (*dangers.lists, dangers.first):
        assert tuple(PRESETS[of.preset].apply(table).index) == of.case_ids


def test_how_many_cases_are_dangerous_on_average() -> None:
    """One that is, one that is not, and one that is in every second plausible truth."""
    dangers, _ = found(["c" * 60, "a" * 60, "ac" * 30], COUNTS.at(3.0))
    assert dangers is not None
    assert dangers.expected == pytest.approx(1.5, abs=0.01)
    two = replace(dangers, expected=1.5)
    assert two.on_average == "Danger is expected in about 2 cases; which ones is unknown."
    assert replace(dangers, expected=1.4).on_average.startswith(
        "Danger is expected in about 1 case; which one is "
    )
    assert replace(dangers, expected=0.2).on_average.startswith("Danger is expected in fewer than 1 case;")
    assert replace(dangers, expected=math.nan).on_average == ""
    known = replace(two, referenced=(1, 3)).on_average
    assert known == "Danger is expected in about 2 cases; by the study’s reference in 1 of 3."
    none = replace(two, referenced=(0, 3)).on_average
    assert none == "Danger is expected in about 2 cases; by the study’s reference in none of 3."
    assert replace(two, total=2).in_short == "2 cases, about 2 expected"
    assert replace(two, total=1, expected=0.2).in_short == "1 case, fewer than 1 expected"
    assert replace(two, total=1, expected=math.nan).in_short == "1 case", "a point estimate expects nothing"


def test_the_study_says_itself_how_many_are_dangerous() -> None:
    """By its references, of the cases that have one that is a label."""
    given = {"reference": ["c", "c", "a", "", "nonsense"]}
    study, task = small_study("choice", "abc", [list("ac")] * 5, risk="LMH", metadata=given)
    dangers = danger_behind(worklist(study, task, aggregate(study, task, COUNTS)), COUNTS)
    assert dangers is not None
    assert dangers.referenced == (2, 3)
    without, _ = found(["ac"] * 5, COUNTS)
    assert without is not None
    assert without.referenced == (0, 0)


def test_a_point_estimate_counts_what_leads() -> None:
    """Nothing else is plausible there: not c in the first case, which a finite reliability finds."""
    cases = ["aac", "ac", "cc", "ab", "bc"]
    for aggregation, other in ((COUNTS.point, "a finite"), (Aggregation("majority"), "a model that has a")):
        dangers, _ = found(cases, aggregation)
        assert dangers is not None
        assert dangers.words.startswith("3 of 5 cases may be of high risk")
        assert math.isnan(dangers.expected), "of one truth there is no average"
        assert listed(dangers) == [
            ("1 where a high-risk label leads", ("case 2",)),
            ("2 where one ties for the lead", ("case 1", "case 4")),
        ]
        assert f"Choose {other} reliability" in dangers.note


def test_none_is_said_and_nothing_where_nothing_is_known() -> None:
    """Silence would read as safety."""
    for aggregation, none in (
        (COUNTS.at(1000.0), "is a high-risk label plausible (5\u00a0% or more)."),
        (COUNTS.point, "does a high-risk label lead."),
    ):
        dangers, _ = found(["aab", "bb"], aggregation)
        assert dangers is not None
        assert dangers.words == f"In none of the 2 cases {none}"
        assert dangers.lists == ()
    assert found(["aac"], COUNTS, risk="")[0] is None
    assert found([""], COUNTS)[0] is None


def test_high_risk_labels_that_lead_together_have_a_list() -> None:
    """Two of high risk share what they have: a leads, and yet the truth is likelier dangerous."""
    dangers, table = found(["aac", "aaaabbbccc", "aaaaa"], COUNTS, risk="LHH")
    assert table["risk"].tolist() == ["low"] * 3
    assert table["high_risk"].iloc[1] > 0.5 > table["high_risk"].iloc[0] > 0.05
    assert table["high_risk_leads"].tolist() == [False, True, False]
    _, tied, leads, behind = listed(dangers)
    assert leads == ("1 where several lead only together", ("case 1",))
    assert behind[1][0] == "case 0"
    assert tied[1] == ()


def test_the_first_to_look_at_are_missed_or_else_unsettled() -> None:
    """Label c is of high risk: sure in cases 0 and 1, open in 2; a model that names it misses nothing."""
    readings = [["c"] * 9, ["c"] * 9, ["a", "c"], ["a"] * 9]
    names, misses = [0.1, 0.1, 0.8], [0.8, 0.1, 0.1]
    of = {"m": [names, misses, misses, misses], "n": [names] * 4, "o": [names, misses, names, misses]}
    of["p"] = [names, names, misses, misses]
    unsettled = "1 of these: danger is open, neither ruled out nor certain"
    for models, knows_doubt, words, which in (
        (
            "mn",
            True,
            "2 of these: a model does not warn; danger is nearly certain in 1",
            ("case 1", "case 2"),
        ),
        (
            "m",
            True,
            "2 of these: the model does not warn; danger is nearly certain in 1",
            ("case 1", "case 2"),
        ),
        ("no", True, "1 of these: a model does not warn; danger is nearly certain in 1", ("case 1",)),
        ("p", True, "1 of these: the model does not warn", ("case 2",)),
        ("", True, unsettled, ("case 2",)),
        ("n", True, unsettled, ("case 2",)),
        ("o", False, "1 of these: the model does not warn", ("case 1",)),
        ("n", False, "", ()),
    ):
        study, task = small_study(
            "choice", "abc", readings, risk="LMH", predictions={model: of[model] for model in models}
        )
        aggregation = COUNTS.at(3.0) if knows_doubt else COUNTS.point
        dangers = danger_behind(worklist(study, task, aggregate(study, task, aggregation)), aggregation)
        assert dangers is not None
        assert (dangers.first.words if dangers.first else "") == words
        assert dangers.first is None or dangers.first.case_ids == which


def test_which_labels_are_a_danger_is_told() -> None:
    """Those of high risk, the ones that readings name most often first; those that nobody names last."""
    study, task = small_study("choice", "abcde", [list("ccab"), list("cd")], risk="LMHHH")
    assert which_labels(task) == "c; d; e"
    assert study.n_cases == 2
