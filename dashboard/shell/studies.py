"""The studies that can be opened: bundled samples, folders on this computer, uploads kept in memory."""

from __future__ import annotations

import errno
import filecmp
import os
from collections import Counter, OrderedDict
from dataclasses import dataclass, replace
from functools import lru_cache
from hashlib import blake2b
from itertools import islice
from pathlib import Path
from threading import Lock

import sample_data
from core.study.problems import shown

MOST_FILES = 1000
"""Files that a folder may have to be compared with a sample."""
MOST_UPLOADS = 4
"""Uploads kept in memory; the oldest goes first."""
SHARED = "fingerprint:"
"""What the key of a study begins with in a link that names it by what it holds."""
SAMPLE = sample_data.FIRST
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
    is_own : bool
        Whether a person brought it; samples come with Loupe.
    """

    key: str
    title: str
    folder: Path | None = None
    content: bytes | None = None
    is_own: bool = True


_lock = Lock()
_folders: dict[str, Source] = {}
_uploads: OrderedDict[str, Source] = OrderedDict()


def samples() -> list[Source]:
    """Bundled samples, the main one first."""
    folders = sorted(path.parent for path in Path(sample_data.__path__[0]).glob("*/study.toml"))
    sources = [
        Source(folder.name, f"Sample: {folder.name.replace('_', ' ')}", folder, is_own=False)
        for folder in folders
    ]
    return sorted(sources, key=lambda source: source.key != SAMPLE)


def add_folder(folder: str | Path) -> Source:
    """Let a folder on this computer be opened by its path.

    One that is known already, as a sample or by another path, is the source that it was.

    Folders named only by a link are not opened: somebody at this computer has to ask for them.

    Raises
    ------
    ValueError
        If there is no such folder, or it cannot be read; the message is a sentence for people.
    """
    path = _readable_folder(str(folder))
    with _lock:
        known = [*_folders.values(), *samples()]
        same = (one for one in known if one.folder is not None and _is_same(one.folder, path))
        source = next(same, None) or Source(str(path), path.name or str(path), path)
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


def _is_same(one: Path, other: Path) -> bool:
    """Whether two paths lead to one folder, whatever letters, links or mounts they take."""
    try:
        return os.path.samefile(one, other)
    except OSError:
        return False


def listed(chosen: str) -> dict[str, Source]:
    """What is offered to be opened, by key: each study once, each under a title of its own.

    Where a folder holds exactly the files of a sample, only one of the two is there: the one that is chosen,
    or the person's own. Folders of one name are told apart by the folder that they lie in.
    """
    known = sources()
    for key, source in list(known.items()):
        twin = _sample_like(source)
        if twin and twin in known:
            del known[key if chosen == twin else twin]
    titles = Counter(source.title for source in known.values())
    return {
        key: replace(source, title=f"{source.title} (in {source.folder.parent})")
        if titles[source.title] > 1 and source.folder is not None
        else source
        for key, source in known.items()
    }


def _sample_like(source: Source) -> str:
    """Key of the sample whose files a folder of one's own holds; empty where it is no copy of one."""
    if source.folder is None or not source.is_own:
        return ""
    for sample in samples():
        if sample.folder is not None and _is_copy(source.folder, sample.folder):
            return sample.key
    return ""


def _is_copy(folder: Path, sample: Path) -> bool:
    """Whether a folder holds the files of a sample, letter by letter, and no other."""
    try:
        # Nearly every folder ends here, whatever it holds.
        if not filecmp.cmp(folder / "study.toml", sample / "study.toml", shallow=False):
            return False
        own, given = _files(folder), _files(sample)
        return [file[:2] for file in own] == [file[:2] for file in given] and _equal(folder, sample, own)
    except OSError:
        return False


def _files(folder: Path) -> tuple[tuple[str, int, int], ...]:
    """Path, size and time of each file of a folder, of the first `MOST_FILES`."""
    found = []
    for path in islice((path for path in folder.rglob("*") if path.is_file()), MOST_FILES):
        kept = path.stat()
        found.append((path.relative_to(folder).as_posix(), kept.st_size, kept.st_mtime_ns))
    return tuple(sorted(found))


@lru_cache(maxsize=32)
def _equal(folder: Path, sample: Path, files: tuple[tuple[str, int, int], ...]) -> bool:
    """Whether files of the same names and sizes are the same."""
    return all(filecmp.cmp(folder / name, sample / name, shallow=False) for name, *_ in files)


def add_upload(name: str, content: bytes) -> Source:
    """Keep an uploaded zip file in memory."""
    digest = blake2b(content, digest_size=6).hexdigest()
    source = Source(f"upload-{digest}", f"Upload: {name}", content=content)
    with _lock:
        _uploads[source.key] = source
        while len(_uploads) > MOST_UPLOADS:
            _uploads.popitem(last=False)
    return source


def shared_key(source: Source | None, *, name: str, fingerprint: str) -> str:
    """Key by which a link names a study in any Loupe: a sample by its key, others by what they hold."""
    if source is not None and not source.is_own:
        return source.key
    return f"{SHARED}{fingerprint}:{name}"


def sources() -> dict[str, Source]:
    """Everything that can be opened, by key: folders first, then uploads, then samples."""
    with _lock:
        known = [*_folders.values(), *_uploads.values()]
    return {source.key: source for source in [*known, *samples()]}
