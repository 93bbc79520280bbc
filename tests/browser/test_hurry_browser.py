"""What is done in a hurry leaves pages whole: several acts before the browser hears of the first."""

from __future__ import annotations

from typing import Any
from urllib.parse import parse_qs, urlsplit

import pytest
from browser.conftest import Link
from browser.line import Line
from browser.visit import Visit

pytestmark = pytest.mark.browser

SLIDER = ".stSidebar input[type=range]"


@pytest.mark.parametrize("pause", [0, 30, 150, 1000])
def test_a_step_on_a_page_that_is_left_does_not_empty_the_next(context: Any, link: Link, pause: int) -> None:
    """A link is followed and the slider moved before the next page is there: that comes, and all of it."""
    visit = Visit(context)
    line = Line(visit.page)
    page = visit.open(link("cases", "toy_three_labels", model="label-counts", reliability=2))
    visit.settle()
    page.locator(SLIDER).first.focus()
    line.slow()
    page.get_by_role("link", name="Study", exact=True).evaluate("link => link.click()")
    page.wait_for_timeout(pause)
    page.keyboard.press("ArrowRight")
    page.wait_for_timeout(1500)
    line.mend()
    page.get_by_role("heading", name="Toy problem with three labels").wait_for()
    page.locator(".st-key-footer").wait_for()
    page.wait_for_function("location.search.includes('reliability=')")
    visit.settle()
    assert urlsplit(page.url).path == "/"
    (reliability,) = parse_qs(urlsplit(page.url).query)["reliability"]
    assert page.locator(SLIDER).first.get_attribute("aria-valuetext") == reliability
    words = {"2": "Each reading counts 2 times.", "3": "Each reading counts 3 times."}[reliability]
    page.locator(".stSidebar").get_by_text(words).wait_for()


@pytest.mark.parametrize("pause", [0, 150, 1500])
def test_a_case_opened_on_a_page_that_is_left_is_no_error(context: Any, link: Link, pause: int) -> None:
    """A link is followed and a row of the worklist clicked before the next page is there."""
    visit = Visit(context)
    line = Line(visit.page)
    page = visit.open(link("cases", "toy_three_labels", model="label-counts", reliability=2))
    visit.settle()
    rows = page.locator("tr[data-row]")
    rows.first.wait_for()
    line.slow()
    page.get_by_role("link", name="Study", exact=True).evaluate("link => link.click()")
    page.wait_for_timeout(pause)
    rows.nth(3).click()
    page.keyboard.press("Alt+n")
    page.wait_for_timeout(1500)
    line.mend()
    page.get_by_role("heading", name="Toy problem with three labels").wait_for()
    page.locator(".st-key-footer").wait_for()
    visit.settle()
    assert page.locator(".stException").count() == 0
