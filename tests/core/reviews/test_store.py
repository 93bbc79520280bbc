"""The history of reviews: nothing lost, nothing twice, nothing changed, in either database."""

from __future__ import annotations

import os
import signal
import socket
import sqlite3
import subprocess
import sys
import threading
import time
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
import sqlalchemy as sa
from alembic.config import Config
from alembic.script import ScriptDirectory

from core.reviews import store as stores
from core.reviews.event import MOST_CHARACTERS, Event, Subject
from core.reviews.store import EVENTS, ReviewStore, StoreError, default_address

SUBJECT = Subject("f" * 16, "A study", "main", "case 1", "0" * 16)
WRITER = Path(__file__).with_name("writer.py")
KILLS = int(os.environ.get("LOUPE_KILLS", "40"))


def note(text: str = "look again", **changes: Any) -> Event:
    """Somebody's note on a case."""
    return Event(
        **({"subject": SUBJECT, "author": "Ada", "kind": "note", "content": {"text": text}} | changes)
    )


ODD = (
    "<script>alert(1)</script>",
    "=1+1",
    "שלום \u202e reversed",
    "👩🏽‍⚕️ e\u0301",
    "a\0b\r\n\ud800",
    "x" * MOST_CHARACTERS,
    "' ; DROP TABLE events; --",
)


def test_what_was_written_is_read_as_it_was(address: str) -> None:
    """Any text; in the order of writing; over a new opening."""
    store = ReviewStore(address)
    written = [note(text) for text in ODD]
    kept = store.append(*written)
    assert [event.number for event in kept] == list(range(1, len(ODD) + 1))
    store.close()
    again = ReviewStore(address)
    assert again.events() == kept
    assert [replace(event, number=0) for event in again.events()] == written
    assert again.events(after=kept[2].number) == kept[3:]
    other = note(subject=replace(SUBJECT, case_id="case 2"))
    (kept_other,) = again.append(other)
    assert again.events(study_name="A study", case_id="case 2") == (kept_other,)
    assert again.events(study_name="no study") == ()


def test_the_same_event_is_kept_once(address: str) -> None:
    """Somebody who does not know whether it was written writes it again; another one cannot take its id."""
    store, event = ReviewStore(address), note()
    assert store.append(event) == store.append(event)
    assert len(store.events()) == 1
    with pytest.raises(ValueError, match="another one’s id"):
        store.append(replace(event, content={"text": "else"}))
    assert len(store.events()) == 1


def test_all_or_none(address: str) -> None:
    """One that answers nothing takes the others with it."""
    store = ReviewStore(address)
    with pytest.raises(ValueError, match="expected an event of this history"):
        store.append(note(), Event(SUBJECT, "Ada", "withdrawal", {}, answers="0" * 32))
    assert store.events() == ()


@pytest.mark.parametrize("change", [EVENTS.update().values(author="Eve"), EVENTS.delete()])
def test_nothing_is_changed_or_removed(address: str, change: Any) -> None:
    """The database itself refuses it, whoever asks."""
    store = ReviewStore(address)
    kept = store.append(note())
    engine = sa.create_engine(address)
    with pytest.raises(sa.exc.DBAPIError, match="kept as they were written"), engine.begin() as connection:
        connection.execute(change)
    engine.dispose()
    assert store.events() == kept


def test_ten_threads_and_two_processes_lose_nothing(address: str) -> None:
    """Everybody's events are there, each once; who reads what is new misses none."""
    store = ReviewStore(address)
    processes = [_writer(address, f"process {i}", 100) for i in range(2)]

    def write(thread: int) -> list[str]:
        own = [note(f"{thread} {i}") for i in range(20)]
        for event in own:
            store.append(event)
        return [event.id for event in own]

    seen: list[int] = []
    with ThreadPoolExecutor(10) as pool:
        threads = [pool.submit(write, thread) for thread in range(10)]
        while not all(one.done() for one in threads) or any(one.poll() is None for one in processes):
            seen += [event.number for event in store.events(after=seen[-1] if seen else 0)]
            time.sleep(0.01)
        written = [event_id for one in threads for event_id in one.result()]
    for process in processes:
        assert process.returncode == 0
        written += process.stdout.read().split()
    seen += [event.number for event in store.events(after=seen[-1] if seen else 0)]
    there = store.events()
    assert sorted(event.id for event in there) == sorted(written)
    assert len(written) == 10 * 20 + 2 * 100
    assert seen == [event.number for event in there]


def _writer(address: str, author: str, n: int) -> subprocess.Popen[str]:
    """A process that writes, and prints the id of each event once it is acknowledged."""
    command = [sys.executable, str(WRITER), address, author, str(n)]
    return subprocess.Popen(command, stdout=subprocess.PIPE, text=True, cwd=Path(stores.__file__).parents[2])


@pytest.mark.slow
def test_a_killed_writer_loses_nothing_that_was_acknowledged(address: str) -> None:
    """Nor is anything there twice; ``LOUPE_KILLS`` says how often."""
    ReviewStore(address).close()
    acknowledged: list[str] = []
    # A process that forks a writer for each line that it reads: so a thousand need no thousand interpreters.
    forking = subprocess.Popen(
        [sys.executable, str(WRITER), address],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        text=True,
        cwd=Path(stores.__file__).parents[2],
    )
    assert forking.stdin is not None
    assert forking.stdout is not None
    for i in range(KILLS):
        forking.stdin.write(f"killed {i}\n")
        forking.stdin.flush()
        writer = int(forking.stdout.readline())
        acknowledged.append(forking.stdout.readline().strip())
        time.sleep(0.003 * (i % 10))
        os.kill(writer, signal.SIGKILL)
        acknowledged += (line.strip() for line in iter(forking.stdout.readline, "gone\n"))
    forking.stdin.close()
    assert forking.wait() == 0
    there = [event.id for event in ReviewStore(address).events()]
    assert len(there) == len(set(there))
    assert set(acknowledged) <= set(there)
    # Each may have been stopped between the disk and its word of it.
    assert len(there) - len(acknowledged) <= KILLS


def test_many_open_an_empty_database_at_once(address: str) -> None:
    """The tables are made once."""
    with ThreadPoolExecutor(6) as pool:
        opened = list(pool.map(lambda _: ReviewStore(address), range(6)))
    opened[0].append(note())
    assert [len(store.events()) for store in opened] == [1] * 6


def test_a_file_that_another_begins_to_write_is_waited_for(tmp_path: Path) -> None:
    """The writer of a file that is not yet written ahead is not a reason to give up."""
    file = tmp_path / "reviews.sqlite"
    other = sqlite3.connect(file, isolation_level=None, check_same_thread=False)
    other.execute("BEGIN IMMEDIATE")
    ends = threading.Timer(0.3, other.execute, ("COMMIT",))
    ends.start()
    store = ReviewStore(str(file))
    ends.join()
    other.close()
    store.append(note())
    assert len(store.events()) == 1


def test_the_newest_step_is_the_one_that_is_known() -> None:
    """And it makes the tables that are read."""
    config = Config()
    config.set_main_option("script_location", "core.reviews:migrations")
    assert ScriptDirectory.from_config(config).get_current_head() == stores.HEAD


def test_the_steps_make_the_tables_that_are_read(address: str) -> None:
    """Column by column."""
    ReviewStore(address).close()
    engine = sa.create_engine(address)
    made = {one["name"]: one["nullable"] for one in sa.inspect(engine).get_columns("events")}
    engine.dispose()
    assert made == {one.name: one.nullable for one in EVENTS.columns}


def test_what_a_newer_loupe_wrote_is_left_alone(address: str) -> None:
    """It is said what to do, and the database stays as it is."""
    store = ReviewStore(address)
    store.append(note())
    engine = sa.create_engine(address)
    with engine.begin() as connection:
        connection.execute(sa.text("UPDATE alembic_version SET version_num = '9999'"))
    with pytest.raises(StoreError, match=r"newer Loupe.*9999.*Update Loupe"):
        ReviewStore(address)
    with engine.begin() as connection:
        assert connection.execute(sa.text("SELECT version_num FROM alembic_version")).scalar() == "9999"
    engine.dispose()


def test_a_file_that_is_no_database_is_refused_in_words(tmp_path: Path) -> None:
    """And is not touched."""
    file = tmp_path / "reviews.sqlite"
    file.write_bytes(b"my notes, not a database\n" * 100)
    with pytest.raises(StoreError, match=r"reviews\.sqlite cannot be read .* \(file is not a database\)"):
        ReviewStore(str(file))
    assert file.read_bytes() == b"my notes, not a database\n" * 100


@pytest.mark.parametrize(
    ("address", "words"),
    [
        ("nonsense://x", "SQLite or PostgreSQL"),
        ("sqlite:////proc/none/reviews.sqlite", "cannot be read or written"),
        ("postgresql+pg8000://loupe:secret@127.0.0.1:1/none", "cannot be read or written"),
        ("postgresql+pg8000://loupe:secret@host:abc/none", "expected the address of a database"),
        ("postgresql+pg8000://loupe:secret@127.0.0.1:1/none?spam=1", "expected the address of a database"),
        ("postgresql+none://loupe:secret@127.0.0.1:1/none", "expected the address of a database"),
    ],
)
def test_a_database_that_is_not_there_is_said(address: str, words: str) -> None:
    """In a line, and without its password."""
    with pytest.raises(StoreError, match=words) as refused:
        ReviewStore(address)
    assert "secret" not in str(refused.value)
    assert "\n" not in str(refused.value)


def test_a_server_that_keeps_silent_is_given_up(monkeypatch: pytest.MonkeyPatch) -> None:
    """In a few seconds, with what to do about it."""
    monkeypatch.setattr(stores, "SILENCE", 0.3)
    with socket.create_server(("127.0.0.1", 0)) as silent:
        begun = time.monotonic()
        with pytest.raises(StoreError, match=r"cannot be read or written .*timed out"):
            ReviewStore(f"postgresql+pg8000://loupe@127.0.0.1:{silent.getsockname()[1]}/x")
        assert time.monotonic() - begun < 10


def test_a_pool_that_has_nothing_left_is_said(address: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """As all that a database refuses."""
    store = ReviewStore(address)
    monkeypatch.setattr(store._reading.pool, "_timeout", 0.1)
    taken = [store._reading.connect() for _ in range(15)]
    with pytest.raises(StoreError, match="cannot be read or written"):
        store.events()
    for one in taken:
        one.close()
    assert store.events() == ()


@pytest.mark.parametrize("changes", [{"content": "[]"}, {"content": "{"}, {"kind": "of tomorrow"}])
def test_an_event_that_cannot_be_read_is_said(address: str, changes: dict[str, str]) -> None:
    """With its number, and nothing else goes wrong."""
    store = ReviewStore(address)
    store.append(note())
    row = stores._row(note()) | changes
    with store._writing.begin() as connection:
        connection.execute(EVENTS.insert().values(row))
    with pytest.raises(StoreError, match=r"event 2 of the reviews in .* cannot be read"):
        store.events()


def test_a_full_disk_keeps_what_was_written(tmp_path: Path) -> None:
    """What does not fit is refused, and none of it is there."""
    file = tmp_path / "reviews.sqlite"
    store = ReviewStore(str(file))
    kept = store.append(note())
    pages = sqlite3.connect(file).execute("PRAGMA page_count").fetchone()[0]

    @sa.event.listens_for(store._writing, "begin")
    def fill(connection: sa.Connection) -> None:
        connection.exec_driver_sql(f"PRAGMA max_page_count = {pages}")

    with pytest.raises(StoreError, match="full"):
        store.append(note("x" * MOST_CHARACTERS))
    assert store.events() == kept


def test_it_lies_with_what_belongs_to_the_person(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    """Or where the environment says; nobody else can read it."""
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path))
    monkeypatch.delenv(stores.VARIABLE, raising=False)
    assert default_address() == f"sqlite:///{tmp_path}/loupe/reviews.sqlite"
    ReviewStore(default_address()).close()
    assert (tmp_path / "loupe" / "reviews.sqlite").stat().st_mode & 0o077 == 0
    monkeypatch.setenv(stores.VARIABLE, "sqlite:///elsewhere")
    assert default_address() == "sqlite:///elsewhere"
