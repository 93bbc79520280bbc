"""Disagreement in a real browser: sound on every fitting sample, and from a surprise to its case by mouse."""

from __future__ import annotations

from typing import Any

import pytest
from browser import axe
from browser.conftest import Link
from browser.visit import OVERFLOW, Visit

pytestmark = pytest.mark.browser

FITTED = "What would one expert label save?"


def _open(context: Any, url: str, *, width: int = 1440, mode: str = "light") -> Visit:
    """The page, recalibrated."""
    visit = Visit(context, width=width, mode=mode)
    visit.open(url)
    visit.page.get_by_text(FITTED).wait_for(timeout=240_000)
    visit.settle()
    return visit


@pytest.mark.parametrize(
    ("study", "width", "mode"),
    [
        ("mixed_digits", 1440, "light"),
        ("mixed_digits", 900, "dark"),
        ("dermatology_like", 900, "light"),
        ("chest_xrays", 1440, "dark"),
    ],
)
def test_page_is_sound(context: Any, link: Link, study: str, width: int, mode: str) -> None:
    """No complaint, no overflow, nothing that is hard to read, nothing fetched from elsewhere."""
    visit = _open(context, link("disagreement", study), width=width, mode=mode)
    assert visit.complaints == []
    assert visit.strangers == []
    assert visit.page.locator(".stException").count() == 0
    assert visit.page.evaluate(OVERFLOW) <= 0
    assert axe.faults(visit.page) == []


def test_hostile_names_stay_text(context: Any, link: Link) -> None:
    """Labels and models whose names are HTML, formulas or links are written as they are."""
    visit = Visit(context, width=900)
    page = visit.open(link("disagreement", "hostile"), painted=False)
    page.get_by_role("heading", name="Disagreement", exact=True).wait_for()
    visit.settle()
    assert visit.complaints == []
    assert page.locator("img[src='x'], a[href*='x.example'], .katex").count() == 0


def test_from_a_surprise_to_its_case(context: Any, link: Link) -> None:
    """Another model and other bins, then the first surprising case: Cases opens with the list."""
    visit = _open(context, link("disagreement", "mixed_digits", predictor="Nearest neighbours", bins=9))
    page = visit.page
    assert "When Nearest neighbours says" in page.locator(".loupe-sentence").first.inner_text()
    page.get_by_test_id("stNumberInputStepUp").click()
    page.wait_for_function("location.search.includes('bins=10')")
    visit.settle()
    grid = page.locator(".st-key-unexpected-disagreement canvas").first
    grid.scroll_into_view_if_needed()
    box = grid.bounding_box()
    page.mouse.click(box["x"] + 15, box["y"] + 35 * 1.5)
    page.wait_for_url("**/cases?**")
    page.locator(".st-key-case-title h2").wait_for()
    visit.settle()
    assert "mixed-" in page.locator(".st-key-case-title h2").inner_text()
    assert page.url.count("only=") > 1
    assert visit.complaints == []
