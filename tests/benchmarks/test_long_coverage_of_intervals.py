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
from core.analysis.models.intervals import difference_intervals, value_intervals
from core.analysis.models.settings import ANNOTATIONS, ComparisonSettings
from core.analysis.models.stability import stability
from core.plausibility.settings import Aggregation
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
    "very rare": Panel(200, 5, 5, (0.1, 4.9), 2),
}
"""The label is one reading in ten of "rare", one in fifty of "very rare"."""
VERY_RARE = "very rare"
DRAWN_BY = {
    "readings": ("bootstrap", None),
    "label counts": ("plausibility", Aggregation("label-counts", 1.0)),
    "Plackett–Luce": ("plausibility", Aggregation("plackett-luce", 1.0)),
}
EXPECTED = (0.93, 0.97)


@pytest.fixture(scope="module")
def held() -> pd.DataFrame:
    """One row an interval: whether it holds the truth, and its own estimate, and what it warns of."""
    rows = []
    for (name, panel), seed in product(PANELS.items(), range(N_STUDIES)):
        study, task, truth = panel.draw(seed)
        for drawn_by, (way, aggregation) in DRAWN_BY.items():
            stable = stability(
                study,
                task,
                ComparisonSettings(annotations=way, n_draws=N_DRAWS),
                metrics=(*HARD, *SOFT),
                aggregation=aggregation,
            )
            for key in stable.drawn:
                source, metric = key
                value = truth["these cases" if source == "annotations" else "other cases", metric]
                own = stable.observed[metric]
                of_values, of_differences = value_intervals(stable, *key), difference_intervals(stable, *key)
                rows += [
                    (name, drawn_by, *key, what, low <= true <= high, low <= estimate <= high, caution)
                    for what, true, estimate, low, high, caution in (
                        *zip(["value"] * len(own), value, own, *of_values, strict=True),
                        (
                            "difference",
                            value[0] - value[1],
                            own[0] - own[1],
                            *(of[0, 1] for of in of_differences),
                        ),
                    )
                    if not np.isnan(true)
                ]
    columns = ["panel", "drawn by", "source", "metric", "of", "held", "own", "caution"]
    return pd.DataFrame(rows, columns=columns)


def test_intervals_hold_the_truth_in_93_to_97_of_100_studies(held: pd.DataFrame, capsys) -> None:
    """However truths are drawn, whatever is, by every metric; where a label is very rare stands apart."""
    assert held.loc[held["caution"] == "", "own"].all()
    keys = ["of", "drawn by", "source", "metric"]
    sound = held[held["caution"] == ""]
    table = sound.pivot_table("held", index=keys, columns="panel")[list(PANELS)]
    enough = sound[sound["panel"] != VERY_RARE]
    table["all but very rare"] = enough.groupby(keys)["held"].mean()
    with capsys.disabled():
        print(f"\n{table.round(3).to_string()}")  # noqa: T201
    chance = 3 * np.sqrt(0.95 * 0.05 / (N_STUDIES * (len(PANELS) - 1)))
    assert table["all but very rare"].min() >= EXPECTED[0] - chance
    assert table["all but very rare"].max() <= EXPECTED[1] + chance


def test_where_a_label_is_very_rare_intervals_are_wide_or_say_that_they_may_not_hold(
    held: pd.DataFrame, capsys
) -> None:
    """With five cases on the rarer side they hold the truth at least as often as stated; not with fewer."""
    rare = held[held["panel"] == VERY_RARE]
    warned = rare["caution"] != ""
    keys = ["of", "source", "metric"]
    table = pd.DataFrame(
        {
            "enough": rare[~warned].groupby(keys)["held"].mean(),
            "too few": rare[warned].groupby(keys)["held"].mean(),
            "share of too few": warned.groupby([rare[key] for key in keys]).mean(),
        }
    )
    with capsys.disabled():
        print(f"\n{table.round(3).to_string()}")  # noqa: T201
    n_enough = (~warned).groupby([rare[key] for key in keys]).sum() / len(DRAWN_BY)
    assert (table["enough"] >= EXPECTED[0] - 3 * np.sqrt(0.95 * 0.05 / n_enough)).all()
    assert table["too few"].min() < 0.85


def test_many_labels(capsys) -> None:
    """Choices of ten labels: the label with most votes, against the plausibilities that were drawn from.

    The model "Confident" of these studies is left out: it has learnt from the very readings that judge it, so
    that it is better by their chance, which no drawing of readings can tell.
    """
    models = ("Calibrated", "Noisy")
    rows = []
    for seed in range(N_STUDIES):
        simulated = simulate_choices(n_cases=150, n_labels=10, rater_spread=0.0, seed=seed)
        study, task = simulated.study, simulated.study.tasks["label"]
        compared = comparison(study, task)
        share = simulated.truth.plausibility[compared.cases, compared.label_code]
        truth = measured(compared.score, share[None])
        for way in ANNOTATIONS:
            stable = stability(
                study,
                task,
                ComparisonSettings(annotations=way, n_draws=N_DRAWS),
                metrics=SOFT,
                sources=["annotations"],
                aggregation=Aggregation("label-counts", 1.0),
            )
            for row in best_table(stable).itertuples():
                true = truth[row.metric][stable.models.index(row.model), 0]
                rows.append((way, row.metric, row.model, row.low <= true <= row.high))
    table = pd.DataFrame(rows, columns=["drawn by", "metric", "model", "held"])
    table = table[table["model"].isin(models)].groupby(["drawn by", "metric"])["held"].mean()
    with capsys.disabled():
        print(f"\n{table.round(3).to_string()}")  # noqa: T201
    chance = 3 * np.sqrt(0.95 * 0.05 / N_STUDIES)
    assert table.min() >= EXPECTED[0] - chance
    assert table.max() <= EXPECTED[1] + chance
