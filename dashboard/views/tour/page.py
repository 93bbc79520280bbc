"""Tour: what becomes of a claimed accuracy where experts disagree, and why, in three short steps."""

from __future__ import annotations

from functools import lru_cache

import numpy as np
import pandas as pd
import streamlit as st

from core.analysis import tour, tour_proof
from core.analysis.export import provenance
from core.analysis.formatting import percent
from core.analysis.models.finding import listed
from core.analysis.tour_claim import Claim
from core.plausibility.settings import RELIABILITIES, Aggregation
from dashboard.charts.figure import Figure
from dashboard.charts.tour.truths import truths_chart
from dashboard.components.picture import picture
from dashboard.components.text import element
from dashboard.shell import state, theme, widgets
from dashboard.shell.theme import Tokens
from dashboard.shell.together import is_part_drawn
from dashboard.shell.view import MOST_OBSERVATION, MOST_PANELS
from dashboard.views.tour import danger, onward, published, steps, ways, yours
from dashboard.views.tour.steps import step
from dashboard.views.tour.style import STYLE

OBSERVATION = 0.6
"""Where the tour begins: readers disagree, and their majority is not the label most plausible in truth."""
START = RELIABILITIES.index(1)
"""Step of the reliability slider at which every reading counts once."""
_CLAIM = "You were quoted an accuracy. What can its labels prove?"
_ANSWER = "What the labels can prove is being worked out …"
"""Stands where the answer comes."""
_DOTS = "Each dot is a **plausible truth**: the nearer a corner, the likelier its condition."
_TRUST = "Press Play: the more the readings are trusted, the surer the leading label, likeliest or not."
_TIE = "A tie stays a tie, however much the readings are trusted."
"""What the slider shows of a case, with a majority or without."""


def show() -> None:
    """Draw the page."""
    st.html(theme.paired(STYLE))
    with st.container(key="tour"):
        st.title("When experts disagree, what can their labels prove?", anchor=False)
        with st.container(key="tour-deck"):
            st.markdown(
                "A model’s accuracy is measured against labels from people. Where people disagree, more than "
                "one label may be true."
            )
        onward.straight()
        published.show()
        _answered(simulated())
        with st.container(key="tour-last"):
            danger.show(3)
        with st.container(key="tour-home"):
            element("p", tour_proof.TAKE_HOME, role="sentence")
        onward.show()
        danger.look_ahead()


@st.fragment
def _answered(source: dict[str, str]) -> None:
    """Answer to a claim, and say why in steps; the last, which is always the same, stands beneath."""
    # What needs computing comes after the first step, which needs none; the place of the answer is kept.
    top = st.container(key="tour-yours")
    with top:
        element("h2", _CLAIM, role="tour-claim")
        # A place that holds nothing is none.
        waiting = st.empty()
        if not is_part_drawn():
            with waiting:
                element("p", _ANSWER, role="note")
    shown = steps.choose()
    _one_case(source)
    second = st.container(key="tour-all-cases")
    with st.container(key="tour-onto"):
        steps.offer_next(shown)
    waiting.empty()

    def explain(found: Claim) -> None:
        with second:
            ways.show(found, source)

    with top:
        yours.show(source, explain=explain)
        onward.onto_study()
    state.write_address()


@lru_cache(maxsize=1)
def simulated() -> dict[str, str]:
    """Where the simulated labels come from."""
    study = tour.toy_study().study
    (task,) = study.tasks.values()
    return provenance(study, task, Aggregation("label-counts", RELIABILITIES[START]))


@st.fragment
def _one_case(source: dict[str, str]) -> None:
    """Draw the step that follows one observation: who reads it, what they say, and what that leaves open."""
    with step(
        1,
        "One case, many plausible truths",
        f"Imagine a rash, scored by look, with three causes: {_named_conditions()}. Without a biopsy, "
        "all anyone can know about a patient is how often each is behind the score.",
    ) as left:
        with left:
            case = _choose_case()
            st.markdown(f"{_kept_in_words(case)} {_DOTS}")
        # It says what the slider beneath it does.
        with st.container(key="tour-trust"):
            st.markdown(_TIE if case.majority is None else _TRUST)
        _show_truths(
            case, source | {"observation": f"{case.observation:g}", "readings": " ".join(_named(case))}
        )
    state.write_address()


def _kept_in_words(case: tour.ToyCase) -> str:
    """Say which label is kept, and whether it is the likeliest; of one patient a rarer one may be true."""
    if case.majority is None:
        return "All three differ, so no label is kept."
    likeliest = int(np.argmax(case.plausibility))
    if case.majority == likeliest:
        return (
            "The label kept by **majority vote** is the likeliest. But three readings do not reveal the "
            "shares."
        )
    label = tour.LABELS[likeliest]
    which = f"{label}, the danger," if tour.CONDITIONS[label] == tour.DANGER else label
    return (
        f"The label kept by **majority vote** is **not the likeliest**: {which} is. Three readings do not "
        "reveal that."
    )


def _named_conditions() -> str:
    """The three conditions by letter and name."""
    return listed(
        [
            f"{label} ({name}{', dangerous' * (name == tour.DANGER)})"
            for label, name in tour.CONDITIONS.items()
        ]
    )


def _choose_case() -> tour.ToyCase:
    """Let the observation and the readers be chosen; show what the readers say."""
    now = state.view().observation
    observation = st.slider(
        "Score of the rash",
        -MOST_OBSERVATION,
        MOST_OBSERVATION,
        step=0.1,
        format="%.1f",
        **widgets.bind("observation", OBSERVATION if now is None else now),
    )
    case = tour.toy_case(observation, panel=state.view().panel)
    shares = ", ".join(
        f"{label} {percent(share)}" for label, share in zip(tour.LABELS, case.plausibility, strict=True)
    )
    element("p", f"Of patients with this score: {shares}. Three readers say:")
    words = [f"reader {i}" for i in range(1, len(case.named) + 1)]
    kept = "tie" if case.majority is None else tour.LABELS[case.majority]
    pairs = zip([*words, "label kept"], [*_named(case), kept], strict=True)
    items = "".join(
        f'<div><dt>{word}</dt><dd class="tour-condition">{tour.CONDITIONS.get(label, "")}</dd>'
        f"<dd>{label}</dd></div>"
        for word, label in pairs
    )
    st.html(f'<dl class="tour-readings">{items}</dl>')
    st.button(
        "Ask three other readers",
        key="tour-ask",
        on_click=lambda: state.change(panel=(state.view().panel + 1) % (MOST_PANELS + 1)),
    )
    return case


def _named(case: tour.ToyCase) -> list[str]:
    """Label that each reader named."""
    return [tour.LABELS[k] for k in case.named]


def _landmarks(case: tour.ToyCase) -> pd.DataFrame:
    """Return the truth, the readers' votes and the majority label, if any, as shares of the conditions."""
    shares = {"truth": case.plausibility, "point": case.counts / case.counts.sum()}
    if case.majority is not None:
        shares["majority"] = np.eye(len(tour.LABELS))[case.majority]
    return pd.DataFrame(np.array(list(shares.values())), columns=list(tour.LABELS)).assign(kind=list(shares))


def _show_truths(case: tour.ToyCase, source: dict[str, str]) -> None:
    """Draw the plausible truths of a case at every reliability."""
    certainty, figure = drawn(case.observation, state.view().panel, theme.tokens())
    picture(
        figure,
        name="tour-plausible-truths",
        # The same words for every case: other words would draw the picture anew, slider included.
        alternative="Reliability slider above a triangle with a corner for each condition and a dot for "
        "each plausible truth; the dots close in on the readers’ votes as reliability grows. Beside it, "
        "twenty dots sorted by the condition that leads.",
        caption="The readers tie: no label is kept."
        if case.majority is None
        else "A single label keeps only the slanted cross.",
        table=certainty.drop(columns="step").round(6),
        provenance=source,
    )


@lru_cache(maxsize=16)
def drawn(observation: float, panel: int, tokens: Tokens) -> tuple[pd.DataFrame, Figure]:
    """How certain the leading label of a case is at every reliability, and the picture of its truths."""
    case = tour.toy_case(observation, panel=panel)
    certainty = tour.certainty_table(case)
    certainty.insert(0, "step", np.arange(len(certainty)))
    draws = tour.draw_table(case)
    draws["step"] = np.repeat(certainty["step"].to_numpy(), tour.N_DRAWS)
    dots = tour.dot_table(certainty)
    dots["step"] = np.repeat(certainty["step"].to_numpy(), len(tour.LABELS))
    frames = draws[["step", *tour.LABELS]], certainty, dots, _landmarks(case)
    return certainty, truths_chart(*frames, start=START, tokens=tokens)
