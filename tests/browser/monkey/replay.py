"""Run the script of a walk again, and look for its shortest end that still fails."""

from __future__ import annotations

import tempfile
import time
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from browser.forked import started
from browser.monkey.steps import Step
from browser.monkey.walk import Fault, Server, Walk
from browser.server import browse


@contextmanager
def dashboard(folder: Path, *, environment: Mapping[str, str] | None = None) -> Iterator[Server]:
    """A dashboard to walk over."""
    with started(folder, environment=environment) as (url, process):
        yield Server(url, folder / "server.log", process)


def attempt(browser: Any, server: Server, starts: list[str], steps: list[Step]) -> str:
    """Take steps again; what fails, or nothing."""
    walk = None
    try:
        walk = Walk(browser, server, starts)
        for step in steps:
            walk.offered(step.tab)
            walk.take(step)
        walk.rest()
        walk.compare()
    except Fault as fault:
        return str(fault)
    finally:
        if walk is not None:
            walk.close()
    return ""


def replay(starts: list[str], steps: list[Step]) -> None:
    """Take the steps of a script on a dashboard of its own; raise `Fault` where they fail."""
    with tempfile.TemporaryDirectory() as folder, dashboard(Path(folder)) as server, browse() as browser:
        failure = attempt(browser, server, starts, steps)
    if failure:
        raise Fault(failure)


MOST_SEARCH = 60.0
"""Seconds after which no shorter end of a walk is looked for: one that hangs does so at every attempt."""


def shortest(
    browser: Any, server: Server, walk: Walk, *, most: int = 16
) -> tuple[list[str], list[Step], bool]:
    """The shortest end of a failed walk, of a few lengths, that fails when it is taken alone.

    Where none does, it is the whole walk, taken once more. Last comes whether it failed again.
    """
    length, end = 1, time.monotonic() + MOST_SEARCH
    while length <= min(most, len(walk.steps)) and time.monotonic() < end:
        starts, steps = walk.places[-length], walk.steps[-length:]
        if attempt(browser, server, starts, steps):
            return starts, steps, True
        length *= 2
    return walk.places[0], walk.steps, bool(attempt(browser, server, walk.places[0], walk.steps))
