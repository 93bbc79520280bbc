"""A report on paper: printed by a Chromium of this computer, which is asked for nothing else."""

from __future__ import annotations

import os
import re
import shutil
import subprocess
import tempfile
from pathlib import Path

NAMES = (
    "chromium",
    "chromium-browser",
    "google-chrome",
    "google-chrome-stable",
    "chrome",
    "msedge",
    "chromium-headless-shell",
)
"""Commands by which a Chromium is known."""
_DATES = re.compile(rb"/(?:CreationDate|ModDate) \(D:[^()]*\)")
"""When a file was printed, which Chromium writes into it: without that, the same page gives the same file."""
LONGEST = 300
"""Seconds that printing may take."""


def chromium() -> str | None:
    """Command of a Chromium: the one that ``LOUPE_CHROMIUM`` names, or one that is found; None without."""
    return os.environ.get("LOUPE_CHROMIUM") or next(filter(None, map(shutil.which, NAMES)), None)


def require_chromium() -> str:
    """Command of a Chromium.

    Raises
    ------
    ValueError
        If there is none, with what to do.
    """
    found = chromium()
    if found is None:
        raise ValueError(
            "a PDF is printed by Chromium or Chrome, and none was found; install one, name its path in "
            "LOUPE_CHROMIUM, or write HTML and print it from any browser"
        )
    return found


def pdf(page: str) -> bytes:
    """Print a page that needs nothing else; the same page gives the same bytes.

    Raises
    ------
    ValueError
        If there is no Chromium, or it fails.
    """
    command = require_chromium()
    with tempfile.TemporaryDirectory() as folder:
        source, target = Path(folder) / "report.html", Path(folder) / "report.pdf"
        source.write_text(page, encoding="utf-8")
        flags = ["--headless", "--disable-gpu", "--no-sandbox", "--no-first-run", "--disable-extensions"]
        flags += [
            "--disable-background-networking",
            "--no-pdf-header-footer",
            f"--user-data-dir={folder}/user",
        ]
        try:
            done = subprocess.run(  # noqa: S603
                [command, *flags, f"--print-to-pdf={target}", source.as_uri()],
                capture_output=True,
                timeout=LONGEST,
                check=False,
            )
        except (OSError, subprocess.TimeoutExpired) as failed:
            raise ValueError(f"Chromium ({command}) could not print the report: {failed}") from failed
        if not target.is_file():
            said = done.stderr.decode(errors="replace").strip().splitlines()[-1:] or ["it said nothing"]
            raise ValueError(f"Chromium ({command}) could not print the report: {said[0]}")
        return _DATES.sub(lambda found: b" " * len(found[0]), target.read_bytes())
