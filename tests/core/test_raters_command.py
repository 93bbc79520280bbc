"""``loupe raters`` as a person uses it."""

from __future__ import annotations

import json
from pathlib import Path

import pandas as pd
import pytest

from core.analysis.columns import as_written
from core.analysis.raters.report import rater_report
from core.analysis.raters.settings import RaterSettings
from core.cli import main, sample_folder
from core.study.reading.folder import read_study

STUDY = '[tasks.t]\nkind = "choice"\npositive = "yes"\n'


def written(folder: Path, rows: str, header: str = "case_id,rater_id,label,confidence") -> Path:
    """Study folder with the given annotations."""
    folder.mkdir()
    (folder / "study.toml").write_text('name = "x"\n' + STUDY)
    (folder / "labels.csv").write_text("label\nno\nyes\n")
    (folder / "annotations.csv").write_text(header + "\n" + rows)
    return folder


EMPTY = ("confusion", "coefficients", "labels", "cases", "raters")
"""Tables in which a text may be empty, which is read as missing."""


def test_tables_are_those_of_the_analysis(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """Files on disk equal the report, for some of the raters; assumptions are printed."""
    arguments = ["raters", str(sample_folder("toy_three_labels")), "--raters", "R01, R03"]
    assert main([*arguments, "--resamples", "20", "--accuracy", "0.8", "--out", str(tmp_path)]) == 0
    study = read_study(sample_folder("toy_three_labels"))
    report = rater_report(study, RaterSettings(raters=("R01", "R03"), rater_accuracy=0.8, resamples=20))
    for name, table in report.tables.items():
        found = pd.read_csv(tmp_path / "raters" / f"{name}.csv")
        expected = table.replace("", float("nan")) if name in EMPTY else table
        written = as_written("raters", name, expected)
        pd.testing.assert_frame_equal(found, written, check_dtype=False, rtol=1e-9, obj=name)
    content = json.loads((tmp_path / "raters" / "raters.json").read_text(encoding="utf-8"))
    assert content["settings"]["raters"] == "R01, R03"
    assert [row["coefficient"] for row in content["coefficients"]] == report.tables["coefficients"][
        "coefficient"
    ].tolist()
    said = capsys.readouterr().out
    assert "Accuracy is judged by accuracies as given." in said


@pytest.mark.parametrize(
    ("options", "message"),
    [
        (["--raters", "R01,nobody"], "got nobody"),
        (["--accuracy", "81"], "divide percentages by 100"),
        (["--judged-by", "given"], "accuracies must be given"),
        (["--variability", "-1"], "variability must be a number of 0 or more, got -1"),
        (["--task", "u"], "task must be one of"),
        (["--resamples", "-1"], "resamples must be a whole number of 0 or more, got -1"),
    ],
)
def test_bad_options_are_refused(
    options: list[str], message: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """In one line, without a traceback."""
    study = str(sample_folder("toy_three_labels"))
    assert main(["raters", study, *options, "--out", str(tmp_path / "out")]) == 1
    error = capsys.readouterr().err
    assert message in error
    assert "Traceback" not in error


@pytest.mark.parametrize(
    ("rows", "where"),
    [
        ("1,a,yes,80\n1,b,yes,90\n", "Divide percentages by 100"),
        ("1,a,yes,1\n1,a,no,1\n1,b,no,1\n", "the rater gives a second choice for the case"),
    ],
)
def test_bad_files_are_refused(
    rows: str, where: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """Confidence in percent, and two readings without a repeat number."""
    study = written(tmp_path / "study", rows)
    assert main(["raters", str(study), "--out", str(tmp_path / "out")]) == 1
    assert where in capsys.readouterr().err


def test_one_rater_and_equal_readings_say_why(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """Tables come out, with the reason in place of a number."""
    alone = written(tmp_path / "alone", "1,a,yes,1\n2,a,no,0.5\n")
    assert main(["raters", str(alone), "--out", str(tmp_path / "one")]) == 0
    assert "one rater only" in capsys.readouterr().out
    found = pd.read_csv(tmp_path / "one" / "raters" / "coefficients.csv")
    assert (found["undefined"] == "no case has readings by two raters").all()
    same = written(tmp_path / "same", "1,a,yes,1\n1,b,yes,1\n2,a,yes,1\n2,b,yes,1\n")
    assert main(["raters", str(same), "--out", str(tmp_path / "two")]) == 0
    found = pd.read_csv(tmp_path / "two" / "raters" / "coefficients.csv").set_index("coefficient")
    assert "every reading is the same" in found.loc["Krippendorff α", "undefined"]
    assert found.loc["observed agreement", "value"] == 1
