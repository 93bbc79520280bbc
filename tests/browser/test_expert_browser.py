"""One more expert says …, in a browser: from the folded panel to a posterior, by mouse."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest
from browser import axe
from browser.visit import Visit

pytestmark = pytest.mark.browser

Link = Callable[..., str]


def _opened(visit: Visit, address: str) -> Any:
    page = visit.open(address)
    visit.settle()
    page.locator(".st-key-expert summary").click()
    page.locator(".st-key-data-expert").wait_for(timeout=240_000)
    return visit.settle()


def test_an_expert_is_told_and_the_model_moves(context: Any, link: Link) -> None:
    """Unfolding fits; a label is searched for and chosen; the sentence and the address follow."""
    visit = Visit(context, width=900)
    page = _opened(visit, link("cases", "mixed_digits", model="label-counts", case="mixed-126"))
    page.get_by_text("Nobody has said more yet").wait_for()
    field = page.get_by_role("combobox", name="One more expert says …")
    field.click()
    field.type("7")
    page.get_by_role("option", name="7", exact=True).click()
    page.get_by_text("One more expert says “7”").wait_for()
    page.wait_for_function("location.search.includes('expert_says=7')")
    page.keyboard.press("Escape")
    visit.settle()
    assert visit.overflow() <= 0
    assert axe.faults(page) == []
    assert visit.complaints == visit.strangers == []


@pytest.mark.parametrize("study", ["hostile", "crowded"])
def test_odd_names_stay_text(context: Any, link: Link, study: str) -> None:
    """Names of models and labels are shown as they are written, and ten thousand labels are not all sent."""
    visit = Visit(context)
    _opened(visit, link("cases", study))
    assert visit.overflow() <= 0
    assert max(visit.messages) < 1_000_000
    assert visit.complaints == visit.strangers == []
