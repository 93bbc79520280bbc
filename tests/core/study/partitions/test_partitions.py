"""A study in parts holds what the study holds, however it is divided; what is wrong with it is said."""

from __future__ import annotations

import json
import tempfile
from pathlib import Path

import numpy as np
import pandas as pd
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from core.study.model import Study
from core.study.partitions.manifest import is_partitioned, read_manifest
from core.study.partitions.reading import read_part
from core.study.partitions.writing import write_partitions
from core.study.problems import StudyError
from core.study.reading.folder import read_study, write_study
from tests.helpers.random_studies import studies


def require_same(whole: Study, parts: list[Study]) -> None:
    """Compare a study with its parts, laid one after the other."""
    assert [case for part in parts for case in part.case_ids] == list(whole.case_ids)
    first = 0
    for part in parts:
        cases = range(first, first + part.n_cases)
        first += part.n_cases
        pd.testing.assert_frame_equal(
            part.cases, whole.cases.iloc[cases.start : cases.stop], check_dtype=False
        )
        for name, task in whole.tasks.items():
            own = part.tasks[name]
            assert (own.labels, own.kind, own.positive) == (task.labels, task.kind, task.positive)
            assert own.settled_by == task.settled_by
            wanted = task.readings.take_cases(cases)
            for column in ("case_start", "entry_start", "label", "block", "repeat", "confidence", "score"):
                np.testing.assert_array_equal(getattr(own.readings, column), getattr(wanted, column))
            said = [part.rater_ids[rater] for rater in own.readings.rater]
            assert said == [whole.rater_ids[rater] for rater in wanted.rater]
            assert list(own.predictions) == list(task.predictions)
            for model, of in task.predictions.items():
                np.testing.assert_array_equal(
                    own.predictions[model].probability, of.probability[cases.start : cases.stop]
                )


@pytest.mark.slow
@settings(max_examples=60, deadline=None)
@given(study=studies(), cases=st.integers(1, 4))
def test_parts_hold_what_the_study_holds(study: Study, cases: int) -> None:
    """Studies of every shape, with awkward names; models that predict nothing of a part are still there."""
    if not any(task.readings.n_readings for task in study.tasks.values()):
        return
    if any(task.reader_predictions for task in study.tasks.values()):
        return
    with tempfile.TemporaryDirectory() as folder:
        write_study(study, Path(folder) / "whole")
        whole = read_study(Path(folder) / "whole")
        n_parts = write_partitions(Path(folder) / "whole", Path(folder) / "parts", cases=cases)
        found = read_manifest(Path(folder) / "parts")
        assert (len(found.cases), found.n_cases) == (n_parts, whole.n_cases)
        require_same(whole, [read_part(found, part) for part in range(n_parts)])


@pytest.fixture
def tables(tmp_path: Path) -> Path:
    """A study of 60 cases without a case table, its rows in no order, with models wide and long."""
    rng = np.random.default_rng(5)
    rows = [
        (f"c{case:02d}", f"r{rater}", rng.choice(list("abc"))) for case in range(60) for rater in range(3)
    ]
    frame = pd.DataFrame(rows, columns=["case_id", "rater_id", "label"]).sample(frac=1, random_state=1)
    frame.to_csv(tmp_path / "annotations.csv", index=False)
    long = pd.DataFrame(
        [(f"c{case:02d}", "long", label, 1 / 3) for case in range(0, 60, 2) for label in "abc"],
        columns=["case_id", "model", "label", "probability"],
    )
    long.to_parquet(tmp_path / "predictions.parquet")
    (tmp_path / "study.toml").write_text('[tasks.main]\nkind = "choice"\n')
    return tmp_path


def test_a_study_without_cases_or_labels_is_divided(tables: Path, tmp_path: Path) -> None:
    """Cases in the order of their appearance, labels as they would be read; the same bytes each time."""
    whole = read_study(tables)
    for target in ("one", "two"):
        assert write_partitions(tables, tmp_path / target, cases=7) == 9
    found = read_manifest(tmp_path / "one")
    assert found.cases == (7,) * 8 + (4,)
    require_same(whole, [read_part(found, part) for part in range(9)])
    assert found.fingerprint == read_manifest(tmp_path / "two").fingerprint
    assert is_partitioned(tmp_path / "one")
    assert not is_partitioned(tables)
    assert not [path for path in tmp_path.iterdir() if path.name.startswith(".")]


def test_a_part_that_nobody_read_is_joined_with_the_one_before(tables: Path, tmp_path: Path) -> None:
    """For a part needs a reading."""
    frame = pd.read_csv(tables / "annotations.csv")
    frame[frame["case_id"] < "c20"].to_csv(tables / "annotations.csv", index=False)
    (tables / "cases.csv").write_text("\n".join(["case_id", *(f"c{case:02d}" for case in range(60))]) + "\n")
    assert write_partitions(tables, tmp_path / "parts", cases=10) == 2
    assert read_manifest(tmp_path / "parts").cases == (10, 50)


def _without_tasks(study: Path) -> None:
    (study / "study.toml").write_text('name = "x"\n')


def _unknown_case(study: Path) -> None:
    (study / "cases.csv").write_text("\n".join(["case_id", *(f"c{case:02d}" for case in range(59))]) + "\n")


def _case_twice(study: Path) -> None:
    (study / "cases.csv").write_text("\n".join(["case_id", "c00", *(f"c{i:02d}" for i in range(60))]) + "\n")


def _without_ids(study: Path) -> None:
    frame = pd.read_csv(study / "annotations.csv").rename(columns={"case_id": "case"})
    frame.to_csv(study / "annotations.csv", index=False)


def _with_readers(study: Path) -> None:
    frame = pd.read_parquet(study / "predictions.parquet").assign(reader="x")
    frame.to_parquet(study / "predictions.parquet")


def _damaged(study: Path) -> None:
    (study / "predictions.parquet").write_bytes(b"PAR1 nothing PAR1")


FAULTS = {
    _without_tasks: "study.toml: no task is described",
    _unknown_case: 'unknown case "c59"',
    _case_twice: "1 of 61 rows repeat a case or name none",
    _without_ids: 'annotations.csv, row 1, column case_id: there is no column "case_id"',
    _with_readers: "predictions of models read by readers cannot be divided",
    _damaged: "predictions.parquet: the table cannot be read",
}


@pytest.mark.parametrize("fault", FAULTS, ids=lambda fault: fault.__name__)
def test_what_cannot_be_divided_is_refused(fault: object, tables: Path, tmp_path: Path) -> None:
    """With file and mend, and nothing is left behind."""
    assert callable(fault)
    fault(tables)
    before = set(tmp_path.iterdir())
    with pytest.raises(StudyError, match=FAULTS[fault].replace("(", r"\(")):
        write_partitions(tables, tmp_path / "parts", cases=7)
    assert set(tmp_path.iterdir()) == before


def test_what_is_wrong_with_parts_is_said(tables: Path, tmp_path: Path) -> None:
    """Where the list is damaged, or a part missing or another; a reader of whole studies says why."""
    target = tmp_path / "parts"
    write_partitions(tables, target, cases=20)
    with pytest.raises(StudyError, match="the study is in parts"):
        read_study(target)
    listed = json.loads((target / "parts.json").read_text())
    fewer = [*listed["parts"][:2], listed["parts"][2] | {"cases": 19}]
    (target / "parts.json").write_text(json.dumps(listed | {"parts": fewer}))
    with pytest.raises(StudyError, match="says 19 cases, the part has 20"):
        read_part(read_manifest(target), 2)
    first = listed["parts"][0]
    for wrong in (
        {"parts": []},
        {"parts": [first | {"cases": True}]},
        {"parts": [first | {"files": {"a.csv": [1]}}]},
        {"parts": [first | {"files": {"../a.csv": [1, "x"]}}]},
        {"models": ["x"]},
        {"version": 9},
    ):
        (target / "parts.json").write_text(json.dumps(listed | wrong))
        with pytest.raises(StudyError, match="the list of parts cannot be read"):
            read_manifest(target)
    (target / "parts.json").write_text(json.dumps(listed))
    (target / "parts" / "part-00001").rename(tmp_path / "gone")
    with pytest.raises(StudyError, match="1 of 3 parts are not there: part-00001"):
        read_manifest(target)


def test_too_many_parts_are_refused(tables: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """With how many cases a part should have; a part has one case at least."""
    monkeypatch.setattr("core.study.partitions.writing.MOST_PARTS", 3)
    with pytest.raises(StudyError, match="Take parts of 20 cases or more"):
        write_partitions(tables, tmp_path / "parts", cases=7)
    with pytest.raises(ValueError, match="cases must be 1 or more, got 0"):
        write_partitions(tables, tmp_path / "parts", cases=0)
