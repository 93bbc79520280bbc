"""What counts as danger is chosen where dangers are counted; every page follows."""

from __future__ import annotations

import re
from typing import Any

import pytest
from browser.axe import faults
from browser.conftest import Link
from browser.kept import Kept
from browser.visit import Visit

pytestmark = pytest.mark.browser

BAR = ".st-key-dangers"


def test_a_study_without_dangers_is_given_one(context: Any, link: Link) -> None:
    """Chosen in a list that stays open; kept by the address, by the other pages and by Back."""
    visit = Visit(context)
    page = visit.open(link("study", "knee_mri"))
    visit.settle()
    heads = page.locator(".st-key-study-verdict th")
    assert "Dangers missed" not in heads.all_inner_texts()
    page.get_by_role("button", name="What counts as danger").click()
    field = page.get_by_test_id("stPopoverBody").get_by_role("combobox")
    field.fill("tear")
    page.get_by_role("option", name="Tear", exact=True).click()
    page.locator(BAR).wait_for()
    page.locator(".st-key-study-verdict th", has_text="Dangers missed").wait_for()
    # A further one can be chosen.
    field.wait_for()
    said = "Danger here: Tear (chosen; the study names none)."
    assert page.locator(f"{BAR} p").first.inner_text() == said
    assert "dangers=Tear" in page.url
    # What is usual is seldom a danger: it is asked whether it was meant.
    field.fill("No")
    page.get_by_role("option", name="No tear", exact=True).click()
    page.locator(BAR, has_text="of what readers named counts as danger: is that meant?").wait_for()
    page.get_by_test_id("stPopoverBody").get_by_role("button", name="Remove No tear").or_(
        page.get_by_test_id("stPopoverBody").get_by_label("Delete No tear")
    ).first.click()
    page.locator(BAR, has_not_text="is that meant?").wait_for()
    page.keyboard.press("Escape")
    visit.follow("Cases")
    assert page.locator(f"{BAR} p").first.inner_text() == said
    page.get_by_role("radio", name="Danger missed").wait_for()
    page.reload()
    visit.arrive("Cases")
    assert page.locator(f"{BAR} p").first.inner_text() == said
    page.get_by_role("button", name="As the study says").first.click()
    page.locator(BAR).wait_for(state="detached")
    visit.settle()
    assert page.get_by_role("radio", name="Danger missed").count() == 0
    assert "dangers=" not in page.url
    page.go_back()
    page.locator(BAR).wait_for()
    assert visit.complaints == visit.strangers == []


@pytest.mark.parametrize("width", [1440, 1180, 900, 700, 400])
def test_claims_by_a_reference_fit_with_dangers_that_were_chosen(kept: Kept, link: Link, width: int) -> None:
    """The widest table that there is: no column is out of its card, and no words lie over the pictures."""
    visit = kept.look(link("study", "knee_mri", dangers="Tear"), width=width)
    page = visit.page
    page.get_by_role("table", name="Claims and verdicts").wait_for()
    visit.settle()
    boxes = """cells => cells.map((cell) => {
      const card = cell.closest(".st-key-study-verdict").getBoundingClientRect().right;
      const range = cell.querySelector(".loupe-range")?.getBoundingClientRect();
      const words = document.createRange();
      if (cell.querySelector("small")) words.selectNodeContents(cell.querySelector("small"));
      return [card - cell.getBoundingClientRect().right,
              range?.width ? range.left - words.getBoundingClientRect().right : 1];
    }).flat()"""
    room = page.locator(".st-key-study-verdict .loupe-table td").evaluate_all(boxes)
    assert min(room) >= 0
    assert visit.overflow() <= 0


@pytest.mark.parametrize(("width", "mode"), [(1440, "dark"), (900, "light"), (400, "dark")])
def test_the_choice_is_sound_at_every_width(context: Any, link: Link, width: int, mode: str) -> None:
    """Many labels are named in part; nothing is wider than the window, and the list has a name."""
    many = [
        "Basal Cell Carcinoma",
        "Cellulitis",
        "Cutaneous T Cell Lymphoma",
        "Melanoma",
        "SCC/SCCIS",
        "Acne",
    ]
    address = link("study", "dermatology_like", reliability=2, study_part="claims")
    visit = Visit(context, width=width, mode=mode)
    page = visit.open(address + "".join(f"&dangers={one}" for one in many))
    visit.settle()
    bar = page.locator(BAR)
    assert "Acne, Basal Cell Carcinoma, Cellulitis, Cutaneous T Cell Lymphoma and 2 more" in bar.inner_text()
    assert visit.overflow() <= 0
    assert page.get_by_text("Before this choice").count() == 0, "it was never seen"
    page.get_by_role("button", name="What counts as danger").click()
    opened = page.get_by_test_id("stPopoverBody")
    opened.get_by_role("combobox", name="Dangers: labels of high risk").wait_for()
    box = opened.bounding_box()
    assert box["x"] >= 0
    assert box["x"] + box["width"] <= width
    assert box["y"] >= 0
    assert box["y"] + box["height"] <= page.viewport_size["height"]
    tags = opened.get_by_test_id("stMultiSelectTagsContainer").bounding_box()
    assert tags["y"] + tags["height"] <= box["y"] + box["height"], "every label is in sight"
    assert visit.overflow() <= 0
    assert faults(page) == []


def test_dangers_are_taken_out_quickly_one_after_the_other(context: Any, link: Link) -> None:
    """All are in sight, also in the narrow column on the left: none lies beyond an edge, and none is lost."""
    visit = Visit(context)
    page = visit.open(link("study", "dermatology_like", reliability=2))
    visit.settle()
    panel = page.locator(".st-key-what-is-danger")
    panel.locator("summary").click()
    panel.get_by_role("button", name="Remove Urticaria").wait_for()
    box = panel.get_by_test_id("stMultiSelectTagsContainer")
    assert box.evaluate("box => box.scrollHeight <= box.clientHeight + 1")
    for label in ("Urticaria", "Scabies", "Herpes Zoster", "Cellulitis"):
        panel.get_by_role("button", name=f"Remove {label}").click()
        page.wait_for_timeout(200)
    cancers = ["Basal Cell Carcinoma", "Cutaneous T Cell Lymphoma", "Melanoma", "SCC/SCCIS"]
    page.locator(f"{BAR} p", has_text=f"Danger here: {', '.join(cancers)} (chosen").wait_for()
    visit.settle()
    assert panel.locator("[data-tag]").all_inner_texts() == cancers
    assert page.url.count("dangers=") == 4
    assert visit.complaints == []


def test_what_a_choice_changes_is_said_beside_what_was_before(context: Any, link: Link) -> None:
    """Of the same cases, as many readings counted; once the choice is taken back, nothing."""
    visit = Visit(context)
    page = visit.open(link("study", "dermatology_like", reliability=2, study_part="claims"))
    visit.settle()
    card, before = page.locator(".st-key-study-card-danger"), page.get_by_text("Before this choice: ")
    total = card.locator(".loupe-figure").first.inner_text().split()[0]
    expected = re.search(r"expected in (about \d+) cases", card.inner_text())[1]
    missed = re.search(r"Model A misses none|Model A \((\d+)\)", page.inner_text(".st-key-study-verdict"))[1]
    assert before.count() == 0
    # What is unfolded stays so while its numbers change; what was folded again, too.
    plain, columns = (
        page.locator(".loupe-folds details", has_text=words) for words in ("In plain", "columns")
    )
    for fold, presses in ((plain, 1), (columns, 2)):
        for _ in range(presses):
            fold.locator("summary").click()
    page.get_by_role("button", name="What counts as danger").click()
    field = page.get_by_test_id("stPopoverBody").get_by_role("combobox")
    field.fill("Acne")
    page.get_by_role("option", name="Acne", exact=True).click()
    before.wait_for()
    said = f"Before this choice: {total} cases, {expected} expected. Missed by Model A {missed}, "
    assert before.inner_text().startswith(said)
    now = card.locator(".loupe-figure").first.inner_text().split()[0]
    assert int(now) > int(total)
    # Models are judged anew meanwhile: what they come to is found a moment later.
    told = plain.locator("dd", has_text="dangers.").first
    told.wait_for()
    visit.settle()
    assert told.is_visible()
    assert not columns.locator("dd").first.is_visible()
    page.keyboard.press("Escape")
    page.get_by_role("button", name="As the study says").first.click()
    before.wait_for(state="detached")
    assert visit.complaints == []


def test_the_slider_is_moved_while_dangers_are_counted_anew(context: Any, link: Link) -> None:
    """Neither choice is lost, and the page is of both."""
    visit = Visit(context)
    page = visit.open(
        link("study", "dermatology_like", reliability=2, dangers="Melanoma", study_part="claims")
    )
    visit.unfold_counting()
    visit.settle()
    page.get_by_role("button", name="As the study says").first.click()
    slider = page.get_by_role("slider", name="Reliability")
    slider.focus()
    slider.press("ArrowRight")
    slider.press("ArrowRight")
    page.wait_for_function(
        "!location.search.includes('dangers') && !location.search.includes('reliability=2')", timeout=120_000
    )
    visit.settle()
    assert page.locator(BAR).count() == 0
    page.get_by_role("cell", name="Cellulitis").first.wait_for()
    assert visit.complaints == []
