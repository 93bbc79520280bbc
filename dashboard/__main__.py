"""Start the dashboard: ``python -m dashboard [STUDY] [--port N] [--no-browser]``."""

from __future__ import annotations

import argparse
import logging
import os
import sys
from collections.abc import Sequence
from pathlib import Path
from threading import Thread

from core import interrupt


def main(arguments: Sequence[str] | None = None) -> None:
    """Read the options and run the server until it is stopped."""
    interrupt.leave_at_once()
    from core.cli.places import path_argument, port_argument

    parser = argparse.ArgumentParser(
        prog="python -m dashboard",
        description="Open Loupe in the browser: the tour at first, later the page that was open last.",
    )
    parser.add_argument(
        "study", nargs="?", type=path_argument, help="study folder; the main sample if left out"
    )
    parser.add_argument(
        "--port", type=port_argument, help="port on this computer; the first free one from 8501 if left out"
    )
    parser.add_argument("--no-browser", action="store_true", help="do not open a browser")
    options = parser.parse_args(arguments)
    _have_a_home()

    from core.study.reading import scratch
    from core.threads import most_threads
    from dashboard.shell import studies

    try:
        most_threads()
        if options.study is not None:
            studies.add_folder(options.study)
    except ValueError as refused:
        sys.exit(f"loupe: {refused}")
    # Streamlit first, in full: libraries that look each other up while half imported by two threads fail.
    from dashboard.shell import last_page, server

    scratch.clear_left_behind()
    if options.port is not None:
        server.require_free(options.port)
    Thread(target=_warm_up, name="loupe-warm-up", daemon=True).start()
    page = last_page.opening(names_study=options.study is not None)
    server.run(
        Path(__file__).with_name("app.py"), port=options.port, browser=not options.no_browser, page=page
    )


def _have_a_home() -> None:
    """Give an account that has none the root folder for its home, as containers do: Streamlit looks there."""
    try:
        Path.home()
    except RuntimeError:
        os.environ["HOME"] = os.sep


def _warm_up() -> None:
    """Prepare the first page while the server and the browser start: imports, the study, its default step."""
    from core.plausibility.settings import default_aggregation
    from dashboard.shell import cache, compiling, steps, studies
    from dashboard.views.tour import page as tour  # noqa: F401

    compiling.begin()
    steps.keep_for_good()
    # Streamlit warns where its caches are used outside a page.
    logging.getLogger("streamlit.runtime.scriptrunner_utils.script_run_context").setLevel(logging.ERROR)
    opened = cache.open_source(next(iter(studies.sources().values())))
    if opened.study is not None:
        task = next(iter(opened.study.tasks.values()))
        aggregation = default_aggregation(task)
        cache.steps(opened.study, task, aggregation).at(aggregation.reliability)


if __name__ == "__main__":
    main(sys.argv[1:])
