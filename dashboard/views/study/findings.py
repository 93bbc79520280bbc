"""What a study comes to, in sentences: how certain it is, where danger lies, which model it supports."""

from __future__ import annotations

import math
from collections.abc import Callable
from functools import partial
from typing import NamedTuple

import pandas as pd
import streamlit as st
from streamlit.delta_generator import DeltaGenerator

from core.analysis import overview
from core.analysis.cases.percent_ranges import SETTLED, within_percent
from core.analysis.cases.presets import PRESETS
from core.analysis.danger import Danger, danger_behind
from core.analysis.export import format_reliability, provenance
from core.analysis.formatting import percent_range
from core.analysis.models.by_reliability import ceiling_of, claim_in_words, reckoned, uncertain_in_words
from core.analysis.models.danger_words import danger_in_words
from core.analysis.models.settings import Coverage
from core.analysis.reliability.words import reliability_words
from core.analysis.vouched import NO_ESTIMATE, VOUCHED
from core.plausibility.settings import MODELS, Aggregation
from core.progress import Progress
from core.streamed.aggregates import are_some
from core.study.model import Study, Task
from dashboard.charts.study import models
from dashboard.components import text
from dashboard.components.picture import picture
from dashboard.components.text import element
from dashboard.shell import cache, state, theme
from dashboard.shell.jobs import Job
from dashboard.shell.progress import start
from dashboard.views import parts
from dashboard.views.study import by_reliability

_JUDGING = "What the labels support"
_CERTAIN = 0.995
"""Mean certainty from which on there is no ceiling to speak of."""
_BY_TRUTHS = "Bar: supported, in 95 of 100 plausible truths. Pale: the most that is granted to any model."
_BY_POINT = (
    "Dot: by the point estimate, one truth without doubt. Line: the most for any model, below 100\u00a0% "
    "only by ties."
)
"""How to read what is supported: over plausible truths, and by the one truth of a point estimate."""
MOST_CASES_JUDGED = 5000
"""Studies with more cases judge their models when somebody asks."""
_HEADS = ("study-claim", "study-missed", "study-uncertain")
"""Keys of the sentences on top, in their order."""
PATIENCE = 1.0
"""Seconds that the end of the page waits for what mostly takes less, before it shows a bar."""
_LEADER, _BESIDE, _SUPPORT = 28, 205, 322
"""Pixels of the line that names the best model, of the words above and below the pictures of all, and of the
table by reliability with the line above it that says how far it is."""
_DANGERS = tuple(f"finding-high-risk{which}" for which in ("-first", "-tied", "", "-behind"))
"""Keys of the ways to the lists of danger, in their order."""


class Places(NamedTuple):
    """Where stands what is found once the rest of the page is there."""

    head: Callable[[], None]
    support: DeltaGenerator
    leader: DeltaGenerator
    models: DeltaGenerator


def task_words(study: Study, task: Task) -> str:
    """Name the task where the study has more than one."""
    return f"Task {task.name}, one of {len(study.tasks)}" if len(study.tasks) > 1 else ""


def show(study: Study, task: Task, table: pd.DataFrame, aggregation: Aggregation) -> Places:
    """Say what the worklist tells at once, and return places for the rest."""
    known = table["certainty"].dropna()
    head = _head(study, task, known, aggregation)
    left, right = st.columns(2, gap="large")
    with left:
        if known.empty:
            parts.note("No case has a reading yet.")
        else:
            _counted(known, aggregation)
            _ceiling(known, aggregation)
        is_awaited = _has(task) and study.n_cases <= MOST_CASES_JUDGED
        leader = _place("study-leader", _LEADER if is_awaited else 0)
        if not known.empty:
            _danger(table, aggregation)
    rows = len(task.probability_models)
    of_models = _place("study-models", models.height(rows) + _BESIDE if is_awaited else 0)
    with right:
        has_table = MODELS[aggregation.model].has_reliability and not are_some(study.counted)
        support = _place("study-support", _SUPPORT if is_awaited and has_table else 0)
    return Places(head, support, leader, of_models)


def _place(key: str, height: int) -> DeltaGenerator:
    """Keep a place of so many pixels or more, so that nothing below moves when something comes there.

    One container before and after: another in its stead would be empty until it is drawn, and all below it
    would jump there and back.
    """
    st.html(
        f"<style>.st-key-{key} {{ min-height: {height}px; }}"
        f" .st-key-{key} > .stElementContainer:first-child {{ position: absolute; }}</style>"
    )
    place = st.container(key=key)
    with place:
        text.blank(1)  # One that holds nothing is not drawn; this takes no room.
    return place


def show_later(study: Study, task: Task, aggregation: Aggregation, places: Places) -> None:
    """Say what takes a moment to find; to be called at the end of the page, which it must not keep back."""
    # Here alone is said how far work is, one line at a time; what follows keeps its place in the column.
    with places.support, st.container():
        said = _judged(study, task, aggregation)
        is_busy = said is None and _has(task) and _judging(study, task, aggregation).running
    with places.models:
        _models(study, task, aggregation, said, places.leader)
    places.head()
    if not are_some(study.counted):
        with places.support:
            by_reliability.show(
                study, task, aggregation, None if said is None else said.table, is_busy=is_busy
            )
    places.head()


def _head(study: Study, task: Task, known: pd.Series, aggregation: Aggregation) -> Callable[[], None]:
    """Say on top what the labels vouch for and how much is settled; return what says it anew."""
    is_judged = _has(task) and (
        study.n_cases <= MOST_CASES_JUDGED or _judging(study, task, aggregation).begun
    )
    has_danger = is_judged and task.has_risk and len(task.probability_models) > 1
    # No place is kept for what will not be said.
    keys = ["study-claim"] * is_judged + ["study-missed"] * has_danger + ["study-uncertain"]
    slots = {key: st.container(key=key).empty() for key in keys}
    drawn = dict.fromkeys(keys, "")

    def draw() -> None:
        words = dict(zip(_HEADS, _head_words(study, task, known, aggregation), strict=True))
        for key, slot in slots.items():
            if words[key] != drawn[key]:
                drawn[key] = words[key]
                with slot.container():
                    element(
                        "p", words[key], role="sentence" if key != keys[-1] or len(keys) == 1 else "strong"
                    )

    draw()
    return draw


def _head_words(study: Study, task: Task, known: pd.Series, aggregation: Aggregation) -> tuple[str, str, str]:
    """What stands on top: of the best supported model, of danger, and of the leading labels."""
    if known.empty:
        return "", "", ""
    rows = {} if are_some(study.counted) else by_reliability.found(study, task, aggregation)
    of_task, open_ = task_words(study, task), uncertain_in_words(reckoned(known).uncertain, rows)
    said = _judging(study, task, aggregation).result if _has(task) else None
    claim = missed = ""
    if said is not None:
        name, claimed, low, high = said.table[["names", "hard", "low", "high"]].iloc[0]
        is_point = math.isinf(aggregation.reliability) or not MODELS[aggregation.model].has_reliability
        best = by_reliability.supported_reliability(study, task, aggregation)
        of_model = {gamma: row for gamma, row in rows.items() if name in row.ranges}
        vouched, now = None if is_point else (low, high), aggregation.reliability
        claim = claim_in_words(name, claimed, now, vouched, of_model, best)
        missed = danger_in_words(said.table)
    return claim, missed, f"{of_task}: i{open_[1:]}" if of_task else open_


def _has(task: Task) -> bool:
    """Whether a task has models that name labels."""
    return bool(task.probability_models)


def _counted(known: pd.Series, aggregation: Aggregation) -> None:
    """Say what the reliability in force counts, and how much other cases of the kind would be settled."""
    model, counted = MODELS[aggregation.model], reliability_words(aggregation)
    if model.has_reliability and not math.isinf(aggregation.reliability):
        gamma = format_reliability(aggregation.reliability)
        counted = f"{counted.rstrip('.')} (γ = {gamma}, {model.title})."
    elif model.has_reliability:
        counted = f"{model.title}, γ = {counted}"
    of_others = overview.range_for_others(within_percent(known, 0, SETTLED).astype(float))
    others = f" Uncertain of other cases of this kind: {of_others} (95\u00a0% interval)." if of_others else ""
    parts.note(counted + others)


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


def _danger(table: pd.DataFrame, aggregation: Aggregation) -> None:
    """Say in how many cases danger stands behind the leading label, and lead to them, list by list."""
    found = danger_behind(table, aggregation)
    # A place of its own: what comes or goes in it makes nothing below it anew.
    with st.container(key="study-danger", gap="xsmall"):
        if found is None:
            return
        element("p", found.words, role="strong")
        with st.container(horizontal=True, gap="small"):
            for key, danger in zip(_DANGERS, found.lists, strict=False):
                _lead_to(danger, key)
        if found.note:
            parts.note(found.note)


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


class _Said(NamedTuple):
    """What is found of the models: in words, and a row of `supported.Supported` for each."""

    headline: str
    danger: str
    details: str
    table: pd.DataFrame


@cache.background
def judging(
    progress: Progress, study: Study, task: Task, aggregation: Aggregation, coverage: Coverage
) -> _Said:
    """Find in the background which model the labels support best."""
    # It takes time to import, which the first page need not wait for.
    from core.analysis.models import supported

    found = supported.supported(study, task, aggregation, coverage=coverage, progress=progress)
    return _Said(
        supported.headline(found),
        supported.where_danger_is(found),
        supported.details(found),
        found.table,
    )


def _judging(study: Study, task: Task, aggregation: Aggregation) -> Job[_Said]:
    """Work that judges the models, begun or not."""
    return judging(study, task, aggregation, by_reliability.coverage_of(task))


def _judged(study: Study, task: Task, aggregation: Aggregation) -> _Said | None:
    """Return what is found of the models, or say how far it is; None too where it has to be asked for."""
    if not _has(task):
        return None
    job = _judging(study, task, aggregation)
    if study.n_cases > MOST_CASES_JUDGED and not job.begun:
        return None
    parts.wait_shortly(job, PATIENCE)
    also = by_reliability.at_work(study, task, aggregation)
    return parts.result_of(job, what=_JUDGING, key="supported", quiet=True, also=also)


def _models(
    study: Study, task: Task, aggregation: Aggregation, said: _Said | None, above: DeltaGenerator
) -> None:
    """Say which model the labels support best, and lead to the page that compares them."""
    if not _has(task):
        return
    job = _judging(study, task, aggregation)
    if study.n_cases > MOST_CASES_JUDGED and not job.begun:
        st.button(
            "Which model do the labels support best?",
            key="find-supported",
            help="Judges every model against plausible truths. Takes a while.",
            on_click=start,
            args=(job,),
        )
        return
    if said is None:
        return
    if above.button(
        text.unmarked(said.headline), key="finding-models", type="tertiary", help="Opens Models, by accuracy"
    ):
        state.change(measure="accuracy")
        state.open_page("models")
    source = provenance(study, task, aggregation)
    has_danger = bool(said.danger)
    pictures = [partial(_claimed, said.table, source, is_point=math.isinf(aggregation.reliability))]
    if has_danger:
        pictures.append(partial(_where_risk_is_high, said, source))
    parts.beside(*pictures, *([] if has_danger else [partial(parts.note, said.details)]))
    if not math.isinf(aggregation.reliability):
        element("p", f"{NO_ESTIMATE}: {VOUCHED}", role="strong")
    if has_danger:
        parts.note(said.details)


def _claimed(table: pd.DataFrame, source: dict[str, str], *, is_point: bool) -> None:
    """Draw what is claimed of every model, what is supported, and the ceiling."""
    parts.head("Claimed, and supported by the labels")
    columns = {"names": "model", "hard": "claimed", "value": "supported"}
    picture(
        models.claimed_chart(table, tokens=theme.tokens()),
        name="claimed",
        alternative="Accuracy of each model: claimed, supported by the labels, and the ceiling of any model",
        caption="Cross: claimed, the label with most readings taken for the truth. "
        + (_BY_POINT if is_point else _BY_TRUTHS)
        + _fold(table),
        table=table.drop(columns="model").rename(columns=columns)[
            ["model", "claimed", "supported", "low", "high", "ceiling", "ceiling_low", "ceiling_high"]
        ],
        provenance=source,
    )


def _where_risk_is_high(said: _Said, source: dict[str, str]) -> None:
    """Draw how often every model names a high-risk label that is the truth."""
    table = said.table.drop(columns="model").rename(columns={"names": "model"}).dropna(subset="high_risk")
    parts.head("Where the truth is a high-risk label")
    picture(
        models.high_risk_chart(said.table, tokens=theme.tokens()),
        name="high-risk",
        alternative="How often each model names a high-risk label that is the truth, with its interval",
        caption=f"{said.danger} Lines: 95\u00a0% intervals for other cases of this kind." + _fold(table),
        table=table[["model", "high_risk", "high_risk_low", "high_risk_high"]].rename(
            columns={"high_risk_low": "low", "high_risk_high": "high"}
        ),
        provenance=source,
    )


def _fold(table: pd.DataFrame) -> str:
    """Say which models are drawn where not all are."""
    return (
        f" The first {models.MOST_MODELS} of {len(table)} models." if len(table) > models.MOST_MODELS else ""
    )
