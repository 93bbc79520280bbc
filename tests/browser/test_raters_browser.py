"""Raters in a real browser: sound on every kind of study, a choice of raters, and a case from its picture."""

from __future__ import annotations

from typing import Any
from urllib.parse import parse_qs, urlsplit

import pytest
from browser.conftest import Link
from browser.kept import Kept
from browser.test_dashboard_browser import assert_sound
from browser.visit import PAINTED, Visit

pytestmark = pytest.mark.browser


def opened(context: Any, url: str, *, width: int = 1440, mode: str = "light") -> Visit:
    """The page, drawn and quiet."""
    visit = Visit(context, width=width, mode=mode)
    visit.open(url)
    visit.settle()
    return visit


@pytest.mark.parametrize(
    ("study", "looks"),
    [
        ("knee_mri", [(1440, "light"), (900, "dark")]),
        ("dermatology_like", [(900, "light")]),
        ("hostile", [(900, "light")]),
    ],
)
def test_page_is_sound(kept: Kept, link: Link, study: str, looks: list[tuple[int, str]]) -> None:
    """Nothing complains, overflows or is hard to read."""
    visit = kept.look(link("raters", study), width=looks[0][0], mode=looks[0][1])
    visit.page.wait_for_function(PAINTED)
    visit.settle()
    for width, mode in looks:
        visit.look(width, mode)
        assert visit.page.locator(".stVegaLiteChart").count() >= 4
        assert_sound(visit, f"{study} {width} {mode}")


def test_unpick_a_rater(context: Any, link: Link) -> None:
    """One rater is taken out by mouse: the sentence and the address change, and a reload says the same."""
    visit = opened(context, link("raters", "knee_mri"))
    page = visit.page
    before = page.locator(".loupe-sentence").first.inner_text()
    page.get_by_label("Remove reader-01").click()
    page.get_by_text("Raters: 12 of 13").wait_for()
    visit.settle()
    after = page.locator(".loupe-sentence").first.inner_text()
    assert after != before
    assert "reader-01" not in parse_qs(urlsplit(page.url).query)["raters"]
    page.reload()
    page.get_by_text("Raters: 12 of 13").wait_for()
    assert page.locator(".loupe-sentence").first.inner_text() == after
    assert visit.complaints == []


def test_a_click_on_a_case_opens_it(kept: Kept, link: Link) -> None:
    """From the least concordant case in the picture to the case."""
    page = kept.look(link("raters", "knee_mri")).page
    chart = page.locator(".st-key-chart-concordance-by-case canvas")
    chart.scroll_into_view_if_needed()
    box = chart.bounding_box()
    page.mouse.move(box["x"] + 0.3 * box["width"], box["y"] + 0.3 * box["height"])
    page.mouse.down()
    page.mouse.move(box["x"] + 0.5 * box["width"], box["y"] + 0.4 * box["height"], steps=4)
    page.mouse.up()
    page.get_by_role("button", name="in Cases").click()
    page.wait_for_url("**/cases?**")
    assert parse_qs(urlsplit(page.url).query)["only"]


def test_what_raters_say_for_each_truth(context: Any, link: Link) -> None:
    """Unfolded, the picture is drawn; known truths draw it anew; nothing overflows or complains."""
    visit = Visit(context, width=900, mode="dark")
    page = visit.open(link("raters", "knee_mri"))
    visit.settle()
    panel = page.locator(".st-key-panel-confusion")
    panel.locator("summary").first.click()
    panel.locator(".stVegaLiteChart svg").wait_for()
    visit.settle()
    panel.get_by_text("The references are known truths").click()
    visit.settle()
    panel.locator(".st-key-data-confusion").wait_for()
    visit.look(400, "light")
    assert_sound(visit, "400 light")
