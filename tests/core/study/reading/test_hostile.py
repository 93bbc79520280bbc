"""Small files that ask for much, and paths that are no files: refused before memory or time is spent."""

from __future__ import annotations

import os
import resource
import subprocess
import sys
from pathlib import Path

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq
import pytest
from study_files import CHOICE, problems, write

from core.study.problems import LONGEST_TEXT, Problem, StudyError
from core.study.reading import limits
from core.study.reading.files import open_file
from core.study.reading.folder import read_study
from core.study.reading.report import Report

ROOT = Path(__file__).parents[4]
HELPERS = os.pathsep.join((str(ROOT), str(ROOT / "tests" / "helpers")))
SECONDS, MOST_BYTES = 20, 500 * 1024**2
READ = """
import sys
import peak_memory
from core.study.reading.folder import read_study
from core.study.problems import StudyError
before = peak_memory.begin()
try:
    read_study(sys.argv[1])
except StudyError as refused:
    print(refused)
print(peak_memory.peak() - before)
"""
"""Reads a study in a process of its own, and says how much memory that took."""


def _refusal(folder: Path) -> str:
    """Message of the refusal of a study, whose processor time is bounded and whose memory is measured."""
    done = subprocess.run(
        [sys.executable, "-c", READ, str(folder)],
        cwd=ROOT,
        env=os.environ | {"PYTHONPATH": HELPERS},
        capture_output=True,
        text=True,
        check=True,
        preexec_fn=lambda: resource.setrlimit(resource.RLIMIT_CPU, (SECONDS, SECONDS)),
    )
    message, grown = done.stdout.strip().rsplit("\n", 1)
    assert int(grown) < MOST_BYTES
    return message


def _dotted(folder: Path) -> None:
    write(folder, {"study.toml": "a" + ".a" * 40_000 + " = 1", "annotations.csv": CHOICE})


def _dotted_behind_texts(folder: Path) -> None:
    """Behind a text that ends in four quotes, and within a comment that is none."""
    key = 't = {a = """b"""", ' + "c." * 40_000 + "c = 1}"
    write(folder, {"study.toml": key, "annotations.csv": CHOICE})


def _draw_a_case(folder: Path) -> None:
    n = 60_000
    rows = "".join(f"{i},a,{'yes' if i % 2 else 'no'}\n" for i in range(n))
    drawn = "".join(f"{i},{i + 1},0.5,0.5\n" for i in range(n))
    files = {"annotations.csv": "case_id,rater_id,label\n" + rows}
    write(folder, files | {"predictions/m.csv": "case_id,draw,yes,no\n" + drawn})


def _dense(folder: Path, n: int = 90_000) -> None:
    rows = "".join(f"{i},a,label {i}\n" for i in range(n))
    predicted = "".join(f"{i},m,label {i},1\n" for i in range(n))
    files = {"annotations.csv": "case_id,rater_id,label\n" + rows}
    write(folder, files | {"predictions.csv": "case_id,model,label,probability\n" + predicted})


def _many_labels(folder: Path) -> None:
    _dense(folder, 200_000)


def _a_million_labels(folder: Path) -> None:
    write(folder, {"annotations.csv": CHOICE, "labels.csv": "label\n" + "\n".join(map(str, range(10**6)))})


def _wide_features(folder: Path) -> None:
    rows = "".join(f"{i},a,x\n" for i in range(100_000))
    features = "case_id," + ",".join(f"f{i}" for i in range(10_000)) + "\n1" + ",1" * 10_000 + "\n"
    write(folder, {"annotations.csv": "case_id,rater_id,label\n" + rows, "features.csv": features})


def _repeated(folder: Path, n: int) -> None:
    write(folder, {})
    same = {
        name: pa.DictionaryArray.from_arrays(pa.array(np.zeros(n, np.int32)), pa.array([name]))
        for name in ("case_id", "rater_id", "label")
    }
    pq.write_table(pa.table(same), folder / "annotations.parquet")


def _parquet_of_too_many_rows(folder: Path) -> None:
    _repeated(folder, limits.MOST_ROWS + 1)


def _parquet_of_one_row(folder: Path) -> None:
    _repeated(folder, limits.MOST_ROWS // 2)


def _row(folder: Path, row: str, start: str = "") -> None:
    write(folder, {})
    with (folder / "annotations.csv").open("w") as out:
        out.write("case_id,rater_id,label\n" + start)
        for _ in range(100):
            out.write(row * (60_000_000 // len(row) // 100))


def _csv_of_one_row(folder: Path) -> None:
    _row(folder, "case 1,rater 1,label 1\n")


def _csv_of_one_quoted_row(folder: Path) -> None:
    _row(folder, '"case 1","rater 1","label 1"\n')


def _csv_that_repeats_itself_later(folder: Path) -> None:
    _row(folder, "case 1,rater 1,label 1\n", "".join(f"{i},a,x\n" for i in range(100_000)))


def _hole(folder: Path) -> None:
    """Two gigabytes that take no place on the disk."""
    write(folder, {"annotations.csv": CHOICE})
    os.truncate(folder / "annotations.csv", limits.LARGEST_FILE - 1)


def _endless_label(folder: Path) -> None:
    label = "ab" * 65_000
    write(
        folder, {"annotations.csv": CHOICE + f"3,a,{label}\n", "labels.csv": f"label\nyes\nno\n{label[1:]}\n"}
    )


HOSTILE = {
    _dotted: "a key has more than 10 parts",
    _dotted_behind_texts: "a key has more than 10 parts",
    _draw_a_case: "60,000 draws are 7,200,000,000 probabilities",
    _dense: "90,000 cases × 90,000 labels are 8,100,000,000 probabilities",
    _many_labels: "there are 200,000 labels",
    _a_million_labels: "there are 1,000,000 labels",
    _wide_features: "there are 1,000,000,000 features",
    _parquet_of_too_many_rows: "the table has 20,000,001 rows",
    _parquet_of_one_row: "row 3: the row is a copy of row 2",
    _csv_of_one_row: "row 3: the row is a copy of row 2",
    _csv_of_one_quoted_row: "row 3: the row is a copy of row 2",
    _csv_that_repeats_itself_later: "the row is a copy of row",
    _hole: "NUL byte",
    _endless_label: "label has 130,000 characters",
}


@pytest.mark.slow
@pytest.mark.parametrize("make", HOSTILE, ids=lambda make: make.__name__.strip("_"))
def test_little_asks_for_much(tmp_path, make):
    """Refused with the limit, in bounded time and memory."""
    make(tmp_path)
    message = _refusal(tmp_path)
    assert HOSTILE[make] in message
    assert len(message) < 40 * 4 * LONGEST_TEXT


@pytest.mark.parametrize("name", ["study.toml", "annotations.csv", "cases.parquet", "predictions/m.csv"])
@pytest.mark.parametrize("kind", ["pipe", "device", "loop", "nowhere", "folder"])
def test_what_is_no_file_is_not_opened(tmp_path, name, kind):
    """A pipe would be waited for, and a device read without end."""
    write(tmp_path, {"annotations.csv": CHOICE, "predictions/n.csv": "case_id,yes,no\n1,1,0\n"})
    path = tmp_path / name
    path.unlink(missing_ok=True)
    if kind == "pipe":
        os.mkfifo(path)
    elif kind == "folder":
        path.mkdir()
    else:
        path.symlink_to({"device": "/dev/zero", "loop": path.name, "nowhere": "nothing"}[kind])
    with pytest.raises(StudyError) as caught:
        read_study(tmp_path)
    assert name.removesuffix("/m.csv") in {p.file.removesuffix("/m.csv") for p in caught.value.problems}


@pytest.mark.parametrize(
    "path", ["a\0b", "x" * 5000, "x/" * 3000, "~nobody/study", "nowhere", "", "\udcff", "\x1b[31m"]
)
def test_paths_that_lead_nowhere(path):
    """Given by hand or by a link."""
    with pytest.raises(StudyError) as caught:
        read_study(f"/nonexistent/{path}")
    assert "\x1b" not in str(caught.value)
    assert "\0" not in str(caught.value)


def test_a_loop_of_links_and_a_file_are_no_folder(tmp_path):
    """Both are there, and neither can be listed."""
    (tmp_path / "loop").symlink_to("loop")
    (tmp_path / "file").write_text("x")
    for name in ("loop", "file"):
        with pytest.raises(StudyError, match=name):
            read_study(tmp_path / name)


def test_a_folder_that_may_not_be_read(monkeypatch, tmp_path):
    """Refused as the system refuses it."""

    def forbidden(*_: object, **__: object) -> int:
        raise PermissionError(13, "Permission denied")

    write(tmp_path, {"annotations.csv": CHOICE})
    with monkeypatch.context() as patched:
        patched.setattr(os, "open", forbidden)
        report = Report()
        assert open_file(tmp_path / "annotations.csv", "annotations.csv", report) is None
    assert [p.what for p in report.problems] == ["it cannot be read (Permission denied)"]
    monkeypatch.setattr(Path, "iterdir", forbidden)
    with pytest.raises(StudyError, match="Permission denied"):
        read_study(tmp_path)


def test_a_file_that_grows_is_read_to_its_size(tmp_path):
    """The limit holds for what is opened, not for what comes later."""
    path = tmp_path / "study.toml"
    path.write_bytes(b"x" * 100)
    report = Report()
    assert open_file(path, "study.toml", report, limit=99) is None
    assert report.problems[0].what == "the file holds 100 bytes; at most 99 can be read"


def test_messages_are_short_and_plain():
    """No escape drives a terminal, nothing turns the direction of writing, and no text is endless."""
    problem = Problem("\x1b[2Ja.csv", "x" * 10_000, "a\nb\u202ec\udcff", column="\x07" * 1000)
    assert problem.file == "\\x1b[2Ja.csv"
    assert (len(problem.what), problem.what[-2:]) == (LONGEST_TEXT, " …")
    assert problem.mend == "a\\nb\\u202ec\\udcff"
    assert len(problem.column) == LONGEST_TEXT
    assert str(problem).isprintable()
    assert Problem("é", "ни\u200dна", "好").what == "ни\u200dна"


def test_one_wrong_header_is_one_error(tmp_path):
    """What follows from it is not said."""
    several = '[tasks.one]\nkind = "choice"\n[tasks.two]\nkind = "choice"\n'
    cases: list[dict[str, str | bytes]] = [
        {
            "study.toml": several,
            "annotations.csv": "case_id,rater_id,label,taks\n1,a,x,one\n1,a,y,two\n",
            "labels.csv": "label,task\nx,one\ny,two\n",
        },
        {
            "annotations.csv": CHOICE.replace("label", "lable"),
            "cases.csv": "case_id,reference\n1,yes\n2,no\n",
            "predictions/m.csv": "case_id,yes,no\n1,1,0\n",
        },
        {
            "annotations.csv": CHOICE,
            "labels.csv": "label\nyes\nno\n",
            "predictions/m.csv": "case_id,yes,noo\n1,0,1\n2,0.25,0.75\n",
        },
        {"annotations.csv": CHOICE.split("\n", 1)[1]},
    ]
    for i, files in enumerate(cases):
        found = problems(tmp_path / str(i), files)
        assert len([p for p in found if p.severity == "error"]) == 1, found


def test_labels_that_differ_in_capitals_are_noted(tmp_path):
    """The header of a model says Yes where raters say yes."""
    files: dict[str, str | bytes] = {
        "annotations.csv": CHOICE,
        "predictions/m.csv": "case_id,Yes,no\n1,1,0\n",
    }
    found = problems(tmp_path, files)
    assert ['"Yes" and "yes" are different labels' in p.what for p in found if p.column == "label"] == [True]
