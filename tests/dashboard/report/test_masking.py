"""Names that a report does not tell, and what stands for them."""

from __future__ import annotations

import pandas as pd
import pytest

from dashboard.charts.figure import Figure
from dashboard.report.blocks import Facts, Picture, Table, Text
from dashboard.report.masking import CASES_LEFT_OUT, NUMBERS_LEFT_OUT, Masks, numbered

MASKS = Masks(["7", "c1", "scan-9", "Ann"], numbered(["A", "Dr B", "reader-01", "c"]), ["A", "mole"])


def test_raters_have_numbers_of_one_width() -> None:
    """So that they stand in their order wherever words are put in order."""
    assert [*numbered(["b", "a", "b"]).values()] == ["Rater 1", "Rater 2"]
    assert [*numbered(map(str, range(12))).values()][::11] == ["Rater 01", "Rater 12"]


@pytest.mark.parametrize(
    ("written", "told"),
    [
        ("7 of 20 readings of case 7 and of c1.", "7 of 20 readings of a case and of a case."),
        ("Case scan-9 is like scan-90.", "A case is like scan-90."),
        ("In A and B, Dr B says A; reader-01 not.", "In A and B, Rater 2 says A; Rater 3 not."),
        ("Raters A, c and Dr B were looked at.", "Rater 1, Rater 4 and Rater 2 were looked at."),
        ("c is a letter.", "c is a letter."),
    ],
)
def test_words(written: str, told: str) -> None:
    """What could be anything else is put otherwise only behind the word that says what it is."""
    assert MASKS.text(written) == told


def test_tables_of_cases_are_left_out_and_it_is_said() -> None:
    """A cell of another table that names a case does not take the table with it."""
    of_cases = Table("T", ("case_id", "n"), (("7", "1"),))
    other = Table("About", ("What", "Says"), (("Source", "Fig. scan-9"), ("Licence", "Free"), ("n", "7")))
    found = [*MASKS.blocks([of_cases, other, Facts((("7", "cases"),))])]
    assert found[0] == Text(CASES_LEFT_OUT, "note")
    assert isinstance(found[1], Table)
    assert found[1].rows == (("Source", "Fig. a case"), ("Licence", "Free"), ("n", "7"))
    assert found[2] == Facts((("7", "cases"),))


def test_columns_of_raters_are_known_by_their_name_or_what_is_in_them() -> None:
    """Whatever else is called so; a column of labels is none."""
    table = Table(
        "", ("Rater", "Raters", "Other", "Label"), (("A", "A, Dr B", "c", "A"), ("7", "", "Dr B", "c"))
    )
    (found,) = MASKS.blocks([table])
    assert isinstance(found, Table)
    assert found.rows == (("Rater 1", "Rater 1, Rater 2", "Rater 4", "A"), ("7", "", "Rater 2", "c"))


def test_pictures() -> None:
    """Their data, scales and words, but not what speaks to Vega; those of cases show no numbers."""
    frame = pd.DataFrame({"rater": pd.Categorical(["c", "A"]), "c1": ["mole", "case c1"], "x": [7.0, 1.0]})
    spec = {
        "mark": "c1",
        "encoding": {
            "y": {"field": "c1", "sort": ["c", "Dr B"], "title": "By Dr B"},
            "x": {"sort": ["A", "B"]},
        },
    }
    picture = Picture("p", "Of c1", "", Figure(spec, {"d": frame}), frame, {"raters": "A, c", "label": "A"})
    (found,) = MASKS.blocks([picture])
    assert isinstance(found, Picture)
    assert found.title == "Of a case"
    assert found.live
    assert found.table["rater"].tolist() == ["Rater 4", "Rater 1"]
    assert found.table["c1"].tolist() == ["mole", "a case"]
    assert found.provenance == {"raters": "Rater 1, Rater 4", "label": "A"}
    y = found.figure.spec["encoding"]["y"]
    assert (found.figure.spec["mark"], y["field"]) == ("c1", "c1")
    assert (y["sort"], y["title"]) == (["Rater 4", "Rater 2"], "By Rater 2")
    of_cases = Picture(
        "p", "", "Read so.", Figure(spec, {"d": frame.assign(case="7")}), frame.assign(case="7"), {}
    )
    (found,) = MASKS.blocks([of_cases])
    assert isinstance(found, Picture)
    assert (found.caption, found.table.empty, found.live) == (f"Read so. {NUMBERS_LEFT_OUT}", True, False)
    assert frame["rater"].tolist() == ["c", "A"]
