"""Writing studies, and reading them back."""

from __future__ import annotations

import tempfile
from pathlib import Path

import numpy as np
import pytest
from hypothesis import HealthCheck, given, settings
from random_studies import studies
from study_files import CHOICE, RANKING, assert_same_study, read, write

from core.study.reading.folder import read_study, write_study
from core.study.reference_standard import reference_standards

QUIET = settings(max_examples=30, deadline=None, suppress_health_check=list(HealthCheck))


def _contents(folder: Path) -> dict[str, bytes]:
    return {
        path.relative_to(folder).as_posix(): path.read_bytes() for path in folder.rglob("*") if path.is_file()
    }


@pytest.mark.slow
@QUIET
@given(studies())
def test_round_trip(study):
    """Any valid study comes back as it was, and is written byte for byte the same again."""
    with tempfile.TemporaryDirectory() as folder:
        one, two = Path(folder, "one"), Path(folder, "two")
        write_study(study, one)
        again = read_study(one)
        assert_same_study(study, again)
        write_study(again, two)
        assert _contents(one) == _contents(two)


def test_files_of_a_ranking(tmp_path):
    """What a small study looks like on disk."""
    study = read(
        tmp_path / "one",
        {
            "annotations.csv": RANKING,
            "labels.csv": "label,risk\nB,2\nA,low\nC,\n",
            "predictions.csv": "case_id,model,label,probability\n2,my/model,A,0.25\n2,my/model,B,0.75\n",
        },
    )
    write_study(study, tmp_path / "two")
    assert _contents(tmp_path / "two") == {
        "study.toml": b'name = "Test"\nseed = 0\n\n[tasks."main"]\nkind = "ranking"\n',
        "annotations.csv": b"case_id,rater_id,label,rank\n1,a,A,1\n1,a,B,2\n1,a,C,2\n1,b,B,1\n2,a,C,1\n",
        "labels.csv": b"label,risk\nB,high\nA,low\nC,\n",
        "cases.csv": b"case_id\n1\n2\n",
        "predictions/my%2Fmodel.csv": b"case_id,B,A,C\n2,0.75,0.25,0.0\n",
    }


def test_what_settles_labels_is_written(tmp_path):
    """Only where something is said, of a score too; text that tables have to quote comes back."""
    toml = '[tasks.t]\nkind = "choice"\n[tasks.s]\nkind = "score"\nthreshold = 3.0\n'
    annotations = "case_id,rater_id,task,label,score\n1,a,t,yes,\n1,a,s,,4\n"
    labels = 'label,task,settled_by\nyes,t,"swab, ""PCR"""\nno,t,\nbelow 3,s,\n3 or above,s,count\n'
    study = read(tmp_path / "one", {"study.toml": toml, "annotations.csv": annotations, "labels.csv": labels})
    write_study(study, tmp_path / "two")
    assert _contents(tmp_path / "two")["labels.csv"].decode() == labels
    assert_same_study(study, read_study(tmp_path / "two"))


def test_the_reference_standard_is_written(tmp_path):
    """That of the study, and of single cases."""
    cases = "case_id,reference,reference_standard\n1,yes,histology\n2,no,\n"
    files = {"annotations.csv": CHOICE, "cases.csv": cases, "study.toml": 'reference_standard = "readers"\n'}
    study = read(tmp_path / "one", files)
    write_study(study, tmp_path / "two")
    again = read_study(tmp_path / "two")
    assert_same_study(study, again)
    assert again.fingerprint == study.fingerprint
    assert reference_standards(again) == ["histology", "readers"]


def test_images_are_written(tmp_path):
    """Images lie where the case table says."""
    study = read(
        tmp_path / "one",
        {"annotations.csv": CHOICE, "cases.csv": "case_id,image\n1,images/a.png\n2,\n", "images/a.png": b"x"},
    )
    write_study(study, tmp_path / "two", images={"images/a.png": b"x"})
    again = read_study(tmp_path / "two")
    assert again.notes == ()
    assert again.root is not None
    assert (again.root / again.cases["image"].iloc[0]).read_bytes() == b"x"


@pytest.mark.parametrize("path", ["../a.png", "/a.png", "a.exe"])
def test_images_stay_inside(tmp_path, path):
    """No image is written outside the folder."""
    study = read(tmp_path / "one", {"annotations.csv": CHOICE})
    with pytest.raises(ValueError, match="images: expected"):
        write_study(study, tmp_path / "two", images={path: b"x"})
    assert not (tmp_path / "two").exists()


def test_writing_over_the_same_study(tmp_path):
    """Files are replaced, and nothing else is touched."""
    study = read(tmp_path / "one", {"annotations.csv": CHOICE})
    write_study(study, tmp_path / "two")
    (tmp_path / "two" / "README").write_text("mine")
    write_study(study, tmp_path / "two")
    assert read_study(tmp_path / "two").fingerprint == study.fingerprint
    assert (tmp_path / "two" / "README").read_text() == "mine"


def test_leftovers_of_another_study_are_not_mixed_in(tmp_path):
    """A table that would be read with the new ones."""
    study = read(tmp_path / "one", {"annotations.csv": CHOICE})
    write(tmp_path / "two", {"predictions/old.csv": "case_id,yes\n1,1\n"})
    with pytest.raises(ValueError, match=r"predictions/old\.csv"):
        write_study(study, tmp_path / "two")


def test_numbers_keep_every_digit(tmp_path):
    """Shortest text that reads back as the same float."""
    study = read(
        tmp_path / "one",
        {
            "annotations.csv": CHOICE,
            "predictions/m.csv": f"case_id,yes,no\n1,{1 / 3!r},{2 / 3!r}\n2,1e-300,1\n",
        },
    )
    write_study(study, tmp_path / "two")
    again = read_study(tmp_path / "two")
    np.testing.assert_array_equal(
        again.tasks["main"].predictions["m"].probability, study.tasks["main"].predictions["m"].probability
    )
    assert b"1e-300" in (tmp_path / "two" / "predictions" / "m.csv").read_bytes()
