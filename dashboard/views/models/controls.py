"""What a comparison of models rests on: settled from the address, and offered to be changed."""

from __future__ import annotations

import math
from dataclasses import replace

import streamlit as st

from core.analysis.export import format_reliability
from core.analysis.models.comparison import labels_by_votes
from core.analysis.models.rank_change import COUNTERPARTS
from core.analysis.models.settings import ANNOTATIONS, COVERAGES, RATER_SOURCES, ComparisonSettings
from core.analysis.models.tables import Measured, differ_in_cases
from core.plausibility.settings import MODELS, TIE_RULES, Aggregation
from core.settings import part
from core.study.model import Task
from dashboard.shell import state, widgets

MOST_LABELS = 200
"""Labels offered; a task may have ten thousand."""
_WHOLE = "accuracy"
"""The metric of all labels at once that Study judges models by."""
_TIES = {"split": "split between them", "first label": "the first in the study’s order"}
_CASES = {"common": "those that every model predicted", "own": "each model's own"}


def settle(task: Task, aggregation: Aggregation) -> ComparisonSettings:
    """Read the choices; a label that is not there falls back, with a note, and so does what cannot be had."""
    state.keep_choice("positive", task.labels)
    now = part(ComparisonSettings, state.view())
    return replace(
        now,
        coverage=now.coverage if differ_in_cases(task) else COVERAGES[0],
        annotations=now.annotations if _can_draw(aggregation) else ANNOTATIONS[0],
        draw_raters=now.source in RATER_SOURCES,
    )


def measure_of(task: Task, found: Measured) -> str | None:
    """The hard metric that is asked for, or the one that the page opens with; None where none can be had.

    It opens with accuracy, as Study judges models, where there are more than two labels and none was chosen:
    a metric of one of them says little of the models.
    """
    offered = _offered(found)
    state.keep_choice("measure", offered)
    now = state.view()
    if not now.measure and not now.positive and len(task.labels) > 2 and _WHOLE in offered:
        state.fall_back(measure=_WHOLE)
    wanted = state.view().measure
    return wanted if wanted in offered else next(iter(offered), None)


def _offered(found: Measured) -> list[str]:
    """Metrics with values, in their order."""
    return [metric for metric in dict.fromkeys(found.metrics["metric"]) if metric not in found.refused]


def _can_draw(aggregation: Aggregation) -> bool:
    """Whether there are plausibilities to draw."""
    return not math.isinf(aggregation.reliability)


def show(
    task: Task,
    aggregation: Aggregation,
    settings: ComparisonSettings,
    found: Measured | None,
    measure: str | None,
) -> None:
    """Offer the choices; what makes no difference, or cannot be had, is disabled and says why."""
    with st.container(horizontal=True, key="models-basis"):
        if found is not None and measure is not None:
            pairs = found.metrics.drop_duplicates("metric").set_index("metric")["counterpart"]
            st.selectbox(
                "Metric, hard and with every reading kept",
                format_func=lambda metric: f"{metric} → {pairs[metric]}",
                width=250,
                **widgets.choice("measure", measure, _offered(found)),
            )
        if found is not None and (len(task.labels) > 2 or (task.kind != "score" and task.positive is None)):
            _choose_label(task, found.compared.label, measure)
        st.selectbox(
            "Labels with equally many votes",
            format_func=lambda rule: _TIES[rule],
            help="The hard label of a case is the one with most votes. Where several have equally many, a "
            "hard metric is its mean over all ways of breaking the tie, whatever the order of labels; so are "
            "point estimates (γ = ∞) on the other pages.",
            width=240,
            **widgets.choice("tie_rule", aggregation.tie_rule, TIE_RULES),
        )
        differ = differ_in_cases(task)
        st.selectbox(
            "Cases",
            format_func=lambda coverage: _CASES[coverage],
            disabled=not differ,
            help=None if differ else "Every model predicted the same cases: there is nothing to choose.",
            width=255,
            **widgets.choice("coverage", settings.coverage, COVERAGES),
        )
        _choose_truths(aggregation, settings)


def _choose_label(task: Task, label: str, measure: str | None) -> None:
    """Offer the labels that have votes, those with most votes first."""
    voted = labels_by_votes(task)
    offered = list(dict.fromkeys([label, *voted[:MOST_LABELS]]))
    all_at_once = measure is not None and measure not in set(COUNTERPARTS) - {"accuracy"}
    why = f"{len(voted):,} labels have votes; most votes come first."
    if len(voted) > MOST_LABELS:
        why += f" The first {MOST_LABELS} are offered."
    if all_at_once:
        why = f"There is no label to choose for {measure}: it is of all labels at once."
    offered.sort(key=lambda name: voted.index(name) if name in voted else len(voted))
    st.selectbox(
        "Label that counts as positive",
        disabled=all_at_once,
        help=why,
        width=255,
        **widgets.choice("positive", label, offered),
    )


def _choose_truths(aggregation: Aggregation, settings: ComparisonSettings) -> None:
    """Offer to draw readings or plausibilities."""
    model = MODELS[aggregation.model].title
    can = _can_draw(aggregation)
    gamma = f"{model}, γ = {format_reliability(aggregation.reliability)}"
    words = {"bootstrap": "readings drawn anew", "plausibility": f"plausibilities of {gamma}"}
    why = "How other truths are imagined: the readings of each case drawn anew, or plausibilities."
    if not can:
        why = f"Plausibilities cannot be drawn from {gamma}, which is certain of one truth."
    st.selectbox(
        "Other truths come from",
        disabled=not can,
        help=why,
        width=275,
        **widgets.choice("annotations", settings.annotations, ANNOTATIONS, words=words.__getitem__),
    )
