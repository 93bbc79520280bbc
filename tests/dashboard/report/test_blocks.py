"""What a report reads off a page."""

from __future__ import annotations

from typing import Any

import pandas as pd
import pytest
from streamlit.testing.v1 import AppTest

from dashboard.report.blocks import Facts, Heading, Methods, Table, Text, blocks_of, cell


def _page() -> None:
    import pandas as pd
    import streamlit as st

    from dashboard.components.text import AT_SCREEN, element, table, unmarked
    from dashboard.views import parts

    element("h1", "Study")
    parts.facts([("3", "cases"), ("< 7", "readings")])
    parts.sentence("A <b>finding</b> & more.")
    st.button(unmarked("Best: A, 3 % of *all* www.x"), key="finding-models", type="tertiary")
    parts.note("312 readings, which do not enter.", at_screen="Click a <row>.")
    parts.note("", at_screen="Click a head.")
    element("h2", "Numbers")
    table(["Label", "Share"], [("<script>", "5 %")], name="All labels", at_screen=[("Folder", "/home/me")])
    with st.container(key=f"{AT_SCREEN}-example"):
        st.code("case_id,label", language=None)
    with st.expander("Methods, for a paper"):
        st.code("Truth was modelled.", language=None)
    with st.expander("Open another study"):
        parts.facts([("9", "files")])
    with st.expander("Only words"):
        parts.note("Nothing that a report shows.")
    st.dataframe(pd.DataFrame({"rater": ["R1", None], "share": [0.123456, float("nan")]}))


def test_cells_are_words() -> None:
    """A point estimate has the reliability ∞, not the word of a program."""
    values = [float("inf"), -float("inf"), float("nan"), 0.25, "inf", None]
    assert [cell(value) for value in values] == ["∞", "−∞", "", "0.25", "inf", ""]


@pytest.fixture(scope="module")
def blocks() -> list[Any]:
    """Blocks of the page."""
    page = AppTest.from_function(_page).run()
    assert not page.exception
    return list(blocks_of(page.main, {}))


def test_words_are_read_as_they_are_written(blocks: list[Any]) -> None:
    """Marks of HTML are words; what serves those at the screen is left out; all else keeps its order."""
    assert blocks[0] == Facts((("3", "cases"), ("< 7", "readings")))
    assert blocks[1] == Text("A <b>finding</b> & more.", "sentence")
    assert blocks[2] == Text("Best: A, 3 % of *all* www.x", "sentence")
    assert blocks[3] == Text("312 readings, which do not enter.", "note")
    assert blocks[4] == Heading("Numbers")
    assert blocks[6:8] == [Heading("Methods, for a paper"), Methods("Truth was modelled.")]
    words = str(blocks)
    assert "files" not in words
    assert "Click" not in words
    assert "Only words" not in words


def test_tables_are_read(blocks: list[Any]) -> None:
    """Those of words, and those of numbers, rounded for people; nothing stands where nothing is known."""
    table = blocks[5]
    assert (table.title, table.columns, table.rows) == (
        "All labels",
        ("Label", "Share"),
        (("<script>", "5 %"),),
    )
    assert isinstance(blocks[-1], Table)
    assert blocks[-1].rows == (("R1", "0.1235"), ("", ""))


def test_a_frame_without_rows_is_a_table() -> None:
    """With its columns."""
    from dashboard.report.blocks import _of_frame

    assert _of_frame(pd.DataFrame({"rater": []})).columns == ("rater",)
