"""Which dangers a model misses and names, label by label: the parts of what is said of all together."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pandas as pd
import pytest
from small_study import small_study

from core.analysis.cases.case import open_case
from core.analysis.cases.outcome import leads_of
from core.analysis.models.danger_by_label import (
    LEAST_TRUTHS,
    LISTED,
    MOST_DANGERS,
    MOST_MODELS,
    MOST_NAMED,
    Missed,
    hardest,
    in_words,
    listed_in_sentence,
    missed_by_chance,
    missed_in_words,
    missed_listed,
    most_missed,
    named_dangers,
)
from core.analysis.models.supported import Supported, supported
from core.plausibility.settings import Aggregation
from core.study.model import Predictions

COUNTS = Aggregation("label-counts", 2.0)
READINGS = [list("bbc"), list("bcc"), list("aab"), list("aaa"), list("ccd"), []]
ANSWERS = {
    "M": np.eye(4)[[1, 2, 0, 0, 1, 1]].tolist(),
    "label": [[0.1, 0.4, 0.4, 0.1]] * 5 + [[0.0, 0.0, 0.0, 0.0]],
}


def _found(risk: str = "LHHL") -> Supported:
    study, task = small_study("choice", "abcd", READINGS, risk=risk, predictions=ANSWERS)
    return supported(study, task, COUNTS)


def test_shares_of_labels_add_up_to_the_share_of_all_dangers() -> None:
    """Weighted by how often each is the truth; a model may be called as a column is, and tie labels."""
    found = _found()
    by_label, table = found.by_label, found.table
    labels, truths = by_label.iloc[:, 0].tolist(), by_label.iloc[:, 1].to_numpy(float)
    assert set(labels) == {"b", "c"}
    assert (truths >= LEAST_TRUTHS).all()
    for model, share in zip(table["model"], table["high_risk"], strict=True):
        place = 2 + [*by_label.columns[2:]].index(model)
        own = by_label.iloc[:, place].to_numpy(float)
        assert (own * truths).sum() / truths.sum() == pytest.approx(share)
    assert list(truths) == sorted(truths, reverse=True)


def test_missed_dangers_add_up_to_all_that_a_model_misses() -> None:
    """A truth of which nothing warns is missed, whichever it is; another danger in its place is a warning."""
    found = _found()
    missed = found.missed
    assert list(missed.labels) == found.by_label.iloc[:, 0].tolist()
    assert missed.cases.sum(axis=0) / missed.truths.sum(axis=0) == pytest.approx(1 - found.table["caught"])
    assert (missed.shares <= 1 - found.by_label.iloc[:, 2:].to_numpy(float) + 1e-12).all()
    heads, rows, shares = missed_in_words(missed, found.table)
    assert heads == ["Danger", "Cases, on average", *found.table["names"]]
    assert [row[0] for row in rows] == [*missed.labels, "All dangers"]
    assert shares[-1] == pytest.approx(1 - found.table["caught"].to_numpy(float))


def test_of_missed_dangers_those_are_counted_that_a_model_has_second_or_third() -> None:
    """By brute force: case by case, label by label; of a danger that it puts first nothing is missed."""
    rng = np.random.default_rng(3)
    readings = [[*rng.choice(list("abcdef"), 4)] for _ in range(30)]
    answers = {name: rng.dirichlet(np.ones(6), 30) for name in ("one", "two")}
    predictions = {name: of.tolist() for name, of in answers.items()}
    study, task = small_study("choice", "abcdef", readings, risk="LHLHLH", predictions=predictions)
    expected = dict.fromkeys(answers, 0.0)
    for index in range(30):
        leads = leads_of(open_case(study, task, COUNTS, index).posterior, list(range(6)))[0]
        for name, of in answers.items():
            first, *others = np.argsort(-of[index])[:LISTED].tolist()
            if first % 2 == 0:
                expected[name] += sum(leads.get(label, 0.0) for label in others if label % 2)
    missed = supported(study, task, COUNTS).missed
    assert dict(zip(missed.models, missed.listed.tolist(), strict=True)) == pytest.approx(expected, abs=0.05)
    assert min(expected.values()) > 1
    assert (missed.listed < missed.cases.sum(axis=0)).all()
    assert missed_listed(replace(missed, listed=np.array([0.2, 7.6]))) == ["< 1", "8"]
    assert missed_listed(_found().missed) != []
    several = replace(missed, models=("A", "B"), listed=np.array([0.2, 7.6]))
    assert listed_in_sentence(several) == "Of the dangers they miss, A has < 1 and B 8 second or third."
    one = replace(missed, models=("A",), listed=np.array([7.6]))
    assert listed_in_sentence(one) == "Of the dangers it misses, A has 8 second or third."
    many = replace(missed, models=tuple("ABCDE"), listed=np.ones(5))
    assert listed_in_sentence(many) == listed_in_sentence(replace(one, listed=np.zeros(0))) == ""
    few, of_few = small_study(
        "choice", "abc", ["a", "b"], risk="LHH", predictions={"M": np.eye(3)[[0, 0]].tolist()}
    )
    assert missed_listed(supported(few, of_few, COUNTS).missed) == [], "all three are among the first three"


def test_all_that_are_missed_have_a_range() -> None:
    """The interval of the share that is caught, as cases; a dash where a model has none."""
    found = _found()
    (first, *_), row = missed_by_chance(found.missed, found.table), found.table.iloc[0]
    ends = [(1 - row[f"caught_{end}"]) * row["dangers"] for end in ("high", "low")]
    assert first == f"{ends[0]:.0f} to {ends[1]:.0f}"
    assert ends[0] < (1 - row["caught"]) * row["dangers"] < ends[1]
    two = Missed(("x",), ("M", "N"), np.ones((1, 2)), np.full((1, 2), 9.0))
    judged = pd.DataFrame({"dangers": [9.0, 9.0], "caught_low": [0.2, np.nan], "caught_high": [0.8, np.nan]})
    assert missed_by_chance(two, judged) == ["2 to 7", "–"]
    assert missed_by_chance(two, judged.assign(caught_low=np.nan, caught_high=np.nan)) == []


def test_of_models_that_predicted_other_cases_each_misses_its_own() -> None:
    """Judged each on its own cases, a model that never warns misses what it saw, and no more."""
    never, always = np.eye(4)[[0] * 6], np.eye(4)[[1] * 6]
    half = never.copy()
    half[[0, 1]] = np.nan
    study, task = small_study("choice", "abcd", READINGS, risk="LHHL")
    answers = {"all": never, "half": half, "warns": always}
    task = replace(task, predictions={name: Predictions(name, of) for name, of in answers.items()})
    found = supported(study, task, COUNTS, coverage="own")
    dangers = dict(zip(found.table["names"], found.table["dangers"], strict=True))
    assert dangers["half"] < dangers["all"]
    missed = dict(zip(found.missed.models, found.missed.cases.sum(axis=0), strict=True))
    assert missed == pytest.approx({"all": dangers["all"], "half": dangers["half"], "warns": 0.0})
    _, rows, shares = missed_in_words(found.missed, found.table)
    place = found.missed.models.index("half")
    assert rows[-1][2 + place] == f"{dangers['half']:.0f} of {dangers['half']:.0f}", "not of all"
    assert shares[-1][place] == pytest.approx(1.0)
    said = hardest(_of(found.missed, 10), 3)
    assert said == "Missed most across models: c. warns misses 0 of 18, half 8 of 8 and all 18 of 18."
    assert f" of {10 * found.missed.truths[0, place]:.0f}" in most_missed(_of(found.missed, 10))["half"]


def test_a_model_that_names_no_danger_misses_each() -> None:
    """And one that always names one misses none, right or wrong."""
    answers = {"never": np.eye(4)[[0, 0, 0, 3, 3, 0]].tolist(), "always": np.eye(4)[[1] * 6].tolist()}
    study, task = small_study("choice", "abcd", READINGS, risk="LHHL", predictions=answers)
    missed = supported(study, task, COUNTS).missed
    shares = dict(zip(missed.models, missed.shares.T.tolist(), strict=True))
    assert shares == {"never": pytest.approx([1.0, 1.0]), "always": pytest.approx([0.0, 0.0])}


def _missed(labels: str, truths: list[float], **shares: list[float]) -> Missed:
    """What models miss of labels, all of the same cases."""
    of = np.array(truths)[:, None] * np.ones(len(shares))
    return Missed(tuple(labels), tuple(shares), of * np.array([*shares.values()]).T, of)


def _of(missed: Missed, times: float) -> Missed:
    """So many times as many cases."""
    return replace(missed, cases=times * missed.cases, truths=times * missed.truths)


def test_missed_cases_are_written_for_people() -> None:
    """Whole cases; some are never written as none; a dash where nothing is known."""
    judged = pd.DataFrame({"dangers": [12.7], "caught": [0.9]})
    _, rows, shares = missed_in_words(_missed("b7", [12.4, 0.3], M=[0.02, 0.5]), judged)
    assert rows == [["b", "12", "< 1"], ["“7”", "< 1", "–"], ["All dangers", "13", "1"]]
    assert shares.ravel() == pytest.approx([0.02, np.nan, 0.1], nan_ok=True)


def test_without_levels_there_is_no_list() -> None:
    """And of labels that nobody names there is no row."""
    assert _found(risk="").by_label.empty
    assert not _found(risk="").missed.labels
    assert len(_found(risk="LHLH").by_label) == 2
    _, task = small_study("choice", "abcd", READINGS, risk="HHHH")
    assert named_dangers(task) == 4
    _, many = small_study("choice", "abcdefghijkl", [list("abcdefghijkl")], risk="H" * 12)
    assert named_dangers(many) == MOST_DANGERS


def test_of_many_models_the_best_supported_are_listed() -> None:
    """As many as stand beside one another, in the order of the table."""
    answers = {f"M{i}": np.eye(4)[[1, 2, 0, 0, i % 4, 1]].tolist() for i in range(4)}
    answers |= {f"N{i}": np.eye(4)[[i % 4, 3, 3, 3, 3, 3]].tolist() for i in range(4)}
    study, task = small_study("choice", "abcd", READINGS, risk="LHHL", predictions=answers)
    found = supported(study, task, COUNTS)
    assert list(found.by_label.columns[2:]) == found.table["names"].tolist()[:MOST_MODELS]
    assert len(found.table) > MOST_MODELS


def test_the_list_is_written_for_people() -> None:
    """Whole cases, percent; of few cases in how many of them; a dash where that is not known."""
    truths, named = [12.4, 4.6, 4.4, 1.2, 3.0, 2.0, 0.8], [0.754, 0.2, 0.8, 0.3, 0.0, np.nan, 0.9]
    table = pd.DataFrame({"label": list("bcdefgh"), "truths": truths, "M": named})
    shares = [
        ["b", "12", "75\u00a0%"],
        ["c", "5", "20\u00a0%"],
        ["d", "4", "4 of 4"],
        ["e", "1", "< 1 of 1"],
        ["f", "3", "0 of 3"],
        ["g", "2", "–"],
        ["h", "< 1", "–"],
    ]
    assert in_words(table) == (["Danger", "Cases, on average", "M"], shares)


def test_the_hardest_danger_is_named_with_what_each_model_misses() -> None:
    """By the model that misses it least; one that is hardly ever the truth is not compared."""
    truths = [9.0, 6.0, 4.6, 4.4]
    two = _missed("ab7c", truths, M=[0.1, 0.8, 0.7, 1.0], N=[0.2, 0.4, 0.5, 0.9])
    assert hardest(two, 2) == "Missed most across models: “7”. Of about 5, N misses 2 and M 3."
    one = _missed("ab7c", truths, M=[0.1, 0.8, 0.7, 1.0])
    assert hardest(one, 1) == "Missed most across models: b. Of about 6, M misses 5."
    assert hardest(_missed("ac", [9.0, 4.4], M=[0.1, 1.0]), 1) == hardest(Missed(), 2) == ""
    assert hardest(two, 3) == "", "a model that is not listed might miss it less often"
    more = {f"N{i}": [0.5, 0.5, 0.6, 1.0] for i in range(MOST_NAMED - 1)}
    many = _missed("ab7c", truths, M=[0.1, 0.8, 0.7, 1.0], N=[0.2, 0.4, 0.5, 0.9], **more)
    said = hardest(many, MOST_NAMED + 1)
    assert said == "Missed most across models: “7”. Of about 5, even N, the best at it, misses 2."


def test_nothing_is_said_of_shares_that_are_not_known() -> None:
    """A model that predicts none of its cases does not miss it less often; and is told of no label."""
    two = _missed("abc", [9.0, 6.0, 5.0], M=[0.1, 0.8, 0.0], N=[0.2, 0.0, 0.0])
    truths = np.array([[9.0, 9.0], [6.0, 0.0], [0.0, 0.0]])
    assert hardest(replace(two, truths=truths), 2) == "Missed most across models: b. M misses 5 of 6."


def test_what_each_model_misses_most_is_named() -> None:
    """Some dangers at most, those of which it misses most cases; one that misses none is left out."""
    shares = {"M": [0.2, 0.5, 0.0, 0.1], "N": [0.0, 0.0, 0.0, 0.01], "O": [1.0] * 4}
    assert most_missed(_missed("a7cd", [9.0, 6.0, 5.0, 4.0], **shares)) == {
        "M": "“7” (3 of 6) and a (2 of 9)",
        "O": "a (9 of 9), “7” (6 of 6) and c (5 of 5)",
    }
    assert most_missed(Missed()) == {}
