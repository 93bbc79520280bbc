"""Studies of one finding, absent or present, made from arrays."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from pathlib import Path

import numpy as np
import pandas as pd

from core.study.model import Predictions, Readings, Study, Task

FINDINGS = ("Atelectasis", "Cardiomegaly", "Consolidation", "Edema", "Pleural Effusion")


def two_label_study(
    present: Sequence[Sequence[int]], scores: Mapping[str, Sequence[float]], *, seed: int = 0
) -> tuple[Study, Task]:
    """Study of each case's readings (0 or 1), and each model's scores of "present"; NaN: not predicted."""
    per_case = np.array([len(case) for case in present])
    n = int(per_case.sum())
    readings = Readings(
        case_start=np.concatenate([[0], np.cumsum(per_case)]),
        rater=np.concatenate([np.arange(k) for k in per_case]).astype(np.int32),
        repeat=np.ones(n, np.int32),
        confidence=np.full(n, np.nan),
        score=np.full(n, np.nan),
        entry_start=np.arange(n + 1),
        label=np.concatenate([np.asarray(case, np.int32) for case in present]),
        block=np.zeros(n, np.int32),
    )
    predictions = {}
    for model, of in scores.items():
        positive = np.asarray(of, float)
        predictions[model] = Predictions(model, np.stack([1 - positive, positive], axis=1))
    task = Task("finding", "choice", ("absent", "present"), readings, predictions, positive="present")
    ids = tuple(f"case {i}" for i in range(len(present)))
    raters = tuple(f"R{i}" for i in range(int(per_case.max())))
    table = pd.DataFrame(index=pd.Index(ids, name="case_id"))
    return Study("two labels", ids, raters, {"finding": task}, table, "0", seed=seed), task


def with_scores(study: Study, task: Task, scores: Mapping[str, Sequence[float]]) -> tuple[Study, Task]:
    """Add models that give scores, or put them in the place of those of the same name."""
    added = {model: Predictions.of_scores(model, np.asarray(of, float)) for model, of in scores.items()}
    task = replace(task, predictions={**task.predictions, **added})
    return replace(study, tasks={task.name: task}), task


def published_study(release: Path, finding: str, *, seed: int = 0) -> tuple[Study, Task]:
    """Eight radiologists and ten models of the CheXpert test-set release, scores as published."""
    order = pd.read_csv(release / "groundtruth.csv")["Study"]
    raters = sorted((release / "radiologists").glob("*/bc*.csv"), key=lambda path: path.name)
    present = np.stack([_column(path, finding, order) for path in raters], axis=1).astype(int)
    models = sorted((release / "example_models" / "predictions" / "standard").glob("*_predictions.csv"))
    scores = {path.stem.removesuffix("_predictions"): _column(path, finding, order) for path in models}
    study, task = two_label_study(present.tolist(), scores, seed=seed)
    return with_scores(study, task, {model: of for model, of in scores.items() if of.max() > 1})


def _column(path: Path, finding: str, order: pd.Series) -> np.ndarray:
    return pd.read_csv(path).set_index("Study").loc[order, finding].to_numpy(float)
