"""The command that opens the dashboard leaves nothing behind."""

from __future__ import annotations

import os
import subprocess
import sys
import time
import urllib.request
from pathlib import Path

import pytest
from browser.server import ROOT, free_port

from dashboard.__main__ import _have_a_home, main


@pytest.mark.slow
@pytest.mark.skipif(os.name != "posix", reason="signals of POSIX")
def test_ending_the_command_ends_the_server(tmp_path: Path) -> None:
    """A server started by `loupe open`, outside the checkout, is gone when the command is ended."""
    port = free_port()
    health = f"http://127.0.0.1:{port}/_stcore/health"
    command = subprocess.Popen(
        [sys.executable, "-m", "core.cli", "open", "--no-browser", "--port", str(port)],
        cwd=tmp_path,
        env=os.environ | {"PYTHONPATH": str(ROOT)},
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
    )
    try:
        assert becomes(health, answers=True)
    finally:
        command.terminate()
        command.wait(20)
    assert becomes(health, answers=False)


@pytest.mark.parametrize("arguments", [["--port", "99999"], ["~nobody-here/study"], [""]])
def test_what_is_no_port_and_no_path_is_refused(
    arguments: list[str], capsys: pytest.CaptureFixture[str]
) -> None:
    """In words, before a server is begun."""
    with pytest.raises(SystemExit) as stop:
        main(arguments)
    assert stop.value.code == 2
    assert "expected" in capsys.readouterr().err


def becomes(address: str, *, answers: bool, seconds: float = 60) -> bool:
    """Wait until the address answers, or no longer does."""
    end = time.monotonic() + seconds
    while time.monotonic() < end:
        try:
            with urllib.request.urlopen(address, timeout=1):
                reached = True
        except OSError:
            reached = False
        if reached == answers:
            return True
        time.sleep(0.1)
    return False


def test_an_account_without_a_home_gets_one(monkeypatch: pytest.MonkeyPatch) -> None:
    """Streamlit looks into the home folder when it is imported; where there is none, one is named."""

    def has_none() -> Path:
        raise RuntimeError("Could not determine home directory.")

    monkeypatch.setenv("HOME", "as it was")
    _have_a_home()
    assert os.environ["HOME"] == "as it was"
    monkeypatch.setattr(Path, "home", has_none)
    _have_a_home()
    assert os.environ["HOME"] == os.sep
