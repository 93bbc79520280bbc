"""The command `experiment`: a published simulation, or a study's own readings revealed one by one."""

from __future__ import annotations

import argparse
from typing import TYPE_CHECKING

from core import __version__
from core.cli.output import print_problems, progress, say
from core.cli.places import add_output, add_study, output_of
from core.cli.where import add_where, of_cases_where, refuse_without_study
from core.cli.words import Parser

if TYPE_CHECKING:
    from core.analysis.report_files import Output

PERFECT, REPLAY = "perfect-predictor", "replay"
_REPEATS = {PERFECT: 100, REPLAY: 20}


def add_commands(commands: argparse._SubParsersAction[Parser]) -> None:
    """`experiment` with its options."""
    command = commands.add_parser("experiment", help="repeat a published experiment: tables and picture")
    command.add_argument(
        "name",
        choices=[PERFECT, REPLAY],
        help="bias of losses from few labels a case (Mimori 2021, fig. 2), or which order of readings finds "
        "the leading labels of a STUDY soonest",
    )
    add_study(command, nargs="?", help="for replay")
    command.add_argument("--task", help="for replay: task of the study; its first if left out")
    command.add_argument("--batch", type=int, help="for replay: readings revealed at once")
    command.add_argument("--most", type=int, help="for replay: readings revealed; all if left out")
    add_where(command)
    add_output(command)
    command.add_argument(
        "--repeats",
        type=int,
        help=f"simulated studies of each size, {_REPEATS[PERFECT]} if left out; of replay {_REPEATS[REPLAY]}",
    )
    command.add_argument("--seed", type=int, help="0 if left out; of replay the study's")
    command.set_defaults(run=_experiment)


def _experiment(options: argparse.Namespace) -> int:
    """Run an experiment and write what it found."""
    if (options.name == REPLAY) != (options.study is not None):
        needs = "needs a STUDY" if options.name == REPLAY else "takes no STUDY"
        raise ValueError(f"experiment {options.name} {needs}")
    if options.name == PERFECT:
        refuse_without_study(options, f"experiment {PERFECT} takes none")
    options.repeats = _REPEATS[options.name] if options.repeats is None else options.repeats
    to = output_of(options)
    return (_replay if options.name == REPLAY else _perfect_predictor)(options, to)


def _perfect_predictor(options: argparse.Namespace, to: Output) -> int:
    """Run a published simulation and write its table and picture."""
    from core.analysis.disagreement.perfect_predictor import perfect_predictor
    from core.analysis.disagreement.perfect_predictor_picture import perfect_predictor_svg
    from core.analysis.report_files import write_report

    seed = options.seed or 0
    table = perfect_predictor(repeats=options.repeats, seed=seed, progress=progress)
    settings = {
        "made by": f"Loupe {__version__}",
        "experiment": options.name,
        "seed": str(seed),
        "source": "Mimori 2021, fig. 2",
    }
    tables, pictures = {options.name: table}, {options.name: perfect_predictor_svg(table)}
    for path in write_report(to, options.name, tables, settings, {}, pictures=pictures):
        say(str(path))
    return 0


def _replay(options: argparse.Namespace, to: Output) -> int:
    """Reveal a study's readings in several orders and write how soon each finds the leading labels."""
    from core.analysis.export import made_by
    from core.analysis.planning.replay import BEGIN, replay
    from core.analysis.report_files import find_task, write_report
    from core.study.reading.folder import read_study

    study = read_study(options.study, progress=progress)
    print_problems(study.notes)
    study = of_cases_where(study, options)
    task = find_task(study, options.task)
    found = replay(
        study,
        task,
        batch=options.batch,
        most=options.most,
        repeats=options.repeats,
        seed=options.seed,
        progress=progress,
    )
    settings = made_by(study, task) | {
        "experiment": options.name,
        "readings known from the start": str(BEGIN),
        "batch": str(found.batch),
        "repeats": str(options.repeats),
        "cases": str(found.n_cases),
    }
    if options.seed is not None:
        settings["seed"] = str(options.seed)
    tables = {"replay_curves": found.curves, "replay_areas": found.areas}
    said = {"sentence": found.sentence}
    paths = write_report(to, "replay", tables, settings, said)
    say(found.sentence)
    for path in paths:
        say(str(path))
    return 0
