"""Damaged studies: a study or a `StudyError`, never anything else."""

from __future__ import annotations

import contextlib
import io
import tempfile
import zipfile
from pathlib import Path

import pandas as pd
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from random_studies import studies
from study_files import RANKING, write

from core.study.problems import StudyError
from core.study.reading.folder import read_study, read_zip, write_study

QUIET = settings(max_examples=30, deadline=None, suppress_health_check=list(HealthCheck))
CELLS = st.one_of(
    st.sampled_from(
        ["", " ", "nan", "inf", "-1", "0", "1", "2", "1e400", "1_0", "0x1", '"', "'", ";", "\n", "=A1"]
    ),
    st.text(max_size=4),
    st.floats().map(str),
)


def _read_or_refuse(folder: Path) -> None:
    """Read the study; a refusal has to name files and mends."""
    refusal, study = None, None
    try:
        study = read_study(folder)
    except StudyError as error:
        refusal = error
    if study is None:
        assert refusal is not None
        assert any(problem.severity == "error" for problem in refusal.problems)
        assert all(problem.what and problem.mend and problem.file for problem in refusal.problems)
        return
    for task in study.tasks.values():
        assert len(task.readings.case_start) == study.n_cases + 1
        assert task.readings.rater.max(initial=0) < len(study.rater_ids)
        assert task.readings.label.max(initial=0) < len(task.labels)
        assert (task.readings.label >= 0).all()


@QUIET
@given(studies(), st.data())
def test_mutated_bytes(study, data):
    """Bytes of any file changed, cut out or put in."""
    with tempfile.TemporaryDirectory() as folder:
        write_study(study, Path(folder))
        paths = sorted(path for path in Path(folder).rglob("*") if path.is_file())
        path = data.draw(st.sampled_from(paths))
        content = path.read_bytes()
        for _ in range(data.draw(st.integers(1, 4))):
            start = data.draw(st.integers(0, len(content)))
            end = data.draw(st.integers(start, min(len(content), start + 8)))
            content = content[:start] + data.draw(st.binary(max_size=4)) + content[end:]
        path.write_bytes(content)
        _read_or_refuse(Path(folder))


@pytest.mark.slow
@QUIET
@given(studies(), st.data())
def test_mutated_cells(study, data):
    """Cells of any table replaced, rows repeated, columns renamed."""
    with tempfile.TemporaryDirectory() as folder:
        write_study(study, Path(folder))
        paths = sorted(Path(folder).rglob("*.csv"))
        path = data.draw(st.sampled_from(paths))
        frame = pd.read_csv(path, dtype=str, keep_default_na=False)
        for _ in range(data.draw(st.integers(1, 3))):
            if len(frame):
                row = data.draw(st.integers(0, len(frame) - 1))
                column = data.draw(st.integers(0, frame.shape[1] - 1))
                frame.iloc[row, column] = data.draw(CELLS)
        if data.draw(st.booleans()):
            frame = pd.concat([frame, frame.iloc[:1]])
        if data.draw(st.booleans()):
            column = data.draw(st.sampled_from(list(frame.columns)))
            frame = frame.rename(columns={column: data.draw(CELLS)})
        frame.to_csv(path, index=False)
        _read_or_refuse(Path(folder))


@QUIET
@given(
    st.dictionaries(
        st.sampled_from(
            ["case_id", "rater_id", "label", "rank", "confidence", "score", "repeat", "task", "x"]
        ),
        st.lists(CELLS, min_size=3, max_size=3),
        max_size=9,
    )
)
def test_any_table(columns):
    """Tables of anything under the right and wrong names."""
    with tempfile.TemporaryDirectory() as folder:
        write(Path(folder), {})
        pd.DataFrame(columns).to_csv(Path(folder, "annotations.csv"), index=False)
        _read_or_refuse(Path(folder))


@QUIET
@given(st.data())
def test_mutated_parquet(data):
    """A Parquet file with changed bytes."""
    with tempfile.TemporaryDirectory() as folder:
        write(Path(folder), {})
        path = Path(folder, "annotations.parquet")
        pd.read_csv(io.StringIO(RANKING)).to_parquet(path)
        content = bytearray(path.read_bytes())
        for _ in range(data.draw(st.integers(1, 5))):
            content[data.draw(st.integers(4, len(content) - 1))] = data.draw(st.integers(0, 255))
        path.write_bytes(bytes(content))
        _read_or_refuse(Path(folder))


@QUIET
@given(
    st.text(max_size=60)
    | st.sampled_from(["[tasks.a]\nkind=", "tasks = 3", "[tasks]\na = 1"]).flatmap(
        lambda start: st.text(max_size=10).map(lambda rest: start + rest)
    )
)
def test_any_settings(text):
    """Anything in study.toml."""
    with tempfile.TemporaryDirectory() as folder:
        write(Path(folder), {"study.toml": text.encode("utf-8", "replace"), "annotations.csv": RANKING})
        _read_or_refuse(Path(folder))


@QUIET
@given(st.data())
def test_mutated_zip(data):
    """A zip archive with changed bytes."""
    buffer = io.BytesIO()
    with zipfile.ZipFile(
        buffer, "w", data.draw(st.sampled_from([zipfile.ZIP_STORED, zipfile.ZIP_DEFLATED]))
    ) as archive:
        archive.writestr("s/study.toml", 'name = "x"')
        archive.writestr("s/annotations.csv", RANKING)
    content = bytearray(buffer.getvalue())
    for _ in range(data.draw(st.integers(1, 4))):
        content[data.draw(st.integers(0, len(content) - 1))] = data.draw(st.integers(0, 255))
    with contextlib.suppress(StudyError):
        assert read_zip(bytes(content)).n_cases >= 1
