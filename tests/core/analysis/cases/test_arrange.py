"""A differential put together label by label."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st
from small_study import small_study

from core.analysis.cases.arrange import (
    in_order,
    in_words,
    is_tied_above,
    moved,
    replaced,
    tied,
    untied,
    with_label,
    without_label,
)
from core.analysis.cases.braces import Blocks

UP, DOWN = -1, 1


def _labels(blocks: Blocks) -> list[int]:
    return sorted(label for _, label in in_order(blocks))


@pytest.mark.parametrize(
    ("blocks", "label", "by", "expected"),
    [
        (((0,), (1, 2)), 0, UP, ((0,), (1, 2))),
        (((0,), (1, 2)), 0, DOWN, ((1, 2), (0,))),
        (((0,), (1, 2)), 1, UP, ((0,), (1,), (2,))),
        (((0,), (1, 2)), 1, DOWN, ((0,), (2,), (1,))),
        (((0, 1),), 1, UP, ((1,), (0,))),
        (((0, 1),), 1, DOWN, ((0,), (1,))),
        (((0,), (1,), (2,)), 2, UP, ((0,), (2,), (1,))),
        (((0,), (1,), (2,)), 2, DOWN, ((0,), (1,), (2,))),
        (((0,),), 5, UP, ((0,),)),
    ],
)
def test_a_step(blocks: Blocks, label: int, by: int, expected: Blocks) -> None:
    """A tied label leaves its tie first; another changes places with its neighbour; at an end it stays."""
    assert moved(blocks, label, by) == expected


@pytest.mark.parametrize(
    ("blocks", "label", "by", "expected"),
    [
        (((0,),), 0, 3, ((3,),)),
        (((1,), (0, 2)), 0, 3, ((1,), (2, 3))),
        (((1,), (0, 2)), 1, 2, ((1,), (0, 2))),
        (((1,), (0, 2)), 4, 3, ((1,), (0, 2))),
    ],
)
def test_another_label_takes_the_place(blocks: Blocks, label: int, by: int, expected: Blocks) -> None:
    """Alone or in its tie; one that is named already does not, and none replaces one that is not there."""
    assert replaced(blocks, label, by) == expected


@pytest.mark.parametrize(
    ("blocks", "label", "expected"),
    [
        (((2,), (1,), (0,)), 1, ((1, 2), (0,))),
        (((2,), (0, 1)), 0, ((0, 2), (1,))),
        (((0, 1), (2,)), 2, ((0, 1, 2),)),
        (((2,), (1,)), 2, ((2,), (1,))),
        (((2,),), 4, ((2,),)),
    ],
)
def test_tying_with_the_one_above(blocks: Blocks, label: int, expected: Blocks) -> None:
    """It takes the place of those above; the first has none above it."""
    assert tied(blocks, label) == expected


def test_untying() -> None:
    """The first of a tie goes before it, another after it; a label alone stays."""
    blocks = ((3,), (0, 1, 2))
    assert untied(blocks, 0) == ((3,), (0,), (1, 2))
    assert untied(blocks, 1) == ((3,), (0, 2), (1,))
    assert untied(blocks, 3) == untied(blocks, 9) == blocks


def test_adding_and_taking_out() -> None:
    """A label comes last; twice it is named once; an emptied place is gone."""
    assert with_label((), 3) == ((3,),)
    assert with_label(((3,), (1, 2)), 0) == ((3,), (1, 2), (0,))
    assert with_label(((3,), (1, 2)), 2) == ((3,), (1, 2))
    assert without_label(((3,), (1, 2)), 3) == ((1, 2),)
    assert without_label(((3,), (1, 2)), 2) == ((3,), (1,))
    assert without_label(((3,),), 3) == ()


def test_places_are_numbered_and_ties_share_them() -> None:
    """What a list shows: place and label; a tie is seen at its second label."""
    blocks = ((4,), (0, 2), (1,))
    assert in_order(blocks) == [(1, 4), (2, 0), (2, 2), (3, 1)]
    assert [is_tied_above(blocks, label) for label in (4, 0, 2, 1, 9)] == [False, False, True, False, False]


def test_words() -> None:
    """Places are numbered, ties said in words, a single label stands alone."""
    _, task = small_study("ranking", "ABCD", [["A"]])
    assert in_words(task, ((0,), (1, 2), (3,))) == "1. A; 2. B and C, tied; 3. D"
    assert in_words(task, ((0, 1, 2),)) == "A, B and C, tied"
    assert in_words(task, ((3,),)) == "D"


_BLOCKS = st.permutations(range(6)).flatmap(
    lambda order: st.lists(st.booleans(), min_size=5, max_size=5).map(lambda cuts: _cut(order, cuts))
)


def _cut(order: list[int], cuts: list[bool]) -> Blocks:
    blocks = [[order[0]]]
    for label, cut in zip(order[1:], cuts, strict=True):
        if cut:
            blocks.append([])
        blocks[-1].append(label)
    return tuple(tuple(sorted(block)) for block in blocks)


@given(_BLOCKS, st.integers(0, 5), st.sampled_from([UP, DOWN]))
def test_no_step_loses_a_label(blocks: Blocks, label: int, by: int) -> None:
    """Whatever is done, every label stands once, blocks are ascending and none is empty."""
    for changed in (moved(blocks, label, by), tied(blocks, label)):
        assert _labels(changed) == list(range(6))
        assert all(block == tuple(sorted(block)) for block in changed)
        assert all(changed)


@given(_BLOCKS, st.integers(0, 5))
def test_every_order_can_be_reached(blocks: Blocks, label: int) -> None:
    """Steps up lead to the very top, steps down to the very end."""
    up = down = blocks
    for _ in range(12):
        up, down = moved(up, label, UP), moved(down, label, DOWN)
    assert up[0] == (label,)
    assert down[-1] == (label,)
