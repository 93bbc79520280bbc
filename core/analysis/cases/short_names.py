"""Labels whose names are abbreviations, with what the study says that they stand for."""

from __future__ import annotations

import re
from collections.abc import Iterable

from core.analysis.cases.case import Case
from core.study.model import Task

MOST_SPELLED = 4
"""Labels that are told; a case names hardly more."""
_SHORT = re.compile(r"\b[A-Z]{2,}\b")


def spelled_words(case: Case) -> str:
    """Say what abbreviated labels stand for that readings of the case name, in the order of the case.

    Empty for scores, and where `spelled_labels` is.
    """
    return "" if case.task.kind == "score" else spelled_labels(case.task, case.order.tolist())


def spelled_labels(task: Task, codes: Iterable[int]) -> str:
    """Say what those of some labels stand for that are abbreviations, in their order.

    An abbreviation is two or more capital letters; what it stands for is the label's description in the
    study. Empty where no label is one, or none of these has a description.
    """
    told = [
        f"{task.labels[code]}: {_as_part(task.description[code])}"
        for code in codes
        if _SHORT.search(task.labels[code]) and task.description[code]
    ]
    return ". ".join(told[:MOST_SPELLED])


def _as_part(description: str) -> str:
    """A description within a sentence: begun small, but for an abbreviation, without its full stop."""
    words = description.strip().removesuffix(".")
    return words if words[1:2].isupper() else f"{words[:1].lower()}{words[1:]}"
