"""The command `evaluate`: certainty, metrics and worklist as tables."""

from __future__ import annotations

import argparse
import math

from core.cli.output import print_problems, progress, say
from core.cli.places import add_output, output_folder, path_argument
from core.cli.words import Parser

AUTO = "auto"


def add_commands(commands: argparse._SubParsersAction[Parser]) -> None:
    """`evaluate` with its options."""
    command = commands.add_parser("evaluate", help="write certainty, metrics and worklist as tables")
    command.add_argument("study", type=path_argument, metavar="STUDY")
    command.add_argument("--task", help="task of the study; its first if left out")
    command.add_argument("--model", help="aggregation model; the recommended one for the task if left out")
    command.add_argument(
        "--reliability",
        type=_reliability,
        help='γ above 0, "inf", or "auto" for what the readings support best',
    )
    command.add_argument(
        "--ties",
        choices=["split", "full"],
        default="split",
        help="IRN and PrIRN: whether labels tied in one differential divide the weight of their place, or "
        "each get all of it",
    )
    add_tie_rule(command)
    command.add_argument(
        "--prior", choices=["released", "per_label"], default="released", help="of Plackett–Luce"
    )
    command.add_argument(
        "--confidence",
        choices=["ignored", "weights"],
        default="ignored",
        help="whether a reading counts γ times the confidence stated, 1 where there is none (label counts, "
        "PrIRN, Plackett–Luce)",
    )
    command.add_argument(
        "--error-prior",
        type=float,
        default=1.0,
        metavar="N",
        help="Dawid–Skene: N readings more that are right, for each rater and truth, and N spread over all "
        "labels; 0 for maximum likelihood",
    )
    command.add_argument("--draws", type=int, default=1000, help="Plackett–Luce: draws a case")
    command.add_argument(
        "--sweep", action="store_true", help="also the metrics at every reliability of the slider"
    )
    add_output(command)
    command.set_defaults(run=_evaluate)


def add_tie_rule(command: argparse.ArgumentParser) -> None:
    """The option ``--tie-rule``, the same for every command."""
    command.add_argument(
        "--tie-rule",
        choices=["split", "first label"],
        default="split",
        help="labels that lead a case alike, in a point estimate or a hard label: metrics are their mean "
        "over all ways of breaking the tie, or the study's first label is taken",
    )


def _reliability(text: str) -> float | str:
    """Parse a reliability: a number above 0, inf, ∞ or auto."""
    if text == AUTO:
        return AUTO
    try:
        value = math.inf if text == "∞" else float(text)
    except ValueError:
        value = math.nan
    if not value > 0:
        raise argparse.ArgumentTypeError(f'must be a number above 0, "inf" or "auto", got {text!r}')
    return value


def _evaluate(options: argparse.Namespace) -> int:
    """Aggregate, measure and write the tables."""
    from core.analysis.evaluate import evaluate, write_tables
    from core.study.reading.folder import read_study

    folder = output_folder(options)
    study = read_study(options.study, progress=progress)
    print_problems(study.notes)
    tables = evaluate(
        study,
        task_name=options.task,
        model=options.model,
        reliability=None if options.reliability == AUTO else options.reliability,
        auto=options.reliability == AUTO,
        ties=options.ties,
        tie_rule=options.tie_rule,
        prior=options.prior,
        draws=options.draws,
        confidence=options.confidence,
        error_prior=options.error_prior,
        with_sweep=options.sweep,
        progress=progress,
    )
    for path in write_tables(tables, folder, overwrite=options.overwrite):
        say(str(path))
    if tables.notice:
        say(tables.notice)
    return 0
