"""Compile the numeric kernels in a second process when an installation is used for the first time.

On a first start this process spends 9 s of processor time until its first worklist, imports included, in
place of 23 s where it compiles alone (medians of five starts in turn, from nothing). What later pages need
takes another 34 s, a case 23 of them, for which nobody waits.
"""

from __future__ import annotations

import subprocess
import sys
from threading import Event, Thread

from core.analysis.compile_ahead import SAMPLER, can_be_stored, compile_worklist, is_compiled

MOST_WAIT = 60.0
"""Seconds after which whoever waits goes on and compiles by itself."""

_ready = Event()
_ready.set()


def begin() -> None:
    """Start compiling, unless all is compiled: the sampler in a process of its own, the worklist here.

    Where compiled code cannot be kept, another process would compile for itself alone.
    """
    if is_compiled():
        return
    if can_be_stored():
        _ready.clear()
        Thread(target=_run, name="loupe-compile", daemon=True).start()
    compile_worklist()


def _run() -> None:
    """Follow the second process; however it ends, nobody waits for it any longer."""
    try:
        command = [sys.executable, "-P", "-m", "core.analysis.compile_ahead"]
        # Its input stays open as long as this process lives, and tells it when to leave.
        with subprocess.Popen(  # noqa: S603
            command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True
        ) as process:
            for line in process.stdout or ():
                if line.strip() == SAMPLER:
                    _ready.set()
    finally:
        _ready.set()


def in_progress() -> bool:
    """Whether the sampler is being compiled."""
    return not _ready.is_set()


def wait() -> None:
    """Wait until the sampler is compiled, or seems not to be."""
    _ready.wait(MOST_WAIT)
