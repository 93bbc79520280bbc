"""Files that several workers write, each of them whole, and a folder for those that do not stay."""

from __future__ import annotations

import os
import secrets
import shutil
import tempfile
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

_PATIENCE = 10.0
"""Seconds in which others may still write into a folder that goes."""


def whole_file(path: Path, write: Callable[[Path], object]) -> None:
    """Write a file beside its place, and move it there when it is whole.

    Its folder may come into being, but the one above is there: work that was given up makes nothing anew.
    """
    path.parent.mkdir(exist_ok=True)
    # Two workers may be at the same part, where one was taken for lost.
    beside = path.with_name(f".{secrets.token_hex(6)}.{path.name}")
    write(beside)
    beside.replace(path)


@contextmanager
def scratch_in(place: Path | None, *, prefix: str = ".loupe-") -> Iterator[Path]:
    """Make a folder for what is kept until the end, and remove it.

    Parameters
    ----------
    place : Path, optional
        Where; the system's own temporary folder by default. Workers may run in other folders than this
        process, so the path of what is made begins at the root.
    prefix : str
        Of its name.
    """
    scratch = Path(tempfile.mkdtemp(prefix=prefix, dir=None if place is None else os.path.realpath(place)))
    try:
        yield scratch
    finally:
        _remove(scratch)


@contextmanager
def scratch_beside(folder: Path) -> Iterator[Path]:
    """Make a folder beside one that will be written; it goes again, and what was made around it if empty."""
    place = Path(os.path.realpath(folder.parent))
    missing = [above for above in (place, *place.parents) if not above.exists()]
    place.mkdir(parents=True, exist_ok=True)
    try:
        with scratch_in(place) as scratch:
            yield scratch
    finally:
        with suppress(OSError):  # Where it holds what was written, it stays.
            for above in missing:
                above.rmdir()


def _remove(folder: Path) -> None:
    """Remove a folder into which workers may still write that have not heard of the end."""
    end = time.monotonic() + _PATIENCE
    shutil.rmtree(folder, ignore_errors=True)
    while folder.exists() and time.monotonic() < end:
        time.sleep(0.05)
        shutil.rmtree(folder, ignore_errors=True)
