"""The cases of a round: what was read of each, where readers disagree, and what still fits the study."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from typing import Any, NamedTuple

import pandas as pd

from core.reviews.event import Event, readings_hash
from core.reviews.rounds import Round
from core.study.brief import number_of
from core.study.model import Study, Task

COLUMNS = (
    "case_id",
    "readings",
    "said",
    "among_readers",
    "earlier",
    "with_earlier",
    "disagrees",
    "outcome",
    "fits",
)
_OUTCOMES = ("as led before", "another label", "nobody had read before", "cannot be settled")
_SAME = 1e-9
"""Votes that differ by less are equal on paper."""


def round_table(of: Round, study: Study) -> pd.DataFrame:
    """Describe every case of a round.

    Parameters
    ----------
    of : Round
    study : Study
        As published: without the readings of the round.

    Returns
    -------
    DataFrame
        A row for each case in the order of the round, with the columns `COLUMNS`: ``readings`` (in force),
        ``said`` (each reader and what was said); ``among_readers`` (whether two readers of the round do not
        put the same labels first); ``earlier`` (the label that the study's own readings put first most often,
        of a tie all; a differential divides its vote among the labels that it puts first, a score counts as
        its side of the threshold); ``with_earlier`` (whether a reader of the round puts first no label that
        led before; false where nobody read before); ``disagrees`` (either of the two, and there is no
        outcome); ``outcome`` (empty where there is none); ``fits`` (whether the case still has the readings
        that it had when the round was made; missing where the study has no such case or task).
    """
    task = study.tasks.get(of.task)
    position = {case_id: i for i, case_id in enumerate(study.case_ids)}
    rows = []
    for case_id, then in of.hashes.items():
        readings = of.readings.get(case_id, {})
        outcome = of.outcomes.get(case_id)
        firsts = {first_labels(task, event.content) for event in readings.values()}
        index = None if task is None else position.get(case_id)
        earlier = () if task is None or index is None else earlier_leaders(task, index)
        among = len(firsts) > 1
        against = bool(earlier) and any(not first & {*earlier} for first in firsts)
        rows.append(
            (
                case_id,
                len(readings),
                _said(readings),
                among,
                " or ".join(earlier),
                against,
                (among or against) and outcome is None,
                "" if outcome is None else outcome.said,
                None if task is None or index is None else readings_hash(study, task, index) == then,
            )
        )
    return pd.DataFrame(rows, columns=list(COLUMNS)).astype({"fits": "boolean"})


class Standing(NamedTuple):
    """How far the cases of a round are decided; those that the study lacks are left out.

    Attributes
    ----------
    waiting, decided : tuple of str
        Cases that are to be decided, and those that have an outcome.
    n_read : int
        Cases that somebody read in the round.
    """

    waiting: tuple[str, ...]
    decided: tuple[str, ...]
    n_read: int


def standing_of(table: pd.DataFrame) -> Standing:
    """Say how far the cases of a round are decided, from its `round_table`."""
    seen = table[table["fits"].notna()]
    return Standing(
        tuple(seen[seen["disagrees"]]["case_id"]),
        tuple(seen[seen["outcome"] != ""]["case_id"]),
        int((seen["readings"] > 0).sum()),
    )


def standing_words(of: Standing) -> str:
    """Say how far the cases of a round are decided."""
    return (
        f"{number_of(len(of.waiting), 'case')} to decide, {len(of.decided):,} decided, "
        f"of {of.n_read:,} that were read."
    )


def outcome_counts(of: Round, study: Study) -> dict[str, int]:
    """Count the outcomes of a round by what they say beside the study's own readings.

    Parameters
    ----------
    of : Round
    study : Study
        As published.

    Returns
    -------
    dict of str to int
        Cases "as led before" (one of the labels that an outcome puts first led: `earlier_leaders`), of
        "another label", "nobody had read before" and "cannot be settled"; what does not occur is left out,
        and so are cases and tasks that the study lacks.
    """
    task = study.tasks.get(of.task)
    position = {case_id: i for i, case_id in enumerate(study.case_ids)}
    found = dict.fromkeys(_OUTCOMES, 0)
    for case_id, event in of.outcomes.items():
        if task is None or case_id not in position:
            continue
        led = earlier_leaders(task, position[case_id])
        if event.content["unsettled"]:
            found["cannot be settled"] += 1
        elif not led:
            found["nobody had read before"] += 1
        else:
            found["as led before" if first_labels(task, event.content) & {*led} else "another label"] += 1
    return {words: n for words, n in found.items() if n}


def progress_table(rounds: Collection[Round]) -> pd.DataFrame:
    """Tabulate how far each reader of each round is: ``round``, ``reader``, ``read`` and ``left`` (cases)."""
    rows = [
        (one.name, reader, of.read, len(of.left)) for one in rounds for reader, of in one.progress().items()
    ]
    return pd.DataFrame(rows, columns=["round", "reader", "read", "left"])


def first_labels(task: Task | None, content: Mapping[str, Any]) -> frozenset[str]:
    """Labels that a reading or an outcome puts first; a score its side of the threshold."""
    if content["blocks"]:
        return frozenset(content["blocks"][0])
    score = content["score"]
    if score is None:
        return frozenset()
    if task is None or task.threshold is None:
        return frozenset([repr(score)])
    return frozenset([task.labels[score >= task.threshold]])


def earlier_leaders(task: Task, index: int) -> tuple[str, ...]:
    """Labels that the study's readings of a case put first most often, in the task's order (`round_table`).

    Parameters
    ----------
    task : Task
    index : int
        Position of the case.
    """
    votes: dict[int, float] = {}
    for reading in task.readings.of_case(index):
        score = float(task.readings.score[reading])
        blocks = task.readings.differential(reading)
        first = blocks[0] if blocks else []
        if task.threshold is not None and score == score:
            first = [int(score >= task.threshold)]
        for label in first:
            votes[label] = votes.get(label, 0.0) + 1 / len(first)
    most = max(votes.values(), default=0.0)
    return tuple(task.labels[label] for label in sorted(votes) if votes[label] >= most - _SAME)


def _said(readings: Mapping[str, Event]) -> str:
    return "; ".join(f"{reader}: {event.said}" for reader, event in readings.items())
