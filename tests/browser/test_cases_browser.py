"""Cases in a real browser: filters in a link, the keys, pictures that are saved."""

from __future__ import annotations

import json
import re
import xml.etree.ElementTree as ET
from pathlib import Path
from typing import Any

import pytest
from browser.conftest import Link
from browser.kept import Kept
from browser.visit import STILL, Visit

from dashboard.shell import studies

pytestmark = pytest.mark.browser

SVG = "{http://www.w3.org/2000/svg}"
CASE_IS = "(id) => new URLSearchParams(location.search).get('case') === id"
NOTE = ".st-key-wide .loupe-note"
NUMBER = "(of) => JSON.parse(getComputedStyle(of, '::after').content)"
"""The number that style writes behind a name."""

_TOP = "getBoundingClientRect().top"
"""Where an element begins in the window, in pixels."""


def _rows(page: Any) -> str:
    """What stands above the worklist: how many of the cases are listed."""
    return page.locator(".loupe-listed").inner_text().split(".")[0]


def test_filters_and_order_go_with_the_link(browser: Any, context: Any, link: Link) -> None:
    """What is chosen in one browser is what another shows."""
    visit = Visit(context)
    page = visit.open(link("cases", studies.SAMPLE, model="prirn"))
    page.get_by_role("button", name="Filter").click()
    page.get_by_text("Risk could change", exact=True).click()
    page.wait_for_function("location.search.includes('could_change=yes')")
    page.keyboard.press("Escape")
    page.locator("[class*=st-key-choose-sort] input").first.click()
    page.get_by_role("option", name="Most disagreement first").click()
    page.wait_for_function("location.search.includes('sort=disagreement')")
    visit.settle()
    other = Visit(browser.new_context())
    second = other.open(page.url)
    second.get_by_text("Only: risk could change.").wait_for()
    assert _rows(second) == _rows(page) != "All 301 cases"
    page.locator(".st-key-data-worklist button").first.click()
    with page.expect_download() as download:
        page.get_by_role("button", name="Provenance").click()
    assert "-cases-worklist-could-change-g" in download.value.suggested_filename
    settings = json.loads(Path(download.value.path()).read_text(encoding="utf-8"))["settings"]
    assert settings["could change"] == "yes"
    assert settings["order"] == "Most disagreement first"
    assert visit.complaints == other.complaints == []


def test_study_leads_to_danger_behind_the_leading_label(context: Any, link: Link) -> None:
    """What Study finds is a way to these cases, with the columns that they are read by."""
    visit = Visit(context)
    page = visit.open(link("", studies.SAMPLE, model="prirn"))
    found = page.locator(".st-key-finding-high-risk-behind").get_by_role(
        "button", name="where one is plausible but does not lead"
    )
    number = found.inner_text().split()[0]
    found.click()
    page.wait_for_url("**/cases**")
    visit.settle()
    assert _rows(page) == f"{number} of 301 cases"
    page.get_by_role("columnheader", name="High-risk label").wait_for()
    first = page.locator("tr[data-row='0']")
    assert re.search(r"\n[0-9]+ Melanoma", first.inner_text())
    assert first.get_attribute("aria-selected") == "true"
    page.get_by_role("columnheader", name="Danger", exact=True).get_by_role("button").click()
    page.wait_for_function("location.search.includes('sort=safest')")
    page.locator("th[aria-sort=ascending]").wait_for()
    page.locator(".st-key-columns button").click()
    page.get_by_label("Columns of the worklist").click()
    page.get_by_role("option", name="Runner-up", exact=True).click()
    page.wait_for_function("location.search.includes('columns=high_risk_label&columns=runner_up')")
    for _ in range(2):
        page.keyboard.press("Escape")
    visit.settle()
    page.get_by_role("columnheader", name="Runner-up").wait_for()
    page.get_by_role("columnheader", name="Leading label").wait_for()
    assert visit.complaints == []


def test_keys_lead_from_case_to_case(kept: Kept, link: Link) -> None:
    """Next, previous and a jump to any case, without the mouse."""
    visit = kept.look(link("cases", studies.SAMPLE, model="prirn", sort="study"))
    page = visit.page
    page.wait_for_function(CASE_IS, arg="derm-001")
    for key, case in (("Alt+n", "derm-002"), ("Alt+p", "derm-001")):
        visit.settle()
        page.keyboard.press(key)
        page.wait_for_function(CASE_IS, arg=case)
        page.locator(".st-key-case-title", has_text=case).wait_for()
        page.wait_for_function(f"document.title === 'Case {case} · Cases · Loupe'")
    assert page.locator("h1").all_inner_texts() == ["Cases"]
    page.keyboard.press("Alt+g")
    field = page.get_by_label("Case id, or its place in the worklist")
    field.wait_for()
    page.wait_for_function("document.activeElement.closest('.st-key-go-to') !== null")
    assert "Alt+N next case" in page.get_by_role("dialog").inner_text()
    page.keyboard.type("stutz")
    page.keyboard.press("Enter")
    page.wait_for_function(CASE_IS, arg="stutz-2025-fig-5")
    page.get_by_role("dialog").wait_for(state="detached")
    assert visit.complaints == []


@pytest.mark.parametrize("mode", ["light", "dark"])
def test_pictures_are_saved_with_what_made_them(context: Any, link: Link, tmp_path: Path, mode: str) -> None:
    """By keyboard alone, on white: SVG with its provenance unseen in it, PNG at twice the size, PDF."""
    visit = Visit(context, mode=mode)
    page = visit.open(link("cases", studies.SAMPLE, model="prirn", reliability=3, case="derm-004"))
    page.locator(".st-key-data-dots button").focus()
    page.keyboard.press("Enter")
    files = {}
    for kind in ("SVG", "PNG", "PDF"):
        page.get_by_role("button", name=f"Download {kind}").focus()
        with page.expect_download() as download:
            page.keyboard.press("Enter")
        files[kind] = tmp_path / download.value.suggested_filename
        download.value.save_as(files[kind])
    assert files["SVG"].name == "dermatology-like-differentials-simulated-cases-dots-case-derm-004-g3.svg"
    root = ET.parse(files["SVG"]).getroot()
    described = root.findtext(f"{SVG}desc") or ""
    for words in ("made by: Loupe", "fingerprint: ", "seed: 2025", "reliability: 3", "case: derm-004"):
        assert words in described
    painted = " ".join("".join(text.itertext()) for text in root.iter(f"{SVG}text"))
    assert "plausible truths" in painted
    assert "fingerprint:" not in painted
    ground = root.find(f"{SVG}rect")
    assert ground is not None
    assert ground.get("fill") == "#FFFFFF"
    head = files["PNG"].read_bytes()[:24]
    assert head[:8] == b"\x89PNG\r\n\x1a\n"
    assert int.from_bytes(head[16:20], "big") == 2 * int(float(root.get("width", "0")))
    assert files["PDF"].read_bytes().startswith(b"%PDF-")
    assert visit.complaints == []
    assert visit.strangers == []


def test_no_download_goes_without_provenance(kept: Kept, link: Link) -> None:
    """The toolbar that comes with a picture offers the full screen alone."""
    visit = kept.look(link("study", studies.SAMPLE, model="prirn"))
    page = visit.unfold_pictures()
    page.locator(".stVegaLiteChart").first.hover()
    page.get_by_role("button", name="Fullscreen").first.wait_for()
    for name in ("Download as PNG", "Show data", "Copy Vega-Lite"):
        assert page.get_by_role("button", name=name).count() == 0


def test_brushed_cases_open_in_cases(context: Any, link: Link) -> None:
    """A range of the sorted cases becomes the worklist, and the address names it."""
    visit = Visit(context)
    page = visit.open(link("reliability", studies.SAMPLE, model="prirn"))
    heading = page.get_by_role("heading", name="Which share of the cases is uncertain?")
    chart = page.locator("[data-testid=stColumn]", has=heading).locator(".stVegaLiteChart canvas").first
    chart.scroll_into_view_if_needed()
    box = chart.bounding_box()
    page.mouse.move(box["x"] + 80, box["y"] + 150)
    page.mouse.down()
    page.mouse.move(box["x"] + 140, box["y"] + 160, steps=5)
    page.mouse.up()
    button = page.get_by_role("button", name="in Cases")
    button.wait_for()
    number = button.inner_text().split()[1]
    button.click()
    page.get_by_text(f"{number} of 301 cases.").wait_for()
    page.wait_for_function("location.pathname.endsWith('/cases')")
    assert page.url.count("only=") == int(number)
    assert page.locator(".stException").count() == 0


def test_study_opens_by_its_name(context: Any, address: str) -> None:
    """/study leads to the Study page with everything that the link says."""
    visit = Visit(context)
    page = visit.open(f"{address}/study?study=scores&case=s-001")
    visit.arrive("Study")
    page.wait_for_function("location.search.includes('study=scores')")
    assert page.get_by_text("Page not found").count() == 0


def test_tour_goes_with_the_link(browser: Any, context: Any, address: str) -> None:
    """Test value and raters of the tour stand in the address."""
    page = Visit(context).open(f"{address}/tour?observation=-1.5")
    page.get_by_role("button", name="Ask three other readers").click()
    page.wait_for_function("location.search.includes('panel=1')")
    readings = page.locator(".tour-readings").inner_text()
    second = Visit(browser.new_context()).open(page.url)
    second.wait_for_function(
        "text => document.querySelector('.tour-readings').innerText === text", arg=readings
    )
    assert float(second.get_by_role("slider").first.input_value()) == -1.5


def test_a_search_says_where_and_opens_what_it_finds(context: Any, link: Link) -> None:
    """Readings count; what does not match is left, with a way back; without a match none is open."""
    visit = Visit(context)
    page = visit.open(link("cases", studies.SAMPLE, model="prirn", case="derm-001"))
    field = page.get_by_placeholder("Search readings, notes …")
    field.fill("melanoma")
    field.press("Enter")
    page.get_by_text("“melanoma”: in the readings of ").wait_for()
    page.get_by_text("derm-001, which you had open, is not in this list.").wait_for()
    visit.settle()
    assert page.locator("tr[data-row='0']").get_attribute("aria-selected") == "true"
    field.fill("leg melanoma")
    field.press("Enter")
    page.get_by_text("“leg”: in the case data of 7 cases; “melanoma”: in the readings of 7 cases").wait_for()
    visit.settle()
    assert page.locator("tr[data-row]").count() == 7
    field.fill("leg xyzzy")
    field.press("Enter")
    page.get_by_text("No reading, label, reader, id, case data or note holds “xyzzy”.").wait_for()
    page.get_by_text("No case is listed.").wait_for()
    visit.settle()
    assert page.locator(".st-key-case-title").count() == 0
    page.get_by_role("button", name="Back to it").click()
    page.wait_for_function(CASE_IS, arg="derm-001")
    page.get_by_text("Not in the list.").wait_for()
    field.fill("derm-001")
    field.press("Enter")
    page.get_by_text("“derm-001”: in the id of 1 case.").wait_for()
    visit.settle()
    assert page.get_by_text("Not in the list").count() == 0
    assert visit.complaints == []


@pytest.mark.parametrize("width", [1440, 900, 400])
def test_the_way_back_moves_nothing(kept: Kept, link: Link, width: int) -> None:
    """The line that names the case that was open has its place, whether it is there or not."""
    visit = kept.look(link("cases", studies.SAMPLE, model="prirn", case="derm-001"), width=width)
    page = visit.page
    where = "() => document.querySelector('.stMain .st-key-case-title').getBoundingClientRect().top"
    under = "() => document.querySelector('.st-key-case-review').getBoundingClientRect().top"
    page.get_by_role("radio", name="Any danger").click()
    page.get_by_text("derm-001, which you had open, is not in this list.").wait_for()
    visit.settle()
    gap = page.evaluate(under) - page.evaluate(where)
    line = page.locator(".st-key-case-left").bounding_box()
    title = page.locator(".stMain .st-key-case-title").bounding_box()
    assert line is not None
    assert title is not None
    assert line["y"] + line["height"] <= title["y"] + 1
    top = page.evaluate(where)
    page.get_by_role("button", name="Next", exact=True).click()
    page.locator(".st-key-case-left").wait_for(state="detached")
    visit.settle()
    assert page.evaluate(where) == pytest.approx(top, abs=1)
    assert page.evaluate(under) - page.evaluate(where) == pytest.approx(gap, abs=1)
    assert page.evaluate("document.documentElement.scrollWidth - innerWidth") <= 0
    assert visit.complaints == []


def _list(visit: Visit, name: str, address: str) -> None:
    """Choose a ready-made list, and wait until the address says so."""
    visit.page.get_by_role("radio", name=name).click()
    visit.page.wait_for_function(address)
    visit.settle()


def test_a_list_that_somebody_comes_back_to_has_the_order_that_was_chosen_for_it(
    kept: Kept, link: Link
) -> None:
    """Another list begins in its own."""
    given = {"preset": "any high-risk label is plausible", "sort": "surest"}
    visit = kept.look(link("cases", studies.SAMPLE, model="prirn", **given))
    page, first = visit.page, "[data-row='0']"
    surest = page.locator(first).inner_text()
    _list(visit, "Danger missed", "!location.search.includes('sort=')")
    _list(visit, "Any danger", "location.search.includes('sort=surest')")
    assert page.locator(first).inner_text() == surest
    assert visit.complaints == []


def test_the_list_opens_on_danger_that_is_unsettled(context: Any, link: Link) -> None:
    """The first case is one in which danger is near even; the least certain are an order away."""
    visit = Visit(context)
    page = visit.open(link("cases", studies.SAMPLE, model="prirn", reliability=5), painted=False)
    page.locator(".loupe-listed").get_by_text("All 301 cases.").wait_for()
    visit.settle()
    first = page.get_by_role("grid", name="Worklist of cases").get_by_role("row").nth(1)
    danger = int(re.findall(r"(\d+)\s%", first.inner_text())[-1])
    assert 40 <= danger <= 60
    page.get_by_role("combobox", name="Order").click()
    page.get_by_role("option", name="Least certain first").click()
    page.wait_for_function("location.search.includes('sort=certainty')")
    visit.settle()
    assert visit.complaints == []


@pytest.mark.parametrize("sizes", [[(1440, 1000), (1366, 757), (900, 900)], [(400, 810)]])
def test_no_row_of_the_list_is_cut(kept: Kept, link: Link, sizes: list[tuple[int, int]]) -> None:
    """However high the window is: half a row looks like a fault."""
    visit = kept.look(link("cases", studies.SAMPLE, model="prirn"), width=sizes[0][0])
    page = visit.page
    for width, height in sizes:
        page.set_viewport_size({"width": width, "height": height})
        visit.settle()
        page.evaluate(STILL)
        row = page.get_by_role("grid", name="Worklist of cases").get_by_role("row").nth(1)
        row.wait_for()
        shown, high = row.evaluate(
            "one => [one.closest('.cases').clientHeight, one.getBoundingClientRect().height]"
        )
        assert shown % high == 0, width
        assert shown >= 6 * high, width
    assert visit.complaints == []


_CUT_CELLS = """all => all.filter(({firstChild: words}) => words.scrollHeight > words.clientHeight + 5
  || [...words.querySelectorAll("i")].some((line) => line.scrollWidth > line.clientWidth))
  .map((cell) => cell.title)"""
"""What is said where cells are pointed at that lack a line or the end of one."""
EDGES = "all => all.map((one) => one.getBoundingClientRect()).map((of) => [of.top, of.bottom, of.right])"
TOP = "one => one.closest('.cases').scrollTop"


@pytest.mark.parametrize("width", [1440, 400])
def test_rows_are_whole_wherever_the_list_stands_and_that_more_follow_is_said(
    context: Any, link: Link, width: int
) -> None:
    """Where a link opens a case far down, where somebody stops to scroll, and at the end; a press goes on."""
    visit = Visit(context, width=width)
    page = visit.open(link("cases", studies.SAMPLE, model="prirn", sort="study", case="derm-250"))
    visit.settle()
    grid = page.get_by_role("grid", name="Worklist of cases")
    row = page.locator("tr[data-row='249']")
    row.wait_for()
    high = row.evaluate("one => one.getBoundingClientRect().height")
    assert grid.evaluate(TOP) % high == 0
    more = page.locator(".st-key-worklist button.more")
    first, last, of, *beyond = map(int, re.findall(r"\d+", more.inner_text()))
    assert first == grid.evaluate(TOP) / high + 1 <= 250 <= last < of == 301
    assert beyond == [first - 1, of - last], "above and below"
    grid.evaluate("one => { one.closest('.cases').scrollTop += 13; }")
    page.wait_for_timeout(500)
    assert grid.evaluate(TOP) % high == 0
    first, last, *_ = map(int, re.findall(r"\d+", more.inner_text()))
    more.click()
    page.wait_for_timeout(500)
    assert int(re.findall(r"\d+", more.inner_text())[0]) == last + 1
    grid.evaluate("one => { one.closest('.cases').scrollTop = 99999; }")
    page.wait_for_timeout(500)
    assert "to 301 of 301: back to the first" in more.inner_text()
    more.click()
    page.wait_for_timeout(500)
    assert grid.evaluate(TOP) == 0
    page.get_by_role("textbox", name="Search").fill("derm-25")
    page.keyboard.press("Enter")
    page.wait_for_function("document.querySelector('.loupe-listed').innerText.startsWith('10 of 301')")
    visit.settle()
    if width == 1440:
        assert not more.is_visible(), "all are in sight"
    assert visit.complaints == []


@pytest.mark.parametrize(
    ("preset", "widths"),
    [
        ("", [1440, 400]),
        ("a model misses danger", [400, 1440]),
        ("any high-risk label is plausible", [1440]),
    ],
)
def test_lists_stand_two_in_a_row_and_none_is_cut(
    kept: Kept, link: Link, preset: str, widths: list[int]
) -> None:
    """So do six parts of one, and three; one line says what is listed."""
    address = link("cases", studies.SAMPLE, model="plackett-luce", reliability=2, preset=preset)
    visit = kept.look(address, width=widths[0])
    page = visit.page
    for width in widths:
        visit.look(width, "light")
        page.evaluate(STILL)
        _two_in_a_row(visit)
    assert visit.complaints == []


def _two_in_a_row(visit: Visit) -> None:
    """The lists of Cases stand so, at the width that the page has."""
    page = visit.page
    row = page.locator("[class*=st-key-choose-preset-button] button").evaluate_all(EDGES)
    lists = page.locator("[class*=st-key-choose-preset-button] button")
    boxes = [one.bounding_box() for one in lists.all()]
    assert len({round(one["height"]) for one in boxes}) == 1
    assert len({round(one["width"]) for one in boxes}) == 1
    assert [len({round(one["y"]) for one in some}) for some in (boxes[:2], boxes[2:])] == [1, 1]
    assert 5 <= boxes[2]["y"] - boxes[0]["y"] - boxes[0]["height"] <= 8, "rows do not touch"
    assert lists.evaluate_all("all => all.every((of) => of.scrollWidth <= of.clientWidth)")
    parts = page.locator(".st-key-preset-parts button:visible").evaluate_all(EDGES)
    edge = page.locator(".st-key-worklist").bounding_box()
    in_row = 2 if len(parts) == 6 else 3
    rows_of_parts = [parts[first : first + in_row] for first in range(0, len(parts), in_row)]
    for one in (row[:2], row[2:], *rows_of_parts):
        assert max((top for top, _, _ in one), default=0) < min((bottom for _, bottom, _ in one), default=1)
        assert all(right <= edge["x"] + edge["width"] + 1 for _, _, right in one)
    assert page.locator(".loupe-listed").bounding_box()["height"] < 30
    assert visit.overflow() <= 0


def test_no_step_is_lost(context: Any, link: Link) -> None:
    """A linked case lies in sight; eight quick presses lead eight rows on, eight quick clicks back."""
    visit = Visit(context)
    page = visit.open(link("cases", studies.SAMPLE, model="prirn", sort="study", case="derm-250"))
    visit.settle()
    _opened(page, "derm-250")
    for _ in range(8):
        page.keyboard.press("Alt+n")
    _opened(page, "derm-258")
    button = page.locator(".st-key-walk-previous button")
    for _ in range(8):
        button.click(no_wait_after=True)
    _opened(page, "derm-250")
    assert visit.complaints == []


def _opened(page: Any, case: str) -> None:
    """Wait until a case is open, and stays so: in the address, in the title and as the one marked row."""
    page.wait_for_function(CASE_IS, arg=case)
    page.locator(".st-key-case-title", has_text=case).wait_for()
    page.wait_for_timeout(1500)
    assert page.evaluate(CASE_IS, case)
    row = page.locator(".st-key-worklist tr[aria-selected=true]")
    assert row.locator("td").first.inner_text() == case
    assert row.evaluate("e => e.getBoundingClientRect().bottom < innerHeight")


def test_the_filter_stays_open_while_it_is_set(context: Any, link: Link) -> None:
    """One filter after the other can be set, by keyboard too: the focus stays where it is."""
    visit = Visit(context)
    page = visit.open(link("cases", studies.SAMPLE, model="prirn"))
    page.get_by_role("button", name="Filter").click()
    page.get_by_text("Risk could change", exact=True).click()
    page.wait_for_function("location.search.includes('could_change=yes')")
    visit.settle()
    page.wait_for_timeout(1000)
    field = page.get_by_label("Risk of the leading label")
    assert field.is_visible()
    field.focus()
    page.keyboard.type("high")
    page.keyboard.press("Enter")
    page.wait_for_function("location.search.includes('risk=high')")
    visit.settle()
    page.wait_for_timeout(1000)
    assert field.is_visible()
    assert page.evaluate("document.activeElement !== document.body")
    assert visit.complaints == []


@pytest.mark.parametrize(
    ("case", "reliability", "lines", "levels", "said"),
    [
        (
            "derm-153",
            1,
            ["Melanoma", "or Melanocytic Nevus"],
            ["H", "L"],
            r"Tied: Melanoma \(high risk\) or Melanocytic Nevus \(low risk\)",
        ),
        (
            "stutz-2025-fig-5",
            2,
            ["Hemangioma", "also Melanoma"],
            ["M", "H"],
            r"Hemangioma \(medium risk\) leads; Melanoma \(high risk\) does in 3\d of 100 plausible truths",
        ),
    ],
)
def test_labels_on_two_lines_show_both_their_levels(
    kept: Kept, link: Link, case: str, reliability: float, lines: list[str], levels: list[str], said: str
) -> None:
    """Of a tie, and of a danger behind a label: none hides the other, and which has which level is said."""
    address = link("cases", studies.SAMPLE, model="plackett-luce", reliability=reliability, case=case)
    visit = kept.look(address, width=400)
    page = visit.page
    for width in (400, 1440):
        visit.look(width, "light")
        page.evaluate(STILL)
        cell = page.locator("tr[aria-selected=true] td[aria-label]")
        assert cell.get_attribute("aria-label") == cell.get_attribute("title"), width
        assert re.fullmatch(said, cell.get_attribute("title")), width
        assert cell.locator("b").evaluate_all("all => all.map((one) => one.dataset.level)") == levels, width
        shown = [f"{level}{words}" for level, words in zip(levels, lines, strict=True)]
        assert cell.inner_text().split("\n") == shown, width
        assert cell.evaluate("e => e.scrollWidth <= e.clientWidth"), width
        assert page.get_by_role("columnheader", name="Risk").count() == 0, "it stands before the labels"
        assert visit.overflow() <= 0, width
    assert visit.complaints == []


def test_a_case_beneath_its_list_leads_back_to_it(context: Any, link: Link) -> None:
    """Where both stand side by side there is no way back to offer."""
    visit = Visit(context, width=400)
    page = visit.open(link("cases", studies.SAMPLE, model="plackett-luce", reliability=2))
    visit.settle()
    rows, back = page.locator("tr[data-row]"), page.get_by_role("button", name="Back to the list")
    rows.nth(2).click()
    page.wait_for_function(f"document.querySelector('.st-key-case-title').{_TOP} < 200")
    page.mouse.move(200, 500)
    page.mouse.wheel(0, 300)
    page.wait_for_function(f"document.querySelector('.st-key-worklist').{_TOP} < -100")
    back.scroll_into_view_if_needed()
    back.click()
    page.wait_for_function(f"document.querySelector('.st-key-worklist').{_TOP} > 0")
    assert page.get_by_role("heading", name="Cases", exact=True).bounding_box()["y"] > 50, "below the head"
    assert rows.nth(2).is_visible()
    assert visit.overflow() <= 0
    visit.look(1440, "light")
    assert not back.is_visible()
    assert visit.complaints == []


@pytest.mark.parametrize(
    ("preset", "of"),
    [
        ("", {}),
        ("any high-risk label is plausible", {}),
        ("any high-risk label is plausible", {"model": "plackett-luce", "reliability": "2"}),
        ("a model misses danger that is unsettled", {}),
        ("a model misses danger", {}),
        ("a model misses danger", {"model": "plackett-luce", "reliability": "2"}),
        ("readers agree, model differs", {}),
        ("accuracy misleads", {}),
    ],
)
def test_labels_of_a_list_are_not_cut(kept: Kept, link: Link, preset: str, of: dict[str, str]) -> None:
    """With room above and below, in a list beside its case, wherever it is scrolled to.

    Without a list thirteen rows are in sight.
    """
    visit = kept.look(link("cases", studies.SAMPLE, **({"preset": preset} if preset else {}), **of))
    page = visit.page
    frame, is_end, titles = page.locator(".st-key-worklist .cases"), False, set()
    while not is_end:
        cells = page.locator("td.levels")
        titles |= {*cells.evaluate_all("all => all.map((cell) => cell.title)")}
        assert cells.evaluate_all(_CUT_CELLS) == []
        is_end = frame.evaluate(
            """async (of) => {
              const at = of.scrollTop;
              of.scrollTop += of.clientHeight;
              for (let n = 0; n < 3; n += 1) await new Promise(requestAnimationFrame);
              return of.scrollTop === at;
            }"""
        )
    # Where all readers put one label first, none ties with it.
    assert any(title.startswith("Tied: ") for title in titles) != (preset == "readers agree, model differs")
    # Its first rows are drawn once it has heard of that; those that were there before have no height then.
    frame.evaluate(
        """async (of) => {
          of.scrollTop = 0;
          for (let n = 0; n < 3; n += 1) await new Promise(requestAnimationFrame);
        }"""
    )
    room = page.locator("td.wide span").evaluate_all(
        "all => all.map((of) => of.closest('td').clientHeight - of.offsetHeight)"
    )
    assert min(room) >= 4
    if not preset:
        page.set_viewport_size({"width": 1440, "height": 900})
        page.get_by_text("Rows 1 to 13 of 301").wait_for()
    assert visit.complaints == []


@pytest.mark.parametrize("width", [1280, 1366, 1440, 1536])
def test_labels_that_tie_are_not_cut_beside_a_case(kept: Kept, link: Link, width: int) -> None:
    """Not by a part of a pixel: in a narrow column each has smaller letters, of 11 pixels at least."""
    of = {"model": "plackett-luce", "reliability": "2", "preset": "any high-risk label is plausible"}
    visit = kept.look(link("cases", studies.SAMPLE, **of), width=width)
    page = visit.page
    frame, found = page.locator(".st-key-worklist .cases"), {}
    is_end = False
    while not is_end:
        found |= dict(
            page.locator("td.levels i").evaluate_all(
                """all => all.map((of) => {
                  const words = document.createRange();
                  words.selectNodeContents(of);
                  const beyond = words.getBoundingClientRect().right - of.getBoundingClientRect().right;
                  return [of.innerText, [beyond, parseFloat(getComputedStyle(of).fontSize)]];
                })"""
            )
        )
        is_end = frame.evaluate(
            """async (of) => {
              const at = of.scrollTop;
              of.scrollTop += of.clientHeight;
              for (let n = 0; n < 3; n += 1) await new Promise(requestAnimationFrame);
              return of.scrollTop === at;
            }"""
        )
    assert any("or Pyogenic granuloma" in name for name in found)
    assert {name: beyond for name, (beyond, _) in found.items() if beyond > 0.01} == {}
    assert min(size for _, size in found.values()) >= 11
    assert visit.complaints == []


@pytest.mark.parametrize(
    "preset", ["any high-risk label is plausible", "a model misses danger that is unsettled"]
)
def test_labels_that_tie_are_not_cut_on_a_telephone(kept: Kept, link: Link, preset: str) -> None:
    """Each has one line, beside three columns more."""
    address = link("cases", studies.SAMPLE, model="plackett-luce", reliability="2", preset=preset)
    page = kept.look(address, width=400).page
    lines = page.locator(".st-key-worklist td.levels i")
    assert lines.count() >= 4
    assert (
        lines.evaluate_all(
            "all => all.filter((of) => of.scrollWidth > of.clientWidth).map((of) => of.innerText)"
        )
        == []
    )
    assert min(lines.evaluate_all("all => all.map((of) => parseFloat(getComputedStyle(of).fontSize))")) >= 11


def test_a_case_says_which_reading_its_answer_hangs_on(context: Any, link: Link) -> None:
    """What would lead without it is what leads once it is left out; ties are said not to be divided, once."""
    visit = Visit(context)
    page = visit.open(link("cases", studies.SAMPLE, model="plackett-luce", case="derm-004"))
    brief = page.locator(".loupe-brief").inner_text()
    # Of more than two things that change the sentence says between what danger moves; the rows say by whom.
    moves = r"without one of them danger, now (\d+) of 100, is (\d+) to (\d+), and another label may lead"
    now, least, most = map(int, re.search(moves, brief).groups())
    dangers = [int(cell) for cell in page.locator(".loupe-hangs tbody td:last-child").all_inner_texts()]
    assert dangers[0] == now
    assert (min(dangers), max(dangers)) == (least, most)
    # Whoever moves danger most has a row, besides those on whom the answer hangs.
    with_all, without, tied, *others = page.locator(".loupe-hangs tbody tr").all_inner_texts()
    assert with_all.startswith("none")
    assert tied.startswith("R16"), tied
    assert [row[:3] for row in others] == ["R13", "R07"]
    assert re.search(r"\n(tied|too close to tell)", tied)
    assert "Hemangioma" in with_all
    assert without.startswith("R03"), without
    assert "ties 2" in without
    assert "Basal Cell Carcinoma" in without
    assert "A tie within a reading is not divided" in page.locator("[data-testid=stSidebar]").inner_text()
    leader = page.locator(".loupe-contenders tbody tr").first
    assert "Hemangioma" in leader.inner_text()
    page.locator(".st-key-what-if [data-testid=stCheckbox] label").first.click()
    leader.get_by_text("Basal Cell Carcinoma").wait_for()
    visit.settle()
    assert "R03" not in " ".join(page.locator(".loupe-hangs").all_inner_texts())
    assert visit.complaints == []


def test_dangers_that_one_model_misses(context: Any, link: Link) -> None:
    """A click lists those of all models, a second one those of one; what is unsettled is in sight at once."""
    visit = Visit(context, width=400)
    page = visit.open(link("cases", studies.SAMPLE, model="plackett-luce"))
    page.get_by_role("radio", name="Danger missed").click()
    page.get_by_role("radio", name="Another label leads").wait_for()
    page.get_by_role("combobox", name="Danger missed by").click()
    noisy = page.get_by_role("option", name="By Model C")
    misses = noisy.evaluate(NUMBER)
    noisy.click()
    page.wait_for_function("location.search.includes('missed_by=Model+C')")
    visit.settle()
    assert int(misses) < 84
    assert f"{misses} of 301 cases" in page.locator(".loupe-listed").inner_text()
    # Whichever rows are in sight: the list stands at the case that is open; cut words are said shorter.
    rows = page.locator("tr[data-row]").all_inner_texts()
    missed_by = page.locator("tr[data-row] td:nth-child(3)").all_inner_texts()
    assert all(re.search(r"\bC\b", words) for words in missed_by), rows
    assert visit.overflow() <= 0
    # It is let go in other lists, and kept for the way back.
    _list(visit, "Any danger", "!location.search.includes('missed_by')")
    _list(visit, "Danger missed", "location.search.includes('missed_by=Model+C')")
    assert f"{misses} of 301 cases" in page.locator(".loupe-listed").inner_text()
    assert not visit.complaints
