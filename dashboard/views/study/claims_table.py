"""Every claim with what becomes of it, as a table whose heads say what they mean, and a short legend."""

from __future__ import annotations

import math
import re
from collections.abc import Sequence
from html import escape

from core.analysis.models.basis import READINGS, Basis
from core.analysis.models.by_reference import ByReference
from core.analysis.models.claims import (
    ASK,
    BY_CHANCE,
    CLAIM_IS,
    DANGER_HEADS,
    FOLLOWS,
    LOOK,
    NOT_SO,
    SELDOM,
    SUPPORTED,
    WARNING,
    Judged,
    columns_meant,
    heads_of,
    legend,
    table_of,
    warnings_in_words,
)
from core.analysis.models.plain_words import TITLE, plain_words, why_several
from core.study.model import Task
from dashboard.components.text import fold_html, table_html

NO_REFERENCE = ByReference()
"""Of models of which no reference says anything."""
AWAITED = "…"
"""Stands where a number comes."""
_AROUND = 0.01
"""Left free at least on both sides of what is drawn of accuracies."""
_ORDER, _ORDER_BY_REFERENCE = "Most supported first.", "Most often right first."
"""In which order models stand, where there are several."""
_BAR, _DOT, _LINE = '<i aria-hidden="true"></i>', '<b aria-hidden="true"></b>', '<s aria-hidden="true"></s>'
"""What stands for itself in the legend, as it is drawn."""
_KEY = f"{_BAR}Bar: supported. {_LINE}Line: claim. "
_LIKE = {
    FOLLOWS: f"OO {LOOK}",
    SUPPORTED: "80 to 88\u00a0%",
    CLAIM_IS: "✗\u00a08\u00a0points",
    DANGER_HEADS[0]: "44\u00a0of\u00a050\u00a0⚠",
    DANGER_HEADS[1]: "88\u00a0%",
}
"""As wide as what comes beneath a head, unseen and without height: columns have their widths before it."""
_SPARED = r"<span>\1</span>"
"""Words that are left out in a narrow window."""
_MARKS = {LOOK: "look", ASK: "ask", NOT_SO: "not", SELDOM: "seldom"}
"""By which a style tells what follows."""


def awaited(task: Task, basis: Basis = READINGS) -> str:
    """Keep the place of the claims: a row for each model."""
    models = task.probability_models
    heads = heads_of(has_danger=task.has_risk, has_best=len(models) > 1, supported=basis.head)
    rows = [[model, *[AWAITED] * (len(heads) - 1)] for model in models]
    like = _LIKE | {basis.head: _LIKE[SUPPORTED]}
    lines = {
        place: (_range() + f"<small>{AWAITED}</small>" * basis.is_reference) * (head == basis.head)
        + f'<b class="loupe-like" aria-hidden="true">{like.get(head, "")}</b>'
        + f"<small>{AWAITED}</small>" * (head in (*DANGER_HEADS, FOLLOWS))
        for place, head in enumerate(heads)
    }
    drawn, meanings = [lines] * len(rows), basis.meanings()
    table = table_html(heads, rows, name="Claims, being judged", meanings=meanings, drawn=drawn)
    return (
        table + _legend(heads, basis, warns=task.has_risk, is_ordered=len(models) > 1) + _folds(heads, basis)
    )


def markup(
    claims: Sequence[Judged],
    basis: Basis = READINGS,
    reference: ByReference = NO_REFERENCE,
    first: str = "",
) -> str:
    """Write the claims, judged by the basis, and beneath them in plain words, with what a reference says.

    There which model is right most often comes ``first``, where there are several.
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
        drawn=[
            {place: picture + _by_chance(basis, one), **_beneath(heads, one)}
            for picture, one in zip(_ranges(claims, basis), claims, strict=True)
        ],
        drawn_heads={place: _ends(claims, basis)},
    )
    warns = any(one.misses for one in claims)
    return (
        table
        + _legend(heads, basis, claims, warns=warns, is_ordered=len(claims) > 1)
        + _folds(heads, basis, f"<p>{escape(first)}</p>" * bool(first) + _plainly(claims, reference, basis))
    )


def _plainly(claims: Sequence[Judged], reference: ByReference, basis: Basis) -> str:
    """Say of every model in plain words how often it is right, misses danger and warns in vain."""
    return f"{_terms(plain_words(claims, reference, basis))}<p>{escape(why_several(reference, basis))}</p>"


def _folds(heads: Sequence[str], basis: Basis, plainly: str = "") -> str:
    """Write what is read by whoever unfolds it: the claims ``plainly``, HTML, and what the columns mean."""
    meant = columns_meant(heads, meanings=basis.meanings())
    folds = fold_html(TITLE, plainly) + fold_html("What the columns mean", _terms(meant))
    return f'<div class="loupe-folds">{folds}</div>'


def _terms(told: Sequence[tuple[str, str]]) -> str:
    each = "".join(f"<dt>{escape(term)}</dt><dd>{escape(words)}</dd>" for term, words in told)
    return f"<dl>{each}</dl>"


def _beneath(heads: Sequence[str], claim: Judged) -> dict[int, str]:
    """What stands beneath missed dangers, false warnings and an advice: a range, of how many, and why."""
    said = {
        DANGER_HEADS[0]: claim.missed_range or "–",
        DANGER_HEADS[1]: warnings_in_words(claim.n_alarms) or "–",
        FOLLOWS: claim.why,
    }
    # Where there is no room for it, the head says what they are.
    return {
        heads.index(head): f"<small>{re.sub(f'( {WARNING}s?)$', _SPARED, escape(words))}</small>"
        for head, words in said.items()
        if head in heads
    }


def _by_chance(basis: Basis, claim: Judged) -> str:
    """What stands beneath an accuracy by a reference: where chance alone may have it on other cases."""
    said = basis.elsewhere(claim.ends[0])
    return f"<small>{said}</small>" if said else ""


def _reach(claim: Judged, basis: Basis) -> tuple[float, float]:
    """Between what a bar is drawn: what is supported, or, by a reference, what chance may make of it."""
    low, high = basis.chance_range(claim.ends[0])
    return claim.ends if math.isnan(low) else (low, high)


def _scale(claims: Sequence[Judged], basis: Basis) -> tuple[int, int]:
    """Tens of percent between which all claims and ranges lie."""
    ends = [end for one in claims for end in (*_reach(one, basis), one.claimed)]
    low, high = math.floor(10 * (min(ends) - _AROUND)), math.ceil(10 * (max(ends) + _AROUND))
    return max(low, 0), min(high, 10)


def _ranges(claims: Sequence[Judged], basis: Basis) -> list[str]:
    """Draw what is supported of each model, and its claim as a line, all on one scale.

    By a reference a dot is what it gives, and the bar behind it what chance may make of that.
    """
    low, high = _scale(claims, basis)

    def place(share: float) -> float:
        return 100 * (10 * share - low) / (high - low)

    def bar(kind: str, ends: tuple[float, float]) -> str:
        return f'<b{kind} style="left: {place(ends[0]):.1f}%; right: {100 - place(ends[1]):.1f}%"></b>'

    return [
        _range(
            bar(" data-chance", _reach(one, basis)) * basis.is_reference
            + bar(" data-exact" * one.is_exact, one.ends)
            + f'<s data-side="{one.side}" style="left: {place(one.claimed):.1f}%"></s>'
        )
        for one in claims
    ]


def _range(drawn: str = "") -> str:
    return f'<i class="loupe-range" aria-hidden="true">{drawn}</i>'


def _ends(claims: Sequence[Judged], basis: Basis) -> str:
    """Write where the scale begins and ends."""
    low, high = (f"{10 * tens}\u00a0%" for tens in _scale(claims, basis))
    return f'<i class="loupe-range-ends" aria-hidden="true"><b>{low}</b><b>{high}</b></i>'


def _legend(
    heads: Sequence[str],
    basis: Basis,
    claims: Sequence[Judged] = (),
    *,
    warns: bool,
    is_ordered: bool,
) -> str:
    """Say under the claims what their signs mean."""
    signs = escape(legend(heads, claims, warns=warns))
    order = f"{_ORDER_BY_REFERENCE if basis.is_reference else _ORDER} " * is_ordered
    key = f"{_DOT}Dot: {escape(basis.by)}. {_LINE}Line: claim. " if basis.is_reference else _KEY
    if basis.is_reference:
        here = "Here: on these cases, where a claim above the dot is too high."
        signs = f"{here} Bar (elsewhere): {BY_CHANCE} on as many other cases like these. {signs}"
    return (
        f'<p dir="auto" class="loupe-text loupe-note">{order}'
        f'<span class="loupe-range-key">{key}</span>{signs}</p>'
    )
