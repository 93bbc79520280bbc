"""Widgets by their name, whichever of those that followed each other stands on the page."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any


def named(widgets: Iterable[Any], name: str) -> Any:
    """The one widget of a name among those of a kind: ``named(test.selectbox, "model")``."""
    (found,) = [one for one in widgets if (one.key or "").split("--")[0] == f"choose-{name}"]
    return found
