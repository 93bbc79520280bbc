"""How fast the Disagreement page answers: another number of bins, and another recalibration."""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator
from typing import Any

import numpy as np
import pytest
from browser.server import browse, serve
from browser.visit import Visit

LIMIT = 400.0
"""Milliseconds from the click or key to the last change of the page, as a median."""
STEPS = 8

_WATCH = """() => {
  window.lastChange = 0;
  const mark = () => { window.lastChange = performance.now(); };
  const within = (node) => (node.nodeType === 1 ? node : node.parentElement)?.closest("canvas");
  new MutationObserver((changes) => {
    if (changes.some((change) => !within(change.target))) mark();
  }).observe(document.body, {subtree: true, childList: true, characterData: true, attributes: true});
}"""
_QUIET = "window.lastChange > window.pressed && performance.now() - window.lastChange > 1000"


@pytest.fixture(scope="module")
def address(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    """A dashboard on the samples."""
    with serve(tmp_path_factory.mktemp("server")) as url:
        yield url


@pytest.mark.parametrize("study", ["mixed_digits", "dermatology_like"])
def test_change(address: str, study: str, capsys: pytest.CaptureFixture[str]) -> None:
    """Bins and methods that have not been shown before, each after a change that is not counted."""
    with browse() as browser:
        visit = Visit(browser.new_context())
        page = visit.open(f"{address}/disagreement?study={study}&bins=10", painted=False)
        page.get_by_text("What would one expert label save?").wait_for(timeout=60_000)
        visit.settle()
        page.wait_for_timeout(3000)
        page.evaluate(_WATCH)
        more = page.get_by_test_id("stNumberInputStepUp")
        # A click by the mouse first waits until nothing moves, which is no part of the answer.
        bins = _measure(page, lambda: more.evaluate("button => button.click()"), STEPS)
        box = page.get_by_role("combobox", name="Recalibration")
        methods = []
        for _ in range(3):
            box.click()
            page.wait_for_timeout(500)
            page.keyboard.press("ArrowUp")
            methods += _measure(page, lambda: page.keyboard.press("Enter"), 1)
    with capsys.disabled():
        for what, took in (("bins", bins[1:]), ("recalibration", methods)):
            sys.stdout.write(f"\n{study}, another {what}: {np.median(took):.0f} ms ({_all(took)})")
    assert np.median(bins[1:]) < LIMIT
    assert np.median(methods) < LIMIT


def _measure(page: Any, act: Callable[[], object], times: int) -> list[float]:
    """Milliseconds that the page needs to follow, each time."""
    took = []
    for _ in range(times):
        page.evaluate("window.pressed = performance.now()")
        act()
        page.wait_for_function(_QUIET, timeout=20_000)
        took.append(page.evaluate("window.lastChange - window.pressed"))
    return took


def _all(took: list[float]) -> str:
    return ", ".join(f"{one:.0f}" for one in took)
