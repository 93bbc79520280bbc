"""The view as an address: parameters of a link, and back."""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping, Sequence
from dataclasses import fields
from typing import Any, get_args
from urllib.parse import quote, unquote

from core.analysis.cases.select import ORDERS
from core.analysis.export import format_reliability
from core.metrics.calibration.bins import BinKind
from core.study.model import RISK_NAMES
from dashboard.shell.view import (
    MOST_ADDRESS,
    MOST_BINS,
    MOST_DEPENDENCE,
    MOST_EXPERTS,
    MOST_OBSERVATION,
    MOST_ONLY,
    MOST_PANELS,
    MOST_RELIABILITY,
    PLANS,
    STANDARDS,
    View,
)

_PLANNED = (
    "needed_fineness",
    "needed_accuracy",
    "needed_dependence",
    "plan_for",
    "plan_accuracy",
    "plan_dependence",
)
_YES = "yes"


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
    "filtered": lambda _: (_YES,),
    "label_order": lambda _: (_YES,),
    "metadata": lambda pairs: tuple(f"{quote(column, safe=' ')}:{value}" for column, value in pairs),
    "observation": lambda value: (f"{value:g}",),
    "rater_accuracy": lambda value: (f"{value:g}",),
    "variability": lambda value: (f"{value:g}",),
    **dict.fromkeys(_PLANNED, lambda value: (f"{value:g}",)),
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


def _number(low: float, high: float) -> Callable[[Sequence[str]], float]:
    """Reads a number between two others."""

    def read(given: Sequence[str]) -> float:
        allowed = f"a number from {low:g} to {high:g} was expected"
        try:
            value = float(given[-1])
        except ValueError:
            raise ValueError(allowed) from None
        if not low <= value <= high:
            raise ValueError(allowed)
        return value

    return read


def _whole(low: int, high: int) -> Callable[[Sequence[str]], int]:
    """Reads a whole number between two others."""

    def read(given: Sequence[str]) -> int:
        if not (given[-1].isdecimal() and low <= int(given[-1]) <= high):
            raise ValueError(f"a whole number from {low} to {high:,} was expected")
        return int(given[-1])

    return read


def _one_of(allowed: Sequence[str]) -> Callable[[Sequence[str]], str]:
    """Reads one of a few words."""

    def read(given: Sequence[str]) -> str:
        if given[-1] not in allowed:
            raise ValueError(f"one of {', '.join(allowed)} was expected")
        return given[-1]

    return read


def _at_most(n: int, what: str) -> Callable[[Sequence[str]], tuple[str, ...]]:
    """Reads not too many of something."""

    def read(given: Sequence[str]) -> tuple[str, ...]:
        if len(given) > n:
            raise ValueError(f"no more than {n} {what} were expected, not {len(given):,}")
        return tuple(given)

    return read


def _observation(given: Sequence[str]) -> float:
    return round(_number(-MOST_OBSERVATION, MOST_OBSERVATION)(given), 1)


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


_share = _number(0, 1)
_READ: dict[str, Callable[[Sequence[str]], Any]] = {
    "reliability": _reliability,
    "confidence": _one_of(("weights",)),
    "label": tuple,
    "rivals": tuple,
    "risk": _risks,
    "readers": _span,
    "certainty": _span,
    "could_change": _yes,
    "wrong": tuple,
    "metadata": _pairs,
    "only": _at_most(MOST_ONLY, "cases"),
    "sort": _one_of(tuple(ORDERS)),
    "observation": _observation,
    "panel": _whole(0, MOST_PANELS),
    "expert_says": _at_most(MOST_EXPERTS, "labels"),
    "bins": _whole(1, MOST_BINS),
    "bin_kind": _one_of(get_args(BinKind)),
    "raters": tuple,
    "filtered": _yes,
    "label_order": _yes,
    "judged": _one_of(STANDARDS),
    "rater_accuracy": _share,
    "variability": _share,
    **dict.fromkeys(_PLANNED, _share),
    "needed_dependence": _number(0, MOST_DEPENDENCE),
    "plan_dependence": _number(0, MOST_DEPENDENCE),
    "plan": _one_of(PLANS),
    "set_columns": tuple,
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
