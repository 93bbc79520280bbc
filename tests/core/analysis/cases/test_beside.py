"""What is said beside the labels that lead: simulation error, most first choices, reference."""

from __future__ import annotations

import re
from dataclasses import replace

import numpy as np
import pytest
from small_study import small_study

from core.analysis.cases.alone import BY_READINGS, said_alone
from core.analysis.cases.beside import kept_words, truth_words, use_words
from core.analysis.cases.brief import FIRM, NEXT, ON_RECORD, brief_of
from core.analysis.cases.case import open_case
from core.analysis.cases.headline import headline
from core.plausibility.settings import Aggregation

DRAWN = Aggregation("plackett-luce", 1.0)


OPEN = "Plausible truths: answers that these readings leave open"


@pytest.mark.parametrize(
    ("aggregation", "said"),
    [
        (DRAWN, rf"{OPEN} \(counts from a random sample, give or take \d points\)"),
        (DRAWN.point, ""),
        (Aggregation("label-counts", 1.0), OPEN),
    ],
)
def test_only_what_is_simulated_has_an_error(aggregation: Aggregation, said: str) -> None:
    """Exact answers say nothing of draws, and point estimates have no truths; nor has an unread case."""
    study, task = small_study("choice", "abc", [["a", "b", "a"], []])
    assert re.fullmatch(said, truth_words(open_case(study, task, aggregation, 0)))
    assert truth_words(open_case(study, task, aggregation, 1)) == ""


@pytest.mark.parametrize(
    ("readings", "aggregation", "said"),
    [
        (
            "aaaab",
            1.0,
            r"In \d+ of 100 a high-risk label would be right: the case is not settled until one is ",
        ),
        (
            "a" * 30,
            1.0,
            "In nearly all of them the same label would be right: one more reader would hardly change that.",
        ),
        (
            "aaaccc",
            3.0,
            "They do not agree on one label: ask one more reader, or keep every label that leads in "
            "some of them.",
        ),
        ("aaaab", np.inf, "A point estimate takes the leading label as the truth and hides what else "),
    ],
)
def test_what_one_does_with_plausible_truths_is_said_in_plain_words(
    readings: str, aggregation: float, said: str
) -> None:
    """Danger comes first, here label b; nothing is said of a case that nobody read."""
    study, task = small_study("choice", "abc", [list(readings), []], risk="LHL")
    cases = [open_case(study, task, Aggregation("label-counts", aggregation), index) for index in (0, 1)]
    assert re.search(said, use_words(cases[0])), use_words(cases[0])
    assert use_words(cases[1]) == ""


def test_the_error_holds_the_share_of_many_more_draws() -> None:
    """And it grows smaller with their number, never to nothing."""
    study, task = small_study("ranking", "abcd", [["a b", "b a c", "c a"]])
    case = open_case(study, task, DRAWN, 0)
    many = open_case(study, task, replace(DRAWN, draws=100_000), 0)
    said = int(truth_words(case).split("give or take ")[1].split()[0])
    gap = abs(case.posterior.certainty(1)[0] - many.posterior.top1.candidate.max())
    assert 3 <= said <= 6
    assert 100 * gap < said + 1
    assert "give or take 1 point)" in truth_words(many)


def test_shares_of_the_same_readings_depend_on_seed_and_id_and_not_on_other_labels() -> None:
    """Labels that nobody named change nothing; another seed or id draws anew, within both errors."""
    readings = ["a b", "b a c", "c a"]
    shares = []
    for labels, seed, place in (("abcd", 1, 0), ("abcdefghijkl", 1, 0), ("abcd", 2, 0), ("abcd", 1, 1)):
        study, task = small_study("ranking", labels, [readings, readings])
        posterior = open_case(replace(study, seed=seed), task, DRAWN, place).posterior
        shares.append(posterior.top1.candidate)
    first, more_labels, *others = shares
    assert more_labels == pytest.approx(first, abs=0.01)
    for other in others:
        assert not np.array_equal(other, first)
        assert other == pytest.approx(first, abs=0.1)


@pytest.mark.parametrize(
    ("kind", "said", "words"),
    [
        ("choice", ["a", "b", "a"], "Most readings: a, 2 of 3"),
        ("choice", ["a", "b"], "Most readings: a or b (tied), each 1 of 2"),
        ("ranking", ["ab", "a c", "c"], "a is put first by 2 of 3 readings, alone by 1"),
        ("ranking", ["a b", "a", "c"], "a is put first by 2 of 3 readings"),
        ("ranking", ["a"], "a is put first by 1 of 1 reading"),
        ("ranking", ["a", "b", "c"], "a, b or c: each put first by 1 of 3 readings"),
        (
            "ranking",
            ["ab", "abc", "ab", "c", "c"],
            "a, b or c: each put first by 3 of 5 readings · Most votes, if tied labels share a vote: c",
        ),
        ("score", [4.0, 5.0, 6.0], "Most scores: 5 or above, 2 of 3"),
        ("choice", [], ""),
    ],
)
def test_most_first_choices_are_named(kind: str, said: list[str | float], words: str) -> None:
    """Whole readings, whatever leads; the hard label, which divides votes, only where it is another."""
    study, task = small_study(kind, "abc", [said])
    model = {"score": "gaussian"}.get(kind, "plackett-luce")
    case = open_case(study, task, Aggregation(model, 1.0), 0)
    assert kept_words(case) == words


def test_the_reference_is_named_as_one() -> None:
    """Beside what most readings say; where it is no label of the task there is none."""
    study, task = small_study("choice", "ab", [["a"], ["a"]], metadata={"reference": ["b", np.nan]})
    first, second = (kept_words(open_case(study, task, DRAWN, index)) for index in range(2))
    assert (
        first == "Most readings: a, 1 of 1 · The study’s reference is b, which differs from the leading label"
    )
    assert "Reference" not in second


def test_what_is_found_out_of_a_reference_comes_before_all_else() -> None:
    """A file gives it as a label alone: by readers it is one more reading, by biopsy it ends the question."""
    study, task = small_study(
        "choice",
        "ab",
        [["a"] * 9, ["a"], ["a"] * 9, ["a"]],
        metadata={"reference": ["b", "a", "a", np.nan]},
    )
    other, unsure, same, none = (brief_of(open_case(study, task, DRAWN, i)) for i in range(4))
    untold = "How it was established is not stated."
    assert other[ON_RECORD] == (f"The study’s reference is b, which differs from the leading label. {untold}")
    assert unsure[ON_RECORD] == same[ON_RECORD] == f"The study’s reference is a. {untold}"
    find = "Find out how the reference was established: if by more than readers alone, the case is settled as"
    assert other[NEXT] == f"{find} b.", "nothing else is useful where readings settle it"
    assert unsure[NEXT] == f"{find} a. Otherwise, {none[NEXT][0].lower()}{none[NEXT][1:]}"
    assert NEXT not in same, "readings and reference say the same"


@pytest.mark.parametrize(
    ("standard", "worth", "useful"),
    [
        (
            "readers",
            "by readers alone, who may be wrong: it does not settle the case.",
            "Learn why: readers ",
        ),
        (
            "histology",
            "by histology, which settles the case.",
            "Nothing more: the reference settles the case. To learn",
        ),
    ],
)
def test_what_a_reference_is_worth_depends_on_how_it_was_established(
    standard: str, worth: str, useful: str
) -> None:
    """By readers it is one more opinion, and what else is useful stays; histology ends the question."""
    readings, references = [["a"] * 9, ["a"], ["a"] * 9], ["b", "a", "a"]
    plain, of_plain = small_study("choice", "ab", readings)
    study, task = small_study(
        "choice", "ab", readings, metadata={"reference": references, "reference_standard": [standard] * 3}
    )
    cases = [open_case(study, task, DRAWN, i) for i in range(3)]
    other, unsure, same = map(brief_of, cases)
    assert other[ON_RECORD].endswith(f"It was established {worth}")
    assert other[NEXT].startswith(useful)
    assert NEXT not in same or standard == "histology"
    if standard == "readers":
        assert unsure[NEXT] == brief_of(open_case(plain, of_plain, DRAWN, 1))[NEXT]
        assert "reference" not in use_words(cases[1])
    else:
        assert unsure[NEXT] == "Nothing more: the reference settles the case."
        assert use_words(cases[1]).endswith("established by histology, says which is right: a.")


@pytest.mark.parametrize(("standard", "begins"), [("histology", True), ("readers", False), ("", False)])
def test_of_a_settled_case_the_readings_are_said_to_be_alone(standard: str, begins: bool) -> None:
    """The reference stands first then, and nothing is said of how stable the readings are."""
    readings, references = [["a", "b"], ["a"] * 9, ["a"] * 9, ["a", "b"]], ["b", "a", "b", ""]
    study, task = small_study(
        "choice",
        "ab",
        readings,
        risk="LH",
        metadata={"reference": references, "reference_standard": [standard] * 4},
    )
    cases = [open_case(study, task, DRAWN, i) for i in range(4)]
    split, agreed, against, without = (said_alone(case, headline(case)).sentence for case in cases)
    plain = [headline(case).sentence for case in cases]
    assert plain[0].startswith("The readings are split on danger: ")
    if begins:
        assert split == f"The readings alone{plain[0].removeprefix('The readings')}"
        assert against == f"{BY_READINGS}: {plain[2]}"
        assert next(iter(brief_of(cases[0]))) == ON_RECORD
        assert FIRM not in brief_of(cases[0])
    else:
        assert (split, against) == (plain[0], plain[2])
        assert FIRM in brief_of(cases[0])
    assert (agreed, without) == (plain[1], plain[3])
    assert FIRM in brief_of(cases[3])


def test_what_is_counted_label_by_label_is_not_said_again() -> None:
    """The reference still is."""
    readings = ["ab", "abc", "ab", "c", "c"]
    study, task = small_study("ranking", "abc", [readings], metadata={"reference": ["b"]})
    case = open_case(study, task, DRAWN, 0)
    assert "put first" in kept_words(case)
    said = kept_words(case, is_counted=True)
    assert said.startswith("The study’s reference is b")
    scores, of_scores = small_study("score", "", [[4.0, 5.0, 6.0]])
    case = open_case(scores, of_scores, Aggregation("gaussian", 1.0), 0)
    assert kept_words(case, is_counted=True) == "Most scores: 5 or above, 2 of 3"
