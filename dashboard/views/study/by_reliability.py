"""How much of what Study says depends on the reliability: a small table beside its first sentence."""

from __future__ import annotations

import math

import pandas as pd
import streamlit as st
from streamlit.delta_generator import DeltaGenerator

from core.analysis.danger import danger_behind
from core.analysis.models import by_reliability
from core.analysis.models.settings import COVERAGES, Coverage
from core.analysis.reliability.fit import PREDICTING, best_in_words, best_reliability
from core.plausibility.settings import MODELS, Aggregation
from core.progress import Progress
from core.study.model import Study, Task
from dashboard.components import text
from dashboard.shell import cache, sidebar, state
from dashboard.shell.jobs import Job
from dashboard.shell.progress import start, watch
from dashboard.shell.steps import Steps
from dashboard.views import parts

MOST_CASES_RECKONED = 5000
"""Studies with more cases show no table: each of its rows aggregates them all."""
MOST_READINGS_PREDICTED, MOST_READINGS_DRAWN = 50_000, 12_000
"""Readings up to which the reliability that they support is found unasked: exactly, and by draws."""
_BESIDE_ITS_HEADING = """<style>@media (min-width: 641px) {
  .st-key-study-support { position: relative; }
  [class*=st-key-work-reckoned-] { position: absolute; top: 0; right: 0; max-width: 55%; }
}</style>"""
"""Where the line stands that says how far the table is: it comes and goes, and moves nothing."""
PATIENCE = 1.0
"""Seconds that the end of the page waits for what mostly takes less, before it shows a bar."""


def coverage_of(task: Task) -> Coverage:
    """Cases that models are judged on: what is chosen, where that makes a difference."""
    from core.analysis.models.tables import differ_in_cases

    return state.view().coverage if differ_in_cases(task) else COVERAGES[0]


@cache.background
def reckoning(
    progress: Progress,
    study: Study,
    task: Task,
    aggregation: Aggregation,
    steps: Steps,
    reliabilities: tuple[float, ...],
    coverage: Coverage,
) -> dict[float, by_reliability.Reckoned]:
    """Find in the background what the study comes to at some reliabilities."""
    from core.analysis.models.supported import leader_in_words, supported

    found = {}
    for number, gamma in enumerate(reliabilities):
        progress(number / len(reliabilities), f"at reliability {gamma:g}")
        best, ranges = "", dict[str, tuple[float, float]]()
        if task.probability_models:
            judged = supported(study, task, aggregation.at(gamma), coverage=coverage).table
            best, ranges = leader_in_words(judged), ranges_of(judged)
        found[gamma] = _reckoned(steps.at(gamma), aggregation.at(gamma), best, ranges)
    return found


def _reckoned(
    cases: pd.DataFrame, aggregation: Aggregation, best: str, ranges: dict[str, tuple[float, float]]
) -> by_reliability.Reckoned:
    """Sum up a worklist."""
    danger = danger_behind(cases, aggregation)
    return by_reliability.reckoned(
        cases["certainty"],
        best,
        ranges,
        is_point=math.isinf(aggregation.reliability),
        dangerous=None if danger is None else danger.total,
    )


def ranges_of(judged: pd.DataFrame) -> dict[str, tuple[float, float]]:
    """What is supported of each model, by its names; of a table of `core.analysis.models.supported`."""
    ends = judged[["low", "high"]].to_numpy(float)
    return {
        str(names): (low, high) for names, (low, high) in zip(judged["names"], ends.tolist(), strict=True)
    }


def found(study: Study, task: Task, aggregation: Aggregation) -> dict[float, by_reliability.Reckoned]:
    """What is known by now at the usual reliabilities and at the one that the readings support."""
    if not _is_reckoned(study, task, aggregation):
        return {}
    asked = _asked(aggregation.reliability, _best(study, task, aggregation))
    known = [_job(study, task, aggregation, of).result or {} for of in asked]
    return {gamma: row for rows in known for gamma, row in rows.items()}


def supported_reliability(study: Study, task: Task, aggregation: Aggregation) -> float | None:
    """The reliability that the readings support, if known by now and not the one in force."""
    best = _best(study, task, aggregation) if MODELS[aggregation.model].has_reliability else None
    return None if best == aggregation.reliability else best


def at_work(study: Study, task: Task, aggregation: Aggregation) -> list[Job[pd.DataFrame]]:
    """Work of this table that goes on beside other work of the page."""
    job = _predicting(study, task, aggregation, patience=0)
    return [job] if job is not None and job.running else []


def show(
    study: Study, task: Task, aggregation: Aggregation, judged: pd.DataFrame | None, *, is_busy: bool
) -> None:
    """Show the table, and which of its rows the readings support.

    ``judged`` is the table of `core.analysis.models.supported.Supported` at the reliability in force; None
    while it is not known, and without models. While it is found, the page ``is_busy`` and says so itself.
    """
    model = MODELS[aggregation.model]
    if not model.has_reliability or not task.readings.n_readings:
        return
    predicting = _predicting(study, task, aggregation)
    curve = None if predicting is None else predicting.result
    best = None if curve is None else best_reliability(curve)
    is_known = judged is not None or not task.probability_models
    if _is_reckoned(study, task, aggregation):
        st.html(_BESIDE_ITS_HEADING)
        parts.head("How much depends on trust in the readers?")
    # One container each, whether it holds something or not: what follows would else be drawn beside itself.
    line, rows, foot = (st.container() for _ in range(3))
    if is_known and _is_reckoned(study, task, aggregation):
        is_busy = not _table(study, task, aggregation, judged, best, (line, rows))
    with foot:
        if predicting is None:
            return
        if curve is None:
            if not is_busy:
                _offer(predicting)
        elif best == aggregation.reliability:
            parts.note(f"The readings themselves support γ = {best_in_words(curve)} best: it is in use.")
        else:
            st.button(
                f"Use γ = {best:g}, which the readings themselves support",
                key="anchor-use-reliability",
                type="tertiary",
                help="Left-out readings are predicted best from the others of their cases at this reliability"
                f" ({best_in_words(curve)})",
                on_click=state.change,
                kwargs={"reliability": best},
            )


def _is_reckoned(study: Study, task: Task, aggregation: Aggregation) -> bool:
    """Whether there is a table."""
    has_reliability = MODELS[aggregation.model].has_reliability
    return has_reliability and study.n_cases <= MOST_CASES_RECKONED and task.readings.n_readings > 0


def _asked(now: float, best: float | None) -> list[tuple[float, ...]]:
    """Reliabilities to be reckoned beside the one in force, those of one piece of work together."""
    usual = by_reliability.USUAL
    return [usual] if best is None or best in (now, *usual) else [usual, (best,)]


def _job(
    study: Study, task: Task, aggregation: Aggregation, asked: tuple[float, ...]
) -> Job[dict[float, by_reliability.Reckoned]]:
    """Work on some reliabilities, begun or not."""
    steps = cache.steps(study, task, aggregation)
    return reckoning(study, task, aggregation.at(1.0), steps, asked, coverage_of(task))


def _table(
    study: Study,
    task: Task,
    aggregation: Aggregation,
    judged: pd.DataFrame | None,
    best: float | None,
    places: tuple[DeltaGenerator, DeltaGenerator],
) -> bool:
    """Show what the study comes to at the usual reliabilities, at what is in force, and what is supported.

    The ``places`` are for the line that says how far work is, and for the table.

    Returns whether it is there: until all of the usual ones are known, a line says how far they are.
    """
    from core.analysis.models.supported import leader_in_words

    now = aggregation.reliability
    wanted = by_reliability.shown_reliabilities(now, best)
    cases = cache.steps(study, task, aggregation).at(now)
    leader, ranges = ("", {}) if judged is None else (leader_in_words(judged), ranges_of(judged))
    known = {now: _reckoned(cases, aggregation, leader, ranges)}
    for asked in _asked(now, best):
        job = _job(study, task, aggregation, asked)
        parts.wait_shortly(job, PATIENCE)
        with places[0]:
            others = parts.result_of(
                job,
                what="How much depends on trust in the readers",
                key=f"reckoned-{len(asked)}",
                quiet=True,
                also=at_work(study, task, aggregation),
            )
        if others is None and asked == by_reliability.USUAL:
            return False
        known = (others or {}) | known
    heads, rows = by_reliability.in_words(
        {gamma: known.get(gamma) for gamma in wanted},
        aggregation,
        best=best,
        has_models=bool(task.probability_models),
    )
    with places[1], st.container(key="by-reliability"):
        text.table(heads, rows, name="How much depends on the reliability")
    return True


def _best(study: Study, task: Task, aggregation: Aggregation) -> float | None:
    """The reliability that the readings support, where that is known by now."""
    if aggregation.model not in PREDICTING:
        return None
    curve = sidebar.predicting(study, task, aggregation.point).result
    return None if curve is None else best_reliability(curve)


def _predicting(
    study: Study, task: Task, aggregation: Aggregation, patience: float | None = None
) -> Job[pd.DataFrame] | None:
    """Find the reliability that the readings support, unasked where that is quick; None where none can be."""
    readings = task.readings
    if aggregation.model not in PREDICTING or not (readings.per_case >= 2).any():
        return None
    job = sidebar.predicting(study, task, aggregation.point)
    if MODELS[aggregation.model].answer == "exact":
        if readings.n_readings <= MOST_READINGS_PREDICTED:
            parts.wait_shortly(job, PATIENCE if patience is None else patience)
        return job
    is_quick = readings.n_readings <= MOST_READINGS_DRAWN
    # After what the slider needs.
    if is_quick and not job.begun and cache.steps(study, task, aggregation).are_ahead:
        job.start()
    return job


def _offer(job: Job[pd.DataFrame]) -> None:
    """Say how far the search for the reliability is, or offer it."""
    if job.running:
        watch(job, "Which γ the readings support", key="supported-reliability", quiet=True)
        return
    st.button(
        "Which γ do the readings themselves support?",
        key="anchor-reliability",
        type="tertiary",
        help="Predicts each reading from the others of its case, at every reliability. Takes a while.",
        on_click=start,
        args=(job,),
    )
