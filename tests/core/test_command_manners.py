"""The manners of the command line: nearest names, refusals in one line, nothing that steers a terminal."""

from __future__ import annotations

import errno
import os
import subprocess
import sys
from pathlib import Path

import pytest

from core.cli import main, output, sample_folder
from core.cli.output import ProgressLine, complain, print_problems
from core.study.problems import LONGEST_TEXT, Problem, visible

ROOT = Path(__file__).parents[2]
SAMPLE = str(sample_folder("toy_three_labels"))
STEERING = "\x1b[31m\x9b2J\x1b]0;title\x07\u202egnp\u2066\r\n\x00\u2028\ufeff"


def run(script: str, *arguments: str, cwd: Path = ROOT) -> subprocess.CompletedProcess[str]:
    """Run a line of a shell in which $LOUPE is the command."""
    command = f'"{sys.executable}" -m core.cli'
    environment = os.environ | {"PYTHONPATH": str(ROOT), "LOUPE": command}
    shell = ["bash", "-c", script.replace("$LOUPE", command), "sh", *arguments]
    return subprocess.run(shell, cwd=cwd, env=environment, capture_output=True, text=True, check=False)


def status(arguments: list[str]) -> object:
    """Exit status of a command, wrong usage included."""
    try:
        return main(arguments)
    except SystemExit as stop:
        return stop.code


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (["evalute", "S"], "did you mean evaluate?"),
        (["evaluate", "S", "--reliabilty", "3", "--out", "x"], "did you mean --reliability?"),
        (["evaluate", "S", "--reliabilty=3"], "did you mean --reliability?"),
        (["evaluate", "S", "-out", "x"], "did you mean --out?"),
        (["plan", "--acuracy", "0.8"], "did you mean --accuracy?"),
        (["--verson"], "did you mean --version?"),
        (["plan", "--zzz"], "loupe plan --help lists them"),
        (["zzz"], "there are open, picture, report, figure, check, import, partition, simulate, evaluate"),
        ([SAMPLE], "did you mean loupe open"),
    ],
)
def test_a_misspelt_word_is_answered_with_the_nearest(
    arguments: list[str], said: str, capsys: pytest.CaptureFixture[str]
) -> None:
    """In one line, with status 2, also where something else is missing."""
    assert main(arguments) == 2
    (line,) = capsys.readouterr().err.splitlines()
    assert said in line


@pytest.mark.parametrize("arguments", [["--accuracy", "0.8"], ["--acc", "0.8"], ["--acc=0.8"]])
def test_words_that_are_known_are_not_corrected(arguments: list[str]) -> None:
    """The beginning of an option is enough."""
    assert main(["plan", *arguments]) == 0


@pytest.mark.parametrize("text", ["-5", "-0.5", "-.5"])
def test_numbers_below_zero_are_no_options(text: str, capsys: pytest.CaptureFixture[str]) -> None:
    """They are refused as the numbers that they are."""
    assert main(["plan", "--accuracy", text]) == 1
    assert "accuracy" in capsys.readouterr().err


def test_nothing_steers_the_terminal() -> None:
    """Escapes, controls, line breaks and changes of direction are written as codes; scripts stay."""
    assert not any(ord(sign) < 32 or 127 <= ord(sign) < 160 for sign in visible(STEERING))
    assert visible("\x1b[31m\u202e") == "\\x1b[31m\\u202e"
    for text in ("Ekzem, naïve", "湿疹", "می\u200cخواهم", "👩\u200d⚕️", "a\\b"):
        assert visible(text) == text


@pytest.mark.parametrize("part", ["file", "what", "mend", "column"])
def test_problems_are_visible_and_cut(part: str, capsys: pytest.CaptureFixture[str]) -> None:
    """One line each; a long part is cut, and hides nothing of the others."""
    parts = {"file": "a.csv", "what": "is wrong", "mend": "Mend it.", "column": "x"}
    print_problems([Problem(**parts | {part: f"begin{STEERING * 100}"}, row=3)])
    said = capsys.readouterr().err
    assert len(said.splitlines()) == 1
    assert said[:-1].isprintable()
    assert len(said) < LONGEST_TEXT + 100
    assert "begin" in said
    assert all(text in said for name, text in parts.items() if name != part)


def test_a_long_message_loses_its_middle(capsys: pytest.CaptureFixture[str]) -> None:
    """What was expected stands at the beginning, what came at the end."""
    complain(f"model must be one of {STEERING * 100}, got 'x'")
    said = capsys.readouterr().err
    assert said.startswith("model must be one of ")
    assert said.endswith(", got 'x'\n")
    assert len(said) == LONGEST_TEXT + 1
    assert said[:-1].isprintable()


@pytest.mark.slow
@pytest.mark.parametrize(
    "arguments",
    [
        ["evaluate", SAMPLE, "--task", STEERING * 200, "--out", "x"],
        ["compare", SAMPLE, "--pair", "\x1b[2J", "b", "--out", "x"],
        ["evaluate", SAMPLE, "--reliability", STEERING * 200, "--out", "x"],
        ["check", "no\x1b[2J\u202estudy"],
        ["check", SAMPLE, STEERING * 200],
        [STEERING * 200],
        [f"--{STEERING * 200}"],
    ],
)
def test_no_message_is_long_or_steers(
    arguments: list[str], capsys: pytest.CaptureFixture[str], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Whatever stands in an option."""
    monkeypatch.chdir(tmp_path)
    assert status(arguments) in (1, 2)
    for line in capsys.readouterr().err.splitlines():
        assert line.isprintable()
        assert len(line) < LONGEST_TEXT + 60


def test_names_from_a_study_are_visible(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """Where they are results."""
    study = tmp_path / "study"
    study.mkdir()
    (study / "study.toml").write_text('name = "red \\u001b[31m \\u202e"\n')
    (study / "annotations.csv").write_text("case_id,rater_id,label\n1,a,x\n1,b,y\n2,a,x\n")
    main(["check", str(study)])
    said = capsys.readouterr()
    assert "\x1b" not in said.out + said.err
    assert "\u202e" not in said.out + said.err


def test_a_tilde_is_a_home_folder(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    """Also where the shell leaves it as it is, as in --out=~/tables."""
    monkeypatch.setenv("HOME", str(tmp_path))
    assert main(["plan", "--accuracy", "0.8", "--out=~/tables"]) == 0
    assert (tmp_path / "tables" / "plan" / "plan.json").is_file()


@pytest.mark.parametrize("port", ["99999", "0", "-1", "http", "8501.5", "٣", "1" * 400])
def test_a_port_that_is_none_is_refused(port: str, capsys: pytest.CaptureFixture[str]) -> None:
    """Before anything is started."""
    with pytest.raises(SystemExit) as stop:
        main(["open", f"--port={port}"])
    assert stop.value.code == 2
    assert "a whole number from 1 to 65535" in capsys.readouterr().err


@pytest.mark.parametrize(
    "place", ["file", "file/in", "x" * 300, "a/" * 3000, "round", "round/x", "nul\0", "", "~nobody-here/x"]
)
@pytest.mark.parametrize(
    "command",
    [
        ["check", "PLACE"],
        ["open", "PLACE"],
        ["evaluate", "PLACE", "--out", "PLACE"],
        ["evaluate", SAMPLE, "--out", "PLACE"],
        ["plan", "--accuracy", "0.8", "--out", "PLACE"],
        ["experiment", "perfect-predictor", "--out", "PLACE"],
        ["simulate", "PLACE", "--cases", "5"],
        ["import", "cifar10h", "PLACE", "new"],
        ["import", "rater-matrix", "PLACE", "new"],
        ["import", "dermatology-ddx", "PLACE", "new"],
        ["import", "rater-matrix", "file", "PLACE"],
    ],
)
def test_no_path_brings_a_traceback(
    place: str,
    command: list[str],
    tmp_path: Path,
    capsys: pytest.CaptureFixture[str],
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """Each command says in words what is wrong with a path, and writes nothing."""
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr(os, "execv", pytest.fail)
    Path("file").write_bytes(b"\xff\x00")
    Path("round").symlink_to("about")
    Path("about").symlink_to("round")
    assert status([word.replace("PLACE", place) for word in command]) in (1, 2)
    said = capsys.readouterr().err
    assert said
    assert "Traceback" not in said
    assert sorted(path.name for path in tmp_path.iterdir()) == ["about", "file", "round"]


@pytest.mark.parametrize("error", [errno.EACCES, errno.EROFS, errno.EIO, errno.EDQUOT, errno.ELOOP])
def test_what_the_system_refuses_is_said_in_a_line(
    error: int, tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    """When it refuses to make the folder, with the path."""

    def refuse(self: Path, *_: object, **__: object) -> None:
        raise OSError(error, os.strerror(error), str(self))

    monkeypatch.setattr(Path, "mkdir", refuse)
    assert main(["simulate", str(tmp_path / "new"), "--cases", "5"]) == 1
    (line,) = capsys.readouterr().err.splitlines()
    assert line.startswith(f"loupe: {tmp_path}")
    assert os.strerror(error) in line


@pytest.mark.parametrize("error", [MemoryError(), KeyboardInterrupt()])
def test_other_ends_are_a_line_too(
    error: BaseException, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    """Too little memory, and Ctrl+C."""

    def end(*_: object, **__: object) -> None:
        raise error

    monkeypatch.setattr("core.study.reading.folder.read_study", end)
    assert main(["check", SAMPLE]) == (130 if isinstance(error, KeyboardInterrupt) else 1)
    assert len(capsys.readouterr().err.splitlines()) == 1


@pytest.mark.slow
@pytest.mark.skipif(os.name != "posix", reason="signals of POSIX")
@pytest.mark.parametrize(
    ("signal", "place", "status", "said"),
    [
        ("SIGINT", "evaluate.worklist", 130, ["loupe: stopped"]),
        ("SIGINT", "whole_files.os.fsync", 130, ["loupe: stopped"]),
        ("SIGTERM", "whole_files.os.fsync", 143, []),
    ],
)
def test_ended_from_outside(signal: str, place: str, status: int, said: list[str], tmp_path: Path) -> None:
    """In the midst of the numbers or of a file: a line for whoever is there, and nothing written."""
    arguments = ["evaluate", SAMPLE, "--model", "label-counts", "--out", str(tmp_path / "new")]
    code = f"""
import os, signal, sys
signal.signal(signal.SIGINT, signal.default_int_handler)  # whatever the tests were started with
from core import cli
from core.analysis import evaluate
from core.study import whole_files
{place} = lambda *_: os.kill(os.getpid(), signal.{signal})
sys.exit(cli.main({arguments!r}))
"""
    done = subprocess.run([sys.executable, "-c", code], cwd=ROOT, capture_output=True, text=True, check=False)
    assert done.returncode == status
    assert "Traceback" not in done.stderr
    assert [line for line in done.stderr.splitlines() if line.startswith("loupe")] == said
    assert list(tmp_path.iterdir()) == []


@pytest.mark.skipif(os.name != "posix", reason="pipes of a shell")
@pytest.mark.parametrize(
    ("arguments", "statuses"), [("plan --accuracy 0.8", ["141"]), ("--help", ["141", "0"])]
)
def test_whoever_stops_reading_hears_nothing(arguments: str, statuses: list[str]) -> None:
    """A pipe that is closed before anything is written."""
    done = run(f"($LOUPE {arguments}; echo $? >&2) | true")
    assert done.stderr.strip() in statuses


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="a device that is always full")
def test_results_that_cannot_be_printed(tmp_path: Path) -> None:
    """One line, and a status that is not 0."""
    done = run("$LOUPE plan --accuracy 0.8 > /dev/full")
    assert done.returncode == 1
    assert done.stderr.splitlines() == [
        "loupe: standard output: No space left on device; free some space and run the command again"
    ]


def test_a_terminal_that_knows_no_greek(tmp_path: Path) -> None:
    """What it cannot write is written as its code."""
    done = run("PYTHONIOENCODING=ascii $LOUPE check $0".replace("$0", SAMPLE))
    assert done.returncode == 0


def test_progress_speaks_where_nobody_looks(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    """Not for quick work; then for every tenth or when nothing was said for a while, in whole lines."""
    times = [0, 1, 2.5, 3, 5, 13, 16, 17]
    clock = iter([*times, 18])
    monkeypatch.setattr(output.time, "monotonic", lambda: next(clock))
    progress = ProgressLine()
    for share in (0.0, 0.5, 0.55, 0.9, 0.56, 0.57, 0.68, 1.0):
        progress(share, "work")
    assert capsys.readouterr().err == "55% work\\x1b\n57% work\\x1b\n68% work\\x1b\n"
    progress.begin()
    progress(0.0, "more")
    assert capsys.readouterr().err == ""


def test_progress_is_one_line_where_somebody_looks(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    """It changes in its place, and makes place for other words."""
    progress = ProgressLine()
    monkeypatch.setattr(sys.stderr, "isatty", lambda: True)
    for share in (0.0, 1.0, 0.5):
        progress(share, "work")
    assert capsys.readouterr().err.count("\n") == 0
    progress.clear()
    assert capsys.readouterr().err == "\r\033[K"
    progress.clear()
    assert capsys.readouterr().err == ""


def test_words_come_at_once() -> None:
    """Help, version and what is misspelt need none of the libraries for numbers."""
    code = "import sys; from core.cli import main; main(['evalute']); print(*sys.modules)"
    done = subprocess.run([sys.executable, "-c", code], cwd=ROOT, capture_output=True, text=True, check=True)
    assert not {"numpy", "pandas", "scipy", "numba"} & set(done.stdout.split())
