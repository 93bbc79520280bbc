"""All tasks at a glance in a real browser: used while draws are made, a click opens a task, no fault."""

from __future__ import annotations

from typing import Any

import pytest
from browser.axe import faults
from browser.visit import Visit

pytestmark = pytest.mark.browser

PANEL = ".st-key-panel-all-tasks"


def test_all_tasks_at_a_glance(context: Any, address: str) -> None:
    """Nothing is worked out until it is opened; another metric meanwhile; a click on a task opens it."""
    visit = Visit(context)
    page = visit.open(f"{address}/models?study=chest_xrays")
    panel = page.locator(PANEL)
    assert panel.locator(".loupe-sentence").count() == 0
    panel.locator("summary").click()
    panel.locator(".vega-embed .marks").wait_for(timeout=240_000)
    panel.get_by_role("combobox").click()
    page.get_by_role("option", name="accuracy → adjusted accuracy").click()
    page.wait_for_function("location.search.includes('tasks_measure=accuracy')")
    panel.get_by_text("best in 100 resamplings of the readings").wait_for(timeout=240_000)
    for width, mode in ((1440, "light"), (900, "dark"), (400, "light")):
        visit.look(width, mode)
        assert visit.overflow() <= 0
        assert faults(page) == []
    picture = panel.locator(".vega-embed .marks")
    picture.scroll_into_view_if_needed()
    box = picture.bounding_box()
    picture.click(position={"x": box["width"] / 2, "y": box["height"] * 0.62})
    page.wait_for_function("/task=(Consolidation|Edema)/.test(location.search)")
    visit.arrive("Models")
    panel.get_by_role("button", name="Open a task").click()
    page.get_by_role("menuitem", name="Atelectasis").click()
    page.wait_for_function(
        "!location.search.includes('task=Edema') && !location.search.includes('Consolidation')"
    )
    assert visit.complaints == []
    assert visit.strangers == []


def test_an_open_menu_survives_what_comes_above_it(context: Any, address: str) -> None:
    """How sure the order is comes later, and above the menu that somebody has opened meanwhile."""
    visit = Visit(context)
    # A reliability that nothing else asks for: the draws are not there yet.
    page = visit.open(f"{address}/models?study=chest_xrays&annotations=plausibility&reliability=1.37")
    panel = page.locator(PANEL)
    panel.locator("summary").click()
    panel.get_by_role("button", name="Open a task").click()
    page.get_by_role("menuitem", name="Edema").wait_for()
    known = panel.get_by_text("best in 100")
    assert known.count() == 0
    known.first.wait_for(timeout=240_000)
    visit.settle()
    page.get_by_role("menuitem", name="Edema").click()
    page.wait_for_function("location.search.includes('task=Edema')")
    assert visit.complaints == []
