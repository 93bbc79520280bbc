"""Draws of metrics averaged over labels: each draw by hand, invariances and refusals."""

from __future__ import annotations

import numpy as np
import pytest
from small_study import small_study
from two_label_studies import two_label_study

from core.analysis.models import resampling as module
from core.analysis.models.comparison import comparison, plausibilities
from core.analysis.models.meter import METRICS
from core.analysis.models.rank_change import AVERAGED, UNDEFINED, rank_change
from core.analysis.models.settings import ComparisonSettings
from core.analysis.models.stability import stability
from core.analysis.models.stability_averages import AVERAGES
from core.analysis.models.tables import resampled
from core.analysis.models.truth_draws import (
    drawn_labels,
    drawn_plausibilities,
    resampled_labels,
    resampled_readings,
)
from core.metrics.bootstrap import seeded_case_weights
from core.metrics.soft.many_labels import one_vs_rest
from core.plausibility.settings import Aggregation
from core.study.model import FloatArray, Study, Task
from core.study.seeds import case_seeds

LABELS = "abcde"
"""Nobody ever says the last."""
N_CASES, N_DRAWS = 40, 12


def some_study(kind: str = "choice", *, partial: bool = False) -> tuple[Study, Task]:
    """Readings of five labels, and three models of which one may lack cases."""
    rng = np.random.default_rng(5)
    p = rng.dirichlet([0.5] * 4, N_CASES)
    cases = []
    for of in p:
        said = [rng.choice(4, size=2, replace=False, p=0.9 * of + 0.025) for _ in range(5)]
        cases.append([LABELS[a] if kind == "choice" else f"{LABELS[a]} {LABELS[b]}" for a, b in said])
    predictions = {}
    for i, noise in enumerate((0.1, 0.3, 1.0)):
        guess = np.clip(np.c_[p, np.full(N_CASES, 0.01)] + noise * rng.random((N_CASES, 5)), 1e-6, None)
        predictions[f"m{i}"] = guess / guess.sum(axis=1, keepdims=True)
    if partial:
        predictions["m1"][:15] = np.nan
    given = {name: of.tolist() for name, of in predictions.items()}
    return small_study(kind, LABELS, cases, predictions=given)  # type: ignore[arg-type]


def _leaders(share: FloatArray) -> FloatArray:
    """Labels with the largest share, each with its part of a tie; labels stand along the last axis."""
    leads = share >= share.max(axis=-1, keepdims=True) - 1e-9
    return leads / leads.sum(axis=-1, keepdims=True)


def _by_hand(
    task: Task, cases: FloatArray, truth: FloatArray, hard: FloatArray, weight: FloatArray | None
) -> dict[str, list[float]]:
    """`AVERAGES` of every model for one draw of all labels."""
    found: dict[str, list[float]] = {name: [] for name in AVERAGES}
    for predictions in task.predictions.values():
        probability = predictions.probability[cases]
        known = ~np.isnan(probability[:, 0])
        w = None if weight is None else weight[known]
        for prefix, p in (("", hard), ("s-", truth)):
            both = one_vs_rest(probability[known], p[known], weight=w, hard=not prefix)
            for name, of in zip(("AUROC", "AP"), both, strict=True):
                found[f"{prefix}{name} (macro)"].append(of.macro)
                found[f"{prefix}{name} (weighted)"].append(of.weighted)
    return found


@pytest.mark.parametrize("kind", ["choice", "ranking"])
@pytest.mark.parametrize("partial", [False, True])
@pytest.mark.parametrize("annotations", ["bootstrap", "plausibility"])
def test_every_draw_is_the_average_of_that_draw(kind: str, partial: bool, annotations: str) -> None:
    """One against the rest on the resampled truths and cases, one draw after the other."""
    study, task = some_study(kind, partial=partial)
    aggregation = Aggregation("plackett-luce" if kind == "ranking" else "label-counts", 2.0)
    stable = stability(
        study,
        task,
        ComparisonSettings(annotations=annotations, coverage="own", n_draws=N_DRAWS),
        metrics=AVERAGES,
        aggregation=aggregation,
    )
    compared = comparison(study, task, coverage="own")
    if annotations == "bootstrap":
        source = resampled_labels(study, compared)
    else:
        source = drawn_labels(study, compared, aggregation, N_DRAWS)
    # Of labels that nobody names the plausibilities may be above 0; they are no part of the averages.
    named = [source(label, 0, N_DRAWS) for label in LABELS[:-1]]
    truths, drawn_hard = (
        np.stack([*(of[part] for of in named), np.zeros_like(named[0][0])], axis=2) for part in (0, 1)
    )
    if annotations == "bootstrap":
        np.testing.assert_allclose(drawn_hard, _leaders(truths))
    observed = plausibilities(task, compared.cases)
    as_it_is = _leaders(observed)
    seeds = case_seeds(study.seed, [str(d) for d in range(N_DRAWS)], "bootstrap of cases")
    weights = seeded_case_weights(len(compared.cases), seeds)
    for d in range(N_DRAWS):
        for which, truth, hard, weight in (
            ("annotations", truths[d], drawn_hard[d], None),
            ("cases", observed, as_it_is, weights[d]),
            ("both", truths[d], drawn_hard[d], weights[d]),
        ):
            expected = _by_hand(task, compared.cases, truth, hard, weight)
            for metric in AVERAGES:
                np.testing.assert_allclose(stable.drawn[which, metric][d], expected[metric], atol=1e-12)


def test_as_things_are_they_are_the_values_of_the_table() -> None:
    """Both ways to the same numbers, for models of different cases as well."""
    study, task = some_study(partial=True)
    for coverage in ("own", "common"):
        stable = stability(study, task, ComparisonSettings(coverage=coverage, n_draws=1), metrics=AVERAGES)
        table = rank_change(study, task, ComparisonSettings(coverage=coverage), averages=True)
        for metric, counterpart in AVERAGED.items():
            rows = table[table["metric"] == metric]
            np.testing.assert_allclose(stable.observed[metric], rows["hard"], atol=1e-14)
            np.testing.assert_allclose(stable.observed[counterpart], rows["soft"], atol=1e-14)


@pytest.mark.parametrize("kind", ["choice", "ranking"])
def test_labels_are_drawn_from_the_same_readings(kind: str) -> None:
    """Each label as it is drawn alone; together they are the whole vote."""
    study, task = some_study(kind)
    compared = comparison(study, task)
    drawn = resampled_labels(study, compared)
    for label in LABELS:
        alone = resampled_readings(study, comparison(study, task, label=label))(3, 9)
        for part, expected in zip(drawn(label, 3, 9), (alone.plausibility, alone.hard), strict=True):
            np.testing.assert_array_equal(part, expected)
    for part in (0, 1):
        np.testing.assert_allclose(sum(drawn(label, 0, 9)[part] for label in LABELS), 1)
    aggregation = Aggregation("plackett-luce" if kind == "ranking" else "label-counts", 2.0)
    posterior = drawn_labels(study, compared, aggregation, 9)
    for label in LABELS:
        one = comparison(study, task, label=label)
        alone = drawn_plausibilities(study, one, aggregation, 9)(3, 9)
        for part, expected in zip(posterior(label, 3, 9), (alone.plausibility, alone.hard), strict=True):
            np.testing.assert_array_equal(part, expected)
    np.testing.assert_allclose(sum(posterior(label, 0, 9)[1] for label in LABELS), 1)


def test_draws_do_not_depend_on_how_they_are_divided(monkeypatch: pytest.MonkeyPatch) -> None:
    """A few at once, or all."""
    whole = stability(*some_study(), ComparisonSettings(n_draws=N_DRAWS), metrics=AVERAGES)
    monkeypatch.setattr(module, "CELLS_AT_ONCE", 5 * N_CASES)
    parts = stability(*some_study(), ComparisonSettings(n_draws=N_DRAWS), metrics=AVERAGES)
    one_source = stability(
        *some_study(), ComparisonSettings(n_draws=N_DRAWS), metrics=AVERAGES, sources=["cases"]
    )
    for key, values in whole.drawn.items():
        np.testing.assert_array_equal(values, parts.drawn[key])
        if key[0] == "cases":
            np.testing.assert_array_equal(values, one_source.drawn[key])


@pytest.mark.slow
def test_tables_hold_metrics_of_a_label_and_averages_side_by_side() -> None:
    """The averages are neither mixed up with, nor do they change, what is drawn of one label."""
    study, task = some_study()
    both = resampled(study, task, ComparisonSettings(n_draws=N_DRAWS), metrics=(*METRICS, *AVERAGES))
    alone = resampled(study, task, ComparisonSettings(n_draws=N_DRAWS))
    assert set(both.best["metric"]) == {*METRICS, *AVERAGES}
    one = both.best[both.best["metric"].isin(METRICS)].reset_index(drop=True)
    assert one.equals(alone.best)
    assert set(AVERAGED) <= set(both.tests["metric"])
    of_metric = both.best[both.best["source"] == "both"].groupby("metric")["probability"].sum()
    np.testing.assert_allclose(of_metric, 1)


def test_what_nothing_defines_is_refused() -> None:
    """Two labels, one label for all, an unknown metric, no draw."""
    two = two_label_study([[1, 0], [0, 0]], {"a": [0.9, 0.3]})
    with pytest.raises(ValueError, match="has 2 labels: there is nothing to average over"):
        stability(*two, ComparisonSettings(n_draws=1), metrics=AVERAGES)
    predictions = {"m": [[0.5, 0.3, 0.2], [0.4, 0.4, 0.2]]}
    certain = small_study("choice", "abc", [["a", "a"], ["a"]], predictions=predictions)
    stable = stability(*certain, ComparisonSettings(n_draws=3), metrics=AVERAGES)
    assert stable.refused == {name: UNDEFINED for name in AVERAGES if "AUROC" in name}
    assert set(stable.observed) == {name for name in AVERAGES if "AP" in name}
    with pytest.raises(ValueError, match=UNDEFINED):
        stability(*certain, ComparisonSettings(n_draws=3), metrics=["AUROC (macro)"])
    with pytest.raises(ValueError, match=r"metric must be one of .*AUROC \(macro\)"):
        stability(*some_study(), metrics=["AUROCC"])


def test_progress_is_told_label_by_label() -> None:
    """From 0 to 1, never back."""
    told: list[float] = []
    stability(
        *some_study(),
        ComparisonSettings(n_draws=3),
        metrics=AVERAGES,
        progress=lambda share, what: told.append(share),
    )
    assert told[0] == 0
    assert told[-1] == 1
    assert told == sorted(told)
    assert len(told) == len(LABELS)
