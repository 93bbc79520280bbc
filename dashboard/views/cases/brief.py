"""What a case comes to beneath its sentence, a line for each question: models, label on record, what next."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from html import escape

import streamlit as st

from core.analysis.cases.brief import FIRST, NEXT, brief
from core.analysis.cases.settle import Settle
from dashboard.views.cases.tables import CaseTables


def rows(tables: CaseTables, settle: Settle | None, asked: Sequence[str] = ()) -> dict[str, str]:
    """Each question with its answer, as `core.analysis.cases.brief.brief` says them.

    ``settle`` is what `core.analysis.cases.settle.settle` says; None where nobody needs to ask. What a model
    says by which the list is ``asked`` comes first of what is said of models.
    """
    told = [model for model in asked if model in tables.answers]
    models = tables.models_else.get(told[0], tables.models) if len(told) == 1 else tables.models
    answers = [tables.answers[model] for model in told]
    return brief(
        other=tables.other_first,
        models=" ".join(filter(None, (*answers, models))),
        by_vote=tables.by_vote,
        is_misled=bool(tables.misled),
        beside=tables.beside,
        reference=tables.reference,
        hangs=tables.hanging,
        action=tables.confirm if settle is None else settle.action,
    )


def show(said: Mapping[str, str], *, is_changed: bool = False) -> None:
    """Write the lines, the last one as what the case ends in; that readings were changed is seen."""
    items = "".join(
        f'<div{_marked(name)}><dt>{escape(name)}</dt><dd dir="auto">{escape(words)}</dd></div>'
        for name, words in said.items()
    )
    # One element in any case: where lines come or go as the slider moves, nothing below is made anew.
    marked = " loupe-invented" * is_changed
    st.html(f'<dl class="loupe-text loupe-brief{marked}">{items}</dl>' if items else "<p></p>")


def _marked(name: str) -> str:
    """How a line is marked: a riskier label by first choices, and what would be useful next."""
    return {FIRST: ' class="loupe-risky"', NEXT: ' class="loupe-next"'}.get(name, "")
