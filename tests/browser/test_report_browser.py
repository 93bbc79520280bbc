"""A report opened from a file, offline: live pictures, readable everywhere, and open to all."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from axe_playwright_python.sync_playwright import Axe

from core.cli import sample_folder
from dashboard.report.collect import collect
from dashboard.report.page import html
from dashboard.report.settings import Contents

pytestmark = pytest.mark.browser

LIVE = "document.querySelectorAll('.live:not([hidden]) svg').length"
IN_SIGHT = "document.querySelectorAll('.picture .live').length"


@pytest.fixture(scope="module")
def file(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A report with a list of cases, and their images."""
    path = tmp_path_factory.mktemp("report") / "report.html"
    asked = Contents(sample_folder("mixed_digits"), "?model=label-counts", ("study",), 3, images=True)
    path.write_text(html(collect(asked)))
    return path


def test_it_opens_offline(browser: Any, file: Path) -> None:
    """Pictures come to life, nothing is asked of any host, nothing is cut, and axe finds nothing.

    By night, and by day as well.
    """
    asked, said = [], []
    with browser.new_context(offline=True, color_scheme="dark") as context:
        page = context.new_page()
        page.on("request", lambda request: asked.append(request.url))
        page.on("console", lambda message: said.append(message.text) if message.type == "error" else None)
        page.on("pageerror", lambda error: said.append(str(error)))
        page.goto(file.as_uri())
        page.set_viewport_size({"width": 400, "height": 9000})
        page.wait_for_function(f"{LIVE} === {IN_SIGHT} && {LIVE} > 3")
        assert page.evaluate("document.documentElement.scrollWidth - innerWidth") <= 0
        for scheme in ("dark", "light"):
            page.emulate_media(color_scheme=scheme)
            found = Axe().run(page)
            assert [one["id"] for one in found.response["violations"]] == [], scheme
        page.emulate_media(media="print")
        assert page.locator(".live:visible").count() == 0
        assert page.locator(".still:visible").count() == page.locator(".still").count()
    assert [url for url in asked if not url.startswith(("file:", "blob:", "data:"))] == []
    assert said == []


def test_without_scripts_pictures_are_still(browser: Any, file: Path) -> None:
    """All of them are there."""
    with browser.new_context(java_script_enabled=False) as context:
        page = context.new_page()
        page.goto(file.as_uri())
        assert page.locator(".still svg:visible").count() == page.locator("figure .still").count() > 3
        assert page.locator("img:visible").count() == 3


@pytest.mark.slow
def test_a_report_of_everything_is_small_and_open_to_all(
    request: pytest.FixtureRequest, tmp_path: Path
) -> None:
    """All sections of the sample that says most: under 2 MB, and axe finds nothing in them, light and dark.

    The other samples, and a release, are weighed by the benchmarks.
    """
    path = tmp_path / "report.html"
    path.write_text(html(collect(Contents(sample_folder("mixed_digits")))))
    assert path.stat().st_size < 2_000_000
    browser = request.getfixturevalue("browser")
    with browser.new_context(offline=True) as context:
        page = context.new_page()
        page.set_viewport_size({"width": 1440, "height": 20_000})
        page.goto(path.as_uri())
        page.wait_for_function(f"{LIVE} > 10")
        for scheme in ("light", "dark"):
            page.emulate_media(color_scheme=scheme)
            found = Axe().run(page).response["violations"]
            assert [(one["id"], one["nodes"][0]["html"][:200]) for one in found] == [], scheme
