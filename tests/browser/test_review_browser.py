"""What should be done about a case, in a real browser: by keys, by two people, and found again."""

from __future__ import annotations

import re
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from browser.forked import serve
from browser.visit import Visit

pytestmark = pytest.mark.browser

NOTE = "<b>Look</b> at the border 🔍\n=1+1 שלום"
CASE = "stutz-2025-fig-5"
ELSEWHERE = """import os, pathlib, types
from core.study import own_folder
from dashboard.shell import author
def given(name, otherwise=None):
    kept_in = pathlib.Path({kept_in!r}).read_text()
    if name == "XDG_DATA_HOME" and os.environ.get(name) != kept_in:
        os.environ[name] = kept_in
        author._names.clear()
    return os.environ.get(name, otherwise)
own_folder.os = types.SimpleNamespace(environ=types.SimpleNamespace(get=given), path=os.path)
"""
"""Keeps what is written in the folder that a file names, and forgets who wrote when it names another."""
_LIST_TOP = "document.querySelector('.loupe-listed').getBoundingClientRect().top"
_IN_NOTE = """text => document.querySelector("[class*=st-key-review-note-] textarea")?.value === text"""
_SEEN_WHOLE = """(box => {
  const {top, bottom} = box.getBoundingClientRect();
  return top >= 0 && bottom <= innerHeight && box.scrollHeight <= box.clientHeight + 1;
})(document.querySelector("[data-testid=stPopoverBody]"))"""
"""Whether the box that is open lies in the window, and all of it is in sight."""
_OTHER_TITLE = """before => ![before, undefined].includes(
  document.querySelector('.st-key-case-title h2')?.innerText)"""


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory, world: Any) -> Iterator[tuple[str, Path]]:
    """A dashboard, and the file that says in which folder it keeps what is written."""
    folder = tmp_path_factory.mktemp("review")
    kept_in = folder / "kept in"
    kept_in.write_text(str(folder / "nothing"))
    with serve(folder, environment=world.environment, before=ELSEWHERE.format(kept_in=str(kept_in))) as url:
        yield url, kept_in


@pytest.fixture
def address(server: tuple[str, Path], tmp_path: Path) -> str:
    """A case in it, where nobody has written anything."""
    url, kept_in = server
    (tmp_path / "kept in").write_text(str(tmp_path / "data"))
    (tmp_path / "kept in").replace(kept_in)  # At once: nobody reads half of it.
    return f"{url}/cases?study=dermatology_like&model=label-counts&case_part=all&case={CASE}"


def _undo(page: Any) -> None:
    page.get_by_role("button", name="Undo").click()


def _says(page: Any, words: str) -> None:
    """The panel says so."""
    page.locator(".st-key-case-review").get_by_text(words).first.wait_for()


def _status(page: Any, words: str) -> None:
    page.wait_for_function(
        "words => document.querySelector('[class*=st-key-choose-review-status] input')?.value === words",
        arg="Status: none" if words == "open" else words.capitalize(),
    )


def _named(page: Any, name: str) -> None:
    """Say who writes, in the field that takes the focus."""
    page.get_by_label("Your name").wait_for()
    page.wait_for_function("document.activeElement?.tagName === 'INPUT'")
    page.keyboard.type(name)
    page.keyboard.press("Enter")


def _late(route: Any) -> None:
    """Let what draws the first field of a kind be a while on its way."""
    time.sleep(1)
    route.continue_()


def test_a_case_is_flagged_noted_and_found_by_another_reader(browser: Any, address: str) -> None:
    """The name is asked once; each sees what the other wrote; the list finds it; an undo takes it back."""
    visit, other = Visit(browser.new_context()), Visit(browser.new_context())
    visit.page.route("**/TextArea.*.js", _late)
    page = visit.open(address)
    visit.settle()
    page.keyboard.press("Alt+f")
    _named(page, "Dr. Ada")
    _says(page, "Flagged: no reason given (Dr. Ada)")
    page.get_by_role("button", name="worth teaching").click()
    _says(page, "Flagged: worth teaching (Dr. Ada)")
    page.keyboard.press("Alt+m")
    page.wait_for_function("document.activeElement?.tagName === 'TEXTAREA'")
    page.keyboard.insert_text(NOTE)
    page.keyboard.press("Control+Enter")
    _says(page, "Look</b> at the border")
    page.keyboard.press("Alt+r")
    _status(page, "to re-read")
    page.get_by_text("Of those listed:").get_by_text("1 to re-read").wait_for()

    second = other.open(address.partition("&case=")[0] + "&status=re-read")
    _status(second, "to re-read")
    assert second.locator(".loupe-listed").inner_text().startswith("1 of ")
    _says(second, "Flagged: worth teaching (Dr. Ada)")
    assert "flagged: worth teaching" in (second.locator(".mark").first.get_attribute("title") or "")
    second.locator(".st-key-review-another-name button").first.click()
    field = second.get_by_label("Your name")
    field.fill("Ben")
    field.press("Enter")
    field.wait_for(state="detached")
    second.get_by_role("button", name="Name: Ben").wait_for()
    assert second.get_by_role("button", name="Undo").is_disabled()  # Nobody takes back what another said.
    second.get_by_role("button", name="Flag").click()
    second.get_by_role("button", name="worth teaching").click()
    _says(second, "4 entries")
    second.get_by_role("button", name="worth teaching").click()
    _says(second, "5 entries")
    _says(second, "Flagged: worth teaching (Ben)")

    _undo(page)
    _status(page, "open")
    _says(page, "6 entries")
    page.keyboard.press("Alt+r")
    _status(page, "to re-read")
    page.keyboard.press("Alt+r")  # It is already.
    page.reload()
    _status(page, "to re-read")
    page.get_by_text("History: 7 entries").click()
    table = page.get_by_role("table", name="History of the case")
    table.get_by_text("Ben").first.wait_for()
    assert re.search("(?s)^(?!.*no reason given).*Flagged: worth teaching.*taken back", table.inner_text())
    assert visit.complaints == other.complaints == []


def _known(page: Any) -> None:
    """Say who writes, with the first case that is to be read again."""
    page.keyboard.press("Alt+r")
    page.get_by_label("Your name").fill("Ada")
    page.keyboard.press("Enter")
    _status(page, "to re-read")


def _opened(context: Any, address: str) -> tuple[Visit, Any]:
    """Open the list as somebody who is known, and wait until it is at rest."""
    visit = Visit(context)
    page = visit.open(address)
    visit.settle()
    _known(page)
    visit.settle()
    return visit, page


def test_what_is_marked_is_listed_at_once(context: Any, address: str) -> None:
    """The first case that is marked brings a list of what is, and moves nothing; pressed again, it goes."""
    visit = Visit(context, width=1440)
    page = visit.open(address)
    visit.settle()
    top = page.evaluate(_LIST_TOP)
    _known(page)
    marked = page.locator("[class*=st-key-choose-preset-marked] button").get_by_text("Marked", exact=True)
    marked.wait_for()
    assert page.evaluate(_LIST_TOP) == top, "one more list moves none"
    marked.click()
    page.wait_for_function("document.querySelector('.loupe-listed').innerText.startsWith('1 of ')")
    marked.click()
    page.wait_for_function("!document.querySelector('.loupe-listed').innerText.startsWith('1 of ')")
    assert visit.complaints == []


@pytest.mark.parametrize(("width", "height"), [(1440, 1000), (900, 720), (400, 720)])
def test_the_box_of_what_is_marked_is_seen_whole(context: Any, address: str, width: int, height: int) -> None:
    """It opens above its button where there is no room below, and so do the others beneath the list."""
    visit = Visit(context, width=width)
    visit.page.set_viewport_size({"width": width, "height": height})
    page = visit.open(address)
    visit.settle()
    _known(page)
    for name, last in (("sheet to print", "Save as text"), ("Columns", "Columns of the worklist")):
        button = page.locator(":is(.st-key-print-marked, .st-key-columns) button", has_text=name)
        button.evaluate("one => one.scrollIntoView({block: 'end'})")
        button.click()
        box = page.get_by_role("dialog", name=name)
        box.get_by_text(last, exact=True).or_(box.get_by_label(last)).first.wait_for()
        page.wait_for_function(_SEEN_WHOLE)
        top, at = box.bounding_box(), button.bounding_box()
        assert top["y"] + top["height"] <= at["y"], "above"
        page.keyboard.press("Escape")
    assert visit.complaints == []


@pytest.mark.parametrize("pause", [40, 250])
def test_cases_are_marked_in_a_hurry(context: Any, address: str, pause: int) -> None:
    """Six more to be read again, one key after the other, nothing waited for: each is, and no other."""
    visit, page = _opened(context, address)
    for _ in range(6):
        page.keyboard.press("Alt+n")
        page.wait_for_timeout(pause)
        page.keyboard.press("Alt+r")
        page.wait_for_timeout(pause)
    page.get_by_text("Of those listed:").get_by_text("7 to re-read").wait_for()
    assert visit.complaints == []


def test_a_queue_goes_on_where_a_case_has_left_it(context: Any, address: str) -> None:
    """Of the open cases, one that is put aside leaves the list; what comes next is what stood after it."""
    visit = Visit(context)
    page = visit.open(address.partition("&case=")[0] + "&status=open")
    visit.settle()
    title = page.locator(".st-key-case-title h2")
    order = []
    for _ in range(5):
        order.append(title.inner_text())
        page.keyboard.press("Alt+n")
        page.wait_for_function(_OTHER_TITLE, arg=order[-1])
    for _ in range(3):
        before = title.inner_text()
        page.keyboard.press("Alt+p")
        page.wait_for_function(_OTHER_TITLE, arg=before)
    assert title.inner_text() == order[2]
    _known(page)
    page.get_by_text("Not in the list").wait_for()
    page.keyboard.press("Alt+n")
    page.wait_for_function(_OTHER_TITLE, arg=order[2])
    assert title.inner_text() == order[3]
    page.keyboard.press("Alt+r")
    page.get_by_text("Not in the list").wait_for()
    page.get_by_role("button", name="Next").click()
    page.wait_for_function(_OTHER_TITLE, arg=order[3])
    assert title.inner_text() == order[4]
    page.keyboard.press("Alt+p")
    page.wait_for_function(_OTHER_TITLE, arg=order[4])
    assert title.inner_text() == order[1]
    assert visit.complaints == []


def test_a_note_that_is_left_is_there_again(context: Any, address: str) -> None:
    """Whoever walks on in the middle of a note, by key or by mouse, finds it when coming back."""
    visit, page = _opened(context, address)
    page.keyboard.press("Alt+m")
    first = page.locator(".st-key-case-title h2").inner_text()
    for words, there, back in (
        ("See the bor", "Alt+n", "Alt+p"),
        ("der again", "Next", "Previous"),
    ):
        field = page.locator("[class*=st-key-review-note-] textarea")
        field.wait_for()
        field.focus()
        page.keyboard.press("Control+End")
        page.keyboard.type(words)
        for way in (there, back):
            title = page.locator(".st-key-case-title h2").inner_text()
            if way.startswith("Alt"):
                page.keyboard.press(way)
            else:
                page.get_by_role("button", name=way).click()
            page.wait_for_function(_OTHER_TITLE, arg=title)
        visit.settle()
        assert page.locator(".st-key-case-title h2").inner_text() == first
    assert page.locator("[class*=st-key-review-note-] textarea").input_value() == "See the border again"
    assert visit.complaints == []


def test_the_browser_asks_before_what_waits_for_a_name_is_lost(browser: Any, address: str) -> None:
    """From another page too; not where nothing waits, or it has been kept."""
    fresh = browser.new_context()
    visit = Visit(fresh)
    page = visit.open(address)
    visit.settle()
    asked: list[str] = []

    def answer(dialog: Any) -> None:
        asked.append(dialog.type)
        dialog.accept()

    page.on("dialog", answer)

    def load_anew() -> int:
        page.reload()
        page.locator(".st-key-footer").wait_for()
        visit.settle()
        return len(asked)

    page.get_by_role("button", name="Next", exact=True).click()
    visit.settle()
    assert load_anew() == 0
    page.get_by_role("button", name="Flag").click()
    _says(page, "Not saved yet")
    visit.settle()
    visit.follow("Study")
    assert load_anew() == 1
    visit.follow("Cases")
    page.get_by_role("button", name="Flag").click()
    _says(page, "Not saved yet")
    visit.settle()
    assert load_anew() == 2
    page.get_by_role("button", name="Flag").click()
    _says(page, "Not saved yet")
    page.get_by_label("Your name").fill("Ada")
    page.keyboard.press("Enter")
    _says(page, "Flagged")
    visit.settle()
    assert load_anew() == 2
    assert set(asked) == {"beforeunload"}
    fresh.close()


def test_a_note_outlives_its_page(context: Any, address: str) -> None:
    """Loaded anew, it stands where it was written, of its case alone; once it is kept no more."""
    visit, page = _opened(context, address)
    note = page.locator("[class*=st-key-review-note-] textarea")

    def begin() -> None:
        page.keyboard.press("Alt+m")
        note.wait_for()
        note.focus()

    def leave(name: str) -> None:
        page.get_by_role("button", name=name).click()
        note.wait_for(state="detached")
        visit.settle()

    def load_anew() -> None:
        visit.open(page.url)
        visit.settle()

    begin()
    page.keyboard.type("See the border")
    load_anew()
    page.keyboard.press("Alt+m")
    page.wait_for_function(_IN_NOTE, arg="See the border")
    leave("Next")
    begin()
    page.wait_for_timeout(500)
    assert note.input_value() == ""
    leave("Previous")
    page.keyboard.press("Alt+m")
    page.wait_for_function(_IN_NOTE, arg="See the border")
    leave("Keep the note")
    load_anew()
    begin()
    page.wait_for_timeout(500)
    assert note.input_value() == ""
    assert visit.complaints == []
