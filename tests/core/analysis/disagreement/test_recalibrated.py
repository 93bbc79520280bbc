"""Recalibration of a study's models: a sample with a known truth, row order, studies that lack something."""

from __future__ import annotations

import dataclasses
from pathlib import Path

import numpy as np
import pandas as pd
import pytest
from calibration_by_hand import true_epistemic_loss
from scipy.special import softmax

from core.analysis.disagreement.forecasts import AS_GIVEN, CALIBRATION_ERROR, DISAGREEMENT, loss_table
from core.analysis.disagreement.recalibrated import (
    ALPHA,
    DEFAULT_METHODS,
    ENSEMBLE,
    METHODS,
    SCALINGS,
    TEMPERATURE,
    TEMPERATURE_ALPHA,
    Recalibrated,
    recalibrate,
)
from core.metrics.calibration.losses import EPISTEMIC, EXPECTED
from core.recalibration.estimates import (
    disagreement_probability,
    posterior_epistemic_loss,
)
from core.recalibration.scaling import fit_scaling
from core.study.model import Predictions, Study, Task
from core.study.reading.assemble import build_readings, row_table
from core.study.reading.folder import read_study

MIXED_DIGITS = Path(__file__).parents[4] / "sample_data" / "mixed_digits"
VECTOR = "vector"
CLASSIFIERS = ("Logistic regression", "Nearest neighbours", "Neural network")


@pytest.fixture(scope="module")
def digits() -> Study:
    """The sample whose true label distributions are known."""
    return read_study(MIXED_DIGITS)


@pytest.fixture(scope="module")
def truth(digits: Study) -> np.ndarray:
    """True label distributions: the proportions of the two digits that were blended."""
    cases, rows = digits.cases, np.arange(digits.n_cases)
    share = np.zeros((digits.n_cases, 10))
    share[rows, cases["true_digit_a"]] += cases["true_share_a"]
    share[rows, cases["true_digit_b"]] += 1 - cases["true_share_a"]
    return share


@pytest.fixture(scope="module")
def fits(digits: Study) -> dict[str, Recalibrated]:
    """All classifiers of the sample, recalibrated."""
    return {model: recalibrate(digits, digits.tasks["digit"], model) for model in CLASSIFIERS}


def study_of(
    counts: np.ndarray,
    probability: np.ndarray,
    *,
    features: np.ndarray | None = None,
    ensemble: np.ndarray | None = None,
    seed: int = 0,
) -> tuple[Study, Task]:
    """Study of one choice task with these label histograms."""
    n_cases, n_labels = counts.shape
    case, label = (np.repeat(index, counts.ravel()) for index in np.indices(counts.shape).reshape(2, -1))
    rater = np.arange(len(case)) - np.searchsorted(case, case)
    readings = build_readings(row_table(case, rater, label), n_cases)
    predictions = {"m": Predictions("m", probability, ensemble)}
    task = Task("t", "choice", tuple(f"L{k}" for k in range(n_labels)), readings, predictions)
    ids = tuple(f"case {i}" for i in range(n_cases))
    index = pd.Index(ids, name="case_id")
    frame = None if features is None else pd.DataFrame(features, index=index)
    raters = tuple(f"R{i}" for i in range(int(rater.max(initial=0)) + 1))
    study = Study("s", ids, raters, {"t": task}, pd.DataFrame(index=index), "0", features=frame, seed=seed)
    return study, task


def overconfident(n_cases: int, seed: int = 0) -> tuple[np.ndarray, np.ndarray]:
    """Histograms of 1 to 5 labels of three, and a model that is too sure of itself."""
    rng = np.random.default_rng(seed)
    truth = rng.dirichlet(np.ones(3), n_cases)
    counts = rng.multinomial(rng.integers(1, 6, n_cases), truth)
    sharp = (truth + 0.05) ** 3
    return counts, sharp / sharp.sum(axis=1, keepdims=True)


def losses(study: Study, fit: Recalibrated, about: str) -> pd.DataFrame:
    """Losses of all methods, one row a method and a column a loss, debiased."""
    table = loss_table(study, fit.task, fit.forecasts(), resamples=2)
    return table[table["about"] == about].pivot_table(index="method", columns="loss", values="debiased")


@pytest.mark.parametrize("model", CLASSIFIERS)
@pytest.mark.parametrize(("before", "after"), [(AS_GIVEN, ALPHA), (TEMPERATURE, TEMPERATURE_ALPHA)])
def test_alpha_calibration_mends_disagreement(
    digits: Study, fits: dict[str, Recalibrated], truth: np.ndarray, model: str, before: str, after: str
) -> None:
    """L_φ and the calibration error of disagreement go down, and so does the true squared error (Table 1)."""
    fit = fits[model]
    table = losses(digits, fit, DISAGREEMENT)
    assert table.loc[after, EXPECTED] < table.loc[before, EXPECTED]
    assert table.loc[after, CALIBRATION_ERROR] < table.loc[before, CALIBRATION_ERROR]
    disagreement = 1 - np.square(truth).sum(axis=1)
    error = {method: np.square(fit.disagreement(method) - disagreement).mean() for method in (before, after)}
    assert error[after] < error[before]


@pytest.mark.parametrize("model", CLASSIFIERS)
@pytest.mark.parametrize("method", [ALPHA, TEMPERATURE_ALPHA])
def test_a_label_lowers_the_true_epistemic_loss(
    fits: dict[str, Recalibrated], truth: np.ndarray, model: str, method: str
) -> None:
    """Posterior class probabilities are nearer to the truth than prior ones (Table 2)."""
    fit = fits[model]
    f, alpha = fit.probability[method], fit.concentration[method]
    before, after = (true_epistemic_loss(f, alpha, truth, n_told=n).mean() for n in (0, 1))
    assert after < 0.85 * before


@pytest.mark.parametrize("model", CLASSIFIERS)
@pytest.mark.parametrize("method", [AS_GIVEN, TEMPERATURE, ALPHA, TEMPERATURE_ALPHA])
def test_unbiased_epistemic_loss_covers_the_true_one(
    fits: dict[str, Recalibrated], truth: np.ndarray, model: str, method: str
) -> None:
    """Before and after a label, within three standard errors of what the labels alone leave open."""
    fit = fits[model]
    for n_told in (0, 1):
        alpha = fit.concentration.get(method)
        true = true_epistemic_loss(fit.probability[method], alpha, truth, n_told=n_told)
        estimate = fit.epistemic_loss(method, after_a_label=n_told == 1)
        gap = estimate - true
        assert abs(gap.mean()) < 3 * gap.std(ddof=1) / np.sqrt(len(gap))


def test_unbiased_epistemic_loss_is_that_of_the_metrics(digits: Study, fits: dict[str, Recalibrated]) -> None:
    """All cases of the sample have three labels: the table of losses says the same."""
    fit = fits[CLASSIFIERS[0]]
    table = losses(digits, fit, "class probabilities")
    for method in fit.methods:
        mean = fit.epistemic_loss(method, after_a_label=False).mean()
        assert mean == pytest.approx(table.loc[method, EPISTEMIC], abs=1e-12)


def test_temperature_of_each_fold_is_fitted_without_it() -> None:
    """The scaled probabilities of a fold are those of a fit on all other cases."""
    counts, probability = overconfident(60)
    fit = recalibrate(*study_of(counts, probability), "m")
    temperatures = fit.folds[fit.folds["method"] == TEMPERATURE].set_index("fold")["temperature"]
    scaled = np.log(fit.probability[TEMPERATURE])
    ratio = (scaled[:, 0] - scaled[:, 1]) / (np.log(probability)[:, 0] - np.log(probability)[:, 1])
    fold = np.abs(1 / ratio[:, None] - temperatures.to_numpy()).argmin(axis=1)
    for k, temperature in enumerate(temperatures):
        others = fold != k
        alone = fit_scaling(probability[others], counts[others]).temperature
        assert alone == pytest.approx(temperature, abs=1e-6)
        np.testing.assert_allclose(1 / ratio[fold == k], temperature, rtol=1e-6)


def test_labels_of_a_case_never_reach_its_own_results() -> None:
    """Other labels on one case change other cases' results, not its own."""
    counts, probability = overconfident(40)
    counts[7] = [1, 1, 1]
    one = recalibrate(*study_of(counts, probability), "m", methods=METHODS)
    changed = counts.copy()
    changed[7] = [0, 0, 3]
    other = recalibrate(*study_of(changed, probability), "m", methods=METHODS)
    for method in (ALPHA, TEMPERATURE_ALPHA):
        assert one.concentration[method][7] == other.concentration[method][7]
        assert (one.concentration[method] != other.concentration[method]).any()
    for method in (TEMPERATURE, *SCALINGS):
        np.testing.assert_array_equal(one.probability[method][7], other.probability[method][7])
        assert (one.probability[method] != other.probability[method]).any()


def test_order_of_cases_changes_nothing() -> None:
    """Shuffled rows give the same numbers to the last bit."""
    rng = np.random.default_rng(1)
    counts, probability = overconfident(50)
    features = rng.normal(size=(50, 3))
    study, task = study_of(counts, probability, features=features)
    order = rng.permutation(50)
    shuffled, again = study_of(counts[order], probability[order], features=features[order])
    shuffled = dataclasses.replace(shuffled, case_ids=tuple(study.case_ids[i] for i in order))
    one = recalibrate(study, task, "m", methods=METHODS)
    other = recalibrate(shuffled, again, "m", methods=METHODS)
    pd.testing.assert_frame_equal(one.folds, other.folds)
    for method in one.methods:
        np.testing.assert_array_equal(other.probability[method], one.probability[method][order])
    for method in one.concentration:
        np.testing.assert_array_equal(other.concentration[method], one.concentration[method][order])


def test_features_are_used_where_there_are_any() -> None:
    """A feature that says how raters disagree spreads the concentrations more than probabilities can."""
    rng = np.random.default_rng(2)
    n, log_alpha = 400, np.repeat([-2.0, 3.0], 200)
    probability = np.tile([0.5, 0.3, 0.2], (n, 1))
    truth = np.array(
        [rng.dirichlet(a * p + 1e-3) for a, p in zip(np.exp(log_alpha), probability, strict=True)]
    )
    counts = rng.multinomial(5, truth / truth.sum(axis=1, keepdims=True))
    with_features = recalibrate(*study_of(counts, probability, features=log_alpha[:, None]), "m")
    without = recalibrate(*study_of(counts, probability), "m")
    low, high = (with_features.concentration[ALPHA][part].mean() for part in (slice(200), slice(200, 400)))
    assert high > 10 * low
    assert np.ptp(np.log(without.concentration[ALPHA])) < 1
    assert set(with_features.folds["n_features"].dropna()) == {1}
    assert set(without.folds["n_features"].dropna()) == {3}


def test_cases_that_lack_something() -> None:
    """Without prediction: NaN. Without features: no α, and a note. Without labels: judged all the same."""
    counts, probability = overconfident(60, 3)
    features = np.random.default_rng(4).normal(size=(60, 2))
    probability[0], features[1], counts[2] = np.nan, np.nan, 0
    fit = recalibrate(*study_of(counts, probability, features=features), "m")
    assert np.isnan(fit.probability[TEMPERATURE][0]).all()
    for method in (ALPHA, TEMPERATURE_ALPHA):
        assert list(np.flatnonzero(np.isnan(fit.concentration[method]))) == [0, 1]
        assert np.isfinite(fit.disagreement(method)[2])
    assert np.isfinite(fit.probability[TEMPERATURE][1:]).all()
    assert fit.notes == ("1 case without features has no α and stays out of the results with α.",)


def test_zero_under_a_label_that_was_given() -> None:
    """It is said, and nothing becomes infinite."""
    counts, probability = overconfident(40, 5)
    probability[0], counts[0] = [0, 0.5, 0.5], [2, 1, 0]
    fit = recalibrate(*study_of(counts, probability), "m")
    assert "2 times to which the model gives the probability 0" in fit.notes[0]
    np.testing.assert_array_equal(fit.probability[AS_GIVEN][0], [0, 0.5, 0.5])
    for method in (TEMPERATURE, ALPHA, TEMPERATURE_ALPHA):
        assert (fit.probability[method] > 0).all()
        assert np.isfinite(fit.disagreement(method)).all()


def test_no_case_with_two_labels() -> None:
    """A temperature can be fitted, α cannot, and the note says why."""
    counts, probability = overconfident(40, 6)
    counts = np.eye(3, dtype=int)[counts.argmax(axis=1)]
    fit = recalibrate(*study_of(counts, probability), "m")
    assert fit.methods == [AS_GIVEN, TEMPERATURE, VECTOR]
    assert fit.updating == []
    assert "says nothing about disagreement" in fit.notes[0]
    with pytest.raises(ValueError, match="method must be one of"):
        fit.posterior(ALPHA)


@pytest.mark.parametrize("n_labelled", [0, 4])
def test_too_few_cases_for_any_fit(n_labelled: int) -> None:
    """What the model says is still there."""
    counts, probability = overconfident(9, 7)
    counts[n_labelled:] = 0
    fit = recalibrate(*study_of(counts, probability), "m")
    assert fit.methods == [AS_GIVEN]
    assert fit.folds.empty
    assert fit.notes[0].startswith("Nothing was fitted: ")


def test_odd_features_and_labels() -> None:
    """Constant features, more features than cases, a label that nobody chose: finite, and cross-fitted."""
    counts, probability = overconfident(20, 8)
    counts[:, 1], probability = 0, np.column_stack([probability * 0.9, np.full(20, 0.1)])
    counts = np.column_stack([counts, np.zeros(20, int)])
    counts[:, 0] += 1
    rng = np.random.default_rng(9)
    for features in (np.ones((20, 2)), rng.normal(size=(20, 50))):
        fit = recalibrate(*study_of(counts, probability, features=features), "m")
        for method in fit.concentration:
            assert np.isfinite(fit.concentration[method]).all()


def test_a_model_that_is_always_right() -> None:
    """Its best temperature and concentration lie at the edge; everything stays finite."""
    counts = 4 * np.eye(3, dtype=int)[np.arange(30) % 3]
    probability = np.where(counts > 0, 0.9998, 0.0001)
    fit = recalibrate(*study_of(counts, probability), "m")
    for method in (TEMPERATURE, ALPHA, TEMPERATURE_ALPHA):
        assert (fit.probability[method] > 0).all()
        assert fit.disagreement(method).max() < 1e-3


def test_scalings_mend_confused_labels_on_cases_that_they_did_not_see() -> None:
    """A model that mixes labels up: only a matrix helps; a neglected label: a vector helps too."""
    rng = np.random.default_rng(13)
    logits = rng.normal(0, 1.5, (800, 3))
    truth = softmax(logits, axis=1)
    counts = rng.multinomial(5, truth)
    mixing = np.array([[1, 0.5, 0], [-0.3, 0.5, 0.2], [0.3, 0, 0.8]])
    for given, mended in (
        (logits @ mixing, {"matrix", "Dirichlet"}),
        (2 * logits - [3, 0, 0], set(SCALINGS)),
    ):
        fit = recalibrate(*study_of(counts, softmax(given, axis=1)), "m", methods=METHODS)
        error = {name: np.abs(fit.probability[name] - truth).mean() for name in (TEMPERATURE, *SCALINGS)}
        for name in SCALINGS:
            assert (error[name] < 0.6 * error[TEMPERATURE]) == (name in mended)


@pytest.mark.parametrize("seed", range(2))
def test_few_cases_do_not_ruin_the_scalings(seed: int) -> None:
    """Thirty cases of ten labels that a temperature puts right; a weak penalty would lose 5 and more."""
    rng = np.random.default_rng(seed)
    logits = rng.normal(0, 1.5, (30, 10))
    truth = softmax(logits, axis=1)
    fit = recalibrate(*study_of(rng.multinomial(4, truth), softmax(3 * logits, axis=1)), "m", methods=METHODS)
    loss = {
        name: -(truth * np.log(fit.probability[name])).sum(axis=1).mean() for name in (TEMPERATURE, *SCALINGS)
    }
    for name in SCALINGS:
        assert loss[name] < loss[TEMPERATURE] + 0.05


def test_scalings_with_more_to_learn_than_there_is_are_skipped() -> None:
    """Too many labels, too few readings: the notes say which, and the others are there."""
    rng = np.random.default_rng(14)
    probability = rng.dirichlet(np.ones(31), 60)
    counts = rng.multinomial(2, probability)
    fit = recalibrate(*study_of(counts, probability), "m", methods=METHODS)
    assert fit.methods == [AS_GIVEN, TEMPERATURE, VECTOR, ALPHA, TEMPERATURE_ALPHA]
    assert [note.split(":")[0] for note in fit.notes] == [
        "Matrix scaling was not fitted",
        "Dirichlet scaling was not fitted",
    ]
    assert (
        "with 31 labels it has 992 numbers to learn, and it is fitted for 30 labels or fewer" in fit.notes[0]
    )
    few = recalibrate(*study_of(counts[:20], probability[:20]), "m")
    assert few.methods == [AS_GIVEN, TEMPERATURE, ALPHA, TEMPERATURE_ALPHA]
    assert "62 numbers to learn, more than the 40 readings that it could learn from" in few.notes[0]


def test_methods_can_be_chosen() -> None:
    """What is asked for is the same as among all methods, and nothing else is there."""
    counts, probability = overconfident(60, 15)
    study, task = study_of(counts, probability)
    everything = recalibrate(study, task, "m", methods=METHODS)
    assert everything.methods == [method for method in METHODS if method != ENSEMBLE]
    some = recalibrate(study, task, "m", methods=[TEMPERATURE_ALPHA, "matrix"])
    assert some.methods == [AS_GIVEN, "matrix", TEMPERATURE_ALPHA]
    assert set(some.folds["method"]) == {"matrix", TEMPERATURE_ALPHA}
    for method in some.methods:
        np.testing.assert_array_equal(some.probability[method], everything.probability[method])
    np.testing.assert_array_equal(
        some.concentration[TEMPERATURE_ALPHA], everything.concentration[TEMPERATURE_ALPHA]
    )
    assert recalibrate(study, task, "m", methods=[]).methods == [AS_GIVEN]


def test_an_ensemble_is_compared() -> None:
    """Its own methods, beside those of its mean."""
    counts, probability = overconfident(30, 10)
    rng = np.random.default_rng(11)
    members = np.stack([[rng.dirichlet(5 * p + 0.01) for p in probability] for _ in range(8)])
    several = Predictions.of_ensemble("m", members)
    fit = recalibrate(*study_of(counts, several.probability, ensemble=several.ensemble), "m")
    assert fit.methods == list(DEFAULT_METHODS)
    assert fit.updating == [ALPHA, TEMPERATURE_ALPHA, ENSEMBLE]
    np.testing.assert_allclose(
        fit.disagreement(ENSEMBLE),
        np.mean([disagreement_probability(member) for member in members], axis=0),
    )
    before = fit.epistemic_loss(ENSEMBLE, after_a_label=False)
    np.testing.assert_array_equal(before, posterior_epistemic_loss(several.probability, None, counts))
    after = fit.epistemic_loss(ENSEMBLE, after_a_label=True)
    np.testing.assert_array_equal(np.isnan(after), counts.sum(axis=1) < 3)


def test_progress_and_cancelling() -> None:
    """Shares rise from 0 to 1; what the callback raises ends the work."""
    study, task = study_of(*overconfident(30, 12))
    told: list[tuple[float, str]] = []
    recalibrate(study, task, "m", progress=lambda share, doing: told.append((share, doing)))
    shares = [share for share, _ in told]
    assert shares == sorted(shares)
    assert (shares[0], shares[-1]) == (0.0, 1.0)
    assert all(doing for _, doing in told)

    class Stopped(Exception):  # noqa: N818
        pass

    def stop(share: float, doing: str) -> None:
        if share > 0.5:
            raise Stopped

    with pytest.raises(Stopped):
        recalibrate(study, task, "m", progress=stop)


def test_unknown_models_and_too_few_folds_are_refused() -> None:
    """The messages say what there is."""
    study, task = study_of(*overconfident(10))
    with pytest.raises(ValueError, match="model must be one of m, got 'x'"):
        recalibrate(study, task, "x")
    study.tasks["t"].predictions["x"] = Predictions.of_scores("x", np.zeros(10))
    with pytest.raises(ValueError, match="Recalibration needs probabilities, and x gives scores"):
        recalibrate(study, task, "x")
    with pytest.raises(ValueError, match=r"methods must be of as given, .*, got 'isotonic'"):
        recalibrate(study, task, "m", methods=["isotonic"])
    with pytest.raises(ValueError, match="n_folds must be 3 or more, got 2"):
        recalibrate(study, task, "m", n_folds=2)
