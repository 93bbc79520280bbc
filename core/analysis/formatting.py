"""Shares as people write them."""

from __future__ import annotations


def percent(share: float) -> str:
    """Write a share in [0, 1] as a whole percentage, with a space that does not break."""
    return f"{100 * share:.0f}\u00a0%"
