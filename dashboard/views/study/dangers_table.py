"""Which dangers each model misses, and names, as tables with a bar in each cell."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from html import escape
from types import MappingProxyType

import pandas as pd

from core.analysis.cases.select import Filters, select
from core.analysis.formatting import in_sentence
from core.analysis.models.claims import BY_CHANCE
from core.analysis.models.danger_by_label import (
    NONE_KNOWN,
    Missed,
    in_words,
    missed_by_chance,
    missed_in_words,
    missed_listed,
    told_shares,
)
from core.study.brief import number_of
from dashboard.components.pressed import opening
from dashboard.components.text import fold_html

NAME = "Which dangers each model misses"
_HOW = "What rows and signs mean"
NAMED = "How often each model puts that exact danger first"
_MEANT = (
    "Of the cases with this truth, on average. This is stricter than the table above: a model that "
    "puts another danger first has warned of danger, but not of this one."
)

_CHANCE = f"{BY_CHANCE}: of all dangers, on as many other cases like these."
_BEHIND = "Missed, but named second or third"
"""Dangers that a model misses, and yet has in its list."""
_ALIKE = (
    "All dangers count alike; “What counts as danger” takes fewer, or others. How many may be missed, "
    "clinicians must say."
)


def markup(
    missed: Missed,
    named: pd.DataFrame,
    judged: pd.DataFrame,
    opens: Mapping[str, str],
    *,
    by_reference: bool = False,
) -> str:
    """Write what models miss of each danger and, folded, what that means and how often they name it.

    Parameters
    ----------
    missed : Missed
    named, judged : DataFrame
        Of `core.analysis.models.supported.Supported`: ``by_label`` and ``table``.
    opens : mapping of str to str
        As `opened` gives it.
    by_reference : bool
        Whether models are judged by the study's reference.
    """
    heads, rows, shares = missed_in_words(missed, judged)
    ranges = "".join(f"<td>{words}</td>" for words in missed_by_chance(missed, judged))
    last = f'<tr class="loupe-by-chance"><td>{BY_CHANCE}</td><td></td>{ranges}</tr>' if ranges else ""
    behind = "".join(f"<td>{words}</td>" for words in missed_listed(missed))
    last += f'<tr class="loupe-by-chance"><td>{_BEHIND}</td><td></td>{behind}</tr>' if behind else ""
    table = _table(heads, rows, shares.tolist(), NAME, opens, last)
    stricter = _table(*in_words(named), told_shares(named).tolist(), NAMED)
    meant = f"<p>{escape(_meant(missed, judged, by_reference=by_reference))}</p>"
    folds = fold_html(_HOW, meant) + fold_html(NAMED, f"<p>{_MEANT}</p>{stricter}")
    return f'{table}<div class="loupe-folds">{folds}</div>'


def _meant(missed: Missed, judged: pd.DataFrame, *, by_reference: bool) -> str:
    """Say what the numbers and signs of the table mean, and in which order its models stand."""
    is_rare = any(NONE_KNOWN in row for row in missed_in_words(missed, judged)[1])
    rare = f" {NONE_KNOWN}: too rare to tell." * is_rare
    rare += f" {_CHANCE}" * bool(missed_by_chance(missed, judged))
    if by_reference:
        first = "By the reference, the model that is right most often first."
        return f"{first} Missed: it puts no danger first.{rare}"
    order = " Most supported model first." * (len(missed.models) > 1)
    return f"Missed: the model puts no danger first. Counts are rounded.{rare}{order}"


def told(missed: Missed, *, by_reference: bool = False) -> str:
    """Say what a number opens, and that all dangers count alike."""
    opens = "A number opens all cases it may be in."
    if by_reference:
        which = "readings leave this danger plausible and the model does not warn"
        opens = f"A number opens the cases in which {which}."
    return opens + f" {_ALIKE}" * (len(missed.labels) > 1)


def opened(cases: pd.DataFrame, missed: Missed) -> tuple[dict[str, str], dict[str, Filters]]:
    """Find what each number opens: cases in which this danger is plausible and this model does not warn.

    Parameters
    ----------
    cases : DataFrame
        A worklist of the cases in which danger is plausible and a model does not warn.
    missed : Missed

    Returns
    -------
    said : dict of str to str
        By cell, of those that open any case, what it opens, in words. Of a number of cases whose truth this
        *is*, on average, there are mostly more in which it may be.
    filters : dict of str to Filters
        By cell, what keeps these cases.
    """
    said, filters = {}, {}
    by_model = [select(cases, Filters(missed_by=(model,))) for model in missed.models]
    for row, label in enumerate([*missed.labels, None]):
        plausible = () if label is None else (label,)
        may_be = "danger is plausible" if label is None else f"{in_sentence(label)} is plausible"
        for place, (model, of_model) in enumerate(zip(missed.models, by_model, strict=True)):
            found = select(of_model, Filters(plausible=plausible))
            if len(found):
                cell = _place(row, place)
                said[cell] = f"Opens {number_of(len(found), 'case')}: {may_be}, and {model} does not warn"
                filters[cell] = Filters(missed_by=(model,), plausible=plausible)
    return said, filters


def _table(
    heads: Sequence[str],
    rows: Sequence[Sequence[str]],
    shares: Sequence[Sequence[float]],
    name: str,
    opens: Mapping[str, str] = MappingProxyType({}),
    last: str = "",
) -> str:
    """Write a table; beside each number a share as a bar, where it is told, and a ``last`` row as it is."""
    head = "".join(f'<th scope="col">{escape(words)}</th>' for words in heads)
    body = "".join(_row(*of, row, opens) for row, of in enumerate(zip(rows, shares, strict=True)))
    return (
        f'<table class="loupe-table" aria-label="{name}"><thead><tr>{head}</tr></thead>'
        f"<tbody>{body}{last}</tbody></table>"
    )


def _row(said: Sequence[str], shares: Sequence[float], row: int, opens: Mapping[str, str]) -> str:
    """The label and its cases; behind these a number of each model, with a bar where a share is told."""
    label, truths, *numbers = (
        opening(words, place, opens[place])
        if (place := _place(row, column)) in opens and words != NONE_KNOWN
        else escape(words)
        for column, words in enumerate(said, -2)
    )
    return f"<tr><td>{label}</td><td>{truths}</td>{''.join(map(_share, numbers, shares))}</tr>"


def _share(written: str, share: float) -> str:
    bar = f'<i aria-hidden="true"><b style="width: {100 * share:.0f}%"></b></i>'
    return f"<td><span>{written}</span>{'' if math.isnan(share) else bar}</td>"


def _place(row: int, model: int) -> str:
    """Name a cell, by the places of its danger and of its model among those that are listed."""
    return f"{row} {model}"
