"""How long every metric of ten models in twenty groups takes, with differences and their intervals."""

from __future__ import annotations

import time
from dataclasses import replace

import numpy as np
from two_label_studies import two_label_study

from core.analysis.models.settings import SliceSettings
from core.analysis.models.slice_differences import slice_differences
from core.analysis.models.slices import slice_metrics

N_CASES, N_GROUPS, N_MODELS = 1_000, 20, 10


def test_twenty_groups_of_ten_models_take_two_seconds() -> None:
    """The second time, when everything is compiled and loaded."""
    rng = np.random.default_rng(0)
    truth = rng.random(N_CASES)
    present = [rng.binomial(1, of, 5).tolist() for of in truth]
    models = {
        f"model {at}": np.clip(truth + rng.normal(0, 0.1 + 0.02 * at, N_CASES), 0.01, 0.99)
        for at in range(N_MODELS)
    }
    study, task = two_label_study(present, models)
    cases = study.cases.assign(site=[f"site {at % N_GROUPS:02}" for at in range(N_CASES)])
    study = replace(study, cases=cases)
    for _ in range(2):
        before = time.process_time()
        found = slice_metrics(study, task, SliceSettings(by=("site",)))
        differences = slice_differences(found.table)
        took = time.process_time() - before
    assert found.table["slice"].nunique() == N_GROUPS + 1
    assert len(differences) > 10_000
    assert took < 2
