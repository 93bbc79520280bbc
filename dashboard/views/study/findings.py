"""What a study comes to: what stands on top of its page, and the models in pictures."""

from __future__ import annotations

import math
from collections.abc import Sequence
from functools import partial
from typing import NamedTuple

import pandas as pd
import streamlit as st
from streamlit.delta_generator import DeltaGenerator

from core.analysis.cases.bars import label_bars
from core.analysis.cases.presets import DANGER_MISSED, PRESETS
from core.analysis.cases.short_names import spelled_labels
from core.analysis.export import provenance
from core.analysis.models import danger_by_label
from core.analysis.models.basis import likely_basis
from core.analysis.models.by_reference import ByReference
from core.analysis.models.by_reliability import USUAL
from core.analysis.models.settings import Coverage
from core.analysis.support_words import MAY_BE_BETTER
from core.plausibility.settings import Aggregation
from core.progress import Progress
from core.streamed.aggregates import are_some
from core.study.model import Study, Task
from core.study.reference_standard import counted_standards
from core.study.references import are_for_most, reference_codes
from dashboard.components import pressed, text
from dashboard.components.text import element
from dashboard.shell import cache, misled, trust
from dashboard.shell.jobs import Job
from dashboard.shell.progress import start, wait_shortly
from dashboard.views import parts
from dashboard.views.study import (
    by_reliability,
    dangers_table,
    headlines,
    kept,
    note,
    opening,
    pictures,
    reference_table,
)
from dashboard.views.study.found import Found

_JUDGING = "What the labels support"
MOST_CASES_JUDGED = 5000
"""Studies with more cases judge their models when somebody asks."""
PATIENCE = 1.0
"""Seconds that the end of the page waits for what mostly takes less, before it shows a bar."""
_NARROW = (1180, 960, 640, 440)
"""Widths of the window, in pixels, from which on less stands side by side, and words take more lines."""
_AROUND, _AROUND_DANGERS = (77, 77, 101, 101, 125), (194, 214, 312, 274, 361)
"""Pixels of the words above the folded pictures of the models, and of those around the dangers too: in a wide
window, and in each narrower one."""
_DANGERS_HEIGHT, _ROW_HEIGHT = 143, 29
"""Pixels of the table of dangers without the rows of single ones, and of a row."""
_REFERENCE, _REFERENCE_ROW, _MORE_LINES = (201, 237, 237, 256, 276), 47, 18
"""The same of the table by the reference, and of a row; with dangers a row has more lines on a phone."""
_LESS, _LESS_ROW = (104, 140, 164, 165, 195), 17
"""By how much less the table of the readings takes, which stands there where the reference decides."""
_SUPPORT, _SUPPORT_ROW, _SUPPORT_ROWS = (173, 211, 250, 250, 326), (29, 29, 49, 49, 48), 3
"""The same of the table by reliability with so many rows, and of a further one."""


class Places(NamedTuple):
    """Where stands what is found once the rest of the page is there; None where it is not shown."""

    models: DeltaGenerator | None = None
    support: DeltaGenerator | None = None


def task_words(study: Study, task: Task) -> str:
    """Name the task where the study has more than one."""
    return f"Task {task.name}, one of {len(study.tasks)}" if len(study.tasks) > 1 else ""


def show(study: Study, task: Task, table: pd.DataFrame, aggregation: Aggregation) -> headlines.Cards | None:
    """Say what the worklist tells at once; None where nothing was read."""
    if table["certainty"].isna().all():
        parts.note("No case has a reading yet.")
        return None
    found = _found(study, task, aggregation)
    of = misled.case_ids(study, task, aggregation)
    return headlines.show(
        table,
        task,
        aggregation,
        found,
        of_task=task_words(study, task),
        misled=of,
        standards=_standards(study, task),
    )


def _standards(study: Study, task: Task) -> dict[str, int]:
    """How the references of most cases were established; empty unless most have one."""
    codes = reference_codes(study, task)
    return counted_standards(study, codes, range(study.n_cases)) if are_for_most(study, task) else {}


def claims(study: Study, task: Task, aggregation: Aggregation) -> Places:
    """Keep places for the claims in pictures, and for how much of them depends on trust in the readers."""
    of_models = [0]
    if study.n_cases <= MOST_CASES_JUDGED:
        rows = len(task.probability_models)
        two = task.has_risk and rows > 1
        around = _AROUND_DANGERS if two else _AROUND
        has_lists = len(task.labels) > danger_by_label.LISTED
        n_rows = danger_by_label.named_dangers(task) + has_lists
        dangers = _DANGERS_HEIGHT + n_rows * _ROW_HEIGHT if two else 0
        referenced = [0] * len(around)
        if reference_codes(study, task).max() >= 0:
            # The readings, where they are the check, take a line less for each model and none of words.
            decides = likely_basis(_standards(study, task), study.n_cases).is_reference
            is_less = decides and not math.isinf(aggregation.reliability)
            referenced = [
                more + _REFERENCE_ROW * rows - is_less * (less + _LESS_ROW * rows)
                for more, less in zip(_REFERENCE, _LESS, strict=True)
            ]
            referenced[-1] += two * _MORE_LINES * (rows + 3)
        of_models = [more + dangers + also for more, also in zip(around, referenced, strict=True)]
    return Places(_place("study-models", of_models), support(study, task, aggregation))


def support(study: Study, task: Task, aggregation: Aggregation) -> DeltaGenerator:
    """Keep a place for how much depends on trust in the readers."""
    has_table = by_reliability.is_reckoned(study, task, aggregation) and not are_some(study.counted)
    if not has_table:
        return _place("study-support", [0])
    known = trust.known(study, task, aggregation).supported
    # Until it is known which reliability the readings support, the likely one has a row.
    shown = {*USUAL, aggregation.reliability, kept.TWICE if known is None else known}
    more = max(len(shown) - _SUPPORT_ROWS, 0)
    return _place("study-support", [of + more * row for of, row in zip(_SUPPORT, _SUPPORT_ROW, strict=True)])


def _place(key: str, heights: Sequence[int]) -> DeltaGenerator:
    """Keep a place of so many pixels or more, so that nothing below moves when something comes there.

    The first of the ``heights`` is that of a wide window, the others are those of `_NARROW` ones. One
    container before and after: another in its stead would be empty until it is drawn, and all below it would
    jump there and back.
    """
    narrow = "".join(
        f" @media (max-width: {width}px) {{ .st-key-{key} {{ min-height: {height}px; }} }}"
        for width, height in zip(_NARROW, heights[1:], strict=False)
    )
    st.html(
        f"<style>.st-key-{key} {{ min-height: {heights[0]}px; }}{narrow}"
        f" .st-key-{key} > .stElementContainer:first-child {{ position: absolute; width: 0; }}</style>"
    )
    place = st.container(key=key)
    with place:
        text.blank(1)  # One that holds nothing is not drawn; this takes no room.
    return place


def show_later(
    study: Study, task: Task, aggregation: Aggregation, cards: headlines.Cards | None, places: Places
) -> None:
    """Say what takes a moment to find; to be called at the end of the page, which it must not keep back."""
    if cards is None:
        return
    trust.predict(study, task, aggregation, by_reliability.PATIENCE)
    if trust.use_supported(study, task):
        st.rerun()
    # What is judged before that would be judged again, and take twice as long.
    may_change = trust.may_change(study, task, aggregation)
    with cards.foot:
        # Its place stays where it has nothing to say: what stands beside it would be made anew.
        with st.container():
            said = None if may_change else _judged(study, task, aggregation)
        with st.container():
            if places.support is None and not may_change and (said is not None or not _has(task)):
                by_reliability.await_verdict(study, task, aggregation)
        watched = st.container()
    is_busy = _has(task) and said is None and _judging(study, task, aggregation).running
    if places.models is not None:
        with places.models:
            if said is not None:
                _models(study, task, aggregation, said)
            elif not is_busy and not may_change:
                parts.note("The models are shown here once they are judged; a button above starts that.")
    cards.draw(_found(study, task, aggregation))
    if places.support is not None and not are_some(study.counted):
        with places.support:
            judged = None if said is None else said.table
            by_reliability.show(study, task, aggregation, judged, is_held=may_change)
    found = _found(study, task, aggregation)
    if not is_busy:
        with watched:
            trust.watch_sought(study, task, aggregation)
    with cards.below:
        by_reliability.choose_supported(study, task, aggregation, found.trust)
    cards.draw(found)
    note.show(cards.note, study, task, found, cards.ceiling)
    if trust.use_supported(study, task):
        st.rerun()


def _found(study: Study, task: Task, aggregation: Aggregation) -> Found:
    """What is known by now of the models, and of how far the readings can be trusted."""
    job = _judging(study, task, aggregation) if _has(task) else None
    said = None if job is None else job.result
    rows = {} if are_some(study.counted) else by_reliability.found(study, task, aggregation)
    known = trust.known(study, task, aggregation)
    is_judged = said is not None or job is None
    is_awaited = known.state == "awaited"
    if job is not None and said is None and (job.running or not job.failure):
        is_awaited |= study.n_cases <= MOST_CASES_JUDGED or job.running
    if is_judged and known.supported is not None:
        is_awaited |= by_reliability.is_on_its_way(study, task, aggregation, known.supported)
    table, missed = (None, None) if said is None else (said.table, said.missed)
    may_change = trust.may_change(study, task, aggregation)
    reference = ByReference() if said is None else said.reference
    return Found(table, rows, known, is_awaited, missed, may_change, reference)


def _has(task: Task) -> bool:
    """Whether a task has models that name labels."""
    return bool(task.probability_models)


class _Said(NamedTuple):
    """What is found of the models: in words, and a row of `supported.Supported` for each."""

    headline: str
    danger: str
    details: str
    left_out: str
    table: pd.DataFrame
    by_label: pd.DataFrame
    missed: danger_by_label.Missed
    reference: ByReference


@cache.background
def judging(
    progress: Progress, study: Study, task: Task, aggregation: Aggregation, coverage: Coverage
) -> _Said:
    """Find in the background which model the labels support best."""
    # It takes time to import, which the first page need not wait for.
    from core.analysis.models import supported_words
    from core.analysis.models.supported import supported

    found = supported(study, task, aggregation, coverage=coverage, progress=progress)
    return _Said(
        supported_words.headline(found),
        supported_words.where_danger_is(found),
        supported_words.details(found),
        found.left_out,
        found.table,
        found.by_label,
        found.missed,
        found.reference,
    )


def _judging(study: Study, task: Task, aggregation: Aggregation) -> Job[_Said]:
    """Work that judges the models, begun or not."""
    return judging(study, task, aggregation, by_reliability.coverage_of(task))


def _judged(study: Study, task: Task, aggregation: Aggregation) -> _Said | None:
    """Return what is found of the models, or say how far it is; of many cases, offer to find it."""
    if not _has(task):
        return None
    job = _judging(study, task, aggregation)
    if study.n_cases > MOST_CASES_JUDGED and not job.begun:
        st.button(
            "Which claims do the labels support?",
            key="find-supported",
            help="Judges every model against plausible truths. Takes a while.",
            on_click=start,
            args=(job,),
        )
        return None
    wait_shortly(job, PATIENCE)
    also = by_reliability.at_work(study, task, aggregation)
    return parts.result_of(job, what=_JUDGING, key="supported", quiet=True, also=also)


def _models(study: Study, task: Task, aggregation: Aggregation, said: _Said) -> None:
    """Say which dangers every model misses, what the reference says, and how to read the claims."""
    has_danger, is_point = bool(said.danger), math.isinf(aggregation.reliability)
    by_reference = said.reference.decides and not is_point
    # Of several models it stands on top how surely which of them comes first.
    details = said.left_out if len(said.table) > 1 and not is_point else said.details
    if has_danger:
        _which_dangers(task, cache.worklist_at(study, task, aggregation), said, by_reference=by_reference)
    reference_table.show(said.reference, said.table, is_point=is_point)
    if not is_point and not by_reference:
        element("p", MAY_BE_BETTER, role="strong")
    if details:
        parts.note(details)
    pictures.show(said.table, said.danger, provenance(study, task, aggregation), is_point=is_point)


def _which_dangers(task: Task, cases: pd.DataFrame, said: _Said, *, by_reference: bool) -> None:
    """List the dangers that are the truth most often, how many of each the models miss, and their cases."""
    if by_reference:
        of = said.reference
        said = said._replace(table=of.judged, by_label=of.by_label, missed=of.missed)
    if not said.missed.labels:
        return
    parts.head("Which dangers does each model miss?")
    # There a box chooses by which model they are missed.
    missed = PRESETS[DANGER_MISSED].apply(cases)
    told, opens = dangers_table.opened(missed, said.missed)
    with st.container(key="study-dangers"):
        table = dangers_table.markup(said.missed, said.by_label, said.table, told, by_reference=by_reference)
        st.html(table)
    open_cell = partial(opening.lead_to_any, missed, opens, DANGER_MISSED)
    pressed.followed(".st-key-study-dangers", key="danger-cells", on_open=open_cell)
    n_models = len(said.table)
    spelled = spelled_labels(task, map(task.labels.index, said.missed.labels))
    with st.container(horizontal=True, key="study-dangers-foot", gap="small"):
        parts.note(
            dangers_table.told(said.missed, by_reference=by_reference)
            + f" The first {danger_by_label.MOST_MODELS} of {n_models} models."
            * (n_models > danger_by_label.MOST_MODELS)
            + (f" {spelled}." if spelled else "")
        )
        bars = label_bars(missed, list(said.missed.labels))
        bars = bars._replace(table=bars.table.assign(words=bars.table["words"] + ", missed by a model"))
        opening.offer(missed, bars, "dangers", DANGER_MISSED)
