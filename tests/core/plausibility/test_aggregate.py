"""Aggregation by name: what suits what, and that a case's numbers are its own."""

from __future__ import annotations

import math

import numpy as np
import pytest

from core.plausibility.aggregate import aggregate
from core.plausibility.settings import MODELS, Aggregation, default_aggregation, models_for
from core.study.model import Study


def test_unknown_model_and_bad_reliability_are_refused() -> None:
    """Errors name what is allowed and what was given."""
    with pytest.raises(ValueError, match=r"model must be one of label-counts.*got 'magic'"):
        Aggregation("magic")
    for reliability in (0, -1, math.nan):
        with pytest.raises(ValueError, match="reliability must be a number above 0, or ∞"):
            Aggregation("prirn", reliability)


def test_model_must_suit_the_task(dermatology: Study, digits: Study) -> None:
    """Label counts need single labels, PrIRN needs rankings."""
    ranking, choice = next(iter(dermatology.tasks.values())), next(iter(digits.tasks.values()))
    with pytest.raises(ValueError, match="ranking task must be one of"):
        aggregate(dermatology, ranking, Aggregation("label-counts", 1))
    with pytest.raises(ValueError, match="choice task must be one of"):
        aggregate(digits, choice, Aggregation("prirn", 1))


@pytest.mark.parametrize("sample", ["dermatology", "digits", "scores"])
def test_a_case_alone_has_the_numbers_it_has_in_the_study(
    sample: str, request: pytest.FixtureRequest
) -> None:
    """Every model gives a case the same answer whichever cases are asked for with it."""
    study: Study = request.getfixturevalue(sample)
    task = next(iter(study.tasks.values()))
    chosen = [41, 7]
    for name in models_for(task):
        aggregation = Aggregation(name, 2.5)
        everything, some = (
            aggregate(study, task, aggregation),
            aggregate(study, task, aggregation, cases=chosen),
        )
        np.testing.assert_allclose(everything.certainty(1)[chosen], some.certainty(1), rtol=1e-12)
        for i, case in enumerate(chosen):
            np.testing.assert_allclose(
                everything.mean.candidate[everything.candidates.of_case(case)],
                some.mean.candidate[some.candidates.of_case(i)],
                rtol=1e-12,
            )


@pytest.mark.parametrize("sample", ["dermatology", "digits", "scores"])
def test_infinite_reliability_is_certain(sample: str, request: pytest.FixtureRequest) -> None:
    """At γ = ∞ every model is a point, and a point is certain, but for ties that are not broken."""
    study: Study = request.getfixturevalue(sample)
    task = next(iter(study.tasks.values()))
    for name in models_for(task):
        first = aggregate(study, task, Aggregation(name, tie_rule="first label"))
        np.testing.assert_array_equal(first.certainty(1), 1)
        certainty = aggregate(study, task, Aggregation(name)).certainty(1)
        np.testing.assert_allclose(1 / certainty, np.round(1 / certainty))


def test_point_models_ignore_reliability() -> None:
    """Where reliability changes nothing it is ∞, so that settings and caches do not differ."""
    for name, model in MODELS.items():
        assert Aggregation(name, 3).reliability == (3 if model.has_reliability else math.inf)


def test_default_suits_every_kind(dermatology: Study, digits: Study, scores: Study) -> None:
    """The recommended model is one of those for the task, with a finite reliability."""
    for study in (dermatology, digits, scores):
        task = next(iter(study.tasks.values()))
        aggregation = default_aggregation(task)
        assert aggregation.model in models_for(task)
        assert math.isfinite(aggregation.reliability)
