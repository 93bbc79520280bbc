"""The view and its address: everything that a link reproduces, as parameters and back."""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, fields
from typing import Any
from urllib.parse import quote, unquote

from core.analysis.export import format_reliability
from core.analysis.select import ORDERS
from core.study.model import RISK_NAMES

MOST_RELIABILITY = 1000.0
MOST_ONLY = 200
"""Cases that a link can name one by one: addresses have to stay short enough to be passed on."""
MOST_ADDRESS = 6000
"""Characters that the names of those cases may take in the address."""
MOST_OBSERVATION = 3.0
MOST_PANELS = 9999
_YES = "yes"


@dataclass(frozen=True)
class View:
    """Everything that a link reproduces; an empty value is a default.

    Attributes
    ----------
    study, task, model : str
        Keys.
    reliability : float or None
        γ; None is the model's default.
    case : str
        Case id.
    search : str
        Text that worklist rows must hold.
    label, risk : tuple of str
        Only cases with one of these leading labels, leading risks.
    readers, certainty, could_change, wrong, metadata, only
        As `core.analysis.select.Filters` has them.
    sort : str
        Order of the worklist, one of `core.analysis.select.ORDERS`; empty for the preset's own.
    against : str
        The aggregation model compared with.
    preset : str
        Name of a ready-made worklist.
    what_if : str
        Changes to the readings of the case, as `core.analysis.what_if_text` writes them.
    observation : float or None
        Test value of the tour.
    panel : int
        Which three raters the tour asks, from 0.
    """

    study: str = ""
    task: str = ""
    model: str = ""
    reliability: float | None = None
    case: str = ""
    search: str = ""
    label: tuple[str, ...] = ()
    risk: tuple[str, ...] = ()
    readers: tuple[int, int] | None = None
    certainty: tuple[int, int] | None = None
    could_change: bool = False
    wrong: tuple[str, ...] = ()
    metadata: tuple[tuple[str, str], ...] = ()
    only: tuple[str, ...] = ()
    sort: str = ""
    against: str = ""
    preset: str = ""
    what_if: str = ""
    observation: float | None = None
    panel: int = 0


def parse(address: Mapping[str, Sequence[str]]) -> tuple[View, list[str]]:
    """Read a view from the parameters of an address.

    Returns
    -------
    View
        With defaults in place of what cannot be understood.
    list of str
        What that was, in plain words.
    """
    values: dict[str, Any] = {}
    problems = []
    names = {field.name for field in fields(View)}
    for name, given in address.items():
        if name not in names:
            problems.append(f"The address names “{name}”, which means nothing here; it is ignored.")
            continue
        try:
            values[name] = _READ.get(name, _text)(given)
        except ValueError as wrong:
            problems.append(
                f"The address asks for {name} “{' '.join(given)}”: {wrong}. The default is shown."
            )
    return View(**values), problems


def format_address(chosen: View) -> dict[str, tuple[str, ...]]:
    """Parameters of the address that reproduces a view, without what is empty."""
    written: dict[str, tuple[str, ...]] = {}
    for field in fields(View):
        value = getattr(chosen, field.name)
        if value != field.default:
            written[field.name] = _WRITE.get(field.name, _plain)(value)
    return written


def _plain(value: Any) -> tuple[str, ...]:
    return value if isinstance(value, tuple) else (str(value),)


def _written_span(value: tuple[int, int]) -> tuple[str, ...]:
    return (f"{value[0]}-{value[1]}",)


_WRITE: dict[str, Callable[[Any], tuple[str, ...]]] = {
    "reliability": lambda value: (format_reliability(value),),
    "readers": _written_span,
    "certainty": _written_span,
    "could_change": lambda _: (_YES,),
    "metadata": lambda pairs: tuple(f"{quote(column, safe=' ')}:{value}" for column, value in pairs),
    "observation": lambda value: (f"{value:g}",),
}


def _text(given: Sequence[str]) -> str:
    return given[-1]


def _reliability(given: Sequence[str]) -> float:
    allowed = f"a number above 0 and up to {MOST_RELIABILITY:g}, or ∞, was expected"
    try:
        value = math.inf if given[-1] in ("∞", "inf") else float(given[-1])
    except ValueError:
        raise ValueError(allowed) from None
    if not (0 < value <= MOST_RELIABILITY or value == math.inf):
        raise ValueError(allowed)
    return value


def _risks(given: Sequence[str]) -> tuple[str, ...]:
    allowed = [*RISK_NAMES, "unknown"]
    if not set(given) <= set(allowed):
        raise ValueError(f"one of {', '.join(allowed)} was expected")
    return tuple(given)


def _span(given: Sequence[str]) -> tuple[int, int]:
    low, _, high = given[-1].partition("-")
    if not (low.isdecimal() and high.isdecimal() and int(low) <= int(high)):
        raise ValueError("two numbers were expected, such as 3-6")
    return int(low), int(high)


def _yes(given: Sequence[str]) -> bool:
    if given[-1] != _YES:
        raise ValueError(f"{_YES} was expected")
    return True


def _pairs(given: Sequence[str]) -> tuple[tuple[str, str], ...]:
    pairs = [text.partition(":") for text in given]
    if not all(column and found for column, found, _ in pairs):
        raise ValueError("a column and a value were expected, such as site:arm")
    return tuple((unquote(column), value) for column, _, value in pairs)


def _only(given: Sequence[str]) -> tuple[str, ...]:
    if len(given) > MOST_ONLY:
        raise ValueError(f"no more than {MOST_ONLY} cases were expected, not {len(given):,}")
    return tuple(given)


def _order(given: Sequence[str]) -> str:
    if given[-1] not in ORDERS:
        raise ValueError(f"one of {', '.join(ORDERS)} was expected")
    return given[-1]


def _observation(given: Sequence[str]) -> float:
    allowed = f"a number from {-MOST_OBSERVATION:g} to {MOST_OBSERVATION:g} was expected"
    try:
        value = round(float(given[-1]), 1)
    except ValueError:
        raise ValueError(allowed) from None
    if not abs(value) <= MOST_OBSERVATION:
        raise ValueError(allowed)
    return value


def _panel(given: Sequence[str]) -> int:
    if not (given[-1].isdecimal() and int(given[-1]) <= MOST_PANELS):
        raise ValueError(f"a whole number up to {MOST_PANELS:,} was expected")
    return int(given[-1])


_READ: dict[str, Callable[[Sequence[str]], Any]] = {
    "reliability": _reliability,
    "label": tuple,
    "risk": _risks,
    "readers": _span,
    "certainty": _span,
    "could_change": _yes,
    "wrong": tuple,
    "metadata": _pairs,
    "only": _only,
    "sort": _order,
    "observation": _observation,
    "panel": _panel,
}


def fit_for_address(case_ids: Sequence[str]) -> tuple[str, ...]:
    """The first of these cases, as many as a link can name."""
    kept: list[str] = []
    room = MOST_ADDRESS
    for case_id in case_ids[:MOST_ONLY]:
        room -= len(quote(case_id)) + len("&only=")
        if room < 0:
            break
        kept.append(case_id)
    return tuple(kept)
