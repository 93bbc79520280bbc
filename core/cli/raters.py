"""The commands about raters: raters, plan, reread."""

from __future__ import annotations

import argparse
from typing import TYPE_CHECKING

from core.analysis.planning.settings import BudgetSettings, PlanSettings
from core.analysis.raters.settings import RaterSettings
from core.cli.options import add_options, chosen
from core.cli.output import print_problems, progress, say
from core.cli.parts import add_workers, parts_of, require_parts
from core.cli.places import add_output, add_study, output_of, wanted_output
from core.cli.where import add_where, of_cases_where, refuse_without_study
from core.cli.words import Parser
from core.plausibility.settings import AggregationChoice

if TYPE_CHECKING:
    from core.analysis.raters.report import RaterReport
    from core.analysis.report_files import Output
    from core.study.model import Study


def add_commands(commands: argparse._SubParsersAction[Parser]) -> None:
    """`raters`, `plan` and `reread` with their options."""
    _add_raters(commands)
    _add_plan(commands)
    _add_reread(commands)


def _add_raters(commands: argparse._SubParsersAction[Parser]) -> None:
    """The command `raters` and its options."""
    command = commands.add_parser("raters", help="write agreement, concordance and accuracy of the raters")
    add_study(command)
    command.add_argument("--task", help="task of the study; its first if left out")
    add_options(command, RaterSettings)
    add_where(command)
    add_workers(command)
    add_output(command)
    command.set_defaults(run=_raters)


def _add_plan(commands: argparse._SubParsersAction[Parser]) -> None:
    """The command `plan` and its options."""
    command = commands.add_parser("plan", help="how many raters and cases a study needs")
    add_study(command, nargs="?", help="study that raters and cases are like")
    command.add_argument("--task", help="task of the study; its first if left out")
    add_options(command, PlanSettings)
    add_where(command)
    add_output(command, required=False)
    command.set_defaults(run=_plan)


def _add_reread(commands: argparse._SubParsersAction[Parser]) -> None:
    """The command `reread` and its options."""
    command = commands.add_parser("reread", help="which cases to read again, given so many further readings")
    add_study(command)
    command.add_argument("--task", help="task of the study; its first if left out")
    add_options(command, BudgetSettings)
    add_options(command, AggregationChoice)
    add_where(command)
    add_output(command, required=False)
    command.set_defaults(run=_reread)


def _raters(options: argparse.Namespace) -> int:
    """Measure the raters and write the tables."""
    from core.analysis.raters.report import rater_report, write_rater_report
    from core.study.partitions.manifest import is_partitioned
    from core.study.reading.folder import read_study

    to = output_of(options)
    settings = chosen(RaterSettings, options)
    if is_partitioned(options.study):
        report = _of_parts(options, settings, to)
    else:
        require_parts(options)
        study = read_study(options.study, progress=progress)
        print_problems(study.notes)
        study = of_cases_where(study, options)
        report = rater_report(study, settings, task_name=options.task)
    for path in write_rater_report(report, to):
        say(str(path))
    for note in report.notes:
        say(note)
    return 0


def _of_parts(options: argparse.Namespace, settings: RaterSettings, to: Output) -> RaterReport:
    """Measure the raters of a study in parts."""
    from core.streamed.raters import raters_of_parts

    with parts_of(options, to) as (study, workers, scratch):
        return raters_of_parts(
            study, settings, workers, task_name=options.task, scratch=scratch, progress=progress
        )


def _plan(options: argparse.Namespace) -> int:
    """Say how many raters and cases are needed."""
    from core.analysis.planning.report import plan_report, write_plans
    from core.study.reading.folder import read_study

    to = wanted_output(options)
    settings = chosen(PlanSettings, options)
    if options.study is None:
        refuse_without_study(options)
    study: Study | None = None
    if options.study is not None:
        study = of_cases_where(read_study(options.study, progress=progress), options)
    report = plan_report(study, settings, task_name=options.task)
    for plan in report.plans.values():
        say(plan.sentence)
    if to is not None:
        for path in write_plans(report, to):
            say(str(path))
    return 0


def _reread(options: argparse.Namespace) -> int:
    """Say which cases to read again."""
    from core.analysis.planning.budget_report import budget_report, write_budget
    from core.study.reading.folder import read_study

    to = wanted_output(options)
    settings, aggregation = chosen(BudgetSettings, options), chosen(AggregationChoice, options)
    study = of_cases_where(read_study(options.study, progress=progress), options)
    budget, made, methods = budget_report(
        study, settings, aggregation, task_name=options.task, progress=progress
    )
    for said in (budget.sentence, *budget.notes):
        say(said)
    if to is not None:
        for path in write_budget(budget, made, to, methods):
            say(str(path))
    return 0
