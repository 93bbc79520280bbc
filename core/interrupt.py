"""Ctrl+C while there is nothing yet that would have to be put in order."""

from __future__ import annotations

import os
import signal

STATUS = 128 + signal.SIGINT
"""Exit status of a command that Ctrl+C ended."""


def leave(*_: object) -> None:
    """End this process with one line, whatever it is in the middle of."""
    os.write(2, b"loupe: stopped\n")
    os._exit(STATUS)


def leave_at_once() -> None:
    """Let Ctrl+C end this process with one line from now on, in the middle of an import too.

    One that was pressed while it was held back (`hold_back`) counts.
    """
    signal.signal(signal.SIGINT, leave)
    if os.name == "posix":
        signal.pthread_sigmask(signal.SIG_UNBLOCK, {signal.SIGINT})


def hold_back() -> None:
    """Keep Ctrl+C until the program that this process is about to become is ready for it."""
    signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGINT})
