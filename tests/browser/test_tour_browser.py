"""The tour in a real browser: it paints, its slider needs no server, and it works by keyboard."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from browser import axe
from browser.conftest import Link

from core.analysis.aggregate import RELIABILITIES

pytestmark = pytest.mark.browser

PAINTED = "document.querySelectorAll('.st-key-tour .stVegaLiteChart svg.marks').length >= 4"
SLIDER = ".st-key-tour-step-3 input[type=range]"


class Visit:
    """An open tour, and what went over the wire.

    Attributes
    ----------
    page : playwright page
        The page.
    complaints : list of str
        Errors of the console and the page.
    requests : list of str
        Addresses that were asked for.
    sent : list of int
        Sizes of the messages to the server.
    """

    def __init__(self, context: Any, address: str, *, width: int = 1440, mode: str = "light") -> None:
        self.complaints: list[str] = []
        self.requests: list[str] = []
        self.sent: list[int] = []
        self.page = context.new_page()
        self.page.set_viewport_size({"width": width, "height": 900})
        self.page.emulate_media(color_scheme=mode)
        self.page.on("console", self._listen)
        self.page.on("pageerror", lambda error: self.complaints.append(str(error)))
        self.page.on("request", lambda request: self.requests.append(request.url))
        self.page.on("websocket", lambda ws: ws.on("framesent", lambda frame: self.sent.append(len(frame))))
        self.page.goto(address)
        self.page.wait_for_function(PAINTED, timeout=60_000)
        self.page.wait_for_timeout(700)

    def _listen(self, message: Any) -> None:
        """Keep errors; but on any page but the first, Streamlit looks for its server below the page first."""
        if message.type == "error" and "/_stcore/" not in message.location["url"]:
            self.complaints.append(f"{message.text} {message.location['url']}")

    def words(self) -> list[str]:
        """Texts of the picture that the slider drives."""
        texts = self.page.locator(".st-key-tour-step-3 svg text").all_text_contents()
        return [text.replace("\u00a0", " ") for text in texts]


@pytest.fixture
def visit(context: Any, link: Link) -> Visit:
    """The tour, open."""
    return Visit(context, link("tour", "toy_three_labels"))


@pytest.mark.parametrize("mode", ["light", "dark"])
@pytest.mark.parametrize("width", [1440, 900])
def test_it_opens_without_complaint(context: Any, link: Link, width: int, mode: str) -> None:
    """No console error, nothing from elsewhere, nothing wider than the page, nothing hard to read."""
    opened = Visit(context, link("tour", "toy_three_labels"), width=width, mode=mode)
    assert opened.complaints == []
    assert {url.split("/")[2].split(":")[0] for url in opened.requests if "//" in url} == {"127.0.0.1"}
    main = opened.page.locator(".stMain").bounding_box()
    for picture in opened.page.locator(".st-key-tour svg.marks").all():
        box = picture.bounding_box()
        assert box["x"] >= main["x"]
        assert box["x"] + box["width"] <= main["x"] + main["width"] + 1
    assert axe.faults(opened.page) == []


def test_the_slider_needs_no_server(visit: Visit) -> None:
    """With arrow keys alone, every view follows; not a single message is sent."""
    before = len(visit.sent)
    visit.page.locator(SLIDER).focus()
    for key, gamma in (("Home", RELIABILITIES[0]), ("ArrowRight", RELIABILITIES[1])):
        visit.page.keyboard.press(key)
        visit.page.wait_for_timeout(200)
        assert any(word.startswith(f"γ = {gamma:g}:") for word in visit.words())
    visit.page.keyboard.press("End")
    visit.page.wait_for_timeout(200)
    words = visit.words()
    assert "γ = ∞: the votes are taken for the truth" in words
    assert "C leads in 20 of 20" in words
    assert "100 %" in words
    assert len(visit.sent) == before


def test_play_moves_the_slider_and_ends(visit: Visit) -> None:
    """Play goes on by itself, without the server, and stops at the last step."""
    before = len(visit.sent)
    visit.page.locator(SLIDER).focus()
    visit.page.keyboard.press("End")
    for _ in range(3):
        visit.page.keyboard.press("ArrowLeft")
    play = visit.page.get_by_role("checkbox", name="Play")
    play.focus()
    visit.page.keyboard.press("Space")
    assert play.is_checked()
    visit.page.wait_for_function(
        f"document.querySelector('{SLIDER}').value == {len(RELIABILITIES) - 1}", timeout=15_000
    )
    visit.page.wait_for_timeout(300)
    assert not play.is_checked()
    assert len(visit.sent) == before


def test_other_raters_change_the_case_and_leave_the_slider(visit: Visit) -> None:
    """The readings change, the pictures follow, and the reliability stays where it was put."""
    visit.page.locator(SLIDER).focus()
    visit.page.keyboard.press("Home")
    visit.page.get_by_role("button", name="Ask three other raters").click()
    visit.page.locator(".tour-readings", has_text="of a tie").wait_for(timeout=10_000)
    visit.page.wait_for_timeout(1500)
    assert visit.page.locator(SLIDER).input_value() == "0"
    assert visit.words().count("leads in 33 %") == 3
    assert visit.complaints == []


def test_data_as_a_table_and_a_file(visit: Visit, tmp_path: Path) -> None:
    """The numbers behind a picture can be saved, with where they come from."""
    visit.page.locator(".st-key-tour-step-3").get_by_role("button", name="Data", exact=True).click()
    with visit.page.expect_download() as download:
        visit.page.get_by_role("button", name="Download CSV").click()
    saved = tmp_path / "tour.csv"
    download.value.save_as(saved)
    text = saved.read_text(encoding="utf-8")
    assert "# observation: 0.6" in text
    rows = [line for line in text.splitlines() if line and not line.startswith("#")]
    assert rows[0].startswith("reliability,")
    assert len(rows) == 1 + len(RELIABILITIES)


def test_the_link_opens_the_case(visit: Visit) -> None:
    """The last button leads to the published case on the page Cases."""
    with visit.page.context.expect_page() as opened:
        visit.page.get_by_role("link", name="Open the case").click()
    page = opened.value
    page.get_by_text("stutz-2025-fig-5").first.wait_for(timeout=60_000)
    assert "/cases?" in page.url
