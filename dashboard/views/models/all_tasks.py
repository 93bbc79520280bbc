"""All tasks at a glance: every model in every task, hard beside soft, and how sure its lead is."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from functools import partial

import pandas as pd
import streamlit as st

from core.analysis.columns import as_written
from core.analysis.formatting import of_hundred
from core.analysis.models.all_tasks import AllTasks, all_tasks
from core.analysis.models.all_tasks_draws import AVERAGE, TasksDrawn, all_tasks_drawn, predicted_tasks
from core.analysis.models.all_tasks_words import (
    CLAIM,
    average_words,
    differences_words,
    most_changed,
)
from core.analysis.models.finding import SAME, listed
from core.analysis.models.meter import ADJUSTED, METRICS
from core.analysis.models.rank_change import COUNTERPARTS, LOSSES
from core.analysis.models.settings import ComparisonSettings
from core.plausibility.settings import AggregationChoice, models_for
from core.progress import Progress
from core.settings import part
from core.study.model import Study
from dashboard.charts.models.all_tasks import TASK, all_tasks_chart
from dashboard.components.picture import Answers, Caption, data_button, picture
from dashboard.components.text import table
from dashboard.shell import cache, state, theme, widgets
from dashboard.views import parts
from dashboard.views.models.model_comparison import ModelComparison

_ALL = "All tasks"
"""Heads what is averaged over tasks."""
_OPEN = "open-bars-tasks"
_ARROW, _NONE = "\u00a0\u2192\u00a0", "\u2013"


@cache.background
def _measured(
    progress: Progress, study: Study, chosen: AggregationChoice, settings: ComparisonSettings
) -> AllTasks:
    return all_tasks(study, chosen, settings, progress=progress)


@cache.background
def _drawn(
    progress: Progress,
    study: Study,
    chosen: AggregationChoice,
    settings: ComparisonSettings,
    metrics: tuple[str, ...],
) -> TasksDrawn:
    return all_tasks_drawn(study, chosen, settings, metrics=metrics, progress=progress)


@st.fragment
def show(comparison: ModelComparison) -> None:
    """Offer the panel, folded, where there are tasks to compare; nothing is worked out until it is opened."""
    if len(predicted_tasks(comparison.study)) > 1:
        _panel(comparison)
        state.write_address()


@parts.folded("All tasks at a glance", key="panel-all-tasks")
def _panel(comparison: ModelComparison) -> None:
    state.keep_choice("tasks_measure", COUNTERPARTS)
    own = comparison.measure if comparison.measure in COUNTERPARTS else next(iter(COUNTERPARTS))
    metric = state.view().tasks_measure or own
    st.selectbox(
        "Metric of all tasks",
        format_func=lambda name: f"{name}{_ARROW}{COUNTERPARTS[name]}",
        width=280,
        **widgets.choice("tasks_measure", metric, list(COUNTERPARTS)),
    )
    # Each task has a positive label of its own, and what is chosen for one is nothing to another.
    settings = replace(comparison.settings.basis, positive="")
    chosen = _chosen(comparison.study, metric, settings)
    found = parts.result_of(
        _measured(comparison.study, chosen, settings), what="Measuring all tasks", key="all-tasks"
    )
    if found is None:
        return
    top, below = st.container(), st.container()
    metrics = ("accuracy", ADJUSTED) if metric == "accuracy" else METRICS
    with below:
        drawn = parts.result_of(
            _drawn(comparison.study, chosen, settings, metrics),
            what="Drawing what could have been in all tasks",
            key="all-tasks-drawn",
        )
    with top:
        _shown(comparison, found, drawn, metric)


def _chosen(study: Study, metric: str, settings: ComparisonSettings) -> AggregationChoice:
    """The aggregation model of the page, as far as the metric depends on it and it suits all tasks."""
    now = part(AggregationChoice, state.view())
    depends = metric == "accuracy" or settings.annotations == "plausibility"
    if depends and all(now.model in models_for(task) for task in predicted_tasks(study)):
        return now
    return AggregationChoice(tie_rule=now.tie_rule)


def _shown(comparison: ModelComparison, found: AllTasks, drawn: TasksDrawn | None, metric: str) -> None:
    """Say, list and draw what was found."""
    counterpart, source = COUNTERPARTS[metric], comparison.settings.source
    rows = found.tables["all_tasks"]
    rows = rows[rows["metric"] == metric]
    macro = found.tables["all_tasks_macro"]
    macro = macro[macro["metric"] == metric].assign(task=AVERAGE)
    values = pd.concat([rows, macro], ignore_index=True)
    names = _names(rows)
    parts.sentence(most_changed(rows))
    # Its place is there before it is known: what comes closes no menu that is open beneath.
    with st.container():
        if drawn is not None:
            _how_sure(comparison, found, drawn, metric)
    _picture(comparison, found, values, names, metric)
    _table(values, names, _chances(drawn, names, metric, source), metric)
    with st.container(horizontal=True, wrap=False, gap="small"):
        said = f"{metric}{_ARROW}{counterpart}. {_ALL}: the plain average."
        if drawn is not None:
            best = _ranked(drawn, metric, source)
            said += f" In brackets: in how many of 100 {comparison.draws} the model is the best by {best}."
        if values[["hard", "soft"]].isna().any(axis=None):
            said += f" {_NONE}: not defined, or not judged."
        parts.note(said)
        averages = found.tables["all_tasks_macro"]
        data_button(name="all-tasks-averages", table=averages, provenance=found.settings)
    if drawn is not None:
        parts.note(CLAIM)
    for task, reason in found.refused.items():
        parts.note(f"{task} is left out: {reason}.")
    if drawn is not None and drawn.no_average:
        parts.note(f"How sure the order of averages is cannot be told: {drawn.no_average}.")


def _how_sure(comparison: ModelComparison, found: AllTasks, drawn: TasksDrawn, metric: str) -> None:
    """Say which differences hold and who is best on average, each with its table."""
    source = comparison.settings.source
    said = {"all-tasks-differences": differences_words(drawn, COUNTERPARTS[metric])}
    if not drawn.no_average:
        best = _ranked(drawn, metric, source)
        said["all-tasks-best"] = average_words(drawn, best, source=source, draws=comparison.draws)
    for name, words in said.items():
        with st.container(horizontal=True, wrap=False, gap="small"):
            parts.note(words)
            of = name.replace("-", "_")
            data_button(
                name=name, table=as_written("all_tasks", of, drawn.tables[of]), provenance=found.settings
            )


def _names(rows: pd.DataFrame) -> dict[str, str]:
    """Models by name; those that predict the very same in all tasks are one, with all names."""
    members: dict[str, list[str]] = {}
    for model, of in rows.groupby("model", sort=False)["same_as"]:
        same = set(of)
        members.setdefault(same.pop() or str(model) if len(same) == 1 else str(model), []).append(str(model))
    return {model: SAME.join(of) for model, of in members.items()}


def _ranked(drawn: TasksDrawn, metric: str, source: str) -> str:
    """The counterpart; the metric where no such draws of that are made."""
    best = drawn.tables["all_tasks_best"]
    there = ((best["metric"] == COUNTERPARTS[metric]) & (best["source"] == source)).any()
    return COUNTERPARTS[metric] if there else metric


def _chances(
    drawn: TasksDrawn | None, names: Mapping[str, str], metric: str, source: str
) -> dict[tuple[str, str], str]:
    """P(best) of task and model, out of 100; of models that are one in all, together."""
    if drawn is None:
        return {}
    best = drawn.tables["all_tasks_best"]
    rows = best[(best["metric"] == _ranked(drawn, metric, source)) & (best["source"] == source)]
    first = {model: kept for kept, joined in names.items() for model in joined.split(SAME)}
    shares = rows.groupby(["task", rows["model"].map(first)])["probability"].sum(min_count=1).dropna()
    together = shares.reset_index().itertuples(index=False)
    return {(task, model): _out_of_100(share) for task, model, share in together}


def _out_of_100(share: float) -> str:
    """A share out of 100, as short as it can be."""
    return of_hundred(share).replace("none", "0").replace("fewer than ", "<").replace("more than ", ">")


def _table(
    values: pd.DataFrame, names: Mapping[str, str], chances: dict[tuple[str, str], str], metric: str
) -> None:
    """List models by tasks, the best average first."""
    tasks = _average_first(values)
    cells = {}
    for task, model, hard, soft in values[["task", "model", "hard", "soft"]].itertuples(index=False):
        if hard == hard and soft == soft:
            chance = chances.get((task, model))
            best = "" if chance is None else f"\u00a0({chance})"
            cells[task, model] = f"{hard:.3f}{_ARROW}{soft:.3f}{best}"
    models = [model for model in _in_order(values, metric) if model in names]
    lines = [[names[model], *(cells.get((task, model), _NONE) for task in tasks)] for model in models]
    table(["Model", *(task or _ALL for task in tasks)], lines, name="All tasks", scrolls=True)


def _average_first(values: pd.DataFrame) -> list[str]:
    """The average, and the tasks in the study's order."""
    return [AVERAGE, *(task for task in dict.fromkeys(values["task"]) if task != AVERAGE)]


def _in_order(values: pd.DataFrame, metric: str) -> list[str]:
    """Models by their average, the best first; those without one last."""
    average = values[values["task"] == AVERAGE].sort_values(
        "soft", ascending=metric in LOSSES, kind="stable", na_position="last"
    )
    return list(average["model"])


def _picture(
    comparison: ModelComparison,
    found: AllTasks,
    values: pd.DataFrame,
    names: Mapping[str, str],
    metric: str,
) -> None:
    """Draw every task, the average first."""
    study, counterpart = comparison.study, COUNTERPARTS[metric]
    models = list(dict.fromkeys(model for task in predicted_tasks(study) for model in task.predictions))
    tasks = _average_first(values)
    kept = values[values["model"].isin(list(names))]
    first = {task: _leads(kept[kept["task"] == task], names) for task in tasks}
    placed = kept.assign(
        title=[task or f"{_ALL}, averaged" for task in kept["task"]], first=kept["task"].map(first)
    )
    placed = placed.sort_values("task", key=lambda names: names.map(tasks.index), kind="stable")
    key = f"chart-all-tasks--{state.times_led()}"
    offered = [task for task in tasks if task]
    less = " Less is better." if metric in LOSSES else ""
    picture(
        all_tasks_chart(
            placed, models=models, names=names, metric=metric, counterpart=counterpart, tokens=theme.tokens()
        ),
        name="all-tasks",
        alternative="Every model in every task, by the hard metric above and by its counterpart beneath",
        caption=Caption(
            f"Each line is a model, from its {metric} by hard labels down to its {counterpart} with "
            f"every reading kept, each less the mean of the models in that task.{less} Where lines cross, "
            "models change places.",
            "Click a task to open it.",
        ),
        table=found.tables["all_tasks"],
        provenance=found.settings,
        selections=Answers((TASK,), partial(_open_clicked, offered, key), partial(_menu, offered), key),
    )


def _leads(rows: pd.DataFrame, names: Mapping[str, str]) -> str:
    """Who is first by the hard metric and by its counterpart."""
    first = [rows.loc[rows[f"{side}_rank"] == 1, "model"].map(names).tolist() for side in ("hard", "soft")]
    if not all(first):
        return ""
    hard, soft = (listed(names) for names in first)
    return f"first: {hard}" if hard == soft else f"first: {hard}{_ARROW}{soft}"


def _open_clicked(offered: Sequence[str], key: str) -> None:
    """Open the task whose row is clicked; the browser is not trusted to name one."""
    clicked = st.session_state[key]["selection"].get(TASK, [])
    name = clicked[0].get("task") if clicked else None
    if name in offered:
        state.lead_to("models", task=name)


def _menu(offered: Sequence[str]) -> None:
    """Offer the same by keyboard."""
    st.menu_button("Open a task", list(offered), key=_OPEN, type="tertiary", on_click=_open_chosen)


def _open_chosen() -> None:
    state.lead_to("models", task=st.session_state[_OPEN])
