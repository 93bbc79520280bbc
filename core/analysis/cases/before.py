"""A case with changed readings beside the case as it was read: the same tables, with columns "… before"."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pandas as pd

from core.analysis.cases.case import (
    ANY_OTHER,
    Case,
    is_known,
    plausibility_table,
    predictions_table,
    risk_letter,
)
from core.analysis.cases.dots import BEFORE
from core.analysis.cases.simplex import Before, Simplex, corners, simplex_of
from core.study.model import FloatArray, IntArray


def plausibility_beside(after: Case, before: Case) -> pd.DataFrame:
    """Describe the plausibility of every label that is a candidate after or before a change.

    Returns
    -------
    DataFrame
        As `core.analysis.cases.case.plausibility_table` of ``after``, labels that nobody mentions any more
        following the others, with ``leads before``, ``plausibility before``, ``low before``, ``high before``
        and ``point before``. A label has its own values where it is no candidate, too; only quantiles, which
        are those of draws, are NaN there. "Any other label" is what remains to 1.
    """
    table, was = plausibility_table(after), plausibility_table(before)
    codes = np.concatenate([after.order, before.order[~np.isin(before.order, after.order)]])
    names = [after.task.labels[k] for k in codes]
    now, then = (table.set_index("label").reindex(names), was.set_index("label").reindex(names))
    shown = pd.DataFrame({"label": names, "risk": [risk_letter(after.task, k) for k in codes]})
    for frame, case, end in ((now, after, ""), (then, before, BEFORE)):
        for name, values in zip(("leads", "plausibility", "point"), _of(case, codes), strict=True):
            shown[name + end] = values
        for name in ("low", "high"):
            shown[name + end] = frame[name].to_numpy()
    if (table["label"] == ANY_OTHER).any() or (was["label"] == ANY_OTHER).any():
        shown = pd.concat([shown, _rest(shown, table, was)], ignore_index=True)
    return shown[[*table.columns, *(f"{name}{BEFORE}" for name in table.columns[2:])]]


def _of(case: Case, codes: IntArray) -> tuple[FloatArray, FloatArray, FloatArray]:
    """How often each label leads, its mean plausibility and its point estimate, candidate or not."""
    slots = case.posterior.candidates.locate(codes[None, :])
    values = (case.posterior.top1, case.posterior.mean, case.point.mean)
    leads, mean, point = (of.at(slots)[0].astype(float) for of in values)
    return leads, mean, point


def _rest(shown: pd.DataFrame, table: pd.DataFrame, was: pd.DataFrame) -> pd.DataFrame:
    """Row of all labels that are candidates neither after nor before."""
    row: dict[str, object] = {"label": ANY_OTHER, "risk": ""}
    for frame, end in ((table, ""), (was, BEFORE)):
        for name in ("leads", "plausibility", "point"):
            row[name + end] = max(0.0, 1.0 - float(shown[name + end].sum()))
        own = frame[frame["label"] == ANY_OTHER]
        for name in ("low", "high"):
            row[name + end] = float(own[name].iloc[0]) if len(own) else np.nan
    return pd.DataFrame([row])


def predictions_beside(after: Case, before: Case) -> pd.DataFrame:
    """List what each model says, with ``right before`` and ``holds the truth before``."""
    table, was = predictions_table(after), predictions_table(before)
    for name in ("right", "holds the truth"):
        table[name + BEFORE] = was[name].to_numpy()
    return table


def simplex_beside(after: Case, before: Case, n: int) -> Simplex | None:
    """Give the simplex of the ``n`` labels that lead after a change, if there is one, with how it was."""
    simplex = simplex_of(after, n, was=before)
    if simplex is None or not is_known(before):
        return simplex
    return replace(simplex, before=Before(*_of(before, corners(after, n, was=before))))
