"""Small questions about texts, numbers and paths."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from core.study.natural import natural_order
from core.study.reading.assemble import build_readings, row_table, sort_order
from core.study.reading.checks import (
    image_fault,
    is_plain_number,
    nearest,
    nearest_column,
    number_kind,
    personal_content,
    score_labels,
)


@pytest.mark.parametrize("text", ["1", "-1.5", " .5 ", "1.", "1e-3", "+2E5"])
def test_plain_numbers(text):
    """Decimal numbers, as Python reads them."""
    assert is_plain_number(text)
    float(text)


@pytest.mark.parametrize("text", ["", ".", "1_000", "1,5", "nan", "inf", "0x1", "1e", "١", "--1"])
def test_no_plain_numbers(text):
    """Some of these Python would take."""
    assert not is_plain_number(text)


@pytest.mark.parametrize(
    ("name", "known", "expected"),
    [("Melanom", ["Nevus", "Melanoma"], "Melanoma"), ("YES", ["no", "yes"], "yes"), ("x", ["abc"], None)],
)
def test_nearest(name, known, expected):
    """Spelling and case."""
    assert nearest(name, known) == expected


def test_nearest_column():
    """Other names for the same thing."""
    assert nearest_column("rater_id", ["id", "Reader"]) == "Reader"
    assert nearest_column("case_id", ["case-id", "x"]) == "case-id"
    assert nearest_column("case_id", ["zzz"]) is None


@pytest.mark.parametrize("path", ["a.png", "images/a b.JPG", "./a.webp", "a/..b.bmp"])
def test_images_inside(path):
    """Relative paths with an image's ending."""
    assert image_fault(path) is None


@pytest.mark.parametrize(
    "path",
    [
        "/a.png",
        "../a.png",
        "a/../../b.png",
        "C:a.png",
        "\\\\host\\a.png",
        "a\\b.png",
        "file:///a.png",
        "a",
        "a.svg",
        ".png/x",
    ],
)
def test_images_outside(path):
    """Everything that could leave the folder, or is no image."""
    assert image_fault(path) is not None


@pytest.mark.parametrize(
    "column",
    ["name", "Patient_ID", "lastName", "DateOfBirth", "MRN", "e-mail address", "patient name", "dob"],
)
def test_personal_columns(column):
    """By the name of the column."""
    assert personal_content(column, []) is not None


@pytest.mark.parametrize(
    "column", ["file_name", "age", "site", "image name", "rename", "strength", "model_name"]
)
def test_impersonal_columns(column):
    """Columns that only sound like it."""
    assert personal_content(column, ["1", "2"]) is None


def test_dates():
    """Full dates by value; years are fine."""
    assert personal_content("x", ["2020-01-02", "03.04.2021", "1/2/99", ""]) == "a full date"
    assert personal_content("x", ["2020", "2020-01", "12"]) is None


@pytest.mark.parametrize(
    ("values", "expected"),
    [
        (["1", "-2"], int),
        (["1", "2.5"], float),
        (["1e400"], str),
        (["007"], str),
        (["1", "x"], str),
        ([], str),
        (["1234567890123456"], str),
    ],
)
def test_number_kind(values, expected):
    """Ids that look like numbers stay text."""
    assert number_kind(values) is expected


def test_score_labels():
    """Whole thresholds lose their point."""
    assert score_labels(0.5) == ("below 0.5", "0.5 or above")
    assert score_labels(3) == ("below 3", "3 or above")


def test_natural_order():
    """Numbers in texts count as numbers, however long."""
    texts = ["r10", "r2", "r02", "R1", "", "r" + "9" * 5000, "r1a"]
    assert [texts[i][:4] for i in natural_order(texts)] == ["", "R1", "r1a", "r02", "r2", "r10", "r999"]


@given(st.lists(st.tuples(*[st.integers(-5, 5) | st.integers(-(2**40), 2**40)] * 3), max_size=30))
def test_sort_order_is_lexicographic(rows):
    """Against Python's sort of tuples, also where the keys do not fit in one integer."""
    keys = np.array(rows, np.int64).reshape(-1, 3).T
    order = sort_order(*keys)
    assert order.tolist() == sorted(range(len(rows)), key=lambda i: rows[i])


@given(
    st.lists(
        st.tuples(st.integers(0, 3), st.integers(0, 2), st.integers(0, 4), st.integers(1, 6)),
        max_size=25,
        unique_by=lambda row: row[:3],
    )
)
def test_readings_against_a_dictionary(rows):
    """Compressed rows hold what a dictionary of sets does."""
    expected: dict[tuple[int, int], dict[int, set[int]]] = {}
    for case, rater, label, rank in rows:
        expected.setdefault((case, rater), {}).setdefault(rank, set()).add(label)
    columns = np.array(rows, np.int64).reshape(-1, 4).T
    readings = build_readings(row_table(*columns[:3], rank=columns[3]), 4)
    found = {}
    for case in range(4):
        for reading in readings.of_case(case):
            blocks = readings.differential(reading)
            assert all(block == sorted(block) for block in blocks)
            found[case, int(readings.rater[reading])] = [set(block) for block in blocks]
    assert found == {key: [blocks[rank] for rank in sorted(blocks)] for key, blocks in expected.items()}
