"""The server: this computer only, its pages told where they are served, a browser opened once it listens."""

from __future__ import annotations

import errno
import os
import re
import signal
import socket
import sys
import time
import webbrowser
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path
from threading import Thread
from typing import Any

import streamlit
from starlette.middleware import Middleware
from starlette.responses import HTMLResponse
from starlette.types import ASGIApp, Receive, Scope, Send
from streamlit.starlette import App

from core import interrupt
from dashboard.components import back, focus, landing, live_chart, pressed, tips, unfinished, unfolded
from dashboard.shell import hand, media, progress, session
from dashboard.shell.guard import NAMES, Guard, inline_scripts, page_policy
from dashboard.shell.opening import opening
from dashboard.shell.theme import streamlit_options

ADDRESS = NAMES[0]
MOST_RUNS_KEPT = 30
"""Runs for which the browser keeps a message that it was sent and does not need any more."""
MOST_UPLOAD_MB = 200
_PAGE = re.compile(r"/[\w-]*")
"""Paths of pages: a name, or none; files have a dot, and everything else has a folder."""
_SERVED_HERE = '<script>window.__streamlit = {BACKEND_BASE_URL: location.origin + "/"}</script>'
"""Says that the server is at the root; otherwise each page opened by its own address looks for it below.

Without it, the heading of /cases came a second later, at 3.8 in place of 2.8 s in a new profile and at 2.9
in place of 1.7 s in one that had the code (medians of five visits in turn, on a machine with much to do).
"""
_MOST_WAIT = 20.0
"""Seconds that the server may take before no browser is opened."""


def run(script: Path, *, port: int | None, browser: bool, page: str = "") -> None:
    """Serve a script until stopped, whatever the folder it is started in configures.

    Parameters
    ----------
    script : Path
        Draws the pages.
    port : int or None
        On this computer; the first free one from 8501 if None.
    browser : bool
        Whether to open a browser.
    page : str
        Path of the page that is opened.
    """
    is_open = False

    @asynccontextmanager
    async def while_it_runs(_: App) -> AsyncIterator[None]:
        nonlocal is_open
        is_open = True
        where = (int(streamlit.get_option("server.port")), page, browser)
        Thread(target=_announce, args=where, name="loupe-announce", daemon=True).start()
        yield

    session.install()
    media.install()
    shells = [Middleware(Shell, html=shell())]
    routes = (*progress.ROUTES, *live_chart.ROUTES, *hand.ROUTES)
    app = Guarded(script, routes=routes, middleware=shells, lifespan=while_it_runs)

    def end(*_: object) -> None:
        """Leave in good order, for a study being unpacked goes then only; once more, and it is at once."""
        if not is_open:
            interrupt.leave()
        signal.signal(signal.SIGINT, interrupt.leave)
        sys.exit(0)

    # The server takes signals while it runs, and hands them on when it has ended.
    for number in (signal.SIGTERM, signal.SIGINT):
        signal.signal(number, end)
    app.run(config=options(port))


def require_free(port: int) -> None:
    """End with one line where the port cannot be listened on."""
    with socket.socket() as listener:
        if os.name == "posix":
            listener.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        try:
            listener.bind((ADDRESS, port))
            listener.listen()
        except OSError as error:
            reasons = {
                errno.EADDRINUSE: f"is taken, perhaps by another Loupe: see http://{ADDRESS}:{port}",
                errno.EACCES: "needs rights that this account does not have",
            }
            reason = reasons.get(error.errno or 0, f"cannot be listened on ({error.strerror})")
            sys.exit(f"loupe: port {port} {reason}; give another with --port, or leave it out")


def options(port: int | None) -> dict[str, str | bool | int | list[str]]:
    """Options of Streamlit: this computer only, no telemetry, no file watcher, the theme."""
    chosen: dict[str, str | bool | int | list[str]] = {
        "server.address": ADDRESS,
        # No page that shows this one within itself may send it messages; nor is any other site trusted.
        "client.allowedOrigins": [],
        "server.allowedHosts": list(NAMES),
        "server.corsAllowedOrigins": [],
        "server.enableCORS": True,
        "server.enableXsrfProtection": True,
        "server.enableStaticServing": False,
        "server.enableAgentApi": False,
        "server.headless": True,
        "server.fileWatcherType": "none",
        "server.runOnSave": False,
        "server.maxUploadSize": MOST_UPLOAD_MB,
        "browser.gatherUsageStats": False,
        "browser.serverAddress": ADDRESS,
        "client.toolbarMode": "minimal",
        "client.showErrorDetails": "type",
        "client.showErrorLinks": False,
        "client.disableDataExport": True,
        "runner.magicEnabled": False,
        # Python collects garbage when there is some. A full collection after every run of a page held up all
        # pages: 24 steps of the slider and five pages took the server 2.6 s of processor time, 1.5 s without,
        # and as much memory (dermatology sample, Plackett–Luce, everything computed ahead).
        "runner.postScriptGC": False,
        "global.developmentMode": False,
        # What the browser says it holds it may have dropped two runs later, when the answer comes: with quick
        # steps on a busy machine the page died of it ("Cached ForwardMsg MISS").
        "global.maxCachedMessageAge": MOST_RUNS_KEPT,
        "logger.hideWelcomeMessage": True,
        "logger.level": "warning",
    }
    if port is not None:
        chosen["server.port"] = port
    return chosen | streamlit_options()


def shell() -> str:
    """Document that every page begins as: Streamlit's, told where the server is, under Loupe's name."""
    html = Path(streamlit.__file__).with_name("static").joinpath("index.html").read_text(encoding="utf-8")
    of_components = (
        back.ONE_ENTRY,
        focus.KEEP_LISTS,
        focus.PRESS,
        unfinished.HOLD,
        pressed.HOLD,
        tips.SAY,
        landing.LAND,
        unfolded.STAY,
    )
    own = "".join((*of_components, hand.TELL))
    html = html.replace("<head>", f"<head>{_SERVED_HERE}<script>{own}</script>", 1)
    html = html.replace("<body>", f"<body>{opening()}", 1)
    return html.replace("<title>Streamlit<", "<title>Loupe<", 1)


def policy() -> str:
    """Content security policy of pages, as tight as Streamlit and Vega allow."""
    return page_policy([*inline_scripts(shell()), *focus.SCRIPTS.values()])


class Guarded(App):
    """Streamlit's application with a guard before all of it, what it answers to errors included."""

    def __init__(self, script: Path, **given: Any) -> None:
        super().__init__(script, **given)
        self._guard = Guard(super().__call__, policy())

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Answer whom the guard lets pass."""
        await self._guard(scope, receive, send)


class Shell:
    """Answers for every page with one document, and leaves the rest to Streamlit."""

    def __init__(self, app: ASGIApp, html: str) -> None:
        self._app = app
        self._answer = HTMLResponse(html, headers={"Cache-Control": "no-cache"})

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Answer a request, or hand it on."""
        asks_for_page = (
            scope["type"] == "http" and scope["method"] == "GET" and _PAGE.fullmatch(scope["path"])
        )
        await (self._answer if asks_for_page else self._app)(scope, receive, send)


def _announce(port: int, page: str, browser: bool) -> None:
    """As soon as the server answers, say where it is, and open a browser if that is wanted."""
    end = time.monotonic() + _MOST_WAIT
    while time.monotonic() < end:
        try:
            socket.create_connection((ADDRESS, port), timeout=1).close()
        except OSError:
            time.sleep(0.05)
        else:
            url = f"http://{ADDRESS}:{port}/{page}".rstrip("/")
            sys.stdout.write(f"Loupe is open at {url}, on this computer only; Ctrl+C ends it.\n")
            sys.stdout.flush()
            if browser:
                webbrowser.open(url)
            return
