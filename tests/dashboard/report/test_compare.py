"""Two reports side by side."""

from __future__ import annotations

from dataclasses import replace

import altair as alt
import pandas as pd
import pytest

from core.analysis.sources import bibtex
from core.cli import sample_folder
from dashboard.charts.figure import Figure
from dashboard.report.blocks import Facts, Heading, Methods, Pair, Picture, Table, Text
from dashboard.report.collect import Content, Section, collect
from dashboard.report.compare import compared
from dashboard.report.page import html
from dashboard.report.settings import Contents


def _picture(name: str, values: list[float]) -> Picture:
    frame = pd.DataFrame({"model": ["m", "n"], "note": ["", "x"], "value": values})
    spec = alt.Chart(alt.NamedData("d")).mark_point().to_dict(validate=False)
    return Picture(name, f"Title of {name}", "", Figure(spec, {"d": frame}), frame, {})


def _content(gamma: str, values: list[float], cases: str, *more: Picture) -> Content:
    blocks = (
        Facts(((cases, "cases"),)),
        Text(f"It is {cases}.", "sentence"),
        Heading("Which is better?"),
        Text("Nobody knows.", "sentence"),
        _picture("moves", values),
        Heading("Does it stay?"),
        _picture("stays", [1.0, 2.0]),
        *more,
    )
    return Content("S", "", {"seed": "1", "γ": gamma}, (Section("study", "Study", {"a": "b"}, blocks),), ())


def test_what_differs_stands_first() -> None:
    """Settings, counts and findings; what is alike is said once."""
    both = compared(_content("1", [0.5, 0.25], "10"), _content("3", [0.5, 0.75], "20"))
    overview, section = both.sections
    assert overview.blocks[2].rows == (("γ", "1", "3"),)  # type: ignore[union-attr]
    assert both.settings == {"seed": "1"}
    assert section.settings == {"a": "b"}
    counts, findings = (block for block in section.blocks[:2] if isinstance(block, Table))
    assert counts.rows == (("cases", "10", "20"),)
    assert findings.rows == (("Study", "It is 10.", "It is 20."),)
    assert section.blocks[2] == Heading("Which is better?")
    assert isinstance(section.blocks[3], Pair)
    numbers = section.blocks[4]
    assert isinstance(numbers, Table)
    assert numbers.rows == (("n, x", "value", "0.25", "0.75", "+0.5"),)
    assert section.blocks[5:] == (Heading("The same in both"), Text("Title of stays.", "note"))


def test_rows_of_tables_that_differ_are_listed() -> None:
    """Once for each side; the others are not."""

    def with_table(content: Content, value: str) -> Content:
        section = content.sections[0]
        table = Table("T", ("Name", "Value"), (("x", "1"), ("y", value)))
        return replace(content, sections=(replace(section, blocks=(*section.blocks, table)),))

    one, other = (with_table(_content("1", [0.5, 0.25], "10"), value) for value in "23")
    found = [block for block in compared(one, other).sections[1].blocks if isinstance(block, Table)]
    assert found[-1].columns == ("In", "Name", "Value")
    assert found[-1].rows == (("A", "y", "2"), ("B", "y", "3"))


def test_nothing_differs() -> None:
    """It is said, and no picture is drawn twice."""
    both = compared(*[_content("1", [0.5, 0.25], "10")] * 2)
    assert both.sections[0].blocks[1:] == (Text("Data and settings are the same in both.", "sentence"),)
    assert not [block for block in both.sections[1].blocks if isinstance(block, Pair | Picture)]


@pytest.mark.parametrize("in_first", [True, False])
def test_a_picture_of_one_alone_is_shown(*, in_first: bool) -> None:
    """With the one that has it."""
    more, less = _content("1", [1.0, 2.0], "1", _picture("more", [0.0, 1.0])), _content("1", [1.0, 2.0], "1")
    both = compared(*((more, less) if in_first else (less, more)))
    assert Text(f"In {'A' if in_first else 'B'} alone.", "note") in both.sections[1].blocks


def test_rows_that_cannot_be_told_apart_are_not_compared() -> None:
    """Two rows of the same name: nobody knows which became which."""
    one, other = _content("1", [0.5, 0.25], "1"), _content("1", [0.5, 0.75], "1")

    def doubled(content: Content) -> Content:
        section = content.sections[0]
        blocks = [
            replace(block, table=block.table.assign(model="m", note=""))
            if isinstance(block, Picture)
            else block
            for block in section.blocks
        ]
        return replace(content, sections=(replace(section, blocks=tuple(blocks)),))

    both = compared(doubled(one), doubled(other))
    assert not [
        block for block in both.sections[1].blocks if isinstance(block, Table) and "most" in block.title
    ]


def test_two_reliabilities_of_a_study() -> None:
    """Certainty differs, agreement of raters does not."""
    asked = Contents(sample_folder("toy_three_labels"), "?reliability=1", ("study",))
    both = compared(collect(asked), collect(replace(asked, link="?reliability=10")))
    assert ("reliability", "1", "10") in both.sections[0].blocks[2].rows  # type: ignore[union-attr]
    text = html(both)
    assert text.count('<p class="side">') == 4  # What models can claim, and certainty.
    assert "The same in both" in text


def test_studies_of_one_name_are_told_apart() -> None:
    """By the fingerprints of their data; one study under two choices of settings is said to be one."""
    one, other = (replace(_content("1", [0.5, 1.0], "1"), made={"fingerprint": of}) for of in ("aa", "bb"))
    legend = compared(one, other).sections[0].blocks[0]
    assert isinstance(legend, Table)
    assert legend.rows == (("A", "S", "aa"), ("B", "S", "bb"))
    said = compared(one, one).sections[0].blocks[0]
    assert said == Text("A and B are both of “S”, with the same data (fingerprint aa).")


def test_methods_works_and_the_cases_of_both() -> None:
    """Methods once where they are the same; each work once; the list of cases of each."""

    def of(number: int, works: str) -> Content:
        blocks = (Methods(f"## Data\n\nγ = {number}"), Methods(works))
        listed = (Text("The 1 least certain.", "note"), Table("Cases", ("case",), ((f"c{number}",),)))
        sections = (Section("study", "Study", {}, blocks), Section("cases", "Cases", {}, listed))
        return Content("S", "", {}, sections, ("names cases",))

    works = bibtex(["holm1979", "wilson1927"])
    both = compared(of(1, works), of(2, bibtex(["holm1979"])))
    _, study, cases = both.sections
    said = [block.text for block in study.blocks if isinstance(block, Methods)]
    assert said[:2] == ["## Data\n\nγ = 1", "## Data\n\nγ = 2"]
    assert [said[2].count("@article{" + work) for work in ("holm1979", "wilson1927")] == [1, 1]
    assert [block.rows for block in cases.blocks if isinstance(block, Table)] == [(("c1",),), (("c2",),)]
    assert Heading("Cases of B") in cases.blocks
    _, study, cases = compared(of(1, works), of(1, works)).sections
    assert len([block for block in study.blocks if isinstance(block, Methods)]) == 2
    assert [block.rows for block in cases.blocks if isinstance(block, Table)] == [(("c1",),)]
    assert "c1" in html(both)
