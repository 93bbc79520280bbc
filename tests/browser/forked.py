"""Dashboards that begin where all imports are done: children of one process that has done them once.

An import of Streamlit, pandas, Plotly and numba takes 3 s of processor time, more than most tests need of a
dashboard of their own. Tests of the start itself, and benchmarks, take those of `browser.server`.
"""

from __future__ import annotations

import json
import os
import select
import signal
import subprocess
import sys
import tempfile
from collections.abc import Mapping
from contextlib import suppress
from functools import cache, partial
from pathlib import Path

from browser import server
from browser.outside import WATCHED

FORKER = Path(__file__).with_name("forker.py")


class Forked:
    """A child of the forker, which is ended and waited for as one of `subprocess` is.

    Parameters
    ----------
    pid : int
        Its number.
    """

    def __init__(self, pid: int) -> None:
        self.pid = pid
        self._end = os.pidfd_open(pid)

    def poll(self) -> int | None:
        """Whether it goes on, which is None, or has ended."""
        return 0 if select.select([self._end], [], [], 0)[0] else None

    def terminate(self) -> None:
        """Ask it to end."""
        self._send(signal.SIGTERM)

    def kill(self) -> None:
        """End it."""
        self._send(signal.SIGKILL)

    def wait(self, seconds: float) -> None:
        """Wait until it has ended.

        Raises
        ------
        subprocess.TimeoutExpired
            If it goes on for longer.
        """
        if not select.select([self._end], [], [], seconds)[0]:
            raise subprocess.TimeoutExpired(str(self.pid), seconds)
        os.close(self._end)

    def _send(self, number: signal.Signals) -> None:
        with suppress(ProcessLookupError):
            signal.pidfd_send_signal(self._end, number)


@cache
def _forker() -> subprocess.Popen[str]:
    """The one process of these tests; it ends with them, when nobody can write to it any more."""
    paths = os.pathsep.join([str(server.ROOT), str(WATCHED)])
    with tempfile.TemporaryDirectory() as folder:
        asked = Path(folder) / "asked"
        forker = subprocess.Popen(
            [sys.executable, "-P", str(FORKER)],
            env=os.environ | {"PYTHONPATH": paths, "LOUPE_TEST_ASKED": str(asked)},
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            text=True,
        )
        assert forker.stdout is not None
        assert forker.stdout.readline() == "ready\n", "it did not start"
        assert not asked.exists(), f"an import asked the outside: {asked.read_text()}"
    return forker


def fork(program: list[str], folder: Path, environment: Mapping[str, str], log: Path) -> Forked:
    """Become a program of Python, given as to its command: ``-m`` or ``-c`` and what follows."""
    forker = _forker()
    assert forker.stdin is not None
    assert forker.stdout is not None
    asked = {"program": program, "folder": str(folder), "environment": dict(environment), "log": str(log)}
    forker.stdin.write(f"{json.dumps(asked)}\n")
    forker.stdin.flush()
    return Forked(int(forker.stdout.readline()))


CAN_FORK = sys.platform == "linux"
"""Whether a process can be forked that has done as much, and be waited for by whoever is not its parent."""
serve = partial(server.serve, start=fork) if CAN_FORK else server.serve
started = partial(server.started, start=fork) if CAN_FORK else server.started
