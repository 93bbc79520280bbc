"""Other readers and cases in a real browser: opened, another modality and margin, sound in every look."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from browser.axe import faults
from browser.visit import Visit
from reader_files import reader_study_of

from core.study.writing import write_study

pytestmark = pytest.mark.browser

PANEL = ".st-key-panel-other-readers"


def test_would_it_hold(context: Any, address: str, tmp_path: Path) -> None:
    """Nothing is worked out until it is opened; a margin by mouse has its answer; no look has a fault."""
    write_study(reader_study_of(), tmp_path / "readers")
    visit = Visit(context)
    visit.open_folder(address, tmp_path / "readers")
    page = visit.follow("Models")
    panel = page.locator(PANEL)
    assert panel.locator(".loupe-sentence").count() == 0
    panel.locator("summary").click()
    panel.locator(".vega-embed .marks").nth(1).wait_for(timeout=240_000)
    assert "With other readers and cases: " in panel.locator(".loupe-sentence").inner_text()
    panel.get_by_test_id("stNumberInputStepUp").click()
    panel.get_by_text("by 0.01 AUROC").wait_for()
    page.wait_for_function("location.search.includes('mrmc_margin=0.01')")
    for width, mode in ((1440, "light"), (900, "dark"), (400, "light")):
        visit.look(width, mode)
        assert visit.overflow() <= 0
        assert faults(page) == []
    assert visit.complaints == []
    assert visit.strangers == []
