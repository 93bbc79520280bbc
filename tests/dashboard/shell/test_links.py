"""Links that people have kept still open the view that they opened when they were made."""

from __future__ import annotations

import json
import math
from pathlib import Path
from typing import Any
from urllib.parse import parse_qs

import pytest
from streamlit.testing.v1 import AppTest

from core.settings import options
from dashboard.shell.address import format_address, parse
from dashboard.shell.view import View

LINKS: list[dict[str, Any]] = json.loads(Path(__file__).with_name("links.json").read_text(encoding="utf-8"))
"""Each link, what the address alone says (``view``, ``notes``, ``address`` written again), and what comes of
it in a study: the ``aggregation`` and the address that is ``shown``. Only what is no default stands there."""


RENAMED = {
    "judged_on": "coverage",
    "truths": "annotations",
    "unsure": "source",
    "judged": "judged_by",
    "needed_dependence": "needed_difficulty",
    "plan_dependence": "plan_difficulty",
}
"""Names of parameters when the links were made, and now."""


def now(named: dict[str, Any]) -> dict[str, Any]:
    """What is named as parameters were then, under the names of now."""
    return {RENAMED.get(name, name): value for name, value in named.items()}


def plain(value: Any) -> Any:
    """A value as JSON has it."""
    if isinstance(value, tuple):
        return [plain(one) for one in value]
    return "∞" if value == math.inf else value


def chosen(view: View) -> dict[str, Any]:
    """What is chosen in a view, by its name in the address."""
    found = {of.name: (getattr(view, of.name), of.default) for of in options(View)}
    return {name: plain(value) for name, (value, default) in found.items() if value != default}


def parameters(link: str) -> dict[str, list[str]]:
    """Parameters of a link."""
    return parse_qs(link.partition("?")[2], keep_blank_values=True)


def settled(link: str) -> AppTest:
    """The sidebar at a link: the study is opened, and every choice made one that it allows."""

    def script() -> None:
        import streamlit as st

        from dashboard.shell import sidebar, state

        state.read_address()
        sidebar.choose()
        st.session_state["settled"] = state.aggregation()
        state.write_address()

    test = AppTest.from_function(script, default_timeout=300)
    for name, values in parameters(link).items():
        test.query_params[name] = values
    return test.run()


def aggregation_of(test: AppTest) -> list[Any]:
    """How readings are aggregated."""
    of = test.session_state["settled"]
    return [of.model, plain(of.reliability), of.confidence, of.tie_rule]


def shown(test: AppTest) -> dict[str, list[str]]:
    """What the address bar shows."""
    return {name: [given] if isinstance(given, str) else given for name, given in test.query_params.items()}


def test_enough_links_are_kept() -> None:
    """Every page, and every parameter that an address can have."""
    assert len(LINKS) >= 40
    assert {record["link"].partition("?")[0] for record in LINKS} == {
        *("tour", "study", "cases", "review", "reliability", "models", "disagreement", "raters"),
    }
    used = {name for record in LINKS for name in now(record["view"])}
    assert used == {of.name for of in options(View) if of.address}


@pytest.mark.parametrize("record", LINKS, ids=lambda record: record["link"])
def test_an_address_says_the_same(record: dict[str, Any]) -> None:
    """The view that an address alone describes, what it is told to have misunderstood, and the way back."""
    view, notes = parse(parameters(record["link"]))
    assert chosen(view) == now(record["view"])
    assert notes == record["notes"]
    assert {name: list(values) for name, values in format_address(view).items()} == now(record["address"])


@pytest.mark.parametrize("record", LINKS, ids=lambda record: record["link"])
def test_a_link_opens_the_same_view(record: dict[str, Any]) -> None:
    """With its study open: the aggregation, and all that the address shows then."""
    test = settled(record["link"])
    assert not test.exception
    assert aggregation_of(test) == record["aggregation"]
    assert shown(test) == now(record["shown"])
