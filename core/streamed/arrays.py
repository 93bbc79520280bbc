"""Plain arrays that are kept in files between two passes over the parts of a study."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any

import numpy as np

from core.streamed.files import whole_file
from core.study.partitions.manifest import part_name


def save_arrays(path: Path, arrays: Mapping[str, Any]) -> None:
    """Write arrays by name; the file is there when it is whole."""
    whole_file(path, lambda beside: np.savez(beside, **arrays))


def load_arrays(path: Path) -> dict[str, np.ndarray]:
    """Read what `save_arrays` wrote."""
    with np.load(path, allow_pickle=False) as opened:
        return {name: opened[name] for name in opened.files}


def part_file(folder: Path, part: int, what: str) -> Path:
    """File of something about a part."""
    return folder / what / f"{part_name(part)}.npz"
