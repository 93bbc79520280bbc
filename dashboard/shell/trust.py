"""The reliability that the readings themselves support: found in the background, and used by every page.

A study is counted at one reliability alone, whichever page is open. Who chose one, by hand or by a link,
keeps it.
"""

from __future__ import annotations

from functools import partial

import pandas as pd
import streamlit as st

from core.analysis.models.trust import Trust
from core.analysis.reliability.fit import PREDICTING, best_in_words, best_reliability, predictive_curve
from core.analysis.reliability.kept import keep_curve, kept_curve
from core.plausibility.settings import MODELS, Aggregation
from core.progress import Progress
from core.streamed.aggregates import are_some
from core.study.model import Study, Task
from dashboard.components.picture import KEPT
from dashboard.shell import cache, hand, state, widgets
from dashboard.shell.jobs import Job
from dashboard.shell.progress import wait_shortly, watch
from sample_data.supported import SUPPORTED

MOST_READINGS_PREDICTED, MOST_READINGS_DRAWN = 50_000, 12_000
"""Readings up to which the reliability that they support is found unasked: exactly, and by draws."""
SOUGHT = ("awaited", "asked", "ended")
"""States of trust in which the reliability that the readings support may yet be found."""
_VISIT = "loupe-visit-counted"
"""Where is kept which look at a page has begun."""
_BEFORE = "loupe-reliability-before"
"""Where is kept which reliability was in force before the supported one was chosen, by fingerprint."""


def _recall(study: Study, task: Task, aggregation: Aggregation) -> pd.DataFrame | None:
    """What is known from before: at this computer, or of a sample, with which it comes."""
    known = kept_curve(study, task, aggregation)
    return kept_curve(study, task, aggregation, SUPPORTED) if known is None else known


@partial(cache.background, recall=_recall)
def predicting(progress: Progress, study: Study, task: Task, aggregation: Aggregation) -> pd.DataFrame:
    """Find in the background how well each reliability predicts left-out readings, and keep it."""
    curve = predictive_curve(study, task, aggregation, progress=progress)
    keep_curve(study, task, aggregation, curve)
    return curve


def job_of(study: Study, task: Task, aggregation: Aggregation) -> Job[pd.DataFrame]:
    """Work that finds it, begun or not; the same at whatever reliability."""
    return predicting(study, task, aggregation.point)


def known(study: Study, task: Task, aggregation: Aggregation) -> Trust:
    """What is known by now of the reliability that the readings support; starts no work."""
    readings = task.readings
    if not MODELS[aggregation.model].has_reliability:
        return Trust(aggregation, "none")
    if aggregation.model not in PREDICTING:
        return Trust(aggregation, "method")
    if not (readings.per_case >= 2).any():
        return Trust(aggregation, "single")
    if are_some(study.counted):
        return Trust(aggregation, "some")
    job = job_of(study, task, aggregation)
    if job.result is not None:
        return Trust(aggregation, "known", best_reliability(job.result), best_in_words(job.result))
    if job.failure and not job.running:
        return Trust(aggregation, "ended")
    is_quick = _is_exact(aggregation) or cache.steps(study, task, aggregation).go_ahead
    is_unasked = is_quick and readings.n_readings <= _most_unasked(aggregation)
    return Trust(aggregation, "awaited" if job.running or is_unasked else "asked")


def predict(study: Study, task: Task, aggregation: Aggregation, patience: float) -> None:
    """Begin to find the reliability that the readings support, where that is quick enough to do unasked.

    What needs no draws is waited for, so many seconds at most (``patience``).
    """
    if known(study, task, aggregation).state != "awaited":
        return
    job = job_of(study, task, aggregation)
    if task.readings.n_readings > _most_unasked(aggregation):
        return
    if _is_exact(aggregation):
        wait_shortly(job, patience)
    # After what the slider needs, where somebody has put it there; else before it (`compute_ahead`).
    elif not job.begun and (state.is_reliability_usual() or cache.steps(study, task, aggregation).are_ahead):
        job.start()


def compute_ahead(study: Study, task: Task, aggregation: Aggregation) -> None:
    """Compute the other steps of the slider ahead, unless it is first to be found where it is to stand.

    To be called after `predict`: at once, both would take twice as long, and what is counted would change
    that much later.
    """
    job = job_of(study, task, aggregation)
    if not (job.running and state.is_reliability_usual()):
        cache.steps(study, task, aggregation).compute_ahead(aggregation.reliability)


def watch_sought(study: Study, task: Task, aggregation: Aggregation, brief: str = "") -> bool:
    """Show how far it is to find the reliability that the readings support, while that is at work.

    In few words (``brief``) where there is little room. Returns whether it is at work.
    """
    is_sought = known(study, task, aggregation).state in SOUGHT
    job = job_of(study, task, aggregation) if is_sought else None
    if job is None or not job.running:
        return False
    what = brief or "Finding how far the readings can be trusted"
    watch(job, what, key="supported-reliability", quiet=True, brief=bool(brief))
    return True


def may_change(study: Study, task: Task, aggregation: Aggregation) -> bool:
    """Whether the reliability in force may soon be another: nobody has chosen it, and it is being found."""
    if KEPT in st.session_state or not state.is_reliability_usual():
        return False
    return known(study, task, aggregation).state == "awaited"


def visit(study: Study, task: Task) -> tuple[int, str, str, str]:
    """What tells one look at a page from the next: other pages, studies, tasks and models are others."""
    return widgets.visits(), study.fingerprint, task.name, state.aggregation().model


def begin_visit(study: Study, task: Task) -> None:
    """Use what is known to be supported where a look at a page begins, before anything of it is drawn."""
    if st.session_state.get(_VISIT) != (now := visit(study, task)):
        st.session_state[_VISIT] = now
        use_supported(study, task)


def use_supported(study: Study, task: Task) -> bool:
    """Use the reliability that the readings support, once it is known, unless somebody has chosen one.

    Who chose one, by hand or by a link, keeps it, and so does who is at the slider, or was: it is not taken
    from under the hand. A page that is drawn to be saved has what its address says, whatever is known by
    then.
    """
    if KEPT in st.session_state or not state.is_reliability_usual():
        return False
    aggregation = state.aggregation()
    found = known(study, task, aggregation)
    if found.supported is None or not found.differs:
        return False
    if hand.was_there():
        state.keep_reliability()
        return False
    st.session_state[_BEFORE] = {study.fingerprint: aggregation.reliability}
    state.take_reliability(found.supported, is_usual=False)
    return True


def use(of: str, gamma: float, now: float) -> None:
    """Use the reliability that the readings support, and keep the one before for the way back."""
    st.session_state[_BEFORE] = {of: now}
    state.change(reliability=gamma)


def before(study: Study) -> float | None:
    """The reliability before the supported one was chosen; None where that was not."""
    kept: float | None = st.session_state.get(_BEFORE, {}).get(study.fingerprint)
    return kept


def _is_exact(aggregation: Aggregation) -> bool:
    """Whether a model needs no draws."""
    return MODELS[aggregation.model].answer == "exact"


def _most_unasked(aggregation: Aggregation) -> int:
    """Readings up to which the reliability that they support is found unasked."""
    return MOST_READINGS_PREDICTED if _is_exact(aggregation) else MOST_READINGS_DRAWN
