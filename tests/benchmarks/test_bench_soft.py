"""Soft ranking metrics and the annotation bootstrap, against NumPy's sort and scikit-learn in the same run.

Everything here runs on one core: CPU time, so that other work on the machine enters as little as possible.
"""

from __future__ import annotations

import time
from collections.abc import Callable

import numpy as np
import pytest
from sklearn.metrics import average_precision_score, roc_auc_score

from core.analysis.models.best import (
    best_table,
    correlation_draws,
    correlation_table,
    pair_table,
    stability_tests,
)
from core.analysis.models.settings import ComparisonSettings
from core.analysis.models.stability import stability
from core.metrics.soft.ranking import ranking_metrics, sort_scores
from core.study.model import Predictions, Readings, Study, Task

pytestmark = pytest.mark.benchmark(timer=time.process_time)

N = 10**7
MOST_SORTS = 1.5
"""s-AUROC and s-AP together, in units of `numpy.argsort` of the scores."""
LEAST_TIMES_FASTER = 3
"""Than scikit-learn on the doubled weighted sample."""
MOST_SECONDS = 1.0
"""Annotation bootstrap: 1,000 draws, 10 models, 5 findings, 500 cases, 8 readings, 4 metrics."""
LEAST_TIMES_FASTER_THAN_A_LOOP = 200
METRICS = ("AUROC", "s-AUROC", "AP", "s-AP")


def _seconds(function: Callable[[], object]) -> float:
    begin = time.process_time()
    function()
    return time.process_time() - begin


def test_ten_million_cases_against_a_sort(benchmark, capsys):
    """One model, eight readers' soft labels: interleaved with the sort, medians."""
    rng = np.random.default_rng(0)
    scores, p = rng.random((1, N)), rng.integers(0, 9, (1, N)) / 8

    def both():
        return ranking_metrics(sort_scores(scores), p)

    sorts = []
    benchmark.pedantic(
        both, setup=lambda: sorts.append(_seconds(lambda: np.argsort(scores[0]))), rounds=7, warmup_rounds=1
    )
    ratio = benchmark.stats.stats.median / np.median(sorts)
    benchmark.extra_info |= {"in sorts": ratio, "at most": MOST_SORTS}
    with capsys.disabled():
        print(  # noqa: T201
            f"\nsort {np.median(sorts):.3f} s, both metrics {ratio:.2f} times as long (at most {MOST_SORTS})"
        )
    assert ratio <= MOST_SORTS


def test_ten_million_cases_against_scikit_learn(benchmark, capsys):
    """Both metrics on the sample in which each case stands twice, weighted; the values agree."""
    rng = np.random.default_rng(1)
    scores, p = rng.random((1, N)), rng.integers(0, 9, (1, N)) / 8
    y, s, w = np.repeat([1, 0], N), np.tile(scores[0], 2), np.concatenate([p[0], 1 - p[0]])
    expected = []
    loop = _seconds(
        lambda: expected.extend(f(y, s, sample_weight=w) for f in (roc_auc_score, average_precision_score))
    )
    auroc, ap = benchmark.pedantic(lambda: ranking_metrics(sort_scores(scores), p), rounds=3, warmup_rounds=1)
    np.testing.assert_allclose([auroc[0, 0], ap[0, 0]], expected, atol=1e-9)
    ratio = loop / benchmark.stats.stats.median
    with capsys.disabled():
        print(f"\nscikit-learn {loop:.2f} s: {ratio:.1f} times as long (at least {LEAST_TIMES_FASTER})")  # noqa: T201
    assert ratio >= LEAST_TIMES_FASTER


@pytest.fixture(scope="module")
def findings() -> tuple[Study, list[Task]]:
    """Five findings of 500 cases, eight readings each, ten models."""
    rng = np.random.default_rng(2)
    n, n_readings = 500, 8
    tasks = {}
    for finding in "ABCDE":
        p = rng.beta(0.3, 0.6, n)
        total = n * n_readings
        readings = Readings(
            case_start=np.arange(n + 1) * n_readings,
            rater=np.tile(np.arange(n_readings, dtype=np.int32), n),
            repeat=np.ones(total, np.int32),
            confidence=np.full(total, np.nan),
            score=np.full(total, np.nan),
            entry_start=np.arange(total + 1),
            label=(rng.random((n, n_readings)) < p[:, None]).astype(np.int32).ravel(),
            block=np.zeros(total, np.int32),
        )
        predictions = {}
        for m in range(10):
            score = np.clip(p + 0.3 * rng.standard_normal(n), 0, 1)
            predictions[f"m{m}"] = Predictions(f"m{m}", np.stack([1 - score, score], axis=1))
        tasks[finding] = Task(
            finding, "choice", ("absent", "present"), readings, predictions, positive="present"
        )
    ids = tuple(f"case {i}" for i in range(n))
    raters = tuple(f"R{r}" for r in range(n_readings))
    return Study("findings", ids, raters, tasks, _no_columns(ids), "0"), list(tasks.values())


def _no_columns(ids):
    import pandas as pd

    return pd.DataFrame(index=pd.Index(ids, name="case_id"))


def test_annotation_bootstrap(benchmark, capsys, findings):
    """All draws and all tables; scikit-learn is timed on a few draws of one finding and multiplied."""
    study, tasks = findings

    def bootstrap():
        for task in tasks:
            stable = stability(
                study, task, ComparisonSettings(n_draws=1000), metrics=METRICS, sources=["annotations"]
            )
            draws = correlation_draws(stable)
            tables = pair_table(stable), best_table(stable), correlation_table(draws), stability_tests(draws)
        return tables

    benchmark.pedantic(bootstrap, rounds=5, warmup_rounds=1)
    seconds = benchmark.stats.stats.median
    task = tasks[0]
    votes = task.readings.label.reshape(study.n_cases, -1)
    scores = [predictions.probability[:, 1] for predictions in task.predictions.values()]
    rng = np.random.default_rng(3)
    few = 5

    def loop():
        for _ in range(few):
            drawn = rng.integers(0, votes.shape[1], votes.shape)
            p = np.take_along_axis(votes, drawn, axis=1).mean(axis=1)
            y, w = np.repeat([1, 0], len(p)), np.concatenate([p, 1 - p])
            for score in scores:
                for metric in (roc_auc_score, average_precision_score):
                    metric(p > 0.5, score)
                    metric(y, np.tile(score, 2), sample_weight=w)

    loop()
    ratio = np.median([_seconds(loop) for _ in range(3)]) * (1000 / few) * len(tasks) / seconds
    with capsys.disabled():
        print(  # noqa: T201
            f"\nbootstrap with tables {seconds:.3f} s (at most {MOST_SECONDS}), a loop over scikit-learn "
            f"{ratio:.0f} times as long (at least {LEAST_TIMES_FASTER_THAN_A_LOOP})"
        )
    assert seconds <= MOST_SECONDS
    assert ratio >= LEAST_TIMES_FASTER_THAN_A_LOOP
