"""How many readers do I need? For a fineness, a certainty, or a comparison of two models."""

from __future__ import annotations

import math

import streamlit as st

from core.analysis.formatting import percent
from core.analysis.planning.certainty import (
    CERTAIN,
    counting_model,
    of_panel,
    plan_certainty,
    plan_certainty_like,
)
from core.analysis.planning.certainty_grid import CertaintyGrid, certainty_grid
from core.analysis.planning.raters_and_cases import (
    MARGIN,
    Assumptions,
    Plan,
    fitted_assumptions,
    model_accuracies,
    plan_fineness,
    plan_ranking,
)
from core.analysis.planning.resamples import resampled_assumptions
from core.analysis.raters.fineness import PanelAccuracies
from core.analysis.raters.panel import Panel
from core.plausibility.settings import MODELS
from core.progress import Progress
from core.study.model import Task
from dashboard.charts.planning import plan as charts
from dashboard.charts.planning.certainty_grid import certainty_contour
from dashboard.components.landing import CERTAINTY_GRID
from dashboard.components.picture import picture
from dashboard.components.text import element
from dashboard.shell import cache, state, theme, widgets
from dashboard.shell.view import PLANS
from dashboard.views import parts
from dashboard.views.raters import accuracies
from dashboard.views.raters.needed import MOST_DEPENDENCE
from dashboard.views.raters.tables import unbroken

_QUESTIONS = {
    "fineness": "the majority right",
    "certainty": "the leading label certain",
    "ranking": "two models ranked rightly",
}
_WANTED = {
    "fineness": ("in so many of the cases", 0.95, (0.7, 0.75, 0.8, 0.85, 0.9, 0.95, 0.975, 0.99)),
    "certainty": ("to so much on average", 0.9, (0.6, 0.7, 0.75, 0.8, 0.85, 0.9, 0.95, 0.99)),
    "ranking": ("in so many repetitions of the study", 0.95, (0.6, 0.7, 0.8, 0.9, 0.95, 0.975, 0.99)),
}
"""What the slider says, where it stands at first, and its steps."""


def head() -> None:
    """Draw the heading of the panel, at which one lands until there is more of it."""
    with st.container(key="planning"):
        parts.head("How many readers do I need?")


def show(chosen: Panel, source: dict[str, str]) -> None:
    """Draw the panel, below its heading."""
    raters = accuracies.accuracies_of(chosen)
    if raters is not None:
        _page(chosen.task, raters, source | {"accuracy by": accuracies.words(raters)})


@st.fragment
def _page(task: Task, raters: PanelAccuracies, source: dict[str, str]) -> None:
    """Ask what is wanted, and answer."""
    left, right = st.columns([3, 2], gap="large", vertical_alignment="bottom")
    with left:
        question = _question()
    with right:
        wanted = _wanted(question)
    assumed, fitted = _assumed(raters)
    models = _models(raters) if question == "ranking" else (1.0, 0.0)
    if models is not None:
        plan = _plan(task, raters, question, wanted, assumed, models, fitted=fitted)
        if isinstance(plan, str):
            parts.note(plan)
        elif plan is not None:
            settings = {"wanted": f"{question} {wanted:g}"} | _settings(assumed)
            _answer(plan, question, wanted, assumed, source | settings)
            if question == "certainty" and fitted:
                _grid(task, raters, wanted, source)
    state.write_address()


def _question() -> str:
    """Offer what can be planned for."""
    question: str = st.segmented_control(
        "I want",
        format_func=_QUESTIONS.__getitem__,
        required=True,
        **widgets.choices("plan", state.view().plan or PLANS[0], PLANS),
    )
    return question


def _wanted(question: str) -> float:
    """Offer how much of it is wanted; a link may name any other share."""
    words, usual, steps = _WANTED[question]
    given = state.view().plan_for
    lowest = 0.5 if question == "ranking" else 0.0
    now = usual if given is None or not lowest < given < 1 else given
    return parts.share_slider(words[0].upper() + words[1:], "plan_for", steps, now)


def _assumed(raters: PanelAccuracies) -> tuple[Assumptions, bool]:
    """Offer other raters than those of the study; return what is assumed and whether it was fitted."""
    fitted = fitted_assumptions(raters)
    now = state.view()
    with st.expander("What is assumed of the readers", key="panel-assumed"):
        parts.note(
            "Readers like those above, unless you say otherwise here. Fitted are their mean accuracy and "
            "how far they err on the same cases; empty a field to take what was fitted."
        )
        left, right = st.columns(2, gap="large")
        with left:
            accuracy = parts.share_input(
                "Accuracy of a reader",
                placeholder=f"as fitted: {fitted.accuracy:.3f}",
                **widgets.bind("plan_accuracy", now.plan_accuracy),
            )
        with right:
            dependence = st.number_input(
                "Dependence of their errors",
                min_value=0.0,
                max_value=max(MOST_DEPENDENCE, math.ceil(now.plan_difficulty or 0.0)),
                step=0.1,
                placeholder=f"as fitted: {fitted.difficulty:.1f}",
                help="How unevenly difficult cases are, as a standard deviation on the logit scale: 0 where "
                "readers err independently.",
                **widgets.bind("plan_difficulty", now.plan_difficulty),
            )
    if accuracy is None and dependence is None:
        return fitted, True
    return Assumptions(
        fitted.accuracy if accuracy is None else accuracy,
        fitted.difficulty if dependence is None else dependence,
        fitted.n_labels,
        "assumed",
    ), False


def _models(raters: PanelAccuracies) -> tuple[float, float] | None:
    """Offer the accuracies of two models; return the better one first, None where they are equal."""
    known = model_accuracies(raters)
    names = list(known)
    distinct = sorted(set(known.values()), reverse=True)
    first, second = (distinct[0], distinct[1]) if len(distinct) > 1 else (0.9, 0.85)
    better, worse = parts.beside(
        lambda: _model("One model", names, known, first, name="plan-better"),
        lambda: _model("The other model", names, known, second, name="plan-worse"),
    )
    if better == worse:
        parts.note("The two accuracies are equal: there is no right order. Choose two that differ.")
        return None
    return max(better, worse), min(better, worse)


def _model(words: str, names: list[str], known: dict[str, float], first: float, *, name: str) -> float:
    """Offer a model of the study, or any accuracy."""
    other = "another accuracy …"
    options = [*names, other]
    usual = next((model for model in names if known[model] == first), other)
    model: str = st.selectbox(
        words,
        **widgets.choice(
            name,
            widgets.own(name, options, usual=usual),
            options,
            words=lambda model: model if model == other else f"{model}, {known[model]:.1%} right here",
        ),
    )
    if model != other:
        return known[model]
    accuracy: float = st.number_input(
        f"Accuracy of {words.lower()}",
        min_value=0.0,
        max_value=1.0,
        value=round(first, 2),
        step=0.01,
        key=f"{name}-accuracy",
    )
    return accuracy


def _plan(
    task: Task,
    raters: PanelAccuracies,
    question: str,
    wanted: float,
    assumed: Assumptions,
    models: tuple[float, float],
    *,
    fitted: bool,
) -> Plan | str | None:
    """Answer the question in the background; None while it is being worked out, words where it cannot be."""
    if question == "certainty" and fitted and task.kind == "score":
        return (
            "Certainty is planned for labels, and this task asks for a number. Say under “What is assumed "
            "of the readers” how accurate they are, and it is worked out for the two sides of the "
            "threshold."
        )
    job = _work_out(raters, question, wanted, assumed, models, fitted)
    return parts.result_of(job, what="Working out the plan", key="plan")


@cache.background
def _work_out(
    progress: Progress,
    raters: PanelAccuracies,
    question: str,
    wanted: float,
    assumed: Assumptions,
    models: tuple[float, float],
    fitted: bool,
) -> Plan:
    """Answer one question, as the command does."""
    if question == "certainty":
        if fitted:
            return plan_certainty_like(*of_panel(raters.panel), wanted, progress=progress)
        return plan_certainty(assumed, wanted, seed=raters.panel.study.seed, progress=progress)
    resampled = resampled_assumptions(raters, progress=progress) if fitted else ()
    if question == "fineness":
        return plan_fineness(assumed, wanted, resampled=resampled)
    return plan_ranking(assumed, *models, wanted, resampled=resampled, progress=progress)


def _answer(plan: Plan, question: str, wanted: float, assumed: Assumptions, source: dict[str, str]) -> None:
    """Say the answer, how sure it is, and draw what it was read from."""
    parts.sentence(unbroken(plan.sentence))
    if plan.doubt:
        element("p", unbroken(plan.doubt))
    tokens = theme.tokens()
    if question == "fineness":
        figure = charts.fineness_plan_chart(
            plan.table, wanted=wanted, raters=plan.raters, dependent=assumed.difficulty > 0, tokens=tokens
        )
        how = "Fineness of the majority: solid if readers err independently"
        how += ", dashed if they err on the same cases." if assumed.difficulty > 0 else "."
        how += " Bands: 90 % of resamples of raters and cases." if plan.doubt else ""
    elif question == "certainty":
        figure = charts.certainty_plan_chart(plan.table, wanted=wanted, raters=plan.raters, tokens=tokens)
        how = (
            "Solid: mean certainty of the leading label, when every reading counts once; band: 95 % over "
            f"simulated cases. Dashed: share of the cases that are certain to {percent(CERTAIN)} or more."
        )
    else:
        figure = charts.ranking_plan_chart(plan.table, raters=plan.raters, cases=plan.cases, tokens=tokens)
        how = (
            "Cases needed, on a logarithmic axis, with so many raters each. Solid: models are judged by "
            "the label of most readings. Dashed: by the share of the readings that name their label. A "
            "curve that ends has no number of cases that is enough."
        )
    marks = "" if question == "ranking" else " Dotted: what is wanted."
    if plan.raters is not None:
        marks += " Ring: the answer."
    picture(
        figure,
        name=f"plan-{question}",
        alternative=f"What the plan for {_QUESTIONS[question]} was read from",
        caption=how + marks,
        table=plan.table,
        provenance=source,
    )
    parts.note(_assumptions_in_words(question, assumed))


@parts.folded("Certainty over readings and reliability", key=CERTAINTY_GRID)
def _grid(task: Task, raters: PanelAccuracies, wanted: float, source: dict[str, str]) -> None:
    """Draw certainty over the number of readings and how much they are trusted."""
    model, now = MODELS[counting_model(task).model].title, state.view()
    chosen = now.reliability if now.model == counting_model(task).model else None
    job = _work_out_grid(raters, 1.0 if chosen is None or math.isinf(chosen) else chosen)
    grid = parts.result_of(job, what="Working out the grid", key="certainty-grid")
    if grid is None:
        return
    picture(
        certainty_contour(grid, wanted=wanted, tokens=theme.tokens()),
        name="certainty-grid",
        alternative="Mean certainty of the leading label over the number of readings a case and their "
        f"reliability; this study, {grid.readings:.3g} readings a case at γ = {grid.reliability:g}: "
        f"{percent(grid.certainty)}",
        caption="Lines of equal certainty of the leading label, mean over simulated cases like this study's, "
        f"by the model {model}, in which every reading counts γ times. Dotted: what is wanted. Diamond: this "
        "study's own readings. At a high γ few readings look certain because they are trusted, not because "
        "they are right.",
        table=grid.table,
        provenance=source | {"model of the grid": model},
    )


@cache.background
def _work_out_grid(progress: Progress, raters: PanelAccuracies, reliability: float) -> CertaintyGrid:
    """Work out the grid."""
    return certainty_grid(*of_panel(raters.panel), reliability=reliability, progress=progress)


def _assumptions_in_words(question: str, assumed: Assumptions) -> str:
    """Say what the answer rests on."""
    source = "" if assumed.source == "assumed" else f" ({assumed.source})"
    words = (
        f"Assumed{source}: every reader is right in {percent(assumed.accuracy)} of the cases, and two of "
        f"them agree on {percent(assumed.agreement)}"
    )
    words += ", as cases differ in difficulty." if assumed.difficulty > 0 else ", as they err independently."
    if assumed.n_labels > 2:
        words += f" A wrong reading names each of the {assumed.n_labels - 1} wrong labels equally often."
    if question == "certainty" and assumed.source != "assumed":
        words = (
            "Assumed: new cases are like those of this study, and readings of them are drawn from what "
            "its own readings leave open."
        )
    if question == "ranking":
        words += " The models find the same cases difficult and err independently of the readers otherwise."
    if question != "ranking":
        words += f" The data hold the cases that measure the result within ± {percent(MARGIN)} as well."
    return words


def _settings(assumed: Assumptions) -> dict[str, str]:
    """What goes with downloads."""
    return {
        "accuracy of a rater": f"{assumed.accuracy:.6g}",
        "difficulty": f"{assumed.difficulty:.6g}",
        "labels": str(assumed.n_labels),
        "assumptions": assumed.source,
    }
