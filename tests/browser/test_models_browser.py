"""Models in a real browser: it is sound, and leads from a cell of the matrix to a case."""

from __future__ import annotations

from typing import Any

import pytest
from browser import axe
from browser.conftest import Link
from browser.kept import Kept
from browser.visit import PAINTED, Visit

from core.analysis.models.deciding import deciding_cases
from core.study.reading.folder import read_study
from dashboard.shell import studies

pytestmark = pytest.mark.browser

DECIDING = ".st-key-deciding tbody tr"


@pytest.mark.parametrize(
    ("study", "width", "mode", "view"),
    [
        ("chest_xrays", 1440, "light", {"task": "Edema"}),
        ("mixed_digits", 900, "dark", {"measure": "accuracy"}),
        ("hostile", 900, "light", {}),
    ],
)
def test_page_is_sound(
    kept: Kept, link: Link, study: str, width: int, mode: str, view: dict[str, str]
) -> None:
    """No error, nothing from elsewhere, nothing wider than the page, nothing hard to read."""
    visit = kept.look(link("models", study, **view), width=width, mode=mode)
    page = visit.page
    if study != "hostile":
        page.wait_for_function(PAINTED)
        visit.settle()
    assert visit.complaints == []
    assert visit.strangers == []
    assert page.locator(".stException").count() == 0
    assert visit.overflow() <= 0
    assert axe.faults(page) == []


def test_from_a_cell_of_the_matrix_to_the_case(kept: Kept, link: Link) -> None:
    """A click on a pair lists the cases that decide between them; a click on the first opens it."""
    visit = kept.look(link("models", "chest_xrays", task="Edema"))
    page = visit.page
    cell = page.locator(".st-key-chart-better path[aria-roledescription='rect mark']").last
    cell.wait_for(timeout=240_000)
    visit.settle()
    cell.scroll_into_view_if_needed()
    cell.click()
    page.wait_for_function("location.search.includes('rivals=')")
    visit.settle()
    pair = page.evaluate("new URLSearchParams(location.search).getAll('rivals')")
    study = read_study(studies.sources()["chest_xrays"].folder)
    wanted = deciding_cases(study, study.tasks["Edema"], *pair)["case_id"].iloc[0]
    first = page.locator(DECIDING).first
    first.get_by_text(wanted, exact=True).wait_for()
    first.locator("td").nth(1).click()
    page.locator(".st-key-case-title", has_text=wanted).wait_for(timeout=240_000)
    assert "/cases?" in page.url
    assert visit.complaints == []


def test_a_deciding_case_is_opened_by_keyboard(context: Any, link: Link) -> None:
    """Arrow keys mark the cases one by one and stay on the page, Enter opens; from there it goes on."""
    visit = Visit(context)
    page = visit.open(link("cases", "chest_xrays", task="Edema"))
    visit.follow("Models")
    page.locator(".st-key-deciding .cases").focus()
    for _ in range(3):
        page.keyboard.press("ArrowDown")
    page.keyboard.press("ArrowUp")
    marked = page.locator(".st-key-deciding tr[aria-selected=true]")
    assert marked.get_attribute("data-row") == "1"
    wanted = marked.locator("td").first.inner_text()
    assert "/models?" in page.url
    page.keyboard.press("Enter")
    page.locator(".st-key-case-title", has_text=wanted).wait_for(timeout=240_000)
    visit.settle()
    row = page.locator(".st-key-worklist tr[aria-selected=true]")
    at = int(row.get_attribute("data-row") or "")
    page.keyboard.press("Alt+n")
    page.locator(f".st-key-worklist tr[aria-selected=true][data-row='{at + 1}']").wait_for()
    page.locator(".st-key-case-title", has_text=row.locator("td").first.inner_text()).wait_for()
    visit.settle()
    assert "/cases?" in page.url
    assert visit.complaints == []


def test_a_metric_is_chosen_by_mouse(kept: Kept, link: Link) -> None:
    """The sentence follows, and the address holds the metric."""
    visit = kept.look(link("models", "chest_xrays", task="Edema"))
    page = visit.page
    page.get_by_label("Metric, hard and with every reading kept").first.click()
    page.get_by_role("option", name="AP → s-AP", exact=True).click()
    page.wait_for_function("location.search.includes('measure=AP')")
    page.locator(".loupe-sentence", has_text="leads on AP").wait_for()
    assert visit.complaints == []


def test_a_click_on_a_group_opens_its_cases(context: Any, link: Link) -> None:
    """The filter keeps the cases of the group alone; and going back, the page stays."""
    visit = Visit(context)
    page = visit.open(link("models", "knee_mri", slice_by="site"))
    visit.settle()
    page.get_by_text("Does it hold in every group?", exact=True).click()
    chart = page.locator(".st-key-chart-slices")
    chart.locator(".marks").first.wait_for(timeout=240_000)
    visit.settle()
    assert axe.faults(page) == []
    chart.scroll_into_view_if_needed()
    chart.get_by_text("Lakeside", exact=True).first.click(force=True)
    page.locator(".st-key-case-title").wait_for(timeout=240_000)
    visit.settle()
    assert "metadata=site%3ALakeside" in page.url
    assert page.get_by_text("56 of 300 cases").count() > 0
    page.go_back()
    page.locator(".loupe-sentence").first.wait_for()
    visit.settle()
    assert "/models?" in page.url
    assert visit.complaints == []
