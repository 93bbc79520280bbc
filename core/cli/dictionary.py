"""The command `columns`: what every column of every table means."""

from __future__ import annotations

import argparse

from core.cli.output import say
from core.cli.words import Parser


def add_commands(commands: argparse._SubParsersAction[Parser]) -> None:
    """`columns` with its options."""
    command = commands.add_parser(
        "columns", help="list every column of every table that commands write, as Markdown"
    )
    command.add_argument("--json", action="store_true", help="as JSON")
    command.set_defaults(run=_columns)


def _columns(options: argparse.Namespace) -> int:
    """Print the data dictionary."""
    from core.analysis.columns import dictionary_json, dictionary_markdown

    for line in (dictionary_json() if options.json else dictionary_markdown()).splitlines():
        say(line)
    return 0
