"""Why a case is uncertain: what certainty would be if one thing about its readings were otherwise."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import replace

import numpy as np
import pandas as pd

from core.analysis.cases.alike import are_alike
from core.analysis.cases.case import Case, is_known, leading_rows, plausibility_table
from core.analysis.cases.outcome import (
    MOST_NAMED,
    SMALLEST,
    Change,
    Outcome,
    change_between,
    leads_of,
    outcomes,
    smallest,
)
from core.analysis.cases.truths import times
from core.analysis.cases.what_if import Reading, said_in
from core.analysis.formatting import in_sentence
from core.metrics.certainty import leading_risk
from core.plausibility.posterior import Posterior
from core.plausibility.settings import MODELS
from core.study.model import RISK_NAMES, Task

FEW_READINGS = "few readings"
DISAGREEMENT = "disagreement"
TIES = "ties"
LONG_LISTS = "several labels per reading"
RELIABILITY = "reliability"
POINT_ESTIMATE = "point estimate"
EXACT_TIE = "exact tie"
"""Readings that stay the same if two labels that lead change places: nothing in them tells these apart."""
EQUAL_ESTIMATE = "equal point estimate"
"""Other readings whose point estimate gives several labels the same, largest plausibility."""
_OF_TIES = (EXACT_TIE, EQUAL_ESTIMATE)

_TIE = 1e-6
"""Plausibilities of a point estimate closer than this are equal."""

_NOT_COUNTED = tuple(name for name, model in MODELS.items() if model.counts == "together")
"""Models whose reliability is the weight of all readings together: more of the same changes nothing."""

_Reason = tuple[str, float, float, str, str, float]
"""Reason, certainty points, the same in whole ones, sentence, what becomes of the label that leads, and of
high risk."""


def reasons(case: Case) -> pd.DataFrame:
    """Say why a case is uncertain, each reason with what certainty would be without it.

    Parameters
    ----------
    case : Case
        As `core.analysis.cases.case.open_case` gives it, changed readings included.

    Returns
    -------
    DataFrame
        ``reason``; ``strength``, in certainty points (61 % to 72 % is 11), negative where certainty would
        fall; ``points``, the same between the whole percentages that the sentence says, 0 where the change
        may be chance or is too small to say (`core.analysis.cases.outcome.smallest`); ``sentence``;
        ``effect``, what becomes of the label that leads, as `core.analysis.cases.outcome.Change` names it;
        and ``high_risk``, the probability then that the leading label is of high risk, NaN without risk
        levels. An exact tie of the leading labels, or an equal point estimate, first, then the strongest
        reason, and "reliability" last, for its points are all the certainty that is missing; empty where
        nothing is known of the case.

    Notes
    -----
    Every row changes one thing about the readings, aggregates them again in the same way, and takes the
    difference of the top-1 certainties: all readings doubled (which for a model that counts readings is the
    same as twice the reliability); all readers putting the leading label first (or giving the mean score; of
    tied labels the one that most put first); ties broken in favour of the labels that are likelier to lead;
    first places alone; and under an exact tie of the point estimate one reading more that puts one of its
    labels, of the highest risk, first, alone. The changes overlap, so the points do not add up. Where the
    model samples, every variant is drawn as the case is, so that whoever makes the change reads the same
    numbers. Reliability at its limit ∞ is the point estimate, whatever the reliability is: its leading label
    is certain, and labels in an exact tie have equal chances.
    """
    rows: list[_Reason] = []
    if is_known(case):
        is_finite = MODELS[case.aggregation.model].has_reliability and math.isfinite(
            case.aggregation.reliability
        )
        rows = _finite_reasons(case) if is_finite else [_point_estimate(case)]
    rows.sort(key=lambda row: (row[0] not in _OF_TIES, row[0] == RELIABILITY, -row[1]))
    columns = ["reason", "strength", "points", "sentence", "effect", "high_risk"]
    return pd.DataFrame(rows, columns=columns).astype(
        {"strength": float, "points": float, "high_risk": float}
    )


def by_danger(table: pd.DataFrame, now: float) -> pd.DataFrame:
    """Order reasons by how far they move high risk from what it is ``now``; what ties labels stays first."""
    moved = (table["high_risk"] - now).abs().where(~table["reason"].isin(_OF_TIES), np.inf)
    return table.loc[moved.sort_values(ascending=False, kind="stable").index]


def _point_estimate(case: Case) -> _Reason:
    """What to say where uncertainty is left out: of an exact tie, that these readings cannot decide it."""
    if case.task.kind == "score":
        tied = case.task.labels if len(_exact_leaders(case)) > 1 else ()
    else:
        tied = tuple(leading_rows(case, plausibility_table(case))["label"])
    if len(tied) > 1 and case.task.kind == "score":
        words = (
            f"The mean score lies exactly on the threshold, and a point estimate counts it as {tied[1]}. "
            "Another reading can decide it."
        )
    elif len(tied) > 1:
        words = (
            f"The readings tie exactly between {_listed([in_sentence(label) for label in tied])}. "
            "Trusting them more cannot decide it; only another reading can."
        )
    else:
        finite = (
            "finite reliability"
            if MODELS[case.aggregation.model].has_reliability
            else "model that has a reliability"
        )
        words = f"A point estimate leaves no doubt about which label leads: choose a {finite} to see it."
    return POINT_ESTIMATE, 0.0, 0.0, words, "", math.nan


def _listed(labels: Sequence[str]) -> str:
    """Name the first few in a sentence; the others are counted."""
    names = " and ".join(labels[:MOST_NAMED])
    more = len(labels) - MOST_NAMED
    return f"{names} and {more} more" if more > 0 else names


def _finite_reasons(case: Case) -> list[_Reason]:
    """All reasons that apply at a finite reliability."""
    said = said_in(case.readings, 0)
    variants = _variants(case, said)
    base, *others = outcomes(case, [said, *(variant for _, variant, _ in variants)])
    rows: list[_Reason] = []
    for (reason, _, words), other in zip(variants, others, strict=True):
        change = change_between(case, base, other)
        sentence = words.format(then=change.short)
        if reason == FEW_READINGS and len(said) > 2:
            two_more = outcomes(case, [said], times=(len(said) + 2) / len(said))[0]
            again = change_between(case, base, two_more, again=not change.effect)
            sentence += f"; two more: {again.short}"
        rows.append(_reason(case, reason, change, sentence, smallest(case)))
    return [*rows, _reliability(case, said, base)]


def _variants(case: Case, said: Sequence[Reading]) -> list[tuple[str, list[Reading], str]]:
    """Other readings of the case, each with its reason and words that leave a place for the change."""
    n = len(said)
    variants: list[tuple[str, list[Reading], str]] = _exact_tie(case, said)
    if case.aggregation.model not in _NOT_COUNTED:
        words = f"Twice as many readings, {2 * n} that say the same: {{then}}"
        variants.append((FEW_READINGS, [*said, *said], words))
    if case.task.kind == "score":
        return variants + _scattered(case, said)
    leader = most_put_first(case, said)
    name = _escaped(in_sentence(case.task.labels[leader]))
    unlike = sum(leader not in reading.blocks[0] for reading in said)
    if unlike:
        words = f"{unlike} of {n} {_readings(n)} {_verb(unlike, 'do')} not put {name} first"
        agreed = [_with_first(reading, leader, case.task.kind == "choice") for reading in said]
        variants.append((DISAGREEMENT, agreed, f"{words}; if all did: {{then}}"))
    tied = sum(any(len(block) > 1 for block in reading.blocks) for reading in said)
    if tied:
        place = {label: i for i, label in enumerate(case.order.tolist())}
        broken = [_without_ties(reading, place) for reading in said]
        words = f"{tied} of {n} {_readings(n)} {_verb(tied, 'tie')} labels"
        variants.append((TIES, broken, f"{words}; each tie broken for the likelier: {{then}}"))
    if any(len(reading.blocks) > 1 for reading in said):
        first = [replace(reading, blocks=reading.blocks[:1]) for reading in said]
        mean = sum(len(block) for reading in said for block in reading.blocks) / n
        words = f"{mean:.1f} on average; first places alone: {{then}}"
        variants.append((LONG_LISTS, first, words))
    return variants


def most_put_first(case: Case, said: Sequence[Reading]) -> int:
    """The label that leads; of tied ones the one that most readings put first, of these the likeliest."""
    tied = [code for code in case.order.tolist() if code in case.leaders] or case.order.tolist()[:1]
    return max(tied, key=lambda code: times_first(code, said))


def times_first(label: int, said: Sequence[Reading]) -> int:
    """How many readings put a label first, alone or tied."""
    return sum(label in reading.blocks[0] for reading in said)


def _exact_tie(case: Case, said: Sequence[Reading]) -> list[tuple[str, list[Reading], str]]:
    """One reading more for one of the labels of which the point estimate is equal; not of scores.

    They tie exactly if the readings treat them alike; else doubt may still part them a little.
    """
    leaders = _exact_leaders(case)
    if len(leaders) < 2 or case.task.kind == "score":
        return []
    names = [in_sentence(case.task.labels[label]) for label in leaders]
    first = [times_first(label, said) for label in leaders]
    is_exact = are_alike(case, leaders, said)
    words = f"The readings tie exactly between {_listed(names)}"
    if not is_exact or len(set(first)) > 1:
        words = f"{_first_in_words(names, first)} equal, as all places of a reading count"
        words += "" if is_exact else _parted_words(case, leaders)
    trusted = "them"
    if set(leaders) < set(case.leaders):
        words += f"; the others of the {len(case.leaders)} labels that lead are too close to tell"
        trusted = "the readings"
    highest = max(leaders, key=lambda label: case.task.risk[label])
    one_more = _escaped(
        f"{words}. Trusting {trusted} more cannot decide it; another reading can. One that puts "
        f"{in_sentence(case.task.labels[highest])} first: "
    )
    reason = EXACT_TIE if is_exact else EQUAL_ESTIMATE
    return [(reason, [*said, Reading(((highest,),))], f"{one_more}{{then}}")]


def _first_in_words(names: Sequence[str], first: Sequence[int]) -> str:
    """Say how many readings put labels first, as the beginning of what the point estimate makes of them."""
    if len(set(first)) == 1:
        return f"The point estimate makes {_listed(names)} (each first in {first[0]} {_readings(first[0])})"
    counted = [f"{name} (first in {n} {_readings(n)})" for name, n in zip(names, first, strict=True)]
    return f"The point estimate makes {_listed(counted)}"


def _parted_words(case: Case, labels: Sequence[int]) -> str:
    """Say in how many plausible truths labels of an equal point estimate lead, where that is not the same."""
    leads = leads_of(case.posterior, labels)[0]
    often = [times(leads[code]) for code in labels]
    if len(set(often)) == 1 or len(often) > MOST_NAMED:
        return ""
    *others, last = often
    return f"; in plausible truths they lead in {', '.join(others)} and {last} of 100"


def _scattered(case: Case, said: Sequence[Reading]) -> list[tuple[str, list[Reading], str]]:
    """All readers giving the mean score, where they do not."""
    score = case.readings.score
    if np.ptp(score) == 0:
        return []
    mean = float(score.mean())
    words = f"The scores scatter from {score.min():g} to {score.max():g}"
    above = int((score >= _threshold(case)).sum())
    if 0 < above < len(score):
        words += f", {above} of {len(score)} at the threshold or above"
    same = [replace(reading, score=mean) for reading in said]
    return [(DISAGREEMENT, same, f"{words}; if all gave their mean, {mean:.3g}: {{then}}")]


def _with_first(reading: Reading, label: int, is_choice: bool) -> Reading:
    """Reading with a label in first place, alone, unless it is there already."""
    if label in reading.blocks[0]:
        return reading
    if is_choice:
        return replace(reading, blocks=((label,),))
    others = [tuple(code for code in block if code != label) for block in reading.blocks]
    return replace(reading, blocks=((label,), *(block for block in others if block)))


def _without_ties(reading: Reading, place: Mapping[int, int]) -> Reading:
    """Reading with every tied block set apart, its labels ordered by their places."""
    blocks = [(label,) for block in reading.blocks for label in sorted(block, key=place.__getitem__)]
    return replace(reading, blocks=tuple(blocks))


def _reliability(case: Case, said: Sequence[Reading], base: Outcome) -> _Reason:
    """Reliability to its limit; for a model that does not count readings also twice the reliability."""
    leaders = _exact_leaders(case)
    # The limit is that of the case as it is, whatever draws it was counted in.
    now = Outcome(float(case.posterior.certainty(1)[0]), case.leaders, _high_risk(case.task, case.posterior))
    limit = Outcome(1 / len(leaders), frozenset(leaders), _high_risk(case.task, case.point))
    change = change_between(case, now, limit, least=SMALLEST)
    sentence = f"Readers trusted without limit: {change.short}"
    if len(leaders) > 1 and case.task.kind == "score":
        above = case.task.labels[1]
        sentence += f", as the mean score lies on the threshold; a point estimate counts it as {above}"
    elif len(leaders) > 1 and not change.effect:
        sentence += "; the tie stays"
    if case.aggregation.model in _NOT_COUNTED:
        doubled = change_between(case, base, outcomes(case, [said], times=2)[0], again=not change.effect)
        sentence += (
            f"; trusted twice as much: {doubled.short}. This model does not count readings: more of the same "
            "would change nothing"
        )
    return _reason(case, RELIABILITY, change, sentence, SMALLEST)


def _reason(case: Case, reason: str, change: Change, sentence: str, least: float) -> _Reason:
    """One row: points below ``least`` are none in whole ones."""
    now = float(case.posterior.certainty(1)[0])
    points = round(100 * change.certainty) - round(100 * now) if abs(change.points) >= least else 0
    return reason, change.points, float(points), f"{sentence}.", change.effect, change.high_risk


def _high_risk(task: Task, posterior: Posterior) -> float:
    """Probability that the leading label is of high risk; NaN without risk levels."""
    if not task.has_risk:
        return math.nan
    return float(leading_risk(posterior, task.risk)[0, RISK_NAMES.index("high")])


def _exact_leaders(case: Case) -> list[int]:
    """Labels that share the largest plausibility of the point estimate."""
    if case.task.kind == "score":
        on_threshold = math.isclose(float(case.readings.score.mean()), _threshold(case), abs_tol=1e-12)
        return [0, 1] if on_threshold else [int(case.order[0])]
    plausibility, labels = case.point.mean.candidate, case.point.candidates.label
    return [int(label) for label in labels[plausibility >= plausibility.max() - _TIE]]


def _threshold(case: Case) -> float:
    """Threshold of a score task."""
    if case.task.threshold is None:
        raise ValueError(f"task {case.task.name!r} needs a threshold")
    return case.task.threshold


def _escaped(name: str) -> str:
    """Name for a format string."""
    return name.replace("{", "{{").replace("}", "}}")


def _readings(n: int) -> str:
    """Noun after a number."""
    return "reading" if n == 1 else "readings"


def _verb(n: int, stem: str) -> str:
    """Verb after a number: one reading does, two readings do."""
    return stem if n != 1 else {"do": "does"}.get(stem, f"{stem}s")
