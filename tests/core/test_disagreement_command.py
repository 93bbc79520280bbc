"""``loupe disagreement`` as a person uses it."""

from __future__ import annotations

import json
from pathlib import Path

import numpy as np
import pandas as pd
import pytest

from core.analysis.disagreement.forecasts import given_forecasts, loss_table
from core.analysis.disagreement.recalibrated import ALPHA, TEMPERATURE, recalibrate
from core.analysis.disagreement.recalibrated_tables import expert_label_table
from core.analysis.disagreement.report import disagreement_report
from core.analysis.disagreement.settings import DisagreementSettings
from core.analysis.disagreement.surprising import surprising_cases
from core.cli import main, sample_folder
from core.metrics.calibration.bins import Binning
from core.study.reading.folder import read_study

GIVEN = ["losses", "probability_diagram", "disagreement_diagram", "surprising_cases"]
FITTED = ["expert_label", "likelihood", "fits", "cases"]


def table_of(path: Path) -> pd.DataFrame:
    """Table with empty cells as empty text."""
    return pd.read_csv(path, keep_default_na=False, na_values=[])


def written(folder: Path, annotations: str, predictions: str, kind: str = "choice") -> Path:
    """Study folder with the given rows of one task with two labels."""
    folder.mkdir()
    (folder / "study.toml").write_text(f'name = "x"\n[tasks.t]\nkind = "{kind}"\n')
    (folder / "labels.csv").write_text("label\nno\nyes\n")
    rank = ",rank" if kind == "ranking" else ""
    (folder / "annotations.csv").write_text(f"case_id,rater_id,label{rank}\n{annotations}")
    if predictions:
        (folder / "predictions.csv").write_text(f"case_id,model,label,probability\n{predictions}")
    return folder


def two_labelled(n: int) -> tuple[str, str]:
    """Rows of n cases that two raters read and one model predicted."""
    cases = range(n)
    said = "".join(f"{i},a,yes\n{i},b,{'yes' if i % 3 else 'no'}\n" for i in cases)
    return said, "".join(f"{i},m,no,0.2\n{i},m,yes,0.8\n" for i in cases)


def test_without_recalibration_the_models_are_judged_as_given(tmp_path: Path) -> None:
    """Files on disk equal the analysis; nothing is fitted, and provenance names the bins."""
    folder = sample_folder("toy_three_labels")
    arguments = ["disagreement", str(folder), "--bins", "7", "--equal-mass", "--resamples", "20"]
    assert main([*arguments, "--out", str(tmp_path)]) == 0
    out = tmp_path / "disagreement"
    tables = [f"{name}{ending}" for name in GIVEN for ending in (".csv", ".provenance.json")]
    assert {path.name for path in out.iterdir()} == {
        *tables,
        *("columns.json", "disagreement.json", "methods.md", "recipe.toml", "references.bib"),
    }
    methods = (out / "methods.md").read_text()
    assert "7 bins of equal mass" in methods
    assert "over cases, from 20 resamples of them" in methods
    assert "@inproceedings{mimori2021," in (out / "references.bib").read_text()
    study = read_study(folder)
    task = study.tasks["class"]
    expected = loss_table(study, task, given_forecasts(task), binning=Binning("equal mass", 7), resamples=20)
    found = table_of(out / "losses.csv")
    assert found["model"].tolist() == expected["model"].tolist()
    assert found["loss"].tolist() == expected["loss"].tolist()
    np.testing.assert_allclose(found["plug_in"].astype(float), expected["plug_in"], rtol=1e-12)
    content = json.loads((out / "disagreement.json").read_text(encoding="utf-8"))
    assert content["settings"]["bins"] == "7, equal mass"
    assert content["settings"]["recalibration"] == "none"
    assert content["settings"]["fingerprint"] == study.fingerprint
    assert len(content["losses"]) == len(expected)
    assert len(content["probability_diagram"]) == 7 * len(task.predictions)


def test_recalibrated_tables_are_those_of_the_page(tmp_path: Path) -> None:
    """Table 2, the fits and the surprising cases of one model, by the same functions as the page's."""
    folder = sample_folder("toy_three_labels")
    arguments = ["disagreement", str(folder), "--model", "Overconfident", "--recalibrate"]
    assert main([*arguments, "--resamples", "2", "--out", str(tmp_path)]) == 0
    out = tmp_path / "disagreement"
    study = read_study(folder)
    fit = recalibrate(study, study.tasks["class"], "Overconfident")
    found = table_of(out / "expert_label.csv")
    expected = expert_label_table(fit)
    assert found["model"].unique().tolist() == ["Overconfident"]
    assert found["method"].tolist() == expected["method"].tolist()
    np.testing.assert_allclose(found["after"], expected["after"], rtol=1e-12)
    surprising = table_of(out / "surprising_cases.csv")
    by_alpha = next(one for one in fit.forecasts() if one.method == ALPHA)
    own = surprising[surprising["method"] == ALPHA]
    assert own["case_id"].tolist() == surprising_cases(study, fit.task, by_alpha)["case_id"].tolist()
    fits = table_of(out / "fits.csv")
    temperatures = fits[fits["method"] == TEMPERATURE]["temperature"].astype(float)
    np.testing.assert_allclose(
        temperatures, fit.folds[fit.folds["method"] == TEMPERATURE]["temperature"], rtol=1e-12
    )
    assert {"matrix", "Dirichlet"} <= set(fits["method"])
    assert {path.stem for path in out.glob("*.csv")} == {*GIVEN, *FITTED}
    content = json.loads((out / "disagreement.json").read_text(encoding="utf-8"))
    assert {"expert_label", "likelihood", "fits"} <= set(content)
    assert not {"cases", "surprising_cases"} & set(content)


def test_chosen_methods_and_labels_of_their_own() -> None:
    """Only what is asked for is fitted; each label has its losses and its diagram."""
    study = read_study(sample_folder("toy_three_labels"))
    report = disagreement_report(
        study, DisagreementSettings(methods=("temperature",), by_label=True, resamples=2)
    )
    assert report.settings["recalibration"] == "as given, temperature; 5 folds"
    for name in ("losses", "probability_diagram"):
        about = report.tables[name].query("about == 'class probabilities'")
        assert set(about["label"]) == {"", *study.tasks["class"].labels}
        assert set(about["method"]) == {"as given", "temperature"}


@pytest.mark.parametrize(
    ("options", "message"),
    [
        (["--model", "nobody"], "model must be one of Bayes-optimal, Overconfident, Shifted, got 'nobody'"),
        (["--task", "u"], "task must be one of"),
        (["--bins", "0"], "bins must be a whole number from 1 to 1,000, got 0"),
        (["--methods", "isotonic"], "methods must be of as given, temperature"),
        (["--resamples", "-1"], "resamples must be a whole number of 0 or more"),
    ],
)
def test_bad_options_are_refused(
    options: list[str], message: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """In one line, without a traceback, and nothing is written."""
    out = tmp_path / "out"
    assert main(["disagreement", str(sample_folder("toy_three_labels")), *options, "--out", str(out)]) == 1
    error = capsys.readouterr().err
    assert message in error
    assert "Traceback" not in error
    assert not out.exists()


def test_studies_without_models_or_labels_are_refused(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """No predictions, and a differential in which every reading is tied."""
    said, predicted = two_labelled(6)
    bare = written(tmp_path / "bare", said, "")
    assert main(["disagreement", str(bare), "--out", str(tmp_path / "out")]) == 1
    assert "has no predictions, so there is no model to judge" in capsys.readouterr().err
    tied = "".join(f"{i},a,yes,1\n{i},a,no,1\n" for i in range(6))
    ranked = written(tmp_path / "ranked", tied, predicted, "ranking")
    assert main(["disagreement", str(ranked), "--out", str(tmp_path / "out")]) == 1
    assert "no reading that counts as one label" in capsys.readouterr().err


def test_few_or_single_labels_say_what_is_missing(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """The tables come out, and the notes say what could not be estimated or fitted."""
    said, predicted = two_labelled(4)
    few = written(tmp_path / "few", said, predicted)
    assert main(["disagreement", str(few), "--recalibrate", "--out", str(tmp_path / "one")]) == 0
    assert "m: Nothing was fitted: only 4 cases have a label and a prediction" in capsys.readouterr().out
    assert table_of(tmp_path / "one" / "disagreement" / "fits.csv").empty
    single = "".join(f"{i},a,{'yes' if i % 3 else 'no'}\n" for i in range(12))
    _, predicted = two_labelled(12)
    alone = written(tmp_path / "alone", single, predicted)
    assert main(["disagreement", str(alone), "--recalibrate", "--out", str(tmp_path / "two")]) == 0
    notes = capsys.readouterr().out
    assert "No case has two labels: how far raters disagree cannot be seen" in notes
    assert "m: α-calibration was not fitted" in notes
    losses = table_of(tmp_path / "two" / "disagreement" / "losses.csv")
    assert (losses[losses["about"] == "disagreement"]["n_cases"] == 0).all()
