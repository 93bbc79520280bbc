"""Losses of estimates of disagreement."""

from __future__ import annotations

import json

import numpy as np
import pytest
from shared_data import shared_data

from core.metrics.bootstrap import case_weights
from core.metrics.calibration.bins import Binning
from core.metrics.calibration.disagreement import independent_disagreement, statistic_losses
from core.metrics.calibration.label_histogram import label_histograms
from core.metrics.calibration.losses import CALIBRATION, EXPECTED, REFINEMENT
from core.metrics.calibration.u_statistics import pair_disagreement


@pytest.mark.parametrize("whose", ["prob", "alpha"])
@pytest.mark.parametrize("name", ["K2_n2", "K3_n2to6"])
def test_published_losses(name: str, whose: str) -> None:
    """A plain and an α-calibrated model, with 5, 10 and 15 bins."""
    inputs = np.load(shared_data("goldens", "mimori_eval_inputs.npz"))
    published = json.loads(shared_data("goldens", "mimori_eval_summarize.json").read_text())[name][whose]
    observed = pair_disagreement(label_histograms(inputs[f"{name}_y"]))
    estimate = 1 - inputs[f"{name}_{whose}_agreement"]
    of = statistic_losses(observed, estimate)
    assert of[EXPECTED].debiased.total == pytest.approx(published["d_bs"], abs=1e-10)
    for number, figures in ((15, published), (10, published["bins10"]), (5, published["bins5"])):
        loss = statistic_losses(observed, estimate, binning=Binning(number=number))[CALIBRATION]
        assert loss.plug_in.total == pytest.approx(figures["d_cl_plugin"], abs=1e-10)
        assert loss.debiased.total == pytest.approx(figures["d_cl_debias"], abs=1e-10)


def test_single_labels_say_nothing_about_pairs() -> None:
    """The published expected loss leaves out cases with one label, and so do we, of the bins too."""
    inputs = np.load(shared_data("goldens", "mimori_eval_inputs.npz"))
    published = json.loads(shared_data("goldens", "mimori_eval_summarize.json").read_text())
    name = "K3_n1to4_with_singletons"
    counts, estimate = inputs[f"{name}_y"], 1 - inputs[f"{name}_prob_agreement"]
    several = counts.sum(axis=1) > 1
    of = statistic_losses(pair_disagreement(label_histograms(counts)), estimate)
    alone = statistic_losses(pair_disagreement(label_histograms(counts[several])), estimate[several])
    assert of[EXPECTED].debiased.total == pytest.approx(published[name]["prob"]["d_bs"], abs=1e-10)
    for loss, expected in zip(of.values(), alone.values(), strict=True):
        assert loss.debiased.n_cases == 231
        assert loss.debiased.total == pytest.approx(expected.debiased.total, abs=1e-14)


def test_independent_raters_disagree_as_drawn() -> None:
    """Pairs of labels drawn from the class probabilities, counted."""
    probability = np.array([[0.7, 0.2, 0.1], [1.0, 0.0, 0.0], [np.nan] * 3])
    rng = np.random.default_rng(0)
    first, second = rng.choice(3, size=(2, 200_000), p=probability[0])
    estimate = independent_disagreement(probability.astype(np.float32))
    assert estimate[0] == pytest.approx((first != second).mean(), abs=0.005)
    assert estimate[1] == 0
    assert np.isnan(estimate[2])


def test_disagreement_is_never_below_0() -> None:
    """Single precision leaves rows a little above 1; the estimate still is a probability."""
    row = np.array([[1.0000001, 0.0]])
    assert independent_disagreement(row) == 0


def test_expected_loss_is_the_mean_over_pairs() -> None:
    """Squared error of the estimate against each pair of labels, counted one by one."""
    rng = np.random.default_rng(4)
    counts = rng.multinomial(rng.integers(1, 6, 50), [0.5, 0.3, 0.2])
    estimate = rng.random(50)
    errors = []
    for row, says in zip(counts, estimate, strict=True):
        labels = np.repeat(np.arange(3), row)
        pairs = [(float(a != b) - says) ** 2 for i, a in enumerate(labels) for b in labels[:i]]
        errors += [np.mean(pairs)] if pairs else []
    of = statistic_losses(pair_disagreement(label_histograms(counts)), estimate)
    assert of[EXPECTED].plug_in.total == pytest.approx(np.mean(errors), abs=1e-12)
    assert of[EXPECTED].plug_in.n_cases == len(errors)
    parts = of[CALIBRATION].debiased.total + of[REFINEMENT].debiased.total
    assert parts == pytest.approx(of[EXPECTED].debiased.total, abs=1e-12)


def test_no_case_with_two_labels() -> None:
    """Nothing can be said: NaN for all, no case, no warning."""
    weights = case_weights(4, 10, np.random.default_rng(0))
    for loss in statistic_losses(np.full(4, np.nan), np.full(4, 0.3), weights=weights).values():
        assert np.isnan([loss.debiased.total, loss.debiased.total_error, loss.debiased.root.value]).all()
        assert loss.debiased.n_cases == 0


@pytest.mark.parametrize(
    ("observed", "estimate", "told"),
    [
        ([0.5, 0.5], [0.5], r"\(2,\) and \(1,\)"),
        ([[0.5]], [[0.5]], r"\(1, 1\)"),
        ([0.5], [1.2], "1.2"),
        ([0.5], [-0.1], "-0.1"),
        ([1.5, np.nan], [0.1, 0.1], "1.5 to 1.5"),
    ],
)
def test_bad_values_are_refused(observed: list[float], estimate: list[float], told: str) -> None:
    """The error says what was allowed and what was given."""
    with pytest.raises(ValueError, match=told):
        statistic_losses(np.array(observed), np.array(estimate))
