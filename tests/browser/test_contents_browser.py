"""The list of what is on a long page, in a real browser."""

from __future__ import annotations

import pytest
from browser.conftest import Link
from browser.kept import Kept

from dashboard.shell import studies

pytestmark = pytest.mark.browser

_SCROLL = "at => { document.querySelector('[data-testid=stMain]').scrollTop = at; }"
CURRENT = "document.querySelector('.loupe-contents [aria-current]')?.textContent"


def test_a_long_page_lists_what_is_on_it(kept: Kept, link: Link) -> None:
    """It stays in sight, follows the reading, leads there, and covers nothing; a short page has none."""
    visit = kept.look(link("raters", studies.SAMPLE))
    page = visit.page
    page.set_viewport_size({"width": 400, "height": 800})
    contents = page.get_by_role("navigation", name="On this page")
    visit.settle()
    # The sidebar folds a moment after the window is narrow; until then the list stands beside it.
    contents.wait_for(state="hidden")
    title = page.get_by_role("heading", level=1)
    before = title.bounding_box()
    page.evaluate("document.querySelector('[data-testid=stMain]').scrollTop = 100")
    contents.wait_for()
    page.evaluate("document.querySelector('[data-testid=stMain]').scrollTop = 0")
    contents.wait_for(state="hidden")
    assert title.bounding_box() == before, "the list moves the page"
    page.evaluate("document.querySelector('[data-testid=stMain]').scrollTop = 60")
    contents.wait_for()
    heads = page.locator(".stMain :is(h1, .loupe-h2)").all_inner_texts()
    names = contents.get_by_role("button").all_inner_texts()
    assert names[0] == "Raters"
    assert len(names) >= 4
    assert set(names) >= set(heads)
    assert page.evaluate(CURRENT) == "Raters"
    wanted = heads[len(heads) // 2]
    contents.get_by_role("button", name=wanted).click()
    page.wait_for_function(f"wanted => {CURRENT} === wanted", arg=wanted)
    head, bar = page.get_by_role("heading", name=wanted).bounding_box(), contents.bounding_box()
    assert bar["y"] + bar["height"] <= head["y"] < bar["y"] + bar["height"] + 60
    assert page.evaluate("document.activeElement.textContent") == wanted
    page.evaluate("document.querySelector('[data-testid=stMain]').scrollTop = 60")
    page.wait_for_function(f"{CURRENT} === 'Raters'")
    page.set_viewport_size({"width": 1440, "height": 9000})
    contents.wait_for(state="hidden")
    assert visit.complaints == []


def test_the_list_follows_the_reading_beside_what_stays_in_sight(kept: Kept, link: Link) -> None:
    """The title of Cases stays above its list while the case goes by, and is not where one reads."""
    visit = kept.look(link("cases", studies.SAMPLE, model="prirn", case="derm-004"))
    page = visit.page
    page.set_viewport_size({"width": 1440, "height": 420})
    visit.settle()
    page.get_by_role("navigation", name="On this page").wait_for()
    assert page.evaluate(CURRENT) == "Cases"
    page.evaluate(_SCROLL, 900)
    page.wait_for_function(f"{CURRENT} !== 'Cases'")
    head = page.get_by_role("heading", level=1, name="Cases", exact=True)
    assert 0 <= head.bounding_box()["y"] < 200, "the title is in sight"
    page.evaluate(_SCROLL, 0)
    page.wait_for_function(f"{CURRENT} === 'Cases'")


@pytest.mark.parametrize("width", [1440, 900, 400])
def test_what_does_not_fit_the_list_is_a_press_away(kept: Kept, link: Link, width: int) -> None:
    """Every heading is written whole or in two lines; both ends say that more is there, and lead to it."""
    visit = kept.look(link("raters", studies.SAMPLE))
    page = visit.page
    page.set_viewport_size({"width": width, "height": 800})
    visit.settle()
    page.evaluate(_SCROLL, 100)
    contents = page.get_by_role("navigation", name="On this page")
    contents.wait_for()
    cut = """one => [...one.querySelectorAll("span")]
      .filter((words) => words.scrollHeight > words.clientHeight + 2 || words.scrollWidth > words.clientWidth)
      .map((words) => words.textContent)"""
    assert contents.evaluate(cut) == []
    box = contents.bounding_box()
    middle = box["y"] + box["height"] / 2
    assert contents.get_attribute("data-before") is None
    for _ in range(20):
        if contents.get_attribute("data-more") is None:
            break
        page.mouse.click(box["x"] + box["width"] - 8, middle)
        page.wait_for_timeout(100)
    last = contents.get_by_role("button").last.bounding_box()
    assert last["x"] + last["width"] <= box["x"] + box["width"] + 1
    page.mouse.click(box["x"] + 8, middle)
    page.wait_for_function("document.querySelector('.loupe-contents').hasAttribute('data-more')")
    page.evaluate(_SCROLL, 100_000)
    page.wait_for_function(
        """() => {
          const list = document.querySelector(".loupe-contents").getBoundingClientRect();
          const now = document.querySelector(".loupe-contents [aria-current]").getBoundingClientRect();
          return now.left >= list.left && now.right <= list.right + 1;
        }"""
    )


def test_the_cards_of_study_are_on_the_list(kept: Kept, link: Link) -> None:
    """The one that is read is marked, and no panel above it."""
    visit = kept.look(link("study", studies.SAMPLE, model="prirn", reliability=2), width=400)
    page = visit.page
    page.get_by_role("table", name="Claims and verdicts").wait_for(timeout=240_000)
    visit.settle()
    named = {"Which cases may be dangerous?": "Danger", "How sure are the labels?": "Certainty"}
    for asked, short in named.items():
        page.locator(".loupe-asked", has_text=asked).evaluate("head => head.scrollIntoView()")
        page.evaluate("document.querySelector('[data-testid=stMain]').scrollBy(0, 40)")
        page.wait_for_function(f"{CURRENT} === '{short}'")
        contents = page.get_by_role("navigation", name="On this page")
        assert contents.locator("[aria-current]").get_attribute("title") == asked, (
            "the whole, for the pointer"
        )
    names = contents.get_by_role("button").all_inner_texts()
    assert names[:2] == ["Top", "Verdict"]
    assert visit.complaints == []
