"""Every claim with what becomes of it, as a table whose heads say what they mean, and a short legend."""

from __future__ import annotations

from collections.abc import Sequence
from html import escape

from core.analysis.models.claims import DANGER_HEADS, MEANINGS, Judged, legend, table_of, tells_danger
from core.study.model import Task

AWAITED = "…"
"""Stands where a number comes."""


def awaited(task: Task) -> str:
    """Keep the place of the claims: a row for each model."""
    heads, _ = table_of(())
    if task.has_risk:
        heads += DANGER_HEADS
    rows = [[model, *[AWAITED] * (len(heads) - 1)] for model in task.probability_models]
    return _table(heads, rows, "Claims, being judged") + _legend(has_danger=task.has_risk)


def markup(claims: Sequence[Judged], *, is_explained: bool = False) -> str:
    """Write the claims; what plausible truths are is not said again where it ``is_explained``."""
    if not claims:
        return "<p></p>"
    heads, rows = table_of(claims)
    table = _table(heads, rows, "Claims and verdicts", [one.misses for one in claims])
    return table + _legend(has_danger=tells_danger(claims), is_explained=is_explained)


def _table(
    heads: Sequence[str], rows: Sequence[Sequence[str]], name: str, warned: Sequence[bool] = ()
) -> str:
    """Write a table as `dashboard.components.text.table_html` does; what is ``warned`` of stands out."""
    head = "".join(
        f'<th scope="col"><span title="{escape(MEANINGS[of])}">{escape(of)}</span></th>'
        if of in MEANINGS
        else f'<th scope="col">{escape(of)}</th>'
        for of in heads
    )
    marks = [*warned, *[False] * len(rows)]
    body = "".join(
        f"<tr{' data-warned' * mark}>{''.join(f'<td>{escape(cell)}</td>' for cell in cells)}</tr>"
        for cells, mark in zip(rows, marks, strict=False)
    )
    return (
        f'<table class="loupe-table" aria-label="{name}"><thead><tr>{head}</tr></thead>'
        f"<tbody>{body}</tbody></table>"
    )


def _legend(*, has_danger: bool, is_explained: bool = True) -> str:
    """Say under the claims what their signs mean."""
    words = legend(has_danger=has_danger, is_explained=is_explained)
    return f'<p dir="auto" class="loupe-text loupe-note">{escape(words)}</p>'
