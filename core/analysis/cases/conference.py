"""A list to take to a case conference: what the worklist says of each case, with a line to write on."""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

import pandas as pd

from core.analysis.cases.brief import BY_VOTE, FIRM, FIRST, NEXT, OF_MODELS, ON_RECORD, ONE_READER, brief_of
from core.analysis.cases.case import Case, open_case, readings_in_words
from core.analysis.cases.metadata_words import metadata_words
from core.analysis.cases.misled_words import misled_words
from core.analysis.cases.missed import MISSED
from core.analysis.cases.missed_words import missing_told
from core.analysis.cases.reviewed import signed_flags_of, signed_notes_of, signed_status_of
from core.analysis.cases.tied_risk import tied_apart
from core.analysis.cases.truths import leaders_alike, times
from core.analysis.export import NOTICE, provenance
from core.analysis.note import Heading, Items, Note, Part, Words
from core.analysis.origin import origin_in_words, told_in_words
from core.analysis.reliability.words import reliability_words
from core.analysis.risk_words import dangers_in_words, risk_phrase
from core.analysis.support_words import TRUTHS, TRUTHS_EXPLAINED
from core.analysis.tied_labels import TIED
from core.plausibility.settings import Aggregation
from core.reviews.event import STATUSES
from core.reviews.flags import UNSPECIFIC
from core.reviews.state import CaseReview
from core.study.brief import case_title
from core.study.model import Study, Task
from core.study.reading.case_table import NO_METADATA

MOST_CASES = 40
"""Cases on a list: more than a conference comes to."""
MOST_COLUMNS, MOST_READINGS = 12, 12
"""What is said of a case: columns of metadata, and readings."""
_Said = tuple[str, str]
"""What something is said of, and what is said; nothing where that is empty."""
_NOTHING: _Said = ("", "")
_LEADS = "Leading"
YOURS, ANSWERS = "Your answer, and what would settle it:", "Answers"
"""What is asked beneath each case of a list for teaching, and what stands above the answers."""


@dataclass(frozen=True)
class _OfCase:
    """What is told of a case.

    Attributes
    ----------
    title : str
    matters, files : str
        Where accuracy misleads, and what the files have; either may be empty.
    before, readings, after : tuple of _Said
        What readings leave open, who read what, and all else, each without what is empty.
    """

    title: str
    matters: str
    files: str
    before: tuple[_Said, ...]
    readings: tuple[_Said, ...]
    after: tuple[_Said, ...]


def conference_note(
    study: Study,
    task: Task,
    aggregation: Aggregation,
    rows: pd.DataFrame,
    *,
    listed: Sequence[str],
    made_on: str,
    found: Mapping[str, CaseReview] | None = None,
    answers_last: bool = False,
) -> Note:
    """Write the list.

    Parameters
    ----------
    study, task, aggregation : Study, Task, Aggregation
        What the rows were made of.
    rows : DataFrame
        Of the study's cases that are listed, in their order, as `core.analysis.cases.worklist.worklist` gives
        them, with the columns of `core.analysis.cases.reviewed.with_reviews`; of columns that are not there
        nothing is said.
    listed : sequence of str
        What is listed, in sentences; the first matters most.
    made_on : str
        Date; empty where none shall stand there.
    found : mapping of str to CaseReview
        What was written of a case, so that flags and notes stand with who gave them; of a case that is not in
        it, they are as its row has them.
    answers_last : bool
        For teaching: each case has what the files say and who read what, with a line for an answer; all else
        stands behind the cases, on a page of its own.

    Returns
    -------
    Note
        Of the first `MOST_CASES` cases; how many are left out is said.
    """
    is_point = math.isinf(aggregation.reliability)
    named = f"{study.name}, {task.name}" if len(study.tasks) > 1 else study.name
    shown = rows.head(MOST_CASES)
    # What is listed may give the answers away.
    which = [*_which(task, rows, listed, is_point=is_point)]
    told = [*_told(study, task, aggregation, shown, found or {}, is_point=is_point)]
    origin = [Words(words, "note") for words in (origin_in_words(study),) if words]
    of_cases = _for_teaching(told, which) if answers_last else (*which, *_for_deciding(told))
    parts = (*origin, *of_cases)
    dated = f" {made_on}." if made_on else ""
    counts = reliability_words(aggregation).removeprefix("∞: ")
    foot = (
        f"{NOTICE}{dated}",
        f"{counts[:1].upper()}{counts[1:]}",
        _made(study, task, aggregation),
    )
    title = f"Cases for {'teaching' if answers_last else 'a conference'}: {named}"
    return Note(title, parts, foot)


def _for_deciding(cases: Sequence[_OfCase]) -> Iterator[Part]:
    """All of each case, with a line for what is decided."""
    for of in cases:
        yield Heading(of.title)
        yield from _stands_first(of.matters, of.files)
        yield from _items(of.before + of.readings + of.after)
        yield Words("Decided:", "blank")


def _which(task: Task, rows: pd.DataFrame, listed: Sequence[str], *, is_point: bool) -> Iterator[Part]:
    """Say which cases are listed, and what the words of the list mean."""
    for place, words in enumerate(listed):
        yield Words(words, "note" if place else "strong")
    if len(rows) > MOST_CASES:
        left = len(rows) - MOST_CASES
        yield Words(f"These are the first {MOST_CASES}; {left:,} more are left out.", "strong")
    if len(rows):
        yield Words(" ".join(_explained(task, rows.head(MOST_CASES), is_point=is_point)), "note")


def _for_teaching(cases: Sequence[_OfCase], which: Sequence[Part]) -> Iterator[Part]:
    """What each case is known by, with a line for an answer, and behind all of them the answers.

    There it stands as well ``which`` cases these are.
    """
    for of in cases:
        yield Heading(of.title)
        yield from _stands_first("", of.files)
        yield from _items(of.readings)
        yield Words(YOURS, "blank")
    if cases:
        yield Heading(ANSWERS, begins_page=True)
    yield from which
    for of in cases:
        yield Heading(of.title)
        yield from _stands_first(of.matters, "")
        yield from _items(of.before + of.after)


def _stands_first(matters: str, files: str) -> Iterator[Part]:
    """What matters most of a case, and what the files say."""
    yield from (Words(words, role) for words, role in ((matters, "strong"), (files, "note")) if words)


def _items(said: Sequence[_Said]) -> Iterator[Part]:
    """What is said of a case, word by word; nothing where there is nothing."""
    if said:
        leads, texts = zip(*said, strict=True)
        yield Items(texts, leads=leads)


def _made(study: Study, task: Task, aggregation: Aggregation) -> str:
    """Say what the list was made with, and, for whoever makes it again, from what."""
    made = provenance(study, task, aggregation)
    told = ("made by", "notice", "study", "task")
    settings = ", ".join(f"{key} {value}" for key, value in made.items() if key not in told)
    return f"Made with {made['made by']}. Only needed to make the same list again: {settings}."


def _explained(task: Task, rows: pd.DataFrame, *, is_point: bool) -> Iterator[str]:
    """Say what the words of the list mean."""
    if is_point:
        yield "A point estimate says nothing about certainty, nor about danger behind the leading label."
    elif "certainty" in rows:
        yield f"Certainty: in how many of 100 {TRUTHS_EXPLAINED} the label leads."
    if "risk" in rows:
        yield "Risk levels are the study’s own." if task.published_risk is None else dangers_in_words(task)
    if MISSED in rows:
        yield "A model misses danger where high risk is plausible and it puts no high-risk label first."
    yield "A line with nothing to say is left out."


def _told(
    study: Study,
    task: Task,
    aggregation: Aggregation,
    rows: pd.DataFrame,
    found: Mapping[str, CaseReview],
    *,
    is_point: bool,
) -> Iterator[_OfCase]:
    """Say of each case where accuracy misleads, what the files have, and all else, word by word."""
    place = {case_id: i for i, case_id in enumerate(study.case_ids)}
    cases = [place[case_id] for case_id in rows.index]
    opened = [open_case(study, task, aggregation, case) for case in cases if "leading" in rows]
    before = (
        _leading(task, rows, [leaders_alike(case) for case in opened], is_point=is_point),
        [_NOTHING] * len(rows) if is_point else _dangers(rows),
        _missed(rows),
    )
    after = (*(_briefs(opened) if opened else ()), *_decided(rows, found))
    misled = [misled_words(case) for case in opened] or [""] * len(rows)
    told = zip(rows.index, cases, misled, zip(*before, strict=True), zip(*after, strict=True), strict=True)
    for case_id, case, matters, first, last in told:
        known = metadata_words(study, case, without=NO_METADATA)[:MOST_COLUMNS]
        files = " · ".join(filter(None, (*known, told_in_words(study, str(case_id)))))
        said = (_known(of) for of in (first, [_readings(study, task, case)], last))
        yield _OfCase(case_title(str(case_id)), matters, files, *said)


def _known(said: Sequence[_Said]) -> tuple[_Said, ...]:
    """Without what nothing is said of."""
    return tuple((lead, words) for lead, words in said if words)


def _readings(study: Study, task: Task, case: int) -> _Said:
    """Say who read what, of a great many readings the first."""
    table = readings_in_words(study, task, task.readings.take_cases([case]))
    if table.empty:
        return _NOTHING
    words = [f"{score:g}" for score in table["score"]] if "score" in table else table["reading"]
    said = [f"{rater}: {what}" for rater, what in zip(table["rater"], words, strict=True)]
    more = [f"and {len(said) - MOST_READINGS} more"] * (len(said) > MOST_READINGS)
    return f"Readings ({len(said)})", "\n".join([*said[:MOST_READINGS], *more])


def _briefs(cases: Sequence[Case]) -> list[list[_Said]]:
    """What the page of a case says beneath its sentence, one list for each question."""
    said = [brief_of(case) for case in cases]
    names = (FIRST, OF_MODELS, BY_VOTE, ON_RECORD, FIRM, NEXT, ONE_READER)
    return [[(name, words.get(name, "")) for words in said] for name in names]


def _leading(task: Task, rows: pd.DataFrame, alike: Sequence[str], *, is_point: bool) -> list[_Said]:
    """The label that leads, or all that lead ``alike``, each with its risk, and how certain that is."""
    names = _texts(rows, "leading")
    told = zip(
        names,
        _texts(rows, "risk"),
        [""] * len(rows) if is_point else _shares(rows, "certainty"),
        [labels for _, labels in tied_apart(task, names)],
        alike or [""] * len(rows),
        strict=True,
    )
    return [_leads(*words) for words in told]


def _leads(name: str, level: str, certainty: str, labels: str, alike: str) -> _Said:
    """Say what leads a case; ``labels`` are told with their levels where they tie and differ in them.

    Of several it is said how they lead ``alike``.
    """
    if not name:
        return _LEADS, "none"
    is_tied = name.endswith(TIED)
    if not labels:
        risk = f" ({'each ' * is_tied}{risk_phrase(level)})" if level else ""
        labels = f"{name.removesuffix(TIED)}{risk}"
    # Labels that tie within what chance moves need not lead equally often.
    sure = f", certainty {'of each at most ' * is_tied}{certainty} of 100" if certainty else ""
    return (_LEADS, f"{labels}, {alike}{sure}") if is_tied else (_LEADS, f"{labels}{sure}")


def _dangers(rows: pd.DataFrame) -> list[_Said]:
    """In how many truths any high-risk label leads, and which does most often."""
    told = zip(
        _shares(rows, "high_risk"),
        _texts(rows, "high_risk_label"),
        _shares(rows, "high_risk_label_probability"),
        strict=True,
    )
    return [_danger(*words) for words in told]


def _danger(share: str, label: str, of_label: str) -> _Said:
    """Say how often high risk leads a case; of labels that tie each leads as often as is said."""
    if not share:
        return _NOTHING
    often = f" ({'each ' * label.endswith(TIED)}{of_label})" if of_label else ""
    which = f", most often {label.removesuffix(TIED)}{often}" if label else ""
    return "Danger", f"A high-risk label leads in {share} of 100 {TRUTHS}{which}"


def _missed(rows: pd.DataFrame) -> list[_Said]:
    """Which models miss the danger of each case, of how many, with what they put first."""
    if MISSED not in rows:
        return [_NOTHING] * len(rows)
    told = zip(_texts(rows, MISSED), missing_told(rows), strict=True)
    return [
        (
            "Missed",
            f"{f'By {who[-1]}, with' if who else 'With'} what each puts first: {words}" if words else "",
        )
        for words, who in told
    ]


def _decided(rows: pd.DataFrame, found: Mapping[str, CaseReview]) -> tuple[list[_Said], ...]:
    """Status of each case, where it is another than open, its flags and its notes; with who gave them."""
    flags, notes = _texts(rows, "flags"), _texts(rows, "notes")
    statuses = [words * (words != STATUSES["open"]) for words in _texts(rows, "status")]
    for place, review in enumerate(map(found.get, rows.index)):
        if review is not None:
            flags[place] = signed_flags_of(review).replace(UNSPECIFIC, "yes")
            notes[place] = signed_notes_of(review)
            statuses[place] = signed_status_of(review)
    return (
        [("Status", words) for words in statuses],
        [("Flagged", words) for words in flags],
        [("Noted", words) for words in notes],
    )


def _texts(rows: pd.DataFrame, column: str) -> list[str]:
    """What a column says of each case; nothing where it is not there, or does not know."""
    if column not in rows:
        return [""] * len(rows)
    return ["" if pd.isna(value) else str(value) for value in rows[column].tolist()]


def _shares(rows: pd.DataFrame, column: str) -> list[str]:
    """Truths of a hundred for a column; nothing where it is not there, or does not know."""
    if column not in rows:
        return [""] * len(rows)
    return ["" if pd.isna(share) else times(share) for share in rows[column].tolist()]
