"""The command about reviews: review."""

from __future__ import annotations

import argparse
from collections.abc import Hashable, Mapping
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
    undo,
)
from core.cli.words import Parser
from core.plausibility.settings import AggregationChoice
from core.settings import options as options_of

if TYPE_CHECKING:
    from core.reviews.event import Event, Subject
    from core.reviews.store import ReviewStore
    from core.study.model import Study

ACTIONS = ("log", "note", "flag", "status", "undo", *ROUND_ACTIONS)
_SAYS = {"note": "text", "flag": "reason", "status": "status"}


def add_commands(commands: argparse._SubParsersAction[Parser]) -> None:
    """`review` with its options."""
    command = commands.add_parser(
        "review",
        help="write down what should be done about a case, have cases read again, and see what it changed",
        epilog="log lists what was written; note, flag and status say something of a case; undo takes back "
        "what was said last of it, or of a round. round makes a round of cases to be read again, says how "
        "far it is, and writes it as a sheet to be filled in; import brings the sheet back; outcome writes "
        "down what was agreed on; changed says what rounds changed; export writes a new study with them. "
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
    if action in ROUND_ACTIONS:
        require_sense(options)
        return
    for name, actions in OPTIONS.items():
        if getattr(options, name) and action not in actions:
            raise ValueError(f"{called(name)} goes with {', '.join(actions)}, not with {action}")
    if len(options.case or ()) > 1:
        raise ValueError(f"{action} is about one case, got {len(options.case)}")
    options.case = options.case[0] if options.case else None
    if action == "log":
        wrong = [name for name in ("say", "author") if getattr(options, name) is not None]
        if wrong:
            raise ValueError(f"--{wrong[0]} goes with note, flag, status and undo, not with log")
    else:
        _require_words(options)


def _require_words(options: argparse.Namespace) -> None:
    """Refuse to say nothing, or to say it of nothing."""
    action = options.action
    if options.out is not None:
        raise ValueError(f"--out goes with log, not with {action}")
    if options.case is None and not options.round:
        raise ValueError(f"expected the case of the {action}: --case ID")
    if options.case is not None and options.round:
        raise ValueError("undo is of a case or of a round, got both")
    if action in _SAYS and options.say is None:
        raise ValueError(f"expected the {_SAYS[action]} of the {action}: --say WORDS")
    if action == "undo" and options.say is not None:
        raise ValueError("--say goes with note, flag and status, not with undo")


def _write(options: argparse.Namespace, study: Study, store: ReviewStore) -> None:
    """Say something of a case, and say that it is kept."""
    from core.analysis.report_files import find_task
    from core.reviews.event import STATUSES, Event, subject_of
    from core.reviews.state import review_of

    author = author_of(options)
    if options.round:
        undo(options, study, store, author)
        return
    subject = subject_of(study, find_task(study, options.task), options.case)
    if options.action == "undo":
        event = _undoing(subject, author, store)
    else:
        event = Event(subject, author, options.action, {_SAYS[options.action]: options.say})
    keep(options, store, [event])
    review = review_of(store.events(study_name=study.name, case_id=options.case))
    flags = f", flagged: {'; '.join(review.flags)}" if review.flags else ""
    say(f"{options.case} is {STATUSES[review.status]}{flags}. Kept in {store.place}.")


def _undoing(subject: Subject, author: str, store: ReviewStore) -> Event:
    """Event that takes back what was said last of a case and is in force."""
    from core.reviews.event import Event
    from core.reviews.state import review_of

    review = review_of(store.events(study_name=subject.study_name, case_id=subject.case_id))
    said = [one for one in review.history if one.kind != "withdrawal" and one.id not in review.withdrawn]
    if not said:
        raise ValueError(f"there is nothing to undo: of case “{subject.case_id}” nothing said is in force")
    return Event(subject, author, "withdrawal", {}, answers=said[-1].id)


def _log(options: argparse.Namespace, study: Study, store: ReviewStore, folder: Path | None) -> None:
    """List what was written, oldest first."""
    from core.analysis.export import made_by
    from core.analysis.report_files import records, write_report
    from core.reviews.table import history_table

    if options.case is not None and options.case not in study.case_ids:
        raise ValueError(f"expected a case of the study, got “{options.case}”")
    table = history_table(store.events(study_name=study.name, case_id=options.case), study)
    for row in table.to_dict("records"):
        say(_line(row))
    if table.empty:
        say(f"Nothing was written of the cases of {study.name} in {store.place}.")
    if folder is not None:
        settings = made_by() | {"study": study.name, "fingerprint": study.fingerprint}
        settings["case"] = options.case or "all"
        content = {"history": records("review", "history", table)}
        to = output_into(folder, options)
        for path in write_report(to, "review", {"history": table}, settings, content):
            say(str(path))


def _line(row: Mapping[Hashable, Any]) -> str:
    """One event in a line."""
    marks = " (withdrawn)" if row["withdrawn"] else ""
    if row["readings_as_now"] is False:
        marks += " (the readings have changed since)"
    when = str(row["time"])[:16].replace("T", " ")
    said = f": {row['said']}" if row["said"] else ""
    what = f"case {row['case_id']}, {row['kind']}" if row["case_id"] else row["kind"]
    return f"{row['number']} {when} UTC, {row['author']}, {what}{said}{marks}"
