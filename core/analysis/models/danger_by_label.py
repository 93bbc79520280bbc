"""Which dangers a model names: label by label, how often each is the truth, and how often it is named."""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np
import pandas as pd

from core.analysis.formatting import cases_on_average, in_sentence, percent
from core.metrics.risk import HIGH
from core.study.model import FloatArray, Task

MOST_DANGERS = 8
"""High-risk labels that are listed, those that are the truth most often."""
MOST_MODELS = 6
"""Models that are listed beside one another, those that the labels support best."""
FREQUENT = 5
"""Cases whose truth a danger is, on average over plausible truths, from which on shares of it are told."""
_ENOUGH = FREQUENT - 0.5
"""More than that is written as `FREQUENT` or more."""
LEAST_TRUTHS = 0.5
"""Cases whose truth a label is, on average over plausible truths, from which on a share says anything."""


def danger_by_label(task: Task, counted: Mapping[str, FloatArray]) -> pd.DataFrame:
    """List the high-risk labels that are the truth most often, and how often each model names each.

    Parameters
    ----------
    task : Task
        With risk levels.
    counted : mapping of str to ndarray of float with shape (2, n_labels)
        For each model, the best supported first, the sums over cases of
        `core.metrics.adjusted.metrics.RankedLabels.hits_by_label` and ``truths_by_label``.

    Returns
    -------
    DataFrame
        One row a label, the most frequent first, no more than `named_dangers`: ``label``; ``truths``, the
        mean over plausible truths of the number of cases whose truth it is; and for each of the first
        `MOST_MODELS` models, under its name, the share of these truths in which the model puts the very
        label first, in [0, 1], NaN where they are fewer than `LEAST_TRUTHS`.

    Notes
    -----
    Weighted by ``truths`` and summed over all labels of high risk, a model's shares are its accuracy given
    that the truth is a high-risk label (`core.metrics.risk.expected_high_risk_hits`).
    """
    if not counted:
        return pd.DataFrame()
    truths = np.max([true for _, true in counted.values()], axis=0)
    high = np.flatnonzero(task.risk == HIGH)
    shown = high[np.argsort(-truths[high], kind="stable")][: named_dangers(task)]
    of_label = pd.DataFrame({"label": [task.labels[code] for code in shown], "truths": truths[shown]})
    shares = {}
    for model, (named, true) in list(counted.items())[:MOST_MODELS]:
        is_enough = true[shown] >= LEAST_TRUTHS
        shares[model] = np.where(is_enough, named[shown] / np.where(is_enough, true[shown], 1.0), np.nan)
    # A model may be called as one of the columns is.
    return pd.concat([of_label, pd.DataFrame(shares)], axis=1)


def named_dangers(task: Task) -> int:
    """How many rows the list has: labels of high risk that readings name, `MOST_DANGERS` at most."""
    return min(int((task.risk[np.unique(task.readings.label)] == HIGH).sum()), MOST_DANGERS)


def told_shares(table: pd.DataFrame) -> FloatArray:
    """Shares that are told, with shape (n_labels, n_models): NaN where they are of a few cases.

    A share of fewer than `FREQUENT` cases would be read as the others are, and says next to nothing.
    """
    is_enough = table.iloc[:, 1].to_numpy(float) > _ENOUGH
    return np.where(is_enough[:, None], table.iloc[:, 2:].to_numpy(float), np.nan)


def in_words(table: pd.DataFrame) -> tuple[list[str], list[list[str]]]:
    """Write the list: heads of columns and a row for each label, with the shares of `told_shares`.

    Where there are too few cases for a share it is said in how many of them the model names the label.
    """
    models = list(table.columns[2:])
    named = table.iloc[:, :2].itertuples(index=False, name=None)
    known, told = table.iloc[:, 2:].to_numpy(float).tolist(), told_shares(table).tolist()
    rows = [
        [
            in_sentence(label),
            f"{truths:.0f}" if truths >= 1 else "< 1",
            *(_share(one, share, truths) for one, share in zip(shares, row, strict=True)),
        ]
        for (label, truths), shares, row in zip(named, told, known, strict=True)
    ]
    return ["Danger", "Cases, on average", *models], rows


def least_named(table: pd.DataFrame, n_models: int) -> str:
    """Say which of the more frequent dangers models name least, even the one that names it most often.

    Parameters
    ----------
    table : DataFrame
        Of `danger_by_label`.
    n_models : int
        Models that were judged.

    Returns
    -------
    str
        Empty where fewer than two labels are the truth of `FREQUENT` cases or more, and where the table has
        not all of the models.
    """
    if table.empty or table.shape[1] - 2 < n_models:
        return ""
    # A model may be called as a column is; of one that predicts few cases of a label nothing is known there.
    truths, shares = table.iloc[:, 1].to_numpy(float), table.iloc[:, 2:].to_numpy(float)
    most = np.nan_to_num(shares, nan=-1.0).max(axis=1)
    frequent = np.flatnonzero((truths > _ENOUGH) & (most >= 0))
    if len(frequent) < 2:
        return ""
    least = int(frequent[most[frequent].argmin()])
    label = in_sentence(str(table.iloc[least, 0]))
    named = f"about {cases_on_average(most[least] * truths[least])} of {truths[least]:.0f} cases"
    best = str(table.columns[2 + int(np.nan_to_num(shares[least], nan=-1.0).argmax())])
    return (
        f"{label} is named least: at best, in {named} ({best})."
        if n_models > 1
        else f"{label} is named least: in {named}."
    )


def _share(told: float, share: float, truths: float) -> str:
    """How often a model names a label: a share that is told, else of a few cases, else a dash."""
    if not np.isnan(told):
        return percent(told)
    if np.isnan(share) or truths < 1:
        return "–"
    few = cases_on_average(share * truths).replace("fewer than 1", "< 1")
    return f"{few} of {truths:.0f}"
