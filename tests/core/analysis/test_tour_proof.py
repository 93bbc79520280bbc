"""What the toy problem's labels prove of its model: counted by hand, and as the pages say it."""

from __future__ import annotations

import numpy as np
import pytest

from core.analysis import tour
from core.analysis import tour_proof as proof
from core.analysis.reliability.sweep import metrics_at
from core.analysis.tour_claim import claim
from core.analysis.tour_leads import counts_of, leads, votes
from core.cli import sample_folder
from core.plausibility.settings import Aggregation
from core.study.reading.folder import read_study

TOY = tour.toy_study()
TRUE = TOY.truth.plausibility
(TASK,) = TOY.study.tasks.values()
PREDICTED = TASK.predictions[proof.MODEL].probability.argmax(axis=1)


def counted(n_readings: int) -> np.ndarray:
    """How often each label is named in each case, with shape (n_cases, 3)."""
    return counts_of(proof.read_by(TOY, n_readings), 3)


def own_claim(n_readings: int) -> float:
    """Share of the cases in which the model names the label kept, a share of it where labels tie."""
    return float(votes(counted(n_readings))[np.arange(len(TRUE)), PREDICTED].mean())


@pytest.mark.parametrize("n", [3, 100])
def test_what_is_supported_agrees_with_draws_made_elsewhere(n: int) -> None:
    """Range and ceiling of the model's own claim, by each number of readings."""
    counts = counted(n)
    leader = np.random.default_rng(3).standard_gamma(counts + 0.5, size=(4000, *counts.shape)).argmax(axis=2)
    found = claim(own_claim(n), n)
    accuracy = (leader == PREDICTED).mean(axis=1)
    assert (found.low, found.high) == pytest.approx(np.quantile(accuracy, [0.025, 0.975]), abs=0.01)
    assert found.truths == pytest.approx(np.quantile(accuracy, (np.arange(100) + 0.5) / 100), abs=0.012)
    shares = (leader[:, :, None] == np.arange(3)).mean(axis=0)
    assert found.ceiling == pytest.approx(shares.max(axis=1).mean(), abs=0.003)
    best = (leader == shares.argmax(axis=1)).mean(axis=1)
    ends = found.ceiling_low, found.ceiling_high
    assert ends == pytest.approx(np.quantile(best, [0.025, 0.975]), abs=0.01)


def test_the_first_three_raters_are_the_usual_ones() -> None:
    """More raters join them; nobody names labels more often than is true."""
    usual = proof.read_by(TOY, 3).label.reshape(-1, 3)
    assert (proof.read_by(TOY, 100).label.reshape(-1, 100)[:, :3] == usual).all()
    assert counted(100).mean(axis=0) / 100 == pytest.approx(TRUE.mean(axis=0), abs=0.02)
    with pytest.raises(ValueError, match="n_raters must be 3 or more, got 2"):
        proof.read_by(TOY, 2)


def test_three_readings_support_less_than_is_true_and_a_hundred_do_not() -> None:
    """The model errs in one case of seven; by three readings its range lies below that."""
    known = (TRUE.argmax(axis=1) == PREDICTED).mean()
    assert 0.8 < known < 0.9
    few, many = claim(own_claim(3), 3), claim(own_claim(100), 100)
    assert few.low < few.high < own_claim(3) < few.ceiling < known
    assert many.low < known < many.high


def test_the_best_possible_model_repeats_what_most_readers_named() -> None:
    """The label leads that most readers named, or one of a tie."""
    counts = counted(3)
    leading = leads(counts, 1.0)
    assert (counts[np.arange(len(counts)), leading.argmax(axis=1)] == counts.max(axis=1)).all()
    assert claim(own_claim(3), 3).ceiling == pytest.approx(leading.max(axis=1).mean())


def test_the_labels_that_are_wrong_are_about_as_many_as_expected() -> None:
    """Of the majorities about as many miss the likeliest condition as their certainty says."""
    wrong = len(TRUE) - votes(counted(3))[np.arange(len(TRUE)), TRUE.argmax(axis=1)].sum()
    assert proof.wrong_labels(len(TRUE), claim(own_claim(3), 3).ceiling) == pytest.approx(wrong, abs=4)


def test_trust_narrows_the_range() -> None:
    """With every reading counted three times it is narrower; at great trust it is the claim alone."""
    own = own_claim(3)
    once, often, without_end = (claim(own, 3, reliability=gamma) for gamma in (1.0, 3.0, 1e6))
    assert often.high - often.low < 0.8 * (once.high - once.low)
    ties = (counted(3).max(axis=1) == 1).mean()
    assert np.mean(without_end.truths) == pytest.approx(own, abs=1e-3)
    assert without_end.ceiling == pytest.approx(1 - ties * 2 / 3, abs=1e-6)


def test_the_bundled_sample_has_the_same_numbers() -> None:
    """What the tour says of its model is what the pages say when the sample is opened."""
    study = read_study(sample_folder("toy_three_labels"))
    (task,) = study.tasks.values()
    pages = metrics_at(study, task, Aggregation("label-counts", 1.0)).set_index(["subject", "metric"])
    shown, found = pages.loc[(proof.MODEL, "top-1 accuracy")], claim(own_claim(3), 3)
    # The pages draw truths; here they are counted.
    assert np.mean(found.truths) == pytest.approx(shown["value"], abs=0.002)
    assert (shown["low"], shown["high"]) == pytest.approx((found.low, found.high), abs=0.01)


def test_the_last_sentence_is_one() -> None:
    """And ends."""
    assert proof.TAKE_HOME.endswith(".")
    assert ". " not in proof.TAKE_HOME
