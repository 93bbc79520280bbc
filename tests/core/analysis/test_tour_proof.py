"""What the toy problem's labels prove: counted by hand, as the pages say it, and no luck of one panel."""

from __future__ import annotations

import re

import numpy as np
import pandas as pd
import pytest

from core.analysis import tour
from core.analysis import tour_proof as proof
from core.analysis.reliability.sweep import metrics_at
from core.analysis.tour_leads import leads
from core.cli import sample_folder
from core.plausibility.settings import Aggregation
from core.study.reading.folder import read_study

TOY = tour.toy_study()
TRUE = TOY.truth.plausibility
(TASK,) = TOY.study.tasks.values()
PREDICTED = {name: TASK.predictions[name].probability.argmax(axis=1) for name in (proof.MODEL, proof.PERFECT)}


@pytest.fixture(scope="module")
def table() -> pd.DataFrame:
    """As the tour shows it."""
    return proof.proof_table(TOY)


def counted(n_readings: int) -> np.ndarray:
    """How often each label is named in each case, with shape (n_cases, 3)."""
    label = proof.read_by(TOY, n_readings).label.reshape(len(TRUE), n_readings)
    return (label[:, :, None] == np.arange(3)).sum(axis=1)


def drawn(counts: np.ndarray, n: int, seed: int = 3) -> np.ndarray:
    """Leaders of plausible truths, drawn here: the first of independent gammas, with shape (n, n_cases)."""
    return np.random.default_rng(seed).standard_gamma(counts + 0.5, size=(n, *counts.shape)).argmax(axis=2)


def ahead(counts: np.ndarray, n: int, seed: int) -> float:
    """Share of plausible truths, drawn here, by which the perfect model is better."""
    leader = drawn(counts, n, seed)
    one, other = ((leader == PREDICTED[name]).mean(axis=1) for name in (proof.PERFECT, proof.MODEL))
    return float(((one > other) + 0.5 * (one == other)).mean())


def test_the_claim_is_counted_by_hand(table: pd.DataFrame) -> None:
    """The label with most votes, a share of it where all three differ."""
    counts = counted(3)
    best = counts == counts.max(axis=1, keepdims=True)
    for model, predicted in PREDICTED.items():
        right = best[np.arange(len(best)), predicted] / best.sum(axis=1)
        assert proof.row_of(table, model)["claimed"] == pytest.approx(right.mean())


def test_what_is_supported_agrees_with_draws_made_elsewhere(table: pd.DataFrame) -> None:
    """Range, mean, ceiling and who is ahead, by each number of readings."""
    for n in proof.READINGS:
        counts = counted(n)
        leader = drawn(counts, 4000)
        shares = (leader[:, :, None] == np.arange(3)).mean(axis=0)
        for model, predicted in PREDICTED.items():
            row = proof.row_of(table, model, readings=n)
            accuracy = (leader == predicted).mean(axis=1)
            assert row["supported"] == pytest.approx(accuracy.mean(), abs=0.003)
            assert (row["low"], row["high"]) == pytest.approx(np.quantile(accuracy, [0.025, 0.975]), abs=0.01)
            assert row["ceiling"] == pytest.approx(shares.max(axis=1).mean(), abs=0.003)
            best = (leader == shares.argmax(axis=1)).mean(axis=1)
            ends = row["ceiling_low"], row["ceiling_high"]
            assert ends == pytest.approx(np.quantile(best, [0.025, 0.975]), abs=0.01)
            assert row["low"] <= row["ceiling_low"]
            assert row["high"] <= row["ceiling_high"]
        perfect = proof.row_of(table, proof.PERFECT, readings=n)["ahead"]
        assert perfect == pytest.approx(ahead(counts, 4000, seed=4), abs=0.04)


def test_the_known_truth_is_the_likeliest_condition(table: pd.DataFrame) -> None:
    """The model errs in one case of seven, the perfect one never."""
    for model, predicted in PREDICTED.items():
        right = (predicted == TRUE.argmax(axis=1)).mean()
        assert set(table.loc[table["model"] == model, "known"]) == {right}
    assert 0.8 < proof.row_of(table)["known"] < 0.9
    assert proof.row_of(table, proof.PERFECT)["known"] == 1


def test_the_first_three_raters_are_the_usual_ones() -> None:
    """More raters join them; nobody names labels more often than is true."""
    usual = proof.read_by(TOY, 3).label.reshape(-1, 3)
    assert (proof.read_by(TOY, 100).label.reshape(-1, 100)[:, :3] == usual).all()
    assert counted(100).mean(axis=0) / 100 == pytest.approx(TRUE.mean(axis=0), abs=0.02)
    with pytest.raises(ValueError, match="n_raters must be 3 or more, got 2"):
        proof.read_by(TOY, 2)


def test_the_claim_is_more_than_the_labels_support(table: pd.DataFrame) -> None:
    """It lies above the range, and both below the ceiling; the truth lies above all of them."""
    row = proof.row_of(table)
    assert row["low"] < row["supported"] < row["high"] < row["claimed"] < row["ceiling"] < row["known"]


def test_three_readings_cannot_tell_a_perfect_model_and_a_hundred_can(table: pd.DataFrame) -> None:
    """Both claim the same percentage and their ranges overlap; with a hundred readings they lie apart."""
    row, perfect = proof.row_of(table), proof.row_of(table, proof.PERFECT)
    assert f"{row['claimed']:.0%}" == f"{perfect['claimed']:.0%}"
    assert perfect["low"] < row["high"]
    assert perfect["ahead"] < 0.95
    assert perfect["ahead"] + row["ahead"] == pytest.approx(1)
    many = proof.row_of(table, proof.PERFECT, readings=100)["ahead"]
    assert many > 0.995
    at_last = [proof.row_of(table, name, readings=100) for name in (proof.MODEL, proof.PERFECT)]
    assert at_last[0]["high"] < at_last[1]["low"]
    assert at_last[0]["low"] < at_last[0]["known"] < at_last[0]["high"]


def test_the_best_possible_model_repeats_what_most_readers_named(table: pd.DataFrame) -> None:
    """The label leads that most readers named, or one of a tie: so much more is supported of such a model."""
    counts = counted(3)
    leading = leads(counts, 1.0)
    assert (counts[np.arange(len(counts)), leading.argmax(axis=1)] == counts.max(axis=1)).all()
    row, perfect = proof.row_of(table), proof.row_of(table, proof.PERFECT)
    assert row["ceiling"] == pytest.approx(leading.max(axis=1).mean())
    assert perfect["supported"] < row["ceiling"]


def test_it_is_no_luck_of_these_three_raters() -> None:
    """Of other panels of three hardly any could tell the two apart, of panels of a hundred nearly all."""
    rng = np.random.default_rng(8)
    told = {
        n: np.mean([ahead(rng.multinomial(n, TRUE), 200, seed) > 0.975 for seed in range(60)])
        for n in (3, 100)
    }
    assert told[3] < 0.1
    assert told[100] > 0.9


def test_the_labels_that_are_wrong_are_about_as_many_as_expected(table: pd.DataFrame) -> None:
    """Of the majorities about as many miss the likeliest condition as their certainty says."""
    counts = counted(3)
    best = counts == counts.max(axis=1, keepdims=True)
    wrong = len(best) - (best[np.arange(len(best)), TRUE.argmax(axis=1)] / best.sum(axis=1)).sum()
    row = proof.row_of(table)
    assert proof.wrong_labels(row["n_cases"], row["ceiling"]) == pytest.approx(wrong, abs=4)


def test_trust_narrows_the_range_and_tells_no_more() -> None:
    """With every reading counted three times the range is narrower, and the two as hard to tell apart."""
    tables = [proof.proof_table(TOY, reliability=gamma, n_readings=[3]) for gamma in (1.0, 3.0)]
    width = [proof.row_of(one)["high"] - proof.row_of(one)["low"] for one in tables]
    assert width[1] < 0.8 * width[0]
    told = [proof.row_of(one, proof.PERFECT)["ahead"] for one in tables]
    assert told[1] == pytest.approx(told[0], abs=0.05)


def test_at_great_trust_the_range_is_the_claim() -> None:
    """γ → ∞ leaves the majorities, and ties where all three differ."""
    row = proof.row_of(proof.proof_table(TOY, reliability=1e6, n_readings=[3]))
    ties = (counted(3).max(axis=1) == 1).mean()
    assert row["supported"] == pytest.approx(row["claimed"], abs=1e-5)
    assert row["ceiling"] == pytest.approx(1 - ties * 2 / 3, abs=1e-6)


def test_the_bundled_sample_has_the_same_numbers(table: pd.DataFrame) -> None:
    """What the tour says of the models is what the pages say when the sample is opened."""
    study = read_study(sample_folder("toy_three_labels"))
    (task,) = study.tasks.values()
    pages = metrics_at(study, task, Aggregation("label-counts", 1.0)).set_index(["subject", "metric"])
    for model in PREDICTED:
        shown, row = pages.loc[(model, "top-1 accuracy")], proof.row_of(table, model)
        assert shown["value"] == pytest.approx(row["supported"])
        # The pages draw truths; here they are counted.
        assert (shown["low"], shown["high"]) == pytest.approx((row["low"], row["high"]), abs=0.01)


def test_the_sentences_say_the_numbers(table: pd.DataFrame) -> None:
    """Every number in them is one of the table, rounded; and the last sentence is one sentence."""
    row = proof.row_of(table)
    said = proof.claim_in_words(table)
    ranges = [round(100 * row[end]) for end in ("low", "high", "ceiling_low", "ceiling_high")]
    wrong = proof.wrong_labels(row["n_cases"], row["ceiling"])
    numbers = [round(100 * row["claimed"]), 150, wrong, *ranges]
    assert [int(word) for word in re.findall(r"\d+", said)] == numbers
    assert "A better model cannot be told from it by these labels" in said
    assert proof.TAKE_HOME.endswith(".")
    assert ". " not in proof.TAKE_HOME
