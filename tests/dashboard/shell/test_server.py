"""The server answers for pages itself, leaves the rest to Streamlit, and starts with options that exist."""

from __future__ import annotations

import asyncio
import base64
import hashlib
import os
import signal
import socket
import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

import pytest
import streamlit
from browser.server import ROOT, free_port
from streamlit import config

from core import interrupt
from core.study.reading import scratch
from dashboard.components import focus
from dashboard.shell.guard import inline_scripts
from dashboard.shell.server import Shell, options, policy, shell


async def _streamlit(scope: Any, receive: Any, send: Any) -> None:
    await send("Streamlit")


def answered(path: str, *, method: str = "GET", kind: str = "http") -> list[Any]:
    """What is sent in answer to a request."""
    sent: list[Any] = []

    async def send(message: Any) -> None:
        sent.append(message)

    async def receive() -> dict[str, str]:
        return {"type": "http.request"}

    scope = {"type": kind, "method": method, "path": path}
    answer = Shell(_streamlit, html="the page")(scope, receive, send)
    # In a thread of its own: where tests of a browser came before, this one has a loop that is running.
    with ThreadPoolExecutor(1) as pool:
        pool.submit(asyncio.run, answer).result()
    return sent


@pytest.mark.parametrize("path", ["/", "/cases", "/study", "/a-page_2"])
def test_pages_are_answered(path: str) -> None:
    """Every page begins as the same document, which is asked for anew each time."""
    start, body = answered(path)
    assert start["status"] == 200
    assert (b"cache-control", b"no-cache") in start["headers"]
    assert body["body"] == b"the page"


@pytest.mark.parametrize(
    ("path", "given"),
    [
        ("/favicon.png", {}),
        ("/static/js/index.js", {}),
        ("/media/abc", {}),
        ("/_stcore/health", {}),
        ("/cases/_stcore/health", {}),
        ("/cases/../secret", {}),
        ("//cases", {}),
        ("/cases", {"method": "POST"}),
        ("/_stcore/stream", {"kind": "websocket"}),
        ("/cases", {"kind": "websocket"}),
    ],
)
def test_everything_else_is_left_to_streamlit(path: str, given: dict[str, str]) -> None:
    """Files, uploads, health and the connection itself are none of its business."""
    assert answered(path, **given) == ["Streamlit"]


def test_the_place_of_the_server_comes_before_the_code_that_looks_for_it() -> None:
    """The document is Streamlit's; what it is told stands in its head, ahead of every script and file."""
    html = shell()
    told = html.index("BACKEND_BASE_URL: location.origin")
    assert html.count("BACKEND_BASE_URL") == 1
    assert html.index("<head>") < told < html.index('<script type="module"')
    assert "<title>Loupe</title>" in html
    assert "Streamlit</title>" not in html
    assert html.index("Opening …") < html.index('<div id="root">')


def test_every_script_of_a_page_may_run() -> None:
    """The policy names the scripts of the document, of Streamlit's own, and the one that pages add."""
    served = policy()
    for html in (shell(), (Path(streamlit.__file__).with_name("static") / "index.html").read_text()):
        scripts = inline_scripts(html)
        assert html.count("<script>") == len(scripts) > 0
        for script in [*scripts, *focus.SCRIPTS.values()]:
            digest = base64.b64encode(hashlib.sha256(script.encode()).digest()).decode()
            assert f"'sha256-{digest}'" in served
    assert "unsafe-eval" not in served
    assert served.count("unsafe-inline") == 1  # of styles


def test_options_are_known_and_keep_to_this_computer() -> None:
    """Streamlit knows every option; nobody else is listened to, nothing is told to anybody."""
    chosen = options(None)
    assert set(chosen) <= set(config.get_config_options())
    assert chosen["server.address"] == "127.0.0.1"
    assert chosen["browser.gatherUsageStats"] is False
    assert chosen["client.allowedOrigins"] == chosen["server.corsAllowedOrigins"] == []
    assert "server.port" not in chosen
    assert options(8642)["server.port"] == 8642


def started(folder: Path, *command: str) -> subprocess.Popen[str]:
    """A process in a folder that is not the checkout, and its temporary one; all it says is on one stream."""
    return subprocess.Popen(
        [sys.executable, "-m", *command],
        cwd=folder,
        env=os.environ | {"PYTHONPATH": str(ROOT), "TMPDIR": str(folder), "HOME": str(folder / "none")},
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
    )


def said(process: subprocess.Popen[str]) -> str:
    """Everything that a process says until it ends."""
    return process.communicate(timeout=240)[0]


@pytest.mark.slow
@pytest.mark.skipif(os.name != "posix", reason="signals of POSIX")
@pytest.mark.parametrize("number", [signal.SIGTERM, signal.SIGINT])
def test_it_ends_in_good_order(tmp_path: Path, number: signal.Signals) -> None:
    """Asked to end, the server leaves by the front door; what a killed one left is gone when it opens."""
    port = free_port()
    left = tmp_path / f"{scratch.PREFIX}killed"
    left.mkdir()
    (left / "annotations.csv").touch()
    process = started(tmp_path, "dashboard", "--port", str(port), "--no-browser")
    assert process.stdout is not None
    try:
        assert f"http://127.0.0.1:{port}" in process.stdout.readline()
        assert not left.exists()
    finally:
        process.send_signal(number)
    assert said(process) == ""
    assert process.returncode == 0


@pytest.mark.skipif(not Path("/proc/self/cmdline").exists(), reason="looks into /proc")
def test_it_ends_at_once_while_it_starts(tmp_path: Path) -> None:
    """Stopped at the moment when the command becomes the server, before its first line: one line, 130."""
    process = started(tmp_path, "core", "open", "--port", str(free_port()), "--no-browser")
    while process.poll() is None and b"dashboard" not in Path(f"/proc/{process.pid}/cmdline").read_bytes():
        pass
    process.send_signal(signal.SIGINT)
    assert said(process) == "loupe: stopped\n"
    assert process.returncode == interrupt.STATUS == 130


@pytest.mark.skipif(os.name != "posix", reason="signals of POSIX")
def test_a_stop_that_was_held_back_counts(tmp_path: Path) -> None:
    """Ctrl+C is kept while one program becomes another, and counts as soon as that is ready."""
    script = tmp_path / "becomes.py"
    script.write_text(
        "import os, signal\nfrom core import interrupt\n"
        "interrupt.hold_back()\nos.kill(os.getpid(), signal.SIGINT)\nprint('held', flush=True)\n"
        "interrupt.leave_at_once()\nprint('went on')\n"
    )
    process = started(tmp_path, "becomes")
    assert said(process) == "held\nloupe: stopped\n"
    assert process.returncode == 130


@pytest.mark.parametrize(
    "command", [("core", "open", "--no-browser", "--port"), ("dashboard", "--no-browser", "--port")]
)
def test_a_port_that_is_none_is_refused(tmp_path: Path, command: tuple[str, ...]) -> None:
    """One line says what was expected, and that is all."""
    for port in ("99999", "0", "-1", "http"):
        process = started(tmp_path, *command[:-1], f"{command[-1]}={port}")
        words = said(process)
        assert process.returncode == 2
        assert words.splitlines()[-1].endswith(f"expected a whole number from 1 to 65535, got '{port}'")
        assert "Traceback" not in words


@pytest.mark.slow
def test_a_port_that_is_taken_is_refused(tmp_path: Path) -> None:
    """One line says that it is taken and what to do."""
    with socket.socket() as other:
        other.bind(("127.0.0.1", 0))
        other.listen()
        port = other.getsockname()[1]
        process = started(tmp_path, "core", "open", "--no-browser", "--port", str(port))
        (line,) = said(process).splitlines()
    assert process.returncode == 1
    assert line.startswith(f"loupe: port {port} is taken")
    assert line.endswith("give another with --port, or leave it out")
