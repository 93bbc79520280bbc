"""Files that are written whole or not at all: beside their place, safe on the disk, then moved there."""

from __future__ import annotations

import errno
import os
import secrets
import shutil
from collections.abc import Iterable, Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

Content = str | bytes | Iterable[str]
"""Of a file: text, bytes, or pieces of text."""


def write_folder(
    folder: Path | str, files: Iterable[tuple[str, Content]], *, overwrite: bool = False
) -> None:
    """Write a folder with the given files, or leave everything as it was.

    Parameters
    ----------
    folder : Path or str
        Comes into being with all its files at once; missing folders above it are made.
    files : iterable of (str, Content)
        Path relative to the folder, and content; taken one at a time.
    overwrite : bool
        Take the place of what is there, all of it; otherwise the folder must be new or empty.

    Raises
    ------
    OSError
        If a file cannot be written, or the folder is not empty and may not be overwritten.
    """
    folder = Path(os.path.realpath(folder))
    if not overwrite and holds_files(folder):
        raise FileExistsError(errno.EEXIST, "Expected a new or empty folder", str(folder))
    with _written_beside(folder.parent, folder, files) as stage:
        if not folder.exists():
            stage.rename(folder)
        elif overwrite:
            _take_place(stage, folder)
        else:
            # Whatever came here meanwhile stays: only an empty folder can be removed.
            folder.rmdir()
            stage.rename(folder)
        _sync_folder(folder.parent)


def replace_files(folder: Path | str, files: Iterable[tuple[str, Content]]) -> None:
    """Write files into a folder that is there, beside others; all are written before the first is replaced.

    Raises
    ------
    OSError
        If a file cannot be written.
    """
    folder = Path(os.path.realpath(folder))
    with _written_beside(folder, folder, files) as stage:
        for path in sorted(path for path in stage.rglob("*") if path.is_file()):
            target = folder / path.relative_to(stage)
            target.parent.mkdir(parents=True, exist_ok=True)
            path.replace(target)
            _sync_folder(target.parent)
        shutil.rmtree(stage)


def holds_files(folder: Path) -> bool:
    """Whether something is there: a file, or a folder that is not empty."""
    if folder.is_dir():
        return any(folder.iterdir())
    return os.path.lexists(folder)


@contextmanager
def _written_beside(place: Path, folder: Path, files: Iterable[tuple[str, Content]]) -> Iterator[Path]:
    """Write the files of a folder into a hidden one in some place; after a failure nothing is left of it."""
    missing = [path for path in (place, *place.parents) if not path.exists()]
    stage = place / f".loupe-{secrets.token_hex(6)}"
    try:
        with _named(folder):
            stage.mkdir(parents=True)
        for name, content in files:
            with _named(folder / name):
                _write(stage / name, content)
        for path in (stage, *(path for path in stage.rglob("*") if path.is_dir())):
            _sync_folder(path)
        yield stage
    except BaseException:
        shutil.rmtree(stage, ignore_errors=True)
        with suppress(OSError):
            for path in missing:
                path.rmdir()
        raise


@contextmanager
def _named(path: Path) -> Iterator[None]:
    """Have an error of the system name the path that is meant, not that of the work."""
    try:
        yield
    except OSError as error:
        raise OSError(error.errno, error.strerror, str(path)) from error


def _write(path: Path, content: Content) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    with path.open("xb") as out:
        for piece in [content] if isinstance(content, str | bytes) else content:
            out.write(piece.encode() if isinstance(piece, str) else piece)
        out.flush()
        os.fsync(out.fileno())


def _take_place(stage: Path, folder: Path) -> None:
    """Move a folder to where another one is, and remove that one once the first has arrived."""
    old = stage.with_name(f"{stage.name}-old")
    try:
        folder.rename(old)
        stage.rename(folder)
    except BaseException:
        if old.exists() and not folder.exists():
            old.rename(folder)
        raise
    shutil.rmtree(old, ignore_errors=True)


def _sync_folder(folder: Path) -> None:
    """Have the names in a folder reach the disk, where a folder can be opened for that."""
    if os.name == "posix":
        opened = os.open(folder, os.O_RDONLY)
        try:
            os.fsync(opened)
        finally:
            os.close(opened)
