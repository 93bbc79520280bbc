"""How much of what Study says depends on the reliability: a small table beside its first sentence."""

from __future__ import annotations

import math

import pandas as pd
import streamlit as st
from streamlit.delta_generator import DeltaGenerator

from core.analysis.danger import danger_behind
from core.analysis.export import format_reliability
from core.analysis.models import by_reliability
from core.analysis.models.settings import COVERAGES, Coverage
from core.analysis.models.trust import Trust
from core.analysis.reliability.words import count_at_words
from core.plausibility.settings import MODELS, Aggregation
from core.progress import Progress
from core.study.model import Study, Task
from dashboard.components import text
from dashboard.shell import cache, state, trust
from dashboard.shell.jobs import Job
from dashboard.shell.progress import start, wait_shortly
from dashboard.shell.steps import Steps
from dashboard.views import parts

MOST_CASES_RECKONED = 5000
"""Studies with more cases show no table: each of its rows aggregates them all."""
_BESIDE_ITS_HEADING = """<style>@media (min-width: 641px) {
  .st-key-study-support { position: relative; }
  [class*=st-key-work-reckoned-] { position: absolute; top: 0; right: 0; max-width: 55%; }
}</style>"""
"""Where the line stands that says how far the table is: it comes and goes, and moves nothing."""
_NARROW = """<style>@media (max-width: 640px) {
  .st-key-by-reliability .loupe-table :is(th, td) { padding-right: 0.4rem; }
  .st-key-by-reliability .loupe-table td:first-child { min-width: 5.6rem; }
  .st-key-by-reliability .loupe-table th:nth-child(3) { min-width: 4.7rem; }
}</style>"""
"""No head of the table is a tower of single words in a narrow window."""
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
    from core.analysis.models.supported import supported

    found = {}
    for number, gamma in enumerate(reliabilities):
        progress(number / len(reliabilities), f"at reliability {gamma:g}")
        judged = None
        if task.probability_models:
            judged = supported(study, task, aggregation.at(gamma), coverage=coverage).table
        found[gamma] = _reckoned(steps.at(gamma), aggregation.at(gamma), judged)
    return found


def _reckoned(
    cases: pd.DataFrame, aggregation: Aggregation, judged: pd.DataFrame | None
) -> by_reliability.Reckoned:
    """Sum up a worklist and, where models are judged, what is supported of them."""
    from core.analysis.models.supported_words import leader_in_words

    danger = danger_behind(cases, aggregation)
    return by_reliability.reckoned(
        cases["certainty"],
        "" if judged is None else leader_in_words(judged),
        is_point=math.isinf(aggregation.reliability),
        dangerous=None if danger is None else danger.total,
        judged=judged,
    )


def ranges_of(judged: pd.DataFrame) -> dict[str, tuple[float, float]]:
    """What is supported of each model, by its names; of a table of `core.analysis.models.supported`."""
    ends = judged[["low", "high"]].to_numpy(float)
    return {
        str(names): (low, high) for names, (low, high) in zip(judged["names"], ends.tolist(), strict=True)
    }


def often_best(judged: pd.DataFrame) -> dict[str, float]:
    """How often each model is the most accurate, by its names; of the same table."""
    return dict(zip(judged["names"].astype(str), judged["best"].astype(float), strict=True))


def found(study: Study, task: Task, aggregation: Aggregation) -> dict[float, by_reliability.Reckoned]:
    """What is known by now at the usual reliabilities and at the one that the readings support."""
    if not is_reckoned(study, task, aggregation):
        return {}
    asked = _asked(aggregation.reliability, trust.known(study, task, aggregation).supported)
    known = [_job(study, task, aggregation, of).result or {} for of in asked]
    return {gamma: row for rows in known for gamma, row in rows.items()}


def is_on_its_way(study: Study, task: Task, aggregation: Aggregation, gamma: float) -> bool:
    """Whether it will be known unasked what the study comes to at a reliability."""
    if not is_reckoned(study, task, aggregation) or gamma == aggregation.reliability:
        return False
    asked = next(of for of in _asked(aggregation.reliability, gamma) if gamma in of)
    job = _job(study, task, aggregation, asked)
    return job.result is None and not (job.failure and not job.running)


def await_verdict(study: Study, task: Task, aggregation: Aggregation) -> None:
    """Find what the verdict says of other reliabilities than the one in force, or say how far that is.

    That is where the readings support one, and with models where each reading counts once. For a page that
    does not show the table of which these are rows.
    """
    best = trust.known(study, task, aggregation).supported
    for name, gamma in (
        ("supported", best),
        ("once", by_reliability.ONCE if task.probability_models else None),
    ):
        if gamma is None or not is_on_its_way(study, task, aggregation, gamma):
            continue
        (asked,) = (of for of in _asked(aggregation.reliability, best) if gamma in of)
        job = _job(study, task, aggregation, asked)
        wait_shortly(job, PATIENCE)
        parts.result_of(job, what="What the readings support", key=f"reckoned-{name}", quiet=True)


def is_reckoned(study: Study, task: Task, aggregation: Aggregation) -> bool:
    """Whether there is a table."""
    has_reliability = MODELS[aggregation.model].has_reliability
    return has_reliability and study.n_cases <= MOST_CASES_RECKONED and task.readings.n_readings > 0


def at_work(study: Study, task: Task, aggregation: Aggregation) -> list[Job[pd.DataFrame]]:
    """Work of this table that goes on beside other work of the page."""
    trust.predict(study, task, aggregation, patience=0)
    if trust.known(study, task, aggregation).state != "awaited":
        return []
    job = trust.job_of(study, task, aggregation)
    return [job] if job.running else []


def show(
    study: Study, task: Task, aggregation: Aggregation, judged: pd.DataFrame | None, *, is_held: bool
) -> None:
    """Show the table, or how far it is.

    ``judged`` is the table of `core.analysis.models.supported.Supported` at the reliability in force; None
    while it is not known, and without models. What ``is_held`` waits for something else first.
    """
    if not is_reckoned(study, task, aggregation):
        return
    st.html(_BESIDE_ITS_HEADING + _NARROW)
    parts.head("How much depends on trust in the readers?")
    # One container each, whether it holds something or not: what follows would else be drawn beside itself.
    line, rows = (st.container() for _ in range(2))
    if not is_held and (judged is not None or not task.probability_models):
        _table(
            study, task, aggregation, judged, trust.known(study, task, aggregation).supported, (line, rows)
        )


def choose_supported(study: Study, task: Task, aggregation: Aggregation, known: Trust) -> None:
    """Offer the reliability that the readings support, the way back from it, or to find it."""
    now, before = aggregation.reliability, trust.before(study)
    if known.supported is not None and known.differs:
        st.button(
            count_at_words(aggregation.at(known.supported)),
            key="anchor-use-reliability",
            help=f"Sets γ = {known.supported:g} on the left, for every page. Left-out readings are "
            f"predicted best from the others of their cases at γ = {known.as_written} under "
            f"{MODELS[aggregation.model].title}.",
            on_click=trust.use,
            args=(study.fingerprint, known.supported, now),
        )
    elif known.supported is not None and before not in (None, now):
        st.button(
            count_at_words(aggregation.at(before)),
            key="anchor-back-reliability",
            type="tertiary",
            help=f"Sets γ = {format_reliability(before)} on the left, for every page.",
            on_click=state.change,
            kwargs={"reliability": before},
        )
    elif known.state in trust.SOUGHT and known.state != "awaited":
        job = trust.job_of(study, task, aggregation)
        if not job.running:
            st.button(
                "Which γ do the readings themselves support?",
                key="anchor-reliability",
                help="Predicts each reading from the others of its case, at every γ. Takes a while.",
                on_click=start,
                args=(job,),
            )


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
) -> None:
    """Show what the study comes to at the usual reliabilities, at what is in force, and what is supported.

    The ``places`` are for the line that says how far work is, and for the table: until all of the usual ones
    are known, the line stands alone.
    """
    now = aggregation.reliability
    wanted = by_reliability.shown_reliabilities(now, best)
    cases = cache.steps(study, task, aggregation).at(now)
    known = {now: _reckoned(cases, aggregation, judged)}
    for asked in _asked(now, best):
        job = _job(study, task, aggregation, asked)
        wait_shortly(job, PATIENCE)
        with places[0]:
            others = parts.result_of(
                job,
                what="How much depends on trust in the readers",
                key=f"reckoned-{len(asked)}",
                quiet=True,
                also=at_work(study, task, aggregation),
            )
        if others is None and asked == by_reliability.USUAL:
            return
        known = (others or {}) | known
    heads, rows = by_reliability.in_words(
        {gamma: known.get(gamma) for gamma in wanted},
        aggregation,
        best=best,
        has_models=bool(task.probability_models),
    )
    with places[1], st.container(key="by-reliability"):
        text.table(heads, rows, name="How much depends on the reliability", scrolls=True)
