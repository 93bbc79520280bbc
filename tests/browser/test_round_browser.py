"""A round from beginning to end: two readers in two browsers, an outcome, what it changed, a new study."""

from __future__ import annotations

import os
import re
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
from browser.forked import serve
from browser.server import ROOT
from browser.visit import SETTLED, Visit

import sample_data
from core.study.reading.folder import read_study

pytestmark = pytest.mark.browser

PAGE = "review?study=dermatology_like&model=label-counts"
N_CASES = 3


def _loupe(*given: str, environment: dict[str, str]) -> str:
    """Run a command, and return what it says."""
    command = [sys.executable, "-m", "core.cli", *given]
    own = os.environ | environment
    return subprocess.run(command, cwd=ROOT, env=own, check=True, capture_output=True, text=True).stdout


def _begin(visit: Visit, url: str, name: str) -> Any:
    """Open the page and say who writes, whoever this computer knows."""
    page = visit.open(url, painted=False)
    visit.settle()
    field = page.get_by_label("Your name")
    field.fill(name)
    field.press("Enter")
    field.wait_for(state="detached")
    return page


def _read(page: Any, label: str, *, so_far: int) -> None:
    """Read the case that is open, by keyboard, and state a confidence in a hurry."""
    page.get_by_text(f"{so_far} of {N_CASES} cases read").wait_for()
    page.get_by_role("heading", name=f", {so_far + 1} of {N_CASES}").wait_for()
    page.wait_for_function(SETTLED)  # Nobody reads a case before it is there.
    page.locator("[class*=st-key-editor-] [role=combobox]").first.focus()
    page.keyboard.type(label)
    page.get_by_role("option", name=label).first.wait_for()
    page.keyboard.press("Enter")
    page.locator("[class*=st-key-editor-] [role=radiogroup] label").filter(has_text=label).wait_for()
    page.get_by_label("Confidence in %").fill("70")
    page.keyboard.press("Alt+k")
    page.get_by_text(f"{so_far + 1} of {N_CASES} cases read").wait_for()
    page.get_by_text(re.compile(rf"Kept: Case derm-.*{label}.*\(70.% sure\)")).wait_for()


def _make(page: Any) -> None:
    """Make a blind round of the least certain cases for two."""
    page.get_by_text("Of those, the least certain").click()
    field = page.get_by_label("How many")
    field.fill("9999")
    field.press("Enter")
    page.get_by_text("The worklist lists 301 cases: all of them are taken.").wait_for()
    field.fill(str(N_CASES))
    field.press("Enter")
    page.get_by_role("button", name=f"Make the round of {N_CASES} cases").wait_for()
    page.get_by_label("Name of the round").fill("Second look")
    page.get_by_label("Who reads").fill("Ada\nBert")
    hides = page.locator("[class*=st-key-round-hidden]")
    hides.get_by_text("True share").wait_for()  # To begin with: its name says what it tells.
    page.get_by_role("button", name=f"Make the round of {N_CASES} cases").click()


def _correct(page: Any) -> None:
    """Say anew who reads; take the round back, and give it back."""
    page.get_by_role("button", name="Change the round").click()
    page.get_by_label("Who reads").fill("Ada\nBen")
    page.get_by_role("button", name="Keep the changes").click()
    page.get_by_text("Ada 0 of 3, Ben 0 of 3").wait_for()
    page.get_by_role("button", name="Change the round").click()
    page.get_by_role("button", name="Take the round back").click()
    page.get_by_text("With it 0 readings and 0 outcomes").wait_for()
    page.get_by_role("button", name="Yes, take it back").click()
    page.get_by_text("“Second look” was taken back by Ada").wait_for()
    page.reload()
    page.get_by_role("button", name="Give it back").click()
    page.locator("[class*=st-key-open-round-] button").click()


def _decide(page: Any) -> None:
    """Record that the first case that is to be decided cannot be settled."""
    page.get_by_role("button", name="Change the round").click()
    assert page.get_by_label("Blind").is_disabled()  # Somebody went by it.
    page.get_by_role("button", name="Leave it as it is").click()
    page.get_by_text("Decide", exact=True).click()
    page.get_by_text("to decide, 0 decided, of 3 that were read").wait_for()
    page.get_by_role("table", name="Readings in Second look").get_by_text("Ben").wait_for()
    page.get_by_text("It cannot be settled").click()
    page.get_by_label("Decided by").fill("Ada, Ben")
    page.get_by_label("Why").fill("The image does not suffice")
    page.keyboard.press("Tab")
    page.get_by_role("button", name="Record the outcome").click()
    page.get_by_text("Decided by Ada, Ben; written down by Ada").wait_for()


def _count(visit: Visit) -> None:
    """See what the round changed, and let it count on every page."""
    page = visit.page
    page.get_by_text("What it changed", exact=True).click()
    page.get_by_text("3 cases have 5 further readings.").wait_for()
    page.get_by_role("button", name="Let its readings count").click()
    page.wait_for_function("location.search.includes('counted=Second')")
    page.locator("[class*=st-key-choose-what-counts]").get_by_text("Readings of Second look").wait_for()
    page = visit.follow("Cases")
    page.wait_for_function("location.search.includes('counted=Second')")
    page.get_by_role("button", name="Next").wait_for()
    page.get_by_text("1 in discussion").wait_for()  # What could not be settled.
    page.locator("[class*=st-key-choose-what-counts]").get_by_text("Readings of Second look").wait_for()
    page.get_by_text("Counted here: with the readings of “Second look”.").wait_for()


def test_the_whole_loop(browser: Any, world: Any, tmp_path: Path) -> None:
    """Found, read again by two, decided, counted, exported, opened again."""
    own = {"XDG_DATA_HOME": str(tmp_path / "data"), **world.environment}
    with serve(tmp_path, environment=own) as url:
        first, other = Visit(browser.new_context()), Visit(browser.new_context())
        page = _begin(first, f"{url}/{PAGE}", "Ada")
        _make(page)
        page.get_by_text("0 of 3 cases read by Ada").wait_for()
        _correct(page)
        page.get_by_text("0 of 3 cases read by Ada").wait_for()
        page.get_by_text("Skin type").first.wait_for()
        shown = page.locator(".stMain").inner_text()
        assert "Readings of the study" not in shown  # It is blind.
        assert "reference" not in shown
        assert "true share" not in shown.lower()
        for done in range(N_CASES):
            _read(page, "Melanoma", so_far=done)
        page.get_by_text("You have read all of it.").wait_for()
        page.get_by_text("says what your readings would move").wait_for()

        second = other.open(f"{url}/{PAGE}&round=Second+look", painted=False)
        other.settle()
        second.get_by_text("you write as Ada").or_(second.get_by_text("read by Ada")).first.wait_for()
        second.get_by_role("button", name="Write under another name").click()
        second.get_by_role("button", name="Ben", exact=True).click()
        second.get_by_text("0 of 3 cases read by Ben").wait_for()
        second.get_by_text("Decide", exact=True).click()
        second.get_by_text("You have still to read 3 cases blind").wait_for()
        second.get_by_text("Read", exact=True).click()
        _read(second, "Eczema", so_far=0)
        _read(second, "Melanoma", so_far=1)
        second.get_by_text("What it changed", exact=True).click()
        second.get_by_text("You have still to read some of this round blind").wait_for()
        second.reload()  # Two have written here: who comes back says who it is.
        field = second.get_by_label("Your name")
        assert field.input_value() == ""  # Nobody signs with another's name by one Enter.
        field.fill("ben")
        field.press("Enter")
        second.get_by_text("Read", exact=True).click()
        second.get_by_text("2 of 3 cases read").wait_for()  # It goes on with the case that is left.

        _decide(page)

        _count(first)
        assert first.complaints == other.complaints == []
    study = str(Path(sample_data.__file__).parent / "dermatology_like")
    _loupe("review", "export", study, "--out", str(tmp_path / "new"), environment=own)
    before, after = read_study(Path(study)), read_study(tmp_path / "new")
    assert {"Ada", "Ben"} <= {*after.rater_ids}
    (task,) = before.tasks
    assert after.tasks[task].readings.n_readings == before.tasks[task].readings.n_readings + 5
