"""The address bar carries a what-if exactly, and nothing that a person may do to it gets further."""

from __future__ import annotations

import re

import pytest
from hypothesis import given
from hypothesis import strategies as st
from small_study import small_study

from core.analysis.cases.what_if import Reading, WhatIf, check
from core.analysis.cases.what_if_text import LONGEST_TEXT, from_text, to_text

STUDY, RANKING = small_study("ranking", "abcde", [["a", "b", "c"]])
SCORES, SCORE = small_study("score", "", [[1.0, 2.0, 7.0]])
CONFIDENCES = st.none() | st.floats(0, 1)


@st.composite
def rankings(draw: st.DrawFn) -> Reading:
    """Any differential over five labels."""
    labels = draw(st.lists(st.integers(0, 4), min_size=1, max_size=5, unique=True))
    cuts = [True, *(draw(st.booleans()) for _ in labels[1:])]
    blocks: list[list[int]] = []
    for label, cut in zip(labels, cuts, strict=True):
        blocks = [*blocks, [label]] if cut else [*blocks[:-1], [*blocks[-1], label]]
    return Reading(tuple(tuple(block) for block in blocks), confidence=draw(CONFIDENCES))


SCORED = st.builds(
    lambda score, confidence: Reading(score=score, confidence=confidence),
    st.floats(allow_nan=False, allow_infinity=False),
    CONFIDENCES,
)


def what_ifs(readings: st.SearchStrategy[Reading]) -> st.SearchStrategy[WhatIf]:
    """Any changes of three readings."""
    return st.builds(
        lambda off, added, edited: WhatIf(frozenset(off), tuple(added), tuple(edited.items())),
        st.sets(st.integers(0, 2)),
        st.lists(readings, max_size=3),
        st.dictionaries(st.integers(0, 2), readings),
    )


@given(what_ifs(rankings()))
def test_round_trip_of_rankings(what_if: WhatIf) -> None:
    """Exact, confidences included, in characters that an address need not escape."""
    text = to_text(STUDY, RANKING, 0, what_if)
    assert re.fullmatch(r"[A-Za-z0-9._~-]*", text)
    assert from_text(STUDY, RANKING, 0, text) == what_if


@given(what_ifs(SCORED))
def test_round_trip_of_scores(what_if: WhatIf) -> None:
    """Every finite number, to the last bit."""
    text = to_text(SCORES, SCORE, 0, what_if)
    assert re.fullmatch(r"[A-Za-z0-9._~-]*", text)
    assert from_text(SCORES, SCORE, 0, text) == what_if


@given(st.text(st.sampled_from("aeo0123~.-_xé\n"), max_size=20) | st.text(max_size=20))
def test_tampering_gives_changes_that_are_allowed_or_words(text: str) -> None:
    """Nothing else than a valid what-if or a ValueError."""
    try:
        what_if = from_text(STUDY, RANKING, 0, text)
    except ValueError:
        return
    check(RANKING, 3, what_if)


@given(what_ifs(rankings()), st.integers(0, 60), st.sampled_from("0123456789abcdefo~.-_"))
def test_a_changed_character_is_noticed_or_harmless(what_if: WhatIf, place: int, mark: str) -> None:
    """What comes through is allowed for the case."""
    text = to_text(STUDY, RANKING, 0, what_if)
    text = text[:place] + mark + text[place + 1 :]
    try:
        found = from_text(STUDY, RANKING, 0, text)
    except ValueError:
        return
    check(RANKING, 3, found)


def test_text_is_short() -> None:
    """The example of the description, with a check of four digits."""
    what_if = WhatIf(frozenset({1}), (Reading(((2,), (3, 0)), confidence=0.8),)).with_edit(
        0, Reading(((4,),))
    )
    assert re.fullmatch(r"o2~a2-0\.3_0\.8~e1\.4~[0-9a-f]{4}", to_text(STUDY, RANKING, 0, what_if))
    assert to_text(STUDY, RANKING, 0, WhatIf()) == ""


def test_a_link_to_other_labels_or_readings_is_refused() -> None:
    """Codes mean other labels once the label order changes, and places other readings once one is added."""
    text = to_text(STUDY, RANKING, 0, WhatIf(added=(Reading(((1,),)),)))
    for other in (
        small_study("ranking", "acbde", [["a", "b", "c"]]),
        small_study("ranking", "abcde", [["a", "b"]]),
    ):
        with pytest.raises(ValueError, match="other readings or labels"):
            from_text(*other, 0, text)


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("o9~0000", "3 readings, got a change to reading 9"),
        ("a7~0000", "0 to 4"),
        ("a1.1~0000", "once"),
        ("a1_7~0000", "between 0 and 1"),
        ("a~0000", "whole number"),
        ("e1~0000", "whole number"),
        ("a1_inf~0000", "expected a number"),
        ("z~0000", "must begin"),
        ("nonsense", "other readings"),
        ("o1~" * LONGEST_TEXT, "at most"),
        ("a" + "9" * 30 + "~0000", "whole number"),
        ("o²~0000", "whole number"),
    ],
)
def test_faults_in_the_text_are_named(text: str, message: str) -> None:
    """In plain words."""
    with pytest.raises(ValueError, match=message):
        from_text(STUDY, RANKING, 0, text)
