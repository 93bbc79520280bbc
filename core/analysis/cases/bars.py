"""Bars that count cases of a worklist, each with the filters that keep exactly these cases."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Sequence
from functools import partial
from typing import Literal, NamedTuple

import pandas as pd

from core.analysis.cases.percent_ranges import SETTLED, certainty_ranges, percent_words, within_percent
from core.analysis.cases.select import NO_LEADER, Filters
from core.analysis.cases.worklist import PLAUSIBLE
from core.analysis.formatting import in_sentence
from core.analysis.risk_words import risk_phrase
from core.analysis.tied_labels import lists_label
from core.study.model import RISK_NAMES

Quantity = Literal["readings", "labels"]
MOST_BARS = 20
"""Whole numbers that have a bar each; the largest share the last one."""
_WHOLE = ""
"""Stands for all risks together."""
LEVELS = (*RISK_NAMES, "unknown", NO_LEADER)
"""Risks of a leading label, low first, as filters name them."""

CERTAIN, UNCERTAIN = "certain", "uncertain"
HARDLY_HIGH, PERHAPS_HIGH = "uncertain, hardly high risk", "uncertain, perhaps high risk"
"""Parts of the cases of a risk level."""
_OPEN, _FROM = (0, SETTLED), round(100 * PLAUSIBLE)
_HIGH_PARTS = ((CERTAIN, (SETTLED, 100), None), (UNCERTAIN, _OPEN, None))
_OTHER_PARTS = (_HIGH_PARTS[0], (HARDLY_HIGH, _OPEN, (0, _FROM)), (PERHAPS_HIGH, _OPEN, (_FROM, 100)))
"""Each with its range of certainty of the level and, where it matters, of the probability of high risk."""


class Bars(NamedTuple):
    """Bars of a picture.

    Attributes
    ----------
    table : DataFrame
        One row a bar: ``words`` (what it counts) and ``cases`` among what the function names.
    filters : tuple of Filters
        For each row, what keeps these cases and no other.
    """

    table: pd.DataFrame
    filters: tuple[Filters, ...]


def certainty_bars(cases: pd.DataFrame) -> Bars:
    """Count cases by the certainty of their leading label.

    Returns
    -------
    Bars
        ``low``, ``high`` (whole percent, as `core.analysis.cases.percent_ranges.within_percent` takes
        them), ``cases`` (0 too) and ``words``.
    """
    ranges = certainty_ranges()
    rows = [
        (low, high, int(within_percent(cases["certainty"], low, high).sum()), percent_words(low, high))
        for low, high in ranges
    ]
    table = pd.DataFrame(rows, columns=["low", "high", "cases", "words"])
    return Bars(table, tuple(Filters(certainty=span) for span in ranges))


def risk_bars(cases: pd.DataFrame) -> Bars:
    """Count cases by the risk of their leading label, those of settled risk level apart.

    Returns
    -------
    Bars
        ``risk``, ``part`` of the level (`CERTAIN`; of high risk `UNCERTAIN`, of others `HARDLY_HIGH` or
        `PERHAPS_HIGH`, where a high-risk label leads with a probability of
        `core.analysis.cases.worklist.PLAUSIBLE` or more), ``cases`` (0 too) and ``words``, for each level
        that occurs.
    """
    rows, filters = [], []
    for level in LEVELS[:-1]:
        if not (cases["risk"] == level).any():
            continue
        for part, span, high in _HIGH_PARTS if level == RISK_NAMES[-1] else _OTHER_PARTS:
            keep = (cases["risk"] == level) & within_percent(cases["risk_certainty"], *span)
            if high is not None:
                keep &= within_percent(cases["high_risk"], *high)
            rows.append((level, part, int(keep.sum()), f"{risk_words(level)}, {part}"))
            filters.append(Filters(risk=(level,), risk_certainty=span, high_risk=high))
    return Bars(pd.DataFrame(rows, columns=["risk", "part", "cases", "words"]), tuple(filters))


def label_bars(cases: pd.DataFrame, labels: Sequence[str]) -> Bars:
    """Count the cases in which each of some labels is plausible, whichever leads.

    Returns
    -------
    Bars
        ``label``, ``cases`` (0 too) and ``words``, in the order that is given.
    """
    rows = [
        (label, int(cases["plausible"].map(partial(lists_label, label=label)).sum()), in_sentence(label))
        for label in labels
    ]
    table = pd.DataFrame(rows, columns=["label", "cases", "words"])
    table["words"] = [f"{name} plausible" for name in table["words"]]
    return Bars(table, tuple(Filters(plausible=(label,)) for label in labels))


def number_bars(spread: pd.DataFrame, quantity: Quantity) -> Bars:
    """Fold the cases of `core.analysis.overview.spread_per_case` into bars, and those into parts by risk.

    Returns
    -------
    Bars
        ``place`` (from 0), ``number`` (in words; large ones share the last bar), ``risk`` (as in `LEVELS`;
        empty for the whole bar, before its parts), ``cases`` (of a whole bar 0 too) and ``words``.
    """
    shown = spread[spread["quantity"] == quantity]
    first, last = (int(shown["number"].min()), int(shown["number"].max())) if len(shown) else (0, -1)
    end = min(last, first + MOST_BARS - 1)
    has_risk = bool((shown["risk"] != "").any())
    folded: dict[int, Counter[str]] = defaultdict(Counter)
    for number, risk, n in zip(shown["number"], shown["risk"], shown["cases"], strict=True):
        folded[min(number, end)].update({risk or NO_LEADER: n, _WHOLE: n})
    rows, filters = [], []
    for number in range(first, end + 1):
        span = (number, last if number == end else number)
        words = str(number) if span[0] == span[1] else f"{span[0]}–{span[1]}"
        unit = quantity.removesuffix("s") if span == (1, 1) else quantity
        for level in (_WHOLE, *(LEVELS if has_risk else ())):
            n = int(folded[number][level])
            if n or not level:
                more = f", {risk_words(level)}" if level else ""
                rows.append((number - first, words, level, n, f"{words} {unit}{more}"))
                filters.append(_of_number(quantity, span, (level,) if level else ()))
    table = pd.DataFrame(rows, columns=["place", "number", "risk", "cases", "words"])
    return Bars(table.astype({"place": int, "cases": int}), tuple(filters))


def _of_number(quantity: Quantity, span: tuple[int, int], risk: tuple[str, ...]) -> Filters:
    """Filters that keep cases with so many of something, and of one of the risks if any is named."""
    if quantity == "readings":
        return Filters(readers=span, risk=risk)
    return Filters(labels_named=span, risk=risk)


def risk_words(level: str) -> str:
    """Name a level of `LEVELS` as in a sentence: high risk, no leading label."""
    return "no leading label" if level == NO_LEADER else risk_phrase(level)
