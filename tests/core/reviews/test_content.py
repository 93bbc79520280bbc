"""What a round, a reading in it and its outcome may say."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest

from core.reviews.content import LONGEST_NAME, MOST_CHARACTERS
from core.reviews.event import Event, Kind, Subject
from core.reviews.state import review_of, reviews_of, withdrawn_of
from core.reviews.store import ReviewStore

CASE = Subject("f" * 16, "A study", "main", "case 1", "0" * 16)
STUDY = replace(CASE, case_id="", readings="")
ODD = (
    "<b>x</b>",
    "=1+1",
    "שלום \u202e",
    "👩🏽‍⚕️ e\u0301",
    "a\0b\r\n\ud800",
    "'; DROP TABLE events; --",
    "{a}, b",
)
USUAL: dict[Kind, dict[str, Any]] = {
    "round": {
        "name": "round 1",
        "cases": [["case 1", "0" * 16], ["case 2", "1" * 16]],
        "readers": ["Ada", "Bo"],
        "blind": True,
        "question": "",
    },
    "reading": {"blocks": [["a"], ["b", "c"]], "score": None, "confidence": 0.8},
    "outcome": {
        "blocks": [["a"]],
        "score": None,
        "unsettled": False,
        "by": ["Ada", "Bo"],
        "why": "seen again",
    },
}


def event(kind: Kind, **changes: Any) -> Event:
    """A round, a reading or an outcome with something else in what it says."""
    subject, answers = (STUDY, None) if kind == "round" else (CASE, "0" * 32)
    return Event(subject, "Ada", kind, USUAL[kind] | changes, answers=answers)


@pytest.mark.parametrize(
    ("kind", "changes", "words"),
    [
        ("round", {"name": " "}, "expected the name of the round"),
        ("round", {"name": "x" * (LONGEST_NAME + 1)}, "a name of at most 200 characters, got 201"),
        ("round", {"question": None}, "expected the question of the round"),
        ("round", {"question": "x" * (MOST_CHARACTERS + 1)}, "at most 100,000 characters, got 100,001"),
        ("round", {"blind": "yes"}, "blind .true. or open .false., got 'yes'"),
        ("round", {"cases": []}, "expected the cases of a round, at least one"),
        ("round", {"cases": ["case 1"]}, "each with the hash of its readings"),
        ("round", {"cases": [["a", "0"], ["a", "1"]]}, "each case once, got “a” twice"),
        ("round", {"readers": "Ada"}, "expected a list of names as “readers”"),
        ("round", {"readers": ["Ada", "Ada"]}, "each reader once, got “Ada” twice"),
        ("reading", {"blocks": []}, "expected a label in the reading, got none"),
        ("reading", {"blocks": [["a"], []]}, "got place 2 empty"),
        ("reading", {"blocks": [["a"], [" "]]}, "got place 2 empty"),
        ("reading", {"blocks": [["a"], ["b", "a"]]}, "each label once, got “a” twice"),
        ("reading", {"blocks": "a"}, "as lists of labels, got 'a'"),
        ("reading", {"blocks": [["a"]], "score": 1.0}, "labels or a finite number in the reading, not both"),
        ("reading", {"blocks": [], "score": float("nan")}, "a finite number"),
        ("reading", {"blocks": [], "score": True}, "a finite number"),
        ("reading", {"confidence": 1.1}, "confidence from 0 to 1, or none, got 1.1"),
        ("reading", {"confidence": float("nan")}, "confidence from 0 to 1"),
        ("outcome", {"blocks": []}, "expected a label in the outcome"),
        ("outcome", {"unsettled": None}, "whether the case cannot be settled"),
        ("outcome", {"unsettled": True}, "no label and no score of a case that cannot be settled"),
        ("outcome", {"by": ["Ada", " "]}, "expected a list of names as “by”"),
        ("outcome", {"why": None}, "expected the why of the outcome"),
    ],
)
def test_what_cannot_be_said_is_refused(kind: Kind, changes: dict[str, Any], words: str) -> None:
    """Before anything is written, saying what was expected."""
    event(kind)
    with pytest.raises(ValueError, match=words):
        event(kind, **changes)


def test_a_round_is_of_the_study_and_what_is_in_it_of_a_case() -> None:
    """And a reading or an outcome belongs to a round."""
    with pytest.raises(ValueError, match="a round of the study, got one of case “case 1”"):
        Event(CASE, "Ada", "round", USUAL["round"])
    for kind in ("reading", "outcome"):
        with pytest.raises(ValueError, match=f"the round that the {kind} belongs to"):
            Event(CASE, "Ada", kind, USUAL[kind])  # type: ignore[arg-type]
        with pytest.raises(ValueError, match=f"the case of the {kind}"):
            Event(STUDY, "Ada", kind, USUAL[kind], answers="0" * 32)  # type: ignore[arg-type]


def test_each_says_itself_in_a_line() -> None:
    """For the history."""
    assert event("round").said == "round 1"
    assert event("reading").said == "{a} {b, c}, confidence 0.8"
    assert event("reading", blocks=[], score=4.5, confidence=None).said == "4.5"
    assert event("outcome", blocks=[], unsettled=True).said == "cannot be settled"


def test_any_text_comes_back_as_it_was(address: str) -> None:
    """In names, cases, labels and reasons; from either database."""
    store = ReviewStore(address)
    (made,) = store.append(
        event(
            "round", name=ODD[0], question="\n".join(ODD), cases=[[odd, "0"] for odd in ODD], readers=[*ODD]
        )
    )
    written = [
        replace(event("reading", blocks=[[odd], ["b", f"{odd} "]], confidence=0.1 + 0.2), answers=made.id)
        for odd in ODD
    ]
    written += [replace(event("reading", blocks=[], score=-1e-300, confidence=None), answers=made.id)]
    written += [replace(event("outcome", by=[odd], why=odd), answers=made.id) for odd in ODD]
    kept = store.append(*written)
    store.close()
    assert ReviewStore(address).events() == (made, *kept)
    assert [replace(one, number=0) for one in kept] == written


def test_rounds_are_no_case_s_own() -> None:
    """Readings and outcomes stand in a case's history, and change neither its status nor its flags."""
    made = event("round")
    read, settled = event("reading"), event("outcome")
    back = Event(STUDY, "Ada", "withdrawal", {}, answers=made.id)
    history = [made, read, settled, back]
    assert list(reviews_of(history, "main")) == ["case 1"]
    review = review_of([read, settled])
    assert (review.status, dict(review.flags), review.notes) == ("open", {}, ())
    assert review.history == (read, settled)
    assert withdrawn_of(history) == {made.id}
