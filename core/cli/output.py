"""What the commands print, and what they refuse."""

from __future__ import annotations

import sys
from collections.abc import Sequence

from core.study.problems import Problem


def say(text: str) -> None:
    """Write a line of the result."""
    print(text)  # noqa: T201


def show_progress(share: float, what: str) -> None:
    """Show on standard error how far the work is; only where somebody looks."""
    if sys.stderr.isatty():
        end = "\n" if share >= 1 else ""
        print(f"\r\033[K{share:4.0%} {what}", end=end, file=sys.stderr, flush=True)  # noqa: T201


def print_problems(problems: Sequence[Problem]) -> None:
    """Write problems to standard error, errors first."""
    for problem in sorted(problems, key=lambda p: p.severity != "error"):
        print(f"{problem.severity}: {problem}", file=sys.stderr)  # noqa: T201
