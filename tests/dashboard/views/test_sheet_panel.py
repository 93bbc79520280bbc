"""A sheet that is brought in on the page: whose it is, and who writes on afterwards."""

from __future__ import annotations

from pathlib import Path

import pytest
from reviewed_study import rounds, write_round
from streamlit.testing.v1 import AppTest

from core.cli import sample_folder
from core.reviews.author import remember_author
from core.reviews.store import VARIABLE
from core.study.reading.folder import read_study


def _script(folder: str) -> None:
    from types import SimpleNamespace

    import streamlit as st

    from core.analysis.round_sheet import sheet_csv
    from core.study.reading.folder import read_study
    from dashboard.shell import reviews
    from dashboard.shell.author import author
    from dashboard.views.review import sheet

    study = read_study(folder)
    of = reviews.journal(study).rounds()["one"]
    label = study.tasks[of.task].labels[0]
    lines = sheet_csv(of, reader="Ben").splitlines()
    filled = "\n".join([lines[0], *(line[:-1] + label + "," for line in lines[1:])])
    st.session_state["sheet"] = SimpleNamespace(name="sheet.csv", getvalue=filled.encode)
    sheet._bring_in(study, of, "Ben", "sheet")
    st.session_state["author"] = author()


def test_who_is_at_the_keyboard_stays_who_writes(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The sheet is kept under its reader's name; the next note is not."""
    monkeypatch.setenv(VARIABLE, f"sqlite:///{tmp_path}/reviews.sqlite")
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path))
    remember_author("Chair")
    folder = sample_folder("toy_three_labels")
    study = read_study(folder)
    database = tmp_path / "reviews.sqlite"
    cases = study.case_ids[:2]
    write_round(database, study, "one", cases, lambda case, reader: "", readers=["Ben"])
    test = AppTest.from_function(_script, args=(str(folder),), default_timeout=300).run()
    assert not test.exception
    of = rounds(database, study)["one"]
    assert {case: list(readings) for case, readings in of.readings.items()} == {
        case: ["Ben"] for case in cases
    }
    assert test.session_state["author"] == "Chair"
