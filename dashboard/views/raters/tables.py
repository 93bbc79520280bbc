"""Tables of a panel of raters, computed once: at once where that is quick, else in the background."""

from __future__ import annotations

from collections.abc import Callable
from typing import TypeVar, cast

import pandas as pd

from core.analysis.raters.coefficients import N_BOOT, coefficient_table, label_table
from core.analysis.raters.panel import Panel
from core.analysis.raters.profiles import profile_table
from core.analysis.reliability.sweep import Progress
from dashboard.components.text import count
from dashboard.shell import cache
from dashboard.views import parts

T = TypeVar("T")
MOST_READINGS = 300_000
"""Readings whose agreement is resampled at once: about a third of a second."""
MOST_PROFILED, MOST_RATERS = 20_000, 2_000
"""Readings and raters whose profiles take less than half a second."""


def kept(kind: str, chosen: Panel, *settings: object, compute: Callable[[], T]) -> T:
    """Return what is computed from a panel, computed once; for work of less than half a second."""
    return cache.kept(f"raters: {kind}", chosen.study, chosen.task, chosen.key, *settings, compute=compute)


def in_background(
    kind: str,
    chosen: Panel,
    *settings: object,
    compute: Callable[[Progress], T],
    what: str,
    watched: bool = True,
) -> T | None:
    """Return what is computed from a panel; None while it is being computed, which the page then shows.

    Where several panels need it, one of them is ``watched``: it starts the work and shows how far it is.
    """
    job = cache.job(f"raters: {kind}", chosen.study, chosen.task, chosen.key, *settings)
    if not watched:
        return cast("T | None", job.result)
    return parts.result_of(job, compute, what=what, key=f"raters-{kind}")


def unbroken(sentence: str) -> str:
    """A sentence in which no line begins with a percent sign."""
    return sentence.replace(" %", "\u00a0%")


def coefficients(chosen: Panel, *, ordered: bool, watched: bool = False) -> pd.DataFrame:
    """Coefficients of agreement; without intervals while those are being resampled."""
    return _resampled(
        "coefficients",
        chosen,
        ordered,
        compute=lambda n: coefficient_table(chosen, ordered=ordered, n_boot=n),
        watched=watched,
    )


def labels(chosen: Panel) -> pd.DataFrame:
    """Agreement about each label; without intervals while those are being resampled."""
    return _resampled("labels", chosen, compute=lambda n: label_table(chosen, n_boot=n), watched=True)


def profiles(chosen: Panel, given: float | None, *, watched: bool = False) -> pd.DataFrame | None:
    """Profiles of the panel's raters; None while they are being computed."""
    if chosen.readings.n_readings <= MOST_PROFILED and chosen.n_raters <= MOST_RATERS:
        return kept("profiles", chosen, given, compute=lambda: profile_table(chosen, given=given))

    def profile(progress: Progress) -> pd.DataFrame:
        progress(0.1, count(chosen.n_raters, "rater"))
        return profile_table(chosen, given=given)

    return in_background(
        "profiles", chosen, given, compute=profile, what="Describing each rater", watched=watched
    )


def _resampled(
    kind: str, chosen: Panel, *settings: object, compute: Callable[[int], pd.DataFrame], watched: bool
) -> pd.DataFrame:
    """Table of a bootstrap: at once for few readings, else in the background, meanwhile without intervals."""
    if chosen.readings.n_readings <= MOST_READINGS:
        return kept(kind, chosen, *settings, compute=lambda: compute(N_BOOT))

    def resample(progress: Progress) -> pd.DataFrame:
        progress(0.1, f"{N_BOOT:,} resamples of the cases")
        return compute(N_BOOT)

    found = in_background(
        kind, chosen, *settings, compute=resample, what=f"Intervals of {kind}", watched=watched
    )
    if found is not None:
        return found
    return kept(f"{kind} without intervals", chosen, *settings, compute=lambda: compute(0))
