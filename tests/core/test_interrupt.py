"""A request to end, wherever in a command it comes."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
from pathlib import Path

import pytest

_LOST = """
import ctypes, os, signal, sys, time
from core import interrupt
interrupt.end_when_asked()
interrupt.end_when_asked()
if sys.argv[1] == "SIGINT":
    signal.signal(signal.SIGINT, signal.default_int_handler)
@ctypes.CFUNCTYPE(None)
def called_back():
    os.kill(os.getpid(), getattr(signal, sys.argv[1]))
    for _ in range(1000):
        pass
try:
    called_back()
    print("lost", flush=True)
    time.sleep(60)
finally:
    print("cleared away", flush=True)
"""
"""A request that comes while C calls back: what it raises there goes nowhere."""


@pytest.mark.skipif(os.name != "posix", reason="signals of other systems end a process at once")
@pytest.mark.parametrize("name", ["SIGTERM", "SIGINT"])
def test_a_request_to_end_is_not_lost_where_c_calls_back(name: str) -> None:
    """The command is unwound nonetheless, and says nothing of it; with its own status where it has one."""
    root = Path(__file__).parents[2]
    done = subprocess.run(
        [sys.executable, "-c", _LOST, name], capture_output=True, text=True, timeout=50, cwd=root, check=False
    )
    assert done.stdout.split("\n")[:2] == ["lost", "cleared away"]
    assert "ignored" not in done.stderr
    if name == "SIGTERM":
        assert done.returncode == 128 + signal.SIGTERM
