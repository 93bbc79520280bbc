"""What would settle plausible dangers more firmly than readings do: as the study says, or in general.

Loupe knows no medicine: which examination settles a label is what the study's ``labels.csv`` says of it
(``settled_by``). Of a label of which nothing is said, the words are general.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import pandas as pd

from core.analysis.cases.headline import LEAST_NAMED, OTHER_HIGH
from core.analysis.cases.outcome import MOST_NAMED
from core.analysis.formatting import in_sentence
from core.analysis.models.finding import listed

REFERENCE = "a stronger reference (histology, culture, imaging or follow-up)"
"""What settles more than another reading does."""
FIRMER = f"Readings alone may not settle it; {REFERENCE} would."
"""Said where a few more readings, whatever they say, leave danger possible and not certain."""
FIRST = f"{REFERENCE} first"
"""What comes first where danger weighs."""


def first_words(plausible: pd.DataFrame, danger: float) -> str:
    """Say which examination comes first, and for which labels: a sentence without its beginning and end.

    Parameters
    ----------
    plausible : DataFrame
        Labels of high risk, those that lead most often first: ``label``, ``leads`` (truths of a hundred) and
        ``settled_by`` (empty where the study does not say).
    danger : float
        Probability of high risk.

    Returns
    -------
    str
        What settles most of the danger first; each examination is named once. `MOST_NAMED` labels have their
        names, and what is left of danger is one.
    """
    groups, rest = _groups(plausible.head(MOST_NAMED)), _rest(plausible, danger)
    if not any(group.examination for group in groups):
        labels = [label for group in groups for label in group.labels]
        return f"{FIRST}, to settle {_with_numbers([*labels, *_others(rest)], is_first=True)}"
    said: list[str] = []
    left = rest
    for group in groups:
        labels = group.labels
        if not group.examination:
            labels, left = [*labels, *_others(rest)], 0
        first = " first," if not said else ""
        said.append(f"{group.words}{first} for {_with_numbers(labels, is_first=not said)}")
    return "; ".join([*said, *(f"also possible: {name} ({n})" for name, n in _others(left))])


def firmer_words(plausible: pd.DataFrame) -> str:
    """Say what would settle plausible dangers where readings do not; ``plausible`` as in `first_words`."""
    if not plausible["settled_by"].any():
        return FIRMER
    groups = _groups(plausible)
    if len(groups) == 1:
        return f"Readings alone may not settle it; {groups[0].words} would."
    return f"Readings alone may not settle it. What would: {_of_each(plausible)}."


def then_words(plausible: pd.DataFrame) -> str:
    """Say what comes if danger stays possible after a reading; empty where the study does not say."""
    if not plausible["settled_by"].any():
        return ""
    groups = _groups(plausible)
    return f"If danger then stays possible: {groups[0].words if len(groups) == 1 else _of_each(plausible)}."


def _of_each(plausible: pd.DataFrame) -> str:
    """Each examination with the labels that it settles, of the first `MOST_NAMED`."""
    return "; ".join(
        f"{group.words} for {listed([in_sentence(name) for name, _ in group.labels])}"
        for group in _groups(plausible.head(MOST_NAMED))
    )


@dataclass(frozen=True)
class _Group:
    """Labels that one examination settles, each with the truths of a hundred in which it leads."""

    examination: str
    labels: list[tuple[str, int]]

    @property
    def words(self) -> str:
        """The examination as a sentence names it."""
        return in_sentence(self.examination) if self.examination else REFERENCE

    @property
    def leads(self) -> int:
        """Truths of a hundred in which one of them leads."""
        return sum(n for _, n in self.labels)


def _groups(plausible: pd.DataFrame) -> list[_Group]:
    """The labels by what settles them: what settles most first."""
    found: dict[str, _Group] = {}
    of_labels = zip(plausible["label"], plausible["leads"].tolist(), plausible["settled_by"], strict=True)
    for name, n, by in of_labels:
        # As a sentence goes on after it; capital letters make no other examination.
        words = by.rstrip(" .,;") or by
        found.setdefault(words.casefold(), _Group(words, [])).labels.append((name, n))
    return sorted(found.values(), key=lambda group: -group.leads)


def _rest(plausible: pd.DataFrame, danger: float) -> int:
    """Truths of a hundred in which other labels of high risk lead; 0 where they need no words."""
    rest = round(100 * danger) - int(plausible["leads"].head(MOST_NAMED).sum())
    is_worth = rest >= LEAST_NAMED or len(plausible) > MOST_NAMED or plausible.empty
    return rest if is_worth else 0


def _others(rest: int) -> list[tuple[str, int]]:
    """What stands for other labels of high risk, where there are any."""
    return [(OTHER_HIGH, rest)] if rest else []


def _with_numbers(labels: Sequence[tuple[str, int]], *, is_first: bool) -> str:
    """Labels with the truths in which each leads; the first number of a sentence says of how many."""
    of_hundred = [" of 100" if is_first and place == 0 else "" for place in range(len(labels))]
    return listed(
        [f"{in_sentence(name)} ({n}{of})" for (name, n), of in zip(labels, of_hundred, strict=True)]
    )
