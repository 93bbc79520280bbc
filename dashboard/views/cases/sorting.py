"""Heads of the worklist that sort it, and the order that it is in."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import pandas as pd

from core.analysis.cases.orders import OPPOSITE, ORDERS, after, orders_of, usual_order
from core.analysis.cases.presets import PRESETS
from dashboard.components.case_list import Column
from dashboard.shell import state


def sortable(cases: pd.DataFrame, names: Sequence[str], heads: Sequence[Column]) -> list[Column]:
    """Heads that sort the list, where there is an order by their column, with the one that is in force."""
    now = in_force(cases)
    known = orders_of(cases)
    by_column = {ORDERS[name].column: name for name in known if name not in OPPOSITE.values()}
    found = []
    for name, head in zip(names, heads, strict=True):
        order = by_column.get(name, "")
        is_by_this = bool(order) and now in (order, OPPOSITE.get(order))
        how = "ascending" if is_by_this and ORDERS[now].ascending else "descending"
        found.append(replace(head, order=order, sorted=how if is_by_this else ""))
    return found


def in_force(cases: pd.DataFrame) -> str:
    """Name the order that the list is in; empty for one of a preset that is none of `ORDERS`."""
    now = state.view()
    if now.sort:
        return now.sort
    if now.preset not in PRESETS:
        return usual_order(cases)
    first = PRESETS[now.preset].comes_first(cases)
    return next((name for name, order in ORDERS.items() if order.words == first), "")


def sort_by(order: str, now: str) -> None:
    """Put a list that is in the order ``now`` in another, or in its opposite, and then in its usual one."""
    if order in ORDERS:
        state.change(sort=after(order, now))
