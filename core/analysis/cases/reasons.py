"""Why a case is uncertain: what certainty would be if one thing about its readings were otherwise."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import replace

import numpy as np
import pandas as pd

from core.analysis.cases.case import Case, is_known, leading_rows, plausibility_table
from core.analysis.cases.what_if import Reading, readings_that_say, said_in
from core.analysis.formatting import in_sentence, rounded_percent
from core.plausibility.aggregate import aggregate_readings
from core.plausibility.settings import MODELS

FEW_READINGS = "few readings"
DISAGREEMENT = "disagreement"
TIES = "ties"
LONG_LISTS = "several labels a reading"
RELIABILITY = "reliability"
POINT_ESTIMATE = "point estimate"
EXACT_TIE = "exact tie"

MOST_DRAWS, FEWEST_DRAWS = 4000, 1000
"""Draws a variant where the model samples: a difference of certainties is good to one or two points."""
ENTRIES_TIMES_DRAWS = 400_000
"""Above it a case with long readings by many readers gets fewer draws, so that it does not take seconds."""
SMALLEST = 2.0
"""Certainty points below which a change is called hardly any."""
MOST_NAMED = 3
"""Tied labels that a reason names."""
_TIE = 1e-6
"""Plausibilities of a point estimate closer than this are equal."""

_NOT_COUNTED = tuple(name for name, model in MODELS.items() if model.counts == "together")
"""Models whose reliability is the weight of all readings together: more of the same changes nothing."""

_Reason = tuple[str, float, str]


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
        fall; ``points``, the same between the whole percentages that the sentence says; and ``sentence``. An
        exact tie of the leading labels first, then the strongest reason, and "reliability" last, for its
        points are all the certainty that is missing; empty where nothing is known of the case.

    Notes
    -----
    Every row changes one thing about the readings, aggregates them again in the same way, and takes the
    difference of the top-1 certainties: all readings doubled (which for a model that counts readings is the
    same as twice the reliability); all readers putting the leading label first (or giving the mean score);
    ties broken in favour of the labels that are likelier to lead; first places alone; reliability at its
    limit ∞, where labels that lead the point estimate in an exact tie are given equal chances; and under such
    a tie one reading more that puts the leading label first, alone. The changes
    overlap, so the points do not add up. Where the model samples, a difference is taken between up to
    `MOST_DRAWS` draws of each variant, and added to the certainty that the case has.
    """
    rows: list[_Reason] = []
    if is_known(case):
        is_finite = MODELS[case.aggregation.model].has_reliability and math.isfinite(
            case.aggregation.reliability
        )
        rows = _finite_reasons(case) if is_finite else [_point_estimate(case)]
    rows.sort(key=lambda row: (row[0] != EXACT_TIE, row[0] == RELIABILITY, -row[1]))
    table = pd.DataFrame(rows, columns=["reason", "strength", "sentence"]).astype({"strength": float})
    now = float(case.posterior.certainty(1)[0]) if len(table) else 0.0
    then = (now + table["strength"] / 100).clip(0, 1)
    table.insert(2, "points", (100 * then).round() - round(100 * now))
    return table


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
            f"The readings tie exactly between {_listed(tied)}. Trusting them more cannot decide it; "
            "only another reading can."
        )
    else:
        finite = (
            "finite reliability"
            if MODELS[case.aggregation.model].has_reliability
            else "model that has a reliability"
        )
        words = f"A point estimate leaves no doubt about which label leads: choose a {finite} to see it."
    return POINT_ESTIMATE, 0.0, words


def _listed(labels: Sequence[str]) -> str:
    """Name the first few labels in a sentence; the others are counted."""
    names = " and ".join(in_sentence(label) for label in labels[:MOST_NAMED])
    more = len(labels) - MOST_NAMED
    return f"{names} and {more} more" if more > 0 else names


def _finite_reasons(case: Case) -> list[_Reason]:
    """All reasons that apply at a finite reliability."""
    said = said_in(case.readings, 0)
    variants = _variants(case, said)
    base, *others = _certainties(case, [said, *(variant for _, variant, _ in variants)])
    rows = []
    for (reason, _, words), other in zip(variants, others, strict=True):
        points, change = _change(case, other - base)
        rows.append((reason, points, f"{words.format(would=f'would {change}')}."))
    counts_readings = case.aggregation.model not in _NOT_COUNTED
    if counts_readings and len(said) > 2:
        more = (len(said) + 2) / len(said)
        _, change = _change(case, _certainties(case, [said], times=more)[0] - base)
        at = next(i for i, row in enumerate(rows) if row[0] == FEW_READINGS)
        sentence = f"{rows[at][2][:-1]}; two more like the present ones would {change}."
        rows[at] = (*rows[at][:2], sentence)
    return [*rows, _reliability(case, said, base)]


def _variants(case: Case, said: Sequence[Reading]) -> list[tuple[str, list[Reading], str]]:
    """Other readings of the case, each with its reason and words that leave a place for the change."""
    n = len(said)
    variants: list[tuple[str, list[Reading], str]] = _exact_tie(case, said)
    if case.aggregation.model not in _NOT_COUNTED:
        words = f"Twice as many readings, {2 * n} that say the same, {{would}}"
        variants.append((FEW_READINGS, [*said, *said], words))
    if case.task.kind == "score":
        return variants + _scattered(case, said)
    leader = int(case.order[0])
    name = _escaped(in_sentence(case.task.labels[leader]))
    unlike = sum(leader not in reading.blocks[0] for reading in said)
    if unlike:
        words = f"{unlike} of {n} {_readings(n)} {_verb(unlike, 'do')} not put {name} first"
        agreed = [_with_first(reading, leader, case.task.kind == "choice") for reading in said]
        variants.append((DISAGREEMENT, agreed, f"{words}; all putting it first {{would}}"))
    tied = sum(any(len(block) > 1 for block in reading.blocks) for reading in said)
    if tied:
        place = {label: i for i, label in enumerate(case.order.tolist())}
        broken = [_without_ties(reading, place) for reading in said]
        words = f"{tied} of {n} {_readings(n)} {_verb(tied, 'tie')} labels"
        variants.append(
            (TIES, broken, f"{words}; breaking each tie in favour of the likelier label {{would}}")
        )
    if any(len(reading.blocks) > 1 for reading in said):
        first = [replace(reading, blocks=reading.blocks[:1]) for reading in said]
        mean = sum(len(block) for reading in said for block in reading.blocks) / n
        words = f"A reading names {mean:.1f} labels on average; counting first places alone {{would}}"
        variants.append((LONG_LISTS, first, words))
    return variants


def _exact_tie(case: Case, said: Sequence[Reading]) -> list[tuple[str, list[Reading], str]]:
    """One reading more for the first of the labels that tie exactly, where several do; not of scores."""
    leaders = _exact_leaders(case)
    if len(leaders) < 2 or case.task.kind == "score":
        return []
    tied = _escaped(_listed([case.task.labels[label] for label in leaders]))
    name = _escaped(in_sentence(case.task.labels[leaders[0]]))
    words = (
        f"The readings tie exactly between {tied}. Trusting them more cannot decide it, another reading can: "
        f"one that puts {name} first {{would}}"
    )
    return [(EXACT_TIE, [*said, Reading(((leaders[0],),))], words)]


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
    return [(DISAGREEMENT, same, f"{words}; all giving their mean, {mean:.3g}, {{would}}")]


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


def _reliability(case: Case, said: Sequence[Reading], base: float) -> _Reason:
    """Reliability to its limit; for a model that does not count readings also twice the reliability."""
    leaders = _exact_leaders(case)
    points, change = _change(case, 1 / len(leaders) - base)
    sentence = f"Trusting the readers without limit would {change}"
    if len(leaders) > 1 and case.task.kind == "score":
        above = case.task.labels[1]
        sentence += f", for the mean score lies on the threshold; a point estimate counts it as {above}"
    elif len(leaders) > 1:
        sentence += "; the tie stays"
    if case.aggregation.model in _NOT_COUNTED:
        _, doubled = _change(case, _certainties(case, [said], times=2)[0] - base)
        sentence += f"; twice the reliability would {doubled}. This model does not count readings: more of "
        sentence += "the same would change nothing"
    return RELIABILITY, points, f"{sentence}."


def _exact_leaders(case: Case) -> list[int]:
    """Labels that share the largest plausibility of the point estimate."""
    if case.task.kind == "score":
        on_threshold = math.isclose(float(case.readings.score.mean()), _threshold(case), abs_tol=1e-12)
        return [0, 1] if on_threshold else [int(case.order[0])]
    plausibility, labels = case.point.mean.candidate, case.point.candidates.label
    return [int(label) for label in labels[plausibility >= plausibility.max() - _TIE]]


def _certainties(case: Case, variants: Sequence[Sequence[Reading]], *, times: float = 1.0) -> list[float]:
    """Top-1 certainty of other readings of the case, at a multiple of its reliability."""
    draws = min(max(ENTRIES_TIMES_DRAWS // max(len(case.readings.label), 1), FEWEST_DRAWS), MOST_DRAWS)
    aggregation = replace(case.aggregation.at(case.aggregation.reliability * times), draws=draws)
    readings = readings_that_say(variants)
    ids = [case.case_id] * len(variants)
    return aggregate_readings(case.study, case.task, aggregation, readings, ids).certainty(1).tolist()


def _change(case: Case, difference: float) -> tuple[float, str]:
    """Certainty points, and the change in words, from the certainty that the case has."""
    now = float(case.posterior.certainty(1)[0])
    then = min(max(now + difference, 0.0), 1.0)
    if abs(100 * difference) < SMALLEST or round(100 * now) == round(100 * then):
        return 100 * difference, f"leave certainty at about {rounded_percent(now)}"
    verb = "raise" if then > now else "lower"
    return (
        100 * difference,
        f"{verb} certainty from {rounded_percent(now)} to {rounded_percent(then)}",
    )


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
