"""Exports carry their provenance and cannot compute."""

from __future__ import annotations

import io
import json
import math
from hashlib import sha256

import numpy as np
import pandas as pd
import pytest

from core.analysis.export import format_reliability, guarded_csv, json_text, provenance, provenance_json
from core.plausibility.settings import Aggregation
from core.study.model import Study


def test_formulas_are_disarmed_and_numbers_are_not() -> None:
    """Text that a spreadsheet would run gets an apostrophe; numbers, quotes and absent values survive."""
    table = pd.DataFrame(
        {
            "=label": ["=1+1", "+x", "-x", "@x", "\tx", 'a "b", c', "naïve ü"],
            "value": [-1.5, 2, None, 0, 1, 2, 3],
        }
    )
    back = pd.read_csv(io.StringIO(guarded_csv(table)))
    assert list(back.columns) == ["'=label", "value"]
    assert back["'=label"].tolist() == ["'=1+1", "'+x", "'-x", "'@x", "'\tx", 'a "b", c', "naïve ü"]
    assert back["value"].iloc[0] == -1.5
    assert math.isnan(back["value"].iloc[2])


@pytest.mark.parametrize("separator", [",", ";", "\t"])
def test_no_cell_computes_whatever_the_separator(separator: str) -> None:
    """However a spreadsheet splits the lines, no cell begins with a formula, a name of a study included."""
    hostile = ["a;=1+1", "a\t=1+1", 'a;"=1+1"', "a,=1", "＝1", " ＋1", "\n@x", "x\r\n-y", '";=1']
    table = pd.DataFrame({"plain": range(len(hostile)), **dict.fromkeys(hostile, hostile)})
    for line in guarded_csv(table).replace("\r", "\n").split("\n"):
        for cell in line.split(separator):
            assert not cell.strip(' "').startswith(("=", "+", "-", "@", "＝", "＋", "－", "＠"))


@pytest.mark.parametrize("text", ["a\rb", "a\nb", "a\r\nb", 'a"b', "a;b", "a\tb", ",", '"', "  x "])
def test_text_with_line_breaks_and_quotes_stays_one_cell(text: str) -> None:
    """What is read back is what was written, in rows as many as there were."""
    table = pd.DataFrame({text: [text, "z"], "n": [1, 2]})
    pd.testing.assert_frame_equal(pd.read_csv(io.StringIO(guarded_csv(table), newline="")), table)


def test_numbers_are_written_in_full() -> None:
    """A number read back is the same, of NumPy or of Python, and infinity too; truth values stay so."""
    values = [0.1 + 0.2, 1e-300, -math.inf, 2.0]
    table = pd.DataFrame({"x": values, "n": np.array([1, -2, 3, 4], np.int8), "is": [True, False] * 2})
    back = pd.read_csv(io.StringIO(guarded_csv(table)))
    assert back["x"].tolist() == values
    assert back["n"].tolist() == [1, -2, 3, 4]
    assert back["is"].dtype == bool


def test_no_row_is_lost_that_has_nothing() -> None:
    """An absent value in a table of one column is a row all the same."""
    table = pd.DataFrame({"x": [None, "a", pd.NA]})
    assert pd.read_csv(io.StringIO(guarded_csv(table)))["x"].isna().tolist() == [True, False, True]


def test_an_index_is_written_where_it_has_a_name() -> None:
    """As the first column."""
    table = pd.DataFrame({"x": [1]}, index=pd.Index(["=a"], name="case_id"))
    assert guarded_csv(table) == "case_id,x\n'=a,1\n"
    assert guarded_csv(table.rename_axis(None)) == "x\n1\n"


def test_provenance_lies_beside_the_table_and_knows_it() -> None:
    """Whatever a study is called, it is text in the file of its own; the digest is that of the table."""
    csv = guarded_csv(pd.DataFrame({"x": ["ü"]}))
    name = 'x,=HYPERLINK("http://example.org")\n'
    found = json.loads(provenance_json("t.csv", csv, {"study": name}))
    assert found["table"] == "t.csv"
    assert found["settings"] == {"study": name}
    assert found["sha256"] == sha256(csv.encode("utf-8")).hexdigest()


def test_json_has_no_numbers_that_others_cannot_read() -> None:
    """Neither NaN nor infinity, at any depth; numbers of NumPy are numbers."""

    def refuse(name: str) -> None:
        raise AssertionError(name)

    content = {
        "a": [math.nan, {"b": np.float64("inf")}, -math.inf],
        "n": np.int64(3),
        "t": np.True_,
        "x": 0.1,
    }
    found = json.loads(json_text(content), parse_constant=refuse)
    assert found == {"a": [None, {"b": "inf"}, "-inf"], "n": 3, "t": True, "x": 0.1}


def test_provenance_names_what_made_the_table(dermatology: Study) -> None:
    """Version, fingerprint, seed, model, reliability, and the notice that it is not for diagnosis."""
    task = next(iter(dermatology.tasks.values()))
    settings = provenance(dermatology, task, Aggregation("plackett-luce", 2.5))
    assert settings["fingerprint"] == dermatology.fingerprint
    assert settings["reliability"] == "2.5"
    assert settings["draws"] == "1000 after 500"
    assert "not for diagnosis" in settings["notice"]


@pytest.mark.parametrize(("gamma", "text"), [(0.25, "0.25"), (3, "3"), (math.inf, "∞")])
def test_reliability_is_written_as_people_do(gamma: float, text: str) -> None:
    """No trailing zeros; infinity by its sign."""
    assert format_reliability(gamma) == text
