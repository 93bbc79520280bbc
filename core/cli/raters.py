"""The commands about raters: raters, plan."""

from __future__ import annotations

import argparse

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
    command.add_argument("--raters", help="ids of raters, separated by commas; all if left out")
    command.add_argument(
        "--judged-by",
        choices=["reference", "majority", "given", "model"],
        help="what accuracy is judged by; --accuracy, else a reference, else the majority of the others",
    )
    command.add_argument("--accuracy", type=float, help="accuracy of every rater, from 0 to 1")
    command.add_argument(
        "--variability", type=float, help="of every rater's confidence; from repeated readings if left out"
    )
    command.add_argument("--ordered", action="store_true", help="the labels have an order, that of the study")
    command.add_argument("--resamples", type=int, default=1000, help="of the cases, for the intervals")
    add_output(command)
    command.set_defaults(run=_raters)


def _add_plan(commands: argparse._SubParsersAction[Parser]) -> None:
    """The command `plan` and its options."""
    command = commands.add_parser("plan", help="how many raters and cases a study needs")
    command.add_argument(
        "study", nargs="?", type=path_argument, metavar="STUDY", help="study that raters and cases are like"
    )
    command.add_argument("--task", help="task of the study; its first if left out")
    command.add_argument("--fineness", type=float, help="wanted share of cases that the majority gets right")
    command.add_argument("--certainty", type=float, help="wanted mean certainty of the leading label")
    command.add_argument("--ranking", type=float, help="wanted probability of ranking two models rightly")
    command.add_argument(
        "--models", metavar="A,B", help="for --ranking: accuracies of two models, or names of the study's"
    )
    command.add_argument("--accuracy", type=float, help="of a rater, from 0 to 1; from the study if left out")
    command.add_argument(
        "--difficulty", type=float, help="spread of case difficulty in logits; 0: raters err independently"
    )
    command.add_argument("--labels", type=int, help="number of labels; 2, or the study's, if left out")
    add_output(command, required=False)
    command.set_defaults(run=_plan)


def _raters(options: argparse.Namespace) -> int:
    """Measure the raters and write the tables."""
    from core.analysis.raters.report import rater_report, write_rater_report
    from core.study.reading.folder import read_study

    folder = output_folder(options)
    study = read_study(options.study, progress=progress)
    print_problems(study.notes)
    report = rater_report(
        study,
        task_name=options.task,
        raters=None if options.raters is None else [name.strip() for name in options.raters.split(",")],
        standard=options.judged_by,
        given=options.accuracy,
        variability=options.variability,
        ordered=options.ordered,
        n_boot=options.resamples,
    )
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
    study = None if options.study is None else read_study(options.study, progress=progress)
    report = plan_report(
        study,
        task_name=options.task,
        fineness=options.fineness,
        certainty=options.certainty,
        ranking=options.ranking,
        models=None if options.models is None else [name.strip() for name in options.models.split(",")],
        accuracy=options.accuracy,
        difficulty=options.difficulty,
        n_labels=options.labels,
    )
    for plan in report.plans.values():
        say(plan.sentence)
    if folder is not None:
        for path in write_plans(report, folder, overwrite=options.overwrite):
            say(str(path))
    return 0
