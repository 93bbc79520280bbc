"""The simplex in a real browser: it speaks in words, truths can be chosen, and it stays where it is."""

from __future__ import annotations

from typing import Any

import pytest
from browser import axe
from browser.conftest import Link
from browser.visit import Visit

from dashboard.components.live_chart import PATH
from dashboard.shell import studies

pytestmark = pytest.mark.browser

CHART = ".st-key-chart-simplex .plot"
DRAWN = "document.querySelectorAll('.st-key-chart-simplex path.point').length > 100"
SAYS = ".st-key-chosen-truths"
CSS = ".st-key-chart-tetrahedron .plot"
STAYS = """async (one) => {
  for (let was = "", looks = 0; looks < 10;) {
    const {x, y, width, height} = one.getBoundingClientRect(), now = `${x} ${y} ${width} ${height}`;
    looks = now === was ? looks + 1 : 0;
    was = now;
    await new Promise((done) => setTimeout(done, 100));
  }
}"""
"""Waits until a picture has stood where it is for a second: others come above it."""
FAR_DOT = """(css) => {
  const plot = document.querySelector(css), box = (one) => one.getBoundingClientRect();
  const middle = (one) => box(one).x + box(one).width / 2;
  const far = (one) => Math.abs(middle(one) - middle(plot));
  const dots = [...plot.querySelectorAll("svg circle")].filter((one) => box(one).width < 12);
  const dot = dots.reduce((best, one) => far(one) > far(best) ? one : best);
  return [middle(dot), box(dot).y + box(dot).height / 2];
}"""
"""Where the dot is that lies farthest to a side of the picture."""

NAMES = """css => [...document.querySelectorAll(`${css} .annotation-text-g`)]
  .filter((one) => one.textContent.includes("leads in"))
  .map((one) => one.getBoundingClientRect())
  .map(({left, top, right, bottom}) => [left, top, right, bottom])"""
"""Where the names of the corners are."""


def drawn(context: Any, link: Link, **more: Any) -> tuple[Visit, Any]:
    """A case with its simplex on the page."""
    visit = Visit(context, **more)
    page = visit.open(link("cases", studies.SAMPLE, model="prirn", reliability=3, case="derm-004"))
    page.wait_for_function(DRAWN)
    visit.settle()
    page.get_by_text("All marks").click()
    page.get_by_role("button", name="Lasso", exact=True).wait_for()
    visit.settle()
    page.locator(CHART).scroll_into_view_if_needed()
    page.locator(CHART).evaluate(STAYS)
    return visit, page


def drag_box(page: Any, left: float, top: float, right: float, bottom: float) -> None:
    """Drag over a part of the picture, given in parts of its size."""
    box = page.locator(CHART).bounding_box()
    at = [
        (box["x"] + x * box["width"], box["y"] + y * box["height"]) for x, y in ((left, top), (right, bottom))
    ]
    page.mouse.move(*at[0])
    page.mouse.down()
    page.mouse.move(*at[1], steps=8)
    page.mouse.up()


def test_marks_speak_in_words(context: Any, link: Link) -> None:
    """Shares by the names of labels, beside the dots; no coordinate is ever shown."""
    visit, page = drawn(context, link)
    dot = page.locator(f"{CHART} path.point").nth(5).bounding_box()
    page.mouse.move(dot["x"] + dot["width"] / 2, dot["y"] + dot["height"] / 2)
    lines = page.locator(f"{CHART} .said div")
    lines.first.wait_for()
    said, ring = (page.locator(f"{CHART} {one}").bounding_box() for one in (".said", ".ring"))
    assert said["y"] + said["height"] < ring["y"] or not (said["x"] < ring["x"] < said["x"] + said["width"])
    names = page.evaluate(NAMES, CHART)
    assert len(names) == 3
    for left, top, right, bottom in names:
        apart = said["x"] + said["width"] <= left or said["x"] >= right
        assert apart or said["y"] + said["height"] <= top or said["y"] >= bottom
    assert abs(ring["x"] + ring["width"] / 2 - dot["x"] - dot["width"] / 2) <= 2
    assert abs(ring["y"] + ring["height"] / 2 - dot["y"] - dot["height"] / 2) <= 2
    assert all(
        line.rstrip(",").endswith("\u00a0%") or line.startswith(("Here", "In this truth"))
        for line in lines.all_text_contents()
    )
    assert "other labels" in " ".join(lines.all_text_contents())
    assert page.locator(CHART).get_attribute("role") == "figure"
    assert "leads in" in page.locator(CHART).get_attribute("aria-label")
    assert visit.complaints == visit.strangers == []


def test_chosen_truths_are_described_and_the_picture_stays(context: Any, link: Link) -> None:
    """A box says who leads in it and which models are right; a step of the slider keeps element and zoom."""
    visit, page = drawn(context, link)
    page.locator(CHART).evaluate("e => { e.marked = true; }")
    assert "draw around some" in page.locator(SAYS).inner_text()
    page.get_by_role("button", name="Box", exact=True).click()
    drag_box(page, 0.1, 0.15, 0.9, 0.85)
    page.locator(SAYS).get_by_text(" chosen truths ").wait_for()
    assert "leads in" in page.locator(SAYS).inner_text()
    assert "is right in" in page.locator(SAYS).inner_text()
    page.get_by_role("slider").first.focus()
    page.keyboard.press("ArrowRight")
    page.locator(SAYS).get_by_text("draw around some").wait_for()
    page.get_by_role("button", name="Zoom", exact=True).click()
    drag_box(page, 0.3, 0.4, 0.7, 0.7)
    narrow = page.wait_for_function(
        "css => { const {range} = document.querySelector(css).layout.xaxis; "
        "return range[1] - range[0] < 1 && [...range]; }",
        arg=CHART,
    ).json_value()
    before = page.evaluate("location.search")
    page.get_by_role("slider").first.focus()
    page.keyboard.press("ArrowRight")
    page.wait_for_function("before => location.search !== before", arg=before)
    visit.settle()
    page.wait_for_timeout(1000)
    assert page.locator(CHART).evaluate("e => [e.marked, [...e.layout.xaxis.range]]") == [True, narrow]
    assert visit.complaints == []


def test_truths_are_chosen_by_keyboard(context: Any, link: Link) -> None:
    """A list lights the dots in which a label leads; a box drawn after that is in force in its place."""
    visit, page = drawn(context, link)
    lit = (
        """css => document.querySelector(css).data.find((trace) => trace.customdata).selectedpoints?.length"""
    )
    page.locator(f"{SAYS} [role=combobox]").focus()
    page.keyboard.press("ArrowDown")
    page.keyboard.press("ArrowDown")
    page.keyboard.press("Enter")
    said = page.locator(SAYS).get_by_text(" chosen truths ")
    said.wait_for()
    number = int(said.inner_text().split()[2])
    page.wait_for_function(f"([css, n]) => ({lit})(css) === n", arg=[CHART, number])
    page.get_by_role("button", name="Box", exact=True).click()
    drag_box(page, 0.1, 0.15, 0.9, 0.85)
    page.wait_for_function(
        "([css, old]) => !document.querySelector(css).innerText.includes(old)", arg=[SAYS, said.inner_text()]
    )
    said.wait_for()
    visit.settle()
    page.wait_for_function(f"([css, n]) => ({lit})(css) !== n", arg=[CHART, number])
    assert (
        "none"
        in page.locator(f"{SAYS} .stSelectbox").inner_text()
        + page.locator(f"{SAYS} [role=combobox]").input_value()
    )
    assert axe.faults(page) == []
    assert visit.complaints == []


def test_what_is_chosen_in_the_triangle_is_so_in_the_tetrahedron(context: Any, link: Link) -> None:
    """As many truths as before are described, there and back again."""
    visit, page = drawn(context, link)
    said = page.locator(SAYS).get_by_text(" chosen truths ")
    page.locator(f"{SAYS} [role=combobox]").focus()
    for key in ("ArrowDown", "ArrowDown", "Enter"):
        page.keyboard.press(key)
    said.wait_for()
    visit.settle()
    words = said.inner_text()
    for n, is_asked in ((4, "includes('corners=4')"), (3, "includes('corners=4') === false")):
        page.get_by_text(f"{n} labels", exact=True).click()
        page.wait_for_function(f"location.search.{is_asked}")
        visit.settle()
        assert said.inner_text() == words
    assert visit.complaints == []


def test_code_comes_where_a_simplex_stands_and_once(browser: Any, link: Link) -> None:
    """Study and Models do without it; Cases asks for it when the page is drawn, from this computer."""
    context = browser.new_context()
    for name in ("study", "models"):
        visit = Visit(context)
        visit.open(link(name, studies.SAMPLE), painted=False)
        visit.settle()
        visit.page.wait_for_timeout(1500)
        assert not [path for path in visit.responses if "plotly" in path.lower()]
    visit, page = drawn(context, link)
    assert [path for path in visit.responses if "plotly" in path.lower()] == [PATH]
    first_picture, code = page.evaluate(
        """path => [performance.getEntriesByName("first-contentful-paint")[0].startTime,
          performance.getEntriesByType("resource").find((one) => one.name.includes(path)).startTime]""",
        PATH,
    )
    assert code > first_picture
    assert visit.strangers == []


@pytest.mark.parametrize(("width", "mode"), [(400, "dark"), (900, "light")])
def test_no_word_is_cut_or_small(context: Any, link: Link, width: int, mode: str) -> None:
    """At any width its words lie within it, and are 11 pixels or more."""
    _, page = drawn(context, link, width=width, mode=mode)
    cut = page.evaluate(
        """css => {
          const plot = document.querySelector(css), outer = plot.getBoundingClientRect();
          return [...plot.querySelectorAll("text")].filter((text) => {
            const inner = text.getBoundingClientRect();
            return text.textContent.trim() && (inner.left < outer.left - 1 || inner.right > outer.right + 1
              || inner.top < outer.top - 1 || inner.bottom > outer.bottom + 1
              || parseFloat(getComputedStyle(text).fontSize) < 11);
          }).map((text) => text.textContent);
        }""",
        CHART,
    )
    assert cut == []


def test_a_tetrahedron_is_turned_by_keys_buttons_and_pointer(context: Any, link: Link) -> None:
    """Arrow keys, buttons and dragging turn it; a step of the slider leaves it so; no word is ever cut."""
    visit = Visit(context)
    page = visit.open(link("cases", studies.SAMPLE, model="prirn", reliability=3, case="derm-004", corners=4))
    picture = page.locator(".st-key-chart-tetrahedron .plot")
    picture.locator("svg circle").first.wait_for()
    seen = """async (css) => {
      for (let n = 0; n < 3; n += 1) await new Promise(requestAnimationFrame);
      const box = (one) => one.getBoundingClientRect(), plot = document.querySelector(css), outer = box(plot);
      const cut = [...plot.querySelectorAll("svg text")].filter((one) => box(one).left < outer.left - 1
        || box(one).right > outer.right + 1 || box(one).top < outer.top - 1
        || box(one).bottom > outer.bottom + 1);
      return {at: [...plot.querySelectorAll("rect")].map((one) => Math.round(box(one).x - outer.x)),
        cut: cut.map((one) => one.textContent)};
    }"""
    found = [page.evaluate(seen, CSS)]
    picture.focus()
    page.keyboard.press("ArrowRight")
    found.append(page.evaluate(seen, CSS))
    page.get_by_role("button", name="Turn up").click()
    found.append(page.evaluate(seen, CSS))
    box = picture.bounding_box()
    page.mouse.move(box["x"] + 60, box["y"] + 60)
    page.mouse.down()
    page.mouse.move(box["x"] + 200, box["y"] + 90, steps=4)
    page.mouse.up()
    found.append(page.evaluate(seen, CSS))
    assert len({str(one["at"]) for one in found}) == 4
    assert [one["cut"] for one in found] == [[]] * 4
    page.get_by_role("slider").first.focus()
    page.keyboard.press("ArrowRight")
    visit.settle()
    page.wait_for_timeout(300)
    assert page.evaluate(seen, CSS)["at"] == found[-1]["at"]
    # A truth that lies clear of the marks in the middle; it is drawn anew while the page comes to rest.
    tip = picture.locator(".tip", has_text="other labels")
    for _ in range(40):
        page.mouse.move(*page.evaluate(FAR_DOT, CSS))
        page.wait_for_timeout(250)
        if tip.is_visible():
            break
    assert tip.is_visible(), picture.locator(".tip").inner_text()
    assert picture.get_attribute("role") == "figure"
    assert axe.faults(page) == []
    assert visit.complaints == visit.strangers == []


def test_what_cannot_be_drawn_is_said(context: Any, link: Link) -> None:
    """Without the code the place says so and where the numbers are."""
    visit = Visit(context)
    visit.page.route("**/plotly.js*", lambda route: route.abort())
    page = visit.open(link("cases", studies.SAMPLE, model="prirn", case="derm-004"))
    page.locator("[class*=st-key-chart-] .plot", has_text="could not be drawn").wait_for()
    assert "under “Save, data”" in page.locator("[class*=st-key-chart-] .plot").inner_text()
