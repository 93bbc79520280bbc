"""Concordance against the published code's numbers, simulation and plain loops."""

from __future__ import annotations

from dataclasses import replace
from itertools import combinations

import numpy as np
import pytest
from rater_matrices import choices, knee_matrices, random_matrix
from shared_data import shared_data

from core.metrics.agreement.chance import agreement_per_case
from core.metrics.agreement.concordance import (
    concordance,
    confidence_variability,
    corrected_confidence,
)
from core.metrics.agreement.group_concordance import group_concordance
from core.metrics.agreement.rating_counts import first_labels, rating_counts


def measure(labels, confidence, n_labels=2, **options):
    """Concordance of matrices of labels and confidences."""
    readings = choices(labels, confidence)
    return concordance(readings, first_labels(readings), n_labels, **options)


def interval(found):
    """Means over cases of the low and the high end."""
    return [np.nanmean(found.low), np.nanmean(found.high)]


def test_knee_radiologists():
    """Accuracy .81 and variability .08: [.51415, .63968] about .584726; confidence alone .616899."""
    labels, confidence = knee_matrices()
    found = measure(labels, confidence, accuracy=np.full(13, 0.81), variability=np.full(13, 0.08))
    assert interval(found) == pytest.approx([0.5141458651491903, 0.6396760089053936], abs=1e-12)
    assert found.weighted.mean() == pytest.approx(0.584726064536647, abs=1e-12)
    assert measure(labels, confidence).weighted.mean() == pytest.approx(0.6168989207015202, abs=1e-12)
    assert found.unweighted.mean() == pytest.approx(0.8184110970996235, abs=1e-12)
    assert np.mean(interval(found)) == pytest.approx(0.5769, abs=5e-5), "not the middle: see the docstring"


def test_cases_of_the_knee_radiologists():
    """The first cases one by one."""
    labels, confidence = knee_matrices()
    found = measure(labels, confidence, accuracy=np.full(13, 0.81), variability=np.full(13, 0.08))
    np.testing.assert_allclose(
        np.stack([found.low, found.high], axis=1)[:3],
        [
            [0.5955009198653191, 0.710855076768107],
            [0.33081667602636355, 0.401098051884147],
            [0.5718705392776332, 0.7028860920239517],
        ],
    )


def test_raters_with_different_accuracy_and_variability():
    """Accuracies from .70 to .92 and variabilities from .02 to .14."""
    labels, confidence = knee_matrices()
    inputs = np.load(shared_data("goldens", "cabitza_inputs.npz"))
    found = measure(
        labels,
        confidence,
        accuracy=inputs["accs_lin"],
        variability=inputs["irv_lin"],
    )
    assert interval(found) == pytest.approx([0.5090214053686714, 0.6407054920835267], abs=1e-12)


def test_missing_readings():
    """A third of the readings taken out: each case is a mean over the pairs that are left."""
    labels, confidence = knee_matrices()
    mask = np.load(shared_data("goldens", "cabitza_inputs.npz"))["missing_mask_seed11"]
    labels[mask] = np.nan
    found = measure(labels, confidence, accuracy=np.full(13, 0.81), variability=np.full(13, 0.08))
    assert interval(found) == pytest.approx([0.5140389943016626, 0.6397576104307544], abs=1e-12)


def test_groups_of_knee_radiologists():
    """Mean, least and most over all groups of 3; a group is the study of its raters alone."""
    labels, confidence = knee_matrices()
    readings = choices(labels, confidence)
    groups = np.array(list(combinations(range(13), 3)))
    same, weighted = group_concordance(
        readings, first_labels(readings), 2, groups, accuracy=np.full(13, 0.81)
    )
    assert weighted.mean() == pytest.approx(0.5847260645366482, abs=1e-12)
    assert weighted.min() == pytest.approx(0.4780117803197517, abs=1e-12)
    assert weighted.max() == pytest.approx(0.7051796072017509, abs=1e-12)
    first = measure(labels[:, :3], confidence[:, :3])
    assert same[0] == pytest.approx(first.unweighted.mean(), abs=1e-12)


def test_groups_with_missing_readings_are_studies_of_their_own():
    """A group's value is that of the columns of its raters; NaN where no two of them read a case."""
    labels = random_matrix(3, n_labels=3)
    labels[:, 4] = np.where(np.arange(len(labels)) % 2, labels[:, 4], np.nan)
    labels[:, 5] = np.where(np.arange(len(labels)) % 2, np.nan, 0.0)
    confidence = np.random.default_rng(0).random(labels.shape)
    readings = choices(labels, confidence)
    accuracy = np.linspace(0.5, 0.95, 6)
    groups = np.array([[0, 1], [2, 3], [4, 5]])
    same, weighted = group_concordance(readings, first_labels(readings), 3, groups, accuracy=accuracy)
    for group, s, w in zip(groups[:2], same, weighted, strict=False):
        alone = measure(labels[:, group], confidence[:, group], 3, accuracy=accuracy[group])
        assert s == pytest.approx(np.nanmean(alone.unweighted), abs=1e-12)
        assert w == pytest.approx(np.nanmean(alone.weighted), abs=1e-12)
    assert np.isnan([same[2], weighted[2]]).all()


@pytest.mark.parametrize("n_labels", [2, 5])
def test_corrected_confidence_by_simulation(n_labels):
    """Informed readings among those that agree with the truth, when the others guess."""
    rng = np.random.default_rng(0)
    n = 400_000
    informed = rng.random(n) < 0.6
    agrees = informed | (rng.integers(0, n_labels, n) == 0)
    expected = informed[agrees].mean()
    assert corrected_confidence(np.array([0.6]), n_labels)[0] == pytest.approx(expected, abs=0.004)


@pytest.mark.parametrize("n_labels", [2, 4])
def test_both_right_by_simulation(n_labels):
    """Agreeing pairs of two raters of accuracy .8 and .6 that are right."""
    rng = np.random.default_rng(1)
    n = 400_000
    labels = [np.where(rng.random(n) < accuracy, 0, rng.integers(1, n_labels, n)) for accuracy in (0.8, 0.6)]
    agree = labels[0] == labels[1]
    expected = (labels[0][agree] == 0).mean()
    found = measure(np.zeros((1, 2)), np.ones((1, 2)), n_labels, accuracy=np.array([0.8, 0.6]))
    assert float(found.weighted[0]) == pytest.approx(expected, abs=0.004)


def test_limits():
    """Full confidence and accuracy leave σ; guessing raters leave half of it; extremes do not fail."""
    labels = random_matrix(2, n_labels=2)
    ones = np.ones(labels.shape)
    sure = measure(labels, ones, accuracy=np.ones(6))
    np.testing.assert_allclose(sure.weighted, sure.unweighted)
    half = measure(labels, ones, accuracy=np.full(6, 0.5))
    np.testing.assert_allclose(half.weighted, half.unweighted / 2)
    opposed = measure(np.zeros((3, 2)), np.ones((3, 2)), accuracy=np.array([1.0, 0.0]))
    assert opposed.weighted.tolist() == [0, 0, 0]
    unsure = measure(labels, 0 * ones)
    assert np.nanmax(unsure.weighted) == 0


def test_unweighted_is_the_agreement_of_counts():
    """σ by pairs equals the agreement from counts."""
    labels = random_matrix(4)
    readings = choices(labels)
    counts = rating_counts(readings, first_labels(readings), 4)
    np.testing.assert_allclose(measure(labels, None, 4).unweighted, agreement_per_case(counts))


def test_absent_confidence_counts_as_full():
    """NaN is 1, reading by reading."""
    labels = random_matrix(5, n_labels=2)
    confidence = np.random.default_rng(2).random(labels.shape)
    confidence[::2] = np.nan
    filled = np.where(np.isnan(confidence), 1.0, confidence)
    np.testing.assert_array_equal(measure(labels, confidence).weighted, measure(labels, filled).weighted)


def test_unknown_accuracy_counts_as_the_mean_of_the_others():
    """And no accuracy at all as none given."""
    labels = random_matrix(6, n_labels=2)
    known = np.array([0.9, 0.8, 0.7, 0.6, 0.5, np.nan])
    filled = np.where(np.isnan(known), 0.7, known)
    np.testing.assert_allclose(
        measure(labels, None, accuracy=known).weighted, measure(labels, None, accuracy=filled).weighted
    )
    np.testing.assert_array_equal(
        measure(labels, None, accuracy=np.full(6, np.nan)).weighted, measure(labels, None).weighted
    )


def test_variability_from_repeats():
    """Rater 0 has twice two readings .4 apart, rater 1 three that differ, rater 2 none repeated."""
    readings = choices(np.zeros((3, 4)))
    readings = replace(
        readings,
        rater=np.array([0, 0, 1, 2, 0, 0, 2, 3, 1, 1, 1, 3], np.int32),
        repeat=np.array([1, 2, 1, 1, 1, 2, 1, 1, 1, 2, 3, 1], np.int32),
        confidence=np.array([0.6, 1.0, 0.5, 0.5, 0.2, 0.6, 0.3, np.nan, 0.2, 0.4, 0.6, np.nan]),
    )
    found = confidence_variability(readings, 4)
    two = np.std([0.6, 1.0], ddof=1)
    assert found[:2] == pytest.approx([1.96 * two / np.sqrt(2), 1.96 * 0.2 / np.sqrt(3)])
    assert np.isnan(found[2:]).all()


def test_bad_input_is_refused():
    """Percentages, negative variability, too few accuracies, one label, and too many pairs."""
    labels = np.zeros((2, 2))
    with pytest.raises(ValueError, match=r"confidence must be in \[0, 1\], got 80 to 80; divide percent"):
        measure(labels, np.full((2, 2), 80.0))
    with pytest.raises(ValueError, match=r"accuracy must be in \[0, 1\]"):
        measure(labels, None, accuracy=np.array([0.5, 81.0]))
    with pytest.raises(ValueError, match=r"variability must be 0 or more, got -0\.1"):
        measure(labels, None, variability=np.array([0.1, -0.1]))
    with pytest.raises(ValueError, match="one value for each of 2 raters"):
        measure(labels, None, accuracy=np.array([0.5]))
    with pytest.raises(ValueError, match="n_labels must be 2 or more"):
        corrected_confidence(np.ones(1), 1)
    with pytest.raises(ValueError, match="choose fewer raters or cases"):
        measure(np.zeros((1, 70_000)), None)
