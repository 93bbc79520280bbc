"""The reviews of the server: opened once, without anybody waiting for a database that keeps silent."""

from __future__ import annotations

import socket
import time
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from threading import Thread

import pytest
import streamlit as st
from small_study import small_study

from core.reviews import store as stores
from core.reviews.event import Event, StoreError, subject_of
from core.reviews.store import VARIABLE
from core.study.fingerprint import fingerprint_of
from core.study.model import Study
from dashboard.shell import reviews


@pytest.fixture
def study(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Study:
    """A study, and folders of the test's own."""
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path))
    monkeypatch.setenv("XDG_STATE_HOME", str(tmp_path))
    st.session_state.clear()
    made = replace(small_study("choice", "ab", [["a"], ["b"]])[0], name="S")
    return replace(made, fingerprint=fingerprint_of(made))


@pytest.fixture
def silent(monkeypatch: pytest.MonkeyPatch) -> Iterator[str]:
    """Address of a server that takes calls and says nothing."""
    monkeypatch.setattr(stores, "SILENCE", 3.0)
    with socket.create_server(("127.0.0.1", 0)) as server:
        yield f"postgresql+pg8000://loupe@127.0.0.1:{server.getsockname()[1]}/x"


def test_nobody_waits_for_a_database_that_keeps_silent(
    study: Study, silent: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Not for another's opening, and not again and again for one's own."""
    refusals: list[str] = []

    def ask() -> None:
        try:
            reviews._store(silent)
        except StoreError as error:
            refusals.append(str(error))

    waits = Thread(target=ask)
    waits.start()
    monkeypatch.setenv(VARIABLE, f"sqlite:///{tmp_path}/reviews.sqlite")
    assert reviews.journal(study).follow() == 0
    assert waits.is_alive(), "the other database was opened while this one was waited for"
    waits.join()
    begun = time.monotonic()
    ask()
    assert time.monotonic() - begun < 0.5
    assert len(refusals) == 2
    assert refusals[0] == refusals[1]
    monkeypatch.setenv(VARIABLE, silent)
    unread = reviews.listing(study, "t")
    assert (unread.reviews, unread.last) == ({}, 0)
    assert reviews.seen_before(study) == 0
    reviews.remember_visit(study)


def test_what_was_seen_is_remembered_by_database(
    study: Study, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Numbers of events are those of one database: another begins anew."""
    note = Event(subject_of(study, study.tasks["t"], "case 0"), "Ada", "note", {"text": "one"})
    for database, seen in (("one", 0), ("two", 0), ("one", 1)):
        monkeypatch.setenv(VARIABLE, f"sqlite:///{tmp_path}/{database}.sqlite")
        st.session_state.clear()
        reviews.journal(study)
        assert reviews.seen_before(study) == seen, database
        reviews.write(study, note, own=False)
        reviews.remember_visit(study)
