"""Which dangers each model misses, and names, as tables with a bar in each cell."""

from __future__ import annotations

import math
from collections.abc import Sequence
from html import escape

import pandas as pd

from core.analysis.models.danger_by_label import Missed, in_words, missed_in_words, told_shares

NAME = "Which dangers each model misses"
NAMED = "How often each model puts the very danger first"
_MEANT = (
    "Of the cases with this truth, on average. Stricter than what is missed: a model that puts another "
    "danger first has warned of danger, but not of this one."
)


def markup(missed: Missed, named: pd.DataFrame, judged: pd.DataFrame) -> str:
    """Write what models miss of each danger and, folded, how often they name it.

    Parameters
    ----------
    missed : Missed
    named, judged : DataFrame
        Of `core.analysis.models.supported.Supported`: ``by_label`` and ``table``.
    """
    heads, rows, shares = missed_in_words(missed, judged)
    table = _table(heads, rows, shares.tolist(), NAME)
    stricter = _table(*in_words(named), told_shares(named).tolist(), NAMED)
    return (
        f'{table}<details class="loupe-text loupe-note"><summary>{NAMED}</summary>'
        f"<p>{_MEANT}</p>{stricter}</details>"
    )


def _table(
    heads: Sequence[str], rows: Sequence[Sequence[str]], shares: Sequence[Sequence[float]], name: str
) -> str:
    """Write a table; beside each number a share as a bar, where it is told."""
    head = "".join(f'<th scope="col">{escape(words)}</th>' for words in heads)
    body = "".join(map(_row, rows, shares))
    return (
        f'<table class="loupe-table" aria-label="{name}"><thead><tr>{head}</tr></thead><tbody>{body}</tbody>'
        "</table>"
    )


def _row(said: Sequence[str], shares: Sequence[float]) -> str:
    """The label and its cases; behind these a number of each model, with a bar where a share is told."""
    plain = "".join(f"<td>{escape(words)}</td>" for words in said[:2])
    return f"<tr>{plain}{''.join(map(_share, said[2:], shares))}</tr>"


def _share(words: str, share: float) -> str:
    bar = f'<i aria-hidden="true"><b style="width: {100 * share:.0f}%"></b></i>'
    return f"<td><span>{escape(words)}</span>{'' if math.isnan(share) else bar}</td>"
