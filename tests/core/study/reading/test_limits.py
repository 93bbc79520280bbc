"""Tables that are too large, and problems that are too many: bounded work, and everything counted."""

from __future__ import annotations

import numpy as np
import pandas as pd
import pyarrow as pa
import pyarrow.parquet as pq
import pytest
from study_files import CHOICE, TOML, problems, write

from core.study.problems import StudyError
from core.study.reading import limits
from core.study.reading.folder import read_study
from core.study.reading.report import LISTED


@pytest.mark.parametrize("ending", ["csv", "parquet"])
def test_too_many_cells(monkeypatch, tmp_path, ending):
    """Refused by their number, which Parquet tells before anything is unpacked."""
    monkeypatch.setattr(limits, "LARGEST_TABLE", 100)
    write(tmp_path, {})
    frame = pd.DataFrame({"case_id": ["1"] * 50, "rater_id": ["a"] * 50, "label": ["x"] * 50})
    if ending == "csv":
        frame.to_csv(tmp_path / "annotations.csv", index=False)
    else:
        frame.to_parquet(tmp_path / "annotations.parquet")
    with pytest.raises(StudyError, match=r"15\d cells"):
        read_study(tmp_path)


def test_too_large_a_file(monkeypatch, tmp_path):
    """Refused by its size, before it is opened."""
    monkeypatch.setattr(limits, "LARGEST_FILE", 10)
    with pytest.raises(StudyError, match="at most 10 can be read"):
        read_study(write(tmp_path, {"annotations.csv": CHOICE}))


def test_parquet_bomb(tmp_path):
    """Ten gigabytes of one text make a small file; the text is unpacked once, and is no label."""
    write(tmp_path, {})
    column = pa.DictionaryArray.from_arrays(pa.array(np.zeros(100_000, np.int32)), pa.array(["x" * 100_000]))
    plain = pa.array(np.arange(100_000) // 2)
    rater = pa.array(np.arange(100_000) % 2)
    path = tmp_path / "annotations.parquet"
    pq.write_table(pa.table({"case_id": plain, "rater_id": rater, "label": column}), path)
    with pytest.raises(StudyError, match="row 2, column label: label has 100,000 characters"):
        read_study(tmp_path)


@pytest.mark.parametrize(
    "column", [pa.array([[1], [2]]), pa.array([{"a": 1}, None]), pa.array([b"\xff", b"x"], pa.binary())]
)
def test_parquet_of_other_types(tmp_path, column):
    """Lists, structures and bytes are no cells."""
    write(tmp_path, {})
    table = pa.table({"case_id": ["1", "2"], "rater_id": ["a", "a"], "label": column})
    pq.write_table(table, tmp_path / "annotations.parquet")
    with pytest.raises(StudyError, match="column label: expected texts or numbers"):
        read_study(tmp_path)


def test_parquet_that_is_no_utf8(tmp_path):
    """Bytes that call themselves text."""
    write(tmp_path, {})
    label = pa.array([b"\xff", b"x"], pa.binary()).view(pa.string())
    pq.write_table(
        pa.table({"case_id": ["1", "2"], "rater_id": ["a", "a"], "label": label}),
        tmp_path / "annotations.parquet",
    )
    with pytest.raises(StudyError, match=r"UTF-?8"):
        read_study(tmp_path)


def test_nul_in_parquet(tmp_path):
    """A NUL character, which CSV could not hold."""
    write(tmp_path, {})
    frame = pd.DataFrame({"case_id": ["1", "2"], "rater_id": ["a", "b\0"], "label": ["x", "y"]})
    frame.to_parquet(tmp_path / "annotations.parquet")
    with pytest.raises(StudyError, match="row 3, column rater_id: expected text, got a NUL"):
        read_study(tmp_path)


def test_many_unknown_columns(tmp_path):
    """A wide table of another study: some labels are listed, the rest is counted."""
    header = ",".join(f"class {i}" for i in range(3000))
    files = {
        "annotations.csv": CHOICE,
        "labels.csv": "label\nyes\nno\n",
        "predictions/m.csv": f"case_id,{header}\n1{',0' * 3000}\n",
    }
    found = [p for p in problems(tmp_path, files) if "unknown label" in p.what or "like this" in p.what]
    assert len(found) == LISTED + 1
    assert found[-1].what == "and 2,980 more columns like this"


def test_many_bad_columns(tmp_path):
    """Percentages in every column of a wide table."""
    labels = [f"class {i}" for i in range(300)]
    files = {
        "annotations.csv": "case_id,rater_id,label\n1,a,class 0\n",
        "labels.csv": "label\n" + "\n".join(labels) + "\n",
        "predictions/m.csv": f"case_id,{','.join(labels)}\n1{',5' * 300}\n",
    }
    found = [p for p in problems(tmp_path, files) if p.file == "predictions/m.csv" and p.severity == "error"]
    assert len(found) == LISTED + 1
    assert found[-1].what == "and 280 more columns like this"


def test_many_unused_columns_and_keys(tmp_path):
    """Warnings are bounded too."""
    more = [f"extra{i}" for i in range(100)]
    found = problems(
        tmp_path,
        {
            "study.toml": TOML + "\n".join(f"{name} = 1" for name in more),
            "annotations.csv": f"case_id,rater_id,label,{','.join(more)}\n1,a,x{',1' * 100}\n",
        },
    )
    assert len(found) == 2 * (LISTED + 1)
    assert [p.what for p in found if "more" in p.what] == [
        "and 80 more keys like this",
        "and 80 more columns like this",
    ]
