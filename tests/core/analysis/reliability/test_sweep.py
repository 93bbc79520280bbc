"""Metrics against reliability: limits, bands and the human comparator."""

from __future__ import annotations

import math

import numpy as np
import pytest

from core.analysis.evaluate import evaluate
from core.analysis.reliability.held_out_reader import hold_out
from core.analysis.reliability.measure_sums import NOT_MIXED, SMALLEST_ESS, WORST_RHAT
from core.analysis.reliability.measures import HELD_OUT
from core.analysis.reliability.sweep import metrics_at, sweep
from core.metrics.adjusted.metrics import adjusted_metrics
from core.plausibility.aggregate import aggregate, aggregate_readings
from core.plausibility.convergence import RHAT_LIMIT, convergence
from core.plausibility.posterior import SampledPosterior
from core.plausibility.settings import Aggregation
from core.study.model import Study


def test_point_estimate_gives_the_ordinary_metric(digits: Study) -> None:
    """At γ = ∞ top-1 accuracy is the share of cases whose most frequent label the model names, ties split."""
    task = next(iter(digits.tasks.values()))
    table = metrics_at(digits, task, Aggregation("label-counts")).set_index(["subject", "metric"])
    counts = np.zeros((digits.n_cases, len(task.labels)))
    np.add.at(counts, (task.readings.case, task.readings.label), 1)
    for name, predictions in task.predictions.items():
        truth, named = (of == of.max(axis=1, keepdims=True) for of in (counts, predictions.probability))
        accuracy = ((truth & named).sum(axis=1) / truth.sum(axis=1) / named.sum(axis=1)).mean()
        assert table.loc[(name, "top-1 accuracy"), "value"] == pytest.approx(accuracy)
        assert table.loc[(name, "top-1 accuracy"), "low"] == pytest.approx(accuracy)


@pytest.mark.slow
@pytest.mark.parametrize("model", ["prirn", "plackett-luce"])
def test_bands_hold_the_value_and_narrow_with_reliability(dermatology: Study, model: str) -> None:
    """The mean over plausible truths lies within the spread, which ends as a point."""
    task = next(iter(dermatology.tasks.values()))
    table = sweep(dermatology, task, Aggregation(model), reliabilities=[1, 10, math.inf])
    accuracy = table[table["metric"] == "top-1 accuracy"]
    assert (accuracy["low"] <= accuracy["value"] + 1e-9).all()
    assert (accuracy["value"] <= accuracy["high"] + 1e-9).all()
    width = (accuracy["high"] - accuracy["low"]).to_numpy().reshape(3, -1)
    assert (width[0] > 0.01).all()
    assert (width[2] < 1e-12).all()
    certainty = table[table["metric"] == "top-1 certainty"]["value"].to_numpy()
    assert (np.diff(certainty) > 0).all()


@pytest.mark.slow
def test_sweep_reports_progress_and_same_numbers(dermatology: Study) -> None:
    """Each step of the sweep is what it would be alone."""
    task = next(iter(dermatology.tasks.values()))
    seen: list[float] = []
    together = sweep(
        dermatology, task, Aggregation("prirn"), reliabilities=[2, 5], progress=lambda s, _: seen.append(s)
    )
    alone = metrics_at(dermatology, task, Aggregation("prirn", 5))
    assert seen == [0, 0.5, 1]
    np.testing.assert_array_equal(together.tail(len(alone))["value"].to_numpy(), alone["value"].to_numpy())


def test_held_out_reader_is_taken_out_of_the_truth(dermatology: Study) -> None:
    """With two readings a case, the truth is the other reading alone."""
    task = next(iter(dermatology.tasks.values()))
    reader = hold_out(dermatology, task)
    truth = aggregate_readings(dermatology, task, Aggregation("irn"), reader.others, dermatology.case_ids)
    readings = task.readings
    mentioned = np.bincount(readings.case[readings.entry_reading], minlength=readings.n_cases)
    left = np.bincount(truth.candidates.case, minlength=readings.n_cases)
    assert (left <= mentioned).all()
    assert (reader.predicted.covered == (readings.per_case >= 2)).all()
    again = hold_out(dermatology, task)
    np.testing.assert_array_equal(reader.predicted.label, again.predicted.label)
    for case in np.flatnonzero(readings.per_case == 3)[:20]:
        differentials = [
            [label for block in readings.differential(r) for label in block]
            for r in readings.of_case(int(case))
        ]
        kept = set(truth.candidates.label[truth.candidates.of_case(int(case))].tolist())
        first = int(reader.predicted.label[reader.predicted.start[case]])
        assert any(
            first in chosen and kept == {y for other in differentials if other is not chosen for y in other}
            for chosen in differentials
        )


def test_held_out_reader_of_a_choice_is_scored_on_one_label(digits: Study) -> None:
    """It named one: no top-3 that a model, which always names three, would be laid beside; and it is said."""
    task = next(iter(digits.tasks.values()))
    result = evaluate(digits, Aggregation("label-counts", 3))
    table = result.tables["metrics"].set_index(["subject", "metric"])
    assert list(table.loc[HELD_OUT].index) == ["top-1 accuracy"]
    assert "top-3 accuracy" in table.loc[next(iter(task.predictions))].index
    assert "names one label" in result.settings["held-out reader"]
    reader = hold_out(digits, task, length=1)
    aggregation = Aggregation("label-counts", 3)
    truth = aggregate_readings(digits, task, aggregation, reader.others, digits.case_ids)
    leads = adjusted_metrics(truth, reader.predicted, max_k=1)["top-1 accuracy"]
    assert table.loc[(HELD_OUT, "top-1 accuracy"), "value"] == pytest.approx(np.nanmean(leads))


def test_held_out_reader_of_a_ranking_keeps_its_differential(dermatology: Study) -> None:
    """It may have named several, and has every metric of a list."""
    task = next(iter(dermatology.tasks.values()))
    table = metrics_at(dermatology, task, Aggregation("irn", 3))
    of = {subject: set(rows["metric"]) for subject, rows in table.groupby("subject")}
    assert of[HELD_OUT] == of[next(iter(task.predictions))] - {"Kendall's τ"}
    assert "held-out reader" not in evaluate(dermatology, Aggregation("irn", 3)).settings


def test_scores_have_no_held_out_reader(scores: Study) -> None:
    """A score is not a list of labels, so the comparator is left out, and asking for it is refused."""
    task = next(iter(scores.tasks.values()))
    assert HELD_OUT not in set(metrics_at(scores, task, Aggregation("gaussian", 1))["subject"])
    with pytest.raises(ValueError, match="choice or ranking"):
        hold_out(scores, task)


@pytest.mark.slow
def test_only_a_sampled_posterior_says_whether_it_can_be_trusted(dermatology: Study) -> None:
    """The worst over all cases, as each case's own diagnosis has it; an exact posterior has none."""
    task = next(iter(dermatology.tasks.values()))
    aggregation = Aggregation("plackett-luce", 3)
    table = metrics_at(dermatology, task, aggregation).set_index("metric")
    draws = aggregate(dermatology, task, aggregation)
    assert isinstance(draws, SampledPosterior)
    diagnosed = [convergence(draws, cases=[i]).iloc[0] for i in range(dermatology.n_cases)]
    assert table.loc[WORST_RHAT, "value"] == pytest.approx(np.nanmax([row["rhat"] for row in diagnosed]))
    assert table.loc[SMALLEST_ESS, "value"] == pytest.approx(np.nanmin([row["ess"] for row in diagnosed]))
    above = np.mean([row["rhat"] > RHAT_LIMIT for row in diagnosed])
    assert table.loc[NOT_MIXED, "value"] == pytest.approx(above)
    exact = metrics_at(dermatology, task, Aggregation("prirn", 3))
    assert not exact["metric"].isin([WORST_RHAT, SMALLEST_ESS, NOT_MIXED]).any()
