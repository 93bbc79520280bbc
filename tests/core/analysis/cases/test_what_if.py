"""Changing what a case's readers said changes that case as if they had said so, and nothing else."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest
from small_study import small_study

from core.analysis.cases.case import (
    open_case,
    plausibility_table,
    predictions_table,
    readings_table,
)
from core.analysis.cases.dots import dot_table
from core.analysis.cases.effect import effect_sentence
from core.analysis.cases.headline import headline
from core.analysis.cases.simplex import simplex_of
from core.analysis.cases.what_if import (
    MOST_ADDED,
    Reading,
    WhatIf,
    apply,
    changes_table,
    format_reading,
    parse_reading,
    said_in,
)
from core.plausibility.aggregate import aggregate
from core.plausibility.settings import MODELS, Aggregation, default_aggregation
from core.study.model import Study, Task


def changed(study: Study, task: Task, index: int, what_if: WhatIf) -> Task:
    """Task in which the case really was read in the changed way."""
    cases = [task.readings.take_cases([i]) for i in range(study.n_cases)]
    cases[index] = apply(study, task, index, what_if)
    names = ("rater", "repeat", "confidence", "score", "label", "block")
    joined = {name: np.concatenate([getattr(case, name) for case in cases]) for name in names}
    starts = {
        "case_start": [case.n_readings for case in cases],
        "entry_start": np.concatenate([np.diff(case.entry_start) for case in cases]),
    }
    rows = {name: np.concatenate([[0], np.cumsum(n)]).astype(np.int64) for name, n in starts.items()}
    return replace(task, readings=replace(task.readings, **joined, **rows))


@pytest.mark.parametrize("sample", ["dermatology", "digits", "scores"])
def test_no_change_changes_nothing(sample: str, request: pytest.FixtureRequest) -> None:
    """An empty what-if gives the study's own readings and numbers, draws included."""
    study: Study = request.getfixturevalue(sample)
    task = next(iter(study.tasks.values()))
    readings = apply(study, task, 7, WhatIf())
    own = task.readings.take_cases([7])
    for name in own.__dataclass_fields__:
        np.testing.assert_array_equal(getattr(readings, name), getattr(own, name))
        assert getattr(readings, name).dtype == getattr(own, name).dtype
    aggregation = default_aggregation(task)
    same, case = (
        open_case(study, task, aggregation, 7, readings=readings),
        open_case(study, task, aggregation, 7),
    )
    np.testing.assert_array_equal(same.draws.draws.value, case.draws.draws.value)
    whole = aggregate(study, task, aggregation).top1.candidate
    slots = aggregate(study, task, aggregation).candidates.of_case(7)
    np.testing.assert_array_equal(case.posterior.top1.candidate, whole[slots])


@pytest.mark.parametrize("model", ["plackett-luce", "prirn", "irn", "majority", "frequency"])
def test_a_changed_case_is_the_case_of_a_changed_study(dermatology: Study, model: str) -> None:
    """The same numbers as if the study had been read in that way, with the same seed."""
    task = next(iter(dermatology.tasks.values()))
    what_if = WhatIf(frozenset({0}), (parse_reading(task, "{Psoriasis} {Acne, Eczema}"),))
    what_if = what_if.with_edit(2, parse_reading(task, "melanoma"))
    aggregation = Aggregation(model, 2.0)
    readings = apply(dermatology, task, 0, what_if)
    case = open_case(dermatology, task, aggregation, 0, readings=readings)
    whole = aggregate(dermatology, changed(dermatology, task, 0, what_if), aggregation)
    slots = whole.candidates.of_case(0)
    np.testing.assert_array_equal(case.posterior.candidates.label, whole.candidates.label[slots])
    np.testing.assert_array_equal(case.posterior.top1.candidate, whole.top1.candidate[slots])
    assert task.readings.per_case[0] == readings.n_readings


def test_readings_are_switched_edited_and_added_in_place() -> None:
    """Worked out by hand, raters and all."""
    study, task = small_study("ranking", "abcd", [["a", "b"], ["a bc", "b", "cd a"]])
    what_if = WhatIf(frozenset({1}), (Reading(((3,),)),)).with_edit(2, Reading(((3, 0),), confidence=0.5))
    case = open_case(study, task, Aggregation("irn"), 1, readings=apply(study, task, 1, what_if))
    table = readings_table(case)
    assert table["rater"].tolist() == ["A", "C", "the reading you added"]
    assert table["reading"].tolist() == ["1. a; 2. b and c, tied", "a and d, tied", "d"]
    np.testing.assert_array_equal(table["confidence"], [np.nan, 0.5, np.nan])
    changes = changes_table(study, task, 1, what_if)
    assert changes["state"].tolist() == ["as read", "off", "edited", "added"]
    assert changes["reading"].tolist() == ["{a} {b, c}", "{b}", "{a, d}", "{d}"]
    assert changes["was"].tolist() == ["", "", "{c, d} {a}", ""]
    assert said_in(task.readings, 1)[2] == Reading(((2, 3), (0,)))
    assert study.rater_ids == ("A", "B", "C")


def test_changes_can_be_taken_back() -> None:
    """Doing and undoing ends where it began; an edit outlives switching off."""
    a, b = Reading(((0,),)), Reading(((1,),))
    start = WhatIf()
    assert not start
    assert start.toggled(3).toggled(3) == start
    assert WhatIf(added=(a, b)).without_added(0) == WhatIf(added=(b,))
    assert start.with_edit(2, a).with_edit(0, b).with_edit(2, None) == start.with_edit(0, b)
    assert start.with_edit(0, a).toggled(0).toggled(0) == start.with_edit(0, a)
    assert Reading(((2, 1), (0,))) == Reading(((1, 2), (0,)))


@pytest.mark.parametrize("model", [name for name in MODELS if "ranking" in MODELS[name].kinds])
def test_every_table_works_without_readings(dermatology: Study, model: str) -> None:
    """All readings off: nothing is claimed, nothing breaks."""
    task = next(iter(dermatology.tasks.values()))
    off = WhatIf(frozenset(range(int(task.readings.per_case[4]))))
    aggregation = Aggregation(model, 2.0)
    case = open_case(dermatology, task, aggregation, 4, readings=apply(dermatology, task, 4, off))
    assert headline(case).sentence == "All readings of this case are left out."
    assert dot_table(case).empty
    assert readings_table(case).empty
    assert simplex_of(case, 3) is None
    assert predictions_table(case)["right"].isna().all()
    plausibility_table(case)
    assert effect_sentence(open_case(dermatology, task, aggregation, 4), case).endswith("no reading is left.")


def test_scores_and_choices_change_too(scores: Study, digits: Study) -> None:
    """Adding high scores moves the side; an added choice moves the shares by its weight."""
    task = next(iter(scores.tasks.values()))
    low = int(np.flatnonzero(aggregate(scores, task, Aggregation("gaussian")).top1.candidate[::2] == 1)[0])
    before = open_case(scores, task, Aggregation("gaussian", 1.0), low)
    what_if = WhatIf(added=(parse_reading(task, "9.5"),) * 20)
    readings = apply(scores, task, low, what_if)
    after = open_case(scores, task, Aggregation("gaussian", 1.0), low, readings=readings)
    assert after.posterior.top1.candidate[1] > 0.9 > before.posterior.top1.candidate[1]
    assert readings_table(after)["score"].tail(20).eq(9.5).all()
    assert "; before, " in effect_sentence(before, after)
    task = next(iter(digits.tasks.values()))
    n = int(task.readings.per_case[0])
    added = WhatIf(added=(parse_reading(task, "{7}", confidence=0.25),))
    case = open_case(digits, task, Aggregation("frequency"), 0, readings=apply(digits, task, 0, added))
    assert case.posterior.mean.candidate[list(case.posterior.candidates.label).index(7)] == pytest.approx(
        1 / (n + 1)
    )
    assert readings_table(case)["confidence"].iloc[-1] == 0.25


def test_an_added_reading_has_the_accuracy_of_a_rater_unknown() -> None:
    """Its vote weighs the mean accuracy, whatever the last rater's is; pooled accuracies do not move."""
    study, task = small_study("choice", "ab", [["a", "a", "b"], ["a", "a", "b"], ["a", "b"]])
    aggregation = Aggregation("accuracy-weighted")
    case = open_case(
        study,
        task,
        aggregation,
        2,
        readings=apply(study, task, 2, WhatIf(frozenset({0, 1}), (Reading(((1,),)),))),
    )
    assert case.posterior.mean.candidate.tolist() == [1.0]
    assert case.study.rater_ids == ("A", "B", "C", "the reading you added")


@pytest.mark.parametrize(
    ("what_if", "message"),
    [
        (WhatIf(frozenset({2})), "2 readings, got a change to reading 3"),
        (WhatIf(frozenset({-1})), "reading 0"),
        (WhatIf(edited=((0, Reading(((0,),))), (0, Reading(((1,),))))), "edited twice"),
        (WhatIf(added=(Reading(((0,),)),) * (MOST_ADDED + 1)), "at most"),
        (WhatIf(added=(Reading(),)), "every place"),
        (WhatIf(added=(Reading(((0,), ())),)), "every place"),
        (WhatIf(added=(Reading(((4,),)),)), "0 to 3"),
        (WhatIf(added=(Reading(((0,), (0,))),)), "once"),
        (WhatIf(added=(Reading(((0,),), confidence=1.5),)), "between 0 and 1"),
        (WhatIf(added=(Reading(((0,),), confidence=float("nan")),)), "between 0 and 1"),
        (WhatIf(added=(Reading(score=1.0),)), "names labels"),
    ],
)
def test_impossible_changes_are_refused(what_if: WhatIf, message: str) -> None:
    """With what is allowed and what came."""
    study, task = small_study("ranking", "abcd", [["a", "b"]])
    with pytest.raises(ValueError, match=message):
        apply(study, task, 0, what_if)


def test_readings_suit_the_kind_of_task() -> None:
    """One label for a choice, one number for a score; what is formatted is parsed back."""
    _, choice = small_study("choice", "abcd", [["a"]])
    _, score = small_study("score", "", [[4.0]])
    for text in ("{a} {b}", "{a, b}"):
        with pytest.raises(ValueError, match="one label, got 2"):
            parse_reading(choice, text)
    for text in ("nan", "", "1e999", "4,5"):
        with pytest.raises(ValueError, match="number"):
            parse_reading(score, text)
    with pytest.raises(ValueError, match="finite number"):
        apply(*small_study("score", "", [[4.0]]), 0, WhatIf(added=(Reading(((0,),)),)))
    for task, reading in ((choice, Reading(((2,),))), (score, Reading(score=-0.1))):
        assert parse_reading(task, format_reading(task, reading)) == reading


def test_a_tie_is_told_before_and_after() -> None:
    """Neither of two tied labels is called the leader, whichever way a change goes."""
    study, task = small_study("choice", "abc", [["a", "b"], ["a", "b", "b"]])
    counts = Aggregation("label-counts", 1.0)
    tied, clear = open_case(study, task, counts, 0), open_case(study, task, counts, 1)
    assert effect_sentence(tied, clear).startswith("With these changes b leads (")
    assert "; before, a and b were tied (" in effect_sentence(tied, clear)
    assert effect_sentence(clear, tied).startswith("With these changes a and b are tied (")
    assert effect_sentence(tied, tied).startswith("With these changes a and b are still tied, and certainty")
    assert " tie: " in headline(tied).sentence
