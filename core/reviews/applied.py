"""A study with readings of rounds as further readings, and outcomes as its reference, where asked for."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace

import numpy as np
import pandas as pd

from core.reviews.event import Event, readings_hash
from core.reviews.fit import fit_of
from core.reviews.round_table import first_labels
from core.reviews.rounds import Round, find_round, rounds_of
from core.study.fingerprint import fingerprint_of
from core.study.model import IntArray, Readings, Study, Task
from core.study.natural import natural_order
from core.study.problems import Problem
from core.study.reading.assemble import Rows, build_readings, row_table
from core.study.reading.case_table import REFERENCE
from core.study.reading.checks import stands_for_nothing
from core.study.reference_standard import STANDARD, reference_standards
from core.study.references import references_by_task

PLACE = "reviews"
"""What notes name where a study's notes name a file."""


@dataclass(frozen=True)
class _Reading:
    """A reading that counts: case and task are the study's, and the task allows what it says."""

    case: int
    rater: str
    event: Event


def with_rounds(
    study: Study, events: Iterable[Event], *, readings: Sequence[str] = (), outcomes: Sequence[str] = ()
) -> Study:
    """Count readings of rounds as further readings, and outcomes as the reference: only those asked for.

    Parameters
    ----------
    study : Study
        As published.
    events : iterable of Event
        Of the study's name, in the order of their numbers.
    readings : sequence of str
        Names of rounds (`core.reviews.rounds.rounds_of`) whose readings count. Their readers are raters by
        name: of one that the study has already, it is another repeat of the case.
    outcomes : sequence of str
        Names of rounds whose outcomes are the references of their cases, in the task of the round alone: the
        label that is first, or the score. Of several outcomes of a case the last counts; one that has several
        labels first, or that the case cannot be settled, leaves the case without a reference. Cases without
        an outcome, and other tasks, keep theirs.

    Returns
    -------
    Study
        A new one with a fingerprint of its own and the old name; the study itself where nothing is asked for.
        Its ``counted`` says what counts, and so does the provenance of every table made from it; its notes
        say what could not be counted, and what was read when the case had other readings.

    Raises
    ------
    ValueError
        For a round that there is not.

    Notes
    -----
    References stay where they are, in the table of cases or in a table of their own. A table of cases has one
    for all tasks, though: of a study of several tasks they move into a table of their own.
    """
    if not readings and not outcomes:
        return study
    written = tuple(events)
    rounds = rounds_of(written, apart=fit_of(study, written).apart)
    reading_rounds = _in_order(rounds.values(), [find_round(rounds, name) for name in readings])
    outcome_rounds = _in_order(rounds.values(), [find_round(rounds, name) for name in outcomes])
    notes: list[Problem] = []
    found = {task: [*_counted(study, task, reading_rounds, notes)] for task in study.tasks}
    missing = [one for one in (*reading_rounds, *outcome_rounds) if one.task not in study.tasks]
    notes += [_note(one, "the study has no task {1}", one.task) for one in missing]
    rater_ids, tasks = _with_readings(study, found)
    cases, references, standard = _with_outcomes(study, outcome_rounds, notes)
    applied = replace(
        study,
        rater_ids=rater_ids,
        tasks=tasks,
        cases=cases,
        references=references,
        reference_standard=standard,
        published=study,
        notes=(*study.notes, *dict.fromkeys(notes)),
        counted=_in_words(reading_rounds, outcome_rounds),
    )
    return replace(applied, fingerprint=fingerprint_of(applied))


def _in_words(readings: Sequence[Round], outcomes: Sequence[Round]) -> str:
    """Say what counts beside what was published."""
    return " and ".join(
        f"with {what} of {', '.join(f'“{of.name}”' for of in rounds)}"
        for what, rounds in (("the readings", readings), ("the outcomes", outcomes))
        if rounds
    )


def _in_order(rounds: Iterable[Round], chosen: Sequence[Round]) -> list[Round]:
    """Chosen rounds, each once, as they were made: numbers of repeats do not depend on who chose how."""
    ids = {one.id for one in chosen}
    return [one for one in rounds if one.id in ids]


def _counted(
    study: Study, task_name: str, rounds: Sequence[Round], notes: list[Problem]
) -> Iterable[_Reading]:
    """Readings of the rounds that count in a task; what does not, and what was read otherwise, is noted."""
    task = study.tasks[task_name]
    position = {case_id: i for i, case_id in enumerate(study.case_ids)}
    labels = set(task.labels)
    for of in rounds:
        if of.task != task_name:
            continue
        left_out: Counter[str] = Counter()
        stale = 0
        for case_id, by_reader in of.readings.items():
            index = position.get(case_id)
            fits = index is not None and readings_hash(study, task, index)
            for reader, event in by_reader.items():
                fault = "the study has no such case" if index is None else _fault(task, labels, event)
                if index is None or fault:
                    left_out[fault] += 1
                    continue
                stale += event.subject.readings != fits
                yield _Reading(index, _rater_id(reader), event)
        notes += [
            _note(of, "{1} not counted: {2}", _readings_in_words(n), fault) for fault, n in left_out.items()
        ]
        if stale:
            words = "{1} counted that {2} made when the case had other readings than now"
            notes.append(_note(of, words, _readings_in_words(stale), "was" if stale == 1 else "were"))


def _fault(task: Task, labels: set[str], event: Event) -> str:
    """Why a reading or an outcome does not suit the task as it is now; empty where it does."""
    blocks = event.content["blocks"]
    if (task.kind == "score") != (event.content["score"] is not None):
        return f"the task is a {task.kind} now"
    if task.kind == "choice" and sum(map(len, blocks)) > 1:
        return "the task is a choice of one label now"
    strange = next((label for block in blocks for label in block if label not in labels), None)
    return "" if strange is None else f"the task has no label “{strange:.100}” any more"


def _rater_id(reader: str) -> str:
    """Name that a table of annotations can hold."""
    return f"rater {reader}" if stands_for_nothing(reader) else reader


def _readings_in_words(n: int) -> str:
    return f"{n:,} reading{'' if n == 1 else 's'}"


def _note(of: Round, words: str, *more: str) -> Problem:
    """A warning about a round."""
    what = f"round “{of.name}”: " + words.format(of.name, *more)
    return Problem(PLACE, what, "See the round, and the history of its cases.", severity="warning")


def _with_readings(study: Study, found: dict[str, list[_Reading]]) -> tuple[tuple[str, ...], dict[str, Task]]:
    """Raters in natural order and tasks with the further readings."""
    named = dict.fromkeys([*study.rater_ids, *(one.rater for of_task in found.values() for one in of_task)])
    ids = [*named]
    rater_ids = tuple(ids[i] for i in natural_order(ids))
    code = {rater: i for i, rater in enumerate(rater_ids)}
    recoded = np.array([code[rater] for rater in study.rater_ids], np.int64)
    tasks = {
        name: replace(task, readings=_joined(study, task, found[name], recoded, code))
        for name, task in study.tasks.items()
    }
    return rater_ids, tasks


def _joined(
    study: Study, task: Task, found: Sequence[_Reading], recoded: IntArray, code: dict[str, int]
) -> Readings:
    """Readings of a task, recoded, with the further ones."""
    readings = task.readings
    old = _rows(task, recoded)
    last = Counter[tuple[int, int]]()
    for case, rater, repeat in zip(
        readings.case.tolist(), recoded[readings.rater].tolist(), readings.repeat.tolist(), strict=True
    ):
        last[case, rater] = max(last[case, rater], repeat)
    position = {label: i for i, label in enumerate(task.labels)}
    rows: list[tuple[int, int, int, int, int, float, float]] = []
    for one in found:
        key = one.case, code[one.rater]
        last[key] += 1
        content = one.event.content
        confidence = np.nan if content["confidence"] is None else float(content["confidence"])
        if content["score"] is not None:
            rows.append((*key, -1, 1, last[key], confidence, float(content["score"])))
        rows += [
            (*key, position[label], rank, last[key], confidence, np.nan)
            for rank, block in enumerate(content["blocks"], start=1)
            for label in block
        ]
    columns = np.array(rows, float).reshape(-1, 7).T
    case, rater, label, rank, repeat = columns[:5].astype(np.int64)
    new = row_table(case, rater, label, rank=rank, repeat=repeat, confidence=columns[5], score=columns[6])
    both = Rows(
        **{
            name: np.concatenate([getattr(old, name), getattr(new, name)])
            for name in Rows.__dataclass_fields__
        }
    )
    return build_readings(both, study.n_cases)


def _rows(task: Task, recoded: IntArray) -> Rows:
    """Readings of a task as rows again, one an entry, or one a score."""
    readings = task.readings
    is_score = task.kind == "score"
    of_row = np.arange(readings.n_readings) if is_score else readings.entry_reading
    return Rows(
        case=readings.case[of_row],
        rater=recoded[readings.rater[of_row]],
        label=np.full(len(of_row), -1) if is_score else readings.label.astype(np.int64),
        rank=np.ones(len(of_row), np.int64) if is_score else readings.block.astype(np.int64) + 1,
        repeat=readings.repeat[of_row].astype(np.int64),
        confidence=readings.confidence[of_row],
        score=readings.score[of_row],
    )


def _with_outcomes(
    study: Study, rounds: Sequence[Round], notes: list[Problem]
) -> tuple[pd.DataFrame, pd.DataFrame | None, str]:
    """Cases, references and their standard with the outcomes of the rounds, each in the task of its own.

    An outcome does not say whether it was agreed on by readers or came from elsewhere.
    """
    position = {case_id: i for i, case_id in enumerate(study.case_ids)}
    last: dict[tuple[str, str], tuple[Round, Event]] = {}
    for of in (of for of in rounds if of.task in study.tasks):
        for case_id, event in of.outcomes.items():
            key = of.task, case_id
            if key not in last or event.number > last[key][1].number:
                last[key] = of, event
    if not last:
        return study.cases, study.references, study.reference_standard
    found, counted = references_by_task(study), set()
    for (name, case_id), (of, event) in last.items():
        task = study.tasks[name]
        fault = "" if case_id in position else "the study has no such case"
        if not fault and not event.content["unsettled"]:
            fault = _fault(task, set(task.labels), event)
        if fault:
            notes.append(_note(of, "an outcome not counted: {1}", fault))
        else:
            found[name][position[case_id]] = _reference(event)
            counted.add(position[case_id])
    cases, standard = study.cases, study.reference_standard
    if counted and (standard or STANDARD in cases):
        stated = ["" if i in counted else one for i, one in enumerate(reference_standards(study))]
        cases, standard = cases.assign(**{STANDARD: stated}), ""
    if study.references is None and len(study.tasks) == 1:
        return cases.assign(**{REFERENCE: next(iter(found.values()))}), None, standard
    # As a table of references is read: of a task that has none there is no column.
    columns = {name: texts for name, texts in found.items() if any(texts)}
    references = pd.DataFrame(columns, index=study.cases.index) if columns else None
    return cases.drop(columns=REFERENCE, errors="ignore"), references, standard


def _reference(event: Event) -> str:
    """Label or score that an outcome puts first, as a reference is written; empty without a single one."""
    if event.content["score"] is not None:
        return repr(event.content["score"])
    first = first_labels(None, event.content)
    return next(iter(first)) if len(first) == 1 else ""
