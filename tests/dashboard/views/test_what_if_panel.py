"""The what-if panel: readings switched off, edited and added; the study stays as it is."""

from __future__ import annotations

from pathlib import Path

import pytest
from browser.odd_studies import HOSTILE
from streamlit.testing.v1 import AppTest

from core.analysis.cases.arrange import in_words, moved
from core.analysis.cases.what_if import Reading, WhatIf, format_reading, said_in
from core.analysis.cases.what_if_text import from_text, to_text
from core.study.model import Study, Task
from core.study.reading.folder import read_study
from dashboard.shell import studies
from dashboard.views.cases.what_if import MOST_ROWS, read

CASE = 3


def _script(folder: str, index: int) -> None:
    import streamlit as st

    from core.analysis.cases.case import open_case, readings_table
    from core.analysis.cases.effect import effect_of
    from core.analysis.cases.headline import headline
    from core.analysis.cases.what_if import apply
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
    effect = effect_of(before, after)
    what_if.banner(address, effect, adopt=adopt)
    element("p", headline(after).sentence, role="sentence")
    for row in readings_table(after).itertuples(index=False):
        element("p", f"row {row[0]}: {row[1]}")
    what_if.show(study, task, index, address, effect, adopt=adopt)


def _sample(key: str = studies.SAMPLE) -> tuple[Path, Study, Task]:
    folder = next(source.folder for source in studies.samples() if source.key == key)
    assert folder is not None
    study = read_study(folder)
    return folder, study, next(iter(study.tasks.values()))


def _open(folder: Path, index: int = CASE, text: str = "") -> AppTest:
    test = AppTest.from_function(_script, args=(str(folder), index), default_timeout=300)
    if text:
        test.query_params["what_if"] = text
    return test.run()


def _words(test: AppTest) -> str:
    assert not test.exception
    return "\n".join(element.proto.body for element in test.get("html"))


def _changes(test: AppTest, study: Study, task: Task, index: int = CASE) -> WhatIf:
    """What the address asks for after a run."""
    given = test.query_params["what_if"]
    return from_text(study, task, index, given if isinstance(given, str) else given[0])


def _press(test: AppTest, label: str) -> AppTest:
    return next(button for button in test.button if button.label == label).click().run()


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
    assert [button.disabled for button in test.button if button.label == "Change"][1]
    test.checkbox[1].check().run()
    assert not _changes(test, study, task)
    assert _words(test).count(">row ") == n


def _labels(test: AppTest) -> list[str]:
    """The labels of the opened reading, as they are listed."""
    assert not test.exception
    return [option.replace("\\", "").replace("\u2060", "") for option in test.radio[0].options]


def test_labels_are_chosen_and_put_in_order() -> None:
    """A new reading begins with its first label; others follow, move, are tied, and are taken out."""
    folder, study, task = _sample()
    a, b, c = task.labels.index("Melanoma"), 5, 7
    test = _press(_open(folder), "Add a reading")
    assert not test.radio
    assert len(test.multiselect[0].options) == len(task.labels)
    for count in (1, 2, 3):
        test.multiselect[0].set_value([a, b, c][:count]).run()
        assert _changes(test, study, task).added[0].blocks == ((a,), (b,), (c,))[:count]
    assert _changes(test, study, task).added[0].blocks == ((a,), (b,), (c,))
    names = [f"{task.labels[label]} ({'LMH'[task.risk[label]]})" for label in (a, b, c)]
    assert _labels(test) == [f"{place}. {name}" for place, name in enumerate(names, start=1)]
    # What was added last is marked: the buttons are about it.
    _press(test, "Move up")
    assert _changes(test, study, task).added[0].blocks == ((a,), (c,), (b,))
    _press(test, "Tie with the one above")
    tie = tuple(sorted((a, c)))
    assert _changes(test, study, task).added[0].blocks == (tie, (b,))
    assert _labels(test)[1].endswith("*tied with the one above*")
    test.radio[0].set_value(tie[1]).run()
    _press(test, "Untie")
    assert _changes(test, study, task).added[0].blocks == ((tie[0],), (tie[1],), (b,))
    _press(test, "Take out")
    assert _changes(test, study, task).added[0].blocks == ((tie[0],), (b,))
    _press(test, "Take out")
    assert _changes(test, study, task).added[0].blocks == ((tie[0],),)
    assert next(button for button in test.button if button.label == "Take out").disabled
    replace = next(one for one in test.selectbox if one.label.startswith("Replace "))
    assert len(replace.options) == len(task.labels) - 1
    replace.set_value(b).run()
    assert _changes(test, study, task).added[0].blocks == ((b,),)
    test.multiselect[0].set_value([b, tie[0]]).run()
    test.radio[0].set_value(b).run()
    _press(test, "Take out")
    assert _changes(test, study, task).added[0].blocks == ((tie[0],),)
    test.multiselect[0].set_value([]).run()
    assert test.multiselect[0].value == [tie[0]]
    assert any("names one label at least, so all stay" in one.proto.body for one in test.get("html"))
    test.multiselect[0].set_value([tie[0], c]).run()
    assert not any("names one label at least" in one.proto.body for one in test.get("html"))
    _press(test, "Remove")
    assert not _changes(test, study, task)


def _offered(test: AppTest, study: Study, task: Task) -> list[int]:
    """Codes of the labels that are offered, in their order."""
    codes = {f"{label} ({'LMH'[task.risk[code]]})": code for code, label in enumerate(task.labels)}
    return [codes[option] for option in test.multiselect[0].options]


def test_labels_of_the_case_come_first() -> None:
    """What somebody read is offered before what nobody did, and every label is."""
    folder, study, task = _sample()
    test = _press(_open(folder), "Add a reading")
    said = {label for reading in said_in(task.readings, CASE) for block in reading.blocks for label in block}
    offered = _offered(test, study, task)
    assert set(offered[: len(said)]) == said
    assert sorted(offered) == list(range(len(task.labels)))


def test_one_reading_is_open_at_a_time() -> None:
    """Ten thousand labels go to the browser once, for the reading that is being changed."""
    folder, _, _ = _sample()
    test = _open(folder)
    assert not test.multiselect
    for _ in range(2):
        next(button for button in test.button if button.label == "Change").click().run()
        assert len(test.multiselect) == len(test.radio) == 1
    _press(test, "Done")
    assert not test.multiselect


def test_text_is_there_for_experts_and_says_the_same() -> None:
    """Braces and list are two views of one reading; what is misspelt changes nothing and stays."""
    folder, study, task = _sample()
    test = _press(_open(folder), "Add a reading")
    test.toggle[0].set_value(True).run()
    field = test.text_input[0]
    field.set_value("{Melnoma}").run()
    assert "Melanoma" in _words(test).split("Not understood")[1]
    assert test.text_input[0].value == "{Melnoma}"
    assert not test.query_params.get("what_if")
    test.text_input[0].set_value("{melanoma} {" + task.labels[3] + ", " + task.labels[5] + "}").run()
    assert "Not understood" not in _words(test)
    melanoma = task.labels.index("Melanoma")
    assert _changes(test, study, task).added == (Reading(((melanoma,), (3, 5))),)
    test.toggle[0].set_value(False).run()
    assert [words.split(".")[0] for words in _labels(test)] == ["1", "2", "2"]


def test_change_and_take_back() -> None:
    """A change says what the study has; the study's own reading made again is no change."""
    folder, study, task = _sample()
    said = said_in(task.readings, CASE)[0]
    test = _press(_open(folder), "Change")
    assert len(_labels(test)) == sum(map(len, said.blocks)) > 1
    _press(test, "Move down")
    blocks = moved(said.blocks, said.blocks[0][0], 1)
    assert _changes(test, study, task) == WhatIf(edited=((0, Reading(blocks)),))
    assert f"in the study: {in_words(task, said.blocks)}" in _words(test)
    test.toggle[0].set_value(True).run()
    test.text_input[0].set_value(format_reading(task, said)).run()
    assert not _changes(test, study, task)
    test.toggle[0].set_value(False).run()
    _press(test, "Move down")
    assert _changes(test, study, task)
    _press(test, "Take back")
    assert not _changes(test, study, task)


def test_two_fields_left_at_once_both_count() -> None:
    """A field that is left by clicking a switch arrives together with it; neither undoes the other."""
    folder, study, task = _sample()
    test = _press(_open(folder), "Change")
    test.toggle[0].set_value(True).run()
    test.text_input[0].set_value("melanoma")
    test.checkbox[1].uncheck().run()
    change = _changes(test, study, task)
    assert change.off == {1}
    assert [place for place, _ in change.edited] == [0]


def test_link_reproduces_and_reset_clears() -> None:
    """A link's changes are shown with the panel closed too; one click goes back to the study."""
    folder, study, task = _sample()
    text = to_text(study, task, CASE, WhatIf(off=frozenset({0}), added=(Reading(((1,), (0, 2))),)))
    test = _open(folder, text=text)
    assert "With these changes" in _words(test)
    assert "row the reading you added" in _words(test)
    _press(test, "Back to the study's readings")
    assert not _changes(test, study, task)
    assert "With these changes" not in _words(test)


def test_nothing_stays_open_once_all_is_taken_back() -> None:
    """A reading that was being added is none any more, and no empty one waits in its place."""
    folder, study, task = _sample()
    test = _press(_open(folder), "Add a reading")
    test.multiselect[0].set_value([1]).run()
    assert _changes(test, study, task)
    _press(test, "Back to the study's readings")
    assert not _changes(test, study, task)
    assert not test.multiselect


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
    test = _press(_open(folder), "Add a reading")
    assert not test.toggle
    test.text_input[0].set_value("high").run()
    assert "a score must be a number" in _words(test)
    test.text_input[0].set_value("4.5").run()
    assert _changes(test, study, task).added[0].score == 4.5
    assert not test.text_input


def test_a_choice_is_one_label_of_a_list() -> None:
    """A reading that names one label shows it, and takes another in its place; its confidence stays."""
    folder, study, task = _sample("knee_mri")
    said = said_in(task.readings, CASE)[0]
    test = _press(_open(folder), "Change")
    assert not test.radio
    other = 1 - said.blocks[0][0]
    test.selectbox[0].set_value(other).run()
    assert _changes(test, study, task).edited == ((0, Reading(((other,),), confidence=said.confidence)),)
    test.number_input[0].set_value(35).run()
    assert _changes(test, study, task).edited == ((0, Reading(((other,),), confidence=0.35)),)


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
    """Names from files are escaped where they are chosen, listed and shown."""
    test = _press(_open(hostile_study, 1), "Add a reading")
    assert HOSTILE in test.selectbox[0].options
    test.selectbox[0].select(HOSTILE).run()
    assert "<img" not in _words(test)
    assert "row the reading you added" in _words(test)


def test_a_case_without_a_reading(tmp_path: Path) -> None:
    """Where nobody has read a case, a first reading can be added."""
    (tmp_path / "study.toml").write_text("name = 's'\n[tasks.t]\nkind = 'ranking'\n")
    (tmp_path / "annotations.csv").write_text("case_id,rater_id,label,rank\nc1,r,a,1\nc1,r,b,1\n")
    (tmp_path / "cases.csv").write_text("case_id\nc1\nc2\n")
    test = _press(_open(tmp_path, 1), "Add a reading")
    test.multiselect[0].set_value([0]).run()
    assert "row the reading you added: a" in _words(test)
    assert "With these changes a leads" in _words(test)
