"""What the commands print: results, problems, progress; text from files steers no terminal."""

from __future__ import annotations

import errno
import os
import sys
import time
from collections.abc import Iterator, Sequence
from contextlib import contextmanager, suppress

from core.study.problems import LONGEST_TEXT, Problem, visible

PRINTED = "standard output"
"""Names it where a file would be named."""
_MENDS = {
    errno.ENOSPC: "; free some space and run the command again",
    errno.EDQUOT: "; free some space and run the command again",
    errno.EFBIG: "; files here may not grow so large: raise that limit, or give another place",
    errno.EACCES: "; give a place that you may read and write",
    errno.EROFS: "; give a place that you may write",
    errno.ENAMETOOLONG: "; give a shorter path",
    errno.ELOOP: "; links lead round in a circle here: give the path that they stand for",
}
"""What to do about errors of the system."""
_FIRST_WAIT = 2.0
"""Seconds without a word where nobody looks; quick work says nothing."""
_LONGEST_WAIT = 10.0
_STEP = 0.1


def shortened(text: str, *, most: int = LONGEST_TEXT) -> str:
    """Text as a message shows it: `visible`, and where it is too long without its middle.

    The beginning says what was expected, the end what came.
    """
    seen = visible(text)
    if len(seen) <= most:
        return seen
    end = most // 3
    return f"{seen[: most - end - 3]} … {seen[-end:]}"


def say(text: str) -> None:
    """Write a line of the result."""
    progress.clear()
    with _printing():
        print(visible(text))  # noqa: T201


def complain(text: str) -> None:
    """Write a message to standard error, in one line."""
    progress.clear()
    print(shortened(text), file=sys.stderr)  # noqa: T201


def print_problems(problems: Sequence[Problem]) -> None:
    """Write problems to standard error, errors first."""
    progress.clear()
    for problem in sorted(problems, key=lambda p: p.severity != "error"):
        print(f"{problem.severity}: {problem}", file=sys.stderr)  # noqa: T201


def finish() -> None:
    """Have everything that was said be written."""
    progress.clear()
    with _printing():
        sys.stdout.flush()


@contextmanager
def _printing() -> Iterator[None]:
    """Name what cannot be written."""
    try:
        yield
    except OSError as error:
        raise OSError(error.errno, error.strerror, PRINTED) from error


def refusal(error: OSError) -> str:
    """What the system refused, where, and what to do about it."""
    what = error.strerror or str(error)
    where = "" if error.filename is None else f"{os.fsdecode(error.filename)}: "
    return f"{where}{what}{_MENDS.get(error.errno or 0, '')}"


def silence() -> None:
    """Write nothing any more, where nobody reads or nothing can be written."""
    nowhere = os.open(os.devnull, os.O_WRONLY)
    for stream in (sys.stdout, sys.stderr):
        with suppress(OSError, ValueError):
            os.dup2(nowhere, stream.fileno())
    os.close(nowhere)


class ProgressLine:
    """How far long work is, on standard error.

    One line that changes where somebody looks; elsewhere, as in the log of a queue, a plain line from time to
    time: after the first seconds, then for every tenth of the work, or when nothing was said for a while.
    """

    def __init__(self) -> None:
        self._is_open = False
        self._said: tuple[float, float] | None = None

    def __call__(self, share: float, what: str) -> None:
        """Show the share done, from 0 to 1, and what is being done."""
        line = f"{share:4.0%} {shortened(what, most=60)}"
        if sys.stderr.isatty():
            self._is_open = True
            print(f"\r\033[K{line}", end="", file=sys.stderr, flush=True)  # noqa: T201
        elif self._is_time(share):
            print(line.strip(), file=sys.stderr, flush=True)  # noqa: T201

    def clear(self) -> None:
        """Make place for other words."""
        if self._is_open:
            self._is_open = False
            print("\r\033[K", end="", file=sys.stderr, flush=True)  # noqa: T201

    def begin(self) -> None:
        """Begin anew, with another command."""
        self._said = None

    def _is_time(self, share: float) -> bool:
        now = time.monotonic()
        if self._said is None:
            self._said = (now, share)
            return False
        waited, gained = now - self._said[0], abs(share - self._said[1])
        if waited < _FIRST_WAIT or (gained < _STEP and waited < _LONGEST_WAIT):
            return False
        self._said = (now, share)
        return True


progress = ProgressLine()
"""Of the command that runs."""
