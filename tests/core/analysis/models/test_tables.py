"""Everything that is asked of a comparison of models, and the ranks and adjusted accuracies over draws."""

from __future__ import annotations

import numpy as np
import pytest
from two_label_studies import two_label_study

from core.analysis.models.best import rank_table
from core.analysis.models.comparison import labels_by_votes
from core.analysis.models.settings import ComparisonSettings
from core.analysis.models.stability import ADJUSTED, METRICS, stability
from core.analysis.models.tables import differ_in_cases, measured, resampled
from core.analysis.reliability.sweep import metrics_at
from core.plausibility.settings import Aggregation
from core.study.model import Study

VOTES = [[0, 0, 0], [0, 0, 1], [0, 1, 1], [1, 1, 1], [0, 0, 1], [1, 1, 0]]
MODELS = {"a": [0.1, 0.2, 0.6, 0.9, 0.4, 0.7], "b": [0.3, 0.6, 0.4, 0.8, 0.1, 0.5], "c": [0.5] * 6}


def test_ranks_are_those_of_each_draw() -> None:
    """Ranks counted draw by draw with plain loops, of a metric and of a loss."""
    study, task = two_label_study(VOTES, MODELS)
    stable = stability(study, task, ComparisonSettings(n_draws=40))
    table = rank_table(stable).set_index(["source", "metric", "model", "rank"])["share"]
    for metric, sign in (("s-AUROC", -1), ("soft log loss", 1)):
        drawn = stable.about_observed("both", metric)
        drawn = drawn[~np.isnan(drawn).any(axis=1)]
        for m, model in enumerate(stable.models):
            ranks = [1 + sum(sign * of < sign * row[m] - 1e-12 for of in row) for row in drawn]
            for rank in (1, 2, 3):
                expected = ranks.count(rank) / len(drawn)
                assert table.get(("both", metric, model, rank), 0.0) == pytest.approx(expected)
    assert (table > 0).all()


def test_ranks_of_undefined_metrics_are_none() -> None:
    """Where no draw defines a metric, no rank occurs."""
    study, task = two_label_study([[0, 0]] * 3, {"a": [0.1, 0.2, 0.3], "b": [0.3, 0.1, 0.2]})
    table = rank_table(stability(study, task, ComparisonSettings(n_draws=5)))
    assert set(table["metric"]) == {
        "Brier score",
        "soft Brier score",
        "log loss",
        "soft log loss",
        "accuracy",
    }


def test_adjusted_accuracy_is_drawn_over_cases(digits: Study) -> None:
    """Observed it is that of the sweep; drawn, the mean of the same expected hits over the cases drawn."""
    task = next(iter(digits.tasks.values()))
    aggregation = Aggregation("label-counts", 2.0)
    stable = stability(
        digits, task, ComparisonSettings(n_draws=400), metrics=(ADJUSTED, "accuracy"), aggregation=aggregation
    )
    assert set(stable.drawn) == {
        ("annotations", "accuracy"), ("cases", "accuracy"), ("cases", ADJUSTED), ("both", "accuracy"),
    }  # fmt: skip
    swept = metrics_at(digits, task, aggregation)
    top = swept[swept["metric"] == "top-1 accuracy"].set_index("subject")
    for m, model in enumerate(stable.models):
        drawn = stable.drawn["cases", ADJUSTED][:, m]
        assert stable.observed[ADJUSTED][m] == pytest.approx(top.loc[model, "value"], abs=1e-12)
        assert drawn.mean() == pytest.approx(top.loc[model, "value"], abs=0.01)
        assert drawn.std() == pytest.approx(top.loc[model, "standard_error"], rel=0.15)


def test_adjusted_accuracy_needs_cases() -> None:
    """No truth is drawn for it."""
    study, task = two_label_study(VOTES, MODELS)
    with pytest.raises(ValueError, match="adjusted accuracy is drawn over cases only"):
        stability(study, task, metrics=[ADJUSTED], sources=["annotations"])


def test_what_no_model_has_is_refused_with_its_reason() -> None:
    """A finding that nobody sees has no AUROC, and a label table all the same."""
    study, task = two_label_study([[0, 0]] * 3, {"a": [0.1, 0.2, 0.3], "b": [0.3, 0.1, 0.2]})
    found = measured(study, task)
    assert dict(found.refused) == dict.fromkeys(
        ("AUROC", "AP"), "soft labels: no case is positive to any degree"
    )
    assert found.labels["plausibility"].tolist() == [0, 0, 0]
    assert found.labels["hard_label"].unique().tolist() == ["absent"]
    assert not measured(*two_label_study(VOTES, MODELS)).refused


def test_resampled_has_every_table() -> None:
    """The same metrics and sources in all of them."""
    study, task = two_label_study(VOTES, MODELS)
    drawn = resampled(study, task, ComparisonSettings(n_draws=10))
    for table in (drawn.pairs, drawn.best, drawn.ranks, drawn.correlation_draws, drawn.correlations):
        assert set(table["metric"]) == set(METRICS)
        assert set(table["source"]) == {"annotations", "cases", "both"}
    assert set(drawn.tests["counterpart"]) == {"s-AUROC", "s-AP", "soft Brier score", "soft log loss"}
    assert drawn.n_draws == 10


def test_models_that_predict_other_cases_differ() -> None:
    """It does not matter what they predict."""
    nan = float("nan")
    assert not differ_in_cases(two_label_study(VOTES, MODELS)[1])
    assert differ_in_cases(two_label_study(VOTES, MODELS | {"d": [nan, *[0.5] * 5]})[1])
    assert not differ_in_cases(two_label_study(VOTES, {})[1])


def test_labels_stand_by_their_votes(digits: Study) -> None:
    """Counted reading by reading; a label without a vote is not among them."""
    task = next(iter(digits.tasks.values()))
    readings = task.readings
    share = np.zeros((readings.n_cases, len(task.labels)))
    for case in range(readings.n_cases):
        said = readings.label[readings.case_start[case] : readings.case_start[case + 1]]
        for label in said:
            share[case, label] += 1 / len(said)
    total = share.sum(axis=0)
    expected = sorted(range(len(task.labels)), key=lambda label: (-total[label], label))
    assert labels_by_votes(task) == [task.labels[label] for label in expected if total[label] > 0]
