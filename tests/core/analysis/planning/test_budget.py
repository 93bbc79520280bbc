"""Which cases to read again: the readings add up, and their worth is what chance and counting say."""

from __future__ import annotations

import json
from pathlib import Path

import numpy as np
import pandas as pd
import pytest
from small_study import small_study

from core.analysis.planning.budget import plan_budget, probability_of_the_better
from core.analysis.planning.further_readings import outlook
from core.analysis.planning.questions import question
from core.analysis.planning.settings import BudgetSettings
from core.cli import main, sample_folder
from core.plausibility.settings import Aggregation
from core.study.model import Study, Task
from core.study.reading.folder import read_study

DIGITS = sample_folder("mixed_digits")


@pytest.fixture(scope="module")
def digits() -> tuple[Study, Task]:
    """Ten labels, few readings."""
    study = read_study(DIGITS)
    return study, next(iter(study.tasks.values()))


def test_readings_go_where_certainty_is_least_and_add_up(digits: tuple[Study, Task]) -> None:
    """As many as asked for, none above the cap, and no case left out that is less certain than one taken."""
    plan = plan_budget(*digits, BudgetSettings(readings=90, most_each=4))
    assert plan.cases["further_readings"].sum() == plan.readings == 90
    assert plan.cases["further_readings"].max() <= 4
    assert plan.n_cases == len(plan.cases)
    known = outlook(*digits, question(digits[1], "certainty"), most=4)
    row = {digits[0].case_ids[case]: i for i, case in enumerate(known.cases.tolist())}
    taken = {row[case] for case in plan.cases["case_id"]}
    others = np.setdiff1d(np.arange(len(known.cases)), list(taken))
    assert known.need[others, 0].max() <= known.need[list(taken), 0].min() + 1e-12
    assert plan.cases["need"].is_monotonic_decreasing


def test_curves_meet_where_all_has_been_spent(digits: tuple[Study, Task]) -> None:
    """Both begin with what is known now; after the last reading the order no longer matters."""
    n = len(digits[0].case_ids) * 2
    plan = plan_budget(*digits, BudgetSettings(readings=n, most_each=2))
    first, last = plan.curve.iloc[0], plan.curve.iloc[-1]
    assert first["chosen"] == pytest.approx(first["random"], abs=1e-12)
    assert last["further_readings"] == n
    assert last["chosen"] == pytest.approx(last["random"], abs=1e-12)
    assert (plan.curve["chosen"] >= plan.curve["random"] - 1e-12).all()


def test_worth_at_random_is_the_mean_of_random_plans(digits: tuple[Study, Task]) -> None:
    """Slots drawn without replacement, most_each of every case."""
    study, task = digits
    plan = plan_budget(study, task, BudgetSettings(readings=120, most_each=3))
    worth = outlook(study, task, question(task, "certainty"), most=3).worth
    rng = np.random.default_rng(0)
    rows = np.arange(len(worth))
    drawn = [
        worth[rows, np.bincount(rng.permutation(3 * len(worth))[:120] // 3, minlength=len(worth))].mean()
        for _ in range(2000)
    ]
    at = plan.curve.set_index("further_readings")["random"][120]
    assert at == pytest.approx(np.mean(drawn), abs=4 * np.std(drawn) / np.sqrt(2000))


def test_sentence_holds(digits: tuple[Study, Task]) -> None:
    """So many at random are worth as much, and one fewer is not."""
    plan = plan_budget(*digits, BudgetSettings(readings=60))
    chosen = plan.curve.set_index("further_readings")["chosen"][60]
    enough = plan_budget(*digits, BudgetSettings(readings=plan.as_many_at_random)).curve
    fewer = plan_budget(*digits, BudgetSettings(readings=plan.as_many_at_random - 1)).curve
    at = enough.set_index("further_readings")["random"][plan.as_many_at_random]
    before = fewer.set_index("further_readings")["random"][plan.as_many_at_random - 1]
    assert before < chosen <= at + 1e-12
    assert plan.as_many_at_random > 60
    assert plan.sentence.startswith(
        f"60 further readings of the {plan.n_cases} least certain cases are worth as much as "
        f"{plan.as_many_at_random:,} spread at random: the certainty of the leading label, "
    )


def test_better_model_is_known_as_often_as_simulation_says() -> None:
    """The closed form against normal draws; nothing to learn, and everything."""
    rng = np.random.default_rng(1)
    lead, variance, left = 1.5, 9.0, 4.0
    later = lead + np.sqrt(variance - left) * rng.standard_normal(400_000)
    truth = later + np.sqrt(left) * rng.standard_normal(400_000)
    assert probability_of_the_better(lead, variance, left) == pytest.approx(
        np.mean(np.sign(later) == np.sign(truth)), abs=0.003
    )
    assert probability_of_the_better(lead, variance, variance) == pytest.approx(0.69146, abs=1e-5)
    assert probability_of_the_better(lead, variance, 0.0) == 1.0
    assert probability_of_the_better(0.0, 0.0, 0.0) == 0.5


def test_models_are_decided_where_they_differ() -> None:
    """Cases on which two models agree get nothing, though they are uncertain."""
    answers = {"M": np.eye(3)[[0, 0, 1, 2]], "N": np.eye(3)[[0, 1, 2, 2]]}
    study, task = small_study("choice", "abc", ["ab", "ab", "bbc", "abc"], predictions=answers)
    plan = plan_budget(study, task, BudgetSettings(readings=100, order="models"))
    assert plan.cases["case_id"].tolist() == ["case 1", "case 2"]
    assert plan.readings == 10
    assert any("room for 10 of the 100" in note for note in plan.notes)
    assert any("differ in 2 of 4 cases" in note for note in plan.notes)
    assert plan.curve["chosen"].between(0.5, 1).all()
    with pytest.raises(ValueError, match="must be two of those"):
        plan_budget(study, task, BudgetSettings(order="models", between=("M", "X")))


def test_risk_goes_where_a_higher_one_may_be_the_truth() -> None:
    """A case of two low-risk labels waits, however uncertain it is."""
    study, task = small_study("choice", "abz", ["ab", "aaz", "zzz"], risk="LLH")
    plan = plan_budget(study, task, BudgetSettings(readings=3, most_each=3, order="risk"))
    assert plan.cases["case_id"].iloc[0] == "case 1"
    assert "most risk at stake" in plan.sentence


def test_models_that_leave_nothing_open_are_replaced_and_this_is_said(digits: tuple[Study, Task]) -> None:
    """A point estimate has nothing to learn."""
    plan = plan_budget(*digits, BudgetSettings(readings=10), aggregation=Aggregation("majority"))
    assert (plan.aggregation.model, plan.aggregation.reliability) == ("label-counts", 1.0)
    assert plan.notes[0].startswith("Planned with Label counts at γ = 1")
    kept = plan_budget(*digits, BudgetSettings(readings=10), aggregation=Aggregation("label-counts", 3.0))
    assert kept.aggregation.reliability == 3.0
    assert kept.notes == ()


def test_unread_cases_are_left_out_and_this_is_said() -> None:
    """Nothing is known of them to plan from."""
    study, task = small_study("choice", "ab", ["ab", "", "a"])
    plan = plan_budget(study, task, BudgetSettings(readings=50, most_each=2))
    assert plan.readings == 4
    assert sorted(plan.cases["case_id"]) == ["case 0", "case 2"]
    assert "Left out: 1 case without a reading to plan from." in plan.notes


def test_command_gives_the_same_numbers(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """Sentence, curves, cases and what made them."""
    arguments = ["reread", str(DIGITS), "--readings", "40", "--most-each", "3", "--out", str(tmp_path)]
    assert main(arguments) == 0
    study = read_study(DIGITS)
    task = next(iter(study.tasks.values()))
    plan = plan_budget(study, task, BudgetSettings(readings=40, most_each=3))
    assert plan.sentence in capsys.readouterr().out
    cases = pd.read_csv(tmp_path / "reread" / "reread_cases.csv", dtype={"case_id": str})
    pd.testing.assert_frame_equal(cases, plan.cases, check_dtype=False)
    content = json.loads((tmp_path / "reread" / "reread.json").read_text(encoding="utf-8"))
    assert content["as many at random"] == plan.as_many_at_random
    assert content["settings"]["most each"] == "3"
    assert content["settings"]["aggregation model"] == "label-counts"


def test_command_refuses_what_the_study_lacks(capsys: pytest.CaptureFixture[str]) -> None:
    """No risk, an unknown order, no readings to spend."""
    for more, said in (
        (["--order", "risk"], "column risk"),
        (["--order", "speed"], "one of certainty, risk, models"),
        (["--readings", "0"], "readings must be a whole number from 1"),
    ):
        assert main(["reread", str(DIGITS), *more]) == 1
        assert said in capsys.readouterr().err
