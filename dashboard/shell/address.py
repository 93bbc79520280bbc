"""The view as an address: parameters of a link, and back."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any
from urllib.parse import quote

from core.analysis.cases.select import MOST_ONLY
from core.settings import RESETS, options
from dashboard.shell.view import MOST_ADDRESS, View


def parse(address: Mapping[str, Sequence[str]], view: type[View] = View) -> tuple[View, list[str]]:
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
    known = {name: of for of in options(view) if of.address for name in (*of.former, of.address)}
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
    return view(**values), problems


def format_address(chosen: View) -> dict[str, tuple[str, ...]]:
    """Parameters of the address that reproduces a view, without what is empty; study, task … come first."""
    first = list(RESETS)
    order = sorted(
        options(type(chosen)), key=lambda of: first.index(of.name) if of.name in first else len(first)
    )
    return {
        of.address: of.kind.texts(value)
        for of in order
        if of.address and (value := getattr(chosen, of.name)) != of.default
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
