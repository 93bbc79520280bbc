"""Tour: what is lost when disagreement becomes one label, in five short steps on a toy problem."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from functools import lru_cache
from urllib.parse import urlencode

import numpy as np
import pandas as pd
import streamlit as st
from streamlit.delta_generator import DeltaGenerator

from core.analysis import tour
from core.analysis.export import provenance
from core.analysis.formatting import percent
from core.plausibility.settings import RELIABILITIES, Aggregation
from dashboard.charts.tour.accuracy import accuracy_chart
from dashboard.charts.tour.curves import curves_chart
from dashboard.charts.tour.reliability import reliability_chart
from dashboard.charts.tour.simplex import simplex_chart
from dashboard.components.picture import picture
from dashboard.shell import state, theme, widgets
from dashboard.shell.address import format_address
from dashboard.shell.view import MOST_OBSERVATION, MOST_PANELS, View

CASE = View(study="dermatology_like", case="stutz-2025-fig-5")
"""The sample case that shows best what the tour is about."""
OBSERVATION = 0.6
"""Where the tour begins: the raters' majority is not the label most plausible in truth."""
START = RELIABILITIES.index(1)
"""Step of the reliability slider at which every reading counts once."""
TRUTHS = {
    "one rater": ("One rater’s word", "each of three raters in turn; line: lowest to highest"),
    "majority": ("The majority label", "what is usually reported"),
    "adjusted": ("All plausible truths", "adjusted accuracy, γ = 1; band: 95 % of plausible truths"),
    "known truth": ("The known truth", "only a toy problem can look it up"),
}

_STYLE = """
<style>
.st-key-tour { max-width: 1120px; }
.st-key-tour h1 { font-size: 2.3rem; font-weight: 650; letter-spacing: -0.02em; padding: 0; }
.st-key-tour h2 { font-size: 1.28rem; font-weight: 650; letter-spacing: -0.005em; padding: 0 0 0.35rem; }
[class*="st-key-tour-step-"] h2::first-letter { color: SOFT; }
.st-key-tour-deck { margin: 0.3rem 0 0.6rem; }
.st-key-tour-deck p { font-size: 1.15rem; line-height: 1.5; max-width: 44rem; color: MUTED; }
[class*="st-key-tour-step-"], .st-key-tour-next {
  border-top: 1px solid RULE; padding-top: 1.5rem; margin-top: 0.7rem;
}
[class*="st-key-tour-step-"] p, .st-key-tour-next p { line-height: 1.55; max-width: 40rem; }
.st-key-tour .stVegaLiteChart svg { max-width: 100%; height: auto; }
.st-key-tour .tour-readings { display: flex; gap: 0.5rem; margin: 0.2rem 0 0.1rem; padding: 0; }
.tour-readings div {
  flex: 1 1 0; max-width: 6.4rem; display: flex; flex-direction: column-reverse; align-items: center;
  border: 1px solid RULE; border-radius: 6px; padding: 0.35rem 0.2rem 0.3rem; margin: 0;
}
.tour-readings div:last-child { border: 2px solid TEXT; margin-left: 1.1rem; position: relative; }
.tour-readings div:last-child::before {
  content: "→"; position: absolute; left: -1.3rem; top: 1.05rem; color: MUTED;
}
.tour-readings dd { margin: 0; padding: 0; font-size: 1.45rem; font-weight: 600; line-height: 1.2; }
.tour-readings dt {
  margin: 0; padding: 0; color: MUTED; font-size: 0.84rem; font-weight: 400; white-space: nowrap;
}
.st-key-tour-step-3 .stVegaLiteChart.vega-embed { display: flex; flex-direction: column; }
.st-key-tour-step-3 .vega-embed form.vega-bindings {
  order: -1; flex-direction: row; align-items: center; gap: 1.6rem; padding: 0 0 1.1rem; max-width: 632px;
}
.st-key-tour-step-3 form.vega-bindings div.vega-bind { width: auto; flex: 1 1 auto; }
.st-key-tour-step-3 form.vega-bindings div.vega-bind:has([type="checkbox"]) { flex: 0 0 auto; }
.st-key-tour-step-3 form.vega-bindings div.vega-bind label { flex: 1 1 auto; flex-wrap: nowrap; gap: 0.8rem; }
.st-key-tour-step-3 form.vega-bindings span.vega-bind-name { min-width: 0; font-size: 0.95rem; }
.st-key-tour-step-3 form.vega-bindings [type="range"] { flex: 1 1 auto; width: auto; height: 1.1rem; }
.st-key-tour-step-3 form.vega-bindings [type="range"]::-webkit-slider-runnable-track { background: RULE; }
.st-key-tour-step-3 form.vega-bindings [type="range"]::-moz-range-progress { background: RULE; }
.st-key-tour-step-3 form.vega-bindings [type="range"] + span { display: none; }
.st-key-tour-step-3 form.vega-bindings label:has([type="checkbox"]) {
  border: 1px solid SOFT; border-radius: 999px; padding: 0.22rem 0.95rem 0.22rem 0.8rem;
}
.st-key-tour-step-3 form.vega-bindings label:has([type="checkbox"]) span { color: SOFT; font-weight: 600; }
.st-key-tour-step-3 form.vega-bindings label:has([type="checkbox"]) span::before {
  content: "▶\ufe0e"; font-size: 0.8em; padding-right: 0.5rem;
}
.st-key-tour-step-3 form.vega-bindings label:has(:checked) span::before { content: "❚❚"; }
.st-key-tour-step-3 form.vega-bindings label:has([type="checkbox"]:focus-visible) {
  outline: 2px solid SOFT; outline-offset: 2px;
}
.st-key-tour-step-3 form.vega-bindings [type="checkbox"] { position: absolute; opacity: 0; }
@media (max-width: 1180px) {
  .st-key-tour [data-testid="stHorizontalBlock"]:has(> [data-testid="stColumn"]) {
    flex-wrap: wrap; gap: 1rem;
  }
  .st-key-tour [data-testid="stHorizontalBlock"] > [data-testid="stColumn"] {
    flex: 1 1 100%; min-width: 100%;
  }
}
</style>
"""


def show() -> None:
    """Draw the page."""
    st.html(theme.paired(_STYLE))
    with st.container(key="tour"):
        st.title("Three experts, three answers. What is the truth?", anchor=False)
        accuracies, source = _simulated()
        shown = percent(accuracies.loc[accuracies["truth"] == "majority", "accuracy"].item())
        with st.container(key="tour-deck"):
            st.markdown(
                f"“The model is {shown} accurate” depends on what is called the truth. This invented problem "
                "is small enough to see why, in five steps and five minutes."
            )
        _one_case(source)
        _accuracies(accuracies, source)
        _next()


@lru_cache(maxsize=1)
def _simulated() -> tuple[pd.DataFrame, dict[str, str]]:
    """Accuracies over the simulated cases, always the same, and where they come from."""
    simulated = tour.toy_study()
    (task,) = simulated.study.tasks.values()
    reliability = RELIABILITIES[START]
    accuracies = tour.accuracy_table(simulated.study, simulated.truth, reliability=reliability)
    return accuracies, provenance(simulated.study, task, Aggregation("label-counts", reliability))


@contextmanager
def _steps(*steps: tuple[int, str, str]) -> Iterator[DeltaGenerator]:
    """Write the words of steps on the left, which is handed out; what is drawn stands on the right."""
    with st.container(key=f"tour-step-{steps[0][0]}"):
        left, right = st.columns([4, 8], gap="large")
        for number, title, words in steps:
            left.header(f"{number}\u2002{title}", anchor=False)
            left.markdown(words)
        with right:
            yield left


@st.fragment
def _one_case(source: dict[str, str]) -> None:
    """Draw the four steps that follow one observation."""
    first = (
        1,
        "One case, three raters, one label",
        "A test value fits three conditions, A, B and C, some better than others. Three raters each name "
        "one. Usually the majority is kept as “the truth”, and the rest is thrown away.",
    )
    with _steps(first) as left:
        with left:
            case = _choose_case()
        source = source | {"observation": f"{case.observation:g}", "readings": " ".join(_named(case))}
        _show_classes(case, source)
    certainty = tour.certainty_table(case)
    certainty.insert(0, "step", np.arange(len(certainty)))
    draws = tour.draw_table(case)
    draws["step"] = np.repeat(certainty["step"].to_numpy(), tour.N_DRAWS)
    landmarks = _landmarks(case)
    second = (
        2,
        "Keep every truth that is possible",
        "Three answers leave many truths possible. Each dot is one **plausible truth**: a share for each "
        "condition. The nearer to a corner, the larger its share. In each sector another condition leads.",
    )
    with _steps(second):
        _show_truths(draws, certainty, landmarks, source)
    third = (
        3,
        "Trust moves them",
        "**Reliability**, γ, says how far the raters are trusted: how often each reading counts. Press Play "
        "or move the slider. With little trust almost anything is possible; with much, the dots close in on "
        "the votes.",
    )
    fourth = (
        4,
        "Certainty: twenty truths, counted",
        "Take twenty plausible truths and count in how many each condition leads. The leader’s share is the "
        "**certainty** of the label: 20 of 20 is settled, 11 of 20 little more than a coin toss.",
    )
    with _steps(third, fourth):
        _show_reliability(draws, certainty, landmarks, source)
    state.write_address()


def _choose_case() -> tour.ToyCase:
    """Let the observation and the raters be chosen; show what the raters say."""
    now = state.view().observation
    observation = st.slider(
        "Test value",
        -MOST_OBSERVATION,
        MOST_OBSERVATION,
        step=0.1,
        format="%.1f",
        **widgets.bind("observation", OBSERVATION if now is None else now),
    )
    case = tour.toy_case(observation, panel=state.view().panel)
    words = [f"rater {i}" for i in range(1, len(case.named) + 1)]
    kept = "all three tied" if case.majority is None else tour.LABELS[case.majority]
    pairs = zip([*words, "label kept"], [*_named(case), kept], strict=True)
    items = "".join(f"<div><dt>{word}</dt><dd>{label}</dd></div>" for word, label in pairs)
    st.html(f'<dl class="tour-readings">{items}</dl>')
    st.button(
        "Ask three other raters",
        key="tour-ask",
        on_click=lambda: state.change(panel=(state.view().panel + 1) % (MOST_PANELS + 1)),
    )
    return case


def _named(case: tour.ToyCase) -> list[str]:
    """Label that each rater named."""
    return [tour.LABELS[k] for k in case.named]


def _show_classes(case: tour.ToyCase, source: dict[str, str]) -> None:
    """Draw the three conditions and the observation."""
    marked = pd.DataFrame(
        {
            "x": case.observation,
            "label": tour.LABELS,
            "density": tour.class_density(np.array([case.observation]))[0].round(6),
            "plausibility": case.plausibility.round(6),
        }
    )
    shares = ", ".join(
        f"{label} {percent(p)}" for label, p in zip(tour.LABELS, case.plausibility, strict=True)
    )
    picture(
        curves_chart(tour.density_table(), marked, tokens=theme.tokens()),
        name="tour-classes",
        alternative="Three overlapping bell curves for conditions A, B and C over the test value. "
        f"True shares at {case.observation:g}: {shares}.",
        caption="Each curve: how often a condition shows a value. The heights at the blue line, in "
        "proportion, are the true shares of A, B and C.",
        table=marked,
        provenance=source,
    )


def _landmarks(case: tour.ToyCase) -> pd.DataFrame:
    """Return the truth, the raters' votes and the majority label, if any, as shares of the conditions."""
    shares = {"truth": case.plausibility, "point": case.counts / case.counts.sum()}
    if case.majority is not None:
        shares["majority"] = np.eye(len(tour.LABELS))[case.majority]
    return pd.DataFrame(np.array(list(shares.values())), columns=list(tour.LABELS)).assign(kind=list(shares))


def _show_truths(
    draws: pd.DataFrame, certainty: pd.DataFrame, landmarks: pd.DataFrame, source: dict[str, str]
) -> None:
    """Draw the plausible truths at one reliability."""
    shown, leads = draws[draws["step"] == START], certainty[certainty["step"] == START]
    words = ", ".join(f"{label} leads in {percent(leads[label].item())}" for label in tour.LABELS)
    columns = ["step", *tour.LABELS]
    picture(
        simplex_chart(shown[columns], leads[columns], landmarks, tokens=theme.tokens()),
        name="tour-plausible-truths",
        alternative=f"Triangle with a corner for each condition and a dot for each plausible truth. {words}.",
        caption="The bluer a sector, the more often its condition leads. The slanted cross is all that a "
        "single label keeps.",
        table=shown[[*tour.LABELS, "leader"]].round(4),
        provenance=source,
        width="content",
    )


def _show_reliability(
    draws: pd.DataFrame, certainty: pd.DataFrame, landmarks: pd.DataFrame, source: dict[str, str]
) -> None:
    """Draw steps three and four, which share a picture and its slider."""
    dots = tour.dot_table(certainty)
    dots["step"] = np.repeat(certainty["step"].to_numpy(), len(tour.LABELS))
    figure = reliability_chart(
        draws[["step", *tour.LABELS]], certainty, dots, landmarks, start=START, tokens=theme.tokens()
    )
    picture(
        figure,
        name="tour-reliability",
        # The same words for every case: other words would draw the picture anew, slider included.
        alternative="Slider of reliability with three views: the triangle of plausible truths, whose dots "
        "close in on the raters’ votes; twenty dots by leading condition; a rising curve of certainty.",
        caption="All three views show the same plausible truths: where they lie, who leads in twenty of "
        "them, and the leader’s share at each γ.",
        table=certainty.drop(columns="step").round(6),
        provenance=source,
        width="content",
    )


def _accuracies(table: pd.DataFrame, source: dict[str, str]) -> None:
    """Draw the last step: the model's accuracies."""
    value = dict(zip(table["truth"], table["accuracy"].map(percent), strict=True))
    n_cases = int(table["n_cases"].iloc[0])
    fifth = (
        5,
        "One model, four accuracies",
        f"The best possible model reads {n_cases} such cases. It is always right, yet the majority label "
        f"grants it only {value['majority']}: the labels err. The adjusted accuracy says how much three "
        "readings can vouch for.",
    )
    with _steps(fifth):
        picture(
            accuracy_chart(table, TRUTHS, tokens=theme.tokens()),
            name="tour-accuracies",
            alternative="Accuracy of the same model by what is called the truth. "
            + ", ".join(f"{TRUTHS[truth][0]}: {share}" for truth, share in value.items()),
            caption="Same model, same cases; only what is called the truth differs. Crosses are single "
            "numbers taken for certain; the tick is the most that such uncertain labels let any model reach.",
            table=table.round(6),
            provenance=source,
        )


def _next() -> None:
    """Lead on to the sample study."""
    with st.container(key="tour-next"):
        st.header("See it on a real question", anchor=False)
        st.markdown(
            "A published skin case: six raters, six different lists. Five of them name melanoma, yet a vote "
            "over first choices keeps hemangioma. How certain is that label?"
        )
        address = urlencode(format_address(CASE), doseq=True)
        st.link_button("Open the case", f"cases?{address}", type="primary")
