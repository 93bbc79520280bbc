"""The cards on top of Study in a real browser: what they count adds up, leads there, and leaves no blank."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

import pytest
from browser.conftest import Link
from browser.forked import serve
from browser.kept import Kept
from browser.visit import STILL, Visit

from dashboard.shell import studies

pytestmark = pytest.mark.browser

MOST_BLANK = 40
"""Pixels that may be empty in a card, beside what keeps its parts apart."""
BLANKS = """() => {
  const end = (of) => Math.max(...[...document.querySelectorAll(of)].map(
    (one) => one.getBoundingClientRect().bottom));
  const top = (of) => document.querySelector(of).getBoundingClientRect().top;
  const verdict = ".st-key-study-verdict";
  const point = ".loupe-kept > div > .loupe-point";
  const said = end(`${verdict} .loupe-kept > div > :not(.loupe-point)`);
  return {
    verdict: top(`${verdict} .loupe-table`) - said,
    claims: top(`${verdict} ${point}`) - end(`${verdict} .loupe-folds`),
    points: top(".st-key-study-onward") - end(`${verdict} ${point}`),
    danger: end(".st-key-study-card-danger") - end(".st-key-study-danger > *"),
    listed: top(".st-key-study-danger") - end(".st-key-study-card-danger .loupe-kept > div > *"),
    sure: end(".st-key-study-card-sure") - end(".st-key-study-card-sure button"),
    bands: top(".st-key-anchor-uncertain") - end(".loupe-bands > *"),
  };
}"""
"""What is empty between the last words of each part and what follows, in pixels."""
MOST_GROWN = 4
"""Pixels by which words may be higher than their room."""
HEIGHTS = """window.heights = [];
setInterval(() => {
  const cards = document.querySelectorAll(
    ":is(.st-key-study-verdict, .st-key-study-card-danger) .loupe-card");
  if (cards.length < 3 || !document.querySelector(".st-key-study-verdict .loupe-table")) return;
  window.heights.push([...cards].map((one) => one.getBoundingClientRect().height));
}, 50);"""
"""Keeps how high the words of verdict, points and danger are, from when all are there."""
PARTS, FIRST = ".st-key-study-danger-parts", ".st-key-study-danger-first"


def _judged(visit: Visit) -> Any:
    """Wait until the verdict of Study is there."""
    page = visit.page
    page.get_by_role("table", name="Claims and verdicts").wait_for()
    page.wait_for_function("document.querySelector('.stMain [class*=st-key-work-]') === null")
    return visit.settle()


def _first_numbers(page: Any, within: str) -> list[int]:
    """Numbers that buttons begin with."""
    return [int(words.split()[0]) for words in page.locator(f"{within} button:visible").all_inner_texts()]


def test_the_parts_of_danger_add_up_and_the_first_to_look_at_stand_apart(kept: Kept, link: Link) -> None:
    """One bar, as long as its parts; every number leads to as many cases, by the keyboard too."""
    visit = kept.look(link("study", studies.SAMPLE, model="prirn"))
    page = _judged(visit)
    total = int(re.search(r"([0-9]+) of 301 cases\s+may be of high risk", page.inner_text("body"))[1])
    numbers = _first_numbers(page, PARTS)
    assert sum(numbers) == total
    drawn = page.locator(".loupe-parts i").evaluate_all("all => all.map((one) => +one.style.flexGrow)")
    assert drawn == numbers
    assert str(numbers[0]) in page.locator(".loupe-parts").get_attribute("aria-label")
    assert page.locator(FIRST).inner_text().startswith("Look first at")
    first = page.locator(f"{FIRST} button:visible").first
    many = _first_numbers(page, FIRST)[0]
    first.focus()
    page.keyboard.press("Enter")
    visit.arrive("Cases")
    assert page.locator(".loupe-listed").inner_text().startswith(f"{many} of 301 cases")
    assert visit.complaints == []


def test_no_card_is_half_empty(kept: Kept, link: Link) -> None:
    """Once all is known, in no width; and nothing is wider than the window."""
    visit = kept.look(link("study", studies.SAMPLE, model="prirn", reliability=5))
    page = _judged(visit)
    for width in (1440, 900, 400):
        visit.look(width, "light")
        page.evaluate(STILL)
        blanks = page.evaluate(BLANKS)
        assert {of: blank for of, blank in blanks.items() if not 0 <= blank <= MOST_BLANK} == {}, width
        assert visit.overflow() <= 0, width


@pytest.mark.parametrize("width", [1440, 900])
def test_the_words_of_the_cards_have_their_room_before_they_come(
    browser: Any, tmp_path: Path, width: int
) -> None:
    """Verdict and danger are found while the page is read: what stands below them in their cards stays."""
    with serve(tmp_path) as url:
        fresh = browser.new_context()
        visit = Visit(fresh, width=width)
        visit.page.add_init_script(HEIGHTS)
        visit.open(f"{url}/study?study={studies.SAMPLE}", painted=False)
        _judged(visit)
        heights = visit.page.evaluate("window.heights")
        assert len(heights) > 0
        for card in zip(*heights, strict=True):
            assert max(card) - min(card) <= MOST_GROWN, heights
        fresh.close()


def test_the_bars_of_certainty_follow_the_slider_and_move_nothing(kept: Kept, link: Link) -> None:
    """They hold all cases at every reliability, and what follows them stays where it was."""
    visit = kept.look(link("study", studies.SAMPLE, model="prirn", reliability=5))
    page = _judged(visit)
    picture = page.get_by_role("img", name="Cases by the certainty of their leading label")
    told = []
    tops = []
    for key in ("", "ArrowRight"):
        if key:
            page.get_by_role("slider").first.focus()
            page.keyboard.press(key)
            page.wait_for_function(
                "was => document.querySelector('.loupe-bands').getAttribute('aria-label') !== was",
                arg=told[0],
            )
            visit.settle()
        told.append(picture.get_attribute("aria-label"))
        tops.append(page.locator(".st-key-anchor-uncertain").bounding_box()["y"])
    for words in told:
        assert sum(map(int, re.findall(r"([0-9]+) \(", words))) == 301
    assert abs(tops[0] - tops[1]) <= 1
    assert visit.complaints == []


CLAIMS = """
window.claims = [];
setInterval(() => {
  const table = document.querySelector(".st-key-study-verdict .loupe-table");
  if (!table) return;
  const now = [table.getAttribute("aria-label"), table.getBoundingClientRect().height];
  if (String(window.claims.at(-1)) !== String(now)) window.claims.push(now);
}, 30);
"""
"""Notes how high the claims are, while they are judged and after."""


@pytest.mark.parametrize("width", [1440, 900, 700, 400])
def test_the_claims_are_as_high_while_they_are_judged(context: Any, link: Link, width: int) -> None:
    """What follows is not moved."""
    visit = Visit(context, width=width)
    visit.page.add_init_script(CLAIMS)
    page = visit.open(link("study", studies.SAMPLE, reliability=2.6 + width / 10_000), painted=False)
    page.get_by_role("table", name="Claims and verdicts").wait_for()
    visit.settle()
    seen = page.evaluate("window.claims")
    assert {name for name, _ in seen} == {"Claims, being judged", "Claims and verdicts"}
    heights = [height for _, height in seen]
    assert max(heights) - min(heights) <= 1, seen
