"""The fingerprint: changes with every observation, and with nothing else."""

from __future__ import annotations

import pytest
from study_files import RANKING, read

FILES = {
    "study.toml": 'name = "T"\nseed = 1\n[tasks.main]\nkind = "ranking"\n',
    "annotations.csv": RANKING.replace("\n", ",\n").replace("rank,", "rank,confidence"),
    "cases.csv": "case_id,age\n1,3\n2,4\n",
    "labels.csv": "label,risk\nA,0\nB,1\nC,\n",
    "features.csv": "case_id,f\n1,0.5\n2,1\n",
    "predictions/m.csv": "case_id,A,B,C\n1,0.5,0.5,0\n2,1,0,0\n",
}


def _print(tmp_path, name, **changed):
    return read(tmp_path / name, FILES | changed).fingerprint


@pytest.mark.parametrize(
    ("file", "old", "new"),
    [
        ("study.toml", "seed = 1", "seed = 2"),
        ("annotations.csv", "1,a,C,2", "1,a,C,3"),
        ("annotations.csv", "2,a,C,1", "2,b,C,1"),
        ("annotations.csv", "2,a,C,1", "2,a,B,1"),
        ("annotations.csv", "2,a,C,1,", "2,a,C,1,0.5"),
        ("annotations.csv", "1,b", "1,c"),
        ("cases.csv", "2,4", "2,5"),
        ("cases.csv", "age", "size"),
        ("cases.csv", "1,3\n2,4", "2,4\n1,3"),
        ("labels.csv", "A,0\nB,1", "B,1\nA,0"),
        ("labels.csv", "C,", "C,2"),
        ("features.csv", "0.5", "0.25"),
        ("predictions/m.csv", "0.5,0.5", "0.25,0.75"),
        ("predictions/m.csv", "2,1,0,0\n", ""),
    ],
)
def test_changes_with_every_observation(tmp_path, file, old, new):
    """One thing changed in one file."""
    assert old in FILES[file]
    changed = _print(tmp_path, "y", **{file: FILES[file].replace(old, new, 1)})
    assert changed != _print(tmp_path, "x")


@pytest.mark.parametrize(
    ("file", "old", "new"),
    [
        ("study.toml", '"T"', '"Other"'),
        ("annotations.csv", "1,a,A,1,\n1,a,B,2,", "1,a,B,2,\n1,a,A,1,"),
        ("annotations.csv", "1,a,C,2,\n1,b,B,,", "1,b,B,,\n1,a,C,2,"),
        ("predictions/m.csv", "1,0.5,0.5,0\n2,1,0,0", "2,1,0,0\n1,0.5,0.5,0"),
        ("labels.csv", "A,0", "A,low"),
        ("features.csv", "0.5", "5e-1"),
    ],
)
def test_does_not_change_with_the_writing(tmp_path, file, old, new):
    """The same observations, written in another way."""
    assert old in FILES[file]
    changed = _print(tmp_path, "y", **{file: FILES[file].replace(old, new, 1)})
    assert changed == _print(tmp_path, "x")


def test_what_settles_a_label_is_in_it_only_where_said(tmp_path):
    """Sentences depend on it; where nothing is said it is what it was before there was such a column."""
    before = "c5285f5d3a6da1fe"
    assert _print(tmp_path, "x") == before
    empty, one, other = (
        f"label,risk,settled_by\nA,0,{first}\nB,1,{second}\nC,,\n"
        for first, second in (("", ""), ("biopsy", ""), ("", "biopsy"))
    )
    assert _print(tmp_path, "y", **{"labels.csv": empty}) == before
    said = {_print(tmp_path, name, **{"labels.csv": text}) for name, text in (("z", one), ("w", other))}
    assert len(said | {before}) == 3


def test_a_reference_standard_is_in_it_only_where_stated(tmp_path):
    """As what settles a label: sentences depend on it."""
    before = _print(tmp_path, "x")
    said = {
        _print(
            tmp_path, name, **{"study.toml": f'reference_standard = "{by}"\n' + FILES.get("study.toml", "")}
        )
        for name, by in (("y", "readers"), ("z", "histology"))
    }
    assert len(said | {before}) == 3
    empty = 'reference_standard = ""\n' + FILES.get("study.toml", "")
    assert _print(tmp_path, "w", **{"study.toml": empty}) == before


def test_form(tmp_path):
    """Sixteen hexadecimal characters."""
    text = _print(tmp_path, "x")
    assert len(text) == 16
    int(text, 16)
