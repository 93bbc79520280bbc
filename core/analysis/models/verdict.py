"""What a buyer may conclude: the most that labels support of any claim, a verdict on each, and what to ask.

A claim is judged at the reliability that the readings themselves support where that is known, else at the
one in force; until it is known that it will be, nothing is said that could change.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Literal

import pandas as pd

from core.analysis.export import format_reliability
from core.analysis.formatting import percent, percent_range
from core.analysis.models.finding import listed
from core.analysis.reliability.fit import PREDICTING
from core.analysis.reliability.words import reliability_words
from core.plausibility.settings import MODELS, Aggregation, models_for
from core.study.model import Task

Trusted = Literal["known", "awaited", "asked", "ended", "method", "single", "some", "none"]
"""Whether the reliability that the readings support is known, is on its way, has to be asked for, was ended
before it was found, cannot be told by the model, nor of single readings, nor of some of the cases; or
whether the model has none."""
Side = Literal["beyond", "within", "below"]
"""Where a claim lies beside a range."""

_OUTCOMES: dict[Side, str] = {
    "beyond": "✗ no",
    "within": "~ perhaps, not proved",
    "below": "✓ yes",
}
"""Whether a claim is supported."""
DANGER_HEADS = ("Dangers named", "False alarms")
"""Heads of what stands beside the claims where there are risk levels."""
_MOST_NAMED = 2
"""Models listed by name in a sentence."""
_PAIR = 2
_NO_LIMIT = 0.995
"""Upper end of what is granted to any model from which on it is no limit to speak of."""


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


@dataclass(frozen=True)
class Judged:
    """A claim, judged.

    Attributes
    ----------
    model : str
        Whose it is.
    claimed : float
        Accuracy by the label with most readings, in [0, 1].
    ends : (float, float)
        Between these the labels support it, in [0, 1].
    danger, alarms : float
        Share of the dangerous truths that it names, and of its alarms that are false, in [0, 1]; NaN where
        that is not known.
    misses : bool
        Whether it clearly names danger less often than another.
    """

    model: str
    claimed: float
    ends: tuple[float, float]
    danger: float = math.nan
    alarms: float = math.nan
    misses: bool = False

    @property
    def side(self) -> Side:
        """Where the claim lies, by the percents that are shown of both."""
        low, high = (round(100 * end) for end in self.ends)
        share = round(100 * self.claimed)
        return "beyond" if share > high else "below" if share < low else "within"


def judged_claims(
    claimed: Mapping[str, float],
    ranges: Mapping[str, tuple[float, float]],
    danger: pd.DataFrame | None = None,
) -> tuple[Judged, ...]:
    """Judge every claim for which a range is known, the model with the highest range first.

    Of ``danger``, as `core.analysis.models.supported.Supported` holds it, what is known beside the claim.
    """
    named: dict[str, Mapping[Any, Any]] = {}
    if danger is not None:
        named = {str(row["names"]): row for row in danger.to_dict("records")}
    known = []
    for model, share in claimed.items():
        if model in ranges:
            of = named.get(model, {})
            danger_named = float(of.get("high_risk", math.nan))
            misses = not math.isnan(danger_named) and not of["high_risk_alike"]
            alarms = float(of.get("false_alarms", math.nan))
            known.append(Judged(model, share, ranges[model], danger_named, alarms, misses))
    return tuple(sorted(known, key=lambda one: -sum(one.ends)))


def granted(ceiling: tuple[float, float], claims: Sequence[Judged]) -> float:
    """The most that the labels support, of any model on any of the cases that are judged, in [0, 1].

    Models that predicted some of the cases alone may be granted more there than any is on all of them.
    """
    return max(ceiling[1], *(one.ends[1] for one in claims), 0.0)


def table_of(claims: Sequence[Judged], at: str) -> tuple[list[str], list[list[str]]]:
    """Write the claims: heads of columns and a row for each; ``at`` says at which reliability."""
    has_danger = any(not math.isnan(one.danger) for one in claims)
    heads = ["Model", "Claimed", f"Supported, {at}", "Claim supported?", *DANGER_HEADS * has_danger]
    rows = [
        [
            one.model,
            percent(one.claimed),
            percent_range(*one.ends).replace(" ", "\u00a0"),
            _OUTCOMES[one.side],
            *(_share(one.danger, "\u00a0⚠" * one.misses), _share(one.alarms)) * has_danger,
        ]
        for one in claims
    ]
    return heads, rows


def _share(share: float, sign: str = "") -> str:
    return "–" if math.isnan(share) else f"{percent(share)}{sign}"


def decision(
    most: float,
    claims: Sequence[Judged],
    *,
    of_model: bool,
    leader: str = "",
) -> tuple[str, str]:
    """Say what a buyer may conclude, and what to ask for before buying.

    Parameters
    ----------
    most : float
        Of `granted`.
    claims : sequence of Judged
        Empty where no model is judged.
    of_model : bool
        Whether the study has models at all.
    leader : str
        Says which model is the most accurate, and how surely; empty where that is not known.
    """
    if most >= _NO_LIMIT:
        limit = "These readings set no claim a limit."
    elif claims:
        limit = ""
    else:
        limit = f"On these readings no claim above {percent(most)} right is supported, whoever makes it."
    said = " ".join(part for part in (limit, leader, _of_claims(claims), _of_danger(claims)) if part)
    has_danger = any(not math.isnan(one.danger) for one in claims)
    danger = "" if has_danger else "; and for how many of the dangerous cases the model names"
    if any(one.side == "beyond" for one in claims):
        ask = (
            "Before buying, ask the vendor for more readings of each case, for readers who agree more, or "
            f"for a firmer reference such as biopsy or follow-up{danger}."
        )
    elif claims or of_model:
        ask = f"Before buying, ask the vendor for the same on cases like yours{danger}."
    else:
        ask = (
            "Before buying a model, ask the vendor for its answers on these cases, or on how many cases its "
            "accuracy rests, how many readers read each, and how often they agreed."
        )
    return said, ask


def _of_claims(claims: Sequence[Judged]) -> str:
    """Say which of the claims are supported."""
    beyond = [one for one in claims if one.side == "beyond"]
    every = "Both" if len(claims) == _PAIR else f"All {len(claims)}"
    if not claims:
        return ""
    if len(claims) == 1:
        (one,) = claims
        outcome = {
            "beyond": "is not supported",
            "within": "is possible, not proved",
            "below": "is supported",
        }[one.side]
        return f"The claim of {one.model}, {percent(one.claimed)}, {outcome}."
    if not beyond:
        proved = sum(one.side == "below" for one in claims)
        if not proved:
            return f"{every} claims are possible, not proved."
        if proved == len(claims):
            return f"{every} claims are supported."
        return f"Of the {len(claims)} claims {proved} {_is(proved)} supported, the others are possible."
    if len(beyond) == len(claims):
        return f"None of the {len(claims)} claims is supported."
    who = f": {listed([one.model for one in beyond])}" if len(beyond) <= _MOST_NAMED else ""
    return f"Of the {len(claims)} claims {len(beyond)} {_is(len(beyond))} not supported{who}."


def _of_danger(claims: Sequence[Judged]) -> str:
    """Warn of the models that clearly miss more of the dangerous truths than the best, the worst first."""
    misses = [one for one in claims if one.misses]
    if not misses:
        return ""
    worst, *others = sorted(misses, key=lambda one: one.danger)
    said = f"⚠ {worst.model} misses {percent(1 - worst.danger)} of the dangerous truths"
    if not others:
        return f"{said}."
    if len(others) >= _MOST_NAMED:
        return f"{said}; {len(others)} others miss clearly more than the best, too."
    return f"{said}, {others[0].model} {percent(1 - others[0].danger)}."


def _is(number: int) -> str:
    return "is" if number == 1 else "are"


def point_in_words(trust: Trust) -> str:
    """Say why nothing is supported under a point estimate, and what would have to be chosen."""
    title = MODELS[trust.aggregation.model].title
    if MODELS[trust.aggregation.model].has_reliability:
        return (
            "A point estimate takes the readers for infallible: it supports nothing. Choose a finite γ on "
            "the left."
        )
    return (
        f"{title} is a point estimate, which takes the readers for infallible: it supports nothing. "
        "Choose a model with a reliability γ under “How readings are aggregated”."
    )


def trust_in_words(trust: Trust, task: Task, *, judged_at: float) -> str:
    """Say at which reliability claims are judged, and why.

    Parameters
    ----------
    trust : Trust
        What is known.
    task : Task
        Whose readings they are.
    judged_at : float
        The reliability of the verdict.
    """
    if trust.state == "none":
        return ""
    title = MODELS[trust.aggregation.model].title
    now = f"γ = {format_reliability(trust.aggregation.reliability)}"
    counted = reliability_words(trust.aggregation.at(judged_at)).rstrip(".")
    counted = f"({counted[0].lower()}{counted[1:]})"
    if trust.state != "known":
        return f"Judged at {now}, in use {counted}. {_WHY[trust.state](task, title)}"
    best, there = f"γ = {trust.as_written}", f"under {title}, the readings predict one another best"
    if not trust.differs:
        return f"Judged at {best}, in use {counted}: there, {there}."
    if judged_at == trust.aggregation.reliability:
        return f"Judged at {now}, in use {counted}. At {best}, {there}: a verdict there has their support."
    return f"Judged at {best} {counted}: there, {there}. All below the cards is shown at {now}, in use."


def so_far(trust: Trust, ceiling: tuple[float, float]) -> str:
    """Say what any model is granted at the reliability in force, as something that may change.

    Empty under a point estimate, which grants what it takes for certain.
    """
    if trust.is_point:
        return ""
    counted = reliability_words(trust.aggregation).rstrip(".")
    at = f"γ = {format_reliability(trust.aggregation.reliability)} ({counted[0].lower()}{counted[1:]})"
    return f"So far, at {at}: at most {percent(ceiling[1])} right, of any model. That may change."


def _others(task: Task, title: str) -> str:
    """Name the models that can tell which reliability the readings support."""
    able = [MODELS[name].title for name in models_for(task) if name in PREDICTING]
    told = f"{title} cannot tell how far the readings themselves can be trusted"
    return f"{told}; {listed(able)} can, under “How readings are aggregated”." if able else f"{told}."


_WHY = {
    "method": _others,
    "single": lambda _task, _title: "No case has two readings, so nothing tells how far they can be trusted.",
    "some": lambda _task, _title: (
        "How far the readings can be trusted is worked out of a whole study, and these are some of its cases."
    ),
    "asked": lambda task, _title: (
        f"How far these {task.readings.n_readings:,} readings can be trusted is worked out when you ask for "
        "it: they are many."
    ),
    "ended": lambda _task, _title: "How far the readings can be trusted was not worked out to the end.",
    "awaited": lambda _task, _title: "",
}
"""Why it is not known which reliability the readings support."""
PROVISIONAL = "Working out how far these readings can be trusted … the verdict follows."
"""Stands where the verdict comes."""
