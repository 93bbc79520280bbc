"""Every page opens: with the Streamlit that is installed, and with the newest that pip finds."""

from __future__ import annotations

import json
import os
import subprocess
import sys
import tomllib
from pathlib import Path

import pytest
import streamlit
from page_script import page_script
from streamlit.testing.v1 import AppTest

from dashboard.shell import steps
from dashboard.shell.jobs import Job

ROOT = Path(__file__).parents[2]
PAGES = ("study", "cases", "review", "reliability", "models", "disagreement", "raters")
WANTED = "LOUPE_STREAMLIT"
"""Variable that names a version to try, or ``newest``: then the pages are opened though it is installed."""


@pytest.fixture
def at_once(monkeypatch: pytest.MonkeyPatch) -> None:
    """Long work is done where it is asked for, and nothing ahead."""
    monkeypatch.setattr(steps.Steps, "compute_ahead", lambda self, around: None)
    monkeypatch.setattr("dashboard.views.models.page.look_ahead", lambda now: None)
    monkeypatch.setattr(
        Job, "start", lambda job: setattr(job, "result", job._compute(lambda share, doing: None))
    )


@pytest.mark.parametrize("page", PAGES)
def test_a_page_opens(page: str, at_once: None) -> None:
    """All of it is drawn, with pictures where it has some, on the smallest sample."""
    test = AppTest.from_function(page_script, args=(page,), default_timeout=300)
    test.query_params["study"] = "toy_three_labels"
    test.query_params["case_part"] = "all"
    test.run()
    assert not test.exception
    assert any("loupe-h1" in part.proto.body for part in test.get("html"))
    assert bool(test.get("vega_lite_chart")) == (page != "review")


def test_the_whole_opens() -> None:
    """Navigation, sidebar, the first page and the footer."""
    test = AppTest.from_file(str(ROOT / "dashboard" / "app.py"), default_timeout=300).run()
    assert not test.exception
    assert any("Research use, not for diagnosis" in part.proto.body for part in test.main.get("html"))


def _pip(*given: str) -> subprocess.CompletedProcess[str]:
    """What pip says."""
    quickly = ("--quiet", "--disable-pip-version-check", "--retries", "1")
    command = [sys.executable, "-m", "pip", "install", *quickly, *given]
    return subprocess.run(command, capture_output=True, text=True, check=False)


def _found(requirement: str, *given: str) -> dict[str, str]:
    """Versions that pip would install, by name; the test is skipped where pip finds none."""
    asked = _pip("--dry-run", "--report", "-", *given, requirement)
    if asked.returncode:
        pytest.skip(f"pip finds no {requirement} here: {(asked.stderr.strip() or 'no pip').splitlines()[-1]}")
    found = [entry["metadata"] for entry in json.loads(asked.stdout)["install"]]
    return {one["name"]: one["version"] for one in found}


@pytest.mark.slow
def test_pages_open_with_the_newest_streamlit(tmp_path: Path) -> None:
    """The newest that pyproject.toml permits is put before what is installed; shell and pages are tested."""
    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    permitted = next(one for one in project["dependencies"] if one.startswith("streamlit"))
    wanted = os.environ.get(WANTED, "")
    asked = permitted if wanted in ("", "newest") else f"streamlit=={wanted}"
    newest = _found(asked, "--ignore-installed", "--no-deps")["streamlit"]
    if newest == streamlit.__version__ and not wanted:
        pytest.skip(f"the newest Streamlit, {newest}, is what is installed ({WANTED}=newest tests it again)")
    for name, version in _found(f"streamlit=={newest}").items():
        done = _pip("--no-deps", "--target", str(tmp_path), f"{name}=={version}")
        assert done.returncode == 0, done.stderr
    inherited = {name: value for name, value in os.environ.items() if not name.startswith("PYTEST_")}
    run = {
        "cwd": ROOT,
        "env": inherited | {"PYTHONPATH": str(tmp_path)},
        "capture_output": True,
        "text": True,
    }
    says = subprocess.run([sys.executable, "-c", "import streamlit; print(streamlit.__version__)"], **run)
    assert says.stdout.strip() == newest
    options = ["-q", "-m", "not slow", "-p", "no:cacheprovider"]
    tests = [str(Path(__file__).with_name("shell")), __file__]
    opened = subprocess.run([sys.executable, "-m", "pytest", *options, *tests], **run)
    assert opened.returncode == 0, f"Streamlit {newest}\n{opened.stdout[-4000:]}"
