"""The raters of a study in parts: tables as in memory, however it is divided and whoever does the work."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import numpy as np
import pandas as pd
import pytest

from core.analysis.raters.report import RaterReport, rater_report
from core.analysis.raters.settings import RaterSettings
from core.cli import main, sample_folder
from core.streamed.engine import engine
from core.streamed.raters import LEFT_OUT, raters_of_parts
from core.study.model import Readings, Study
from core.study.partitions.manifest import read_manifest
from core.study.partitions.writing import write_partitions
from core.study.reading.folder import read_study, write_study

FEW = RaterSettings(resamples=12)
WITHOUT = {"cases", "confidence", "calibration", "groups"}
"""Tables that need all readings at once."""
ABILITIES = {
    "ability", "accuracy_ability", "leans_to", "leaning", "sensitivity", "specificity", "calibration_error",
}  # fmt: skip
"""Columns of raters that do, and their errors."""


def of_parts(folder: Path, settings: RaterSettings, place: Path, *, cases: int = 37) -> RaterReport:
    """Measure the raters of a study that is divided first."""
    parts = place / f"parts of {cases}"
    if not parts.exists():
        write_partitions(folder, parts, cases=cases)
    with engine() as who:
        report = raters_of_parts(read_manifest(parts), settings, who, scratch=place)
    assert not list(place.glob(".loupe*"))
    return report


def require_like_in_memory(found: RaterReport, whole: RaterReport) -> None:
    """Compare all tables with those of the study in memory."""
    assert set(whole.tables) - set(found.tables) == WITHOUT
    assert found.notes == (*(note for note in whole.notes if "Ability" not in note), LEFT_OUT)
    for name, own in found.tables.items():
        wanted = whole.tables[name]
        if name == "raters":
            lost = {column for column in wanted if column not in own}
            assert {column.removesuffix("_error") for column in lost} - {"calibration"} <= ABILITIES
            wanted = wanted[list(own)]
        if name == "confusion" and len(own):
            assert own["low"].isna().all()
            assert set(own["why_no_interval"]) == {"draws of the truths need all cases at once"}
            wanted, own = (of.drop(columns=["low", "high", "why_no_interval"]) for of in (wanted, own))
        pd.testing.assert_frame_equal(own, wanted, rtol=0, atol=1e-12, check_dtype=False)


@pytest.mark.parametrize(
    "settings",
    [
        FEW,
        replace(FEW, label_order=True, gold=True, judged_by="model"),
        replace(FEW, raters=("R02", "R05", "R11"), variability=0.1, judged_by="majority"),
    ],
    ids=["as it comes", "ordered labels, known truths", "three raters"],
)
def test_tables_are_those_of_the_study_in_memory(settings: RaterSettings, tmp_path: Path) -> None:
    """Of two labels, with confidences and references; intervals by resampling are the same draws."""
    folder = sample_folder("knee_mri")
    study = read_study(folder)
    if settings.raters:
        settings = replace(settings, raters=(study.rater_ids[1], *study.rater_ids[4:6]))
    require_like_in_memory(of_parts(folder, settings, tmp_path), rater_report(study, settings))


@pytest.mark.slow
@pytest.mark.parametrize("sample", ["dermatology_like", "scores"])
def test_differentials_and_scores_too(sample: str, tmp_path: Path) -> None:
    """Overlap of differentials, and coefficients of the scores themselves."""
    folder = sample_folder(sample)
    require_like_in_memory(of_parts(folder, FEW, tmp_path), rater_report(read_study(folder), FEW))


def gappy(tmp_path: Path) -> tuple[Path, Study]:
    """A study whose raters come and go, some cases read again, and some by one rater alone."""
    study = read_study(sample_folder("chest_xrays"))
    task = next(iter(study.tasks.values()))
    readings = task.readings
    rng = np.random.default_rng(4)
    kept = rng.random(readings.n_readings) < 0.7
    kept &= (readings.case < 100) | (readings.case >= 140) | (readings.rater == 3)
    kept &= (readings.rater != 6) | (readings.case > 200)
    few = readings.keep(kept)
    twice = np.repeat(np.arange(few.n_readings), 1 + (rng.random(few.n_readings) < 0.1))
    again = np.append(False, twice[1:] == twice[:-1])
    label = few.label[twice].copy()
    label[again] = rng.integers(0, 2, int(again.sum()))
    per_case = np.bincount(few.case[twice], minlength=few.n_cases)
    repeated = Readings(
        case_start=np.concatenate([[0], np.cumsum(per_case)]).astype(np.int64),
        rater=few.rater[twice],
        repeat=(1 + again).astype(np.int32),
        confidence=np.round(rng.random(len(twice)), 1),
        score=np.full(len(twice), np.nan),
        entry_start=np.arange(len(twice) + 1, dtype=np.int64),
        label=label,
        block=np.zeros(len(twice), np.int32),
    )
    tasks = {**study.tasks, task.name: replace(task, readings=repeated, predictions={})}
    write_study(replace(study, tasks=tasks, features=None), tmp_path / "study")
    return tmp_path / "study", read_study(tmp_path / "study")


def test_raters_who_come_and_go_and_read_again(tmp_path: Path) -> None:
    """Raters are numbered anew in each part; somebody reads in none of the first ones."""
    folder, study = gappy(tmp_path)
    whole = rater_report(study, FEW)
    assert whole.tables["raters"]["repeats"].sum() > 50
    assert whole.tables["concordance"]["low"].notna().any()
    for cases in (37, 100, 999):
        require_like_in_memory(of_parts(folder, FEW, tmp_path, cases=cases), whole)
    alone = replace(FEW, raters=study.rater_ids[6:7], rater_accuracy=0.8, resamples=0)
    require_like_in_memory(of_parts(folder, alone, tmp_path), rater_report(study, alone))


def test_raters_without_identity_are_told_in_all_parts_together(tmp_path: Path) -> None:
    """Sorted counts, as a list of label counts gives them: no part alone need show it."""
    rng = np.random.default_rng(0)
    lines = [
        f"{i}\t{','.join(str(n) for n in rng.multinomial(2 + i // 20, [0.5, 0.3, 0.2]))}" for i in range(80)
    ]
    (tmp_path / "hist.txt").write_text("\n".join(["id\thist", *lines]) + "\n")
    assert main(["import", "label-histogram", str(tmp_path / "hist.txt"), str(tmp_path / "whole")]) == 0
    study = read_study(tmp_path / "whole")
    whole = rater_report(study, FEW)
    assert len(whole.tables["raters"]) == 0
    require_like_in_memory(of_parts(tmp_path / "whole", FEW, tmp_path, cases=20), whole)


def test_the_division_makes_no_difference_beyond_rounding(tmp_path: Path) -> None:
    """Of parts of other sizes."""
    folder, settings = sample_folder("knee_mri"), replace(FEW, judged_by="majority")
    one, other = (of_parts(folder, settings, tmp_path, cases=cases) for cases in (40, 999))
    for name, table in one.tables.items():
        pd.testing.assert_frame_equal(table, other.tables[name], rtol=0, atol=1e-14)


def test_the_command_writes_them_and_refuses_the_rest(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """What is not possible is said by name, and nothing is left of it."""
    folder = sample_folder("knee_mri")
    assert main(["partition", str(folder), str(tmp_path / "parts"), "--cases", "40"]) == 0
    command = ["raters", str(tmp_path / "parts"), "--out", str(tmp_path / "out"), "--resamples", "0"]
    assert main(command) == 0
    assert LEFT_OUT in capsys.readouterr().out
    written = tmp_path / "out" / "raters"
    assert {path.stem for path in written.glob("*.csv")} == {
        "coefficients", "labels", "concordance", "raters", "confusion", "pairs",
    }  # fmt: skip
    assert "Sums ran over 8 parts" in (written / "methods.md").read_text(encoding="utf-8")
    assert main(["run", str(written / "recipe.toml"), "--out", str(tmp_path / "again")]) == 0
    assert "the same as then, byte by byte" in capsys.readouterr().out
    for more, said in (
        (["--where", "site == 1"], "--where is not possible with a study in parts"),
        (["--other-raters", "R1"], "--other-raters is not possible with a study in parts"),
        (["--raters", "Nobody"], "raters must be some of"),
        (["--task", "other"], "task must be one of"),
    ):
        assert main([*command[:2], "--out", str(tmp_path / "new"), *more]) == 1
        assert said in capsys.readouterr().err
        assert not (tmp_path / "new").exists()
    assert main(["raters", str(folder), "--out", str(tmp_path / "new"), "--workers", "2"]) == 1
    assert "--workers is for a study in parts" in capsys.readouterr().err
