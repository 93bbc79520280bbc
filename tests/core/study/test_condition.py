"""Conditions on the cases: what they keep, and how they are refused."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pandas as pd
import pytest

from core.analysis.cases.worklist import worklist_of
from core.analysis.raters.identified import raters_are_identified
from core.cli import main, sample_folder
from core.plausibility.settings import Aggregation
from core.study.condition import fulfilled
from core.study.condition_example import condition_example
from core.study.narrowed import narrowed
from core.study.reading.folder import read_study

CASES = pd.DataFrame(
    {
        "site": ["A", "A", "B", ""],
        "age": [30.0, 70.0, np.nan, 51.0],
        "skin type": ["I", "II", "II", "it's"],
        "in.vivo": [1, 0, 1, 0],
    },
    index=pd.Index(["c1", "c2", "c3", "c4"], name="case_id"),
)


@pytest.mark.parametrize(
    ("condition", "kept"),
    [
        ('site == "A"', [1, 1, 0, 0]),
        ("site != 'A'", [0, 0, 1, 1]),
        ('site == ""', [0, 0, 0, 1]),
        ("age >= 51", [0, 1, 0, 1]),
        ("age<51 or age>60", [1, 1, 0, 0]),
        ("not age < 51", [0, 1, 1, 1]),
        ("age != 70", [1, 0, 1, 1]),
        ('site in ["A", "C"] and not (age > 50)', [1, 0, 0, 0]),
        ('site not in ["A"]', [0, 0, 1, 1]),
        ("age in [30, 7.0e1]", [1, 1, 0, 0]),
        ('`skin type` == "II" or site == "A" and age == 30', [1, 1, 1, 0]),
        ('`skin type` == "it\'s"', [0, 0, 0, 1]),
        ('case_id in ["c2", "c4"]', [0, 1, 0, 1]),
        ("in.vivo == 1", [1, 0, 1, 0]),
        ("not not ((age <= 30))", [1, 0, 0, 0]),
    ],
)
def test_keeps_what_it_says(condition: str, kept: list[int]) -> None:
    """And before or, not before and; a case without a value fulfils nothing but a difference."""
    assert fulfilled(condition, CASES).tolist() == [bool(of) for of in kept]


@pytest.mark.parametrize(
    ("condition", "message"),
    [
        ("sit == 'A'", "character 1: a column of cases.csv .* got sit; did you mean site"),
        ("age > ", "character 6: a number, or text between quotes was expected, got the end"),
        ("site == A", 'character 9: .*got A; text stands between quotes: "A"'),
        ("site = 'A'", "character 6: a column, a comparison or a value was expected, got =; == asks whether"),
        ("site == 'A", "character 9: .*got 'A; what ' begins, another ' has to end"),
        ("site == “A”", "character 9: .*got “A”; quotes are straight here"),
        ("site > 'A'", "text, which has no order"),
        ("age == '30'", "character 8: a number, as age holds them, was expected"),
        ("site == 3", "character 9: text between quotes, as site holds them, was expected"),
        ("(age > 3", r"character 9: \) was expected, got the end"),
        ("age > 3 age < 5", "character 9: and, or, or the end was expected, got age"),
        ("age in 3", r"character 8: \[ was expected, got 3"),
        ("", "a column was expected, got the end"),
        ("(" * 60, "no more than 50 parts in each other"),
        ("__import__('os').system('true')", "character 17: a column, a comparison or a value was expected"),
        ("age > 3" + " " * 3000, "may have 2,000 characters"),
    ],
)
def test_is_refused_with_the_place(condition: str, message: str) -> None:
    """What was expected there, and what came."""
    with pytest.raises(ValueError, match=message):
        fulfilled(condition, CASES)


def test_numbers_that_are_missing_and_letters_in_other_forms_are_compared() -> None:
    """A nullable column as a column with gaps; a letter with its mark as the one letter that files have."""
    cases = pd.DataFrame({"n": pd.array([1, None, 3], "Int64"), "größe": ["ö", "o", None]})
    assert fulfilled("n >= 2", cases).tolist() == [False, False, True]
    assert fulfilled("n != 3", cases).tolist() == [True, True, False]
    assert fulfilled("gro\u0308ße == 'o\u0308'", cases).tolist() == [True, False, False]


@pytest.mark.parametrize(
    ("columns", "example"),
    [
        ({"site": "site", "age": "age"}, 'site == "A" and age >= 51'),
        ({"site": "one site", "in.vivo": "in.vivo"}, '`one site` == "A" and in.vivo >= 1'),
        ({"site": "not", "skin type": "skin type"}, '`not` == "A"'),
        ({}, 'case_id in ["c1", "c2"]'),
    ],
)
def test_an_example_is_made_of_the_columns_and_can_be_read(columns: dict[str, str], example: str) -> None:
    """Of text with its most frequent value, of numbers with their middle; without either, of case ids."""
    cases = CASES[[*columns]].rename(columns=columns)
    assert condition_example(cases) == example
    assert fulfilled(example, cases).any()


def test_a_narrowed_study_is_its_cases() -> None:
    """What is said of a case by a model of its readings alone is what is said of it in the whole study."""
    study = read_study(sample_folder("knee_mri"))
    part = narrowed(study, 'site == "Lakeside" and age > 40')
    expected = study.cases[(study.cases["site"] == "Lakeside") & (study.cases["age"] > 40)]
    assert list(part.case_ids) == expected.index.tolist()
    assert part.fingerprint != study.fingerprint
    assert part.features is not None
    assert part.features.index.tolist() == expected.index.tolist()
    of = Aggregation("label-counts", 1.0)
    whole, some = (worklist_of(one, one.tasks["tear"], of) for one in (study, part))
    pd.testing.assert_frame_equal(some, whole.loc[list(part.case_ids)])
    assert narrowed(study, " ") is study
    with pytest.raises(ValueError, match="no case of 300 fulfils"):
        narrowed(study, "age > 200")


def test_some_cases_have_the_labels_of_all() -> None:
    """What settles each of them stays said."""
    study = read_study(sample_folder("dermatology_like"))
    part = narrowed(study, 'case_id in ["derm-004", "derm-145"]')
    settled_by = part.tasks["diagnosis"].settled_by
    assert settled_by == study.tasks["diagnosis"].settled_by
    assert "biopsy" in settled_by


def test_few_cases_make_no_numbered_rater_known(tmp_path: Path) -> None:
    """Readers that are numbered in each case stay unknown, though two cases could be of a roster of three."""
    (tmp_path / "study.toml").write_text('name = "S"\n[tasks.t]\nkind = "ranking"\n')
    rows = [f"c{n},reader {r + 1},x,1" for n in (1, 2, 3) for r in range(n)]
    (tmp_path / "annotations.csv").write_text("\n".join(["case_id,rater_id,label,rank", *rows]) + "\n")
    study = read_study(tmp_path)
    for part in (study, narrowed(study, 'case_id != "c1"'), narrowed(study, 'case_id == "c3"')):
        assert not raters_are_identified(part, part.tasks["t"])


def test_commands_look_at_the_cases_alone(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """They say of how many, and every table what they are; a wrong condition leaves nothing behind."""
    study = str(sample_folder("toy_three_labels"))
    for command, more in {
        "evaluate": [],
        "compare": ["--draws", "2"],
        "disagreement": ["--resamples", "2"],
        "raters": ["--resamples", "2"],
        "plan": ["--accuracy", "0.8"],
        "reread": ["--readings", "2", "--model", "label-counts"],
        "experiment": ["--most", "4", "--repeats", "1"],
    }.items():
        out = tmp_path / command
        words = [command, "replay"] if command == "experiment" else [command]
        assert main([*words, study, *more, "--where", "x < 0", "--out", str(out)]) == 0
        assert " cases where x < 0." in capsys.readouterr().out
        made = [path.read_text(encoding="utf-8") for path in out.rglob("*.provenance.json")]
        assert made
        assert all('"only cases where": "x < 0"' in text for text in made)
    assert main(["evaluate", study, "--where", "z < 0", "--out", str(tmp_path / "none")]) == 1
    assert "character 1" in capsys.readouterr().err
    assert not (tmp_path / "none").exists()
    for words in (["plan", "--accuracy", "0.8"], ["experiment", "perfect-predictor", "--out", str(tmp_path)]):
        assert main([*words, "--where", "x < 0"]) == 1
        assert "--where is about a STUDY, and " in capsys.readouterr().err
