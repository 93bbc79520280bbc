"""Every claim with what becomes of it, as a table whose heads say what they mean, and a short legend."""

from __future__ import annotations

from collections.abc import Sequence
from html import escape

from core.analysis.models.claims import (
    ASK,
    LOOK,
    MEANINGS,
    NOT_SO,
    SELDOM,
    Judged,
    columns_meant,
    heads_of,
    legend,
    table_of,
)
from core.study.model import Task
from dashboard.components.text import table_html

AWAITED = "…"
"""Stands where a number comes."""
_MARKS = {LOOK: "look", ASK: "ask", NOT_SO: "not", SELDOM: "seldom"}
"""By which a style tells what follows."""


def awaited(task: Task) -> str:
    """Keep the place of the claims: a row for each model."""
    models = task.probability_models
    heads = heads_of(has_danger=task.has_risk, has_best=len(models) > 1)
    rows = [[model, *[AWAITED] * (len(heads) - 1)] for model in models]
    table = table_html(heads, rows, name="Claims, being judged", meanings=MEANINGS)
    return table + _legend(heads, warns=task.has_risk)


def markup(claims: Sequence[Judged], *, is_explained: bool = False) -> str:
    """Write the claims; what plausible truths are is not said again where it ``is_explained``."""
    if not claims:
        return "<p></p>"
    heads, rows = table_of(claims)
    marks = [_MARKS.get(one.follows, "") for one in claims]
    table = table_html(heads, rows, name="Claims and verdicts", meanings=MEANINGS, marks=marks)
    warns = any(one.misses for one in claims)
    return table + _legend(heads, claims, warns=warns, is_explained=is_explained)


def _legend(
    heads: Sequence[str], claims: Sequence[Judged] = (), *, warns: bool, is_explained: bool = True
) -> str:
    """Say under the claims what their signs mean; folded, what the columns do."""
    meant = "".join(
        f"<dt>{escape(head)}</dt><dd>{escape(words)}</dd>"
        for head, words in columns_meant(heads, is_explained=is_explained)
    )
    signs = escape(legend(heads, claims, warns=warns))
    return (
        f'<p dir="auto" class="loupe-text loupe-note">{signs}</p>'
        '<details class="loupe-text loupe-note"><summary>What the columns mean</summary>'
        f"<dl>{meant}</dl></details>"
    )
