"""What other readings would make of a case is what whoever changes them so is shown, to the last percent."""

from __future__ import annotations

from collections.abc import Sequence

import pytest
from hypothesis import given
from hypothesis import strategies as st

from core.analysis.cases.case import Case, high_risk_probability, open_case, plausibility_table
from core.analysis.cases.hanging import ALL, hanging
from core.analysis.cases.left_out import left_out
from core.analysis.cases.outcome import high_risk_after, outcomes, shifted
from core.analysis.cases.reasons import DISAGREEMENT, reasons
from core.analysis.cases.what_if import Reading, WhatIf, apply, said_in
from core.plausibility.settings import Aggregation
from core.study.model import Study, Task

DRAWN = Aggregation("plackett-luce", 1.0)
HALVES = ("derm-017", "derm-028", "derm-035", "derm-050")
"""Cases in which high risk without some reading falls between two whole percents."""


def task_of(study: Study) -> Task:
    """The study's one task."""
    return next(iter(study.tasks.values()))


def changed(study: Study, case: Case, what_if: WhatIf) -> Case:
    """The case as part *What if* opens it."""
    readings = apply(study, case.task, case.index, what_if)
    return open_case(study, case.task, case.aggregation, case.index, readings=readings)


def whole(share: float) -> str:
    """A probability as the number of truths out of 100."""
    return f"{100 * share:.0f}"


@given(st.floats(0, 1), st.floats(0, 1))
def test_where_draws_are_those_of_the_case_the_other_probability_itself_is_given(
    now: float, other: float
) -> None:
    """No sum and difference moves what falls between two whole percents to the other side."""
    assert shifted(now, now, other) == other


@given(st.floats(0, 1), st.floats(0, 1), st.floats(0, 1))
def test_a_shifted_probability_is_one(now: float, base: float, other: float) -> None:
    """It stays in [0, 1], and is moved by the difference where that leaves it there."""
    then = shifted(now, base, other)
    assert 0 <= then <= 1
    if 0 < now + other - base < 1:
        assert then == pytest.approx(now + other - base)


@pytest.mark.parametrize("case_id", HALVES)
def test_a_reading_left_out_is_the_same_in_why_and_what_if(dermatology: Study, case_id: str) -> None:
    """High risk, and each label that a row names, in as many of 100 truths."""
    task, index = task_of(dermatology), dermatology.case_ids.index(case_id)
    case = open_case(dermatology, task, DRAWN, index)
    of = left_out(case)
    assert of is not None
    raters = [dermatology.rater_ids[r] for r in case.readings.rater]
    said = hanging(case, of)
    rows = said.rows if said else ()
    for place, rater in enumerate(raters):
        then = changed(dermatology, case, WhatIf(frozenset({place})))
        danger = high_risk_probability(then)
        assert high_risk_after(case, of.base, of.without[place]) == danger
        leads = plausibility_table(then).set_index("label")["leads"]
        for row in (row for row in rows if row.without != ALL and rater in row.without.split()):
            assert row.high_risk == whole(danger)
            for share in (*row.leads, *([row.then] if row.then else ())):
                assert share.often == whole(leads.get(share.label, 0.0))


def test_a_lead_by_what_all_put_first_is_the_same_in_why_and_what_if(dermatology: Study) -> None:
    """Whoever edits the readings as a reason says reads the number that it gives."""
    task, index = task_of(dermatology), dermatology.case_ids.index("stutz-2025-fig-5")
    case = open_case(dermatology, task, DRAWN, index)
    leader = case.order[0]
    edited = []
    for place, reading in enumerate(said_in(task.readings, index)):
        if leader not in reading.blocks[0]:
            others = [tuple(code for code in block if code != leader) for block in reading.blocks]
            edited.append((place, Reading(((leader,), *(block for block in others if block)))))
    then = changed(dermatology, case, WhatIf(edited=tuple(edited)))
    sentence = reasons(case).set_index("reason").loc[DISAGREEMENT, "sentence"]
    assert f"→ {whole(float(then.posterior.certainty(1)[0]))} of 100" in sentence


@pytest.mark.parametrize("draws", [200, 1500])
def test_variants_are_drawn_as_the_case_is(dermatology: Study, draws: int) -> None:
    """However many draws are asked for: the readings as they are give the case's own numbers."""
    task = task_of(dermatology)
    case = open_case(dermatology, task, Aggregation("plackett-luce", 1.0, draws=draws), 3)
    said: Sequence[Reading] = said_in(case.readings, 0)
    (same,) = outcomes(case, [said])
    assert same.high_risk == high_risk_probability(case)
    assert same.certainty == float(case.posterior.certainty(1)[0])
