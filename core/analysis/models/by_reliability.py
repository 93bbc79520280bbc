"""What a study comes to at several reliabilities: uncertain cases, ceiling, best supported model."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

import numpy as np
import pandas as pd

from core.analysis.cases.percent_ranges import SETTLED, within_percent
from core.analysis.export import format_reliability
from core.analysis.formatting import percent, percent_range
from core.metrics.adjusted.ceiling import ceiling_range
from core.plausibility.settings import MODELS, Aggregation
from core.study.model import FloatArray

USUAL = (1.0, 5.0)
"""Reliabilities that are shown whatever is in force: every reading once, and readers that are trusted far."""
_UNCERTAIN = f"Cases below {SETTLED}\u00a0% certainty"
_SOFTER = (95, 80, 50)
"""Certainties, in percent, below which cases are counted too."""
_DANGEROUS = "Cases that may be of high risk"


@dataclass(frozen=True)
class Reckoned:
    """What a study comes to at one reliability.

    Attributes
    ----------
    uncertain : float
        Share of the cases whose leading label is less than `SETTLED` percent certain, in [0, 1].
    ceiling : (float, float)
        Range over plausible truths of the accuracy of the best possible model, which no model's range ends
        above (`core.metrics.adjusted.ceiling.ceiling_range`).
    best : str
        The best supported model, with what is supported; empty without models.
    ranges : mapping of str to (float, float)
        Between which accuracies each model lies in most plausible truths.
    dangerous : int or None
        Cases that may be of high risk (`core.analysis.danger.danger_behind`); None without risk levels.
    """

    uncertain: float
    ceiling: tuple[float, float]
    best: str = ""
    ranges: Mapping[str, tuple[float, float]] = field(default_factory=dict)
    dangerous: int | None = None


def reckoned(
    certainty: pd.Series,
    best: str = "",
    ranges: Mapping[str, tuple[float, float]] | None = None,
    *,
    is_point: bool = False,
    dangerous: int | None = None,
) -> Reckoned:
    """Sum up one reliability.

    Parameters
    ----------
    certainty : Series of float
        Of the leading label of each case, in [0, 1]; NaN where nobody read it.
    best : str
        The best supported model, as `core.analysis.models.supported.leader_in_words` names it.
    ranges : mapping of str to (float, float), optional
        What is supported of each model.
    is_point : bool
        Whether the reliability is that of a point estimate.
    dangerous : int, optional
        Cases that may be of high risk.

    Raises
    ------
    ValueError
        If no case was read.
    """
    known = certainty.dropna()
    if known.empty:
        raise ValueError("no case has a reading, so no case is certain or uncertain")
    uncertain = float(np.mean(within_percent(known, 0, SETTLED)))
    ceiling = ceiling_of(known.to_numpy(), is_point=is_point)
    return Reckoned(uncertain, ceiling, best, ranges or {}, dangerous)


def uncertain_in_words(
    uncertain: float, rows: Mapping[float, Reckoned], supported: float | None = None
) -> str:
    """Say in how many cases the leading label is uncertain: now, and at other reliabilities, if any.

    That is the one of ``rows`` that the readings support, where it is known and not in force, else all.
    """
    shares = [of.uncertain for of in rows.values()]
    said, over = percent(uncertain), percent_range(min(shares), max(shares)) if rows else ""
    words = f"the leading label is less than {SETTLED}\u00a0% certain"
    if supported is not None and supported in rows:
        best = f"at γ = {format_reliability(supported)}, which the readings support, in"
        return f"In {said} of the cases {words}; {best} {percent(rows[supported].uncertain)}."
    depends = f" ({over} {_span(rows)})" if over not in ("", said) else ""
    return f"In {said} of the cases{depends} {words}."


def softer_in_words(certainty: pd.Series) -> str:
    """Say why the line is drawn where it is, and how many cases are below softer ones.

    Parameters
    ----------
    certainty : Series of float
        Of the leading label of each case, in [0, 1]; NaN where nobody read it.
    """
    known = certainty.dropna()
    shares = [percent(float(within_percent(known, 0, line).astype(float).mean())) for line in _SOFTER]
    told = "; ".join(f"below {line}\u00a0% in {share}" for line, share in zip(_SOFTER, shares, strict=True))
    return (
        f"Why {SETTLED}\u00a0%: a single label is used as if it were certain; below {SETTLED}\u00a0%, more "
        f"than 1 of 100 such labels would be wrong. By softer lines: {told}."
    )


def dangerous_in_words(now: int, rows: Mapping[float, Reckoned], supported: float | None = None) -> str:
    """Say in how many cases there may be danger at other reliabilities; empty where they are as many.

    Parameters
    ----------
    now : int
        Cases that may be of high risk at the reliability in force.
    rows : mapping of float to Reckoned
        At others.
    supported : float, optional
        The reliability of ``rows`` that the readings support, where it is not the one in force.
    """
    if supported is not None and supported in rows and rows[supported].dangerous is not None:
        best = f"At γ = {format_reliability(supported)}, which the readings support, they"
        return f"{best} are {rows[supported].dangerous:,}."
    counts = [now, *(of.dangerous for of in rows.values() if of.dangerous is not None)]
    if len(set(counts)) == 1:
        return ""
    first, last = rows[min(rows)].dangerous, rows[max(rows)].dangerous
    if None not in (first, last) and {first, last} == {min(counts), max(counts)}:
        at = [format_reliability(gamma) for gamma in (min(rows), max(rows))]
        return f"They are {first:,} at γ = {at[0]} and {last:,} at γ = {at[1]}."
    return f"They are {min(counts):,} to {max(counts):,} {_span(rows)}."


def assumed_in_words(tied: float, rows: Mapping[float, Reckoned]) -> str:
    """Say that a point estimate leaves doubt out, and how much of it there is at other reliabilities.

    Parameters
    ----------
    tied : float
        Share of the cases in which it cannot tell who leads, in [0, 1].
    rows : mapping of float to Reckoned
        At finite reliabilities; with none nothing is said of them.
    """
    tie = f"; in {percent(tied)} of the cases labels tie for the lead" if tied > 0 else ""
    said = f"A point estimate leaves doubt out, which is not to say that there is none{tie}."
    shares = [of.uncertain for of in rows.values()]
    if not shares:
        return said
    return (
        f"{said} {_span(rows).capitalize()}: {percent_range(min(shares), max(shares))} of the cases unsure."
    )


def _span(rows: Mapping[float, Reckoned]) -> str:
    """Over which reliabilities something is said."""
    return f"for γ from {format_reliability(min(rows))} to {format_reliability(max(rows))}"


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
        heads += ["Granted to any model, at most", "Best supported model"]
    written = []
    for gamma, row in rows.items():
        cells = ["…"] * (len(heads) - 1)
        if row is not None:
            danger = ["–" if row.dangerous is None else f"{row.dangerous:,}"] * has_risk
            cells = [percent(row.uncertain), *danger, _unbroken(percent_range(*row.ceiling)), row.best]
            cells = cells[: len(heads) - 1]
        marks = ["in use"] * (gamma == aggregation.reliability)
        marks += ["the readings support it"] * (gamma == best)
        number = format_reliability(gamma)
        written.append([f"{number}: {', '.join(marks)}" if marks else number, *cells])
    return heads, written


def _unbroken(words: str) -> str:
    """Keep a range in one line."""
    return words.replace(" ", "\u00a0")


def _counted(aggregation: Aggregation) -> str:
    """What γ counts, as the head of a column."""
    model = MODELS[aggregation.model]
    if model.counts == "together":
        return "γ: readings that a case counts as"
    return f"γ: times each {'score' if 'score' in model.kinds else 'reading'} counts"
