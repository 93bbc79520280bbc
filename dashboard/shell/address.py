"""The view as an address: parameters of a link, and back."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, TypeVar
from urllib.parse import parse_qs, quote, urlencode

from core.analysis.cases.select import MOST_ONLY, Filters
from core.settings import Settings, format_address, options
from dashboard.shell.view import MOST_ADDRESS, View

T = TypeVar("T", bound=Settings)


def parse(address: Mapping[str, Sequence[str]], view: type[View] = View) -> tuple[View, list[str]]:
    """Read a view from the parameters of an address.

    Returns
    -------
    View
        With defaults in place of what cannot be understood.
    list of str
        What that was, in plain words.
    """
    return _read(address, view)


def _read(address: Mapping[str, Sequence[str]], settings: type[T]) -> tuple[T, list[str]]:
    """Read settings, and say what cannot be understood."""
    values: dict[str, Any] = {}
    problems = []
    known = {name: of for of in options(settings) if of.address for name in (*of.former, of.address)}
    for name, given in address.items():
        if name not in known:
            problems.append(f"The address names “{name}”, which means nothing here; it is ignored.")
            continue
        try:
            values[known[name].name] = known[name].linked.read(given)
        except ValueError as wrong:
            problems.append(
                f"The address asks for {name} “{' '.join(given)}”: {wrong}. The default is shown."
            )
    return settings(**values), problems


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


def filters_text(filters: Filters) -> str:
    """Write filters as a link does: ``risk=high&certainty=80-85``."""
    return urlencode(format_address(filters), doseq=True)


def read_filters(text: str) -> Filters | None:
    """Read what `filters_text` wrote; None where anything in it means nothing."""
    filters, problems = _read(parse_qs(text, keep_blank_values=True), Filters)
    return None if problems else filters
