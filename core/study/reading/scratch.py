"""Private folders that readings are unpacked in: gone when they are read, or when the next server starts."""

from __future__ import annotations

import os
import shutil
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

PREFIX = "loupe-unpacked-"
_IS_POSIX = os.name == "posix"


@contextmanager
def scratch_folder() -> Iterator[Path]:
    """Make a folder that only this account can read; it goes at the end.

    Notes
    -----
    While it is used, the folder itself is locked, which ends with the process however that ends. So
    `clear_left_behind` can tell it from one whose process was killed, in another container as well.
    """
    path, lock = _locked_folder()
    try:
        yield path
    finally:
        shutil.rmtree(path, ignore_errors=True)
        if lock is not None:
            os.close(lock)


def clear_left_behind() -> None:
    """Delete the folders of processes of this account that were killed; where folders cannot be locked, none.

    Links, folders of others and folders that are in use stay.
    """
    if not _IS_POSIX:
        return
    try:
        found = list(Path(tempfile.gettempdir()).glob(f"{PREFIX}*"))
    except OSError:  # No temporary folder can be used: nothing can have been left in it.
        return
    for path in found:
        lock = _lock(path)
        if lock is not None:
            if os.fstat(lock).st_uid == os.geteuid():
                shutil.rmtree(path, ignore_errors=True)
            os.close(lock)


def _locked_folder() -> tuple[Path, int | None]:
    """Make a folder and lock it; another one where it was cleared before it was locked."""
    while True:
        path = Path(tempfile.mkdtemp(prefix=PREFIX))
        if not _IS_POSIX:
            return path, None
        lock = _lock(path)
        if lock is not None:
            with suppress(OSError):
                if os.path.samestat(path.lstat(), os.fstat(lock)):
                    return path, lock
            os.close(lock)


def _lock(path: Path) -> int | None:
    """Lock a folder and return what holds the lock; None where it is gone, locked, or no folder."""
    import fcntl

    try:
        opened = os.open(path, os.O_RDONLY | os.O_DIRECTORY | os.O_NOFOLLOW)
    except OSError:
        return None
    try:
        fcntl.flock(opened, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except OSError:
        os.close(opened)
        return None
    return opened
