"""How fast the page Raters is painted, and painted anew for other raters."""

from __future__ import annotations

import sys
import time
from collections.abc import Iterator
from statistics import median

import pytest
from browser.server import browse, serve
from browser.visit import SETTLED, Visit

PAINT_LIMIT, CHANGE_LIMIT = 2.0, 1.0
"""Seconds to the painted page, once it has been seen, and to the page of other raters."""
RUNS = 7


@pytest.fixture(scope="module")
def address(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    """A dashboard on the simulated knee MRI readings."""
    with serve(tmp_path_factory.mktemp("server"), "knee_mri") as url:
        yield url


def test_raters_page(address: str, capsys: pytest.CaptureFixture[str]) -> None:
    """From the way to the page, and from a rater taken out, until nothing is left to be done."""
    with browse() as browser:
        visit = Visit(browser.new_context())
        page = visit.open(f"{address}/raters?study=knee_mri")
        visit.settle()
        painted, changed = [], []
        for run in range(RUNS):
            page.get_by_role("link", name="Study", exact=True).click()
            page.get_by_role("heading", name="Raters", exact=True).wait_for(state="detached")
            visit.settle()
            start = time.perf_counter()
            page.get_by_role("link", name="Raters", exact=True).click()
            page.locator(".stVegaLiteChart[aria-label*='for groups of raters'] canvas").wait_for()
            page.wait_for_function(SETTLED)
            painted.append(time.perf_counter() - start)
            start = time.perf_counter()
            page.get_by_label(f"Remove reader-{run + 1:02d}").click()
            page.get_by_text(f"Raters: {12 - run} of 13").wait_for()
            page.wait_for_function(SETTLED)
            changed.append(time.perf_counter() - start)
    with capsys.disabled():
        sys.stdout.write(
            f"\nraters: page {median(painted):.2f} s, most {max(painted):.2f} s; other raters "
            f"{median(changed):.2f} s, most {max(changed):.2f} s\n"
        )
    assert median(painted) <= PAINT_LIMIT
    assert median(changed) <= CHANGE_LIMIT
