"""Resamples of the cases of a study in parts: those of the study in memory, a file a part."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from core.metrics.bootstrap import drawn_cases
from core.study.partitions.manifest import part_name

_FOLDER = "resamples"


def keep_resamples(folder: Path, cases: Sequence[int], resamples: int, rng: np.random.Generator) -> None:
    """Draw the resamples of all cases, and write down how often each part's cases come in each.

    Parameters
    ----------
    folder : Path
        Written into; a byte a case and resample.
    cases : sequence of int
        Cases of each part.
    resamples : int
        0 or more.
    rng : numpy.random.Generator
        As for `core.metrics.bootstrap.case_weights`, which draws the same.
    """
    place = folder / _FOLDER
    place.mkdir(parents=True, exist_ok=True)
    ends = np.cumsum(cases)
    for _ in range(resamples):
        drawn = np.bincount(drawn_cases(int(ends[-1]), rng), minlength=int(ends[-1])).astype(np.uint8)
        for part, of_part in enumerate(np.split(drawn, ends[:-1])):
            with (place / part_name(part)).open("ab") as out:
                out.write(of_part.tobytes())


def read_resamples(folder: Path, part: int, n_cases: int) -> NDArray[np.uint8]:
    """How often each case of a part comes in each sample, with shape (n_cases, 1 + resamples).

    The first sample has each case once.
    """
    path = folder / _FOLDER / part_name(part)
    drawn = np.fromfile(path, np.uint8) if path.is_file() else np.zeros(0, np.uint8)
    weights = np.concatenate([np.ones(n_cases, np.uint8), drawn])
    return np.ascontiguousarray(weights.reshape(-1, n_cases).T)
