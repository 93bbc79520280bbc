"""Bars of what changed readings do: how often each label leads, as it was and as it would be."""

from __future__ import annotations

from html import escape

import pandas as pd
import streamlit as st

from core.analysis.cases.truths import moved
from core.analysis.formatting import in_sentence
from dashboard.shell import theme


def effect_bars(table: pd.DataFrame) -> None:
    """Draw a line a label of `core.analysis.cases.effect.effect_table`, each with a bar and its numbers.

    The bar is how it would be, and the stroke across it is how it was.
    """
    if table.empty:
        return
    tokens = theme.tokens()
    rows = "".join(
        _row(str(label), str(risk), float(before), float(after), tokens)
        for label, risk, before, after in table.itertuples(index=False, name=None)
    )
    st.html(
        f'<ul class="loupe-effect loupe-key" aria-label="Before and after the change">{rows}</ul>'
        '<p class="loupe-text loupe-note">Bar: in how many plausible truths it would lead. Line: before '
        "the change.</p>"
    )


def _row(label: str, risk: str, before: float, after: float, tokens: theme.Tokens) -> str:
    """One label: its letter and name, the bar, and both numbers."""
    letter = f'<b data-level="{risk}">{risk}</b> ' if risk else ""
    colour = tokens.risk[risk] if risk in ("H", "M") else tokens.soft
    return (
        f'<li><span class="loupe-effect-name">{letter}{escape(in_sentence(label))}</span>'
        f'<span class="loupe-effect-bar" aria-hidden="true">'
        f'<i style="width:{100 * after:.1f}%;background:{colour}"></i>'
        f'<u style="left:{100 * before:.1f}%"></u></span>'
        f'<span class="loupe-effect-numbers">{moved(before, after)}</span></li>'
    )
