"""What the files of a study in parts held when they were written, and whether they still do."""

from __future__ import annotations

import hashlib
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from pathlib import Path

from core.study.problems import Problem, StudyError
from core.study.reading.table_files import ENDINGS

MEND = "Make the parts again with `loupe partition`."
_BLOCK = 2**22


@dataclass(frozen=True)
class Mark:
    """What a file held.

    Attributes
    ----------
    size : int
        In bytes.
    digest : str
        First half of its SHA-256, in hexadecimal digits.
    """

    size: int
    digest: str


def digest_of(path: Path) -> str:
    """First half of the SHA-256 of a file, in hexadecimal digits; empty where there is no such file."""
    hasher = hashlib.sha256(usedforsecurity=False)
    try:
        with path.open("rb") as opened:
            while block := opened.read(_BLOCK):
                hasher.update(block)
    except FileNotFoundError:
        return ""
    return hasher.hexdigest()[:32]


def marks_of(folder: Path) -> dict[str, Mark]:
    """Marks of all tables of a part, by their paths in its folder, in the order of these."""
    return {name: Mark((folder / name).stat().st_size, digest_of(folder / name)) for name in _tables(folder)}


def _tables(folder: Path) -> list[str]:
    """Paths in a folder of all tables that a reader would find there."""
    found = (path.relative_to(folder) for path in folder.rglob("*") if path.suffix in ENDINGS)
    return sorted(path.as_posix() for path in found if not path.name.startswith("."))


def require_sizes(folder: Path, marks: Mapping[str, Mark], shown: str) -> None:
    """Refuse a part that lacks a table, or has one of another size.

    Parameters
    ----------
    folder : Path
        Of the part.
    marks : mapping of str to Mark
        What its tables held, by their paths in the folder.
    shown : str
        What to call the folder in problems.

    Raises
    ------
    StudyError
        With every such table.
    """
    problems = []
    for name, mark in marks.items():
        try:
            size = (folder / name).stat().st_size
        except (FileNotFoundError, NotADirectoryError):
            problems.append(Problem(f"{shown}/{name}", "the file is not there", f"Put it back. {MEND}"))
            continue
        if size != mark.size:
            what = f"expected {mark.size:,} bytes, as when the parts were made, got {size:,}"
            problems.append(Problem(f"{shown}/{name}", what, f"Put the file back. {MEND}"))
    if problems:
        raise StudyError(problems)


def require_contents(folder: Path, marks: Mapping[str, Mark], shown: str, leave_out: Iterable[str]) -> None:
    """Refuse a part whose tables are not what they were when it was made.

    Parameters
    ----------
    folder, marks, shown : Path, mapping of str to Mark, str
        As for `require_sizes`.
    leave_out : iterable of str
        Beginnings of the paths of tables that will not be read.

    Raises
    ------
    StudyError
        Naming the tables that are not there, are new, or hold something else.
    """
    require_sizes(folder, marks, shown)
    unread = tuple(leave_out)
    problems = [
        Problem(f"{shown}/{name}", "the file came after the parts were made", f"Take it away. {MEND}")
        for name in _tables(folder)
        if name not in marks
    ]
    for name, mark in marks.items():
        if not name.startswith(unread) and digest_of(folder / name) != mark.digest:
            what = "the file does not hold what it did when the parts were made"
            problems.append(Problem(f"{shown}/{name}", what, f"Put it back as it was. {MEND}"))
    if problems:
        raise StudyError(problems)
