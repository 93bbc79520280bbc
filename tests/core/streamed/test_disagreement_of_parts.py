"""Calibration and disagreement of a study in parts: tables as in memory, however it is divided."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import numpy as np
import pandas as pd
import pytest

import core.streamed.disagreement as streamed
from core.analysis.disagreement.report import DisagreementReport, disagreement_report
from core.analysis.disagreement.settings import DisagreementSettings
from core.cli import main, sample_folder
from core.metrics.bootstrap import case_weights
from core.streamed.disagreement import LEFT_OUT, disagreement_of_parts
from core.streamed.engine import engine
from core.streamed.resampled import keep_resamples, read_resamples
from core.study.partitions.manifest import read_manifest
from core.study.partitions.writing import write_partitions
from core.study.reading.folder import read_study, write_study

FEW = DisagreementSettings(resamples=9)


@pytest.fixture(scope="module")
def digits(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A study of ten labels with cases that nobody read, that one person read, and that a model left out."""
    study = read_study(sample_folder("mixed_digits"))
    task = next(iter(study.tasks.values()))
    readings = task.readings
    kept = (readings.case % 11 != 3) & ((readings.case % 7 != 2) | (readings.rater % 5 == 0))
    models = dict(task.predictions)
    name = next(iter(models))
    probability = models[name].probability.copy()
    probability[[5, 200]] = np.nan
    models[name] = replace(models[name], probability=probability)
    tasks = {task.name: replace(task, readings=readings.keep(kept), predictions=models)}
    folder = tmp_path_factory.mktemp("digits") / "study"
    write_study(replace(study, tasks=tasks, features=None, references=None), folder)
    return folder


def of_parts(
    folder: Path, settings: DisagreementSettings, place: Path, *, cases: int = 61
) -> DisagreementReport:
    """Judge the models of a study that is divided first."""
    parts = place / f"parts of {cases}"
    if not parts.exists():
        write_partitions(folder, parts, cases=cases)
    with engine() as who:
        report = disagreement_of_parts(read_manifest(parts), settings, who, scratch=place)
    assert not list(place.glob(".loupe*"))
    return report


def require_like_in_memory(found: DisagreementReport, whole: DisagreementReport) -> None:
    """Compare all tables with those of the study in memory."""
    assert set(found.tables) == set(whole.tables)
    assert found.notes == (*whole.notes, LEFT_OUT)
    for name, own in found.tables.items():
        pd.testing.assert_frame_equal(own, whole.tables[name], rtol=0, atol=1e-12, check_dtype=False)


@pytest.mark.parametrize(
    "settings",
    [FEW, replace(FEW, by_label=True, bins=4), replace(FEW, resamples=0)],
    ids=["as it comes", "by label", "no resamples"],
)
def test_tables_are_those_of_the_study_in_memory(
    settings: DisagreementSettings, digits: Path, tmp_path: Path
) -> None:
    """Losses with their errors, diagrams with their bands, and all surprising cases in their order."""
    whole = disagreement_report(read_study(digits), settings)
    assert len(whole.tables["surprising_cases"]) > 20
    for cases in (61, 999):
        require_like_in_memory(of_parts(digits, settings, tmp_path, cases=cases), whole)


@pytest.mark.slow
@pytest.mark.parametrize("sample", ["dermatology_like", "scores"])
def test_differentials_and_scores_too(sample: str, tmp_path: Path) -> None:
    """First labels of differentials, some of them tied, and sides of the threshold."""
    folder = sample_folder(sample)
    require_like_in_memory(of_parts(folder, FEW, tmp_path), disagreement_report(read_study(folder), FEW))


def test_only_the_most_surprising_cases_are_listed(
    digits: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The first of each kind and model, in the order that all have."""
    monkeypatch.setattr(streamed, "MOST_SURPRISING", 4)
    listed = of_parts(digits, FEW, tmp_path).tables["surprising_cases"]
    every = disagreement_report(read_study(digits), FEW).tables["surprising_cases"]
    wanted = every.groupby(["model", "kind"], sort=False).head(4).reset_index(drop=True)
    assert len(wanted) > 8
    pd.testing.assert_frame_equal(listed, wanted, rtol=0, atol=1e-12)


def test_resamples_are_those_of_all_cases(tmp_path: Path) -> None:
    """The same draws, in the columns of each part; without any, each case counts once."""
    keep_resamples(tmp_path, (3, 5, 2), 7, np.random.default_rng(1))
    found = [read_resamples(tmp_path, part, n) for part, n in enumerate((3, 5, 2))]
    np.testing.assert_array_equal(np.concatenate(found), case_weights(10, 7, np.random.default_rng(1)))
    keep_resamples(tmp_path / "none", (3, 5), 0, np.random.default_rng(1))
    np.testing.assert_array_equal(read_resamples(tmp_path / "none", 1, 5), np.ones((5, 1)))


def test_the_command_writes_them_and_refuses_the_rest(
    digits: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """What is not possible is said by name, and nothing is left of it."""
    assert main(["partition", str(digits), str(tmp_path / "parts"), "--cases", "150"]) == 0
    command = ["disagreement", str(tmp_path / "parts"), "--out", str(tmp_path / "out"), "--resamples", "3"]
    assert main(command) == 0
    assert LEFT_OUT in capsys.readouterr().out
    assert "Sums ran over" in (tmp_path / "out" / "disagreement" / "methods.md").read_text(encoding="utf-8")
    for more, said in (
        (["--where", "site == 1"], "--where is not possible with a study in parts"),
        (["--recalibrate"], "--recalibrate is not possible with a study in parts"),
        (["--equal-mass"], "equal mass is not possible with a study in parts"),
        (["--predictor", "Nobody"], "model must be one of"),
        (["--task", "other"], "task must be one of"),
    ):
        assert main([*command[:2], "--out", str(tmp_path / "new"), *more]) == 1
        assert said in capsys.readouterr().err
        assert not (tmp_path / "new").exists()
    for other in ("compare", "conformal"):
        assert main([other, str(tmp_path / "parts"), "--out", str(tmp_path / "new")]) == 1
        assert "`loupe raters` and `loupe disagreement` take it" in capsys.readouterr().err
    assert main(["disagreement", str(digits), "--out", str(tmp_path / "new"), "--workers", "2"]) == 1
    assert "--workers is for a study in parts" in capsys.readouterr().err
