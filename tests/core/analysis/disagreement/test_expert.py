"""Sentences about one more expert's label."""

from __future__ import annotations

import dataclasses

import numpy as np
import pytest
from small_study import small_study

from core.analysis.disagreement.expert import expert_sentence, weight_sentence
from core.analysis.disagreement.forecasts import AS_GIVEN
from core.analysis.disagreement.recalibrated import ALPHA, Recalibrated
from core.analysis.disagreement.recalibrated_tables import after_expert_labels
from core.metrics.calibration.label_histogram import task_histograms

ONE, ALMOST_NONE, WITHOUT_ALPHA, NOT_PREDICTED, HUGE = range(5)


@pytest.fixture(scope="module")
def fit() -> Recalibrated:
    """A model with concentrations chosen by hand: α0 = 1 in the first case."""
    study, task = small_study("choice", "ABC", [["A"]] * 5, predictions={"m": [[0.6, 0.3, 0.1]] * 5})
    probability = np.tile([0.6, 0.3, 0.1], (5, 1))
    probability[NOT_PREDICTED] = np.nan
    alpha = np.array([1.0, 1e-4, np.nan, np.nan, 1e9])
    return Recalibrated(
        study,
        task,
        "m",
        task_histograms(task),
        {AS_GIVEN: probability, ALPHA: probability},
        {ALPHA: alpha},
        None,
        None,
        (),
    )


def said(fit: Recalibrated, case: int, told: list[int], method: str = ALPHA) -> str:
    """The sentence, with ordinary spaces."""
    table = after_expert_labels(fit, method, case, told)
    return expert_sentence(fit, method, case, table).replace("\u00a0", " ")


def test_one_expert_by_hand(fit: Recalibrated) -> None:
    """(0.3 + 1) / 2 = 65 %; disagreement 0.54 · 1/2 before and (1 − Σ p²) · 2/3 after."""
    assert said(fit, ONE, [1]) == (
        "One more expert says “B”: the recalibrated probability of “B” rises from 30 % to 65 %; “B” now "
        "leads instead of “A”. Two further experts would disagree with probability 32 %; before it was 27 %."
    )


@pytest.mark.parametrize(
    ("case", "told", "words"),
    [
        (ONE, [], "Nobody has said more yet: “A” leads with 60 %."),
        (ONE, [0], "“A” rises from 60 % to 80 %; it leads as before."),
        (
            ONE,
            [1, 2, 1],
            "Three more experts say “B” (2), “C” (1): the recalibrated probability of “B” rises",
        ),
        (ONE, [2] * 12, "12 more experts say “C”: "),
        (HUGE, [2], "“C” stays at 10 %; “A” still leads with 60 %. Two further experts would disagree"),
        (HUGE, [2], "with probability 54 %, as before."),
        (ALMOST_NONE, [2], "rises from 10 % to more than 99 %; “C” now leads instead of “A”. "),
        (NOT_PREDICTED, [0], "m did not predict this case"),
        (WITHOUT_ALPHA, [0], "This case has no features"),
    ],
)
def test_sentences(fit: Recalibrated, case: int, told: list[int], words: str) -> None:
    """Numbers of experts, labels that rise or stay, and what is not known."""
    assert words in said(fit, case, told)


def test_what_cannot_be_updated_says_so(fit: Recalibrated) -> None:
    """Class probabilities alone have nothing that a label could change."""
    assert said(fit, ONE, [0], AS_GIVEN) == (
        "Whatever an expert says, m stays with its probabilities: “as given” says how likely each label is, "
        "not how far that is to be trusted. Choose one with α, or an ensemble, to see them move."
    )
    without = dataclasses.replace(fit, concentration={})
    assert said(without, ONE, [0], AS_GIVEN).endswith("No method that also says the latter could be fitted.")


def test_weight_in_experts(fit: Recalibrated) -> None:
    """α0 is a number of experts; where it is not known nothing is said."""
    words = [weight_sentence(fit, ALPHA, case) for case in range(5)]
    assert words[ONE] == "α₀ = 1: the model's own probabilities weigh as much as 1 expert."
    assert "a single expert outweighs" in words[ALMOST_NONE]
    assert words[WITHOUT_ALPHA] == words[NOT_PREDICTED] == ""
    assert "a single expert changes next to nothing" in words[HUGE]
    assert weight_sentence(fit, AS_GIVEN, ONE) == ""
