"""Why a case is uncertain or dangerous: the lines that matter most, and all reasons."""

from __future__ import annotations

from collections.abc import Callable
from html import escape

import pandas as pd
import streamlit as st

from core.analysis.cases.hanging import Hanging
from core.analysis.cases.reasons import POINT_ESTIMATE, RELIABILITY, by_danger
from core.analysis.cases.settle import Settle
from core.analysis.cases.truths import moved
from dashboard.components.picture import KEPT
from dashboard.components.text import element
from dashboard.shell import theme
from dashboard.views import parts
from dashboard.views.cases import headline

BAR_WIDTH = 84
"""Pixels of a hundred certainty points, and of 100 %."""
_GONE = 0.01
"""Probability below which high risk is as good as gone."""
_ASSUMED = "An assumption, not a reason in the readings: how far the readers are trusted."
_NO_SAFETY = (
    "Danger disappears here by assumption alone: no reading has changed, nor has anything about the patient."
)
_DANGER = (
    "What makes it dangerous and what would settle it. Bar: how often a high-risk label would then lead."
)
_CERTAINTY = "What would settle it. Bar: how often the leading label would then lead."
_BAR_OF_CERTAINTY = (
    "Bar: points of certainty gained (filled) or lost (outlined). It has the colour of text, and words "
    "beneath it, where another label would lead, or only one of several."
)
_BAR_OF_DANGER = (
    "Bar: how often a high-risk label would then lead. Words beneath it say where another label would lead, "
    "or only one of several."
)
_OF_100 = "\u00a0of\u00a0100"
"""A number and what it is of stand in one line."""
_ALL = "All reasons, and how they are counted"


_Compute = Callable[[], pd.DataFrame]
_Settle = Callable[[], Settle | None]


def show(
    compute: _Compute,
    compute_settle: _Settle,
    hanging: Hanging | None = None,
    *,
    is_settled: bool = False,
    has_answer: bool = False,
) -> None:
    """Say what leaves a case open, and offer all reasons; all is worked out only once it is looked at.

    First stand what readings put first, what the answer hangs on, and what one more reading would do. Where
    there is no doubt to settle, the reasons stand there at once. Of a settled case the panel begins folded,
    and of one that has its answer, by a reference that outweighs readings.
    """
    draw = _of_answered if has_answer else _of_settled if is_settled else _of_uncertain
    draw(compute, compute_settle, hanging)


@st.fragment
@parts.folded("Why is this case uncertain?", key="reasons", opened=True)
def _of_uncertain(compute: _Compute, compute_settle: _Settle, hanging: Hanging | None) -> None:
    _draw(compute, compute_settle, hanging)


@st.fragment
@parts.folded("What could still change this case?", key="reasons-settled")
def _of_settled(compute: _Compute, compute_settle: _Settle, hanging: Hanging | None) -> None:
    _draw(compute, compute_settle, hanging)


@st.fragment
@parts.folded("Why were the readers uncertain?", key="reasons-answered")
def _of_answered(compute: _Compute, compute_settle: _Settle, hanging: Hanging | None) -> None:
    _draw(compute, compute_settle, hanging)


def _draw(compute: _Compute, compute_settle: _Settle, hanging: Hanging | None) -> None:
    found = compute_settle()
    # A place of its own: where danger comes or goes, what stands below is not made anew.
    with st.container():
        if found is not None:
            element("p", found.because)
        if hanging is not None:
            headline.show_hanging(hanging)
        if found is not None:
            _draw_first(found)
    if found is None:
        _draw_all(compute(), None)
    elif st.toggle(_ALL, value=KEPT in st.session_state, key="all-reasons"):
        _draw_all(compute(), float(found.table["before"].iloc[0]) if found.is_danger else None)


def _draw_first(found: Settle) -> None:
    """Say what would settle the case."""
    tokens = theme.tokens()
    parts.note(_DANGER if found.is_danger else _CERTAINTY)
    colour = tokens.risk["H"] if found.is_danger else tokens.soft
    rows = zip(*(found.table[name] for name in ("head", "sentence", "before", "after")), strict=True)
    _list(
        [
            _item(_bar_of(before, after, colour, tokens), head, words, tokens)
            for head, words, before, after in rows
        ],
        "What would settle it",
    )


def _draw_all(table: pd.DataFrame, high_risk: float | None) -> None:
    """List all reasons, the strongest first: of certainty, or of high risk where that is given."""
    if table.empty:
        parts.note("Nothing is known of this case, so there is nothing to explain.")
        return
    tokens = theme.tokens()
    if high_risk is not None:
        table = by_danger(table, high_risk)
    rows = {
        str(reason): _row(str(reason), float(strength), float(points), str(sentence), str(effect), tokens,
                          high_risk=None if high_risk is None else (high_risk, float(then)))
        for reason, strength, points, sentence, effect, then in table.itertuples(index=False, name=None)
    }  # fmt: skip
    assumed = rows.pop(RELIABILITY, "")
    if rows:
        _list(list(rows.values()), "Reasons")
    if (table["reason"] == POINT_ESTIMATE).all():
        return
    parts.note(
        "Each line changes one thing and counts again. Numbers of 100 say how often the label leads. "
        + (_BAR_OF_CERTAINTY if high_risk is None else _BAR_OF_DANGER)
        + " The changes overlap and do not add up. They show what the method sees, not what readers thought."
    )
    with st.container():
        if assumed:
            parts.note(_ASSUMED)
            _list([assumed], "What is only assumed")
            then = float(table.loc[table["reason"] == RELIABILITY, "high_risk"].iloc[0])
            if high_risk is not None and then < _GONE:
                parts.warning(_NO_SAFETY)


def _list(items: list[str], name: str) -> None:
    """Show items as a list with a name for those who hear it."""
    st.html(
        f'<ul style="list-style:none;margin:0;padding:0" aria-label="{escape(name)}">{"".join(items)}</ul>'
    )


def _row(
    reason: str,
    strength: float,
    points: float,
    sentence: str,
    effect: str,
    tokens: theme.Tokens,
    *,
    high_risk: tuple[float, float] | None = None,
) -> str:
    """One reason as an item of a list."""
    if reason in (POINT_ESTIMATE, RELIABILITY):
        bar = ""
        sentence += "" if high_risk is None else f" Danger: {moved(*high_risk)}."
    elif high_risk is not None:
        bar = _bar_of(*high_risk, tokens.risk["H"], tokens, effect)
    else:
        bar = _bar(strength, points, effect, tokens)
    return _item(bar, reason[:1].upper() + reason[1:], sentence, tokens)


def _item(bar: str, head: str, sentence: str, tokens: theme.Tokens) -> str:
    """A line of a list: a bar, what it is of, and the sentence."""
    return (
        '<li style="display:flex;gap:1rem;align-items:flex-start;margin:0;padding:0.4rem 0;'
        f'border-bottom:1px solid {tokens.rule}">'
        f'{bar}<p class="loupe-text" style="flex:1;min-width:0"><strong style="font-weight:600">'
        f"{escape(head)}.</strong> {escape(sentence.replace(' of 100', _OF_100))}</p></li>"
    )


def _bar_of(before: float, after: float, colour: str, tokens: theme.Tokens, effect: str = "") -> str:
    """Probability before and after a change, the latter as a bar, and what becomes of the leading label."""
    width = round(after * BAR_WIDTH)
    return (
        f'<div style="flex:0 0 {BAR_WIDTH}px"><div style="font-variant-numeric:tabular-nums;'
        f'white-space:nowrap">{moved(before, after)}</div>'
        f'<div style="width:{BAR_WIDTH}px;background:{tokens.rule}">'
        f'<div style="height:6px;width:{width}px;background:{colour}"></div></div>{_marked(effect)}</div>'
    )


def _marked(effect: str) -> str:
    """What becomes of the label that leads, beneath a bar."""
    return f'<div style="font-weight:600;line-height:1.25">{escape(effect)}</div>' if effect else ""


def _bar(strength: float, points: float, effect: str, tokens: theme.Tokens) -> str:
    """Certainty points as a number and a small bar, and what becomes of the label that leads.

    The bar is filled for a gain and outlined for a loss, in another colour where another label would lead.
    """
    width = round(min(abs(strength), 100) / 100 * BAR_WIDTH)
    colour = tokens.hard if effect else tokens.soft if strength >= 0 else tokens.muted
    fill = colour if strength >= 0 else "transparent"
    bar = (
        f'<div style="height:6px;width:{width}px;box-sizing:border-box;background:{fill};'
        f'border:1px solid {colour}"></div>'
    )
    drawn = bar if points else ""
    return (
        f'<div style="flex:0 0 {BAR_WIDTH}px"><div style="font-variant-numeric:tabular-nums">'
        f"{points_words(points)}</div>{drawn}{_marked(effect)}</div>"
    )


def points_words(points: float) -> str:
    """Certainty points as people write them; a change too small to be told from chance is about 0."""
    if points == 0:
        return "about\u00a00"
    return f"{'+' if points > 0 else '−'}{abs(points):.0f}\u00a0points"
