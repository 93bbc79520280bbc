"""The commands about models: compare, mrmc, disagreement, conformal."""

from __future__ import annotations

import argparse
from argparse import SUPPRESS
from typing import TYPE_CHECKING

from core.analysis.disagreement.conformal_settings import ConformalSettings
from core.analysis.disagreement.settings import DisagreementSettings
from core.analysis.models.settings import ComparisonSettings, OtherReadersSettings, SliceSettings
from core.cli.options import add_options, chosen
from core.cli.output import complain, print_problems, progress, say
from core.cli.parts import add_workers, parts_of, require_parts
from core.cli.places import add_output, add_study, output_of, wanted_output
from core.cli.where import add_where, of_cases_where
from core.cli.words import Parser
from core.plausibility.settings import AggregationChoice

if TYPE_CHECKING:
    from core.analysis.disagreement.report import DisagreementReport
    from core.analysis.report_files import Output
    from core.study.model import Study


def add_commands(commands: argparse._SubParsersAction[Parser]) -> None:
    """`compare`, `mrmc`, `disagreement` and `conformal` with their options."""
    _add_compare(commands)
    _add_mrmc(commands)
    _add_disagreement(commands)
    _add_conformal(commands)


def _add_compare(commands: argparse._SubParsersAction[Parser]) -> None:
    """The command `compare` and its options."""
    command = commands.add_parser("compare", help="rank models by hard and soft metrics, as tables")
    add_study(command)
    command.add_argument("--task", help="task of the study; its first with predictions if left out")
    command.add_argument(
        "--all-tasks",
        action="store_true",
        help="every task with predictions in one table, with averages over tasks and differences of models",
    )
    # Their draws are those of truths and cases.
    add_options(command, AggregationChoice, without=["draws"])
    add_options(command, ComparisonSettings)
    add_options(command, SliceSettings)
    add_where(command)
    add_output(command)
    command.set_defaults(run=_compare)


def _add_mrmc(commands: argparse._SubParsersAction[Parser]) -> None:
    """The command `mrmc` and its options."""
    command = commands.add_parser(
        "mrmc", help="whether a result would hold with other readers and other cases, as tables"
    )
    add_study(command)
    command.add_argument("--task", help="task of the study; its first with readers if left out")
    add_options(command, OtherReadersSettings)
    # What a reader study draws are whole truths; its method is no aggregation model.
    add_options(command, AggregationChoice, without=["draws"])
    add_where(command)
    add_output(command, required=False)
    command.set_defaults(run=_mrmc)


def _add_disagreement(commands: argparse._SubParsersAction[Parser]) -> None:
    """The command `disagreement` and its options."""
    command = commands.add_parser(
        "disagreement",
        help="judge probabilities of models, and how they expect raters to disagree, as tables",
    )
    add_study(command)
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
    add_where(command)
    add_workers(command)
    add_output(command)
    command.set_defaults(run=_disagreement)


def _add_conformal(commands: argparse._SubParsersAction[Parser]) -> None:
    """The command `conformal` and its options."""
    command = commands.add_parser(
        "conformal",
        help="say how many labels models must name to hold an uncertain truth, as tables",
    )
    add_study(command)
    command.add_argument("--task", help="task of the study; its first with predictions if left out")
    add_options(command, AggregationChoice)
    add_options(command, ConformalSettings)
    add_where(command)
    add_output(command)
    command.set_defaults(run=_conformal)


def _compare(options: argparse.Namespace) -> int:
    """Compare models and write the tables."""
    from core.analysis.models.report import compare, write_comparison
    from core.study.reading.folder import read_study

    alone = [flag for flag in ("task", "by", "rivals", "draw_averages") if getattr(options, flag, None)]
    if options.all_tasks and alone:
        flags = ", ".join(f"--{flag.replace('_', '-')}" for flag in alone)
        raise ValueError(f"--all-tasks does not go with {flags}: leave one of them out")
    to = output_of(options)
    aggregation, settings = chosen(AggregationChoice, options), chosen(ComparisonSettings, options)
    study = read_study(options.study, progress=progress)
    print_problems(study.notes)
    study = of_cases_where(study, options)
    if options.all_tasks:
        return _compare_all(study, aggregation, settings, to)
    result = compare(
        study,
        aggregation,
        settings,
        slicing=chosen(SliceSettings, options),
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
    for path in write_comparison(result, to):
        say(str(path))
    if "stated confidences" in result.settings:
        say(f"Stated confidences in adjusted metrics: {result.settings['stated confidences']}.")
    for sentence in result.sentences:
        say(sentence)
    return 0


def _compare_all(
    study: Study, aggregation: AggregationChoice, settings: ComparisonSettings, to: Output
) -> int:
    """Compare the models of all tasks and write the tables."""
    from core.analysis.models.all_tasks import all_tasks, write_all_tasks
    from core.analysis.models.all_tasks_draws import all_tasks_drawn
    from core.analysis.models.all_tasks_words import drawn_sentences

    result = all_tasks(study, aggregation, settings)
    drawn = all_tasks_drawn(study, aggregation, settings, progress=progress)
    for task, reason in result.refused.items():
        complain(f"warning: {task} is left out: {reason}")
    for path in write_all_tasks(result, drawn, to):
        say(str(path))
    for sentence in (result.sentence, *drawn_sentences(drawn)):
        say(sentence)
    return 0


def _mrmc(options: argparse.Namespace) -> int:
    """Infer to other readers and cases, say what it comes to, and write the tables."""
    from core.analysis.formatting import readable
    from core.analysis.models.other_readers_report import other_readers_report, write_other_readers
    from core.study.reading.folder import read_study

    to = wanted_output(options)
    settings, aggregation = chosen(OtherReadersSettings, options), chosen(AggregationChoice, options)
    study = read_study(options.study, progress=progress)
    print_problems(study.notes)
    study = of_cases_where(study, options)
    report = other_readers_report(study, settings, aggregation, task_name=options.task)
    for table in ("modalities", "differences", "sizes"):
        if table in report.tables:
            shown = report.tables[table].drop(columns=["reason", "caution"], errors="ignore")
            for line in readable(shown).to_string(index=False).splitlines():
                say(line)
    for said in (*report.verdicts, *report.cautions, *report.claims):
        say(said)
    if to is not None:
        for path in write_other_readers(report, to):
            say(str(path))
    return 0


def _disagreement(options: argparse.Namespace) -> int:
    """Judge what models say of disagreement and write the tables."""
    from core.analysis.disagreement.report import disagreement_report, write_disagreement
    from core.study.partitions.manifest import is_partitioned
    from core.study.reading.folder import read_study

    to = output_of(options)
    settings = chosen(DisagreementSettings, options)
    if is_partitioned(options.study):
        report = _disagreement_of_parts(options, settings, to)
    else:
        require_parts(options)
        study = read_study(options.study, progress=progress)
        print_problems(study.notes)
        study = of_cases_where(study, options)
        report = disagreement_report(study, settings, task_name=options.task, progress=progress)
    for path in write_disagreement(report, to):
        say(str(path))
    for note in report.notes:
        say(note)
    return 0


def _disagreement_of_parts(
    options: argparse.Namespace, settings: DisagreementSettings, to: Output
) -> DisagreementReport:
    """Judge what models say of disagreement in a study in parts."""
    from core.streamed.disagreement import disagreement_of_parts

    with parts_of(options, to) as (study, workers, scratch):
        return disagreement_of_parts(
            study, settings, workers, task_name=options.task, scratch=scratch, progress=progress
        )


def _conformal(options: argparse.Namespace) -> int:
    """Make conformal sets and write the tables."""
    from core.analysis.disagreement.conformal_report import conformal_report, write_conformal
    from core.study.reading.folder import read_study

    to = output_of(options)
    aggregation, settings = chosen(AggregationChoice, options), chosen(ConformalSettings, options)
    study = read_study(options.study, progress=progress)
    print_problems(study.notes)
    study = of_cases_where(study, options)
    report = conformal_report(study, aggregation, settings, task_name=options.task, progress=progress)
    for path in write_conformal(report, to):
        say(str(path))
    for sentence in (*report.sentences, *report.notes):
        say(sentence)
    return 0
