"""Danger behind the labels is counted under every aggregation, and none is said in words."""

from __future__ import annotations

import pandas as pd
from small_study import small_study

from core.analysis.cases.presets import PRESETS
from core.analysis.cases.worklist import worklist
from core.analysis.danger import Danger, danger_behind
from core.plausibility.aggregate import aggregate
from core.plausibility.settings import Aggregation

COUNTS = Aggregation("label-counts", 1.0)


def found(
    cases: list[str], aggregation: Aggregation, *, risk: str = "LMH"
) -> tuple[tuple[Danger, ...], pd.DataFrame]:
    """Danger in cases with readings of the labels a to c, and their worklist."""
    study, task = small_study("choice", "abc", [list(case) for case in cases], risk=risk)
    table = worklist(study, task, aggregate(study, task, aggregation))
    return danger_behind(table, aggregation), table


def test_a_point_estimate_counts_ties() -> None:
    """Nothing else is plausible there: not c in the first case, which a finite reliability finds."""
    cases = ["aac", "ac", "cc", "ab", "bc"]
    (tied, leads, finite), _ = found(cases, COUNTS.at(3.0))
    assert leads.case_ids == ()
    assert tied.case_ids == ("case 1", "case 4")
    assert finite.case_ids == ("case 0",)
    assert finite.words == (
        "1 of 5 cases: a high-risk label is plausible (5\u00a0% or more) but does not lead"
    )
    assert finite.note == ""
    for aggregation, other in ((COUNTS.point, "a finite"), (Aggregation("majority"), "a model that has a")):
        (danger,), table = found(cases, aggregation)
        assert danger.words == "2 of 5 cases: a high-risk label is tied for the lead"
        assert f"choose {other} reliability" in danger.note
        assert danger.case_ids == ("case 1", "case 4")
        assert tuple(PRESETS[danger.choices["preset"]].apply(table).index) == danger.case_ids


def test_none_is_said_and_nothing_where_nothing_is_known() -> None:
    """Silence would read as safety."""
    for aggregation, none in (
        (COUNTS.at(1000.0), "plausible (5\u00a0% or more) without leading"),
        (COUNTS.point, "tied for the lead"),
    ):
        danger = found(["aab", "cc"], aggregation)[0][-1]
        assert danger.words == f"In none of the 2 cases is a high-risk label {none}."
    tied, leads, _ = found(["aab", "cc"], COUNTS.at(1000.0))[0]
    assert tied.words == "In none of the 2 cases is a high-risk label tied for the lead."
    assert leads.words == (
        "In none of the 2 cases do high-risk labels lead together (50\u00a0% or more) without one of them "
        "leading alone."
    )
    assert found(["aac"], COUNTS, risk="")[0] == ()
    assert found([""], COUNTS)[0] == ()


def test_high_risk_labels_that_lead_together_come_first() -> None:
    """Two of high risk share what they have: a leads, and yet the truth is likelier dangerous."""
    (tied, leads, behind), table = found(["aac", "aaaabbbccc", "aaaaa"], COUNTS, risk="LHH")
    assert table["risk"].tolist() == ["low"] * 3
    assert table["high_risk"].iloc[1] > 0.5 > table["high_risk"].iloc[0] > 0.05
    assert table["high_risk_leads"].tolist() == [False, True, False]
    assert leads.case_ids == ("case 1",)
    assert leads.words == (
        "1 of 3 cases: high-risk labels lead together (50\u00a0% or more), none of them alone"
    )
    assert behind.case_ids == ("case 0",)
    assert tied.case_ids == ()
    for danger in (leads, behind):
        assert tuple(PRESETS[danger.choices["preset"]].apply(table).index) == danger.case_ids
