"""What every rater says for every truth, with intervals: Dawid–Skene's confusion matrices."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import numpy as np
import pandas as pd

from core.analysis.raters.panel import Panel
from core.plausibility.confusion_draws import confusion_draws, too_large
from core.plausibility.dawid_skene import fit_dawid_skene
from core.study.model import FloatArray, IntArray

COLUMNS = ["rater", "truth", "says", "probability", "low", "high", "n_readings", "why_no_interval"]
MOST_ROWS = 100_000
FEWEST_RATERS = 2


def confusion_table(panel: Panel, *, gold: bool = False) -> pd.DataFrame:
    """Estimate what every rater says for every truth.

    Parameters
    ----------
    panel : Panel
        Raters and cases.
    gold : bool
        Whether the references of cases are their known truths; other cases have none.

    Returns
    -------
    DataFrame
        One row a rater, truth and label that the rater could give: ``rater``, ``truth``, ``says``;
        ``probability`` that the rater says it, for each truth summing to 1; ``low`` and ``high`` (95 %
        interval of the posterior); ``n_readings`` of the rater; ``why_no_interval``. Empty, with the reason
        as ``attrs["withdrawn"]``, where raters are not the same persons in every case, there are too few of
        them without known truths, or too many rows (`MOST_ROWS`).

    Raises
    ------
    ValueError
        With ``gold``, where no case has a reference.

    Notes
    -----
    Dawid and Skene 1979, with a prior of one right reading for each rater and truth and one spread over all
    labels (`core.plausibility.dawid_skene.fit_dawid_skene`); intervals by
    `core.plausibility.confusion_draws.confusion_draws`.
    """
    if gold and not panel.has_reference:
        raise ValueError(
            f'no case has a reference that is a label of the task "{panel.task.name}", so no truth is known; '
            "add a column reference to the case table"
        )
    names = [*panel.task.labels, "another"][: panel.n_labels]
    n_raters, n_labels = panel.n_raters, panel.n_labels
    withdrawn = why_withdrawn(n_raters, n_labels, identified=panel.identified, gold=gold)
    if withdrawn:
        table = pd.DataFrame(columns=COLUMNS)
        table.attrs["withdrawn"] = f"Confusion of raters is not given: {withdrawn}."
        return table
    known = panel.reference if gold else None
    fitted = fit_dawid_skene(panel.readings, n_labels, n_raters, known=known)
    value = np.stack([fitted.confusion(rater) for rater in range(n_raters)])
    reason = too_large(panel.readings, n_labels, n_raters)
    ends = np.full((2, *value.shape), np.nan)
    if not reason:
        ends = _ends(panel, names, known)
        ends = np.stack([np.minimum(ends[0], value), np.maximum(ends[1], value)])
    read = np.bincount(panel.readings.rater, minlength=n_raters)
    return confusion_from(panel.rater_ids, names, value, read, ends=ends, reason=reason)


def confusion_from(
    rater_ids: Sequence[str],
    labels: Sequence[str],
    value: FloatArray,
    read: IntArray,
    *,
    ends: FloatArray,
    reason: str,
) -> pd.DataFrame:
    """Table of `confusion_table` from the matrices of all raters, and why there are no intervals."""
    n_raters, n_labels = len(rater_ids), len(labels)
    names = np.array(labels, object)
    return pd.DataFrame(
        {
            "rater": np.repeat(np.array(rater_ids, object), n_labels**2),
            "truth": np.tile(np.repeat(names, n_labels), n_raters),
            "says": np.tile(names, n_raters * n_labels),
            "probability": value.ravel(),
            "low": ends[0].ravel(),
            "high": ends[1].ravel(),
            "n_readings": np.repeat(read, n_labels**2),
            "why_no_interval": reason,
        }
    )


def _ends(panel: Panel, names: list[str], known: IntArray | None) -> FloatArray:
    """Ends of the intervals, drawn with the labels in the order of their names, not that of the study."""
    order = np.argsort(np.array(names))
    code = np.append(np.argsort(order), -1)
    readings = replace(panel.readings, label=code[panel.readings.label].astype(panel.readings.label.dtype))
    truths = None if known is None else code[known]
    fitted = fit_dawid_skene(readings, panel.n_labels, panel.n_raters, known=truths)
    draws = confusion_draws(readings, fitted, panel.generator("confusion"), known=truths)
    ends: FloatArray = np.quantile(draws, [0.025, 0.975], axis=0)
    return ends[:, :, code[:-1]][:, :, :, code[:-1]]


def why_withdrawn(n_raters: int, n_labels: int, *, identified: bool, gold: bool) -> str:
    """Why nothing is said of raters' confusion; empty where it is."""
    if not identified:
        return "raters are numbered anew in each case"
    if not gold and n_raters < FEWEST_RATERS:
        return "one rater alone shows no error, unless truths are known (--gold)"
    if n_raters * n_labels**2 > MOST_ROWS:
        return f"it would have more than {MOST_ROWS:,} rows; choose fewer raters"
    return ""
