"""The command `checklist`: what a study answers of reporting guidelines."""

from __future__ import annotations

import argparse
from dataclasses import replace

from core.analysis.table_choice import MARKDOWN, TableChoice
from core.cli.options import add_options, chosen
from core.cli.output import print_problems, progress, say
from core.cli.places import add_output, add_study, output_of
from core.cli.where import add_where, of_cases_where
from core.cli.words import Parser
from core.plausibility.settings import AggregationChoice


def add_commands(commands: argparse._SubParsersAction[Parser]) -> None:
    """`checklist` with its options."""
    command = commands.add_parser(
        "checklist", help="answer the items of CLAIM 2024 and STARD-AI about labels, test set and metrics"
    )
    add_study(command)
    command.add_argument("--task", help="task of the study; its first if left out")
    add_options(command, AggregationChoice)
    add_where(command)
    add_output(command)
    command.set_defaults(run=_checklist)


def _checklist(options: argparse.Namespace) -> int:
    """Answer the items and write them, as CSV and Markdown."""
    from core.analysis.checklist import checklist, write_checklist
    from core.study.reading.folder import read_study

    to = output_of(options)
    to = replace(to, choice=TableChoice(tuple(dict.fromkeys((*to.choice.tables, MARKDOWN)))))
    study = read_study(options.study, progress=progress)
    print_problems(study.notes)
    study = of_cases_where(study, options)
    answers = checklist(study, chosen(AggregationChoice, options), task_name=options.task, progress=progress)
    for path in write_checklist(answers, to):
        say(str(path))
    count = answers.table["answered"].value_counts()
    say(", ".join(f"{number} {answered}" for answered, number in count.items()) + "")
    return 0
