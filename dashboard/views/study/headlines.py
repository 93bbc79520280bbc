"""What a study comes to, on top of its page: a verdict for whoever decides, then danger and certainty."""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping, Sequence
from functools import partial
from html import escape
from types import MappingProxyType
from typing import NamedTuple

import pandas as pd
import streamlit as st
from streamlit.delta_generator import DeltaGenerator

from core.analysis.cases.worklist import PLAUSIBLE
from core.analysis.danger import Dangers, danger_behind
from core.analysis.formatting import of_hundred, percent
from core.analysis.models.basis import Basis, likely_basis
from core.analysis.models.by_reliability import (
    UNSURE,
    also_dangerous_in_words,
    also_uncertain_in_words,
    assumed_in_words,
    ceiling_of,
    dangerous_once_in_words,
    share_below,
    uncertain_in_words,
)
from core.analysis.models.danger_by_label import hardest
from core.analysis.models.missed_counts import missed_cases
from core.analysis.models.trust import PROVISIONAL, chosen_in_words, point_in_words, so_far
from core.analysis.models.verdict import danger_in_words
from core.analysis.reliability.words import reliability_words
from core.analysis.risk_words import meaning, which_labels
from core.analysis.support_words import TRUTHS_EXPLAINED
from core.plausibility.settings import MODELS, Aggregation
from core.study.model import Task
from dashboard.components import text
from dashboard.shell import state, theme
from dashboard.views import parts
from dashboard.views.study import bands, claims_table, dangers, kept, note, onward, style
from dashboard.views.study.found import Found, reached


class Cards(NamedTuple):
    """The cards, once they are drawn.

    Attributes
    ----------
    draw : callable
        Says anew what is known by now.
    foot : DeltaGenerator
        The foot of the verdict, for how far work is.
    below : DeltaGenerator
        Beneath it all, beside at which reliability it is: for choosing another.
    note : Places
        Of the note that whoever decides takes away.
    ceiling : (float, float)
        What any model is granted at the reliability in force.
    """

    draw: Callable[[Found], None]
    foot: DeltaGenerator
    below: DeltaGenerator
    note: note.Places
    ceiling: tuple[float, float]


def show(
    table: pd.DataFrame,
    task: Task,
    aggregation: Aggregation,
    found: Found,
    *,
    of_task: str,
    misled: Sequence[str] = (),
    standards: Mapping[str, int] = MappingProxyType({}),
) -> Cards:
    """Draw the cards: of the claim where there are models, of danger where there are risks, of the labels.

    Parameters
    ----------
    table : DataFrame
        The worklist.
    found : Found
        What is known at once.
    of_task : str
        Names the task where the study has more than one.
    misled : sequence of str
        Cases in which plain accuracy misleads, as their list has them.
    standards : mapping of str to int
        How the study's own references were established, as `core.analysis.models.verdict.decision` takes it.
    """
    known = table["certainty"].dropna()
    danger = danger_behind(table, aggregation)
    ceiling = ceiling_of(known.to_numpy(), is_point=found.trust.is_point)
    # Who keeps a reliability is told what would be where the readings support another.
    may_differ = found.trust.differs or found.trust.state == "awaited"
    may_differ &= not state.is_reliability_usual()
    likely = kept.likely_trust(found.trust, may_differ=may_differ)
    basis = likely_basis(standards, len(table))
    like = None if found.trust.is_point else kept.like_verdict(task, likely, standards, basis)
    like_danger = kept.like_danger(task, "" if danger is None else danger.on_average, may_differ=may_differ)

    def said_of(found: Found) -> dict[str, str]:
        said = _verdict(found, ceiling, task, like, basis)._asdict()
        said["sure"] = _sure(found, known, aggregation, of_task)
        said["state"] = theme.paired(style.AWAITED) if found.may_change else style.KNOWN
        said["below"] = _below(found, ceiling, task, None if danger is None else danger.total)
        if danger is not None:
            said["danger"] = _danger(found, danger, len(table), task, like_danger)
            dangers.see(danger, table, task, aggregation, _missed(found.in_force[0]))
        return said

    said, drawn = said_of(found), dict[str, tuple[DeltaGenerator, str]]()

    def write(name: str) -> None:
        drawn[name] = st.html(said[name]), said[name]

    st.html(theme.paired(style.CARDS))
    with st.container(border=True, key="study-verdict"):
        write("verdict")
        if task.probability_models:
            write("claims")
        write("points")
        foot = st.container(key="study-verdict-foot")
        onward.show(table, task, misled, models=_missed(found.in_force[0]))
        noted = note.places()
    with st.container(key="study-cards"):
        if danger is not None:
            with st.container(border=True, key="study-card-danger"):
                write("danger")
                dangers.show(danger, table, task, aggregation)
        with st.container(border=True, key="study-card-sure"):
            write("sure")
            _lead_to_uncertain()
        write("state")
    st.html(style.ROOM if may_differ else "<style></style>")
    with st.container(key="study-below", horizontal=True, vertical_alignment="center"):
        write("below")
        below = st.container(key="study-below-choice", width="content")
    _enough(names_dangers=danger is not None and bool(task.probability_models))

    def draw(found: Found) -> None:
        for name, words in said_of(found).items():
            if name in drawn and words != drawn[name][1]:
                place = drawn[name][0]
                # In the place of what stood there: an emptied one would for a moment let all below jump.
                drawn[name] = place.html(words), words

    return Cards(draw, foot, below, noted, ceiling)


def _missed(judged: pd.DataFrame | None) -> dict[str, float]:
    """How many dangers each model misses on average, the first model first; NaN where it is not known."""
    if judged is None:
        return {}
    missed = map(missed_cases, judged["caught"], judged["dangers"])
    return dict(zip(judged["names"], missed, strict=True))


def _card(
    asked: str,
    figures: Sequence[tuple[str, str]],
    sentences: Sequence[str | kept.Marked],
    *,
    like: kept.Like | None = None,
    meant: tuple[str, str] = ("", ""),
    drawn: str = "",
    of_report: bool = False,
) -> str:
    """Write a question, what is ``meant`` by it and more of that, numbers with what they are of, and words.

    What is ``drawn``, HTML, stands below. Words take the room at least of those that they are ``like``. A
    report takes paragraphs: numbers ``of_report`` are some.
    """
    tag, role = ("p", "loupe-p ") if of_report else ("div", "")
    large = "".join(
        f'<{tag} class="loupe-text {role}loupe-figure">{escape(figure)} <small>{escape(of)}</small></{tag}>'
        for figure, of in figures
    )
    said = _sentences(sentences)
    head = f'<div class="loupe-text loupe-asked">{escape(asked)}</div>'
    says, more = meant
    if says:
        head += text.fold_html(says, f"<p>{escape(more)}</p>")
    return f'<div class="loupe-card">{head}{kept.keeping(large, said, like)}{drawn}</div>'


def _sentences(sentences: Sequence[str | kept.Marked]) -> str:
    """Write sentences, each a paragraph."""
    return "".join(
        f'<p dir="auto" class="loupe-text loupe-sentence{one.mark}">{one.written()}</p>'
        for one in kept.marked(sentences)
    )


_NONE = "<span hidden></span>"
"""In the place of points, where there are none."""


class _Written(NamedTuple):
    """The verdict as HTML: what follows, every claim with what becomes of it, and what both rest on."""

    verdict: str
    claims: str = "<p></p>"
    points: str = _NONE


def _verdict(
    found: Found,
    ceiling: tuple[float, float],
    task: Task,
    like: kept.Like | None,
    likely: Basis,
) -> _Written:
    """What a buyer may conclude, every claim with its verdict, and why."""
    asked, trust = "What do these labels support?", found.trust
    if found.is_awaited:
        # A number that is about to be counted anew is none to begin with.
        words = PROVISIONAL if found.may_change else f"{PROVISIONAL} {so_far(trust, ceiling)}".strip()
        card = _card(asked, [(claims_table.AWAITED, "")], [words], like=like)
        return _Written(card, claims_table.awaited(task, likely), _points((), like))
    verdict = reached(found, ceiling, task)
    if verdict is None:
        return _Written(_card(asked, [("nothing", "supported")], [point_in_words(trust)]))
    who, why = verdict.first
    most, basis = (percent(verdict.most), kept.MOST), verdict.basis
    asked = "Which model do these labels support most?" if who else asked
    if basis.is_reference:
        asked = (
            f"Which model is right most often, {basis.by}?" if who else f"How often is it right, {basis.by}?"
        )
        most = percent(verdict.claims[0].ends[0]), f"of {basis.n_cases:,} cases"
    missed = danger_in_words(verdict).removeprefix("⚠ ")
    points = (f"{who}. {why}" if who else "", verdict.said, missed, verdict.check, verdict.otherwise)
    is_decided = bool(verdict.decided)
    ask = verdict.ask if task.has_risk or not verdict.claims else f"{verdict.ask} {dangers.CHOOSE}"
    said = kept.verdict_of(chosen_in_words(trust), points, ask, is_decided=is_decided)
    figure = (verdict.decided, "") if is_decided else most
    card = _card(asked, [figure], said.head, like=like)
    table = claims_table.markup(verdict.claims, basis, found.reference, points[0] * is_decided)
    return _Written(card, table, _points(said.points, like))


def _points(said: Sequence[kept.Marked], like: kept.Like | None) -> str:
    """Write what a verdict rests on, point by point, in the room of those that it is ``like``."""
    likely = () if like is None else like.points
    if not said and not likely:
        return _NONE
    return f'<div class="loupe-card">{kept.keeping("", _sentences(said), kept.Like("", "", likely))}</div>'


def _danger(found: Found, danger: Dangers, cases: int, task: Task, like: kept.Like) -> str:
    """In how many cases there may be danger, and which models name least."""
    # Under a point estimate each is of high risk or is not.
    often = "" if found.trust.is_point else f" in {of_hundred(PLAUSIBLE)} or more of 100 {TRUTHS_EXPLAINED}"
    figures = [(f"{danger.total:,} of {cases:,} cases", f"may be of high risk{often}")] * bool(danger.total)
    most = ""
    judged, missed = found.in_force
    if judged is not None and missed is not None:
        most = hardest(missed, len(judged))
    also = also_dangerous_in_words(found.rows, found.supported)
    said = [danger.on_average, most, also] if danger.total else [danger.words]
    asked, meant = "Which cases may be dangerous?", (meaning(task), which_labels(task))
    return _card(asked, figures, said, meant=meant, like=like if danger.total else None, of_report=True)


def _below(found: Found, ceiling: tuple[float, float], task: Task, dangerous: int | None) -> str:
    """Say at which reliability all this is, what would be ``dangerous`` by less trust, and what follows."""
    verdict = None if found.is_awaited else reached(found, ceiling, task)
    if found.is_awaited:
        return "<p></p>"
    now = found.trust.aggregation
    words = verdict.where if verdict is not None and verdict.where else reliability_words(now)
    if not found.trust.differs:
        words = " ".join(filter(None, (words, dangerous_once_in_words(found.rows, dangerous, now))))
    return f'<p dir="auto" class="loupe-text loupe-note">{escape(words)}</p>'


def _sure(found: Found, known: pd.Series, aggregation: Aggregation, of_task: str) -> str:
    """In how many cases the leading label is uncertain; of a point estimate, that it leaves this out."""
    asked, also = "How sure are the labels?", also_uncertain_in_words(found.rows, found.supported)
    if math.isinf(aggregation.reliability) and MODELS[aggregation.model].has_reliability:
        words = assumed_in_words(share_below(known, UNSURE))
        sentence = f"{of_task}: {words[0].lower()}{words[1:]}" if of_task else words
        return _card(asked, [("not measured", "")], [sentence, also])
    of_task = f"{of_task}." if of_task else ""
    return _card(asked, [uncertain_in_words(known)], [of_task, also], drawn=bands.markup(known))


def _enough(*, names_dangers: bool) -> None:
    """Say that whoever decides need read no further."""
    with st.container(key=f"{text.AT_SCREEN}-study-enough"):
        which = "which dangers each model misses, then " * names_dangers
        parts.note(f"That is the whole verdict. Below: {which}how these numbers come about.")


def _lead_to_uncertain() -> None:
    """Lead to the cases that are least certain."""
    st.button(
        "Least certain cases",
        key="anchor-uncertain",
        type="tertiary",
        help="Opens Cases",
        on_click=partial(state.lead_to, "cases", **state.ALL_CASES | {"sort": "certainty"}),
    )
