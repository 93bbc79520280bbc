"""Labels that tie for the lead and differ in risk: which levels they have, so that none hides another."""

from __future__ import annotations

from collections.abc import Sequence

from core.analysis.risk_words import RISK_LETTERS, risk_phrase
from core.analysis.tied_labels import TIED, tied_labels
from core.study.model import RISK_NAMES, UNKNOWN_RISK, Task

_UNKNOWN = "risk unknown"


def tied_levels(task: Task, leading: Sequence[str]) -> list[str]:
    """Say of each case whose labels tie which levels they have, where these are not all the same.

    Parameters
    ----------
    task : Task
        For its labels and their levels.
    leading : sequence of str
        The labels that lead each case, as `core.analysis.cases.worklist.worklist` writes them.

    Returns
    -------
    list of str
        Such as “H or L, tied: Melanoma (high risk) or Naevus (low risk)”, the highest level first; empty
        where none are tied, or all have the same level.
    """
    told = tied_apart(task, leading)
    return [f"{letters}, tied: {names}" if names else "" for letters, names in told]


def tied_apart(task: Task, leading: Sequence[str]) -> list[tuple[str, str]]:
    """Say the same in two: levels, “H or L”, and labels, “Melanoma (high risk) or Naevus (low risk)”."""
    levels = {
        label: "" if level == UNKNOWN_RISK else RISK_NAMES[level]
        for label, level in zip(task.labels, task.risk.tolist(), strict=True)
    }
    return [_levels_of(words, levels) if words.endswith(TIED) else ("", "") for words in leading]


def _levels_of(words: str, levels: dict[str, str]) -> tuple[str, str]:
    """The levels of labels that some words name as tied, and these; nothing of further ones, only counted."""
    found = {label: levels[label] for label in tied_labels(words) if label in levels}
    known = sorted(set(found.values()) - {""}, key=RISK_NAMES.index, reverse=True)
    if len(set(found.values())) < 2:
        return "", ""
    letters = " or ".join(RISK_LETTERS[level] for level in known)
    names = [f"{label} ({risk_phrase(level) if level else _UNKNOWN})" for label, level in found.items()]
    return letters, f"{', '.join(names[:-1])} or {names[-1]}"
