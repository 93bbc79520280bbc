"""Ability on the page Raters: real readers, simulated ones, and when it is withdrawn."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pandas as pd
import pytest
from rater_matrices import choices, knee_matrices, study_of
from scipy.stats import spearmanr
from shared_data import shared_data

from core.analysis.raters import ability as module
from core.analysis.raters.panel import panel
from core.analysis.raters.profiles import profile_table
from core.analysis.raters.report import rater_report
from core.analysis.raters.settings import RaterSettings
from core.study.formats import import_study
from core.study.model import Study


def profile(labels: np.ndarray, names: str = "np") -> pd.DataFrame:
    """Profiles of the raters of a matrix."""
    return profile_table(panel(*study_of(choices(labels), tuple(names), positive=names[1])))


def read(*, n_cases: int = 300, n_raters: int = 5, right: float = 0.85, share: float = 0.4) -> np.ndarray:
    """Labels of raters who are right so often, of cases of which such a share is positive."""
    rng = np.random.default_rng(3)
    truth = rng.random((n_cases, 1)) < share
    return np.where(rng.random((n_cases, n_raters)) < right, truth, ~truth).astype(float)


@pytest.fixture(scope="module")
def chest() -> Study:
    """The public chest X-rays."""
    return import_study("chexpert-test", shared_data("data", "chexpert_test"))


@pytest.mark.slow
@pytest.mark.parametrize(
    "finding", ["Cardiomegaly", "Atelectasis", "Enlarged Cardiomediastinum", "Support Devices"]
)
def test_ability_of_chest_readers(chest: Study, finding: str) -> None:
    """Nobody who agrees with most others falls below a coin, and ability is not severity turned round."""
    table = profile_table(panel(chest, chest.tasks[finding]))
    assert table.attrs["ability_withdrawn"] == ""
    assert table["accuracy_ability"].between(0.5, 1).all()
    severe = spearmanr(table["accuracy_ability"], table["severity"]).statistic
    assert severe > -0.5, "it was nearly −1 where leaning was not modelled"
    positive = np.where(table["leans_to"] == "present", table["leaning"], 1 - table["leaning"])
    assert spearmanr(positive, table["severity"]).statistic > 0.9
    together = (table["sensitivity"] + table["specificity"]).to_numpy()
    assert (together > 1).all(), "everybody tells present from absent better than chance"


@pytest.mark.slow
def test_cardiomegaly_is_told_as_it_is(chest: Study) -> None:
    """bc3 seldom says present and tells little, bc5 says it often and tells much, bc7 is among the best."""
    table = profile_table(panel(chest, chest.tasks["Cardiomegaly"])).set_index("rater")
    assert table["accuracy_ability"].idxmin() == "bc3"
    assert table.loc["bc7", "accuracy_ability"] > 0.85
    assert (table.loc["bc5", "leans_to"], table.loc["bc3", "leans_to"]) == ("present", "absent")
    assert table.loc["bc5", "leaning"] > 0.9
    assert table.loc["bc5", "sensitivity"] > 0.95
    assert table.loc["bc5", "specificity"] < 0.5


def test_rare_findings_are_withdrawn(chest: Study) -> None:
    """With hardly a true fracture there is nothing to be able about; page and command say so."""
    report = rater_report(chest, RaterSettings(resamples=0), task_name="Fracture")
    assert report.tables["raters"]["accuracy_ability"].isna().all()
    assert any("the truth is other than absent in" in note for note in report.notes)


@pytest.mark.slow
def test_ability_of_knee_readers() -> None:
    """13 radiologists: in the order of their agreement with the others, more or less."""
    labels, _ = knee_matrices()
    table = profile(labels)
    assert table.attrs["ability_withdrawn"] == ""
    assert table["accuracy_ability"].between(0.8, 0.95).all()
    assert spearmanr(table["accuracy_ability"], table["accuracy_majority"]).statistic > 0.75


def test_simulated_raters_are_put_in_order() -> None:
    """Accuracy as simulated, within its error."""
    rng = np.random.default_rng(4)
    right = np.array([0.6, 0.7, 0.8, 0.9, 0.95])
    truth = rng.random((800, 1)) < 0.4
    labels = np.where(rng.random((800, 5)) < right, truth, ~truth).astype(float)
    table = profile(labels)
    assert table["accuracy_ability"].is_monotonic_increasing
    assert np.abs((table["accuracy_ability"] - right) / table["accuracy_ability_error"]).max() < 3


@pytest.mark.slow
@pytest.mark.parametrize(
    ("labels", "reason"),
    [
        (read(n_raters=2), "at least 3 raters"),
        (read(n_cases=20), "30 cases with two readings are needed, there are 20"),
        (read(right=1.0, share=0.0), "all readings say the same label"),
        (read(right=0.5), "no more alike than chance"),
        (read(right=0.99, share=0.005), "the truth is other than n in"),
    ],
)
def test_withdrawn_with_a_reason(labels: np.ndarray, reason: str) -> None:
    """Too few raters or cases, nothing to tell, and readings by chance."""
    table = profile(labels)
    assert table["ability"].isna().all()
    assert (table["leans_to"] == "").all()
    assert reason in table.attrs["ability_withdrawn"]


@pytest.mark.parametrize(
    ("change", "reason"),
    [
        (lambda fit: replace(fit, converged=False), "did not settle"),
        (lambda fit: replace(fit, rivals=(1 - fit.accuracy,)), "another explanation fits"),
        (lambda fit: replace(fit, prevalence=np.array([0.95, 0.05])), "takes n for true in 95 %"),
        (lambda fit: replace(fit, truth=1 - fit.truth), "mirror image"),
    ],
)
def test_doubtful_fits_are_withdrawn(monkeypatch, change, reason: str) -> None:
    """A fit that ended early, one with a rival, one at the edge, and the mirror image."""
    fit = module.fit_rater_ability
    monkeypatch.setattr(module, "fit_rater_ability", lambda *args: change(fit(*args)))
    table = profile(read())
    assert table["accuracy_ability"].isna().all()
    assert reason in table.attrs["ability_withdrawn"]


@pytest.mark.slow
def test_two_camps_leave_no_ability() -> None:
    """Four raters see one thing and four another: either could be the truth."""
    camps = np.hstack([read(n_raters=4, share=0.5), read(n_raters=4, share=0.5)[::-1]])
    assert "another explanation fits" in profile(camps).attrs["ability_withdrawn"]


def test_rater_with_few_readings_has_no_ability() -> None:
    """Five readings say nothing of a rater; the others keep theirs."""
    labels = read()
    labels[5:, 0] = np.nan
    table = profile(labels)
    assert np.isnan(table["accuracy_ability"][0])
    assert table["leans_to"][0] == ""
    assert table["accuracy_ability"][1:].notna().all()


@pytest.mark.slow
def test_good_fits_are_seldom_withdrawn() -> None:
    """Over 20 studies of equally good raters, where order is chance alone."""
    rng = np.random.default_rng(7)
    withdrawn = 0
    for _ in range(20):
        truth = rng.random((200, 1)) < 0.3
        labels = np.where(rng.random((200, 5)) < 0.8, truth, ~truth).astype(float)
        withdrawn += profile(labels).attrs["ability_withdrawn"] != ""
    assert withdrawn <= 1
