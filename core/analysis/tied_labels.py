"""Labels that lead alike, in words: “A or B (tied)”, never one of them in silence."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from functools import lru_cache

import numpy as np

from core.metrics.adjusted.predicted_order import PredictedOrder
from core.plausibility.alike import first_alike
from core.study.model import IntArray

MOST_NAMED = 10
"""Tied labels that are named; the others are counted."""
_BETWEEN = "; "
TIED = " (tied)"
"""What follows the names of labels that lead alike."""
_PARTS = (", ", " or ")
"""What stands between them; a label that holds such words itself stands in quotation marks."""
_NAMED = re.compile(r"(?:^|, | or )(?:“(.+?)”|(.+?))(?=, | or |$)")


def tied_in_words(labels: Sequence[str]) -> str:
    """Name the labels that lead alike: “A”, “A or B (tied)”, “A, B, C or 4 more (tied)”; empty for none."""
    if len(labels) < 2:
        return "".join(labels)
    named = [_in_tie(label) for label in labels[:MOST_NAMED]]
    last = f"{len(labels) - MOST_NAMED:,} more" if len(labels) > MOST_NAMED else named.pop()
    return f"{', '.join(named)} or {last}{TIED}"


def _in_tie(label: str) -> str:
    """Write a label as it stands among others."""
    return f"“{label}”" if any(part in label for part in _PARTS) else label


@lru_cache(4096)
def tied_labels(words: str) -> tuple[str, ...]:
    """What words of `tied_in_words` name, a number of further labels last; one label where it is alone."""
    if not words.endswith(TIED):
        return (words,) if words else ()
    return tuple(quoted or plain for quoted, plain in _NAMED.findall(words.removesuffix(TIED)))


def names_label(words: str, label: str) -> bool:
    """Whether words of `tied_in_words` name a label, alone or in a tie."""
    return label in tied_labels(words)


def number_tied(words: str, labels: Sequence[str]) -> int:
    """How many labels words of `tied_in_words` say to be tied; 0 for a label alone."""
    if not words.endswith(TIED):
        return 0
    named = tied_labels(words)
    if not named:
        return 0
    more = named[-1].removesuffix(" more").replace(",", "")
    if named[-1].endswith(" more") and named[-1] not in labels and more.isdecimal():
        return MOST_NAMED + int(more)
    return len(named)


def labels_named(words: Iterable[str], labels: Sequence[str]) -> list[str]:
    """The labels, in their order, that any of the words name."""
    named = {label for one in set(words) for label in tied_labels(one)}
    return [label for label in labels if label in named]


def listed_in_words(labels: Sequence[str]) -> str:
    """Name labels of which each holds by itself: “A; B; C”; empty for none."""
    return _BETWEEN.join(labels)


def lists_label(words: str, label: str) -> bool:
    """Whether words of `listed_in_words` name a label."""
    return f"{_BETWEEN}{label}{_BETWEEN}" in f"{_BETWEEN}{words}{_BETWEEN}"


def place_listed(words: str, label: str) -> int:
    """Place of a label among those that words of `listed_in_words` name, from 0; −1 where they do not."""
    if not lists_label(words, label):
        return -1
    before, _, _ = f"{_BETWEEN}{words}{_BETWEEN}".partition(f"{_BETWEEN}{label}{_BETWEEN}")
    return before.count(_BETWEEN)


def labels_listed(words: Iterable[str], labels: Sequence[str]) -> list[str]:
    """The labels, in their order, that any of the words of `listed_in_words` names."""
    distinct = set(words)
    parts = {part for one in distinct for part in one.split(_BETWEEN)}
    whole = _BETWEEN.join(distinct)
    return [label for label in labels if label in parts or (_BETWEEN in label and lists_label(whole, label))]


def labels_in_words(n_cases: int, case: IntArray, label: IntArray, names: Sequence[str]) -> np.ndarray:
    """Name the labels that lead each case, given as ascending cases with a label each; shape (n_cases,)."""
    words = np.full(n_cases, "", dtype=object)
    number = np.bincount(case, minlength=n_cases)
    alone = number[case] == 1
    words[case[alone]] = np.array([*names, ""], dtype=object)[label[alone]]
    end = np.cumsum(number)
    several = np.flatnonzero(number > 1)
    like = first_alike(np.append(0, end), label.astype(np.int64), np.zeros((n_cases, 0), np.int64))[several]
    first, which = np.unique(like, return_inverse=True)
    tied = [tied_in_words([names[y] for y in label[end[one] - number[one] : end[one]]]) for one in first]
    words[several] = np.array(tied, dtype=object)[which]
    return words


def first_in_words(order: PredictedOrder, names: Sequence[str]) -> np.ndarray:
    """Name what each case's first place holds, with shape (n_cases,); empty where nothing was predicted."""
    leads = order.places.before == 0
    return labels_in_words(order.n_cases, order.case[leads], order.label[leads], names)
