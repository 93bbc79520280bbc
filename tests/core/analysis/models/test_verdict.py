"""A verdict on every claim: true of each shape of study, and final only when nothing more is on its way."""

from __future__ import annotations

import math
from dataclasses import replace

import pandas as pd
import pytest
from small_study import small_study

from core.analysis.models.claims import ASK, LOOK, NOT_SO, Judged, judged_claims, table_of
from core.analysis.models.trust import (
    Trust,
    chosen_in_words,
    other_trust,
    point_in_words,
    so_far,
    trust_in_words,
)
from core.analysis.models.verdict import decision, if_trusted, limit_in_words, misses_in_words
from core.plausibility.settings import Aggregation

ONCE = Aggregation("label-counts", 1.0)
BEYOND, WITHIN, BELOW = (Judged(name, of, (0.6, 0.7)) for name, of in (("X", 0.8), ("Y", 0.7), ("Z", 0.5)))
JUST = Judged("W", 0.71, (0.6, 0.7))
_, TASK = small_study("choice", "ab", [["a", "b"], ["a"]])


def test_danger_is_named_beside_the_claim_where_it_is_known() -> None:
    """Who misses more is warned of, and nobody is told to ask for what stands there."""
    ranges = {"A": (0.6, 0.7), "B": (0.7, 0.8), "C": (0.5, 0.6)}
    known = pd.DataFrame(
        {
            "names": ["A", "C"],
            "caught": [0.29, 0.7],
            "caught_alike": [False, True],
            "dangers": [10.0, 0.4],
            "alarms": [0.0, 11.0],
            "false_alarms": [math.nan, 0.2],
            "false_alarms_low": [math.nan, 0.1],
            "false_alarms_high": [math.nan, 0.3],
        }
    )
    claims = judged_claims(dict.fromkeys("ABC", 0.9), ranges, known)
    heads, rows = table_of(claims)
    assert heads[-2:] == ["Dangers missed", "False warnings"]
    assert [row[-2:] for row in rows] == [
        ["–", "–"],
        ["7\u00a0of\u00a010\u00a0⚠", "–"],
        ["fewer than 1", "20\u00a0%"],
    ]
    assert {one.model: one.alarms_ends for one in claims}["C"] == (0.1, 0.3)
    said, ask = decision(0.8, claims, of_model=True)
    assert misses_in_words(claims) == "⚠ A misses about 7 of 10 dangers."
    assert said.startswith("All 3 claims are too high.")
    assert limit_in_words(0.8) == "At most 80\u00a0% accuracy is supported for any model."
    assert limit_in_words(1.0) == ""
    assert "dangers" not in ask
    missing = replace(BEYOND, misses=True, dangers=10.0)
    two = [replace(missing, model=name, danger=share) for name, share in (("X", 0.4), ("Y", 0.3))]
    warned = "⚠ Y misses about 7 of 10 dangers"
    assert misses_in_words(two) == f"{warned}, X about 6 of 10."
    near = [
        replace(missing, model=name, danger=share, misses=False) for name, share in (("P", 0.8), ("Q", 0.79))
    ]
    assert misses_in_words([*near, two[1]]).endswith(
        f"{warned}. P (2) and Q (2) cannot be told apart in this."
    )
    assert misses_in_words([*near, replace(near[0], model="R"), two[1]]).endswith(
        " The others cannot be told apart in this."
    )
    three = [*two, replace(two[0], model="Z")]
    assert f"{warned}; 2 others also miss clearly more" in misses_in_words(three)
    assert misses_in_words((BEYOND,)) == ""
    # Where none clearly misses more, that is said, and how many each of two misses.
    assert misses_in_words(near[::-1]) == "P misses about 2 of 10 dangers, Q about 2 of 10: not clearly more."
    third = replace(near[0], model="R", danger=0.7)
    assert misses_in_words([third, *near]) == "P misses about 2 of 10 dangers; no other clearly misses more."
    assert misses_in_words((third,)) == "R misses about 3 of 10 dangers."
    assert misses_in_words((replace(third, dangers=0.4),)) == ""
    exact = [replace(one, ends=(0.7, 0.7), dangers=100.0) for one in near]
    assert misses_in_words(exact) == "P misses 20 of 100 dangers, Q 21 of 100: not clearly more."
    assert (
        "ask how many of the model’s errors are dangerous, which this study does not say"
        in decision(0.8, (BEYOND,), of_model=True)[1]
    )
    assert "dangers" not in decision(0.8, (BEYOND,), of_model=True, is_danger_known=True)[1]


@pytest.mark.parametrize(
    ("claims", "said"),
    [
        ((), ""),
        (
            (BEYOND,),
            "X claims 80\u00a0%, which is not supported: it is 10 points too high; up to 70\u00a0% would be "
            "possible.",
        ),
        ((WITHIN,), "Y claims 70\u00a0%, which is only possible, not proven."),
        ((BELOW,), "Z claims 50\u00a0%, which is supported."),
        ((BEYOND, WITHIN), "1 of 2 claims is too high: that of X."),
        ((BEYOND, JUST, WITHIN), "2 of 3 claims are too high: those of X and W."),
        ((BEYOND, JUST, BEYOND, BELOW), "3 of 4 claims are too high."),
        ((JUST, JUST, JUST), "All 3 claims are too high."),
        ((WITHIN, WITHIN), "Both claims are only possible, not proven."),
        ((WITHIN, BELOW), "1 of 2 claims is supported, the other only possible, not proven."),
        ((WITHIN, BELOW, WITHIN), "1 of 3 claims is supported, the others only possible, not proven."),
        ((BELOW, BELOW), "Both claims are supported."),
    ],
)
def test_the_decision_suits_what_there_is(claims: tuple[Judged, ...], said: str) -> None:
    """Of no model, of one and of several; what to ask follows from whether any claim is beyond."""
    limit = "These readings support no claim above 72\u00a0% accuracy, whoever makes it."
    words, ask = decision(0.72, claims, of_model=bool(claims))
    assert words == (said if claims else limit)
    assert ask.startswith("Before you decide, ask for ")
    assert ("more readings per case" in ask) == any(one.side == "beyond" for one in claims)
    assert ("a model’s answers on these cases" in ask) == (not claims)
    assert decision(1.0, (), of_model=False)[0] == "These readings do not limit any claim."


def test_where_the_verdict_is_drawn_is_said_with_the_model() -> None:
    """What the readings support, with the model where that is not in force; and why it is not known."""
    same = Trust(ONCE, "known", 1.0, "1")
    assert not same.differs
    assert (
        trust_in_words(same, TASK)
        == "Each reading counts once: so counted, what some readers of a case say best foretells what the "
        "others say."
    )
    other = replace(same, supported=2.0, as_written="2")
    assert other.differs
    assert trust_in_words(other, TASK) == "The readings predict one another best if each counts twice."
    end = replace(other, supported=0.25, as_written="0.25 or less")
    assert trust_in_words(end, TASK) == (
        "Under Label counts, the readings predict one another best at γ = 0.25 or less."
    )
    for state, told in (
        ("single", "No case has two readings"),
        ("some", "these are only some of its cases"),
        ("asked", "3 readings can be trusted is worked out only when you ask"),
        ("ended", "was stopped before it was done"),
    ):
        assert told in trust_in_words(Trust(ONCE, state), TASK)
    prirn = Trust(Aggregation("prirn", 1.0), "method")
    words = trust_in_words(prirn, TASK)
    assert "PrIRN cannot tell how far" in words
    assert "Label counts" in words
    assert trust_in_words(Trust(Aggregation("majority"), "none"), TASK) == ""


def test_a_point_estimate_supports_nothing() -> None:
    """With a reliability a finite one is to be chosen, else another model."""
    assert Trust(ONCE.at(math.inf), "known", 2.0, "2").is_point
    assert "Choose a finite γ" in point_in_words(Trust(ONCE.at(math.inf), "single"))
    majority = Trust(Aggregation("majority"), "none")
    assert majority.is_point
    assert "Choose a model with a reliability" in point_in_words(majority)
    assert not Trust(ONCE, "single").is_point


def test_what_may_change_is_said_to() -> None:
    """While the verdict is awaited, at the reliability in force; a point estimate has nothing to say then."""
    assert so_far(Trust(ONCE, "awaited"), (0.69, 0.73)) == (
        "So far: at most 73\u00a0% accuracy for any model. This may change."
    )
    assert so_far(Trust(ONCE.at(math.inf), "awaited"), (0.9, 0.9)) == ""


def test_who_chose_another_trust_is_told_so() -> None:
    """Both in how often each reading counts; with γ where that says nothing of each reading."""
    twice = Trust(ONCE, "known", 2.0, "2")
    assert (
        chosen_in_words(twice) == "Each reading counts once here; the readings support counting each twice."
    )
    assert chosen_in_words(replace(twice, supported=1.0)) == ""
    assert chosen_in_words(Trust(ONCE, "asked")) == ""
    endless = replace(twice, aggregation=ONCE.at(math.inf))
    assert chosen_in_words(endless) == "Counted at γ = ∞; the readings support γ = 2."
    together = Trust(Aggregation("prirn", 1.0), "known", 2.0, "2")
    assert chosen_in_words(together) == "Counted at γ = 1; the readings support γ = 2."


@pytest.mark.parametrize(
    ("trust", "other"),
    [
        (Trust(ONCE, "known", 1.0, "1"), None),
        (Trust(ONCE, "asked"), None),
        (
            Trust(ONCE.at(2.0), "known", 2.0, "2"),
            (1.0, "If each reading counted once (less trust)"),
        ),
        (Trust(ONCE.at(0.5), "asked"), (1.0, "If each reading counted once (more trust)")),
        (
            Trust(ONCE, "known", 2.0, "2"),
            (2.0, "If each reading counted twice, as the readings support"),
        ),
        (
            Trust(ONCE.at(5.0), "known", 2.0, "2"),
            (2.0, "If each reading counted twice, as the readings support"),
        ),
        (Trust(Aggregation("prirn", 3.0), "method"), (1.0, "At γ = 1 (less trust)")),
    ],
)
def test_a_verdict_is_compared_with_another_trust(trust: Trust, other: tuple[float, str] | None) -> None:
    """With what the readings support unless that is in force, then with each reading counted once."""
    assert other_trust(trust) == other


@pytest.mark.parametrize(
    ("highest", "words"),
    [
        ((0.9, 0.9), "With less trust, none of 2 claims would be too high."),
        ((0.9, 0.4), "With less trust, 1 of 2 claims would be too high: that of B."),
        ((0.4, 0.4), "With less trust, both claims would be too high."),
        ((0.4,), "With less trust, the claim would be 30 points too high."),
        ((0.9,), "With less trust, the claim would still not be too high."),
        ((), ""),
    ],
)
def test_what_another_trust_would_say_is_counted(highest: tuple[float, ...], words: str) -> None:
    """By the ranges there, each with its own claim; of models without one nothing is said."""
    claims = judged_claims({"A": 0.7, "B": 0.7}, {"A": (0.5, 0.9), "B": (0.5, 0.9)})
    ranges = {name: (0.3, high) for name, high in zip("AB", highest, strict=False)}
    assert if_trusted("With less trust", claims, ranges) == words


def test_claims_that_only_another_trust_makes_too_high_are_named() -> None:
    """Among others that are so already; of many it is not said which."""
    low = (0.5, 0.6)
    claims = judged_claims(dict.fromkeys("ABC", 0.7), {"A": low, "B": (0.5, 0.9), "C": (0.5, 0.9)})
    other = {"A": low, "B": low, "C": (0.5, 0.9)}
    said = "With less trust, 2 of 3 claims would be too high, including that of B."
    assert if_trusted("With less trust", claims, other) == said


def test_for_whom_other_advice_would_follow_is_named() -> None:
    """Of one and two; of more their number; nothing where it stays as it is, or is not known."""
    fine = [replace(BEYOND, model=name, claimed=0.5, best=0.5) for name in "ABC"]
    ranges = {one.model: (0.4, 0.9) for one in fine}
    assert {one.follows for one in fine} == {LOOK}
    for advice, end in (
        ({"A": ASK, "B": LOOK}, " A would then be “Ask first”."),
        ({"A": ASK, "B": ASK}, " A and B would then be “Ask first”."),
        ({"A": ASK, "B": NOT_SO}, " A would then be “Ask first” and B “Not as it is”."),
        (dict.fromkeys("ABC", ASK), " For 3 models the advice would then be another."),
        ({"A": LOOK, "B": ""}, ""),
    ):
        said = if_trusted("With less trust", fine, ranges, advice=advice)
        assert said == f"With less trust, none of 3 claims would be too high.{end}"


@pytest.mark.parametrize(
    ("then", "end"),
    [
        ({"A": 0.85, "B": 0.15}, "; A would stay first."),
        ({"A": 0.15, "B": 0.85}, "; B would come first, not A."),
        ({"A": 0.6, "B": 0.4}, "; which model comes first would be unclear."),
        ({"A": 1.0}, "."),
        ({}, "."),
    ],
)
def test_what_another_trust_would_put_first_is_said(then: dict[str, float], end: str) -> None:
    """Beside how many claims would fall: whether the model that is named first would still be."""
    claims = judged_claims({"A": 0.7, "B": 0.7}, {"A": (0.5, 0.9), "B": (0.5, 0.9)})
    ranges = {"A": (0.3, 0.4), "B": (0.3, 0.4)}
    said = if_trusted("With less trust", claims, ranges, {"A": 0.9, "B": 0.1}, then)
    assert said == "With less trust, both claims would be too high" + end
