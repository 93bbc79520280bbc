"""Risk levels as people read them: a letter where room is short, words in a sentence."""

from __future__ import annotations

from core.study.model import RISK_NAMES

RISK_LETTERS = {name: name[0].upper() for name in RISK_NAMES}
"""Letter of each level: L, M, H; the unknown has none."""
LEVEL_OF_LETTER = {letter: name for name, letter in RISK_LETTERS.items()} | {"": "unknown"}
"""The way back."""

WHO_SAYS = "Which labels are of high risk, and who says so?"
"""Where Study lists the level of every label, and says whose the levels are."""


def risk_phrase(level: str) -> str:
    """Name a level, or its letter, as in a sentence: high risk."""
    return f"{LEVEL_OF_LETTER.get(level, level)} risk"
