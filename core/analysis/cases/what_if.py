"""What if a case had been read otherwise: readings switched off, edited or added, the study untouched."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np
import pandas as pd

from core.analysis.cases.arrange import in_words
from core.analysis.cases.braces import Blocks, format_braces, parse_braces
from core.study.model import Readings, Study, Task
from core.study.reading.assemble import build_readings, row_table
from core.study.reading.checks import is_plain_number

MOST_ADDED = 100
"""Readings that can be added to a case."""


@dataclass(frozen=True)
class Reading:
    """What a reading says, whoever made it.

    Attributes
    ----------
    blocks : tuple of tuples of int
        Label codes, first choice first; a choice is one block of one label; empty for a score.
    score : float or None
        The number, for a score task.
    confidence : float or None
        In [0, 1], where given.
    """

    blocks: Blocks = ()
    score: float | None = None
    confidence: float | None = None

    def __post_init__(self) -> None:
        object.__setattr__(self, "blocks", tuple(tuple(sorted(block)) for block in self.blocks))


@dataclass(frozen=True)
class WhatIf:
    """Changes to the readings of one case; readings are counted from 0 within the case.

    Attributes
    ----------
    off : frozenset of int
        Readings left out. One that is edited too keeps its edit, for when it is switched on again.
    added : tuple of Reading
        Readings by nobody in the study.
    edited : tuple of (int, Reading)
        What readings say instead, in ascending order.
    """

    off: frozenset[int] = frozenset()
    added: tuple[Reading, ...] = ()
    edited: tuple[tuple[int, Reading], ...] = ()

    def __post_init__(self) -> None:
        object.__setattr__(self, "edited", tuple(sorted(self.edited, key=lambda edit: edit[0])))

    def __bool__(self) -> bool:
        return bool(self.off or self.added or self.edited)

    def toggled(self, place: int) -> WhatIf:
        """Switch a reading off, or on again."""
        return replace(self, off=self.off ^ {place})

    def with_edit(self, place: int, reading: Reading | None) -> WhatIf:
        """Let a reading say something else; None takes the edit back."""
        kept = tuple(edit for edit in self.edited if edit[0] != place)
        return replace(self, edited=kept if reading is None else (*kept, (place, reading)))

    def without_added(self, place: int) -> WhatIf:
        """Take back the added reading at a place, counted from 0."""
        return replace(self, added=self.added[:place] + self.added[place + 1 :])


def said_in(readings: Readings, case: int) -> list[Reading]:
    """What the readings of a case say, in their order."""
    said = []
    for r in readings.of_case(case):
        score, confidence = float(readings.score[r]), float(readings.confidence[r])
        said.append(
            Reading(
                tuple(tuple(block) for block in readings.differential(r)),
                None if math.isnan(score) else score,
                None if math.isnan(confidence) else confidence,
            )
        )
    return said


def readings_that_say(
    cases: Sequence[Sequence[Reading]], raters: Sequence[Sequence[tuple[int, int]]] | None = None
) -> Readings:
    """Put readings into compressed-row form.

    Parameters
    ----------
    cases : sequence of sequences of Reading
        What the readings of each case say.
    raters : sequence of sequences of (int, int), optional
        Rater and number of the repeat of each reading, ascending within a case; raters 0, 1, 2 … by default.

    Returns
    -------
    Readings
        In the given order.
    """
    rows: list[tuple[float, ...]] = []
    for case, said in enumerate(cases):
        by = [(rater, 1) for rater in range(len(said))] if raters is None else raters[case]
        for reading, (rater, repeat) in zip(said, by, strict=True):
            confidence = math.nan if reading.confidence is None else reading.confidence
            if reading.score is not None:
                rows.append((case, rater, repeat, 1, -1, confidence, reading.score))
                continue
            rows += [
                (case, rater, repeat, rank, label, confidence, math.nan)
                for rank, block in enumerate(reading.blocks, start=1)
                for label in block
            ]
    columns = np.array(rows, float).reshape(-1, 7).T
    case_of, rater_of, repeat_of, rank_of, label_of = columns[:5].astype(np.int64)
    table = row_table(
        case_of,
        rater_of,
        label_of,
        rank=rank_of,
        repeat=repeat_of,
        confidence=columns[5],
        score=columns[6],
    )
    return build_readings(table, len(cases))


def apply(study: Study, task: Task, index: int, what_if: WhatIf) -> Readings:
    """Readings of one case with the changes made; give them to `core.analysis.cases.case.open_case`.

    Parameters
    ----------
    study : Study
        Gives the number of raters.
    task : Task
        One of the study's tasks.
    index : int
        Of the case, from 0.
    what_if : WhatIf
        The changes.

    Returns
    -------
    Readings
        Of a single case: first those of the study that are on, in its order, then the added ones, each by a
        rater of its own that the study does not have: codes from ``len(study.rater_ids)`` on.

    Raises
    ------
    ValueError
        If a reading does not exist, or says what the task does not allow.
    """
    said = said_in(task.readings, index)
    check(task, len(said), what_if)
    edited = dict(what_if.edited)
    on = [place for place in range(len(said)) if place not in what_if.off]
    own = task.readings.of_case(index)
    raters = [(int(task.readings.rater[own[place]]), int(task.readings.repeat[own[place]])) for place in on]
    raters += [(len(study.rater_ids) + i, 1) for i in range(len(what_if.added))]
    changed = [*(edited.get(place, said[place]) for place in on), *what_if.added]
    return readings_that_say([changed], [raters])


def check(task: Task, n_readings: int, what_if: WhatIf) -> None:
    """Refuse changes that the case or the task does not allow.

    Parameters
    ----------
    task : Task
        For its kind and labels.
    n_readings : int
        Readings of the case in the study.
    what_if : WhatIf
        The changes.

    Raises
    ------
    ValueError
        With what was allowed and what was given.
    """
    places = [place for place, _ in what_if.edited]
    for place in (*sorted(what_if.off), *places):
        if not 0 <= place < n_readings:
            raise ValueError(f"the case has {n_readings} readings, got a change to reading {place + 1}")
    if len(set(places)) < len(places):
        raise ValueError("a reading is edited twice")
    if len(what_if.added) > MOST_ADDED:
        raise ValueError(f"at most {MOST_ADDED} readings can be added, got {len(what_if.added)}")
    for reading in (*what_if.added, *(reading for _, reading in what_if.edited)):
        check_reading(task, reading)


def check_reading(task: Task, reading: Reading) -> None:
    """Refuse a reading that the task does not allow, with what was allowed and what was given."""
    confidence = reading.confidence
    if confidence is not None and not 0 <= confidence <= 1:
        raise ValueError(f"confidence must be between 0 and 1, got {confidence:g}")
    if task.kind == "score":
        if reading.score is None or not math.isfinite(reading.score) or reading.blocks:
            raise ValueError(f"a reading of a score task must be a finite number, got {reading.score}")
        return
    if reading.score is not None:
        raise ValueError(f"a reading of a {task.kind} task names labels, got the number {reading.score:g}")
    labels = [label for block in reading.blocks for label in block]
    if not labels or not all(reading.blocks):
        raise ValueError("a reading must name a label in every place, got an empty place or none")
    if not all(0 <= label < len(task.labels) for label in labels):
        raise ValueError(
            f"label codes must be 0 to {len(task.labels) - 1}, got {min(labels)} to {max(labels)}"
        )
    if len(set(labels)) < len(labels):
        raise ValueError("a reading names each label once, got one twice")
    if task.kind == "choice" and len(labels) > 1:
        raise ValueError(f"a reading of a choice task names one label, got {len(labels)}")


def parse_reading(task: Task, text: str, *, confidence: float | None = None) -> Reading:
    """Read what a person typed: a label, a differential in braces or a number.

    Parameters
    ----------
    task : Task
        For its kind and labels.
    text : str
        See `core.analysis.cases.braces.parse_braces`; for a score task a number with a decimal point.
    confidence : float, optional
        In [0, 1].

    Raises
    ------
    ValueError
        In plain words, with the nearest label where a name is misspelt.
    """
    if task.kind == "score":
        if not is_plain_number(text):
            raise ValueError(f'a score must be a number, as in 4.5, got "{text:.100}"')
        reading = Reading(score=float(text), confidence=confidence)
    else:
        reading = Reading(parse_braces(text, task.labels), confidence=confidence)
    check_reading(task, reading)
    return reading


def format_reading(task: Task, reading: Reading) -> str:
    """Write a reading so that `parse_reading` gives it back, its confidence aside."""
    if reading.score is not None:
        return repr(reading.score)
    return format_braces(reading.blocks, task.labels)


def reading_words(task: Task, reading: Reading) -> str:
    """Say a reading in words, for people alone: a number, a label, or a differential with its places."""
    return f"{reading.score:g}" if reading.score is not None else in_words(task, reading.blocks)


def changes_table(study: Study, task: Task, index: int, what_if: WhatIf) -> pd.DataFrame:
    """List all readings of a case, those switched off too, with what became of them.

    Returns
    -------
    DataFrame
        One row a reading: ``place`` (within the case, or within the added ones, from 0), ``rater``,
        ``reading`` (as it stands now), ``confidence``, ``state`` ("as read", "edited", "off", "added") and
        ``was`` (what an edited one says in the study, otherwise empty).
    """
    readings, edited = task.readings, dict(what_if.edited)
    rows = []
    for place, (r, said) in enumerate(
        zip(readings.of_case(index), said_in(task.readings, index), strict=True)
    ):
        now = edited.get(place, said)
        state = "off" if place in what_if.off else "edited" if place in edited else "as read"
        was = format_reading(task, said) if place in edited else ""
        rater = study.rater_ids[readings.rater[r]]
        rows.append((place, rater, format_reading(task, now), now.confidence, state, was))
    rows += [
        (place, f"added {place + 1}", format_reading(task, now), now.confidence, "added", "")
        for place, now in enumerate(what_if.added)
    ]
    columns = ["place", "rater", "reading", "confidence", "state", "was"]
    return pd.DataFrame(rows, columns=columns).astype({"confidence": float})


def marked_raters(raters: Sequence[str], what_if: WhatIf, n_readings: int) -> list[str]:
    """Name who made each reading of `apply`, and say which of them were changed."""
    on = [place for place in range(n_readings) if place not in what_if.off]
    edited = {place for place, _ in what_if.edited}
    changed = [place in edited for place in on] + [False] * len(what_if.added)
    return [f"{rater}, changed" if is_so else rater for rater, is_so in zip(raters, changed, strict=True)]
