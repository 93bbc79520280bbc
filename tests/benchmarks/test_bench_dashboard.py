"""How fast the dashboard answers and how much it sends: the slider, and the start to the first page."""

from __future__ import annotations

import sys
import time
from collections.abc import Iterator
from pathlib import Path

import numpy as np
import pytest
from browser.server import browse, serve
from browser.visit import Visit
from shared_data import shared_data

STEPS = 24
MEDIAN_LIMIT, LATE_LIMIT = 250.0, 400.0
"""Milliseconds from key press to last change: median and 95th percentile."""
AHEAD = 40
"""Seconds that the steps of the slider take at most to be computed ahead."""
LONGEST = 1800
"""Seconds that a sampled model may take for all that Reliability shows, on an idle machine."""
MOST_BYTES = 5_000_000
START_LIMIT = 6.0
"""Seconds from the command to the first page with data, caches warm."""

_WATCH = """() => {
  window.lastChange = window.lastMirror = 0;
  const mark = () => { window.lastChange = performance.now(); };
  const within = (node) => (node.nodeType === 1 ? node : node.parentElement)?.closest("canvas");
  new MutationObserver((changes) => {
    if (changes.some((change) => !within(change.target))) mark(); else window.lastMirror = performance.now();
  }).observe(document.body, {subtree: true, childList: true, characterData: true, attributes: true});
  for (const name of ["clearRect", "fill", "fillText", "stroke"]) {
    const paint = CanvasRenderingContext2D.prototype[name];
    CanvasRenderingContext2D.prototype[name] =
      function (...given) { mark(); return paint.apply(this, given); };
  }
}"""
"""Notes the time of every change of the page and of every stroke on a canvas.

What stands inside a canvas element is never painted: it is the mirror of the table for screen readers, which
the grid refreshes 200 ms after it has painted. Its time is noted apart.
"""
_IDLE = """() => {
  const works = document.querySelector("[class*='st-key-work-']");
  if (window.busy === undefined || works) window.busy = performance.now();
  return performance.now() - window.busy > 3000;
}"""
"""Whether no work has been shown for a while: where one piece of work ends, another may begin."""
_QUIET = "window.lastChange > window.pressed && performance.now() - window.lastChange > 1000"


@pytest.fixture(scope="module")
def release(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The public dermatology release as a study folder."""
    from core.cli import main

    target = tmp_path_factory.mktemp("release") / "dermatology"
    assert main(["import", "dermatology-ddx", str(shared_data("data", "dermatology_ddx")), str(target)]) == 0
    return target


@pytest.fixture(scope="module")
def address(release: Path, tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    """A dashboard that shows the release."""
    with serve(tmp_path_factory.mktemp("server"), str(release)) as url:
        yield url


@pytest.mark.parametrize("model", ["prirn", "plackett-luce"])
@pytest.mark.parametrize("name", ["cases", "reliability"])
def test_slider(address: str, name: str, model: str, capsys: pytest.CaptureFixture[str]) -> None:
    """Key press to last visible change, once the steps are computed ahead."""
    with browse() as browser:
        visit = Visit(browser.new_context())
        page = visit.open(f"{address}/{name}?model={model}&reliability=1")
        _wait_until_idle(visit)
        if name == "reliability":
            assert page.locator(".stVegaLiteChart[aria-label^=Uncertainty-adjusted]").count() == 1
        page.evaluate(_WATCH)
        page.get_by_role("slider").first.focus()
        took, mirrored = [], []
        for step in range(STEPS):
            key = "ArrowRight" if step % 12 < 6 else "ArrowLeft"
            page.evaluate("window.pressed = performance.now()")
            page.keyboard.press(key)
            page.wait_for_function(_QUIET, timeout=20_000)
            took.append(page.evaluate("window.lastChange - window.pressed"))
            mirrored.append(page.evaluate("Math.max(window.lastMirror, window.lastChange) - window.pressed"))
    middle, late, most = np.percentile(took, [50, 95, 100])
    with capsys.disabled():
        sys.stdout.write(
            f"\n{name:>12} {model:>14}: median {middle:.0f} ms, 95 % {late:.0f} ms, most {most:.0f} ms; "
            f"with the mirror for screen readers: median {np.median(mirrored):.0f} ms\n"
        )
    assert middle <= MEDIAN_LIMIT
    assert late <= LATE_LIMIT


def _wait_until_idle(visit: Visit) -> None:
    """Wait until nothing is being worked on, and until the steps of the slider are computed ahead."""
    visit.page.wait_for_function(_IDLE, timeout=LONGEST * 1000, polling=500)
    visit.page.wait_for_timeout(AHEAD * 1000)
    visit.settle()


@pytest.mark.parametrize("model", ["prirn", "plackett-luce"])
def test_bytes(address: str, model: str, capsys: pytest.CaptureFixture[str]) -> None:
    """What goes to the browser for each page, its panels opened, and for a step of the slider."""
    lines = []
    with browse() as browser:
        context = browser.new_context()
        for name in ("", "cases", "reliability"):
            visit = Visit(context)
            page = visit.open(f"{address}/{name}?model={model}&reliability=1")
            _wait_until_idle(visit)
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
