"""What makes a case dangerous is what opening it with other readings says."""

from __future__ import annotations

import re

import pytest
from small_study import small_study

from core.analysis.cases.case import Case, high_risk_probability, open_case
from core.analysis.cases.danger_reasons import MORE, ONE_MORE, WITHOUT, danger_reasons, first_of_each
from core.analysis.cases.reasons import reasons
from core.plausibility.settings import Aggregation

COUNTS = Aggregation("label-counts", 1.0)


def opened(*cases: str, aggregation: Aggregation = COUNTS, risk: str = "LHM") -> list[Case]:
    """Cases with these readings of the labels a to c, each of another rater."""
    study, task = small_study("choice", "abc", [list(case) for case in cases], risk=risk)
    return [open_case(study, task, aggregation, index) for index in range(len(cases))]


def test_every_line_is_the_case_read_otherwise() -> None:
    """Exact under label counts: without b, without an a, with one more for b, with one more for a."""
    case, *others, more_b = opened("aab", "aa", "ab", "aabb", "aaab", "aab" + "b" * MORE)
    table = danger_reasons(case)
    assert table["kind"].tolist() == [WITHOUT, WITHOUT, ONE_MORE, ONE_MORE]
    expected = [high_risk_probability(one) for one in others]
    assert table["after"].tolist() == pytest.approx(expected, abs=1e-9)
    assert table["before"].tolist() == pytest.approx([high_risk_probability(case)] * 4)
    heads = [
        "Without C",
        "Without A or without B",
        "One more for b",
        "One more for a",
    ]
    assert table["head"].tolist() == heads
    share = round(100 * float(case.posterior.mean.candidate[1]))
    assert table["sentence"].iloc[2] == (
        f"If one more reading names it alone (expected in {share} of 100), danger becomes "
        f"{100 * expected[2]:.0f} of 100; "
        f"after {MORE} such readings, {100 * high_risk_probability(more_b):.0f}."
    )


def test_several_readings_may_make_it_dangerous_together() -> None:
    """Then there is no single one without which it is not; none is named."""
    first = danger_reasons(opened("bbbbbbbbb")[0]).iloc[0]
    assert first["head"] == "No single reading makes it so"
    assert first["sentence"] == "Whichever is left out, danger stays at about 99 of 100."
    less = danger_reasons(opened("bbbbb")[0]).iloc[0]
    assert re.match(r"Whichever is left out, danger is \d\d of 100 or more\.", less["sentence"])


def test_readings_that_weigh_as_much_are_named_together() -> None:
    """Of two that named b, either may be left out; of many, their number is said; one alone is called so."""
    case, without = opened("aabb", "aab")
    first = danger_reasons(case).iloc[0]
    assert first["after"] == pytest.approx(high_risk_probability(without), abs=1e-9)
    assert first["head"] == "Without C or without D"
    assert first["sentence"] == (
        f"Danger would fall from {100 * high_risk_probability(case):.0f} to "
        f"{100 * high_risk_probability(without):.0f} of 100, whichever of them is left out."
    )
    many = danger_reasons(opened("aaaabbbb")[0]).iloc[0]
    assert many["head"] == "Without any one of 4 readings"
    assert (
        danger_reasons(opened("aab")[0])["sentence"].iloc[0].endswith(" of 100, more than without any other.")
    )


def test_a_reading_that_hides_danger_is_named() -> None:
    """Without it high risk rises: it is said which, and how far; where none does so, nothing is said."""
    case, without = opened("aab", "ab")
    hiding = danger_reasons(case).iloc[1]
    assert hiding["sentence"] == (
        f"Danger would rise from {100 * high_risk_probability(case):.0f} to "
        f"{100 * high_risk_probability(without):.0f} of 100, whichever of them is left out."
    )
    assert (danger_reasons(opened("bbbbbbbbb")[0])["kind"] == WITHOUT).sum() == 1


def test_labels_that_lead_equally_often_are_found_together() -> None:
    """Of high risk, and of the others; the likeliest kind of each alone where they differ."""
    assert first_of_each(opened("abc", risk="LHH")[0]) == [[1, 2], [0]]
    assert first_of_each(opened("aabbc", risk="LLH")[0]) == [[2], [0, 1]]
    assert first_of_each(opened("abbc", risk="LHH")[0]) == [[1], [0]]


@pytest.mark.parametrize(
    ("readings", "aggregation", "risk"),
    [
        ("aaaaaaaaaaaa", COUNTS, "LHM"),
        ("aab", COUNTS.point, "LHM"),
        ("aab", COUNTS, ""),
        ("", COUNTS, "LHM"),
    ],
)
def test_nothing_is_said_without_danger(readings: str, aggregation: Aggregation, risk: str) -> None:
    """Where high risk is not plausible, doubt is switched off, or nothing is known of risk or case."""
    assert danger_reasons(opened(readings, aggregation=aggregation, risk=risk)[0]).empty


def test_reasons_say_what_becomes_of_high_risk() -> None:
    """Twice the readings, all of one mind, and the limit, which is the point estimate."""
    case, doubled, agreed = opened("aab", "aabaab", "aaa")
    found = reasons(case).set_index("reason")["high_risk"]
    assert found["few readings"] == pytest.approx(high_risk_probability(doubled), abs=1e-9)
    assert found["disagreement"] == pytest.approx(high_risk_probability(agreed), abs=1e-9)
    assert found["reliability"] == 0.0
    assert reasons(opened("aab", risk="")[0])["high_risk"].isna().all()
