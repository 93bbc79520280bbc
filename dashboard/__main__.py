"""Start the dashboard: ``python -m dashboard [STUDY] [--port N] [--no-browser]``."""

from __future__ import annotations

import argparse
import logging
import sys
from collections.abc import Sequence
from pathlib import Path
from threading import Thread

ADDRESS = "127.0.0.1"
MOST_UPLOAD_MB = 200


def server_options(*, port: int | None, browser: bool) -> dict[str, str | bool | int]:
    """Options of the server: this computer only, no telemetry, no file watcher, the theme."""
    from dashboard.theme import streamlit_options

    options: dict[str, str | bool | int] = {
        "server.address": ADDRESS,
        "server.headless": not browser,
        "server.fileWatcherType": "none",
        "server.runOnSave": False,
        "server.maxUploadSize": MOST_UPLOAD_MB,
        "server.showEmailPrompt": False,
        "browser.gatherUsageStats": False,
        "browser.serverAddress": ADDRESS,
        "client.toolbarMode": "minimal",
        "client.showErrorDetails": "type",
        "client.showErrorLinks": False,
        "client.disableDataExport": True,
        "runner.magicEnabled": False,
        "global.developmentMode": False,
        "logger.level": "warning",
    }
    if port is not None:
        options["server.port"] = port
    return options | streamlit_options()


def main(arguments: Sequence[str] | None = None) -> None:
    """Read the options and run the server until it is stopped."""
    parser = argparse.ArgumentParser(prog="python -m dashboard", description="Open Loupe in the browser.")
    parser.add_argument("study", nargs="?", help="study folder; the main sample if left out")
    parser.add_argument(
        "--port", type=int, help="port on this computer; the first free one from 8501 if left out"
    )
    parser.add_argument("--no-browser", action="store_true", help="do not open a browser")
    options = parser.parse_args(arguments)

    from dashboard import studies

    if options.study is not None:
        studies.add_folder(options.study)
    # Streamlit first, in full: libraries that look each other up while half imported by two threads fail.
    flags = server_options(port=options.port, browser=not options.no_browser)
    Thread(target=_warm_up, name="loupe-warm-up", daemon=True).start()
    _run(flags)


def _warm_up() -> None:
    """Prepare the first page while the server and the browser start: imports, the study, its default step."""
    from core.analysis.aggregate import default_aggregation
    from dashboard import cache, compiling, steps, studies
    from dashboard.views import cases, reliability, study, tour  # noqa: F401

    compiling.begin()
    steps.keep_for_good()
    # Streamlit warns where its caches are used outside a page.
    logging.getLogger("streamlit.runtime.scriptrunner_utils.script_run_context").setLevel(logging.ERROR)
    opened = cache.open_source(next(iter(studies.sources().values())))
    if opened.study is not None:
        task = next(iter(opened.study.tasks.values()))
        aggregation = default_aggregation(task)
        cache.steps(opened.study, task, aggregation).at(aggregation.reliability)


def _run(options: dict[str, str | bool | int]) -> None:
    """Hand over to Streamlit with every option given, whatever the folder it is started in configures."""
    from streamlit.web import cli

    flags = [
        f"--{name}={str(value).lower() if isinstance(value, bool) else value}"
        for name, value in options.items()
    ]
    app = Path(__file__).with_name("app.py")
    cli.main(["run", str(app), *flags], prog_name="loupe")


if __name__ == "__main__":
    main(sys.argv[1:])
