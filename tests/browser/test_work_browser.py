"""Long work in a real browser: it goes on, and ends, beside everything that a person does meanwhile."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from browser.forked import serve
from browser.visit import Visit

from core.cli import main

pytestmark = pytest.mark.browser

N_CASES, FEW_CASES = 700, 60
"""Enough for work of many seconds with a sampled model, and for work of some."""
ENDLESS = """import time
from dashboard.shell import trust
predict = trust.predictive_curve
def again(*given, progress, **named):
    def rest(share, doing):
        for _ in range(20):
            progress(share, doing)
            time.sleep(0.5)
    while True:
        predict(*given, progress=rest, **named)
trust.predictive_curve = again
"""
"""Work that begins anew until it is stopped, so that it lasts on a fast computer as on a slow one.

Each step is drawn after a rest of some seconds: where work stands is tried, not how much a computer bears.
"""
PAUSE = 600
"""Milliseconds between what a person does: more than lies between two looks at how far the work is."""
AGAIN = 5600
"""Milliseconds after which a bar tells of the end again, where no run has followed."""
CROSSED = """() => {
  const box = (css) => document.querySelector(`.stSidebar svg ${css}`).getBoundingClientRect();
  const words = box(".mark-text text"), rule = box(".mark-rule line");
  return rule.left < words.right && words.left < rule.right
    && rule.top < words.bottom && words.top < rule.bottom;
}"""
"""Whether the mark of the slider lies over the words of the small curve."""
ASK = "Which do the readings support?"
ANSWER = "Left-out readings of this study are predicted best at reliability"
BEST = 1.5
"""Reliability that the few cases support."""
BAR = ".stSidebar [role=progressbar]"


@pytest.fixture(scope="module")
def large(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    """A dashboard whose long work ends when it is stopped."""
    folder: Path = tmp_path_factory.mktemp("large") / "study"
    assert main(["simulate", str(folder), "--kind", "ranking", "--cases", str(N_CASES), "--seed", "5"]) == 0
    with serve(tmp_path_factory.mktemp("server"), str(folder), before=ENDLESS) as address:
        yield address


def _press(page: Any, *keys: str) -> None:
    for key in keys:
        page.keyboard.press(key)
        page.wait_for_timeout(PAUSE)


def _step(page: Any) -> None:
    page.get_by_role("slider").first.focus()
    _press(page, "ArrowRight", "ArrowRight", "ArrowLeft")


def _walk(page: Any) -> None:
    _press(page, "Alt+n", "Alt+n", "Alt+p")


def _read(page: Any) -> None:
    _walk(page)
    for part in ("What if", "Why"):
        page.locator(".st-key-parts-of-case").get_by_text(part, exact=True).click()
        page.wait_for_timeout(PAUSE)
    page.locator(".st-key-reasons summary").click()
    page.wait_for_timeout(PAUSE)
    _step(page)


@pytest.mark.parametrize(
    ("name", "act"),
    [("cases", _read), ("reliability", _step), ("", _step)],
)
def test_work_shares_no_place_with_what_a_person_touches(
    large: str, context: Any, name: str, act: Callable[[Any], None]
) -> None:
    """While left-out readings are predicted, the page can be used, and another tab of the server as well."""
    visits = [Visit(context) for _ in range(2)]
    pages = [
        visit.open(f"{large}/{name}?model=plackett-luce&reliability=1", painted=False) for visit in visits
    ]
    visits[0].settle()
    pages[0].get_by_role("button", name=ASK).click()
    pages[0].locator(BAR).wait_for()
    for page in pages:
        act(page)
    for page in pages:
        page.locator(BAR).wait_for()
        assert page.get_by_role("slider").count() == 1
        assert page.locator("h1").count() >= 1
    assert visits[0].complaints == visits[1].complaints == []
    pages[0].locator(".st-key-stop-find-reliability button").click()
    for page in pages:
        page.get_by_role("button", name=ASK).wait_for()


def test_the_end_of_work_is_shown_and_closes_nothing(context: Any, tmp_path: Path) -> None:
    """What was found appears by itself, beside a dialog that somebody is writing in; it is told once.

    Where the slider stands at the best, its mark crosses no words. On a server that does nothing else: how
    long work takes is not what is tried.
    """
    study = tmp_path / "study"
    assert main(["simulate", str(study), "--kind", "ranking", "--cases", str(FEW_CASES), "--seed", "5"]) == 0
    with serve(tmp_path, str(study)) as server:
        visit = Visit(context)
        page = visit.open(f"{server}/cases?model=plackett-luce&reliability={BEST}", painted=False)
        page.get_by_role("button", name=ASK).click()
        page.keyboard.press("Alt+g")
        field = page.get_by_label("Case id, or its place in the worklist")
        field.wait_for()
        page.locator(BAR).wait_for()
        page.get_by_text(ANSWER).wait_for(timeout=240_000)
        visit.settle()
        assert field.is_visible()
        assert page.locator(BAR).count() == 0
        page.get_by_text(f"best: {BEST}").wait_for()
        assert page.evaluate(CROSSED) is False
        visit.forget()
        page.wait_for_timeout(AGAIN)
        assert visit.sent == []
        assert visit.complaints == []
        page.close()
