"""P(A better than B) on 2,000 simulated studies with a known truth: some minutes, run on demand.

python -m pytest -s tests/benchmarks/test_long_calibration_of_better.py
"""

from __future__ import annotations

import numpy as np
import pandas as pd
import pytest

from core.analysis.models.best import pair_table
from core.analysis.models.settings import ComparisonSettings
from core.analysis.models.stability import stability
from core.metrics.soft.ranking import ranking_metrics, sort_scores
from core.plausibility.settings import Aggregation
from core.study.model import FloatArray, Predictions, Readings, Study, Task

N_STUDIES = 2000
N_CASES, N_READINGS, N_MODELS, N_DRAWS = 150, 5, 4, 400
N_POPULATION = 20_000
METRICS = ("s-AUROC", "s-AP")
TOLERANCE = 0.03
CLAIMS = {
    "annotations": "these cases",
    "cases": "population",
    "both": "population",
}
"""What each source speaks of: the true soft labels of the very cases, or of a large population of cases."""


def _scores(rng: np.random.Generator, p: FloatArray, noise: FloatArray) -> FloatArray:
    """Models that see the logit of the plausibility through noise of their own."""
    clipped = np.clip(p, 1e-4, 1 - 1e-4)
    logit = np.log(clipped / (1 - clipped)) + noise[:, None] * rng.standard_normal((len(noise), len(p)))
    return 1 / (1 + np.exp(-logit))


def _simulate(seed: int) -> tuple[Study, Task, dict[tuple[str, str], FloatArray]]:
    """Study, task, and every model's true metrics on these cases and in the population."""
    rng = np.random.default_rng(seed)
    p, noise = rng.beta(0.5, 0.5, N_CASES), rng.uniform(0.5, 3, N_MODELS)
    total = N_CASES * N_READINGS
    readings = Readings(
        case_start=np.arange(N_CASES + 1) * N_READINGS,
        rater=np.tile(np.arange(N_READINGS, dtype=np.int32), N_CASES),
        repeat=np.ones(total, np.int32),
        confidence=np.full(total, np.nan),
        score=np.full(total, np.nan),
        entry_start=np.arange(total + 1),
        label=(rng.random((N_CASES, N_READINGS)) < p[:, None]).astype(np.int32).ravel(),
        block=np.zeros(total, np.int32),
    )
    scores = _scores(rng, p, noise)
    predictions = {f"m{m}": Predictions(f"m{m}", np.stack([1 - s, s], axis=1)) for m, s in enumerate(scores)}
    task = Task("finding", "choice", ("absent", "present"), readings, predictions, positive="present")
    ids = tuple(f"case {i}" for i in range(N_CASES))
    raters = tuple(f"R{r}" for r in range(N_READINGS))
    frame = pd.DataFrame(index=pd.Index(ids, name="case_id"))
    study = Study("simulated", ids, raters, {"finding": task}, frame, str(seed), seed=seed)
    truth = {}
    everybody = rng.beta(0.5, 0.5, N_POPULATION)
    for what, s, labels in (
        ("these cases", scores, p),
        ("population", _scores(rng, everybody, noise), everybody),
    ):
        for metric, value in zip(METRICS, ranking_metrics(sort_scores(s), labels[None]), strict=True):
            truth[what, metric] = value[:, 0]
    return study, task, truth


@pytest.fixture(scope="module")
def stated() -> pd.DataFrame:
    """Every pair of every study, the more probable one first: what is stated, and whether it is so."""
    rows = []
    for seed in range(N_STUDIES):
        study, task, truth = _simulate(seed)
        for drawn_by in ("bootstrap", "plausibility"):
            stable = stability(
                study,
                task,
                ComparisonSettings(annotations=drawn_by, n_draws=N_DRAWS),
                metrics=METRICS,
                aggregation=Aggregation("label-counts", 1.0),
            )
            pairs = pair_table(stable)
            for row in pairs[pairs["probability"] > 0.5].itertuples():
                value = truth[CLAIMS[row.source], row.metric]
                a, b = (stable.models.index(model) for model in (row.model_a, row.model_b))
                rows.append((drawn_by, row.source, row.metric, row.probability, value[a] > value[b]))
    return pd.DataFrame(rows, columns=["annotations", "source", "metric", "stated", "true"])


def test_of_the_pairs_given_80_to_100_percent_the_stated_share_is_better(stated, capsys):
    """Within 3 points, for each source of uncertainty, way to draw truths, and metric."""
    sure = stated[stated["stated"] >= 0.8]
    shares = sure.groupby(["annotations", "source", "metric"])[["stated", "true"]].mean()
    shares["pairs"] = sure.groupby(["annotations", "source", "metric"]).size()
    bands = pd.cut(stated["stated"], [0.5, 0.6, 0.7, 0.8, 0.9, 1.0])
    by_band = stated.groupby(["annotations", "source", bands], observed=True)[["stated", "true"]].mean()
    with capsys.disabled():
        print(f"\n{shares.round(3).to_string()}\n{by_band.round(3).to_string()}")  # noqa: T201
    assert (abs(shares["stated"] - shares["true"]) <= TOLERANCE).all()
