"""Risk levels as people read them: a letter where room is short, words in a sentence."""

from __future__ import annotations

import numpy as np

from core.analysis.formatting import in_sentence
from core.metrics.risk import HIGH
from core.study.brief import first_names
from core.study.model import RISK_NAMES, Task

RISK_LETTERS = {name: name[0].upper() for name in RISK_NAMES}
"""Letter of each level: L, M, H; the unknown has none."""
LEVEL_OF_LETTER = {letter: name for name, letter in RISK_LETTERS.items()} | {"": "unknown"}
"""The way back."""

_NAMED = 3
"""Dangers that are named where all can be unfolded."""
WHO_SAYS = "Which labels are of high risk, and who says so?"
"""Where Study lists the level of every label, and says whose the levels are."""


def risk_phrase(level: str) -> str:
    """Name a level, or its letter, as in a sentence: high risk."""
    return f"{LEVEL_OF_LETTER.get(level, level)} risk"


def meaning(task: Task) -> str:
    """Say which labels are spoken of, those that readings name most often first, and whose choice it is."""
    whose = "high-risk by the study" if task.published_risk is None else "chosen"
    return f"Danger: {first_names(_dangers(task), _NAMED)} ({whose})."


def dangers_in_words(task: Task) -> str:
    """Say who says which labels are dangerous, and where that was chosen, which."""
    if task.published_risk is None:
        return "The study itself says which labels are dangerous."
    return f"Which labels are dangerous was chosen by whoever made this: {which_labels(task)}."


def which_labels(task: Task) -> str:
    """Name the labels that a study marks as high-risk, those that readings name most often first."""
    return "; ".join(_dangers(task))


def _dangers(task: Task) -> list[str]:
    """These labels, as in a sentence."""
    named = np.bincount(task.readings.label, minlength=len(task.labels))
    high = np.flatnonzero(task.risk == HIGH)
    ordered = sorted(high.tolist(), key=lambda code: (-named[code], task.labels[code]))
    return [in_sentence(task.labels[code]) for code in ordered]
