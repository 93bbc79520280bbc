"""The commands about raters: raters, plan."""

from __future__ import annotations

import argparse

from core.analysis.planning.settings import PlanSettings
from core.analysis.raters.settings import RaterSettings
from core.cli.options import add_options, chosen
from core.cli.output import print_problems, progress, say
from core.cli.places import add_output, output_folder, path_argument
from core.cli.words import Parser


def add_commands(commands: argparse._SubParsersAction[Parser]) -> None:
    """`raters` and `plan` with their options."""
    _add_raters(commands)
    _add_plan(commands)


def _add_raters(commands: argparse._SubParsersAction[Parser]) -> None:
    """The command `raters` and its options."""
    command = commands.add_parser("raters", help="write agreement, concordance and accuracy of the raters")
    command.add_argument("study", type=path_argument, metavar="STUDY")
    command.add_argument("--task", help="task of the study; its first if left out")
    add_options(command, RaterSettings)
    add_output(command)
    command.set_defaults(run=_raters)


def _add_plan(commands: argparse._SubParsersAction[Parser]) -> None:
    """The command `plan` and its options."""
    command = commands.add_parser("plan", help="how many raters and cases a study needs")
    command.add_argument(
        "study", nargs="?", type=path_argument, metavar="STUDY", help="study that raters and cases are like"
    )
    command.add_argument("--task", help="task of the study; its first if left out")
    add_options(command, PlanSettings)
    add_output(command, required=False)
    command.set_defaults(run=_plan)


def _raters(options: argparse.Namespace) -> int:
    """Measure the raters and write the tables."""
    from core.analysis.raters.report import rater_report, write_rater_report
    from core.study.reading.folder import read_study

    folder = output_folder(options)
    settings = chosen(RaterSettings, options)
    study = read_study(options.study, progress=progress)
    print_problems(study.notes)
    report = rater_report(study, settings, task_name=options.task)
    for path in write_rater_report(report, folder, overwrite=options.overwrite):
        say(str(path))
    for note in report.notes:
        say(note)
    return 0


def _plan(options: argparse.Namespace) -> int:
    """Say how many raters and cases are needed."""
    from core.analysis.planning.report import plan_report, write_plans
    from core.study.reading.folder import read_study

    folder = None if options.out is None else output_folder(options)
    settings = chosen(PlanSettings, options)
    study = None if options.study is None else read_study(options.study, progress=progress)
    report = plan_report(study, settings, task_name=options.task)
    for plan in report.plans.values():
        say(plan.sentence)
    if folder is not None:
        for path in write_plans(report, folder, overwrite=options.overwrite):
            say(str(path))
    return 0
