"""Unpacking of zipped study folders that may be hostile."""

from __future__ import annotations

import stat
import struct
import zipfile
import zlib
from io import BytesIO
from pathlib import Path, PurePosixPath

from core.study.problems import Problem, StudyError
from core.study.reading.report import LISTED, Report

LARGEST_COUNT = 20_000
"""Files that an archive may hold."""
_CHUNK = 1024**2
_ARCHIVE = "the archive"
_ENTRY = b"PK\1\2"
_UNREADABLE = (
    zipfile.BadZipFile,
    zlib.error,
    struct.error,
    EOFError,
    NotImplementedError,
    RuntimeError,
    ValueError,
    ArithmeticError,
    OSError,
)
_IGNORED = ("__MACOSX", ".DS_Store", "Thumbs.db")


def unpack(data: bytes, folder: Path, limit_bytes: int) -> Path:
    """Unpack an archive into a new folder, and return the folder inside that holds the study.

    Parameters
    ----------
    data : bytes
        Of a zip archive.
    folder : Path
        Is made.
    limit_bytes : int
        Most that the archive may hold, packed or unpacked; counted while unpacking.

    Raises
    ------
    StudyError
        If the archive is damaged, encrypted or too large, or if a path or a link leads out of it.
    """
    if len(data) > limit_bytes:
        raise _refusal(
            f"the archive is larger than {_megabytes(limit_bytes)}", "Leave out what is not needed."
        )
    _check_count(data.count(_ENTRY))
    try:
        with zipfile.ZipFile(BytesIO(data)) as archive:
            folder.mkdir()
            members = [member for member in archive.infolist() if not _is_ignored(member.filename)]
            _check_members(members)
            left = limit_bytes
            for member in members:
                if not member.is_dir():
                    left -= _extract(archive, member, folder, left, limit_bytes)
    except StudyError:
        raise
    except _UNREADABLE as error:
        what = f"the archive cannot be unpacked ({error or type(error).__name__})"
        raise _refusal(what, "Zip the study folder again, without a password.") from error
    return _study_folder(folder)


def _check_count(n_files: int) -> None:
    """Refuse too many files, before their directory fills the memory."""
    if n_files > LARGEST_COUNT:
        what = f"the archive holds {n_files:,} files; at most {LARGEST_COUNT:,} are allowed"
        raise _refusal(what, "Leave out what is not needed.")


def _check_members(members: list[zipfile.ZipInfo]) -> None:
    report = Report()
    faults: list[tuple[str, str, str]] = []
    names: set[str] = set()
    for member in members:
        name = member.filename
        path = PurePosixPath(name)
        mode = member.external_attr >> 16
        if path.is_absolute() or ".." in path.parts or "\\" in name or ":" in name or not path.parts:
            what, mend = (
                "the path leads out of the archive",
                "Zip the study folder itself, with relative paths.",
            )
        elif stat.S_IFMT(mode) not in (0, stat.S_IFREG, stat.S_IFDIR):
            what, mend = "expected a file, got a link or a device", "Put the file itself into the archive."
        elif member.compress_type not in (zipfile.ZIP_STORED, zipfile.ZIP_DEFLATED):
            what, mend = (
                "the file is packed in an unusual way",
                "Zip the study folder with the usual settings.",
            )
        elif member.flag_bits & 1:
            what, mend = "the file is encrypted", "Zip the study folder without a password."
        elif str(path) in names:
            what, mend = "the path comes twice in the archive", "Zip the study folder again."
        else:
            names.add(str(path))
            continue
        faults.append((name[:200], what, mend))
    for fault in faults[:LISTED]:
        report.add(*fault)
    if len(faults) > LISTED:
        report.add(
            _ARCHIVE, f"and {len(faults) - LISTED:,} more files like this", "Mend them in the same way."
        )
    report.raise_errors()


def _extract(
    archive: zipfile.ZipFile, member: zipfile.ZipInfo, folder: Path, left: int, limit_bytes: int
) -> int:
    """Unpack one file and return its size."""
    target = folder.joinpath(*PurePosixPath(member.filename).parts)
    target.parent.mkdir(parents=True, exist_ok=True)
    size = 0
    with archive.open(member) as packed, target.open("xb") as out:
        while chunk := packed.read(_CHUNK):
            size += len(chunk)
            if size > left:
                what = f"the archive unpacks to more than {_megabytes(limit_bytes)}"
                raise _refusal(what, "Leave out what is not needed.")
            out.write(chunk)
    return size


def _study_folder(folder: Path) -> Path:
    """The folder itself, or the single folder in it."""
    inside = list(folder.iterdir())
    return inside[0] if len(inside) == 1 and inside[0].is_dir() else folder


def _is_ignored(name: str) -> bool:
    return any(part in _IGNORED for part in PurePosixPath(name).parts)


def _megabytes(size: int) -> str:
    return f"{size / 1024**2:,.0f} MB"


def _refusal(what: str, mend: str) -> StudyError:
    return StudyError([Problem(_ARCHIVE, what, mend)])
