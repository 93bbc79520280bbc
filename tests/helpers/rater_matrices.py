"""Readings from matrices of cases × raters, and the public knee-MRI readings."""

from __future__ import annotations

import numpy as np
import pandas as pd
from shared_data import shared_data

from core.study.model import Readings, Study, Task


def choices(labels: np.ndarray, confidence: np.ndarray | None = None) -> Readings:
    """Readings of a matrix of label codes with shape (n_cases, n_raters); NaN where a rater did not read."""
    given = ~np.isnan(labels)
    n = int(given.sum())
    return Readings(
        case_start=np.concatenate([[0], np.cumsum(given.sum(axis=1))]).astype(np.int64),
        rater=np.nonzero(given)[1].astype(np.int32),
        repeat=np.ones(n, np.int32),
        confidence=np.full(n, np.nan) if confidence is None else confidence[given].astype(float),
        score=np.full(n, np.nan),
        entry_start=np.arange(n + 1, dtype=np.int64),
        label=labels[given].astype(np.int32),
        block=np.zeros(n, np.int32),
    )


def random_matrix(
    seed: int, *, n_cases: int = 80, n_raters: int = 6, n_labels: int = 4, missing: float = 0.3
) -> np.ndarray:
    """Labels of raters who often say what the case suggests; nobody read case 0, at most one case 1."""
    rng = np.random.default_rng(seed)
    lead = rng.choice(n_labels, (n_cases, 1), p=rng.dirichlet(np.ones(n_labels)))
    own = rng.integers(0, n_labels, (n_cases, n_raters))
    labels = np.where(rng.random(own.shape) < 0.6, lead, own).astype(float)
    labels[rng.random(own.shape) < missing] = np.nan
    labels[0] = np.nan
    labels[1, 1:] = np.nan
    return labels


def knee_matrices() -> tuple[np.ndarray, np.ndarray]:
    """Labels and confidences of 427 readings by 13 radiologists."""
    folder = shared_data("data", "knee_mri_readers")
    return np.loadtxt(folder / "preds.csv", delimiter=","), np.loadtxt(folder / "confs.csv", delimiter=",")


def study_of(
    readings: Readings,
    labels: tuple[str, ...],
    *,
    reference: list[str] | None = None,
    positive: str | None = None,
) -> tuple[Study, Task]:
    """Study of one choice task with single letters for raters."""
    task = Task("t", "choice", labels, readings, positive=positive)
    ids = tuple(f"case {i}" for i in range(readings.n_cases))
    cases = pd.DataFrame(
        {} if reference is None else {"reference": reference}, index=pd.Index(ids, name="case_id")
    )
    raters = tuple("abcdefghijklmnop"[: int(readings.rater.max(initial=0)) + 1])
    return Study("small", ids, raters, {"t": task}, cases, "0"), task
