"""How often 95 % intervals of the models' metrics hold the truth: some minutes, run on demand.

python -m pytest -s tests/benchmarks/test_long_coverage_of_intervals.py
"""

from __future__ import annotations

from itertools import product

import numpy as np
import pandas as pd
import pytest
from simulated_panels import HARD, SOFT, Panel, measured

from core.analysis.models.best import best_table
from core.analysis.models.comparison import comparison
from core.analysis.models.intervals import FEWEST, difference_intervals, value_intervals
from core.analysis.models.rank_change import AVERAGED
from core.analysis.models.resampling import Stability
from core.analysis.models.settings import ANNOTATIONS, ComparisonSettings
from core.analysis.models.stability import stability
from core.metrics.soft.ranking import ranking_metrics, sort_scores
from core.plausibility.settings import Aggregation
from core.study.model import FloatArray, Study, Task
from core.study.simulation.simulate import simulate_choices

N_STUDIES = 300
N_DRAWS = 300
PANELS = {
    "2 readings": Panel(200, 2, 2, (0.5, 1.0), 2),
    "3 readings": Panel(200, 3, 3, (0.5, 1.0), 2),
    "3 to 7 readings": Panel(200, 3, 7, (0.4, 1.2), 2),
    "5 readings": Panel(150, 5, 5, (0.5, 0.5), 2),
    "9 readings": Panel(280, 9, 9, (0.4, 1.2), 2),
    "rare": Panel(200, 3, 3, (0.2, 1.8), 2),
    "very rare": Panel(200, 5, 5, (0.2, 3.8), 2),
    "hardly any": Panel(200, 5, 5, (0.06, 2.94), 2),
}
"""The label is one reading in 10 of "rare", in 20 of "very rare" and in 50 of "hardly any"."""
SPARSE = ("very rare", "hardly any")
PLAUSIBLE = Aggregation("label-counts", 1.0), Aggregation("plackett-luce", 1.0)
N_PLAUSIBLE = 20
"""Studies of each panel whose intervals are made from plausibilities too, and come out the same."""
EXPECTED = (0.93, 0.97)


@pytest.fixture(scope="module")
def held() -> pd.DataFrame:
    """One row an interval: whether it holds the truth, and its own estimate, and what it warns of."""
    rows = []
    for (name, panel), seed in product(PANELS.items(), range(N_STUDIES)):
        study, task, truth = panel.draw(seed)
        stable = _drawn(study, task)
        if seed < N_PLAUSIBLE:
            for aggregation in PLAUSIBLE:
                _check_same(stable, _drawn(study, task, aggregation))
        for source, metric in stable.drawn:
            value = truth["these cases" if source == "annotations" else "other cases", metric]
            own, rarer = stable.observed[metric], stable.rarer[metric]
            of_values = value_intervals(stable, source, metric)
            of_pair = (of[0, 1] for of in difference_intervals(stable, source, metric)[:3])
            intervals = [("value", *each) for each in zip(rarer, value, own, *of_values, strict=True)]
            intervals.append(("difference", rarer.min(), value[0] - value[1], own[0] - own[1], *of_pair))
            for what, n, true, estimate, low, high, caution in intervals:
                if not np.isnan([true, estimate]).any():
                    holds = low <= true <= high, low <= estimate <= high
                    rows.append((name, source, metric, what, n, *holds, caution))
    return pd.DataFrame(rows, columns=["panel", "source", "metric", "of", "rarer", "held", "own", "caution"])


def _drawn(study: Study, task: Task, aggregation: Aggregation | None = None) -> Stability:
    """All metrics, by readings drawn anew or from plausibilities."""
    settings = ComparisonSettings(annotations="plausibility" if aggregation else "bootstrap", n_draws=N_DRAWS)
    return stability(study, task, settings, metrics=(*HARD, *SOFT), aggregation=aggregation)


def _check_same(stable: Stability, other: Stability) -> None:
    """Intervals are the same however truths are drawn, so that what is counted is true of every way."""
    for key in stable.drawn:
        for intervals in (value_intervals, difference_intervals):
            for expected, found in zip(intervals(stable, *key), intervals(other, *key), strict=True):
                np.testing.assert_array_equal(found, expected)


def test_intervals_hold_the_truth_in_93_to_97_of_100_studies(held: pd.DataFrame, capsys) -> None:
    """However truths are drawn, whatever is, by every metric; where a label is very rare stands apart."""
    sound = held[held["caution"] == ""]
    assert sound["own"].all()
    keys = ["of", "source", "metric"]
    table = sound.pivot_table("held", index=keys, columns="panel")[list(PANELS)]
    table["all but sparse"] = sound[~sound["panel"].isin(SPARSE)].groupby(keys)["held"].mean()
    with capsys.disabled():
        print(f"\n{table.round(3).to_string()}")  # noqa: T201
    chance = 3 * np.sqrt(0.95 * 0.05 / (N_STUDIES * (len(PANELS) - len(SPARSE))))
    assert table["all but sparse"].min() >= EXPECTED[0] - chance
    assert table["all but sparse"].max() <= EXPECTED[1] + chance


def test_where_a_label_is_very_rare_intervals_are_wide_or_say_that_they_may_not_hold(
    held: pd.DataFrame, capsys
) -> None:
    """With five cases on the rarer side they hold the truth at least as often as stated; not with two."""
    rare = held[held["panel"].isin(SPARSE)]
    sides = pd.cut(rare["rarer"], [0, 3, FEWEST, 10, np.inf], right=False)
    table = rare.pivot_table("held", index=["of", "source", "metric"], columns=sides, observed=True)
    warned = rare[rare["caution"] != ""]
    n_sound = len(rare) - len(warned)
    with capsys.disabled():
        print(f"\n{table.round(3).to_string()}\n{n_sound} of {len(rare)} without a warning")  # noqa: T201
    sound = rare[rare["caution"] == ""].groupby(["of", "source", "metric"])["held"].agg(["mean", "size"])
    studies = sound["size"] / np.where(sound.index.get_level_values("of") == "value", 2, 1)
    assert (sound["mean"] >= EXPECTED[0] - 3 * np.sqrt(0.95 * 0.05 / studies)).all()
    assert warned[warned["rarer"] < 3].groupby(["of", "source", "metric"])["held"].mean().min() < 0.9


def _averages(task: Task, share: FloatArray) -> dict[str, FloatArray]:
    """Soft metrics of each model averaged over the labels that somebody named, of plausibilities."""
    named = np.unique(task.readings.label)
    each = [
        ranking_metrics(
            sort_scores([of.probability[:, code] for of in task.predictions.values()]), share[None, :, code]
        )
        for code in named
    ]
    of_labels = dict(zip(("s-AUROC", "s-AP"), np.moveaxis(np.array(each)[..., 0], 1, 0), strict=True))
    mass = share.sum(axis=0)[named]
    return {f"{name} (macro)": of.mean(axis=0) for name, of in of_labels.items()} | {
        f"{name} (weighted)": mass @ of / mass.sum() for name, of in of_labels.items()
    }


def test_many_labels(capsys) -> None:
    """Choices of ten labels: the label with most votes, and averages over labels, against plausibilities.

    The model "Confident" of these studies is left out: it has learnt from the very readings that judge it, so
    that it is better by their chance, which no drawing of readings can tell.
    """
    models = ("Calibrated", "Noisy")
    rows = []
    for seed in range(N_STUDIES):
        simulated = simulate_choices(n_cases=150, n_labels=10, rater_spread=0.0, seed=seed)
        study, task = simulated.study, simulated.study.tasks["label"]
        compared = comparison(study, task)
        share = simulated.truth.plausibility[compared.cases]
        truth = measured(compared.score, share[None, :, compared.label_code]) | _averages(task, share)
        for way in ANNOTATIONS:
            stable = stability(
                study,
                task,
                ComparisonSettings(annotations=way, n_draws=N_DRAWS),
                metrics=(*SOFT, *AVERAGED.values()),
                sources=["annotations"],
                aggregation=Aggregation("label-counts", 1.0),
            )
            for row in best_table(stable).itertuples():
                true = truth[row.metric][stable.models.index(row.model)].item()
                rows.append((way, row.metric, row.model, row.low <= true <= row.high))
    table = pd.DataFrame(rows, columns=["drawn by", "metric", "model", "held"])
    table = table[table["model"].isin(models)].groupby(["drawn by", "metric"])["held"].mean()
    with capsys.disabled():
        print(f"\n{table.round(3).to_string()}")  # noqa: T201
    chance = 3 * np.sqrt(0.95 * 0.05 / N_STUDIES)
    assert table.min() >= EXPECTED[0] - chance
    assert table.max() <= EXPECTED[1] + chance
