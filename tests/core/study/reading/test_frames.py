"""Frames are judged as the files would be that hold their cells: the same problems in the same rows."""

from __future__ import annotations

import csv
import io
import tomllib
from collections.abc import Callable
from pathlib import Path

import numpy as np
import pandas as pd
import pytest
from malformed import STUDIES, WRONG, stem_of
from study_files import write

from core.study.model import Study
from core.study.problems import Problem, StudyError
from core.study.reading.folder import read_study
from core.study.reading.frames import study_of_frames

Table = tuple[list[str], list[list[str]]]


def table_of(text: str) -> Table:
    """Header and rows of a CSV text."""
    header, *rows = csv.reader(io.StringIO(text))
    return header, rows


def of_frames(files: dict[str, str]) -> Study:
    """The study of the files' tables as frames of texts."""
    found: dict[str, object] = {}
    predictions: dict[str, object] = {}
    for path, text in files.items():
        if not path.endswith(".csv"):
            continue
        header, rows = table_of(text)
        frame = pd.DataFrame(rows, columns=pd.Index(header, dtype=object), dtype=object)
        match path.removesuffix(".csv").split("/"):
            case [stem]:
                found[stem] = frame
            case [_, model]:
                predictions[model] = frame
            case [_, task, model]:
                predictions.setdefault(task, {})[model] = frame  # type: ignore[attr-defined]
    settings = tomllib.loads(files.get("study.toml", ""))
    if predictions:
        found["predictions"] = predictions
    found |= {"tasks": settings.get("tasks"), "seed": settings.get("seed", 0)}
    return study_of_frames(**found)  # type: ignore[arg-type]


Outcome = tuple[str, tuple[Problem, ...]]


def outcome(make: Callable[..., Study], *arguments: object) -> Outcome:
    """Fingerprint and notes of a study, or nothing and the problems."""
    try:
        study = make(*arguments)
    except StudyError as error:
        return "", error.problems
    return study.fingerprint, study.notes


def both(files: dict[str, str], path: str, table: Table, folder: Path) -> tuple[Outcome, Outcome]:
    """What comes of the files with another table in one of them, and of their frames."""
    out = io.StringIO()
    csv.writer(out, lineterminator="\n").writerows([table[0], *table[1]])
    changed = files | {path: out.getvalue()}
    write(folder, dict(changed))
    return outcome(read_study, folder), outcome(of_frames, changed)


def places(problems: tuple[Problem, ...], first_row: int) -> list[tuple[str, str, int | None]]:
    """Severity, column and row of each problem, rows counted from the first; a missing study.toml aside."""
    rows = [
        (p, None if p.row is None or p.row < first_row else p.row - first_row)
        for p in problems
        if p.what[:11] != "there is no" or p.file != "study.toml"
    ]
    # A setting is a column of study.toml, and an argument of its own beside frames.
    columns = [p.file if p.file.startswith("tasks.") else p.column for p, _ in rows]
    return sorted(((p.severity, of, row) for (p, row), of in zip(rows, columns, strict=True)), key=str)


@pytest.mark.parametrize("name", STUDIES)
def test_a_wrong_cell_is_found_in_its_row(name: str, tmp_path: Path) -> None:
    """Every cell that is known to be wrong, each in a study of its own; and nothing speaks of files."""
    files = STUDIES[name]
    n = 0
    for (stem, column), texts in WRONG.items():
        for path in [path for path in files if path.endswith(".csv") and stem_of(path) == stem]:
            header, rows = table_of(files[path])
            if column not in header:
                continue
            for text in [text for text in texts if "\0" not in text and text.strip() == text]:
                damaged = [list(row) for row in rows]
                damaged[n % len(rows)][header.index(column)] = text
                n += 1
                by_file, by_frame = both(files, path, (header, damaged), tmp_path / str(n))
                assert by_frame[0] == by_file[0]
                assert places(by_frame[1], 0) == places(by_file[1], 2), (path, column, text)
                said = " ".join(map(str, by_frame[1]))
                assert not any(word in said for word in (".csv", ".toml", "header", "the file")), said
    assert n > 5


@pytest.mark.parametrize("name", STUDIES)
def test_a_missing_column_is_found(name: str, tmp_path: Path) -> None:
    """Of every table; rows of the header have no number."""
    files = STUDIES[name]
    for n, path in enumerate(path for path in files if path.endswith(".csv")):
        header, rows = table_of(files[path])
        table = header[1:], [row[1:] for row in rows]
        by_file, by_frame = both(files, path, table, tmp_path / str(n))
        assert places(by_frame[1], 0) == places(by_file[1], 2)
        assert all(p.row is None for p in by_frame[1] if "no column" in p.what)


@pytest.mark.parametrize(
    ("frame", "said"),
    [
        (pd.DataFrame({"case_id": [], "rater_id": [], "label": []}), "annotations: the frame has no rows"),
        (pd.DataFrame(), "annotations: the frame has no rows"),
        (pd.DataFrame({"x": [1]}), "there are no columns case_id, rater_id; the columns are x. Rename"),
        (pd.DataFrame([[1, "A", "x", "y"]], columns=["case_id", "rater_id", "label", "label"]), "same name"),
        (pd.DataFrame([[1]], columns=pd.MultiIndex.from_tuples([("case_id", "x")])), "2 levels of names"),
        (pd.DataFrame({"case_id": ["a\0"], "rater_id": ["A"], "label": ["x"]}), "NUL"),
        (pd.DataFrame({"case_id": ["a"], "rater_id": ["A"], "label": ["\0"]}), "NUL"),
        (
            pd.DataFrame({"case_id": ["a"], "rater_id": ["A"], "label": [{"x": 1}]}),
            "expected texts or numbers",
        ),
        (pd.DataFrame({"case_id": [None], "rater_id": ["A"], "label": ["x"]}), "case_id is empty"),
    ],
)
def test_a_frame_that_cannot_be_read_is_refused(frame: pd.DataFrame, said: str) -> None:
    """With what is wrong, not with what went wrong inside."""
    with pytest.raises(StudyError, match=said):
        study_of_frames(frame)


def test_types_of_pandas_say_what_they_show() -> None:
    """Nullable, Arrow-backed and categorical columns; truth values as labels, dates as metadata."""
    base = {"case_id": [1, 2], "rater_id": ["A", "A"], "label": ["x", "y"]}
    plain = study_of_frames(pd.DataFrame(base))
    for kind in ("Int64", "float64", "int64[pyarrow]", "category", object):
        frame = pd.DataFrame(base).astype({"case_id": kind})
        assert study_of_frames(frame).fingerprint == plain.fingerprint
    for kind in ("string", "string[pyarrow]", "category", object):
        assert study_of_frames(pd.DataFrame(base).astype({"label": kind})).fingerprint == plain.fingerprint
    given = pd.DataFrame(base).assign(label=[True, False])
    assert study_of_frames(given).tasks["main"].labels == ("false", "true")
    cases = pd.DataFrame({"case_id": [1, 2], "day": pd.to_datetime(["2020-01-01", None]), "age": [50, None]})
    study = study_of_frames(pd.DataFrame(base), cases=cases)
    assert study.cases["day"].tolist()[1] == ""
    assert np.isnan(study.cases["age"].iloc[1])
    assert study.cases["age"].iloc[0] == 50


def test_frames_are_left_as_they_are() -> None:
    """Nothing is written into what was given."""
    frame = pd.DataFrame({"rater_id": ["A"], "label": [" x "]}, index=pd.Index([1], name="case_id"))
    before = frame.copy()
    study_of_frames(frame, name="mine", seed=4)
    pd.testing.assert_frame_equal(frame, before)


def test_name_and_seed_are_checked() -> None:
    """As those of a file."""
    frame = pd.DataFrame({"case_id": [1], "rater_id": ["A"], "label": ["x"]})
    study = study_of_frames(frame, name="mine", seed=4)
    assert (study.name, study.seed) == ("mine", 4)
    with pytest.raises(StudyError, match=r"^seed: expected a whole number"):
        study_of_frames(frame, seed=-1)
    with pytest.raises(StudyError, match=r"^tasks.main.kind: kind must be one of"):
        study_of_frames(frame, tasks={"main": {"kind": "chioce"}})
