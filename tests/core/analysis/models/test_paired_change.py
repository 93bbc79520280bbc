"""Errors of what a round changes: against differences case by case, and against leaving cases out."""

from __future__ import annotations

import numpy as np
import pytest
from small_study import small_study

from core.analysis.models.paired_change import change_errors
from core.analysis.models.rank_change import rank_change
from core.analysis.models.settings import ComparisonSettings
from core.analysis.round_changes import model_changes
from core.metrics.soft.average_precision_error import ap_error, ap_influence
from core.plausibility.settings import Aggregation, AggregationChoice
from core.study.model import Study, Task

A = ComparisonSettings(positive="a")


def _studies(n: int, seed: int = 0) -> tuple[Study, Study, Task]:
    """Some cases with three readings each, half of them with two further ones; two models."""
    rng = np.random.default_rng(seed)
    share = rng.beta(0.8, 0.8, n)
    said = [["a" if rng.random() < of else "b" for _ in range(3)] for of in share]
    more = [
        ["a" if rng.random() < of else "b" for _ in range(2)] if i % 2 else [] for i, of in enumerate(share)
    ]
    scores = [np.clip(share + rng.normal(0, spread, n), 0.01, 0.99) for spread in (0.2, 0.6)]
    predictions = {name: np.stack([of, 1 - of], 1).tolist() for name, of in zip("mn", scores, strict=True)}
    before, task = small_study("choice", "ab", said, predictions=predictions)
    joined = [[*one, *other] for one, other in zip(said, more, strict=True)]
    after, _ = small_study("choice", "ab", joined, predictions=predictions)
    return before, after, task


def _counts(task: Task) -> Aggregation:
    return AggregationChoice("label-counts", 1.0).for_task(task)


def _shares(study: Study) -> np.ndarray:
    readings = study.tasks["t"].readings
    return np.array([np.mean([readings.differential(one) == [[0]] for one in readings.of_case(i)])
                     for i in range(study.n_cases)])  # fmt: skip


def test_of_a_mean_it_is_that_of_the_differences() -> None:
    """Soft Brier score and log loss, case by case."""
    before, after, task = _studies(50)
    found = change_errors(before, after, "t", A, _counts(task))
    p, q = _shares(before), _shares(after)
    for m, model in enumerate("mn"):
        s = task.predictions[model].probability[:, 0]
        for metric, positive, negative in (
            ("soft Brier score", (1 - s) ** 2, s**2),
            ("soft log loss", -np.log(s), -np.log(1 - s)),
        ):
            moved = (q - p) * (positive - negative)
            assert found[metric][m] == pytest.approx(moved.std(ddof=1) / np.sqrt(50)), metric
    assert (found["adjusted accuracy"] > 0).all()


def test_of_a_ranking_it_is_that_of_leaving_cases_out() -> None:
    """Each case from both studies at once: of AP exactly, of AUROC nearly."""
    n = 60
    before, after, task = _studies(n)
    found = change_errors(before, after, "t", A, _counts(task))

    def without(k: int) -> np.ndarray:
        values = []
        for study in (before, after):
            readings, kept = study.tasks["t"].readings, [i for i in range(n) if i != k]
            said = [["ab"[readings.differential(one)[0][0]] for one in readings.of_case(i)] for i in kept]
            predictions = {
                name: of.probability[kept].tolist() for name, of in study.tasks["t"].predictions.items()
            }
            small, of = small_study("choice", "ab", said, predictions=predictions)
            table = rank_change(small, of, A, aggregation=_counts(of)).set_index(["metric", "model"])
            values.append([table.loc[(name, "m"), "soft"] for name in ("AP", "AUROC")])
        return np.array(values[1]) - np.array(values[0])

    ap, auroc = np.sqrt((n - 1) * np.array([without(k) for k in range(n)]).var(axis=0))
    assert found["s-AP"][0] == pytest.approx(ap)
    assert found["s-AUROC"][0] == pytest.approx(auroc, rel=0.05)


def test_errors_of_one_study_follow_from_the_same_influences() -> None:
    """Their squares sum to the jackknife's variance."""
    rng = np.random.default_rng(4)
    scores, p = rng.random(30), rng.random(30)
    influence = ap_influence(scores, p)
    assert influence.sum() == pytest.approx(0, abs=1e-12)
    assert np.sqrt(30 / 29 * (influence**2).sum()) == pytest.approx(ap_error(scores, p))
    assert np.isnan(ap_influence(scores[:1], p[:1])).all()


def test_nothing_changed_does_not_scatter() -> None:
    """And where a metric is undefined on a side, its change has no error."""
    before, _, task = _studies(20)
    assert all((of == 0).all() for of in change_errors(before, before, "t", A, _counts(task)).values())
    one, task = small_study("choice", "ab", [["a"], ["a"]], predictions={"m": [[0.9, 0.1], [0.2, 0.8]]})
    two, _ = small_study("choice", "ab", [["a"], ["a", "b"]], predictions={"m": [[0.9, 0.1], [0.2, 0.8]]})
    table = model_changes(one, two, "t", _counts(task)).set_index("metric")
    assert np.isnan(table.loc["s-AUROC", "change_error"])
    assert table.loc["soft Brier score", "change_error"] > 0


def test_a_case_that_nobody_had_read_counts_from_now_on() -> None:
    """Its influence before is none: the error is that of the joint distribution, not of common cases."""
    scores = [[0.9, 0.1], [0.7, 0.3], [0.2, 0.8]]
    one, task = small_study("choice", "ab", [["a"], ["b"], []], predictions={"m": scores})
    two, _ = small_study("choice", "ab", [["a"], ["b"], ["a"]], predictions={"m": scores})
    found = change_errors(one, two, "t", A, _counts(task))["soft Brier score"][0]
    losses = np.array([0.01, 0.49, 0.64])
    then = np.array([*(losses[:2] - 0.25) / 2, 0])
    now = (losses - losses.mean()) / 3
    assert found == pytest.approx(np.sqrt(3 / 2 * ((now - then) ** 2).sum()))
