"""Names in the list of what is on a page, which stand for headings that are written elsewhere."""

from __future__ import annotations

from pathlib import Path

import pytest

import dashboard
from dashboard.components.contents import SHORT

VIEWS = Path(dashboard.__file__).parent / "views"


@pytest.mark.parametrize("begun", SHORT)
def test_each_short_name_is_of_a_heading(begun: str) -> None:
    """Whoever changes a heading finds its short name here."""
    assert any(f'"{begun}' in path.read_text("utf-8") for path in VIEWS.rglob("*.py"))
