"""How often 95 % intervals of the models' metrics hold the truth: some minutes, run on demand.

python -m pytest -s tests/benchmarks/test_long_coverage_of_intervals.py
"""

from __future__ import annotations

from itertools import product

import numpy as np
import pandas as pd
import pytest
from simulated_panels import HARD, SOFT, Panel

from core.analysis.models.best import best_table
from core.analysis.models.comparison import comparison
from core.analysis.models.settings import ANNOTATIONS, ComparisonSettings
from core.analysis.models.stability import stability
from core.metrics.soft.ranking import ranking_metrics, sort_scores
from core.plausibility.settings import Aggregation
from core.study.simulation.simulate import simulate_choices

N_STUDIES = 300
N_DRAWS = 300
PANELS = {
    "3 readings": Panel(200, 3, 3, (0.5, 1.0)),
    "3 to 7 readings": Panel(200, 3, 7, (0.4, 1.2)),
    "5 readings": Panel(150, 5, 5, (0.5, 0.5)),
    "9 readings": Panel(280, 9, 9, (0.4, 1.2)),
}
DRAWN_BY = {
    "readings": ("bootstrap", None),
    "label counts": ("plausibility", Aggregation("label-counts", 1.0)),
    "Plackett–Luce": ("plausibility", Aggregation("plackett-luce", 1.0)),
}
EXPECTED = (0.93, 0.97)
STEEP = ("AP", "s-AP")
"""Rest on the few cases that a model puts first, so that their scatter is itself known from few readings."""


@pytest.fixture(scope="module")
def held() -> pd.DataFrame:
    """One row an interval: whether it holds the truth, and whether it holds the observed value."""
    rows = []
    for panel, of in PANELS.items():
        for seed in range(N_STUDIES):
            study, task, truth = of.draw(seed)
            for drawn_by, (way, aggregation) in DRAWN_BY.items():
                stable = stability(
                    study,
                    task,
                    ComparisonSettings(annotations=way, n_draws=N_DRAWS),
                    metrics=(*HARD, *SOFT),
                    aggregation=aggregation,
                )
                for row in best_table(stable).itertuples():
                    whose = "these cases" if row.source == "annotations" else "other cases"
                    value = truth[whose, row.metric][0]
                    rows.append(
                        (panel, drawn_by, row.source, row.metric, row.low <= value <= row.high,
                         row.low <= row.observed <= row.high)
                    )  # fmt: skip
    return pd.DataFrame(rows, columns=["panel", "drawn by", "source", "metric", "held", "own"])


def test_intervals_hold_the_truth_in_93_to_97_of_100_studies(held: pd.DataFrame, capsys) -> None:
    """Readings drawn anew, cases, and both, over all panels; metrics that rest on few cases apart."""
    keys = ["drawn by", "source", "metric"]
    table = held.pivot_table("held", index=keys, columns="panel")
    table["all"] = held.groupby(keys)["held"].mean()
    with capsys.disabled():
        print(f"\n{table.round(3).to_string()}")  # noqa: T201
    assert held["own"].all()
    chance = 3 * np.sqrt(0.95 * 0.05 / (N_STUDIES * len(PANELS)))
    even = table.loc["readings"].drop(index=list(STEEP), level="metric")["all"]
    assert even.min() >= EXPECTED[0] - chance
    assert even.max() <= EXPECTED[1] + chance


def test_many_labels(capsys) -> None:
    """Choices of ten labels: s-AUROC of the label with most votes, against the plausibilities drawn from.

    The model "Confident" of these studies is left out: it has learnt from the very readings that judge it, so
    that it is better by their chance, which no drawing of readings can tell.
    """
    models = ("Calibrated", "Noisy")
    held = dict.fromkeys(product(ANNOTATIONS, models), 0)
    for seed in range(N_STUDIES):
        simulated = simulate_choices(n_cases=150, n_labels=10, rater_spread=0.0, seed=seed)
        study, task = simulated.study, simulated.study.tasks["label"]
        compared = comparison(study, task)
        share = simulated.truth.plausibility[compared.cases, compared.label_code]
        truth = ranking_metrics(sort_scores(compared.score), share[None])[0][:, 0]
        for way in ANNOTATIONS:
            stable = stability(
                study,
                task,
                ComparisonSettings(annotations=way, n_draws=N_DRAWS),
                metrics=["s-AUROC"],
                sources=["annotations"],
                aggregation=Aggregation("label-counts", 1.0),
            )
            for row, value in zip(best_table(stable).itertuples(), truth, strict=True):
                if row.model in models:
                    held[way, row.model] += int(row.low <= value <= row.high)
    shares = {key: count / N_STUDIES for key, count in held.items()}
    with capsys.disabled():
        print(f"\n{shares}")  # noqa: T201
    chance = 3 * np.sqrt(0.95 * 0.05 / N_STUDIES)
    for model in models:
        assert shares["bootstrap", model] >= EXPECTED[0] - chance
        assert shares["bootstrap", model] <= EXPECTED[1] + chance
