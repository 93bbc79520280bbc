"""What a round changed: against closed forms, against counting by hand, and in the limits."""

from __future__ import annotations

import math

import numpy as np
import pandas as pd
import pytest
from scipy.stats import beta
from small_study import small_study

from core.analysis.models.rank_change import rank_change
from core.analysis.models.settings import ComparisonSettings
from core.analysis.round_changes import RoundChanges, round_changes
from core.plausibility.aggregate import aggregate
from core.plausibility.settings import AggregationChoice
from core.study.model import Kind

COUNTS = AggregationChoice("label-counts", 1.0)
POINT = AggregationChoice("label-counts", math.inf)
M, N = [[0.9, 0.1]] * 3, [[0.2, 0.8], [0.6, 0.4], [0.3, 0.7]]


def changed(
    before: list[list[str]],
    after: list[list[str]],
    choice: AggregationChoice = COUNTS,
    *,
    labels: str = "ab",
    **more: object,
) -> RoundChanges:
    """Compare two studies of choices."""
    one, task = small_study("choice", labels, before, **more)  # type: ignore[arg-type]
    other, _ = small_study("choice", labels, after, **more)  # type: ignore[arg-type]
    return round_changes(one, other, "t", choice.for_task(task))


def leads(a: int, b: int) -> float:
    """How often the first of two labels leads, after so many readings of each: a closed form."""
    return float(beta(a + 0.5, b + 0.5).sf(0.5))


def test_two_labels_have_a_closed_form() -> None:
    """Certainty, and how far the case moved."""
    found = changed([["a"], ["a", "b", "b"], ["a"]], [["a", "b", "b"], ["a", "b", "b"], ["a", "a"]])
    cases = found.tables["cases"].set_index("case_id")
    assert list(cases.index) == ["case 0", "case 2"]
    assert list(cases["further_readings"]) == [2, 1]
    assert list(cases["leading_changed"]) == [True, False]
    then, now = leads(1, 0), leads(1, 2)
    assert cases["certainty_before"].to_numpy() == pytest.approx([then, then], abs=1e-8)
    assert cases["certainty_after"].to_numpy() == pytest.approx([1 - now, leads(2, 0)], abs=1e-8)
    assert cases["moved"].to_numpy() == pytest.approx([then - now, leads(2, 0) - then], abs=1e-8)
    certainty = found.tables["certainty"].set_index("scope")
    assert certainty["before"].to_numpy() == pytest.approx([then, (2 * then + 1 - leads(1, 2)) / 3], abs=1e-8)
    assert certainty["change"].iloc[0] == pytest.approx((1 - now + leads(2, 0)) / 2 - then, abs=1e-8)
    assert list(certainty["n_cases"]) == [2, 3]
    assert list(certainty["leading_changed"]) == [1, 1]


def test_a_tie_that_is_broken_is_no_other_label() -> None:
    """Another label leads where none of those that led does so now; an unread case had none."""
    pairs = {
        ("ab", "aba"): (False, True),
        ("ab", "abccc"): (True, False),
        ("a", "ab"): (False, False),
        ("a", "abb"): (True, False),
        ("ab", "abacbc"): (False, False),
        ("", "a"): (False, False),
        ("a", "abbcc"): (True, False),
    }
    before, after = ([list(pair[side]) for pair in pairs] for side in (0, 1))
    found = changed(before, after, labels="abc")
    cases = found.tables["cases"].set_index("case_id").loc[[f"case {i}" for i in range(len(pairs))]]
    assert list(cases["leading_changed"]) == [other for other, _ in pairs.values()]
    counts = found.tables["certainty"].iloc[0]
    assert (counts["leading_changed"], counts["ties_broken"], counts["n_cases"]) == (3, 1, 6)
    assert found.sentences[-1] == "Another label leads in 3 of them, and a tie is broken in 1 of them."


def test_what_became_of_danger_is_said_first() -> None:
    """By the closed form, of each of a few cases; of more in how many; not without levels of risk."""
    few = changed([["a"], ["a", "b"], ["a"]], [["a", "b", "b"], ["a", "b"], ["a", "a"]], risk="LH")
    table = few.tables["cases"].set_index("case_id")
    then, now = (1 - leads(1, 0), 1 - leads(2, 0)), (1 - leads(1, 2), 1 - leads(2, 0))
    assert table.loc["case 0", "high_risk_before"] == pytest.approx(then[0], abs=1e-8)
    assert table.loc[["case 0", "case 2"], "high_risk_after"].to_numpy() == pytest.approx(now, abs=1e-8)
    moves = [f"from {100 * then[0]:.0f} to {100 * after:.0f} of 100" for after in now]
    assert few.sentences[1:3] == (
        f"Danger in case 0 rises {moves[0]}.",
        f"Danger in case 2 falls {moves[1]}.",
    )
    plain = changed([["a"]], [["a", "b"]])
    assert "high_risk_before" not in plain.tables["cases"]
    assert not [words for words in plain.sentences if "Danger" in words]
    many = changed(
        [["a"]] * 4, [["a", "b", "b"], ["a", "a"], ["a", "b"], ["a", "a", "a"]], risk="LH"
    ).sentences[1]
    assert many == (
        "Danger rises in 2 and falls in 2 of the 4 cases; in case 0, where it moves most, it rises "
        f"{moves[0]}."
    )


def test_movement_is_half_the_sum_of_all_differences() -> None:
    """Over every label of the task, named before, after or never."""
    rng = np.random.default_rng(3)
    before = [list(rng.choice(list("abc"), size=2)) for _ in range(8)]
    after = [[*of, *rng.choice(list("cdef"), size=2)] for of in before]
    table = changed(before, after, labels="abcdefg").tables["cases"].set_index("case_id")
    dense = []
    for cases in (before, after):
        study, task = small_study("choice", "abcdefg", cases)
        posterior = aggregate(study, task, COUNTS.for_task(task))
        rows = np.repeat(posterior.top1.other[:, None], 7, axis=1)
        rows[posterior.candidates.case, posterior.candidates.label] = posterior.top1.candidate
        assert rows.sum(axis=1) == pytest.approx(np.ones(8), abs=1e-8)
        dense.append(rows)
    expected = np.abs(dense[1] - dense[0]).sum(axis=1) / 2
    assert table.loc[[f"case {i}" for i in range(8)], "moved"].to_numpy() == pytest.approx(expected, abs=1e-9)
    assert table["moved"].is_monotonic_decreasing


def test_a_case_that_turns_round_moves_most_though_its_certainty_stays() -> None:
    """As a point estimate: it is sure of one label, then of the other."""
    cases = changed([["a"], ["a"]], [["a", "a"], ["a", "b", "b"]], POINT).tables["cases"]
    assert list(cases["case_id"]) == ["case 1", "case 0"]
    assert list(cases["moved"]) == [1.0, 0.0]
    assert list(cases["certainty_change"]) == [0.0, 0.0]
    assert list(cases["leading_after"]) == ["b", "a"]


def test_what_changed_is_said_in_sentences() -> None:
    """With shares as people write them, and how many cases are led by another label."""
    found = changed([["a"], ["a"]], [["a", "a"], ["a", "b", "b"]], POINT)
    assert found.sentences == (
        "2 cases have 3 further readings.",
        "Mean certainty of the cases read again stays at 100\u00a0%; of the study it stays at 100\u00a0%.",
        "Another label leads in 1 of them.",
    )
    found = changed([["a"], ["b"]], [["a", "a"], ["b"]])
    assert found.sentences[0] == "1 case has 1 further reading."
    assert found.sentences[-1] == "No other label leads in any of them."


def test_models_and_their_ranks_by_hand() -> None:
    """Accuracy counts the majority's label; the order turns round with it."""
    found = changed(
        [["a"], ["a"], ["a"]],
        [["a", "b", "b"], ["a"], ["a", "b", "b"]],
        predictions={"m": M, "n": N},
    )
    table = found.tables["models"].set_index(["metric", "model"])
    columns = ["before", "after", "rank_before", "rank_after", "rank_change"]
    assert table.loc[("accuracy", "m"), columns].tolist() == pytest.approx([1, 1 / 3, 1, 2, -1])
    assert table.loc[("accuracy", "n"), columns].tolist() == pytest.approx([1 / 3, 1, 2, 1, 1])
    share = (leads(1, 2) * 2 + leads(1, 0)) / 3
    assert table.loc[("adjusted accuracy", "m"), "after"] == pytest.approx(share, abs=1e-8)
    assert "By adjusted accuracy, m goes from rank 1 to 2, n goes from rank 2 to 1." in found.sentences


def test_the_label_that_is_compared_is_that_of_before() -> None:
    """Even where another one has most votes by now."""
    three = [[0.5, 0.3, 0.2], [0.1, 0.6, 0.3], [0.3, 0.3, 0.4], [0.7, 0.2, 0.1]]
    before = [["a"], ["a"], ["b"], ["c"]]
    after = [["a", "b"], ["a", "b", "b"], ["b", "b"], ["c", "b"]]
    found = changed(before, after, labels="abc", predictions={"m": three})
    study, task = small_study("choice", "abc", after, predictions={"m": three})
    expected = rank_change(
        study, task, ComparisonSettings(positive="a"), aggregation=COUNTS.for_task(task)
    ).set_index("metric")
    auroc = found.tables["models"].set_index("metric").loc["AUROC"]
    assert auroc["after"] == expected.loc["AUROC", "hard"]
    assert auroc["n_cases_after"] == 4


def test_cases_that_nobody_had_read() -> None:
    """Have no certainty before, come last, and enter no mean; models are judged on more cases than before."""
    found = changed([["a"], ["a"], []], [["a", "a"], ["a"], ["b"]], predictions={"m": M, "n": N})
    cases = found.tables["cases"]
    assert list(cases["case_id"]) == ["case 0", "case 2"]
    assert cases["certainty_before"].isna().tolist() == [False, True]
    assert cases["moved"].isna().tolist() == [False, True]
    assert list(found.tables["certainty"]["n_cases"]) == [1, 2]
    models = found.tables["models"]
    assert set(models["n_cases_before"]) == {2}
    assert set(models["n_cases_after"]) == {3}


@pytest.mark.parametrize("kind", ["choice", "ranking", "score"])
def test_nothing_read_is_nothing_changed(kind: Kind) -> None:
    """Of every kind of task, with its own recommended model."""
    said = [[4.0, 6.0], [5.5], [1.0, 2.0]] if kind == "score" else [["a", "b"], ["b"], ["a"]]
    study, task = small_study(kind, "ab", said, risk="LH", predictions={"m": M, "n": N})
    found = round_changes(study, study, "t", AggregationChoice().for_task(task))
    assert found.tables["cases"].empty
    assert found.sentences == ("No case has a further reading, so nothing changed.",)
    of_study = found.tables["certainty"].set_index("scope").loc["study"]
    assert list(of_study["measure"]) == ["certainty", "risk certainty"]
    assert (of_study["change"] == 0).all()
    models = found.tables["models"].dropna(subset=["change"])
    assert len(models)
    assert (models[["change", "rank_change"]] == 0).all(axis=None)


def test_risk_is_certain_where_labels_of_one_risk_are_confused() -> None:
    """Two labels of low risk: the case is uncertain, its risk less so than with a label of high risk."""
    found = changed([["a"], ["a"]], [["a", "b"], ["a", "c"]], labels="abc", risk="LLH")
    cases: pd.DataFrame = found.tables["cases"].set_index("case_id")
    assert cases["certainty_after"].to_numpy() == pytest.approx([cases["certainty_after"].iloc[0]] * 2)
    assert cases.loc["case 0", "risk_certainty_after"] > cases.loc["case 1", "risk_certainty_after"]


def test_other_cases_or_labels_are_refused() -> None:
    """There is nothing to compare."""
    one, task = small_study("choice", "ab", [["a"]])
    other, _ = small_study("choice", "ab", [["a"], ["b"]])
    third, _ = small_study("choice", "abc", [["a"]])
    for after in (other, third):
        with pytest.raises(ValueError, match="the same cases and labels"):
            round_changes(one, after, "t", COUNTS.for_task(task))
