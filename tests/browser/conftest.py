"""What all browser tests share: one dashboard, one browser, and the studies that try it."""

from __future__ import annotations

from collections.abc import Callable, Generator, Iterator
from contextlib import suppress
from pathlib import Path
from typing import Any
from urllib.parse import quote

import pytest
from browser.forked import serve
from browser.kept import Kept
from browser.odd_studies import write_crowded, write_hostile, write_refused
from browser.outside import Outside, outside
from browser.server import CODE, LIGHT, browse

from core.analysis.reliability.fit import PREDICTING
from dashboard.shell.view import ALL_PARTS

PARTS = {"cases": "case_part"}
"""Pages that show one of their parts at a time, and the field of the view that says which."""
FAILED = pytest.StashKey[bool]()
"""Whether a test has failed."""
Link = Callable[..., str]
"""Address of a page: ``link("cases", "hostile", case="c 1")``."""


@pytest.fixture(scope="session")
def odd_studies(tmp_path_factory: pytest.TempPathFactory) -> dict[str, Path]:
    """Studies that try the dashboard, by name."""
    folder = tmp_path_factory.mktemp
    return {
        "hostile": write_hostile(folder("hostile")),
        "crowded": write_crowded(folder("crowded")),
        "refused": write_refused(folder("refused")),
    }


@pytest.fixture(scope="session")
def world(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Outside]:
    """Everything outside this computer; at the end of all tests, nothing was asked of it.

    The server and the browser of all tests stand under its watch.
    """
    with outside(tmp_path_factory.mktemp("outside")) as listening:
        yield listening
        assert listening.asked() == [], "something was asked of the outside"


@pytest.fixture(scope="session")
def browser(world: Outside) -> Iterator[Any]:
    """One browser for all tests."""
    with browse(*CODE, *world.flags, program=LIGHT, still=True) as started:
        yield started


@pytest.fixture(scope="session")
def context(browser: Any) -> Any:
    """One profile of it: what has been fetched once is not fetched again.

    An empty page of this computer stays open in it, and with it the process that has read the code of all.
    """
    context = browser.new_context()
    empty = context.new_page()
    empty.route("**", lambda route: route.fulfill(body="", content_type="text/html"))
    empty.goto("http://127.0.0.1/")
    return context


@pytest.fixture(scope="session")
def address(
    odd_studies: dict[str, Path], world: Outside, tmp_path_factory: pytest.TempPathFactory
) -> Iterator[str]:
    """A dashboard started on the hostile study; the other odd ones can be opened as well."""
    folder, study = tmp_path_factory.mktemp("server"), str(odd_studies["hostile"])
    also = [str(odd_studies[name]) for name in ("crowded", "refused")]
    with serve(folder, study, environment=world.environment, also=also) as url:
        yield url


@pytest.fixture(scope="session")
def link(address: str, odd_studies: dict[str, Path]) -> Link:
    """Writes addresses of pages, with all parts where none is named: what is looked for may be in any.

    So with a reliability of Cases: one that nobody has chosen changes once it is known what the readings
    support.
    """

    def write(page: str, study: str, **view: str | float) -> str:
        if page in PARTS:
            view = {PARTS[page]: ALL_PARTS} | view
        if page == "cases" and view.get("model", PREDICTING[0]) in PREDICTING:
            view = {"reliability": 1} | view
        key = str(odd_studies[study]) if study in odd_studies else study
        path = "" if page == "study" else page
        chosen = "".join(f"&{name}={quote(str(value), safe='')}" for name, value in view.items())
        return f"{address}/{path}?study={quote(key, safe='')}{chosen}"

    return write


@pytest.fixture(scope="session")
def tabs() -> list[Kept]:
    """Tabs that stay open from test to test."""
    return []


@pytest.fixture(scope="module")
def kept(context: Any, tabs: list[Kept]) -> Iterator[Kept]:
    """A tab for the tests of a module that only look at a page, or say first all that they need of it."""
    kept = Kept(context)
    tabs.append(kept)
    yield kept
    kept.close()
    tabs.remove(kept)


@pytest.fixture(autouse=True)
def close_pages(
    request: pytest.FixtureRequest, context: Any, browser: Any, tabs: list[Kept]
) -> Iterator[None]:
    """Leave no page open but the empty one and tabs that stay: each keeps a session of the server busy.

    After a test that failed none stays.
    """
    yield
    for opened in browser.contexts:
        if opened is not context:
            opened.close()
    if request.node.stash.get(FAILED, False):
        for tab in tabs:
            tab.close()
    for page in context.pages[1:]:
        if all(page != tab.page for tab in tabs):
            page.close()


_STATE = """() => [document.querySelector(".stApp")?.dataset.testScriptState,
  document.activeElement?.outerHTML.slice(0, 120),
  ...[...document.querySelectorAll(".stMain input")].map((one) => `${one.ariaLabel}: ${one.value}`),
  document.querySelector(".stMain")?.innerText.slice(0, 1500), "…",
  document.querySelector(".stMain")?.innerText.slice(1500).slice(-1500),
  "Sidebar:", document.querySelector(".stSidebar")?.innerText.slice(0, 1500)].join("\\n")"""
"""What a page was at: whether its script runs, what has the focus and is filled in, and what stands on it."""


@pytest.hookimpl(wrapper=True)
def pytest_runtest_makereport(item: pytest.Item) -> Generator[None, pytest.TestReport, pytest.TestReport]:
    """Say of a test that failed what the page was that it had opened last: a log is all that others have."""
    report = yield
    item.stash[FAILED] = item.stash.get(FAILED, False) or report.failed
    opened = getattr(item, "funcargs", {}).get("browser")
    if report.failed and opened is not None:
        pages = [page for context in opened.contexts for page in context.pages]
        for page in pages[-2:]:
            with suppress(Exception):
                report.sections.append((f"Page {page.url}", str(page.evaluate(_STATE))))
    return report
