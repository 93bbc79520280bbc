"""Being asked to end: at once where there is nothing yet to be put in order, else after clearing away."""

from __future__ import annotations

import os
import signal
import sys
from threading import Timer, main_thread
from typing import Any

_SOON = 0.05
"""Seconds after which a signal that was lost comes again."""
_BY_SIGNAL = {SystemExit: signal.SIGTERM, KeyboardInterrupt: signal.SIGINT}
"""What unwinds a command, and the signal that raises it."""
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


def end_when_asked() -> None:
    """Let a request to end unwind this process, so that it clears away what it has begun to write.

    What C calls back, as a compiler does when a kernel is ready, hands no exception on: the request would be
    lost there, and is made again.
    """
    signal.signal(signal.SIGTERM, lambda *_: sys.exit(128 + signal.SIGTERM))
    if getattr(sys.unraisablehook, "__name__", "") == _ask_again.__name__:
        return
    others = sys.unraisablehook

    def ask_again(lost: Any) -> None:
        _ask_again(lost, others)

    ask_again.__name__ = _ask_again.__name__
    sys.unraisablehook = ask_again


def _ask_again(lost: Any, others: Any) -> None:
    """Make a request to end again that was raised where nothing could be; anything else is for ``others``."""
    number = _BY_SIGNAL.get(lost.exc_type)
    if number is None:
        others(lost)
        return
    again = Timer(_SOON, _send, [number])
    again.daemon = True
    again.start()


def _send(number: signal.Signals) -> None:
    """Send a signal to where Python hears it, even where that waits for something else."""
    if hasattr(signal, "pthread_kill"):
        signal.pthread_kill(main_thread().ident or 0, number)
    else:
        signal.raise_signal(number)
