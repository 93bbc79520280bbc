"""Where events are kept: SQLite by default, PostgreSQL by an address; rows are added and never changed."""

from __future__ import annotations

import json
import os
import sqlite3
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import sqlalchemy as sa
from sqlalchemy.engine import Connection, Engine

from core.reviews.event import Event, StoreError, Subject
from core.study.own_folder import own_folder

VARIABLE = "LOUPE_DATABASE"
"""Environment variable with the address of another database."""
HEAD = "0001"
"""Revision of the tables that this version of Loupe reads and writes."""
PATIENCE = 60.0
"""Seconds that a writer waits for its turn."""
SILENCE = 5.0
"""Seconds after which a server that does not answer a reader is given up."""
_LOCK = 7_071_685
"""Number of the lock under which PostgreSQL writes: so that numbers become visible in their order."""
_TIMEOUTS = {"pg8000": "timeout", "psycopg": "connect_timeout", "psycopg2": "connect_timeout"}
"""What drivers of PostgreSQL call the seconds after which they give a server up."""
_EXPECTED = "expected the address of a database, such as postgresql+pg8000://user@host:5432/name"
_METADATA = sa.MetaData()
EVENTS = sa.Table(
    "events",
    _METADATA,
    sa.Column("number", sa.Integer, primary_key=True, autoincrement=True),
    sa.Column("id", sa.Text, nullable=False, unique=True),
    sa.Column("study", sa.Text, nullable=False),
    sa.Column("study_name", sa.Text, nullable=False),
    sa.Column("task", sa.Text, nullable=False),
    sa.Column("case_id", sa.Text, nullable=False),
    sa.Column("readings", sa.Text, nullable=False),
    sa.Column("author", sa.Text, nullable=False),
    sa.Column("time", sa.Text, nullable=False),
    sa.Column("kind", sa.Text, nullable=False),
    sa.Column("content", sa.Text, nullable=False),
    sa.Column("answers", sa.Text, sa.ForeignKey("events.id"), nullable=True),
    sqlite_autoincrement=True,
)


class ReviewStore:
    """The history of events.

    Parameters
    ----------
    address : str
        Of a database, as SQLAlchemy has it, ``sqlite:///…`` or ``postgresql+pg8000://…``; a path is a file of
        SQLite. It is made, with its tables, when it is not there.

    Raises
    ------
    StoreError
        If it cannot be opened, is no such database, or belongs to a newer Loupe.
    """

    def __init__(self, address: str) -> None:
        self.address = address if "://" in address else f"sqlite:///{address}"
        if self.address.startswith("postgresql://"):
            self.address = self.address.replace("postgresql", "postgresql+pg8000", 1)
        if not self.address.startswith(("sqlite://", "postgresql+")):
            raise StoreError(
                f"expected the address of SQLite or PostgreSQL, got {address.split('://')[0]}://…"
            )
        self._url = _url(self.address)
        with self._in_words():
            self._writing = self._engine(writes=True)
            self._reading = self._engine(writes=False)
            # Readers wait for a few seconds, writers for their turn: so a silent server is found out soon.
            self._reading.connect().close()
            self._upgrade()

    def append(self, *events: Event) -> tuple[Event, ...]:
        """Keep events, all or none; they are on the disk when this returns.

        Returns
        -------
        tuple of Event
            As they are kept, with their numbers. One that is kept already is not kept twice.

        Raises
        ------
        StoreError
            If they cannot be written; then none of them is.
        ValueError
            If another event has the same id, or the event that one answers is not there.
        """
        with self._in_words(), self._writing.begin() as connection:
            if connection.dialect.name == "postgresql":
                connection.execute(sa.select(sa.func.pg_advisory_xact_lock(_LOCK)))
            return tuple(self._keep(connection, event) for event in events)

    def _keep(self, connection: Connection, event: Event) -> Event:
        there = connection.execute(sa.select(EVENTS).where(EVENTS.c.id == event.id)).one_or_none()
        if there is not None:
            kept = _event(there)
            if _row(kept) != _row(event):
                raise ValueError(f"expected an event of its own, but {event.id} is another one’s id")
            return kept
        if event.answers is not None:
            known = connection.execute(sa.select(EVENTS.c.id).where(EVENTS.c.id == event.answers)).scalar()
            if known is None:
                raise ValueError(f"expected an event of this history to answer, got {event.answers}")
        number = connection.execute(EVENTS.insert().values(_row(event))).inserted_primary_key
        return _event(
            connection.execute(sa.select(EVENTS).where(EVENTS.c.number == (number or [0])[0])).one()
        )

    def events(
        self,
        *,
        study_name: str | None = None,
        case_id: str | None = None,
        after: int = 0,
    ) -> tuple[Event, ...]:
        """Read events in the order in which they were written.

        Parameters
        ----------
        study_name, case_id : str, optional
            Only those of a study, of a case.
        after : int
            Only those with a higher number: what is new since that one was read.
        """
        chosen = sa.select(EVENTS).where(EVENTS.c.number > after).order_by(EVENTS.c.number)
        if study_name is not None:
            chosen = chosen.where(EVENTS.c.study_name == study_name)
        if case_id is not None:
            chosen = chosen.where(EVENTS.c.case_id == case_id)
        with self._in_words(), self._reading.connect() as connection:
            rows = connection.execute(chosen).all()
        return tuple(map(self._read, rows))

    def _read(self, row: sa.Row[Any]) -> Event:
        try:
            return _event(row)
        except (ValueError, TypeError, KeyError, AttributeError) as error:
            raise StoreError(
                f"event {row.number} of the reviews in {self.place} cannot be read ({error}): a newer Loupe "
                f"wrote it, or it is damaged. Update Loupe, or name another database in {VARIABLE}"
            ) from error

    def close(self) -> None:
        """Let go of the database."""
        self._writing.dispose()
        self._reading.dispose()

    def _engine(self, *, writes: bool) -> Engine:
        url = self._url
        if url.get_backend_name() != "sqlite":
            most = PATIENCE if writes else SILENCE
            limit = {_TIMEOUTS[url.get_driver_name()]: most} if url.get_driver_name() in _TIMEOUTS else {}
            return sa.create_engine(
                url, pool_pre_ping=True, pool_timeout=most, connect_args=limit, hide_parameters=True
            )
        if url.database:
            _make_folder(Path(url.database))
        engine = sa.create_engine(url, connect_args={"timeout": PATIENCE}, hide_parameters=True)

        @sa.event.listens_for(engine, "connect")
        def prepare(connection: Any, _: object) -> None:
            # Transactions are begun below, and not by Python's module, which would begin them too late.
            connection.isolation_level = None
            _write_ahead(connection)
            for pragma in ("synchronous=FULL", "foreign_keys=ON"):
                connection.execute(f"PRAGMA {pragma}")

        if writes:

            @sa.event.listens_for(engine, "begin")
            def begin(connection: Connection) -> None:
                # A writer waits here for its turn, and is never turned away half-way.
                connection.exec_driver_sql("BEGIN IMMEDIATE")

        return engine

    def _upgrade(self) -> None:
        """Bring the tables up to date; whoever comes at the same time waits and finds it done."""
        with self._writing.begin() as connection:
            if connection.dialect.name == "postgresql":
                connection.execute(sa.select(sa.func.pg_advisory_xact_lock(_LOCK)))
            found = _revision(connection)
            if found == HEAD:
                return
            from alembic import command
            from alembic.config import Config
            from alembic.script import ScriptDirectory

            config = Config(attributes={"connection": connection})
            config.set_main_option("script_location", "core.reviews:migrations")
            known = {script.revision for script in ScriptDirectory.from_config(config).walk_revisions()}
            if found is not None and found not in known:
                raise StoreError(
                    f"the reviews in {self.place} were written by a newer Loupe (tables {found}, this one "
                    f"knows {HEAD}). Update Loupe, or name another database"
                )
            command.upgrade(config, "head")

    @property
    def place(self) -> str:
        """Where it is, without a password."""
        if self._url.get_backend_name() == "sqlite":
            return str(self._url.database)
        return self._url.render_as_string(hide_password=True)

    @contextmanager
    def _in_words(self) -> Iterator[None]:
        """Say in a line what the database refuses."""
        try:
            yield
        except ModuleNotFoundError as error:
            raise StoreError(
                f"the module {error.name}, which reaches this database, is missing: "
                'pip install "diamond-loupe[postgresql]"'
            ) from error
        except (sa.exc.ArgumentError, sa.exc.NoSuchModuleError, TypeError) as error:
            # A type that does not fit: an option of the address that its driver does not know.
            raise StoreError(f"{_EXPECTED}; its driver says: {str(error)[:200]}") from error
        except (sa.exc.SQLAlchemyError, OSError) as error:
            cause = error.orig if isinstance(error, sa.exc.DBAPIError) else error
            reason = str(cause).splitlines()[0][:200] if str(cause) else type(cause).__name__
            raise StoreError(
                f"the reviews in {self.place} cannot be read or written ({reason}). Nothing else needs them; "
                f"see that the place can be written, or name another in {VARIABLE}"
            ) from error


def _write_ahead(connection: Any) -> None:
    """Have readers see what stands while another writes; a new file's first writer is waited for.

    SQLite itself waits for its turn everywhere but here.
    """
    until = time.monotonic() + PATIENCE
    while True:
        try:
            connection.execute("PRAGMA journal_mode=WAL")
            return
        except sqlite3.OperationalError as error:
            if error.sqlite_errorcode & 0xFF != sqlite3.SQLITE_BUSY or time.monotonic() > until:
                raise
            time.sleep(0.02)


def _url(address: str) -> sa.URL:
    """Parts of an address."""
    try:
        return sa.make_url(address)
    except (sa.exc.ArgumentError, ValueError) as error:
        # What came may hold a password, so it is not said again.
        raise StoreError(f"{_EXPECTED}, got one that cannot be read; the port is a number") from error


def default_address() -> str:
    """Address of the database: of `VARIABLE`, else a file with what programs keep for this person.

    Raises
    ------
    RuntimeError
        If the account has no home folder.
    """
    given = os.environ.get(VARIABLE, "")
    if given:
        return given
    return f"sqlite:///{own_folder('data') / 'reviews.sqlite'}"


def _make_folder(file: Path) -> None:
    """Make the folder of a file, for its owner's eyes."""
    file.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
    if not file.exists():
        with os.fdopen(os.open(file, os.O_CREAT | os.O_WRONLY, 0o600)):
            pass


def _revision(connection: Connection) -> str | None:
    """Revision of the tables; None where there are none."""
    if not sa.inspect(connection).has_table("alembic_version"):
        return None
    return connection.execute(sa.text("SELECT version_num FROM alembic_version")).scalar()


def _row(event: Event) -> dict[str, Any]:
    subject = event.subject
    return {
        "id": event.id,
        "study": subject.study,
        "study_name": _held(subject.study_name),
        "task": _held(subject.task),
        "case_id": _held(subject.case_id),
        "readings": subject.readings,
        "author": event.author,
        "time": event.time,
        "kind": event.kind,
        "content": event.content_text(),
        "answers": event.answers,
    }


def _held(text: str) -> str:
    """A name as every database holds it; none of a study has what they refuse."""
    return text.replace("\0", "\ufffd").encode("utf-8", "replace").decode()


def _event(row: sa.Row[Any]) -> Event:
    return Event(
        subject=Subject(row.study, row.study_name, row.task, row.case_id, row.readings),
        author=row.author,
        kind=row.kind,
        content=json.loads(row.content),
        answers=row.answers,
        id=row.id,
        time=row.time,
        number=row.number,
    )
