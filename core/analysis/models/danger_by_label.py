"""Which dangers a model misses or names: label by label, how often each is the truth, and what it says."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from types import MappingProxyType

import numpy as np
import pandas as pd

from core.analysis.formatting import WHOLE, cases_on_average, in_sentence, percent
from core.analysis.models.finding import listed
from core.analysis.models.missed_counts import missed_range
from core.metrics.risk import HIGH
from core.study.brief import brief
from core.study.model import FloatArray, IntArray, Task

MOST_DANGERS = 8
"""High-risk labels that are listed, those that are the truth most often."""
MOST_MODELS = 6
"""Models that are listed beside one another, those that the labels support best."""
FREQUENT = 5
"""Cases whose truth a danger is, on average over plausible truths, from which on shares of it are told."""
_ENOUGH = FREQUENT - 0.5
"""More than that is written as `FREQUENT` or more."""
LISTED = 3
"""Choices of a model that are looked through for a danger that it does not put first."""
ALL = "All dangers"
"""Row of all of them together."""
NONE_KNOWN = "–"
"""Stands where nothing is known."""
MOST_TOLD = 3
"""Dangers that are named of those that a model misses."""
MOST_NAMED = 4
"""Models that a sentence names."""
LEAST_TRUTHS = 0.5
"""Cases whose truth a label is, on average over plausible truths, from which on a share says anything."""


@dataclass(frozen=True, eq=False)
class Missed:
    """How many cases of the dangers that are the truth most often each model misses: it warns of no danger.

    Attributes
    ----------
    labels, models : tuple of str
        The most frequent danger first, no more than `named_dangers`; the best supported model first, no more
        than `MOST_MODELS`.
    cases, truths : ndarray of float64 with shape (n_labels, n_models)
        Means over plausible truths: of the cases whose truth is the label, as many as the model misses, and
        all of those that it predicted.
    listed : ndarray of float64 with shape (n_models,)
        Mean number of the cases missed, of all dangers, whose truth the model has among its first `LISTED`
        choices; empty where a task has no more labels than that.
    """

    labels: tuple[str, ...] = ()
    models: tuple[str, ...] = ()
    cases: FloatArray = field(default_factory=lambda: np.zeros((0, 0)))
    truths: FloatArray = field(default_factory=lambda: np.zeros((0, 0)))
    listed: FloatArray = field(default_factory=lambda: np.zeros(0))

    __repr__ = brief

    @property
    def is_counted(self) -> bool:
        """Whether cases are counted, as by a reference, and no means."""
        return bool((self.truths == np.round(self.truths)).all())

    @property
    def shares(self) -> FloatArray:
        """Share of the cases of each label that is missed, in [0, 1]; NaN of fewer than `LEAST_TRUTHS`."""
        is_enough = self.truths >= LEAST_TRUTHS
        return np.where(is_enough, self.cases / np.where(is_enough, self.truths, 1.0), np.nan)


def missed_by_label(
    task: Task, counted: Mapping[str, FloatArray], listed: Mapping[str, float] = MappingProxyType({})
) -> Missed:
    """List how many cases of each danger every model misses.

    Parameters
    ----------
    task : Task
        With risk levels.
    counted : mapping of str to ndarray of float with shape (2, n_labels)
        For each model, the best supported first, of
        `core.metrics.adjusted.metrics.RankedLabels.truths_by_label` those in which it warns of no danger, and
        all, sums over the cases that it predicted.
    listed : mapping of str to float
        For each model how many of its missed cases have a truth that is among its first `LISTED` choices.

    Notes
    -----
    Summed over all labels of high risk a model's ``cases`` are the dangers that it misses.
    """
    if not counted:
        return Missed()
    shown = _most_frequent(task, counted)[0]
    first = dict(list(counted.items())[:MOST_MODELS])
    cases, truths = np.stack([of[:, shown] for of in first.values()], axis=-1)
    behind = np.array([listed[model] for model in first if model in listed])
    if len(task.labels) <= LISTED:
        behind = np.zeros(0)
    return Missed(tuple(task.labels[code] for code in shown), tuple(first), cases, truths, behind)


def _most_frequent(task: Task, counted: Mapping[str, FloatArray]) -> tuple[IntArray, FloatArray]:
    """Codes of the high-risk labels that are the truth most often, and in how many cases each label is."""
    truths = np.max([true for _, true in counted.values()], axis=0)
    high = np.flatnonzero(task.risk == HIGH)
    return high[np.argsort(-truths[high], kind="stable")][: named_dangers(task)], truths


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
    shown, truths = _most_frequent(task, counted)
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
            _truths(truths),
            *(_share(one, share, truths) for one, share in zip(shares, row, strict=True)),
        ]
        for (label, truths), shares, row in zip(named, told, known, strict=True)
    ]
    return ["Danger", "Cases, on average", *models], rows


def missed_in_words(missed: Missed, judged: pd.DataFrame) -> tuple[list[str], list[list[str]], FloatArray]:
    """Write how many cases of each danger every model misses, and of all dangers, to which they add up.

    Parameters
    ----------
    missed : Missed
    judged : DataFrame
        Of `core.analysis.models.supported.Supported`, the same models first.

    Returns
    -------
    heads : list of str
        Of the columns: the danger, the cases whose truth it is, and each model.
    rows : list of list of str
        A row for each label, and the last of all dangers together. Where models predicted other cases it is
        said of how many each number is.
    shares : ndarray of float64 with shape (n_rows, n_models)
        What is missed of each as a share, in [0, 1]; NaN where it is of less than a case.
    """
    first = judged.iloc[: len(missed.models)]
    truths = np.vstack([missed.truths, first["dangers"].to_numpy(float)])
    shares = np.vstack([missed.shares, 1 - first["caught"].to_numpy(float)])
    labels = [*map(in_sentence, missed.labels), ALL]
    rows = [
        [label, _truths(max(of)), *_missed_of(row, of)]
        for label, row, of in zip(labels, shares.tolist(), truths.tolist(), strict=True)
    ]
    heads = ["Danger", "Cases" if missed.is_counted else "Cases, on average", *missed.models]
    return heads, rows, np.where(truths >= 1, shares, np.nan)


def missed_by_chance(missed: Missed, judged: pd.DataFrame) -> list[str]:
    """Write between how many of all dangers each model may miss on as many other cases like these.

    Parameters
    ----------
    missed : Missed
    judged : DataFrame
        As `missed_in_words` takes it.

    Returns
    -------
    list of str
        For each model the ends of the 95 % interval of its share, as cases; a dash where that is not known.
        Empty where it is known of none.
    """
    first = judged.iloc[: len(missed.models)][["caught_low", "caught_high", "dangers"]]
    ranges = [missed_range((low, high), dangers) for low, high, dangers in first.to_numpy(float).tolist()]
    return [one or NONE_KNOWN for one in ranges] if any(ranges) else []


def listed_in_sentence(missed: Missed) -> str:
    """Say how many of the dangers that each model misses it has second or third; empty where it is not known.

    Of many models it stands in the table alone.
    """
    if not 0 < len(missed.listed) <= MOST_NAMED:
        return ""
    (first, many), *others = zip(missed.models, missed_listed(missed), strict=True)
    each = listed([f"{first} has {many}", *(f"{model} {n}" for model, n in others)])
    return f"Of the dangers {'they miss' if others else 'it misses'}, {each} second or third."


def missed_listed(missed: Missed) -> list[str]:
    """Write of how many missed dangers each model has the truth second or third; empty where all would be."""
    return [_cases(mean) for mean in missed.listed.tolist()]


def _missed_of(shares: Sequence[float], truths: Sequence[float]) -> list[str]:
    """Write how many cases models miss; of how many where these are not as many for each."""
    are_alike = len({*map(_truths, truths)}) == 1
    return [
        NONE_KNOWN if np.isnan(share) else _cases(share * of) + f" of {_truths(of)}" * (not are_alike)
        for share, of in zip(shares, truths, strict=True)
    ]


def hardest(missed: Missed, n_models: int) -> str:
    """Say which of the more frequent dangers is hardest: the model that misses it least misses most there.

    Parameters
    ----------
    missed : Missed
    n_models : int
        Models that were judged.

    Returns
    -------
    str
        With how many of its cases each of up to `MOST_NAMED` models misses, of more the best at it alone.
        Empty where fewer than two labels are the truth of `FREQUENT` cases or more, and where the list has
        not all of the models.
    """
    if not missed.labels or len(missed.models) < n_models:
        return ""
    # Of a model that predicts few cases of a label nothing is known there.
    shares, most = missed.shares, missed.truths.max(axis=1)
    fewest = np.nan_to_num(shares, nan=2.0).min(axis=1)
    frequent = np.flatnonzero((most > _ENOUGH) & (fewest <= 1))
    if len(frequent) < 2:
        return ""
    worst = int(frequent[fewest[frequent].argmax()])
    label, truths, of_worst = in_sentence(missed.labels[worst]), missed.truths[worst].tolist(), shares[worst]
    said = _missed_of(of_worst.tolist(), truths)
    known = np.argsort(of_worst, kind="stable")[: np.isfinite(of_worst).sum()].tolist()
    (best, n), *others = [(missed.models[i], said[i].replace("< 1", "fewer than 1")) for i in known]
    about = "" if missed.is_counted else "about "
    of = "" if " of " in n else f"Of {about}{most[worst]:.0f}, "
    worst_is = f"Missed most across models: {label}."
    if len(known) > MOST_NAMED:
        return f"{worst_is} {of}even {best}, the best at it, misses {n}."
    return f"{worst_is} {of}{listed([f'{best} misses {n}', *map(' '.join, others)])}."


def most_missed(missed: Missed) -> dict[str, str]:
    """Name the dangers of which each model misses most cases, each with how many of how many.

    Up to `MOST_TOLD` are named, of which at least one case is missed on average; a model that misses none is
    left out.
    """
    found = {}
    for model, cases, truths in zip(missed.models, missed.cases.T, missed.truths.T, strict=True):
        told = [
            f"{in_sentence(missed.labels[row])} ({cases_on_average(cases[row])} of {_truths(truths[row])})"
            for row in np.argsort(-cases, kind="stable")[:MOST_TOLD].tolist()
            if cases[row] >= WHOLE
        ]
        if told:
            found[model] = listed(told)
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
        return NONE_KNOWN
    return f"{_cases(share * truths)} of {truths:.0f}"
