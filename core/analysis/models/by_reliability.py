"""What a study comes to at several reliabilities: uncertain cases, ceiling, best supported model."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np
import pandas as pd

from core.analysis.cases.percent_ranges import SETTLED, within_percent
from core.analysis.export import format_reliability
from core.analysis.formatting import percent
from core.plausibility.settings import MODELS, Aggregation

USUAL = (1.0, 5.0)
"""Reliabilities that are shown whatever is in force: every reading once, and readers that are trusted far."""
_UNCERTAIN = f"Cases below {SETTLED}\u00a0% certainty"


@dataclass(frozen=True)
class Reckoned:
    """What a study comes to at one reliability.

    Attributes
    ----------
    uncertain : float
        Share of the cases whose leading label is less than `SETTLED` percent certain, in [0, 1].
    ceiling : float
        Mean certainty of the leading label, in [0, 1], which no model's adjusted accuracy exceeds.
    best : str
        The best supported model, with what is supported and claimed; empty without models.
    """

    uncertain: float
    ceiling: float
    best: str


def reckoned(certainty: pd.Series, best: str = "") -> Reckoned:
    """Sum up one reliability.

    Parameters
    ----------
    certainty : Series of float
        Of the leading label of each case, in [0, 1]; NaN where nobody read it.
    best : str
        The best supported model, as `core.analysis.models.supported.leader_in_words` names it.

    Raises
    ------
    ValueError
        If no case was read.
    """
    known = certainty.dropna()
    if known.empty:
        raise ValueError("no case has a reading, so no case is certain or uncertain")
    uncertain = float(np.mean(within_percent(known, 0, SETTLED)))
    return Reckoned(uncertain, float(known.mean()), best)


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
        Whether any model is judged; without one, two columns are left out.
    """
    heads = [_counted(aggregation), _UNCERTAIN]
    if has_models:
        heads += ["Ceiling of any model", "Best supported model"]
    written = []
    for gamma, row in rows.items():
        cells = ["…"] * (len(heads) - 1)
        if row is not None:
            cells = [percent(row.uncertain), percent(row.ceiling), row.best][: len(cells)]
        marks = ["in use"] * (gamma == aggregation.reliability)
        marks += ["the readings support it"] * (gamma == best)
        number = format_reliability(gamma)
        written.append([f"{number}: {', '.join(marks)}" if marks else number, *cells])
    return heads, written


def _counted(aggregation: Aggregation) -> str:
    """What γ counts, as the head of a column."""
    model = MODELS[aggregation.model]
    if model.counts == "together":
        return "γ: readings that a case counts as"
    return f"γ: times each {'score' if 'score' in model.kinds else 'reading'} counts"
