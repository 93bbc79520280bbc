"""The command line: everything that yields numbers in the dashboard, without the dashboard."""

from __future__ import annotations

import argparse
import sys
from collections.abc import Sequence

from core import __version__
from core.cli import evaluation, experiment, models, raters, studies
from core.cli.output import print_problems
from core.cli.samples import sample_folder
from core.study.problems import StudyError

__all__ = ["main", "sample_folder"]


def main(arguments: Sequence[str] | None = None) -> int:
    """Run one command; return the exit status: 0 done, 1 refused, 2 wrong usage."""
    options = _parser().parse_args(arguments)
    try:
        return options.run(options)
    except StudyError as refused:
        print_problems(refused.problems)
        return 1
    except (ValueError, OSError) as refused:
        print(f"loupe: {refused}", file=sys.stderr)  # noqa: T201
        return 1
    except KeyboardInterrupt:
        print("\nloupe: stopped", file=sys.stderr)  # noqa: T201
        return 130


def _parser() -> argparse.ArgumentParser:
    """All commands and their options."""
    parser = argparse.ArgumentParser(
        prog="loupe",
        description="Judge medical AI when experts disagree about the truth. Not for diagnosis.",
        epilog="Without a command, the dashboard opens on a sample study.",
    )
    parser.add_argument("--version", action="version", version=f"Loupe {__version__}")
    parser.set_defaults(run=studies.open_dashboard, study=None, port=None, no_browser=False)
    commands = parser.add_subparsers(title="commands", metavar="COMMAND")
    for part in (studies, evaluation, models, raters, experiment):
        part.add_commands(commands)
    return parser
