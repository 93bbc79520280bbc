"""One more expert says …: what a model makes of it, beside what the raters said."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from functools import partial

import numpy as np
import pandas as pd
import streamlit as st

from core.analysis.cases.case import open_case
from core.analysis.disagreement.expert import expert_sentence, weight_sentence
from core.analysis.disagreement.recalibrated import METHODS, Recalibrated
from core.analysis.disagreement.recalibrated_tables import after_expert_labels, beside_raters, leading_labels
from core.analysis.formatting import percent
from core.study.model import Study, Task
from dashboard.charts.disagreement.expert import after_experts_chart, beside_raters_chart, shown_labels
from dashboard.components.picture import picture
from dashboard.components.text import count, element
from dashboard.shell import cache, state, theme, widgets
from dashboard.views import parts
from dashboard.views.disagreement import words
from dashboard.views.disagreement.model_forecasts import recalibrating

MOST_LABELS, MOST_EXPERTS = 5, 10
"""Labels that experts can give in one case, and experts who give the same one."""
MOST_OFFERED = 1000
"""Labels to choose from: longer lists are slow to send, and slow to search in the browser."""


def fit_and_show(study: Study, task: Task, index: int, source: dict[str, str]) -> None:
    """Let a model with probabilities be chosen, recalibrate it on the whole study, and draw the panel."""
    models = list(task.probability_models)
    state.keep_choice("predictor", models)
    _explain()
    left, right = st.columns(2, gap="medium")
    with left:
        usual = state.view().predictor or models[0]
        model: str = st.selectbox("Model", **widgets.choice("predictor", usual, models))
    fitted = parts.result_of(
        recalibrating(study, task, model),
        what="Learning from all cases how far the model can be trusted",
        key="recalibrate",
    )
    if fitted is None:
        return
    with right:
        method = _choose_method(fitted)
    _panel(study, task, index, fitted, method, source)
    for note in fitted.notes:
        parts.note(note)


def show(study: Study, task: Task, index: int, fitted: Recalibrated, source: dict[str, str]) -> None:
    """Draw the panel of one case; it belongs inside a fragment of the caller's."""
    _explain()
    _panel(study, task, index, fitted, _choose_method(fitted), source)


def _explain() -> None:
    """Say what the panel is for."""
    parts.note(
        "If it is known how far a model can be trusted, it can learn: tell it what one or more further "
        "experts would say of this case, and see how far it moves. Nothing is written to the study."
    )


def _panel(
    study: Study, task: Task, index: int, fitted: Recalibrated, method: str, source: dict[str, str]
) -> None:
    """Draw what experts are told to say, and what the model makes of it."""
    if fitted.updating:
        _choose_labels(fitted, index)
    codes = [task.labels.index(label) for label in state.view().expert_says]
    table = after_expert_labels(fitted, method, index, codes if method in fitted.updating else [])
    parts.sentence(expert_sentence(fitted, method, index, table))
    if table["after"].isna().all():
        return
    _facts(fitted, method, index, table)
    source = source | {"model": fitted.model, "calibration": method}
    source |= {"further experts say": ", ".join(state.view().expert_says) or "nothing"}
    parts.beside(
        lambda: _change(fitted, method, table, source),
        lambda: _beside(study, task, index, fitted, method, table, source),
        gap="medium",
    )


def _choose_method(fitted: Recalibrated) -> str:
    """Let the calibration be chosen; by default the last that learns from experts."""
    state.keep_choice("expert_method", METHODS)
    methods, wanted = fitted.methods, state.view().expert_method
    learning = [method for method in fitted.updating if method in fitted.concentration]
    usual = (learning or fitted.updating or methods)[-1]
    method: str = st.selectbox(
        "Calibration",
        format_func=words.title,
        **widgets.choice("expert_method", wanted if wanted in methods else usual, methods),
        help="As given or only scaled, a model says how likely each label is. With α-calibration, or as an "
        "ensemble, it also says how far that can be trusted, so that it can learn from an expert.",
    )
    return method


def _choose_labels(fitted: Recalibrated, index: int) -> None:
    """Let labels be chosen, and how many experts give each."""
    task, says = fitted.task, Counter(state.view().expert_says)
    key = f"expert-{fitted.study.fingerprint[:12]}-{task.name}-{index}"
    offered = leading_labels(fitted, index, MOST_OFFERED)
    st.multiselect(
        "One more expert says …",
        max_selections=max(MOST_LABELS, len(says)),
        select_all=False,
        placeholder="Choose a label, or several",
        **widgets.choices(
            f"{key}-labels",
            list(says),
            [*(label for label in says if label not in offered), *offered],
            take=_take_labels,
        ),
    )
    if len(offered) < len(task.labels):
        parts.note(f"The {MOST_OFFERED:,} labels of which model and raters make most here can be chosen.")
    for label, n in says.items():
        with st.container(horizontal=True, vertical_alignment="center", gap="medium"):
            with st.container(width=260):
                element("p", f"{count(n, 'expert')}: {label}")
            st.slider(
                "How many experts say it",
                1,
                max(MOST_EXPERTS, n),
                label_visibility="collapsed",
                width=260,
                **widgets.bind(f"{key}-{task.labels.index(label)}", n, take=partial(_take_number, label)),
            )


def _take_labels(labels: tuple[str, ...]) -> None:
    """Take over which labels are chosen; a new one is given by one expert."""
    says = Counter(state.view().expert_says)
    _take({label: says.get(label, 1) for label in labels})


def _take_number(label: str, number: int) -> None:
    """Take over how many experts give a label."""
    _take({**Counter(state.view().expert_says), label: number})


def _take(says: Mapping[str, int]) -> None:
    """Take over how many experts give each label."""
    state.change(expert_says=tuple(label for label, n in says.items() for _ in range(n)))


def _facts(fitted: Recalibrated, method: str, index: int, table: pd.DataFrame) -> None:
    """How often experts disagree, expected and seen, and how much the model's own opinion weighs."""
    before, after = table.attrs["disagreement_before"], table.attrs["disagreement_after"]
    facts = [(percent(before), "of pairs of experts would disagree")]
    if table["told"].any():
        facts.append((percent(after), "after the further experts"))
    observed = table.attrs["disagreement_observed"]
    if not np.isnan(observed):
        n = fitted.histograms.per_case[index]
        read = fitted.task.readings.per_case[index]
        who = f"{n} raters" if n == read else f"{n} of {read} raters who have one first choice"
        facts.append((percent(observed), f"of pairs of the {who} do disagree"))
    parts.facts(facts)
    weight = weight_sentence(fitted, method, index)
    if weight:
        parts.note(weight)


def _change(fitted: Recalibrated, method: str, table: pd.DataFrame, source: dict[str, str]) -> None:
    """Draw the probabilities before and after."""
    parts.head("Probability of each label")
    seen = "No reading of this case counts as one label."
    if table["observed"].notna().any():
        seen = "Blue tick: share of the raters who gave the label"
        seen += " as their first choice." if fitted.task.kind == "ranking" else "."
    picture(
        after_experts_chart(table, model=_place(fitted), tokens=theme.tokens()),
        name="expert",
        alternative=f"Probabilities of {fitted.model} before and after further experts; the raters' shares",
        caption=f"Hollow: what the model says after {words.title(method)}. Solid: after the further experts. "
        f"{seen}",
        table=table,
        provenance=source,
    )


_open_case = cache.cached(256)(open_case)


def _beside(
    study: Study,
    task: Task,
    index: int,
    fitted: Recalibrated,
    method: str,
    table: pd.DataFrame,
    source: dict[str, str],
) -> None:
    """Draw the model's distribution over plausibilities beneath the raters'."""
    parts.head("Plausibilities: model beside raters")
    if method not in fitted.concentration:
        parts.note(
            "Only α-calibration makes of a model a distribution over plausibilities, to lay beside that of "
            "the raters."
        )
        return
    aggregation = state.aggregation()
    case = _open_case(study, task, aggregation, index)
    codes = [code for code, n in enumerate(table["told"].tolist()) for _ in range(n)]
    found = beside_raters(fitted, method, case, codes)
    labels = [task.labels[code] for code in shown_labels(table)]
    unnamed = bool(found.loc[found["label"].isin(labels) & found["mean"].notna(), "low"].isna().any())
    picture(
        beside_raters_chart(found, labels, model=_place(fitted), tokens=theme.tokens()),
        name="expert-plausibility",
        alternative=f"Plausibility of each label to the raters and to {fitted.model}",
        caption="Upper, blue: what the study's readings leave plausible. Lower: what the model does, told "
        "what the further experts say. Bar: 90 % of the plausible truths. Dot: mean. Leads: how often it is "
        "the most plausible label."
        + (
            " No bar: how far plausibility reaches is not known for labels that nobody named."
            if unnamed
            else ""
        ),
        table=found,
        provenance=source,
    )


def _place(fitted: Recalibrated) -> int:
    """Place of the model in the study's order."""
    return list(fitted.task.predictions).index(fitted.model)
