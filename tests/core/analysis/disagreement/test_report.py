"""Loss tables, and what is said about the labels that they are made from."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest
from small_study import small_study

from core.analysis.disagreement.forecasts import (
    ALL_LABELS,
    AS_GIVEN,
    CALIBRATION_ERROR,
    CLASS_PROBABILITIES,
    DISAGREEMENT,
    Forecast,
    given_forecasts,
    label_notes,
    loss_table,
    resampled_cases,
)
from core.metrics.calibration.bins import Binning
from core.metrics.calibration.label_histogram import task_histograms
from core.metrics.calibration.losses import (
    CALIBRATION,
    DISPERSION,
    EPISTEMIC,
    EXPECTED,
    IRREDUCIBLE,
    REFINEMENT,
    calibration_losses,
)
from core.study.model import Predictions, Study

COLUMNS = [
    "model", "method", "about", "label", "loss", "plug_in", "plug_in_error", "debiased", "debiased_error",
    "below_zero", "n_cases", "n_cases_debiased", "lone_bins",
]  # fmt: skip
OF_CLASSES = [EXPECTED, EPISTEMIC, IRREDUCIBLE, CALIBRATION, DISPERSION, REFINEMENT, CALIBRATION_ERROR]
OF_PAIRS = [EXPECTED, CALIBRATION, REFINEMENT, CALIBRATION_ERROR]


def test_every_model_has_every_loss(digits: Study) -> None:
    """Rows in order, by label too where asked; sums over labels are the totals."""
    task = digits.tasks["digit"]
    table = loss_table(digits, task, given_forecasts(task), resamples=20, by_label=True)
    assert table.columns.tolist() == COLUMNS
    per_model = len(OF_CLASSES) * (1 + len(task.labels)) + len(OF_PAIRS)
    assert len(table) == per_model * len(task.predictions)
    for model in task.predictions:
        own = table[(table["model"] == model) & (table["method"] == AS_GIVEN)]
        classes = own[own["about"] == CLASS_PROBABILITIES]
        totals = classes[classes["label"] == ALL_LABELS].set_index("loss")
        assert totals.index.tolist() == OF_CLASSES
        assert own[own["about"] == DISAGREEMENT]["loss"].tolist() == OF_PAIRS
        by_label = own[own["label"].isin(task.labels)].groupby("loss")["debiased"].sum()
        for loss in OF_CLASSES[:-1]:
            assert by_label[loss] == pytest.approx(totals.loc[loss, "debiased"], abs=1e-12)
    assert (table["n_cases"] == digits.n_cases).all()
    assert (table[["plug_in_error", "debiased_error"]] >= 0).all(axis=None)


def test_debiased_epistemic_loss_covers_the_true_one(digits: Study) -> None:
    """The blends' proportions are known: every classifier's estimate is within two errors of the truth."""
    task = digits.tasks["digit"]
    truth = np.zeros((digits.n_cases, len(task.labels)))
    share = digits.cases["true_share_a"].to_numpy(float)
    rows = np.arange(digits.n_cases)
    for column, part in (("true_digit_a", share), ("true_digit_b", 1 - share)):
        label = [task.labels.index(f"{int(digit)}") for digit in digits.cases[column]]
        truth[rows, label] += part
    table = loss_table(digits, task, given_forecasts(task))
    rows_of = table[(table["loss"] == EPISTEMIC)].set_index("model")
    for model, predictions in task.predictions.items():
        true_loss = np.square(predictions.probability - truth).sum(axis=1).mean()
        row = rows_of.loc[model]
        assert abs(row["debiased"] - true_loss) < 2 * row["debiased_error"]
        assert row["plug_in"] - true_loss > 3 * row["plug_in_error"]


def test_below_zero_is_flagged_and_its_root_is_0() -> None:
    """Raters who differ as predicted: the debiased calibration loss is negative."""
    study, task = small_study(
        "choice", "ab", [["a", "b"], ["b", "a"], ["a", "a"], ["b", "b"]], predictions={"M": [[0.5, 0.5]] * 4}
    )
    table = loss_table(study, task, given_forecasts(task), resamples=5)
    classes = table[table["about"] == CLASS_PROBABILITIES].set_index("loss")
    assert classes.loc[CALIBRATION, "plug_in"] == 0
    assert classes.loc[CALIBRATION, "debiased"] == pytest.approx(-2 * (0.125 / 3))
    assert classes.loc[CALIBRATION, "below_zero"]
    assert classes.loc[CALIBRATION_ERROR, "debiased"] == 0
    assert classes.loc[CALIBRATION_ERROR, "below_zero"]
    assert not classes.loc[EXPECTED, "below_zero"]


def test_a_forecast_need_not_be_a_model() -> None:
    """Any class probabilities with any estimate of disagreement; the method is kept."""
    study, task = small_study("choice", "abc", [["a", "b"], ["c", "c"], ["a", "a"]])
    says = Forecast("M", "α", np.full((3, 3), 1 / 3), np.array([1.0, 0.0, 0.0]))
    table = loss_table(study, task, [says], binning=Binning(number=3), resamples=5)
    assert (table["method"] == "α").all()
    pairs = table[table["about"] == DISAGREEMENT].set_index("loss")
    assert (pairs["plug_in"] == 0).all()
    assert (pairs["label"] == "").all()


def test_no_model_gives_an_empty_table() -> None:
    """With all columns."""
    study, task = small_study("choice", "ab", [["a", "b"]])
    assert given_forecasts(task) == []
    table = loss_table(study, task, [])
    assert table.empty
    assert table.columns.tolist() == COLUMNS


def test_order_of_models_changes_nothing(digits: Study) -> None:
    """All models meet the same resamples, drawn from the study's seed."""
    task = digits.tasks["digit"]
    forecasts = given_forecasts(task)
    table = loss_table(digits, task, forecasts)
    alone = loss_table(digits, task, forecasts[-1:])
    last = table[table["model"] == forecasts[-1].model].reset_index(drop=True)
    assert last.equals(alone)
    weights = resampled_cases(digits)
    losses = calibration_losses(task_histograms(task), forecasts[-1].probability, weights=weights)
    row = alone[(alone["loss"] == EPISTEMIC)].iloc[0]
    assert row["debiased_error"] == losses[EPISTEMIC].debiased.total_error


def test_rankings_are_judged_by_first_labels(dermatology: Study) -> None:
    """It is said, and how many readings cannot be used."""
    task = next(iter(dermatology.tasks.values()))
    histograms = task_histograms(task)
    notes = label_notes(task, histograms)
    assert notes[0] == "A differential counts as the label that it puts first."
    assert notes[1] == f"Left out: {histograms.n_tied} readings that put several labels first, or none."
    table = loss_table(dermatology, task, given_forecasts(task), resamples=5)
    row = table[(table["loss"] == EPISTEMIC)].iloc[0]
    assert row["n_cases"] == (histograms.per_case > 0).sum()
    assert row["n_cases_debiased"] == (histograms.per_case > 1).sum()


def test_scores_are_judged_by_their_sides(scores: Study) -> None:
    """A score task has predictions of the two sides of its threshold."""
    task = next(iter(scores.tasks.values()))
    assert "side of the threshold" in label_notes(task, task_histograms(task))[0]
    table = loss_table(scores, task, given_forecasts(task), resamples=5)
    assert table.empty == (not task.predictions)


def test_notes_say_what_is_left_out() -> None:
    """Cases without a label and with a single one; nothing where there is nothing to say."""
    _, task = small_study("choice", "ab", [["a", "b"], ["a"], [], []])
    assert label_notes(task, task_histograms(task)) == [
        "Left out: 2 cases without a label.",
        "Left out of the debiased epistemic and irreducible losses and of everything about disagreement: "
        "1 case with a single label.",
    ]
    _, task = small_study("choice", "ab", [["a", "b"]])
    assert label_notes(task, task_histograms(task)) == []


def test_no_case_with_two_labels_is_said() -> None:
    """What cannot be estimated, and what still is; the table agrees."""
    study, task = small_study("choice", "ab", [["a"], ["b"]], predictions={"M": [[0.9, 0.1], [0.2, 0.8]]})
    (note,) = label_notes(task, task_histograms(task))
    assert note.startswith("No case has two labels")
    table = loss_table(study, task, given_forecasts(task), resamples=5)
    classes = table[table["about"] == CLASS_PROBABILITIES].set_index("loss")
    missing = classes.index[classes["debiased"].isna()].tolist()
    assert missing == [EPISTEMIC, IRREDUCIBLE, DISPERSION]
    assert all(name in note for name in ("epistemic", "irreducible", "dispersion"))
    assert table[table["about"] == DISAGREEMENT]["debiased"].isna().all()


def test_bins_of_one_case_are_counted() -> None:
    """They keep their noise in the debiased loss: two of label a, two of label b."""
    study, task = small_study(
        "choice", "ab", [["a", "b"]] * 4, predictions={"M": [[0.9, 0.1], [0.7, 0.3], [0.2, 0.8], [0.2, 0.8]]}
    )
    table = loss_table(study, task, given_forecasts(task), binning=Binning(number=10), resamples=5)
    classes = table[table["about"] == CLASS_PROBABILITIES].set_index("loss")
    assert (classes.loc[[CALIBRATION, DISPERSION, REFINEMENT, CALIBRATION_ERROR], "lone_bins"] == 4).all()
    assert (classes.loc[[EXPECTED, EPISTEMIC, IRREDUCIBLE], "lone_bins"] == 0).all()


def test_a_model_of_scores_is_left_out() -> None:
    """It has neither probabilities nor an idea of disagreement; it is said."""
    _, task = small_study("choice", "ab", [["a", "b"]] * 2, predictions={"M": [[0.5, 0.5]] * 2})
    scored = Predictions.of_scores("S", np.array([1.0, -3.0]))
    task = replace(task, positive="b", predictions={**task.predictions, "S": scored})
    assert [one.model for one in given_forecasts(task)] == ["M"]
    assert any("S" in note and "scores" in note for note in label_notes(task, task_histograms(task)))


def test_a_model_that_predicts_nothing() -> None:
    """All NaN, no case."""
    study, task = small_study("choice", "ab", [["a", "b"]] * 2, predictions={"M": [[np.nan] * 2] * 2})
    table = loss_table(study, task, given_forecasts(task), resamples=5)
    assert table["plug_in"].isna().all()
    assert (table["n_cases"] == 0).all()
