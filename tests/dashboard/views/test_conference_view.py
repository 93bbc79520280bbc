"""The list for a conference holds what Cases lists, in its order, and is made only while its box is open."""

from __future__ import annotations

import re
from html import unescape
from pathlib import Path
from typing import Any

import pytest
import streamlit as st
from listed import listed
from page_script import page_script
from streamlit.testing.v1 import AppTest

import sample_data
from core.analysis.cases import conference
from core.analysis.cases.presets import ANY_HIGH_RISK
from core.reviews.author import remember_author
from core.reviews.event import Event, subject_of
from core.reviews.store import VARIABLE, ReviewStore
from core.study.reading.folder import read_study
from dashboard.shell import steps, studies
from dashboard.shell.waiting import Waiting
from dashboard.views.cases.conference import TITLE

Saved = dict[str, tuple[str, dict[str, Any]]]


@pytest.fixture(autouse=True)
def _no_long_work(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(steps.Steps, "compute_ahead", lambda self, around: None)


@pytest.fixture
def saved(monkeypatch: pytest.MonkeyPatch) -> Saved:
    """What can be downloaded, by the key of its button."""
    found: Saved = {}

    def keep(label: str, data: str, **more: Any) -> None:
        found[more["key"]] = (data, more)

    monkeypatch.setattr(st, "download_button", keep)
    return found


def _open(*, is_open: bool = True, **address: str) -> AppTest:
    test = AppTest.from_function(page_script, args=("cases",), default_timeout=300)
    if is_open:
        test.session_state["save-view"] = True
    for name, value in ({"study": studies.SAMPLE, "model": "prirn"} | address).items():
        test.query_params[name] = value
    test.run()
    assert not test.exception
    return test


def _cases(page: str) -> list[str]:
    """Cases of a page to print."""
    return [unescape(title).removeprefix("Case ") for title in re.findall(r"<h2[^>]*>(.*?)</h2>", page)]


def _boxes(test: AppTest) -> list[str]:
    """Keys of the boxes that open over the page."""
    return [re.sub(r".*-(?=[a-z]+-[a-z]+$)", "", part.proto.id) for part in test.get("popover")]


def _label(test: AppTest) -> str:
    """What stands on the button for all that is marked."""
    (label,) = (
        part.proto.popover.label for part in test.get("popover") if part.proto.id.endswith("print-marked")
    )
    return str(label)


def _words(test: AppTest) -> str:
    return " ".join(element.proto.body for element in test.get("html"))


@pytest.mark.parametrize(
    "address",
    [
        {"preset": "a model misses danger that is likely", "search": "melanoma"},
        {"preset": ANY_HIGH_RISK, "search": "melanoma leg", "sort": "certainty"},
        {"preset": ANY_HIGH_RISK, "risk": "high"},
    ],
)
def test_it_holds_what_is_listed_in_its_order(address: dict[str, str], saved: Saved) -> None:
    """As a page and as text, up to the most that it may have; it says which list, search and filters."""
    test = _open(**address)
    ids = list(listed(test)["Case"])
    assert len(ids) > 2
    page, more = saved["conference-html"]
    text, _ = saved["conference-text"]
    assert _cases(page) == ids[: conference.MOST_CASES]
    assert re.findall(r"^Case (\S+)\n-+$", text, re.M) == ids[: conference.MOST_CASES]
    n_left = len(ids) - conference.MOST_CASES
    assert (f"{n_left:,} more are left out." in text) == (n_left > 0)
    usual = "nearest 50 first" if address["preset"] == ANY_HIGH_RISK else "most danger first"
    order = "least certain first" if "sort" in address else usual
    assert f": {len(ids)} of 301 cases, {order}." in text
    assert ("Danger missed, Danger leads: " in text) == (address["preset"] != ANY_HIGH_RISK)
    assert (f"Search: {address.get('search')}" in text) == ("search" in address)
    assert ("Only: high risk." in text) == ("risk" in address)
    assert "One page" not in more["help"]
    assert re.fullmatch(r"dermatology-like-conference(-[a-z]+){2,4}-g10.html", more["file_name"])


def test_what_was_marked_is_on_it(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, saved: Saved) -> None:
    """Flags, notes and status, as they were written."""
    place = f"sqlite:///{tmp_path / 'reviews.sqlite'}"
    monkeypatch.setenv(VARIABLE, place)
    study = read_study(Path(sample_data.__file__).parent / studies.SAMPLE)
    first, second = (
        subject_of(study, next(iter(study.tasks.values())), study.case_ids[place]) for place in (3, 5)
    )
    ReviewStore(place).append(
        Event(first, "Ada", "flag", {"reason": "<b>odd</b>"}),
        Event(second, "Ada", "note", {"text": "for *Monday* <i>9</i>"}),
        Event(second, "Ada", "status", {"status": "discussion"}),
    )
    _open(preset="marked")
    text, _ = saved["conference-text"]
    page, _ = saved["conference-html"]
    assert (
        "Marked: 2 of 301 cases, most danger first.\n\nFlagged, with a note, in discussion, pending " in text
    )
    assert "- Flagged: <b>odd</b> (Ada)\n" in text
    assert re.search(r"^- Status: in discussion \(Ada, \d{4}-\d\d-\d\d \d\d:\d\d\)$", text, re.M)
    assert re.search(r"^- Noted: for \*Monday\* <i>9</i> \(Ada, \d{4}-\d\d-\d\d \d\d:\d\d\)$", text, re.M)
    assert "<b>" not in page
    assert set(_cases(page)) == {study.case_ids[3], study.case_ids[5]}


def test_all_that_is_marked_is_a_press_away(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, saved: Saved
) -> None:
    """Beneath whatever is listed, once something is marked; the sheet says where accuracy misleads."""
    place = f"sqlite:///{tmp_path / 'reviews.sqlite'}"
    monkeypatch.setenv(VARIABLE, place)
    study = read_study(Path(sample_data.__file__).parent / studies.SAMPLE)
    assert "print-marked" not in _boxes(_open(is_open=False))
    task, store = next(iter(study.tasks.values())), ReviewStore(place)
    for case_id in ("derm-031", "derm-004"):
        subject = subject_of(study, task, case_id)
        store.append(Event(subject, "Ada", "flag", {"reason": "odd"}))
    assert not saved
    test = _open(is_open=False, search="derm-153", reliability="2")
    assert "print-marked" in _boxes(test)
    assert not saved, "nothing is made before it is open"
    test.session_state["print-marked"] = True
    test.run()
    assert not test.exception
    page, text = (saved[f"conference-marked-{kind}"][0] for kind in ("html", "text"))
    assert set(_cases(page)) == {"derm-031", "derm-004"}
    assert "Marked: 2 of 301 cases, most danger first." in text
    said = (
        "Accuracy goes by majority vote: it counts Models C and D as right here for saying Melanocytic Nevus"
    )
    assert f"\n\n{said}" in text
    test.toggle(key="conference-marked-taught").set_value(True).run()
    taught, more = saved["conference-marked-text"]
    assert taught.index("Case derm-031") < taught.index("\nAnswers\n") < taught.index(said)
    assert more["file_name"] == "dermatology-like-conference-teaching-marked-g2.txt"


def test_whoever_prints_chooses_whose_marks(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, saved: Saved
) -> None:
    """All, those of the list in its order, or one's own; only what differs is offered, the list's first."""
    place = f"sqlite:///{tmp_path / 'reviews.sqlite'}"
    monkeypatch.setenv(VARIABLE, place)
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path))
    study = read_study(Path(sample_data.__file__).parent / studies.SAMPLE)
    task, store = next(iter(study.tasks.values())), ReviewStore(place)
    ids = list(listed(_open(is_open=False, preset=ANY_HIGH_RISK, sort="study"))["Case"])
    unlisted = next(case_id for case_id in study.case_ids if case_id not in ids)
    of_ada, of_ben = (ids[3], ids[40], unlisted), (ids[7], ids[9])
    for who, cases in (("Ada", of_ada), ("Ben", of_ben)):
        for case_id in cases:
            store.append(Event(subject_of(study, task, case_id), who, "flag", {"reason": "odd"}))

    def opened(**address: str) -> AppTest:
        test = _open(is_open=False, **address)
        test.session_state["print-marked"] = True
        test.run()
        assert not test.exception
        return test

    def printed() -> list[str]:
        return _cases(saved["conference-marked-html"][0])

    test = opened(preset=ANY_HIGH_RISK, sort="study")
    assert _label(test) == "5 marked in all: sheet to print"
    (which,) = test.radio
    assert which.options == ["All 5 marked", "The 4 marked of this list"]
    assert printed() == [ids[place] for place in (3, 7, 9, 40)], "in the list's order"
    assert "\n\nOnly 4 marked cases of the list: flagged" in saved["conference-marked-text"][0]
    which.set_value("all").run()
    assert {*printed()} == {*of_ada, *of_ben}
    remember_author("Ada")
    test = opened(sort="study")
    (which,) = test.radio
    assert which.options == ["All 5 marked", "The 3 I marked"]
    assert printed() == [case_id for case_id in study.case_ids if case_id in {*of_ada, *of_ben}]
    which.set_value("own").run()
    text, more = saved["conference-marked-text"]
    assert printed() == [case_id for case_id in study.case_ids if case_id in of_ada]
    assert "Marked by Ada: 3 of 301 cases, in the study's order." in text
    assert more["file_name"] == "dermatology-like-conference-marked-by-ada-g10.txt"
    assert _label(test) == "5 marked: sheet to print"


def test_only_what_was_marked_can_be_taken(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, saved: Saved
) -> None:
    """Of any list that holds other cases too; it is said on paper."""
    place = f"sqlite:///{tmp_path / 'reviews.sqlite'}"
    monkeypatch.setenv(VARIABLE, place)
    study = read_study(Path(sample_data.__file__).parent / studies.SAMPLE)
    subject = subject_of(study, next(iter(study.tasks.values())), study.case_ids[3])
    ReviewStore(place).append(Event(subject, "Ada", "flag", {"reason": "odd"}))
    test = _open()
    (which,) = test.radio
    assert which.options[:3] == ["The first 40 of 301", "The first 10", "The 1 marked"]
    assert which.value == "marked"
    saved_first = saved["conference-html"][0]
    which.set_value("listed").run()
    every = _cases(saved["conference-html"][0])
    assert len(every) == conference.MOST_CASES
    which.set_value("few").run()
    assert _cases(saved["conference-html"][0]) == every[:10]
    assert "Only the first 10 of the list.\n" in saved["conference-text"][0]
    saved.clear()
    which.set_value("marked").run()
    assert not test.exception
    assert saved["conference-html"][0] == saved_first
    assert _cases(saved["conference-html"][0]) == [study.case_ids[3]]
    assert re.search(r"All 301 cases, .+\.\n\n", saved["conference-text"][0])
    assert "Only 1 marked case of the list: flagged, with a note" in saved["conference-text"][0]
    (of_list,) = _open(sort="study").radio
    assert of_list.value == "marked", "whatever is listed beside them"
    alone = _open(preset="marked")
    assert not alone.radio


def test_the_open_case_can_be_taken_alone(saved: Saved) -> None:
    """For whoever asks somebody about it; file and paper are called after it."""
    test = _open(case="derm-044")
    (which,) = test.radio
    assert which.options[-1] == "derm-044 alone"
    saved.clear()
    which.set_value("open").run()
    assert not test.exception
    page, more = saved["conference-html"]
    assert _cases(page) == ["derm-044"]
    assert "conference-derm-044" in more["file_name"]
    text, _ = saved["conference-text"]
    assert re.search(r"All 301 cases, .+\.\n\n", text)
    assert "Only derm-044 of the list." in text
    elsewhere = _open(search="psoriasis", case="derm-044")
    assert "derm-044 alone" not in (elsewhere.radio[0].options if elsewhere.radio else [])


def test_nothing_is_made_while_the_box_is_closed(monkeypatch: pytest.MonkeyPatch, saved: Saved) -> None:
    """Neither list nor files; once it is open, one list for both kinds of file."""
    made: list[Any] = []
    write = conference.conference_note
    monkeypatch.setattr(
        conference, "conference_note", lambda *given, **named: made.append(given) or write(*given, **named)
    )
    test = _open(is_open=False)
    assert (made, saved) == ([], {})
    assert TITLE not in _words(test)
    test.session_state["save-view"] = True
    test.run()
    assert len(made) == 1
    assert {*saved} == {"conference-html", "conference-text"}
    assert TITLE in _words(test)


def test_where_nothing_is_listed_nothing_is_offered(saved: Saved) -> None:
    """It is said instead."""
    test = _open(search="no such word anywhere")
    assert "No case is listed." in _words(test)
    assert saved == {}


def test_a_view_that_is_saved_already_has_its_list_as_well(saved: Saved) -> None:
    """The form goes, the list stays."""
    test = _open(search="melanoma")
    test.text_input(key="save-view-name").set_value("Mine")
    next(one for one in test.button if one.label == "Save").click().run()
    assert not test.exception
    saved.clear()
    test.run()
    assert "This view is saved as “Mine”" in _words(test)
    assert {*saved} == {"conference-html", "conference-text"}


def test_a_study_without_risks_has_a_list(saved: Saved) -> None:
    """It says nothing of danger."""
    test = _open(study="mixed_digits", model="label-counts")
    text, _ = saved["conference-text"]
    assert _cases(saved["conference-html"][0]) == list(listed(test)["Case"])[: conference.MOST_CASES]
    assert "danger" not in text.casefold()


def test_what_waits_for_a_name_is_said_not_to_be_on_it(saved: Saved) -> None:
    """Whoever flags a case and prints the list at once would miss the flag."""
    study = read_study(Path(sample_data.__file__).parent / studies.SAMPLE)
    (task,) = study.tasks.values()
    test = _open()
    assert "It is not on the list" not in _words(test)
    waiting = Waiting(study, task, study.case_ids[3], "note", {"text": "look again"}, None)
    test.session_state["loupe-waiting"] = [waiting]
    test.run()
    assert not test.exception
    assert f"note on case {study.case_ids[3]}. It is not on the list until you give it." in _words(test)
    assert "look again" not in saved["conference-text"][0]
