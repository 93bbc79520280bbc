"""How often corrected p-values claim any difference of equally good models: two minutes, on demand.

python -m pytest -s tests/benchmarks/test_long_family_of_differences.py
"""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pandas as pd
from two_label_studies import two_label_study

from core.analysis.models.all_tasks_draws import AVERAGE, all_tasks_drawn
from core.analysis.models.settings import ComparisonSettings
from core.study.model import Study

N_STUDIES, N_CASES, N_READINGS, N_MODELS, N_TASKS = 250, 150, 5, 4, 3
LEVEL = 0.05


def _alike(seed: int) -> Study:
    """Tasks whose models see the same log odds through as much noise each."""
    rng = np.random.default_rng(seed)
    tasks = {}
    for name in map(str, range(N_TASKS)):
        log_odds = rng.normal(-0.5, 1.5, N_CASES)
        present = rng.random((N_CASES, N_READINGS)) < 1 / (1 + np.exp(-log_odds))[:, None]
        seen = log_odds + rng.normal(0, 1.2, (N_MODELS, N_CASES))
        scores = {f"m{i}": of for i, of in enumerate(1 / (1 + np.exp(-seen)))}
        study, task = two_label_study(present.astype(int).tolist(), scores, seed=seed)
        tasks[name] = replace(task, name=name)
    return replace(study, tasks=tasks)


def test_any_difference_is_claimed_in_no_more_than_5_of_100_studies(capsys) -> None:
    """By each metric, of all pairs and tasks and of averages, within two binomial errors and 2 points."""
    found = []
    for seed in range(N_STUDIES):
        drawn = all_tasks_drawn(_alike(seed), settings=ComparisonSettings(n_draws=250))
        table = drawn.tables["all_tasks_differences"]
        family = table.groupby(["metric", (table["task"] == AVERAGE).rename("average")])["p_holm"].min()
        found.append(family < LEVEL)
    claimed = pd.concat(found).groupby(level=[0, 1]).mean()
    with capsys.disabled():
        print(f"\n{claimed.round(3).to_string()}")  # noqa: T201
    error = np.sqrt(LEVEL * (1 - LEVEL) / N_STUDIES)
    assert (claimed <= LEVEL + 2 * error + 0.02).all()
