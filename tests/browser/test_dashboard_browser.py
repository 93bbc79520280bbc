"""The pages in a real browser: they paint, fit, can be read by everybody, and stay on this computer."""

from __future__ import annotations

import re
import socket
from pathlib import Path
from typing import Any

import pytest
from browser import axe
from browser.conftest import Link
from browser.kept import Kept
from browser.odd_studies import HOSTILE, N_LABELS, N_RATERS
from browser.visit import PAINTED, STILL, Visit

from dashboard.shell import studies, theme
from dashboard.shell.view import ALL_PARTS

pytestmark = pytest.mark.browser

PAGES = ("study", "cases", "reliability")
DRAWN_IN = """colour => document.querySelector(`.stMain .stVegaLiteChart svg [fill="${colour}"]`) !== null"""
"""Whether a picture is drawn with a colour."""
SAMPLES = [source.key for source in studies.samples()]
STOP = "document.querySelectorAll('[class*=st-key-stop-] button').forEach((button) => button.click())"
MOST_BYTES = 5_000_000
"""That a page may cost: what the server says, images and files, without the code of the page itself."""


def assert_sound(visit: Visit, look: str = "") -> None:
    """Nothing complains, leaves this computer, overflows, weighs too much or is hard to read."""
    page = visit.settle()
    assert visit.complaints == [], look
    assert visit.strangers == [], look
    assert page.locator(".stException").count() == 0, look
    assert visit.overflow() <= 0, look
    assert axe.faults(page) == [], look
    files = sum(size for path, size in visit.responses.items() if not path.startswith("/static/"))
    assert sum(visit.messages) + files < MOST_BYTES, look


@pytest.mark.parametrize("study", [*SAMPLES, "crowded"])
def test_pages_are_sound(context: Any, link: Link, study: str) -> None:
    """Each page is sound on each study: in the usual window by day, or in a narrow one by night.

    By turns, so that every page is seen in both ways on several studies; they are come to by their links.
    """
    visit, looks = Visit(context), [(1440, "light"), (900, "dark")]
    if [*SAMPLES, "crowded"].index(study) % 2:
        looks.reverse()
    opened = visit.open(link(PAGES[0], study, case_part=ALL_PARTS, study_part=ALL_PARTS))
    for page in PAGES:
        if page != PAGES[0]:
            visit.forget()
            visit.follow(page.title())
        width, mode = looks[0]
        visit.look(width, mode)
        opened.wait_for_function(PAINTED)
        assert_sound(visit, f"{page} {width} {mode}")
        looks.reverse()
        # Long work goes on for a while when a page is left, and nobody waits for it any more.
        stops = opened.locator("[class*=st-key-stop-] button")
        if stops.count() > 0:
            opened.evaluate(STOP)
            opened.wait_for_timeout(100)


@pytest.mark.parametrize("page", PAGES)
def test_night_falls_on_an_open_page(kept: Kept, link: Link, tmp_path: Path, page: str) -> None:
    """Words and pictures follow the computer into the dark and back; a screenshot is left for looking at."""
    study = studies.SAMPLE if page in ("study", "cases") else "toy_three_labels"
    visit = kept.look(link(page, study, model="prirn"))
    opened = visit.page
    visit.unfold_pictures()
    for mode, palette in (("dark", theme.DARK), ("light", theme.LIGHT)):
        visit.turn(mode)
        opened.wait_for_function(DRAWN_IN, arg=palette.muted)
        note = opened.evaluate("getComputedStyle(document.querySelector('.stMain .loupe-note')).color")
        assert [int(part) for part in re.findall(r"\d+", note)] == [
            int(palette.muted[place : place + 2], 16) for place in (1, 3, 5)
        ]
        if mode == "dark":
            assert_sound(visit)
            opened.screenshot(path=tmp_path / f"{page}.png")
    assert visit.complaints == []


CUT = """() => [...document.querySelectorAll(".stMain .stVegaLiteChart svg text")].filter((text) => {
  const inner = text.getBoundingClientRect(), outer = text.closest("svg").getBoundingClientRect();
  return text.textContent.trim() && (inner.left < outer.left - 2 || inner.right > outer.right + 2);
}).map((text) => text.textContent)"""
"""Words of pictures that reach over their picture's edge."""


@pytest.mark.parametrize(
    ("page", "study"),
    [
        ("study", "dermatology_like"),
        ("models", "chest_xrays"),
        ("raters", "knee_mri"),
        ("reliability", "dermatology_like"),
    ],
)
def test_no_word_of_a_picture_is_cut_on_a_narrow_page(kept: Kept, link: Link, page: str, study: str) -> None:
    """At 400 pixels every name, number and key lies within its picture, and all within the screen."""
    # By a model that draws nothing: the pictures are the same, and nothing is waited for.
    view = {"model": "prirn"} if study == studies.SAMPLE else {}
    visit = kept.look(link(page, study, **view), width=400)
    opened = visit.page
    visit.unfold_pictures()
    opened.wait_for_function("!document.querySelector('[class*=st-key-work-]')", timeout=240_000)
    visit.settle()
    assert opened.evaluate(CUT) == []
    assert visit.overflow() <= 0


@pytest.mark.parametrize("page", PAGES)
def test_hostile_text_stays_text(kept: Kept, link: Link, page: str) -> None:
    """No name becomes an element, a script, a formula or a link; it stands there as it is written."""
    visit = kept.look(link(page, "hostile"), width=900)
    opened = visit.page
    opened.wait_for_function(PAINTED)
    assert_sound(visit)
    assert opened.locator("img[src='x'], a[href*='x.example'], .katex").count() == 0
    if page == "study":
        assert opened.locator("h1").inner_text() == HOSTILE


@pytest.mark.parametrize("page", PAGES)
def test_refused_study_says_what_to_mend(kept: Kept, link: Link, page: str) -> None:
    """Every page of a refused study says what is wrong and where."""
    visit = kept.look(link(page, "refused"))
    opened = visit.page
    opened.get_by_role("heading", name="This study needs mending").wait_for()
    assert opened.get_by_text("annotations.csv").count() > 0
    assert_sound(visit)


@pytest.mark.parametrize(
    ("page", "panels", "pictures"),
    [("reliability", ("panel-over-draws", "panel-risk"), 4), ("cases", ("reasons",), 0)],
)
@pytest.mark.parametrize(("study", "modes"), [(studies.SAMPLE, ["light", "dark"]), ("crowded", ["dark"])])
def test_opened_panels_are_sound(
    context: Any,
    link: Link,
    study: str,
    page: str,
    panels: tuple[str, ...],
    pictures: int,
    modes: list[str],
) -> None:
    """What can be folded is sound when it is open, in a narrow window."""
    visit = Visit(context, width=900, mode=modes[0])
    opened = visit.open(link(page, study, model="prirn"))
    for panel in panels:
        if opened.locator(f".st-key-{panel} details[open]").count() == 0:
            opened.locator(f".st-key-{panel} summary").click()
        opened.locator(f".st-key-{panel} details[open] p").nth(1).wait_for()
        visit.settle()
    drawn = ", ".join(f".st-key-{panel} .stVegaLiteChart :is(svg, canvas)" for panel in panels)
    for mode in modes:
        visit.turn(mode)
        opened.wait_for_function(
            "([css, n]) => document.querySelectorAll(css).length >= n", arg=[drawn, pictures]
        )
        assert_sound(visit, mode)


def test_what_is_folded_is_said(context: Any, kept: Kept, link: Link) -> None:
    """Of ten thousand labels and fifty raters, what is not shown at once is counted and can be had."""
    page = kept.look(link("study", "crowded")).page
    assert f"{N_LABELS:,}" in page.locator(".loupe-facts").inner_text()
    page = Visit(context).open(link("cases", "crowded"))
    table = page.locator("[aria-label='Readings of the case']")
    more = page.get_by_text("more readings")
    shown = table.first.locator("tbody tr").count()
    assert more.inner_text().startswith(f"{N_RATERS - shown} more readings")
    more.click()
    table.nth(1).wait_for()
    assert table.nth(1).locator("tbody tr").count() == N_RATERS - shown
    page.get_by_text("All marks").click()
    page.get_by_text("Not drawn:").wait_for()


def test_known_findings_of_axe_are_still_there(kept: Kept, link: Link) -> None:
    """An excuse that is no longer needed goes."""
    page = kept.look(link("study", "toy_three_labels")).page
    assert axe.excused(page) == {known.rule for known in axe.KNOWN}


@pytest.mark.parametrize(("host", "answer"), [("127.0.0.1", 101), ("localhost", 101), ("loupe.example", 403)])
def test_only_this_computer_is_answered(address: str, host: str, answer: int) -> None:
    """A page of another site, whose name is made to lead here, gets no session."""
    port = int(address.rsplit(":", 1)[1])
    handshake = (
        f"GET /_stcore/stream HTTP/1.1\r\nHost: {host}:{port}\r\nOrigin: http://{host}:{port}\r\n"
        "Upgrade: websocket\r\nConnection: Upgrade\r\nSec-WebSocket-Version: 13\r\n"
        "Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\n\r\n"
    )
    with socket.create_connection(("127.0.0.1", port), timeout=10) as wire:
        wire.sendall(handshake.encode())
        assert wire.recv(100).split()[1] == str(answer).encode()


TOPS = """() => [...document.querySelectorAll(".stMain :is(h1, .loupe-h2, .loupe-sentence)")]
  .map((one) => [one.textContent, Math.round(one.getBoundingClientRect().top)])"""
"""Where what is said on a page stands."""


WAITING = """async () => {
  const waiting = () => document.querySelectorAll("[data-testid=stSkeleton]").length;
  for (let still = 0, last = waiting(); still < 30; last = waiting()) {
    await new Promise(requestAnimationFrame);
    still = waiting() === last ? still + 1 : 0;
  }
}"""
"""Waits until no further part of the page finds its code: those without stay as they are."""


WATCHED = """(() => {
  window.tops = [];
  const look = () => {
    const head = [...document.querySelectorAll(".stMain .loupe-h2")]
      .find((one) => /^How certain/.test(one.textContent));
    const main = document.querySelector(".stMain");
    if (head && document.querySelector(".st-key-footer"))
      window.tops.push(Math.round(head.getBoundingClientRect().top + main.scrollTop));
    requestAnimationFrame(look);
  };
  requestAnimationFrame(look);
})()"""
"""Notes, in every picture of the screen, where the first heading below what is said of the models stands."""


def test_what_is_found_of_the_models_moves_nothing_below(browser: Any, link: Link) -> None:
    """From the first whole page on, whatever comes: not even for a moment does it give its place away."""
    fresh = browser.new_context()
    visit = Visit(fresh)
    visit.page.add_init_script(WATCHED)
    page = visit.open(link("study", studies.SAMPLE, reliability=1.37, study_part="all"), painted=False)
    page.locator(".st-key-anchor-models").wait_for()
    page.wait_for_function("document.querySelector('.stMain [class*=st-key-work-]') === null")
    visit.settle()
    tops = page.evaluate("window.tops")
    assert max(tops) - min(tops) <= 24, sorted(set(tops))
    fresh.close()


@pytest.mark.parametrize("code", ["Button", "ButtonGroup"])
def test_buttons_that_come_late_move_nothing_of_study(browser: Any, link: Link, code: str) -> None:
    """On a slow line the words are there before the code of buttons: they stand where they will stand."""
    fresh = browser.new_context()
    held: list[Any] = []
    visit = Visit(fresh)
    visit.page.add_init_script(WATCHED)
    visit.page.route(f"**/{code}.*.js", lambda route: held.append(route))
    page = visit.open(link("study", studies.SAMPLE, reliability=1.37, study_part="all"), painted=False)
    page.wait_for_function("window.tops.length > 0")
    visit.settle(whole=False)
    assert page.locator(".stMain [data-testid=stSkeleton]").count() > 0
    assert len(held) == 1
    held[0].continue_()
    page.wait_for_function("document.querySelector('.stMain [class*=st-key-work-]') === null")
    visit.settle()
    tops = page.evaluate("window.tops")
    # A row that comes to the table above takes twelve; nothing goes up.
    assert min(tops) == tops[0], sorted(set(tops))
    assert max(tops) - min(tops) <= 24, sorted(set(tops))
    fresh.close()


@pytest.mark.parametrize("width", [1440, 400])
def test_pictures_that_come_late_move_nothing(browser: Any, link: Link, width: int) -> None:
    """A click meets what it was aimed at, though the code that draws pictures has only now arrived."""
    fresh = browser.new_context()
    held: list[Any] = []
    coming: set[Any] = set()
    visit = Visit(fresh, width=width)
    visit.page.on("request", lambda asked: coming.add(asked))
    visit.page.on("requestfinished", lambda asked: coming.discard(asked))
    visit.page.on("requestfailed", lambda asked: coming.discard(asked))
    visit.page.route("**/ArrowVegaLiteChart*.js", lambda route: held.append(route))
    page = visit.open(link("study", studies.SAMPLE, study_part="certainty"), painted=False)
    visit.settle(whole=False)
    page.wait_for_function("document.querySelector('[class*=st-key-work-]') === null")
    visit.settle(whole=False)
    # What folds and opens comes late as well, a few pixels lower than its place: only pictures are to wait.
    page.locator(".stPopover button").first.wait_for()
    while [one for one in coming if one.url.endswith(".js") and "ArrowVegaLiteChart" not in one.url]:
        page.wait_for_timeout(50)
    page.evaluate(WAITING)
    page.evaluate(STILL)
    before = page.evaluate(TOPS)
    assert before
    assert page.locator(".stVegaLiteChart").count() == 0
    assert len(held) == 1
    held[0].continue_()
    page.wait_for_function(PAINTED)
    page.evaluate(STILL)
    assert page.evaluate(TOPS) == before
    fresh.close()
