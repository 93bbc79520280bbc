"""Danger behind the labels is counted under every aggregation, and none is said in words."""

from __future__ import annotations

import pandas as pd
from small_study import small_study

from core.analysis.cases.select import Filters, select
from core.analysis.cases.worklist import worklist
from core.analysis.danger import Danger, danger_behind
from core.plausibility.aggregate import aggregate
from core.plausibility.settings import Aggregation

COUNTS = Aggregation("label-counts", 1.0)


def found(
    cases: list[str], aggregation: Aggregation, *, risk: str = "LMH"
) -> tuple[Danger | None, pd.DataFrame]:
    """Danger in cases with readings of the labels a to c, and their worklist."""
    study, task = small_study("choice", "abc", [list(case) for case in cases], risk=risk)
    table = worklist(study, task, aggregate(study, task, aggregation))
    return danger_behind(table, aggregation), table


def test_a_point_estimate_counts_ties() -> None:
    """Nothing else is plausible there: not c in the first case, which a finite reliability finds."""
    cases = ["aac", "ac", "cc", "ab", "bc"]
    finite, _ = found(cases, COUNTS.at(3.0))
    assert finite is not None
    assert finite.case_ids == ("case 0",)
    assert finite.words == (
        "1 of 5 cases: a high-risk label is plausible (5\u00a0% or more) but does not lead"
    )
    assert finite.note == ""
    for aggregation, other in ((COUNTS.point, "a finite"), (Aggregation("majority"), "a model that has a")):
        danger, table = found(cases, aggregation)
        assert danger is not None
        assert danger.words == "2 of 5 cases: a high-risk label is tied for the lead"
        assert f"choose {other} reliability" in danger.note
        assert (
            tuple(select(table, Filters(**danger.choices)).index) == danger.case_ids == ("case 1", "case 4")
        )


def test_none_is_said_and_nothing_where_nothing_is_known() -> None:
    """Silence would read as safety."""
    for aggregation, none in (
        (COUNTS.at(1000.0), "plausible (5\u00a0% or more) without leading"),
        (COUNTS.point, "tied for the lead"),
    ):
        danger, _ = found(["aab", "cc"], aggregation)
        assert danger is not None
        assert danger.words == f"In none of the 2 cases is a high-risk label {none}."
    assert found(["aac"], COUNTS, risk="")[0] is None
    assert found([""], COUNTS)[0] is None
