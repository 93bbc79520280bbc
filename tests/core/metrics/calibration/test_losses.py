"""Losses of class probabilities against label histograms."""

from __future__ import annotations

import json
import warnings

import numpy as np
import pytest
from calibration_by_hand import over_groups
from shared_data import shared_data

from core.metrics.bootstrap import case_weights
from core.metrics.calibration import losses as calibration
from core.metrics.calibration.bins import BinKind, Binning
from core.metrics.calibration.label_histogram import label_histograms
from core.metrics.calibration.losses import (
    CALIBRATION,
    DISPERSION,
    EPISTEMIC,
    EXPECTED,
    IRREDUCIBLE,
    REFINEMENT,
    LossEstimate,
    calibration_losses,
    loss_sums,
)

EXAMPLES = ["K2_n2", "K3_n2to6", "K3_n1to4_with_singletons"]


def example(name: str) -> tuple[np.ndarray, np.ndarray, dict]:
    """Histograms, probabilities and published losses of a synthetic study."""
    inputs = np.load(shared_data("goldens", "mimori_eval_inputs.npz"))
    published = json.loads(shared_data("goldens", "mimori_eval_summarize.json").read_text())
    return inputs[f"{name}_y"], inputs[f"{name}_z"], published[name]["prob"]


def random_study(seed: int, n: int, k: int, *, least: int = 1) -> tuple[np.ndarray, np.ndarray]:
    """Counts of ``least`` to 6 labels, and unrelated probabilities."""
    rng = np.random.default_rng(seed)
    counts = rng.multinomial(rng.integers(least, 7, n), rng.dirichlet(np.ones(k), n))
    return counts, rng.dirichlet(np.ones(k), n)


def by_labels(counts: np.ndarray, probability: np.ndarray) -> dict[str, float]:
    """Losses from single labels and pairs of labels of each case, without any share."""
    expected, epistemic = [], []
    for row, z in zip(counts, probability, strict=True):
        labels = np.eye(len(row))[np.repeat(np.arange(len(row)), row)]
        expected.append(np.mean([((y - z) ** 2).sum() for y in labels]))
        pairs = [((a - z) * (b - z)).sum() for i, a in enumerate(labels) for b in labels[:i]]
        if pairs:
            epistemic.append(np.mean(pairs))
    return {EXPECTED: float(np.mean(expected)), EPISTEMIC: float(np.mean(epistemic))}


def binned(mu: np.ndarray, z: np.ndarray, edges: np.ndarray) -> tuple[float, float]:
    """Calibration loss of one class, plug-in and debiased, bin by bin."""
    place = np.searchsorted(edges[1:-1], z, side="right")
    plug_in = debiased = 0.0
    for b in np.unique(place):
        inside = place == b
        gap = (mu[inside].mean() - z[inside].mean()) ** 2
        noise = mu[inside].var(ddof=1) / inside.sum() if inside.sum() > 1 else 0.0
        plug_in += inside.mean() * gap
        debiased += inside.mean() * (gap - noise)
    return plug_in, debiased


@pytest.mark.parametrize("name", EXAMPLES)
def test_published_losses(name: str) -> None:
    """Every figure of the published code, with 5, 10 and 15 bins, except where it errs."""
    counts, probability, published = example(name)
    histograms = label_histograms(counts)
    of = calibration_losses(histograms, probability)
    got = {
        "ps": of[EXPECTED].plug_in.total,
        "el_plugin": of[EPISTEMIC].plug_in.total,
        "cl_plugin": of[CALIBRATION].plug_in.total,
        "dl_plugin": of[DISPERSION].plug_in.total,
        "cl_debias": of[CALIBRATION].debiased.total,
    }
    if (counts.sum(axis=1) > 1).all():
        got |= {"el_debias": of[EPISTEMIC].debiased.total, "dl_debias": of[DISPERSION].debiased.total}
    for key, value in got.items():
        assert value == pytest.approx(published[key], abs=1e-10), key
    for number in (5, 10):
        fewer = calibration_losses(histograms, probability, binning=Binning(number=number))[CALIBRATION]
        expected = published[f"bins{number}"]
        assert fewer.plug_in.total == pytest.approx(expected["cl_plugin"], abs=1e-10)
        bias = fewer.plug_in.total - fewer.debiased.total
        assert bias == pytest.approx(expected["cl_bias"], abs=1e-10)


def test_the_published_fault_with_single_labels() -> None:
    """Left among the others uncorrected, cases with one label give the published figure; ours drops them."""
    counts, probability, published = example("K3_n1to4_with_singletons")
    several = counts.sum(axis=1) > 1
    of = calibration_losses(label_histograms(counts), probability)[EPISTEMIC]
    alone = calibration_losses(label_histograms(counts[several]), probability[several])[EPISTEMIC]
    assert (of.plug_in.n_cases, of.debiased.n_cases) == (300, 231)
    assert of.debiased.total == pytest.approx(alone.debiased.total, abs=1e-14)
    correction = (alone.plug_in.total - alone.debiased.total) * several.mean()
    assert of.plug_in.total - correction == pytest.approx(published["el_debias"], abs=1e-10)
    assert of.debiased.total < published["el_debias"] - 0.1


@pytest.mark.parametrize("seed", range(4))
def test_losses_from_single_labels_and_pairs(seed: int) -> None:
    """E (y − z)² is a mean over labels and (q − z)² one over pairs: the shares' formulas are these means."""
    counts, probability = random_study(seed, 40, 3)
    of = calibration_losses(label_histograms(counts), probability)
    expected = by_labels(counts, probability)
    assert of[EXPECTED].debiased.total == pytest.approx(expected[EXPECTED], abs=1e-12)
    assert of[EPISTEMIC].debiased.total == pytest.approx(expected[EPISTEMIC], abs=1e-12)


def test_irreducible_loss_is_the_disagreement_of_pairs() -> None:
    """Σ q (1 − q) is the probability that two raters differ."""
    counts, probability = random_study(5, 60, 4)
    histograms = label_histograms(counts)
    differ = over_groups(histograms, lambda h: h.max(axis=1) == 1, 2)
    irreducible = calibration_losses(histograms, probability)[IRREDUCIBLE].debiased
    assert irreducible.total == pytest.approx(np.nanmean(differ), abs=1e-12)
    assert irreducible.n_cases == (~np.isnan(differ)).sum()


@pytest.mark.parametrize("kind", ["equal width", "equal mass"])
@pytest.mark.parametrize("number", [1, 4, 15, 40])
def test_calibration_loss_bin_by_bin(kind: BinKind, number: int) -> None:
    """Against bins formed one at a time, in double and single precision, with predictions on the edges."""
    counts, probability = random_study(number, 150, 4)
    probability[::3] = np.round(probability[::3] * number) / number
    for given in (probability, probability.astype(np.float32)):
        given = np.clip(given, 0, 1)
        binning = Binning(kind, number)
        edges = binning.edges(given)
        mu = counts / counts.sum(axis=1, keepdims=True)
        of = calibration_losses(label_histograms(counts), given, binning=binning)[CALIBRATION]
        for k in range(4):
            plug_in, debiased = binned(mu[:, k], given[:, k].astype(float), edges[k])
            assert of.plug_in.by_class[k] == pytest.approx(plug_in, abs=1e-12)
            assert of.debiased.of_class(k).total == pytest.approx(debiased, abs=1e-12)


def test_bins_hold_their_lower_edge() -> None:
    """Multiples of a hundredth are not exact in binary; each belongs to the bin that it begins."""
    z = np.arange(101) / 100
    probability = np.stack([z, 1 - z], axis=1)
    histograms = label_histograms(np.ones((101, 2), int))
    sums = loss_sums(histograms, probability, edges=Binning(number=100).edges(probability))
    assert sums.bins.n[0, :, 0].tolist() == [1] * 99 + [2]


def test_parts_add_up() -> None:
    """Expected = epistemic + irreducible = calibration + refinement, which is dispersion + irreducible."""
    counts, probability = random_study(11, 80, 3, least=2)
    of = calibration_losses(label_histograms(counts), probability)
    for way in ("plug_in", "debiased"):
        total = {name: getattr(loss, way).total for name, loss in of.items()}
        assert total[EXPECTED] == pytest.approx(total[EPISTEMIC] + total[IRREDUCIBLE])
        assert total[EXPECTED] == pytest.approx(total[CALIBRATION] + total[REFINEMENT])
        assert total[REFINEMENT] == pytest.approx(total[DISPERSION] + total[IRREDUCIBLE])


def test_order_of_cases_and_labels_is_nothing() -> None:
    """Totals stay, and classes move with their labels."""
    counts, probability = random_study(12, 70, 4)
    rng = np.random.default_rng(0)
    cases, labels = rng.permutation(70), rng.permutation(4)
    of = calibration_losses(label_histograms(counts), probability)
    moved = calibration_losses(
        label_histograms(counts[cases][:, labels]), probability[cases][:, labels], binning=Binning()
    )
    for name, loss in of.items():
        np.testing.assert_allclose(moved[name].debiased.by_class, loss.debiased.by_class[labels], atol=1e-12)


def test_blocks_change_nothing(monkeypatch: pytest.MonkeyPatch) -> None:
    """A few cases at a time give the same sums, resamples included."""
    counts, probability = random_study(13, 101, 3)
    histograms = label_histograms(counts)
    weights = case_weights(101, 5, np.random.default_rng(1))
    whole = calibration_losses(histograms, probability, weights=weights)
    monkeypatch.setattr(calibration, "CASES_AT_ONCE", 7)
    blocks = calibration_losses(histograms, probability, weights=weights)
    for name, loss in whole.items():
        np.testing.assert_array_equal(blocks[name].debiased.samples, loss.debiased.samples)


def test_a_resample_is_a_study_of_its_own() -> None:
    """Repeating the rows of the cases drawn gives what the weights give, every loss and class."""
    counts, probability = random_study(14, 60, 3)
    probability[4] = np.nan
    counts[7] = 0
    binning = Binning(number=6)
    weights = case_weights(60, 3, np.random.default_rng(2))
    of = calibration_losses(label_histograms(counts), probability, binning=binning, weights=weights)
    for resample in range(1, 4):
        rows = np.repeat(np.arange(60), weights[:, resample])
        drawn = calibration_losses(label_histograms(counts[rows]), probability[rows], binning=binning)
        for name, loss in of.items():
            for way in ("plug_in", "debiased"):
                got, expected = getattr(loss, way), getattr(drawn[name], way)
                np.testing.assert_allclose(got.samples[:, resample], expected.by_class, atol=1e-12)


def test_bootstrap_error_is_that_of_a_mean() -> None:
    """The expected squared loss is a mean over cases, whose standard error is known."""
    counts, probability = random_study(15, 400, 3)
    histograms = label_histograms(counts)
    weights = case_weights(400, 3000, np.random.default_rng(3))
    got = calibration_losses(histograms, probability, weights=weights)[EXPECTED].debiased
    per_case = [by_labels(counts[[i]], probability[[i]])[EXPECTED] for i in np.flatnonzero(counts.sum(1) > 1)]
    single = np.flatnonzero(counts.sum(axis=1) == 1)
    per_case += [((counts[i] - probability[i]) ** 2).sum() for i in single]
    assert got.total_error == pytest.approx(np.std(per_case, ddof=1) / np.sqrt(400), rel=0.05)


def test_root_of_a_negative_loss_is_0_with_a_flag() -> None:
    """Never NaN; the loss itself keeps its sign."""
    below = LossEstimate(np.array([[-0.02, -0.01, 0.03], [0.01, -0.01, 0.01]]), 10)
    assert below.total == pytest.approx(-0.01)
    assert (below.root.value, below.root.is_below_zero) == (0.0, True)
    assert below.root.standard_error == pytest.approx(np.std([0, 0.2], ddof=1))
    above = below.of_class(1)
    assert (above.root.value, above.root.is_below_zero) == (pytest.approx(0.1), False)
    nothing = LossEstimate(np.full((2, 3), np.nan), 0)
    assert np.isnan([nothing.root.value, nothing.root.standard_error]).all()
    assert not nothing.root.is_below_zero


def test_an_error_needs_two_cases_and_two_resamples() -> None:
    """Otherwise it is NaN, not 0."""
    assert np.isnan(LossEstimate(np.array([[0.1, 0.1, 0.1]]), 1).total_error)
    assert np.isnan(LossEstimate(np.array([[0.1, 0.1]]), 9).total_error)
    assert LossEstimate(np.array([[0.1, 0.1, np.nan, 0.3]]), 9).total_error == pytest.approx(np.sqrt(0.02))


def test_no_case_with_two_labels() -> None:
    """The epistemic loss cannot be estimated; what can still is."""
    counts, probability = random_study(16, 30, 3)
    counts = np.eye(3, dtype=int)[counts.argmax(axis=1)]
    weights = case_weights(30, 20, np.random.default_rng(0))
    of = calibration_losses(label_histograms(counts), probability, weights=weights)
    for name in (EPISTEMIC, IRREDUCIBLE, DISPERSION):
        assert np.isnan([of[name].debiased.total, of[name].debiased.total_error]).all()
        assert of[name].debiased.n_cases == 0
    for name in (EXPECTED, CALIBRATION, REFINEMENT):
        assert np.isfinite([of[name].debiased.total, of[name].debiased.total_error]).all()


def test_cases_without_label_or_prediction_are_left_out() -> None:
    """They change nothing, and are not counted."""
    counts, probability = random_study(17, 50, 3, least=2)
    expected = calibration_losses(label_histograms(counts[5:]), probability[5:])
    counts[:3] = 0
    probability[3:5] = np.nan
    got = calibration_losses(label_histograms(counts), probability)
    for name, loss in got.items():
        assert loss.debiased.n_cases == 45
        np.testing.assert_allclose(loss.debiased.by_class, expected[name].debiased.by_class, atol=1e-12)


@pytest.mark.parametrize("n", [0, 1])
def test_next_to_nothing(n: int) -> None:
    """No case, or only one, gives numbers or NaN and no warning."""
    counts, probability = np.full((n, 3), 2), np.full((n, 3), 1 / 3)
    weights = case_weights(n, 10, np.random.default_rng(0))
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        of = calibration_losses(label_histograms(counts), probability, weights=weights)
        for loss in of.values():
            assert np.isnan(loss.debiased.total) == (n == 0)
            assert np.isnan(loss.debiased.total_error)


def test_probabilities_of_0_and_a_class_nobody_chose() -> None:
    """Squared losses bear both: a perfect prediction of unanimous raters loses nothing."""
    counts = np.array([[3, 0, 0], [0, 4, 0], [2, 0, 0]])
    sure = np.eye(3)[[0, 1, 0]]
    for loss in calibration_losses(label_histograms(counts), sure).values():
        np.testing.assert_array_equal(loss.debiased.by_class, 0)
    wrong = calibration_losses(label_histograms(counts), np.eye(3)[[1, 0, 1]])
    assert wrong[EXPECTED].plug_in.total == wrong[EPISTEMIC].debiased.total == 2
    assert wrong[EXPECTED].plug_in.by_class[2] == 0


@pytest.mark.parametrize(
    ("row", "told"),
    [
        ([0.5, 1.5], "0.5, 1.5"),
        ([-0.2, 1.2], "-0.2, 1.2"),
        ([0.5, np.nan], "0.5, nan"),
        ([np.nan, 0.5], "nan, 0.5"),
        ([np.inf, 0.0], "inf"),
    ],
)
def test_what_is_no_probability_is_refused(row: list[float], told: str) -> None:
    """Even for a case without a label: a silent drop would hide it."""
    probability = np.array([[0.5, 0.5], row, [0.1, 0.9]])
    for counts in ([[1, 1], [2, 0], [0, 1]], [[1, 1], [0, 0], [0, 1]]):
        with pytest.raises(ValueError, match=told):
            calibration_losses(label_histograms(np.array(counts)), probability)


def test_shapes_are_checked() -> None:
    """Probabilities need a row a case and a column a label."""
    with pytest.raises(ValueError, match=r"shape \(3, 2\), one row a case.*got \(3, 3\)"):
        calibration_losses(label_histograms(np.ones((3, 2), int)), np.full((3, 3), 1 / 3))
