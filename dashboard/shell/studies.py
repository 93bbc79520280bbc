"""The studies that can be opened: bundled samples, folders on this computer, uploads kept in memory."""

from __future__ import annotations

import errno
import os
from collections import OrderedDict
from dataclasses import dataclass
from hashlib import blake2b
from pathlib import Path
from threading import Lock

import sample_data
from core.study.problems import shown

MOST_UPLOADS = 4
"""Uploads kept in memory; the oldest goes first."""
SAMPLE = "dermatology_like"
"""The sample that opens where no other study is asked for."""


_CIRCLE = "{} leads round in a circle of links; give the folder itself."


@dataclass(frozen=True, eq=False)
class Source:
    """Where a study comes from.

    Attributes
    ----------
    key : str
        Names the study in the address bar: a sample's name, a folder's path, or ``upload-…``.
    title : str
        For people.
    folder : Path or None
        Where it lies.
    content : bytes or None
        The uploaded zip file.
    """

    key: str
    title: str
    folder: Path | None = None
    content: bytes | None = None


_lock = Lock()
_folders: dict[str, Source] = {}
_uploads: OrderedDict[str, Source] = OrderedDict()


def samples() -> list[Source]:
    """Bundled samples, the main one first."""
    folders = sorted(path.parent for path in Path(sample_data.__path__[0]).glob("*/study.toml"))
    sources = [Source(folder.name, f"Sample: {folder.name.replace('_', ' ')}", folder) for folder in folders]
    return sorted(sources, key=lambda source: source.key != SAMPLE)


def add_folder(folder: str | Path) -> Source:
    """Let a folder on this computer be opened by its path.

    Folders named only by a link are not opened: somebody at this computer has to ask for them.

    Raises
    ------
    ValueError
        If there is no such folder, or it cannot be read; the message is a sentence for people.
    """
    path = _readable_folder(str(folder))
    source = Source(str(path), path.name or str(path), path)
    with _lock:
        _folders[source.key] = source
    return source


def _readable_folder(text: str) -> Path:
    """Find the folder that a path leads to; say in words why there is none."""
    named = f"“{shown(text)}”"
    if not text.strip():
        raise ValueError("Write the path of a study folder.")
    try:
        path = Path(text).expanduser()
    except RuntimeError as error:
        raise ValueError(f"There is no home folder for {named}: write the path without a tilde.") from error
    try:
        found = path.resolve(strict=True)
        with os.scandir(found):
            return found
    except OSError as error:
        reasons = {
            errno.ENOENT: f"There is no folder {named} on this computer.",
            errno.ENOTDIR: f"{named} is a file, or leads through one; give the folder that the study is in.",
            errno.ENAMETOOLONG: f"The path {named} is longer than this computer allows.",
            errno.EACCES: f"The folder {named} cannot be read by this account; change its permissions.",
            errno.ELOOP: _CIRCLE.format(named),
        }
        reason = reasons.get(error.errno or 0, f"{named} cannot be opened ({error.strerror}).")
        raise ValueError(reason) from error
    except RuntimeError as error:  # of Python before 3.13
        raise ValueError(_CIRCLE.format(named)) from error
    except ValueError as error:
        raise ValueError(f"{named} holds characters that no path can have.") from error


def add_upload(name: str, content: bytes) -> Source:
    """Keep an uploaded zip file in memory."""
    digest = blake2b(content, digest_size=6).hexdigest()
    source = Source(f"upload-{digest}", f"Upload: {name}", content=content)
    with _lock:
        _uploads[source.key] = source
        while len(_uploads) > MOST_UPLOADS:
            _uploads.popitem(last=False)
    return source


def sources() -> dict[str, Source]:
    """Everything that can be opened, by key: folders first, then uploads, then samples."""
    with _lock:
        known = [*_folders.values(), *_uploads.values()]
    return {source.key: source for source in [*known, *samples()]}
