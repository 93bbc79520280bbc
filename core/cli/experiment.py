"""The command `experiment`: a published simulation as table and picture."""

from __future__ import annotations

import argparse

from core import __version__
from core.cli.output import progress, say
from core.cli.places import add_output, output_folder
from core.cli.words import Parser


def add_commands(commands: argparse._SubParsersAction[Parser]) -> None:
    """`experiment` with its options."""
    command = commands.add_parser("experiment", help="repeat a published simulation: table and picture")
    command.add_argument("name", choices=["perfect-predictor"], help="which (Mimori 2021, fig. 2)")
    add_output(command)
    command.add_argument("--repeats", type=int, default=100, help="simulated studies of each size")
    command.add_argument("--seed", type=int, default=0)
    command.set_defaults(run=_experiment, study=None)


def _experiment(options: argparse.Namespace) -> int:
    """Run a published simulation and write its table and picture."""
    from core.analysis.disagreement.perfect_predictor import perfect_predictor
    from core.analysis.disagreement.perfect_predictor_picture import perfect_predictor_svg
    from core.analysis.report_files import table_files
    from core.study.whole_files import write_folder

    folder = output_folder(options)
    table = perfect_predictor(repeats=options.repeats, seed=options.seed, progress=progress)
    settings = {
        "made by": f"Loupe {__version__}",
        "experiment": options.name,
        "seed": str(options.seed),
        "source": "Mimori 2021, fig. 2",
    }
    files = [
        *table_files(options.name, table, settings),
        (f"{options.name}.svg", perfect_predictor_svg(table)),
    ]
    write_folder(folder, files, overwrite=options.overwrite)
    for ending in (".csv", ".svg"):
        say(str(folder / f"{options.name}{ending}"))
    return 0
