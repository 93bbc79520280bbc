"""``loupe conformal`` as a person uses it."""

from __future__ import annotations

import json
import re
from pathlib import Path

import numpy as np
import pandas as pd
import pytest

from core.analysis.disagreement.conformal_report import conformal_report
from core.analysis.disagreement.conformal_settings import ConformalSettings
from core.cli import main, sample_folder
from core.plausibility.settings import AggregationChoice
from core.study.reading.folder import read_study

SAMPLE = sample_folder("dermatology_like")


def test_tables_and_sentence_are_those_of_the_analysis(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """Files equal the analysis, options are in the provenance, and the sentence has the table's numbers."""
    arguments = [
        "conformal",
        str(SAMPLE),
        "--model",
        "prirn",
        "--reliability",
        "10",
        "--predictor",
        "Model C",
    ]
    assert (
        main([*arguments, "--coverage", "80", "--score", "aps", "--randomised", "--out", str(tmp_path)]) == 0
    )
    said = capsys.readouterr().out
    out = tmp_path / "conformal"
    settings = ConformalSettings(predictor="Model C", coverage=80, score="aps", randomised=True)
    expected = conformal_report(
        read_study(SAMPLE), AggregationChoice(model="prirn", reliability=10.0), settings
    )
    coverage = pd.read_csv(out / "coverage.csv", keep_default_na=False, na_values={"coverage": ""})
    assert coverage["calibrated_on"].tolist() == expected.tables["coverage"]["calibrated_on"].tolist()
    np.testing.assert_allclose(coverage["coverage"], expected.tables["coverage"]["coverage"], rtol=1e-12)
    assert len(pd.read_csv(out / "sets.csv")) == len(expected.tables["sets"])
    content = json.loads((out / "conformal.json").read_text(encoding="utf-8"))
    made = {"models": "Model C", "coverage": "80 %", "score": "aps", "randomised": "yes", "folds": "5"}
    assert made.items() <= content["settings"].items()
    assert "penalty" not in content["settings"]
    assert content["sentences"] == list(expected.sentences)
    row = coverage.iloc[0]
    assert f"To hold the truth in 80\u00a0% of cases, Model C must name {row['set_size']:.1f} labels" in said
    assert f"it then holds it in {100 * row['coverage']:.0f}\u00a0%. Calibrated on leading labels" in said
    assert "Model C, calibrated on leading labels: " in said


@pytest.mark.parametrize(
    ("options", "message"),
    [
        (["--predictor", "nobody"], "model must be one of Model A, .*, got 'nobody'"),
        (["--coverage", "0.9"], "coverage must be a number from 50 to 99.9, got 0.9"),
        (["--coverage", "99.9"], "takes 999 cases or more to calibrate on, and 5 folds of the 301 cases"),
        (["--by", "colour"], "by must be a column of the cases with 2 to 20 different values, of .*'colour'"),
        (["--score", "lac"], "score must be one of threshold, aps, raps, got 'lac'"),
    ],
)
def test_what_cannot_be_is_refused_with_the_reason(
    options: list[str], message: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """And nothing is written."""
    try:
        code = main(["conformal", str(SAMPLE), "--model", "irn", *options, "--out", str(tmp_path)])
    except SystemExit as stopped:
        code = int(stopped.code or 0)
    assert code != 0
    assert re.search(message, capsys.readouterr().err)
    assert not (tmp_path / "conformal").exists()


def test_models_without_probabilities_are_named(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """A study of scores alone has nothing to make sets of; a study without models no model."""
    folder = tmp_path / "scores"
    folder.mkdir()
    (folder / "study.toml").write_text('name = "x"\n[tasks.t]\nkind = "choice"\npositive = "yes"\n')
    (folder / "labels.csv").write_text("label\nno\nyes\n")
    (folder / "annotations.csv").write_text(
        "case_id,rater_id,label\n" + "".join(f"{i},a,yes\n" for i in range(30))
    )
    assert main(["conformal", str(folder), "--out", str(tmp_path / "out")]) == 1
    assert "has no predictions, so there is no model to judge" in capsys.readouterr().err
    rows = "".join(f"{i},m,{i / 30}\n" for i in range(30))
    (folder / "predictions.csv").write_text(f"case_id,model,score\n{rows}")
    assert main(["conformal", str(folder), "--out", str(tmp_path / "out")]) == 1
    assert "has no model that gives probabilities, so there is none to judge" in capsys.readouterr().err
    assert main(["conformal", str(folder), "--predictor", "m", "--out", str(tmp_path / "out")]) == 1
    assert "Conformal prediction needs probabilities, and m gives scores" in capsys.readouterr().err
