"""The commands about studies as such: open, picture, figure, report, check, import, simulate."""

from __future__ import annotations

import argparse
import errno
import os
import subprocess
import sys
from pathlib import Path
from typing import TYPE_CHECKING
from urllib.parse import parse_qs, urlencode, urlsplit

from core import interrupt
from core.analysis.picture_form import PictureForm
from core.analysis.table_choice import TableChoice
from core.cli.evaluation import count_argument
from core.cli.options import add_options, chosen
from core.cli.output import print_problems, progress, say
from core.cli.places import (
    add_output,
    add_study,
    output_folder,
    path_argument,
    path_as_given,
    port_argument,
    require_new,
)
from core.cli.recipe_options import recipe_of
from core.cli.where import add_where
from core.cli.words import Parser
from core.study.settings import CaseChoice

if TYPE_CHECKING:
    from core.study.model import Study


def add_commands(commands: argparse._SubParsersAction[Parser]) -> None:
    """`open`, `picture`, `figure`, `report`, `check`, `import` and `simulate` with their options."""
    command = commands.add_parser("open", help="open the dashboard on a study (the default command)")
    command.add_argument(
        "study", nargs="?", type=path_argument, metavar="STUDY", help="study folder; a sample if left out"
    )
    command.add_argument("--port", type=port_argument, help="port on this computer")
    command.add_argument("--no-browser", action="store_true", help="print the address, open no browser")
    command.set_defaults(run=open_dashboard)

    command = commands.add_parser(
        "picture", help="save the pictures of a page of the dashboard, with their data"
    )
    add_study(command, help="study folder")
    command.add_argument(
        "--link",
        required=True,
        metavar="ADDRESS",
        help="address of the page, from the browser, or its end: /models?reliability=3; of the study STUDY",
    )
    command.add_argument("--kind", choices=["svg", "png", "pdf"], default="svg")
    add_where(command)
    add_output(command)
    command.set_defaults(run=_save_pictures)

    _add_report(commands)
    _add_figure(commands)

    command = commands.add_parser("check", help="list everything that is wrong with a study folder")
    command.add_argument("study", type=path_argument, metavar="STUDY")
    command.set_defaults(run=_check)
    _add_making(commands)


def _add_making(commands: argparse._SubParsersAction[Parser]) -> None:
    """`import` and `simulate` with their options."""
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
        help="write a study in parts of so many cases, as `loupe partition` does",
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


def _add_report(commands: argparse._SubParsersAction[Parser]) -> None:
    """The command `report` and its options."""
    command = commands.add_parser(
        "report", help="write what a study shows as one file: words, tables and pictures of the pages"
    )
    add_study(command, help="study folder")
    command.add_argument(
        "second", nargs="?", type=path_as_given, metavar="SECOND", help="another, to lay beside it"
    )
    command.add_argument(
        "--out",
        type=path_argument,
        required=True,
        metavar="FILE",
        help="file to write: report.html; the recipe that makes it again lies beside it",
    )
    command.add_argument("--overwrite", action="store_true", help="replace the file where it is there")
    command.add_argument(
        "--link",
        default="",
        metavar="ADDRESS",
        help="settings: an address from the browser, or ?reliability=3",
    )
    command.add_argument(
        "--against-link",
        metavar="ADDRESS",
        help="settings of the second one: both are laid side by side, with what differs",
    )
    command.add_argument(
        "--sections",
        default="",
        metavar="NAMES",
        help="sections in their order, with commas between: study,reliability,models,disagreement,raters,"
        "review,checklist (all of them, unless given)",
    )
    command.add_argument(
        "--cases",
        type=int,
        default=0,
        metavar="N",
        help="list the N least certain cases by name with their metadata, and name who reviewed; without it "
        "no case is named, and readers of review rounds are numbered",
    )
    command.add_argument(
        "--images",
        action="store_true",
        help="show the images of the cases that --cases lists, made small, as far as 5 MB have room for them",
    )
    command.add_argument("--format", choices=["html", "pdf"], default="html", help="a PDF takes Chromium")
    add_where(command)
    command.set_defaults(run=_write_report, folder="report", parser=command)


def _add_figure(commands: argparse._SubParsersAction[Parser]) -> None:
    """The command `figure` and its options."""
    command = commands.add_parser(
        "figure",
        help="save pictures of the dashboard by name as a journal prints them, with their data",
        description="Names are those that --list gives. Without --link a picture is of the page as it opens.",
    )
    add_study(command, help="study folder")
    command.add_argument(
        "names", nargs="*", default=[], metavar="NAME", help="of a picture; with --link all of that page"
    )
    command.add_argument("--list", action="store_true", help="list the names of all pictures of all pages")
    command.add_argument("--all", action="store_true", help="all pictures of all pages")
    command.add_argument(
        "--link", default="", metavar="ADDRESS", help="address of the page, from the browser, or its end"
    )
    add_options(command, PictureForm)
    add_where(command)
    add_output(command, required=False)
    command.set_defaults(run=_save_figures)


def open_dashboard(options: argparse.Namespace) -> int:
    """Start the dashboard and stay until it is stopped."""
    if options.study is not None and not os.path.isdir(options.study):
        raise NotADirectoryError(errno.ENOTDIR, "Expected the folder of a study", str(options.study))
    more = [] if options.study is None else [str(options.study)]
    if options.port is not None:
        more += ["--port", str(options.port)]
    if options.no_browser:
        more.append("--no-browser")
    return _become("dashboard", *more)


def _write_report(options: argparse.Namespace) -> int:
    """Draw pages without a browser and write a report of them."""
    from core.analysis.recipe import beside
    from core.study.output_place import require_apart, require_writable

    out: Path = options.out
    if out.is_dir() or out.suffix.lower() != f".{options.format}":
        raise ValueError(f"--out must be a file that ends in .{options.format}, got {out}")
    for path in (out, out.with_name(beside(out.name))):
        if path.exists() and not options.overwrite:
            raise ValueError(f"{path} is there already; give --overwrite to replace it, or another --out")
    if not out.parent.is_dir() and "again" not in options:
        raise NotADirectoryError(errno.ENOTDIR, "Expected a folder that is there", str(out.parent))
    require_apart(out.parent, sources=[options.study])
    require_writable(out.parent)
    if options.images and not options.cases:
        raise ValueError("--images shows the images of the cases that are listed: give --cases N too")
    link = _with_condition(options, options.link)
    more = ["--images"] * options.images + [
        f"--link={link}",
        f"--sections={options.sections}",
        f"--format={options.format}",
    ]
    if options.second is not None:
        second = path_argument(options.second)
        require_apart(out.parent, sources=[second])
        more.append(f"--second={second}")
    if options.against_link is not None:
        more.append(f"--against-link={_with_condition(options, options.against_link)}")
    more += [f"--cases={options.cases}", f"--recipe={_recipe(options)}"]
    return _hand_over(options, "dashboard.report", str(options.study), str(out), *more)


def _recipe(options: argparse.Namespace) -> str:
    """What was asked for, as a word for a part of the dashboard, which leaves it beside what it writes."""
    from core.analysis.recipe import handed_on

    return handed_on(recipe_of(options))


def _with_condition(options: argparse.Namespace, link: str) -> str:
    """An address with the condition on the cases that is given beside it."""
    where = chosen(CaseChoice, options).where
    if where:
        if "where" in parse_qs(urlsplit(link).query):
            raise ValueError("the address has a condition on the cases already: give it there or by --where")
        link += f"{'&' if '?' in link else '?'}{urlencode({'where': where})}"
    return link


def _save_figures(options: argparse.Namespace) -> int:
    """Draw pages without a browser and save pictures of them by name."""
    link = _with_condition(options, options.link)
    place = ["--link", link] if options.link and not options.all else ["--query", link]
    if options.list:
        return _become("dashboard.figures", str(options.study), *place)
    if options.out is None:
        raise ValueError("give --out DIR for the pictures, or --list for their names")
    if not options.names and not options.link and not options.all:
        raise ValueError("give the name of a picture (--list lists them), --link for all of a page, or --all")
    if options.all and (options.names or urlsplit(options.link).path.strip("/")):
        raise ValueError(
            "--all takes neither names nor a page; leave it out, or give a --link like ?reliability=3"
        )
    form = chosen(PictureForm, options)
    how = ["--width", form.width, "--format", form.format, "--dpi", str(form.dpi)]
    more = ["--overwrite"] if options.overwrite else []
    more += ["--tables", ",".join(chosen(TableChoice, options).tables)]
    folder = str(output_folder(options))
    more.append(f"--recipe={_recipe(options)}")
    study = str(options.study)
    return _hand_over(
        options, "dashboard.figures", study, *options.names, *place, *how, "--folder", folder, *more
    )


def _save_pictures(options: argparse.Namespace) -> int:
    """Draw a page without a browser and save its pictures."""
    link = _with_condition(options, options.link)
    folder = str(output_folder(options))
    more = ["--overwrite"] if options.overwrite else []
    more += ["--tables", ",".join(chosen(TableChoice, options).tables)]
    more.append(f"--recipe={_recipe(options)}")
    return _hand_over(options, "dashboard.pictures", str(options.study), link, options.kind, folder, *more)


def _hand_over(options: argparse.Namespace, module: str, *arguments: str) -> int:
    """Have a part of the dashboard do the work, and come back where more is to be done; its status."""
    return (_wait_for if "again" in options else _become)(module, *arguments)


def _wait_for(module: str, *arguments: str) -> int:
    """Run a part of the dashboard to its end, which is also that of whoever ends this command."""
    with subprocess.Popen([sys.executable, "-P", "-m", module, *arguments]) as process:  # noqa: S603
        try:
            status = process.wait()
        except BaseException:
            process.terminate()
            raise
    return status if status >= 0 else 128 - status


def _become(module: str, *arguments: str) -> int:
    """Run a part of the dashboard in place of this command; what it ends with."""
    # -P: a folder called `core` or `dashboard` where the command is given must not get in the way.
    command = [sys.executable, "-P", "-m", module, *arguments]
    if os.name == "posix":
        # Become it: whoever ends this command ends it, and nothing is left behind.
        interrupt.hold_back()
        os.execv(command[0], command)  # noqa: S606
    return subprocess.call(command)  # noqa: S603


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
