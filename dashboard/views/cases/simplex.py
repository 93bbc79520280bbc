"""Plausible truths of a case on the simplex of its leading labels, and what chosen ones have in common."""

from __future__ import annotations

from collections.abc import Callable

import streamlit as st

from core.analysis.cases.simplex import ELSEWHERE, Chosen, Simplex
from core.analysis.formatting import percent
from dashboard.charts.cases.simplex import simplex_figure
from dashboard.components.picture import picture
from dashboard.components.text import element
from dashboard.shell import theme
from dashboard.views import parts

Find = Callable[[tuple[int, ...]], Chosen | None]
"""Finds what plausible truths have in common, by their numbers."""


def show(simplex: Simplex | None, source: dict[str, str], find: Find) -> None:
    """Draw the three leading labels, where there are as many."""
    if simplex is None:
        return
    parts.head("The three leading labels")
    selected = picture(
        simplex_figure(simplex, tokens=theme.tokens()),
        name="simplex",
        alternative=words(simplex),
        caption=caption(simplex),
        table=simplex.table,
        provenance=source,
    )
    _common(find, selected["marks"], of=len(simplex.share))


def words(simplex: Simplex) -> str:
    """Say what the picture shows, for those who do not see it."""
    leads = [
        f"{label} leads in {percent(share)}"
        for label, share in zip(simplex.labels, simplex.leads, strict=True)
    ]
    shape = {3: "triangle of the three", 4: "tetrahedron of the four"}[len(simplex.labels)]
    return f"Plausible truths in the {shape} leading labels: " + "; ".join(leads)


def caption(simplex: Simplex) -> str:
    """Say how to read the picture."""
    if len(simplex.share) == 1:
        return (
            "The nearer the cross to a corner, the more plausible its label. The cross is the point "
            "estimate, taken for the truth."
        )
    said = "Each dot is a plausible truth"
    if simplex.share.sum(axis=1).min() < 1 - 1e-6:
        said += ", the smaller the more plausible the labels that are not shown"
    if (simplex.leader == ELSEWHERE).any():
        said += "; a grey ring where one of these leads"
    return (
        f"{said}. The bluer a field, the more often its label leads. Large dot: mean. Cross: point estimate."
    )


def _common(find: Find, marks: tuple[int, ...], *, of: int) -> None:
    """Say what the chosen truths have in common, or that some can be chosen."""
    if of == 1:
        return
    with st.container(key="chosen-truths", gap="small"):
        common = find(marks) if marks else None
        if common is None:
            parts.note("Draw around some truths, by lasso or box, to see what they have in common.")
            return
        for sentence in common.sentences:
            element("p", sentence)
