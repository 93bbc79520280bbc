"""What was said of a case, by whomever: as a reading to be changed, as labels, and in a table."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from core.analysis.cases.what_if import Reading, reading_words, said_in
from core.analysis.formatting import percent
from core.reviews.content import UNSETTLED
from core.study.model import Study, Task
from dashboard.components import text
from dashboard.views import parts


def as_reading(task: Task, content: Mapping[str, Any]) -> Reading | None:
    """What an event says, by codes of labels; None where it says none, or the task lacks one of them now."""
    code = {label: i for i, label in enumerate(task.labels)}
    blocks = content["blocks"]
    if content["score"] is None and not blocks:
        return None
    if any(label not in code for block in blocks for label in block):
        return None
    return Reading(
        tuple(tuple(code[label] for label in block) for block in blocks),
        content["score"],
        content.get("confidence"),
    )


def labels_of(task: Task, said: Reading) -> list[list[str]]:
    """Labels of a reading by their names, first choice first."""
    return [[task.labels[label] for label in block] for block in said.blocks]


def said_words(task: Task, content: Mapping[str, Any]) -> str:
    """What an event says, in words, with its confidence where there is one."""
    if content.get("unsettled"):
        return UNSETTLED
    said = as_reading(task, content)
    if said is None:
        return "; ".join(" = ".join(block) for block in content["blocks"])
    sure = "" if said.confidence is None else f" ({percent(said.confidence)} sure)"
    return reading_words(task, said) + sure


def earlier_rows(study: Study, task: Task, index: int) -> list[tuple[str, str]]:
    """Who read a case in the study, and what."""
    raters = [study.rater_ids[task.readings.rater[one]] for one in task.readings.of_case(index)]
    said = [reading_words(task, reading) for reading in said_in(task.readings, index)]
    return list(zip(raters, said, strict=True))


def listed(title: str, rows: Sequence[tuple[str, str]]) -> None:
    """List who said what."""
    parts.head(title)
    if rows:
        text.table(["Who", "Reading"], [list(row) for row in rows], name=title)
    else:
        parts.note("None.")
