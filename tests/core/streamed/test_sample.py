"""Some cases of a study in parts: no more is read than they take, and they are as in the study."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import pyarrow.parquet as pq
import pytest

from core.plausibility.settings import AggregationChoice
from core.streamed import sample
from core.streamed.engine import engine
from core.streamed.evaluate import StreamedChoice, evaluate_parts
from core.streamed.sample import KNOWN, least_certain, read_cases
from core.study.condition import fulfilled
from core.study.partitions.manifest import Partitions, read_manifest
from core.study.partitions.writing import write_partitions
from core.study.reading.folder import read_study

CONDITIONS = (
    "age >= 60 and certainty < 0.9",
    'site == "A"',
    'leading == "a" and not (readings in [1, 2])',
    'case_id in ["c 007", "c 110"] or `odd name` != "x"',
    "readings > 1",
    'readings == 99 and site != "B"',
)


@pytest.fixture(scope="module")
def whole(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A study of 120 cases whose ids have spaces around them; metadata have the name of a count too."""
    folder = tmp_path_factory.mktemp("sample") / "study"
    (folder / "predictions").mkdir(parents=True)
    rng = np.random.default_rng(4)
    ids = [f" c {case:03d} " for case in range(120)]
    cases = pd.DataFrame(
        {
            "case_id": ids,
            "age": rng.integers(20, 90, 120),
            "site": rng.choice(list("ABC"), 120),
            "odd name": rng.choice(list("xy"), 120),
            "readings": rng.integers(0, 3, 120),
        }
    )
    cases.to_parquet(folder / "cases.parquet")
    rows = [(case, f"r{i}", rng.choice(list("abc"))) for case in ids for i in range(rng.integers(1, 5))]
    pd.DataFrame(rows, columns=["case_id", "rater_id", "label"]).to_parquet(folder / "annotations.parquet")
    p = rng.dirichlet(np.ones(3), 120)
    model = pd.DataFrame({"case_id": ids} | {label: p[:, k] for k, label in enumerate("abc")})
    model.to_csv(folder / "predictions" / "Net.csv", index=False)
    (folder / "study.toml").write_text('[tasks.main]\nkind = "choice"\n')
    return folder


@pytest.fixture
def parts(whole: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Partitions:
    """The study in parts of several row groups, counted."""
    monkeypatch.setattr("core.study.partitions.tables._ROWS_OF_GROUP", 7)
    write_partitions(whole, tmp_path / "parts", cases=50)
    found = read_manifest(tmp_path / "parts")
    with engine() as who:
        evaluate_parts(found, StreamedChoice(AggregationChoice()), tmp_path / "cases", who)
    return found


def known_of_all(parts: Partitions, tmp_path: Path) -> pd.DataFrame:
    """Metadata and counts of all cases, read as any table."""
    study = read_study(tmp_path)
    counted = pd.concat(
        [pd.read_parquet(path) for path in sorted((parts.folder.parent / "cases").iterdir())],
        ignore_index=True,
    )
    counted["leading"] = counted["leading"].astype(object)
    own = [name for name in KNOWN if name not in study.cases]
    return study.cases.assign(**{name: counted[name].to_numpy() for name in own})


@pytest.mark.parametrize("where", CONDITIONS)
def test_cases_found_are_those_of_all_columns(where: str, whole: Path, parts: Partitions) -> None:
    """As the condition put to everything that is known of every case says."""
    frame = known_of_all(parts, whole)
    kept = fulfilled(where, frame)
    positions, number = least_certain(parts, parts.folder.parent / "cases", where=where, most=9)
    assert number == kept.sum()
    certainty = frame["certainty"].where(kept)
    wanted = np.argsort(certainty.to_numpy(), kind="stable")[: min(9, int(kept.sum()))]
    assert positions.tolist() == sorted(wanted.tolist())


def test_only_columns_that_are_named_are_read(parts: Partitions, monkeypatch: pytest.MonkeyPatch) -> None:
    """Of what is known and of what was counted."""
    read: list[Any] = []

    def noted(study: Partitions, part: int, columns: Any) -> pd.DataFrame:
        read.append(list(columns))
        return sample_read(study, part, columns)

    sample_read = sample.read_part_cases
    monkeypatch.setattr(sample, "read_part_cases", noted)
    folder = parts.folder.parent / "cases"
    least_certain(parts, folder, where="certainty < 0.5")
    assert read == [[], [], []]
    least_certain(parts, folder, where='site == "A" and age > 3')
    assert read[3:] == [["age", "site"]] * 3
    with pytest.raises(ValueError, match=r"a column of cases.csv .*age.* was expected, got agee"):
        least_certain(parts, folder, where="agee > 3")


def test_parts_that_hold_no_such_case_are_not_read(
    parts: Partitions, monkeypatch: pytest.MonkeyPatch
) -> None:
    """By what their files say of the numbers in each row group; a wrong condition is refused all the same."""
    read: list[int] = []

    def noted(study: Partitions, part: int, columns: Any) -> pd.DataFrame:
        read.append(part)
        return sample_read(study, part, columns)

    sample_read = sample.read_part_cases
    monkeypatch.setattr(sample, "read_part_cases", noted)
    folder = parts.folder.parent / "cases"
    assert least_certain(parts, folder, where='age > 90 and site == "A"')[1] == 0
    assert read == [0]
    least_certain(parts, folder, where='not (age > 90) and site == "A"')
    assert read == [0, 0, 1, 2]
    with pytest.raises(ValueError, match="was expected, got colour"):
        least_certain(parts, folder, where="age > 90 and colour == 3")


@pytest.mark.parametrize("positions", [[3], [49, 50], [0, 7, 60, 119], list(range(120))])
def test_only_row_groups_of_the_cases_are_read(
    positions: list[int], whole: Path, parts: Partitions, monkeypatch: pytest.MonkeyPatch
) -> None:
    """And the cases are as they are in the study read at once."""
    groups: list[int] = []
    inner = pq.ParquetFile.read_row_group

    def noted(self: pq.ParquetFile, i: int, **how: Any) -> Any:
        groups.append(i)
        return inner(self, i, **how)

    monkeypatch.setattr(pq.ParquetFile, "read_row_group", noted)
    some, study = read_cases(parts, np.array(positions)), read_study(whole)
    assert list(some.case_ids) == [study.case_ids[i] for i in positions]
    pd.testing.assert_frame_equal(some.cases, study.cases.iloc[positions])
    own, task = some.tasks["main"], study.tasks["main"]
    wanted = task.readings.take_cases(positions)
    np.testing.assert_array_equal(own.readings.label, wanted.label)
    np.testing.assert_array_equal(own.readings.case_start, wanted.case_start)
    np.testing.assert_array_equal(
        own.predictions["Net"].probability, task.predictions["Net"].probability[positions]
    )
    if len(positions) == 1:
        # One group of the case table, one of the model's, and one or two of the readings.
        assert len(groups) in (3, 4)
