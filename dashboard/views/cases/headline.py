"""What a case comes to, on top of it: the warning, the sentence, and each label with its level."""

from __future__ import annotations

import math
from html import escape

import streamlit as st

from core.analysis.cases.first_choices import OtherFirst
from core.analysis.cases.headline import Headline
from core.analysis.formatting import in_sentence
from core.analysis.risk_words import risk_phrase
from dashboard.shell import theme
from dashboard.views import parts

_NOT_TIED = "Not tied, high risk"
"""Stands before the labels that do not tie: all of them are of high risk."""


def show(said: Headline, other: OtherFirst | None, truths: str = "") -> None:
    """Write the sentence, what has to be known before it, the labels that it counts, and first choices.

    ``truths`` explains beneath the sentence what it counts.
    """
    # Places of their own: a line that comes or goes as the slider moves makes nothing below it anew.
    with st.container():
        if said.warning:
            parts.warning(said.warning)
    with st.container(gap="xxsmall"):
        parts.sentence(said.sentence)
        if truths:
            parts.note(f"{truths}.")
    with st.container():
        if len(said.labels):
            st.html(_labels(said))
        if said.why and not said.n_tied:
            parts.note(f"{said.why}.")
    with st.container():
        if other is not None:
            _first_choices(other)


def _first_choices(other: OtherFirst) -> None:
    """Say what first choices would put in front; marked in the colour of high risk where that is riskier."""
    if not other.is_riskier:
        parts.note(other.words)
        return
    border = theme.tokens().risk["H"]
    st.html(
        f'<p dir="auto" class="loupe-text loupe-warning" style="border-color:{border}">'
        f"{escape(other.words)}</p>"
    )


def _labels(said: Headline) -> str:
    """Each label with its letter and how often it leads, in a line that wraps; those that tie stand apart."""
    items = [
        f"<span>{_letter(str(risk))}{escape(in_sentence(str(label)))}{_often(leads)}</span>"
        for label, risk, leads in said.labels[["label", "risk", "leads"]].itertuples(index=False, name=None)
    ]
    tied, others = "".join(items[: said.n_tied]), "".join(items[said.n_tied :])
    if said.n_tied:
        why = said.why or ("Tied" if others else "")
        tied = f"{escape(why)}: {tied}" if why else tied
        others = f"<span>{_NOT_TIED}:</span> {others}" if others else ""
    return f'<p dir="auto" class="loupe-text loupe-note loupe-key loupe-labels">{tied}{others}</p>'


def _letter(risk: str) -> str:
    """Letter of a level in its colour; whoever points at it reads the level, and where it comes from."""
    title = f"{risk_phrase(risk)}: the level of this label in the study's file labels.csv" if risk else ""
    return f'<b data-level="{risk}" title="{escape(title)}">{risk}</b> ' if risk else ""


def _often(leads: float | None) -> str:
    """In how many of a hundred truths a label leads; nothing where that is no probability."""
    return "" if leads is None or math.isnan(leads) else f" {leads}"
