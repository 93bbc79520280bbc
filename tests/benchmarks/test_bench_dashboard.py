"""How fast the dashboard answers and how much it sends: the slider, and the start to the first page."""

from __future__ import annotations

import sys
import time
from collections.abc import Iterator
from pathlib import Path

import numpy as np
import pytest
from benchmarks.watching import QUIET, WATCH, wait_until_idle
from browser.server import browse, serve
from browser.visit import Visit

from dashboard.shell.view import ALL_PARTS, CASE_PARTS

STEPS = 24
MEDIAN_LIMIT, LATE_LIMIT = 250.0, 400.0
"""Milliseconds from key press to last change: median and 95th percentile."""
MOST_BYTES = 5_000_000
START_LIMIT = 6.0
"""Seconds from the command to the first page with data, caches warm."""


@pytest.fixture(scope="module")
def address(release: Path, tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    """A dashboard that shows the release."""
    with serve(tmp_path_factory.mktemp("server"), str(release)) as url:
        yield url


@pytest.mark.parametrize("model", ["prirn", "plackett-luce"])
@pytest.mark.parametrize(("name", "part"), [*(("cases", part) for part in CASE_PARTS), ("reliability", "")])
def test_slider(address: str, name: str, part: str, model: str, capsys: pytest.CaptureFixture[str]) -> None:
    """Key press to last visible change, once the steps are computed ahead, with each part of a case."""
    shown = f"&case_part={part}" if part else ""
    with browse() as browser:
        visit = Visit(browser.new_context())
        page = visit.open(
            f"{address}/{name}?model={model}&reliability=1{shown}", painted=part in ("", ALL_PARTS)
        )
        wait_until_idle(visit)
        if name == "reliability":
            assert page.locator(".stVegaLiteChart[aria-label^=Uncertainty-adjusted]").count() == 1
        page.evaluate(WATCH)
        page.get_by_role("slider").first.focus()
        took, mirrored = [], []
        for step in range(STEPS):
            key = "ArrowRight" if step % 12 < 6 else "ArrowLeft"
            page.evaluate("window.pressed = performance.now()")
            page.keyboard.press(key)
            page.wait_for_function(QUIET, timeout=20_000)
            took.append(page.evaluate("window.lastChange - window.pressed"))
            mirrored.append(page.evaluate("Math.max(window.lastMirror, window.lastChange) - window.pressed"))
    middle, late, most = np.percentile(took, [50, 95, 100])
    with capsys.disabled():
        sys.stdout.write(
            f"\n{name:>12} {part:>8} {model:>14}: median {middle:.0f} ms, 95 % {late:.0f} ms, "
            f"most {most:.0f} ms; with the mirror for screen readers: median {np.median(mirrored):.0f} ms\n"
        )
    assert middle <= MEDIAN_LIMIT
    assert late <= LATE_LIMIT


@pytest.mark.parametrize("model", ["prirn", "plackett-luce"])
def test_bytes(address: str, model: str, capsys: pytest.CaptureFixture[str]) -> None:
    """What goes to the browser for each page, its panels opened, and for a step of the slider."""
    lines = []
    with browse() as browser:
        context = browser.new_context()
        for name in ("", "cases", "reliability"):
            visit = Visit(context)
            parts = "&case_part=all" if name == "cases" else ""
            page = visit.open(f"{address}/{name}?model={model}&reliability=1{parts}")
            wait_until_idle(visit)
            page.evaluate(
                "document.querySelectorAll('details:not([open]) > summary').forEach((s) => s.click())"
            )
            page.wait_for_timeout(10_000)
            visit.settle()
            opened, code = sum(visit.messages), sum(visit.responses.values())
            page.get_by_role("slider").first.focus()
            page.keyboard.press("ArrowRight")
            page.wait_for_timeout(5000)
            stepped = sum(visit.messages) - opened
            lines.append((name or "study", opened, max(visit.messages), stepped, code))
            page.close()
    with capsys.disabled():
        sys.stdout.write(f"\n{model}: kilobytes to the browser\n")
        sys.stdout.write(f"{'page':>12} {'opened':>8} {'largest':>8} {'a step':>8} {'code':>8}\n")
        for name, *sizes in lines:
            sys.stdout.write(f"{name:>12}" + "".join(f" {size / 1000:>8,.0f}" for size in sizes) + "\n")
    assert max(opened + stepped for _, opened, _, stepped, _ in lines) < MOST_BYTES


def test_start(release: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """Command to first page with data, after one start that filled the caches."""
    took = []
    for _ in range(3):
        begin = time.perf_counter()
        with serve(tmp_path, str(release)) as url, browse() as browser:
            page = browser.new_page()
            page.goto(url)
            page.locator(".loupe-sentence").wait_for(timeout=60_000)
            took.append(time.perf_counter() - begin)
    with capsys.disabled():
        times = ", ".join(f"{seconds:.1f} s" for seconds in took)
        sys.stdout.write(f"\nstart to first page with data: {times}\n")
    assert min(took) <= START_LIMIT
