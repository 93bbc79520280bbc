"""Automated accessibility check with axe, and what it finds in Streamlit's own markup."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import pytest
from browser.visit import SETTLED, STILL


@dataclass(frozen=True)
class Known:
    """A finding that Loupe cannot mend.

    Attributes
    ----------
    rule : str
        Name of the rule of axe.
    element : str
        CSS selector of the elements that it is known of.
    why : str
        Why it stays.
    """

    rule: str
    element: str
    why: str


KNOWN = (
    Known(
        "list",
        "ul[data-testid='stSidebarNavItems']",
        "Streamlit wraps each section of the navigation in a div between the list and its items.",
    ),
    Known(
        "listitem",
        "ul[data-testid='stSidebarNavItems'] > div li",
        "The same div, seen from the items.",
    ),
)

IS_THERE = "() => typeof axe !== 'undefined'"
_RUN = """async (known) => {
  const isGrave = (rule) => ["serious", "critical"].includes(rule.impact);
  // What a rule finds is as grave as the rule says, so rules that can find nothing grave need not be run.
  const small = axe._audit.rules.filter((rule) => rule.impact && !isGrave(rule));
  const rules = Object.fromEntries(small.map((rule) => [rule.id, {enabled: false}]));
  const found = await axe.run(document, {resultTypes: ["violations"], elementRef: true, rules});
  const grave = found.violations.filter(isGrave);
  return grave.flatMap((rule) => rule.nodes.map((node) => [
    rule.id,
    `${node.html.slice(0, 200)}: ${node.failureSummary.slice(0, 300)}`,
    known.some(([name, css]) => name === rule.id && node.element.matches(css)),
  ]));
}"""
"""Rule, what was found, and whether it is known."""


LOOKS = 4


def faults(page: Any) -> list[str]:
    """Serious and critical findings of axe on an open page that stay, without those that are known.

    While the script of a page runs, as it does when long work ends, Streamlit fades what is old; so a page
    with findings is looked at again.
    """
    unknown: list[str] = []
    for look in range(LOOKS):
        if look > 0:
            page.wait_for_timeout(700)
            page.wait_for_function(SETTLED, timeout=240_000)
        unknown = [f"{rule}: {found}" for rule, found, is_known in _findings(page) if not is_known]
        if not unknown:
            break
    return unknown


def excused(page: Any) -> set[str]:
    """Rules with findings on an open page that are known."""
    return {rule for rule, _, is_known in _findings(page) if is_known}


def _findings(page: Any) -> list[tuple[str, str, bool]]:
    """Run axe, which comes with the package and is not fetched."""
    base = pytest.importorskip("axe_playwright_python.base", reason="needs axe-playwright-python")
    if not page.evaluate(IS_THERE):
        page.evaluate(base.AXE_SCRIPT)
    page.evaluate(STILL)
    found: list[tuple[str, str, bool]] = page.evaluate(_RUN, [(one.rule, one.element) for one in KNOWN])
    return found
