"""The histogram over draws is that of the bands, with the right marks."""

from __future__ import annotations

import numpy as np
import pytest
from small_study import small_study

from core.analysis.reliability.over_draws import OverDraws, histogram, marks, over_draws
from core.analysis.reliability.sweep import metrics_at
from core.plausibility.settings import Aggregation
from core.study.model import Study


@pytest.mark.parametrize("model", ["prirn", "plackett-luce"])
def test_marks_are_those_of_the_sweep(dermatology: Study, model: str) -> None:
    """Adjusted mean, band and point estimate as `metrics_at` has them at γ and at ∞."""
    task = next(iter(dermatology.tasks.values()))
    aggregation = Aggregation(model, 5.0)
    table = metrics_at(dermatology, task, aggregation).set_index(["subject", "metric"])
    cross = metrics_at(dermatology, task, aggregation.point).set_index(["subject", "metric"])
    for metric in ("top-1 accuracy", "average overlap @3"):
        found = over_draws(dermatology, task, aggregation, "Model C", metric)
        row = table.loc[("Model C", metric)]
        expected = [row["value"], cross.loc[("Model C", metric), "value"], row["low"], row["high"]]
        assert marks(found)["value"].tolist() == pytest.approx(expected)
        bins = histogram(found)
        assert bins["draws"].sum() == len(found.value)
        assert bins["share"].sum() == pytest.approx(1)
        middle = np.average((bins["low"] + bins["high"]) / 2, weights=bins["draws"])
        assert middle == pytest.approx(found.value.mean(), abs=(bins["high"] - bins["low"]).max())


def test_two_cases_give_three_accuracies() -> None:
    """Four draws of two cases: none, one or both right, each in the middle of a bin of its own."""
    measured = OverDraws("m", "top-1 accuracy", np.array([0.0, 0.5, 0.5, 1.0]), 0.5, 1.0, 2)
    bins = histogram(measured)
    assert bins[["low", "high"]].to_numpy().tolist() == [[-0.25, 0.25], [0.25, 0.75], [0.75, 1.25]]
    assert bins["draws"].tolist() == [1, 2, 1]


def test_every_bin_holds_as_many_possible_accuracies() -> None:
    """Uniform multiples of 1/n fill bins equally: no comb."""
    measured = OverDraws("m", "top-1 accuracy", np.arange(0, 600) / 1947, 0.0, 0.0, 1947)
    bins = histogram(measured)
    assert bins["draws"].iloc[:-1].nunique() == 1
    assert len(bins) == pytest.approx(30, abs=2)


def test_a_point_mass_is_one_bin_and_undefined_is_none() -> None:
    """No spread, no width; no case, no bin."""
    still = OverDraws("m", "footrule @3", np.full(9, 0.3), 0.3, 0.3, 5)
    assert histogram(still).loc[lambda t: t["draws"] > 0, "draws"].tolist() == [9]
    assert histogram(OverDraws("m", "top-1 accuracy", np.full(3, np.nan), np.nan, np.nan, 0)).empty


def test_unknown_models_and_metrics_are_refused() -> None:
    """With those that there are."""
    models = {"m": [[0.4, 0.6]]}
    study, task = small_study("choice", "ab", [["a", "b"]], predictions=models)
    with pytest.raises(ValueError, match="one of m, got 'x'"):
        over_draws(study, task, Aggregation("label-counts", 1.0), "x")
    with pytest.raises(ValueError, match="one of top-1 accuracy"):
        over_draws(study, task, Aggregation("label-counts", 1.0), "m", "accuracy")
