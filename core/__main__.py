"""The command ``loupe``: from its first moment on, Ctrl+C ends it with one line."""

from __future__ import annotations

import signal
import sys

from core import interrupt


def main() -> int:
    """Run one command; return the exit status."""
    interrupt.leave_at_once()
    from core.cli import main as run

    signal.signal(signal.SIGINT, signal.default_int_handler)
    return run()


if __name__ == "__main__":
    sys.exit(main())
