"""Lionetti 2025: table 4 and the annotation bootstrap, on the CheXpert test-set release."""

from __future__ import annotations

import numpy as np
import pandas as pd
import pytest
from shared_data import shared_data
from two_label_studies import FINDINGS, published_study

from core.analysis.models.best import correlation_draws, correlation_table, stability_tests
from core.analysis.models.rank_change import rank_change
from core.analysis.models.settings import ComparisonSettings
from core.analysis.models.stability import stability
from core.plausibility.settings import Aggregation

COLUMNS = {
    "AUROC": ("AUROC", "s-AUROC (printed)", "hard"),
    "sAUROC": ("AUROC", "s-AUROC (printed)", "soft"),
    "AP": ("AP", "s-AP (printed)", "hard"),
    "sAP": ("AP", "s-AP (printed)", "soft"),
}

PUBLISHED = Aggregation("label-counts", 1.0, tie_rule="first label")
"""An even split is negative: absent is the first label."""


@pytest.fixture(scope="module")
def measured():
    """Every finding's metrics, printed variants included."""
    release = shared_data("data", "chexpert_test")
    tables = []
    for finding in FINDINGS:
        study, task = published_study(release, finding)
        tables.append(
            rank_change(study, task, ComparisonSettings(printed=True), aggregation=PUBLISHED).assign(
                task=finding
            )
        )
    return pd.concat(tables).set_index(["task", "model", "metric", "counterpart"])


def test_table_4(measured):
    """All 200 cells as recomputed, within 1e-9; 190 of them as printed; ranks as recomputed."""
    expected = pd.read_csv(shared_data("goldens", "lionetti_table4_reproduced_vs_printed.csv"))
    as_printed = cells = 0
    for row in expected.to_dict("records"):
        for column, (metric, counterpart, kind) in COLUMNS.items():
            found = measured.loc[(row["task"], row["model"], metric, counterpart)]
            assert found[kind] == pytest.approx(row[f"{column}_repro"], abs=1e-9)
            assert found[f"{kind}_rank"] == row[f"{column}_rank_repro"]
            as_printed += abs(found[kind] - row[f"{column}_printed"]) < 0.00055
            cells += 1
    assert (cells, as_printed) == (200, 190)


def test_tie_aware_metrics_of_the_ten_models(measured):
    """The variants that Loupe ranks by."""
    expected = pd.read_csv(shared_data("goldens", "lionetti_table4_reproduced_vs_printed.csv"))
    for row in expected.to_dict("records"):
        for metric in ("AUROC", "AP"):
            found = measured.loc[(row["task"], row["model"], metric, f"s-{metric}")]
            assert found["soft"] == pytest.approx(row[f"s{metric}_grouped"], abs=1e-12)
            assert found["soft_rank"] == row[f"s{metric}_grouped_rank"]


def test_identical_models_are_recognised(measured):
    """Four entries share their predictions of atelectasis."""
    same = measured["same_as"].xs("AUROC", level="metric").xs("s-AUROC", level="counterpart")["Atelectasis"]
    assert same[same != ""].to_dict() == {"ihil": "drnet", "sensexdr": "drnet", "uestc": "drnet"}


def test_scores_out_of_range_have_no_brier_score(measured):
    """Published scores of two models exceed 1 in some findings: they rank, and say why they have no more."""
    for metric, counterpart in (("Brier score", "soft Brier score"), ("accuracy", "adjusted accuracy")):
        row = measured.loc[("Atelectasis", "ngango2", metric, counterpart)]
        assert np.isnan(row["soft"])
        assert "scores, not probabilities" in row["reason"]
        assert pd.isna(row["soft_rank"])
    assert measured.loc[("Atelectasis", "jfaboy", "Brier score", "soft Brier score"), "soft"] > 0


@pytest.mark.parametrize("finding", FINDINGS)
def test_annotation_bootstrap(finding):
    """Mean correlations with the original order within Monte Carlo error of both runs, and the tests."""
    study, task = published_study(shared_data("data", "chexpert_test"), finding, seed=1)
    expected = pd.read_csv(shared_data("goldens", "lionetti_bootstrap_chexternal.csv")).set_index("task")
    stable = stability(
        study,
        task,
        ComparisonSettings(n_draws=4000),
        metrics=["AUROC", "s-AUROC", "AP", "s-AP"],
        sources=["annotations"],
        aggregation=PUBLISHED,
    )
    draws = correlation_draws(stable)
    mean = correlation_table(draws).set_index(["metric", "coefficient"])["mean"]
    for metric, short in {"AUROC": "AUROC", "s-AUROC": "sAUROC", "AP": "AP", "s-AP": "sAP"}.items():
        for coefficient, letter in {"spearman": "rho", "kendall": "tau"}.items():
            scatter = draws.loc[draws["metric"] == metric, coefficient].std()
            error = scatter * np.sqrt(1 / 1000 + 1 / 4000)
            printed = expected.loc[finding, f"{short}_{letter}"]
            assert mean[metric, coefficient] == pytest.approx(printed, abs=4 * error)
    tests = stability_tests(draws).set_index(["counterpart", "coefficient"])
    for counterpart, short in {"s-AUROC": "sAUROC_gt_AUROC", "s-AP": "sAP_gt_AP"}.items():
        won = tests.loc[(counterpart, "spearman")]
        share = expected.loc[finding, f"{short}_rho_win"] / 1000
        assert won["wins"] / 4000 == pytest.approx(share, abs=4 * np.sqrt(0.25 * (1 / 1000 + 1 / 4000)))
        first_tested = expected.loc[finding, f"{short}_rho_p_one_sided_noties"]
        assert (won["lionetti_2025_p"] < 0.01) == (first_tested < 0.01)
