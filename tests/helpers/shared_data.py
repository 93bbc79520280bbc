"""Public data beside the checkout, for the tests that need it."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

SHARED = Path(os.environ.get("LOUPE_SHARED", Path(__file__).parents[3] / "shared"))


def shared_data(*parts: str) -> Path:
    """Path of a shared file or folder; the test is skipped, visibly, where it is absent."""
    path = SHARED.joinpath(*parts)
    if not path.exists():
        pytest.skip(f"needs {'/'.join(parts)} (set LOUPE_SHARED to the folder that holds it)")
    return path
