"""The bundled sample studies."""

from __future__ import annotations

from pathlib import Path

SAMPLE = "dermatology_like"


def sample_folder(name: str = SAMPLE) -> Path:
    """Folder of a bundled sample study; it lies beside `core`, installed or in a checkout."""
    return Path(__file__).parents[2] / "sample_data" / name
