"""The command mrmc: tables, sentences and files; what it refuses."""

from __future__ import annotations

import json
from pathlib import Path

import pandas as pd
import pytest

from core.cli import main
from core.study.writing import write_study
from tests.helpers.reader_files import reader_study_of


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A study of readers on disk."""
    path = tmp_path_factory.mktemp("readers") / "study"
    write_study(reader_study_of(), path)
    return path


def test_tables_are_printed_and_written(
    folder: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """With what each statistic claims, and what made the files."""
    chosen = ["--modalities", "net", "A", "--margin", "0.1", "--out", str(tmp_path)]
    assert main(["mrmc", str(folder), *chosen]) == 0
    said = capsys.readouterr().out
    assert "With other readers and cases: " in said
    assert "The truth is the reference, taken as certain." in said
    written = tmp_path / "mrmc"
    table = pd.read_csv(written / "differences.csv")
    assert table[["first", "second"]].to_numpy().tolist() == [["net", "A"]]
    settings = json.loads((written / "mrmc.json").read_text(encoding="utf-8"))["settings"]
    assert settings["margin"] == "0.1"
    assert {"modalities.csv", "readers.csv", "sizes.csv"} <= {path.name for path in written.iterdir()}


def test_a_wrong_margin_is_refused_with_the_right_one(
    folder: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """Before anything is read."""
    assert main(["mrmc", str(folder), "--margin", "-0.05"]) == 1
    assert "without a sign, such as 0.05" in capsys.readouterr().err


def test_plausible_truths_can_be_asked_for(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """With as few as wanted."""
    assert main(["mrmc", str(folder), "--truth", "plausibility", "--n-truths", "20"]) == 0
    assert "one of 20 plausible ones" in capsys.readouterr().out
