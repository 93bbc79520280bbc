"""The what-if panel: readings switched off, edited and added; the study stays as it is."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from browser.odd_studies import HOSTILE
from streamlit.testing.v1 import AppTest

from core.analysis.cases.what_if import Reading, WhatIf, said_in
from core.analysis.cases.what_if_text import from_text, to_text
from core.study.model import Study, Task
from core.study.reading.folder import read_study
from dashboard.shell import studies
from dashboard.views.cases.what_if import MOST_ROWS, read

CASE = 3


def _script(folder: str, index: int) -> None:
    import streamlit as st

    from core.analysis.cases.case import certainty_sentence, open_case, readings_table
    from core.analysis.cases.what_if import apply, effect_sentence
    from core.plausibility.settings import default_aggregation
    from core.study.reading.folder import read_study
    from dashboard.components.text import element
    from dashboard.views.cases import what_if

    study = read_study(folder)
    task = next(iter(study.tasks.values()))

    def adopt(text: str) -> None:
        st.query_params["what_if"] = text

    address = what_if.read(study, task, index, st.query_params.get("what_if", ""))
    aggregation = default_aggregation(task)
    before = open_case(study, task, aggregation, index)
    after = open_case(study, task, aggregation, index, readings=apply(study, task, index, address.change))
    what_if.banner(address, effect_sentence(before, after), adopt=adopt)
    element("p", certainty_sentence(after), role="sentence")
    for row in readings_table(after).itertuples(index=False):
        element("p", f"row {row[0]}: {row[1]}")
    what_if.show(study, task, index, address, adopt=adopt)


def _sample(key: str = studies.SAMPLE) -> tuple[Path, Study, Task]:
    folder = next(source.folder for source in studies.samples() if source.key == key)
    assert folder is not None
    study = read_study(folder)
    return folder, study, next(iter(study.tasks.values()))


def _open(folder: Path, index: int = CASE, text: str = "", *, panel: bool = True) -> AppTest:
    test = AppTest.from_function(_script, args=(str(folder), index), default_timeout=300)
    if text:
        test.query_params["what_if"] = text
    if panel:
        test.session_state["what-if"] = True
    return test.run()


def _words(test: AppTest) -> str:
    assert not test.exception
    return "\n".join(element.proto.body for element in test.get("html"))


def _changes(test: AppTest, study: Study, task: Task, index: int = CASE) -> WhatIf:
    """What the address asks for after a run."""
    given = test.query_params["what_if"]
    return from_text(study, task, index, given if isinstance(given, str) else given[0])


def _field(test: AppTest, label: str) -> Any:
    return next(field for field in test.text_input if field.label == label)


def _press(test: AppTest, label: str) -> AppTest:
    return next(button for button in test.button if button.label == label).click().run()


def test_closed_panel_draws_no_rows() -> None:
    """While the panel is closed a step of the slider pays nothing for it, and no banner stands."""
    folder, _, _ = _sample()
    test = _open(folder, panel=False)
    assert not test.checkbox
    assert not test.text_input
    assert "What if" not in _words(test)


def test_switch_off_and_on_again() -> None:
    """A reading that is off is gone from the case; on again, nothing is changed and the address is empty."""
    folder, study, task = _sample()
    n = len(said_in(task.readings, CASE))
    test = _open(folder)
    assert len(test.checkbox) == n
    test.checkbox[1].uncheck().run()
    assert _changes(test, study, task) == WhatIf(off=frozenset({1}))
    assert _words(test).count(">row ") == n - 1
    assert "not the study's readings" in _words(test).replace("&#x27;", "'")
    assert _field(test, "Reading 2").disabled
    test.checkbox[1].check().run()
    assert not _changes(test, study, task)
    assert _words(test).count(">row ") == n


def test_add_and_remove() -> None:
    """What is written is added, the field is empty again, and the reading can be taken out."""
    folder, study, task = _sample()
    test = _open(folder)
    name = task.labels[2]
    _field(test, "Add a reading").set_value(name.upper())
    _press(test, "Add")
    assert _changes(test, study, task) == WhatIf(added=(Reading(((2,),)),))
    assert _field(test, "Add a reading").value == ""
    assert f"row added 1: {{{name}}}" in _words(test)
    _press(test, "Remove")
    assert not _changes(test, study, task)


def test_misspelt_name_changes_nothing_and_stays() -> None:
    """The nearest label is proposed, and what was written can be corrected."""
    folder, _, _ = _sample()
    test = _open(folder)
    _field(test, "Add a reading").set_value("{Melnoma}")
    _press(test, "Add")
    assert "Melanoma" in _words(test).split("Not understood")[1]
    assert _field(test, "Add a reading").value == "{Melnoma}"
    assert "what_if" not in test.query_params
    _field(test, "Reading 1").set_value("{Melanom}").run()
    assert _words(test).count("Not understood") == 1
    assert _field(test, "Reading 1").value == "{Melanom}"
    _field(test, "Reading 1").set_value("{Melanoma}").run()
    assert "Not understood" not in _words(test)
    assert _field(test, "Reading 1").value == "{Melanoma}"


def test_edit_and_take_back() -> None:
    """An edit shows what the study says; the study's own words written again are no edit."""
    folder, study, task = _sample()
    test = _open(folder)
    was = _field(test, "Reading 1").value
    _field(test, "Reading 1").set_value("melanoma").run()
    melanoma = task.labels.index("Melanoma")
    assert _changes(test, study, task) == WhatIf(edited=((0, Reading(((melanoma,),))),))
    assert f"In the study: {was}" in _words(test)
    _field(test, "Reading 1").set_value(was).run()
    assert not _changes(test, study, task)
    _field(test, "Reading 1").set_value("melanoma").run()
    _press(test, "Take back")
    assert not _changes(test, study, task)
    assert _field(test, "Reading 1").value == was


def test_two_fields_left_at_once_both_count() -> None:
    """A field that is left by clicking a switch arrives together with it; neither undoes the other."""
    folder, study, task = _sample()
    test = _open(folder)
    _field(test, "Reading 1").set_value("melanoma")
    test.checkbox[1].uncheck().run()
    change = _changes(test, study, task)
    assert change.off == {1}
    assert [place for place, _ in change.edited] == [0]


def test_link_reproduces_and_reset_clears() -> None:
    """A link's changes are shown with the panel closed too; one click goes back to the study."""
    folder, study, task = _sample()
    text = to_text(study, task, CASE, WhatIf(off=frozenset({0}), added=(Reading(((1,), (0, 2))),)))
    test = _open(folder, text=text, panel=False)
    assert "With these changes" in _words(test)
    assert "row added 1" in _words(test)
    _press(test, "Back to the study's readings")
    assert not _changes(test, study, task)
    assert "With these changes" not in _words(test)


@pytest.mark.parametrize("text", ["x", "o1~0000", "a<b>~1", "o99~1234", "~~~"])
def test_invalid_text_is_ignored_with_a_note(text: str) -> None:
    """Text that this case cannot have leaves the study's readings, says so, and can be dropped."""
    folder, study, task = _sample()
    assert not read(study, task, CASE, text).change
    test = _open(folder, text=text)
    assert "They are ignored" in _words(test)
    assert _words(test).count(">row ") == len(said_in(task.readings, CASE))
    _press(test, "Forget the change")
    assert "They are ignored" not in _words(test)


def test_every_reading_off() -> None:
    """A case without a reading is no error."""
    folder, _, task = _sample()
    test = _open(folder)
    for place in range(len(said_in(task.readings, CASE))):
        test.checkbox[place].uncheck().run()
    assert "no reading is left" in _words(test)


def test_scores() -> None:
    """A score task takes numbers, and says so to who writes a word."""
    folder, study, task = _sample("scores")
    test = _open(folder)
    _field(test, "Add a reading").set_value("high")
    _press(test, "Add")
    assert "a score must be a number" in _words(test)
    _field(test, "Add a reading").set_value("4.5")
    _press(test, "Add")
    assert _changes(test, study, task).added[0].score == 4.5


def test_many_readings_are_folded(tmp_path: Path) -> None:
    """Of fifty readings the first are shown, and the number of all is said; all can be seen."""
    (tmp_path / "study.toml").write_text("name = 's'\n[tasks.t]\nkind = 'choice'\n")
    rows = [f"c1,r{rater:02},{'ab'[rater % 2]}" for rater in range(50)]
    (tmp_path / "annotations.csv").write_text("case_id,rater_id,label\n" + "\n".join(rows) + "\n")
    test = _open(tmp_path, 0)
    assert len(test.checkbox) == MOST_ROWS
    assert test.toggle[0].label == "Show all 50 readings"
    test.toggle[0].set_value(True).run()
    assert len(test.checkbox) == 50
    assert not test.exception


def test_hostile_names_stay_text(hostile_study: Path) -> None:
    """Names from files are escaped, and can be read back from the field that shows them."""
    test = _open(hostile_study, 1)
    assert "<img" not in _words(test)
    _field(test, "Add a reading").set_value(HOSTILE)
    _press(test, "Add")
    assert "<img" not in _words(test)
    assert "row added 1" in _words(test)
