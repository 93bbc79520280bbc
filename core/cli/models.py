"""The commands about models: compare, disagreement."""

from __future__ import annotations

import argparse
from argparse import SUPPRESS

from core.analysis.disagreement.settings import DisagreementSettings
from core.analysis.models.settings import ComparisonSettings
from core.cli.options import add_options, chosen
from core.cli.output import complain, print_problems, progress, say
from core.cli.places import add_output, output_folder, path_argument
from core.cli.words import Parser
from core.plausibility.settings import AggregationChoice


def add_commands(commands: argparse._SubParsersAction[Parser]) -> None:
    """`compare` and `disagreement` with their options."""
    _add_compare(commands)
    _add_disagreement(commands)


def _add_compare(commands: argparse._SubParsersAction[Parser]) -> None:
    """The command `compare` and its options."""
    command = commands.add_parser("compare", help="rank models by hard and soft metrics, as tables")
    command.add_argument("study", type=path_argument, metavar="STUDY")
    command.add_argument("--task", help="task of the study; its first with predictions if left out")
    # Their draws are those of truths and cases.
    add_options(command, AggregationChoice, without=["draws"])
    add_options(command, ComparisonSettings)
    add_output(command)
    command.set_defaults(run=_compare)


def _add_disagreement(commands: argparse._SubParsersAction[Parser]) -> None:
    """The command `disagreement` and its options."""
    command = commands.add_parser(
        "disagreement",
        help="judge probabilities of models, and how they expect raters to disagree, as tables",
    )
    command.add_argument("study", type=path_argument, metavar="STUDY")
    command.add_argument("--task", help="task of the study; its first with predictions if left out")
    add_options(command, DisagreementSettings)
    command.add_argument(
        "--equal-mass",
        dest="bin_kind",
        action="store_const",
        const="equal mass",
        default=SUPPRESS,
        help=SUPPRESS,
    )
    add_output(command)
    command.set_defaults(run=_disagreement)


def _compare(options: argparse.Namespace) -> int:
    """Compare models and write the tables."""
    from core.analysis.models.report import compare, write_comparison
    from core.study.reading.folder import read_study

    folder = output_folder(options)
    aggregation, settings = chosen(AggregationChoice, options), chosen(ComparisonSettings, options)
    study = read_study(options.study, progress=progress)
    print_problems(study.notes)
    result = compare(
        study,
        aggregation,
        settings,
        task_name=options.task,
        progress=progress,
    )
    for metric, reason in result.refused.items():
        complain(f"warning: {metric} is left out: {reason}")
    without: dict[tuple[str, str], list[str]] = {}
    for metric, models in result.left_out.items():
        for model, reason in models.items():
            without.setdefault((model, reason), []).append(metric)
    for (model, reason), metrics in without.items():
        complain(f"warning: {model} is not compared by {', '.join(metrics)}: {reason}")
    for path in write_comparison(result, folder, overwrite=options.overwrite):
        say(str(path))
    if "stated confidences" in result.settings:
        say(f"Stated confidences in adjusted metrics: {result.settings['stated confidences']}.")
    return 0


def _disagreement(options: argparse.Namespace) -> int:
    """Judge what models say of disagreement and write the tables."""
    from core.analysis.disagreement.report import disagreement_report, write_disagreement
    from core.study.reading.folder import read_study

    folder = output_folder(options)
    settings = chosen(DisagreementSettings, options)
    study = read_study(options.study, progress=progress)
    print_problems(study.notes)
    report = disagreement_report(study, settings, task_name=options.task, progress=progress)
    for path in write_disagreement(report, folder, overwrite=options.overwrite):
        say(str(path))
    for note in report.notes:
        say(note)
    return 0
