"""A case that is in two parts is noticed, however certain it is; two ids with one hash are no such case."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pandas as pd
import pytest

from core.cli import main
from core.streamed import distinct
from core.study.partitions.manifest import read_manifest, write_manifest
from core.study.partitions.writing import write_partitions


@pytest.fixture
def parts(tmp_path: Path) -> Path:
    """Four parts of ten cases, read by three raters, with a model."""
    rng = np.random.default_rng(2)
    ids = [f"c{case:02d}" for case in range(40)]
    rows = [(case, f"r{rater}", rng.choice(list("ab"))) for case in ids for rater in range(3)]
    (tmp_path / "study" / "predictions").mkdir(parents=True)
    frame = pd.DataFrame(rows, columns=["case_id", "rater_id", "label"])
    frame.to_csv(tmp_path / "study" / "annotations.csv", index=False)
    model = pd.DataFrame({"case_id": ids, "a": 0.75, "b": 0.25})
    model.to_csv(tmp_path / "study" / "predictions" / "Net.csv", index=False)
    (tmp_path / "study" / "study.toml").write_text('[tasks.main]\nkind = "choice"\n')
    write_partitions(tmp_path / "study", tmp_path / "parts", cases=10)
    return tmp_path / "parts"


def put_again(parts: Path, cases: dict[str, str]) -> None:
    """Give cases of the third part other ids, as whoever makes parts by other means may do."""
    for path in (parts / "parts" / "part-00002").rglob("*.parquet"):
        frame = pd.read_parquet(path)
        frame["case_id"] = frame["case_id"].astype(str).replace(cases)
        frame.to_parquet(path)
    write_manifest(parts, (10,) * 4, {"main": ("Net",)})


@pytest.mark.parametrize("command", ["evaluate", "raters", "disagreement"])
@pytest.mark.parametrize("most", [1, 10_000])
def test_a_case_in_two_parts_is_refused(
    parts: Path,
    tmp_path: Path,
    capsys: pytest.CaptureFixture[str],
    monkeypatch: pytest.MonkeyPatch,
    command: str,
    most: int,
) -> None:
    """Whether or not it is among those that are looked at one by one; some are named, all are counted."""
    monkeypatch.setattr("core.streamed.sample.least_certain.__kwdefaults__", {"most": most, "where": ""})
    put_again(parts, {"c20": "c03"})
    told = [command, str(parts), "--out", str(tmp_path / "out")]
    assert main(told) == 1
    said = capsys.readouterr().err
    assert 'parts/part-00002: the case "c03" is in part-00000 too. Leave each case in one part' in said
    put_again(parts, {f"c2{i}": f"c1{i}" for i in range(1, 6)})
    assert main(told) == 1
    said = capsys.readouterr().err
    assert "as are 5 others that are in two parts" in said
    assert said.count("error:") == 3
    assert not (tmp_path / "out").exists()


def test_ids_with_one_hash_are_told_apart(
    parts: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """By the ids themselves."""
    monkeypatch.setattr(distinct, "_hashes", lambda ids: np.zeros(len(ids), np.uint64))
    assert main(["evaluate", str(parts), "--out", str(tmp_path / "out")]) == 0
    put_again(parts, {"c29": "c30"})
    assert main(["evaluate", str(parts), "--out", str(tmp_path / "other")]) == 1
    assert read_manifest(parts).n_cases == 40
