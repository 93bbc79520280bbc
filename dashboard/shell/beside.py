"""Commands in a process of their own, which leaves the pages their time."""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Callable, Sequence
from pathlib import Path
from queue import Empty, Queue
from threading import Thread
from typing import IO

_ROOT = Path(__file__).parents[2]
_EVERY = 0.5
"""Seconds after which somebody may stop the work."""
_GRACE = 60.0
"""Seconds in which a process that is to end may clear away what it has begun."""
_ERROR = "error: "


def run_beside(module: str, arguments: Sequence[str], hear: Callable[[str], None]) -> None:
    """Run a module of Loupe in a process of its own, and wait for its end.

    Parameters
    ----------
    module : str
        As ``python -m`` takes it.
    arguments : sequence of str
        Of the command line.
    hear : callable
        Called with each line that the process says on standard error, and with an empty one whenever it has
        said nothing for a while. What it raises ends the process, which first may clear away what it has
        begun.

    Raises
    ------
    ValueError
        If the process ends otherwise than well: its first error, or else the last that it said.
    """
    lines: Queue[str] = Queue()
    said, error = "", ""
    with subprocess.Popen(  # noqa: S603
        [sys.executable, "-P", "-m", module, *arguments],
        stdout=subprocess.DEVNULL,
        stderr=subprocess.PIPE,
        text=True,
        encoding="utf-8",
        env=os.environ | {"PYTHONPATH": os.pathsep.join([str(_ROOT), os.environ.get("PYTHONPATH", "")])},
    ) as process:
        try:
            assert process.stderr is not None
            Thread(target=_hear, args=(process.stderr, lines), daemon=True).start()
            while process.poll() is None or not lines.empty():
                try:
                    line = lines.get(timeout=_EVERY).strip()
                except Empty:
                    line = ""
                said = line or said
                if not error and line.startswith(_ERROR):
                    error = line.removeprefix(_ERROR)
                hear(line)
        except BaseException:
            _end(process)
            raise
    if process.returncode:
        raise ValueError(error or said.removeprefix("loupe: ") or "it ended without saying why")


def _end(process: subprocess.Popen[str]) -> None:
    """Ask a process to end, and make it where it does not."""
    process.terminate()
    try:
        process.wait(_GRACE)
    except subprocess.TimeoutExpired:
        process.kill()


def _hear(said: IO[str], lines: Queue[str]) -> None:
    """Take over what a process says, line by line."""
    for line in said:
        lines.put(line)
