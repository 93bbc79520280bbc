"""Planning and fineness in a real browser: a plan by mouse, sliders of raters needed, an unusual case."""

from __future__ import annotations

import re
from typing import Any
from urllib.parse import parse_qs, urlsplit

import pytest
from browser.axe import faults
from browser.conftest import Link
from browser.visit import Visit

pytestmark = pytest.mark.browser


def opened(context: Any, url: str, *, width: int = 1440) -> Visit:
    """The page, with the plan drawn."""
    visit = Visit(context, width=width)
    visit.open(url)
    visit.page.get_by_text("asks for 22").wait_for(timeout=240_000)
    visit.settle()
    return visit


def test_how_many_readers(context: Any, link: Link) -> None:
    """Another question by mouse: another answer, in the address too, and a reload says the same."""
    visit = opened(context, link("raters", "knee_mri"))
    page = visit.page
    page.get_by_role("radio", name="the leading label certain").click()
    answer = page.get_by_text("make the leading label certain to")
    answer.wait_for(timeout=240_000)
    said = answer.inner_text()
    assert parse_qs(urlsplit(page.url).query)["plan"] == ["certainty"]
    page.reload()
    answer.wait_for(timeout=240_000)
    assert answer.inner_text() == said
    assert visit.complaints == []
    assert visit.strangers == []


def test_certainty_over_readings_and_reliability(context: Any, link: Link) -> None:
    """Worked out when it is opened; in words when it is pointed at; sound at 400 pixels."""
    visit = Visit(context, width=400, mode="dark")
    page = visit.open(link("raters", "mixed_digits", plan="certainty"), painted=False)
    page.locator(".st-key-panel-certainty-grid summary").click(timeout=240_000)
    plot = page.locator(".st-key-chart-certainty-grid .plot")
    plot.locator(".contourlayer path").first.wait_for(timeout=240_000)
    visit.settle()
    plot.scroll_into_view_if_needed()
    box = plot.bounding_box()
    page.mouse.move(box["x"] + 0.6 * box["width"], box["y"] + 0.3 * box["height"])
    lines = plot.locator(".hoverlayer tspan.line")
    lines.nth(1).wait_for()
    first, second = lines.all_text_contents()
    assert re.fullmatch(r"\d+ readings a case, γ = [\d.]+:", first)
    assert re.fullmatch(r"[<>]?\s?\d+\s% certain on average", second)
    assert "this study" in plot.get_attribute("aria-label")
    assert visit.overflow() <= 0
    assert faults(page) == []
    assert visit.complaints == visit.strangers == []


def test_raters_needed_by_slider_and_an_unusual_case(context: Any, link: Link) -> None:
    """The keyboard moves a slider; all panels are sound at 900 pixels; marked cases open."""
    visit = opened(context, link("raters", "knee_mri"), width=900)
    page = visit.page
    page.locator(".st-key-panel-needed summary").click()
    slider = page.get_by_role("slider", name="Wanted fineness")
    slider.wait_for()
    slider.press("ArrowLeft")
    page.get_by_text("majority is right in 90").wait_for()
    page.locator(".st-key-panel-represent summary").click()
    chart = page.locator(".st-key-chart-unusual-cases canvas")
    chart.wait_for(timeout=240_000)
    visit.settle()
    assert visit.overflow() <= 0
    found = faults(page)
    assert found == [], "\n\n".join(found)
    # Work that ends draws the page, and its pictures, once more.
    page.wait_for_function("!document.querySelector('[class*=st-key-work-]')", timeout=240_000)
    visit.settle()
    chart.scroll_into_view_if_needed()
    box = chart.bounding_box()
    page.mouse.move(box["x"] + 0.15 * box["width"], box["y"] + 0.3 * box["height"])
    page.mouse.down()
    page.mouse.move(box["x"] + 0.2 * box["width"], box["y"] + 0.4 * box["height"], steps=4)
    page.mouse.up()
    page.locator(".st-key-open-unusual button").click()
    page.wait_for_url("**/cases?**")
    assert parse_qs(urlsplit(page.url).query)["only"]
    assert visit.complaints == []
