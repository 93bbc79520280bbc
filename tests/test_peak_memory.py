"""What tests of memory measure is what one process held, since they began."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import peak_memory
import pytest

HELD = 100 * 2**20
CHILD = "import peak_memory; print(peak_memory.peak())"

pytestmark = pytest.mark.skipif(not Path("/proc/self/clear_refs").exists(), reason="memory as Linux tells it")


def test_growth_below_an_earlier_peak_is_seen() -> None:
    """What was held and given back before counts no more; what is held now, and given back, does."""
    for _ in range(2):
        before = peak_memory.begin()
        assert peak_memory.peak() - before < HELD / 2
        held = b"x" * HELD
        del held
        assert 0.9 * HELD < peak_memory.peak() - before < 1.5 * HELD


def test_what_the_parent_holds_is_not_counted() -> None:
    """A process that is started from a large one, and does nothing, is small."""
    held = b"x" * HELD
    environment = os.environ | {"PYTHONPATH": str(Path(peak_memory.__file__).parent)}
    done = subprocess.run([sys.executable, "-c", CHILD], env=environment, capture_output=True, check=True)
    assert int(done.stdout) < len(held)
