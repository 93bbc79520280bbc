"""The CheXpert test-set release: the real one where it is present, small and damaged ones made here."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pandas as pd
import pytest
from shared_data import shared_data
from study_files import assert_same_study

from core.study.formats import import_study
from core.study.formats.chexpert_test import FINDINGS
from core.study.model import Study
from core.study.problems import StudyError
from core.study.reading.folder import read_study, write_study

PREDICTED = ["Cardiomegaly", "Edema", "Consolidation", "Atelectasis", "Pleural Effusion"]
TRUTH = "radiologists/groundtruth/bc1_gt.csv"
BENCH = "radiologists/benchmark_radiologists/bc4.csv"
MODEL = "example_models/predictions/standard/deep_predictions.csv"
HEADER = ",".join(["Study", *FINDINGS])
ZEROS = ",".join("0" * 14)
S1, S2 = "CheXpert-v1.0/test/p1/study1", "CheXpert-v1.0/test/p2/study1"
READ = f"{HEADER}\n{S1},{ZEROS}\n{S2},{ZEROS}\n"
SCORES = f"Study,Edema,Fracture\n{S2},0.25,1\n{S1},0.75,0\n"
FILES = {TRUTH: READ, BENCH: READ, MODEL: SCORES}


def _release(folder: Path, files: dict[str, str | bytes]) -> Path:
    for name, content in files.items():
        path = folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(content if isinstance(content, bytes) else content.encode())
    return folder


def _read(folder: Path, **changes: str | bytes) -> Study:
    return import_study("chexpert-test", _release(folder, {**FILES, **changes}))


def _frames(pattern: str) -> dict[str, pd.DataFrame]:
    paths = shared_data("data", "chexpert_test").glob(pattern)
    return {path.name.split("_")[0].removesuffix(".csv"): pd.read_csv(path, index_col=0) for path in paths}


@pytest.fixture(scope="module")
def real() -> Study:
    """The release as imported."""
    return import_study("chexpert-test", shared_data("data", "chexpert_test"))


def test_real_release_has_its_sizes(real: Study) -> None:
    """500 studies, 8 radiologists, 14 findings, 10 models for five of them."""
    assert (real.n_cases, real.rater_ids) == (500, tuple(f"bc{i}" for i in range(1, 9)))
    assert list(real.tasks)[:5] == PREDICTED
    assert set(real.tasks) == set(FINDINGS)
    assert [len(task.predictions) for task in real.tasks.values()] == [10] * 5 + [0] * 9
    for task in real.tasks.values():
        assert (task.kind, task.labels, task.positive) == ("choice", ("absent", "present"), "present")
        assert (task.readings.per_case == 8).all()


def test_real_readings_and_ground_truth(real: Study) -> None:
    """Every reading is in its place, whatever the column order: five raters' majority is the release's."""
    frames = _frames("radiologists/*/*.csv")
    truth = pd.read_csv(shared_data("data", "chexpert_test", "groundtruth.csv"), index_col=0)
    assert [f"CheXpert-v1.0/test/{case}" for case in real.case_ids] == list(truth.index)
    makers = [i for i, rater in enumerate(real.rater_ids) if rater not in ("bc4", "bc6", "bc8")]
    for finding, task in real.tasks.items():
        label = task.readings.label.reshape(500, 8)
        np.testing.assert_array_equal(
            label, np.stack([frames[rater][finding] for rater in real.rater_ids], axis=1)
        )
        np.testing.assert_array_equal(label[:, makers].sum(axis=1) > 2, truth[finding] == 1)


def test_real_scores_keep_order_and_ties(real: Study) -> None:
    """All numbers are as published; three columns exceed 1, so they are scores, and are named."""
    frames = _frames("example_models/predictions/standard/*.csv")
    scores = set()
    for finding in PREDICTED:
        task = real.tasks[finding]
        for model, predictions in task.predictions.items():
            published = frames[model][finding].to_numpy()
            np.testing.assert_array_equal(task.ranking_score(model, "present"), published)
            if published.max() > 1:
                scores.add((model, finding))
                assert predictions.kind == "score"
                assert np.isnan(predictions.probability).all()
            else:
                np.testing.assert_array_equal(predictions.probability.sum(axis=1), 1)
    assert scores == {
        ("desmond", "Edema"),
        ("desmond", "Pleural Effusion"),
        ("ngango2", "Atelectasis"),
    }
    assert len(real.notes) == 3
    assert all(f"{model} ({finding})" in real.description for model, finding in scores)


def test_real_release_round_trip(real: Study, tmp_path: Path) -> None:
    """The whole release through files and back."""
    write_study(real, tmp_path / "study")
    again = read_study(tmp_path / "study")
    assert_same_study(real, again)
    assert again.notes == ()


def test_columns_and_rows_in_any_order(tmp_path: Path) -> None:
    """Findings are selected by name and studies by path, file by file."""
    frame = pd.DataFrame(0, index=pd.Index([S1, S2], name="Study"), columns=list(FINDINGS))
    frame.loc[S2, "Edema"] = frame.loc[S1, "Pleural Other"] = 1
    turned = frame.iloc[::-1, ::-1]
    study = _read(tmp_path, **{TRUTH: frame.to_csv(), BENCH: turned.to_csv()})
    assert study.case_ids == ("p1/study1", "p2/study1")
    assert study.rater_ids == ("bc1", "bc4")
    positive = {name: task.readings.label.tolist() for name, task in study.tasks.items()}
    assert positive.pop("Edema") == [0, 0, 1, 1]
    assert positive.pop("Pleural Other") == [1, 1, 0, 0]
    assert not np.any(list(positive.values()))
    assert list(study.tasks)[:2] == ["Edema", "Fracture"]
    np.testing.assert_array_equal(
        study.tasks["Edema"].predictions["deep"].probability, [[0.25, 0.75], [0.75, 0.25]]
    )


def test_without_models(tmp_path: Path) -> None:
    """Readings alone make a study, findings in the order of the release."""
    study = import_study("chexpert-test", _release(tmp_path, {TRUTH: READ}))
    assert tuple(study.tasks) == FINDINGS
    assert not any(task.predictions for task in study.tasks.values())


def test_reader_and_model_that_cover_some_studies(tmp_path: Path) -> None:
    """What is missing stays empty, and what nobody read is left out; each is said with its place."""
    one = f"{HEADER}\n{S1},{ZEROS}\n"
    scores = f"Study,Edema\nelsewhere,7\n{S2},0.5\n"
    study = _read(tmp_path, **{BENCH: one, MODEL: scores})
    task = study.tasks["Edema"]
    assert task.readings.per_case.tolist() == [2, 1]
    assert task.predictions["deep"].covered.tolist() == [False, True]
    assert task.predictions["deep"].probability[1].tolist() == [0.5, 0.5]
    found = [(note.file, note.row, note.column, note.what[:19]) for note in study.notes]
    assert found == [
        (BENCH, None, "Study", "1 of 2 studies have"),
        (MODEL, 2, "Study", "no radiologist read"),
        (MODEL, None, "Study", "1 of 2 studies have"),
    ]
    write_study(study, tmp_path / "study")
    assert read_study(tmp_path / "study").fingerprint == study.fingerprint


def test_studies_that_would_be_called_alike(tmp_path: Path) -> None:
    """Where the short paths are not unique, ids stay whole."""
    content = f"{HEADER}\n{S1},{ZEROS}\np1/study1,{ZEROS}\n"
    study = import_study("chexpert-test", _release(tmp_path, {TRUTH: content}))
    assert study.case_ids == (S1, "p1/study1")


@pytest.mark.parametrize(
    ("first", "second", "what"),
    [
        (2.7, float(np.nextafter(2.7, 3)), "2 of 2 scores lie outside [0, 1] (from 2.7 to 2.7)"),
        (-1e300, 0.5, "1 of 2 scores lie outside [0, 1] (from -1e+300 to 0.5)"),
    ],
)
def test_scores_that_are_no_probabilities_are_kept(
    tmp_path: Path, first: float, second: float, what: str
) -> None:
    """To the last bit, however close or far two scores are."""
    study = _read(tmp_path, **{MODEL: f"Study,Edema\n{S1},{first!r}\n{S2},{second!r}\n"})
    score = study.tasks["Edema"].predictions["deep"].score
    assert score is not None
    assert score.tolist() == [first, second]
    (note,) = study.notes
    assert (note.file, note.column, note.severity) == (MODEL, "Edema", "warning")
    assert what in note.what
    assert "deep (Edema)" in study.description


@pytest.mark.parametrize(
    ("file", "content", "row", "column", "what"),
    [
        (TRUTH, READ.replace(f"{S2},0", f"{S2},-1"), 3, "No Finding", 'got "-1"'),
        (TRUTH, READ.replace(f"{S2},0", f"{S2},"), 3, "No Finding", 'got ""'),
        (TRUTH, READ.replace(f"{S2},0", f"{S2},yes"), 3, "No Finding", 'got "yes"'),
        (TRUTH, READ.replace(f"{S2},0", f"{S2},0.5"), 3, "No Finding", 'got "0.5"'),
        (TRUTH, READ.replace(S2, S1), 3, "Study", "comes twice (first in row 2)"),
        (TRUTH, READ.replace(S2, ""), 3, "Study", "is empty"),
        (TRUTH, READ.replace("Edema", "Oedema"), 1, "Edema", 'no column "Edema"'),
        (TRUTH, READ.replace("Edema", "Fracture", 1), 1, "Fracture", "same name"),
        (TRUTH, READ.replace("Study", "Path"), 1, "Study", 'no column "Study"'),
        (TRUTH, READ + "x,1\n", 4, "", "expected 15 cells"),
        (TRUTH, HEADER, None, "", "no rows"),
        (TRUTH, "", None, "", "empty"),
        (TRUTH, b"\x89PNG", None, "", "PNG"),
        (TRUTH, READ.replace(",", ";"), 1, "", "expected commas"),
        (MODEL, SCORES.replace("0.75", "NaN"), 3, "Edema", 'got "NaN"'),
        (MODEL, SCORES.replace("0.75", "inf"), 3, "Edema", 'got "inf"'),
        (MODEL, SCORES.replace("0.75", "high"), 3, "Edema", 'got "high"'),
        (MODEL, SCORES.replace("0.75", ""), 3, "Edema", "missing"),
        (MODEL, SCORES.replace(S1, S2), 3, "Study", "comes twice"),
        (MODEL, f"Study,mood\n{S1},0.5\n", 1, "", "no column of a finding"),
        (MODEL, "Study,Edema\nelsewhere,0.5\n", None, "Study", "scores no study"),
        (MODEL.replace("deep", ""), SCORES, None, "", 'got ""'),
    ],
)
def test_damaged_release(
    tmp_path: Path, file: str, content: str | bytes, row: int | None, column: str, what: str
) -> None:
    """Each fault is named with its place, and how to mend it."""
    with pytest.raises(StudyError) as caught:
        _read(tmp_path, **{file: content})
    found = [p for p in caught.value.problems if (p.file, p.row, p.column) == (file, row, column)]
    assert any(what in p.what and p.mend for p in found), str(caught.value)


@pytest.mark.parametrize(
    ("file", "content", "name", "other"),
    [
        ("radiologists/groundtruth/bc4_gt.csv", READ, "bc4", BENCH),
        (MODEL.replace("_predictions", ""), SCORES, "deep", MODEL),
    ],
)
def test_two_files_of_one_name(tmp_path: Path, file: str, content: str, name: str, other: str) -> None:
    """Two files of one radiologist or model are refused, with both named."""
    with pytest.raises(StudyError) as caught:
        _read(tmp_path, **{file: content})
    (problem,) = caught.value.problems
    assert problem.file == other
    assert f'got "{name}", and there is {file}' in problem.what


def test_all_problems_at_once(tmp_path: Path) -> None:
    """Faults of three files come together, and a hundred bad cells are not listed one by one."""
    studies = "".join(f"s{i},{ZEROS.replace('0', '9')}\n" for i in range(100))
    with pytest.raises(StudyError) as caught:
        _read(
            tmp_path,
            **{
                TRUTH: f"{HEADER}\n{studies}",
                BENCH: READ.replace(S2, S1),
                MODEL: SCORES.replace("0.75", "x"),
            },
        )
    problems = caught.value.problems
    assert {TRUTH, BENCH, MODEL} <= {problem.file for problem in problems if problem.severity == "error"}
    assert len(problems) < 400
    assert any("and 80 more rows" in problem.what for problem in problems)


def test_unused_columns_and_files_are_said(tmp_path: Path) -> None:
    """A column that is no finding and a file that is no CSV are not used, and the notes say so."""
    extra = SCORES.replace("Fracture", "Rash")
    study = _read(tmp_path, **{MODEL: extra, "radiologists/groundtruth/notes.txt": "x"})
    assert {(note.file, note.column) for note in study.notes} == {
        (MODEL, "Rash"),
        ("radiologists/groundtruth/notes.txt", ""),
    }


def test_raters_and_models_are_in_natural_order(tmp_path: Path) -> None:
    """By name, whatever folder they lie in."""
    more = {f"radiologists/groundtruth/bc{i}_gt.csv": READ for i in (10, 2)}
    more |= {MODEL.replace("deep", f"m{i}"): SCORES for i in (10, 9, "")}
    study = import_study("chexpert-test", _release(tmp_path, {**FILES, **more}))
    assert study.rater_ids == ("bc1", "bc2", "bc4", "bc10")
    assert list(study.tasks["Edema"].predictions) == ["deep", "m", "m9", "m10"]
