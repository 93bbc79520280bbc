"""Readings that count by their stated confidence, and what is said where they do not."""

from __future__ import annotations

import math
from dataclasses import replace

import numpy as np
import pytest
from rater_matrices import choices, study_of

from core.analysis.evaluate import evaluate
from core.analysis.export import provenance
from core.analysis.reliability.words import can_weigh, confidence_words, reliability_words
from core.plausibility.aggregate import aggregate
from core.plausibility.posterior import Posterior
from core.plausibility.settings import MODELS, Aggregation, AggregationChoice
from core.study.model import Study, Task

WEIGHING = [("label-counts", "digits"), ("plackett-luce", "dermatology"), ("prirn", "dermatology")]


def with_confidence(study: Study, confidence: float | np.ndarray) -> tuple[Study, Task]:
    """A study whose first task states these confidences."""
    name, task = next(iter(study.tasks.items()))
    stated = np.broadcast_to(confidence, task.readings.n_readings).astype(float)
    task = replace(task, readings=replace(task.readings, confidence=stated))
    return replace(study, tasks={**study.tasks, name: task}), task


def same(one: Posterior, other: Posterior, **close: float) -> None:
    """Means and certainties agree."""
    np.testing.assert_allclose(one.mean.candidate, other.mean.candidate, **close)
    np.testing.assert_allclose(one.certainty(1), other.certainty(1), **close)


def weighing(model: str, gamma: float) -> Aggregation:
    """Aggregation by confidence."""
    return Aggregation(model, gamma, confidence="weights", draws=200)


@pytest.mark.parametrize(("model", "sample"), WEIGHING)
@pytest.mark.parametrize("gamma", [0.7, 3, math.inf])
def test_full_confidence_changes_nothing(model: str, sample: str, gamma: float, request) -> None:
    """Stated as 1, or not at all."""
    for confidence in (1.0, np.nan):
        study, task = with_confidence(request.getfixturevalue(sample), confidence)
        ignored = aggregate(study, task, replace(weighing(model, gamma), confidence="ignored"))
        same(aggregate(study, task, weighing(model, gamma)), ignored, rtol=1e-9)


@pytest.mark.parametrize(("model", "sample"), WEIGHING)
def test_equal_confidence_is_less_reliability(model: str, sample: str, request) -> None:
    """Confidence ½ at γ = 6 is γ = 3."""
    study, task = with_confidence(request.getfixturevalue(sample), 0.5)
    weighted = aggregate(study, task, weighing(model, 6.0))
    same(weighted, aggregate(study, task, replace(weighing(model, 3.0), confidence="ignored")), rtol=1e-6)


@pytest.mark.parametrize(("model", "sample"), WEIGHING)
def test_no_confidence_is_no_reading(model: str, sample: str, request) -> None:
    """Readings of confidence 0 might as well be absent; under PrIRN the others count less in all."""
    whole = request.getfixturevalue(sample)
    zero = np.random.default_rng(0).random(next(iter(whole.tasks.values())).readings.n_readings) < 0.3
    study, task = with_confidence(whole, np.where(zero, 0.0, 1.0))
    fewer = replace(task, readings=task.readings.keep(~zero))
    gamma = math.inf if model == "prirn" else 2.0
    kept = aggregate(study, fewer, replace(weighing(model, gamma), confidence="ignored"))
    same(aggregate(study, task, weighing(model, gamma)), kept, rtol=1e-9)


def test_label_counts_by_hand() -> None:
    """Dirichlet(γ Σ ĉ + ½): two readers of one case, one of whom is unsure."""
    study, task = study_of(choices(np.array([[0.0, 1, 0]]), np.array([[0.25, 0.9, np.nan]])), ("x", "y", "z"))
    posterior = aggregate(study, task, weighing("label-counts", 2.0))
    shape = np.array([2 * (0.25 + 1) + 0.5, 2 * 0.9 + 0.5])
    np.testing.assert_allclose(posterior.mean.candidate, shape / (shape.sum() + 0.5))
    point = aggregate(study, task, weighing("label-counts", math.inf))
    np.testing.assert_allclose(point.mean.candidate, np.array([1.25, 0.9]) / 2.15, rtol=1e-9)


def test_prirn_by_hand(dermatology: Study) -> None:
    """γ times the mean confidence, shared by the weighted IRN."""
    study, task = with_confidence(dermatology, 1.0)
    confidence = np.random.default_rng(1).random(task.readings.n_readings)
    study, task = with_confidence(dermatology, confidence)
    posterior = aggregate(study, task, weighing("prirn", 4.0), cases=[3])
    readings = task.readings.take_cases([3])
    total: dict[int, float] = {}
    for reading in range(readings.n_readings):
        entries = slice(readings.entry_start[reading], readings.entry_start[reading + 1])
        labels, block = readings.label[entries], readings.block[entries]
        for label, place in zip(labels, block, strict=True):
            share = readings.confidence[reading] / (place + 1) / (block == place).sum()
            total[int(label)] = total.get(int(label), 0.0) + share
    share = np.array([total[k] for k in sorted(total)]) / sum(total.values())
    np.testing.assert_allclose(posterior.shape, 4 * readings.confidence.mean() * share, rtol=1e-9)


@pytest.mark.parametrize("gamma", [1.0, 3.0])
def test_confidences_enter_provenance_and_words(digits: Study, gamma: float) -> None:
    """Ignored or weights, with the mean weight; nothing where none is stated."""
    study, task = with_confidence(digits, 0.25)
    ignored = Aggregation("label-counts", gamma)
    assert provenance(study, task, ignored)["stated confidences"] == "ignored"
    assert "takes no notice of it" in confidence_words(task, ignored)
    weighted = replace(ignored, confidence="weights")
    assert "mean weight 0.25" in provenance(study, task, weighted)["stated confidences"]
    assert "The mean weight is 0.25." in confidence_words(task, weighted)
    bare, task = with_confidence(digits, np.nan)
    assert "stated confidences" not in provenance(bare, task, ignored)
    assert confidence_words(task, ignored) == ""
    assert not can_weigh(task, "label-counts")


def test_every_model_that_ignores_confidences_says_so(digits: Study) -> None:
    """In the notice of an evaluation too."""
    study, task = with_confidence(digits, 0.5)
    for model in ("majority", "frequency", "dawid-skene", "accuracy-weighted"):
        assert "takes no notice of it" in confidence_words(task, Aggregation(model))
        with pytest.raises(ValueError, match="weights under label-counts, plackett-luce, prirn"):
            Aggregation(model, confidence="weights")
    assert "weigh their votes" in confidence_words(task, Aggregation("confidence-weighted"))
    told = evaluate(study, AggregationChoice("label-counts"))
    assert "takes no notice of it" in told.notice
    assert (
        "weigh their readings"
        in evaluate(study, AggregationChoice("label-counts", confidence="weights")).notice
    )


def test_words_say_what_reliability_counts() -> None:
    """Each reading, each score, or all readings of a case together; with confidence times it."""
    assert reliability_words(Aggregation("label-counts", 3)) == "Each reading counts 3 times."
    assert reliability_words(Aggregation("gaussian", 1)) == "Each score counts once."
    assert "together count as 10, however many" in reliability_words(Aggregation("prirn", 10))
    weighted = Aggregation("plackett-luce", 2, confidence="weights")
    assert reliability_words(weighted) == "Each reading counts twice its confidence."
    assert "as much as its confidence" in reliability_words(weighted.at(1))
    assert "point estimate" in reliability_words(Aggregation("majority"))
    assert all("γ" in model.summary for model in MODELS.values() if model.has_reliability)


def test_bad_options_are_refused() -> None:
    """What was allowed and what came."""
    with pytest.raises(ValueError, match="confidence must be one of ignored, weights, got 'much'"):
        Aggregation("prirn", 1, confidence="much")  # type: ignore[arg-type]
    with pytest.raises(ValueError, match="error_prior must be a number of 0 or more, got -1"):
        Aggregation("dawid-skene", error_prior=-1)


def test_prior_of_errors_is_an_option_with_a_name(digits: Study) -> None:
    """In the provenance; it moves the estimates, and 0 is the maximum-likelihood estimate."""
    task = next(iter(digits.tasks.values()))
    usual, none = Aggregation("dawid-skene"), Aggregation("dawid-skene", error_prior=0)
    assert provenance(digits, task, usual)["prior of errors"].startswith("1 times: a right reading")
    assert "maximum likelihood, Dawid and Skene 1979" in provenance(digits, task, none)["prior of errors"]
    assert "prior" in MODELS["dawid-skene"].summary
    one, other = aggregate(digits, task, usual), aggregate(digits, task, none)
    assert np.abs(one.mean.candidate - other.mean.candidate).max() > 1e-4
    assert np.isfinite(other.mean.candidate).all()
