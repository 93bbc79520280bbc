"""Which dangers a model misses or names: label by label, how often each is the truth, and what it says."""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np
import pandas as pd

from core.analysis.formatting import WHOLE, cases_on_average, in_sentence, percent
from core.analysis.models.finding import listed
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
ALL = "All dangers"
"""Row of all of them together."""
MOST_TOLD = 3
"""Dangers that are named of those that a model misses."""
MOST_NAMED = 4
"""Models that a sentence names."""
LEAST_TRUTHS = 0.5
"""Cases whose truth a label is, on average over plausible truths, from which on a share says anything."""


def danger_by_label(task: Task, counted: Mapping[str, FloatArray]) -> pd.DataFrame:
    """List the high-risk labels that are the truth most often, and how often each model does a thing there.

    Parameters
    ----------
    task : Task
        With risk levels.
    counted : mapping of str to ndarray of float with shape (2, n_labels)
        For each model, the best supported first, a part of the truths of every label and all of them, sums
        over cases: `core.metrics.adjusted.metrics.RankedLabels.hits_by_label` where it names the label, of
        ``truths_by_label`` those in which it warns of no danger, and ``truths_by_label``.

    Returns
    -------
    DataFrame
        One row a label, the most frequent first, no more than `named_dangers`: ``label``; ``truths``, the
        mean over plausible truths of the number of cases whose truth it is; and for each of the first
        `MOST_MODELS` models, under its name, the share of these truths that is the part, in [0, 1], NaN where
        they are fewer than `LEAST_TRUTHS`.

    Notes
    -----
    Weighted by ``truths`` and summed over all labels of high risk, the shares of labels that are named are
    the accuracy given that the truth is a high-risk label (`core.metrics.risk.expected_high_risk_hits`), and
    those of truths of which nothing warns the share of dangers that is missed.
    """
    if not counted:
        return pd.DataFrame()
    truths = np.max([true for _, true in counted.values()], axis=0)
    high = np.flatnonzero(task.risk == HIGH)
    shown = high[np.argsort(-truths[high], kind="stable")][: named_dangers(task)]
    of_label = pd.DataFrame({"label": [task.labels[code] for code in shown], "truths": truths[shown]})
    shares = {}
    for model, (part, true) in list(counted.items())[:MOST_MODELS]:
        is_enough = true[shown] >= LEAST_TRUTHS
        shares[model] = np.where(is_enough, part[shown] / np.where(is_enough, true[shown], 1.0), np.nan)
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
            _truths(truths),
            *(_share(one, share, truths) for one, share in zip(shares, row, strict=True)),
        ]
        for (label, truths), shares, row in zip(named, told, known, strict=True)
    ]
    return ["Danger", "Cases, on average", *models], rows


def missed_in_words(
    table: pd.DataFrame, judged: pd.DataFrame
) -> tuple[list[str], list[list[str]], FloatArray]:
    """Write how many cases of each danger every model misses, and of all dangers, to which they add up.

    Parameters
    ----------
    table : DataFrame
        Of `danger_by_label`, of truths of which the models warn of no danger.
    judged : DataFrame
        Of `core.analysis.models.supported.Supported`, the same models first.

    Returns
    -------
    heads : list of str
        Of the columns: the danger, the cases whose truth it is, and each model.
    rows : list of list of str
        A row for each label, and the last of all dangers together.
    shares : ndarray of float64 with shape (n_rows, n_models)
        What is missed of each as a share, in [0, 1]; NaN where it is of less than a case.
    """
    first = judged.iloc[: table.shape[1] - 2]
    truths = [*table.iloc[:, 1].tolist(), float(first["dangers"].max())]
    of_all = 1 - first["caught"].to_numpy(float)
    shares = np.vstack([table.iloc[:, 2:].to_numpy(float), of_all])
    labels = [*map(in_sentence, table.iloc[:, 0]), ALL]
    rows = [
        [label, _truths(of), *("–" if np.isnan(share) else _cases(share * of) for share in row)]
        for label, of, row in zip(labels, truths, shares.tolist(), strict=True)
    ]
    told = np.where(np.array(truths)[:, None] >= 1, shares, np.nan)
    return ["Danger", "Cases, on average", *table.columns[2:]], rows, told


def hardest(table: pd.DataFrame, n_models: int) -> str:
    """Say which of the more frequent dangers is hardest: the model that misses it least misses most there.

    Parameters
    ----------
    table : DataFrame
        Of `danger_by_label`, of truths of which the models warn of no danger.
    n_models : int
        Models that were judged.

    Returns
    -------
    str
        With how many of its cases each of up to `MOST_NAMED` models misses, of more the best at it alone.
        Empty where fewer than two labels are the truth of `FREQUENT` cases or more, and where the table has
        not all of the models.
    """
    if table.empty or table.shape[1] - 2 < n_models:
        return ""
    # A model may be called as a column is; of one that predicts few cases of a label nothing is known there.
    truths, shares = table.iloc[:, 1].to_numpy(float), table.iloc[:, 2:].to_numpy(float)
    fewest = np.nan_to_num(shares, nan=2.0).min(axis=1)
    frequent = np.flatnonzero((truths > _ENOUGH) & (fewest <= 1))
    if len(frequent) < 2:
        return ""
    worst = int(frequent[fewest[frequent].argmax()])
    label, of = in_sentence(str(table.iloc[worst, 0])), f"{truths[worst]:.0f}"
    missed = {
        str(model): cases_on_average(share * truths[worst])
        for model, share in sorted(
            zip(table.columns[2:], shares[worst].tolist(), strict=True), key=lambda one: one[1]
        )
        if not np.isnan(share)
    }
    if len(missed) > MOST_NAMED:
        model, n = next(iter(missed.items()))
        return f"Hardest on the whole is {label}: of about {of}, even {model}, best at it, misses {n}."
    (first, n), *others = missed.items()
    who = listed([f"{first} misses {n}", *map(" ".join, others)])
    return f"Hardest on the whole is {label}: of about {of}, {who}."


def most_missed(table: pd.DataFrame) -> dict[str, str]:
    """Name the dangers of which each model misses most cases, each with how many of how many.

    ``table`` is that of `danger_by_label`, of truths of which the models warn of no danger. Up to `MOST_TOLD`
    are named, of which at least one case is missed on average; a model that misses none is left out.
    """
    truths, found = table.iloc[:, 1].to_numpy(float) if len(table) else np.zeros(0), {}
    for place, model in enumerate(table.columns[2:], start=2):
        missed = np.nan_to_num(table.iloc[:, place].to_numpy(float)) * truths
        order = np.argsort(-missed, kind="stable")[:MOST_TOLD]
        told = [
            f"{in_sentence(str(table.iloc[row, 0]))} {cases_on_average(missed[row])} of {truths[row]:.0f}"
            for row in order.tolist()
            if missed[row] >= WHOLE
        ]
        if told:
            found[str(model)] = listed(told)
    return found


def _truths(mean: float) -> str:
    """In how many cases a label is the truth, short."""
    return f"{mean:.0f}" if mean >= 1 else "< 1"


def _cases(mean: float) -> str:
    """A mean number of cases, short: < 1, 1, 12."""
    return cases_on_average(mean).replace("fewer than 1", "< 1")


def _share(told: float, share: float, truths: float) -> str:
    """How often a model names a label: a share that is told, else of a few cases, else a dash."""
    if not np.isnan(told):
        return percent(told)
    if np.isnan(share) or truths < 1:
        return "–"
    return f"{_cases(share * truths)} of {truths:.0f}"
