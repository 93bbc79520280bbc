"""Files that several workers write, each of them whole."""

from __future__ import annotations

import secrets
from collections.abc import Callable
from pathlib import Path


def whole_file(path: Path, write: Callable[[Path], object]) -> None:
    """Write a file beside its place, and move it there when it is whole."""
    path.parent.mkdir(parents=True, exist_ok=True)
    # Two workers may be at the same part, where one was taken for lost.
    beside = path.with_name(f".{secrets.token_hex(6)}.{path.name}")
    write(beside)
    beside.replace(path)
