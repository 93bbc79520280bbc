"""A differential put together label by label: added, moved, tied with the one above, taken out."""

from __future__ import annotations

from core.analysis.cases.braces import Blocks
from core.analysis.formatting import in_sentence
from core.study.model import Task


def in_order(blocks: Blocks) -> list[tuple[int, int]]:
    """Every label as it stands in a list: its place, from 1 and the same for tied labels, and its code."""
    return [(place, label) for place, block in enumerate(blocks, start=1) for label in block]


def with_label(blocks: Blocks, label: int) -> Blocks:
    """Put a label last, in a place of its own; one that is named already stays where it is."""
    return blocks if _place(blocks, label) is not None else (*blocks, (label,))


def without_label(blocks: Blocks, label: int) -> Blocks:
    """Take a label out."""
    kept = (tuple(one for one in block if one != label) for block in blocks)
    return tuple(block for block in kept if block)


def replaced(blocks: Blocks, label: int, by: int) -> Blocks:
    """Put a label in the place of another, tied as that one was; one that is named already stays."""
    if _place(blocks, by) is not None:
        return blocks
    return tuple(tuple(sorted(by if one == label else one for one in block)) for block in blocks)


def moved(blocks: Blocks, label: int, by: int) -> Blocks:
    """Move a label one step up or down.

    Parameters
    ----------
    blocks : tuple of tuples of int
        Label codes, first choice first.
    label : int
        One of them.
    by : {-1, 1}
        Up or down. A tied label leaves its tie, to stand just before or after it; any other changes places
        with the block that it meets.

    Returns
    -------
    tuple of tuples of int
        The same blocks where there is nowhere to go.
    """
    place = _place(blocks, label)
    if place is None:
        return blocks
    is_tied = len(blocks[place]) > 1
    rest = without_label(blocks, label)
    to = place + (by > 0) if is_tied else place + by
    if not 0 <= to <= len(rest):
        return blocks
    return (*rest[:to], (label,), *rest[to:])


def tied(blocks: Blocks, label: int) -> Blocks:
    """Tie a label with the block above its own; the labels that it was tied with stay where they are."""
    place = _place(blocks, label)
    if not place:
        return blocks
    above = tuple(sorted((*blocks[place - 1], label)))
    return (*blocks[: place - 1], above, *without_label(blocks[place:], label))


def untied(blocks: Blocks, label: int) -> Blocks:
    """Give a tied label a place of its own: before the others if it stands first in the tie, else after."""
    place = _place(blocks, label)
    if place is None or len(blocks[place]) == 1:
        return blocks
    return moved(blocks, label, -1 if blocks[place][0] == label else 1)


def is_tied_above(blocks: Blocks, label: int) -> bool:
    """Whether the label that stands above in the list has the same place."""
    place = _place(blocks, label)
    return place is not None and blocks[place][0] != label


def in_words(task: Task, blocks: Blocks) -> str:
    """Say a differential with its places: "1. Melanoma; 2. Nevus and Angioma, tied"; a single label bare."""
    names = [[in_sentence(task.labels[label]) for label in block] for block in blocks]
    if len(names) == 1:
        return _block(names[0])
    return "; ".join(f"{place}. {_block(block)}" for place, block in enumerate(names, start=1))


def _block(names: list[str]) -> str:
    """Labels of one place."""
    return names[0] if len(names) == 1 else f"{', '.join(names[:-1])} and {names[-1]}, tied"


def _place(blocks: Blocks, label: int) -> int | None:
    """Position of the block that holds a label, from 0; None where none does."""
    return next((place for place, block in enumerate(blocks) if label in block), None)
