"""Plausible truths of a case on the simplex of its leading labels, and what chosen ones have in common."""

from __future__ import annotations

from collections.abc import Callable, Mapping

import streamlit as st

from core.analysis.cases.simplex import ELSEWHERE, Chosen, Simplex
from core.analysis.formatting import in_sentence, percent
from dashboard.charts.cases.simplex import simplex_figure
from dashboard.charts.cases.simplex_print import faces_print
from dashboard.charts.cases.tetrahedron import tetrahedron_figure
from dashboard.components.picture import picture
from dashboard.components.text import element
from dashboard.shell import state, theme, widgets
from dashboard.shell.view import CORNERS
from dashboard.views import parts

Find = Callable[[tuple[int, ...]], Chosen | None]
"""Finds what plausible truths have in common, by their numbers."""


def show(simplexes: Mapping[int, Simplex], source: dict[str, str], find: Find) -> None:
    """Draw the leading labels, three or four of them, where there are as many."""
    if not simplexes:
        return
    parts.head("The leading labels")
    n = CORNERS[0]
    if len(simplexes) > 1:
        n = st.segmented_control(
            "How many of them",
            label_visibility="collapsed",
            format_func=lambda n: f"{n} labels",
            required=True,
            **widgets.choices("corners", state.view().corners, CORNERS),
        )
    simplex = simplexes[n]
    if n == CORNERS[0]:
        _triangle(simplex, source, find)
    else:
        _tetrahedron(simplex, source)


def _triangle(simplex: Simplex, source: dict[str, str], find: Find) -> None:
    """Draw three labels, and say what chosen truths have in common."""
    selected = picture(
        simplex_figure(simplex, tokens=theme.tokens()),
        name="simplex",
        alternative=words(simplex),
        caption=caption(simplex) + " The bluer a field, the more often its label leads.",
        table=simplex.table,
        provenance=source,
    )
    _common(find, selected["marks"], of=len(simplex.share))


def _tetrahedron(simplex: Simplex, source: dict[str, str]) -> None:
    """Draw four labels, to be turned, and the four faces."""
    picture(
        tetrahedron_figure(simplex, tokens=theme.tokens()),
        name="tetrahedron",
        alternative=words(simplex),
        caption=caption(simplex) + " Turn it by dragging, by the buttons, or by the arrow keys.",
        table=simplex.table,
        provenance=source,
    )
    picture(
        faces_print(simplex, tokens=theme.tokens(), small=True),
        name="faces",
        alternative="The four faces of the tetrahedron, each the triangle of three of its labels",
        caption="Its four faces: three labels each. A grey ring: the fourth leads, or one that is not shown.",
        table=simplex.table,
        provenance=source,
        width="content",
    )


def words(simplex: Simplex) -> str:
    """Say what the picture shows, for those who do not see it."""
    leads = [
        f"{in_sentence(label)} leads in {percent(share)}"
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
    return f"{said}. Large dot: mean. Cross: point estimate."


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
