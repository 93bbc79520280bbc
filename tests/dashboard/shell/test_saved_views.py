"""Saved views: kept in one file that nothing breaks, opened in their study, shared without a folder."""

from __future__ import annotations

import json
import threading
from pathlib import Path
from urllib.parse import parse_qs

import pytest
from streamlit.testing.v1 import AppTest

from core.cli import sample_folder
from core.study.model import Study
from core.study.reading.folder import read_study
from dashboard.shell import saved_views, studies
from dashboard.shell.saved_views import FILE, MOST_CHARACTERS, NotKeptError, SavedView, views_of

LINK = "task=diagnosis&model=prirn&risk=high&certainty=0-80&sort=disagreement&columns=leading&reliability=3"


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Where the file is kept, empty at first."""
    monkeypatch.setenv("XDG_STATE_HOME", str(tmp_path))
    return tmp_path / "loupe"


@pytest.fixture(scope="module")
def sample() -> Study:
    """The main sample."""
    return read_study(sample_folder(studies.SAMPLE))


def _save(name: str, *, study: str = "s", fingerprint: str = "f", link: str = LINK) -> SavedView:
    return saved_views.save(name, study=study, fingerprint=fingerprint, link=link)


def _names(study: str = "s", fingerprint: str = "f") -> list[str]:
    return [view.name for view in views_of(study, fingerprint)]


def test_views_are_kept_for_each_study_and_found_by_name_or_fingerprint(folder: Path) -> None:
    """A study that changed keeps its name, one that was renamed its content; another has neither."""
    assert _names() == []
    assert not folder.exists()
    _save("b")
    _save("A")
    _save("other", study="t", fingerprint="g")
    assert _names() == ["A", "b"]
    assert _names(fingerprint="changed") == _names(study="renamed") == ["A", "b"]
    assert _names("neither", "nor") == []
    assert [path.name for path in folder.iterdir()] == [FILE]


@pytest.mark.parametrize(
    ("name", "kept"),
    [
        ("<b>bold</b> **x** :smile: $x$", "<b>bold</b> **x** :smile: $x$"),
        ("  two\n lines\t", "two lines"),
        ("🩺 Haut", "🩺 Haut"),
        ("עור \u202eabc", "עור abc"),
        ("x" * 1000, "x" * (MOST_CHARACTERS - 1) + "…"),
    ],
)
def test_odd_names_are_kept_on_one_line(folder: Path, name: str, kept: str) -> None:
    """As written, without what cannot be seen; what is too long is cut."""
    assert _save(name).name == kept
    assert _names() == [kept]


def test_names_are_told_apart_and_not_empty(folder: Path) -> None:
    """The same name again has a number; another study may have the name as it is."""
    assert [_save("x").name for _ in range(3)] == ["x", "x (2)", "x (3)"]
    assert _save("x", study="t", fingerprint="g").name == "x"
    for nothing in ("", " \n", "\u200b"):
        with pytest.raises(NotKeptError, match="Write a name"):
            _save(nothing)
    first, second, _ = views_of("s", "f")
    saved_views.rename(second, "x")
    assert _names() == ["x", "x (2)", "x (3)"]
    saved_views.rename(second, "y")
    saved_views.delete(first)
    assert _names() == ["x (3)", "y"]
    saved_views.restore(first)
    saved_views.restore(first)
    assert _names() == ["x", "x (3)", "y"]


def test_all_that_save_at_once_keep_what_they_saved(folder: Path) -> None:
    """Whoever comes second reads what the first has written."""
    threads = [threading.Thread(target=_save, args=(f"view {i}",)) for i in range(12)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert sorted(_names()) == sorted(f"view {i}" for i in range(12))


@pytest.mark.parametrize("content", [b"", b"{", b"[]", b'{"views": 3}', b"\xff\xfe", b"null"])
def test_a_damaged_file_is_said_and_kept_aside(folder: Path, content: bytes) -> None:
    """Nothing of it is lost, and saving goes on."""
    folder.mkdir()
    (folder / FILE).write_bytes(content)
    assert _names() == []
    assert "damaged" in saved_views.trouble()
    _save("x")
    assert _names() == ["x"]
    assert saved_views.trouble() == ""
    assert (folder / f"{FILE}.damaged-1").read_bytes() == content


def test_entries_that_mean_nothing_stay_in_the_file(folder: Path) -> None:
    """Another version may have written them."""
    folder.mkdir()
    strange = [{"key": "1", "name": 3}, "text", None, {"later": True}]
    (folder / FILE).write_text(json.dumps({"views": strange}))
    saved_views.delete(_save("x"))
    assert json.loads((folder / FILE).read_text())["views"] == strange


def test_where_nothing_can_be_written_the_reason_is_said(folder: Path) -> None:
    """A file stands where the folder should, and stays."""
    folder.write_text("in the way")
    with pytest.raises(NotKeptError, match=r"Not saved: .*loupe"):
        _save("x")
    assert _names() == []
    assert folder.read_text() == "in the way"


def _page(key: str, link: str) -> AppTest:
    """The sidebar of Cases at an address."""

    def script() -> None:
        import streamlit as st

        from dashboard.shell import sidebar, state, widgets

        widgets.enter("cases")
        state.read_address()
        chosen = sidebar.choose()
        # What is shown in place of a study that is not there may be one that is refused.
        if chosen.study is not None:
            sidebar.reliability_slider(chosen.study, chosen.task)
        state.write_address()
        st.session_state["notes"], st.session_state["view"] = list(state.notes()), state.view()

    test = AppTest.from_function(script, default_timeout=300)
    for name, given in parse_qs(f"study={key}&{link}").items():
        test.query_params[name] = given
    test.run()
    assert not test.exception
    return test


def _open(test: AppTest, view: SavedView) -> None:
    """Choose a saved view in the sidebar, which names none so far."""
    (box,) = [box for box in test.selectbox if box.label == "Saved views"]
    assert box.value == ""
    box.set_value(view.key).run()
    assert not test.exception


def test_a_saved_view_comes_back_whatever_was_chosen_meanwhile(folder: Path, sample: Study) -> None:
    """Filters, order, columns and reliability; it is the one that the sidebar then names."""
    saved = _save("mine", study=sample.name, fingerprint=sample.fingerprint)
    test = _page(studies.SAMPLE, "task=diagnosis&model=prirn&risk=low&search=x&reliability=10")
    _open(test, saved)
    now = test.session_state["view"]
    assert (now.risk, now.certainty, now.sort, now.search) == (("high",), (0, 80), "disagreement", "")
    assert (now.columns, now.reliability, now.model) == (("leading",), 3.0, "prirn")
    assert test.session_state["notes"] == []
    assert next(box.value for box in test.selectbox if box.label == "Saved views") == saved.key


def test_a_view_of_a_changed_study_opens_and_says_what_is_gone(folder: Path, sample: Study) -> None:
    """Labels and columns that are no more are named and left out."""
    link = f"{LINK}&label=Gone&metadata=ward:3&pages=9"
    saved = _save("old", study=sample.name, fingerprint="before", link=link)
    test = _page(studies.SAMPLE, "task=diagnosis&model=prirn")
    _open(test, saved)
    notes = " ".join(test.session_state["notes"])
    for word in ("“old” was saved before the files", "“Gone”", "“ward”", "pages"):
        assert word in notes
    assert test.session_state["view"].risk == ("high",)


def test_a_shared_link_finds_the_study_by_what_it_holds(tmp_path: Path) -> None:
    """Wherever it lies; one that is not open is said by its name, and no folder is named."""
    mine = tmp_path / "mine"
    mine.mkdir()
    (mine / "annotations.csv").write_text("case_id,rater_id,label\nc1,A,x\nc1,B,y\n")
    (mine / "study.toml").write_text('name = "My study"\n')
    source, fingerprint = studies.add_folder(mine), read_study(mine).fingerprint
    key = studies.shared_key(source, name="My study", fingerprint=fingerprint)
    assert str(tmp_path) not in key
    assert studies.shared_key(studies.samples()[0], name="n", fingerprint="f") == studies.SAMPLE
    test = _page(key, "readers=2-2")
    assert (test.session_state["view"].study, test.session_state["notes"]) == (source.key, [])
    changed = _page(f"{studies.SHARED}other:My study", "readers=2-2")
    assert changed.session_state["view"].study == source.key
    assert "not as they are here" in changed.session_state["notes"][0]
    absent = _page(f"{studies.SHARED}1:Theirs", "readers=2-2")
    assert "“Theirs”, which is not open in this Loupe" in absent.session_state["notes"][0]
