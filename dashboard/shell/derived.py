"""What is made of a table that never changes, kept as long as the table itself.

The slider comes back to steps where it was, and the page is drawn anew at every click: what the tables of
those steps come to is the same as before. `dashboard.shell.cache` keeps what takes long, by the value of
every argument; this keeps what takes some milliseconds, at the cost of a look into a dictionary.
"""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Callable, Hashable
from threading import Lock
from typing import Generic, TypeVar
from weakref import finalize

import pandas as pd

from dashboard.shell.cache import identity

T = TypeVar("T")
MOST = 4
"""Choices of which the outcome is kept for a table; beyond them the one asked for longest ago goes."""


class Derived(Generic[T]):
    """Values that follow from a table and a choice, of every table that is still in use.

    What is handed out is shared between sessions and must not be changed.
    """

    def __init__(self) -> None:
        self._kept: dict[int, OrderedDict[Hashable, T]] = {}
        self._lock = Lock()

    def of(self, table: pd.DataFrame, choice: Hashable, make: Callable[[], T]) -> T:
        """Return what was made of the table for this choice, or make it.

        Parameters
        ----------
        table : DataFrame
            Known by its identity: it must never change.
        choice : hashable
            All else that the value depends on.
        make : callable
            Makes the value of the two. A value that holds the table would keep it for ever.
        """
        number = identity(table)
        with self._lock:
            if number not in self._kept:
                self._kept[number] = OrderedDict()
                finalize(table, self._kept.pop, number, None)
            kept = self._kept[number]
            if choice in kept:
                kept.move_to_end(choice)
                return kept[choice]
        value = make()
        with self._lock:
            kept[choice] = value
            while len(kept) > MOST:
                kept.popitem(last=False)
        return value
