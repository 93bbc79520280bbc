"""Every widget shows what the numbers are at, whichever way a page is reached."""

from __future__ import annotations

from typing import Any
from urllib.parse import parse_qs, urlsplit

import pytest
from browser.conftest import Link
from browser.line import Line
from browser.visit import STILL, Visit

from dashboard.shell import studies

pytestmark = pytest.mark.browser

PAGES = ("Cases", "Reliability", "Models", "Disagreement", "Raters", "Study", "Cases")
SHOWN = """() => Object.fromEntries(
  [...document.querySelectorAll("[class*='st-key-choose-']")].map((widget) => [
    [...widget.classList].find((name) => name.startsWith("st-key-choose-")).replace(/--\\d+$/, ""),
    [...widget.querySelectorAll("input, button, [role=slider]")].map((part) => [
      part.value, part.checked, part.dataset.testid, part.getAttribute("aria-valuetext"),
    ]).concat([[widget.innerText]]),
  ])
)"""
"""What each widget shows, by its key."""
SLIDER = ".stSidebar [role=slider], .stSidebar input[type=range]"


def _reached(*pages: Any) -> list[dict[str, object]]:
    """What the widgets of each page show, once all of them have come."""
    shown: list[dict[str, object]] = []
    for _ in range(100):
        pages[0].wait_for_timeout(200)
        before, shown = shown, [page.evaluate(SHOWN) for page in pages]
        if all(shown) and shown == before:
            break
    return shown


def test_widgets_show_the_same_by_link_and_by_the_way(context: Any, link: Link) -> None:
    """From page to page and back, no widget shows anything but what a fresh load of the address shows.

    On none of them is the head of a table cut.
    """
    visit, fresh = Visit(context), Visit(context)
    page = visit.open(
        link("study", "toy_three_labels", model="prirn", reliability=3, sort="disagreement", bins=7)
    )
    for name in PAGES:
        page.get_by_role("link", name=name, exact=True).click()
        path = "/" if name == "Study" else f"/{name.lower()}"
        page.wait_for_function("path => location.pathname === path", arg=path)
        page.wait_for_function("location.search.includes('reliability=3')")
        visit.settle()
        fresh.page.goto(page.url)
        fresh.page.locator(".st-key-footer").wait_for(timeout=240_000)
        fresh.settle()
        # Work in the background that ends between two looks brings widgets of its own.
        for _ in range(3):
            shown, wanted = _reached(page, fresh.page)
            if shown == wanted:
                break
        assert shown == wanted, name
        assert visit.cut_heads() == [], name
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


def test_a_widget_whose_change_was_lost_on_the_way_is_told_with_the_next(context: Any, link: Link) -> None:
    """Another model takes its own reliability; a browser that was not told shows it after the next act."""
    visit = Visit(context)
    line = Line(visit.page)
    page = visit.open(link("cases", studies.SAMPLE, model="plackett-luce", reliability=5))
    visit.settle()
    line.cut()
    page.get_by_role("combobox", name="How readings are aggregated").click()
    page.keyboard.type("PrIRN")
    page.keyboard.press("Enter")
    said = 0
    while not said or said != line.lost:
        said = line.lost
        page.wait_for_timeout(1500)
    line.mend()
    page.get_by_label("Search").fill("melanoma")
    page.keyboard.press("Enter")
    page.wait_for_function("location.search.includes('search=melanoma')")
    visit.settle()
    address = parse_qs(urlsplit(page.url).query)
    assert address["model"] == ["prirn"]
    assert address["reliability"] == ["10"]
    assert page.locator(SLIDER).first.get_attribute("aria-valuetext") == "10"
    page.get_by_text("All readings of a case together count as 10,").wait_for()


def test_what_a_person_changes_keeps_the_keyboard(context: Any, link: Link) -> None:
    """Steps of the slider and words in the search come one after the other, with nothing to click between."""
    visit = Visit(context)
    page = visit.open(link("cases", "toy_three_labels", model="plackett-luce", reliability=1))
    visit.settle()
    page.locator(SLIDER).first.focus()
    for gamma in ("1.5", "2", "3"):
        page.keyboard.press("ArrowRight")
        page.wait_for_function("gamma => location.search.includes(`reliability=${gamma}`)", arg=gamma)
        visit.settle()
    assert page.locator(SLIDER).first.evaluate("slider => slider === document.activeElement")
    search = page.get_by_label("Search")
    search.focus()
    for word in ("toy", "toy-0", "toy-00"):
        page.keyboard.press("Control+a")
        page.keyboard.type(word)
        page.keyboard.press("Enter")
        page.wait_for_function(
            "word => new URLSearchParams(location.search).get('search') === word", arg=word
        )
        visit.settle()
    assert search.evaluate("field => field === document.activeElement")


_FRAME = """([field, frame]) => {
  const of = getComputedStyle(document.querySelector(field).closest(frame));
  return [of.backgroundColor, of.borderColor];
}"""


def test_a_field_looks_like_one_and_shows_the_keyboard(context: Any, link: Link) -> None:
    """It has the colour of the page, where a grey one looks closed; its frame says that somebody is at it."""
    visit = Visit(context)
    page = visit.open(link("cases", "toy_three_labels", model="prirn"))
    visit.settle()
    page.get_by_role("button", name="Note", exact=True).click()
    page.locator("textarea").wait_for()
    for mode in ("light", "dark"):
        visit.turn(mode)
        _looks_like_a_field(page)
    assert visit.complaints == []


def _looks_like_a_field(page: Any) -> None:
    """Each kind of them does, in the colours that the page has."""
    ground = page.evaluate("getComputedStyle(document.querySelector('.stApp')).backgroundColor")
    for field, frame in (
        ("[aria-label=Search]", "[data-testid=stTextInputRootElement]"),
        (".stMain .stSelectbox input", ".stSelectbox [role=group]"),
        ("textarea", "[data-testid=stTextAreaRootElement]"),
    ):
        page.locator("textarea").focus()
        page.locator("h1").first.click()
        page.wait_for_function(STILL)
        left = page.evaluate(_FRAME, [field, frame])
        page.locator(field).first.focus()
        page.wait_for_timeout(400)
        entered = page.evaluate(_FRAME, [field, frame])
        assert left[0] == entered[0] == ground, field
        assert left[1] != entered[1], field
