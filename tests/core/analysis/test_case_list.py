"""A list of cases is read as leniently as a sheet of a round."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest
from small_study import small_study

from core.analysis.case_list import read_case_list
from core.study.problems import StudyError

IDS = ("=1", "b", "c")
STUDY = replace(small_study("choice", "ab", [["a"], ["b"], []])[0], case_ids=IDS)


@pytest.mark.parametrize(
    "text",
    [
        "case_id,certainty\n'=1,0.5\nb,0.9\n'=1,0.5\n",
        "certainty;case_id\n0,5;=1\n0,9;  b \n",
        "\ufeffcase_id\n=1\n\nb\n",
        'case_id\n" =1"\n"b "\n',
    ],
)
def test_cases_are_those_of_the_rows(tmp_path: Path, text: str) -> None:
    """Each once, whatever stands between the cells or around the ids."""
    file = tmp_path / "cases.csv"
    file.write_text(text, encoding="utf-8")
    assert read_case_list(file, STUDY) == ["=1", "b"]


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("", "cases.csv"),
        ("case_id\n", "cases.csv"),
        ("case_id,x\n,1\n", "no case is named"),
        ("id\nb\n", "case_id"),
    ],
)
def test_what_names_no_case_is_refused(tmp_path: Path, text: str, words: str) -> None:
    """With the file and what is missing."""
    file = tmp_path / "cases.csv"
    file.write_text(text, encoding="utf-8")
    with pytest.raises(StudyError, match=words):
        read_case_list(file, STUDY)
