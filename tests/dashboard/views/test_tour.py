"""The tour: its words are few and true, its pictures hold the numbers and say them to the pointer."""

from __future__ import annotations

import json
import re
from collections import Counter
from collections.abc import Iterator
from html import escape, unescape
from itertools import product
from typing import Any

import numpy as np
import pandas as pd
import pytest
from page_script import page_script
from streamlit.testing.v1 import AppTest
from streamlit.testing.v1.element_tree import NumberInput

from core.analysis import tour as toy
from core.analysis import (
    tour_agreement,
    tour_answer,
    tour_case,
    tour_claim,
    tour_danger,
    tour_note,
    tour_onward,
    tour_proof,
    tour_ways,
)
from core.analysis.cases.case import open_case
from core.analysis.cases.truths import of_hundred_truths
from core.analysis.reliability.kept import kept_curve
from core.analysis.vendor_questions import AGREEMENT, CASES, READERS
from core.cli import sample_folder
from core.plausibility.reductions import majority
from core.plausibility.settings import RELIABILITIES, default_aggregation
from core.study.reading.folder import read_study
from dashboard.charts.figure import Figure
from dashboard.charts.tour.claim import claim_chart
from dashboard.charts.tour.danger import danger_chart
from dashboard.charts.tour.truths import PLAYING, STEP, truths_chart
from dashboard.charts.tour.ways import ways_chart
from dashboard.shell import steps, theme, trust
from dashboard.shell.address import parse
from dashboard.shell.view import View
from dashboard.views.tour import danger, fields, yours
from dashboard.views.tour import page as tour
from sample_data.supported import SUPPORTED

LETTERS = list(toy.LABELS)
MOST_WORDS = 40


def _with_address() -> None:
    """Draw the tour at what the address says."""
    from dashboard.shell import state
    from dashboard.views.tour import page as tour

    state.read_address()
    tour.show()


def page() -> None:
    """Draw the tour alone."""
    from dashboard.views.tour import page as tour

    tour.show()


LOOK_AHEAD = danger.look_ahead


@pytest.fixture(autouse=True)
def _nothing_ahead(monkeypatch: pytest.MonkeyPatch) -> None:
    """What the next page needs is begun in its own test alone."""
    monkeypatch.setattr(danger, "look_ahead", lambda: None)


@pytest.fixture
def app(at_once: None) -> AppTest:
    """The page as it opens, once what is worked out in the background is known."""
    return AppTest.from_function(page, default_timeout=300).run()


def readings(app: AppTest) -> list[str]:
    """What the raters say, and the label that is kept."""
    texts = [
        element.proto.body for element in app.get("html") if '<dl class="tour-readings"' in element.proto.body
    ]
    return re.findall(r"<dd>(\w)</dd>", texts[-1])


def test_the_page_opens_with_three_steps(app: AppTest) -> None:
    """Three numbered steps, a picture of the answer and one of each step, no error; the first is shown."""
    assert not app.exception
    assert [header.value[0] for header in app.header[:3]] == list("123")
    assert 'data-shown-step="case"' in said(app)
    assert len(app.get("vega_lite_chart")) == 4
    assert [header.value for header in app.header[3:]] == ["Three things to do next"]
    assert len(app.subheader) == 3


def test_every_step_is_short(app: AppTest) -> None:
    """No paragraph has more than so many words."""
    paragraphs = [element.value for element in app.markdown]
    assert len(paragraphs) == 6
    for words in "\n\n".join(paragraphs).split("\n\n"):
        assert len(words.split()) <= MOST_WORDS, words


def test_the_headline_agrees_with_the_first_draw(app: AppTest) -> None:
    """It speaks of experts who disagree, which the first three do; no number of answers is named."""
    assert app.title[0].value.startswith("When experts disagree")
    *named, _ = readings(app)
    assert len(set(named)) > 1
    assert not re.search(r"\b(two|three|different)\b", app.title[0].value)


def said(app: AppTest) -> str:
    """Words that are no Markdown."""
    return " ".join(element.proto.body for element in app.get("html"))


def said_apart(app: AppTest) -> list[str]:
    """The same, one by one."""
    return [element.proto.body for element in app.get("html")]


def field(app: AppTest, name: str) -> NumberInput:
    """A field of the claim as it stands there now, under whatever key."""
    (found,) = [one for one in app.number_input if one.key.split("--")[0] == f"choose-tour_{name}"]
    return found


def shown_in(app: AppTest, name: str) -> float | None:
    """What somebody sees in a field, which shows nine digits at most."""
    value = field(app, name).value
    return None if value is None else float(f"{value:.9g}")


def answer(claimed: float, n_readers: int, agreement: float, n_cases: int = toy.N_CASES) -> list[str]:
    """What core says of a claim."""
    found = tour_claim.claim(claimed, n_readers, agreement, n_cases)
    needed = tour_claim.readers_needed(claimed, agreement, n_cases)
    better = tour_claim.better_readers(claimed, agreement, n_cases)
    twice = tour_claim.claim(claimed, n_readers, agreement, n_cases, reliability=tour_answer.TWICE)
    return [
        tour_answer.verdict(found),
        tour_answer.support(found),
        tour_answer.reason(found),
        tour_answer.advice(found, needed),
        tour_answer.guide(found),
        *filter(None, [tour_answer.enough(found, needed, better)]),
        tour_answer.by_trust(found, twice),
        tour_answer.to_quote(found, twice),
        *tour_answer.worked_out(found),
    ]


def test_a_claim_of_ones_own_is_answered(app: AppTest) -> None:
    """By the numbers that are typed: a verdict, by which rule, and what to do; and by what to ask."""
    assert all(escape(words) in said(app) for words in answer(0.92, 3, 0.6))
    assert all(escape(question) in said(app) for question in tour_answer.QUESTIONS)
    places = [said(app).index(escape(words)) for words in answer(0.92, 3, 0.6)]
    asked = said(app).index(escape(tour_answer.QUESTIONS[0]))
    assert places == sorted(places)
    assert places[4] < asked < places[5], "what is asked comes right beneath the answer; the rest is folded"
    field(app, "claimed").set_value(80)
    field(app, "agreement").set_value(70)
    field(app, "cases").set_value(400)
    field(app, "readers").set_value(30).run()
    assert not app.exception
    assert all(escape(words) in said(app) for words in answer(0.8, 30, 0.7, 400))
    others = set(answer(0.92, 3, 0.6)) - set(answer(0.8, 30, 0.7, 400))
    assert not any(escape(words) in said(app) for words in others)


def test_the_answer_shows_claim_range_and_ceiling_alone(app: AppTest) -> None:
    """Whatever else is a percentage is folded away: what more readers or more trust would change, and how."""
    found = tour_claim.claim(0.92, 3, 0.6, toy.N_CASES)
    named = {round(100 * end) for end in (0.92, found.low, found.high, 0.6)}
    folded = {id(one) for fold in app.expander for one in fold.get("html")}
    top = " ".join(one.proto.body for one in app.get("html") if id(one) not in folded)
    answered = top[top.index(tour._CLAIM) : top.index("Why, in three steps")]
    why = tour_danger.danger_in_brief(danger.found())
    assert why in answered
    answered = answered.replace(why, "")
    before, _, scale = answered.partition('<div class="loupe-text tour-scale">')
    scale, _, after = scale.partition("</div>")
    answered = before + after
    agreements = [tour_claim.claim(0.92, 3, percent / 100, toy.N_CASES) for percent in (40, 60, 80, 95)]
    for agree, supported, of_claim in tour_agreement.scale(agreements):
        assert f"<i>agree in {agree}</i> <b>{supported}</b> <small>{of_claim}</small>" in scale
    assert scale.count("data-now") == 1
    assert "data-now><i>agree in 60\u00a0%" in scale
    assert {int(number) for number in re.findall(r"(\d+)\u00a0%", answered)} <= named
    (fold,) = [one for one in app.expander if one.label.startswith("What more readers")]
    inside = " ".join(one.proto.body for one in fold.get("html"))
    *_, enough, by_trust, to_quote, _, _, _ = answer(0.92, 3, 0.6)
    assert enough.startswith("At 60\u00a0% agreement, no number of readers")
    assert "; at 80\u00a0% agreement, about" in enough
    for words in (enough, by_trust, to_quote):
        assert escape(words) in inside
        assert escape(words) not in answered


def _cells(app: AppTest) -> list[str]:
    """How often readers agree in each cell of what is supported by that; what is in force has a star."""
    (scale,) = re.findall('<div class="loupe-text tour-scale">(.*?)</div>', said(app)) or [""]
    return [
        f"{agree}{'*' if now else ''}"
        for now, agree in re.findall(r"<li( data-now)?><i>agree in (\d+)", scale)
    ]


def test_what_hangs_on_agreement_is_said_by_it(app: AppTest) -> None:
    """What is told stands among the others, and can be taken back; one reader alone cannot disagree."""
    assert _cells(app) == ["40", "60*", "80", "95"]
    field(app, "agreement").set_value(75).run()
    assert _cells(app) == ["40", "60", "75*", "80", "95"]
    field(app, "agreement").set_value(80).run()
    assert _cells(app) == ["40", "60", "80*", "95"]
    app.button(key="tour-not-told").click().run()
    assert _cells(app) == ["40", "60*", "80", "95"]
    assert app.session_state["loupe-view"].tour_agreement is None
    assert "tour-not-told" not in {one.key for one in app.button}
    field(app, "readers").set_value(1).run()
    assert _cells(app) == []


def test_each_thing_is_said_once(app: AppTest) -> None:
    """Whether in the answer or folded away beneath it; the note, which is taken away, is whole in itself."""
    (note,) = [one for one in app.expander if one.label.startswith("What the note")]
    of_note = {id(one) for one in note.get("html")}
    page = " ".join(one.proto.body for one in app.get("html") if id(one) not in of_note)
    page = unescape(re.sub("<[^>]*>", " ", page))
    for words in (
        "probably wrong, and which ones is unknown",
        "was counted as right",
        tour_answer.SUPPORT,
        "It counts each reading once",
        "it says nothing about biopsy or follow-up",
        "invented cases",
        "no number of readers",
        "do not buy or reject",
        "lies in the supported range in 95",
        tour_case.EXPLAINED,
        tour_case.NO_CHANCE,
    ):
        assert page.count(words) == 1, words


def test_the_answer_can_be_taken_away(app: AppTest) -> None:
    """As a note with the numbers of the fields, every question, and what it is for; and to be saved."""
    numbers = (
        "Claimed: 92\u00a0%, on 150 cases",
        "Readers of each case: 3",
        "Agreement of two readers of a case, picked at random: 60\u00a0%",
    )
    for words in (*numbers, "What a claimed accuracy of 92\u00a0% is worth</h2>"):
        assert words in said(app)
    assert said(app).count(escape(tour_answer.QUESTIONS[0])) == 2, "beside the answer, and in the note"
    assert "Research use, not for diagnosis." in said(app)
    assert len(app.code) == 0, "no marks of Markdown"
    saved = [one.proto for one in app.get("download_button")]
    assert [one.label for one in saved] == ["Save to print (HTML)", "Save as text"]
    assert all(one.url for one in saved)
    field(app, "claimed").set_value(81).run()
    assert "What a claimed accuracy of 81\u00a0% is worth</h2>" in said(app)
    assert said(app).count(escape(answer(0.81, 3, 0.6)[3])) == 2


def test_values_never_given_are_called_examples(app: AppTest) -> None:
    """All of them as the page opens, then those that are as they were; the note says so of all."""
    assert escape(tour_answer.EXAMPLE) in said(app)
    assert tour_note.EXAMPLE_NOTE in said(app)
    field(app, "claimed").set_value(95).run()
    assert escape(tour_answer.EXAMPLE) not in said(app)
    assert tour_note.EXAMPLE_NOTE not in said(app)
    assert tour_answer.PALE in said(app)
    condition = "If 3 readers read each of 150 cases and any two agree 60\u00a0% of the time:"
    assert said(app).count(condition) == 2
    assert "on 150 cases (assumed)" in said(app)
    for name, value in (("cases", 300), ("readers", 5), ("agreement", 70)):
        field(app, name).set_value(value).run()
    assert not re.search(
        "assumed|If ", said(app).split("Three things")[0].split(tour._CLAIM)[1].split("<table")[0]
    )
    assert tour_answer.OWN in said(app)


def test_what_the_answer_hangs_on_is_said_before_anything_is_typed(app: AppTest) -> None:
    """Right above it, once, and not beside the fields too."""
    condition = "If 3 readers read each of 150 cases and any two agree 60\u00a0% of the time:"
    words = said(app)
    assert tour_answer.EXAMPLE in unescape(words)
    verdict = escape(answer(0.92, 3, 0.6)[0])
    between = words[words.index(condition) + len(condition) : words.index(verdict)]
    assert re.sub("<[^>]*>", "", between).strip() == ""
    assert words.count(condition) == 2, "and in the note"


def test_the_numbers_of_the_example_can_be_told_too(app: AppTest) -> None:
    """Whoever types the very numbers that stood there, pale, has told them: they are not asked for again."""
    field(app, "claimed").set_value(95).run()
    assert "on 150 cases (assumed)" in said(app)
    assert said(app).count(escape(READERS)) == 2
    field(app, "cases").set_value(toy.N_CASES).run()
    field(app, "readers").set_value(toy.N_RATERS).run()
    assert not app.exception
    # How often readers agree was not told: it is asked for, and called an example, until it is typed.
    assert said(app).count("If any two readers agree 60\u00a0% of the time:") == 2
    assert "picked at random: 60\u00a0% (assumed)" in said(app)
    assert said(app).count(escape(AGREEMENT)) == 2
    field(app, "agreement").set_value(60).run()
    assert not re.search("[Aa]ssumed|Example values", said(app))
    assert tour_answer.OWN in said(app)
    assert not any(escape(question) in said(app) for question in (CASES, READERS, AGREEMENT))
    for asked in tour_answer.questions(("cases", "readers", "agreement"), 3):
        assert said(app).count(escape(asked.removesuffix("."))) == 2, "beside the answer, and in the note"
    field(app, "readers").set_value(0).run()
    assert "If 3 readers read each case:" in said(app)


def test_all_fields_that_took_another_number_say_so(app: AppTest) -> None:
    """Not only the last, until something is told that is taken, in whichever field."""
    field(app, "claimed").set_value(925).run()
    field(app, "cases").set_value(5).run()
    assert "925\u00a0% lies outside" in said(app)
    assert "Cases tested: 5 lies outside" in said(app)
    field(app, "readers").set_value(5).run()
    assert "lies outside" not in said(app)
    field(app, "claimed").set_value(92.55).run()
    assert "92.55\u00a0% is taken as 92.6\u00a0%." in said(app)
    field(app, "cases").set_value(5).run()
    field(app, "readers").set_value(0).run()
    assert "lies outside" not in said(app)
    assert "is taken as" not in said(app), "that was read before"


@pytest.mark.parametrize("before", [None, 92, 92.5, 10.1, 100])
def test_what_was_not_taken_is_read_once_the_number_before_is_typed_again(
    app: AppTest, before: float | None
) -> None:
    """The browser sends it, though the field shows the same: it holds hardly more."""
    if before is not None:
        field(app, "claimed").set_value(before).run()
    field(app, "claimed").set_value(300).run()
    assert "300\u00a0% lies outside" in said(app)
    held = field(app, "claimed").value
    assert shown_in(app, "claimed") == before
    again = 92 if before is None else before
    assert held != again
    field(app, "claimed").set_value(again).run()
    assert "lies outside" not in said(app)
    assert field(app, "claimed").value == again
    assert app.session_state["loupe-view"].tour_claimed == again


def test_what_was_not_taken_is_read_once_the_page_was_left(app: AppTest) -> None:
    """Drawn again on the same visit, it still stands there."""
    field(app, "cases").set_value(5).run()
    app.run()
    assert "5 lies outside" in said(app)
    app.session_state["loupe-visits"] = 2
    app.run()
    assert not app.exception
    assert "lies outside" not in said(app)


@pytest.mark.parametrize(
    ("typed", "taken", "words"),
    [
        (0.92, 92, ""),
        (0.925, 92.5, ""),
        (92.55, 92.6, "Claimed accuracy: 92.55\u00a0% is taken as 92.6\u00a0%."),
        (0.9255, 92.6, "Claimed accuracy: 0.9255 is taken as 92.6\u00a0%."),
    ],
)
def test_what_is_told_finer_than_it_is_answered_is_said(
    app: AppTest, typed: float, taken: float, words: str
) -> None:
    """A share is the same number as its percentage, of which nothing is said; one that is rounded is another.

    It is said on the page, and not in the note.
    """
    field(app, "claimed").set_value(typed).run()
    assert said(app).count("is taken as") == said(app).count(escape(words) or "is taken as") == bool(words)
    assert shown_in(app, "claimed") == taken
    assert escape(tour_answer.verdict(tour_claim.claim(taken / 100, 3))) in said(app)


@pytest.mark.usefixtures("at_once")
def test_a_link_keeps_that_numbers_are_ones_own() -> None:
    """Who is sent it is not told that they are an example."""
    opened = AppTest.from_function(_with_address, default_timeout=300)
    told = {"claimed": "92", "cases": "150", "readers": "3", "agreement": "80"}
    for name, value in told.items():
        opened.query_params[f"tour_{name}"] = value
    opened.run()
    assert not opened.exception
    assert tour_answer.EXAMPLE not in said(opened)
    assert tour_answer.OWN in said(opened)


def test_the_numbers_of_the_example_are_taken_without_typing_them(app: AppTest) -> None:
    """Beside what is saved it is said whose they are, before it is saved; not once a number is somebody's."""
    of_example = escape(yours._OF_EXAMPLE)
    assert said(app).count(of_example) == 1
    app.button(key="tour-mine").click().run()
    assert not app.exception
    assert [one.value for one in app.number_input] == [92, toy.N_CASES, toy.N_RATERS, None]
    assert tour_answer.OWN not in said(app), "how often readers agree is seldom told"
    assert "Example values" not in said(app)
    for name in ("cases", "readers", "agreement"):
        assert of_example not in said(app)
        assert not [one for one in app.button if one.key == "tour-mine"]
        field(app, name).set_value(0).run()
    assert of_example not in said(app), "the claim is still somebody's"


def test_the_note_is_saved_beside_the_verdict(app: AppTest) -> None:
    """Before the questions and what is folded away."""
    drawn = [*app]
    places = {getattr(one, "label", ""): i for i, one in enumerate(drawn)}
    bodies = [getattr(getattr(one, "proto", None), "body", "") for one in drawn]
    advised = next(i for i, body in enumerate(bodies) if "loupe-tour-advice" in body)
    asked = next(i for i, body in enumerate(bodies) if "tour-questions" in body)
    assert advised < places["Save to print (HTML)"] < places["Save as text"] < asked


def test_a_published_case_comes_first(app: AppTest) -> None:
    """Its six lists, what they leave open, and where it can be opened, above all else."""
    drawn = [*app]
    places = {getattr(one, "label", ""): i for i, one in enumerate(drawn)}
    bodies = [getattr(getattr(one, "proto", None), "body", "") for one in drawn]
    (shown,) = [body for body in bodies if 'class="tour-lists"' in body]
    lists = re.findall("<li>(.*?)</li>", shown.split("</ol>")[0])
    words = [unescape(re.sub("<[^>]*>", "", one)).replace("\u00a0", " ") for one in lists]
    assert words == [
        "1. Pyogenic granuloma 2. Hemangioma 3. Melanoma",
        "1. Angiokeratoma of skin 2. Atypical Nevus",
        "1. Hemangioma 2. Melanocytic Nevus, Melanoma, O/E - ecchymoses present, tied",
        "1. Hemangioma, Melanoma, Skin Tag, tied",
        "1. Melanoma",
        "1. Hemangioma 2. Melanoma 3. Melanocytic Nevus",
    ]
    assert set(re.findall("<b>(.*?)</b>", shown)) == {tour_case.DANGER}, "red is a danger, and nothing else"
    assert re.findall('class="tour-often">(.*?)</span>', shown) == ["61", "38", "&lt; 1"]
    beneath = shown.split('class="tour-open"')[1].split("</ul>")[1]
    assert escape(tour_case.NO_CHANCE) in beneath, "what the bars are, and are not, stands beneath them"
    assert "leave Melanoma the likeliest in 38 of 100" in tour_case.NO_CHANCE
    assert "only biopsies would tell" in tour_case.NO_CHANCE
    assert escape(tour_case.LEFT_BY) in beneath
    conclusion = f'<p class="tour-errs">{escape(tour_case.COUNTED_WRONG)}</p></div>'
    assert shown.endswith(conclusion), "all else leads to it"
    assert bodies.index(shown) < places["Save to print (HTML)"]
    assert places["Open the case"] < places["Save to print (HTML)"]
    looks = [app.button(key=f"tour-{name}").proto.type for name in ("open", "more")]
    assert looks == ["secondary", "secondary"], "neither is louder than the way to one's own numbers"


def test_whoever_was_quoted_an_accuracy_is_led_to_the_fields_and_on_to_study(app: AppTest) -> None:
    """First of all that is offered; beneath the answer, to labels whose readings are there."""
    first, *_ = [one for one in app.button if one.key]
    assert first.key == "onto-claim"
    assert first.label == "Were you quoted an accuracy? Type it here"
    assert tour_onward.AFTER_CLAIM in said(app)
    keys = [one.key for one in app.button]
    assert keys.index("onto-step-errs") < keys.index("tour-to-study")
    app.button(key="tour-to-study").click().run()
    assert app.session_state["loupe-leads-to"] == "study"


def test_two_of_its_plausible_truths_are_shown(app: AppTest) -> None:
    """Between what one is and how many there are of each kind: as bars, pieces as wide as what is said."""
    (shown,) = [body for body in said_apart(app) if 'class="tour-lists"' in body]
    (examples,) = re.findall('<ul class="tour-truths">(.*?)</ul>', shown)
    assert shown.index(tour_case.EXPLAINED) < shown.index(examples) < shown.index(tour_case.LEFT_OPEN)
    told = [re.sub("<b.*?</b> |<[^>]*>", "", one) for one in re.findall("<li>(.*?)</li>", examples)]
    assert told == [
        "One plausible truth: Hemangioma leads with 36\u00a0%, Melanoma 24\u00a0%, others 40\u00a0%.",
        "Another: Melanoma leads with 34\u00a0%, Hemangioma 26\u00a0%, others 40\u00a0%.",
    ]
    pieces = re.findall(r'data-level="(\w?)" style="flex-grow: ([\d.]+)"', examples)
    assert [(letter, round(100 * float(grow))) for letter, grow in pieces if letter] == [
        ("M", 36), ("H", 24), ("H", 34), ("M", 26),
    ]  # fmt: skip
    letters = re.findall(r"<b[^>]*>(\w)</b> (\w+)</span> ", examples)
    both = [("M", "Hemangioma"), ("H", "Melanoma")]
    assert letters == [*both, *both[::-1]], "beside the names that they are of"


@pytest.mark.parametrize(
    ("study", "who_sees"),
    [
        ("dermatology_like", "a danger may be the truth but a model puts no danger first (“Danger missed”)"),
        ("toy_three_labels", "Cases whose label is least certain"),
    ],
)
@pytest.mark.usefixtures("at_once")
def test_its_end_leads_on_whoever_decides_and_whoever_sees_patients(study: str, who_sees: str) -> None:
    """In one line each, about the study that is open; the third thing is for those with their own labels."""
    opened = AppTest.from_function(_with_address, default_timeout=300)
    opened.query_params["study"] = study
    opened.run()
    assert not opened.exception
    headings = ["You decide about a model", "You see patients", "Your own labels"]
    assert [one.value for one in opened.subheader] == headings
    assert "a page of questions for the vendor" in said(opened)
    assert who_sees in said(opened)
    assert "On Review you can have such cases read again" in said(opened)
    assert f"The first two open the example study, “Sample: {study.replace('_', ' ')}”" in said(opened)


def test_plausible_truths_have_one_name(app: AppTest) -> None:
    """In the answer, its note, the steps, the captions and the pictures."""
    words = said(app) + " ".join(one.value for one in [*app.markdown, *app.header, *app.caption])
    words += json.dumps([one.proto.spec for one in app.get("vega_lite_chart")])
    assert not re.search("answer key|possible truth", words)
    assert "Each dot is a **plausible truth**" in words
    assert f'<p class="tour-explained">{tour_case.EXPLAINED}</p>' in words, (
        "in a sentence of its own, where they first stand"
    )
    assert words.index(tour_case.EXPLAINED) < words.index(tour_case.LEFT_OPEN)
    assert words.count("likeliest leads") == 1, "what leads is said there, and only there"
    assert "largest share leads" not in words
    assert "possible mix" not in words


def test_steps_lead_on_and_are_led_to(app: AppTest) -> None:
    """By a button at the end of each but the last, and by those beside the answer; the link keeps which."""
    for pressed, shown, onward in (
        ("onto-step", "cases", "Next: where it errs"),
        ("onto-step", "errs", ""),
        ("onto-step-errs", "errs", ""),
    ):
        app.button(key=pressed).click().run()
        assert not app.exception
        assert f'data-shown-step="{shown}"' in said(app)
        assert [one.label for one in app.button if one.label.startswith("Next")] == [onward] * bool(onward)
        assert app.session_state["loupe-view"].tour_step == ("" if shown == "case" else shown)
        assert len(app.get("vega_lite_chart")) == 4, "all of them are drawn, and stay as they were left"


@pytest.mark.usefixtures("at_once")
def test_a_link_opens_a_step() -> None:
    """One that there is not opens the first."""
    for asked, shown in (("errs", "errs"), ("cases", "cases"), ("none", "case")):
        opened = AppTest.from_function(_with_address, default_timeout=300)
        opened.query_params["tour_step"] = asked
        opened.run()
        assert not opened.exception
        assert f'data-shown-step="{shown}"' in said(opened)


def test_the_second_step_is_of_the_claim_in_the_fields(app: AppTest) -> None:
    """Typed or assumed: its words, and the dots, which are the truths that the answer counts."""
    for typed in ({}, {"claimed": 84}, {"cases": 400, "readers": 7, "agreement": 80}):
        for name, number in typed.items():
            field(app, name).set_value(number)
        app.run()
        numbers = [field(app, name).value for name in ("claimed", "readers", "agreement", "cases")]
        claimed, readers, agreement, n_cases = (
            example if number is None else number
            for number, example in zip(numbers, (92, 3, 60, 150), strict=True)
        )
        found = tour_claim.claim(claimed / 100, int(readers), agreement / 100, int(n_cases))
        assert tour_ways.ways_in_words(found) in [one.value for one in app.markdown]
        dots = ways_chart(found, tokens=theme.LIGHT).data["dots"]
        assert dots["accuracy"].tolist() == list(found.truths)
        assert tour_proof.range_in_words(found.row) in said(app), (
            "the range of the answer is that of the dots"
        )


def test_no_letter_stands_for_reliability_before_it_is_explained(app: AppTest) -> None:
    """Neither in the steps, their captions and their pictures; folded away, γ is named once, as a word's."""
    words = " ".join(one.value for one in [*app.markdown, *app.header, *app.caption])
    words += "".join(one.proto.spec for one in app.get("vega_lite_chart"))
    assert "γ" not in json.dumps(words, ensure_ascii=False)
    assert "\\u03b3" not in words
    assert said(app).count("γ") == 1
    assert escape(tour_answer.GAMMA) in said(app)


def test_how_often_a_reading_counts_is_said_in_words() -> None:
    """At each step of the slider; without limit, what that comes to."""
    spec = json.dumps(truths_figure(theme.LIGHT).spec, ensure_ascii=False)
    for words in ("counts once", "counts twice", "counts 3 times", "The votes are taken for the truth"):
        assert words in spec


def test_dots_of_twenty_say_about_where_the_share_lies_between_two() -> None:
    """68 % is about 14 of 20, and 100 % is 20 of 20."""
    headings = truths_figure(theme.LIGHT).data["heading"].set_index("step")["words"]
    assert headings[tour.START] == "C is 68\u00a0% certain: about 14 of 20"
    assert headings[len(RELIABILITIES) - 1] == "C is 100\u00a0% certain: 20 of 20"


def test_readers_have_one_name(app: AppTest) -> None:
    """Nobody is a rater, neither in the sentences nor on the buttons."""
    words = said(app) + " ".join(one.value for one in [*app.markdown, *app.header, *app.subheader])
    words += " ".join(one.label for one in app.button)
    assert "Ask three other readers" in words
    assert not re.search(r"\braters?\b", words)


@pytest.mark.usefixtures("at_once")
@pytest.mark.parametrize(
    ("address", "is_found"), [({}, True), ({"reliability": "1"}, False), ({"study": "x"}, False)]
)
def test_the_next_page_finds_what_its_readings_support(
    monkeypatch: pytest.MonkeyPatch, address: dict[str, str], is_found: bool
) -> None:
    """It was begun while the tour was read, unless somebody has chosen a reliability or another study."""

    def curve(*given: object, progress: object) -> pd.DataFrame:
        columns = {"log_likelihood": [-2.0, -1.0], "standard_error": 0.1, "best_share": [0.0, 1.0]}
        return pd.DataFrame({"reliability": [1.0, 3.0], **columns})

    monkeypatch.setattr(trust, "predictive_curve", curve)
    monkeypatch.setattr(danger, "look_ahead", LOOK_AHEAD)
    monkeypatch.setattr(steps.Steps, "compute_ahead", lambda self, around: None)
    monkeypatch.setattr(steps.Steps, "are_ahead", property(lambda self: True))
    opened = AppTest.from_function(_with_address, default_timeout=300)
    for name, value in address.items():
        opened.query_params[name] = value
    opened.run()
    assert not opened.exception
    study = danger.sample()
    (task,) = study.tasks.values()
    assert trust.job_of(study, task, default_aggregation(task)).begun == is_found
    if is_found:
        cases = AppTest.from_function(page_script, args=("cases",), default_timeout=300).run()
        assert not cases.exception
        assert cases.session_state["loupe-view"].reliability == 3


def test_what_is_out_of_range_is_not_taken(app: AppTest) -> None:
    """It is said, with the range; the field and the answer stay as they were."""
    field(app, "cases").set_value(300).run()
    for name, typed, refused in (
        ("agreement", 101, ": 101\u00a0% lies outside 40 to 100\u00a0% and is not used. The answer uses 60"),
        (
            "readers",
            500,
            "Readers of each case: 500 lies outside 1 to 100 and is not used. The answer uses 3.",
        ),
        ("cases", 12, "Cases tested: 12 lies outside 20 to 10,000 and is not used. The answer uses 300."),
        ("cases", 20000, "Cases tested: 20,000 lies outside 20 to 10,000 and is not used."),
    ):
        before = shown_in(app, name)
        field(app, name).set_value(typed).run()
        assert not app.exception
        assert shown_in(app, name) == before
        assert said(app).count(refused) == 1, "on the page, and not in the note"
        assert len(app.get("vega_lite_chart")) == 4
    then = tour_claim.claim(0.92, 3, 0.6, 300)
    assert "If 3 readers read each case and any two agree 60\u00a0% of the time:" in said(app)
    assert escape(tour_answer.verdict(then)) in said(app)
    for name, value in (("agreement", 60), ("readers", 3), ("cases", 150)):
        field(app, name).set_value(value).run()
    assert "lies outside" not in said(app)


@pytest.mark.parametrize("typed", [95, 97, 99, 100])
def test_readers_who_nearly_always_agree_have_an_answer_of_their_own(app: AppTest, typed: int) -> None:
    """It is to what is typed, of which nothing is said; that those who always agree may be wrong is."""
    field(app, "readers").set_value(5).run()
    field(app, "agreement").set_value(typed).run()
    assert not app.exception
    assert not re.search("not used|is taken as", said(app))
    assert shown_in(app, "agreement") == typed
    assert all(escape(words) in said(app) for words in answer(0.92, 5, typed / 100))
    assert f"picked at random: {typed}\u00a0%</li>" in said(app)
    assert said(app).count(tour_agreement.ALWAYS_AGREE) == 2 * (typed == 100), (
        "beside the answer, and in its note"
    )


@pytest.mark.parametrize(("typed", "written"), [(35, "35"), (2, "2"), (39.4, "39.4")])
def test_readers_who_agree_less_than_is_answered_are_taken_for_the_least(
    app: AppTest, typed: float, written: str
) -> None:
    """Not for the example; which, and why, is said beside the fields."""
    field(app, "agreement").set_value(typed).run()
    assert not app.exception
    taken = (
        f"Any two readers agree: {written}\u00a0% is taken as 40\u00a0%: the answer is worked out for three"
    )
    assert said(app).count(taken) == 1
    assert "Less agreement supports no more." in said(app)
    assert shown_in(app, "agreement") == 40
    assert all(escape(words) in said(app) for words in answer(0.92, 3, 0.4))


def test_what_may_be_another_measure_of_agreement_is_not_taken(app: AppTest) -> None:
    """A number up to 1 may be a share, or κ."""
    for typed in (0.6, 1):
        field(app, "agreement").set_value(typed).run()
        refused = f"Any two readers agree: {typed} is not used (type percent, as 60; κ is another number)."
        assert said(app).count(f"{refused} The answer uses 60\u00a0%.") == 1
        assert field(app, "agreement").value is None
    assert escape(tour_answer.EXAMPLE) in said(app)


def test_that_something_was_not_told_is_said_once_it_is_typed(app: AppTest) -> None:
    """By 0: the field is empty again, and what is assumed then is named."""
    field(app, "readers").set_value(7).run()
    field(app, "readers").set_value(0).run()
    assert field(app, "readers").value is None
    assert said(app).count("Readers of each case: 0 means not told. The answer uses 3.") == 1
    field(app, "readers").set_value(5).run()
    assert "means not told" not in said(app)


def test_what_no_agreement_can_support_is_said_whichever_is_typed(app: AppTest) -> None:
    """As long as it is true of the numbers in force, on the page and in its note."""
    never = "no amount of agreement can support this claim."
    assert said(app).count("cannot support this claim unless any two agree on nearly every case.") == 2
    field(app, "claimed").set_value(96).run()
    assert said(app).count(f"With 3 readers per case, {never}") == 2
    for agreement in (40, 75, 95, 100):
        field(app, "agreement").set_value(agreement).run()
        assert said(app).count(f"With 3 readers per case, {never}") == 2
        assert "Two readers agree" not in said(app), "what is told is not varied"
    assert said(app).count(f"{never} {tour_agreement.ALWAYS_AGREE}") == 2, "though labels may still be wrong"
    field(app, "readers").set_value(3).run()
    assert said(app).count(f"With this many readers, {never}") == 2
    field(app, "claimed").set_value(84).run()
    assert tour_claim.not_ruled_out_from(0.84, 3) is not None
    assert "With this many readers" not in said(app), "at 100 % it is not ruled out"
    field(app, "agreement").set_value(60).run()
    assert tour_claim.claim(0.84, 3, 0.6).grade == "unproved"
    assert "With this many readers" not in said(app), "other readers might support it"
    field(app, "agreement").set_value(0).run()
    assert "With this many readers, agreement below about" in said(app)
    assert not app.exception


def test_of_one_reader_nothing_hangs_on_agreement(app: AppTest) -> None:
    """That is said in place of what would hang on it."""
    field(app, "readers").set_value(1).run()
    assert not app.exception
    assert tour_agreement.ONE_READER in said(app)
    assert "Two readers agree" not in said(app)
    assert "Any two readers agree 60" not in said(app)


def test_of_one_reader_agreement_that_is_told_is_said_to_hardly_matter(app: AppTest) -> None:
    """Once both are typed, and no longer than they are."""
    words = "With one reader of each case, how often two agree hardly changes the answer."
    field(app, "readers").set_value(1).run()
    assert words not in " ".join(said(app).split())
    field(app, "agreement").set_value(75).run()
    assert words in said(app)
    field(app, "readers").set_value(3).run()
    assert words not in said(app)


def test_what_nobody_can_mean_is_not_taken(app: AppTest) -> None:
    """A claim beyond all cases, a count with a fraction: the field is as it was, and it is said why."""
    not_used = "and is not used"
    for name, typed, refused in (
        ("claimed", 925, f"Claimed accuracy: 925\u00a0% lies outside 0 to 100\u00a0% {not_used}."),
        ("claimed", -3, f"Claimed accuracy: -3\u00a0% lies outside 0 to 100\u00a0% {not_used}."),
        ("cases", 1.5, f"Cases tested: 1.5 is not a whole number {not_used} (for 1,500, type 1500)."),
        ("cases", 300.5, f"Cases tested: 300.5 is not a whole number {not_used}."),
        ("readers", 2.5, f"Readers of each case: 2.5 is not a whole number {not_used}."),
    ):
        field(app, name).set_value(typed).run()
        assert not app.exception
        assert field(app, name).value is None
        assert said(app).count(escape(refused)) == 1, "on the page, and not in the note"
    for instead in ("92\u00a0%", "150", "3"):
        assert f"The answer uses {instead}." in said(app)
    assert escape(tour_answer.EXAMPLE) in said(app)
    assert all(escape(words) in said(app) for words in answer(0.92, 3, 0.6))
    for name, number in (("claimed", 99), ("cases", 1500), ("readers", 3)):
        field(app, name).set_value(number).run()
    assert "not used" not in said(app)


def test_what_is_not_taken_leaves_what_was_typed_before(app: AppTest) -> None:
    """The answer stays that to 300 cases, which are still told, also in the note."""
    field(app, "cases").set_value(300).run()
    field(app, "cases").set_value(1.5).run()
    assert not app.exception
    assert shown_in(app, "cases") == 300
    refused = "Cases tested: 1.5 is not a whole number and is not used (for 1,500, type 1500)."
    assert said(app).count(f"{refused} The answer uses 300.") == 1
    then = tour_claim.claim(0.92, 3, 0.6, 300)
    assert "If 3 readers read each case and any two agree 60\u00a0% of the time:" in said(app)
    assert escape(tour_answer.verdict(then)) in said(app)
    assert "Cases tested 150" not in said(app)
    field(app, "cases").set_value(400).run()
    assert "not used" not in said(app)


def test_the_top_begins_with_a_claim_that_is_unproved(app: AppTest) -> None:
    """The numbers that the fields begin with, and what is said of them; the words above name none of them."""
    assert not re.search(r"\d", app.markdown[0].value)
    assert [one.value for one in app.number_input] == [None] * 4
    assert f", not {fields.EXAMPLE}\u00a0%." in said(app)


def test_every_field_says_what_it_asks_for(app: AppTest) -> None:
    """How often two readers agree is said to be of any two, drawn at random, and of the same label."""
    assert all(one.help for one in app.number_input)
    assert field(app, "agreement").label.startswith("Any two readers agree")
    assert "Pick a case and two of its readers at random" in field(app, "agreement").help
    assert "name the same label" in field(app, "agreement").help


def test_no_word_of_the_tour_takes_what_is_supported_of_for_how_often_a_model_is_right(app: AppTest) -> None:
    """Neither the sentences, nor the axes and the words of the pictures."""
    spec = json.dumps(claimed_figure().spec)
    assert "Accuracy, claimed or supported" in spec
    assert "right label" not in spec
    gloss = danger_chart(tour_danger.danger_table(danger.sample()), tokens=theme.LIGHT).data["rows"]["gloss"]
    assert not gloss.str.contains("right").any()
    words = said(app) + " ".join(one.value for one in app.markdown)
    assert not re.search(r"\bright in \d+ to \d+", words)
    assert words.count(tour_answer.SUPPORT) == 2, "beside the answer, and in its note"


def test_step_one_says_why_shares_are_the_truth_of_one_patient(app: AppTest) -> None:
    """Nothing more can be known of one; and it is said in few words, half as many as fill a screen."""
    before = "Without a biopsy, all anyone can know about a patient is how often each is behind the score."
    assert any(before in one.value for one in app.markdown)
    words = " ".join(one.value for one in app.markdown[1:4])
    assert len(words.split()) <= 85


def test_nothing_waits_for_where_a_model_errs(monkeypatch: pytest.MonkeyPatch) -> None:
    """Its numbers come with the sample, and stand beneath the questions, of which the last asks for them."""

    def fails(*_: object, **__: object) -> None:
        raise RuntimeError("computed")

    monkeypatch.setattr(tour_danger, "danger_table", fails)
    opened = AppTest.from_function(page, default_timeout=300).run()
    assert not opened.exception
    words = said(opened)
    brief = "one warns of 80\u00a0% of the dangers, the other of 31\u00a0%."
    assert words.count(brief) == 1
    before = words.split(brief)[0]
    assert before.index(escape(tour_answer.DANGER)) < before.index("Why ask about dangers? Labels support")
    assert before.endswith(tour_danger.danger_in_brief(danger.found()).removesuffix(brief))
    assert any("one warns of danger in **80\u00a0%** of the cases" in one.value for one in opened.markdown)


def test_the_first_step_is_there_before_anything_is_computed(monkeypatch: pytest.MonkeyPatch) -> None:
    """What needs the models' accuracies, or draws, comes after it."""

    def fails(*_: object, **__: object) -> None:
        raise RuntimeError("computed")

    tour.drawn.cache_clear()
    for owner, name in (
        (tour_claim, "claim"),
        (toy, "certainty_table"),
        (toy, "draw_table"),
    ):
        monkeypatch.setattr(owner, name, fails)
    opened = AppTest.from_function(page, default_timeout=300).run()
    assert {error.message for error in opened.exception} == {"computed"}
    assert len(opened.get("vega_lite_chart")) == 0
    assert readings(opened)
    assert "Of patients with this score: A 7\u00a0%, B 52\u00a0%, C 41\u00a0%." in said(opened)
    assert "What the labels can prove is being worked out …" in said(opened)


def test_the_conclusion_says_what_core_computes(app: AppTest) -> None:
    """Danger stands in the words of the last step."""
    texts = [element.value for element in app.markdown]
    assert tour_danger.danger_in_words(tour_danger.danger_table(danger.sample())) in texts
    assert tour_proof.TAKE_HOME in said(app)


def test_the_first_case_is_one_whose_majority_errs(app: AppTest) -> None:
    """The tour begins where the label kept is not the one most plausible in truth."""
    *named, kept = readings(app)
    assert kept == max(set(named), key=named.count)
    assert kept != LETTERS[toy.toy_case(tour.OBSERVATION).plausibility.argmax()]


def test_the_readings_follow_the_observation_and_the_panel(app: AppTest) -> None:
    """Another value or three other raters change what is said, as the simulation says."""
    app.slider(key="choose-observation").set_value(-3.0).run()
    assert readings(app)[:3] == [LETTERS[k] for k in toy.toy_case(-3.0).named]
    app.slider(key="choose-observation").set_value(0.6).run()
    app.button(key="tour-ask").click().run()
    assert readings(app)[:3] == [LETTERS[k] for k in toy.toy_case(0.6, panel=1).named]
    tie = "A tie stays a tie, however much the readings are trusted"
    assert any(tie in one.value for one in app.markdown)
    assert not any("Press Play" in one.value for one in app.markdown)
    assert not app.exception


def test_what_is_said_of_the_case_is_true() -> None:
    """Six readers, six different lists, five with melanoma; a vote over first choices keeps hemangioma.

    Each leads as often as it says, at the reliability that the readings support.
    """
    study = read_study(sample_folder())
    (task,) = study.tasks.values()
    index = study.case_ids.index(tour_case.CASE)
    lists = [task.braces(reading) for reading in task.readings.of_case(index)]
    assert len(lists) == len(set(lists)) == 6
    assert sum(tour_case.DANGER in words for words in lists) == 5
    voted = majority(task.readings.take_cases([index]), len(task.labels)).best_set(1)
    assert task.labels[voted[0, 0]] == tour_case.KEPT
    aggregation = default_aggregation(task)
    curve = kept_curve(study, task, aggregation, SUPPORTED)
    supported = curve["reliability"][curve["log_likelihood"].idxmax()]
    case = open_case(study, task, aggregation.at(supported), index)
    leads = dict(zip(case.order.tolist(), of_hundred_truths(case), strict=False))
    said = {label: leads.pop(task.labels.index(label)) for label in tour_case.LEADS}
    assert said == tour_case.LEADS
    assert set(leads.values()) == {0}, "others: fewer than one"
    said_by = Counter(
        task.labels[code]
        for reading in task.readings.of_case(index)
        for place in task.readings.differential(reading)
        for code in place
    )
    alone = {label for label, n in said_by.items() if n == 1}
    assert {"Pyogenic granuloma", "Angiokeratoma of skin"} < alone, "which two readers put first"
    assert sum(leads[task.labels.index(label)] for label in alone) == 0
    assert [letter for _, letter, *_ in tour_case.leads_of(study)] == ["M", "H", ""]


def test_truths_picture_holds_every_step() -> None:
    """Each step of the slider has its draws, sectors, twenty dots and a heading.

    Where all draws are one, it is a dot that is seen around the cross.
    """
    figure = truths_figure(theme.LIGHT)
    n_steps = len(RELIABILITIES)
    draws = figure.data["draws"].groupby("step")
    assert draws.size().tolist() == [toy.N_DRAWS] * (n_steps - 1) + [1]
    assert draws["size"].max().is_monotonic_increasing
    assert figure.data["draws"]["tip"].iloc[-1].endswith(": all plausible truths")
    assert figure.data["dots"].groupby("step").size().tolist() == [toy.N_DOTS] * n_steps
    assert figure.data["heading"]["step"].tolist() == list(range(n_steps))
    share = figure.data["sectors"].query("order == 0").groupby("step")["share"].sum()
    assert share.to_numpy() == pytest.approx(np.ones(n_steps), abs=2e-4)


def test_the_last_step_says_what_it_has_come_to(app: AppTest) -> None:
    """Certain of a rarer label where the tour begins, elsewhere of the likeliest; a tie stays a tie."""
    seen = set()
    for observation, panel in ((tour.OBSERVATION, 0), (tour.OBSERVATION, 1), (-3.0, 0)):
        case = toy.toy_case(observation, panel=panel)
        ((step, words),) = truths_figure(theme.LIGHT, observation, panel).data["end"].to_numpy()
        assert step == len(RELIABILITIES) - 1
        expected = "Trusted without limit, and still a tie."
        if case.majority is not None:
            likeliest = int(case.plausibility.argmax())
            wrong = f"though {LETTERS[likeliest]} is likelier."
            right = "and this time the likeliest."
            expected = f"Now 100\u00a0% certain, {right if likeliest == case.majority else wrong}"
        assert words == expected
        seen.add(words.split()[-1])
    assert len(seen) == 3
    assert any(
        "Press Play: the more the readings are trusted, the surer the leading label" in one.value
        for one in app.markdown
    )


def test_truths_picture_is_driven_in_the_browser() -> None:
    """The slider covers all steps, starts where the page says, and playing ends at the last."""
    parameters: dict[str, Any] = {p["name"]: p for p in truths_figure(theme.LIGHT).spec["params"]}
    assert parameters[STEP]["bind"] | {"name": ""} == {
        "input": "range", "min": 0, "max": len(RELIABILITIES) - 1, "step": 1, "name": "",
    }  # fmt: skip
    assert parameters[STEP]["value"] == tour.START
    assert parameters[STEP]["on"][0]["events"]["type"] == "timer"
    assert parameters[PLAYING]["value"] is False


def test_truths_picture_keeps_its_layout() -> None:
    """Another case changes the data only, so that the browser keeps picture and slider."""
    assert truths_figure(theme.DARK, 0.6).spec == truths_figure(theme.DARK, -1.0).spec


def test_corners_hold_certain_labels() -> None:
    """A share of 1 lies at its label's corner, equal shares in the middle of an equilateral triangle."""
    shares = pd.DataFrame(np.vstack([np.eye(3), np.full(3, 1 / 3)]), columns=LETTERS)
    leads = pd.DataFrame([[0, 0.2, 0.3, 0.5]], columns=["step", *LETTERS])
    landmarks = shares.iloc[:3].assign(kind=["truth", "point", "majority"])
    certainty = leads.assign(reliability=1.0, leader="C", certainty=0.5)
    dots = pd.DataFrame({"step": 0, "label": LETTERS, "dots": [4, 6, 10]})
    figure = truths_chart(
        shares.assign(step=0)[["step", *LETTERS]], certainty, dots, landmarks, start=0, tokens=theme.LIGHT
    )
    at = figure.data["draws"][["x", "y"]].to_numpy()
    corners = at[:3]
    sides = np.linalg.norm(corners - np.roll(corners, 1, axis=0), axis=1)
    assert sides == pytest.approx(np.ones(3), abs=1e-4)
    assert np.linalg.norm(corners - at[3], axis=1) == pytest.approx(np.full(3, 1 / np.sqrt(3)), abs=1e-3)
    names = figure.data["corners"].drop_duplicates("label").set_index("label")[["x", "y"]]
    assert names.loc[LETTERS].to_numpy() == pytest.approx(corners, abs=1e-4)


def test_no_mark_of_a_claim_meets_its_numbers() -> None:
    """They have a column of their own, which the axis leaves free."""
    spec = claim_chart(tour_claim.claim(0.92, 3), tokens=theme.LIGHT).spec
    across = [layer["encoding"]["x"] for layer in spec["layer"] if "x" in layer["encoding"]]
    scales = [x["scale"]["range"] for x in across if "scale" in x]
    assert scales
    assert all(one == [0, {"expr": "width - 98"}] for one in scales)
    assert not any("y2" in layer["encoding"] and "strokeDash" in layer["mark"] for layer in spec["layer"])


def test_claim_picture_says_the_three_numbers() -> None:
    """Claim, range and ceiling: as marks, as numbers beside them, and to the pointer."""
    found = tour_claim.claim(0.92, 3)
    row = found.row
    rows = claim_chart(found, tokens=theme.LIGHT).data["rows"].set_index("kind")
    ranges = {"supported": [row["low"], row["high"]], "ceiling": [row["ceiling_low"], row["ceiling_high"]]}
    for kind, values in ({"claimed": [row["claimed"]]} | ranges).items():
        assert rows.loc[kind, ["low", "high"]].tolist() == [values[0], values[-1]]
        rounded = [f"{100 * value:.0f}" for value in values]
        assert re.findall(r"\d+", rows.loc[kind, "value"]) == rounded
        assert re.findall(r"\d+", rows.loc[kind, "tip"])[-len(rounded) :] == rounded


def test_the_axis_of_claims_holds_what_is_drawn() -> None:
    """It begins at half, and lower where a claim or what is supported of it lies there."""
    for claimed, n_readers, start in ((0.92, 3, 0.5), (0.78, 3, 0.5), (0.45, 100, 0.3), (0.5, 1, 0.3)):
        figure = claim_chart(tour_claim.claim(claimed, n_readers), tokens=theme.LIGHT)
        rows = figure.data["rows"]
        assert rows["first"].unique().tolist() == [start]
        assert rows[["low", "high"]].min(axis=None) >= start
        assert f'"domain": [{start}, 1.0]' in json.dumps(figure.spec)


def test_danger_picture_has_a_bar_and_a_number_a_model() -> None:
    """As long as its share, with its name and what is supported of it."""
    table = tour_danger.danger_table(danger.sample())
    rows = danger_chart(table, tokens=theme.DARK).data["rows"]
    assert rows["title"].tolist() == list(tour_danger.MODELS)
    assert rows["caught"].equals(table["caught"])
    assert rows["value"].tolist() == [f"{100 * share:.0f}\u00a0%" for share in table["caught"]]
    for words, low in zip(rows["gloss"], table["low"], strict=True):
        assert words.startswith(f"labels support {100 * low:.0f} to")


def test_the_conditions_are_named_in_the_pictures() -> None:
    """At the corners of the triangle."""
    corners = truths_figure(theme.LIGHT).data["corners"].drop_duplicates("label")
    assert corners["name"].tolist() == [f"{label} {toy.CONDITIONS[label]}" for label in LETTERS]


def test_the_picture_of_the_ways_holds_claim_range_and_dots() -> None:
    """Its axis holds all of them, and words stand where there is room for them."""
    for claimed, n_readers, agreement, start, side in (
        (0.92, 3, 0.6, 0.5, "center"),
        (0.4, 3, 0.6, 0.3, "left"),
        (1.0, 100, 0.95, 0.5, "right"),
    ):
        found = tour_claim.claim(claimed, n_readers, agreement)
        figure = ways_chart(found, tokens=theme.LIGHT)
        spec = json.dumps(figure.spec)
        assert f'"domain": [{start}, 1.0]' in spec
        assert figure.data["dots"]["accuracy"].min() >= start
        assert figure.data["claim"]["claimed"].tolist() == [claimed]
        assert figure.data["range"][["low", "high"]].to_numpy().tolist() == [[found.low, found.high]]
        assert figure.data["range"]["words"][0] == f"Supported {tour_proof.range_in_words(found.row, '–')}"
        assert figure.data["range"]["side"].tolist() == [side]


@pytest.mark.parametrize("which", ["truths", "claim", "ways", "danger"])
def test_the_pointer_is_told_words_or_nothing(which: str) -> None:
    """No layer lists its fields; what is said is a sentence with units, never a number of many digits."""
    figure = {
        "truths": lambda: truths_figure(theme.LIGHT),
        "claim": claimed_figure,
        "ways": lambda: ways_chart(tour_claim.claim(0.92, 3), tokens=theme.LIGHT),
        "danger": lambda: danger_chart(tour_danger.danger_table(danger.sample()), tokens=theme.LIGHT),
    }[which]()
    assert figure.spec["config"]["mark"]["tooltip"] is None
    told = {tip["field"] for tip in tooltips(figure.spec)}
    assert told <= {"tip", "claim"}
    assert "tip" in told
    for field in told:
        for frame in figure.data.values():
            for words in frame.get(field, []):
                assert re.search(r"(%|truths)", words), words
                assert not re.search(r"\d\.\d\d|_|\bnan\b", words), words


def tooltips(spec: Any) -> Iterator[dict[str, Any]]:
    """Every tooltip of a specification."""
    if isinstance(spec, dict):
        if "encoding" in spec and "tooltip" in spec["encoding"]:
            yield spec["encoding"]["tooltip"]
        for value in spec.values():
            yield from tooltips(value)
    elif isinstance(spec, list):
        for value in spec:
            yield from tooltips(value)


def claimed_figure() -> Figure:
    """Draw the picture of the answer."""
    return claim_chart(tour_claim.claim(0.92, 3), tokens=theme.LIGHT)


def truths_figure(tokens: theme.Tokens, observation: float = 0.6, panel: int = 0) -> Figure:
    """Draw the picture of the first step."""
    return tour.drawn(observation, panel, tokens)[1]


def test_what_nobody_told_stands_in_no_field(app: AppTest) -> None:
    """The agreement is assumed until it is typed, be it the very same; at 0 it is assumed again."""
    assert field(app, "agreement").placeholder == "60\u00a0%"
    assert field(app, "claimed").placeholder == "92\u00a0%"
    field(app, "claimed").set_value(95).run()
    before = said(app)
    assert "and any two agree 60\u00a0% of the time:" in before
    field(app, "agreement").set_value(60).run()
    assert "If 3 readers read each of 150 cases:" in said(app)
    assert "any two agree" not in said(app)
    field(app, "agreement").set_value(0).run()
    untold = "Any two readers agree: 0 means not told. The answer uses 60\u00a0%."
    assert re.sub(f"<p[^>]*>{untold}</p> ?", "", said(app)) == before
    assert field(app, "agreement").value is None


def test_a_claim_begins_with_the_numbers_of_the_tour() -> None:
    """A link that names none of them, and one beside what the fields take, lead to these."""
    usual = View()
    assert {getattr(usual, field.name) for field in fields.FIELDS} == {None}
    examples = [field.example for field in fields.FIELDS]
    assert examples == [fields.EXAMPLE, toy.N_CASES, toy.N_RATERS, 60]
    for field in fields.FIELDS:
        for number in (field.least, field.most):
            assert getattr(parse({field.name: (str(number),)})[0], field.name) == number
        for number in (field.least - 1, field.most + 1):
            view, problems = parse({field.name: (str(number),)})
            assert getattr(view, field.name) == getattr(usual, field.name)
            assert problems


def test_it_is_said_whether_the_label_that_is_kept_is_the_likeliest(app: AppTest) -> None:
    """The first draw keeps a rarer one, which may be true of one patient all the same."""
    told = []
    for _ in range(25):
        found = readings(app)
        named, kept = found[:3], found[3:]
        words = next(one.value for one in app.markdown if "Each dot is a **plausible truth**" in one.value)
        shares = re.search(r"score: A (\d+).% ?, B (\d+).% ?, C (\d+)", said(app).replace("\u00a0", " "))
        most = max("ABC", key=lambda label: int(shares.group("ABC".index(label) + 1)))
        if len(set(named)) == 3:
            told.append("tie")
            assert "All three differ, so no label is kept." in words
        elif kept == [most]:
            told.append("right")
            assert "is the likeliest." in words
        else:
            told.append("wrong")
            assert f"is **not the likeliest**: {_told(most)} is." in words
        app.button(key="tour-ask").click().run()
    assert told[0] == "wrong"
    assert {"wrong", "right"} <= set(told)


def _told(label: str) -> str:
    """A label as it is told; one of the three is dangerous."""
    return f"{label}, the danger," if label == "B" else label


def test_whether_a_label_is_the_likeliest_is_true_of_every_score() -> None:
    """In the words beside the readers, and at the end of the slider; no two shares are the largest."""
    seen = set()
    for tenths, panel in product(range(-30, 31), range(3)):
        case = toy.toy_case(tenths / 10, panel=panel)
        second, first = np.sort(case.plausibility)[-2:]
        assert first > second + 1e-3
        likeliest = LETTERS[case.plausibility.argmax()]
        kept = None if case.majority is None else LETTERS[case.majority]
        words = tour._kept_in_words(case)
        (end,) = truths_figure(theme.LIGHT, tenths / 10, panel).data["end"]["words"]
        assert ("no label is kept" in words) == ("still a tie" in end) == (kept is None)
        assert ("is the likeliest" in words) == ("this time the likeliest" in end) == (kept == likeliest)
        is_rarer = kept not in (None, likeliest)
        assert (f"**not the likeliest**: {_told(likeliest)} is." in words) == is_rarer
        assert (f"though {likeliest} is likelier." in end) == is_rarer
        seen.add(words)
    assert {re.split(r"\.|: [ABC]", words)[0] for words in seen} == {
        "All three differ, so no label is kept",
        "The label kept by **majority vote** is the likeliest",
        "The label kept by **majority vote** is **not the likeliest**",
    }
