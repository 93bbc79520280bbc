"""What is known by now of a study, and the verdict that it comes to: the same for its card and its note."""

from __future__ import annotations

from collections.abc import Mapping
from typing import NamedTuple

import pandas as pd

from core.analysis.formatting import WHOLE
from core.analysis.models.basis import Basis, basis_of
from core.analysis.models.by_reference import ByReference
from core.analysis.models.by_reliability import Reckoned
from core.analysis.models.claims import Judged, about_missed, granted, judged_claims
from core.analysis.models.danger_by_label import Missed, listed_in_sentence, most_missed
from core.analysis.models.look_first import decided, first_alone, look_first
from core.analysis.models.reference_words import check, in_brief, is_for_most
from core.analysis.models.trust import Trust, other_trust, trust_in_words
from core.analysis.models.verdict import Verdict, decision, if_trusted
from core.study.model import Task
from dashboard.views.study.by_reliability import often_best, ranges_of

_PAIR = 2


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
    missed : Missed or None
        What models miss of each danger; None while it is not known.
    may_change : bool
        Whether all of it may soon be counted at another reliability.
    reference : ByReference
        How models do by the study's own reference.
    """

    judged: pd.DataFrame | None
    rows: dict[float, Reckoned]
    trust: Trust
    is_awaited: bool = False
    missed: Missed | None = None
    may_change: bool = False
    reference: ByReference = ByReference()

    @property
    def supported(self) -> float | None:
        """The reliability that the readings support, where it is known and not in force."""
        return self.trust.supported if self.trust.differs else None

    @property
    def basis(self) -> Basis:
        """What the models are judged by."""
        return basis_of(self.reference)

    @property
    def in_force(self) -> tuple[pd.DataFrame | None, Missed | None]:
        """The models as they are judged, by readings or by a reference, and which dangers they miss."""
        if self.judged is not None and self.basis.is_reference:
            return self.reference.judged, self.reference.missed
        return self.judged, self.missed


def reached(found: Found, ceiling: tuple[float, float], task: Task, of: str = "") -> Verdict | None:
    """What a buyer may conclude of what is found; None while that is awaited, and under a point estimate.

    ``ceiling`` is what any model is granted at the reliability in force. With ``of``, the name of a model, it
    is as if no other had been tested.
    """
    trust = found.trust
    if found.is_awaited or trust.is_point:
        return None
    claims: tuple[Judged, ...] = ()
    decision_on_each, first = "", ("", "")
    (every, all_missed), basis = found.in_force, found.basis
    judged = _alone(every, of)
    if judged is not None:
        claimed = dict(zip(judged["names"], judged["hard"], strict=True))
        claims = judged_claims(claimed, ranges_of(judged), judged)
        decision_on_each, first = decided(claims), look_first(claims, basis)
    # A reference grants a perfect model all there is.
    limit = 1.0 if basis.is_reference else granted(ceiling, claims)
    is_danger_known = judged is not None and bool(judged["caught"].notna().any())
    said, ask = decision(
        limit,
        claims,
        of_model=bool(task.predictions),
        is_danger_known=is_danger_known,
        standards=found.reference.standards if is_for_most(found.reference) else {},
        basis=basis,
    )
    missed = {one.model: about_missed(one) for one in claims if one.dangers >= WHOLE}
    otherwise = ""
    if judged is not None and not basis.is_reference:
        otherwise = _with_other_trust(found, claims, judged if first[0] else None, of)
    return Verdict(
        limit,
        claims,
        decision_on_each,
        first,
        said,
        ask,
        otherwise,
        trust_in_words(trust, task),
        {} if all_missed is None else most_missed(all_missed),
        "" if all_missed is None or of else listed_in_sentence(all_missed),
        in_brief(found.reference, of, missed),
        _checked(found, claims, of, missed),
        basis,
    )


def _checked(found: Found, claims: tuple[Judged, ...], of: str, missed: Mapping[str, str]) -> str:
    """What the source says that the models are not judged by."""
    if of or found.judged is None or len(claims) < _PAIR:
        return in_brief(found.reference, of, missed)
    leads = first_alone({one.model: one.best for one in claims})
    return check(found.reference, leads, first_alone(often_best(found.judged)), missed)


def _with_other_trust(found: Found, claims: tuple[Judged, ...], leading: pd.DataFrame | None, of: str) -> str:
    """Say what would become of the claims with another trust in the readers, where that is known.

    ``leading`` is what is known of the models where one is named first.
    """
    other = other_trust(found.trust)
    row = None if other is None else found.rows.get(other[0])
    there = None if row is None else _alone(row.judged, of)
    if other is None or there is None:
        return ""
    leads = {} if leading is None else often_best(leading)
    ranges = ranges_of(there)
    then = judged_claims({one.model: one.claimed for one in claims}, ranges, there)
    advice = {one.model: one.follows for one in then}
    return if_trusted(other[1], claims, ranges, leads, often_best(there), advice)


def _alone(judged: pd.DataFrame | None, of: str) -> pd.DataFrame | None:
    """The row of one model; all of them where none is named."""
    return judged if judged is None or not of else judged[judged["names"] == of]
