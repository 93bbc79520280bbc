"""Parts of a page that shows one at a time: chosen, kept, linked, and all below one another."""

from __future__ import annotations

from typing import Any

from browser import axe
from browser.conftest import Link
from browser.kept import Kept
from browser.visit import Visit

from dashboard.shell import studies

CASE = {"model": "prirn", "case": "derm-004"}
FIRST = {"case_part": ""}
"""The part that stands there unasked."""


def _headings(page: Any) -> list[str]:
    found: list[str] = page.locator(".stMain .loupe-h2:visible").all_inner_texts()
    return found


def test_one_part_of_a_case_stands_at_a_time(kept: Kept, link: Link) -> None:
    """The first unasked; another replaces it, goes along to the next case, and back with the browser."""
    visit = kept.look(link("cases", studies.SAMPLE, **CASE, **FIRST))
    page = visit.page
    assert "Readings" in _headings(page)
    assert page.locator(".stMain .stVegaLiteChart, .stMain .stPlotlyChart").count() == 0
    assert "Useful next" in page.locator(".loupe-brief").inner_text()
    visit.show_part("Plausible truths")
    page.get_by_role("heading", name="How often does each label lead?").wait_for()
    assert "Readings" not in _headings(page)
    assert "case_part=truths" in page.url
    page.get_by_role("button", name="Next").click()
    visit.settle()
    assert "How often does each label lead?" in _headings(page)
    visit.follow("Study")
    visit.follow("Cases")
    assert "How often does each label lead?" in _headings(page)
    assert visit.complaints == []


def test_a_link_shows_the_part_and_all_shows_everything(kept: Kept, link: Link) -> None:
    """What was chosen is in the address; all parts stand below one another, in their order."""
    visit = kept.look(link("cases", studies.SAMPLE, **CASE, case_part="models"))
    page = visit.page
    page.get_by_role("heading", name="What the models say").wait_for()
    assert "Readings" not in _headings(page)
    visit.show_part("All")
    page.get_by_role("heading", name="What if it had been read differently?").wait_for()
    heads = _headings(page)
    asked = ["Readings", "How often does each label lead?", "What the models say"]
    places = [heads.index(name) for name in [*asked, "What if it had been read differently?"]]
    assert places == sorted(places)
    assert visit.complaints == []


def test_what_if_follows_to_the_other_parts(kept: Kept, link: Link) -> None:
    """A reading left out in one part is left out in all, and each says so."""
    visit = kept.look(link("cases", studies.SAMPLE, **CASE, case_part="what-if"))
    page = visit.page
    page.locator(".st-key-what-if [data-testid=stCheckbox] label").first.click()
    page.locator(".st-key-what-if-banner").wait_for()
    for part in ("Why", "Plausible truths", "Models"):
        visit.show_part(part)
        assert "not the study's readings" in page.locator(".st-key-what-if-banner").inner_text()
    page.get_by_role("button", name="Back to the study's readings").click()
    page.locator(".st-key-what-if-banner").wait_for(state="detached")
    assert visit.complaints == []


def test_what_if_goes_along_and_the_changes_stay(context: Any, link: Link) -> None:
    """The next case has its own readings; back at the first they are as they were left."""
    visit = Visit(context)
    page = visit.open(link("cases", studies.SAMPLE, **CASE, case_part="what-if"), painted=False)
    visit.settle()
    page.locator(".st-key-what-if [data-testid=stCheckbox] label").first.click()
    banner = page.locator(".st-key-what-if-banner")
    banner.wait_for()
    page.get_by_role("button", name="Next").click()
    banner.wait_for(state="detached")
    visit.settle()
    assert "case_part=what-if" in page.url
    assert "what_if=" not in page.url
    assert page.locator(".st-key-what-if input[type=checkbox]").evaluate_all(
        "boxes => boxes.every((box) => box.checked)"
    )
    page.get_by_role("button", name="Previous").click()
    banner.wait_for()
    visit.settle()
    assert not page.locator(".st-key-what-if input[type=checkbox]").first.is_checked()
    assert visit.complaints == []


def test_the_choice_of_parts_fits(kept: Kept, link: Link) -> None:
    """All of them are in sight, and nothing is wider than the window."""
    visit = kept.look(link("cases", studies.SAMPLE, **CASE, **FIRST), width=400)
    page = visit.page
    for width in (400, 900):
        visit.look(width, "light")
        for name in ("Why", "Plausible truths", "Models", "What if", "All"):
            box = page.locator(".st-key-parts-of-case").get_by_text(name, exact=True).bounding_box()
            assert box is not None
            assert box["x"] >= 0
            assert box["x"] + box["width"] <= width
        for name in ("Plausible truths", "Models", "What if", "Why"):
            visit.show_part(name)
            assert visit.overflow() <= 0, (name, width)
            assert axe.faults(page) == [], (name, width)


def test_the_slider_moves_each_part_and_leaves_none_behind(context: Any, link: Link) -> None:
    """Steps in quick succession, while parts are changed: what stands at the end is what was asked for."""
    visit = Visit(context)
    page = visit.open(link("cases", studies.SAMPLE, **CASE, **FIRST, reliability=1), painted=False)
    visit.settle()
    before = page.locator(".loupe-sentence").inner_text()
    for part in ("Plausible truths", "Models", "Why"):
        page.get_by_role("slider").first.focus()
        page.keyboard.press("ArrowRight")
        page.keyboard.press("ArrowRight")
        page.locator(".st-key-parts-of-case").get_by_text(part, exact=True).click()
    visit.settle()
    page.wait_for_function("document.querySelector('.loupe-contenders') !== null")
    visit.settle()
    assert "What the models say" not in _headings(page)
    assert page.locator(".loupe-sentence").inner_text() != before
    assert page.locator(".loupe-sentence").count() == 1
    assert visit.complaints == []
