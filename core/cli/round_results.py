"""What `review` makes of rounds: a new study with their readings, and what they changed."""

from __future__ import annotations

import argparse
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING

from core.cli.output import print_problems, progress, say
from core.cli.places import output_into
from core.cli.where import of_cases_where

if TYPE_CHECKING:
    from core.reviews.store import ReviewStore
    from core.study.model import Study


def export_rounds(options: argparse.Namespace, study: Study, store: ReviewStore, place: Path | None) -> None:
    """Write a new study with the rounds as further readings."""
    from core.reviews.applied import with_rounds
    from core.reviews.journal import followed
    from core.study.brief import number_of
    from core.study.reading.folder import study_images
    from core.study.writing import write_study

    assert place is not None
    journal = followed(store, study)
    events = journal.events
    names = options.round or [*journal.rounds()]
    if not names:
        raise ValueError(f"there is no round of {study.name} in {store.place}, so there is nothing to add")
    outcomes = names if options.outcomes else ()
    applied = with_rounds(study, events, readings=names, outcomes=outcomes)
    print_problems(applied.notes[len(study.notes) :])
    # Under a name of its own: the history is kept by the study's name, and would else count there again.
    named = replace(applied, name=f"{study.name}, {applied.counted}")
    write_study(named, place, images=study_images(study))
    added = sum(task.readings.n_readings for task in applied.tasks.values())
    added -= sum(task.readings.n_readings for task in study.tasks.values())
    say(f"{place}: {named.name}: {number_of(added, 'further reading')}")


def say_changes(options: argparse.Namespace, study: Study, store: ReviewStore, place: Path | None) -> None:
    """Say what the rounds changed."""
    from core.analysis.report_files import find_task
    from core.analysis.round_changes import round_changes, write_changes
    from core.cli.options import chosen
    from core.plausibility.settings import AggregationChoice
    from core.reviews.applied import with_rounds
    from core.reviews.journal import followed
    from core.reviews.rounds import find_round

    journal = followed(store, study)
    events, rounds = journal.events, journal.rounds()
    tasks = sorted({find_round(rounds, name).task for name in options.round})
    if len(tasks) > 1:
        raise ValueError(f"these rounds are of the tasks {', '.join(tasks)}; name rounds of one task")
    name = find_task(study, tasks[0]).name
    applied = with_rounds(study, events, readings=options.round)
    print_problems(applied.notes[len(study.notes) :])
    study, applied = of_cases_where(study, options), of_cases_where(applied, options, silent=True)
    progress(0.0, "certainty")
    aggregation = chosen(AggregationChoice, options).for_task(study.tasks[name])
    result = round_changes(study, applied, name, aggregation)
    for sentence in result.sentences:
        say(sentence)
    if place is not None:
        for path in write_changes(result, output_into(place, options)):
            say(str(path))
