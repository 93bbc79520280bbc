"""Tables of a panel of raters, computed once: at once where that is quick, else in the background."""

from __future__ import annotations

import pandas as pd

from core.analysis.raters.coefficients import N_BOOT, coefficient_table, label_table
from core.analysis.raters.panel import Panel
from core.analysis.raters.profiles import profile_table
from core.progress import Progress
from dashboard.components.text import count
from dashboard.shell import cache
from dashboard.shell.jobs import Job
from dashboard.views import parts

_RESAMPLES = f"{N_BOOT:,} resamples of the cases"
MOST_READINGS = 300_000
"""Readings whose agreement is resampled at once: about a third of a second."""
MOST_PROFILED, MOST_RATERS = 20_000, 2_000
"""Readings and raters whose profiles take less than half a second."""


def unbroken(sentence: str) -> str:
    """A sentence in which no line begins with a percent sign."""
    return sentence.replace(" %", "\u00a0%")


_coefficients = cache.cached()(coefficient_table)
_labels = cache.cached()(label_table)
_profiles = cache.cached()(profile_table)


@cache.background
def _resampled_coefficients(progress: Progress, chosen: Panel, ordered: bool) -> pd.DataFrame:
    progress(0.1, _RESAMPLES)
    return coefficient_table(chosen, ordered=ordered)


def coefficients(chosen: Panel, *, ordered: bool, watched: bool = False) -> pd.DataFrame:
    """Coefficients of agreement; without intervals while those are being resampled.

    Where several panels need long work, one of them is ``watched``: it starts it and shows how far it is.
    """
    if chosen.readings.n_readings <= MOST_READINGS:
        return _coefficients(chosen, ordered=ordered)
    found = _result(_resampled_coefficients(chosen, ordered), "coefficients", watched=watched)
    return _coefficients(chosen, ordered=ordered, n_boot=0) if found is None else found


@cache.background
def _resampled_labels(progress: Progress, chosen: Panel) -> pd.DataFrame:
    progress(0.1, _RESAMPLES)
    return label_table(chosen)


def labels(chosen: Panel) -> pd.DataFrame:
    """Agreement about each label; without intervals while those are being resampled."""
    if chosen.readings.n_readings <= MOST_READINGS:
        return _labels(chosen)
    found = _result(_resampled_labels(chosen), "labels", watched=True)
    return _labels(chosen, n_boot=0) if found is None else found


def _result(job: Job[pd.DataFrame], kind: str, *, watched: bool) -> pd.DataFrame | None:
    if not watched:
        return job.result
    return parts.result_of(job, what=f"Intervals of {kind}", key=f"raters-{kind}")


@cache.background
def _many_profiles(progress: Progress, chosen: Panel, given: float | None) -> pd.DataFrame:
    progress(0.1, count(chosen.n_raters, "rater"))
    return profile_table(chosen, given=given)


def profiles(chosen: Panel, given: float | None, *, watched: bool = False) -> pd.DataFrame | None:
    """Profiles of the panel's raters; None while they are being computed."""
    if chosen.readings.n_readings <= MOST_PROFILED and chosen.n_raters <= MOST_RATERS:
        return _profiles(chosen, given=given)
    job = _many_profiles(chosen, given)
    return (
        parts.result_of(job, what="Describing each rater", key="raters-profiles") if watched else job.result
    )
