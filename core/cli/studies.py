"""The commands about studies as such: check, import, partition and simulate."""

from __future__ import annotations

import argparse
from pathlib import Path
from typing import TYPE_CHECKING

from core.cli.output import print_problems, progress, say
from core.cli.parts import count_argument
from core.cli.places import path_argument, require_new
from core.cli.words import Parser

if TYPE_CHECKING:
    from core.study.model import Study


def add_commands(commands: argparse._SubParsersAction[Parser]) -> None:
    """`check`, `import`, `partition` and `simulate` with their options."""
    command = commands.add_parser("check", help="list everything that is wrong with a study folder")
    command.add_argument("study", type=path_argument, metavar="STUDY")
    command.set_defaults(run=_check)

    command = commands.add_parser("import", help="turn a published format into a study folder")
    command.add_argument("format", metavar="FORMAT", help="one of those that `loupe import --help` lists")
    command.add_argument("source", type=path_argument, metavar="FROM", help="file or folder to read")
    command.add_argument(
        "target", type=path_argument, metavar="TO", help="study folder to write; must be new or empty"
    )
    command.add_argument(
        "--partition",
        type=count_argument,
        metavar="CASES",
        help="write a study in parts of so many cases, as `loupe partition` does; the format is read whole "
        "first, in memory",
    )
    command.set_defaults(run=_import)
    command.epilog = "Formats: dermatology-ddx, chexpert-test, cifar10h, label-histogram, rater-matrix."

    command = commands.add_parser(
        "partition", help="divide a study of any size into parts that are read one after the other"
    )
    command.add_argument(
        "source", type=path_argument, metavar="STUDY", help="study folder, CSV or Parquet, larger than memory"
    )
    command.add_argument(
        "target", type=path_argument, metavar="TO", help="study folder to write; must be new or empty"
    )
    command.add_argument(
        "--cases", type=count_argument, default=100_000, metavar="N", help="cases of a part (100,000)"
    )
    command.set_defaults(run=_partition)

    command = commands.add_parser("simulate", help="make a study with a known truth")
    command.add_argument(
        "target", type=path_argument, metavar="TO", help="study folder to write; must be new or empty"
    )
    command.add_argument("--kind", choices=["ranking", "choice", "score"], default="ranking")
    command.add_argument("--cases", type=int, default=300)
    command.add_argument("--seed", type=int, default=0)
    command.set_defaults(run=_simulate)


def _check(options: argparse.Namespace) -> int:
    """Read a study and list its problems."""
    from core.study.reading.folder import read_study

    study = read_study(options.study, progress=progress)
    print_problems(study.notes)
    tasks = ", ".join(
        f"{task.name} ({task.kind}, {len(task.labels)} labels)" for task in study.tasks.values()
    )
    say(f"{study.name}: {study.n_cases} cases, {len(study.rater_ids)} raters, tasks: {tasks}")
    say(f"no errors, {len(study.notes)} warnings; fingerprint {study.fingerprint}")
    return 0


def _import(options: argparse.Namespace) -> int:
    """Read a published format and write a study folder."""
    from core.study.formats import import_study
    from core.study.reading.folder import write_study

    require_new(options.target, source=options.source)
    study = import_study(options.format, options.source)
    if options.partition is None:
        write_study(study, options.target)
    else:
        _write_parts(study, options.target, options.partition)
    print_problems(study.notes)
    readings = sum(task.readings.n_readings for task in study.tasks.values())
    say(f"{options.target}: {study.n_cases} cases, {readings} readings")
    return 0


def _write_parts(study: Study, target: Path, cases: int) -> None:
    """Write a study that is in memory in parts."""
    from core.study.partitions.writing import write_partitions
    from core.study.reading.folder import write_study
    from core.study.reading.scratch import scratch_folder

    with scratch_folder() as folder:
        write_study(study, folder / "study")
        write_partitions(folder / "study", target, cases=cases, progress=progress)


def _partition(options: argparse.Namespace) -> int:
    """Divide a study into parts."""
    from core.study.partitions.manifest import read_manifest
    from core.study.partitions.writing import write_partitions

    require_new(options.target, source=options.source)
    write_partitions(options.source, options.target, cases=options.cases, progress=progress)
    study = read_manifest(options.target)
    say(f"{options.target}: {study.n_cases:,} cases in {len(study.cases):,} parts")
    return 0


def _simulate(options: argparse.Namespace) -> int:
    """Draw a study with a known truth and write it."""
    from core.study.reading.folder import write_study
    from core.study.simulation.simulate import simulate

    require_new(options.target)
    simulated = simulate(options.kind, n_cases=options.cases, seed=options.seed)
    write_study(simulated.study, options.target)
    say(f"{options.target}: {simulated.study.n_cases} simulated cases")
    return 0
