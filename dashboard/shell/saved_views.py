"""Worklists that a person has named, kept on this computer in one file, for each study its own.

A saved view holds what a link would say of the worklist: task, model and reliability, filters, order and
columns. Neither the folder of the study nor the opened case is in it. What cannot be understood in the file
is left as it stands there, and a file that cannot be read at all is moved aside, never overwritten.
"""

from __future__ import annotations

import errno
import json
import os
import secrets
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from pathlib import Path
from threading import Lock
from typing import Any

from core.study.own_folder import own_folder
from core.study.whole_files import replace_files

FILE = "saved_views.json"
MOST_CHARACTERS = 80
"""Of a name."""
_PATIENCE, _STALE = 3.0, 20.0
"""Seconds that another Loupe is waited for, and after which its lock is taken for left behind."""
_lock = Lock()


@dataclass(frozen=True)
class SavedView:
    """A worklist with a name.

    Attributes
    ----------
    key : str
        Tells it from all others.
    name : str
        As a person gave it.
    study, fingerprint : str
        Name and fingerprint of the study when it was saved.
    link : str
        What an address says of it, after the question mark.
    """

    key: str
    name: str
    study: str
    fingerprint: str
    link: str


class NotKeptError(Exception):
    """What was asked for could not be written; the message says why, in a sentence."""


def views_of(study: str, fingerprint: str) -> list[SavedView]:
    """Saved views of a study, by its fingerprint or its name, in the order of their names."""
    try:
        entries = _entries(_read())
    except (OSError, RuntimeError, ValueError):
        return []
    found = [view for view in entries if view.fingerprint == fingerprint or view.study == study]
    return sorted(found, key=lambda view: view.name.casefold())


def trouble() -> str:
    """Say in a sentence why saved views cannot be read; empty where they can, or there are none."""
    try:
        _entries(_read())
    except ValueError:
        return "The file of saved views is damaged. It is kept aside when the next view is saved."
    except (OSError, RuntimeError) as error:
        return f"Saved views cannot be read: {_reason(error)}."
    return ""


def save(name: str, *, study: str, fingerprint: str, link: str) -> SavedView:
    """Keep a view under a name, with a number behind it if the study has one of that name.

    Raises
    ------
    NotKeptError
        If it cannot be written, or the name is empty.
    """
    made: list[SavedView] = []

    def add(raw: list[Any]) -> list[Any]:
        taken = {
            view.name for view in _entries(raw) if view.fingerprint == fingerprint or view.study == study
        }
        view = SavedView(secrets.token_hex(8), _free(_plain(name), taken), study, fingerprint, link)
        made.append(view)
        return [*raw, vars(view)]

    _change(add)
    return made[0]


def rename(view: SavedView, name: str) -> None:
    """Give a saved view another name.

    Raises
    ------
    NotKeptError
        If it cannot be written, or the name is empty.
    """

    def change(raw: list[Any]) -> list[Any]:
        others = {of.name for of in _entries(raw) if of.study == view.study and of.key != view.key}
        new = _free(_plain(name), others)
        return [entry | {"name": new} if _key(entry) == view.key else entry for entry in raw]

    _change(change)


def delete(view: SavedView) -> None:
    """Forget a saved view.

    Raises
    ------
    NotKeptError
        If it cannot be written.
    """
    _change(lambda raw: [entry for entry in raw if _key(entry) != view.key])


def restore(view: SavedView) -> None:
    """Keep a view again that was deleted.

    Raises
    ------
    NotKeptError
        If it cannot be written.
    """
    _change(lambda raw: raw if any(_key(entry) == view.key for entry in raw) else [*raw, vars(view)])


def _plain(name: str) -> str:
    """A name on one line, without what cannot be seen, and no longer than `MOST_CHARACTERS`."""
    shown = "".join(letter if letter.isprintable() else " " for letter in name)
    shown = " ".join(shown.split())
    if not shown:
        raise NotKeptError("Write a name for the view.")
    return shown if len(shown) <= MOST_CHARACTERS else shown[: MOST_CHARACTERS - 1].rstrip() + "…"


def _free(name: str, taken: set[str]) -> str:
    """The name, or the first with a number behind it that is not taken."""
    number, free = 1, name
    while free in taken:
        number += 1
        free = f"{name} ({number})"
    return free


def _read() -> list[Any]:
    """What the file lists; nothing where there is none."""
    try:
        text = (own_folder("state") / FILE).read_text(encoding="utf-8")
    except FileNotFoundError:
        return []
    content = json.loads(text)
    if not isinstance(content, dict) or not isinstance(content.get("views"), list):
        raise ValueError("expected an object with a list of views")
    views: list[Any] = content["views"]
    return views


def _entries(raw: list[Any]) -> list[SavedView]:
    """Entries of the file that are views."""
    fields = SavedView.__dataclass_fields__
    return [
        SavedView(**{name: entry[name] for name in fields})
        for entry in raw
        if isinstance(entry, dict) and all(isinstance(entry.get(name), str) for name in fields)
    ]


def _key(entry: object) -> object:
    return entry.get("key") if isinstance(entry, dict) else None


def _change(change: Callable[[list[Any]], list[Any]]) -> None:
    """Read, change and write the file while nobody else does."""
    try:
        folder = own_folder("state")
        folder.mkdir(parents=True, exist_ok=True)
        with _lock, _alone(folder / f"{FILE}.lock"):
            try:
                raw = _read()
            except ValueError:
                _keep_aside(folder)
                raw = []
            text = json.dumps({"views": change(raw)}, ensure_ascii=True, indent=1)
            replace_files(folder, [(FILE, text + "\n")])
    except (OSError, RuntimeError) as error:
        raise NotKeptError(f"Not saved: {_reason(error)}.") from error


def _keep_aside(folder: Path) -> None:
    """Move a file that cannot be read out of the way, under a name that is free."""
    number = 1
    while (folder / f"{FILE}.damaged-{number}").exists():
        number += 1
    (folder / FILE).rename(folder / f"{FILE}.damaged-{number}")


@contextmanager
def _alone(lock: Path) -> Iterator[None]:
    """Hold a lock file, for other processes."""
    end = time.monotonic() + _PATIENCE
    while True:
        try:
            os.close(os.open(lock, os.O_CREAT | os.O_EXCL | os.O_WRONLY))
            break
        except FileExistsError:
            with suppress(OSError):
                if time.time() - lock.stat().st_mtime > _STALE:
                    lock.unlink()
                    continue
            if time.monotonic() > end:
                raise OSError(errno.EBUSY, "another Loupe is writing there") from None
            time.sleep(0.02)
    try:
        yield
    finally:
        with suppress(OSError):
            lock.unlink()


def _reason(error: Exception) -> str:
    """Why something could not be read or written, with the folder."""
    words = (isinstance(error, OSError) and error.strerror) or str(error)
    with suppress(RuntimeError):
        return f"{words} ({own_folder('state')})"
    return words
