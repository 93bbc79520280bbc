"""Claims beside their ranges: by how much each is too high, in the percents that are shown."""

from __future__ import annotations

import math
from dataclasses import replace

import pytest

from core.analysis.models.claims import (
    ASK,
    DANGER_HEADS,
    FOLLOWS,
    HEADS,
    LOOK,
    NOT_SO,
    SELDOM,
    Judged,
    about_missed,
    columns_meant,
    false_of,
    granted,
    judged_claims,
    legend,
    table_of,
    too_high,
    warnings_in_words,
)
from core.analysis.support_words import NO_ESTIMATE

BEYOND, BELOW = (Judged(name, of, (0.6, 0.7)) for name, of in (("X", 0.8), ("Z", 0.5)))


def test_claims_are_judged_by_what_is_written() -> None:
    """70.4 % of 60 to 70.1 % is within, both being 70; models without a range are left out."""
    claims = judged_claims({"A": 0.704, "B": 0.9, "C": 0.9}, {"A": (0.6, 0.701), "B": (0.7, 0.8)})
    assert [(one.model, one.side) for one in claims] == [("B", "beyond"), ("A", "within")]
    heads, rows = table_of(claims)
    assert heads[2] == "Supported"
    assert rows[0] == [
        "B",
        "90\u00a0%",
        "70\u00a0to\u00a080\u00a0%",
        "✗\u00a010\u00a0points too\u00a0high",
    ]
    assert rows[1][3] == "~\u00a0possible"
    assert BELOW.side == "below"
    assert len(heads) == len(rows[0]) == 4


def test_the_limit_holds_for_models_that_predicted_some_cases_alone() -> None:
    """There more may be supported than of all cases, and the sentence says no less."""
    assert granted((0.5, 0.65), ()) == 0.65
    assert granted((0.5, 0.65), (BEYOND,)) == 0.7


@pytest.mark.parametrize(
    ("claimed", "points", "word"),
    [
        (0.714, 1, "✗\u00a01\u00a0point too\u00a0high"),
        (0.9, 20, "✗\u00a020\u00a0points too\u00a0high"),
        (0.7, 0, "~\u00a0possible"),
        (0.5, 0, "✓\u00a0supported"),
    ],
)
def test_a_claim_just_above_is_told_from_one_far_above(claimed: float, points: int, word: str) -> None:
    """By as many points as lie between the percents that stand there."""
    one = Judged("X", claimed, (0.6, 0.701))
    assert one.excess == points
    assert table_of([one])[1][0][3] == word


@pytest.mark.parametrize(
    ("danger", "dangers", "cell", "words"),
    [
        (0.72, 50.4, "14\u00a0of\u00a050", "about 14 of 50"),
        (0.77, 49.5, "11\u00a0of\u00a050", "about 11 of 50"),
        (0.0, 2.5, "3\u00a0of\u00a03", "about 3 of 3"),
        (0.9, 3.0, "fewer than 1\u00a0of\u00a03", "fewer than 1 of 3"),
        (1.0, 3.0, "0\u00a0of\u00a03", "none of 3"),
        (0.2, 0.4, "fewer than 1", "fewer than 1"),
        (math.nan, 0.0, "–", ""),
    ],
)
def test_dangers_that_are_missed_are_counted(danger: float, dangers: float, cell: str, words: str) -> None:
    """On average, in whole cases, of no fewer than are missed; what is not none is not written as 0."""
    one = Judged("X", 0.7, (0.6, 0.7), danger, dangers=dangers)
    known = Judged("Y", 0.7, (0.6, 0.7), 0.5, dangers=2.0)
    assert table_of([one, known])[1][0][4] == cell
    if words:
        assert about_missed(one) == words


@pytest.mark.parametrize(
    ("alarms", "words"),
    [(0.2, "20\u00a0%"), (0.003, "<\u00a01\u00a0%"), (0.0, "0\u00a0%"), (math.nan, "–")],
)
def test_false_warnings_are_a_share_of_its_own(alarms: float, words: str) -> None:
    """A count beside that of missed dangers would be taken for one of them."""
    one = Judged("X", 0.7, (0.6, 0.7), 0.5, alarms=alarms, dangers=50.0, n_alarms=50.0)
    known = Judged("Y", 0.7, (0.6, 0.7), 0.5, dangers=2.0)
    assert false_of(alarms) == table_of([one, known])[1][0][5] == words


def test_what_is_little_is_said_to_be() -> None:
    """One point and two; not three."""
    assert [too_high(points) for points in (1, 2, 3)] == [
        "only 1 point too high",
        "only 2 points too high",
        "3 points too high",
    ]


def test_the_sign_of_danger_is_explained_where_it_stands() -> None:
    """And nowhere else."""
    with_danger, without = [*HEADS, *DANGER_HEADS], list(HEADS)
    assert "⚠" in legend(with_danger, warns=True)
    assert "⚠" not in legend(with_danger, warns=False)
    assert "Missed: " in legend(with_danger, warns=False)
    assert "Missed: " not in legend(without, warns=False)
    one = Judged("X", 0.7, (0.6, 0.7), 0.5, dangers=50.2)
    unknown, alike, other = (replace(one, model="Y", dangers=n) for n in (math.nan, 49.8, 30.0))
    for claims, of in (((unknown, one, alike), " (of 50 on average)"), ((one, other), ""), ((), "")):
        assert f"Missed: a danger{of}, but none is put first" in legend(with_danger, claims, warns=False)


def test_of_how_many_warnings_some_are_false() -> None:
    """In whole warnings, of which a tie may be a part; nothing of none."""
    said = [warnings_in_words(n) for n in (math.nan, 0.0, 0.4, 1.0, 50.2)]
    assert said == ["", "", "", "of 1 warning", "of 50 warnings"]


def test_plausible_truths_are_explained_once() -> None:
    """Under the claims, unless that was done above them; they are spoken of in either case."""
    explained = "plausible truths (truths that the readings leave possible)"
    assert str(columns_meant([*HEADS, *DANGER_HEADS])).count(explained) == 1
    said = str(columns_meant(HEADS, is_explained=True))
    assert explained not in said
    assert "in 95 of 100 plausible truths. " in said


def test_the_legend_is_short_and_the_rest_is_told_in_full() -> None:
    """A line on the page; in the note every head, what a missed danger is, and what a range is not."""
    heads, _ = table_of([Judged(name, 0.7, (0.6, 0.7), 0.5, best=0.5) for name in "XY"])
    assert len(legend(heads, warns=True)) <= 130
    meant = dict(columns_meant(heads))
    assert ["Model", *meant] == heads
    said = " ".join(meant.values())
    assert "those in which none is put first" in said
    assert NO_ESTIMATE in said
    assert "A claim within the range is only possible, not proven; one above it is too high" in said


def test_what_follows_is_said_of_each_of_several_models() -> None:
    """Missed dangers matter more than a claim that is too high, and that more than how often it is first."""
    one = Judged("X", 0.7, (0.6, 0.7), 0.5, best=0.9)
    assert one.follows == "Consider further"
    assert replace(one, best=0.05).follows == "Consider further"
    assert replace(one, best=0.049).follows == "Rarely best"
    assert replace(one, best=0.01, claimed=0.75).follows == "Ask first"
    assert replace(one, claimed=0.75, misses=True).follows == "Not as it is"
    heads, rows = table_of([one, replace(one, model="Y", best=0.1, misses=True)])
    assert heads[1] == FOLLOWS
    assert [row[1] for row in rows] == ["Consider further", "Not as it is"]
    every = " ".join(words for head, words in columns_meant(heads) if head == FOLLOWS)
    assert all(f"{step}:" in every for step in (LOOK, ASK, NOT_SO, SELDOM))
    first = "and it is the most accurate in 5 or more of 100 plausible truths"
    assert f"{LOOK}: neither, {first}" in every


def test_nothing_follows_of_one_model_nor_where_it_is_not_known_who_is_best() -> None:
    """There is nothing to choose then."""
    one = Judged("X", 0.7, (0.6, 0.7), 0.5, best=1.0)
    unknown = replace(one, model="Y", best=math.nan)
    for claims in ([one], [one, unknown]):
        heads, rows = table_of(claims)
        assert FOLLOWS not in heads
        assert all(len(row) == len(heads) for row in rows)
    assert unknown.follows == ""
