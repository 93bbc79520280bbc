"""Brace notation is read as people write it, and comes back exactly as it went out."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from core.analysis.cases.braces import LONGEST_TEXT, format_braces, parse_braces

LABELS = ("Acne", "Atypical Nevus", "Eczema", "Melanoma", "Eczema, hand", "Tinea {foot}", 'The "red" one')

NAMES = st.text(st.sampled_from('aAbé ,{}"\n>'), min_size=1, max_size=5).map(str.strip).filter(bool)


@st.composite
def differentials(draw: st.DrawFn) -> tuple[tuple[tuple[int, ...], ...], tuple[str, ...]]:
    """Blocks over labels whose names hold every mark that the notation uses."""
    labels = tuple(draw(st.lists(NAMES, min_size=1, max_size=6, unique=True)))
    order = draw(st.permutations(range(len(labels))))[: draw(st.integers(1, len(labels)))]
    blocks: list[list[int]] = []
    for label in order:
        if blocks and draw(st.booleans()):
            blocks[-1].append(label)
        else:
            blocks.append([label])
    return tuple(tuple(sorted(block)) for block in blocks), labels


@given(differentials())
def test_what_is_written_is_read_back(given: tuple[tuple[tuple[int, ...], ...], tuple[str, ...]]) -> None:
    """Whatever the names hold: commas, braces, quotes, line ends, other labels."""
    blocks, labels = given
    assert parse_braces(format_braces(blocks, labels), labels) == blocks


@given(st.text(st.sampled_from('aA ,{}"'), max_size=12))
def test_any_text_is_read_or_refused_in_words(text: str) -> None:
    """Nothing but a differential of known labels or a ValueError comes out."""
    try:
        blocks = parse_braces(text, ("a", "a, a", "{a}", '"'))
    except ValueError:
        return
    codes = [code for block in blocks for code in block]
    assert len(codes) == len(set(codes)) > 0
    assert set(codes) <= set(range(4))


@pytest.mark.parametrize(
    ("text", "blocks"),
    [
        ("{Acne} {Eczema, Melanoma}", ((0,), (2, 3))),
        ("  {acne }{ MELANOMA ,eczema}", ((0,), (2, 3))),
        ("{Acne}, {Melanoma}; {atypical   nevus}", ((0,), (3,), (1,))),
        ("{Acne} > {Melanoma}", ((0,), (3,))),
        ("melanoma", ((3,),)),
        ("{Eczema, hand, Acne}", ((0, 4),)),
        ("{Tinea {foot}} {Acne, tinea {foot}x}", None),
        ("{Tinea {foot}, Acne} {Melanoma}", ((0, 5), (3,))),
        ('{"Eczema, hand"} {"The ""red"" one", Acne}', ((4,), (0, 6))),
        ('{The "red" one}', ((6,),)),
    ],
)
def test_spaces_case_and_marks_in_names(text: str, blocks: tuple[tuple[int, ...], ...] | None) -> None:
    """Written by hand, read as meant."""
    if blocks is None:
        with pytest.raises(ValueError, match="no label"):
            parse_braces(text, LABELS)
    else:
        assert parse_braces(text, LABELS) == blocks


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("{Melanma} {Acne}", 'Did you mean "Melanoma"'),
        ("Melanma", 'Did you mean "Melanoma"'),
        ("{Acne} {Melanoma", "do not pair"),
        ("{Acne, }", "a name is missing"),
        ("{Acne} {}", "a name is missing"),
        ("{Acne} {acne}", '"Acne" comes twice'),
        ("Acne, Eczema", "in braces"),
        ("", "no label"),
        ("{Acne}" * LONGEST_TEXT, "at most"),
    ],
)
def test_faults_are_named(text: str, message: str) -> None:
    """What is wrong, and what may have been meant."""
    with pytest.raises(ValueError, match=message):
        parse_braces(text, LABELS)


def test_several_meanings_are_not_guessed_among() -> None:
    """Where a, b and "a, b" are all labels, quotes decide; so they do where only case tells labels apart."""
    labels = ("a", "b", "a, b", "B")
    with pytest.raises(ValueError, match="more than one meaning"):
        parse_braces("{a, b}", labels)
    assert parse_braces('{"a", "b"}', labels) == ((0, 1),)
    assert parse_braces('{"a, b"}', labels) == ((2,),)
    assert parse_braces("{B} {b}", labels) == ((3,), (1,))
    with pytest.raises(ValueError, match="write it exactly"):
        parse_braces("{ÄÖ}", ("Äö", "äÖ"))


def test_long_texts_of_commas_are_refused_in_time() -> None:
    """A text of nothing but marks costs no more than its length times the longest name."""
    with pytest.raises(ValueError, match=r"no label|missing|pair"):
        parse_braces("{" + "a," * 9000 + "}", ("a, a", "b" * 20))
