"""Files that several workers write, each of them whole, and a folder for those that do not stay."""

from __future__ import annotations

import secrets
import shutil
import tempfile
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from pathlib import Path


def whole_file(path: Path, write: Callable[[Path], object]) -> None:
    """Write a file beside its place, and move it there when it is whole."""
    path.parent.mkdir(parents=True, exist_ok=True)
    # Two workers may be at the same part, where one was taken for lost.
    beside = path.with_name(f".{secrets.token_hex(6)}.{path.name}")
    write(beside)
    beside.replace(path)


@contextmanager
def scratch_beside(folder: Path) -> Iterator[Path]:
    """Make a folder beside one that will be written; it goes again, and what was made around it if empty."""
    place = folder.parent
    missing = [above for above in (place, *place.parents) if not above.exists()]
    place.mkdir(parents=True, exist_ok=True)
    scratch = Path(tempfile.mkdtemp(prefix=".loupe-", dir=place))
    try:
        yield scratch
    finally:
        shutil.rmtree(scratch, ignore_errors=True)
        with suppress(OSError):  # Where it holds what was written, it stays.
            for above in missing:
                above.rmdir()
