"""What changed readings do is what opening the case with them says: label, certainty and danger."""

from __future__ import annotations

import pytest
from small_study import small_study

from core.analysis.cases.case import Case, high_risk_probability, open_case
from core.analysis.cases.effect import ANY_HIGH_RISK, MOST_DANGERS, MOST_LABELS, effect_of
from core.plausibility.settings import Aggregation

COUNTS = Aggregation("label-counts", 1.0)


def opened(*cases: str, risk: str = "LHMM") -> list[Case]:
    """Cases with these readings of the labels a to d, each of another rater."""
    study, task = small_study("choice", "abcd", [list(case) for case in cases], risk=risk)
    return [open_case(study, task, COUNTS, index) for index in range(len(cases))]


def percent(share: float) -> str:
    """As it is written."""
    return f"{100 * share:.0f}"


def test_the_sentence_says_what_becomes_of_high_risk() -> None:
    """Before and after, in percent, at the end of whatever becomes of the leading label."""
    before, more, other = opened("aab", "aabb", "abb")
    then, now, led = map(high_risk_probability, (before, more, other))
    assert then < now < led
    assert effect_of(before, more).sentence.endswith(
        f"; danger rises from {percent(then)} to {percent(now)} of 100."
    )
    assert effect_of(other, before).sentence.endswith(
        f"; danger falls from {percent(led)} to {percent(then)} of 100."
    )
    assert effect_of(before, before).sentence.endswith(f"; danger stays at {percent(then)} of 100.")
    nobody, read = opened("", "aab")
    assert effect_of(nobody, read).sentence.endswith(f"; danger is {percent(then)} of 100.")
    assert "high risk" not in effect_of(read, nobody).sentence


def test_nothing_is_said_of_risk_that_is_not_known() -> None:
    """Neither in the sentence nor as a bar."""
    before, after = opened("aab", "abb", risk="")
    effect = effect_of(before, after)
    assert "risk" not in effect.sentence
    assert ANY_HIGH_RISK not in effect.table["label"].tolist()


def test_the_table_holds_the_labels_that_lead_most_in_either() -> None:
    """A label that only the change names led never; the last line is all of high risk together."""
    before, after = opened("aacd", "aacdbb")
    table = effect_of(before, after).table.set_index("label")
    assert list(table.index) == ["a", "b", "c", ANY_HIGH_RISK]
    assert len(table) == MOST_LABELS + 1
    assert table.loc["b", "before"] == 0.0
    assert table.loc["b", "after"] == pytest.approx(table.loc["a", "after"])
    assert table.loc[ANY_HIGH_RISK, "after"] == pytest.approx(high_risk_probability(after))
    assert table["risk"].tolist() == ["L", "H", "M", "H"]


def test_the_table_holds_dangers_that_come_after_other_labels() -> None:
    """Three labels of low risk lead more often than one of high risk, which is plausible; of more a few."""
    before, after = opened("aabbccd", "aabbcc", risk="LLLH")
    assert effect_of(before, after).table["label"].tolist() == ["a", "b", "c", "d", ANY_HIGH_RISK]
    before, after = opened("aabbccd", "aabbcc", risk="LLLM")
    assert effect_of(before, after).table["label"].tolist() == ["a", "b", "c", ANY_HIGH_RISK]
    study, task = small_study("choice", "abcdefg", [list("aaabbbcccddeeffgg")], risk="LLLHHHH")
    case = open_case(study, task, COUNTS, 0)
    assert len(effect_of(case, case).table) == MOST_LABELS + MOST_DANGERS + 1


def test_the_table_holds_every_label_that_led() -> None:
    """However seldom it leads after the change: the sentence names it."""
    before, after = opened("abc", "bcddda")
    table = effect_of(before, after).table
    assert set("abcd") <= set(table["label"])
    before, after = opened("abc", "abd")
    assert set("abcd") <= set(effect_of(before, after).table["label"])


def test_without_readings_there_is_no_table() -> None:
    """Nothing is known before or after."""
    nobody, read = opened("", "aab")
    assert effect_of(nobody, read).table.empty
    assert effect_of(read, nobody).table.empty


def test_a_label_that_hardly_leads_before_or_after_is_left_out() -> None:
    """It would be written as 0 % and 0 %, where other pictures say less than 1 %."""
    before, after = opened("a" * 9 + "b" * 4 + "c", "a" * 9 + "b" * 5 + "c")
    table = effect_of(before, after).table
    assert table["label"].tolist() == ["a", "b", ANY_HIGH_RISK]
