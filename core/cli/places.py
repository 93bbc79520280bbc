"""Where commands read and write: paths as options, and what is refused before the work begins."""

from __future__ import annotations

import argparse
from pathlib import Path
from typing import TYPE_CHECKING, Any

from core.analysis.table_choice import TableChoice
from core.cli.options import add_options, chosen
from core.cli.recipe_options import recipe_of

if TYPE_CHECKING:
    from core.analysis.report_files import Output


def path_argument(text: str) -> Path:
    """Parse a path; a tilde in front is a home folder."""
    if not text or "\0" in text:
        raise argparse.ArgumentTypeError(f"expected a path, got {text!r}")
    try:
        return Path(text).expanduser()
    except RuntimeError as error:
        raise argparse.ArgumentTypeError(f"expected the path of a known person, got {text!r}") from error


def path_as_given(text: str) -> str:
    """Take a path as it was typed, if it is one."""
    path_argument(text)
    return text


class _Study(argparse.Action):
    """Takes the path of a study, and keeps it as it was typed too."""

    def __call__(self, _parser: Any, given: argparse.Namespace, values: Any, _option: Any = None) -> None:
        try:
            given.study = None if values is None else path_argument(values)
        except argparse.ArgumentTypeError as error:
            raise argparse.ArgumentError(self, str(error)) from error
        given.study_as_given = values


def add_study(command: argparse.ArgumentParser, **how: Any) -> None:
    """Add the study that a command is about; further arguments are those of ``add_argument``."""
    command.add_argument("study", action=_Study, metavar="STUDY", **how)


def port_argument(text: str) -> int:
    """Parse a port: a whole number from 1 to 65535."""
    if not text.isascii() or not text.isdigit() or not 0 < int(text[:6]) < 65536:
        raise argparse.ArgumentTypeError(f"expected a whole number from 1 to 65535, got {text!r}")
    return int(text)


def add_output(command: argparse.ArgumentParser, *, required: bool = True) -> None:
    """Add the options that say where a command writes: into a folder of its own name."""
    name = command.prog.split()[-1]
    command.add_argument(
        "--out",
        type=path_argument,
        required=required,
        metavar="DIR",
        help=f"folder for results; this command writes into DIR/{name}",
    )
    command.add_argument(
        "--overwrite", action="store_true", help=f"replace what an earlier run left in DIR/{name}"
    )
    command.set_defaults(folder=name, parser=command)
    add_options(command, TableChoice)


def output_folder(options: argparse.Namespace) -> Path:
    """Folder that a command writes into, checked: it may be written, and no study and no other work suffers.

    Raises
    ------
    ValueError, OSError
        As `core.analysis.report_files.require_free`, and where ``--out`` holds a study.
    """
    from core.analysis.report_files import require_free
    from core.study.output_place import require_apart, require_around_nothing

    folder: Path = options.out / options.folder
    studies = [] if options.study is None else [options.study]
    require_apart(folder, sources=studies)
    require_around_nothing(options.out, sources=studies)
    require_free(folder, overwrite=options.overwrite)
    return folder


def output_of(options: argparse.Namespace) -> Output:
    """Where and as what a command writes, checked as `output_folder` does."""
    return output_into(output_folder(options), options)


def wanted_output(options: argparse.Namespace) -> Output | None:
    """Where and as what a command writes that may only speak.

    Raises
    ------
    ValueError, OSError
        As `output_of`, and where tables are asked for without a place for them.
    """
    if options.out is None:
        require_out(options)
        return None
    return output_of(options)


def require_out(options: argparse.Namespace) -> None:
    """Refuse to say as what tables are written where none are."""
    if "tables" in options and options.out is None:
        raise ValueError("--tables says as what tables are written, and needs --out DIR")


def output_into(folder: Path, options: argparse.Namespace) -> Output:
    """How a command writes into a folder that was checked."""
    from core.analysis.report_files import Output

    return Output(folder, options.overwrite, chosen(TableChoice, options), recipe_of(options))


def require_new(target: Path, *, source: Path | None = None, name: str = "TO") -> None:
    """Refuse to write a study over what is there, into another study or into what it is made from.

    Raises
    ------
    ValueError, OSError
        Saying why.
    """
    from core.study.output_place import require_apart, require_writable
    from core.study.whole_files import holds_files

    if holds_files(target):
        raise ValueError(f"{name} must be a new or empty folder, got {target}, which holds files")
    require_apart(target, sources=[] if source is None else [source])
    require_writable(target)
