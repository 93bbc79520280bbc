"""The room that cards of Study keep for words that are found later: as high as words of their kind are."""

from __future__ import annotations

import re
from html import escape
from itertools import cycle
from typing import NamedTuple

from core.analysis.support_words import TRUTHS_EXPLAINED
from core.metrics.risk import HIGH
from core.study.model import Task
from dashboard.components.text import AT_SCREEN

_ASK = "Before you decide, ask for more readings of each case or a firmer reference, such as biopsy."
_CHOSEN = "Each reading counts 5 times here; the readings support twice."
_SUPPORT = "As the readings support (each counted twice)"
_LESS = "With less trust (each counted once)"
_DANGEROUS = "As the readings support, 81 cases may be of high risk."
_LETTER, _OFTEN = re.compile(r"\S"), "etaoinsrhl"
"""What takes the place of letters: those that are met most often, as wide as letters are on average."""


class Like(NamedTuple):
    """A figure and sentences as long as those that are to come, not the same; no figure if it is known."""

    figure: str
    sentences: tuple[str, ...]


def like_verdict(task: Task, *, may_differ: bool) -> Like:
    """What a verdict is like; where readings ``may_differ`` from how they are counted, that is said too."""
    models = task.probability_models
    first = (_CHOSEN,) * may_differ
    then = _SUPPORT if may_differ else _LESS
    if not models:
        return Like("89 %", (*first, "On these readings no claim above 89 % right is supported.", _ASK))
    longest = max(models, key=len)
    if len(models) == 1:
        claim = f"The claim of {longest}, 80 %, is not supported: 3 points too high; up to 77 % is possible."
        return Like("89 %", (*first, f"{claim} {then}, it would be 8 points too high.", _ASK))
    others = f"{longest}; not as they are: {longest} and {longest}" if len(models) > 2 else longest
    why = f"Most often right: {longest}. It comes first in 92 of 100 {TRUTHS_EXPLAINED}. By the "
    claims = f"1 of the {len(models)} claims is too high: that of {longest}. {then}, 1 of {len(models)} "
    return Like(
        f"Look further at {longest}; ask first about {others}",
        (
            *first,
            f"{why}majority label, {longest} would be first.",
            f"{claims}would be too high, {longest} still first.",
            _ASK,
        ),
    )


def like_danger(task: Task, known: str, *, may_differ: bool) -> tuple[str, ...]:
    """What sentences on danger are like, with what is ``known`` already."""
    dangers = sorted((task.labels[code] for code in (task.risk == HIGH).nonzero()[0]), key=len)
    models = task.probability_models
    least = ""
    if len(dangers) > 1 and models:
        middle, longest = dangers[len(dangers) // 2], max(models, key=len)
        least = f"{middle} is named least: at best, in about 6 of 11 cases ({longest})."
    return tuple(filter(None, (least, known, _DANGEROUS * may_differ)))


def keeping(large: str, said: str, like: Like | None) -> str:
    """Write figures and words, HTML, that take at least the room of others, which nobody sees or hears.

    One after the other in the same place, so the room follows the width of the window by itself.
    """
    if like is None:
        return large + said
    before, inside, figure = large, said, ""
    if like.figure:
        before, inside = "", large + said
        figure = f'<i class="loupe-text loupe-figure">{_filler(like.figure)}</i>'
    others = "".join(f'<i class="loupe-text loupe-sentence">{_filler(one)}</i>' for one in like.sentences)
    room = f'<span class="{AT_SCREEN}">{figure}{others}</span>'
    return f'{before}<div class="loupe-kept"><div>{inside}</div>{room}</div>'


def _filler(words: str) -> str:
    """Words of the same lengths that say nothing."""
    letters = cycle(_OFTEN)
    return escape(_LETTER.sub(lambda _: next(letters), words))
