"""The way to a report: what is in force when it is asked for is what it is made of."""

from __future__ import annotations

from typing import Any

import pytest
from streamlit.testing.v1 import AppTest

from dashboard.views import report_panel


def _page() -> None:
    import streamlit as st

    from dashboard.shell import sidebar, state, widgets
    from dashboard.views import report_panel

    widgets.enter("models")
    state.read_address()
    st.session_state["report"] = True
    report_panel.offer(sidebar.choose())
    state.write_address()


@pytest.fixture
def made(monkeypatch: pytest.MonkeyPatch) -> list[list[str]]:
    """What the command was given; it writes a report at once."""
    found: list[list[str]] = []

    def run(arguments: list[str], progress: Any) -> None:
        found.append(arguments)
        progress(1.0, "done")
        with open(arguments[1], "wb") as out:
            out.write(b"a report")

    monkeypatch.setattr(report_panel, "_run", run)
    return found


def _open(study: str = "toy_three_labels") -> AppTest:
    page = AppTest.from_function(_page, default_timeout=60)
    page.query_params["study"] = study
    page.query_params["reliability"] = "3"
    page.run()
    assert not page.exception
    return page


def test_it_is_made_of_what_is_in_force(made: list[list[str]]) -> None:
    """The study's folder, the settings without the study's key, the sections that are chosen."""
    page = _open()
    page.multiselect(key="report-sections").set_value(["study", "raters"]).run()
    page.button(key="report-make").click().run()
    _wait(page)
    assert len(made) == 1
    study, out, *options = made[0]
    assert study.endswith("toy_three_labels")
    assert out.endswith("report.html")
    assert options[1:] == ["--sections=study,raters", "--cases=0", "--format=html"]
    assert "reliability=3" in options[0]
    assert "study=" not in options[0]
    assert [one.label for one in page.get("download_button")] == ["Download the report (0.0 MB)"]
    page.query_params["reliability"] = "5"
    page.session_state["loupe-view"] = report_panel.state.replace(
        page.session_state["loupe-view"], reliability=5.0
    )
    page.run()
    words = " ".join(one.proto.body for one in page.get("html"))
    assert "others are now" in words
    page.button(key="report-make").click().run()
    _wait(page)
    assert len(made) == 2
    assert "reliability=5" in made[1][2]


def test_names_are_pointed_out(made: list[list[str]]) -> None:
    """A list of cases is asked for: who gets the report may know them."""
    page = _open()
    page.number_input(key="report-cases").set_value(10).run()
    assert "The report will name cases" in " ".join(one.proto.body for one in page.get("html"))
    page.multiselect(key="report-sections").set_value([]).run()
    assert not [one for one in page.button if one.key == "report-make"]
    assert made == []


def test_images_are_offered_with_the_cases(made: list[list[str]]) -> None:
    """Of a study that has some; who gets the report may see a person."""
    page = _open("mixed_digits")
    assert "report-images" not in [one.key for one in page.checkbox]
    page.number_input(key="report-cases").set_value(4).run()
    page.checkbox(key="report-images").check().run()
    assert "Images can show who somebody is" in " ".join(one.proto.body for one in page.get("html"))
    page.button(key="report-make").click().run()
    _wait(page)
    assert made[0][-3:] == ["--cases=4", "--format=html", "--images"]
    page = _open()
    page.number_input(key="report-cases").set_value(4).run()
    assert not page.checkbox


def test_raters_can_be_named_alone(made: list[list[str]]) -> None:
    """Where cases are listed they are named anyway."""
    page = _open()
    page.checkbox(key="report-raters").check().run()
    page.button(key="report-make").click().run()
    _wait(page)
    assert made[0][-2:] == ["--format=html", "--name-raters"]
    page.number_input(key="report-cases").set_value(4).run()
    assert not page.checkbox


def _wait(page: AppTest) -> None:
    """Draw until the work has ended."""
    for _ in range(200):
        if page.get("download_button"):
            return
        page.run()
    raise AssertionError("no report")
