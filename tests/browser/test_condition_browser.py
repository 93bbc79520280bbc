"""A condition on the cases in a real browser: written, refused, taken along, saved, found again, cleared."""

from __future__ import annotations

from typing import Any

import pytest
from browser.conftest import Link
from browser.visit import Visit

pytestmark = pytest.mark.browser

WHERE = 'site == "Lakeside"'
FIELD = ".stSidebar [class*=st-key-choose-where] input"
SAID = ".st-key-condition"


def _write(visit: Visit, words: str, expected: str) -> None:
    """Write a condition into the sidebar, and wait for what the page says of it."""
    visit.page.locator(FIELD).fill(words)
    visit.page.keyboard.press("Enter")
    visit.page.locator(SAID).get_by_text(expected).wait_for()
    visit.settle()


def test_back_leads_to_a_page_that_was_left_before_its_end(context: Any, link: Link) -> None:
    """The condition is taken off while the page that it came to is still being drawn; Back has it again."""
    visit = Visit(context)
    page = visit.open(link("cases", "knee_mri", where=WHERE))
    page.get_by_role("link", name="Raters", exact=True).click()
    page.get_by_role("heading", name="Raters", exact=True).wait_for()
    page.get_by_role("button", name="Show all cases").click()
    page.locator(SAID).wait_for(state="detached")
    page.go_back()
    page.locator(SAID).get_by_text("56 of 300 cases").wait_for()
    visit.arrive("Raters")


def test_a_condition_goes_along_from_page_to_page(context: Any, link: Link) -> None:
    """It is refused beneath the field, stays on other pages and in saved views, and Back has it again."""
    visit = Visit(context)
    page = visit.open(link("cases", "knee_mri"))
    page.locator(".st-key-only-where summary").click()
    assert page.locator(FIELD).get_attribute("placeholder") == 'site == "North" and age >= 40'
    _write(visit, "site == Lakeside", "All 300 cases: the condition site == Lakeside is not in force.")
    assert "At character 9" in page.locator(".st-key-only-where .loupe-warning").inner_text()
    _write(visit, WHERE, "56 of 300 cases")
    assert page.get_by_text("All 56 cases.").count() == 1
    page.locator(".st-key-save-view button").click()
    page.locator(".st-key-save-view-name input").fill("By the lake")
    page.keyboard.press("Enter")
    page.get_by_text("Saved as “By the lake”.").wait_for()
    visit.follow("Raters")
    assert page.locator(FIELD).input_value() == WHERE
    page.get_by_role("button", name="Show all cases").click()
    page.locator(SAID).wait_for(state="detached")
    visit.settle()
    assert "where=" not in page.url
    page.go_back()
    page.locator(SAID).get_by_text("56 of 300 cases").wait_for()
    visit.arrive("Raters")
    page.go_forward()
    page.locator(SAID).wait_for(state="detached")
    visit.arrive("Raters")
    page.locator("[class*=st-key-choose-saved-view] input").click()
    page.get_by_role("option", name="By the lake", exact=True).click()
    visit.arrive("Cases")
    assert "56 of 300 cases" in page.locator(SAID).inner_text()
    page.locator("[class*=st-key-change-view] summary").click()
    assert "where=" in page.locator(".stCode").last.inner_text()
    page.get_by_role("button", name="Delete").click()
    page.get_by_text("“By the lake” is deleted.").wait_for()
    assert visit.complaints == []
