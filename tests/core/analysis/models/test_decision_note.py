"""The note for whoever decides: the numbers of the verdict, and questions that these numbers raise."""

from __future__ import annotations

import re
from dataclasses import replace

import numpy as np
import pytest
from small_study import small_study

from core.analysis.models.claims import Judged
from core.analysis.models.decision_note import MOST_MODELS, awaited_note, decision_note
from core.analysis.models.trust import Trust
from core.analysis.models.verdict import Verdict, decision
from core.analysis.note import Heading, Items, Note, Words, as_html, as_text
from core.analysis.support_words import NO_ESTIMATE
from core.analysis.vendor_questions import AGREEMENT, CASES, DANGER, DISPUTED, READERS, TRAINED, WHO_READ
from core.plausibility.settings import Aggregation
from core.study.model import Predictions

ONCE = Aggregation("label-counts", 1.0)
TRUST = Trust(ONCE, "known", 2.0, "2")
STUDY, WITHOUT = small_study("choice", "ab", [["a", "b"], ["a"]])
FAR = Judged("Bold", 0.9, (0.6, 0.7), 0.8, 0.25, dangers=40.0, n_alarms=40.0)
NEAR = Judged("Near", 0.71, (0.6, 0.7), 0.3, 0.1, misses=True, dangers=40.0, n_alarms=30.0)
FINE = Judged("Fine", 0.65, (0.6, 0.7), 0.78, 0.2, dangers=40.0, n_alarms=45.0)


def _note(*claims: Judged, at: float = 2.0, most: float = 0.72, first: tuple[str, str] = ("", "")) -> Note:
    """The note of a verdict on these claims."""
    said, ask = decision(most, claims, of_model=bool(claims))
    task = WITHOUT
    if claims:
        even = np.full((2, 2), 0.5)
        task = replace(WITHOUT, predictions={one.model: Predictions(one.model, even) for one in claims})
    return decision_note(
        STUDY,
        task,
        replace(TRUST, aggregation=ONCE.at(at)),
        Verdict(most, claims, "", first, said, ask, "", ""),
        made_on="3 May 2026",
    )


def _questions(note: Note) -> tuple[str, ...]:
    (found,) = [part.texts for part in note.parts if isinstance(part, Items) and part.is_numbered]
    return found


def test_it_says_what_was_tested_and_what_came_of_it() -> None:
    """Cases, readings and readers, γ of the verdict, the verdict itself, every claim, date and provenance."""
    text = as_text(_note(FAR, NEAR, FINE))
    for words in (
        "2 cases, 3 readings",
        "1 to 2 per case",
        "Models: Bold, Near and Fine.",
        "γ = 2: each reading counts twice. At that γ these readings predict one another best.",
        "⚠ Near misses about 28 of 40 dangers.",
        "At most 72 % accuracy is supported for any model.",
        "2 of 3 claims are too high: those of Bold and Near.",
        "- Bold. Claimed: 90 %; Supported: 60 to 70 %; The claim is: ✗ 20 points too high",
        "Dangers missed: 28 of 40 ⚠; False warnings: 10 %",
        NO_ESTIMATE,
        "Research use, not for diagnosis. 3 May 2026.",
        f"fingerprint: {STUDY.fingerprint}",
        "reliability: 2",
    ):
        assert words in text, words
    text = as_text(_note(FAR, NEAR, first=("Most often right: Bold", "It is the most accurate.")))
    assert "Most often right: Bold. It is the most accurate." in text
    order = ("Verdict", "Claimed: 90", "Before you decide", "Questions for", "do not mean", "What was tested")
    assert sorted(order, key=text.index) == [*order], "whoever decides reads what is first"
    assert "At most 72 % accuracy is supported for any model." in text
    other = as_text(_note(FINE, at=1.0))
    assert "γ = 1: each reading counts once. They predict one another best at γ = 2." in other


def test_questions_are_about_these_models() -> None:
    """Those that claim too much, that which misses danger, the alarms of the best; then what nobody says."""
    first, second, third, *others = _questions(_note(FAR, NEAR, FINE))
    assert "Bold claims 90\u00a0%, 20 points more than is supported; Near 71\u00a0%, 1 point more." in first
    assert first.endswith("no more than 70\u00a0% can be shown.")
    assert second.startswith(
        "Bold misses about 8 of 40 dangers, Fine about 9 of 40 and Near about 28 of 40. Which, "
    )
    assert third.startswith("Of Bold’s 40 warnings, 25\u00a0% are false. How many is that a day here")
    assert DANGER not in " ".join(others)
    assert others[0] == f"Behind your own number: {CASES[0].lower()}{CASES[1:]} {WHO_READ} {TRAINED}"
    assert others[1] == f"{READERS} {AGREEMENT} {DISPUTED}"
    assert "cases like ours" in others[-1]
    many = _questions(_note(FAR, NEAR, replace(NEAR, model="More")))
    assert "2 other claims are too high as well" in many[0]
    alone = " ".join(_questions(_note(FINE)))
    assert "Fine misses about 9 of 40 dangers. Which, and what would catch them?" in alone
    some, hardly_any = (" ".join(_questions(_note(replace(FINE, alarms=share)))) for share in (0.03, 0.02))
    assert "Of Fine’s 45 warnings, 3\u00a0% are false." in some
    assert "are false" not in hardly_any, "fewer than one of them: nobody need ask how many that is a day"
    for none in (replace(FINE, danger=1.0), replace(FINE, dangers=0.4)):
        assert "would catch them" not in " ".join(_questions(_note(none)))
    fine = _questions(_note(replace(FINE, danger=np.nan, alarms=np.nan)))
    assert "more than is supported" not in " ".join(fine)
    assert DANGER in fine


def test_without_models_it_says_what_labels_support_of_any() -> None:
    """And asks for answers on these cases, and for what stands behind any number."""
    note = _note()
    text = as_text(note)
    assert "No model: this is what labels like these support for any." in text
    assert "support no claim above 72 % accuracy, whoever makes it" in text
    assert "Claims and verdicts" not in as_html(note)
    assert _questions(note)[0].startswith("May we have your model’s answers on these 2 cases?")
    assert CASES in _questions(note)


def test_a_point_estimate_and_a_verdict_to_come_have_no_numbers() -> None:
    """The one says what would have to be chosen; the other only that it follows, and cannot be saved."""
    point = replace(TRUST, aggregation=ONCE.at(np.inf), state="single", supported=None)
    text = as_text(decision_note(STUDY, WITHOUT, point, None, made_on=""))
    assert "Choose a finite γ" in text
    assert "%" not in text
    awaited = awaited_note(STUDY)
    assert not re.search(r"\d", as_text(awaited).removeprefix(awaited.title))
    assert awaited.foot == ()


@pytest.mark.parametrize("number", [1, MOST_MODELS, MOST_MODELS + 3])
def test_of_many_models_it_has_one_page(number: int) -> None:
    """The first of them stand there, and how many do not."""
    claims = [replace(FINE, model=f"model {place}") for place in range(number)]
    text = as_text(_note(*claims))
    assert text.count("- model ") == min(number, MOST_MODELS)
    assert ("3 further models with less support left out." in text) == (number > MOST_MODELS)


def test_a_note_to_one_vendor_speaks_of_no_other_model() -> None:
    """That it misses more than the best comes first; then its claim, its dangers by name, its questions."""
    said, ask = decision(0.72, (NEAR,), of_model=True)
    task = replace(WITHOUT, predictions={name: Predictions(name, np.full((2, 2), 0.5)) for name in "ABC"})
    dangers = {"Near": "X (9 of 11)", "Bold": "Y (3 of 4)"}
    verdict = Verdict(0.72, (NEAR,), "", ("", ""), said, ask, "", "", dangers)
    note = decision_note(STUDY, task, TRUST, verdict, of="Near", made_on="")
    text = as_text(note)
    assert text.startswith(f"What these labels support for Near: {STUDY.name}\n")
    assert Words(said) in note.parts, "what matters more stands before it"
    assert "Model: Near." in text
    assert "Near claims 71 %, which is not supported: it is only 1 point too high" in text.replace(
        "\u00a0", " "
    )
    assert "Near misses about 28 of 40 dangers, including X (9 of 11). What would catch them?" in text
    worse = (
        "Do not use Near as it is: it misses about 28 of 40 dangers, clearly more than the best of the "
        "models tested."
    )
    assert note.parts[note.parts.index(Heading("Verdict")) + 1] == Words(worse, "strong")
    assert "Of Near’s 30 warnings, 10 % are false." in text.replace("\u00a0", " ")
    assert "any model" not in text, "what others could be granted stands in no note to its vendor"
    assert not re.search(r"\b[ABC]\b", text.replace("A claim", "").replace("A vendor", ""))


def test_a_note_to_one_vendor_says_first_what_follows() -> None:
    """As the table of all models does; of the only model of a study nothing follows from others."""
    asked = replace(FAR, best=0.2)
    said, ask = decision(0.72, (asked,), of_model=True)
    task = replace(WITHOUT, predictions={"Bold": Predictions("Bold", np.full((2, 2), 0.5))})
    verdict = Verdict(0.72, (asked,), "", ("", ""), said, ask, "", "")
    of_one = decision_note(STUDY, task, TRUST, verdict, of="Bold", made_on="")
    assert Words(f"Ask first: {said}", "strong") in of_one.parts
    of_all = decision_note(STUDY, task, TRUST, verdict, made_on="")
    assert Words(said, "strong") in of_all.parts
