"""What is known by now of a study, and the verdict that it comes to: the same for its card and its note."""

from __future__ import annotations

from typing import NamedTuple

import pandas as pd

from core.analysis.models.by_reliability import ONCE, Reckoned
from core.analysis.models.claims import Judged, granted, judged_claims
from core.analysis.models.look_first import look_first
from core.analysis.models.verdict import Trust, Verdict, decision, if_counted_once, trust_in_words
from core.study.model import Task
from dashboard.views.study.by_reliability import often_best, ranges_of


class Found(NamedTuple):
    """What is known by now of the models, and of how far the readings can be trusted.

    Attributes
    ----------
    judged : DataFrame or None
        As `core.analysis.models.supported.Supported` holds it; None while it is not known.
    rows : mapping of float to Reckoned
        What the study comes to at other reliabilities.
    trust : Trust
        What is known of the reliability that the readings support.
    is_awaited : bool
        Whether anything is on its way that the verdict rests on.
    by_label : DataFrame or None
        As `core.analysis.models.danger_by_label.danger_by_label` gives it; None while it is not known.
    may_change : bool
        Whether all of it may soon be counted at another reliability.
    """

    judged: pd.DataFrame | None
    rows: dict[float, Reckoned]
    trust: Trust
    is_awaited: bool = False
    by_label: pd.DataFrame | None = None
    may_change: bool = False

    @property
    def supported(self) -> float | None:
        """The reliability that the readings support, where it is known and not in force."""
        return self.trust.supported if self.trust.differs else None


def reached(found: Found, ceiling: tuple[float, float], task: Task, of: str = "") -> Verdict | None:
    """What a buyer may conclude of what is found; None while that is awaited, and under a point estimate.

    ``ceiling`` is what any model is granted at the reliability in force. With ``of``, the name of a model, it
    is as if no other had been tested.
    """
    trust = found.trust
    now = trust.aggregation.reliability
    most = None if found.supported is None else found.rows.get(found.supported)
    if found.is_awaited or (most is None and trust.is_point):
        return None
    ends = ceiling if most is None else most.ceiling
    at = now if most is None or found.supported is None else found.supported
    claims: tuple[Judged, ...] = ()
    first = ("", "")
    judged = _alone(found.judged if most is None or found.judged is None else most.judged, of)
    if judged is not None:
        claimed = dict(zip(judged["names"], judged["hard"], strict=True))
        claims = judged_claims(claimed, ranges_of(judged), judged)
        first = look_first(claims, often_best(judged))
    limit = granted(ends, claims)
    is_danger_known = judged is not None and bool(judged["caught"].notna().any())
    of_model = bool(task.predictions)
    said, ask = decision(limit, claims, of_model=of_model, is_danger_known=is_danger_known)
    if judged is not None and at != ONCE:
        row = found.rows.get(ONCE)
        once = _alone(found.judged if now == ONCE else row.judged if row is not None else None, of)
        leads = often_best(judged) if first[0] else {}
        ranges, then = ({}, {}) if once is None else (ranges_of(once), often_best(once))
        said = f"{said} {if_counted_once(claims, ranges, at, leads, then)}".rstrip()
    return Verdict(limit, at, claims, first, said, ask, trust_in_words(trust, task, judged_at=at))


def _alone(judged: pd.DataFrame | None, of: str) -> pd.DataFrame | None:
    """The row of one model, which no other is better than; all of them where none is named."""
    if judged is None or not of:
        return judged
    return judged[judged["names"] == of].assign(caught_alike=True)
