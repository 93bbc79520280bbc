"""Where first choices alone would put another label in front, it is said, and why."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest
from small_study import small_study

from core.analysis.cases.case import Case, open_case
from core.analysis.cases.first_choices import most_voted, other_first, votes
from core.plausibility.settings import Aggregation

DRAWN = Aggregation("plackett-luce", 1.0)


def case_of(*said: str, risk: str = "", aggregation: Aggregation = DRAWN) -> Case:
    """A case with these rankings of the labels a to d."""
    study, task = small_study("ranking", "abcd", [list(said)], risk=risk)
    return open_case(study, task, aggregation, 0)


@pytest.mark.parametrize("aggregation", [DRAWN, DRAWN.point])
def test_a_label_that_nobody_puts_first_may_lead(aggregation: Aggregation) -> None:
    """Both name c second, and each puts a label of high risk first."""
    case = case_of("a c", "b c", risk="HHML", aggregation=aggregation)
    assert case.leaders == {2}
    found = other_first(case)
    assert found is not None
    assert found.why == "c leads because every place of a reading counts, and both name it second."
    assert found.alone == "By first choices alone, a (high risk) or b (high risk) would lead."
    assert found.is_riskier


def test_tone_and_silence() -> None:
    """A warning only where first choices are riskier; nothing where a leader has most of them."""
    case = case_of("a c", "b c", "d c", risk="LLML")
    assert case.leaders == {2}
    calm = other_first(case)
    assert calm is not None
    assert not calm.is_riskier
    assert other_first(case_of("a b", "a c", "a", risk="LHHH")) is None
    assert other_first(case_of()) is None
    # Two have as many first choices, and only the harmless one leads.
    tied = case_of("a", "b a", "a b", "b a", "c a", risk="LHLL")
    assert votes(tied) == pytest.approx({0: 2.0, 1: 2.0, 2: 1.0})
    assert sorted(most_voted(votes(tied))) == [0, 1]
    assert tied.leaders == {0}
    found = other_first(tied)
    assert found is not None
    assert found.why == ""
    assert (
        found.alone
        == "By first choices alone, a (low risk) or b (high risk) would tie, each first in 2 of 5."
    )
    assert found.is_riskier


def test_scores_on_both_sides_are_counted_too() -> None:
    """Two below the threshold of 5, which is the danger here, and two above it, which pull the mean there."""
    study, task = small_study("score", "", [[4.0, 4.0, 6.0, 9.0]])
    task = replace(task, risk=np.array([2, 0], np.int8))
    found = other_first(open_case(study, task, Aggregation("gaussian", 1.0), 0))
    assert found is not None
    assert found.alone == (
        "By first choices alone, 5 or above (low risk) or below 5 (high risk) would tie, each first in "
        "2 of 4."
    )


def test_first_choices_are_whole_readings() -> None:
    """Of a label that leads and is tied first, never a fraction; shared votes are said where they matter."""
    case = case_of("ab c", "bc", "d c", "d c", risk="LLMH")
    assert case.leaders == {2}
    found = other_first(case)
    assert found is not None
    assert found.why.startswith("c leads because every place of a reading counts")
    assert found.alone.endswith("if tied labels share a vote, d (high risk) would lead.")
