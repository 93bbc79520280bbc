"""Where the commands write: each into a folder of its own, never into a study, whole or not at all."""

from __future__ import annotations

import errno
import json
import os
import shutil
import subprocess
import sys
from pathlib import Path

import pandas as pd
import pytest

from core.cli import main, sample_folder

ROOT = Path(__file__).parents[2]
SAMPLE = sample_folder("toy_three_labels")
COMMANDS = {
    "evaluate": [str(SAMPLE)],
    "compare": [str(SAMPLE), "--draws", "3"],
    "disagreement": [str(SAMPLE), "--resamples", "2"],
    "conformal": [str(SAMPLE)],
    "raters": [str(SAMPLE), "--resamples", "2"],
    "checklist": [str(SAMPLE)],
    "plan": [str(SAMPLE), "--accuracy", "0.8"],
    "experiment": ["perfect-predictor", "--repeats", "2"],
}
"""Every command that writes results, with what makes it quick."""


def contents(folder: Path) -> dict[str, bytes]:
    """All files below a folder by relative path."""
    return {
        path.relative_to(folder).as_posix(): path.read_bytes() for path in folder.rglob("*") if path.is_file()
    }


def write(folder: Path, name: str, text: str) -> None:
    """Write a file, in folders made for it."""
    (folder / name).parent.mkdir(parents=True, exist_ok=True)
    (folder / name).write_text(text, encoding="utf-8")


def run(command: str, out: Path, *more: str) -> int:
    """Run one of the commands."""
    return main([command, *COMMANDS[command], "--out", str(out), *more])


@pytest.fixture(scope="module")
def tables(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Folder that all commands have written into, one after the other."""
    out = tmp_path_factory.mktemp("results") / "tables"
    for command in COMMANDS:
        assert run(command, out) == 0
    return out


def test_commands_do_not_touch_the_results_of_others(tables: Path) -> None:
    """A folder for each; tables that share a name live side by side."""
    assert sorted(path.name for path in tables.iterdir()) == sorted(COMMANDS)
    assert {path.parent.name for path in tables.rglob("labels.csv")} == {"compare", "raters"}
    assert {path.parent.name for path in tables.rglob("cases.csv")} == {"evaluate", "raters"}


def test_every_table_opens_as_it_is_beside_its_provenance(tables: Path) -> None:
    """With `read_csv` and nothing else; the file beside it says what made it."""
    found = list(tables.rglob("*.csv"))
    assert len(found) > 20
    for path in found:
        table = pd.read_csv(path)
        assert not any(name.startswith(("#", "Unnamed")) for name in table.columns), path
        made_by = json.loads(path.with_suffix(".provenance.json").read_text(encoding="utf-8"))
        assert made_by["table"] == path.name
        assert made_by["settings"]["made by"].startswith("Loupe")


def test_all_json_is_valid(tables: Path) -> None:
    """No NaN and no infinity."""

    def refuse(name: str) -> None:
        raise AssertionError(name)

    found = list(tables.rglob("*.json"))
    assert len(found) > 25
    for path in found:
        json.loads(path.read_text(encoding="utf-8"), parse_constant=refuse)


@pytest.mark.parametrize("command", COMMANDS)
def test_results_are_replaced_only_when_asked(
    command: str,
    tables: Path,
    tmp_path: Path,
    capsys: pytest.CaptureFixture[str],
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """Refused before anything is computed; with --overwrite nothing of the earlier run is left."""
    shutil.copytree(tables / command, tmp_path / command)
    before = contents(tmp_path)
    with monkeypatch.context() as patch:
        patch.setattr("core.study.reading.folder.read_study", pytest.fail)
        patch.setattr("core.analysis.disagreement.perfect_predictor.perfect_predictor", pytest.fail)
        assert run(command, tmp_path) == 1
    assert "--overwrite" in capsys.readouterr().err
    (tmp_path / command / "old.csv").write_text("old")
    (tmp_path / command / "old.provenance.json").write_text("{}")
    assert run(command, tmp_path, "--overwrite") == 0
    assert contents(tmp_path).keys() == before.keys()


@pytest.mark.parametrize("strange", ["notes.txt", "mine.csv", "mine.json", "in/x.csv"])
def test_the_work_of_others_is_not_replaced(
    strange: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """A file that no command has written stays, and the command says so."""
    assert run("plan", tmp_path) == 0
    write(tmp_path / "plan", strange, '{"mine": 1}')
    before = contents(tmp_path)
    assert run("plan", tmp_path, "--overwrite") == 1
    assert strange.split("/")[0] in capsys.readouterr().err
    assert contents(tmp_path) == before


@pytest.mark.parametrize(
    "command", ["evaluate", "compare", "disagreement", "conformal", "raters", "checklist", "plan"]
)
@pytest.mark.parametrize("place", [".", "tables", "predictions", ".."])
def test_a_study_is_never_changed(
    command: str, place: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """Its own folder, one inside and one around are refused, with --overwrite too."""
    study = tmp_path / "data" / "study"
    shutil.copytree(SAMPLE, study)
    before = contents(tmp_path)
    more = COMMANDS[command][1:]
    assert main([command, str(study), *more, "--out", str(study / place), "--overwrite"]) == 1
    assert "study folder" in capsys.readouterr().err
    assert contents(tmp_path) == before


def test_studies_are_not_written_into_studies(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """By simulate and import, nor into what is imported; a folder with files is refused before reading."""
    shutil.copytree(SAMPLE, tmp_path / "study")
    before = contents(tmp_path)
    assert main(["simulate", str(tmp_path / "study" / "new"), "--cases", "5"]) == 1
    write(tmp_path / "release", "preds.csv", "case,a,b\n1,x,y\n2,y,y\n")
    assert main(["import", "rater-matrix", str(tmp_path / "release"), str(tmp_path / "study" / "new")]) == 1
    assert main(["import", "rater-matrix", str(tmp_path / "release"), str(tmp_path / "release" / "new")]) == 1
    assert capsys.readouterr().err.count("which is never changed") == 3
    assert main(["import", "rater-matrix", str(tmp_path / "no"), str(tmp_path / "release")]) == 1
    assert "holds files" in capsys.readouterr().err
    assert contents(tmp_path) == before | {"release/preds.csv": b"case,a,b\n1,x,y\n2,y,y\n"}


@pytest.mark.parametrize("command", COMMANDS)
def test_a_full_disk_leaves_what_was_there(
    command: str,
    tables: Path,
    tmp_path: Path,
    capsys: pytest.CaptureFixture[str],
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """In the midst of the third file: one line, no half file, the earlier results as they were."""
    shutil.copytree(tables / command, tmp_path / "full" / command)
    before = contents(tmp_path)
    written = 0

    def fsync(_: int) -> None:
        nonlocal written
        written += 1
        if written == 3:
            raise OSError(errno.ENOSPC, "No space left on device")

    monkeypatch.setattr("core.study.whole_files.os.fsync", fsync)
    for out in ("full", "new"):
        written = 0
        assert run(command, tmp_path / out, "--overwrite") == 1
        # A slow machine is also told how far the work is.
        (said,) = (line for line in capsys.readouterr().err.splitlines() if line.startswith("loupe"))
        assert "o space left on device" in said
        assert f"{out}/{command}" in said
    assert contents(tmp_path) == before
    assert sorted(path.name for path in tmp_path.iterdir()) == ["full"]


SMALL_FILES = """
import resource, sys
from core.cli import main
resource.setrlimit(resource.RLIMIT_FSIZE, (2048, resource.getrlimit(resource.RLIMIT_FSIZE)[1]))
sys.exit(main(sys.argv[1:]))
"""


@pytest.mark.slow
@pytest.mark.skipif(os.name != "posix", reason="limits of POSIX")
@pytest.mark.parametrize(
    "command", [["simulate"], ["import", "rater-matrix", "matrix.csv"]], ids=lambda c: c[0]
)
def test_half_a_study_is_none(tmp_path: Path, command: list[str]) -> None:
    """A process in which no file may grow beyond 2 kB stops where the system stops it; no folder is there."""
    matrix = "case,a,b\n" + "".join(f"{i},x,y\n" for i in range(240))
    write(tmp_path, "matrix.csv", matrix[:2000])
    done = subprocess.run(
        [sys.executable, "-c", SMALL_FILES, *command, str(tmp_path / "new" / "study")],
        cwd=tmp_path,
        capture_output=True,
        text=True,
        check=False,
        # Python would cut what it compiles at 2 kB as well, and keep it for all that come later.
        env={**os.environ, "PYTHONPATH": str(ROOT), "PYTHONDONTWRITEBYTECODE": "1"},
    )
    assert done.returncode == 1
    assert "file too large" in done.stderr.lower()
    assert "Traceback" not in done.stderr
    assert [path.name for path in tmp_path.iterdir()] == ["matrix.csv"]


@pytest.mark.slow
@pytest.mark.skipif(shutil.which("unshare") is None, reason="needs a file system of its own")
def test_a_file_system_that_is_full(tmp_path: Path) -> None:
    """A real one of 64 kB: the command ends with one line, and what was there is all that is there."""
    script = """
        mount -t tmpfs -o size=64k none "$1" || exit 77
        echo precious > "$1/mine"
        "$2" -m core.cli simulate "$1/study" --cases 2000; echo "status $?"
        ls -A "$1"; cat "$1/mine"
    """
    command = ["unshare", "--mount", "sh", "-c", script, "sh", str(tmp_path), sys.executable]
    done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=False, env={**os.environ})
    if done.returncode in (1, 77) and ("unshare" in done.stderr or "mount" in done.stderr):
        pytest.skip("file systems may not be mounted here")
    assert done.stdout.split() == ["status", "1", "mine", "precious"]
    assert "o space left on device" in done.stderr
    assert "Traceback" not in done.stderr


HOSTILE = ['=HYPERLINK("http://example.org")', "a;=1+1", "＝x", "\t@y", "b\n+1", '";-2+3', "ok"]


@pytest.fixture(scope="module")
def hostile(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Study in which every name is a formula somewhere."""
    folder = tmp_path_factory.mktemp("hostile") / "study"
    name = json.dumps(f"x,{HOSTILE[0]}")
    write(folder, "study.toml", f'name = {name}\n[tasks."=task"]\nkind = "choice"\n')
    readings, predictions = [], []
    for i in range(40):
        case = f"{HOSTILE[i % 7]} {i}"
        readings += [(case, f"{HOSTILE[(i + r) % 3]} r{r}", HOSTILE[(i * r + r) % 7]) for r in range(3)]
        predictions += [
            (case, model, label, 0.4 if label == HOSTILE[(i + j) % 7] else 0.1)
            for j, model in enumerate(("=m", "－n"))
            for label in HOSTILE
        ]
    for file, rows, columns in (
        ("annotations.csv", readings, ["case_id", "rater_id", "label"]),
        ("predictions.csv", predictions, ["case_id", "model", "label", "probability"]),
    ):
        pd.DataFrame(rows, columns=columns).to_csv(folder / file, index=False)
    pd.DataFrame({"case_id": [f"{HOSTILE[i % 7]} {i}" for i in range(40)], "=meta": "+x"}).to_csv(
        folder / "cases.csv", index=False
    )
    return folder


@pytest.mark.parametrize(
    "command", ["evaluate", "compare", "disagreement", "conformal", "raters", "checklist"]
)
def test_no_cell_of_any_table_computes(
    command: str, hostile: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """Names of the study, its labels, cases, raters and models, whichever separator opens the table."""
    out = tmp_path / "tables"
    also = ["--tables", "latex,markdown,parquet"]
    assert main([command, str(hostile), *COMMANDS[command][1:], *also, "--out", str(out)]) == 0
    for path in (out / command).glob("*.md"):
        if path.name != "methods.md":
            assert (
                len({line.replace("\\|", "").count("|") for line in path.read_text().splitlines()[:-2]}) == 1
            )
    found = sorted((out / command).glob("*.csv"))
    assert found
    for path in found:
        text = path.read_text(encoding="utf-8").replace("\r", "\n")
        cells = [cell for line in text.split("\n") for mark in ",;\t" for cell in line.split(mark)]
        for cell in cells:
            is_number = cell.strip('"').replace("e", "").replace("-", "").replace(".", "").isdigit()
            starts = cell.lstrip('" ').startswith(tuple("=+-@＝＋－＠"))
            assert is_number or cell in ("-inf", "") or not starts, (path.name, cell)
    assert "HYPERLINK" in "".join(path.read_text(encoding="utf-8") for path in found)
    assert "\t" not in capsys.readouterr().err
