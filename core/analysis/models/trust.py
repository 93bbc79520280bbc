"""How far readings can be trusted: the reliability in force and the one that they support, in words."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Literal

from core.analysis.export import format_reliability
from core.analysis.formatting import percent
from core.analysis.models.by_reliability import ONCE
from core.analysis.models.finding import listed
from core.analysis.reliability.fit import PREDICTING
from core.analysis.reliability.words import is_of_each, reliability_words, times_in_words
from core.plausibility.settings import MODELS, Aggregation, models_for
from core.study.model import Task

Trusted = Literal["known", "awaited", "asked", "ended", "method", "single", "some", "none"]
"""Whether the reliability that the readings support is known, is on its way, has to be asked for, was ended
before it was found, cannot be told by the model, nor of single readings, nor of some of the cases; or
whether the model has none."""


@dataclass(frozen=True)
class Trust:
    """How far the readings can be trusted: the reliability in force, and the one that they support.

    Attributes
    ----------
    aggregation : Aggregation
        In force.
    state : Trusted
        What is known of the reliability that the readings support.
    supported : float or None
        That reliability, where it is known.
    as_written : str
        The same in words: "2", or "0.25 or less" at the end of what was tried.
    """

    aggregation: Aggregation
    state: Trusted
    supported: float | None = None
    as_written: str = ""

    @property
    def is_point(self) -> bool:
        """Whether a point estimate is in force, which takes readers for infallible."""
        has_reliability = MODELS[self.aggregation.model].has_reliability
        return not has_reliability or math.isinf(self.aggregation.reliability)

    @property
    def differs(self) -> bool:
        """Whether the readings support another reliability than the one in force."""
        return self.supported is not None and self.supported != self.aggregation.reliability


def other_trust(trust: Trust) -> tuple[float, str] | None:
    """Which other trust in the readers a verdict is compared with, and how it is called to begin a sentence.

    That is the one that the readings support where it is not in force, else that each reading counts once;
    None where that is in force.
    """
    now = trust.aggregation
    if trust.supported is not None and trust.differs:
        return trust.supported, f"{_if_counted(now.at(trust.supported))}, as the readings support"
    if now.reliability == ONCE:
        return None
    much = "less" if now.reliability > ONCE else "more"
    return ONCE, f"{_if_counted(now.at(ONCE))} ({much} trust)"


def chosen_in_words(trust: Trust) -> str:
    """Say that readings are counted otherwise than they themselves support; empty where they are not."""
    if trust.supported is None or not trust.differs:
        return ""
    now, then = trust.aggregation, trust.aggregation.at(trust.supported)
    if is_of_each(now) and is_of_each(then):
        times = times_in_words(now.reliability)
        said = f"Each reading counts {times} here; the readings support counting each"
        return f"{said} {times_in_words(then.reliability)}."
    support = f"the readings support γ = {format_reliability(then.reliability)}"
    return f"Counted at γ = {format_reliability(now.reliability)}; {support}."


def _if_counted(aggregation: Aggregation) -> str:
    """Suppose how readings are counted: how many times each counts, where that can be said."""
    if is_of_each(aggregation):
        return f"If each reading counted {times_in_words(aggregation.reliability)}"
    return f"At γ = {format_reliability(aggregation.reliability)}"


def point_in_words(trust: Trust) -> str:
    """Say why nothing is supported under a point estimate, and what would have to be chosen."""
    title = MODELS[trust.aggregation.model].title
    if MODELS[trust.aggregation.model].has_reliability:
        return (
            "A point estimate treats the readers as infallible, so it supports nothing. Choose a finite γ "
            "under “How readings are counted”, on the left."
        )
    return (
        f"{title} is a point estimate: it treats the readers as infallible, so it supports nothing. "
        "Choose a model with a reliability γ under “How readings are counted”, on the left."
    )


def trust_in_words(trust: Trust, task: Task) -> str:
    """Say at which reliability claims are judged, and why.

    Parameters
    ----------
    trust : Trust
        What is known.
    task : Task
        Whose readings they are.
    """
    if trust.state == "none":
        return ""
    title = MODELS[trust.aggregation.model].title
    now = f"γ = {format_reliability(trust.aggregation.reliability)}"
    plain = reliability_words(trust.aggregation).rstrip(".")
    counted = f"({plain[0].lower()}{plain[1:]})"
    if trust.state != "known":
        return f"Judged at {now}, the value in use {counted}. {_WHY[trust.state](task, title)}"
    if not trust.differs:
        return f"{plain}: so counted, what some readers of a case say best foretells what the others say."
    then = trust.aggregation.at(trust.supported or math.nan)
    if is_of_each(then) and trust.as_written == format_reliability(then.reliability):
        return f"The readings predict one another best if each counts {times_in_words(then.reliability)}."
    return f"Under {title}, the readings predict one another best at γ = {trust.as_written}."


def so_far(trust: Trust, ceiling: tuple[float, float]) -> str:
    """Say what any model is granted at the reliability in force, as something that may change.

    Empty under a point estimate, which grants what it takes for certain.
    """
    if trust.is_point:
        return ""
    return f"So far: at most {percent(ceiling[1])} accuracy for any model. This may change."


def _others(task: Task, title: str) -> str:
    """Name the models that can tell which reliability the readings support."""
    able = [MODELS[name].title for name in models_for(task) if name in PREDICTING]
    told = f"{title} cannot tell how far the readings themselves can be trusted"
    return f"{told}; {listed(able)} can, under “How readings are counted”." if able else f"{told}."


_WHY = {
    "method": _others,
    "single": lambda _task, _title: "No case has two readings, so nothing shows how far they can be trusted.",
    "some": lambda _task, _title: (
        "How far the readings can be trusted is worked out from a whole study; these are only some of its "
        "cases."
    ),
    "asked": lambda task, _title: (
        f"How far these {task.readings.n_readings:,} readings can be trusted is worked out only when "
        "you ask, because there are so many."
    ),
    "ended": lambda _task, _title: (
        "Working out how far the readings can be trusted was stopped before it was done."
    ),
    "awaited": lambda _task, _title: "",
}
"""Why it is not known which reliability the readings support."""
PROVISIONAL = "Working out how far these readings can be trusted … the verdict follows."
"""Stands where the verdict comes."""
