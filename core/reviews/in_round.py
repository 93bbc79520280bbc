"""Events of a round, made from a study and checked against it."""

from __future__ import annotations

import re
from collections.abc import Collection, Sequence
from typing import Any

from core.reviews.event import Event, Status, Subject, author_name, readings_hash, subject_of
from core.reviews.rounds import Round, reader_name
from core.reviews.state import CaseReview
from core.study.model import Study, Task
from core.study.reading.case_table import NO_METADATA
from core.study.reading.checks import suggestion

_TELLING = re.compile(
    "(?:^|[^a-z])(?:true|truth|reference|gold|answers?|diagnos[ei]s|outcome|histology|pathology|biopsy|labels?)"
    "(?:$|[^a-z])"
)
"""Words in the name of a column that tells what a case is."""


def round_event(  # noqa: PLR0913 - what a round is, by name
    study: Study,
    task: Task,
    author: str,
    name: str,
    cases: Sequence[str],
    *,
    readers: Collection[str] = (),
    blind: bool = True,
    question: str = "",
    shown: Collection[str] | None = None,
    corrects: Round | None = None,
) -> Event:
    """Make a round, or say anew what one is.

    Parameters
    ----------
    study : Study
        As published: without the readings of other rounds (`core.reviews.applied`).
    task : Task
        What is to be read.
    author, name : str
        Who makes it, and what it is called.
    cases : sequence of str
        Case ids in the order in which they are to be read.
    readers : collection of str
        Names of those who read it; empty for anyone.
    blind : bool
        Whether they see neither earlier readings nor models nor certainty.
    question : str
        What they are asked.
    shown : collection of str, optional
        Columns of metadata that a reader sees; all by default. Some give the answer away.
    corrects : Round, optional
        Whose place it takes; the readings of that one stay, and its cases are still those that were to be
        read: with the readings that they had then.

    Raises
    ------
    ValueError
        For a case that the study does not have, one named twice, no case or no name; for a column that it
        does not have; for what can no longer be said anew of a round in which somebody has read.
    """
    position = {case_id: i for i, case_id in enumerate(study.case_ids)}
    then = {} if corrects is None else corrects.hashes
    unknown = [case_id for case_id in cases if case_id not in position and case_id not in then]
    if unknown:
        more = f" and {len(unknown) - 1:,} more" if len(unknown) > 1 else ""
        hint = suggestion(unknown[0], position)
        raise ValueError(f"expected cases of the study, got “{unknown[0]}”{more}. {hint}".rstrip())
    content = {
        "name": " ".join(name.split()),
        "cases": [
            [case_id, then.get(case_id) or readings_hash(study, task, position[case_id])] for case_id in cases
        ],
        "readers": [reader_name(author_name(reader)) for reader in readers],
        "blind": blind,
        "question": question,
    }
    if shown is not None:
        content["shown"] = _columns(study, shown)
    if corrects is not None:
        _require_still_free(corrects, content)
    subject = Subject(study.fingerprint, study.name, task.name, "", "")
    return Event(subject, author, "round", content, answers=None if corrects is None else corrects.id)


def _columns(study: Study, shown: Collection[str]) -> list[str]:
    """Columns of metadata, in the order of the study."""
    known = told_columns(study)
    for name in shown:
        if name not in known:
            there = suggestion(name, known).strip() or f"There are {', '.join(known) or 'none'}."
            raise ValueError(f"expected a column of cases.csv, got “{name:.100}”. {there}")
    return [name for name in known if name in shown]


def told_columns(study: Study) -> tuple[str, ...]:
    """Columns of metadata that may be shown to whoever reads a case again, never of the reference."""
    return tuple(str(name) for name in study.cases if name not in NO_METADATA)


def telling_columns(study: Study) -> tuple[str, ...]:
    """Those of `told_columns` whose names say that they tell what a case is, as true_share does."""
    return tuple(name for name in told_columns(study) if _TELLING.search(name.lower()))


def shown_at_first(study: Study) -> tuple[str, ...] | None:
    """Columns that a reader sees unless somebody says otherwise; None for all, where none of them tells."""
    telling = telling_columns(study)
    return tuple(name for name in told_columns(study) if name not in telling) if telling else None


def _require_still_free(of: Round, content: dict[str, Any]) -> None:
    """Refuse to say anew what those who have read went by."""
    if not of.readings:
        return
    said = dict(of.event.content)
    fixed = {"blind": "whether it is blind", "shown": "what a reader sees", "name": "its name"}
    for name, words in fixed.items():
        if content.get(name) != said.get(name):
            raise ValueError(f"somebody has read in round “{of.name}”: {words} stays as it is")


def reading_event(
    study: Study,
    task: Task,
    of: Round,
    case_id: str,
    author: str,
    *,
    blocks: Sequence[Collection[str]] = (),
    score: float | None = None,
    confidence: float | None = None,
) -> Event:
    """Make a reading of a case in a round; a later one by the same reader takes its place.

    Whoever has read a blind round to its end has been shown what others said, and reads no case anew.

    Parameters
    ----------
    study, task : Study, Task
        As published: without the readings of other rounds.
    of : Round
        Of that task.
    case_id, author : str
        Which case, and who read it.
    blocks : sequence of collections of str
        Labels, first choice first, those of one collection tied; a choice is one label; none for a score.
    score : float, optional
        Of a score task.
    confidence : float, optional
        From 0 to 1.

    Raises
    ------
    ValueError
        For another's round, a case that is not in it, what the task does not allow, or another reading of a
        case in a blind round that the reader has finished.
    """
    if not of.may_read(author):
        raise ValueError(f"round “{of.name}” is read by {', '.join(of.readers)}, got “{author}”")
    content = _said(task, blocks, score) | {"confidence": confidence}
    event = Event(_subject(study, task, of, case_id), author, "reading", content, answers=of.id)
    known = of.readings.get(case_id, {}).get(reader_name(event.author))
    if known is not None and known.content != event.content and of.stands_for(event.author):
        raise ValueError(
            f"{event.author} has read blind round “{of.name}” to its end, so what others said is open and "
            f"the readings stand: expected {known.said} of case “{case_id}”, got {event.said}. "
            "What is agreed on later is an outcome"
        )
    return event


def outcome_event(  # noqa: PLR0913 - what an outcome says, by name
    study: Study,
    task: Task,
    of: Round,
    case_id: str,
    author: str,
    *,
    blocks: Sequence[Collection[str]] = (),
    score: float | None = None,
    unsettled: bool = False,
    by: Collection[str] = (),
    why: str = "",
) -> Event:
    """Make the outcome of a case: what those who met agreed on, or that it cannot be settled.

    Parameters
    ----------
    study, task, of, case_id, blocks, score
        As of `reading_event`; neither labels nor a score where it cannot be settled.
    author : str
        Who writes it down.
    unsettled : bool
        The case cannot be settled.
    by : collection of str
        Names of those who decided; the author by default.
    why : str
        Their reason.

    Raises
    ------
    ValueError
        As `reading_event`.
    """
    said = {"blocks": [], "score": score} if unsettled else _said(task, blocks, score)
    if unsettled and blocks:
        raise ValueError("expected no label of a case that cannot be settled")
    names = [author_name(one) for one in by or (author,)]
    content = said | {"unsettled": unsettled, "by": names, "why": why}
    return Event(_subject(study, task, of, case_id), author, "outcome", content, answers=of.id)


def status_after(outcome: Event, review: CaseReview) -> tuple[Event, ...]:
    """Make the status that goes with an outcome, if the case has another: settled, or in discussion.

    It answers the outcome: who takes that one back takes back both.

    Parameters
    ----------
    outcome : Event
        As `outcome_event` makes it.
    review : CaseReview
        What is in force for the case.
    """
    status: Status = "discussion" if outcome.content["unsettled"] else "settled"
    if review.status == status:
        return ()
    return (Event(outcome.subject, outcome.author, "status", {"status": status}, answers=outcome.id),)


def status_when_read(reading: Event, of: Round, review: CaseReview) -> tuple[Event, ...]:
    """Make the status of a case that was to be re-read, and now is: in discussion, until somebody decides.

    None while readers are to follow.

    Parameters
    ----------
    reading : Event
        As `reading_event` makes it.
    of : Round
        The round as it was before.
    review : CaseReview
        What is in force for the case.
    """
    have = {*of.readings.get(reading.subject.case_id, {}), reader_name(reading.author)}
    if review.status != "re-read" or not have.issuperset(of.readers):
        return ()
    return (Event(reading.subject, reading.author, "status", {"status": "discussion"}),)


def _subject(study: Study, task: Task, of: Round, case_id: str) -> Subject:
    """Name a case of a round."""
    if of.task != task.name:
        raise ValueError(f"round “{of.name}” is of the task {of.task}, got {task.name}")
    if case_id not in of.hashes:
        raise ValueError(f"expected a case of round “{of.name}”, got “{case_id}”")
    return subject_of(study, task, case_id)


def _said(task: Task, blocks: Sequence[Collection[str]], score: float | None) -> dict[str, Any]:
    """What is said, with labels in the order of the task within a place, so that equals are written alike."""
    if task.kind == "score":
        if blocks or score is None:
            raise ValueError(f"a reading of a score task is a number, got {'labels' if blocks else 'none'}")
        return {"blocks": [], "score": float(score)}
    if score is not None:
        raise ValueError(f"a reading of a {task.kind} task names labels, got the number {score:g}")
    if isinstance(blocks, str) or any(isinstance(block, str) for block in blocks):
        raise TypeError("expected every place as a collection of labels, got a text")
    code = {label: i for i, label in enumerate(task.labels)}
    for label in (label for block in blocks for label in block):
        if label not in code:
            raise ValueError(f"“{label:.100}” is no label. {suggestion(label, code)}".rstrip())
    if task.kind == "choice" and sum(map(len, blocks)) > 1:
        raise ValueError(f"a reading of a choice task names one label, got {sum(map(len, blocks))}")
    return {"blocks": [sorted(block, key=code.__getitem__) for block in blocks], "score": None}
