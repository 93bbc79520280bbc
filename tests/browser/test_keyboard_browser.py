"""Loupe without a mouse: everything that matters is reached with Tab, arrows and Enter, and focus is seen."""

from __future__ import annotations

from typing import Any

import pytest
from browser.conftest import Link
from browser.visit import SETTLED, STILL, Visit

pytestmark = pytest.mark.browser

MOST_TABS = 60
CASE_IS = "id => new URLSearchParams(location.search).get('case') === id"
CHANGED = "old => ![old, undefined].includes(document.querySelector('.loupe-sentence')?.innerText)"
OPEN_ROW_IS_SHOWN = """number => {
  const root = [...document.querySelectorAll(".st-key-worklist *")].find((one) => one.shadowRoot)?.shadowRoot;
  const scroller = root?.querySelector(".cases");
  if (!scroller) return false;
  const rows = [...root.querySelectorAll("tr[aria-selected=true]")];
  const box = scroller.getBoundingClientRect(), row = rows[0]?.getBoundingClientRect();
  return rows.length === 1 && rows[0].ariaRowIndex - 1 === number
    && box.top <= row.top && row.bottom <= box.bottom && row.bottom <= innerHeight;
}"""
"""Whether one row is chosen, the one with this number, and is in sight."""
ROWS = ".st-key-worklist tr[data-row]"
LIST = ".st-key-worklist"
STANDS = """([place, words]) =>
  document.querySelectorAll("[class*=st-key-editor-] [role=radiogroup] label")[place]?.textContent
  .replaceAll("\u2060", "").includes(words)"""
"""Whether the label at a place of the list that is being changed says these words."""
FOCUS = "document.activeElement"
NAME = f"({FOCUS}.getAttribute('aria-label') || {FOCUS}.innerText || '').trim()"


def tab_to(page: Any, css: str, *, key: str = "Tab") -> int:
    """Press Tab until what has the focus is, or lies in, what the selector names; count presses.

    It has to be there: what a widget is made of is fetched when the first of its kind is to be drawn.
    """
    page.locator(css).first.wait_for(state="attached")
    for presses in range(1, MOST_TABS + 1):
        page.keyboard.press(key)
        if page.evaluate(f"css => {FOCUS}.closest(css) !== null", css):
            return presses
    raise AssertionError(f"{css} is not reached with {MOST_TABS} presses of {key}")


def assert_focus_is_seen(page: Any) -> None:
    """What has the focus looks otherwise than without it, at once or a moment later."""
    name = page.evaluate(NAME)
    page.evaluate(f"window.focused = {FOCUS}; focused.scrollIntoView({{block: 'center'}})")
    for _ in range(10):
        page.evaluate(STILL)
        with_focus = _picture(page)
        page.evaluate("focused.blur()")
        page.evaluate(STILL)
        without = _picture(page)
        page.evaluate("focused.focus({focusVisible: true})")
        if with_focus != without:
            return
        page.wait_for_timeout(50)
    raise AssertionError(f"focus on {name!r} is not seen")


def _picture(page: Any) -> bytes:
    """The element that had the focus last, with what is around it."""
    box = page.evaluate("(({x, y, width, height}) => [x, y, width, height])(focused.getBoundingClientRect())")
    x, y = max(box[0] - 8, 0), max(box[1] - 8, 0)
    picture: bytes = page.screenshot(
        clip={"x": x, "y": y, "width": min(box[2] + 16, 700), "height": min(box[3] + 16, 400)}
    )
    return picture


def open_cases(context: Any, link: Link, **view: str | float) -> Any:
    """The worklist of the main sample under the fast model, at rest."""
    visit = Visit(context)
    visit.open(link("cases", "dermatology_like", model="prirn", **view))
    return visit.settle()


def test_pages_are_reached(context: Any, link: Link) -> None:
    """Tab and Enter lead from page to page, each link seen when it has the focus."""
    page = Visit(context).open(link("study", "dermatology_like", model="prirn"))
    for name, heading in (("Cases", "Cases"), ("Reliability", "Reliability")):
        tab_to(page, f"[data-testid='stSidebarNavLink'][href*='{name.lower()}']")
        assert_focus_is_seen(page)
        page.keyboard.press("Enter")
        page.get_by_role("heading", name=heading, exact=True).wait_for()


def test_a_skip_link_leads_past_the_sidebar(context: Any, link: Link) -> None:
    """The first stop of all skips the sidebar."""
    page = open_cases(context, link)
    page.keyboard.press("Tab")
    assert page.evaluate(NAME) == "Skip to main content"
    assert_focus_is_seen(page)
    page.keyboard.press("Enter")
    page.wait_for_function(f"{FOCUS}.closest('.stMain') !== null")


def test_a_case_is_opened(context: Any, link: Link) -> None:
    """Next, and Go to with a place in the worklist, open its rows."""
    page = open_cases(context, link)
    second, third = (page.locator(f"{ROWS} td:first-child").nth(row).inner_text() for row in (1, 2))
    tab_to(page, LIST)
    assert_focus_is_seen(page)
    for words, written, wanted in (("Next", "", second), ("Go to", "3", third)):
        while not page.evaluate(NAME).startswith(words):
            tab_to(page, ".st-key-case-title button")
        assert_focus_is_seen(page)
        page.keyboard.press("Enter")
        if written:
            page.wait_for_function(f"{FOCUS}.closest('[role=dialog] input') !== null")
            page.keyboard.type(written)
            page.keyboard.press("Enter")
        page.wait_for_function(CASE_IS, arg=wanted)
        page.locator(".st-key-case-title", has_text=wanted).wait_for()


def test_arrows_walk_the_worklist(context: Any, link: Link) -> None:
    """Down and up open the row below and above, the table keeps the focus, and shows the open row."""
    page = open_cases(context, link, sort="study", case="derm-150")
    tab_to(page, LIST)
    page.wait_for_function(OPEN_ROW_IS_SHOWN, arg=150)
    for key, number in (("ArrowDown", 151), ("ArrowDown", 152), ("ArrowUp", 151), ("Escape", 151)):
        page.keyboard.press(key)
        page.wait_for_function(CASE_IS, arg=f"derm-{number}")
        page.locator(".st-key-case-title", has_text=f"derm-{number}").wait_for()
        page.wait_for_function(OPEN_ROW_IS_SHOWN, arg=number)
        assert page.evaluate(f"css => {FOCUS}.closest(css) !== null", LIST)
    tab_to(page, ".st-key-case-title button")
    page.keyboard.press("ArrowDown")
    page.wait_for_timeout(300)
    assert page.evaluate(CASE_IS, "derm-151")


def test_next_and_previous_by_shortcut(context: Any, link: Link) -> None:
    """Alt with N and P walk the worklist from wherever the focus is."""
    page = open_cases(context, link)
    first, second = (page.locator(f"{ROWS} td:first-child").nth(row).inner_text() for row in (0, 1))
    for key, wanted in (("Alt+n", second), ("Alt+p", first)):
        page.keyboard.press(key)
        page.wait_for_function(CASE_IS, arg=wanted)
        page.locator(".st-key-case-title", has_text=wanted).wait_for()
        page.wait_for_function(SETTLED)


def test_no_key_acts_behind_a_question(context: Any, link: Link) -> None:
    """While it is asked which case to go to, another is not opened, nor a note begun; what is typed stays."""
    visit = Visit(context)
    page = visit.open(link("cases", "toy_three_labels", model="prirn", case="toy-100"))
    visit.settle()
    page.keyboard.press("Alt+g")
    field = page.get_by_label("Case id, or its place in the worklist")
    field.wait_for()
    page.wait_for_function("document.activeElement.placeholder?.includes('or 1')")
    page.keyboard.type("toy-14")
    for key in ("Alt+n", "Alt+m", "Alt+r"):
        page.keyboard.press(key)
        page.wait_for_timeout(300)
    visit.settle()
    assert "case=toy-100" in page.url
    assert field.input_value() == "toy-14"
    assert page.locator(".stMain textarea").count() == 0
    page.keyboard.type("0")
    page.keyboard.press("Enter")
    page.wait_for_function("location.search.includes('case=toy-140')")
    visit.settle()
    page.keyboard.press("Alt+n")
    page.wait_for_function("!location.search.includes('case=toy-140')")
    assert visit.complaints == []


def test_the_slider_moves(context: Any, link: Link) -> None:
    """The slider is reached, seen, and moved by arrows."""
    page = open_cases(context, link, reliability=3, case="stutz-2025-fig-5")
    before = page.locator(".loupe-sentence").inner_text()
    tab_to(page, ".stSlider, .stSelectSlider")
    while page.evaluate(f"{FOCUS}.type !== 'range' && {FOCUS}.getAttribute('role') !== 'slider'"):
        page.keyboard.press("Tab")
    assert_focus_is_seen(page)
    page.keyboard.press("ArrowLeft")
    page.wait_for_function("location.search.includes('reliability=2')")
    page.wait_for_function(CHANGED, arg=before)


def test_a_differential_is_put_together(context: Any, link: Link) -> None:
    """What if, without the mouse: two labels searched for, moved and tied; the focus stays on the buttons."""
    page = open_cases(context, link, case="stutz-2025-fig-5")
    page.get_by_role("button", name="Add a reading").focus()
    page.keyboard.press("Enter")
    listed = page.locator("[class*=st-key-editor-] [role=radiogroup] label")
    field = page.locator("[class*=st-key-editor-] [role=combobox]").first
    field.wait_for()
    field.focus()
    for typed, name in (("melanom", "Melanoma (H)"), ("cellul", "Cellulitis (H)")):
        page.keyboard.type(typed)
        page.get_by_role("option", name=name).first.wait_for()
        page.keyboard.press("Enter")
        listed.filter(has_text=name).wait_for()
    tab_to(page, "[class*=-up] button")
    assert_focus_is_seen(page)
    page.keyboard.press("Enter")
    page.wait_for_function(STANDS, arg=[0, "1. Cellulitis"])
    page.wait_for_function(SETTLED)  # Buttons that come to life stand after the list.
    page.keyboard.press("Tab")
    page.keyboard.press("Enter")
    page.wait_for_function(STANDS, arg=[1, "2. Cellulitis"])
    page.wait_for_function(SETTLED)
    page.keyboard.press("Tab")
    page.keyboard.press("Enter")
    page.wait_for_function(STANDS, arg=[1, "tied with the one above"])
    page.wait_for_function(SETTLED)
    listed.nth(2).wait_for(state="detached")  # A list in new words stands beside the old for a moment.
    assert listed.count() == 2


def test_a_reading_is_switched_off(context: Any, link: Link) -> None:
    """What if: chosen with arrows and Space, a reading switched off with Space, and taken back."""
    page = open_cases(context, link, case="stutz-2025-fig-5", case_part="truths")
    before = page.locator(".loupe-sentence").inner_text()
    tab_to(page, ".st-key-parts-of-case [role=radio]")
    assert_focus_is_seen(page)
    for _ in range(4):
        if page.evaluate("document.activeElement.innerText.trim()") == "What if":
            break
        page.keyboard.press("ArrowRight")
    assert_focus_is_seen(page)
    page.keyboard.press("Space")
    page.get_by_role("button", name="Add a reading").wait_for()
    tab_to(page, ".st-key-what-if input[type=checkbox]")
    assert_focus_is_seen(page)
    page.keyboard.press("Space")
    banner = page.get_by_text("What if: not the study's readings.")
    banner.wait_for()
    page.wait_for_function("location.search.includes('what_if=')")
    tab_to(page, ".st-key-what-if-reset", key="Shift+Tab")
    page.keyboard.press("Enter")
    banner.wait_for(state="detached")
    page.wait_for_function(
        "text => document.querySelector('.loupe-sentence')?.innerText === text", arg=before
    )


@pytest.mark.parametrize("page", ["study", "reliability"])
def test_focus_is_seen_everywhere(context: Any, link: Link, page: str) -> None:
    """Each kind of thing that takes the focus shows it."""
    # Under a point estimate nothing is computed in the background, which would draw the page anew meanwhile.
    opened = Visit(context).open(link(page, "dermatology_like", model="irn"))
    looked_at = set()
    for _ in range(MOST_TABS):
        opened.keyboard.press("Tab")
        kind = opened.evaluate(f"[{FOCUS}.tagName, {FOCUS}.type, {FOCUS}.dataset.testid].join(' ')")
        if kind.split()[0] in ("BODY", "MAIN") or kind in looked_at:
            continue
        looked_at.add(kind)
        assert_focus_is_seen(opened)
    assert len(looked_at) >= 5
