"""The command `evaluate`: certainty, metrics and worklist as tables."""

from __future__ import annotations

import argparse
from typing import TYPE_CHECKING

from core.analysis.reliability.settings import AgainstSettings
from core.cli.options import add_options, chosen
from core.cli.output import complain, print_problems, progress, say
from core.cli.parts import add_workers, parts_of, require_parts, require_possible
from core.cli.places import add_output, add_study, output_of
from core.cli.where import add_where, of_cases_where
from core.cli.words import Parser
from core.plausibility.settings import AggregationChoice

if TYPE_CHECKING:
    from core.analysis.report_files import Output

AUTO = "auto"
"""A reliability: what the readings support best."""


def add_commands(commands: argparse._SubParsersAction[Parser]) -> None:
    """`evaluate` with its options."""
    command = commands.add_parser("evaluate", help="write certainty, metrics and worklist as tables")
    add_study(command)
    command.add_argument("--task", help="task of the study; its first if left out")
    meaning = f'; "{AUTO}" for what the readings support best'
    add_options(command, AggregationChoice, also={"reliability": (AUTO, meaning)})
    command.add_argument(
        "--sweep", action="store_true", help="also the metrics at every reliability of the slider"
    )
    add_options(command, AgainstSettings)
    add_where(command)
    add_workers(command).add_argument(
        "--labels",
        default="",
        metavar="NAMES",
        help="labels that models are ranked by, with commas between; the first 25 if left out",
    )
    add_output(command)
    command.set_defaults(run=_evaluate)


def _evaluate_parts(options: argparse.Namespace, aggregation: AggregationChoice, to: Output) -> int:
    """Measure a study in parts and write the tables."""
    from core.streamed.evaluate import StreamedChoice
    from core.streamed.report import write_parts

    refused = {
        "--reliability auto": getattr(options, "reliability", None) == AUTO,
        "--sweep": options.sweep,
        "--against": bool(chosen(AgainstSettings, options).against),
    }
    require_possible(refused)
    labels = tuple(name.strip() for name in options.labels.split(",") if name.strip())
    asked = StreamedChoice(aggregation, options.task, labels)
    with parts_of(options, to) as (study, workers, scratch):
        found, paths = write_parts(study, asked, to, workers, scratch=scratch, progress=progress)
    for note in found.notes:
        complain(f"warning: {note}")
    for path in paths:
        say(str(path))
    return 0


def _evaluate(options: argparse.Namespace) -> int:
    """Aggregate, measure and write the tables."""
    from core.analysis.evaluate import evaluate, write_tables
    from core.study.partitions.manifest import is_partitioned
    from core.study.reading.folder import read_study

    to = output_of(options)
    if is_partitioned(options.study):
        given = argparse.Namespace(**vars(options))
        if getattr(options, "reliability", None) == AUTO:
            del given.reliability
        return _evaluate_parts(options, chosen(AggregationChoice, given), to)
    require_parts(options)
    auto = getattr(options, "reliability", None) == AUTO
    if auto:
        del options.reliability
    aggregation = chosen(AggregationChoice, options)
    study = read_study(options.study, progress=progress)
    print_problems(study.notes)
    study = of_cases_where(study, options)
    tables = evaluate(
        study,
        aggregation,
        task_name=options.task,
        auto=auto,
        with_sweep=options.sweep,
        against=chosen(AgainstSettings, options),
        progress=progress,
    )
    for path in write_tables(tables, to):
        say(str(path))
    if tables.notice:
        say(tables.notice)
    for sentence in tables.sentences:
        say(sentence)
    return 0
