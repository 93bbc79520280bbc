"""P(A better than B) with other raters, on simulated studies with a known truth: a minute, run on demand.

python -m pytest -s tests/benchmarks/test_long_calibration_of_raters.py
"""

from __future__ import annotations

import numpy as np
import pandas as pd
import pytest

from core.analysis.models.best import pair_table
from core.analysis.models.settings import RATER_SOURCES, SOURCES, ComparisonSettings
from core.analysis.models.stability import stability
from core.metrics.soft.ranking import ranking_metrics, sort_scores
from core.study.model import FloatArray, Predictions, Readings, Study, Task

N_STUDIES, N_CASES, N_MODELS, N_POPULATION = 300, 150, 4, 20_000
TOLERANCE = 0.03
CLAIMS = {"raters": "these cases", "all": "population"}
"""What a source speaks of: what all raters there could be would make of these cases, or of all cases."""


def _world(rng: np.random.Generator, n: int, spread: float) -> tuple[FloatArray, FloatArray, FloatArray]:
    """What cases are like, a trait on which raters differ, and the share of all raters who say yes."""
    base, trait = rng.normal(0, 2, n), rng.normal(0, 1, n)
    nodes, weights = np.polynomial.hermite_e.hermegauss(15)
    says = 1 / (1 + np.exp(-(base + spread * nodes[:, None] * trait)))
    return base, trait, weights / weights.sum() @ says


def _study(seed: int, n_raters: int, spread: float) -> tuple[Study, Task, dict[str, FloatArray]]:
    """Study, task, and every model's true s-AUROC on these cases and in the population."""
    rng = np.random.default_rng(seed)
    noise, tilt = rng.uniform(0.5, 2.5, N_MODELS), rng.normal(0, 0.6, N_MODELS)

    def scores(base: FloatArray, trait: FloatArray) -> FloatArray:
        own = rng.standard_normal((N_MODELS, len(base)))
        return 1 / (1 + np.exp(-(base + tilt[:, None] * trait + noise[:, None] * own)))

    base, trait, share = _world(rng, N_CASES, spread)
    given = scores(base, trait)
    yes = 1 / (1 + np.exp(-(base[:, None] + rng.normal(0, spread, n_raters) * trait[:, None])))
    total = N_CASES * n_raters
    readings = Readings(
        np.arange(N_CASES + 1) * n_raters,
        np.tile(np.arange(n_raters, dtype=np.int32), N_CASES),
        np.ones(total, np.int32),
        np.full(total, np.nan),
        np.full(total, np.nan),
        np.arange(total + 1),
        (rng.random(yes.shape) < yes).astype(np.int32).ravel(),
        np.zeros(total, np.int32),
    )
    predictions = {f"m{m}": Predictions(f"m{m}", np.stack([1 - s, s], axis=1)) for m, s in enumerate(given)}
    task = Task("finding", "choice", ("absent", "present"), readings, predictions, positive="present")
    ids = tuple(f"case {i}" for i in range(N_CASES))
    raters = tuple(f"Dr {chr(65 + r)}" for r in range(n_raters))
    frame = pd.DataFrame(index=pd.Index(ids, name="case_id"))
    study = Study("simulated", ids, raters, {"finding": task}, frame, str(seed), seed=seed)
    everybody, traits, shares = _world(rng, N_POPULATION, spread)
    truth = {
        "these cases": ranking_metrics(sort_scores(given), share[None])[0][:, 0],
        "population": ranking_metrics(sort_scores(scores(everybody, traits)), shares[None])[0][:, 0],
    }
    return study, task, truth


@pytest.mark.parametrize(("n_raters", "spread"), [(8, 1.0), (5, 1.0), (20, 1.0), (8, 0.0)])
def test_of_the_pairs_given_80_to_100_percent_the_stated_share_is_better(n_raters, spread, capsys):
    """Within 3 points, whether raters lean or not; intervals hold the difference no less often than 92 %."""
    rows = []
    for seed in range(N_STUDIES):
        study, task, truth = _study(seed, n_raters, spread)
        settings = ComparisonSettings(n_draws=300)
        sources = (*SOURCES, *RATER_SOURCES)
        pairs = pair_table(stability(study, task, settings, metrics=("s-AUROC",), sources=sources))
        for row in pairs[(pairs["probability"] > 0.5) & pairs["source"].isin(CLAIMS)].itertuples():
            a, b = (truth[CLAIMS[row.source]][int(model[1:])] for model in (row.model_a, row.model_b))
            rows.append((row.source, row.probability, a > b, row.low <= a - b <= row.high))
    stated = pd.DataFrame(rows, columns=["source", "stated", "true", "held"])
    shares = stated[stated["stated"] >= 0.8].groupby("source")[["stated", "true"]].mean()
    held = stated.groupby("source")["held"].mean()
    with capsys.disabled():
        print(f"\n{n_raters} raters, spread {spread}\n{shares.assign(held=held).round(3).to_string()}")  # noqa: T201
    assert (abs(shares["stated"] - shares["true"]) <= TOLERANCE).all()
    assert (held >= 0.92).all()
