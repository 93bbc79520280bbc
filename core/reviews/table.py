"""The history as a table."""

from __future__ import annotations

from collections.abc import Sequence

import pandas as pd

from core.reviews.content import CHECKS
from core.reviews.event import Event, readings_hash
from core.reviews.state import withdrawn_of
from core.study.model import Study

COLUMNS = (
    "number",
    "time",
    "task",
    "case_id",
    "author",
    "kind",
    "said",
    "withdrawn",
    "readings_as_now",
    "answers",
    "event",
    "fingerprint",
    "content",
)


def history_table(events: Sequence[Event], study: Study) -> pd.DataFrame:
    """Tabulate what was written about the cases of a study, oldest first.

    Parameters
    ----------
    events : sequence of Event
        In the order of their numbers.
    study : Study
        As it is now.

    Returns
    -------
    DataFrame
        A row for each event with the columns `COLUMNS`: ``withdrawn`` is whether it was taken back,
        ``readings_as_now`` whether the case has the readings that it was written about (missing where the
        study has no such case or task, and of a round), ``answers`` the event that it is about,
        ``content`` all that a round, a reading or an outcome says, as JSON (empty of others).
    """
    withdrawn = withdrawn_of(events)
    position = {case_id: i for i, case_id in enumerate(study.case_ids)}
    now: dict[tuple[str, str], str | None] = {}
    rows = []
    for event in events:
        subject = event.subject
        key = subject.task, subject.case_id
        if key not in now:
            known = subject.task in study.tasks and subject.case_id in position
            now[key] = (
                readings_hash(study, study.tasks[subject.task], position[subject.case_id]) if known else None
            )
        fits = None if now[key] is None else now[key] == subject.readings
        rows.append(
            (
                event.number,
                event.time,
                subject.task,
                subject.case_id,
                event.author,
                event.kind,
                event.said,
                event.id in withdrawn,
                fits,
                event.answers or "",
                event.id,
                subject.study,
                event.content_text() if event.kind in CHECKS else "",
            )
        )
    return pd.DataFrame(rows, columns=list(COLUMNS)).astype({"readings_as_now": "boolean"})
