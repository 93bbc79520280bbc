"""Make the pictures of the README from the samples: ``python tests/browser/screenshots.py``.

Names of pages make theirs alone.
"""

from __future__ import annotations

import sys
import tempfile
from pathlib import Path
from typing import Any

sys.path.insert(0, str(Path(__file__).parents[1]))

from browser.server import ROOT, browse, serve
from browser.visit import PAINTED, SETTLED

_BUSY = ("stStatusWidget", "stSkeleton")
_WORKS = ("[class*='st-key-work-']", '[data-stale="true"]')
WORKING = ", ".join([*(f'[data-testid="{name}"]' for name in _BUSY), *_WORKS])
MOST_QUIET = 4
"""Seconds without work after which a page is taken to be at rest."""
PAGES = {
    "tour": ("tour", 2540),
    "study": ("", 1100),
    "cases": ("cases?case=stutz-2025-fig-5&case_part=truths", 1345),
    "reliability": ("reliability?model=prirn", 1400),
    "models": ("models?study=chest_xrays", 1500),
    "disagreement": ("disagreement?study=mixed_digits", 1180),
    "raters": ("raters?study=knee_mri", 1180),
}


def main() -> None:
    """Open every page that is asked for, wait until it is painted and at rest, and take its picture."""
    asked = sys.argv[1:] or list(PAGES)
    with tempfile.TemporaryDirectory() as folder:
        # What somebody wrote of the samples on this computer is in no picture.
        own = {"XDG_DATA_HOME": str(Path(folder) / "data")}
        with serve(Path(folder), environment=own) as address, browse() as browser:
            for name in asked:
                page, height = PAGES[name]
                picture(browser, f"{address}/{page}", height, ROOT / "assets" / f"{name}.png")


def picture(browser: Any, address: str, height: int, path: Path) -> None:
    """Take the picture of one page once nothing on it is being worked on."""
    page = browser.new_page(viewport={"width": 1440, "height": height})
    page.goto(address)
    page.wait_for_function(PAINTED, timeout=240_000)
    quiet = 0
    for _ in range(120):
        page.wait_for_timeout(1000)
        quiet = quiet + 1 if page.locator(WORKING).count() == 0 and page.evaluate(SETTLED) else 0
        if quiet == MOST_QUIET:
            break
    page.screenshot(path=path)
    page.close()


if __name__ == "__main__":
    main()
