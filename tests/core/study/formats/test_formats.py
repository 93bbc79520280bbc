"""Published formats: real releases where they are present, small ones and damaged ones made here."""

from __future__ import annotations

import gzip
import json
import os

import numpy as np
import pytest
from shared_data import shared_data
from study_files import assert_same_study

from core.study.formats import FORMATS, import_study
from core.study.problems import StudyError
from core.study.reading.folder import read_study, write_study

SELECTORS = [[[[0], [1, 2]], [[2]]], [[[1]]]]


def _release(folder, *, conditions="A\nB\nC\n", risks="0\n1\n2\n", selectors=SELECTORS, **more):
    """A dermatology release of two cases."""
    folder.mkdir(exist_ok=True)
    (folder / "dermatology_conditions.txt").write_text(conditions)
    (folder / "dermatology_risks.txt").write_text(risks)
    text = selectors if isinstance(selectors, str) else json.dumps(selectors)
    (folder / "dermatology_selectors.json").write_text(text)
    for name, content in more.items():
        (folder / f"dermatology_{name}.txt").write_text(content)
    return folder


def test_dermatology_release():
    """The published numbers of cases, conditions and readings, and case 1026 of Stutz 2025, fig. 5."""
    study = import_study("dermatology-ddx", shared_data("data", "dermatology_ddx"))
    task = study.tasks["condition"]
    assert (study.n_cases, len(task.labels), task.readings.n_readings) == (1947, 419, 9602)
    assert np.bincount(task.risk).tolist() == [201, 150, 68]
    case = study.case_ids.index("1026")
    assert [task.braces(reading) for reading in task.readings.of_case(case)] == [
        "{Pyogenic granuloma} {Hemangioma} {Melanoma}",
        "{Angiokeratoma of skin} {Atypical Nevus}",
        "{Hemangioma} {Melanocytic Nevus, Melanoma, O/E - ecchymoses present}",
        "{Hemangioma, Melanoma, Skin Tag}",
        "{Melanoma}",
        "{Hemangioma} {Melanoma} {Melanocytic Nevus}",
    ]
    assert study.rater_ids == tuple(f"reader {i}" for i in range(1, 11))


def test_dermatology_release_round_trip(tmp_path):
    """The whole release through files and back."""
    study = import_study("dermatology-ddx", shared_data("data", "dermatology_ddx"))
    write_study(study, tmp_path / "study")
    assert_same_study(study, read_study(tmp_path / "study"))


def test_small_dermatology_release(tmp_path):
    """Worked out by hand, with predictions whose rounding is undone."""
    study = import_study(
        "dermatology-ddx",
        _release(
            tmp_path,
            predictions0="3.333e-01 3.333e-01 3.333e-01\n1.000e+00 0.000e+00 0.000e+00\n",
            predictions1="5.000e-01 5.000e-01 0.000e+00\n0.000e+00 0.000e+00 1.000e+00\n",
        ),
    )
    task = study.tasks["condition"]
    assert [task.braces(i) for i in range(3)] == ["{A} {B, C}", "{C}", "{B}"]
    assert task.risk.tolist() == [0, 1, 2]
    assert list(task.predictions) == ["model 0", "model 1"]
    np.testing.assert_allclose(task.predictions["model 0"].probability, [[1 / 3] * 3, [1, 0, 0]], rtol=1e-15)
    assert any("does not say who" in note.what for note in study.notes)


@pytest.mark.parametrize(
    ("change", "file", "what"),
    [
        ({"conditions": "A\n\nC\n"}, "dermatology_conditions.txt", "for the second time"),
        ({"conditions": "A\nA\nC\n"}, "dermatology_conditions.txt", 'got "A"'),
        ({"risks": "0\n1\nhigh\n"}, "dermatology_risks.txt", "expected a risk"),
        ({"risks": "0\n1\n"}, "dermatology_risks.txt", "expected 3 risks"),
        ({"selectors": "[[["}, "dermatology_selectors.json", "not valid JSON"),
        ({"selectors": "[" * 100_000}, "dermatology_selectors.json", "not valid JSON"),
        ({"selectors": "{}"}, "dermatology_selectors.json", "expected a list"),
        ({"selectors": [3]}, "dermatology_selectors.json", "case 0: expected a list"),
        ({"selectors": [[]]}, "dermatology_selectors.json", "no reading"),
        ({"selectors": [[[[0]], []]]}, "dermatology_selectors.json", "case 0, reading 2: the differential"),
        ({"selectors": [[[[0], []]]]}, "dermatology_selectors.json", "block of it is empty"),
        ({"selectors": [[[[3]]]]}, "dermatology_selectors.json", "from 0 to 2, got [3]"),
        ({"selectors": [[[[0.5]]]]}, "dermatology_selectors.json", "from 0 to 2"),
        ({"selectors": [[[[True]]]]}, "dermatology_selectors.json", "from 0 to 2"),
        ({"selectors": [[[[0], [1, 0]]]]}, "dermatology_selectors.json", "comes twice"),
        ({"predictions0": "1 0 0\n"}, "dermatology_predictions0.txt", "expected 2 × 3"),
        ({"predictions0": "1 0 0\n0.5 0 0\n"}, "dermatology_predictions0.txt", "got the sum 0.5"),
        ({"predictions0": "1 0 0\nnan 0 1\n"}, "dermatology_predictions0.txt", "got the sum nan"),
        ({"predictions0": "1 0 0\n2 -1 0\n"}, "dermatology_predictions0.txt", "sum to 1"),
        ({"predictions0": "a b c\n"}, "dermatology_predictions0.txt", "matrix of numbers"),
        ({"predictions0": ""}, "dermatology_predictions0.txt", "expected 2 × 3"),
    ],
)
def test_damaged_dermatology_release(tmp_path, change, file, what):
    """Each fault is named with its file."""
    with pytest.raises(StudyError) as caught:
        import_study("dermatology-ddx", _release(tmp_path, **change))
    assert any(p.file == file and what in p.what for p in caught.value.problems), str(caught.value)


def test_knee_mri_readers():
    """427 cases by 13 radiologists, each with a label and a confidence."""
    study = import_study("rater-matrix", shared_data("data", "knee_mri_readers"))
    task = study.tasks["label"]
    assert (study.n_cases, len(study.rater_ids)) == (427, 13)
    assert task.readings.n_readings == 427 * 13
    assert task.labels == ("0", "1")
    labels = np.loadtxt(shared_data("data", "knee_mri_readers", "preds.csv"), delimiter=",")
    confidence = np.loadtxt(shared_data("data", "knee_mri_readers", "confs.csv"), delimiter=",")
    np.testing.assert_array_equal(task.readings.label.reshape(427, 13), labels)
    np.testing.assert_array_equal(task.readings.confidence.reshape(427, 13), confidence)


def test_rater_matrix_with_header_ids_and_gaps(tmp_path):
    """Names of raters, ids of cases, and empty cells."""
    path = tmp_path / "matrix.csv"
    path.write_text("case_id,reader 10,reader 2\n007,yes,\n7,no,yes\n")
    study = import_study("rater-matrix", path)
    assert (study.case_ids, study.rater_ids) == (("007", "7"), ("reader 2", "reader 10"))
    task = study.tasks["label"]
    assert task.labels == ("no", "yes")
    assert task.readings.per_case.tolist() == [1, 2]
    assert task.readings.rater.tolist() == [1, 0, 1]
    assert [task.braces(i) for i in range(3)] == ["{yes}", "{yes}", "{no}"]


@pytest.mark.parametrize(
    ("files", "file", "what"),
    [
        ({}, "preds.csv", "no such file"),
        ({"preds.csv": "1,0\n1\n"}, "preds.csv", "expected 2 cells"),
        ({"preds.csv": ",\n,\n"}, "preds.csv", "no label"),
        ({"preds.csv": "a,a\n1,0\n"}, "preds.csv", "an id of its own"),
        ({"preds.csv": "1,0\n0,1\n", "confs.csv": "1,1\n"}, "confs.csv", "expected 2 × 2"),
        ({"preds.csv": "1,0\n", "confs.csv": "80,0.5\n"}, "confs.csv", '"80"'),
        ({"preds.csv": b"\x89PNG"}, "preds.csv", "PNG"),
    ],
)
def test_damaged_rater_matrix(tmp_path, files, file, what):
    """Each fault is named with its file."""
    for name, content in files.items():
        (tmp_path / name).write_bytes(content if isinstance(content, bytes) else content.encode())
    with pytest.raises(StudyError) as caught:
        import_study("rater-matrix", tmp_path)
    assert any(p.file == file and what in p.what for p in caught.value.problems), str(caught.value)


def test_cifar10h(tmp_path):
    """Counts become that many readings, whoever gave them."""
    counts = np.zeros((3, 10), np.int64)
    counts[0, [2, 9]] = 2, 1
    counts[2, 0] = 4
    np.save(tmp_path / "cifar10h-counts.npy", counts)
    study = import_study("cifar10h", tmp_path)
    task = study.tasks["class"]
    readings = task.readings
    assert study.case_ids == ("0", "1", "2")
    assert len(study.rater_ids) == 4
    again = np.zeros_like(counts)
    np.add.at(again, (readings.case, readings.label), 1)
    np.testing.assert_array_equal(again, counts)
    assert readings.rater.tolist() == [0, 1, 2, 0, 1, 2, 3]
    assert task.labels[2] == "bird"
    assert {note.what[:7] for note in study.notes} == {"the sou", "1 cases"}


@pytest.mark.parametrize(
    ("array", "what"),
    [
        (np.ones((4, 9), int), "4 × 9"),
        (np.ones(10, int), "got 10"),
        (np.full((2, 10), 0.1), "whole counts"),
        (np.full((2, 10), -1), "0 or more"),
        (np.zeros((2, 10), int), "all counts are 0"),
        (np.full((2, 10), np.nan), "whole counts"),
        (np.full((2, 10), 10**8), "more than 10,000,000"),
        (np.full((2, 10), "x"), "expected numbers"),
        (np.full((2, 10), None), "NumPy array"),
        (np.zeros((0, 10)), "0 × 10"),
    ],
)
def test_damaged_cifar10h(tmp_path, array, what):
    """Arrays of another shape or content, and pickles, are refused."""
    np.save(tmp_path / "counts.npy", array)
    with pytest.raises(StudyError) as caught:
        import_study("cifar10h", tmp_path / "counts.npy")
    assert what in str(caught.value)


@pytest.mark.parametrize("content", [b"", b"x", b"PK\3\4", b"\x93NUMPY\1\0v\0{'descr': '<i8'", b"\x80\4K\1."])
def test_cifar10h_that_is_no_array(tmp_path, content):
    """Other files under the name of an array."""
    (tmp_path / "counts.npy").write_bytes(content)
    with pytest.raises(StudyError, match="expected a NumPy array"):
        import_study("cifar10h", tmp_path / "counts.npy")


def test_header_that_promises_too_much(tmp_path):
    """An array said to be of 10^15 cells does not fill the memory."""
    np.save(tmp_path / "counts.npy", np.ones((1000, 10), np.int8))
    content = (tmp_path / "counts.npy").read_bytes().replace(b"(1000, 10)", b"(9" + b"9" * 6 + b",10)")
    (tmp_path / "counts.npy").write_bytes(content)
    with pytest.raises(StudyError, match="expected a NumPy array"):
        import_study("cifar10h", tmp_path / "counts.npy")


def test_label_histogram(tmp_path):
    """Counts, and other columns as metadata."""
    path = tmp_path / "histograms.tsv"
    path.write_text('id\thist\tsite\tnote\na\t2,0,1\t01\tsaid "no\nb\t0,1,0\t02\t\n')
    study = import_study("label-histogram", path)
    task = study.tasks["class"]
    assert study.case_ids == ("a", "b")
    assert task.labels == ("class 0", "class 1", "class 2")
    assert task.readings.label.tolist() == [0, 0, 2, 1]
    assert study.cases["site"].tolist() == ["01", "02"]
    assert study.cases["note"].tolist() == ['said "no', ""]


@pytest.mark.parametrize(
    ("content", "row", "column", "what"),
    [
        ("id\tcounts\na\t1,2\n", 1, "hist", "no column"),
        ("id,hist\na,1\n", 1, "", "expected tabs"),
        ("id\thist\na\t1,2\nb\t1\n", 3, "hist", "expected 2 whole counts"),
        ("id\thist\na\t1,2\nb\t1,x\n", 3, "hist", '"1,x"'),
        ("id\thist\na\t1,2\nb\t1,-2\n", 3, "hist", '"1,-2"'),
        ("id\thist\na\t\n", 2, "hist", "whole counts"),
        ("id\thist\na\t0,0\n", None, "hist", "all counts are 0"),
        ("id\thist\na\t1,2\na\t1,2\n", 3, "id", "comes twice"),
        ("id\thist\n\t1,2\n", 2, "id", "empty"),
        ("id\thist\na\t1,2\tx\n", 2, "", "expected 2 cells"),
        ("", None, "", "empty"),
    ],
)
def test_damaged_label_histogram(tmp_path, content, row, column, what):
    """Each fault is named with its place."""
    path = tmp_path / "histograms.txt"
    path.write_text(content)
    with pytest.raises(StudyError) as caught:
        import_study("label-histogram", path)
    found = [p for p in caught.value.problems if (p.file, p.row, p.column) == (path.name, row, column)]
    assert any(what in p.what for p in found), str(caught.value)


@pytest.mark.parametrize("name", FORMATS)
def test_missing_source(tmp_path, name):
    """A path to nothing."""
    with pytest.raises(StudyError):
        import_study(name, tmp_path / "nothing")


def test_unknown_format(tmp_path):
    """The message names what is known."""
    with pytest.raises(ValueError, match=r"expected one of dermatology-ddx, .* got 'dicom'"):
        import_study("dicom", tmp_path)


@pytest.mark.parametrize("name", FORMATS)
@pytest.mark.parametrize("kind", ["pipe", "device", "loop"])
def test_source_that_is_no_file(tmp_path, name, kind):
    """Refused, not waited for and not read without end."""
    path = tmp_path / "source"
    if kind == "pipe":
        os.mkfifo(path)
    else:
        path.symlink_to("/dev/zero" if kind == "device" else path.name)
    with pytest.raises(StudyError):
        import_study(name, path)


def test_packed_label_histogram(tmp_path):
    """Said to be packed, with what to do."""
    path = tmp_path / "histograms.txt.gz"
    path.write_bytes(gzip.compress(b"id\thist\na\t1,2\n"))
    with pytest.raises(StudyError, match=r"gzip archive\. Unpack it"):
        import_study("label-histogram", path)


@pytest.mark.parametrize("word", ["nan", "N/A", "None"])
def test_cells_that_stand_for_nothing(tmp_path, word):
    """A program's word for nothing is neither a label nor a reading."""
    path = tmp_path / "matrix.csv"
    path.write_text(f"case,r1,r2\nc1,yes,no\nc2,{word},no\n")
    with pytest.raises(StudyError, match=f'row 3: expected a label or an empty cell, got "{word}"'):
        import_study("rater-matrix", path)


def test_counts_that_stand_for_too_much(tmp_path):
    """A few digits would make ten million annotations, or a rater for each of a million."""
    path = tmp_path / "histograms.txt"
    most_of_a_case = "a case stand for more than 100,000"
    for hist, what in (("9999999,9", "10,000,000 annotations"), ("200000,1", most_of_a_case)):
        path.write_text(f"id\thist\na\t{hist}\n")
        with pytest.raises(StudyError, match=what):
            import_study("label-histogram", path)
