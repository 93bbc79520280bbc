"""Debiased losses have no bias: means over simulated studies against losses worked out from the truth."""

from __future__ import annotations

import numpy as np
import pytest

from core.metrics.bootstrap import case_weights
from core.metrics.calibration.bins import Binning
from core.metrics.calibration.disagreement import statistic_losses
from core.metrics.calibration.label_histogram import label_histograms
from core.metrics.calibration.losses import (
    CALIBRATION,
    DISPERSION,
    EPISTEMIC,
    EXPECTED,
    IRREDUCIBLE,
    REFINEMENT,
    calibration_losses,
)
from core.metrics.calibration.u_statistics import pair_disagreement

N_STUDIES = 2000
N_CASES = 120

# Six predictions that a model gives, each for two kinds of cases; no bin holds two different values.
PREDICTION = np.array(
    [[0.1, 0.3, 0.6], [0.1, 0.6, 0.3], [0.3, 0.1, 0.6], [0.3, 0.6, 0.1], [0.6, 0.1, 0.3], [0.6, 0.3, 0.1]]
)
TRUTH = np.random.default_rng(7).dirichlet(np.ones(3), (6, 2)) * 0.5 + 0.5 * PREDICTION[:, None]
ESTIMATE = np.array([0.15, 0.25, 0.35, 0.55, 0.65, 0.85])
"""What the model says about disagreement, for each prediction."""


def true_losses() -> dict[str, float]:
    """Losses of the class probabilities where the truth is known; all twelve kinds are equally common."""
    epistemic = ((TRUTH - PREDICTION[:, None]) ** 2).sum(axis=2).mean()
    irreducible = (TRUTH * (1 - TRUTH)).sum(axis=2).mean()
    calibration = 0.0
    for k in range(3):
        for value in (0.1, 0.3, 0.6):
            said = PREDICTION[:, k] == value
            calibration += said.mean() * (TRUTH[said, :, k].mean() - value) ** 2
    return {
        EXPECTED: epistemic + irreducible,
        EPISTEMIC: epistemic,
        IRREDUCIBLE: irreducible,
        CALIBRATION: calibration,
        DISPERSION: epistemic - calibration,
        REFINEMENT: epistemic + irreducible - calibration,
    }


def true_disagreement_losses() -> dict[str, float]:
    """Losses of the estimates of disagreement where the truth is known."""
    differ = 1 - (TRUTH**2).sum(axis=2)
    says = ESTIMATE[:, None]
    expected = (differ * (1 - says) ** 2 + (1 - differ) * says**2).mean()
    calibration = ((differ.mean(axis=1) - ESTIMATE) ** 2).mean()
    return {EXPECTED: expected, CALIBRATION: calibration, REFINEMENT: expected - calibration}


@pytest.mark.parametrize("n_labels", [(2,), (3,), (2, 3, 7), (1, 2, 5)], ids=str)
def test_mean_over_studies(n_labels: tuple[int, ...]) -> None:
    """Within three standard errors, with equally and unequally many labels, single ones among them."""
    rng = np.random.default_rng(sum(n_labels))
    estimates: dict[tuple[str, str], list[float]] = {}
    plug_in_epistemic = []
    for _ in range(N_STUDIES):
        kind, which = rng.integers(6, size=N_CASES), rng.integers(2, size=N_CASES)
        counts = rng.multinomial(rng.choice(n_labels, N_CASES), TRUTH[kind, which])
        histograms = label_histograms(counts)
        of = calibration_losses(histograms, PREDICTION[kind])
        plug_in_epistemic.append(of[EPISTEMIC].plug_in.total)
        pairs = statistic_losses(pair_disagreement(histograms), ESTIMATE[kind], binning=Binning(number=10))
        for about, losses in (("classes", of), ("pairs", pairs)):
            for name, loss in losses.items():
                estimates.setdefault((about, name), []).append(loss.debiased.total)
    truth = {("classes", name): value for name, value in true_losses().items()}
    truth |= {("pairs", name): value for name, value in true_disagreement_losses().items()}
    assert truth.keys() == estimates.keys()
    for key, values in estimates.items():
        error = np.std(values, ddof=1) / np.sqrt(N_STUDIES)
        assert abs(np.mean(values) - truth[key]) < 3 * error, key
    # The test could see a bias: that of the plug-in estimate is there.
    error = np.std(plug_in_epistemic, ddof=1) / np.sqrt(N_STUDIES)
    assert np.mean(plug_in_epistemic) - true_losses()[EPISTEMIC] > 30 * error


def test_wide_bins_take_off_too_much() -> None:
    """Of a calibrated model, the variance of predictions in a bin goes as if it were noise: K/(12 B N)."""
    rng = np.random.default_rng(0)
    n_bins, n_cases = 2, 40
    estimates = []
    for _ in range(4000):
        first = rng.random(n_cases)
        chosen = rng.binomial(9, first)
        losses = calibration_losses(
            label_histograms(np.column_stack([chosen, 9 - chosen])),
            np.column_stack([first, 1 - first]),
            binning=Binning(number=n_bins),
        )
        estimates.append(losses[CALIBRATION].debiased.total)
    error = np.std(estimates, ddof=1) / np.sqrt(len(estimates))
    expected = -2 / (12 * n_bins * n_cases)
    assert error < -expected / 10
    assert abs(np.mean(estimates) - expected) < 3 * error


def test_resampling_overstates_the_error_of_a_loss_of_0() -> None:
    """Calibrated and in one bin: the bootstrap's variance is three times that over studies, on average."""
    rng = np.random.default_rng(1)
    estimates, variances = [], []
    for _ in range(400):
        chosen = rng.binomial(2, 0.5, 100)
        loss = calibration_losses(
            label_histograms(np.column_stack([chosen, 2 - chosen])),
            np.full((100, 2), 0.5),
            weights=case_weights(100, 200, rng),
        )[CALIBRATION].debiased
        estimates.append(loss.total)
        variances.append(loss.total_error**2)
    assert np.mean(variances) / np.var(estimates, ddof=1) == pytest.approx(3, rel=0.35)
