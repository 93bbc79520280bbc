"""The history as a table."""

from __future__ import annotations

from collections.abc import Callable, Sequence

import pandas as pd

from core.reviews.content import CHECKS
from core.reviews.event import Event
from core.reviews.fit import fit_of
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
    "of_this_study",
    "answers",
    "event",
    "fingerprint",
    "content",
)


def history_table(
    events: Sequence[Event], study: Study, *, only: Callable[[Event], bool] = lambda _: True
) -> pd.DataFrame:
    """Tabulate what was written about the cases of a study, oldest first.

    Parameters
    ----------
    events : sequence of Event
        All of its name, in the order of their numbers.
    study : Study
        As it is now.
    only : callable
        Which of them are listed; the others tell what was taken back. All by default.

    Returns
    -------
    DataFrame
        A row for each event with the columns `COLUMNS`: ``withdrawn`` is whether it was taken back, or what
        it belongs to was, ``readings_as_now`` whether the case has the readings that it was written about
        (missing where the study has no such case or task, and of a round), ``of_this_study`` whether it is
        about this study, and not set apart as being about another of the same name (`core.reviews.fit`),
        ``answers`` the event that it is about, ``content`` all that a round, a reading or an outcome says,
        as JSON (empty of others).
    """
    withdrawn = withdrawn_of(events)
    fit = fit_of(study, events)
    apart = fit.apart
    rows = []
    for event in events:
        subject = event.subject
        if not only(event):
            continue
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
                fit.as_now(event),
                subject.study not in apart,
                event.answers or "",
                event.id,
                subject.study,
                event.content_text() if event.kind in CHECKS else "",
            )
        )
    return pd.DataFrame(rows, columns=list(COLUMNS)).astype({"readings_as_now": "boolean"})
