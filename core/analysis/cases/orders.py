"""Orders of a worklist: what comes first, and the order for which nobody asks."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import pandas as pd
from pandas.api.types import is_numeric_dtype

from core.analysis.cases.preset_rules import by_certainty, unsettled_first
from core.analysis.cases.worklist import LEADS
from core.reviews.event import STATUSES


@dataclass(frozen=True)
class Order:
    """A way to sort a worklist.

    Attributes
    ----------
    words : str
        What comes first, in plain words.
    column : str
        Of the worklist; empty for the study's own order.
    ascending : bool
        Whether small values come first.
    values : tuple of str
        Of a column of words that have an order of their own: the words in it.
    by : callable, optional
        What is compared in place of the values of the column: a series from a worklist.
    then : str
        Column that cases which are equal by that are sorted by, small values first.
    """

    words: str
    column: str
    ascending: bool = False
    values: tuple[str, ...] = ()
    by: Callable[[pd.DataFrame], pd.Series] | None = None
    then: str = ""

    def key(self, cases: pd.DataFrame) -> pd.Series:
        """What cases are sorted by: words that are not there come last, empty ones too."""
        if self.by is not None:
            return self.by(cases)
        column = cases[self.column]
        if self.values:
            return column.map({value: place for place, value in enumerate(self.values)})
        return column if is_numeric_dtype(column) else column.replace("", None)


ORDERS: dict[str, Order] = {
    "unsettled": Order(
        "Danger nearest 50 first",
        "high_risk",
        ascending=True,
        by=unsettled_first,
        then="certainty",
    ),
    "certainty": Order("Least certain first", "certainty", ascending=True, by=by_certainty),
    "surest": Order("Most certain first", "certainty", by=by_certainty),
    "high_risk": Order("Most danger first", "high_risk"),
    "safest": Order("Least danger first", "high_risk", ascending=True),
    "stake": Order("Most risk at stake first", "risk_at_stake"),
    "disagreement": Order("Most disagreement first", "disagreement"),
    "error": Order("Surest model error first", "model_error"),
    "status": Order(
        "To be re-read first",
        "status",
        ascending=True,
        values=tuple(STATUSES[status] for status in ("re-read", "discussion", "awaited", "open", "settled")),
    ),
    "flagged": Order("Flagged first, by reason", "flags", ascending=True),
    "reviewer": Order("By who wrote last", "reviewer", ascending=True),
    "reviewed": Order("Last written about first", "reviewed"),
    "study": Order("In the study's order", ""),
}
"""Orders by name."""
OPPOSITE = {"certainty": "surest", "high_risk": "safest"}
"""What the head of a column asks for next, where the list is in that order already."""


def after(order: str, now: str) -> str:
    """Name the order that a head asks for which sorts by ``order``; empty for the usual one.

    The order itself comes first, then its opposite, if there is one, and then the usual one.
    """
    if now == order:
        return OPPOSITE.get(order, "")
    return "" if now == OPPOSITE.get(order) else order


def orders_of(cases: pd.DataFrame) -> list[str]:
    """Names of the orders for which a worklist has the column."""
    return [name for name, order in ORDERS.items() if not order.column or order.column in cases]


def usual_order(cases: pd.DataFrame) -> str:
    """Name of the order of a worklist for which none is asked.

    Where a label of high risk ever leads, cases in which danger is neither ruled out nor certain come first
    unless a reference settles them, those nearest to one half before the others, and then the least certain;
    else the least certain do. Where the list has been filtered by a label, so that columns say how often it
    leads, whoever asks for a danger finds the surest first.
    """
    has_danger = "high_risk" in cases and bool((cases["high_risk"] > 0).any())
    if has_danger and any(str(name).startswith(LEADS) for name in cases):
        return "high_risk"
    return "unsettled" if has_danger else "certainty"


def ordered(cases: pd.DataFrame, name: str) -> pd.DataFrame:
    """Return a worklist in one of `ORDERS`; equal cases keep their places, unknown values come last.

    Raises
    ------
    ValueError
        If there is no such order, or the worklist lacks its column.
    """
    if name not in orders_of(cases):
        raise ValueError(f"expected an order among {', '.join(orders_of(cases))}, got {name!r}")
    order = ORDERS[name]
    if not order.column:
        return cases
    if order.then:
        cases = cases.sort_values(order.then, kind="stable", na_position="last")
    key = order.key(cases).reset_index(drop=True)
    by_key = key.sort_values(ascending=order.ascending, kind="stable", na_position="last")
    return cases.iloc[by_key.index]
