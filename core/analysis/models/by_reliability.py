"""What a study comes to at several reliabilities: uncertain cases, ceiling, best supported model."""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass, field

import numpy as np
import pandas as pd

from core.analysis.cases.percent_ranges import within_percent
from core.analysis.export import format_reliability
from core.analysis.formatting import percent, percent_range
from core.analysis.reliability.words import times_in_words
from core.metrics.adjusted.ceiling import ceiling_range
from core.plausibility.settings import MODELS, Aggregation
from core.study.model import FloatArray

ONCE = 1.0
"""Reliability at which each reading counts once."""
USUAL = (ONCE, 5.0)
"""Reliabilities that are shown whatever is in force: every reading once, and readers that are trusted far."""
UNSURE = 80
"""Certainty of the leading label, in percent, below which a case is counted first."""
_UNCERTAIN = f"Cases below {UNSURE}\u00a0% certainty"
_LESS = f"less than {UNSURE}\u00a0% certain"
_DANGEROUS = "Cases that may be of high risk"
_AS_SUPPORTED = "Counted as the readings support"


@dataclass(frozen=True)
class Reckoned:
    """What a study comes to at one reliability.

    Attributes
    ----------
    uncertain : float
        Share of the cases whose leading label is less than `UNSURE` percent certain, in [0, 1].
    ceiling : (float, float)
        Range over plausible truths of the accuracy of the best possible model, which no model's range ends
        above (`core.metrics.adjusted.ceiling.ceiling_range`).
    best : str
        The best supported model, with what is supported; empty without models.
    dangerous : int or None
        Cases that may be of high risk (`core.analysis.danger.danger_behind`); None without risk levels.
    judged : DataFrame or None
        What is known of the models, as `core.analysis.models.supported.Supported` holds it; None without any.
    """

    uncertain: float
    ceiling: tuple[float, float]
    best: str = ""
    dangerous: int | None = None
    judged: pd.DataFrame | None = field(default=None, repr=False, compare=False)


def reckoned(
    certainty: pd.Series,
    best: str = "",
    *,
    is_point: bool = False,
    dangerous: int | None = None,
    judged: pd.DataFrame | None = None,
) -> Reckoned:
    """Sum up one reliability.

    Parameters
    ----------
    certainty : Series of float
        Of the leading label of each case, in [0, 1]; NaN where nobody read it.
    best : str
        The best supported model, as `core.analysis.models.supported_words.leader_in_words` names it.
    is_point : bool
        Whether the reliability is that of a point estimate.
    dangerous : int, optional
        Cases that may be of high risk.
    judged : DataFrame, optional
        What is known of the models.

    Raises
    ------
    ValueError
        If no case was read.
    """
    known = certainty.dropna()
    if known.empty:
        raise ValueError("no case has a reading, so no case is certain or uncertain")
    uncertain = share_below(known, UNSURE)
    ceiling = ceiling_of(known.to_numpy(), is_point=is_point)
    return Reckoned(uncertain, ceiling, best, dangerous, judged)


def share_below(certainty: pd.Series, line: int) -> float:
    """Share of the cases that were read whose leading label is less than ``line`` percent certain."""
    return float(within_percent(certainty.dropna(), 0, line).astype(float).mean())


def uncertain_in_words(certainty: pd.Series) -> tuple[str, str]:
    """Say in how many cases the leading label is uncertain: a figure, and what it is of."""
    return percent(share_below(certainty, UNSURE)), f"of the leading labels are {_LESS}"


def also_uncertain_in_words(rows: Mapping[float, Reckoned], supported: float | None) -> str:
    """Say the same at the reliability that the readings support, if another than that in force."""
    if supported not in rows or supported is None:
        return ""
    return f"{_AS_SUPPORTED}, {percent(rows[supported].uncertain)} of the leading labels are {_LESS}."


def also_dangerous_in_words(rows: Mapping[float, Reckoned], supported: float | None) -> str:
    """Say in how many cases there may be danger at the reliability that the readings support, if another."""
    if supported not in rows or supported is None or rows[supported].dangerous is None:
        return ""
    count = rows[supported].dangerous
    return f"{_AS_SUPPORTED}, {count:,} {'case' if count == 1 else 'cases'} may be of high risk."


def dangerous_once_in_words(
    rows: Mapping[float, Reckoned], dangerous: int | None, aggregation: Aggregation
) -> str:
    """Say in how many cases there may be danger if each reading counted once, if it counts otherwise now.

    ``dangerous`` is their number as readings are counted now. Empty where either is not known, and where γ is
    not of each reading.
    """
    once = rows[ONCE].dangerous if aggregation.reliability != ONCE and ONCE in rows else None
    if once is None or dangerous is None or once == dangerous:
        return ""
    if MODELS[aggregation.model].counts == "together":
        return ""
    return (
        f"With each reading counted once, {once:,} {'case' if once == 1 else 'cases'} may be of high risk, "
        f"not {dangerous:,}."
    )


def assumed_in_words(tied: float) -> str:
    """Say that a point estimate leaves doubt out.

    Parameters
    ----------
    tied : float
        Share of the cases in which it cannot tell who leads, in [0, 1].
    """
    tie = f" In {percent(tied)} of the cases labels tie for the lead." if tied > 0 else ""
    return f"A point estimate leaves doubt out, which does not mean that there is none.{tie}"


def ceiling_of(certainty: FloatArray, *, is_point: bool) -> tuple[float, float]:
    """Range of the best possible model over plausible truths, one number where there is one truth."""
    if not is_point:
        return ceiling_range(certainty)
    mean = float(np.nanmean(certainty))
    return mean, mean


def shown_reliabilities(now: float, best: float | None) -> tuple[float, ...]:
    """Reliabilities to be compared: the usual ones, what is in force, and what the readings support."""
    return tuple(sorted({*USUAL, now, *([] if best is None else [best])}))


def in_words(
    rows: Mapping[float, Reckoned | None],
    aggregation: Aggregation,
    *,
    best: float | None,
    has_models: bool,
) -> tuple[list[str], list[list[str]]]:
    """Write a table of several reliabilities: its heads, and a row for each.

    Parameters
    ----------
    rows : mapping of float to Reckoned or None
        By reliability; None where it is not known yet.
    aggregation : Aggregation
        In force.
    best : float or None
        The reliability that the readings support; None where that is not known.
    has_models : bool
        Whether any model is judged; without one, two columns are left out, and without risk levels one.
    """
    heads = [_counted(aggregation), _UNCERTAIN]
    has_risk = any(row is not None and row.dangerous is not None for row in rows.values())
    heads += [_DANGEROUS] * has_risk
    if has_models:
        heads += ["Ceiling for any model", "Best supported model"]
    written = []
    for gamma, row in rows.items():
        cells = ["…"] * (len(heads) - 1)
        if row is not None:
            danger = ["–" if row.dangerous is None else f"{row.dangerous:,}"] * has_risk
            cells = [percent(row.uncertain), *danger, _unbroken(percent_range(*row.ceiling)), row.best]
            cells = cells[: len(heads) - 1]
        marks = ["in use"] * (gamma == aggregation.reliability)
        marks += ["the readings support it"] * (gamma == best)
        times = _times(gamma, aggregation)
        written.append([f"{times}: {', '.join(marks)}" if marks else times, *cells])
    return heads, written


def _unbroken(words: str) -> str:
    """Keep a range in one line."""
    return words.replace(" ", "\u00a0")


def _times(gamma: float, aggregation: Aggregation) -> str:
    """Write a reliability: how many times each reading counts, with γ; γ alone where it counts none each."""
    number = format_reliability(gamma)
    if math.isinf(gamma) or MODELS[aggregation.model].counts == "together":
        return number
    return f"{times_in_words(gamma)} (γ\u00a0=\u00a0{number})"


def _counted(aggregation: Aggregation) -> str:
    """What is counted, as the head of a column."""
    model = MODELS[aggregation.model]
    if model.counts == "together":
        return "γ: readings that a case counts as"
    return f"Each {'score' if 'score' in model.kinds else 'reading'} counts"
