"""Which dangers each model names, as a table with a bar in each cell: what is short is missed."""

from __future__ import annotations

import math
from collections.abc import Sequence
from html import escape

import pandas as pd

from core.analysis.models.danger_by_label import in_words, told_shares

NAME = "Which dangers each model names"


def markup(by_label: pd.DataFrame) -> str:
    """Write a table of `core.analysis.models.danger_by_label.danger_by_label`."""
    heads, rows = in_words(by_label)
    head = "".join(f'<th scope="col">{escape(words)}</th>' for words in heads)
    body = "".join(map(_row, rows, told_shares(by_label).tolist()))
    return (
        f'<table class="loupe-table" aria-label="{NAME}"><thead><tr>{head}</tr></thead><tbody>{body}</tbody>'
        "</table>"
    )


def _row(said: Sequence[str], shares: Sequence[float]) -> str:
    """The label and its cases; behind these what each model names, with a bar where a share is told."""
    plain = "".join(f"<td>{escape(words)}</td>" for words in said[:2])
    return f"<tr>{plain}{''.join(map(_share, said[2:], shares))}</tr>"


def _share(words: str, share: float) -> str:
    bar = f'<i aria-hidden="true"><b style="width: {100 * share:.0f}%"></b></i>'
    return f"<td><span>{escape(words)}</span>{'' if math.isnan(share) else bar}</td>"
