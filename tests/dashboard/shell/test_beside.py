"""Commands beside the pages: heard line by line, ended where nobody waits, found from any folder."""

from __future__ import annotations

from pathlib import Path
from time import monotonic

import pytest

from core.cli import sample_folder
from core.study.partitions.writing import write_partitions
from dashboard.shell.beside import run_beside


def test_it_is_heard_and_found_from_anywhere(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Without a path to Python's modules, from another folder."""
    monkeypatch.chdir(tmp_path)
    monkeypatch.delenv("PYTHONPATH", raising=False)
    heard: list[str] = []
    study = str(sample_folder("toy_three_labels"))
    run_beside(
        "core", ["conformal", study, "--where", "x < -1", "--out", str(tmp_path / "out")], heard.append
    )
    assert (tmp_path / "out" / "conformal" / "coverage.csv").is_file()
    assert "" in heard  # It can be stopped while nothing is said.


def test_the_first_error_is_why_it_ended(tmp_path: Path) -> None:
    """And not a warning that comes after it; a refusal in other words is its last line."""
    (tmp_path / "annotations.csv").write_text("case,rater_id\n1,2\n")
    with pytest.raises(ValueError, match=r"^annotations.csv, row 1, column case_id: there is no column"):
        run_beside("core", ["check", str(tmp_path)], lambda line: None)
    given = ["conformal", str(sample_folder()), "--where", "x =", "--out", str(tmp_path.parent / "out")]
    with pytest.raises(ValueError, match=r"^condition 'x =', character 3"):
        run_beside("core", given, lambda line: None)


def test_it_ends_where_nobody_waits(tmp_path: Path) -> None:
    """At the next word, or after half a second without one."""

    class Stopped(Exception):  # noqa: N818
        """Nobody waits."""

    def hear(_line: str) -> None:
        raise Stopped

    with pytest.raises(Stopped):
        run_beside("core", ["open", str(sample_folder()), "--no-browser"], hear)


def test_what_it_had_begun_is_cleared_away(tmp_path: Path) -> None:
    """Where it is stopped in the middle of a study in parts."""
    write_partitions(sample_folder("mixed_digits"), tmp_path / "parts", cases=1)
    out = tmp_path / "out"

    class Stopped(Exception):  # noqa: N818
        """Nobody waits."""

    def hear(_line: str) -> None:
        if list(out.glob(".loupe-*/.scores-*/ids/*")):
            raise Stopped

    with pytest.raises(Stopped):
        run_beside("core", ["evaluate", str(tmp_path / "parts"), "--out", str(out)], hear)
    assert not out.exists(), sorted(str(path.relative_to(out)) for path in out.rglob("*"))[:12]


def test_what_does_not_end_is_made_to(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """After some time of grace."""
    monkeypatch.setattr("dashboard.shell.beside._GRACE", 0.5)
    (tmp_path / "deaf.py").write_text(
        "import signal, sys, time\n"
        "signal.signal(signal.SIGTERM, signal.SIG_IGN)\n"
        "print('begun', file=sys.stderr, flush=True)\n"
        "time.sleep(60)\n"
    )
    monkeypatch.setenv("PYTHONPATH", str(tmp_path))

    class Stopped(Exception):  # noqa: N818
        """Nobody waits."""

    def hear(line: str) -> None:
        if line == "begun":
            raise Stopped

    begin = monotonic()
    with pytest.raises(Stopped):
        run_beside("deaf", [], hear)
    assert monotonic() - begin < 30
