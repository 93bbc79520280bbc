"""Levels of the labels that lead a case: of those that tie and differ in risk, so that none hides another."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import NamedTuple

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
    levels = _levels(task)
    return [_levels_of(words, levels) if words.endswith(TIED) else ("", "") for words in leading]


class Levelled(NamedTuple):
    """Labels that lead, with their levels."""

    words: str
    """Such as “Melanoma (high risk) or Naevus (low risk)”."""
    letters: tuple[str, ...]
    """That of the first label, empty where its level is unknown; and those of all others that tie with it."""


def levelled(task: Task, leading: Iterable[str]) -> dict[str, Levelled]:
    """Say which level each label has that leads some case, by the words that name it or all that tie."""
    levels = _levels(task)
    return {words: _levelled(tied_labels(words), levels) for words in set(leading) if words}


def _levelled(names: Sequence[str], levels: dict[str, str]) -> Levelled:
    """The same of some labels; of further ones that are only counted no level is known."""
    told = [_named(name, levels[name]) if name in levels else name for name in names]
    words = f"{', '.join(told[:-1])} or {told[-1]}" if len(told) > 1 else told[0]
    first, *others = (levels.get(name, "") for name in names)
    rest = "".join(RISK_LETTERS[level] for level in _worst_first(others))
    return Levelled(words, (RISK_LETTERS.get(first, ""), *[rest] * bool(others)))


def _levels(task: Task) -> dict[str, str]:
    """The level of each label; empty where it is unknown."""
    return {
        label: "" if level == UNKNOWN_RISK else RISK_NAMES[level]
        for label, level in zip(task.labels, task.risk.tolist(), strict=True)
    }


def _named(label: str, level: str) -> str:
    return f"{label} ({risk_phrase(level) if level else _UNKNOWN})"


def _worst_first(levels: Iterable[str]) -> list[str]:
    """Levels that are known, each once, the highest first."""
    return sorted(set(levels) - {""}, key=RISK_NAMES.index, reverse=True)


def _levels_of(words: str, levels: dict[str, str]) -> tuple[str, str]:
    """The levels of labels that some words name as tied, and these; nothing of further ones, only counted."""
    found = {label: levels[label] for label in tied_labels(words) if label in levels}
    if len(set(found.values())) < 2:
        return "", ""
    letters = " or ".join(RISK_LETTERS[level] for level in _worst_first(found.values()))
    names = [_named(label, level) for label, level in found.items()]
    return letters, f"{', '.join(names[:-1])} or {names[-1]}"
