"""Tables of a recalibrated model."""

from __future__ import annotations

import numpy as np
import pytest
from scipy.stats import beta
from small_study import small_study

from core.analysis.cases.case import open_case, plausibility_table
from core.analysis.disagreement.forecasts import AS_GIVEN
from core.analysis.disagreement.recalibrated import (
    ALPHA,
    ENSEMBLE,
    TEMPERATURE,
    TEMPERATURE_ALPHA,
    Recalibrated,
    recalibrate,
)
from core.analysis.disagreement.recalibrated_tables import (
    after_expert_labels,
    beside_raters,
    disagreement_by_case,
    expert_label_table,
    leading_labels,
    likelihood_table,
)
from core.plausibility.settings import Aggregation
from core.study.model import Predictions

CASES = ["AAA", "AAB", "ABC", "BB", "BBC", "CCCC", "C", "AB", "BBBA", "", "AAC", "CCB"]


@pytest.fixture(scope="module")
def fit() -> Recalibrated:
    """A model of twelve cases, with an ensemble of three; the second last was not predicted."""
    rng = np.random.default_rng(0)
    members = rng.dirichlet([2, 2, 2], (3, len(CASES)))
    members[:, 10] = np.nan
    study, task = small_study("choice", "ABC", [list(case) for case in CASES])
    task.predictions["m"] = Predictions.of_ensemble("m", members)
    return recalibrate(study, task, "m", n_folds=3)


def test_expert_label_table(fit: Recalibrated) -> None:
    """Only what a label changes has a row; the change is that of the same cases."""
    table = expert_label_table(fit).set_index("method")
    assert list(table.index) == [ALPHA, TEMPERATURE_ALPHA, ENSEMBLE]
    assert set(table["n_cases"]) == {sum(len(case) > 2 for case in CASES) - 1}
    np.testing.assert_allclose(table["change"], table["after"] - table["before"], atol=1e-15)
    assert (table[["before_error", "after_error", "change_error"]] > 0).all().all()


def test_without_three_labels_nothing_can_be_told() -> None:
    """The rows are there, and say so."""
    study, task = small_study("choice", "AB", [list("AB")] * 6, predictions={"m": [[0.6, 0.4]] * 6})
    table = expert_label_table(recalibrate(study, task, "m", n_folds=3))
    assert list(table["n_cases"]) == [0, 0]
    assert table.drop(columns=["method", "n_cases"]).isna().all().all()


def test_likelihood_table_by_hand() -> None:
    """Independent labels under the model as it is: −Σ log f."""
    study, task = small_study("choice", "AB", [list("AB")] * 5 + [[]], predictions={"m": [[0.8, 0.2]] * 6})
    table = likelihood_table(recalibrate(study, task, "m")).set_index("method")
    assert table.loc[AS_GIVEN, "value"] == pytest.approx(-np.log(0.16), abs=1e-9)
    assert table.loc[AS_GIVEN, "n_cases"] == 5
    assert table.loc[TEMPERATURE, "value"] == pytest.approx(-np.log(0.25), abs=1e-2)
    assert list(table.index) == [AS_GIVEN, TEMPERATURE, "vector", ALPHA, TEMPERATURE_ALPHA]


def test_disagreement_by_case(fit: Recalibrated) -> None:
    """One row a method and predicted case, beside the share of pairs that differ."""
    table = disagreement_by_case(fit)
    assert len(table) == len(fit.methods) * (len(CASES) - 1)
    first = table[table["method"] == AS_GIVEN].set_index("case_id")
    assert first["observed"].loc[["case 0", "case 1", "case 2"]].tolist() == pytest.approx([0, 2 / 3, 1])
    assert first["observed"].isna().sum() == 2
    assert first["labels"].loc["case 9"] == 0
    assert first["concentration"].isna().all()
    of_ensemble = table[table["method"] == ENSEMBLE]
    share = of_ensemble["concentration"] / (of_ensemble["concentration"] + 1)
    np.testing.assert_allclose(of_ensemble["expected"], share * first["expected"].to_numpy(), rtol=1e-9)
    by_method = table.pivot_table(index="case_id", columns="method", values="expected")
    assert (by_method[ALPHA] < by_method[AS_GIVEN]).all()
    assert (by_method[ENSEMBLE] < by_method[AS_GIVEN]).all()


def test_after_expert_labels(fit: Recalibrated) -> None:
    """A label told gains, the others lose in proportion; with ever more labels it takes everything."""
    f, alpha = fit.probability[ALPHA][2], fit.concentration[ALPHA][2]
    once = after_expert_labels(fit, ALPHA, 2, [1])
    assert list(once["label"]) == ["A", "B", "C"]
    np.testing.assert_allclose(once["before"], f, rtol=1e-12)
    np.testing.assert_allclose(once["after"], (alpha * f + [0, 1, 0]) / (alpha + 1), rtol=1e-12)
    np.testing.assert_allclose(once["observed"], 1 / 3)
    assert list(once["told"]) == [0, 1, 0]
    assert once.attrs["disagreement_observed"] == 1
    assert after_expert_labels(fit, ALPHA, 1, []).attrs["disagreement_observed"] == pytest.approx(2 / 3)
    assert np.isnan(after_expert_labels(fit, ALPHA, 6, []).attrs["disagreement_observed"])
    often = after_expert_labels(fit, ALPHA, 2, [1] * 10_000)
    assert often["after"][1] > 0.99
    assert often.attrs["disagreement_after"] < 0.02
    assert often.attrs["disagreement_before"] == pytest.approx(fit.disagreement(ALPHA)[2])


def test_labels_told_change_an_ensemble_but_not_a_point(fit: Recalibrated) -> None:
    """The ensemble favours the members who expected the label."""
    moved = after_expert_labels(fit, ENSEMBLE, 2, [0])
    assert moved["after"][0] > moved["before"][0]
    assert moved.attrs["disagreement_before"] == pytest.approx(fit.disagreement(ENSEMBLE)[2])
    still = after_expert_labels(fit, TEMPERATURE, 2, [0, 0])
    np.testing.assert_array_equal(still["after"], still["before"])
    assert still.attrs["disagreement_after"] == still.attrs["disagreement_before"]


def test_a_case_that_was_not_predicted(fit: Recalibrated) -> None:
    """NaN, not an error."""
    assert after_expert_labels(fit, ALPHA, 10, [0])[["before", "after"]].isna().all().all()


def test_unknown_methods_and_labels_are_refused(fit: Recalibrated) -> None:
    """The messages say what there is."""
    with pytest.raises(ValueError, match=r"method must be one of as given, temperature, .* got 'x'"):
        after_expert_labels(fit, "x", 0, [])
    with pytest.raises(ValueError, match=r"codes from 0 to 2, got \[3\]"):
        after_expert_labels(fit, ALPHA, 0, [3])


def test_leading_labels(fit: Recalibrated) -> None:
    """What raters gave, then what the model makes most of, in the label order; also of an unknown case."""
    assert leading_labels(fit, 5, 3) == ["A", "B", "C"]
    second = "AB"[int(fit.probability[AS_GIVEN][5, 1] > fit.probability[AS_GIVEN][5, 0])]
    assert leading_labels(fit, 5, 2) == [second, "C"]
    assert leading_labels(fit, 10, 2) == ["A", "C"]


def test_beside_raters(fit: Recalibrated) -> None:
    """Raters and model answer the same questions about the same labels."""
    raters = open_case(fit.study, fit.task, Aggregation("label-counts", 1.0), 1)
    table = beside_raters(fit, TEMPERATURE_ALPHA, raters)
    assert list(table["label"]) == ["A", "A", "B", "B", "C", "C"]
    assert list(table["source"]) == ["raters", "model"] * 3
    by_source = table.groupby("source")[["mean", "leads"]].sum()
    np.testing.assert_allclose(by_source, 1, atol=1e-8)
    model = table[table["source"] == "model"]["mean"]
    np.testing.assert_allclose(model, fit.probability[TEMPERATURE_ALPHA][1], rtol=1e-12)
    said = table[table["source"] == "raters"]["mean"]
    np.testing.assert_allclose(said, np.array([2.5, 1.5, 0.5]) / 4.5, rtol=1e-12)
    # Nobody said C, the only such label: what the others leave is its own.
    ends = table[table["source"] == "raters"].set_index("label").loc["C", ["low", "high"]].astype(float)
    np.testing.assert_allclose(ends, beta(0.5, 4).ppf([0.05, 0.95]), atol=0.04)


def test_plausibilities_after_experts_are_those_of_draws(fit: Recalibrated) -> None:
    """Mean, quantiles and leaders of 200,000 draws from the Dirichlet that experts have sharpened."""
    raters = open_case(fit.study, fit.task, Aggregation("label-counts", 1.0), 2)
    table = beside_raters(fit, ALPHA, raters, [1, 1, 2])
    model = table[table["source"] == "model"]
    shape = fit.concentration[ALPHA][2] * fit.probability[ALPHA][2] + [0, 2, 1]
    draws = np.random.default_rng(0).dirichlet(shape, 200_000)
    np.testing.assert_allclose(model["mean"], draws.mean(axis=0), atol=0.003)
    np.testing.assert_allclose(model["low"], np.quantile(draws, 0.05, axis=0), atol=0.01)
    np.testing.assert_allclose(model["high"], np.quantile(draws, 0.95, axis=0), atol=0.01)
    leads = np.bincount(draws.argmax(axis=1), minlength=3) / len(draws)
    np.testing.assert_allclose(model["leads"], leads, atol=0.005)
    shown = plausibility_table(raters).set_index("label").loc[list("ABC")]
    own = table[table["source"] == "raters"].set_index("label")
    np.testing.assert_allclose(own[["low", "high"]], shown[["low", "high"]], rtol=1e-12)


def test_beside_raters_who_left_labels_out(fit: Recalibrated) -> None:
    """Labels that nobody mentioned have means; where there are two of them, no quantiles."""
    table = beside_raters(fit, ALPHA, open_case(fit.study, fit.task, Aggregation("label-counts", 1.0), 3))
    own = table[table["source"] == "raters"].set_index("label")
    assert list(own["low"].isna()) == [True, False, True]
    assert own[["mean", "leads"]].notna().all().all()


def test_beside_raters_of_a_case_not_predicted(fit: Recalibrated) -> None:
    """The model's rows are NaN, whatever it is told."""
    raters = open_case(fit.study, fit.task, Aggregation("label-counts", 1.0), 10)
    table = beside_raters(fit, ALPHA, raters, [0])
    assert table[table["source"] == "model"][["mean", "low", "high", "leads"]].isna().all().all()
    assert table[table["source"] == "raters"][["mean", "leads"]].notna().all().all()


def test_beside_nobody(fit: Recalibrated) -> None:
    """A case that nobody read has the model's rows alone."""
    table = beside_raters(fit, ALPHA, open_case(fit.study, fit.task, Aggregation("majority"), 9))
    assert table[table["source"] == "raters"][["mean", "low", "high", "leads"]].isna().all().all()
    assert table[table["source"] == "model"].notna().all().all()


def test_methods_without_a_distribution_are_refused(fit: Recalibrated) -> None:
    """Class probabilities alone say nothing of how far they can be trusted."""
    raters = open_case(fit.study, fit.task, Aggregation("label-counts", 1.0), 1)
    with pytest.raises(ValueError, match="method must be one of α, temperature and α, got 'temperature'"):
        beside_raters(fit, TEMPERATURE, raters)
    with pytest.raises(ValueError, match=r"codes from 0 to 2, got \[-1\]"):
        beside_raters(fit, ALPHA, raters, [-1])
