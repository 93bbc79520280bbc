"""A dashboard in a process of its own, and a headless browser, for tests and benchmarks."""

from __future__ import annotations

import os
import re
import shutil
import socket
import subprocess
import sys
import time
import urllib.request
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from functools import partial
from pathlib import Path
from typing import Any, Protocol

import pytest

ROOT = Path(__file__).parents[2]
CHROMIUM = os.environ.get("LOUPE_CHROMIUM") or shutil.which("chromium") or shutil.which("chromium-browser")
LIGHT = os.environ.get("LOUPE_CHROMIUM") or shutil.which("chromium-headless-shell") or CHROMIUM
"""The same engine without windows where it is installed: tests need none, and start and draw for less."""
OWN_ERRANDS = ("AutofillServerCommunication", "NetworkTimeServiceQuerying", "OptimizationHints")
"""Features by which Chromium asks for something itself, without a page asking."""
OWN_WINDOW = ("WebUIOmniboxPopup", "WebUIOmniboxAimPopup")
"""Pages of its own that it loads beside every page: what would hang below the address bar."""
NOT_FOR_TESTS = (
    "MediaRouter",
    "HttpsUpgrades",
    "HttpsFirstBalancedModeAutoEnable",
    "PaintHolding",
    "DestroyProfileOnBrowserClose",
    "LensOverlay",
    "AvoidUnnecessaryBeforeUnloadCheckSync",
    "ThirdPartyStoragePartitioning",
    "PreconnectToSearch",
)
"""What Playwright switches off and matters here: of two lists Chromium takes the last."""
CODE = ("--process-per-site", "--js-flags=--no-opt")
"""Pages of a site share the code that one of them has read, and nothing is compiled to run for minutes.

For tests alone: a benchmark measures a browser as people have it.
"""
FLAGS = (
    "--no-sandbox",
    "--disable-gpu",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
    "--no-first-run",
    # Without windows it would round the width of each letter, and words would break elsewhere.
    "--font-render-hinting=none",
    f"--disable-features={','.join((*OWN_ERRANDS, *OWN_WINDOW, *NOT_FOR_TESTS))}",
)
OFTEN = 40
"""Milliseconds after which a page that is waited for is asked again."""
_FUNCTION = re.compile(r"\s*(async\s*)?(function|\w+\s*=>|\([^()]*\)\s*=>)")
"""How JavaScript begins that is a function already."""


def free_port() -> int:
    """A port of this computer that nobody listens on."""
    with socket.socket() as listener:
        listener.bind(("127.0.0.1", 0))
        return int(listener.getsockname()[1])


_SEVERAL = """import sys
from dashboard.shell import studies
many = int(sys.argv.pop(1))
for folder in sys.argv[1 : many + 1]:
    studies.add_folder(folder)
del sys.argv[2 : many + 1]
from dashboard.__main__ import main
main()
"""
"""Lets so many studies be opened, and starts the dashboard on the first, as from the command line."""


class Process(Protocol):
    """What is to be known of a process, as of those of `subprocess`."""

    pid: int

    def poll(self) -> int | None:
        """Whether it goes on, which is None, or has ended."""

    def terminate(self) -> None:
        """Ask it to end."""

    def kill(self) -> None:
        """End it."""

    def wait(self, seconds: float) -> object:
        """Wait until it has ended; `subprocess.TimeoutExpired` is raised if it goes on for longer."""


Start = Callable[[list[str], Path, Mapping[str, str], Path], Process]
"""Starts Python on a program, in a folder, with its variables and the file that it writes to."""


def anew(program: list[str], folder: Path, environment: Mapping[str, str], log: Path) -> Process:
    """Start a process as a person does, which imports everything first."""
    with log.open("w") as output:
        return subprocess.Popen(
            [sys.executable, *program], cwd=folder, env=environment, stdout=output, stderr=subprocess.STDOUT
        )


@contextmanager
def serve(
    folder: Path,
    *arguments: str,
    environment: Mapping[str, str] | None = None,
    also: Sequence[str] = (),
    before: str = "",
    start: Start = anew,
) -> Iterator[str]:
    """Start the dashboard from a folder that is not the checkout; yield its address.

    Beside the study that comes first among the ``arguments``, those in the folders ``also`` can be opened.
    What is written in ``before`` is run in its process first.
    """
    given: dict[str, Any] = {"environment": environment, "also": also, "before": before, "start": start}
    with started(folder, *arguments, **given) as (url, _):
        yield url


@contextmanager
def started(
    folder: Path,
    *arguments: str,
    environment: Mapping[str, str] | None = None,
    also: Sequence[str] = (),
    before: str = "",
    start: Start = anew,
) -> Iterator[tuple[str, int]]:
    """Start the dashboard as `serve` does; yield its address and the number of its process."""
    program = ["-m", "dashboard", *arguments]
    if also or before:
        folders = [*arguments[:1], *also]
        program = ["-c", before + _SEVERAL, str(len(folders)), *folders, *arguments[1:]]
    given = os.environ | {"XDG_STATE_HOME": str(folder / "state")} | (environment or {})
    paths = [str(ROOT), *filter(None, [(environment or {}).get("PYTHONPATH")])]
    port = free_port()
    log = folder / "server.log"
    program += ["--port", str(port), "--no-browser"]
    process = start(program, folder, given | {"PYTHONPATH": os.pathsep.join(paths)}, log)
    try:
        _wait(f"http://127.0.0.1:{port}/_stcore/health", process, log)
        yield f"http://127.0.0.1:{port}", process.pid
    finally:
        process.terminate()
        try:
            process.wait(10)
        except subprocess.TimeoutExpired:
            process.kill()


def _wait(address: str, process: Process, log: Path, *, seconds: float = 300) -> None:
    """Wait until the server answers."""
    end = time.monotonic() + seconds
    while time.monotonic() < end and process.poll() is None:
        try:
            with urllib.request.urlopen(address, timeout=1):
                return
        except OSError:
            time.sleep(0.05)
    raise RuntimeError(f"the dashboard did not start:\n{log.read_text()}")


@contextmanager
def browse(*flags: str, program: str | None = CHROMIUM, still: bool = False) -> Iterator[object]:
    """Start a headless Chromium; the test is skipped, visibly, where there is none.

    A ``still`` one is of somebody who asked the computer for less motion: nothing turns or shimmers while a
    page waits, which takes as long to draw as the page.
    """
    playwright = pytest.importorskip("playwright.sync_api", reason="needs playwright")
    if program is None:
        pytest.skip("needs Chromium (set LOUPE_CHROMIUM to its path)")
    with playwright.sync_playwright() as driver, _waiting_evaluates_nothing(playwright.Page):
        browser = driver.chromium.launch(executable_path=program, args=[*FLAGS, *flags])
        if still:
            browser.new_context = partial(browser.new_context, reduced_motion="reduce")
            browser.new_page = partial(browser.new_page, reduced_motion="reduce")
        yield browser
        browser.close()


@contextmanager
def _waiting_evaluates_nothing(kind_of_page: Any) -> Iterator[None]:
    """Wait for functions, whatever is asked for: a page of Loupe may evaluate no text, for a test neither.

    They are asked by the clock: asked at each frame, a page that waits draws all the time.
    """
    wait = kind_of_page.wait_for_function

    def wait_for_function(page: Any, expression: str, **given: Any) -> Any:
        function = expression if _FUNCTION.match(expression) else f"() => ({expression})"
        return wait(page, function, **{"polling": OFTEN} | given)

    kind_of_page.wait_for_function = wait_for_function
    try:
        yield
    finally:
        kind_of_page.wait_for_function = wait
