"""Where something may be written: never into a study, nor into a folder that holds one."""

from __future__ import annotations

import errno
import os
from collections.abc import Sequence
from pathlib import Path

from core.study.reading.settings import FILE as SETTINGS_FILE
from core.study.reading.table_files import ENDINGS

_MARKS = (SETTINGS_FILE, *(f"annotations{ending}" for ending in ENDINGS))
"""Files that make a folder a study."""


def require_writable(folder: Path) -> None:
    """Refuse a folder that cannot come into being, before long work.

    Raises
    ------
    OSError
        If its path is a file, leads through one or is too long, if a file system begins there, or if nothing
        may be written beside it.
    """
    path = Path(os.path.realpath(folder))
    if os.path.ismount(path):
        raise OSError(errno.EBUSY, "A file system begins here, expected a folder inside of it", str(path))
    if _is_there(path) and not path.is_dir():
        raise NotADirectoryError(errno.ENOTDIR, "Expected a folder", str(path))
    above = path.parent
    while not _is_there(above):
        above = above.parent
    if not above.is_dir():
        raise NotADirectoryError(errno.ENOTDIR, "Expected a folder", str(above))
    if not os.access(above, os.W_OK | os.X_OK):
        raise PermissionError(errno.EACCES, os.strerror(errno.EACCES), str(above))


def require_apart(folder: Path, *, sources: Sequence[Path] = ()) -> None:
    """Refuse a folder that is a study, or lies inside one: results never change the data.

    Parameters
    ----------
    folder : Path
        Where something is to be written.
    sources : sequence of Path
        What is read; folders like these need not look like studies.

    Raises
    ------
    ValueError
        Saying which study.
    """
    real = Path(os.path.realpath(folder))
    for path in (real, *real.parents):
        is_study = _is_study(path)
        if is_study or any(_is_same(path, source) for source in sources if source.is_dir()):
            relation = "is" if path == real else "lies inside"
            noun = "the study folder" if is_study else "the folder that is read,"
            raise ValueError(
                f"{folder} {relation} {noun} {path}, which is never changed; give a folder outside of it"
            )


def require_around_nothing(folder: Path, *, sources: Sequence[Path] = ()) -> None:
    """Refuse a folder that holds a study: one of the sources at any depth, or any study directly.

    Raises
    ------
    ValueError
        Saying which study.
    """
    held = [
        source
        for source in sources
        if any(_is_same(folder, above) for above in Path(os.path.realpath(source)).parents)
    ]
    if folder.is_dir():
        held += [path for path in sorted(folder.iterdir()) if _is_study(path)]
    if held:
        raise ValueError(
            f"{folder} holds the study folder {held[0]}; give a folder for results alone, such as tables"
        )


def _is_there(path: Path) -> bool:
    """Whether a path leads to something; raises where that cannot be told, as for a name that is too long."""
    try:
        path.lstat()
    except (FileNotFoundError, NotADirectoryError):
        return False
    return True


def _is_study(path: Path) -> bool:
    return any(os.path.isfile(path / name) for name in _MARKS)


def _is_same(one: Path, other: Path) -> bool:
    try:
        return os.path.samefile(one, other)
    except OSError:
        return False
