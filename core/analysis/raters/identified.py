"""Whether raters have names of their own, or are numbered anew within each case."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from core.study.model import IntArray, Kind, Readings, Study, Task

_NUMBERED = re.compile(r"(.*?)([0-9]+)", re.DOTALL)


def raters_are_identified(study: Study, task: Task) -> bool:
    """Whether a rater of one case is the same person as the rater of that name in another.

    Returns
    -------
    bool
        False where raters are evidently numbered within each case: their ids are alike and end in 1, 2, 3 …
        or 0, 1, 2 …, every case has the first few of them, and either their number takes three values or
        more, or choices come sorted by label in every case, as counts give them. Raters with other names,
        such as those who read some cases again, make nobody else known.

    Notes
    -----
    A study cannot say whether its raters have names, so this goes by what a real roster would hardly do. Of
    some of its cases the whole study decides: few cases may well have as many readings each.
    """
    study, task = (study, task) if study.whole is None else (study.whole, study.whole.tasks[task.name])
    return are_identified(
        [numbering(task.readings, numbers_of_raters(study.rater_ids), task.kind)], task.kind
    )


@dataclass(frozen=True)
class Numbering:
    """How the numbered raters of some cases come.

    Attributes
    ----------
    misplaced : bool
        Whether a case lacks one of the first few of those that it has.
    sizes : frozenset of int
        How many of them a case has, where it has any.
    falls, rises : bool
        Whether labels in a case ever go down, or up, from one to the next.
    """

    misplaced: bool
    sizes: frozenset[int]
    falls: bool
    rises: bool


def numbering(readings: Readings, numbers: IntArray, kind: Kind) -> Numbering:
    """See how the numbered raters come in the cases of a task; ``numbers`` as `numbers_of_raters`."""
    place = numbers[readings.rater]
    numbered = place >= 0
    case, place = readings.case[numbered], place[numbered]
    per_case = np.bincount(case, minlength=readings.n_cases)
    first = (np.cumsum(per_case) - per_case)[case]
    misplaced = bool((place != np.arange(len(place)) - first).any())
    sizes = frozenset(np.unique(per_case[per_case > 0]).tolist())
    if misplaced or kind != "choice":
        return Numbering(misplaced, sizes, falls=False, rises=False)
    step = np.diff(readings.label[numbered])[np.diff(case) == 0]
    return Numbering(misplaced, sizes, bool((step < 0).any()), bool((step > 0).any()))


def are_identified(seen: Sequence[Numbering], kind: Kind) -> bool:
    """Whether raters are the same persons in every case, from how they come in all of them."""
    sizes = frozenset[int]().union(*(one.sizes for one in seen))
    if not sizes or any(one.misplaced for one in seen):
        return True
    if len(sizes) > 2:
        return False
    if kind != "choice":
        return True
    return any(one.falls for one in seen) or not any(one.rises for one in seen)


def numbers_of_raters(rater_ids: tuple[str, ...]) -> IntArray:
    """Place of each rater among those of one name with the numbers 0, 1, 2 … or 1, 2, 3 …; −1 for others.

    Of several such names the one that most raters have counts.
    """
    matches = [_NUMBERED.fullmatch(rater) for rater in rater_ids]
    names = Counter(match.group(1) for match in matches if match)
    name = names.most_common(1)[0][0] if names else None
    own = [i for i, match in enumerate(matches) if match and match.group(1) == name]
    numbers = [int(match.group(2)) for match in matches if match and match.group(1) == name]
    place = np.full(len(rater_ids), -1)
    first = numbers[0] if numbers else 1
    if first in (0, 1) and numbers == list(range(first, first + len(numbers))):
        place[own] = np.arange(len(own))
    return place
