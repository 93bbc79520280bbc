"""Which cases to read again, in a real browser: asked, answered, and a case of the list opened."""

from __future__ import annotations

from typing import Any
from urllib.parse import parse_qs, urlsplit

import pytest
from browser.axe import faults
from browser.conftest import Link
from browser.visit import Visit

pytestmark = pytest.mark.browser
PANEL = ".st-key-panel-reread"


def opened(context: Any, url: str, *, width: int, mode: str = "light") -> Visit:
    """The page, with the panel unfolded and answered."""
    visit = Visit(context, width=width, mode=mode)
    page = visit.open(url, painted=False)
    page.locator(f"{PANEL} summary").click(timeout=240_000)
    answer = page.locator(PANEL).get_by_text("spread at random")
    answer.wait_for(timeout=240_000)
    # A picture is drawn when it comes into sight.
    answer.evaluate("one => one.scrollIntoView({ block: 'start' })")
    page.locator(f"{PANEL} .stVegaLiteChart :is(canvas, svg)").first.wait_for(timeout=240_000)
    visit.settle()
    return visit


def test_panel_is_sound(context: Any, link: Link) -> None:
    """Answered for a link, at every width and in both modes, with nothing that a screen reader trips over."""
    url = link("raters", "mixed_digits", reliability=1, reread_readings="60")
    visit = opened(context, url, width=400, mode="dark")
    page = visit.page
    for width, mode in ((400, "dark"), (900, "light"), (1440, "light")):
        visit.look(width, mode)
        said = page.locator(PANEL).get_by_text("spread at random").inner_text().replace("\u00a0", " ")
        assert said.startswith("60 further readings of the ")
        assert visit.overflow() <= 0, width
        assert faults(page) == [], width
    assert visit.complaints == visit.strangers == []


def test_another_question_and_a_case_of_the_list(context: Any, link: Link) -> None:
    """Two models told apart, by mouse: in the address, the same after a reload; a row opens its case."""
    visit = opened(context, link("raters", "mixed_digits", reliability=1), width=1440)
    page = visit.page
    page.get_by_role("radio", name="two models told apart").click()
    answer = page.get_by_text("that decide most between the models")
    answer.wait_for(timeout=240_000)
    said = answer.inner_text()
    assert parse_qs(urlsplit(page.url).query)["reread_order"] == ["models"]
    page.reload()
    page.locator(f"{PANEL} summary").click(timeout=240_000)
    answer.wait_for(timeout=240_000)
    assert answer.inner_text() == said
    row = page.get_by_role("grid", name="Cases to read again").locator("tbody td.number").first
    row.wait_for()
    visit.settle()
    row.click()
    page.wait_for_url("**/cases**", timeout=240_000)
    assert "case" in parse_qs(urlsplit(page.url).query)
    page.go_back()
    page.locator(f"{PANEL} summary").click(timeout=240_000)
    made = page.get_by_role("button", name="Make a round of these")
    n_cases = made.inner_text(timeout=240_000).split()[-2]
    visit.settle()
    made.click()
    page.wait_for_url("**/review**", timeout=240_000)
    name = page.get_by_label("Your name")
    name.or_(page.get_by_text("planned on Raters")).first.wait_for()
    if name.count():
        name.fill("Ada")
        name.press("Enter")
    page.get_by_role("radio", name=f"The {n_cases} cases planned on Raters (100 further readings)").wait_for()
    page.get_by_role("button", name=f"Make the round of {n_cases} cases").wait_for()
    assert visit.complaints == visit.strangers == []
