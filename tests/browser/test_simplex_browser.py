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


def drawn(context: Any, link: Link, **more: Any) -> tuple[Visit, Any]:
    """A case with its simplex on the page."""
    visit = Visit(context, **more)
    page = visit.open(link("cases", studies.SAMPLE, model="prirn", reliability=3, case="derm-004"))
    page.wait_for_function(DRAWN)
    visit.settle()
    page.locator(CHART).scroll_into_view_if_needed()
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
    """Shares by the names of labels, the corners too; no coordinate is ever shown."""
    visit, page = drawn(context, link)
    dot = page.locator(f"{CHART} path.point").nth(5).bounding_box()
    page.mouse.move(dot["x"] + dot["width"] / 2, dot["y"] + dot["height"] / 2)
    lines = page.locator(f"{CHART} .hoverlayer tspan.line")
    lines.first.wait_for()
    assert all(
        line.rstrip(",").endswith("\u00a0%") or line.startswith(("Here", "Shares in"))
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
    page.locator(SAYS).get_by_text("of 300 plausible truths").wait_for()
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
    said = page.locator(SAYS).get_by_text("of 300 plausible truths")
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


def test_a_tetrahedron_is_turned_by_keys_and_buttons(context: Any, link: Link) -> None:
    """Four labels from the link; arrow keys and buttons turn it; a step of the slider leaves it so."""
    visit = Visit(context)
    page = visit.open(link("cases", studies.SAMPLE, model="prirn", reliability=3, case="derm-004", corners=4))
    plot = page.locator(".st-key-chart-tetrahedron .plot")
    plot.locator("canvas").first.wait_for()
    eye = """css => { const scene = document.querySelector(css)._fullLayout?.scene?._scene;
      return scene && Object.values(scene.getCamera().eye).map((one) => Math.round(1000 * one)); }"""
    css = ".st-key-chart-tetrahedron .plot"
    first = page.wait_for_function(eye, arg=css).json_value()
    plot.focus()
    page.keyboard.press("ArrowRight")
    page.wait_for_timeout(500)
    second = page.evaluate(eye, css)
    page.get_by_role("button", name="Turn up").click()
    page.wait_for_timeout(500)
    third = page.evaluate(eye, css)
    assert second[2] == first[2] != third[2]
    assert first[:2] != second[:2]
    page.get_by_role("slider").first.focus()
    page.keyboard.press("ArrowRight")
    visit.settle()
    page.wait_for_timeout(1500)
    assert page.evaluate(eye, css) == third
    assert plot.get_attribute("role") == "figure"
    assert axe.faults(page) == []
    assert visit.complaints == visit.strangers == []


@pytest.mark.parametrize(
    ("corners", "script", "says"),
    [
        (3, "plotly.js", "could not be drawn"),
        (4, "", "cannot draw in depth"),
    ],
)
def test_what_cannot_be_drawn_is_said(context: Any, link: Link, corners: int, script: str, says: str) -> None:
    """Without the code, or without WebGL, the place says so and where the numbers are."""
    visit = Visit(context)
    if script:
        visit.page.route(f"**/{script}*", lambda route: route.abort())
    else:
        visit.page.add_init_script(
            "HTMLCanvasElement.prototype.getContext = (plain => function (kind, ...more) {"
            "  return kind.startsWith('webgl') ? null : plain.call(this, kind, ...more);"
            "})(HTMLCanvasElement.prototype.getContext);"
        )
    page = visit.open(link("cases", studies.SAMPLE, model="prirn", case="derm-004", corners=corners))
    page.locator("[class*=st-key-chart-] .plot", has_text=says).wait_for()
    assert "under “Save, data”" in page.locator("[class*=st-key-chart-] .plot").inner_text()
