"""What is done in a hurry leaves pages whole: several acts before the browser hears of the first."""

from __future__ import annotations

from itertools import pairwise
from pathlib import Path
from typing import Any
from urllib.parse import parse_qs, urlsplit

import pytest
from browser.conftest import Link
from browser.forked import serve
from browser.line import Line
from browser.visit import STILL, Visit

from core.plausibility.settings import RELIABILITIES

pytestmark = pytest.mark.browser

SLIDER = ".stSidebar input[type=range]"
NEXT = dict(pairwise(f"{gamma:g}" for gamma in RELIABILITIES))
"""The step of the slider after each."""


@pytest.fixture
def visit(context: Any) -> Visit:
    """A page that is not opened yet."""
    return Visit(context)


@pytest.fixture
def line(visit: Visit, link: Link) -> Line:
    """Its line to the server; it is open at Cases, and at rest."""
    line = Line(visit.page)
    visit.open(link("cases", "toy_three_labels", model="label-counts", reliability=2))
    visit.settle()
    return line


def test_a_step_on_a_page_that_is_left_does_not_empty_the_next(visit: Visit, line: Line) -> None:
    """A link is followed and the slider moved before the next page is there: that comes, and all of it."""
    page = visit.page
    before = "2"
    for pause in (0, 30, 150, 1000):
        page.locator(SLIDER).first.focus()
        line.slow()
        page.get_by_role("link", name="Study", exact=True).evaluate("link => link.click()")
        page.wait_for_timeout(pause)
        page.keyboard.press("ArrowRight")
        page.wait_for_timeout(1500)
        line.mend()
        visit.arrive("Study")
        page.wait_for_function("location.search.includes('reliability=')")
        visit.settle()
        assert urlsplit(page.url).path == "/"
        (reliability,) = parse_qs(urlsplit(page.url).query)["reliability"]
        assert reliability in (before, NEXT[before]), pause
        assert page.locator(SLIDER).first.get_attribute("aria-valuetext") == reliability, pause
        times = "twice" if reliability == "2" else f"{reliability} times"
        page.locator(".stSidebar").get_by_text(f"Each reading counts {times}.").wait_for()
        assert page.locator(".stException").count() == 0, pause
        before = reliability
        visit.follow("Cases")


def test_a_case_opened_on_a_page_that_is_left_is_no_error(visit: Visit, line: Line) -> None:
    """A link is followed and a row of the worklist clicked before the next page is there."""
    page = visit.page
    rows = page.locator("tr[data-row]")
    for pause in (0, 150, 1500):
        rows.first.wait_for()
        line.slow()
        page.get_by_role("link", name="Study", exact=True).evaluate("link => link.click()")
        page.wait_for_timeout(pause)
        rows.nth(3).click()
        page.keyboard.press("Alt+n")
        page.wait_for_timeout(1500)
        line.mend()
        visit.arrive("Study")
        assert page.locator(".stException").count() == 0, pause
        visit.follow("Cases")


def test_steps_count_while_the_server_is_silent(visit: Visit, line: Line) -> None:
    """It is too busy to say that it has begun: the second step goes on from the first, however late."""
    page = visit.page
    ids = page.locator("tr[data-row] td:first-child").all_inner_texts()
    first = parse_qs(urlsplit(page.url).query)["case"][0]
    line.slow()
    for _ in range(2):
        page.keyboard.press("Alt+n")
        page.wait_for_timeout(3000)
    line.mend()
    wanted = ids[ids.index(first) + 2]
    page.wait_for_function("id => location.search.includes(`case=${id}`)", arg=wanted)
    visit.settle()
    assert page.locator(".st-key-case-title h2").inner_text() == f"Case {wanted}"
    assert visit.complaints == []


def test_the_slider_keeps_its_place_in_another_study(visit: Visit, tmp_path: Path) -> None:
    """One with a single task follows one with several: whoever drags the slider then goes on dragging it.

    The second has one reading a case, which tells of no reliability: one that is taken moves the slider.
    """
    rows = [f"{case},r,{'ab'[case % 2]}" for case in range(20)]
    (tmp_path / "own").mkdir()
    table = "\n".join(["case_id,rater_id,label", *rows])
    (tmp_path / "own" / "annotations.csv").write_text(table, encoding="utf-8")
    with serve(tmp_path, str(tmp_path / "own")) as url:
        page = visit.open(f"{url}/cases?study=chest_xrays&model=label-counts&reliability=1", painted=False)
        visit.settle()
        page.locator(SLIDER).evaluate("slider => { slider.dataset.here = 'yes' }")
        page.get_by_label("Study", exact=True).click()
        page.get_by_role("option", name="own", exact=True).click()
        page.wait_for_function("!location.search.includes('study=chest_xrays')")
        visit.settle()
        assert page.get_by_text("All 20 cases").count() == 1
        assert page.locator(SLIDER).get_attribute("data-here") == "yes"
        assert visit.complaints == []
        page.close()


def test_a_case_opened_in_the_breath_of_another_step_is_shown(visit: Visit, link: Link) -> None:
    """A panel is unfolded and a row opened at once: the browser asks for the panel, the page comes whole."""
    page = visit.open(link("cases", "mixed_digits", model="label-counts", reliability=1))
    visit.settle()
    for key in ("ArrowDown", "ArrowDown", "ArrowUp"):
        page.locator(".st-key-expert summary").evaluate(
            """(fold, key) => {
              const places = document.querySelectorAll(".st-key-worklist *");
              const inner = [...places].flatMap((e) => e.shadowRoot ?? []);
              const [list] = [document, ...inner].map((e) => e.querySelector(".cases")).filter(Boolean);
              fold.click();
              list.dispatchEvent(new KeyboardEvent("keydown", {key, bubbles: true}));
            }""",
            key,
        )
        marked = page.locator(".st-key-worklist tr[aria-selected=true] td").first.inner_text()
        page.wait_for_function("marked => location.search.includes(`case=${marked}`)", arg=marked)
        visit.settle()
        assert page.locator(".st-key-case-title h2").inner_text() == f"Case {marked}"
    assert visit.complaints == []


def test_an_image_can_be_had_after_the_next_case_is_open(visit: Visit, link: Link) -> None:
    """A browser that is busy asks for it only then; if it goes back, it has to have it."""
    page = visit.open(link("cases", "mixed_digits", model="label-counts", reliability=1))
    # A key is heard by the list of cases, which is there last.
    visit.settle()
    image = page.locator("img[alt^='Image of case']")
    source = image.get_attribute("src")
    page.keyboard.press("Alt+n")
    page.wait_for_function("source => !document.querySelector(`img[src='${source}']`)", arg=source)
    visit.settle()
    assert page.evaluate("source => fetch(source).then((answer) => answer.status)", source) == 200


def test_a_field_keeps_its_place_when_work_above_it_ends(visit: Visit, link: Link) -> None:
    """Whoever writes a number of bins while a model is recalibrated goes on writing it."""
    page = visit.open(link("disagreement", "dermatology_like", predictor="Model D"), painted=False)
    field = page.locator(".st-key-choose-bins input")
    works = "document.querySelector('[class*=st-key-work-]') !== null"
    page.wait_for_function(f"{works} && document.querySelector('.st-key-choose-bins input')")
    field.evaluate("field => { field.dataset.here = 'yes' }")
    assert page.evaluate(works)
    page.wait_for_function(f"!({works})")
    visit.settle()
    assert field.get_attribute("data-here") == "yes"


def test_a_list_stays_open_when_what_stands_above_grows(visit: Visit, link: Link) -> None:
    """Whoever types a label while the page is redrawn goes on typing; who turns the wheel closes the list."""
    view = {"model": "label-counts", "case": "derm-044", "case_part": "what-if"}
    page = visit.open(link("cases", "dermatology_like", **view), painted=False)
    # Low enough that the page can be moved, and high enough that what is offered stands beneath the field.
    page.set_viewport_size({"width": 1440, "height": 900})
    page.get_by_role("button", name="Add a reading").click()
    field = page.locator("[class*=st-key-editor-] [role=combobox]").first
    field.click()
    visit.settle()
    page.keyboard.type("cell")
    page.get_by_role("option", name="Cellulitis (H)").wait_for()
    # As the browser does, where what stands above grows.
    moved = page.evaluate(
        "(main => { const top = main.scrollTop; main.scrollTop += 40; return main.scrollTop - top; })"
        "(document.querySelector('.stMain'))"
    )
    assert moved > 0
    page.evaluate(STILL)
    page.keyboard.type("ul")
    assert field.input_value() == "cellul"
    offered = page.get_by_role("option", name="Cellulitis (H)")
    assert 0 < offered.bounding_box()["y"] - field.bounding_box()["y"] < 80
    box = field.bounding_box()
    # Over what the field stands in: the list of cases beside it scrolls by itself.
    page.mouse.move(box["x"] + 20, box["y"] - 60)
    page.mouse.wheel(0, 60)
    offered.wait_for(state="detached")
    assert visit.complaints == []
