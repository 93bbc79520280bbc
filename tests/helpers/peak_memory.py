"""The most memory that a process has held, its own alone.

``ru_maxrss`` of a child also counts what its parent held when it was started, and never falls again: growth
below an earlier peak goes unseen. Linux tells, and forgets, the peak of one process.
"""

from __future__ import annotations

import re
import sys
from pathlib import Path

_OWN = Path("/proc/self")
_FORGET_PEAK = "5"
"""What to write into ``clear_refs``: see proc_pid_clear_refs(5)."""


def begin() -> int:
    """Forget the peak; return the bytes that this process holds now."""
    try:
        (_OWN / "clear_refs").write_text(_FORGET_PEAK)
    except OSError:
        return peak()
    return _told("VmRSS")


def peak() -> int:
    """The most bytes that this process has held since `begin`; since its start where that cannot be told."""
    if (_OWN / "status").exists():
        return _told("VmHWM")
    import resource

    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss * (1 if sys.platform == "darwin" else 1024)


def _told(name: str) -> int:
    found = re.search(rf"^{name}:\s+(\d+) kB$", (_OWN / "status").read_text(), re.MULTILINE)
    assert found is not None
    return int(found[1]) * 1024
