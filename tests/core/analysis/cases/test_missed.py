"""Dangers that models miss, by hand."""

from __future__ import annotations

import numpy as np
import pytest
from small_study import small_study

from core.analysis.cases.missed import MISSED, MISSES
from core.analysis.cases.presets import MISSED_BEHIND, MISSED_LIKELY, PRESETS
from core.analysis.cases.worklist import worklist
from core.plausibility.aggregate import aggregate
from core.plausibility.settings import Aggregation

_MODELS = {
    "m": [[0.8, 0.1, 0.1], [0.2, 0.7, 0.1], [0.4, 0.4, 0.2], [0.9, 0.1, 0.0], [0.9, 0.05, 0.05]],
    "n": [[0.3, 0.3, 0.4], [1, 0, 0], [0.6, 0.4, 0.0], [0.9, 0.1, 0.0], [np.nan] * 3],
}


def test_a_danger_is_missed_where_high_risk_leads_and_the_model_puts_none_first() -> None:
    """Label b is of high risk. Another dangerous label first is no miss; a tie with one is none either."""
    read = [["b", "b"], ["b", "b"], ["b", "b"], ["a", "a"], ["b", "b"]]
    study, task = small_study("choice", "abc", read, risk="LHH", predictions=_MODELS)
    table = worklist(study, task, aggregate(study, task, Aggregation("label-counts", 50)))
    assert table["high_risk_leads"].tolist() == [True, True, True, False, True]
    assert table[MISSES.format("m")].tolist() == [True, False, False, False, True]
    assert table[MISSES.format("n")].tolist() == [False, True, True, False, False]
    assert table[MISSED].tolist() == ["m: a", "n: a", "n: a", "", "m: a"]


@pytest.mark.parametrize(("risk", "models"), [(None, _MODELS), ("LHH", None)])
def test_without_risk_levels_or_models_nothing_is_said(
    risk: str | None, models: dict[str, list[list[float]]] | None
) -> None:
    """Columns that would be of no use are not there."""
    given = {"risk": risk} if risk else {}
    given |= {"predictions": models} if models else {}
    study, task = small_study("choice", "abc", [["b"]] * 5, **given)  # type: ignore[arg-type]
    table = worklist(study, task, aggregate(study, task, Aggregation("label-counts", 1)))
    assert MISSED not in table


def test_danger_that_is_plausible_but_behind_is_missed_too() -> None:
    """Four readings of a, one of b, of high risk: b may be the truth. Where it is not, nothing is missed."""
    said = {"m": [[0.9, 0.1, 0.0], [0.4, 0.6, 0.0], [0.9, 0.1, 0.0]]}
    read = [list("aaaab"), list("aaaab"), list("aaaaaaaaaaaaaaaaaaaa")]
    study, task = small_study("choice", "abc", read, risk="LHL", predictions=said)
    table = worklist(study, task, aggregate(study, task, Aggregation("label-counts", 1)))
    assert table["high_risk"].between(0.05, 0.5).tolist() == [True, True, False]
    assert not table["high_risk_leads"].any()
    assert table[MISSES.format("m")].tolist() == [True, False, False]


def test_a_tie_for_the_lead_is_not_behind() -> None:
    """Label b, of high risk, is tied with a: whoever looks sees it, though it has less than one half."""
    read = [list("aabbc"), list("aaaab")]
    study, task = small_study("choice", "abc", read, risk="LHL", predictions={"m": [[0.9, 0.1, 0.0]] * 2})
    table = worklist(study, task, aggregate(study, task, Aggregation("label-counts", 1)))
    assert (table["high_risk"] < 0.5).all()
    assert table["high_risk_tied"].tolist() == [True, False]
    for name, case in ((MISSED_LIKELY, "case 0"), (MISSED_BEHIND, "case 1")):
        assert PRESETS[name].apply(table).index.tolist() == [case]
