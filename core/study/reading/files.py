"""Opening of files that may be anything: only regular ones are opened, and none is read beyond its limit."""

from __future__ import annotations

import os
import stat
from pathlib import Path
from typing import BinaryIO

from core.study.reading import limits
from core.study.reading.report import Report

_FLAGS = os.O_RDONLY
for _name in ("O_NONBLOCK", "O_NOCTTY", "O_CLOEXEC", "O_BINARY"):  # some systems lack some of them
    _FLAGS |= getattr(os, _name, 0)
_PUT = "Put the file itself there."
_KINDS = (
    (stat.S_ISDIR, "a folder"),
    (stat.S_ISFIFO, "a pipe"),
    (stat.S_ISSOCK, "a socket"),
    (stat.S_ISCHR, "a device"),
    (stat.S_ISBLK, "a device"),
)


def open_file(path: Path, file: str, report: Report, *, limit: int | None = None) -> BinaryIO | None:
    """Open a regular file for reading.

    Parameters
    ----------
    path : Path
        May lead nowhere, to a folder, a pipe or a device: none of them is waited for.
    file : str
        What to call it in problems.
    report : Report
        Gathers what is wrong.
    limit : int, optional
        Most bytes that it may hold; `core.study.reading.limits.LARGEST_FILE` by default.

    Returns
    -------
    binary file or None
        None, with an error in the report, if there is no such file or it may not be read.
    """
    most = limits.LARGEST_FILE if limit is None else limit
    try:
        # Without O_NONBLOCK, opening a pipe waits until somebody writes into it.
        handle = os.open(path, _FLAGS)
        status = os.fstat(handle)
    except FileNotFoundError:
        what = "a link leads nowhere" if os.path.islink(path) else "there is no such file"
        report.add(file, what, _PUT)
        return None
    except (OSError, ValueError) as error:
        add_unreadable(file, error, report)
        return None
    if stat.S_ISREG(status.st_mode) and status.st_size <= most:
        return os.fdopen(handle, "rb")
    os.close(handle)
    if stat.S_ISREG(status.st_mode):
        what = f"the file holds {status.st_size:,} bytes; at most {most:,} can be read"
        report.add(file, what, "Leave out what is not needed, or split the study.")
    else:
        kind = next((name for test, name in _KINDS if test(status.st_mode)), "something else")
        report.add(file, f"expected a file, got {kind}", _PUT)
    return None


def read_file(path: Path, file: str, report: Report, *, limit: int | None = None) -> bytes | None:
    """Content of a regular file; None, with an error, if it cannot be had. Parameters as of `open_file`."""
    opened = open_file(path, file, report, limit=limit)
    if opened is None:
        return None
    try:
        with opened:
            # Never more than the size that was allowed, even if the file grows meanwhile.
            return opened.read(os.fstat(opened.fileno()).st_size)
    except (OSError, MemoryError) as error:
        add_unreadable(file, error, report)
        return None


def visible(folder: Path, file: str, report: Report) -> list[Path]:
    """Files and folders in a folder but hidden ones, by name; none, with an error, if it cannot be listed."""
    try:
        return sorted(path for path in folder.iterdir() if not path.name.startswith("."))
    except (OSError, ValueError) as error:
        add_unreadable(file, error, report)
        return []


def exists(path: Path) -> bool:
    """Whether anything is there, a link that leads nowhere or in circles included."""
    return os.path.lexists(path)


def add_unreadable(file: str, error: Exception, report: Report) -> None:
    """Note that a file or folder cannot be read, and why."""
    why = error.strerror if isinstance(error, OSError) and error.strerror else str(error)
    what = f"it cannot be read ({why or type(error).__name__})"
    report.add(file, what, "Check the path, and your rights to read it.")
