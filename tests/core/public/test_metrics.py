"""Metrics for notebooks: the numbers of the commands, and of scikit-learn where labels are hard."""

from __future__ import annotations

import numpy as np
import pandas as pd
import pytest
from sklearn.metrics import average_precision_score, brier_score_loss, log_loss, roc_auc_score

import core.loupe as loupe
from core.analysis.columns import as_written
from core.analysis.disagreement.conformal_report import conformal_report
from core.analysis.disagreement.report import disagreement_report
from core.analysis.evaluate import evaluate
from core.analysis.planning.report import plan_report
from core.analysis.raters.report import rater_report
from core.cli import sample_folder
from core.plausibility.settings import AggregationChoice

GENERATOR = np.random.default_rng(2)
SCORE = GENERATOR.random(50).round(1)
HARD = GENERATOR.integers(0, 2, 50)


@pytest.fixture(scope="module")
def study() -> loupe.Study:
    """The sample of three labels."""
    return loupe.read_study(sample_folder("mixed_digits"))


@pytest.mark.parametrize(
    ("ours", "theirs"),
    [
        (loupe.soft_auroc, roc_auc_score),
        (loupe.soft_average_precision, average_precision_score),
        (loupe.soft_brier_score, brier_score_loss),
        (loupe.soft_log_loss, log_loss),
    ],
)
def test_hard_labels_give_the_ordinary_metric(ours, theirs) -> None:
    """In the same order of arguments, ties included."""
    assert ours(HARD, SCORE) == pytest.approx(theirs(HARD, SCORE))
    weight = GENERATOR.random(50)
    assert ours(HARD, SCORE, weight=weight) == pytest.approx(theirs(HARD, SCORE, sample_weight=weight))


def test_a_soft_label_is_a_case_that_stands_twice() -> None:
    """As positive and as negative, each with its weight."""
    soft = GENERATOR.random(50)
    twice = np.tile(SCORE, 2), np.repeat([1, 0], 50), np.concatenate([soft, 1 - soft])
    expected = roc_auc_score(twice[1], twice[0], sample_weight=twice[2])
    assert loupe.soft_auroc(soft, SCORE) == pytest.approx(expected)


def test_soft_metrics_take_series_of_the_same_cases() -> None:
    """Others are refused, and so are cases that nobody read."""
    labels = pd.Series([0.2, 0.9], ["a", "b"])
    with pytest.raises(ValueError, match="series must have the same index"):
        loupe.soft_auroc(labels, pd.Series([0.1, 0.2], ["b", "a"]))
    with pytest.raises(ValueError, match="NaN for 1 cases"):
        loupe.soft_auroc(labels.where(labels > 0.5), [0.1, 0.2])
    with pytest.raises(ValueError, match=r"shape \(n_cases,\), one case at least, got \(2,\) and \(3,\)"):
        loupe.soft_auroc(labels, [0.1, 0.2, 0.3])
    with pytest.raises(ValueError, match=r"plausibility must be in \[0, 1\]"):
        loupe.soft_auroc([0, 2], [0.1, 0.2])


def test_adjusted_metrics_are_those_of_the_command(study: loupe.Study) -> None:
    """Given as a model of the study, as an array, or as a frame in any order."""
    task = study.task()
    posterior = task.aggregate(reliability=2)
    metrics = (
        evaluate(study, AggregationChoice(reliability=2)).tables["metrics"].set_index(["subject", "metric"])
    )
    for model, predictions in task.predictions.items():
        found = loupe.adjusted_metrics(posterior, predictions)
        for name, row in found.iterrows():
            expected = metrics.loc[(model, str(name))]
            assert row["value"] == pytest.approx(expected["value"], abs=1e-12)
            assert row["n_cases"] == expected["n_cases"]
        top = loupe.adjusted_accuracy(posterior, predictions)
        assert top.value == pytest.approx(found.loc["top-1 accuracy", "value"])
    frame = task.probabilities(model)
    assert loupe.adjusted_accuracy(posterior, frame.iloc[::-1, ::-1]) == top
    assert loupe.adjusted_accuracy(posterior, predictions.probability) == top
    part = loupe.adjusted_accuracy(posterior, frame.iloc[:10].reset_index())
    assert part.n_cases == 10


def test_predictions_that_do_not_fit_are_refused(study: loupe.Study) -> None:
    """With what was expected."""
    posterior = study.task().aggregate()
    n, k = len(posterior.case_ids), len(posterior.labels)
    with pytest.raises(ValueError, match=rf"shape \({n}, {k}\)"):
        loupe.adjusted_accuracy(posterior, np.ones((n, k + 1)))
    with pytest.raises(ValueError, match=r"in \[0, 1\]"):
        loupe.adjusted_accuracy(posterior, np.full((n, k), 2.0))
    with pytest.raises(ValueError, match="got 'strange'"):
        loupe.adjusted_accuracy(posterior, pd.DataFrame({"strange": [1.0]}))
    with pytest.raises(ValueError, match="no id is known"):
        loupe.adjusted_accuracy(posterior, pd.DataFrame({posterior.labels[0]: [1.0]}))


def test_the_whole_evaluation_is_that_of_the_command(study: loupe.Study) -> None:
    """From the study, or from its task."""
    expected = evaluate(study, AggregationChoice(reliability=2)).tables
    for of in (study, study.task()):
        found = loupe.evaluate(of, reliability=2).tables
        assert found.keys() == expected.keys()
        for name, table in expected.items():
            pd.testing.assert_frame_equal(found[name], as_written("evaluation", name, table))
        assert "low_over_truths" in found["metrics"]
    with pytest.raises(ValueError, match="must be one of auto"):
        loupe.evaluate(study, reliability="best")  # type: ignore[arg-type]
    with pytest.raises(TypeError, match="study must be a Study, got str"):
        loupe.evaluate("study")  # type: ignore[arg-type]


def test_the_comparison_is_that_of_the_command(study: loupe.Study) -> None:
    """Ranks and their stability; the soft metric is that of the plain function."""
    task = study.task()
    label = task.labels[1]
    first, second = list(task.predictions)[:2]
    settings = loupe.ComparisonSettings(positive=label, n_draws=20, rivals=(first, second))
    found = loupe.compare_models(study, settings)
    changes = loupe.rank_change(task, settings, averages=True)
    pd.testing.assert_frame_equal(found.tables["metrics"], changes)
    rows = changes.set_index(["counterpart", "model"])["soft"]
    share, of = task.vote_shares()[label].dropna(), task.probabilities(first)[label]
    assert loupe.soft_auroc(share, of.loc[share.index]) == pytest.approx(rows.loc["s-AUROC", first])
    assert "deciding_cases" in found.tables


def test_disagreement_is_that_of_the_command(study: loupe.Study) -> None:
    """Of one model."""
    model = next(iter(study.task().predictions))
    settings = loupe.DisagreementSettings(predictor=model, resamples=5)
    found = loupe.disagreement(study, settings).tables
    for name, table in disagreement_report(study, settings).tables.items():
        pd.testing.assert_frame_equal(found[name], as_written("disagreement", name, table))


def test_conformal_sets_are_those_of_the_command(study: loupe.Study) -> None:
    """Of one model, under one aggregation; a wrong name is answered with the nearest."""
    model = next(iter(study.task().predictions))
    settings = loupe.ConformalSettings(predictor=model, coverage=80)
    found = loupe.conformal(study, settings, reliability=2.0)
    expected = conformal_report(study, AggregationChoice(reliability=2.0), settings)
    for name, table in expected.tables.items():
        pd.testing.assert_frame_equal(found.tables[name], as_written("conformal", name, table))
    assert found.sentences == expected.sentences
    with pytest.raises(ValueError, match=f'Did you mean "{model}"'):
        loupe.conformal(study, loupe.ConformalSettings(predictor=f"{model}s"))


def test_raters_and_plans_are_those_of_the_commands() -> None:
    """Of some readers; and a plan without a study."""
    study = loupe.read_study(sample_folder("knee_mri"))
    settings = loupe.RaterSettings(raters=study.rater_ids[:3], resamples=5)
    found = loupe.raters(study, settings).tables
    for name, table in rater_report(study, settings).tables.items():
        pd.testing.assert_frame_equal(found[name], as_written("raters", name, table))
    asked = loupe.PlanSettings(fineness=0.9)
    plan = loupe.plan(study.task(), asked).plans["fineness"]
    assert plan.sentence in repr(plan_report(study, asked))
    assert "fineness_low_over_raters_and_cases" in plan.table
    alone = loupe.plan(settings=loupe.PlanSettings(accuracy=0.81, fineness=0.95)).plans["fineness"]
    assert alone.raters == loupe.raters_needed(0.81, 0.95)
    with pytest.raises(ValueError, match=f'Did you mean "{study.rater_ids[0]}"'):
        loupe.raters(study, loupe.RaterSettings(raters=(f"{study.rater_ids[0]}x",)))


def test_a_wrong_name_is_answered_with_the_nearest(study: loupe.Study) -> None:
    """Of labels, models, metrics and methods."""
    task = study.task()
    model = next(iter(task.predictions))
    with pytest.raises(ValueError, match=f"label must be one of .*, got '{task.labels[0]}x'"):
        loupe.rank_change(study, loupe.ComparisonSettings(positive=f"{task.labels[0]}x"))
    with pytest.raises(ValueError, match=f'Did you mean "{model}"'):
        loupe.disagreement(study, loupe.DisagreementSettings(predictor=f"{model}s"))
    with pytest.raises(ValueError, match=f'Did you mean "{model}"'):
        task.probabilities(f"{model}s")
    with pytest.raises(ValueError, match='Did you mean "s-AUROC"'):
        loupe.compare_models(study, loupe.ComparisonSettings(metric="sAUROC"))
    with pytest.raises(ValueError, match='Did you mean "temperature"'):
        loupe.disagreement(study, loupe.DisagreementSettings(methods=("temperatur",)))
    with pytest.raises(ValueError, match=f'Did you mean "{model}"'):
        loupe.compare_models(study, loupe.ComparisonSettings(rivals=(model, f"{model}s")))


def test_a_wrong_kind_is_answered_with_the_right_one(study: loupe.Study) -> None:
    """In place of an error from within."""
    task = study.task()
    posterior = task.aggregate()
    with pytest.raises(TypeError, match="posterior must be a Posterior, got Task: aggregate the task first"):
        loupe.adjusted_accuracy(task, [[1.0]])  # type: ignore[arg-type]
    with pytest.raises(TypeError, match=r'got a str: task.predictions\["net"\] has them'):
        loupe.adjusted_accuracy(posterior, "net")
    with pytest.raises(TypeError, match="settings must be a ComparisonSettings, got str"):
        loupe.compare_models(study, "s-AUROC")  # type: ignore[arg-type]
    with pytest.raises(ValueError, match="k must be from 1 to 10, got 0"):
        loupe.adjusted_accuracy(posterior, posterior.mean, k=0)
    with pytest.raises(ValueError, match="one case at least"):
        loupe.soft_auroc([], [])
