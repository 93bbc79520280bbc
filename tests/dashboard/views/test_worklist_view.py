"""The worklist of Cases: filters, orders, the way to a case, and all of it in the address."""

from __future__ import annotations

import json
import re
from collections.abc import Sequence

import pandas as pd
import pytest
from listed import listed, sent_list
from named import named
from page_script import page_script
from small_study import small_study
from streamlit.testing.v1 import AppTest

from core.analysis.cases.missed_words import MISSED_RULES
from core.analysis.cases.orders import ORDERS
from core.analysis.cases.presets import (
    ACCURACY_MISLEADS,
    ANY_HIGH_RISK,
    DANGER_MISSED,
    MISSED_BEHIND,
    MISSED_LIKELY,
    MISSED_UNSETTLED,
    MODEL_DIFFERS,
    NO_DOUBT,
    OF_HIGH_RISK,
    PRESETS,
)
from core.analysis.cases.presets_apart import APART
from core.analysis.cases.what_if import WhatIf
from core.analysis.cases.what_if_text import to_text
from core.analysis.risk_words import WHO_SAYS
from core.analysis.tied_labels import tied_in_words
from core.cli import sample_folder
from core.study.reading.folder import read_study
from dashboard.charts.cases.plausibility import MOST_LABELS
from dashboard.shell import cache, jobs, steps, studies, trust
from dashboard.views.cases import cell_words, columns
from dashboard.views.cases.pictures import undrawn_words
from dashboard.views.cases.worklist import find_case
from sample_data.supported import SUPPORTED


def _script() -> None:
    from dashboard.shell import sidebar, state
    from dashboard.views.cases import page as cases

    state.read_address()
    cases.show(sidebar.choose())
    state.write_address()


@pytest.fixture(autouse=True)
def _no_long_work(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(steps.Steps, "compute_ahead", lambda self, around: None)


def _open(**address: str | Sequence[str]) -> AppTest:
    test = AppTest.from_function(_script, default_timeout=300)
    test.query_params["case_part"] = "all"
    for name, value in ({"study": studies.SAMPLE, "model": "prirn"} | address).items():
        test.query_params[name] = value
    test.run()
    assert not test.exception
    return test


def _ids(test: AppTest) -> list[str]:
    return list(listed(test)["Case"])


def _address(test: AppTest, name: str) -> list[str]:
    value = test.query_params.get(name, [])
    return [value] if isinstance(value, str) else list(value)


def _words(test: AppTest) -> str:
    return " ".join(element.proto.body for element in test.get("html"))


@pytest.mark.slow
@pytest.mark.parametrize(
    ("address", "words"),
    [
        ({"certainty": "20-60"}, "certainty 20 to under 60\u00a0%"),
        ({"could_change": "yes"}, "risk could change"),
        ({"plausible": ["Melanoma"]}, "Melanoma plausible"),
        ({"risk_certainty": "99-100"}, "certainty of the risk level 99\u00a0% or more"),
        ({"labels_named": "2-4"}, "2 to 4 different labels"),
        ({"wrong": ["Model C"]}, "Model C probably wrong"),
        ({"metadata": ["body_site:arm", "body_site:leg"]}, "Body site arm or leg"),
        ({"metadata": ["true_share:0.2..0.5"]}, "True share 0.2 to 0.5"),
        ({"only": ["derm-003", "derm-001"]}, "the 2 cases that a link names"),
        ({"high_risk": "20-90"}, "danger in 20 to under 90 of 100"),
        ({"risk": ["high"], "readers": "4-6"}, "high risk; 4 to 6 readings"),
    ],
)
def test_filters_come_from_the_address_and_are_said(address: dict[str, list[str]], words: str) -> None:
    """Each narrows the worklist, stands there in words, stays in the address, and can be cleared."""
    test = _open(**address)
    assert 0 < len(_ids(test)) < 301
    assert words in _words(test)
    for name, given in address.items():
        assert _address(test, name) == ([given] if isinstance(given, str) else given)
    test.button(key="clear").click().run()
    assert len(_ids(test)) == 301
    assert not any(_address(test, name) for name in address)


@pytest.mark.parametrize("name", [name for name in ORDERS if name != "unsettled"])
def test_orders_show_what_they_sort_by(name: str) -> None:
    """The rows stand in the order that the address asks for."""
    test = _open(sort=name)
    table = listed(test)
    shown = {"certainty": "share", "stake": "Levels at stake", "disagreement": "Disagree"}
    shown |= {"error": "Surest error", "study": "Case", "high_risk": "Danger"}
    shown |= {"surest": "share", "safest": "Danger"}
    shown |= {"reviewed": "Written at", "status": "Status", "flagged": "Flags", "reviewer": "Written by"}
    column = table[shown[name]][table[shown[name]] != ""]
    if shown[name] == "Danger":
        column = column.str.removesuffix("\u00a0%").astype(int)
        (head,) = [one for one in sent_list(test)["columns"] if one["title"] == "Danger"]
        assert head["danger"]
    if name == "error":
        column = column.str.extract(r": (\d+)")[0].astype(int)
    assert column.is_monotonic_increasing or column.is_monotonic_decreasing
    assert _address(test, "sort") == [name]


def test_what_is_near_even_comes_first_and_what_is_settled_last() -> None:
    """The usual order of a study with levels of risk, and what the box of orders shows for it."""
    test = _open()
    assert _ids(test) == _ids(_open(sort="unsettled"))
    assert named(test.selectbox, "sort").value == "unsettled"
    share = listed(test)["Danger"].str.removesuffix("\u00a0%").astype(int)
    from_half = (share - 50).abs()
    unsettled = from_half[from_half < 45]
    assert list(unsettled.index) == list(range(len(unsettled)))
    assert unsettled.is_monotonic_increasing
    assert len(unsettled) > 40


def test_choosing_an_order_and_a_preset() -> None:
    """An order chosen by hand goes into the address; a preset brings its own back."""
    test = _open()
    test.selectbox(key="choose-sort").set_value("disagreement").run()
    assert _address(test, "sort") == ["disagreement"]
    test = _open(preset="any high-risk label is plausible", sort="disagreement")
    test.pills(key="choose-preset-part").set_value("a high-risk label is plausible but does not lead").run()
    assert _address(test, "sort") == []
    kept = set(_ids(test))
    named(test.selectbox, "sort").set_value("study").run()
    assert set(_ids(test)) == kept
    assert _ids(test) == sorted(kept)


def _heads(test: AppTest) -> list[str]:
    return [column["title"] for column in sent_list(test)["columns"]]


def test_models_that_differ_are_named() -> None:
    """The list of them says which model says what."""
    test = _open(preset="readers agree, model differs")
    assert _heads(test) == ["Case", "Leading label", "Wrong models", "Danger"]
    wrong = listed(test)["Wrong models"]
    assert wrong.str.fullmatch(r"(Model [A-D]: [^;]+)(; Model [A-D]: [^;]+)*").all()
    danger = listed(test)["Danger"].str.removesuffix("\u00a0%").astype(int)
    assert danger.is_monotonic_decreasing, "it can be read off what comes first"
    head, of_danger = sent_list(test)["columns"][2:]
    assert of_danger["sorted"] == "descending"
    several = wrong[wrong.str.contains("; ")].iloc[0]
    first, *others = several.split("; ")
    assert f"{first} and {len(others)} more" in head["shorts"][several]
    assert any(re.match(r"Model [A-D], Model [A-D]", words[0]) for words in head["shorts"].values())
    assert head["room"] > 1, "what it says is longer than a label"


def test_the_surest_error_is_told_with_the_model() -> None:
    """Whoever is as surely wrong is named too."""
    told = listed(_open(sort="error"))["Surest error"]
    assert told.str.fullmatch(r"Model [A-D](, Model [A-D])*: \d+\u00a0%").all()


def test_missed_dangers_stand_in_the_order_of_their_rows_with_the_risk_of_the_reference() -> None:
    """Most danger first; whether the study's own reference is harmless stands beside."""
    test = _open(preset=DANGER_MISSED)
    assert _heads(test) == ["Case", "Leading label", "Missed by", "Danger", "Ref."]
    assert "<b>Reference</b>: L low" in _words(test), "beneath the list it has its whole name"
    danger = listed(test)["Danger"].str.removesuffix("\u00a0%").astype(int)
    assert danger.is_monotonic_decreasing
    assert sent_list(test)["columns"][3]["sorted"] == "descending"
    assert set(listed(test)["Ref."]) > {"H", "L"}


def test_a_case_whose_readings_are_all_left_out_shows_no_truths() -> None:
    """It was read, so it is not said that nobody did; and nothing is drawn of what is not known."""
    study = read_study(sample_folder())
    (task,) = study.tasks.values()
    index = study.case_ids.index("derm-153")
    change = WhatIf(frozenset(range(int(task.readings.per_case[index]))))
    for part in ("what-if", "all"):
        test = _open(case="derm-153", case_part=part, what_if=to_text(study, task, index, change))
        assert "All readings of this case are left out." in _words(test)
        assert "Nobody has read" not in _words(test)
        drawn = json.dumps([one.proto.spec for one in test.get("vega_lite_chart")])
        assert "nan" not in _words(test)
        assert "nan" not in drawn
        assert "How often does each" not in _words(test)


def test_columns_are_chosen() -> None:
    """The usual ones, those that a list about danger is read by, and any that a person or a link asks for."""
    usual = ["Leading label", "Certainty", "Danger"]
    test = _open()
    assert _heads(test) == ["Case", *usual]
    assert _heads(_open(sort="high_risk")) == [
        "Case",
        "Leading label",
        "Danger",
        "High-risk label",
    ]
    assert _heads(_open(sort="disagreement")) == ["Case", *usual[:-1], "Disagree"]
    test = _open(columns=["metadata: body_site", "runner_up", "no such"])
    assert _heads(test) == ["Case", "Body site", "Runner-up"]
    assert "the column “no such”" in " ".join(test.session_state["loupe-notes"])
    assert _address(test, "columns") == ["metadata: body_site", "runner_up"]
    assert set(listed(test)["Body site"]) > {"arm", "leg"}
    table = listed(_open(sort="high_risk", columns=["high_risk", "high_risk_label", "risk"]))
    tied = table["Risk"].str.contains(", tied: ")
    assert set(table["Risk"][~tied]) <= {"L", "M", "H"}
    assert table["Risk"][tied].str.match("H or [LM]|M or L").all()
    assert (table["High-risk label"] != "").any()


@pytest.mark.parametrize("preset", ["", DANGER_MISSED, MISSED_UNSETTLED, ACCURACY_MISLEADS, MODEL_DIFFERS])
def test_before_each_leading_label_stands_its_level(preset: str) -> None:
    """In every list, of a tie before each, and before a danger behind one; without levels there is none."""
    test = _open(preset=preset, model="label-counts", reliability=1)
    (levels,) = (of["levels"] for of in sent_list(test)["columns"] if of["title"] == "Leading label")
    study = read_study(sample_folder())
    (task,) = study.tasks.values()
    known = dict(zip(task.labels, ("LMH"[level] for level in task.risk), strict=True))
    for words in set(listed(test)["Leading label"]):
        told, letters = levels[words]
        leading, _, danger = told.partition(" leads; ")
        names = re.findall(r"(?:^|, | or )(.+?) \((?:low|medium|high) risk\)", leading.removeprefix("Tied: "))
        names += re.findall(r"^(.+?) \(high risk\) does in \d+ of 100 plausible truths$", danger)
        assert names, told
        assert letters[0] == known[names[0]]
        assert set("".join(letters)) == {known[name] for name in names}
        assert words.startswith("Tied: ") == told.startswith("Tied: ")
        assert (len(letters) == 2) == (words.startswith("Tied: ") or bool(danger))
    assert preset == MODEL_DIFFERS or {len(letters) for _, letters in levels.values()} == {1, 2}


def test_a_danger_that_may_be_the_truth_is_named_beneath_the_label_that_leads() -> None:
    """Not beneath one of high risk, nor where it is less than plausible, ties, or has its own column."""
    _, task = small_study("choice", "abcd", [["a"]], risk="LMHH")
    cases = pd.DataFrame(
        {
            "leading": ["a", "b", "c", "a", "a", "Tied: a or c"],
            "risk": ["low", "medium", "high", "low", "low", "high"],
            "high_risk": [0.3, 0.051, 0.9, 0.049, 0.5, 0.5],
            "high_risk_label": ["c", "d", "c", "d", "c or d (tied)", "c"],
            "high_risk_label_probability": [0.296, 0.05, 0.9, 0.049, 0.25, 0.5],
        }
    )
    found = cell_words.behind(cases, cases["leading"].tolist(), cell_words.levels(cases["leading"], task))
    assert found.words == ["a; c 30", "b; d 5", "c", "a", "a", "Tied: a or c"]
    assert found.lines == {"a; c 30": ("a\nalso c",), "b; d 5": ("b\nalso d",)}
    told = "a (low risk) leads; c (high risk) does in 30 of 100 plausible truths"
    assert found.levels["a; c 30"] == (told, ("L", "H"))
    assert found.levels["b; d 5"][1] == ("M", "H")
    usual, own = (["leading", *more, "high_risk"] for more in ([], ["high_risk_label"]))
    for names, is_point, first in ((usual, False, "a; c 30"), (usual, True, "a"), (own, False, "a")):
        _, said = columns.cells(cases, names, task, is_point=is_point)
        assert said[0][0] == first


def test_without_levels_of_risk_no_label_has_one() -> None:
    """How many readings there are stands in the place of danger."""
    test = _open(study="mixed_digits", model="label-counts")
    assert _heads(test) == ["Case", "Leading label", "Certainty", "Readings"]
    assert not any(of["levels"] for of in sent_list(test)["columns"])


def test_a_point_estimate_claims_no_certainty_and_a_case_out_of_the_list_is_led_to() -> None:
    """A dash in each row and no bar; the button lists all cases, and the case stays open."""
    test = _open(reliability="inf", preset="a high-risk label leads", case="derm-145", sort="study")
    assert set(listed(_open(reliability="inf"))["Certainty"]) == {"–"}
    assert (
        "filters or the list “Any danger, High risk leads” leave it out" in test.button(key="list-all").help
    )
    test.button(key="list-all").click().run()
    assert "derm-145" in _ids(test)
    assert _address(test, "case") == ["derm-145"]
    assert not [one for one in test.button if one.key == "list-all"]


def test_what_a_study_does_not_have_is_noted() -> None:
    """Models, columns, cases and orders that are not there fall back, each with a note."""
    test = _open(
        study="mixed_digits",
        model="label-counts",
        wrong=["nobody"],
        metadata=["nowhere:x"],
        only=["c1", "c2"],
        sort="stake",
    )
    notes = " ".join(test.session_state["loupe-notes"])
    for given in ("the model “nobody”", "“nowhere”", "the case “c1” and 1 more", "“stake”"):
        assert given in notes
    assert "“nobody”, which this study does not have. It is left out." in notes
    assert "which this study does not have. They are left out." in notes
    assert len(_ids(test)) > 100


def test_bad_ranges_of_metadata_are_noted() -> None:
    """A column of numbers needs a range."""
    test = _open(metadata=["true_share:high"])
    assert "true_share “high”" in " ".join(test.session_state["loupe-notes"])
    assert len(_ids(test)) == 301


def test_the_case_says_its_metadata() -> None:
    """What the files say of the case stands above it; what is not given is left out."""
    words = _words(_open(case="derm-001"))
    assert "Simulated · Body site: face · Age group: under 18" in words
    assert "· no images in this study" in words
    assert "73\u00a0%" not in words.split("no images in this study")[0], "a share of something else"
    published = _words(_open(case="stutz-2025-fig-5"))
    assert "Body site" not in published
    assert ">No images in this study<" in published
    told = "The study says of it: “One further case, stutz-2025-fig-5, has the six differentials"
    assert told in published
    assert "The study says of it" not in words


def test_an_empty_list_says_what_brings_cases_back() -> None:
    """A button for each thing that somebody used, and one for all of it."""
    assert not _bring_back(_open())
    marked = _open(preset="marked", sort="study")
    assert _bring_back(marked) == ["Show all cases"]
    marked.button(key="bring-back-all").click().run()
    assert len(_ids(marked)) == 301
    nowhere = "no such word anywhere"
    searched = _open(search=nowhere)
    assert _bring_back(searched) == ["Clear the search"]
    searched.button(key="bring-back-search").click().run()
    assert len(_ids(searched)) == 301
    both = _open(search=nowhere, risk="low", preset=ANY_HIGH_RISK, sort="study")
    assert _bring_back(both) == ["Clear the search", "Clear all filters", "Show all cases"]
    both.button(key="bring-back-filters").click().run()
    assert (_address(both, "search"), _address(both, "risk")) == ([nowhere], [])
    assert _bring_back(both) == ["Clear the search", "Show all cases"]
    both.button(key="bring-back-all").click().run()
    assert len(_ids(both)) == 301


def _bring_back(test: AppTest) -> list[str]:
    """What is offered where no case is listed."""
    assert not test.exception
    return [one.label for one in test.button if (one.key or "").startswith("bring-back")]


def _title(test: AppTest) -> str:
    """The case that is shown; empty for none."""
    found = re.findall(r"<h2[^>]*>(.*?)</h2>", _words(test))
    return next((title.removeprefix("Case ") for title in found if "derm-" in title or "stutz-" in title), "")


def _search(test: AppTest, words: str) -> None:
    named(test.text_input, "search").set_value(words).run()
    assert not test.exception


def test_the_case_follows_what_the_list_is_asked_for() -> None:
    """A search, a filter or a preset that leaves out the open case opens the first one, with a way back."""
    test = _open(case="derm-001")
    _search(test, "melanoma")
    first = _ids(test)[0]
    assert _title(test) == first != "derm-001"
    assert "derm-001, which you had open, is not in this list." in _words(test)
    _search(test, "")
    assert _title(test) == first
    assert "which you had open" not in _words(test), "it goes with the next change of the list"
    test = _open(case="derm-001")
    _search(test, "melanoma")
    named(test.pills, "preset-button").set_value(ANY_HIGH_RISK).run()
    assert "which you had open" not in _words(test), "whichever it is"
    test = _open(case="derm-001")
    _search(test, "melanoma")
    test.button(key="back-to-left").click().run()
    assert _title(test) == "derm-001"
    assert "Not in the list" in _words(test)
    assert "which you had open" not in _words(test)
    named(test.pills, "preset-button").set_value("any high-risk label is plausible").run()
    assert "derm-001" not in _ids(test)
    assert _title(test) == _ids(test)[0] == _address(test, "case")[0]


def test_a_list_that_is_chosen_keeps_the_open_case_or_opens_its_first() -> None:
    """Whoever has opened a case goes on from there, wherever it is; what nobody asked for gives way."""
    of_danger = _ids(_open(preset=ANY_HIGH_RISK))
    listed_last = of_danger[-1]
    test = _open(case=listed_last)
    named(test.pills, "preset-button").set_value(ANY_HIGH_RISK).run()
    assert _title(test) == listed_last
    assert "which you had open" not in _words(test)
    left_out = next(one for one in _ids(_open()) if one not in of_danger)
    other = _open(case=left_out)
    named(other.pills, "preset-button").set_value(ANY_HIGH_RISK).run()
    assert _title(other) == _ids(other)[0]
    assert f"{left_out}, which you had open, is not in this list." in _words(other)
    assert other.button(key="back-to-left")
    unasked = _open()
    first = _title(unasked)
    named(unasked.pills, "preset-button").set_value(DANGER_MISSED).run()
    assert first in _ids(unasked)
    assert _title(unasked) == _ids(unasked)[0] != first
    of_link = _open(case=listed_last, preset=ANY_HIGH_RISK)
    assert _title(of_link) == listed_last


def test_a_case_that_the_list_opened_by_itself_is_not_missed() -> None:
    """There is no way back to what nobody has asked for; one that somebody opens is missed again."""
    test = _open()
    first = _title(test)
    _search(test, "derm-001")
    assert _title(test) == "derm-001" != first
    assert "which you had open" not in _words(test)
    test = _open(case="derm-002")
    _search(test, "derm-001")
    assert "derm-002, which you had open, is not in this list." in _words(test)


def test_a_case_that_somebody_comes_back_to_is_missed_though_the_list_had_opened_it() -> None:
    """Next and Previous lead to it: from then on it was asked for."""
    test = _open()
    first = _title(test)
    for step in ("Next", "Previous"):
        next(one for one in test.button if one.label.endswith(step)).click().run()
    assert _title(test) == first != "derm-001"
    _search(test, "derm-001")
    assert f"{first}, which you had open, is not in this list." in _words(test)


def test_dangers_that_a_model_misses_are_listed_by_model() -> None:
    """The model goes into the address and a box above the list, and is let go with its list."""
    test = _open(preset="a model misses danger", sort="high_risk")
    of_any = set(_ids(test))
    named(test.selectbox, "preset-missed").set_value("Model D").run()
    of_one = _ids(test)
    assert 0 < len(of_one) < len(of_any)
    assert set(of_one) < of_any
    assert _address(test, "missed_by") == ["Model D"]
    assert f"{len(of_one)} of 301 cases." in _words(test)
    assert "Only: danger missed" not in _words(test)
    assert _ids(_open(preset="a model misses danger", missed_by="Model D", sort="high_risk")) == of_one
    elsewhere = _open(missed_by="Model D")
    assert set(_ids(elsewhere)) == set(of_one)
    assert "Only: danger missed by Model D." in _words(elsewhere)
    named(test.pills, "preset-button").set_value(ANY_HIGH_RISK).run()
    assert len(_ids(test)) > len(of_any)
    assert not _address(test, "missed_by")


def test_where_accuracy_misleads_is_listed_with_how_each_model_is_counted() -> None:
    """Of a point estimate no case, and why; a study of scores has no such list."""
    test = _open(preset=ACCURACY_MISLEADS)
    assert _heads(test) == ["Case", "Leading label", "Accuracy misleads"]
    ids = _ids(test)
    assert 0 < len(ids) < 301
    assert f"{len(ids)} of 301 cases, danger first, then the furthest off." in _words(test)
    assert ids[0] == "derm-031", "danger leads, and two models are counted right for a harmless label"
    assert "Usual: danger first" in test.selectbox(key="choose-sort").options
    again = _open(preset=ACCURACY_MISLEADS, sort="certainty")
    assert f"{len(ids)} of 301 cases." in _words(again)
    said = listed(test)["Accuracy misleads"]
    assert said.str.contains("Counted right: Models C,\u00a0D, not likeliest: only ").any()
    assert said.str.contains("Counted right: Model B, likeliest, but only ").any()
    point = _open(preset=ACCURACY_MISLEADS, reliability="inf")
    assert _ids(point) == []
    assert NO_DOUBT in _words(point)
    assert "It would need readers who name labels" in _words(
        _open(study="scores", model="gaussian", preset=ACCURACY_MISLEADS)
    )


def test_a_search_of_several_words_lists_the_cases_with_all_of_them() -> None:
    """In whichever column or reading each is; where each was found is said."""
    test = _open(search="melanoma leg")
    both = set(_ids(test))
    assert both
    assert both == set(_ids(_open(search="melanoma"))) & set(_ids(_open(search="leg")))
    assert re.search(r"“melanoma”: in the readings of .*; “leg”: in the case data of ", _words(test))


@pytest.mark.parametrize(
    ("within", "words"),
    [
        ({"preset": "a high-risk label is plausible but does not lead"}, "“Any danger, .*”"),
        ({"could_change": "yes"}, "the filters"),
    ],
)
def test_a_search_within_a_list_counts_both(within: dict[str, str], words: str) -> None:
    """How many cases hold the text, and how many of these are listed; the others are a click away."""
    test = _open(search="melanoma", **within)
    pattern = rf"in the readings of .*\. (\d+) of these (\d+) cases are listed under {words}\."
    found = re.search(pattern, _words(test))
    assert found
    assert int(found[1]) == len(_ids(test)) < int(found[2])
    if "preset" not in within:
        test.button(key="search-all").click().run()
        assert len(_ids(test)) == int(found[2])
        assert _address(test, "search") == ["melanoma"]
        assert "are listed under" not in _words(test)


def test_without_a_case_in_the_list_none_is_shown() -> None:
    """Nothing unrelated stands there; what was open is a click away, and is there again with its list."""
    test = _open(case="derm-001")
    _search(test, "no such thing")
    assert _ids(test) == []
    assert _title(test) == ""
    assert "No case is listed." in _words(test)
    _search(test, "derm-001")
    assert _title(test) == "derm-001"
    assert "which you had open" not in _words(test)
    _search(test, "nor this")
    test.button(key="back-to-left").click().run()
    assert _title(test) == "derm-001"
    assert "Not in the list." in _words(test)
    assert not [one for one in test.button if one.key == "open-first"]


def test_a_case_with_changed_readings_stays_and_the_list_is_a_press_away() -> None:
    """A search that leaves it out says so in one line, which leads to the first case that is found."""
    study = read_study(sample_folder(studies.SAMPLE))
    (task,), place = study.tasks.values(), study.case_ids.index("derm-031")
    test = _open(case="derm-031", what_if=to_text(study, task, place, WhatIf().toggled(0)))
    assert "What if: not the study&#x27;s readings." in _words(test)
    _search(test, "psoriasis")
    assert _title(test) == "derm-031" not in _ids(test)
    assert "Not in the list." in _words(test)
    assert "which you had open" not in _words(test)
    test.button(key="open-first").click().run()
    assert not test.exception
    assert _title(test) == _ids(test)[0]
    assert "Not in the list." not in _words(test)


def test_a_link_to_a_case_that_its_list_leaves_out_opens_that_case() -> None:
    """And neither another order nor another reliability leads away from it."""
    test = _open(case="derm-001", search="melanoma")
    assert _title(test) == "derm-001"
    assert "Not in the list" in _words(test)
    test.selectbox(key="choose-sort").set_value("disagreement").run()
    assert _title(test) == "derm-001"
    assert _title(_open(case="derm-001", search="no such thing")) == "derm-001"


def test_what_else_is_kept_as_its_label_stands_under_the_sentence() -> None:
    """First choices and the reference, as what they are; and how exact the shares are, if drawn."""
    words = _words(_open(case="derm-001", model="plackett-luce"))
    assert re.search(
        r"The study’s reference is Tinea Versicolor\. It was established by readers alone, as the .*"
        r"Put first by.*\d of \d",
        words,
        re.S,
    )
    assert re.search(r"\(counts from a random sample, give or take \d points?\)\.", words)
    assert "reference: " not in words
    assert "drawn at random" not in _words(_open(case="derm-001"))


def test_the_levels_are_said_to_be_the_study_s() -> None:
    """In sight beneath the list; not where a study has none."""
    assert "The levels are the study’s own, one for each label (labels.csv)" in _words(_open())
    assert "labels.csv" not in _words(_open(study="mixed_digits", model="label-counts"))


def test_a_label_that_is_filtered_by_has_its_own_number() -> None:
    """Beside high risk, which is of another label where that leads more often."""
    test = _open(plausible=["Melanoma"], sort="high_risk")
    assert _heads(test) == ["Case", "Leading label", "Melanoma", "Danger"]
    table = listed(test)
    share = table["Melanoma"].str.removesuffix("\u00a0%").astype(int)
    assert (share >= 5).all()
    leads = table["Leading label"] == "Melanoma"
    assert share[leads].min() > share[~leads].max() / 2
    assert "Melanoma" not in _heads(_open(sort="high_risk"))
    missed = ["Case", "Leading label", "Missed by", "Melanoma", "Danger"]
    of_label = _open(plausible="Melanoma", preset=DANGER_MISSED)
    assert _heads(of_label) == missed
    often = listed(of_label)["Melanoma"].str.removesuffix("\u00a0%").astype(int)
    assert often.is_monotonic_decreasing, "where the label leads most often, and not any danger"
    assert "Usual: most Melanoma first" in [one for box in of_label.selectbox for one in box.options]
    assert _heads(_open(plausible="Melanoma", missed_by="Model D")) == missed


@pytest.mark.parametrize(
    ("named", "rest", "words"),
    [
        (8, "411 other labels together", " Not drawn: 411 other labels together, 2\u00a0%."),
        (10, "", " Not drawn: 2 more labels that readings name."),
        (3, "411 other labels together", ""),
    ],
)
def test_labels_that_are_not_drawn_are_said(named: int, rest: str, words: str) -> None:
    """Those that were named are counted, and all that nobody named are not one more label."""
    labels = [f"l{i}" for i in range(named)] + [rest] * bool(rest)
    table = pd.DataFrame({"label": labels, "high": 0.1, "plausibility": 0.02, "leads": 0.06, "risk": "L"})
    assert undrawn_words(table, rest) == words
    # One of high risk is drawn beyond the others.
    risky = undrawn_words(table.assign(risk=["L"] * (len(table) - 1) + ["H"]), "")
    assert risky == (" Not drawn: 1 more label that readings name." if len(table) > MOST_LABELS + 1 else "")


def test_a_case_is_found_by_id_part_or_place() -> None:
    """An id wins over a place; a part finds all that have it."""
    ids = ("case 10", "case 2", "10", "B7")
    assert find_case("10", ids, ["case 2"]) == ["10"]
    assert find_case("1", ids, ["case 2", "B7"]) == ["case 2"]
    assert find_case("2", ids, ["case 2", "B7"]) == ["B7"]
    assert find_case("b7", ids, []) == ["B7"]
    assert find_case("case", ids, []) == ["case 10", "case 2"]
    assert find_case("E 1", ids, []) == ["case 10"]
    assert find_case("9", ids, ["case 2"]) == []
    # What begins with a zero is part of an id and no place.
    numbered = ("d-001", "d-044", "d-050")
    assert find_case("044", numbered, ["d-001"] * 44) == ["d-044"]
    assert find_case("1", numbered, ["d-050"]) == ["d-050"]


def _filters_of_metadata(source: str) -> None:
    """Draw the filters for two columns of a study."""
    from dataclasses import replace

    import pandas as pd
    from small_study import small_study

    from dashboard.shell import state
    from dashboard.views.cases import filters

    state.read_address()
    study, _ = small_study("choice", "ab", [["a"], ["b"]])
    cases = pd.DataFrame({"metadata: site": ["arm", "leg"], "metadata: true_share": [0.2, 0.7]})
    filters._metadata(replace(study, source=source), cases)


def test_what_only_a_simulation_knows_has_no_filter_unless_it_is_asked_for() -> None:
    """Nobody knows it of a patient; a link may still ask."""
    page = AppTest.from_function(_filters_of_metadata, kwargs={"source": "Simulated."}).run()
    assert not page.exception
    assert [one.label for one in page.multiselect] == ["Site"]
    assert not page.slider
    real = AppTest.from_function(_filters_of_metadata, kwargs={"source": "A clinic."}).run()
    assert [one.label for one in real.slider] == ["True share"]
    asked = AppTest.from_function(_filters_of_metadata, kwargs={"source": "Simulated."})
    asked.query_params["metadata"] = ["true_share:0.2..0.5"]
    assert [one.label for one in asked.run().slider] == ["True share"]


def _filter_of_a_page_that_is_left(of: str) -> None:
    """Draw a filter; then another page is entered, before the browser has been told of it."""
    import pandas as pd

    from dashboard.shell import widgets
    from dashboard.views.cases import filters

    widgets.enter("cases")
    if of == "certainty":
        filters._span("certainty", "Certainty", 0, 100)
    else:
        filters._number("age", pd.Series([20.0, 70.0]))
    widgets.enter("tour")


@pytest.mark.parametrize("of", ["certainty", "metadata"])
def test_filter_set_while_the_page_is_left_is_no_error(of: str) -> None:
    """What is said too late, when another page stands there, is no error."""
    page = AppTest.from_function(_filter_of_a_page_that_is_left, kwargs={"of": of}).run()
    assert not page.slider[0].set_value((25, 60)).run().exception


def test_columns_of_one_name_are_told_apart() -> None:
    """A column of metadata may be called like a model, or like a column of Loupe's own."""
    names = ["certainty", "readings", "Net: answer", "metadata: Net", "metadata: Certainty", "metadata: site"]
    names += ["metadata: Net (model)", "metadata: note: answer"]
    cases = pd.DataFrame({name: ["x"] for name in names})
    told = columns.titles(cases)
    assert told == {
        "certainty": "Certainty",
        "readings": "Readings",
        "Net: answer": "Net (model)",
        "metadata: Net": "Net (metadata)",
        "metadata: Certainty": "Certainty (metadata)",
        "metadata: site": "Site",
        "metadata: Net (model)": "Net (model) (2)",
        "metadata: note: answer": "note: answer",
    }
    _, task = small_study("choice", "ab", [["a"]])
    heads, _ = columns.cells(cases[["Net: answer", "metadata: Net"]], ["Net: answer", "metadata: Net"], task)
    assert [head.title for head in heads] == ["Net (model)", "Net (metadata)"]


def test_heads_sort_where_there_is_an_order_by_their_column() -> None:
    """The one in force says so, and its opposite, too."""
    test = _open()
    heads = {one["title"]: one for one in sent_list(test)["columns"]}
    assert {title: head["order"] for title, head in heads.items() if head["order"]} == {
        "Certainty": "certainty",
        "Danger": "high_risk",
    }
    assert {heads["Certainty"]["sorted"], heads["Danger"]["sorted"]} == {""}
    by_certainty = {one["title"]: one["sorted"] for one in sent_list(_open(sort="certainty"))["columns"]}
    assert by_certainty["Certainty"] == "ascending"
    by_risk = {one["title"]: one["sorted"] for one in sent_list(_open(sort="high_risk"))["columns"]}
    assert by_risk["Danger"] == "descending"
    by_least = {one["title"]: one["sorted"] for one in sent_list(_open(sort="safest"))["columns"]}
    assert by_least["Danger"] == "ascending"


def _sorting(asked: list[str]) -> None:
    from dashboard.shell import state
    from dashboard.views.cases import sorting

    for order in asked:
        sorting.sort_by(order, state.view().sort)
    state.write_address()


@pytest.mark.parametrize(
    ("asked", "sort"),
    [
        (["high_risk"], ["high_risk"]),
        (["high_risk"] * 2, ["safest"]),
        (["high_risk"] * 3, []),
        (["certainty"] * 2, ["surest"]),
        (["disagreement"] * 2, []),
        (["nonsense"], []),
    ],
)
def test_what_a_head_asks_for(asked: list[str], sort: list[str]) -> None:
    """The browser is not trusted to name an order."""
    test = AppTest.from_function(_sorting, args=(asked,), default_timeout=60).run()
    assert not test.exception
    assert _address(test, "sort") == sort


def _order_names(preset: str) -> None:
    import pandas as pd
    import streamlit as st

    from core.analysis.cases.orders import ORDERS
    from dashboard.shell import state
    from dashboard.views.cases import filters

    state.change(preset=preset)
    rows = pd.DataFrame(columns=["high_risk"])
    st.session_state["words"] = [filters._order_words(rows, name) for name in ("", *ORDERS)]


@pytest.mark.parametrize("preset", list(PRESETS))
def test_no_two_orders_are_called_the_same(preset: str) -> None:
    """The browser says an order by its words: of two that are alike it would say another one."""
    test = AppTest.from_function(_order_names, args=(preset,), default_timeout=60).run()
    assert not test.exception
    words = test.session_state["words"]
    assert len(set(words)) == len(words)


def _supported(study: object, task: object, aggregation: object, *, progress: object) -> pd.DataFrame:
    """A predictive curve that costs nothing, and is highest at 2."""
    columns = {
        "log_likelihood": [-2.0, -1.0],
        "standard_error": 0.1,
        "best_share": [0.0, 1.0],
        "n_readings": 9,
    }
    return pd.DataFrame({"reliability": [1.0, 2.0], **columns})


@pytest.fixture
def supported(monkeypatch: pytest.MonkeyPatch) -> None:
    """What the readings support is found at once, and work ahead is said to have begun."""
    monkeypatch.setattr(trust, "predictive_curve", _supported)
    monkeypatch.setattr(steps.Steps, "are_ahead", property(lambda self: True))


@pytest.mark.usefixtures("at_once", "supported")
def test_the_list_is_counted_where_its_readings_support_it() -> None:
    """As on every page, where nobody has chosen another; the sidebar says so, and the list need not."""
    test = _open(model="plackett-luce", preset=ANY_HIGH_RISK, sort="high_risk")
    assert _address(test, "reliability") == ["2"]
    assert _words(test).count("Each reading counts twice") == 1
    assert "fits them best" not in _words(test)
    assert "It was 1 until the γ was found at which these readings predict one another best." in _words(test)
    assert not [one for one in test.button if one.key == "use-supported"]
    assert f"{len(_ids(test))} of 301 cases." in _words(test)


@pytest.mark.usefixtures("supported")
def test_a_list_that_somebody_is_at_is_not_counted_anew_under_the_hand(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """What the readings support is offered then, and in force once it is wanted."""
    monkeypatch.setattr(jobs.Job, "start", lambda self: None)
    test = _open(model="plackett-luce", preset=ANY_HIGH_RISK, sort="high_risk")
    assert "fits them best" not in _words(test)
    test.button(key="walk-next").click().run()
    before = len(_ids(test))
    monkeypatch.setattr(jobs.Job, "start", lambda self: self._run())
    test.run()
    assert _address(test, "reliability") == ["1"]
    assert "Readings count once; twice fits them best." in _words(test)
    assert len(_ids(test)) == before
    use = test.button(key="use-supported")
    assert use.label == "Count each twice"
    use.click().run()
    assert _address(test, "reliability") == ["2"]
    assert "fits them best" not in _words(test)
    assert not [one for one in test.button if one.key == "use-supported"]
    assert len(_ids(test)) != before


@pytest.mark.usefixtures("supported")
def test_a_page_is_counted_from_its_opening_at_what_another_has_found(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """What was found on one page is in force on the next, before anything of it is drawn."""
    monkeypatch.setattr(jobs.Job, "start", lambda self: self._run())
    first = AppTest.from_function(page_script, args=("reliability",), default_timeout=300)
    first.query_params["study"], first.query_params["model"] = studies.SAMPLE, "plackett-luce"
    first.run()
    assert first.session_state["loupe-view"].reliability == 1
    first.button(key="find-reliability").click().run()
    assert _address(_open(model="plackett-luce"), "reliability") == ["2"]


@pytest.mark.usefixtures("at_once", "supported")
def test_the_case_that_is_open_is_the_first_of_the_list_as_it_is_counted_in_the_end() -> None:
    """Until somebody has asked for one; a case that a link names stays, wherever it is listed then."""
    test = _open(model="plackett-luce")
    assert _address(test, "reliability") == ["2"]
    assert _address(test, "case") == [_ids(test)[0]]
    other = _ids(test)[4]
    named = _open(model="plackett-luce", case=other)
    assert _address(named, "reliability") == ["2"]
    assert _address(named, "case") == [other]


@pytest.mark.usefixtures("supported")
def test_what_an_earlier_start_has_found_is_in_force_from_the_first_page(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """A second start counts as the first did in the end, and nothing is sought anew."""
    monkeypatch.setattr(jobs.Job, "start", lambda self: self._run())
    assert _address(_open(model="plackett-luce"), "reliability") == ["2"]
    cache.forget_work()
    monkeypatch.setattr(jobs.Job, "start", lambda self: pytest.fail("it is known"))
    test = _open(model="plackett-luce")
    assert _address(test, "reliability") == ["2"]
    assert "Each reading counts twice" in _words(test)


def test_the_first_sample_is_counted_from_its_first_page_as_its_readings_support(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """What every first visitor sees comes with it, and does not change under their eyes."""
    monkeypatch.setattr(trust, "SUPPORTED", SUPPORTED)
    monkeypatch.setattr(jobs.Job, "start", lambda self: pytest.fail("it is known"))
    test = _open(model="plackett-luce")
    assert _address(test, "reliability") == ["2"]
    assert "Each reading counts twice" in _words(test)


def test_the_slider_is_computed_ahead_once_it_is_known_where_it_stands(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """Both at once would change what is counted later; a reliability that was chosen waits for nothing."""
    around: list[float] = []
    monkeypatch.setattr(steps.Steps, "compute_ahead", lambda self, gamma: around.append(gamma))
    monkeypatch.setattr(trust, "predictive_curve", _supported)
    monkeypatch.setattr(jobs.Job, "start", lambda self: None)
    monkeypatch.setattr(jobs.Job, "running", property(lambda self: True))
    _open(model="plackett-luce")
    assert around == []
    _open(model="plackett-luce", reliability="3")
    assert around == [3]


def test_tied_labels_that_have_no_room_are_named_on_lines_of_their_own() -> None:
    """The first is the worst; beneath it stands the other, or how many."""
    labels = ("Acne", "Nevus, congenital", "Basal Cell Carcinoma", "Melanocytic Nevus", *"abcdef")
    for of, others in (
        (["Basal Cell Carcinoma", "Acne"], "Acne"),
        # A label may hold what stands between labels.
        (["Nevus, congenital", "Melanocytic Nevus"], "Melanocytic Nevus"),
        (["Basal Cell Carcinoma", *"abcdef"], "6 more"),
    ):
        (said,) = cell_words.tied_first(pd.Series([tied_in_words(of)]))
        assert cell_words.counted([said], labels) == {said: (f"{of[0]}\nor {others}",)}
        (share,) = cell_words.counted([f"34 % {said}"], labels).values()
        assert share == (f"34 % {of[0]}\nor {others}",)
    assert cell_words.counted(["Tied: a or b", "alone"], ("a", "b")) == {"Tied: a or b": ("a\nor b",)}
    assert cell_words.counted(["A label that is long but alone"], labels) == {}
    alone = "Tied: sutures that were cut"
    assert cell_words.counted([alone], (alone,)) == {alone: ()}, "a label that is called so"


def test_a_reliability_that_was_chosen_is_only_said() -> None:
    """Nobody is led away from what they, or a link, asked for."""
    test = _open(reliability="3")
    assert _address(test, "reliability") == ["3"]
    assert "fits them best" not in _words(test)
    assert not [one for one in test.button if one.key == "use-supported"]


def test_who_says_that_a_label_is_of_high_risk_stands_at_the_foot_of_the_list() -> None:
    """In a line that nobody has to unfold or point at, and with the place on Study that lists all labels."""
    words = _words(_open())
    short = words.index("<p>Risk, by the study: L low, M medium, H high</p>")
    assert short < words.index("What lists and columns mean, and keys") < words.index(WHO_SAYS)
    assert "the study’s own levels" not in _words(_open(study="toy_three_labels"))


def test_rules_of_missed_dangers_are_folded_beneath_their_list() -> None:
    """Which are in which part: once, and beneath no other list."""
    words = _words(_open(preset=DANGER_MISSED))
    assert words.count(MISSED_RULES) == 1
    assert words.index("What lists and columns mean, and keys") < words.index(MISSED_RULES)
    meaning = "at least one model puts no high-risk label first."
    assert words.index("What lists and columns mean, and keys") < words.index(meaning)
    assert MISSED_RULES not in _words(_open(preset=ANY_HIGH_RISK))


def test_lists_and_signs_are_explained_beneath_the_list() -> None:
    """In a line each, and those alone that the study has."""
    words = _words(_open())
    folded = words[words.index("What lists and columns mean, and keys") :]
    for name in (
        DANGER_MISSED, ANY_HIGH_RISK, MODEL_DIFFERS, ACCURACY_MISLEADS,
    ):  # fmt: skip
        assert f"<p>List <b>{PRESETS[name].short}</b>: {APART[name]}</p>" in folded
    assert folded.count("<p>List ") == 4
    signs = "⚑ flagged, ✎ with a note, ↻ to re-read, ⋯ in discussion, ◔ pending, ✓ settled"
    assert f"Behind a case: {signs}." in folded
    assert "List <b>Any danger" not in _words(_open(study="toy_three_labels"))


def test_parts_of_a_list_are_explained_beneath_it_where_they_are_unfolded() -> None:
    """Behind the list that they are parts of, also where one of them is chosen."""
    for whole, parts in (
        (ANY_HIGH_RISK, OF_HIGH_RISK),
        (DANGER_MISSED, (MISSED_UNSETTLED, MISSED_LIKELY, MISSED_BEHIND)),
    ):
        told = [f"<p>List <b>{PRESETS[name].short}</b>: {APART[name]}</p>" for name in (whole, *parts)]
        for chosen in (whole, parts[-1]):
            assert "".join(told) in _words(_open(preset=chosen))
        assert told[-1] not in _words(_open())
