"""The reliability slider while Study finds by itself which reliability the readings support."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from browser.forked import serve
from browser.visit import Visit

pytestmark = pytest.mark.browser

LATE = """import pathlib, time
from dashboard.shell import trust
predict = trust.predictive_curve
def late(*given, **named):
    while not pathlib.Path({known!r}).exists():
        time.sleep(0.05)
    return predict(*given, **named)
trust.predictive_curve = late
"""
"""What the readings support is not known before a file is there: a person is at the slider first."""
SLIDER = ".stSidebar input[type=range]"


@pytest.fixture
def known(tmp_path: Path) -> Path:
    """File that lets what the readings support be known, once it is written."""
    return tmp_path / "known"


@pytest.fixture
def address(tmp_path: Path, known: Path) -> Iterator[str]:
    """A dashboard on a study whose readings support another reliability than 1: all readers agree."""
    folder = tmp_path / "alike"
    folder.mkdir()
    rows = [f"{case},r{rater},{'ab'[case % 2]}" for case in range(60) for rater in range(3)]
    table = "\n".join(["case_id,rater_id,label", *rows])
    (folder / "annotations.csv").write_text(table, encoding="utf-8")
    with serve(tmp_path, str(folder), before=LATE.format(known=str(known))) as url:
        yield url


def test_the_slider_is_not_taken_from_under_a_hand(address: str, known: Path, context: Any) -> None:
    """Who has the keyboard at it keeps it, and is offered what the readings support; others are moved."""
    visit = Visit(context)
    page = visit.open(f"{address}/study", painted=False)
    visit.unfold_counting()
    slider = page.locator(SLIDER)
    slider.wait_for()
    slider.evaluate("one => { one.dataset.mine = 'yes'; one.focus(); }")
    known.touch()
    page.locator(".st-key-anchor-use-reliability").get_by_role("button", name="Count each").first.wait_for()
    visit.settle()
    assert slider.get_attribute("data-mine") == "yes"
    assert slider.evaluate("one => one === document.activeElement")
    assert slider.get_attribute("aria-valuetext") == "1"
    assert page.get_by_role("button", name="Count each once").count() == 0
    page.close()
    other = Visit(context)
    page = other.open(f"{address}/study", painted=False)
    page.get_by_role("button", name="Count each once").wait_for()
    assert page.locator(SLIDER).get_attribute("aria-valuetext") != "1"
    assert other.complaints == visit.complaints == []


def test_a_list_is_counted_anew_before_somebody_is_at_it_and_not_under_the_hand(
    address: str, known: Path, context: Any
) -> None:
    """Cases finds by itself what its readings support; who has opened another case meanwhile is asked."""
    other, visit = Visit(context), Visit(context)
    theirs = other.open(f"{address}/cases", painted=False)
    theirs.get_by_role("button", name="Stop").wait_for()
    stood = theirs.locator(".st-key-worklist").bounding_box()
    theirs.keyboard.press("Alt+n")
    theirs.wait_for_function("document.querySelector('.stMain h2').textContent.trim() !== 'Case 0'")
    page = visit.open(f"{address}/cases", painted=False)
    known.touch()
    theirs.get_by_role("button", name=re.compile("^Count each ")).wait_for()
    page.wait_for_function("new URLSearchParams(location.search).get('reliability') > 1")
    visit.settle()
    assert page.locator(SLIDER).get_attribute("aria-valuetext") != "1"
    assert theirs.locator(SLIDER).get_attribute("aria-valuetext") == "1"
    assert "Readings count once; " in theirs.locator(".stMain").inner_text()
    assert theirs.locator(".st-key-worklist").bounding_box() == stood
    assert other.complaints == visit.complaints == []
