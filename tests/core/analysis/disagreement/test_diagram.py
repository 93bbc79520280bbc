"""Reliability diagrams as tables."""

from __future__ import annotations

import numpy as np
import pytest
from small_study import small_study

from core.analysis.disagreement.diagram import disagreement_diagram, probability_diagram
from core.analysis.disagreement.forecasts import Forecast, given_forecasts, loss_table
from core.metrics.calibration.bins import BinKind, Binning
from core.metrics.calibration.label_histogram import task_histograms
from core.study.model import Study

COLUMNS = [
    "model", "method", "about", "label", "bin", "lower", "upper", "n", "predicted", "observed", "low", "high",
]  # fmt: skip


@pytest.mark.parametrize("kind", ["equal width", "equal mass"])
def test_all_labels_in_common_bins(digits: Study, kind: BinKind) -> None:
    """Pairs of case and label, thrown together and binned one by one."""
    task = digits.tasks["digit"]
    forecast = given_forecasts(task)[0]
    diagram = probability_diagram(digits, task, [forecast], binning=Binning(kind, 8), resamples=30)
    assert diagram.columns.tolist() == COLUMNS
    z = forecast.probability.ravel()
    mu = task_histograms(task).shares(slice(None)).ravel()
    for row in diagram.itertuples():
        inside = (z >= row.lower) & ((z < row.upper) | (row.bin == 7))
        assert row.n == inside.sum()
        if inside.any():
            assert row.predicted == pytest.approx(z[inside].mean())
            assert row.observed == pytest.approx(mu[inside].mean())
            assert row.low <= row.observed <= row.high
    assert diagram["n"].sum() == z.size


def test_one_label_agrees_with_its_calibration_loss(digits: Study) -> None:
    """The gaps of a label's diagram, squared and weighted, are its plug-in loss."""
    task = digits.tasks["digit"]
    forecasts = given_forecasts(task)
    losses = loss_table(digits, task, forecasts, resamples=0, by_label=True)
    for label in ("0", "8"):
        diagram = probability_diagram(digits, task, forecasts, label=label, resamples=0)
        gap = (diagram["predicted"] - diagram["observed"]) ** 2 * diagram["n"] / digits.n_cases
        plug_in = losses[(losses["loss"] == "calibration loss") & (losses["label"] == label)]
        for model, expected in plug_in.set_index("model")["plug_in"].items():
            assert gap[diagram["model"] == model].sum() == pytest.approx(expected, abs=1e-12)


def test_disagreement_agrees_with_its_calibration_loss(digits: Study) -> None:
    """The same for pairs of raters."""
    task = digits.tasks["digit"]
    forecasts = given_forecasts(task)
    losses = loss_table(digits, task, forecasts, resamples=0)
    expected = losses[(losses["loss"] == "calibration loss") & (losses["about"] == "disagreement")]
    diagram = disagreement_diagram(digits, task, forecasts, resamples=0)
    assert diagram.columns.tolist() == COLUMNS
    diagram["part"] = (diagram["predicted"] - diagram["observed"]) ** 2 * diagram["n"] / digits.n_cases
    np.testing.assert_allclose(
        diagram.groupby("model", sort=False)["part"].sum(), expected["plug_in"], atol=1e-12
    )


def test_a_band_is_as_wide_as_the_binomial() -> None:
    """One bin of single labels: a share of 400 cases, whose spread is known."""
    rng = np.random.default_rng(5)
    cases = [["a" if heads else "b"] for heads in rng.random(400) < 0.3]
    study, task = small_study("choice", "ab", cases, predictions={"M": [[0.3, 0.7]] * 400})
    row = probability_diagram(
        study, task, given_forecasts(task), label="a", binning=Binning(number=1), resamples=2000
    ).iloc[0]
    share = np.mean([case == ["a"] for case in cases])
    half = 1.96 * np.sqrt(share * (1 - share) / 400)
    assert row["observed"] == pytest.approx(share)
    assert row["low"] == pytest.approx(share - half, abs=0.2 * half)
    assert row["high"] == pytest.approx(share + half, abs=0.2 * half)


def test_small_bins_have_no_band() -> None:
    """One case says nothing of its own spread; an empty bin has no mean either."""
    study, task = small_study(
        "choice",
        "ab",
        [["a", "b"], ["b", "b"], ["a"]],
        predictions={"M": [[0.1, 0.9], [0.6, 0.4], [0.6, 0.4]]},
    )
    diagram = probability_diagram(
        study, task, given_forecasts(task), label="a", binning=Binning(number=4), resamples=50
    )
    assert diagram["n"].tolist() == [1, 0, 2, 0]
    assert diagram["observed"].tolist() == pytest.approx([0.5, np.nan, 0.5, np.nan], nan_ok=True)
    assert diagram["low"].isna().tolist() == [True, True, False, True]


def test_bands_come_from_the_seed(digits: Study) -> None:
    """Twice the same, and not moved by other models."""
    task = digits.tasks["digit"]
    forecasts = given_forecasts(task)
    together = disagreement_diagram(digits, task, forecasts)
    alone = disagreement_diagram(digits, task, forecasts[1:2])
    assert together[together["model"] == forecasts[1].model].reset_index(drop=True).equals(alone)


def test_no_forecast_gives_empty_tables() -> None:
    """With all columns."""
    study, task = small_study("choice", "ab", [["a", "b"]])
    for table in (probability_diagram(study, task, []), disagreement_diagram(study, task, [])):
        assert table.empty
        assert table.columns.tolist() == COLUMNS


def test_nothing_to_compare_gives_empty_bins() -> None:
    """Single labels only: the diagram of disagreement has bins without a case."""
    study, task = small_study("choice", "ab", [["a"], ["b"]])
    says = Forecast("M", "as given", np.full((2, 2), 0.5), np.array([0.2, 0.9]))
    diagram = disagreement_diagram(study, task, [says], binning=Binning("equal mass", 3), resamples=5)
    assert (diagram["n"] == 0).all()
    assert diagram[["predicted", "observed", "low", "high"]].isna().all(axis=None)


def test_unknown_label_is_refused(digits: Study) -> None:
    """The error lists the labels."""
    with pytest.raises(ValueError, match=r"one of 0, 1, .*, or empty for all of them, got 'ten'"):
        probability_diagram(digits, digits.tasks["digit"], [], label="ten")
