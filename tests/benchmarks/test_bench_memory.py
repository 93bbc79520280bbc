"""Memory of the server: flat after two hundred steps of the slider and fifty changes of page."""

from __future__ import annotations

import os
import re
import sys
import time
from pathlib import Path

import pytest
from browser.server import browse, serve
from browser.visit import Visit

STEPS, CHANGES, ROUNDS = 200, 50, 4
MOST_GROWTH = 0.10
"""Of the resident memory, from the end of the warm-up to the last round."""
PAGES = ("Cases", "Reliability", "Study", "Tour")


def resident(address: str) -> float:
    """Resident memory of the process that listens on an address, in MB."""
    port = int(address.rsplit(":", 1)[1])
    inode = next(
        line.split()[9]
        for line in Path("/proc/net/tcp").read_text().splitlines()[1:]
        if line.split()[1].endswith(f":{port:04X}") and line.split()[3] == "0A"
    )
    for process in Path("/proc").glob("[0-9]*"):
        try:
            held = {os.readlink(link) for link in (process / "fd").iterdir()}
        except OSError:
            continue
        if f"socket:[{inode}]" in held:
            status = (process / "status").read_text()
            return int(re.search(r"VmRSS:\s+(\d+)", status)[1]) / 1024
    raise RuntimeError(f"nobody listens on port {port}")


def step_slider(visit: Visit, steps: range) -> None:
    """Walk the slider six steps up and six down, over and over, waiting for the answer to each step."""
    page = visit.page
    page.get_by_role("slider").first.focus()
    for step in steps:
        before = page.url
        page.keyboard.press("ArrowRight" if step % 12 < 6 else "ArrowLeft")
        page.wait_for_function("url => location.href !== url", arg=before, timeout=60_000)
        visit.settle()


def change_pages(visit: Visit, changes: int) -> None:
    """Go round the pages."""
    for change in range(changes):
        name = PAGES[change % len(PAGES)]
        visit.page.get_by_role("link", name=name, exact=True).click()
        path = "/" if name == "Study" else f"/{name.lower()}"
        visit.page.wait_for_function("path => location.pathname === path", arg=path)
        visit.settle()


@pytest.mark.skipif(not Path("/proc/net/tcp").exists(), reason="reads the memory of a process from /proc")
@pytest.mark.parametrize("model", ["prirn", "plackett-luce"])
def test_memory(model: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """Two hundred steps on Cases and fifty changes of page, in rounds, after one round to warm up."""
    rows = []
    with serve(tmp_path) as address, browse() as browser:
        visit = Visit(browser.new_context())
        shown = f"study=dermatology_like&model={model}&reliability=1&case_part=all"
        visit.open(f"{address}/cases?{shown}")
        for done in range(ROUNDS + 1):
            # The first round fills the caches, which hold a bounded number of results, and is not counted.
            each = STEPS // ROUNDS
            step_slider(visit, range(done * each, (done + 1) * each))
            change_pages(visit, CHANGES // ROUNDS)
            visit.page.get_by_role("link", name="Cases", exact=True).click()
            visit.page.locator(".loupe-sentence").wait_for()
            time.sleep(3)
            rows.append((done, resident(address)))
    growth = rows[-1][1] / rows[0][1] - 1
    with capsys.disabled():
        sys.stdout.write(f"\n{model}: resident memory of the server\n{'steps':>7} {'pages':>6} {'MB':>7}\n")
        for done, megabytes in rows:
            sys.stdout.write(
                f"{done * (STEPS // ROUNDS):>7} {done * (CHANGES // ROUNDS):>6} {megabytes:>7.0f}\n"
            )
        sys.stdout.write(f"growth {growth:+.1%}, allowed {MOST_GROWTH:.0%}\n")
    assert growth <= MOST_GROWTH
