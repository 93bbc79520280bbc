"""The commands that hand over to the dashboard: open, picture, figure and report."""

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
from core.cli.options import add_options, chosen
from core.cli.places import (
    add_output,
    add_study,
    output_folder,
    path_argument,
    path_as_given,
    port_argument,
)
from core.cli.recipe_options import recipe_of
from core.cli.where import add_where, given
from core.cli.words import Parser

if TYPE_CHECKING:
    pass


def add_commands(commands: argparse._SubParsersAction[Parser]) -> None:
    """`open`, `picture`, `figure` and `report` with their options."""
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
        help="list the N least certain cases by name with their metadata, and name raters and who reviewed; "
        "without it no case is named, and raters and readers of review rounds are numbered",
    )
    command.add_argument(
        "--name-raters", action="store_true", help="name the raters where no case is listed too"
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
    link = _with_choice(options, options.link)
    more = (
        ["--images"] * options.images
        + ["--name-raters"] * options.name_raters
        + [
            f"--link={link}",
            f"--sections={options.sections}",
            f"--format={options.format}",
        ]
    )
    if options.second is not None:
        second = path_argument(options.second)
        require_apart(out.parent, sources=[second])
        more.append(f"--second={second}")
    if options.against_link is not None:
        more.append(f"--against-link={_with_choice(options, options.against_link)}")
    more += [f"--cases={options.cases}", f"--recipe={_recipe(options)}"]
    return _hand_over(options, "dashboard.report", str(options.study), str(out), *more)


def _recipe(options: argparse.Namespace) -> str:
    """What was asked for, as a word for a part of the dashboard, which leaves it beside what it writes."""
    from core.analysis.recipe import handed_on

    return handed_on(recipe_of(options))


def _with_choice(options: argparse.Namespace, link: str) -> str:
    """An address with what is chosen of the study beside it: a condition on the cases, dangers."""
    for flag, (of, value) in given(options).items():
        name = of.address or of.name
        if name in parse_qs(urlsplit(link).query):
            raise ValueError(f"the address has {name} already: give it there or by {flag}")
        said = urlencode([(name, text) for text in of.linked.texts(value)])
        link += f"{'&' if '?' in link else '?'}{said}"
    return link


def _save_figures(options: argparse.Namespace) -> int:
    """Draw pages without a browser and save pictures of them by name."""
    link = _with_choice(options, options.link)
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
    link = _with_choice(options, options.link)
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
