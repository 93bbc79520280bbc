"""How readings are counted, in the sidebar: folded where a page is for somebody else, with the slider."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from browser.conftest import Link
from browser.forked import serve
from browser.visit import Visit

from dashboard.shell import studies

pytestmark = pytest.mark.browser

SLIDER = ".stSidebar input[type=range]"
FOLD = ".stSidebar .st-key-counting summary"


def test_how_readings_are_counted_is_folded_and_said(browser: Any, tmp_path: Path) -> None:
    """Nobody needs to know of γ to read Study: a line says what is in force, and the fold holds the rest."""
    with serve(tmp_path) as url:
        visit = Visit(browser.new_context())
        page = visit.open(f"{url}/study?study={studies.SAMPLE}", painted=False)
        counted = page.locator(".stSidebar").get_by_text("Each reading counts")
        counted.get_by_text("twice").wait_for()
        visit.settle()
        assert not page.locator(SLIDER).is_visible()
        assert not page.get_by_role("combobox", name="How readings are aggregated").is_visible()
        assert not page.locator(".stSidebar").get_by_text("It was 1 until").is_visible()
        page.locator(FOLD).click()
        page.locator(".stSidebar .st-key-counting-slider").wait_for()
        assert page.get_by_role("combobox", name="How readings are aggregated").is_visible()
        assert page.locator(".stSidebar").get_by_text("It was 1 until").is_visible()
        # Drawn while nobody saw it, the curve has the width that it has now.
        curve = page.locator(".stSidebar .stVegaLiteChart canvas, .stSidebar .stVegaLiteChart svg").first
        curve.wait_for()
        assert curve.bounding_box()["width"] > 150
        page.locator(SLIDER).focus()
        page.keyboard.press("ArrowRight")
        counted.get_by_text("3 times").wait_for()
        visit.settle()
        assert page.locator(SLIDER).is_visible()
        assert page.locator(SLIDER).evaluate("one => one === document.activeElement")
        # Who has chosen sees on the next page what is in force.
        visit.follow("Cases")
        page.locator(SLIDER).wait_for()
        assert page.locator(SLIDER).get_attribute("aria-valuetext") == "3"
        page.locator(FOLD).click()
        page.locator(SLIDER).wait_for(state="hidden")
        assert counted.get_by_text("3 times").is_visible()
        assert visit.complaints == []
        page.context.close()


def test_it_is_unfolded_where_a_page_is_about_it_and_for_who_comes_by_a_link(
    browser: Any, tmp_path: Path
) -> None:
    """On Reliability the slider stands open; so it does on Study for whoever a link brings to another γ."""
    with serve(tmp_path) as url:
        visit = Visit(browser.new_context())
        page = visit.open(f"{url}/cases?study={studies.SAMPLE}", painted=False)
        page.locator(FOLD).wait_for()
        visit.settle()
        assert not page.locator(SLIDER).is_visible()
        visit.follow("Reliability")
        page.locator(SLIDER).wait_for()
        page.context.close()
        other = Visit(browser.new_context())
        page = other.open(f"{url}/study?study={studies.SAMPLE}&reliability=5", painted=False)
        page.locator(SLIDER).wait_for()
        assert page.locator(SLIDER).get_attribute("aria-valuetext") == "5"
        assert visit.complaints == other.complaints == []
        page.context.close()


def test_back_unfolds_nothing_where_nobody_chose_how_readings_count(context: Any, link: Link) -> None:
    """The address names the reliability that was taken unasked: on the way back nobody has chosen it."""
    visit = Visit(context)
    page = visit.open(link("study", studies.SAMPLE), painted=False)
    page.locator(".st-key-study-below", has_text="counts twice").wait_for()
    page.locator(".st-key-finding-danger-first button").first.click()
    visit.arrive("Cases")
    page.wait_for_function("location.search.includes('reliability=2')")
    page.reload()
    visit.arrive("Cases")
    visit.settle()
    assert not page.locator(SLIDER).is_visible(), "loaded anew it is what it was"
    page.go_back()
    visit.arrive("Study")
    page.locator(".st-key-study-below", has_text="counts twice").wait_for()
    visit.settle()
    assert not page.locator(SLIDER).is_visible()
    assert visit.complaints == []
