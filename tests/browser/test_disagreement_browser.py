"""Disagreement in a real browser: sound on every fitting sample, and from a surprise to its case by mouse."""

from __future__ import annotations

import pytest
from browser.conftest import Link
from browser.kept import Kept
from browser.test_dashboard_browser import assert_sound
from browser.visit import Visit

pytestmark = pytest.mark.browser

FITTED = ".st-key-data-expert-label"
"""What stands there once a model is recalibrated."""


def _look(kept: Kept, url: str, *, width: int = 1440, mode: str = "light") -> Visit:
    """The page, recalibrated."""
    visit = kept.look(url, width=width, mode=mode)
    visit.page.locator(FITTED).wait_for(timeout=240_000)
    visit.settle()
    return visit


@pytest.mark.parametrize(
    ("study", "looks"),
    [
        ("mixed_digits", [(1440, "light"), (900, "dark")]),
        ("dermatology_like", [(900, "light")]),
        ("chest_xrays", [(1440, "dark")]),
    ],
)
def test_page_is_sound(kept: Kept, link: Link, study: str, looks: list[tuple[int, str]]) -> None:
    """No complaint, no overflow, nothing that is hard to read, nothing fetched from elsewhere."""
    visit = _look(kept, link("disagreement", study), width=looks[0][0], mode=looks[0][1])
    for width, mode in looks:
        visit.look(width, mode)
        assert_sound(visit, f"{width} {mode}")


def test_hostile_names_stay_text(kept: Kept, link: Link) -> None:
    """Labels and models whose names are HTML, formulas or links are written as they are."""
    visit = kept.look(link("disagreement", "hostile"), width=900)
    page = visit.page
    assert visit.complaints == []
    assert page.locator("img[src='x'], a[href*='x.example'], .katex").count() == 0


def test_from_a_surprise_to_its_case(kept: Kept, link: Link) -> None:
    """Another model and other bins, then the first surprising case: Cases opens with the list."""
    visit = _look(kept, link("disagreement", "mixed_digits", predictor="Nearest neighbours", bins=9))
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


def test_how_many_labels_a_model_must_name(kept: Kept, link: Link) -> None:
    """Unfolded, the panel says it; another coverage changes sentence and address; nothing overflows."""
    visit = _look(kept, link("disagreement", "dermatology_like"), width=900, mode="dark")
    page = visit.page
    panel = page.locator(".st-key-conformal")
    panel.locator("summary").click()
    panel.locator("table").wait_for()
    visit.settle()
    assert "To hold the truth in 90" in panel.locator(".loupe-sentence").inner_text()
    handle = panel.get_by_role("slider")
    handle.focus()
    handle.press("ArrowLeft")
    page.wait_for_function("location.search.includes('conformal_coverage=85')")
    visit.settle()
    panel.get_by_text("To hold the truth in 85").wait_for()
    for width, mode in ((1440, "light"), (400, "dark")):
        visit.look(width, mode)
        assert_sound(visit, f"{width} {mode}")
