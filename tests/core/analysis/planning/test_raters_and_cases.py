"""Planning: answers that can be worked out otherwise, growth with raters, and what is refused."""

from __future__ import annotations

import numpy as np
import pytest
from fineness_by_hand import equal_fineness
from scipy.stats import beta, binom
from small_study import small_study

from core.analysis.planning.certainty import plan_certainty, plan_certainty_like
from core.analysis.planning.raters_and_cases import (
    Assumptions,
    fitted_assumptions,
    model_accuracies,
    plan_fineness,
    plan_ranking,
)
from core.analysis.raters.fineness import judge
from core.analysis.raters.panel import panel
from core.cli import sample_folder
from core.metrics.fineness.model_ranking import score_difference
from core.plausibility.aggregate import aggregate
from core.plausibility.settings import Aggregation
from core.study.model import Study, Task
from core.study.reading.folder import read_study


@pytest.fixture(scope="module")
def knee() -> tuple[Study, Task]:
    """The bundled 13 readers and two models."""
    study = read_study(sample_folder("knee_mri"))
    return study, study.tasks["tear"]


def test_plan_of_the_published_example() -> None:
    """Accuracy .81, 95 %: 7 raters; the bound 22; no word of dependence where none is assumed."""
    plan = plan_fineness(Assumptions(0.81), 0.95)
    assert plan.raters == 7
    assert "7 raters of accuracy 0.81" in plan.sentence
    assert "22" in plan.sentence
    assert "same cases" not in plan.sentence
    assert plan.table.set_index("n_raters").loc[5, "fineness"] == pytest.approx(0.9495, abs=5e-5)


def test_dependent_plan_says_what_cannot_be_reached(knee: tuple[Study, Task]) -> None:
    """The fitted readers: 95 % is out of reach, and the sentence says how far they get."""
    assumptions = fitted_assumptions(judge(panel(*knee)))
    plan = plan_fineness(assumptions, 0.95)
    assert plan.raters is None
    limit = equal_fineness(assumptions.accuracy, 999, difficulty=assumptions.difficulty)
    assert f"in only {100 * limit:.3g} %" in plan.sentence
    reachable = plan_fineness(assumptions, 0.85).raters
    assert reachable is not None
    reached = equal_fineness(assumptions.accuracy, reachable, difficulty=assumptions.difficulty)
    assert reached >= 0.85


def test_certainty_of_simulated_raters_equals_its_expectation() -> None:
    """Two labels: the certainty of k of n readings is a beta probability, and k is binomial."""
    plan = plan_certainty(Assumptions(0.8), 0.9, sizes=(1, 4, 9, 20), n_cases=4_000, seed=1)
    for row in plan.table.itertuples():
        k = np.arange(row.n_raters + 1)
        above = beta.sf(0.5, k + 0.5, row.n_raters - k + 0.5)
        expected = binom.pmf(k, row.n_raters, 0.8) @ np.maximum(above, 1 - above)
        assert abs(row.certainty - expected) < 4 * row.standard_error + 1e-9
    assert plan.raters in (9, 20)


def test_certainty_answer_holds_from_there_on() -> None:
    """One reading alone looks more certain than two: it is not the answer where two are not enough."""
    plan = plan_certainty(Assumptions(0.8), 0.81, sizes=(1, 2, 3, 5), n_cases=500)
    certainty = plan.table["certainty"].tolist()
    assert certainty[0] > 0.81 > certainty[1]
    assert plan.raters == 3


def test_certainty_grows_with_raters_like_those_of_a_study(digits: Study, dermatology: Study) -> None:
    """Choices and differentials; the same study gives the same plan."""
    for study in (digits, dermatology):
        (task,) = study.tasks.values()
        plan = plan_certainty_like(study, task, 0.99, sizes=(3, 8, 20), n_cases=60)
        assert plan.table["certainty"].is_monotonic_increasing
        again = plan_certainty_like(study, task, 0.99, sizes=(3, 8, 20), n_cases=60)
        assert again.table.equals(plan.table)
        assert study.name in plan.sentence


@pytest.mark.parametrize("name", ["mixed_digits", "toy_three_labels", "knee_mri"])
def test_simulated_readings_resemble_those_of_the_study(name: str) -> None:
    """With as many raters as most cases have, certainty comes out near the study's own."""
    study = read_study(sample_folder(name))
    (task,) = study.tasks.values()
    n = int(np.median(task.readings.per_case))
    cases = np.flatnonzero(task.readings.per_case == n).tolist()
    own = aggregate(study, task, Aggregation("label-counts", 1.0), cases=cases).certainty(1).mean()
    found = plan_certainty_like(study, task, 0.9, sizes=(n,)).table.loc[0, "certainty"]
    assert found == pytest.approx(own, abs=0.05)


def test_ranking_plan_takes_the_fewest_readings() -> None:
    """One reading a case is best for two models; the answer reaches the probability."""
    assumptions = Assumptions(0.81)
    plan = plan_ranking(assumptions, 0.9, 0.85, 0.95)
    assert plan.raters is not None
    assert plan.cases is not None
    assert plan.cases * plan.raters == plan.table["readings_needed"].min()
    a = assumptions
    difference = score_difference(0.9, 0.85, a.accuracy, plan.raters, difficulty=a.difficulty)
    assert difference.ranked_rightly(plan.cases // 2) < 0.95 <= difference.ranked_rightly(plan.cases)


def test_hard_cases_cost_cases() -> None:
    """Where raters err on what is hard for models too, it takes more."""
    alone = plan_ranking(Assumptions(0.81), 0.9, 0.85, 0.9, sizes=[3]).table
    together = plan_ranking(Assumptions(0.81, 2.0), 0.9, 0.85, 0.9, sizes=[3]).table
    assert (together["cases_needed"] > 2 * alone["cases_needed"]).all()


def test_ranking_by_guessing_raters_is_impossible() -> None:
    """And the sentence says so."""
    plan = plan_ranking(Assumptions(0.5), 0.9, 0.85, 0.9, sizes=[1, 3])
    assert (plan.raters, plan.cases) == (None, None)
    assert plan.sentence.startswith("No number of cases")
    assert plan.table["cases_needed"].isna().all()


def test_model_accuracies_are_counted(knee: tuple[Study, Task]) -> None:
    """Against the reference, on the chosen cases."""
    study, task = knee
    found = model_accuracies(judge(panel(study, task, cases=range(10, 60))))
    reference = study.cases["reference"].to_numpy()[10:60]
    for model, predictions in task.predictions.items():
        named = np.array(task.labels)[predictions.probability[10:60].argmax(axis=1)]
        assert found[model] == pytest.approx((named == reference).mean())


@pytest.mark.parametrize(
    ("call", "said"),
    [
        (lambda: Assumptions(81), r"in \[0, 1\]"),
        (lambda: Assumptions(0.8, -1), "difficulty"),
        (lambda: Assumptions(0.8, n_labels=1), "n_labels"),
        (lambda: plan_fineness(Assumptions(0.8), 95), "between 0 and 1"),
        (lambda: plan_certainty(Assumptions(0.8), 95), "between 0 and 1"),
        (lambda: plan_ranking(Assumptions(0.8), 0.8, 0.9, 0.9), "higher accuracy"),
        (lambda: plan_ranking(Assumptions(0.8), 0.9, 0.8, 0.4), r"between 0\.5 and 1"),
    ],
)
def test_impossible_plans_are_refused(call, said: str) -> None:
    """In words."""
    with pytest.raises(ValueError, match=said):
        call()


def test_plans_like_an_unsuitable_study_are_refused(scores: Study, digits: Study) -> None:
    """Scores, no readings, a model that leaves nothing open."""
    (task,) = scores.tasks.values()
    with pytest.raises(ValueError, match="score task 'severity'"):
        plan_certainty_like(scores, task, 0.9)
    empty, nothing = small_study("choice", "ab", [[], []])
    with pytest.raises(ValueError, match="must have readings"):
        plan_certainty_like(empty, nothing, 0.9)
    (task,) = digits.tasks.values()
    with pytest.raises(ValueError, match="finite reliability"):
        plan_certainty_like(digits, task, 0.9, aggregation=Aggregation("majority"))
