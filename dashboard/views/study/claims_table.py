"""Every claim with what becomes of it, as a table whose heads say what they mean, and a short legend."""

from __future__ import annotations

import math
from collections.abc import Sequence
from html import escape

from core.analysis.models.by_reference import ByReference
from core.analysis.models.claims import (
    ASK,
    CLAIM_IS,
    DANGER_HEADS,
    FOLLOWS,
    LOOK,
    MEANINGS,
    NOT_SO,
    SELDOM,
    SUPPORTED,
    Judged,
    columns_meant,
    heads_of,
    legend,
    table_of,
)
from core.analysis.models.reference_words import beside_claims, like_beside, meant_in_claims
from core.study.model import Task
from dashboard.components.text import table_html

AWAITED = "…"
"""Stands where a number comes."""
_AROUND = 0.01
"""Left free at least on both sides of what is drawn of accuracies."""
_ORDER = "Most supported first."
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


def awaited(task: Task, *, has_reference: bool = False) -> str:
    """Keep the place of the claims: a row for each model, with a reference one of as many lines as later."""
    models = task.probability_models
    heads = heads_of(has_danger=task.has_risk, has_best=len(models) > 1)
    rows = [[model, *[AWAITED] * (len(heads) - 1)] for model in models]
    two_lines = (SUPPORTED, *DANGER_HEADS) if has_reference else ()
    lines = {
        place: _range() * (head == SUPPORTED)
        + f'<b class="loupe-like" aria-hidden="true">{_LIKE.get(head, "")}</b>'
        + _small(like_beside(head) if head in two_lines else "")
        for place, head in enumerate(heads)
    }
    drawn = [lines] * len(rows)
    table = table_html(heads, rows, name="Claims, being judged", meanings=MEANINGS, drawn=drawn)
    return table + _legend(heads, warns=task.has_risk, is_ordered=len(models) > 1)


def markup(
    claims: Sequence[Judged],
    *,
    is_explained: bool = False,
    reference: ByReference | None = None,
) -> str:
    """Write the claims, and what the reference says where most cases have one.

    What plausible truths are is not said again where it ``is_explained``.
    """
    if not claims:
        return "<p></p>"
    heads, rows = table_of(claims)
    beside = {} if reference is None else beside_claims(reference)
    meant = [] if reference is None or not beside else [meant_in_claims(reference)]
    marks = [_MARKS.get(one.follows, "") for one in claims]
    drawn = [
        {
            place: picture * (head == SUPPORTED) + _small(beside.get(one.model, {}).get(head, ""))
            for place, head in enumerate(heads)
        }
        for one, picture in zip(claims, _ranges(claims), strict=True)
    ]
    name = "Claims and verdicts"
    table = table_html(
        heads,
        rows,
        name=name,
        meanings=MEANINGS,
        marks=marks,
        drawn=drawn,
        drawn_heads={heads.index(SUPPORTED): _ends(claims)},
    )
    warns = any(one.misses for one in claims)
    return table + _legend(
        heads,
        claims,
        warns=warns,
        is_explained=is_explained,
        is_ordered=len(claims) > 1,
        also=meant,
    )


def _small(words: str) -> str:
    """Write words beneath those of a cell; of none nothing."""
    return f"<small>{escape(words)}</small>" if words else ""


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
            f'<b style="left: {place(one.ends[0]):.1f}%; right: {100 - place(one.ends[1]):.1f}%"></b>'
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
    claims: Sequence[Judged] = (),
    *,
    warns: bool,
    is_ordered: bool,
    is_explained: bool = True,
    also: Sequence[tuple[str, str]] = (),
) -> str:
    """Say under the claims what their signs mean; folded, what the columns do."""
    meant = "".join(
        f"<dt>{escape(head)}</dt><dd>{escape(words)}</dd>"
        for head, words in (*columns_meant(heads, is_explained=is_explained), *also)
    )
    signs = escape(legend(heads, claims, warns=warns))
    return (
        f'<p dir="auto" class="loupe-text loupe-note">{f"{_ORDER} " * is_ordered}'
        f'<span class="loupe-range-key">{_KEY}</span>{signs}</p>'
        '<details class="loupe-text loupe-note"><summary>What the columns mean</summary>'
        f"<dl>{meant}</dl></details>"
    )
