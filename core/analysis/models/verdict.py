"""What a buyer may conclude: the most that labels support of any claim, a verdict on each, and what to ask.

A claim is judged at the reliability in force, as everything beside it: that is the one that the readings
themselves support unless somebody chose another, of which is told what would be as the readings support.
Until it is known which will be in force, nothing is said that could change.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from types import MappingProxyType

from core.analysis.cases.brief import FIRM, ON_RECORD
from core.analysis.formatting import WHOLE, cases_on_average, percent
from core.analysis.models import reference_words
from core.analysis.models.basis import READINGS, Basis
from core.analysis.models.claims import Judged, about_missed, judged_claims, tells_danger, too_high
from core.analysis.models.finding import listed
from core.analysis.models.look_first import first_alone
from core.analysis.support_words import ONLY_POSSIBLE

ABOUT = ("Accuracy", "Claims", "Danger", ON_RECORD, FIRM)
"""What the points of a verdict are about, in their order."""
_FIRMER = "for more readings per case or a stronger reference, such as biopsy"
_PROOF = f"for a stronger reference, such as biopsy, and {reference_words.ASK_AGAIN}"
_MOST_NAMED = 2
"""Models listed by name in a sentence."""
_PAIR = 2
_NO_LIMIT = 0.995
"""Upper end of what is granted to any model from which on it is no limit to speak of."""


@dataclass(frozen=True)
class Verdict:
    """What a buyer may conclude.

    Attributes
    ----------
    most : float
        The most that the labels support of any model, in [0, 1].
    claims : tuple of Judged
        Empty where no model is judged.
    decided : str
        Of `core.analysis.models.look_first.decided`.
    first : (str, str)
        Of `core.analysis.models.look_first.look_first`.
    said, ask : str
        Of `decision`.
    otherwise : str
        Of `if_trusted`; empty where that is not known.
    where : str
        Of `trust_in_words`.
    dangers : mapping of str to str
        By model, which dangers it misses most; as `core.analysis.models.danger_by_label.most_missed`.
    behind : str
        How many of these it has further down; as `core.analysis.models.danger_by_label.listed_in_sentence`.
    reference : str
        Of `core.analysis.models.reference_words.in_brief`.
    check : str
        Of `core.analysis.models.reference_words.check`.
    basis : Basis
        What the claims are judged by.
    """

    most: float
    claims: tuple[Judged, ...]
    decided: str
    first: tuple[str, str]
    said: str
    ask: str
    otherwise: str
    where: str
    dangers: Mapping[str, str] = field(default_factory=dict)
    behind: str = ""
    reference: str = ""
    check: str = ""
    basis: Basis = READINGS


def decision(
    most: float,
    claims: Sequence[Judged],
    *,
    of_model: bool,
    is_danger_known: bool = False,
    standards: Mapping[str, int] = MappingProxyType({}),
    basis: Basis = READINGS,
) -> tuple[str, str]:
    """Say what a buyer may conclude, and what to ask for before deciding.

    Parameters
    ----------
    most : float
        Of `granted`.
    claims : sequence of Judged
        Empty where no model is judged.
    of_model : bool
        Whether the study has models at all.
    is_danger_known : bool
        Whether the study tells how often models name danger, at whatever reliability.
    standards : mapping of str to int
        How its own references were established, as `core.analysis.models.reference_words.worth` takes it;
        empty unless most cases have one.
    basis : Basis
        What the claims are judged by.
    """
    limit = ""
    if basis.is_reference:
        pass
    elif most >= _NO_LIMIT:
        limit = "These readings do not limit any claim."
    elif not claims:
        limit = f"These readings support no claim above {percent(most)} accuracy, whoever makes it."
    said = " ".join(part for part in (_of_claims(claims, basis), limit) if part)
    is_told = is_danger_known or tells_danger(claims)
    danger = (
        ""
        if is_told
        else ", and ask how many of the model’s errors are dangerous, which this study does not say"
    )
    if any(one.side != "below" for one in claims):
        # What is only possible is not proven by the same numbers on other cases.
        is_beyond = any(one.side == "beyond" for one in claims)
        what = reference_words.to_ask(standards) or (_FIRMER if is_beyond else _PROOF)
    elif claims or of_model:
        what = reference_words.ASK_AGAIN
    else:
        what, danger = "for a model’s answers on these cases", ""
    if what == reference_words.ASK_AGAIN and not danger and any(one.missed >= WHOLE for one in claims):
        danger = ", and ask what would catch the missed dangers"
    return said, f"Before you decide, ask {what}{danger}."


def if_trusted(
    other: str,
    claims: Sequence[Judged],
    ranges: Mapping[str, tuple[float, float]],
    now: Mapping[str, float] | None = None,
    then: Mapping[str, float] | None = None,
    advice: Mapping[str, str] = MappingProxyType({}),
) -> str:
    """Say how many claims would be too high with another trust in the readers, and for whom advice changes.

    Parameters
    ----------
    other : str
        That trust, of `other_trust`.
    claims : sequence of Judged
        Of all models.
    ranges : mapping of str to (float, float)
        What is supported of each model with it; empty where that is not known.
    now, then : mapping of str to float, optional
        How often each model is the most accurate, now and with it: which comes first then is said where it
        is known of both, and of more than one model.
    advice : mapping of str to str
        What follows for each model with it, as `core.analysis.models.claims.Judged.follows`.
    """
    judged = judged_claims({one.model: one.claimed for one in claims}, ranges)
    beyond = sum(one.side == "beyond" for one in judged)
    if not judged:
        return ""
    if len(judged) == 1:
        (one,) = judged
        outcome = f"be {too_high(one.excess)}" if beyond else "still not be too high"
        which = f"the claim would {outcome}"
    elif beyond == len(judged):
        which = f"{'both' if beyond == _PAIR else f'all {beyond}'} claims would be too high"
    else:
        which = f"{beyond or 'none'} of {len(judged)} claims would be too high"
    also = _also_beyond(judged, claims) if 0 < beyond < len(judged) else ""
    return f"{other}, {which}{also}{_first_then(now or {}, then or {})}.{_other_advice(claims, advice)}"


def _other_advice(claims: Sequence[Judged], advice: Mapping[str, str]) -> str:
    """Say for which models other advice would follow, of few which."""
    changed = [one.model for one in claims if advice.get(one.model, "") not in ("", one.follows)]
    if not changed:
        return ""
    if len(changed) > _MOST_NAMED:
        return f" For {len(changed)} models the advice would then be another."
    whose: dict[str, list[str]] = {}
    for model in changed:
        whose.setdefault(advice[model], []).append(model)
    (other, first), *others = whose.items()
    each = [f"{listed(first)} would then be “{other}”"]
    each += [f"{listed(models)} “{another}”" for another, models in others]
    return f" {listed(each)}."


def _also_beyond(then: Sequence[Judged], now: Sequence[Judged]) -> str:
    """Say which claims would be too high that are not now; of many it is not said."""
    beyond = {one.model for one in now if one.side == "beyond"}
    beyond_then = [one.model for one in then if one.side == "beyond"]
    also = [model for model in beyond_then if model not in beyond]
    if not 0 < len(also) <= _MOST_NAMED:
        return ""
    whose = f"{'that' if len(also) == 1 else 'those'} of {listed(also)}"
    return f": {whose}" if len(also) == len(beyond_then) else f", including {whose}"


def _first_then(now: Mapping[str, float], then: Mapping[str, float]) -> str:
    """Say whether the model that is named first would be then; empty where none is named alone now.

    As in `core.analysis.models.look_first`, one is named alone where it is surely the most accurate.
    """
    first, other = (first_alone(shares) for shares in (now, then))
    if not first or len(then) < _PAIR:
        return ""
    if not other:
        return "; which model comes first would be unclear"
    return f"; {first} would stay first" if first == other else f"; {other} would come first, not {first}"


def limit_in_words(most: float) -> str:
    """Say what is granted to any model; empty where that is no limit to speak of."""
    if most >= _NO_LIMIT:
        return ""
    return f"At most {percent(most)} accuracy is supported for any model."


def _of_claims(claims: Sequence[Judged], basis: Basis) -> str:
    """Say which of the claims are supported."""
    beyond = [one for one in claims if one.side == "beyond"]
    every = "Both" if len(claims) == _PAIR else f"All {len(claims)}"
    if not claims:
        return ""
    if len(claims) == 1:
        (one,) = claims
        possible = f"up to {percent(one.ends[1])} would be possible"
        if basis.is_reference:
            possible = f"{basis.by}, it is right in {percent(one.ends[1])}"
        outcome = {
            "beyond": f"not supported: it is {too_high(one.excess)}; {possible}",
            "within": ONLY_POSSIBLE,
            "below": "true of these cases" if basis.is_reference else "supported",
        }[one.side]
        return f"{one.model} claims {percent(one.claimed)}, which is {outcome}."
    if not beyond:
        proved = sum(one.side == "below" for one in claims)
        if not proved:
            return f"{every} claims are {ONLY_POSSIBLE}."
        if proved == len(claims):
            return f"{every} claims {'hold on these cases' if basis.is_reference else 'are supported'}."
        said = f"{proved} of {len(claims)} claims {_is(proved)} supported"
        return f"{said}, the other{'s' * (len(claims) - proved > 1)} {ONLY_POSSIBLE}."
    if len(beyond) == len(claims):
        return f"{every} claims are too high."
    # By how much stands in the table of claims.
    whose = "that" if len(beyond) == 1 else "those"
    named = f": {whose} of {listed([one.model for one in beyond])}" * (len(beyond) <= _MOST_NAMED)
    return f"{len(beyond)} of {len(claims)} claims {_is(len(beyond))} too high{named}."


def danger_in_words(verdict: Verdict) -> str:
    """Say what is said of missed dangers: who misses more, and what models have second or third."""
    missed = misses_in_words(verdict.claims)
    return f"{missed} {verdict.behind}".rstrip() if missed else ""


def misses_in_words(claims: Sequence[Judged]) -> str:
    """Warn of the models that clearly miss more of the dangerous truths than the best, the worst first.

    Which of the others cannot be told from the best is said where there are several, of two with how many.
    Where no model clearly misses more, it is said how many the best misses, and of two the other.
    """
    misses = [one for one in claims if one.misses]
    if not misses:
        return _misses_alike(claims)
    alike = [one for one in claims if not one.misses and not math.isnan(one.missed)]
    which = "The others"
    if len(alike) == _PAIR:
        which = listed([f"{one.model} ({cases_on_average(one.missed)})" for one in alike])
    also = f" {which} cannot be told apart in this." * (len(alike) >= _PAIR)
    worst, *others = sorted(misses, key=lambda one: one.danger)
    said = f"⚠ {worst.model} misses {about_missed(worst)} dangers"
    if not others:
        return f"{said}.{also}"
    if len(others) >= _MOST_NAMED:
        return f"{said}; {len(others)} others also miss clearly more than the best.{also}"
    return f"{said}, {others[0].model} {about_missed(others[0])}.{also}"


def _misses_alike(claims: Sequence[Judged]) -> str:
    """Say how many dangers are missed where no model clearly misses more; empty where it is not known."""
    told = [one for one in claims if one.dangers >= WHOLE and not math.isnan(one.missed)]
    known = sorted(told, key=lambda one: one.missed)
    if not known:
        return ""
    best, *others = known
    said = f"{best.model} misses {about_missed(best)} dangers"
    if not others:
        return f"{said}."
    if len(known) == _PAIR:
        return f"{said}, {others[0].model} {about_missed(others[0])}: not clearly more."
    return f"{said}; no other clearly misses more."


def _is(number: int) -> str:
    return "is" if number == 1 else "are"
