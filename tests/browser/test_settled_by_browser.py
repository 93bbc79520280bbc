"""What the study says settles a label, beneath the sentence of a case: text, whatever it is."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from browser.forked import serve
from browser.visit import Visit

pytestmark = pytest.mark.browser

HOSTILE = "<img src=x onerror=alert(1)> **b** $x$ [l](http://x.example)"
ENDLESS = "x" * 60


def test_an_examination_is_text_and_fits(context: Any, tmp_path: Path) -> None:
    """No HTML, Markdown or formula in the line and under the pointer; a word without a break is broken."""
    study = tmp_path / "study"
    study.mkdir()
    (study / "annotations.csv").write_text("case_id,rater_id,label\n1,r,a\n1,s,b\n1,t,c\n")
    (study / "labels.csv").write_text(f"label,risk,settled_by\na,0,\nb,2,{HOSTILE}\nc,2,{ENDLESS}\n")
    with serve(tmp_path, str(study)) as address:
        visit = Visit(context)
        page = visit.open(f"{address}/cases", painted=False)
        visit.settle()
        line = page.locator(".loupe-brief .loupe-next dd")
        assert line.inner_text().startswith(f"{HOSTILE} first, for b (")
        assert f"; {ENDLESS} for c (" in line.inner_text()
        titles = page.locator(".loupe-contenders b[data-level=H]").evaluate_all(
            "all => all.map(e => e.title)"
        )
        assert [title.partition("the same file says what settles it: ")[2] for title in titles] == [
            HOSTILE,
            ENDLESS,
        ]
        assert page.locator(".stMain img[src=x], .loupe-brief a, .loupe-brief .katex").count() == 0
        page.set_viewport_size({"width": 400, "height": 900})
        visit.settle()
        assert visit.overflow() <= 0
        assert line.evaluate("one => one.scrollWidth <= one.clientWidth")
        assert visit.complaints == []
        page.close()
