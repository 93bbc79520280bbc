"""The data dictionary: every column that any command writes is declared, and nothing else is."""

from __future__ import annotations

import json
import re
from pathlib import Path

import pandas as pd
import pytest

from core.analysis.columns import TABLES, dictionary_json, find_column
from core.cli import main, sample_folder
from core.study.partitions.writing import write_partitions
from core.study.writing import write_study
from tests.helpers.reader_files import reader_study_of

DERM, TOY, KNEE, CHEST = (
    str(sample_folder(name)) for name in ("dermatology_like", "toy_three_labels", "knee_mri", "chest_xrays")
)
FEW = 'body_site == "face" and practice == "A"'
"""Cases that make a command quick."""
FIRST, MODELS = "reader-01,reader-02", "Checklist,Network"
RUNS = [
    ["evaluate", DERM, "--where", FEW, "--model", "plackett-luce", "--draws", "20"],
    ["evaluate", TOY, "--where", "x < -1", "--reliability", "auto", "--sweep"],
    ["evaluate", TOY, "--where", "x < -1", "--against", "majority"],
    ["evaluate", "readers"],
    ["evaluate", "parts"],
    ["evaluate", "scored"],
    ["compare", KNEE, "--n-draws", "2", "--by", "sex", "--rivals", "Checklist", "Network"],
    ["compare", CHEST, "--n-draws", "2", "--all-tasks"],
    ["mrmc", "readers", "--margin", "0.1"],
    ["mrmc", "readers", "--modalities", "A", "B", "--method", "anova"],
    ["disagreement", TOY, "--recalibrate", "--by-label", "--resamples", "2"],
    ["conformal", DERM, "--where", FEW],
    ["raters", KNEE, "--resamples", "2", "--where", "age < 45"],
    ["raters", DERM, "--resamples", "2", "--where", FEW],
    ["raters", KNEE, "--resamples", "2", "--raters", FIRST, "--other-raters", "reader-03,reader-04"],
    ["checklist", TOY, "--where", "x < -1"],
    ["plan", KNEE, "--fineness", "0.8", "--certainty", "0.8", "--ranking", "0.8", "--models", MODELS],
    ["reread", KNEE, "--readings", "3"],
    ["experiment", "perfect-predictor", "--repeats", "2"],
    ["experiment", "replay", TOY, "--repeats", "1", "--batch", "100"],
    ["review", "round", DERM, "--round", "one", "--case", "stutz-2025-fig-5", "--author", "Ada"],
    ["review", "log", DERM],
    ["review", "changed", DERM, "--round", "one", "--where", FEW],
]  # fmt: skip
"""Commands that together write every column of every table."""
ENDS = re.compile(r"(^|_)(low|high|lower|upper|lowest|highest)(_over_[a-z_]+)?$")
"""Names of ends of intervals."""
NO_ERRORS = ("calibration_error", "model_error", "why_no_error")
"""Names that end like that of a standard error."""


@pytest.fixture(scope="module")
def written(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Folders of all runs."""
    place = tmp_path_factory.mktemp("columns")
    write_study(reader_study_of(), place / "readers")
    write_partitions(DERM, place / "parts", cases=200)
    _write_scored(place / "whole")
    write_partitions(place / "whole", place / "scored", cases=20)
    for at, (command, *more) in enumerate(RUNS):
        given = [str(place / one) if one in ("readers", "parts", "scored") else one for one in more]
        if command == "review":
            given += ["--database", f"sqlite:///{place / 'reviews.db'}"]
        assert main([command, *given, "--out", str(place / f"{at}")]) == 0, RUNS[at]
    return place


def _write_scored(folder: Path) -> None:
    """Write a study whose model gives scores."""
    (folder / "predictions").mkdir(parents=True)
    (folder / "study.toml").write_text('[tasks.main]\nkind = "choice"\npositive = "yes"\n')
    (folder / "labels.csv").write_text("label\nno\nyes\n")
    rows = [
        f"c{case:02d},r{rater},{('no', 'yes')[(case + rater) % 2]}" for case in range(30) for rater in (1, 2)
    ]
    (folder / "annotations.csv").write_text("\n".join(["case_id,rater_id,label", *rows, ""]))
    scores = [f"c{case:02d},{case}.5" for case in range(30)]
    (folder / "predictions" / "model.csv").write_text("\n".join(["case_id,score", *scores, ""]))


@pytest.mark.slow
def test_every_column_is_declared_and_every_declaration_is_of_a_column(written: Path) -> None:
    """Of all commands; a column that nothing declares, or a declaration that nothing needs, fails."""
    used = set()
    for dictionary in written.rglob("columns.json"):
        content = json.loads(dictionary.read_text(encoding="utf-8"))
        report = content["columns of"]
        told = {table["table"]: table["columns"] for table in content["tables"]}
        assert sorted(told) == sorted(path.name for path in dictionary.parent.glob("*.csv"))
        for name, columns in told.items():
            header = [*pd.read_csv(dictionary.with_name(name), nrows=0)]
            assert header == [column["name"] for column in columns]
            stem = name.removesuffix(".csv")
            found = {one: find_column(report, stem, one) for one in header}
            assert [one for one, of in found.items() if of is None] == [], (report, stem)
            used |= {(report, stem, of.name) for of in found.values() if of is not None}
    tables = [table for table in TABLES if table.report != "picture"]
    declared = {(table.report, table.name, of.name) for table in tables for of in table.columns}
    assert declared - used == set()


def test_every_declaration_says_everything() -> None:
    """A meaning, unit, range and source; what an interval is of; digits by columns that are there."""
    for table in TABLES:
        names = [of.name for of in table.columns]
        assert len(names) == len(set(names)), table
        for of in table.columns:
            assert all([of.meaning, of.unit, of.range, of.source]), (table.name, of.name)
            assert set(of.digits_by) <= set(names), (table.name, of.name)
            end = ENDS.search(of.name)
            assert end is None or end[3], f"{table.name}.{of.name} does not say what it is an interval of"
            is_end = end is not None or of.name.endswith("_over_truths")
            is_error = of.name.endswith(("standard_error", "_error")) and of.name not in NO_ERRORS
            if is_end or is_error:
                assert of.interval_of, (table.name, of.name)


def test_a_column_that_nobody_declared_is_found() -> None:
    """By the report, the table and the name; a declared one by its pattern."""
    assert find_column("evaluation", "cases", "certainty") is not None
    assert find_column("evaluation", "cases", "new") is None
    assert find_column("evaluation", "news", "certainty") is None
    of = find_column("evaluation", "cases", "two\nlines: right in 3")
    assert of is not None
    assert of.name == "{model}: right in 3"


def test_the_dictionary_can_be_printed(capsys: pytest.CaptureFixture[str]) -> None:
    """As Markdown, a table below the other, and as JSON."""
    assert main(["columns"]) == 0
    said = capsys.readouterr().out
    assert said.count("\n## ") == len(TABLES)
    assert "| rank\\_low\\_over\\_source |" in said
    assert main(["columns", "--json"]) == 0
    tables = json.loads(capsys.readouterr().out)
    assert tables == json.loads(dictionary_json())
    assert sum(len(table["columns"]) for table in tables) == sum(len(table.columns) for table in TABLES)


def test_tables_are_also_written_for_papers(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """As all that is asked for, with the same CSV; an earlier run's are replaced; no place, no tables."""
    command = ["conformal", TOY, "--where", "x < -1", "--out", str(tmp_path)]
    assert main(command) == 0
    csv = (tmp_path / "conformal" / "coverage.csv").read_bytes()
    assert main([*command, "--overwrite", "--tables", "latex,markdown,parquet"]) == 0
    folder = tmp_path / "conformal"
    assert (folder / "coverage.csv").read_bytes() == csv
    tex = (folder / "coverage.tex").read_text(encoding="utf-8")
    assert "95 \\% interval over other" in tex
    assert "| low\\_over\\_cases (95 % interval over other cases) |" in (folder / "coverage.md").read_text(
        encoding="utf-8"
    )
    names = ["coverage", "low_over_cases", "high_over_cases"]
    pd.testing.assert_frame_equal(
        pd.read_parquet(folder / "coverage.parquet")[names],
        pd.read_csv(folder / "coverage.csv")[names],
        check_exact=True,
    )
    assert main([*command, "--overwrite"]) == 0
    assert not list(folder.glob("*.tex"))
    (folder / "paper.tex").write_text("mine")
    assert main([*command, "--overwrite"]) == 1
    assert "paper.tex, which is no output of Loupe" in capsys.readouterr().err
    assert main(["conformal", TOY, "--out", str(tmp_path / "new"), "--tables", "word"]) == 1
    assert "one of csv, latex, markdown, parquet" in capsys.readouterr().err
    assert main(["plan", "--accuracy", "0.8", "--tables", "latex"]) == 1
    assert "needs --out" in capsys.readouterr().err
