"""The first start opens the tour, later ones the last page; nothing fails where nothing can be kept."""

from __future__ import annotations

import re
from collections.abc import Callable
from pathlib import Path

import pytest
from streamlit.testing.v1 import AppTest

from dashboard.shell import last_page

APP = Path(last_page.__file__).parents[1] / "app.py"


@pytest.fixture
def state(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A place for what is remembered, empty at first."""
    monkeypatch.setenv("XDG_STATE_HOME", str(tmp_path))
    return tmp_path


def come_to(page: str) -> None:
    """Come to a page, in a session of its own."""

    def script(page: str) -> None:
        from dashboard.shell import last_page

        last_page.remember(page)

    test = AppTest.from_function(script, args=(page,)).run()
    assert not test.exception


def test_every_page_can_be_the_last() -> None:
    """What the app has for pages is what is remembered; the one at the root has no path."""
    paths = set(re.findall(r'url_path="(\w+)"', APP.read_text(encoding="utf-8")))
    assert set(last_page.PAGES) == paths - {"study"} | {""}


def test_the_first_start_opens_the_tour(state: Path) -> None:
    """Nothing is remembered yet; a study that is named is opened all the same."""
    assert last_page.opening(names_study=False) == "tour"
    assert last_page.opening(names_study=True) == ""
    assert list(state.iterdir()) == []


@pytest.mark.parametrize("page", [page for page in last_page.PAGES if page != "tour"])
def test_a_later_start_opens_the_last_page(state: Path, page: str) -> None:
    """With a study named or not; all that is written is the name of the page."""
    come_to("models")
    come_to(page)
    assert last_page.opening(names_study=False) == page
    assert last_page.opening(names_study=True) == page
    (file,) = (path for path in state.rglob("*") if path.is_file())
    assert file.read_text(encoding="utf-8") == (page or "study") + "\n"


def test_after_the_tour_a_study_that_is_named_opens(state: Path) -> None:
    """The tour shows no study, so it does not stand in for one; by itself it opens again."""
    come_to("tour")
    assert last_page.opening(names_study=True) == ""
    assert last_page.opening(names_study=False) == "tour"


@pytest.mark.parametrize("content", [b"", b"\xff\xfe", b"../../etc", b"Cases\n", b"?study=x"])
def test_a_damaged_file_is_a_first_start(state: Path, content: bytes) -> None:
    """Whatever it holds, only a page of Loupe is opened."""
    (state / "loupe").mkdir()
    (state / "loupe" / "last_page").write_bytes(content)
    assert last_page.opening(names_study=False) == "tour"


def _in_the_way(folder: Path) -> None:
    (folder / "loupe").write_text("a file where the folder should be")


def _a_folder(folder: Path) -> None:
    (folder / "loupe" / "last_page").mkdir(parents=True)


@pytest.mark.parametrize("hinder", [_in_the_way, _a_folder])
def test_nothing_fails_where_nothing_can_be_kept(state: Path, hinder: Callable[[Path], None]) -> None:
    """Pages open, and every start is a first one."""
    hinder(state)
    come_to("cases")
    assert last_page.opening(names_study=False) == "tour"


def test_nothing_fails_without_a_home(monkeypatch: pytest.MonkeyPatch) -> None:
    """An account may have none."""

    def none() -> Path:
        raise RuntimeError("Could not determine home directory.")

    monkeypatch.setenv("XDG_STATE_HOME", "not/a/whole/path")
    monkeypatch.setattr(last_page.Path, "home", none)
    come_to("cases")
    assert last_page.opening(names_study=False) == "tour"


def test_the_dashboard_remembers_where_it_is(state: Path) -> None:
    """Drawn by the app itself: the page at the root."""
    test = AppTest.from_file(str(APP), default_timeout=300)
    test.query_params["study"] = "toy_three_labels"
    assert not test.run().exception
    assert (state / "loupe" / "last_page").read_text(encoding="utf-8") == "study\n"
