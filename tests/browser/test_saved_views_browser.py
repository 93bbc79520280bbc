"""Saved views in a real browser: saved in one tab, opened and changed in another."""

from __future__ import annotations

from typing import Any

import pytest
from browser.conftest import Link
from browser.visit import Visit

from dashboard.shell import studies

pytestmark = pytest.mark.browser

NAME = "<b>High</b> **risk** :smile:"


def _choose(page: Any, name: str) -> None:
    """Open a saved view from the sidebar."""
    page.locator("[class*=st-key-choose-saved-view] input").click()
    page.get_by_role("option", name=name, exact=True).click()


def test_a_view_is_saved_found_in_another_tab_shared_renamed_and_restored(context: Any, link: Link) -> None:
    """As it was named, with its filters, order and columns; a link of it names no folder.

    One press of Back leads from it to the page that it was opened from, and one forward to it again.
    """
    visit, second = Visit(context), Visit(context)
    chosen = {"certainty": "0-80", "sort": "disagreement", "columns": "labels"}
    page = visit.open(link("cases", studies.SAMPLE, model="prirn", reliability=3, **chosen))
    visit.settle()
    listed = page.locator(".loupe-listed").inner_text()
    page.locator(".st-key-save-view button").click()
    page.locator(".st-key-save-view-name input").wait_for()
    # Enter is heard once the form has its button as well.
    visit.settle()
    page.locator(".st-key-save-view-name input").fill(NAME)
    page.keyboard.press("Enter")
    page.get_by_text(f"Saved as “{NAME}”.").wait_for()
    other = second.open(link("study", studies.SAMPLE, model="prirn"))
    _choose(other, NAME)
    second.arrive("Cases")
    assert other.locator(".loupe-listed").inner_text() == listed
    for part in ("certainty=0-80", "sort=disagreement", "columns=labels", "reliability=3"):
        assert part in other.url
    there = other.url
    other.go_back()
    second.arrive("Study")
    assert "certainty" not in other.url
    other.go_forward()
    second.arrive("Cases")
    assert other.url == there
    other.locator("[class*=st-key-change-view] summary").click()
    assert "/cases?study=dermatology_like&" in other.locator(".stCode").last.inner_text()
    second.settle()
    other.locator("[class*=st-key-rename-view] input").fill("Mine")
    other.keyboard.press("Enter")
    other.locator("[class*=st-key-choose-saved-view]").get_by_text("Mine").or_(
        other.locator("[class*=st-key-choose-saved-view] input[value=Mine]")
    ).first.wait_for()
    other.get_by_role("button", name="Delete").click()
    other.get_by_text("“Mine” is deleted.").wait_for()
    other.get_by_test_id("stSidebar").get_by_role("button", name="Undo").click()
    # Of runs that were cut short something may stand until one has come to its end.
    other.locator("[class*=st-key-choose-saved-view] input[value=Mine]").wait_for()
    second.settle()
    assert other.locator("[class*=st-key-choose-saved-view] input").count() == 1
    assert visit.complaints == second.complaints == []
