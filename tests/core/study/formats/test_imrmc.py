"""Lists of readers' scores in the format of iMRMC."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pandas as pd
import pytest

from core.study.formats import import_study
from core.study.problems import StudyError
from core.study.reading.folder import read_study, write_study
from tests.helpers.shared_data import shared_data

HEADER = "readerID,caseID,modalityID,score\n"
TRUTH = "truth,c1,truth,0\ntruth,c2,truth,1\ntruth,c10,truth,1\n"
ROWS = "R1,c1,film,2\nR1,c2,film,4.5\nR2,c10,film,3\nAI,c1,AI,.1\nAI,c10,AI,.9\n"


def read(folder: Path, text: str):
    """Study of a list with this text."""
    path = folder / "list.csv"
    path.write_text(text, encoding="utf-8")
    return import_study("imrmc", path)


def test_readers_modalities_and_truth_are_read(tmp_path: Path) -> None:
    """In natural order, with a model that nobody reads, and written as a study that reads back the same."""
    study = read(tmp_path, HEADER + TRUTH + ROWS)
    task = study.tasks["truth"]
    assert (study.case_ids, task.labels, task.positive) == (
        ("c1", "c2", "c10"),
        ("negative", "positive"),
        "positive",
    )
    assert study.cases["reference"].tolist() == ["negative", "positive", "positive"]
    film = task.reader_predictions["film"]
    np.testing.assert_array_equal(film["R1"].score, [2, 4.5, np.nan])
    np.testing.assert_array_equal(film["R2"].score, [np.nan, np.nan, 3])
    assert list(task.predictions) == ["AI"]
    write_study(study, tmp_path / "study")
    assert read_study(tmp_path / "study").fingerprint == study.fingerprint


def test_the_text_of_an_imrmc_file_is_read_too(tmp_path: Path) -> None:
    """Free words, then BEGIN DATA, and −1 for the truth; or columns in another order."""
    text = (HEADER + TRUTH + ROWS).replace("truth", "-1")
    begun = read(tmp_path, "A study of film\nNR: 2\n\nBEGIN DATA:\n" + text.removeprefix(HEADER))
    frame = pd.read_csv(tmp_path / "list.csv", skiprows=4, names=HEADER.strip().split(","), dtype=str)
    turned = read(tmp_path, frame[["score", "caseID", "readerID", "modalityID"]].to_csv(index=False))
    straight = read(tmp_path, HEADER + TRUTH + ROWS)
    assert begun.fingerprint == turned.fingerprint == straight.fingerprint


@pytest.mark.parametrize(
    ("text", "what", "row"),
    [
        (ROWS, "no row says the truth of a case", None),
        (TRUTH + "R1,c1,film,high\n", 'expected a score, got "high"', 5),
        (TRUTH + "R1,c1,film,2\nR1,c1,film,3\n", 'the reader "R1" scores the case "c1" twice', 6),
        (TRUTH + "R1,c7,film,2\n", 'no row says the truth of the case "c7"', 5),
        (TRUTH + "truth,c1,truth,1\nR1,c1,film,2\n", 'the case "c1" has two rows of truth', 5),
        (TRUTH.replace("c10,truth,1", "c10,truth,2") + ROWS, 'the truth has to be 0 or 1, got "2"', 4),
        (TRUTH + "R1,c1,,2\n", "the modality is empty", 5),
        ("truth,c1,truth,1\nR1,c1,film,2\n", "all cases are positive", None),
        (TRUTH, "no reader scores a case", None),
        (TRUTH + "R1,c1\n", "expected readerID, caseID, modalityID, score, got 2 cells", 5),
    ],
)
def test_what_is_wrong_is_said_with_its_row(tmp_path: Path, text: str, what: str, row: int | None) -> None:
    """And how to mend it."""
    with pytest.raises(StudyError) as refused:
        read(tmp_path, HEADER + text)
    (problem,) = [found for found in refused.value.problems if what in found.what]
    assert problem.row == row
    assert problem.mend


def test_a_list_without_its_header_says_which(tmp_path: Path) -> None:
    """Other names are not guessed."""
    with pytest.raises(StudyError, match="expected a header with readerID, caseID, modalityID, score"):
        read(tmp_path, "reader,case,modality,rating\nR1,c1,film,2\n")


def test_a_public_study_is_read(tmp_path: Path) -> None:
    """VIPER: 239 cases, 109 with cancer, twenty readers of film and of digital mammograms."""
    table = pd.read_csv(shared_data("data", "mrmc", "viper_screeningHighP.csv"))
    truth = table.drop_duplicates("caseID")
    rows = pd.DataFrame(
        {"readerID": "truth", "caseID": truth.caseID, "modalityID": "truth", "score": truth.cancerStatus455}
    )
    study = read(tmp_path, pd.concat([table[HEADER.strip().split(",")], rows]).to_csv(index=False))
    assert study.n_cases == 239
    assert (study.cases["reference"] == "positive").sum() == 109
    read_by = study.tasks["truth"].reader_predictions
    assert [(name, len(of)) for name, of in read_by.items()] == [("FFDM", 20), ("SFM", 20)]
