"""Plausible truths of a case on the simplex of its leading labels, and what chosen ones have in common."""

from __future__ import annotations

from collections.abc import Callable, Mapping

import numpy as np
import streamlit as st

from core.analysis.cases.chosen import Chosen
from core.analysis.cases.simplex import ELSEWHERE, Simplex, others
from core.analysis.formatting import in_sentence, percent
from dashboard.charts.cases.simplex import simplex_figure
from dashboard.charts.cases.simplex_legend import simplex_legend
from dashboard.charts.cases.simplex_print import faces_print
from dashboard.charts.cases.simplex_words import leads_words
from dashboard.charts.cases.tetrahedron import tetrahedron_figure
from dashboard.components.picture import Caption, part_of_picture, picture
from dashboard.components.text import count, element
from dashboard.shell import state, theme, widgets
from dashboard.shell.view import CORNERS
from dashboard.views import parts

Find = Callable[[tuple[int, ...]], Chosen | None]
"""Finds what plausible truths have in common, by their numbers."""
VISIBLE = 0.05
"""Share of the labels that are not shown from which on it is said."""
_LEAST = 0.005
"""Share below which labels that are not shown are not worth a word."""
_CHOSEN, _NONE = "loupe-truths-where-leads", -2
"""Where the session keeps of which case the truths are chosen in which label leads; and no such label."""
_KEPT = "loupe-truths-chosen"
"""Where it keeps which truths of which case are chosen in the triangle: so they are in the tetrahedron."""


def show(
    simplexes: Mapping[int, Simplex],
    source: dict[str, str],
    find: Find,
    missing: str = "",
    *,
    all_marks: bool = True,
) -> None:
    """Draw the leading labels, three or four of them, or say why they are ``missing``, if that is given.

    Without ``all_marks`` three that can be pointed at, and nothing to choose; whoever has four keeps these.
    """
    if not simplexes and not missing:
        return
    parts.head("The leading labels")
    if not simplexes:
        parts.note(missing)
        return
    n = CORNERS[0]
    if len(simplexes) > 1 and (all_marks or state.view().corners != n):
        n = st.segmented_control(
            "How many of them",
            label_visibility="collapsed",
            format_func=lambda n: f"{n} labels",
            required=True,
            **widgets.choices("corners", state.view().corners, CORNERS),
        )
    simplex = simplexes[n]
    if not all_marks and n == CORNERS[0]:
        _triangle(simplex, source, (), all_marks=False)
        return
    # It stands below the picture, and is asked first: what it chooses is marked there.
    above, below = st.container(), st.container(key="chosen-truths", gap="small")
    with below:
        chosen = _where_leads(simplex, source["case"])
    with above:
        marks = (_triangle if n == CORNERS[0] else _tetrahedron)(simplex, source, chosen)
    if len(simplex.share) > 1:
        with below:
            _common(find, marks, by_hand=n == CORNERS[0])


def _where_leads(simplex: Simplex, case: str) -> tuple[int, ...]:
    """Offer the truths in which a label leads, for those who draw nothing; numbers of those chosen."""
    if len(simplex.share) == 1:
        return ()
    # All are offered whoever leads, in the same words: so the field stays while the slider is moved.
    names = {_NONE: "none", **dict(enumerate(simplex.labels)), ELSEWHERE: "another label"}
    # What is chosen in the picture later is in force in its place.
    of = (case, str((st.session_state.get("chart-simplex") or {}).get("chosen")))
    kept, name = st.session_state.get(_CHOSEN, (None, names[_NONE]))
    leader = next((code for code, one in names.items() if one == name), ELSEWHERE) if kept == of else _NONE

    def take(said: int) -> None:
        st.session_state[_CHOSEN] = (of, names[said])
        st.session_state.pop(_KEPT, None)

    st.selectbox(
        "Choose the truths in which one label leads",
        **widgets.choice(
            "truths-where-leads",
            leader,
            list(names),
            words=names.__getitem__,
            take=take,
        ),
    )
    if leader == _NONE:
        return ()
    found = tuple(np.flatnonzero(simplex.leader == leader).tolist())
    if not found:
        parts.note(f"In none of these truths does {in_sentence(names[leader])} lead.")
    return found


def _triangle(
    simplex: Simplex, source: dict[str, str], chosen: tuple[int, ...], *, all_marks: bool = True
) -> tuple[int, ...]:
    """Draw three labels, in which truths can be chosen; return their numbers."""
    selected = picture(
        simplex_figure(simplex, tokens=theme.tokens(), chosen=chosen, all_marks=all_marks),
        name="simplex",
        alternative=words(simplex),
        caption=caption(simplex),
        table=simplex.table,
        provenance=source,
    )
    if legend := simplex_legend(simplex, theme.tokens(), all_marks=all_marks):
        parts.marks_key(legend)
    marks: tuple[int, ...] = selected["marks"]
    st.session_state[_KEPT] = (source, marks)
    return marks


def _tetrahedron(simplex: Simplex, source: dict[str, str], chosen: tuple[int, ...]) -> tuple[int, ...]:
    """Draw four labels, to be turned, and the four faces; return what is chosen, here or in the triangle."""
    of, drawn = st.session_state.get(_KEPT, (None, ()))
    # Of another reliability the truths are other ones.
    chosen = chosen or (drawn if of == source else ())
    picture(
        tetrahedron_figure(simplex, tokens=theme.tokens(), chosen=chosen),
        name="tetrahedron",
        alternative=words(simplex),
        caption=Caption(
            caption(simplex),
            "Turn it by dragging, buttons or arrow keys; point at a corner to see where its label leads.",
        ),
        table=simplex.table,
        provenance=source,
    )
    parts.marks_key(simplex_legend(simplex, theme.tokens()))
    before = " Hollow: before the change." if simplex.before is not None else ""
    part_of_picture(
        faces_print(simplex, tokens=theme.tokens(), small=True),
        name="faces",
        alternative="The four faces of the tetrahedron, each the triangle of three of its labels",
        caption="Its four faces: three labels each. A grey ring: the fourth leads, or one that is not shown."
        + before,
    )
    return chosen


def words(simplex: Simplex) -> str:
    """Say what the picture shows, for those who do not see it."""
    leads = [
        f"{in_sentence(label)} {words}"
        for label, words in zip(simplex.labels, leads_words(simplex), strict=True)
    ]
    shape = {3: "triangle of the three", 4: "tetrahedron of the four"}[len(simplex.labels)]
    change = ", before and after the change" if simplex.before is not None else ""
    return f"Plausible truths in the {shape} leading labels{change}: " + "; ".join(leads)


def caption(simplex: Simplex) -> str:
    """Say how to read where a mark stands, and what has no place there: the shares of other labels."""
    is_point = len(simplex.share) == 1
    words = (
        "The nearer the cross is to a corner, the stronger its label."
        if is_point
        else f"Each dot is one of {len(simplex.share)} plausible truths: the nearer to a corner, the "
        "stronger its label, which leads in the area there. All at one corner: the truths agree. Between "
        "corners: those labels are open."
    )
    if simplex.danger:
        danger = "; ".join(f"{in_sentence(label)}, high risk, leads in {n}" for label, n in simplex.danger)
        words = f"{words} Not drawn: {danger} of 100."
    left = float(others(simplex.point if is_point else simplex.mean))
    if left < VISIBLE:
        return words
    return f"{words} Left out here: {_left_words(simplex, left, is_point=is_point)}."


def _left_words(simplex: Simplex, left: float, *, is_point: bool) -> str:
    """Say which labels have no place, with their share: those that readings name, and that nobody named."""
    unnamed = min(simplex.unnamed_point if is_point else simplex.unnamed, left)
    average = "" if is_point else " on average"
    said = []
    if simplex.n_named and left - unnamed >= _LEAST:
        n = count(simplex.n_named, "label")
        said.append(f"{n} that readings name, with {percent(left - unnamed)}{average}")
    if simplex.n_unnamed and unnamed >= _LEAST:
        together = " together" if simplex.n_unnamed > 1 else ""
        labels = count(simplex.n_unnamed, "label")
        said.append(f"{labels} that nobody named, with {percent(unnamed)}{together}{average * (not said)}")
    return ", and ".join(said)


def missing_words(n_named: int) -> str:
    """Say why changed readings have no such picture: it takes three labels that they name."""
    n = CORNERS[0]
    named = "only one label" if n_named == 1 else f"only {n_named} labels"
    return f"No triangle: it takes {n} labels, and with these changes the readings name {named}."


def _common(find: Find, marks: tuple[int, ...], *, by_hand: bool) -> None:
    """Say what the chosen truths have in common, or that some can be chosen."""
    common = find(marks) if marks else None
    if common is not None:
        for sentence in common.sentences:
            element("p", sentence)
        return
    how = ", or draw around some with lasso or box," if by_hand else ""
    parts.note(f"Choose some truths{how} to see what they have in common.")
