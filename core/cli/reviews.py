"""The command about reviews: review."""

from __future__ import annotations

import argparse
from collections.abc import Hashable, Mapping, Sequence
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import TYPE_CHECKING, Any

from core.analysis.table_choice import TableChoice
from core.cli.options import add_options
from core.cli.output import print_problems, progress, say
from core.cli.places import output_into, path_argument, require_out
from core.cli.rounds import ACTIONS as ROUND_ACTIONS
from core.cli.rounds import (
    OPTIONS,
    add_round_options,
    author_of,
    called,
    keep,
    require_place,
    require_sense,
    run,
)
from core.cli.undo import own_last, undo_outcome, undo_round
from core.cli.words import Parser
from core.plausibility.settings import AggregationChoice
from core.settings import options as options_of

if TYPE_CHECKING:
    from core.reviews.event import Event
    from core.reviews.state import CaseReview
    from core.reviews.store import ReviewStore
    from core.study.model import Study

ACTIONS = ("log", "note", "flag", "status", "undo", "adopt", *ROUND_ACTIONS)
_SAYS = {"note": "text", "flag": "reason", "status": "status"}
_OWN: dict[str, tuple[str, ...]] = {"until": ("log",), "instead": ("note",)}
"""Options that one action alone has."""


def add_commands(commands: argparse._SubParsersAction[Parser]) -> None:
    """`review` with its options."""
    command = commands.add_parser(
        "review",
        help="write down what should be done about a case, have cases read again, and see what it changed",
        epilog="log lists what was written; note, flag and status say something of a case; undo takes back "
        "the note, flag or status that you said last of a case, what was said last of a round, or the "
        "outcome of a case in a round. adopt says that what was written of a study of this name, whose "
        "cases all had other readings, is about this one, whose files have changed. round makes a round "
        "of cases to be read again, says how far it is, and writes it as a sheet to be filled in; import "
        "brings the sheet back; outcome writes down what was agreed on; changed says what rounds "
        "changed; export writes a new study with them. "
        "--where chooses the cases of a new round, or those of which changed speaks; what was written of the "
        "others is kept and listed all the same. "
        "Nothing that was written is ever changed or removed. It is kept with your data on this computer, or "
        "in the database that --database or LOUPE_DATABASE names.",
    )
    command.add_argument("action", choices=ACTIONS, metavar="ACTION", help=", ".join(ACTIONS))
    command.add_argument("study", type=path_argument, metavar="STUDY")
    command.add_argument(
        "--case",
        action="append",
        metavar="ID",
        help="the case that something is said of; of log, only this case; of round, each with --case",
    )
    command.add_argument(
        "--say",
        metavar="WORDS",
        help="the note, the reason of the flag, or the status: open, re-read, discussion, settled; the "
        "question of a round; the outcome: a label, a differential as {A} {B, C}, or “cannot be settled”",
    )
    command.add_argument(
        "--author",
        metavar="NAME",
        help="who says it; kept for the next time; of import, whose sheet it is, which is not kept",
    )
    command.add_argument(
        "--instead", action="store_true", help="of note: in place of the note that you wrote last of the case"
    )
    command.add_argument(
        "--until",
        type=_moment,
        metavar="DATE",
        help="of log: only what was written until then (UTC), and how the cases stood: 2026-03-31, or with a "
        "time 2026-03-31T12:00",
    )
    command.add_argument("--task", help="task of the study; its first if left out")
    command.add_argument("--database", metavar="ADDRESS", help="such as postgresql+pg8000://user@host/name")
    command.add_argument(
        "--out",
        type=path_argument,
        metavar="DIR",
        help="folder for results: log, round and changed write into DIR/review; of round also a file, "
        "the sheet, NAME.csv or NAME.html for paper; of export the new study folder",
    )
    command.add_argument("--overwrite", action="store_true", help="replace what an earlier run left there")
    add_round_options(command)
    add_options(command, AggregationChoice)
    add_options(command, TableChoice)
    command.set_defaults(run=_review, folder="review", where="")


def _moment(text: str) -> datetime:
    """A date, which ends with its day, or a time."""
    try:
        moment = datetime.fromisoformat(text)
    except ValueError:
        raise argparse.ArgumentTypeError(f"expected a date such as 2026-03-31, got {text!r}") from None
    if len(text) <= len("2026-03-31"):
        moment += timedelta(days=1) - timedelta(microseconds=1)
    return moment if moment.tzinfo else moment.replace(tzinfo=UTC)


def _review(options: argparse.Namespace) -> int:
    """Write an event, or list them."""
    from core.reviews.store import ReviewStore, default_address
    from core.study.reading.folder import read_study

    _require_sense(options)
    place = require_place(options)
    study = read_study(options.study, progress=progress)
    print_problems(study.notes)
    store = ReviewStore(options.database or default_address())
    try:
        if options.action in ROUND_ACTIONS:
            run(options, study, store, place)
        elif options.action == "adopt":
            _adopt(options, study, store)
        elif options.action != "log":
            _write(options, study, store)
        else:
            _log(options, study, store, place)
    finally:
        store.close()
    return 0


def _require_sense(options: argparse.Namespace) -> None:
    """Refuse options that do not go with the action."""
    action = options.action
    require_out(options)
    for of in options_of(AggregationChoice):
        if of.name in options and action != "changed":
            raise ValueError(f"{of.flag} goes with changed, not with {action}")
    for name, actions in _OWN.items():
        if getattr(options, name) and action not in actions:
            raise ValueError(f"{called(name)} goes with {', '.join(actions)}, not with {action}")
    if action in ROUND_ACTIONS:
        require_sense(options)
        return
    for name, actions in OPTIONS.items():
        if getattr(options, name) and action not in actions:
            raise ValueError(f"{called(name)} goes with {', '.join(actions)}, not with {action}")
    if len(options.case or ()) > 1:
        raise ValueError(f"{action} is about one case, got {len(options.case)}")
    options.case = options.case[0] if options.case else None
    if action in ("log", "adopt"):
        given = ("say", "author") if action == "log" else ("say", "case", "out")
        wrong = [name for name in given if getattr(options, name) is not None]
        if wrong:
            raise ValueError(f"--{wrong[0]} does not go with {action}")
    else:
        _require_words(options)


def _require_words(options: argparse.Namespace) -> None:
    """Refuse to say nothing, or to say it of nothing."""
    action = options.action
    if options.out is not None:
        raise ValueError(f"--out goes with log, not with {action}")
    if options.case is None and not options.round:
        raise ValueError(f"expected the case of the {action}: --case ID")
    if action in _SAYS and options.say is None:
        raise ValueError(f"expected the {_SAYS[action]} of the {action}: --say WORDS")
    if action == "undo" and options.say is not None:
        raise ValueError("--say goes with note, flag and status, not with undo")


def _write(options: argparse.Namespace, study: Study, store: ReviewStore) -> None:
    """Say something of a case, and say that it is kept."""
    from core.analysis.report_files import find_task
    from core.reviews.event import Event, subject_of
    from core.reviews.journal import followed

    author = author_of(options)
    if options.round:
        (undo_outcome if options.case else undo_round)(options, study, store, author)
        return
    task = find_task(study, options.task)
    subject = subject_of(study, task, options.case)
    journal = followed(store, study)
    before = journal.review(task.name, options.case)
    said, answers = "", None
    if options.action == "undo":
        taken = own_last(before, author, options.case)
        said = f"Taken back: {taken.kind} “{taken.said[:100]}”. "
        event = Event(subject, author, "withdrawal", {}, answers=taken.id)
    else:
        if options.instead:
            answers = _own_note(before, author, options.case).id
        event = Event(subject, author, options.action, {_SAYS[options.action]: options.say}, answers=answers)
    keep(options, store, [event])
    journal.follow()
    now = _state_words(journal.review(task.name, options.case))
    say(f"{said}{options.case} is {now}. Kept in {store.place}.")


def _state_words(review: CaseReview) -> str:
    """Status and flags of a case."""
    from core.reviews.event import STATUSES

    return STATUSES[review.status] + (f", flagged: {'; '.join(review.flags)}" if review.flags else "")


def _own_note(review: CaseReview, author: str, case_id: str) -> Event:
    """Note that somebody wrote last of a case, to be changed."""
    found = [note for note in review.notes if note.author == author]
    if not found:
        raise ValueError(f"expected a note by {author} of case “{case_id}” for --instead, got none")
    return max(found, key=lambda note: note.number)


def _adopt(options: argparse.Namespace, study: Study, store: ReviewStore) -> None:
    """Take over what was written about another state of the study's files."""
    from core.reviews.fit import adoptions
    from core.reviews.journal import followed
    from core.study.brief import number_of

    apart = followed(store, study).apart
    if not apart:
        raise ValueError(
            f"nothing that was written of {study.name} is set apart, so there is nothing to adopt"
        )
    keep(options, store, adoptions(study, author_of(options), apart))
    n = number_of(sum(apart.values()), "event")
    say(f"{n} about a study of this name whose cases had other readings: in force. Kept in {store.place}.")


def _log(options: argparse.Namespace, study: Study, store: ReviewStore, folder: Path | None) -> None:
    """List what was written, oldest first."""
    from core.analysis.export import made_by
    from core.analysis.report_files import records, write_report
    from core.reviews.table import history_table

    if options.case is not None and options.case not in study.case_ids:
        raise ValueError(f"expected a case of the study, got “{options.case}”")
    until = options.until
    events = [
        event
        for event in store.events(study_name=study.name)
        if until is None or datetime.fromisoformat(event.time) <= until
    ]
    case_id = options.case
    table = history_table(events, study, only=lambda event: case_id in (None, event.subject.case_id))
    for row in table.to_dict("records"):
        say(_line(row))
    if table.empty:
        say(f"Nothing was written of the cases of {study.name} in {store.place}.")
    if not table["of_this_study"].all():
        say("What is about another study of this name counts for nothing; adopt says that it is this one.")
    if until is not None:
        _say_state(events, study, case_id, until)
    if folder is not None:
        settings = made_by() | {"study": study.name, "fingerprint": study.fingerprint}
        settings["case"] = case_id or "all"
        settings |= {} if until is None else {"until": until.isoformat()}
        content = {"history": records("review", "history", table)}
        to = output_into(folder, options)
        for path in write_report(to, "review", {"history": table}, settings, content):
            say(str(path))


def _say_state(events: Sequence[Event], study: Study, case_id: str | None, until: datetime) -> None:
    """Say how the cases stood after what was written until then."""
    from core.reviews.fit import fit_of
    from core.reviews.state import reviews_of

    apart = fit_of(study, events).apart
    own = [event for event in events if event.subject.study not in apart]
    say(f"On {until.strftime('%Y-%m-%d %H:%M')} UTC:")
    for task in study.tasks:
        of_task = f" in {task}" if len(study.tasks) > 1 else ""
        for case, review in reviews_of(own, task).items():
            if case_id in (None, case):
                say(f"  {case} was {_state_words(review)}{of_task}.")


def _line(row: Mapping[Hashable, Any]) -> str:
    """One event in a line."""
    marks = " (withdrawn)" if row["withdrawn"] else ""
    if not row["of_this_study"]:
        marks += " (of another study of this name)"
    elif row["readings_as_now"] is False:
        marks += " (the readings have changed since)"
    when = str(row["time"])[:16].replace("T", " ")
    said = f": {row['said']}" if row["said"] else ""
    what = f"case {row['case_id']}, {row['kind']}" if row["case_id"] else row["kind"]
    return f"{row['number']} {when} UTC, {row['author']}, {what}{said}{marks}"
