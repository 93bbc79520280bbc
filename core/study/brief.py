"""How things say what they are: in a line, with numbers of things instead of the things."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from dataclasses import fields
from typing import Any

import numpy as np
import pandas as pd

_LONGEST = 100


def number_of(n: int, noun: str) -> str:
    """Write a number with its noun: 1 case, 2,000 cases."""
    return f"{n:,} {noun}{'' if n == 1 else 's'}"


def case_title(case_id: str) -> str:
    """Name a case, as a heading does."""
    return case_id if case_id.casefold().startswith("case") else f"Case {case_id}"


def first_names(known: Collection[str], most: int = 10) -> str:
    """Write the first of some names, and how many more there are."""
    shown = ", ".join(list(known)[:most])
    return shown + (f" and {len(known) - most:,} more" if len(known) > most else "")


def brief(thing: Any) -> str:
    """Representation of a dataclass in which sizes stand for arrays, frames and many of anything.

    To be used as ``__repr__ = brief`` in its class.
    """
    parts = [f"{of.name}={_short(getattr(thing, of.name))}" for of in fields(thing) if of.repr]
    return f"{type(thing).__name__}({', '.join(parts)})"


def tables_in_brief(thing: Any) -> str:
    """Representation of a report: the names of its ``tables`` and their numbers of rows; for ``__repr__``."""
    tables = [f"{name} ({number_of(len(table), 'row')})" for name, table in thing.tables.items()]
    return f"{type(thing).__name__}(tables: {', '.join(tables)})"


def _short(value: Any) -> str:
    if isinstance(value, np.ndarray):
        return f"<{value.dtype} with shape {value.shape}>"
    if isinstance(value, pd.DataFrame):
        return f"<{number_of(len(value), 'row')} × {number_of(value.shape[1], 'column')}>"
    if isinstance(value, tuple | list | Mapping | set | frozenset) and len(value) > 3:
        return f"<{type(value).__name__} of {len(value):,}>"
    text = repr(value)
    return text if len(text) <= _LONGEST else f"<{type(value).__name__}>"
