"""What other readings of a case would make of it: which labels would lead, and how certain that would be."""

from __future__ import annotations

import math
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, field, replace

import numpy as np

from core.analysis.cases.case import Case, high_risk_probability, risk_letter
from core.analysis.cases.leading import leading_slots
from core.analysis.cases.truths import TIED, about_100, alike_words, moved, times, whole_truths
from core.analysis.cases.what_if import Reading, readings_that_say
from core.analysis.formatting import in_sentence
from core.analysis.risk_words import risk_phrase
from core.metrics.certainty import leading_risk
from core.plausibility.aggregate import aggregate_readings
from core.plausibility.posterior import Posterior
from core.plausibility.simulation_error import is_simulated
from core.study.model import RISK_NAMES

SMALLEST = 2.0
"""Certainty points below which a change is called hardly any, where probabilities are exact."""
CLEARLY = 4.0
"""Points of a hundred from which on a change of high risk is said, and one of certainty where the model
samples: draws may move either by some three."""
MOST_NAMED = 3
"""Tied labels that a sentence names."""

CHANGES, BREAKS, TIES_ANOTHER = "changes the label", "one leads alone", "another as often"
"""What may become of the label that leads."""


@dataclass(frozen=True)
class Outcome:
    """What readings make of a case.

    Attributes
    ----------
    certainty : float
        Top-1 certainty, in [0, 1].
    leaders : frozenset of int
        Codes of the labels that lead, as `core.analysis.cases.leading.leading_slots` finds them.
    high_risk : float
        Probability that the leading label is of high risk; NaN without risk levels.
    leads : mapping of int to float
        Probability that each label leads, by code, of those that the case's readings name.
    """

    certainty: float
    leaders: frozenset[int]
    high_risk: float = math.nan
    leads: Mapping[int, float] = field(default_factory=dict)


@dataclass(frozen=True)
class Change:
    """A change of a case, in numbers and in words.

    Attributes
    ----------
    points : float
        Of certainty, of a hundred.
    certainty : float
        Top-1 certainty after the change, in [0, 1].
    words : str
        What the change would do, as a verb with all that follows.
    effect : str
        What becomes of the label that leads: `CHANGES`, `BREAKS`, `TIES_ANOTHER`, or empty if it stays.
    high_risk : float
        Probability that the leading label is of high risk, after the change; NaN without risk levels.
    short : str
        The same as ``words``, as it would be then: which label, and how often it leads before and after.
    """

    points: float
    certainty: float
    words: str
    effect: str
    high_risk: float = math.nan
    short: str = ""


def outcomes(case: Case, variants: Sequence[Sequence[Reading]], *, times: float = 1.0) -> list[Outcome]:
    """What other readings of the case would make of it, at a multiple of its reliability.

    They are drawn as the case is: whoever changes its readings so sees the same numbers.
    """
    aggregation = case.aggregation.at(case.aggregation.reliability * times)
    readings, ids = readings_that_say(variants), [case.case_id] * len(variants)
    posterior = aggregate_readings(case.study, case.task, aggregation, readings, ids)
    point = None
    if is_simulated(posterior):
        point = aggregate_readings(case.study, case.task, aggregation.point, readings, ids)
    leaders: list[set[int]] = [set() for _ in variants]
    slots = leading_slots(posterior, point)
    for variant, code in zip(
        posterior.candidates.case[slots], posterior.candidates.label[slots], strict=True
    ):
        leaders[variant].add(int(code))
    certainty, high = posterior.certainty(1).tolist(), [math.nan] * len(variants)
    if case.task.has_risk:
        high = leading_risk(posterior, case.task.risk)[:, RISK_NAMES.index("high")].tolist()
    leads = leads_of(posterior, case.order.tolist())
    return [Outcome(*one) for one in zip(certainty, map(frozenset, leaders), high, leads, strict=True)]


def leads_of(posterior: Posterior, codes: Sequence[int]) -> list[dict[int, float]]:
    """Probability that each label leads, by code, for each case: of some, and of all that readings name."""
    candidates = posterior.candidates
    # A label that nobody names any more can lead as any other that nobody names.
    unnamed = np.nan_to_num(posterior.top1.other).tolist()
    found = [dict.fromkeys(codes, other) for other in unnamed]
    slots = (candidates.case.tolist(), candidates.label.tolist(), posterior.top1.candidate.tolist())
    for case, code, probability in zip(*slots, strict=True):
        found[case][code] = probability
    return found


def high_risk_after(case: Case, base: Outcome, other: Outcome) -> float:
    """Probability that the leading label is of high risk after a change: see `change_between`."""
    if not case.task.has_risk:
        return math.nan
    return shifted(high_risk_probability(case), base.high_risk, other.high_risk)


def shifted(now: float, base: float, other: float) -> float:
    """Probability that is ``now``, after a change that takes ``base`` to ``other``; in [0, 1].

    Where base is what is now, other itself: what falls between two whole percents is rounded the same way
    wherever it is written.
    """
    return min(max(other + (now - base), 0.0), 1.0)


def smallest(case: Case) -> float:
    """Certainty points below which a change may be chance, or is too small to say."""
    return CLEARLY if is_simulated(case.posterior) else SMALLEST


def change_between(
    case: Case, base: Outcome, other: Outcome, *, again: bool = False, least: float | None = None
) -> Change:
    """Say what a change does, from the certainty, the labels and the danger that the case has.

    Parameters
    ----------
    case : Case
        As it is.
    base, other : Outcome
        Of the same readings and of other ones, drawn alike, so that chance moves both: the difference of
        their certainties is added to that of the case.
    again : bool
        Whether the sentence has named the labels that lead already.
    least : float, optional
        Certainty points below which the change is called hardly any; `smallest` by default.

    Notes
    -----
    Draws may tie other labels in ``base`` than the case has. A label is said to change where those that lead
    the other readings are neither those of the case nor those of ``base``.
    """
    change = _of_certainty(case, base, other, again=again, least=smallest(case) if least is None else least)
    return replace(change, high_risk=high_risk_after(case, base, other))


def _of_certainty(case: Case, base: Outcome, other: Outcome, *, again: bool, least: float) -> Change:
    """What a change does to certainty and to the labels that lead."""
    now = float(case.posterior.certainty(1)[0])
    points = 100 * (other.certainty - base.certainty)
    then = shifted(now, base.certainty, other.certainty)
    before, after = times(now), times(then)
    leaders, was = other.leaders, named(case, case.leaders, leads=_leads_now(case))
    if not leaders or leaders in (case.leaders, base.leaders):
        leads = "" if again else f"{was} "
        whose = "it" if again else f"the certainty of {was}"
        if abs(points) < least or before == after:
            stays = f"stays at about {before}" if again else f"{leads}stays at {about_100(now)}"
            return Change(points, then, f"leave {whose} at {about_100(now)}", "", short=stays)
        verb = "raise" if then > now else "lower"
        words = f"{verb} {whose} from {moved(now, then, ' to ')}"
        short = f"{before} → {after}" if again else f"{leads}{moved(now, then)}"
        return Change(points, then, words, "", short=short)
    verb = "leads" if len(leaders) == 1 else "lead"
    new = named(case, leaders, with_risk=True, leads=other.leads)
    if leaders < case.leaders:
        alone = " alone" if len(leaders) == 1 else ""
        if len(leaders) == 1:
            before, after = _of_label(case, base, other, next(iter(leaders)))
        words = f"let {new} lead{alone}, in {after} rather than {before} of 100"
        short = f"{new} {verb}{alone}, in {after} rather than {before} of 100"
        return Change(points, then, words, BREAKS, short=short)
    effect = TIES_ANOTHER if leaders > case.leaders else CHANGES
    words = f"let {new} lead in {after} of 100, not {was} in {before}"
    short = f"{new} {verb} in {after} of 100, not {was} in {before}"
    return Change(points, then, words, effect, short=short)


def _leads_now(case: Case) -> dict[int, float]:
    """How often each label leads, as the case has it."""
    return leads_of(case.posterior, sorted(case.leaders))[0]


def _of_label(case: Case, base: Outcome, other: Outcome, code: int) -> tuple[str, str]:
    """How often a label leads now and after a change, of several that tie: certainty is that of one alone."""
    now = leads_of(case.posterior, [code])[0][code]
    then = shifted(now, base.leads.get(code, base.certainty), other.leads.get(code, other.certainty))
    return times(now), times(then)


def named(
    case: Case,
    codes: Collection[int],
    *,
    with_risk: bool = False,
    leads: Mapping[int, float] | None = None,
) -> str:
    """Name labels of a case, the likeliest to lead first; of many the first few, and their number.

    Several are tied, or, where ``leads`` says how often each leads and that differs as shown, too close to
    tell.
    """
    place = {code: i for i, code in enumerate(case.order.tolist())}
    order = sorted(codes, key=lambda code: (place.get(code, len(place)), code))
    names = [in_sentence(case.task.labels[code]) for code in order]
    if with_risk:
        letters = [risk_letter(case.task, code) for code in order]
        names = [
            f"{name} ({risk_phrase(letter)})" if letter else name
            for name, letter in zip(names, letters, strict=True)
        ]
    if len(names) == 1:
        return names[0]
    shown = {} if leads is None else whole_truths(leads)
    alike = alike_words(shown[code] for code in order if code in shown)
    if len(names) > MOST_NAMED and set(codes) == case.leaders:
        return "the tied labels" if alike == TIED else "the labels that lead"
    more = [f"{len(names) - MOST_NAMED} more"] if len(names) > MOST_NAMED else []
    return f"{' or '.join([*names[:MOST_NAMED], *more])} ({alike})"
