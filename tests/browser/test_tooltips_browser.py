"""What pictures say under the pointer, in a real browser."""

from __future__ import annotations

import re
from typing import Any

import pytest
from browser.conftest import Link
from browser.kept import Kept
from browser.visit import Visit

from core.analysis.cases.presets import (
    ANY_HIGH_RISK,
    DANGER_MISSED,
    HIGH_RISK_BEHIND,
    MISSED_BEHIND,
    PRESETS,
)
from core.analysis.cases.presets_apart import APART
from dashboard.shell import studies

pytestmark = pytest.mark.browser

SAID = """() => new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(() =>
  done(document.querySelector("#vg-tooltip-element.visible")?.innerText ?? ""))))"""
ACROSS, DOWN = 9, 61
"""Places that are looked at: bars are thin, and rows many."""
PLACES = """(picture, [across, down]) => {
  const box = picture.getBoundingClientRect(), seen = new Map();
  const places = Array.from({length: across * down}, (_, i) => [
    box.left + (i % across + 0.5) / across * box.width,
    box.top + (Math.floor(i / across) + 0.5) / down * box.height,
  ]);
  return places.filter(([x, y]) => {
    const there = document.elementFromPoint(x, y);
    seen.set(there, (seen.get(there) ?? 0) + 1);
    return !(there instanceof SVGElement) || seen.get(there) <= 3;
  });
}"""
"""Those places of a picture, three of each mark at most: it says the same wherever it is pointed at."""
RAW = re.compile(r"\d\.\d{4,}|_|NaN|null|undefined")
SMALL = """() => [...document.querySelectorAll('.stMain svg text')].filter((e) => e.textContent.trim() &&
  parseFloat(getComputedStyle(e).fontSize) * Math.hypot(e.getScreenCTM().a, e.getScreenCTM().b) < 10.99)
  .map((e) => e.textContent)"""


@pytest.mark.parametrize("name", ["study", "cases"])
def test_what_is_said_under_the_pointer_is_said_in_words(kept: Kept, link: Link, name: str) -> None:
    """No name of a column, and no number with all of its digits."""
    visit = kept.look(link(name, studies.SAMPLE))
    page = visit.unfold_pictures()
    page.locator("[data-testid=stVegaLiteChart] :is(svg, canvas)").nth(1).wait_for()
    visit.settle()
    said = set()
    for picture in page.locator(".stMain [data-testid=stVegaLiteChart]").all():
        picture.scroll_into_view_if_needed()
        for x, y in picture.evaluate(PLACES, [ACROSS, DOWN]):
            page.mouse.move(x, y)
            said.add(page.evaluate(SAID))
    said.discard("")
    assert said, "no picture says anything"
    lines = {line for text in said for line in text.splitlines() if line.strip()}
    names = {line.split("\t")[0].strip() for line in lines if "\t" in line}
    assert {one for one in names if not one[:1].isupper()} == set()
    assert {line for line in lines if RAW.search(line)} == set()


@pytest.mark.parametrize("name", ["study", "cases", "tour"])
def test_words_of_pictures_can_be_read_on_a_narrow_page(kept: Kept, link: Link, name: str) -> None:
    """None is smaller than 11 pixels."""
    visit = kept.look(link(name, studies.SAMPLE))
    page = visit.unfold_pictures()
    page.set_viewport_size({"width": 400, "height": 800})
    page.locator(".stMain svg text").nth(1).wait_for(state="attached")
    visit.settle()
    assert page.evaluate(SMALL) == []


def test_each_list_says_under_the_pointer_how_it_differs(context: Any, link: Link) -> None:
    """By pointer and by keyboard, of the parts beneath a list too, of which two are called alike."""
    visit = Visit(context)
    page = visit.open(link("cases", studies.SAMPLE))
    for name, of in ((ANY_HIGH_RISK, HIGH_RISK_BEHIND), (DANGER_MISSED, MISSED_BEHIND)):
        page.get_by_role("radio", name=PRESETS[name].short).click()
        page.get_by_text(PRESETS[name].brief).first.wait_for()
        visit.settle()
        page.mouse.move(1, 1)
        page.get_by_role("radio", name=PRESETS[of].short).hover()
        page.wait_for_function(
            "words => document.querySelector('button:hover')?.title === words", arg=APART[of]
        )
    first = page.locator("[class*=st-key-choose-preset-button] button")
    assert first.count() == 4
    for button in first.all():
        button.hover()
        name = button.inner_text().strip()
        assert button.get_attribute("title") in [APART[one] for one in APART if PRESETS[one].short == name]
    first.first.focus()
    page.keyboard.press("Tab")
    page.keyboard.press("Shift+Tab")
    assert page.evaluate("document.activeElement.title") in APART.values()
    assert visit.complaints == []
