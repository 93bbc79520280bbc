"""Shares and labels as people write them, with a space that does not break."""

from __future__ import annotations


def percent(share: float, *, in_words: bool = False) -> str:
    """Write a share in [0, 1] as a whole percentage that never claims 0 or 100 % of what is in between.

    Nearly 0 % is "< 1 %", or in words "less than 1 %"; nearly 100 % likewise.
    """
    if 0 < share < 0.005:
        return ("less than " if in_words else "<\u00a0") + "1\u00a0%"
    if 0.995 <= share < 1:
        return ("more than " if in_words else ">\u00a0") + "99\u00a0%"
    return rounded_percent(share)


def rounded_percent(share: float) -> str:
    """Write a share in [0, 1] as a whole percentage, nearly 100 % as 100 %."""
    return f"{100 * share:.0f}\u00a0%"


def precise(share: float) -> str:
    """Write a share as a percentage with three digits: 95 %, 97.2 %."""
    return f"{100 * share:.3g} %"


def in_sentence(label: str) -> str:
    """Name a label within a sentence: one that is a number, and could be taken for a count, in quotes."""
    return f"“{label}”" if label.strip().isdecimal() else label
