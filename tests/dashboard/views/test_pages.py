"""Every page on every sample, without a browser."""

from __future__ import annotations

import json
import math
import re
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import pytest
from listed import listed, sent_list
from named import named
from page_script import page_script
from streamlit.testing.v1 import AppTest

from core.analysis.cases.what_if import WhatIf
from core.plausibility.settings import RELIABILITIES, Aggregation
from core.study.reading.folder import read_study
from dashboard.shell import jobs, state, steps, studies

PAGES = ("study", "cases", "reliability")
SAMPLES = [source.key for source in studies.samples()]


def _swept(study: object, task: object, aggregation: object, *, progress: object = None) -> pd.DataFrame:
    """A sweep that costs nothing."""
    rows = [
        (g, subject, metric, 0.5 + 0.1 * i, 0.4, 0.7)
        for g in RELIABILITIES
        for i, (subject, metric) in enumerate(
            [
                ("annotations", "top-1 certainty"),
                ("Calibrated", "top-1 accuracy"),
                ("held-out reader", "top-1 accuracy"),
            ]
        )
    ]
    return pd.DataFrame(rows, columns=["reliability", "subject", "metric", "value", "low", "high"])


def _curve(study: object, task: object, aggregation: object, *, progress: object = None) -> pd.DataFrame:
    """A predictive curve that costs nothing."""
    gamma = [g for g in RELIABILITIES if math.isfinite(g)]
    return pd.DataFrame(
        {
            "reliability": gamma,
            "log_likelihood": -np.abs(np.log(gamma)),
            "standard_error": 0.1,
            "best_share": 1.0 / len(gamma),
        }
    )


@pytest.fixture(autouse=True)
def _no_long_work(monkeypatch: pytest.MonkeyPatch) -> None:
    """Long work is tested where it lives; here its results only have to be drawn."""
    from dashboard.shell import trust
    from dashboard.views.reliability import curves

    monkeypatch.setattr(curves, "sweep", _swept)
    monkeypatch.setattr(trust, "predictive_curve", _curve)
    monkeypatch.setattr(steps.Steps, "compute_ahead", lambda self, around: None)
    monkeypatch.setattr(jobs.Job, "start", _at_once)


def _at_once(job: jobs.Job[Any]) -> None:
    """Do the work before the page goes on."""
    job.show()
    job.result = job._compute(job._report)


def _open(page: str, **address: str | Sequence[str]) -> AppTest:
    test = AppTest.from_function(page_script, args=(page,), default_timeout=300)
    test.query_params["case_part"] = "all"
    for name, value in address.items():
        test.query_params[name] = value
    return test.run()


def _with_all_marks(test: AppTest) -> AppTest:
    """Ask for all marks of plausible truths."""
    return next(one for one in test.toggle if one.label.startswith("All marks")).set_value(True).run()


def _address(test: AppTest, name: str) -> list[str]:
    """Values of one parameter of the address after a run."""
    value = test.query_params[name]
    return [value] if isinstance(value, str) else list(value)


def _words(test: AppTest) -> str:
    """All words of a page that come through escaped elements."""
    return " ".join(element.proto.body for element in test.get("html"))


@pytest.mark.parametrize("page", PAGES)
@pytest.mark.parametrize("sample", SAMPLES)
def test_page_opens_on_sample(page: str, sample: str) -> None:
    """Each page shows each sample without an exception."""
    test = _open(page, study=sample)
    assert not test.exception
    assert _address(test, "study") == [sample]


@pytest.mark.parametrize("page", PAGES)
def test_refused_study_shows_problems(page: str, refused_study: Path) -> None:
    """A study that is not read is shown as its problems, with places and mends."""
    source = studies.add_folder(refused_study)
    test = _open(page, study=source.key)
    assert not test.exception
    assert "annotations.csv" in _words(test)
    assert "needs mending" in _words(test)


@pytest.mark.parametrize("page", PAGES)
def test_hostile_text_stays_text(page: str, hostile_study: Path) -> None:
    """Text from files is escaped wherever it stands in HTML."""
    source = studies.add_folder(hostile_study)
    test = _open(page, study=source.key)
    assert not test.exception
    assert "<img" not in _words(test)


def test_readings_stand_with_the_first_pictures() -> None:
    """Before anything that is made of them; a place is not parted from its label."""
    words = _words(_open("cases", study=studies.SAMPLE, model="prirn", case="stutz-2025-fig-5"))
    places = [
        words.index(head) for head in ("Readings of the case", "How often does each", ">The leading labels<")
    ]
    assert places == sorted(places)
    assert "1.\u00a0Pyogenic granuloma; 2.\u00a0Hemangioma" in words


def test_simplex_is_sent_with_words() -> None:
    """The picture, what it shows, and how truths are chosen; a step of the slider sends other marks."""
    sent = []
    for reliability in ("3", "10"):
        test = _open("cases", study=studies.SAMPLE, model="prirn", reliability=reliability, case="derm-004")
        assert "draw around some" not in _words(test)
        _with_all_marks(test)
        (found,) = (
            one.proto for one in test.get("bidi_component") if one.proto.component_name == "loupe_live"
        )
        sent.append(json.loads(found.json))
        assert "draw around some with lasso or box" in _words(test)
    first, second = sent
    assert first["words"].startswith("Plausible truths in the triangle of the three leading labels: ")
    assert first["figure"]["modes"] == ["lasso", "select", "zoom", "pan"]
    assert first["chosen"] == []
    assert first["of"] != second["of"]
    assert first["figure"]["layout"]["uirevision"] == second["figure"]["layout"]["uirevision"]


def _sent(test: AppTest) -> dict[str, Any]:
    """What the browser gets to draw the triangle."""
    (found,) = (one.proto for one in test.get("bidi_component") if one.proto.component_name == "loupe_live")
    sent: dict[str, Any] = json.loads(found.json)
    return sent


def test_few_marks_stand_at_first_and_all_of_them_are_a_press_away() -> None:
    """Dots and a bare triangle; all marks bring scale, mean, cross and bars, and stay with the next case."""
    test = _open("cases", study=studies.SAMPLE, model="prirn", reliability="3", case="derm-004")
    few = _sent(test)["figure"]
    assert few["modes"] == []
    assert len(few["traces"]) == 2
    assert "Plausibility of each label" not in _words(test)
    many = _sent(_with_all_marks(test))["figure"]
    assert len(many["traces"]) == 6
    assert "Plausibility of each label" in _words(test)
    assert "Ticks: single truths" in _words(test)
    next(button for button in test.button if button.label == "Next").click().run()
    assert "Plausibility of each label" in _words(test)


def test_a_point_estimate_has_all_its_marks() -> None:
    """There are no dots, and nothing is asked."""
    test = _open("cases", study=studies.SAMPLE, model="prirn", reliability="inf", case="derm-004")
    assert not any(one.label.startswith("All marks") for one in test.toggle)
    assert "Plausibility of each label" in _words(test)


@pytest.mark.parametrize("corners", ["3", "4"])
def test_truths_are_chosen_by_who_leads(corners: str) -> None:
    """A list chooses the dots in which a label leads, and says what these share; another case none."""
    test = _open(
        "cases", study=studies.SAMPLE, model="prirn", reliability="3", case="derm-004", corners=corners
    )
    _with_all_marks(test)
    field = next(one for one in test.selectbox if one.label.startswith("Choose the truths"))
    assert field.options[0] == "none"
    assert field.options[-1] == "another label"
    label = field.options[1]
    field.select_index(1).run()
    said = re.search(
        rf"In the (\d+) chosen truths {label}[^.]* always leads\. Mean shares: {label}",
        _words(test),
    )
    assert said
    (sent,) = (
        json.loads(one.proto.json)
        for one in test.get("bidi_component")
        if one.proto.component_name == {"3": "loupe_live", "4": "loupe_solid"}[corners]
    )
    if corners == "3":
        assert len(sent["chosen"]) == int(said[1])
        assert sent["given"] is True
    else:
        assert sum(dot["lit"] for dot in sent["figure"]["dots"]) == int(said[1])
    next(button for button in test.button if button.label == "Next").click().run()
    assert " chosen truths " not in _words(test)


def test_four_labels_are_a_choice_that_goes_with_the_link() -> None:
    """Offered where a case has as many, kept where the next has not; the address names it."""
    test = _open("cases", study=studies.SAMPLE, model="prirn", case="derm-004", corners="4")
    assert not test.exception
    assert _address(test, "corners") == ["4"]
    (found,) = (one.proto for one in test.get("bidi_component") if one.proto.component_name == "loupe_solid")
    assert "tetrahedron of the four" in json.loads(found.json)["words"]
    assert "Its four faces" in _words(test)
    test = _open("cases", study="toy_three_labels", corners="4")
    assert not test.exception
    (found,) = (one.proto for one in test.get("bidi_component") if one.proto.component_name == "loupe_live")
    assert "triangle of the three" in json.loads(found.json)["words"]
    assert not [one for one in test.button_group if "corners" in str(one.key)]


@pytest.mark.parametrize("sort", ["", "certainty"])
def test_default_case_is_the_first_of_the_list(sort: str) -> None:
    """Without a case in the address the worklist's first opens, and the address names it."""
    test = _open("cases", study=studies.SAMPLE, model="prirn", sort=sort)
    rows = listed(test)
    assert rows["share"].is_monotonic_increasing == bool(sort)
    assert _address(test, "case") == [rows["Case"].iloc[0]]
    assert sent_list(test)["chosen"] == rows["Case"].iloc[0]


def test_address_reproduces_the_view() -> None:
    """Everything that an address names is what the page shows, and comes back in the address."""
    address = {
        "study": studies.SAMPLE,
        "model": "prirn",
        "reliability": "2.5",
        "risk": ["high"],
        "readers": "4-6",
    }
    test = _open("cases", **address)
    assert test.select_slider[0].value == 2.5
    (levels,) = (of["levels"] for of in sent_list(test)["columns"] if of["title"] == "Leading label")
    led = {levels[words][1][0] for words in listed(test)["Leading label"]}
    assert led == {"H"}, "of labels that tie the worst comes first"
    for name, value in address.items():
        assert _address(test, name) == ([value] if isinstance(value, str) else value)


def test_invalid_address_falls_back_with_notes() -> None:
    """What cannot be had falls back, and a note says so."""
    for address in (
        {"study": "nowhere"},
        {"reliability": "-3"},
        {"model": "magic"},
        {"case": "c"},
        {"x": "red"},
    ):
        ((name, given),) = address.items()
        test = _open("cases", **({"study": studies.SAMPLE} | address))
        notes = " ".join(test.session_state["loupe-notes"])
        assert (given if name != "x" else name) in notes
        assert not test.exception


def test_search_narrows_the_worklist() -> None:
    """Search keeps the cases in which a rater names the label, and says when it finds none."""
    test = _open("cases", study=studies.SAMPLE, model="prirn", search="melanoma")
    folder = studies.sources()[studies.SAMPLE].folder
    assert folder is not None
    rows = pd.read_csv(folder / "annotations.csv")
    named = set(rows["case_id"][rows["label"].str.casefold().str.contains("melanoma")])
    assert set(listed(test)["Case"]) == named
    assert f"“melanoma”: in the readings of {len(named)} cases" in _words(test)
    test.text_input[0].set_value("no such thing").run()
    assert len(listed(test)) == 0
    assert "“thing”" in _words(test)
    assert "No case is listed." in _words(test)
    assert not test.exception


def test_changing_the_model_takes_its_reliability() -> None:
    """γ means something else under another model: the slider goes to that model's default."""
    test = _open("study", study=studies.SAMPLE, model="prirn", reliability="3")
    test.selectbox(key="choose-model").set_value("irn").run()
    assert test.select_slider[0].disabled
    assert test.select_slider[0].value == math.inf
    test.selectbox(key="choose-model").set_value("plackett-luce").run()
    assert test.select_slider[0].value == 1


def test_a_run_with_the_address_of_before_takes_nothing_back() -> None:
    """A choice made before the browser has taken over the address stays, and so does the one before it."""
    test = _open("study", study="toy_three_labels", model="label-counts", reliability="2")
    before = {name: _address(test, name) for name in ("study", "model", "reliability")}
    test.select_slider[0].set_value(5.0).run()
    assert _address(test, "reliability") == ["5"]
    test.query_params["case_part"] = "all"
    for name, value in before.items():
        test.query_params[name] = value
    test.selectbox(key="choose-model").set_value("majority").run()
    assert not test.exception
    assert test.selectbox(key="choose-model").value == "majority"
    assert _address(test, "model") == ["majority"]


@pytest.mark.parametrize(("page", "name"), [("study", "model"), ("cases", "sort")])
def test_words_of_an_option_that_is_gone_choose_nothing(page: str, name: str) -> None:
    """A browser that still shows the options of another study sends one of those."""
    test = _open(page, study="scores")
    box, gone = named(test.selectbox, name), "Most risk at stake first, as Plackett–Luce has it"
    before = box.value
    box.options.append(gone)
    box.set_value(gone).run()
    assert not test.exception
    assert named(test.selectbox, name).value == before
    assert test.session_state["loupe-notes"] == []


def test_going_back_takes_the_address_over(monkeypatch: pytest.MonkeyPatch) -> None:
    """The browser's own buttons change what is shown."""
    test = _open("study", study="toy_three_labels", model="label-counts", reliability="2")
    gone = ["study=toy_three_labels&model=label-counts&reliability=7"]
    monkeypatch.setattr(state, "take_gone_back", lambda session_id: gone.pop() if gone else "")
    test.run()
    assert test.select_slider[0].value == 7
    assert _address(test, "reliability") == ["7"]


def test_next_and_previous_walk_the_worklist() -> None:
    """The buttons open the neighbours in the order of the worklist."""
    test = _open("cases", study=studies.SAMPLE, model="prirn")
    ids = listed(test)["Case"].tolist()
    next(button for button in test.button if button.label == "Next").click().run()
    assert _address(test, "case") == [ids[1]]
    next(button for button in test.button if button.label == "Previous").click().run()
    assert _address(test, "case") == [ids[0]]


def test_labels_that_nobody_named_are_counted() -> None:
    """Their shares are added up, which may be more than any single label has."""
    from dashboard.views.cases.tables import case_tables

    folder = studies.samples()[0].folder
    assert folder is not None
    study = read_study(folder)
    task = next(iter(study.tasks.values()))
    tables = case_tables(study, task, Aggregation("prirn", 1.0), 0, WhatIf())
    named = len(set(task.readings.label[task.readings.case[task.readings.entry_reading] == 0]))
    together = f"{len(task.labels) - named} other labels together"
    assert tables.plausibility["label"].iloc[-1] == together
    assert set(tables.draws["label"]) == set(tables.plausibility["label"])


def test_labels_of_before_are_not_counted_among_the_others() -> None:
    """A label that a changed reading names no more keeps its row, and is none of those added up."""
    from dashboard.views.cases.tables import case_tables

    folder = studies.samples()[0].folder
    assert folder is not None
    study = read_study(folder)
    task = next(iter(study.tasks.values()))
    tables = case_tables(study, task, Aggregation("prirn", 1.0), 0, WhatIf(off=frozenset({0, 1})))
    labels = tables.plausibility["label"].tolist()
    assert "leads before" in tables.plausibility
    assert labels[-1] == f"{len(task.labels) - len(labels) + 1} other labels together"
