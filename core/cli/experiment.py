"""The command `experiment`: a published simulation as table and picture."""

from __future__ import annotations

import argparse
from pathlib import Path

from core import __version__
from core.cli.output import say, show_progress


def add_commands(commands: argparse._SubParsersAction[argparse.ArgumentParser]) -> None:
    """`experiment` with its options."""
    command = commands.add_parser("experiment", help="repeat a published simulation: table and picture")
    command.add_argument("name", choices=["perfect-predictor"], help="which (Mimori 2021, fig. 2)")
    command.add_argument("--out", type=Path, required=True, metavar="DIR", help="folder for what it writes")
    command.add_argument("--repeats", type=int, default=100, help="simulated studies of each size")
    command.add_argument("--seed", type=int, default=0)
    command.set_defaults(run=_experiment)


def _experiment(options: argparse.Namespace) -> int:
    """Run a published simulation and write its table and picture."""
    from core.analysis.export import guarded_csv
    from core.analysis.perfect_predictor import perfect_predictor
    from core.analysis.perfect_predictor_picture import perfect_predictor_svg

    table = perfect_predictor(repeats=options.repeats, seed=options.seed, progress=show_progress)
    settings = {
        "made by": f"Loupe {__version__}",
        "experiment": options.name,
        "seed": str(options.seed),
        "source": "Mimori 2021, fig. 2",
    }
    options.out.mkdir(parents=True, exist_ok=True)
    written = {".csv": guarded_csv(table, provenance=settings), ".svg": perfect_predictor_svg(table)}
    for suffix, text in written.items():
        path = options.out / f"{options.name}{suffix}"
        path.write_text(text, encoding="utf-8")
        say(str(path))
    return 0
