"""What is read by whoever unfolds it, beneath the tables of Study."""

from __future__ import annotations

from html import escape


def fold(title: str, inside: str) -> str:
    """Write a title that unfolds what is ``inside``, HTML."""
    return f'<details class="loupe-text loupe-note"><summary>{escape(title)}</summary>{inside}</details>'
