"""What a study comes to, on top of its page: three cards, each a question, a number, and a sentence."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from html import escape
from typing import NamedTuple

import pandas as pd
import streamlit as st
from streamlit.delta_generator import DeltaGenerator

from core.analysis.cases.percent_ranges import SETTLED, within_percent
from core.analysis.cases.presets import PRESETS
from core.analysis.danger import Danger, Dangers, danger_behind
from core.analysis.export import format_reliability
from core.analysis.formatting import percent, percent_range
from core.analysis.models.by_reliability import (
    Reckoned,
    assumed_in_words,
    ceiling_of,
    claim_in_words,
    dangerous_in_words,
    uncertain_in_words,
)
from core.analysis.models.danger_words import alarms_in_words, danger_in_words, danger_range
from core.plausibility.settings import MODELS, Aggregation
from core.study.model import Task
from dashboard.components.text import element
from dashboard.shell import state, theme
from dashboard.views import parts

_AWAITED = "…"
"""Stands where a number comes."""
_CERTAIN = 0.995
"""Mean certainty from which on there is no ceiling to speak of."""
_DANGERS = tuple(f"finding-high-risk{which}" for which in ("-first", "-tied", "", "-behind"))
"""Keys of the ways to the lists of danger, in their order."""
_CSS = """<style>
.st-key-study-cards { flex-flow: row wrap; align-items: stretch; gap: 1rem; }
.st-key-study-cards > .stElementContainer { position: absolute; width: 0; }
.st-key-study-cards > [data-testid=stLayoutWrapper] {
  flex: 1 1 min(18rem, 100%); width: auto; height: auto;
}
.st-key-study-cards > div > [class*=st-key-study-card-] { height: 100%; gap: 0.7rem; }
.st-key-study-danger [data-testid=stHorizontalBlock], .st-key-study-onward { gap: 0 0.9rem; }
.st-key-study-danger button:disabled p { text-decoration: none; opacity: 0.75; }
.loupe-asked { font-weight: 600; line-height: 1.3; }
.loupe-figure { font-size: 1.9rem; font-weight: 650; line-height: 1.35; letter-spacing: -0.01em; }
.loupe-card .loupe-sentence { font-size: 1rem; font-weight: 400; line-height: 1.45; }
.st-key-study-card-claim { position: relative; }
.st-key-study-card-claim [class*=st-key-work-] {
  position: absolute; bottom: 0.4rem; left: 1rem; right: 1rem; width: auto;
}
.st-key-study-leader { min-height: 3.3rem; }
.st-key-study-card-claim .loupe-card { min-height: 10.5rem; }
.st-key-study-cards:has(.st-key-study-card-claim) .st-key-study-card-danger .loupe-card {
  min-height: 11.3rem;
}
.st-key-study-card-sure .loupe-card { min-height: 7.4rem; }
.loupe-card .loupe-sentence { margin: 0.35rem 0 0; }
.loupe-figure small { font-size: 0.93rem; font-weight: 400; letter-spacing: 0; color: MUTED; }
</style>"""
"""Of a card the place of its words is kept: what is found later moves nothing."""


class Found(NamedTuple):
    """What is known by now of the models.

    Attributes
    ----------
    judged : DataFrame or None
        As `core.analysis.models.supported.Supported` holds it; None while it is not known.
    rows : mapping of float to Reckoned
        What the study comes to at other reliabilities.
    supported : float or None
        The reliability that the readings support, where it is known and not in force.
    is_awaited : bool
        Whether ``judged`` is on its way.
    """

    judged: pd.DataFrame | None
    rows: dict[float, Reckoned]
    supported: float | None
    is_awaited: bool = False


class Cards(NamedTuple):
    """The cards, once they are drawn.

    Attributes
    ----------
    draw : callable
        Says anew what is known of the models by now.
    models : DeltaGenerator or None
        The foot of the card of the claim; None without models.
    """

    draw: Callable[[Found], None]
    models: DeltaGenerator | None


def show(table: pd.DataFrame, task: Task, aggregation: Aggregation, found: Found, *, of_task: str) -> Cards:
    """Draw the cards: of the claim where there are models, of danger where there are risks, of the labels.

    Parameters
    ----------
    table : DataFrame
        The worklist.
    found : Found
        What is known at once.
    of_task : str
        Names the task where the study has more than one.
    """
    known = table["certainty"].dropna()
    danger = danger_behind(table, aggregation)
    drawn: dict[str, tuple[DeltaGenerator, str]] = {}
    foot = None
    with st.container(key="study-cards"):
        st.html(theme.paired(_CSS))
        if task.probability_models:
            with st.container(border=True, key="study-card-claim"):
                drawn["claim"] = _written(_claim(found, aggregation))
                foot = st.container(key="study-leader")
        if danger is not None:
            with st.container(border=True, key="study-card-danger"):
                has_models = len(task.probability_models) > 1
                drawn["danger"] = _written(_danger(found, danger, len(table), has_models=has_models))
                _lists(danger)
        with st.container(border=True, key="study-card-sure"):
            drawn["sure"] = _written(_sure(found, known, aggregation, of_task))
            _ceiling(known, aggregation)
            _onward()

    def draw(found: Found) -> None:
        said = {"sure": _sure(found, known, aggregation, of_task)}
        if "claim" in drawn:
            said["claim"] = _claim(found, aggregation)
        if danger is not None:
            has_models = len(task.probability_models) > 1
            said["danger"] = _danger(found, danger, len(table), has_models=has_models)
        for name, words in said.items():
            place, before = drawn[name]
            if words != before:
                # In the place of what stood there: an emptied one would for a moment let all below jump.
                drawn[name] = place.html(words), words

    return Cards(draw, foot)


def _written(words: str) -> tuple[DeltaGenerator, str]:
    """Write a card's words; return their place with them."""
    return st.html(words), words


def _card(asked: str, figures: Sequence[tuple[str, str]], sentences: Sequence[str]) -> str:
    """Write a question, numbers, each with what it is of, and sentences, as they are."""
    large = "".join(
        f'<div class="loupe-text loupe-figure">{escape(figure)} <small>{escape(of)}</small></div>'
        for figure, of in figures
    )
    said = "".join(
        f'<p dir="auto" class="loupe-text loupe-sentence">{escape(words)}</p>' for words in sentences if words
    )
    head = f'<div class="loupe-text loupe-asked">{escape(asked)}</div>'
    return f'<div class="loupe-card">{head}{large}{said}</div>'


def _claim(found: Found, aggregation: Aggregation) -> str:
    """What is claimed of the best supported model, and what the labels vouch for."""
    asked = "What do the labels vouch for?"
    if found.judged is None:
        return _card(asked, [(_AWAITED, "")] if found.is_awaited else [], [])
    name, claimed, low, high = found.judged[["names", "hard", "low", "high"]].iloc[0]
    is_point = math.isinf(aggregation.reliability) or not MODELS[aggregation.model].has_reliability
    of_model = {gamma: row for gamma, row in found.rows.items() if name in row.ranges}
    vouched, now = None if is_point else (low, high), aggregation.reliability
    sentence = claim_in_words(name, claimed, now, vouched, of_model, found.supported)
    at = f"γ = {format_reliability(now)}, in use"
    figures = [("nothing", "vouched for") if is_point else (percent_range(low, high), at)]
    if not is_point and found.supported is not None and found.supported in of_model:
        best = f"γ = {format_reliability(found.supported)}, best supported"
        figures.append((percent_range(*of_model[found.supported].ranges[name]), best))
    return _card(asked, figures, [sentence])


def _danger(found: Found, danger: Dangers, cases: int, *, has_models: bool) -> str:
    """How often models name danger, and are wrong to; and in how many cases there may be some."""
    depends = dangerous_in_words(danger.total, found.rows, found.supported) if danger.total else ""
    also = f"{danger.words} {depends}".strip()
    asked = "How often do the models name a danger?"
    if found.judged is not None and danger_range(found.judged):
        of_models = f"{danger_in_words(found.judged)} {alarms_in_words(found.judged)}".strip()
        return _card(asked, [(danger_range(found.judged), "of dangerous truths")], [of_models, also])
    if found.judged is None and found.is_awaited and has_models:
        return _card(asked, [(_AWAITED, "")], [also])
    figures = [(f"{danger.total:,} of {cases:,} cases", "may be of high risk")] if danger.total else []
    return _card("How often may there be danger?", figures, [depends if danger.total else danger.words])


def _sure(found: Found, known: pd.Series, aggregation: Aggregation, of_task: str) -> str:
    """In how many cases the leading label is uncertain; of a point estimate, that it leaves this out."""
    uncertain = float(within_percent(known, 0, SETTLED).astype(float).mean())
    is_assumed = math.isinf(aggregation.reliability) and MODELS[aggregation.model].has_reliability
    if is_assumed:
        words, figure = assumed_in_words(uncertain, found.rows), ("not asked", "")
    else:
        words = uncertain_in_words(uncertain, found.rows, found.supported)
        figure = (f"{percent(uncertain)} unsure", "")
    sentence = f"{of_task}: {words[0].lower()}{words[1:]}" if of_task else words
    return _card("How sure are the labels?", [figure], [sentence])


def _ceiling(known: pd.Series, aggregation: Aggregation) -> None:
    """Say the most that the labels can grant a model."""
    # Its place stays where it has nothing to say: what stands below would be made anew.
    with st.container():
        if known.mean() < _CERTAIN:
            most = ceiling_of(known.to_numpy(), is_point=math.isinf(aggregation.reliability))
            element(
                "p",
                f"These labels grant no model, however good, more than {percent_range(*most)} right answers.",
            )


def _onward() -> None:
    """Lead to the cases that are least certain, and to what more readings would change."""
    with st.container(key="study-onward", horizontal=True, gap="small"):
        if st.button("Least certain cases", key="anchor-uncertain", type="tertiary", help="Opens Cases"):
            state.change(**state.NO_FILTER, case="", preset="", sort="", what_if="")
            state.open_page("cases")
        if st.button(
            "What more readings change",
            key="anchor-planning",
            type="tertiary",
            help="Opens Raters, at certainty by the number of readings of a case and by their reliability",
        ):
            state.change(plan="certainty")
            state.open_page("raters")


def _lists(danger: Dangers) -> None:
    """Say in how many cases danger stands behind the leading label in each way, and lead to them."""
    # A place of its own: what comes or goes in it makes nothing below it anew.
    with st.container(key="study-danger", gap="xsmall"):
        if danger.lead_in:
            element("p", danger.lead_in)
        with st.container(horizontal=True, gap="small"):
            for key, one in zip(_DANGERS, danger.lists, strict=False):
                _lead_to(one, key)
        if danger.note:
            parts.note(danger.note)


def _lead_to(danger: Danger, key: str) -> None:
    """Say in how many cases danger stands in one way, as the way to them; none are no silence."""
    if st.button(
        danger.words,
        key=key,
        type="tertiary",
        disabled=not danger.case_ids,
        help=f"Opens these cases. {PRESETS[danger.preset].meaning}",
    ):
        reset = {"case": danger.case_ids[0], "preset": danger.preset, "sort": "", "what_if": ""}
        state.change(**state.NO_FILTER | reset)
        state.open_page("cases")
