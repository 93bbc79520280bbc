"""Risk of cases and of models where it is high."""

from __future__ import annotations

import numpy as np
import pytest
from scipy.stats import beta
from shared_data import shared_data
from small_study import small_study

from core.analysis.reliability.risk import (
    BY_POINT,
    EXPECTED,
    N_DRAWS,
    high_risk_metrics,
    risk_by_case,
    why_ill_defined,
)
from core.plausibility.aggregate import aggregate
from core.plausibility.settings import Aggregation
from core.study.formats import import_study
from core.study.model import Study

COUNTS = Aggregation("label-counts", 1.0)


def test_two_labels_low_and_high_in_closed_form() -> None:
    """λ of the high-risk label is Beta(n_b + ½, n_a + ½): its mean and quantiles, twice, are the risk's."""
    study, task = small_study("choice", "ab", [["a", "a", "b"], [], ["b", "b", "b", "b"]], risk="LH")
    table = risk_by_case(study, task, aggregate(study, task, COUNTS))
    assert table.index.tolist() == ["case 0", "case 2"]
    for case, a, b in (("case 0", 2, 1), ("case 2", 0, 4)):
        law = beta(b + 0.5, a + 0.5)
        row = table.loc[case]
        assert row["expected_risk"] == pytest.approx(2 * law.mean())
        assert row["risk_certainty"] == pytest.approx(max(law.sf(0.5), law.cdf(0.5)), abs=1e-7)
        noise = 4 * 2 * law.std() / np.sqrt(N_DRAWS)
        for name, level in (("lower", 0.25), ("median", 0.5), ("upper", 0.75)):
            assert row[name] == pytest.approx(2 * law.ppf(level), abs=2 * noise)
        order = row[["lowest", "low", "lower", "median", "upper", "high", "highest"]].to_numpy(float)
        assert (np.diff(order) >= 0).all()
    assert table["risk"].tolist() == ["low", "high"]
    assert table["certainty_place"].tolist() == [1, 0]
    assert table["risk_place"].tolist() == [0, 1]


@pytest.mark.parametrize("model", ["prirn", "plackett-luce"])
def test_places_sort_the_cases(dermatology: Study, model: str) -> None:
    """Sorted by its place, each curve is monotone, and the mean lies between the extremes."""
    task = next(iter(dermatology.tasks.values()))
    table = risk_by_case(dermatology, task, aggregate(dermatology, task, Aggregation(model, 5)))
    assert sorted(table["risk_place"]) == list(range(len(table)))
    assert (np.diff(table.sort_values("risk_place")["expected_risk"]) >= 0).all()
    assert (np.diff(table.sort_values("certainty_place")["risk_certainty"]) <= 0).all()
    assert table["expected_risk"].between(table["lowest"] - 1e-6, table["highest"] + 1e-6).all()


def test_both_conditions_meet_at_the_point_estimate(dermatology: Study) -> None:
    """At γ = ∞ there is one set of high-risk cases: both ways give the plain accuracy over it."""
    task = next(iter(dermatology.tasks.values()))
    point = aggregate(dermatology, task, Aggregation("irn", tie_rule="first label"))
    table = high_risk_metrics(task, point, point).set_index(["condition", "model", "k"])
    leader = point.best_set(1)[:, 0]
    high = task.risk[leader] == 2
    for name, predictions in task.predictions.items():
        right = (predictions.probability.argmax(axis=1) == leader)[high]
        for condition in (BY_POINT, EXPECTED):
            row = table.loc[(condition, name, 1)]
            assert row["value"] == pytest.approx(right.mean())
            assert row["n_cases"] == high.sum()
            assert row["weight"] == pytest.approx(high.sum())
    assert "hardly any plausible truth" in why_ill_defined(task, point, point)


def test_expected_condition_worked_out_by_hand() -> None:
    """Two cases, the model says b for both: weights 1/2 and P(b leads) of one b alone."""
    models = {"m": [[0.4, 0.6], [0.2, 0.8]]}
    study, task = small_study("choice", "ab", [["a", "b"], ["b"]], risk="LH", predictions=models)
    posterior, point = (aggregate(study, task, a) for a in (COUNTS, COUNTS.point))
    table = high_risk_metrics(task, posterior, point, max_k=1).set_index("condition")
    alone = beta.sf(0.5, 1.5, 0.5)
    assert table.loc[EXPECTED, "value"] == pytest.approx(1)
    assert table.loc[EXPECTED, "weight"] == pytest.approx(0.5 + alone, abs=1e-7)
    assert table.loc[EXPECTED, "n_cases"] == 2
    # The point estimate of case 0 is a tie: in one of two ways of breaking it the case is of high risk.
    assert table.loc[BY_POINT, "n_cases"] == 2
    assert table.loc[BY_POINT, "weight"] == pytest.approx(1.5)
    assert table.loc[BY_POINT, "value"] == pytest.approx((alone + (alone + 0.5) / 2) / 2, abs=1e-7)
    sentence = why_ill_defined(task, posterior, point)
    assert "the point estimate says 1.5" in sentence
    assert "for 2 cases it could go either way" in sentence


def test_risk_levels_are_needed() -> None:
    """A task without any is refused, with the column to add."""
    study, task = small_study("choice", "ab", [["a"]])
    posterior = aggregate(study, task, COUNTS)
    with pytest.raises(ValueError, match="risk levels"):
        risk_by_case(study, task, posterior)
    with pytest.raises(ValueError, match="risk levels"):
        high_risk_metrics(task, posterior, posterior)
    with pytest.raises(ValueError, match="risk levels"):
        why_ill_defined(task, posterior, posterior)


def test_published_share_of_cases_with_uncertain_risk() -> None:
    """PrIRN with full ties at γ = 30: 36.4 % of cases below .99 risk certainty, by 1,000 draws."""
    study = import_study("dermatology-ddx", shared_data("data", "dermatology_ddx"))
    task = next(iter(study.tasks.values()))
    table = risk_by_case(study, task, aggregate(study, task, Aggregation("prirn", 30, ties="full")))
    assert (table["risk_certainty"] < 0.99).mean() == pytest.approx(0.364, abs=0.005)
