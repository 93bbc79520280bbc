"""Pictures of the pages of the smallest sample, drawn once for all tests that only look at them."""

from __future__ import annotations

from functools import cache
from typing import Any

from core.cli import sample_folder
from dashboard import pictures


@cache
def toy_pictures(page: str) -> dict[str, tuple[Any, ...]]:
    """Those that a page opens with, by name, as `dashboard.pictures.drawn` gives them."""
    return pictures.drawn(sample_folder("toy_three_labels"), f"/{page}")
