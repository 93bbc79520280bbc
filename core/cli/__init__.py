"""The command line: everything that yields numbers in the dashboard, without the dashboard."""

from __future__ import annotations

import argparse
import sys
from collections.abc import Sequence
from io import TextIOWrapper
from threading import current_thread, main_thread

from core import __version__, interrupt
from core.cli import (
    again,
    checklist,
    dictionary,
    evaluation,
    experiment,
    models,
    raters,
    reviews,
    shown,
    studies,
    whole,
)
from core.cli.output import PRINTED, complain, finish, print_problems, progress, refusal, silence
from core.cli.samples import sample_folder
from core.cli.words import Parser, misspelt
from core.study.problems import StudyError

__all__ = ["main", "sample_folder"]


def main(arguments: Sequence[str] | None = None) -> int:
    """Run one command; return the exit status: 0 done, 1 refused, 2 wrong usage, 130 stopped by Ctrl+C."""
    # What a terminal cannot write, in whatever language, is written as its code.
    for stream in (sys.stdout, sys.stderr):
        if isinstance(stream, TextIOWrapper):
            stream.reconfigure(errors="backslashreplace")
    if current_thread() is main_thread():
        # Whoever ends this command, a queue or a shutdown, lets it clear away what it has begun to write.
        interrupt.end_when_asked()
    try:
        try:
            return _run(sys.argv[1:] if arguments is None else arguments)
        finally:
            finish()
    except BrokenPipeError:
        # Whoever read has left, as in `loupe … | head`.
        silence()
        return 128 + 13
    except OSError as refused:
        complain(f"loupe: {refusal(refused)}")
        silence()
        return 1


def _run(arguments: Sequence[str]) -> int:
    """Run one command, and say in a line why it was refused."""
    parser, commands = _parsers()
    try:
        progress.begin()
        wrong = misspelt(arguments, parser, commands)
        if wrong is not None:
            complain(f"loupe: {wrong}")
            return 2
        options = parser.parse_args(arguments)
        return options.run(options)
    except OSError as refused:
        # Help is printed by what reads the arguments, which says nothing of where it could not.
        if refused.filename == PRINTED or isinstance(refused, BrokenPipeError):
            raise
        complain(f"loupe: {refusal(refused)}")
    except MemoryError:
        complain("loupe: there is not enough memory for this; close other programs, or ask for less")
    except StudyError as refused:
        print_problems(refused.problems)
    except ValueError as refused:
        complain(f"loupe: {refused}")
    except KeyboardInterrupt:
        complain("loupe: stopped")
        return 130
    return 1


def _parsers() -> tuple[Parser, dict[str, Parser]]:
    """All commands and their options: the parser of the whole, and that of each command by its name."""
    parser = Parser(
        prog="loupe",
        description="Judge medical AI when experts disagree about the truth. Not for diagnosis.",
        epilog="Without a command, the dashboard opens on a sample study: the tour at first, later the page "
        "that was open last.",
    )
    parser.add_argument("--version", action="version", version=f"Loupe {__version__}")
    parser.set_defaults(run=shown.open_dashboard, study=None, port=None, no_browser=False)
    commands: argparse._SubParsersAction[Parser] = parser.add_subparsers(title="commands", metavar="COMMAND")
    for part in (
        shown,
        studies,
        evaluation,
        models,
        raters,
        checklist,
        reviews,
        experiment,
        dictionary,
        again,
        whole,
    ):
        part.add_commands(commands)
    return parser, dict(commands.choices)
