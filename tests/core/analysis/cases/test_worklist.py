"""The worklist agrees with the cases it lists."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pandas as pd
import pytest
from small_study import small_study

from core.analysis.cases.case import open_case, plausibility_table, predictions_table
from core.analysis.cases.dots import dot_table
from core.analysis.cases.worklist import PLAUSIBLE, with_labels, worklist
from core.metrics.risk import expected_risk
from core.plausibility.aggregate import aggregate
from core.plausibility.settings import Aggregation
from core.study.model import Study


@pytest.mark.parametrize(
    ("sample", "model", "gamma"),
    [("dermatology", "prirn", 10), ("dermatology", "plackett-luce", 1), ("digits", "label-counts", 1)],
)
def test_rows_agree_with_the_opened_case(
    sample: str, model: str, gamma: float, request: pytest.FixtureRequest
) -> None:
    """Certainty, leader, runner-up and every model's chances are those of the case's own tables."""
    study: Study = request.getfixturevalue(sample)
    task = next(iter(study.tasks.values()))
    aggregation = Aggregation(model, gamma)
    table = worklist(study, task, aggregate(study, task, aggregation))
    assert list(table.index) == list(study.case_ids)
    for index in (0, 3, 50):
        row, case = table.iloc[index], open_case(study, task, aggregation, index)
        detail = plausibility_table(case)
        assert row["leading"] == detail["label"].iloc[0]
        assert row["certainty"] == pytest.approx(detail["leads"].iloc[0])
        assert detail["leads"].sum() == pytest.approx(1, abs=1e-6)
        assert detail["plausibility"].sum() == pytest.approx(1, abs=1e-5)
        dots = dot_table(case)
        assert abs(dots["dots"].sum() - 20) <= len(dots)
        assert dots.groupby("truths")["dots"].nunique().max() == 1
        for _, model_row in predictions_table(case).iterrows():
            assert row[f"{model_row['model']}: right"] == pytest.approx(model_row["right"])
            assert row[f"{model_row['model']}: right in 3"] == pytest.approx(model_row["holds the truth"])


def test_high_risk_is_the_chance_that_a_high_risk_label_leads(dermatology: Study) -> None:
    """Summing P(leads) over all high-risk labels, mentioned or not, by draws."""
    task = next(iter(dermatology.tasks.values()))
    aggregation = Aggregation("prirn", 5)
    posterior = aggregate(dermatology, task, aggregation)
    table = worklist(dermatology, task, posterior)
    for index in range(0, 300, 37):
        slots = posterior.candidates.of_case(index)
        high = task.risk[posterior.candidates.label[slots]] == 2
        assert table["high_risk"].iloc[index] == pytest.approx(posterior.top1.candidate[slots][high].sum())
    assert table["high_risk"].between(0, 1).all()
    np.testing.assert_array_less(table["runner_up_probability"], table["certainty"] + 1e-12)


def test_columns_worked_out_by_hand() -> None:
    """Disagreement, risk that could change, errors and metadata of three cases, one of them unread."""
    models = {
        "m": [[0.9, 0.1, 0.0], [0.1, 0.9, 0.0], [1.0, 0.0, 0.0]],
        "n": [[np.nan] * 3, [0, 0, 1], [1, 0, 0]],
    }
    study, task = small_study(
        "choice",
        "abc",
        [["a", "a", "b"], ["c", "c", "c", "c"], []],
        risk="LHL",
        predictions=models,
        metadata={"image": ["x", "y", "z"], "risk": [1, 2, 3], "reference": ["a", "c", ""]},
    )
    table = worklist(study, task, aggregate(study, task, Aggregation("label-counts", 50)))
    # The readings "a" hold what the others put first (b ties with a); "b" does not.
    assert table["disagreement"].tolist() == pytest.approx([1 / 3, 0, np.nan], nan_ok=True)
    assert table["risk"].tolist() == ["low", "low", ""]
    assert table["risk_could_change"].tolist() == [False, False, False]
    assert table["m: error"].tolist() == pytest.approx([0, 1, np.nan], abs=0.01, nan_ok=True)
    assert table["n: error"].tolist() == pytest.approx([np.nan, 0, np.nan], abs=0.01, nan_ok=True)
    assert table["model_error"].tolist() == pytest.approx([0, 1, np.nan], abs=0.01, nan_ok=True)
    assert table["models_wrong"].tolist() == ["", "m: b", ""]
    assert table["high_risk_named"].tolist() == [True, False, False]
    assert table["reference_risk"].tolist() == ["low", "low", ""]
    assert not table["m: misses danger"].any()
    assert [name for name in table if name.startswith("metadata")] == [
        "metadata: risk",
        "metadata: reference",
    ]
    assert table["metadata: risk"].tolist() == [1, 2, 3]
    doubtful = worklist(study, task, aggregate(study, task, Aggregation("label-counts", 1)))
    assert doubtful["risk_could_change"].tolist() == [True, False, False]


def test_cases_are_settled_by_references_of_more_than_readers() -> None:
    """As each case says, or all do; one without a reference is not, nor is anything where nothing is said."""
    of_case = {
        "reference": ["a", "c", "", "b"],
        "reference_standard": ["", "readers", "surgery", "histology"],
    }
    study, task = small_study("choice", "abc", [["a"], ["b"], ["c"], ["a"]], metadata=of_case)
    posterior = aggregate(study, task, Aggregation("label-counts", 1))

    def settled(one: Study) -> list[bool]:
        return worklist(one, task, posterior)["settled_by_reference"].tolist()

    assert settled(study) == [False, False, False, True]
    assert settled(replace(study, reference_standard="follow-up")) == [True, False, False, True]
    of_all = replace(study, cases=study.cases.drop(columns="reference_standard"))
    assert "settled_by_reference" not in worklist(of_all, task, posterior)
    assert settled(replace(of_all, reference_standard="readers")) == [False] * 4
    assert settled(replace(of_all, reference_standard="surgery")) == [True, True, False, True]
    without = replace(of_all, cases=of_all.cases.drop(columns="reference"), reference_standard="surgery")
    assert "settled_by_reference" not in worklist(without, task, posterior)


def test_plausible_labels_are_those_that_lead_often_enough(dermatology: Study) -> None:
    """As the case's own table has them, in its order; and a label that nobody named where few are."""
    task = next(iter(dermatology.tasks.values()))
    aggregation = Aggregation("prirn", 5)
    table = worklist(dermatology, task, aggregate(dermatology, task, aggregation))
    for index in range(0, 300, 37):
        detail = plausibility_table(open_case(dermatology, task, aggregation, index))
        named = detail.loc[detail["leads"] >= PLAUSIBLE, "label"]
        assert table["plausible"].iloc[index] == "; ".join(named)
        shown = with_labels(table.iloc[index : index + 1], named.tolist())
        for label, chance in detail.loc[named.index, ["label", "leads"]].itertuples(index=False):
            assert shown[f"leads: {label}"].iloc[0] == pytest.approx(chance, abs=1e-4)
    counts = Aggregation("label-counts", 1)
    study, task = small_study("choice", "abc", [["a"], ["a"] * 9, [], ["b", "c"]])
    posterior = aggregate(study, task, counts)
    assert posterior.top1.other[0] >= PLAUSIBLE > posterior.top1.other[1]
    table = worklist(study, task, posterior)
    assert table["plausible"].tolist() == ["a; b; c", "a", "", "b; c; a"]
    assert with_labels(table, ["a"])["leads: a"].isna().tolist() == [False, False, True, False]


def test_risk_could_change_where_other_levels_lead_often_enough(dermatology: Study) -> None:
    """One minus the probability of the leader's own level, by draws of the arg max."""
    task = next(iter(dermatology.tasks.values()))
    posterior = aggregate(dermatology, task, Aggregation("plackett-luce", 1))
    table = worklist(dermatology, task, posterior)
    leaders = posterior.leaders(1)[:, :, 0]
    for index in range(0, 300, 23):
        slots = posterior.candidates.of_case(index)
        labels = posterior.candidates.label[slots]
        level = task.risk[list(task.labels).index(table["leading"].iloc[index])]
        named = leaders[index][leaders[index] >= 0]
        others = (task.risk[labels[named]] != level).mean() * len(named) / len(leaders[index])
        unnamed = (leaders[index] < 0).mean()
        if abs(others - PLAUSIBLE) > unnamed:
            assert table["risk_could_change"].iloc[index] == (others >= PLAUSIBLE)
    pd.testing.assert_series_equal(
        table["expected_risk"],
        pd.Series(expected_risk(posterior, task.risk), table.index, name="expected_risk"),
    )


def test_scores_disagree_about_the_side(scores: Study) -> None:
    """Two of three scores on one side: each of the two agrees with the others or ties, the third does not."""
    study, task = small_study("score", "", [[4.0, 4.5, 9.0], [6.0, 7.0], [3.0]])
    table = worklist(study, task, aggregate(study, task, Aggregation("gaussian", 1)))
    assert table["disagreement"].tolist() == pytest.approx([1 / 3, 0, np.nan], nan_ok=True)


def test_fifty_readers_and_ten_thousand_labels() -> None:
    """A case with every label named and a case with fifty readings are one row each."""
    rng = np.random.default_rng(3)
    labels = "".join(chr(0x4E00 + i) for i in range(10_000))
    many = ["".join(rng.choice(list(labels[:9000]), 200, replace=False)) for _ in range(50)]
    study, task = small_study("ranking", labels, [many, [" ".join(labels[:300])]])
    table = worklist(study, task, aggregate(study, task, Aggregation("prirn", 10)))
    assert table["readings"].tolist() == [50, 1]
    assert table["labels"].iloc[0] == len(set("".join(many)))
    assert table["certainty"].between(0, 1).all()


def test_labels_that_lead_equally_often_stand_by_their_plausibility() -> None:
    """Under a point estimate all but one lead never, and the label order would say nothing."""
    study, task = small_study("ranking", "abcd", [["d c", "d b c", "d c"]])
    case = open_case(study, task, Aggregation("irn", np.inf), 0)
    assert [task.labels[k] for k in case.order] == ["d", "c", "b"]


@pytest.mark.parametrize(("labels", "held"), [("ab", 1), ("abc", 2), ("abcde", 3)])
def test_all_labels_together_hold_the_truth_and_say_nothing(labels: str, held: int) -> None:
    """What is among the first is asked of fewer labels than there are."""
    said = [[1 / len(labels) + 0.01 * (len(labels) - 1 - 2 * i) for i in range(len(labels))]]
    readings = [[labels[0], labels[1], labels[-1]]]
    study, task = small_study("choice", labels, readings, predictions={"m": said})
    case = open_case(study, task, Aggregation("label-counts", 1.0), 0)
    (row,) = predictions_table(case).to_dict("records")
    leads = plausibility_table(case).set_index("label")["leads"]
    assert row["prediction"].startswith(f"{labels[0]}:\u00a0")
    if len(labels) < 4:
        assert row["holds the truth"] == pytest.approx(leads[list(labels[:held])].sum())
        assert row["holds the truth"] < 0.99
    else:
        assert row["holds the truth"] >= leads[[*labels[:2]]].sum()


def test_a_model_s_place_for_the_reference_counts_what_it_thinks_likelier() -> None:
    """Second of three; shared first where two are alike; none without a reference."""
    study, task = small_study(
        "choice",
        "abc",
        [["a"], ["a"], ["a"]],
        predictions={"m": [[0.5, 0.3, 0.2], [0.4, 0.4, 0.2], [0.5, 0.3, 0.2]]},
        metadata={"reference": ["b", "b", ""]},
    )
    cases = [open_case(study, task, Aggregation("label-counts", 1.0), index) for index in range(3)]
    places = [predictions_table(case)["reference place"].iloc[0] for case in cases]
    assert places[:2] == [2, 1]
    assert np.isnan(places[2])


def test_what_a_model_says_carries_the_risk_of_each_label() -> None:
    """As letters behind the names; a study without risk levels has none."""
    for risk, said in (
        ("LMH", "a\u00a0(L):\u00a050\u00a0%, c\u00a0(H):\u00a030\u00a0%"),
        (None, "a:\u00a050\u00a0%"),
    ):
        given = {"risk": risk} if risk else {}
        study, task = small_study("choice", "abc", [["a"]], predictions={"m": [[0.5, 0.2, 0.3]]}, **given)
        (row,) = predictions_table(open_case(study, task, Aggregation("label-counts", 1.0), 0)).to_dict(
            "records"
        )
        assert row["prediction"].startswith(said)
        assert (row["first answer"], row["risk"], row["probability"]) == ("a", "L" if risk else "", 0.5)


def test_what_a_model_says_besides_its_first_label_is_given_apart() -> None:
    """However labels are written, commas and signs included: nobody has to take its words apart."""
    labels = ["a: 50, b", "c", "d, e"]
    study, task = small_study("choice", labels, [["c"]], predictions={"m": [[0.5, 0.3, 0.2]]})
    (row,) = predictions_table(open_case(study, task, Aggregation("label-counts", 1.0), 0)).to_dict("records")
    assert row["then"] == "c:\u00a030\u00a0%, d, e:\u00a020\u00a0%"
    assert row["prediction"] == f"a: 50, b:\u00a050\u00a0%, {row['then']}"
    assert (row["first answer"], row["score"]) == ("a: 50, b", "")
