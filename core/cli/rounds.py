"""What `review` does with rounds: make one, bring readings back, settle a case."""

from __future__ import annotations

import argparse
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from core.cli.output import say
from core.cli.places import output_folder, output_into, path_argument, require_new
from core.cli.round_results import export_rounds, say_changes
from core.cli.where import add_where, of_cases_where

if TYPE_CHECKING:
    from core.analysis.report_files import Output
    from core.reviews.event import Event
    from core.reviews.rounds import Round
    from core.reviews.store import ReviewStore
    from core.study.model import Study

ACTIONS = ("round", "import", "outcome", "export", "changed")
"""Actions of `review` that are about rounds."""
OPTIONS = {
    "file": ("import",),
    "round": (*ACTIONS, "undo"),
    "cases": ("round",),
    "reader": ("round",),
    "open": ("round",),
    "show": ("round",),
    "by": ("outcome",),
    "why": ("outcome",),
    "outcomes": ("export",),
    "where": ("round", "changed"),
}
"""Options that are about rounds, and the actions that each goes with."""
SHEETS = (".csv", ".html")
"""Endings of a file that a round is written to: as a table, or as a page to be printed."""
_ALLOWED = {
    "round": {"round", "cases", "case", "reader", "open", "show", "say", "author", "out", "task", "where"},
    "import": {"file", "round", "author"},
    "outcome": {"round", "case", "say", "author", "by", "why"},
    "export": {"round", "out", "outcomes"},
    "changed": {"round", "out", "where"},
}
_NEEDED = {
    "import": ("file",),
    "outcome": ("round", "case", "say"),
    "export": ("out",),
    "changed": ("round",),
}


def add_round_options(command: argparse.ArgumentParser) -> None:
    """Options of the actions about rounds."""
    of = command.add_argument_group("rounds")
    of.add_argument(
        "file", nargs="?", type=path_argument, metavar="SHEET", help="of import: the sheet, filled in"
    )
    of.add_argument("--round", action="append", metavar="NAME", help="the round; of export, changed: several")
    of.add_argument(
        "--cases",
        type=path_argument,
        metavar="FILE",
        help="of round: CSV with a column case_id, such as a worklist",
    )
    of.add_argument(
        "--reader",
        action="append",
        metavar="NAME",
        help="who reads the round, each with --reader; else anyone; of a sheet, only what this one has left",
    )
    of.add_argument(
        "--open", action="store_true", help="readers see earlier readings, models and certainty; else blind"
    )
    of.add_argument(
        "--show",
        action="append",
        metavar="COLUMN",
        help="column of cases.csv that readers see, each with --show; else all but those whose names say "
        "that they tell the truth; an empty one for none",
    )
    of.add_argument("--by", action="append", metavar="NAME", help="who decided the outcome, each with --by")
    of.add_argument("--why", default="", metavar="WORDS", help="why it was decided")
    of.add_argument(
        "--outcomes", action="store_true", help="of export: outcomes of the rounds stand as the reference"
    )
    add_where(of)


def require_sense(options: argparse.Namespace) -> None:
    """Refuse options that do not go with an action about rounds."""
    action = options.action
    given = {name for name in (*OPTIONS, "case", "say", "author", "out", "task") if getattr(options, name)}
    if wrong := sorted(given - _ALLOWED[action]):
        raise ValueError(f"{called(wrong[0])} does not go with {action}")
    for name in _NEEDED.get(action, ()):
        if name not in given:
            raise ValueError(f"{action} needs {called(name)}")
    if action not in ("export", "changed") and len(options.round or ()) > 1:
        raise ValueError(f"{action} is about one round, got {len(options.round)}")
    if action == "outcome" and len(options.case) > 1:
        raise ValueError(f"outcome is about one case, got {len(options.case)}")
    of_new = {"cases", "case", "where", "reader", "open", "show", "say"}
    if action == "round" and given & of_new and not options.round:
        raise ValueError("a new round needs a name: --round NAME")


def called(name: str) -> str:
    """What an option is called."""
    return "a sheet" if name == "file" else f"--{name}"


def require_place(options: argparse.Namespace) -> Path | None:
    """Where an action writes, checked before the work begins; None where it prints alone."""
    if options.out is None:
        return None
    if options.action == "export":
        require_new(options.out, source=options.study, name="DIR")
        return Path(options.out)
    if options.action == "round" and options.out.suffix in SHEETS:
        from core.study.output_place import require_apart, require_writable
        from core.study.whole_files import holds_files

        if holds_files(options.out) and not options.overwrite:
            raise ValueError(f"{options.out} is there; give --overwrite to replace it, or another --out")
        require_apart(options.out.parent, sources=[options.study])
        require_writable(options.out.parent)
        return Path(options.out)
    return output_folder(options)


def run(options: argparse.Namespace, study: Study, store: ReviewStore, place: Path | None) -> None:
    """Do what was asked."""
    {
        "round": _round,
        "import": _import,
        "outcome": _outcome,
        "export": export_rounds,
        "changed": say_changes,
    }[options.action](options, study, store, place)


def author_of(options: argparse.Namespace) -> str:
    """Who writes: as given, or as known at this computer."""
    from core.reviews.author import known_author

    author = options.author or known_author()
    if author is None:
        raise ValueError("expected who says it, the first time: --author NAME")
    return author


def keep(options: argparse.Namespace, store: ReviewStore, events: Sequence[Event]) -> tuple[Event, ...]:
    """Keep events, all or none, and the name of who wrote them: not of a reader whose sheet comes in."""
    from core.reviews.author import remember_author

    kept = store.append(*events)
    if options.author is not None and kept and options.action != "import":
        remember_author(kept[0].author)
    return kept


def _round(options: argparse.Namespace, study: Study, store: ReviewStore, place: Path | None) -> None:
    """Make a round, or say how far it is; write it as a sheet, or its cases as a table."""
    from core.analysis.report_files import find_task
    from core.reviews.in_round import round_event, shown_at_first
    from core.reviews.journal import followed
    from core.reviews.rounds import find_round

    journal = followed(store, study)
    rounds = journal.rounds()
    name = " ".join(options.round[0].split()) if options.round else None
    if name is not None and (options.cases or options.case or options.where):
        if name in rounds:
            raise ValueError(f"there is a round “{name}” already; give another name")
        task = find_task(study, options.task)
        cases = _new_cases(options, study)
        event = round_event(
            study,
            task,
            author_of(options),
            name,
            cases,
            readers=options.reader or (),
            blind=not options.open,
            question=options.say or "",
            shown=shown_at_first(study) if options.show is None else [one for one in options.show if one],
        )
        keep(options, store, [event])
        journal.follow()
        rounds = journal.rounds()
        name = next(one.name for one in rounds.values() if one.id == event.id)
    elif options.open or options.say or options.show or (options.reader and name not in rounds):
        raise ValueError("a new round needs its cases: --cases FILE, --case ID or --where CONDITION")
    chosen = list(rounds.values()) if name is None else [find_round(rounds, name)]
    for of in chosen:
        say_round(of, study)
    if not chosen:
        say(f"There is no round of {study.name} in {store.place}.")
    if place is None:
        return
    if place.suffix in SHEETS:
        if len(chosen) != 1:
            raise ValueError(f"a sheet is of one round, got {len(chosen)}; name it with --round")
        _write_sheet(chosen[0], study, place, options.reader or ())
    else:
        _write_rounds(chosen, study, output_into(place, options))


def _write_sheet(of: Round, study: Study, file: Path, readers: Sequence[str]) -> None:
    """Write a round to be filled in; for one reader, what that one has left."""
    from core.analysis.round_page import round_page
    from core.analysis.round_sheet import sheet_csv
    from core.study.whole_files import replace_files

    reader = readers[0] if len(readers) == 1 else None
    page = file.suffix == ".html"
    text = round_page(of, study, reader=reader) if page else sheet_csv(of, reader=reader)
    file.parent.mkdir(parents=True, exist_ok=True)
    replace_files(file.parent, [(file.name, text)])
    say(str(file))


def say_round(of: Round, study: Study) -> None:
    """Say what a round is and how far."""
    from core.reviews.round_table import round_table
    from core.study.brief import number_of

    who = ", ".join(of.readers) or "anyone"
    kind = "blind" if of.blind else "open"
    say(f"Round “{of.name}”: {number_of(len(of.cases), 'case')}, {kind}, read by {who}.")
    for reader, how_far in of.progress().items():
        say(f"  {reader} has read {how_far.read:,}, {len(how_far.left):,} left.")
    table = round_table(of, study)
    found = {
        "Still in disagreement": int(table["disagrees"].sum()),
        "With an outcome": len(of.outcomes),
        "With other readings than when the round was made": int((~table["fits"].fillna(False)).sum()),
    }
    said = " ".join(f"{what}: {n:,}." for what, n in found.items() if n)
    if said:
        say(f"  {said}")


def _write_rounds(rounds: Sequence[Round], study: Study, to: Output) -> None:
    """Write the cases of the rounds, and how far each reader is."""
    import pandas as pd

    from core.analysis.export import made_by
    from core.analysis.report_files import records, write_report
    from core.reviews.round_table import progress_table, round_table

    cases = [round_table(of, study).assign(round=of.name) for of in rounds]
    tables = {"progress": progress_table(rounds)}
    if cases:
        tables["cases"] = pd.concat(cases, ignore_index=True)
    settings = made_by() | {"study": study.name, "fingerprint": study.fingerprint}
    content = {"progress": records("rounds", "progress", tables["progress"])}
    for path in write_report(to, "rounds", tables, settings, content):
        say(str(path))


def _new_cases(options: argparse.Namespace, study: Study) -> list[str]:
    """Cases of a new round: of those that are named, or of all, those that fulfil the condition."""
    from core.analysis.case_list import read_case_list

    named = [*(options.case or ()), *(read_case_list(options.cases, study) if options.cases else ())]
    if not options.where:
        return named
    kept = of_cases_where(study, options).case_ids
    if not (options.case or options.cases):
        return [*kept]
    fulfil, known = set(kept), set(study.case_ids)
    # One that the study does not have is refused with the others that are not known.
    cases = [case_id for case_id in named if case_id in fulfil or case_id not in known]
    if not cases:
        raise ValueError(f"no case that is named fulfils {options.where!r}")
    return cases


def _import(options: argparse.Namespace, study: Study, store: ReviewStore, _: Path | None) -> None:
    """Bring a sheet back; nothing of it is kept if anything is wrong."""
    from core.analysis.round_sheet import read_sheet
    from core.reviews.in_round import status_when_read
    from core.reviews.journal import followed
    from core.study.brief import number_of

    journal = followed(store, study)
    rounds = journal.rounds()
    author = author_of(options)
    name = options.round[0] if options.round else None
    sheet = read_sheet(options.file, study, rounds, author, name=name)
    reviews = [journal.review(sheet.of.task, one.subject.case_id) for one in sheet.events]
    read = zip(sheet.events, reviews, strict=True)
    keep(
        options,
        store,
        [*sheet.events, *(more for one, of in read for more in status_when_read(one, sheet.of, of))],
    )
    known = f", {sheet.n_known:,} known already" if sheet.n_known else ""
    empty = f", {number_of(sheet.n_empty, 'case')} left empty" if sheet.n_empty else ""
    n = number_of(len(sheet.events), "reading")
    say(f"{n} by {author} in round “{sheet.of.name}”{known}{empty}. Kept in {store.place}.")


def _outcome(options: argparse.Namespace, study: Study, store: ReviewStore, _: Path | None) -> None:
    """Write down what was agreed on."""
    from core.analysis.cases.what_if import parse_reading
    from core.analysis.report_files import find_task
    from core.reviews.content import UNSETTLED
    from core.reviews.event import STATUSES
    from core.reviews.in_round import outcome_event, status_after
    from core.reviews.journal import followed
    from core.reviews.rounds import find_round

    journal = followed(store, study)
    of = find_round(journal.rounds(), options.round[0])
    task = find_task(study, of.task)
    unsettled = options.say.strip().casefold() == UNSETTLED
    said = None if unsettled else parse_reading(task, options.say)
    event = outcome_event(
        study,
        task,
        of,
        options.case[0],
        author_of(options),
        blocks=[[task.labels[label] for label in block] for block in said.blocks] if said else (),
        score=said.score if said else None,
        unsettled=unsettled,
        by=options.by or (),
        why=options.why,
    )
    case_id = options.case[0]
    keep(options, store, [event, *status_after(event, journal.review(of.task, case_id))])
    journal.follow()
    status = STATUSES[journal.review(of.task, case_id).status]
    say(f"{case_id} in round “{of.name}”: {event.said}; it is {status}. Kept in {store.place}.")
