"""What the cells of the worklist say, column by column."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import lru_cache
from typing import NamedTuple

import pandas as pd

from core.analysis.cases.metadata_words import value_words
from core.analysis.cases.percent_ranges import of_hundreds
from core.analysis.cases.tied_risk import levelled
from core.analysis.cases.worklist import METADATA, PLAUSIBLE
from core.analysis.risk_words import RISK_LETTERS
from core.analysis.tied_labels import TIED, number_tied, tied_labels
from core.metrics.risk import HIGH
from core.reviews.event import STATUSES
from core.study.model import RISK_NAMES, Task

NO_DOUBT = "–"
"""What stands for a probability where doubt is switched off."""
_TIED_FIRST = "Tied: "
"""What stands before tied labels."""
_ALSO = "also "
"""Stands before a danger that may be the truth, beneath the label that leads."""


def texts(values: pd.Series) -> list[str]:
    """Values as they are; nothing for what is unknown."""
    unknown = values.isna().tolist()
    return ["" if is_unknown else str(value)
            for value, is_unknown in zip(values.tolist(), unknown, strict=True)]  # fmt: skip


def of_study(name: str, values: pd.Series) -> list[str]:
    """What a column holds that is none of Loupe's own: of metadata, as Cases writes it."""
    if not name.startswith(METADATA):
        return texts(values)
    return ["" if pd.isna(value) else value_words(name, value) for value in values.tolist()]


def numbers(values: pd.Series) -> list[str]:
    """Numbers with two decimals; nothing for what is unknown."""
    return ["" if value != value else f"{value:.2f}" for value in values.tolist()]


def letters(values: pd.Series) -> list[str]:
    """Letters of risk levels."""
    return values.map(RISK_LETTERS).fillna("").tolist()


def decided(values: pd.Series) -> list[str]:
    """Statuses other than open."""
    return ["" if value == STATUSES["open"] else str(value) for value in values]


def tied_first(values: pd.Series) -> list[str]:
    """Names of labels; that several are tied stands before them, where no narrow cell cuts it off."""
    return [
        f"{_TIED_FIRST}{name.removesuffix(TIED)}" if name.endswith(TIED) else name for name in texts(values)
    ]


def plausible_shares(values: pd.Series) -> list[str]:
    """In how many of 100 truths; a dash where a label is not plausible, and nothing more is known of it."""
    return [said or NO_DOUBT for said in of_hundreds(values)]


def counted(said: Sequence[str], labels: tuple[str, ...]) -> dict[str, tuple[str, ...]]:
    """Words of tied labels for a cell of two lines, by those that name them."""
    return {one: _on_two_lines(one, labels) for one in set(said) if _TIED_FIRST in one}


def levels(leading: pd.Series, task: Task) -> dict[str, tuple[str, tuple[str, ...]]]:
    """By the words of a cell that names leading labels: these with their levels, and letters of each line."""
    found = levelled(task, texts(leading))
    return {
        said: (f"{_TIED_FIRST * words.endswith(TIED)}{of.words}", of.letters)
        for (words, of), said in zip(found.items(), tied_first(pd.Series([*found])), strict=True)
    }


class Behind(NamedTuple):
    """Leading labels with a danger that is plausible behind them, for cells of two lines.

    Attributes
    ----------
    words : list of str
        What the cells say.
    lines : dict of str to tuple of str
        By these, the same on two lines; of cells that name such a danger alone.
    levels : dict of str to (str, tuple of str)
        By these, what is said where a cell is pointed at, and the letters before each line.
    """

    words: list[str]
    lines: dict[str, tuple[str, ...]]
    levels: dict[str, tuple[str, tuple[str, ...]]]


def behind(
    cases: pd.DataFrame, said: Sequence[str], known: Mapping[str, tuple[str, tuple[str, ...]]]
) -> Behind:
    """Name beneath a label that leads alone, and is of no high risk, the danger that may be the truth too.

    ``said`` names the leading label of each of the ``cases``, ``known`` is what `levels` says of these. Of
    dangers that are alike likely none is named.
    """
    found = Behind([*said], {}, {})
    danger, often = texts(cases["high_risk_label"]), cases["high_risk_label_probability"].to_numpy()
    shares = of_hundreds(cases["high_risk_label_probability"])
    is_behind = (cases["risk"] != RISK_NAMES[HIGH]).to_numpy() & (often >= PLAUSIBLE)
    for place in is_behind.nonzero()[0].tolist():
        label, other = said[place], danger[place]
        if _TIED_FIRST in label or not label or other.endswith(TIED):
            continue
        (leading, letters), share = known[label], shares[place]
        words = f"{label}; {other} {share}"
        found.words[place] = words
        found.lines[words] = (f"{label}\n{_ALSO}{other}",)
        told = f"{leading} leads; {other} (high risk) does in {share} of 100 plausible truths"
        found.levels[words] = told, (*letters, RISK_LETTERS[RISK_NAMES[HIGH]])
    return found


@lru_cache(4096)
def _on_two_lines(said: str, labels: tuple[str, ...]) -> tuple[str, ...]:
    """Name the first of tied labels, the worst, and beneath it the other, or how many; each line may be cut.

    Such as “Basal Cell Carcinoma” above “or Melanocytic Nevus”.
    """
    before, _, names = said.partition(_TIED_FIRST)
    n = number_tied(names + TIED, labels)
    # A label may begin as what is said of ties does.
    if n < 2:
        return ()
    first, second, *_ = tied_labels(names + TIED)
    return (f"{before}{first}\nor {second if n == 2 else f'{n - 1:,} more'}",)
