"""Predictions that readers make with a modality, and references for each of several tasks."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from core.study.fingerprint import fingerprint
from core.study.problems import StudyError
from core.study.reading.folder import read_study, write_study
from core.study.references import reference_codes
from tests.helpers.study_files import CHOICE, TOML, problems, read

YES = TOML + '[tasks.main]\nkind = "choice"\npositive = "yes"\n'
SCORES = "case_id,model,reader,score\n1,film,R2,3\n2,film,R2,1\n1,film,R10,2\n1,net,,.5\n2,net,,.25\n"


def test_a_modality_and_its_readers_are_no_models(tmp_path: Path) -> None:
    """Readers in natural order by modality; what has no reader is a model as ever; written and read back."""
    study = read(tmp_path / "a", {"study.toml": YES, "annotations.csv": CHOICE, "predictions.csv": SCORES})
    task = study.tasks["main"]
    assert list(task.predictions) == ["net"]
    assert list(task.reader_predictions["film"]) == ["R2", "R10"]
    np.testing.assert_array_equal(task.reader_predictions["film"]["R10"].score, [2, np.nan])
    write_study(study, tmp_path / "b")
    again = read_study(tmp_path / "b")
    assert again.fingerprint == study.fingerprint
    plain = fingerprint(study.case_ids, study.rater_ids, {"main": task}, study.cases, seed=study.seed)
    assert plain == study.fingerprint


@pytest.mark.parametrize(
    ("column", "cells"), [("probability", ("0.7", "0.2")), ("label", ("", "")), ("score", ("7", "2"))]
)
def test_readers_give_scores_probabilities_or_labels(
    tmp_path: Path, column: str, cells: tuple[str, str]
) -> None:
    """A label without a probability is certain."""
    text = {
        "probability": "case_id,model,reader,label,probability\n1,film,R1,yes,0.7\n2,film,R1,yes,0.2\n",
        "label": "case_id,model,reader,label\n1,film,R1,yes\n2,film,R1,no\n",
        "score": "case_id,model,reader,score\n1,film,R1,7\n2,film,R1,2\n",
    }[column]
    study = read(tmp_path / "a", {"study.toml": YES, "annotations.csv": CHOICE, "predictions.csv": text})
    given = study.tasks["main"].reader_predictions["film"]["R1"]
    if column == "score":
        np.testing.assert_array_equal(given.score, [7, 2])
    else:
        wanted = [0.7, 0.2] if column == "probability" else [1, 0]
        np.testing.assert_allclose(given.probability[:, 1], wanted)
    write_study(study, tmp_path / "b")
    assert read_study(tmp_path / "b").fingerprint == study.fingerprint


def test_what_readers_say_changes_the_fingerprint(tmp_path: Path) -> None:
    """Another reader, or another score."""
    files = {"study.toml": YES, "annotations.csv": CHOICE}
    texts = (SCORES, SCORES.replace("R10", "R11"), SCORES.replace("R2,3", "R2,4"))
    found = {
        read(tmp_path / str(i), {**files, "predictions.csv": text}).fingerprint
        for i, text in enumerate(texts)
    }
    assert len(found) == 3


def test_a_reader_scores_a_case_once(tmp_path: Path) -> None:
    """And a name that stands for nothing is none."""
    files = {"study.toml": YES, "annotations.csv": CHOICE}
    twice = problems(tmp_path / "a", {**files, "predictions.csv": SCORES + "1,film,R2,9\n"})
    assert any("scores the case twice" in problem.what for problem in twice)
    nobody = problems(tmp_path / "b", {**files, "predictions.csv": SCORES + "2,film,nan,9\n"})
    assert any('expected a reader, got "nan"' in problem.what for problem in nobody)
    mixed = problems(tmp_path / "c", {**files, "predictions.csv": SCORES + "1,film read by R2,,9\n"})
    assert any("names a model as well as a modality and its reader" in problem.what for problem in mixed)


TWO = TOML + '[tasks.a]\nkind = "choice"\n[tasks.b]\nkind = "score"\nthreshold = 2\n'
TWO_READ = "case_id,rater_id,task,label,score\n1,x,a,yes,\n2,x,a,no,\n1,x,b,,3\n2,x,b,,1\n"
REFERENCES = "case_id,task,label\n1,a,no\n2,b,2.5\n"


def test_each_task_has_its_own_reference(tmp_path: Path) -> None:
    """A number counts as its side; written and read back; a case table's reference goes first."""
    study = read(
        tmp_path / "a", {"study.toml": TWO, "annotations.csv": TWO_READ, "references.csv": REFERENCES}
    )
    a, b = study.tasks["a"], study.tasks["b"]
    assert reference_codes(study, a).tolist() == [a.labels.index("no"), -1]
    assert reference_codes(study, b).tolist() == [-1, 1]
    write_study(study, tmp_path / "b")
    again = read_study(tmp_path / "b")
    assert again.fingerprint == study.fingerprint
    without = read(tmp_path / "c", {"study.toml": TWO, "annotations.csv": TWO_READ})
    assert without.fingerprint != study.fingerprint
    assert reference_codes(without, a).tolist() == [-1, -1]


@pytest.mark.parametrize(
    ("row", "what"),
    [
        ("1,a,maybe\n", 'unknown label "maybe" of the task "a"'),
        ("1,c,yes\n", 'unknown task "c"'),
        ("1,a,yes\n", "the case has a reference for the task already (in row 2)"),
        ("2,b,many\n", 'unknown label "many" of the task "b"'),
    ],
)
def test_references_that_are_none_are_errors(tmp_path: Path, row: str, what: str) -> None:
    """With what is known."""
    files = {
        "study.toml": TWO,
        "annotations.csv": TWO_READ,
        "references.csv": REFERENCES.replace("2,b,2.5\n", ""),
    }
    with pytest.raises(StudyError) as refused:
        read(tmp_path, {**files, "references.csv": files["references.csv"] + row})
    assert any(what in problem.what for problem in refused.value.problems)


def test_references_stand_in_one_place(tmp_path: Path) -> None:
    """Not in the table of cases as well."""
    files = {"study.toml": TWO, "annotations.csv": TWO_READ, "references.csv": REFERENCES}
    found = problems(tmp_path, {**files, "cases.csv": "case_id,reference\n1,yes\n2,\n"})
    assert any("a column reference as well" in problem.what for problem in found)
