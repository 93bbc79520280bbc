"""The review of a case where something stands in its way, and text that is nothing but text."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest
from named import named
from reviewed_study import write, write_round
from streamlit.testing.v1 import AppTest

import sample_data
from core.analysis.cases.case import high_risk_probability, open_case
from core.analysis.cases.presets import MARKED
from core.plausibility.settings import Aggregation
from core.reviews.author import remember_author
from core.reviews.event import LONGEST_NAME, Event, subject_of
from core.reviews.flags import UNSPECIFIC
from core.reviews.store import VARIABLE, ReviewStore
from core.study.model import Study
from core.study.reading.folder import read_study
from dashboard.shell import reviews, steps, studies
from dashboard.views import writer
from dashboard.views.cases import history, review, signs


def _script() -> None:
    from dashboard.shell import sidebar, state
    from dashboard.views.cases import page as cases

    state.read_address()
    cases.show(sidebar.choose())
    state.write_address()


@pytest.fixture(autouse=True)
def _no_long_work(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(steps.Steps, "compute_ahead", lambda self, around: None)


@pytest.fixture
def database(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A database of its own."""
    place = tmp_path / "reviews.sqlite"
    monkeypatch.setenv(VARIABLE, f"sqlite:///{place}")
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path))
    monkeypatch.setenv("XDG_STATE_HOME", str(tmp_path))
    return place


def _open(**address: str) -> AppTest:
    test = AppTest.from_function(_script, default_timeout=300)
    for name, value in ({"study": studies.SAMPLE, "model": "prirn"} | address).items():
        test.query_params[name] = value
    test.run()
    assert not test.exception
    return test


def _words(test: AppTest) -> str:
    return " ".join(element.proto.body for element in test.get("html"))


def _study() -> Study:
    return read_study(Path(sample_data.__file__).parent / studies.SAMPLE)


def test_a_database_that_cannot_be_opened_stops_nothing_else(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The page says why, and what to do; cases, filters and pictures are all there."""
    file = tmp_path / "no database"
    file.write_text("words")
    monkeypatch.setenv(VARIABLE, f"sqlite:///{file}")
    test = _open(status="open", case_part="all")
    said = _words(test)
    assert "Nothing can be written down about cases at the moment" in said
    assert VARIABLE in said
    assert "How often does each label lead" in said
    assert "All 301 cases." in said
    assert file.read_text() == "words"


def test_a_write_that_fails_keeps_what_was_written(database: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The field stays open, with the note in it; nothing is said to be kept."""
    remember_author("Ada")
    test = _open()
    test.button(key="review-note").click().run()
    test.text_area[0].set_value("a long note")

    def fail(*_: object) -> None:
        raise review.StoreError("the disk is full")

    monkeypatch.setattr(reviews, "write", fail)
    next(button for button in test.button if button.label == "Keep the note").click().run()
    assert not test.exception
    assert "This was not kept: the disk is full" in _words(test)
    assert test.text_area[0].value == "a long note"
    assert "History" not in [panel.label for panel in test.expander]


def test_a_note_waits_for_the_name(database: Path) -> None:
    """The first thing that somebody writes is kept once it is known who writes."""
    test = _open()
    test.button(key="review-note").click().run()
    test.text_area[0].set_value("the first note")
    test.button(key="review-keep-note").click().run()
    assert "the first note\n— waits for your name" in _words(test)
    assert not test.text_area
    next(field for field in test.text_input if field.label.startswith("Your name")).set_value("Ada")
    next(button for button in test.button if button.label == "Save").click().run()
    assert not test.exception
    assert "the first note\n— Ada" in _words(test)
    assert not test.text_area


def test_a_press_too_many_takes_no_words(database: Path) -> None:
    """A note that is taken back stands in its field again, and is kept anew from there."""
    remember_author("Ada")
    test = _open()
    test.button(key="review-note").click().run()
    test.text_area[0].set_value("seen in clinic")
    test.button(key="review-keep-note").click().run()
    named(test.selectbox, "review-status").set_value("discussion").run()
    for undone in ("Undo status", "Undo note"):
        assert test.button(key="review-undo").label == undone
        test.button(key="review-undo").click().run()
    assert not test.exception
    assert "seen in clinic\n— Ada" not in _words(test)
    assert test.text_area[0].value == "seen in clinic"
    test.button(key="review-keep-note").click().run()
    assert "seen in clinic\n— Ada" in _words(test)
    assert not test.text_area


def test_a_note_alone_is_seen_in_the_list(database: Path) -> None:
    """By a sign behind the case, said beneath the list."""
    study = _study()
    (task,) = study.tasks.values()
    first, second = study.case_ids[:2]
    ReviewStore(f"sqlite:///{database}").append(
        Event(subject_of(study, task, first), "Ada", "note", {"text": "look again"}),
        Event(subject_of(study, task, second), "Ada", "flag", {"reason": "odd"}),
        Event(subject_of(study, task, second), "Ada", "note", {"text": "one"}),
        Event(subject_of(study, task, second), "Ben", "note", {"text": "another"}),
    )
    found = reviews.listing(study, task.name).reviews
    assert signs.behind([first, second], found) == {0: ("✎", "1 note"), 1: ("⚑✎", "flagged: odd; 2 notes")}
    assert "Of those listed: 301 without a status; 1 flagged ⚑; 2 with a note ✎." in _words(_open())


def test_what_is_no_name_is_said_in_plain_words(database: Path) -> None:
    """What waits for one is neither lost nor kept without."""
    test = _open()
    test.button(key="review-flag").click().run()
    test.text_input(key="review-author").set_value(" ")
    next(button for button in test.button if button.label == "Save").click().run()
    assert not test.exception
    assert "Give a name first, such as your initials: it stands beside what you write." in _words(test)
    assert f"at most {LONGEST_NAME} characters" in writer.fault_in_words("x" * (LONGEST_NAME + 1))
    test.text_input(key="review-author").set_value("Ada")
    next(button for button in test.button if button.label == "Save").click().run()
    assert "Flagged: no reason given (Ada)" in _words(test)


def test_a_flag_that_is_undone_asks_for_no_reason(database: Path) -> None:
    """The question why it is flagged goes with the flag, and comes with the next one."""
    remember_author("Ada")
    test = _open()

    def asks() -> bool:
        return any(pills.label.startswith("Reasons for a flag") for pills in test.pills)

    test.button(key="review-flag").click().run()
    assert asks()
    test.button(key="review-undo").click().run()
    assert not asks()
    assert "Flagged:" not in _words(test)
    test.button(key="review-flag").click().run()
    assert not test.exception
    assert asks()


def test_a_reason_that_is_undone_leaves_the_flag(database: Path) -> None:
    """One step at a time: the reason goes first, and the flag with the next press."""
    remember_author("Ada")
    study = _study()
    first = study.case_ids[0]
    test = _open(case=first)

    def flags() -> list[str]:
        return [*reviews.journal(study).review(next(iter(study.tasks)), first).flags]

    test.button(key="review-flag").click().run()
    assert test.button(key="review-undo").label == "Undo flag"
    (reasons,) = [group for group in test.button_group if group.label.startswith("Reasons for a flag")]
    reasons.set_value([UNSPECIFIC, "may be dangerous"]).run()
    assert flags() == ["may be dangerous"]
    assert test.button(key="review-undo").label == "Undo reason"
    test.button(key="review-undo").click().run()
    assert flags() == [UNSPECIFIC]
    assert "Reason taken back." in _words(test)
    assert test.button(key="review-flag").label == "Flagged"
    assert test.button(key="review-undo").label == "Undo flag"
    test.button(key="review-undo").click().run()
    assert not test.exception
    assert flags() == []
    assert "Flag taken back." in _words(test)
    assert test.button(key="review-flag").label == "Flag"
    test.button(key="walk-next").click().run()
    test.button(key="walk-previous").click().run()
    assert "taken back." not in _words(test)


def test_a_flag_that_is_taken_off_is_given_again(database: Path) -> None:
    """With all its reasons, as a reason alone is; not once something else was said of the case."""
    remember_author("Ada")
    study = _study()
    first = study.case_ids[0]
    test = _open(case=first)

    def flags() -> set[str]:
        return {*reviews.journal(study).review(next(iter(study.tasks)), first).flags}

    def press(key: str) -> None:
        test.button(key=f"review-{key}").click().run()
        assert not test.exception

    def choose(*said: str) -> None:
        (reasons,) = [group for group in test.button_group if group.label.startswith("Reasons for a flag")]
        reasons.set_value([*said]).run()

    two = {"may be dangerous", "worth teaching"}
    press("flag")
    choose(UNSPECIFIC, *two)
    assert flags() == two
    press("flag")
    press("unflag")
    assert flags() == set()
    assert test.button(key="review-undo").label == "Undo flag off"
    press("undo")
    assert flags() == two
    assert "Flag given again." in _words(test)
    assert test.button(key="review-flag").label == "Flagged"
    press("flag")
    choose("worth teaching")
    assert test.button(key="review-undo").label == "Undo reason off"
    press("undo")
    assert flags() == two
    assert "Reason given again." in _words(test)
    press("unflag")
    press("re-read")
    assert test.button(key="review-undo").label == "Undo status"


def test_a_case_leads_on_to_where_it_is_read_again_and_may_wait_for_a_result(database: Path) -> None:
    """Whoever wants it read again finds how; what a biopsy is to tell is a status, and marks the case."""
    study = _study()
    first = study.case_ids[0]
    remember_author("Ada")
    test = _open(case=first)
    assert not [one for one in test.button if one.key == "anchor-reread"]
    test.button(key="review-re-read").click().run()
    assert test.button(key="anchor-reread").label == "Have it read on Review"
    named(test.selectbox, "review-status").set_value("awaited").run()
    assert not [one for one in test.button if one.key == "anchor-reread"]
    (note,) = test.text_area
    assert note.placeholder == "Which result is awaited (optional)"
    named(test.selectbox, "review-status").set_value("settled").run()
    (note,) = test.text_area
    assert note.placeholder == "What settled it, such as a result of histology (optional)"
    note.set_value("histology: nevus").run()
    test.button(key="review-keep-note").click().run()
    review = reviews.journal(study).review(next(iter(study.tasks)), first)
    assert (review.status, [one.said for one in review.notes]) == ("settled", ["histology: nevus"])
    assert not test.text_area
    named(test.selectbox, "review-status").set_value("discussion").run()
    assert not test.text_area, "what is to be discussed, the case says"
    named(test.selectbox, "review-status").set_value("awaited").run()
    of_list = _open(preset=MARKED)
    assert "1 pending ◔" in _words(of_list)


def test_a_case_that_was_read_again_says_by_whom_and_what_that_changes(database: Path) -> None:
    """Not to whoever has still to read it blind; danger moves as it does once the readings count."""
    study = _study()
    first = study.case_ids[0]
    said = {"Ada": "Melanoma", "Ben": ""}
    of = write_round(database, study, "one", [first], lambda _, reader: said[reader], blind=True)
    remember_author("Ben")
    test = _open(case=first, model="prirn", reliability="5")
    assert "Read again" not in _words(test)
    remember_author("Ada")
    test = _open(case=first, model="prirn", reliability="5")
    assert "Read again. Ada: Melanoma. If it counts, " in _words(test)
    (count,) = [one for one in test.button if one.label == "Count it"]
    tasks = (study.tasks["diagnosis"], reviews.applied(study, (of.name,), ()).tasks["diagnosis"])
    aggregation = Aggregation("prirn", 5.0)
    before, after = (high_risk_probability(open_case(study, task, aggregation, 0)) for task in tasks)
    assert before != after
    assert f"danger rises from {100 * before:.0f} to {100 * after:.0f} of 100." in _words(test)
    count.click().run()
    assert not test.exception
    assert test.query_params["counted"] == "one"
    assert "Read again. Ada: Melanoma. That counts." in _words(test)
    (count,) = [one for one in test.button if one.label == "Count it no more"]
    count.click().run()
    assert "counted" not in test.query_params


def test_a_draft_is_of_one_study(database: Path) -> None:
    """Another study may have a case of the same id."""
    study = _study()
    first = study.case_ids[0]
    remember_author("Ada")
    test = _open(case=first)
    test.button(key="review-note").click().run()
    test.text_area[0].set_value("of this study").run()
    assert test.session_state["loupe-review-drafts"] == {(study.fingerprint, first): "of this study"}
    # So has the field, whose name the browser holds unfinished words by.
    assert test.text_area[0].key == f"review-note-{study.fingerprint[:12]}-{first}"


def test_all_that_waits_is_kept_under_a_name_that_is_given_later_and_elsewhere(database: Path) -> None:
    """A flag, pressed twice, and then a note: both are kept once Review knows who wrote them."""
    study = _study()
    first = study.case_ids[0]
    test = _open(case=first)
    for _ in range(2):
        test.button(key="review-flag").click().run()
    test.button(key="review-note").click().run()
    test.text_area[0].set_value("odd margin")
    test.button(key="review-keep-note").click().run()
    said = f"flag of case {first}; note on case {first}."
    assert f"Not saved yet, waits for your name: {said}" in (_words(test))
    later = AppTest.from_function(_review_script, default_timeout=300)
    later.query_params["study"] = studies.SAMPLE
    later.session_state["loupe-waiting"] = test.session_state["loupe-waiting"]
    later.run()
    assert said in _words(later)
    next(field for field in later.text_input if field.label.startswith("Your name")).set_value("Ada")
    next(button for button in later.button if button.label == "Save").click().run()
    assert not later.exception
    assert "waits for your name" not in _words(later)
    review = reviews.journal(study).review(next(iter(study.tasks)), first)
    assert [*review.flags] == [UNSPECIFIC]
    assert [event.said for event in review.notes] == ["odd margin"]
    assert "waits for your name" not in _words(_open(case=first))


def test_a_flag_asks_for_the_name_first_and_then_for_its_reason(database: Path) -> None:
    """Nothing is called flagged before it is kept; of a name given at another case, reasons open here."""
    study = _study()
    first = study.case_ids[0]
    test = _open(case=first)
    assert test.button(key="review-flag").label == "Flag"
    test.button(key="review-flag").click().run()
    assert "Not saved yet, waits for your name: flag of case" in _words(test)
    assert test.button(key="review-flag").label == "Flag, not saved"
    assert not [group for group in test.button_group if group.label.startswith("Reasons for a flag")]
    test.selectbox(key="choose-review-status").set_value("re-read").run()
    assert test.selectbox(key="choose-review-status").value == "re-read"
    assert reviews.journal(study).review(next(iter(study.tasks)), first).flags == {}
    test.button(key="walk-next").click().run()
    assert f"flag of case {first}; status “to re-read” of case {first}." in _words(test)
    next(field for field in test.text_input if field.label.startswith("Your name")).set_value("Ada")
    next(button for button in test.button if button.label == "Save").click().run()
    assert not test.exception
    review = reviews.journal(study).review(next(iter(study.tasks)), first)
    assert [*review.flags] == [UNSPECIFIC]
    assert review.status == "re-read"
    test.button(key="walk-previous").click().run()
    assert test.button(key="review-flag").label == "Flagged"
    (reasons,) = [group for group in test.button_group if group.label.startswith("Reasons for a flag")]
    reasons.set_value([UNSPECIFIC, "may be dangerous"]).run()
    assert [*reviews.journal(study).review(next(iter(study.tasks)), first).flags] == ["may be dangerous"]


def test_what_waits_can_be_taken_back(database: Path) -> None:
    """The last thing said goes first, and nothing of it is ever kept."""
    test = _open()
    test.button(key="review-flag").click().run()
    test.button(key="review-undo").click().run()
    assert not test.exception
    assert "for your name" not in _words(test)
    assert "Flag taken back." in _words(test)
    assert test.button(key="review-flag").label == "Flag"
    assert test.button(key="review-undo").disabled
    test.button(key="review-flag").click().run()
    assert "Flag taken back." not in _words(test)


def test_a_note_that_waits_and_is_taken_back_stands_in_its_field_again(database: Path) -> None:
    """Nothing that was typed is lost."""
    test = _open()
    test.button(key="review-note").click().run()
    test.text_area[0].set_value("odd margin")
    test.button(key="review-keep-note").click().run()
    assert not test.text_area
    test.button(key="review-undo").click().run()
    assert not test.exception
    assert "Note taken back." in _words(test)
    assert test.text_area[0].value == "odd margin"


def test_a_reason_that_is_not_kept_stays_in_its_field(
    database: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """It can be given once more."""
    remember_author("Ada")
    test = _open()
    test.button(key="review-flag").click().run()

    def fail(*_: object) -> None:
        raise review.StoreError("the disk is full")

    monkeypatch.setattr(reviews, "write", fail)
    test.text_input(key="review-own-reason").set_value("odd border").run()
    assert not test.exception
    assert "This was not kept: the disk is full" in _words(test)
    assert test.text_input(key="review-own-reason").value == "odd border"


def test_text_is_text_and_long_text_is_cut(database: Path) -> None:
    """HTML is shown as it was written; of a note of 100,000 characters the beginning, and all unfolds."""
    study = _study()
    case_id = study.case_ids[0]
    subject = subject_of(study, next(iter(study.tasks.values())), case_id)
    store = ReviewStore(f"sqlite:///{database}")
    store.append(
        Event(subject, "<i>Ada</i>", "note", {"text": "<script>alert(1)</script> =1+1"}),
        Event(subject, "Ben", "note", {"text": "x" * 100_000}),
    )
    test = _open(case=case_id)
    said = _words(test)
    assert "&lt;script&gt;alert(1)&lt;/script&gt; =1+1\n— &lt;i&gt;Ada&lt;/i&gt;" in said
    assert "<script>alert" not in said
    assert f"{'x' * review.MOST_SHOWN} …" in said
    assert f"<details><summary>All 100,000 characters</summary>{'x' * 100_000}</details>" in said


def test_a_note_is_changed_by_its_author_alone(database: Path) -> None:
    """It is there once, as it was last said; the history has both."""
    remember_author("Ada")
    study = _study()
    (task,) = study.tasks.values()
    first = study.case_ids[0]
    store = ReviewStore(f"sqlite:///{database}")
    own, _ = store.append(
        Event(subject_of(study, task, first), "Ada", "note", {"text": "blured"}),
        Event(subject_of(study, task, first), "Ben", "note", {"text": "clear"}),
    )
    test = _open(case=first)
    (change,) = [button for button in test.button if button.label == "Change the note"]
    assert change.key == f"review-change-{own.id}"
    change.click().run()
    (field,) = [one for one in test.text_area if one.label.startswith("Note:")]
    assert field.value == "blured"
    field.set_value("blurred").run()
    test.button(key="review-keep-note").click().run()
    assert not test.exception
    review = reviews.journal(study).review(task.name, first)
    assert [(note.author, note.said) for note in review.notes] == [("Ada", "blurred"), ("Ben", "clear")]
    assert [event.said for event in review.history] == ["blured", "clear", "blurred"]


def test_a_study_of_the_same_name_is_set_apart_until_it_is_taken_over(database: Path) -> None:
    """The page says how much; one press makes it count, and then says what was said of other readings."""
    remember_author("Ada")
    study = _study()
    (task,) = study.tasks.values()
    first = study.case_ids[0]
    before = replace(subject_of(study, task, first), study="0" * 16, readings="1" * 16)
    ReviewStore(f"sqlite:///{database}").append(Event(before, "Eve", "status", {"status": "settled"}))
    test = _open(case=first)
    assert "1 entry about a study of this name" in _words(test)
    assert reviews.journal(study).review(task.name, first).status == "open"
    test.button(key="adopt").click().run()
    assert not test.exception
    said = _words(test)
    assert "about a study of this name" not in said
    assert "Said when the case had other readings than now: Status: settled." in said
    assert "What was said of 1 case was said of other readings." in said


def test_a_case_says_what_is_in_force_in_another_task(database: Path) -> None:
    """And the worklist has the state of the task that is open."""
    study = read_study(Path(sample_data.__file__).parent / "chest_xrays")
    one, other, *_ = study.tasks.values()
    first = study.case_ids[0]
    ReviewStore(f"sqlite:///{database}").append(
        Event(subject_of(study, other, first), "Ada", "status", {"status": "settled"}),
        Event(subject_of(study, other, first), "Ada", "flag", {"reason": "odd"}),
    )
    said = _words(_open(study="chest_xrays", task=one.name, case=first, model=""))
    assert f"In other tasks: {other.name}: settled, flagged: odd." in said
    assert "1 settled" not in said
    assert "1 settled" in _words(_open(study="chest_xrays", task=other.name, case=first, model=""))


def test_what_is_marked_is_a_list_and_notes_are_searched(database: Path) -> None:
    """A case that is flagged and one with a note are listed together; a word of the note finds the case."""
    study = _study()
    task = next(iter(study.tasks.values()))
    assert [one.key for one in _open().pills if one.key.startswith("choose-preset")] == [
        "choose-preset-button"
    ]
    ReviewStore(f"sqlite:///{database}").append(
        Event(subject_of(study, task, study.case_ids[3]), "Ada", "flag", {"reason": "odd"}),
        Event(subject_of(study, task, study.case_ids[5]), "Ada", "note", {"text": "for the conference"}),
    )
    assert _open().pills(key="choose-preset-marked").options == ["Marked"]
    test = _open(case=study.case_ids[5])
    test.pills(key="choose-preset-marked").set_value("marked").run()
    said = _words(test)
    assert f"2 of {study.n_cases:,} cases" in said
    assert test.session_state["loupe-view"].case == study.case_ids[5], "it stays open in a list that has it"
    assert _open(search="no such thing").pills(key="choose-preset-marked").options == ["Marked"]
    assert "Flagged, with a note, in discussion, pending a result, or to be read again." in said
    found = _open(search="conference")
    assert "“conference”: in the notes of 1 case." in _words(found)
    assert found.session_state["loupe-view"].case == study.case_ids[5]


def test_filters_of_an_address_are_in_force(database: Path) -> None:
    """By status, flag and author; what nobody wrote lists nothing."""
    study = _study()
    subject = subject_of(study, next(iter(study.tasks.values())), study.case_ids[3])
    ReviewStore(f"sqlite:///{database}").append(
        Event(subject, "Ada", "status", {"status": "discussion"}),
        Event(subject, "Ada", "flag", {"reason": "odd"}),
    )
    for address in ({"status": "discussion"}, {"flag": "odd"}, {"reviewer": "Ada"}):
        said = _words(_open(**address))
        assert "1 of 60 cases" in said or f"1 of {study.n_cases:,} cases" in said
    said = _words(_open(status="settled"))
    assert "Only: settled." in said
    assert "No case is listed." in said
    assert "Only: something written since the last visit." in _words(_open(changed="yes"))


def test_a_flag_is_taken_off_with_one_press(database: Path) -> None:
    """With all its reasons, and the question for them goes too."""
    remember_author("Ada")
    test = _open()
    test.button(key="review-flag").click().run()
    test.text_input(key="review-own-reason").set_value("odd border").run()
    assert "Flagged: odd border (Ada)" in _words(test)
    test.button(key="review-flag").click().run()
    test.button(key="review-unflag").click().run()
    assert not test.exception
    assert "Flagged" not in _words(test)
    assert test.button(key="review-flag").label == "Flag"
    assert not [field for field in test.text_input if field.key == "review-own-reason"]


def test_a_flag_needs_no_reason_and_a_reason_takes_its_place(database: Path) -> None:
    """Pressed once it is in force; one of the list, or words of one's own, say why."""
    remember_author("Ada")
    test = _open()
    test.button(key="review-flag").click().run()
    assert "Flagged: no reason given (Ada)" in _words(test)
    (reasons,) = [group for group in test.button_group if group.label.startswith("Reasons for a flag")]
    reasons.set_value([UNSPECIFIC, "may be dangerous"]).run()
    assert not test.exception
    assert "Flagged: may be dangerous (Ada)" in _words(test)
    assert not _asks_why(test), "folded once one was given"
    test.button(key="review-flag").click().run()
    (reasons,) = [group for group in test.button_group if group.label.startswith("Reasons for a flag")]
    assert UNSPECIFIC not in reasons.options, "there is one"
    test.text_input(key="review-own-reason").set_value("<i>odd</i> border").run()
    assert "Flagged: may be dangerous; &lt;i&gt;odd&lt;/i&gt; border (Ada)" in _words(test)
    test.button(key="review-flag").click().run()
    assert test.text_input(key="review-own-reason").value == ""
    test.button(key="review-flag").click().run()
    assert not [field for field in test.text_input if field.key == "review-own-reason"]
    assert "Flagged: may be dangerous; " in _words(test)


def test_a_flag_with_a_reason_of_one_s_own_is_one_entry(database: Path) -> None:
    """Of the history that is shown; the journal has each event."""
    remember_author("Ada")
    study = _study()
    first = study.case_ids[0]
    test = _open(case=first)
    test.button(key="review-flag").click().run()
    test.text_input(key="review-own-reason").set_value("odd border").run()
    (history,) = [one for one in test.expander if one.label.startswith("History")]
    assert history.label == "History: 1 entry"
    review = reviews.journal(study).review(next(iter(study.tasks)), first)
    assert [event.kind for event in review.history] == ["flag", "flag", "withdrawal"]


def _asks_why(test: AppTest) -> bool:
    """Whether the reasons for a flag stand open."""
    return any(field.key == "review-own-reason" for field in test.text_input)


def test_reasons_fold_away_once_the_case_is_left(database: Path) -> None:
    """Whoever comes back reads in a line that it is flagged, and by whom."""
    remember_author("Ada")
    test = _open()
    test.button(key="review-flag").click().run()
    assert _asks_why(test)
    test.button(key="walk-next").click().run()
    test.button(key="walk-previous").click().run()
    assert not test.exception
    assert not _asks_why(test)
    assert "Flagged: no reason given (Ada)" in _words(test)
    test.button(key="review-flag").click().run()
    assert _asks_why(test)
    test.session_state["loupe-visits"] = 1  # By way of another page.
    test.run()
    assert not test.exception
    assert not _asks_why(test)
    test.button(key="review-flag").click().run()
    assert _asks_why(test)


def _review_script() -> None:
    from dashboard.shell import sidebar, state
    from dashboard.views.review import page

    state.read_address()
    page.show(sidebar.choose(all_cases=True))
    state.write_address()


def test_flagged_cases_are_handed_to_a_reader_who_is_not_here(database: Path) -> None:
    """A round of them is made, and its maker has a sheet for each reader, and brings it in for them."""
    remember_author("Ada")
    study = _study()
    (task,) = study.tasks.values()
    flagged = [
        Event(subject_of(study, task, case_id), "Ada", "flag", {"reason": "odd"})
        for case_id in study.case_ids[:2]
    ]
    ReviewStore(f"sqlite:///{database}").append(*flagged)
    test = AppTest.from_function(_review_script, default_timeout=300)
    test.query_params["study"] = studies.SAMPLE
    test.query_params["search"] = "a filter that leaves nothing"
    test.run()
    assert next(one for one in test.button if one.label == "Make the round of 0 cases").disabled
    test.radio(key="round-which").set_value("flagged").run()
    test.text_input(key="round-name").set_value("Elsewhere")
    test.text_area(key="round-readers").set_value("Dr Weber\nDr Ames")
    next(button for button in test.button if button.label == "Make the round of 2 cases").click().run()
    assert not test.exception
    said = _words(test)
    assert "This round is read by Dr Weber, Dr Ames; you write as Ada." in said
    assert "The cases that Dr Weber has still to read, as" in said
    (whose,) = [box for box in test.selectbox if box.label == "For"]
    whose.set_value("Dr Ames").run()
    assert "The cases that Dr Ames has still to read, as" in _words(test)


def test_agreement_in_a_round_settles_no_case_that_may_be_dangerous_and_none_by_one_reader(
    database: Path,
) -> None:
    """What two agree on is settled at a press, unless danger is plausible, or one of them sees some."""
    remember_author("Carla")
    study = _study()
    (task,) = study.tasks.values()
    # As most first choices have it: melanoma is out of the question, ties, and leads though few put it first.
    nevus = "Melanocytic Nevus"
    said = {"derm-001": "Tinea Versicolor", "derm-153": nevus, "derm-031": nevus}
    again = {"status": "re-read"}
    write(database, *(Event(subject_of(study, task, one), "Carla", "status", again) for one in said))
    of = write_round(database, study, "Two", tuple(said), lambda case, reader: said[case])
    assert history.words_of(of.readings["derm-153"]["Ada"]) == "Reading: Melanocytic Nevus"

    def decides(name: str) -> AppTest:
        test = AppTest.from_function(_review_script, default_timeout=300)
        address = {"study": studies.SAMPLE, "model": "prirn", "round": name, "round_part": "disagreements"}
        for key, value in address.items():
            test.query_params[key] = value
        test.run()
        assert not test.exception
        return test

    test = decides("Two")
    assert "All who read agree on 2 cases to be re-read, but a single reader settles none" in _words(test)
    test.button(key="settle-agreed").click().run()
    reviewed = reviews.journal(study).reviews(task.name)
    assert [reviewed[one].status for one in said] == ["settled", "re-read", "re-read"]
    write(database, Event(subject_of(study, task, "derm-001"), "Carla", "status", again))
    write_round(database, study, "One", ("derm-001",), lambda case, reader: said[case], readers=("Ada",))
    test = decides("One")
    assert "a single reader settles none" in _words(test)
    assert not [one for one in test.button if one.key == "settle-agreed"]
