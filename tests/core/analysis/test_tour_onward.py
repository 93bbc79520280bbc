"""Where the tour leads whoever sees patients: to a list that the study has."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from core.analysis.cases.presets import PRESETS
from core.analysis.cases.worklist import worklist
from core.analysis.tour_onward import for_clinicians, of_the_example
from core.cli import sample_folder
from core.plausibility.aggregate import aggregate
from core.plausibility.settings import Aggregation
from core.study.model import Study, Task
from core.study.reading.folder import read_study


@pytest.fixture(scope="module")
def study() -> Study:
    """The main sample."""
    return read_study(sample_folder())


def without(study: Study, *, models: bool = True, risk: bool = True) -> Task:
    """The task of the sample without some of what it has."""
    (task,) = study.tasks.values()
    task = task if models else replace(task, predictions={})
    return task if risk else replace(task, risk=np.zeros_like(task.risk))


@pytest.mark.parametrize(
    ("models", "risk", "button", "listed", "words"),
    [
        (
            True,
            True,
            "Danger missed",
            "missed dangers",
            "a danger may be the truth but a model puts no danger first",
        ),
        (False, True, "Any danger", "possible dangers", "a danger may be the truth (“Any danger”)"),
        (
            True,
            False,
            "",
            "uncertain cases",
            "Cases whose label is least certain, and what would help to settle each",
        ),
    ],
)
def test_the_list_is_one_that_the_study_has(
    study: Study, models: bool, risk: bool, button: str, listed: str, words: str
) -> None:
    """By its models and risk levels; the words name the button that lists these cases on the page Cases."""
    task = without(study, models=models, risk=risk)
    offered = for_clinicians(task)
    assert words in offered.words
    assert offered.listed == listed
    assert "a model" not in offered.words or models
    assert (offered.preset == "") == (button == "")
    if button:
        posterior = aggregate(study, task, Aggregation("plackett-luce", 1.0))
        rows = worklist(study, task, posterior)
        assert PRESETS[offered.preset].short == button
        assert PRESETS[offered.preset].suits(rows)
        assert f"“{button}”" in offered.words


def test_of_one_model_it_is_the_model(study: Study) -> None:
    """And of a study that cannot be read, what every study has."""
    (task,) = study.tasks.values()
    (name, *_) = task.probability_models
    one = replace(task, predictions={name: task.predictions[name]})
    assert "but the model puts no danger first" in for_clinicians(one).words
    assert for_clinicians(None).preset == ""


def test_the_example_is_called_one_and_the_claim_is_told_to_stay() -> None:
    """Nobody takes the study that opens for the claim that was typed."""
    assert of_the_example("Sample: x") == (
        "The first two open the example study, “Sample: x”. Your claim is not part of it and stays on this "
        "page."
    )
