"""Items of reporting guidelines answered as truthfully as the study allows, and no further."""

from __future__ import annotations

import json
from pathlib import Path

import pandas as pd
import pytest

from core.analysis.checklist import CLAIM, COLUMNS, STARD, checklist, write_checklist
from core.analysis.checklist_columns import NO, PARTLY, YES
from core.analysis.report_files import Output
from core.cli import sample_folder
from core.study.model import Study
from core.study.reading.folder import read_study
from core.study.reading.frames import study_of_frames
from core.study.simulation.simulate import simulate


def _study(readings: str, **more: pd.DataFrame) -> Study:
    """Study of readings as words, each ``case:rater:label``."""
    rows = [of.split(":") for of in readings.split()]
    return study_of_frames(pd.DataFrame(rows, columns=["case_id", "rater_id", "label"]), **more)


def _predictions(*of_a: float) -> pd.DataFrame:
    """A model's probabilities of the labels a and b for the first cases."""
    return pd.DataFrame(
        {"case_id": [str(i + 1) for i in range(len(of_a))], "a": of_a, "b": [1 - p for p in of_a]}
    )


def _answers(study: Study) -> dict[str, tuple[str, str]]:
    """What CLAIM's items are answered, by their numbers, and STARD-AI's by their topics."""
    table = checklist(study).table
    assert list(table.columns) == COLUMNS
    assert set(table["guideline"]) == {CLAIM, STARD}
    assert (table["item"].eq("") == table["guideline"].eq(STARD)).all()
    assert table.loc[table["item"] != "", "item"].str.fullmatch(r"CLAIM \d+").all()
    assert set(table["answered"]) <= {YES, PARTLY, NO}
    return {
        row["item"].removeprefix("CLAIM ") or row["topic"]: (row["answered"], row["answer"])
        for row in table.to_dict("records")
    }


@pytest.fixture(scope="module")
def knee() -> dict[str, tuple[str, str]]:
    """Answers of a study that has nearly everything."""
    return _answers(read_study(sample_folder("knee_mri")))


def test_a_whole_study_is_answered_with_its_numbers(knee: dict[str, tuple[str, str]]) -> None:
    """Those that the commands write; what no file tells is left to the authors."""
    assert knee["14"][0] == knee["18"][0] == knee["28"][0] == knee["37"][0] == YES
    assert "13 raters, who read 300 cases each" in knee["16"][1]
    assert "4,212 readings of 300 cases, 13 to 26 (median 13) a case" in knee["17"][1]
    assert "observed agreement 0.80 (0.78 to 0.83)" in knee["18"][1]
    assert "of 312 repeated readings say the same label" in knee["18"][1]
    assert "AUROC of Tear; " in knee["37"][1]
    assert "Network: AUROC 0.95 (0.93 to 0.97), s-AUROC 0.90 (0.87 to 0.92)" in knee["37"][1]
    assert "no risk levels of labels are given" in knee["36"][1]
    assert knee["15"][0] == knee["19"][0] == knee["20"][0] == knee["33"][0] == NO
    assert knee["16"][0] == knee["17"][0] == knee["21"][0] == PARTLY


def test_without_predictions_no_metric_is_claimed() -> None:
    """Readings and agreement are told all the same."""
    found = _answers(_study("1:A:a 1:B:a 2:A:a 2:B:b 3:A:b 3:B:b"))
    for item in ("28", "29", "37", "38", "39", "performance in groups of cases"):
        assert found[item] == (NO, "predictions of no model are given")
    assert found["18"][0] == PARTLY
    assert "over 3 cases with two readings or more: observed agreement 0.67" in found["18"][1]
    assert "nobody read a case twice" in found["18"][1]
    assert "Models" not in found["14"][1]


def test_what_was_not_worked_out_is_not_half_answered() -> None:
    """It is said which commands would tell it; columns that may name somebody are not offered for groups."""
    cases = pd.DataFrame(
        {"case_id": ["1", "2"], "patient_name": ["Bo", "Al"], "site": ["x", "y"], "unit": ["z", "z"]}
    )
    readings = "1:A:a 1:B:a 2:A:a 2:B:b"
    found = _answers(_study(readings, cases=cases, predictions={"net": _predictions(0.9, 0.2)}))
    assert found["30"][0] == NO
    groups = found["performance in groups of cases"]
    assert groups == (NO, "not worked out here: `loupe compare --by COLUMN` tells it, by site")


def test_failures_are_counted() -> None:
    """Cases in which a model is as likely wrong as right, with where single ones are listed."""
    found = _answers(_study("1:A:a 1:B:a 2:A:a 2:B:a", predictions={"net": _predictions(0.9, 0.2)}))
    assert found["39"][0] == PARTLY
    assert found["39"][1].startswith("in 1 case of 2 a model is as likely wrong as right, or more; ")


def test_risk_is_told_where_there_is_any() -> None:
    """Labels by level, and cases by the level of their leading label."""
    labels = pd.DataFrame({"label": ["a", "b"], "risk": [0, 2]})
    found = _answers(_study("1:A:a 1:B:a 2:A:b 2:B:b", labels=labels))
    assert "risk levels of labels: low 1, medium 0, high 1" in found["36"][1]
    assert "cases by the risk of their leading label: " in found["36"][1]


def test_one_case_gives_no_interval() -> None:
    """A value of one case has no error; nothing is made up."""
    found = _answers(_study("1:A:a 1:B:b", predictions={"net": _predictions(0.9)}))
    assert "2 readings of 1 case, 2 a case; 0 cases read once only" in found["17"][1]
    assert found["21"][1].startswith("1 case;")
    assert found["37"][0] == PARTLY
    assert found["37"][1].startswith("no interval can be told of these cases: AUROC of b; ")
    assert found["29"][0] == NO


def test_one_rater_has_nobody_to_agree_with() -> None:
    """And who reads twice agrees with him- or herself."""
    found = _answers(_study("1:A:a 2:A:b 3:A:a"))
    assert found["18"][0] == NO
    assert found["18"][1].startswith("between raters: not in the data, ")
    assert "1 rater, who read 3 cases each" in found["16"][1]
    rows = pd.DataFrame(
        {"case_id": ["1", "1", "2"], "rater_id": "A", "label": ["a", "b", "a"], "repeat": [1, 2, 1]}
    )
    again = _answers(study_of_frames(rows))
    assert again["18"][0] == PARTLY
    assert "within raters: 0 % of 1 repeated reading " in again["18"][1].replace("\u00a0", " ")


def test_readers_are_no_models_and_scores_have_no_labels_to_choose_from() -> None:
    """Each is told as what it is."""
    rows = [("1", "a", 0.8), ("1", "b", 0.2), ("2", "a", 0.2), ("2", "b", 0.8)]
    readers = pd.DataFrame(rows, columns=["case_id", "label", "probability"])
    readers = readers.assign(model="CT", reader="R")
    found = _answers(_study("1:A:a 1:B:a 2:A:b 2:B:b", predictions=readers))
    assert found["28"][0] == NO
    assert "`loupe mrmc` judges" in found["28"][1]
    scores = _answers(simulate("score", n_cases=6, seed=1).study)
    assert "a number a reading" in scores["17"][1]
    assert "choose from" not in scores["17"][1]


def test_it_is_written_as_a_report(tmp_path: Path) -> None:
    """Beside what made it, and the meaning of its columns."""
    study = _study("1:A:a 1:B:b 2:A:a 2:B:a")
    write_checklist(checklist(study), Output(tmp_path / "checklist"))
    names = {path.name for path in (tmp_path / "checklist").iterdir()}
    assert names >= {"checklist.csv", "checklist.provenance.json", "checklist.json", "columns.json"}
    said = json.loads((tmp_path / "checklist" / "checklist.provenance.json").read_text())["settings"]
    assert said["fingerprint"] == study.fingerprint
    assert "not for diagnosis" in said["notice"]
    written = pd.read_csv(tmp_path / "checklist" / "checklist.csv")
    assert len(written) == len(checklist(study).table)
    assert written["item"].dropna().iloc[0] == "CLAIM 14"
