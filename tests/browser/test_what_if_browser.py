"""What if, in a real browser: names stay names, many labels are no burden, nothing done quickly is lost."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from browser.conftest import Link
from browser.odd_studies import HOSTILE
from browser.visit import SETTLED, Visit

from dashboard.shell import studies

pytestmark = pytest.mark.browser

EDITOR = "[class*=st-key-editor-]"
LISTED = f"{EDITOR} [role=radiogroup] label"
ODD = (
    "<b>naevus</b>, {blue}",
    "**bold** [l](http://x.example) www.x.example",
    "$x$ :material/home: :red[r]",
)

ANSWER = ".st-key-what-if .loupe-effect"
IN_SIGHT = """said => {
  const {left, right, top, bottom} = said.getBoundingClientRect();
  return document.elementFromPoint((left + right) / 2, (top + bottom) / 2) === said;
}"""
"""Whether nothing lies over the middle of some words."""

COUNT_PRESSES = """() => {
  window.presses = 0;
  document.addEventListener("click", ({target}) => {
    window.presses += target.closest?.("button")?.innerText.includes("Move up") ?? 0;
  }, true);
}"""
"""Counts the presses that the button itself hears."""


def add_reading(page: Any) -> Any:
    """Open a new reading; return the field that searches the labels."""
    add = page.get_by_role("button", name="Add a reading")
    add.wait_for()
    page.wait_for_function(SETTLED)
    add.focus()  # By key: pictures that come in late move the button away under a click.
    page.keyboard.press("Enter")
    field = page.locator(f"{EDITOR} [role=combobox]").first
    field.click()
    return field


@pytest.fixture(scope="module")
def odd(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A study of differentials whose labels hold markup, braces, commas and addresses."""
    folder = tmp_path_factory.mktemp("odd-labels")
    (folder / "study.toml").write_text("name = 'odd'\n[tasks.t]\nkind = 'ranking'\n")
    (folder / "labels.csv").write_text("label\n" + "\n".join(f'"{label}"' for label in (*ODD, "a", "b")))
    rows = [f'c1,r{rater},"{label}",{rank}' for rater in range(3) for rank, label in enumerate(ODD, start=1)]
    (folder / "annotations.csv").write_text("case_id,rater_id,label,rank\n" + "\n".join(rows) + "\n")
    return folder


def test_names_stay_names(context: Any, address: str, odd: Path) -> None:
    """In field, list, rows and sentences a label is what it is: no markup, link, icon or formula."""
    visit = Visit(context)
    page = visit.open_folder(address, odd)
    visit.follow("Cases")
    page = visit.show_part("What if")
    page.get_by_role("button", name="Change", exact=True).first.click()
    page.locator(LISTED).nth(2).wait_for()
    listed = [text.replace("\u2060", "") for text in page.locator(LISTED).all_inner_texts()]
    assert listed == [f"{place}. {label}" for place, label in enumerate(ODD, start=1)]
    panel = page.locator(".st-key-what-if")
    for tag in ("a", "b", "strong", ".katex", "[data-testid=stIconMaterial] >> text=home"):
        assert panel.locator(f"{EDITOR} {tag}" if " " not in tag else tag).count() == 0
    assert ODD[0] in panel.inner_text()
    assert visit.complaints == visit.strangers == []


def test_ten_thousand_labels(context: Any, link: Link) -> None:
    """They are searched by typing and weigh little; the panel fits into 400 pixels, long names too.

    There the list and its buttons leave the first screen to the case.
    """
    visit = Visit(context, width=400, mode="dark")
    page = visit.open(link("cases", "crowded"))
    visit.settle()
    heights = [
        page.locator(one).bounding_box()["height"]
        for one in ("[class*=st-key-choose-preset-button]", ".st-key-worklist")
    ]
    assert sum(heights) < 1000 / 3, heights
    visit.forget()
    field = add_reading(page)
    field.fill("L09998")
    page.get_by_role("option", name="L09998").click()
    page.wait_for_function("location.search.includes('what_if=')")
    visit.settle()
    assert "L09998" in page.locator(EDITOR).inner_text()
    assert visit.overflow() <= 0
    assert sum(visit.messages) < 5_000_000
    assert visit.complaints == []


def test_quick_presses_are_all_heard(context: Any, link: Link) -> None:
    """Three labels one after the other, then moved up as fast as one can click: all of it counts."""
    visit = Visit(context, width=900)
    page = visit.open(link("cases", studies.SAMPLE, model="prirn", case="derm-004"))
    add_reading(page)
    for place, name in enumerate(("Melanoma", "Cellulitis", "Folliculitis")):
        page.keyboard.type(name)
        page.get_by_role("option", name=name).first.wait_for()
        page.keyboard.press("Enter")
        page.locator(LISTED).nth(place).get_by_text(name).wait_for()
        visit.settle()
    page.keyboard.press("Escape")
    up = page.get_by_role("button", name="Move up")
    page.evaluate(COUNT_PRESSES)
    # Where what stands above grows between down and up of the pointer, it is no press, for nobody.
    while page.evaluate("window.presses") < 2:
        up.click(no_wait_after=True)
    page.wait_for_function(
        "css => document.querySelector(css).textContent.includes('Folliculitis')", arg=LISTED
    )
    page.wait_for_timeout(1500)
    visit.settle()
    names = [text.split()[1] for text in page.locator(LISTED).all_inner_texts()]
    assert names == ["Folliculitis", "Melanoma", "Cellulitis"]
    assert visit.complaints == []


def test_a_hostile_label_is_chosen(context: Any, link: Link) -> None:
    """A choice of it is added and shown as it is written."""
    visit = Visit(context)
    page = visit.open(link("cases", "hostile"))
    add_reading(page)
    page.get_by_role("option", name=HOSTILE).click()
    page.wait_for_function("location.search.includes('what_if=')")
    visit.settle()
    assert HOSTILE in page.locator(".st-key-what-if").inner_text()
    assert visit.complaints == visit.strangers == []


def test_labels_are_picked_in_the_first_screen_of_the_part(context: Any, link: Link) -> None:
    """On a laptop a reading is added, and its labels are searched, without scrolling."""
    visit = Visit(context)
    page = visit.page
    page.set_viewport_size({"width": 1440, "height": 900})
    visit.open(
        link("cases", studies.SAMPLE, model="prirn", case="derm-004", case_part="what-if"), painted=False
    )
    visit.settle()
    add = page.get_by_role("button", name="Add a reading")
    add.wait_for()
    box = add.bounding_box()
    assert box["y"] + box["height"] < 900
    page.mouse.click(box["x"] + box["width"] / 2, box["y"] + box["height"] / 2)
    field = page.locator(f"{EDITOR} [role=combobox]").first
    field.wait_for()
    visit.settle()
    assert page.evaluate("document.querySelector('.stMain').scrollTop") == 0
    assert field.bounding_box()["y"] + field.bounding_box()["height"] < 900
    assert add.is_disabled()
    assert visit.complaints == []


@pytest.mark.parametrize("width", [400, 1440])
def test_a_what_if_is_never_mistaken_for_data(context: Any, link: Link, width: int) -> None:
    """Scrolled to the very end, it is still said and one click leads back; title and readings say it too.

    What it does is said at the editor as well, and nothing lies over what is said above.
    """
    visit = Visit(context, width=width)
    page = visit.open(link("cases", studies.SAMPLE, model="prirn", case="derm-004"))
    page.get_by_role("button", name="Change", exact=True).first.click()
    page.locator(f"{EDITOR} [role=combobox]").first.fill("Scabies")
    page.keyboard.press("Enter")
    banner = page.locator(".st-key-what-if-banner")
    banner.get_by_text("not the study's readings").wait_for()
    page.wait_for_function("document.title.startsWith('What if')")
    page.locator(".loupe-table", has_text=", changed").wait_for()
    page.keyboard.press("Escape")
    visit.settle()
    page.evaluate("document.querySelector('.stMain').scrollTo(0, 100000)")
    page.wait_for_timeout(500)
    box = banner.bounding_box()
    assert 0 <= box["y"] < 200
    assert banner.locator("p").first.evaluate(IN_SIGHT)
    editor, answer = page.locator(EDITOR).bounding_box(), page.locator(ANSWER).bounding_box()
    assert 0 <= answer["y"] - (editor["y"] + editor["height"]) < 60
    assert visit.overflow() <= 0
    banner.get_by_role("button", name="Back to the study's readings").click()
    banner.wait_for(state="detached")
    page.wait_for_function("document.title.startsWith('Case')")
    assert visit.complaints == []
