"""The tour in a real browser: it paints, its slider needs no server, and it works by keyboard."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from browser import axe
from browser.conftest import Link
from browser.visit import OVERFLOW, Visit

from core.plausibility.settings import RELIABILITIES

pytestmark = pytest.mark.browser

PAINTED = "document.querySelectorAll('.st-key-tour .stVegaLiteChart svg.marks').length >= 4"
WITHIN = """() => {
  const page = document.querySelector('.stMain').getBoundingClientRect();
  const pictures = [...document.querySelectorAll('.st-key-tour svg.marks')];
  return pictures.map((one) => one.getBoundingClientRect())
    .every((one) => one.width > 0 && one.left >= page.left && one.right <= page.right + 1);
}"""
"""Whether no picture is wider than the page."""
STEP = ".st-key-tour-step-3"
SLIDER = f"{STEP} input[type=range]"
SAYS = f"""word => [...document.querySelectorAll('{STEP} svg text')]
  .some(text => text.textContent.replace(/\\u00a0/g, ' ').startsWith(word))"""
"""Whether a text of the picture that the slider drives begins with a word."""


def words(page: Any) -> list[str]:
    """Texts of the picture that the slider drives."""
    texts = page.locator(f"{STEP} svg text").all_text_contents()
    return [text.replace("\u00a0", " ") for text in texts]


@pytest.fixture
def visit(context: Any, link: Link) -> Visit:
    """The tour, open and at rest."""
    visit = Visit(context)
    visit.open(link("tour", "toy_three_labels"), painted=False)
    visit.page.wait_for_function(PAINTED, timeout=240_000)
    visit.settle()
    return visit


def test_it_opens_without_complaint(visit: Visit) -> None:
    """No console error, nothing from elsewhere, nothing wider than the page, nothing hard to read."""
    page = visit.page
    for width in (1440, 900):
        for mode in ("light", "dark"):
            page.set_viewport_size({"width": width, "height": 900})
            visit.turn(mode)
            page.wait_for_function(PAINTED)
            look = f"{width} {mode}"
            assert page.evaluate(OVERFLOW) <= 0, look
            page.wait_for_function(WITHIN)
            assert axe.faults(page) == [], look
    assert visit.complaints == []
    assert visit.strangers == []


def test_the_slider_needs_no_server(visit: Visit) -> None:
    """With arrow keys alone, every view follows; not a single message is sent."""
    page, before = visit.page, len(visit.sent)
    page.locator(SLIDER).focus()
    for key, gamma in (("Home", RELIABILITIES[0]), ("ArrowRight", RELIABILITIES[1])):
        page.keyboard.press(key)
        page.wait_for_function(SAYS, arg=f"γ = {gamma:g}:")
    page.keyboard.press("End")
    page.wait_for_function(SAYS, arg="γ = ∞: the votes are taken for the truth")
    said = words(page)
    assert "C leads in 20 of 20" in said
    assert "100 %" in said
    assert len(visit.sent) == before


def test_play_moves_the_slider_and_ends(visit: Visit) -> None:
    """Play goes on by itself, without the server, and stops at the last step."""
    page, before = visit.page, len(visit.sent)
    page.locator(SLIDER).focus()
    page.keyboard.press("End")
    for _ in range(3):
        page.keyboard.press("ArrowLeft")
    play = page.get_by_role("checkbox", name="Play")
    play.focus()
    page.keyboard.press("Space")
    assert play.is_checked()
    page.wait_for_function(
        f"document.querySelector('{SLIDER}').value == {len(RELIABILITIES) - 1}", timeout=240_000
    )
    page.wait_for_function(f"!document.querySelector('{STEP} form [type=checkbox]').checked")
    assert len(visit.sent) == before


def test_other_raters_change_the_case_and_leave_the_slider(visit: Visit) -> None:
    """The readings change, the pictures follow, and the reliability stays where it was put."""
    page = visit.page
    page.locator(SLIDER).focus()
    page.keyboard.press("Home")
    page.get_by_role("button", name="Ask three other raters").click()
    page.locator(".tour-readings", has_text="all three tied").wait_for(timeout=240_000)
    page.wait_for_function(SAYS, arg="leads in 33 %")
    visit.settle()
    assert page.locator(SLIDER).input_value() == "0"
    assert words(page).count("leads in 33 %") == 3
    assert visit.complaints == []


def test_data_as_a_table_and_a_file(visit: Visit, tmp_path: Path) -> None:
    """The numbers behind a picture can be saved, with where they come from."""
    visit.page.locator(STEP).get_by_role("button", name="Data", exact=True).click()
    with visit.page.expect_download() as download:
        visit.page.get_by_role("button", name="Download CSV").click()
    saved = tmp_path / "tour.csv"
    download.value.save_as(saved)
    rows = saved.read_text(encoding="utf-8").splitlines()
    assert rows[0].startswith("reliability,")
    assert len(rows) == 1 + len(RELIABILITIES)
    with visit.page.expect_download() as download:
        visit.page.get_by_role("button", name="Provenance").click()
    settings = json.loads(Path(download.value.path()).read_text(encoding="utf-8"))["settings"]
    assert settings["observation"] == "0.6"


def test_the_link_opens_the_case(visit: Visit) -> None:
    """The last button leads to the published case on the page Cases."""
    with visit.page.context.expect_page() as opened:
        visit.page.get_by_role("link", name="Open the case").click()
    page = opened.value
    page.locator(".st-key-case-title", has_text="stutz-2025-fig-5").wait_for(timeout=240_000)
    assert "/cases?" in page.url
