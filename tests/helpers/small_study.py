"""Studies of a few cases, written out in a test."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import numpy as np
import pandas as pd

from core.analysis.cases.what_if import Reading, readings_that_say
from core.study.model import UNKNOWN_RISK, Kind, Predictions, Study, Task

Said = str | float


def small_study(
    kind: Kind,
    labels: str,
    cases: Sequence[Sequence[Said]],
    *,
    risk: str = "",
    predictions: Mapping[str, Sequence[Sequence[float]]] | None = None,
    raters: Sequence[Sequence[int]] | None = None,
    rater_ids: Sequence[str] = (),
    metadata: Mapping[str, Sequence[object]] | None = None,
) -> tuple[Study, Task]:
    """Study of one task with labels of one letter.

    A reading is a number, or blocks separated by spaces: ``"a bc"`` is a first, then b and c tied. ``risk``
    has one of L, M, H or ? for each label.
    """
    readings = readings_that_say(
        [[_reading(said, labels) for said in case] for case in cases],
        None if raters is None else [[(r, 1) for r in case] for case in raters],
    )
    levels = {"L": 0, "M": 1, "H": 2, "?": UNKNOWN_RISK}
    names = tuple(labels) if kind != "score" else ("below 5", "5 or above")
    task = Task(
        "t",
        kind,
        names,
        readings,
        {name: Predictions(name, np.array(p, float)) for name, p in (predictions or {}).items()},
        np.array([levels[letter] for letter in risk or "?" * len(names)], np.int8),
        threshold=5.0 if kind == "score" else None,
    )
    ids = tuple(f"case {i}" for i in range(len(cases)))
    n_raters = int(readings.rater.max(initial=0)) + 1
    names_of_raters = tuple(rater_ids) or tuple("ABCDEFGHIJ"[:n_raters])
    table = pd.DataFrame(dict(metadata or {}), index=pd.Index(ids, name="case_id"))
    return Study("small", ids, names_of_raters, {"t": task}, table, "0"), task


def _reading(said: Said, labels: str) -> Reading:
    """Reading of a number or of blocks of letters."""
    if isinstance(said, str):
        return Reading(tuple(tuple(labels.index(name) for name in block) for block in said.split()))
    return Reading(score=said)
