"""Where accuracy misleads in a case: whom it counts how, and what is likelier."""

from __future__ import annotations

import numpy as np
import pytest
from small_study import small_study

from core.analysis.cases.brief import BY_VOTE, FIRST, brief_of
from core.analysis.cases.case import Case, open_case
from core.analysis.cases.misleads import counted_right, misleading, misled_told, with_counted
from core.analysis.cases.misled_words import misled_words
from core.analysis.cases.worklist import worklist_of
from core.plausibility.settings import Aggregation
from core.study.model import Study

COUNTS, TWICE = Aggregation("label-counts", 1.0), Aggregation("prirn", 2)
DRAWN = Aggregation("plackett-luce", 2.0)
A, B, C, D = np.eye(4) * 0.7 + 0.1
BC = np.array([0.1, 0.4, 0.4, 0.1])
_BY_VOTES = "Accuracy goes by majority vote: it counts "
"""How it begins."""
AHEAD = ["a", "a", "b", "c", "d"]
"""Readings in which one label has most votes, and leads in fewer than half of the plausible truths."""


def _case(
    said: list[str], models: dict[str, np.ndarray], kind: str = "choice", aggregation: Aggregation = COUNTS
) -> Case:
    predictions = {name: [of] for name, of in models.items()}
    study, task = small_study(kind, "abcd", [said], predictions=predictions)
    return open_case(study, task, aggregation, 0)


def _named(case: Case, words: str) -> str:
    """Put in numbers of the case for the names of its labels between braces."""
    leads = dict(zip(case.plausibilities["label"], case.plausibilities["leads"], strict=True))
    return words.format(**{label: f"{100 * share:.0f}" for label, share in leads.items()})


@pytest.mark.parametrize(
    ("models", "who"),
    [
        ({"X": A}, "X"),
        ({"X": A, "Y": B}, "X"),
        ({"X": A, "Y": A}, "both models"),
        ({"Model A": A, "Model B": A, "Model C": B}, "Models\u00a0A\u00a0and\u00a0B"),
        ({"Model A": A, "ResNet": A, "Model C": B}, "Model A and ResNet"),
        (dict(zip("UVWXYZ", (A, A, A, A, A, B), strict=True)), "5 of 6 models"),
    ],
)
def test_what_is_counted_right_may_be_right_too_seldom(models: dict[str, np.ndarray], who: str) -> None:
    """Although no label leads more often: of one model or many."""
    case = _case(AHEAD, models)
    said = (
        _BY_VOTES
        + f"{who} as right here for saying a. No label is likelier, but that is right in only {{a}} of "
        "100 plausible truths: the answer is in doubt rather than wrong."
    )
    assert misled_words(case) == _named(case, said)


def _of(votes: list[str], leader: str, models: dict[str, np.ndarray]) -> Case:
    """A case whose votes and leader differ: most put one label first, all name the other second."""
    case = _case(
        [f"{first} {leader}" if first != leader else first for first in votes], models, "ranking", DRAWN
    )
    assert case.leaders == {"abcd".index(leader)}
    return case


def test_what_is_counted_wrong_may_be_likeliest() -> None:
    """With what is counted right or without; the likelier label is named with both numbers."""
    votes = ["a", "a", "c", "d"]
    case = _of(votes, "b", {"Model A": A, "Model B": B})
    assert misled_words(case) == _named(
        case,
        _BY_VOTES + "Model A as right here for saying a, and B as wrong for saying b. "
        "B is likelier: {b} of 100 plausible truths, against {a}.",
    )
    assert BY_VOTE not in brief_of(case)
    assert "accuracy" not in brief_of(case).get(FIRST, "")
    case = _of(votes, "b", {"X": B, "Y": C})
    said = (
        _BY_VOTES + "X as wrong here for saying b. That is the likeliest label: {b} of 100 plausible truths."
    )
    assert misled_words(case) == _named(case, said)


def test_nothing_is_said_where_accuracy_does_not_mislead() -> None:
    """Nor of a point estimate, of scores, without readings, and without models."""
    assert misled_words(_case(["a"] * 12, {"X": A})) == ""
    assert misled_words(_case(["a"] * 12, {"X": BC})) == ""
    assert misled_words(_case(AHEAD, {})) == ""
    assert misled_words(_case([], {"X": A})) == ""
    assert misled_words(_case(AHEAD, {"X": A}, aggregation=Aggregation("majority"))) == ""
    study, task = small_study("score", "", [[4.0, 5.0, 6.0]])
    assert misled_words(open_case(study, task, Aggregation("gaussian", 1.0), 0)) == ""


def test_what_is_counted_in_part_is_told_so_and_why() -> None:
    """Of labels with equally many votes each counts in part."""
    assert misled_words(_case(["a", "b", "c", "d"], {"X": A})) == "", "a quarter, as often as it is right"
    case = _of(["a", "a", "b", "b", "c", "c"], "b", {"X": B, "Y": A})
    said = _BY_VOTES + "X as partly right here for saying b, as votes tie. That is the likeliest label: {b}"
    assert misled_words(case) == _named(case, f"{said} of 100 plausible truths.")


def test_a_tie_for_the_lead_is_in_doubt_too(dermatology: Study) -> None:
    """And told apart from a case in which another label is likelier, in the row of the list as well."""
    task = next(iter(dermatology.tasks.values()))
    cases = with_counted(worklist_of(dermatology, task, DRAWN), counted_right(task))
    told = dict(zip(cases.index, misled_told(cases), strict=True))
    doubtful, wrong = (
        misled_words(open_case(dermatology, task, DRAWN, dermatology.case_ids.index(case_id)))
        for case_id in ("derm-132", "derm-031")
    )
    assert "No label is clearly likelier, but that is right in only" in doubtful
    assert "\nnone clearly likelier, but only" in told["derm-132"][1]
    assert "Melanoma is likelier: " in wrong
    assert "\nnot likeliest: only" in told["derm-031"][1]


def test_it_is_said_of_the_cases_of_the_list(dermatology: Study) -> None:
    """And of no others."""
    task = next(iter(dermatology.tasks.values()))
    listed = misleading(with_counted(worklist_of(dermatology, task, TWICE), counted_right(task)))
    assert listed.any()
    for index in [*np.flatnonzero(listed), *range(0, dermatology.n_cases, 11)]:
        said = misled_words(open_case(dermatology, task, TWICE, int(index)))
        assert bool(said) == listed.iloc[index]
