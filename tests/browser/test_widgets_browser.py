"""Every widget shows what the numbers are at, whichever way a page is reached."""

from __future__ import annotations

from typing import Any

import pytest
from browser.conftest import Link
from browser.visit import Visit

from dashboard.shell import studies

pytestmark = pytest.mark.browser

PAGES = ("Cases", "Reliability", "Cases", "Models", "Disagreement", "Raters", "Study", "Cases")
SHOWN = """() => Object.fromEntries(
  [...document.querySelectorAll("[class*='st-key-choose-']")].map((widget) => [
    [...widget.classList].find((name) => name.startsWith("st-key-choose-")),
    [...widget.querySelectorAll("input, button, [role=slider]")].map((part) => [
      part.value, part.checked, part.dataset.testid, part.getAttribute("aria-valuetext"),
    ]).concat([[widget.innerText]]),
  ])
)"""
"""What each widget shows, by its key."""
SLIDER = ".stSidebar [role=slider], .stSidebar input[type=range]"


def _reached(page: Any) -> dict[str, object]:
    """What the widgets show, once all of them have come."""
    shown: dict[str, object] = {}
    for _ in range(40):
        page.wait_for_timeout(500)
        before, shown = shown, page.evaluate(SHOWN)
        if shown and shown == before:
            break
    return shown


def test_widgets_show_the_same_by_link_and_by_the_way(context: Any, link: Link) -> None:
    """From page to page and back, no widget shows anything but what a fresh load of the address shows."""
    visit, fresh = Visit(context), Visit(context)
    page = visit.open(
        link("study", studies.SAMPLE, model="prirn", reliability=3, sort="disagreement", bins=7)
    )
    for name in PAGES:
        page.get_by_role("link", name=name, exact=True).click()
        path = "/" if name == "Study" else f"/{name.lower()}"
        page.wait_for_function("path => location.pathname === path", arg=path)
        page.wait_for_function("location.search.includes('reliability=3')")
        visit.settle()
        shown = _reached(page)
        fresh.page.goto(page.url)
        fresh.page.locator(".st-key-footer").wait_for(timeout=60_000)
        fresh.settle()
        assert shown == _reached(fresh.page), name
    assert visit.complaints == fresh.complaints == []


def test_a_step_on_the_next_page_begins_where_the_numbers_are(context: Any, link: Link) -> None:
    """Reliability 1 on one page is reliability 1 on the next, and a step leads to the step after it."""
    visit = Visit(context)
    page = visit.open(link("study", studies.SAMPLE, model="prirn", reliability=1))
    page.get_by_role("link", name="Cases", exact=True).click()
    page.locator(".st-key-case-title").wait_for()
    visit.settle()
    assert page.locator(SLIDER).first.get_attribute("aria-valuetext") == "1"
    page.locator(SLIDER).first.focus()
    page.keyboard.press("ArrowRight")
    page.wait_for_function("location.search.includes('reliability=1.5')")
    page.get_by_text("All readings of a case together count as 1.5,").wait_for()
