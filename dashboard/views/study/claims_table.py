"""Every claim with what becomes of it, as a table whose heads say what they mean, and a short legend."""

from __future__ import annotations

import math
from collections.abc import Sequence
from html import escape

from core.analysis.models.basis import READINGS, Basis
from core.analysis.models.claims import (
    ASK,
    CLAIM_IS,
    DANGER_HEADS,
    FOLLOWS,
    LOOK,
    NOT_SO,
    SELDOM,
    SUPPORTED,
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
_AROUND = 0.01
"""Left free at least on both sides of what is drawn of accuracies."""
_ORDER, _ORDER_BY_REFERENCE = "Most supported first.", "Most often right first."
"""In which order models stand, where there are several."""
_KEY = "Bar: range; line: claim. "
_LIKE = {
    FOLLOWS: f"OO {LOOK}",
    SUPPORTED: "80 to 88\u00a0%",
    CLAIM_IS: "✗\u00a08\u00a0points",
    DANGER_HEADS[0]: "44\u00a0of\u00a050\u00a0⚠",
    DANGER_HEADS[1]: "88\u00a0%",
}
"""As wide as what comes beneath a head, unseen and without height: columns have their widths before it."""
_MARKS = {LOOK: "look", ASK: "ask", NOT_SO: "not", SELDOM: "seldom"}
"""By which a style tells what follows."""


def awaited(task: Task, basis: Basis = READINGS) -> str:
    """Keep the place of the claims: a row for each model."""
    models = task.probability_models
    heads = heads_of(has_danger=task.has_risk, has_best=len(models) > 1, supported=basis.head)
    rows = [[model, *[AWAITED] * (len(heads) - 1)] for model in models]
    like = _LIKE | {basis.head: _LIKE[SUPPORTED]}
    lines = {
        place: _range() * (head == basis.head)
        + f'<b class="loupe-like" aria-hidden="true">{like.get(head, "")}</b>'
        for place, head in enumerate(heads)
    }
    drawn, meanings = [lines] * len(rows), basis.meanings()
    table = table_html(heads, rows, name="Claims, being judged", meanings=meanings, drawn=drawn)
    return table + _legend(heads, basis, warns=task.has_risk, is_ordered=len(models) > 1)


def markup(claims: Sequence[Judged], basis: Basis = READINGS, *, is_explained: bool = False) -> str:
    """Write the claims, judged by the basis.

    What plausible truths are is not said again where it ``is_explained``.
    """
    if not claims:
        return "<p></p>"
    heads, rows = table_of(claims, basis.head)
    place = heads.index(basis.head)
    table = table_html(
        heads,
        rows,
        name="Claims and verdicts",
        meanings=basis.meanings(),
        marks=[_MARKS.get(one.follows, "") for one in claims],
        drawn=[{place: picture} for picture in _ranges(claims)],
        drawn_heads={place: _ends(claims)},
    )
    warns = any(one.misses for one in claims)
    return table + _legend(
        heads, basis, claims, warns=warns, is_explained=is_explained, is_ordered=len(claims) > 1
    )


def _scale(claims: Sequence[Judged]) -> tuple[int, int]:
    """Tens of percent between which all claims and ranges lie."""
    ends = [end for one in claims for end in (*one.ends, one.claimed)]
    low, high = math.floor(10 * (min(ends) - _AROUND)), math.ceil(10 * (max(ends) + _AROUND))
    return max(low, 0), min(high, 10)


def _ranges(claims: Sequence[Judged]) -> list[str]:
    """Draw what is supported of each model, and its claim as a line, all on one scale."""
    low, high = _scale(claims)

    def place(share: float) -> float:
        return 100 * (10 * share - low) / (high - low)

    return [
        _range(
            f'<b{" data-exact" * one.is_exact} style="left: {place(one.ends[0]):.1f}%; '
            f'right: {100 - place(one.ends[1]):.1f}%"></b>'
            f'<s data-side="{one.side}" style="left: {place(one.claimed):.1f}%"></s>'
        )
        for one in claims
    ]


def _range(drawn: str = "") -> str:
    return f'<i class="loupe-range" aria-hidden="true">{drawn}</i>'


def _ends(claims: Sequence[Judged]) -> str:
    """Write where the scale begins and ends."""
    low, high = (f"{10 * tens}\u00a0%" for tens in _scale(claims))
    return f'<i class="loupe-range-ends" aria-hidden="true"><b>{low}</b><b>{high}</b></i>'


def _legend(
    heads: Sequence[str],
    basis: Basis,
    claims: Sequence[Judged] = (),
    *,
    warns: bool,
    is_ordered: bool,
    is_explained: bool = True,
) -> str:
    """Say under the claims what their signs mean; folded, what the columns do."""
    meant = "".join(
        f"<dt>{escape(head)}</dt><dd>{escape(words)}</dd>"
        for head, words in columns_meant(heads, is_explained=is_explained, meanings=basis.meanings())
    )
    signs = escape(legend(heads, claims, warns=warns))
    order = f"{_ORDER_BY_REFERENCE if basis.is_reference else _ORDER} " * is_ordered
    key = f"Dot: {escape(basis.by)}; line: claim. " if basis.is_reference else _KEY
    if basis.is_reference:
        signs = f"On other cases chance alone may move an accuracy by up to {basis.by_chance} points. {signs}"
    return (
        f'<p dir="auto" class="loupe-text loupe-note">{order}'
        f'<span class="loupe-range-key">{key}</span>{signs}</p>'
        '<details class="loupe-text loupe-note"><summary>What the columns mean</summary>'
        f"<dl>{meant}</dl></details>"
    )
