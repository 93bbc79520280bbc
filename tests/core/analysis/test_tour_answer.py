"""The answer to a claim in words: every number is the claim's own, and what it asks for is enough."""

from __future__ import annotations

import re
from dataclasses import replace

import pytest

from core.analysis import tour_answer as answers
from core.analysis import tour_claim as claims

ASKED = [0.05, 0.5, 0.7, 0.8, 0.88, 0.92, 0.95, 1.0]
UNPROVED, POSSIBLE = " is unproved, not untrue.", " is possible, not proved."
THEN = ": then 92\u00a0% would be possible, not proved."
NO_MORE = "Neither buy nor refuse on this number."
FOUND = claims.Claim(0.92, 3, 0.6, 0.69, 0.81, 0.73, 0.85, 0.0)


def said(claimed: float, n_readers: int, agreement: float) -> tuple[str, str]:
    """Verdict and advice, as the page makes them."""
    found, needed = (
        claims.claim(claimed, n_readers, agreement),
        claims.readers_needed(claimed, agreement),
    )
    better = claims.better_readers(claimed, agreement)
    return answers.verdict(found, needed), answers.advice(found, needed, better)


@pytest.mark.parametrize("agreement", [0.4, 0.6, 0.8, 0.95])
def test_readers_asked_for_satisfy_their_own_sentence(agreement: float) -> None:
    """Typed in, what is asked for makes the claim possible, whether it is more readers or better ones."""
    asked_for = set()
    for claimed in ASKED:
        needed = claims.readers_needed(claimed, agreement)
        for n_readers in (1, 3, 20):
            verdict, advice = said(claimed, n_readers, agreement)
            if verdict.endswith(POSSIBLE):
                assert needed is not None
                assert n_readers >= needed
                assert "Ask for" not in advice
            for n, of in re.findall(r"about (\d+)(?: readers a case)?(?: who agree in (\d+))?", advice):
                then = int(of) / 100 if of else agreement
                assert said(claimed, int(n), then)[0].endswith(POSSIBLE)
                asked_for.add(n)
    assert len(asked_for) > 3


def test_the_verdict_is_what_the_numbers_written_say() -> None:
    """A claim above the range, as both stand there, is unproved; no range lies beyond what any model has."""
    for claimed in ASKED:
        for n_readers in (1, 3, 10, 50):
            found = claims.claim(claimed, n_readers)
            words = answers.shown(found)
            *agree, low, high, most = map(int, re.findall(r"\d+", words.replace(f"{n_readers} readers", "")))
            assert agree == [60]
            assert low <= high <= most
            verdict = answers.verdict(found, None)
            assert verdict.startswith(f"{100 * claimed:.0f}\u00a0%")
            assert verdict.endswith(UNPROVED) == (round(100 * claimed) > high)


def test_a_claim_counts_as_possible_from_about_so_many_truths() -> None:
    """One that is unproved is reached in fewer than is said, but for what is rounded, and another in more."""
    for claimed in ASKED:
        for n_readers in (1, 3, 10, 45, 54, 80):
            found = claims.claim(claimed, n_readers)
            near = 0.014
            assert (found.reached < answers.POSSIBLE / 100 - near) <= (not found.holds)
            assert (found.reached > answers.POSSIBLE / 100 + near) <= found.holds
    assert answers.rule(FOUND) == (
        "Of 100 truths that these readings leave possible, the model is this accurate in none. From about 3 "
        "on a claim counts as possible."
    )
    assert "in 6. From" in answers.rule(replace(FOUND, reached=0.06))
    assert "in fewer than 1. From" in answers.rule(replace(FOUND, reached=0.005))


def test_words_for_each_outcome() -> None:
    """Too little, with and without what would be enough; possible; and possible by luck."""
    assert answers.verdict(FOUND, 54) == f"92\u00a0%{UNPROVED}"
    assert answers.shown(FOUND) == (
        "With 3 readers a case who agree in 60\u00a0%, labels vouch for 69 to 81\u00a0%, and for no model "
        "beyond 85\u00a0%."
    )
    assert answers.advice(FOUND, 54, (0.8, 6)) == (
        f"{NO_MORE} Ask for about 60 readers a case, or about 6 who agree in 80\u00a0%{THEN}"
    )
    assert answers.advice(FOUND, 4, (0.95, 4)) == f"{NO_MORE} Ask for about 4 readers a case{THEN}"
    assert answers.advice(FOUND, 4, (0.95, 1)).endswith(
        f"4 readers a case, or one where two would agree in 95\u00a0%{THEN}"
    )
    assert answers.advice(FOUND, None, (0.8, 60)) == (
        f"{NO_MORE} Ask for about 60 readers a case who agree in 80\u00a0%{THEN}"
    )
    assert answers.advice(FOUND, None, None).startswith(f"{NO_MORE} No readers that can be tried")
    possible = replace(FOUND, claimed=0.7, n_readers=1)
    assert answers.verdict(possible, 1) == f"70\u00a0%{POSSIBLE}"
    assert "With one reader a case (two would agree in 60\u00a0%), labels" in answers.shown(possible)
    assert "count on 69\u00a0%" in answers.advice(possible, 1, None)
    assert answers.verdict(possible, 4) == "70\u00a0% is just possible, by the luck of who read."
    assert answers.advice(possible, 4, None).endswith(
        "Ask for about 4 readers a case: then 70\u00a0% would be possible, not proved."
    )
    low = replace(FOUND, claimed=0.5)
    assert answers.verdict(low, 1) == "50\u00a0% is less than these labels vouch for."
    assert answers.advice(low, 1, None).startswith(
        "Check the number: these labels vouch for 69\u00a0% or more."
    )
    assert answers.verdict(replace(FOUND, claimed=0.686), 1) == f"69\u00a0%{POSSIBLE}"


def test_readers_are_rounded_up() -> None:
    """Never below what is needed, nor beyond what can be typed."""
    for n, shown in ((1, 1), (9, 9), (10, 10), (11, 15), (30, 30), (31, 40), (54, 60), (91, 100), (100, 100)):
        assert answers.about(n) == shown
    assert all(answers.about(n) >= n for n in range(1, claims.MOST_READERS + 1))
