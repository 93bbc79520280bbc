"""Claims of models beside what labels support of them: what becomes of each, by how much, and as a table."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Literal

import pandas as pd

from core.analysis.formatting import WHOLE, about_cases, cases_on_average, of_hundred, percent, percent_range
from core.analysis.models.missed_counts import missed_cases, missed_in_cases, missed_range
from core.analysis.support_words import NO_ESTIMATE, ONLY_POSSIBLE, TRUTHS, TRUTHS_EXPLAINED
from core.metrics.adjusted.ceiling import MIDDLE

Side = Literal["beyond", "within", "below"]
"""Where a claim lies beside a range."""

CLAIM_IS = "The claim is"
"""Head of what becomes of each claim."""
SUPPORTED = "Supported"
HEADS = ("Model", "Claimed", SUPPORTED, CLAIM_IS)
DANGER_HEADS = _MISSED, _FALSE = "Dangers missed", "False warnings"
"""Heads of what stands beside the claims where there are risk levels."""
BY_CHANCE = "95 % range"
"""What chance makes of missed dangers."""
WARNING = "warning"
"""What a share of false ones is of."""
FOLLOWS = "Advice"
"""Head of what follows for each of several models."""
RIVAL = 0.05
"""Share of the plausible truths in which a model is the most accurate, from which on it may be the best."""
LOOK, ASK, NOT_SO, SELDOM = "Consider further", "Ask first", "Not as it is", "Rarely best"
MISSES_MORE = "it misses clearly more dangers than the best, compared case by case"
"""Whom `NOT_SO` is said of."""
ONLY_JUST = 2
"""Points above a range up to which a claim is only just too high."""
MEANINGS = {
    "Claimed": "Accuracy against the majority label.",
    SUPPORTED: f"The range of accuracy in {100 * MIDDLE:.0f} of 100 {TRUTHS}. {NO_ESTIMATE}.",
    CLAIM_IS: f"A claim within the range is {ONLY_POSSIBLE}; one above it is too high, one below it is "
    "supported.",
    _MISSED: "Of the cases whose truth is a high-risk label (a danger), those in which none is put first, on "
    f"average, and the {BY_CHANCE} on as many other cases like these.",
    _FALSE: "Of the model’s own warnings (it puts a high-risk label first), the share without danger, on "
    "average, and of how many warnings.",
    FOLLOWS: f"{NOT_SO}: {MISSES_MORE}. {ASK}: its claim "
    f"is too high. {LOOK}: neither, and it is the most accurate in {of_hundred(RIVAL)} or more of "
    f"100 plausible truths. {SELDOM}: in fewer.",
}
"""What the heads of the table of claims mean."""
_POSSIBLE = "possible"
"""What a claim within its range is, in a cell of a table."""


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
        Share of the dangerous truths in which it gives a dangerous label first, whichever, and of its alarms
        that are false, in [0, 1]; NaN where that is not known.
    misses : bool
        Whether it clearly warns of danger less often than another.
    alarms_ends : (float, float)
        The 95 % interval of ``alarms``; NaN where that is not known.
    dangers : float
        Mean over plausible truths of the number of cases whose truth is dangerous, of which ``danger`` is a
        share; NaN where that is not known.
    n_alarms : float
        Cases that it calls dangerous, of which ``alarms`` is the share that is not; NaN where not known.
    best : float
        Share of the plausible truths in which it is the most accurate of all, in [0, 1]; NaN where that is
        not known.
    danger_ends : (float, float)
        The 95 % interval of ``danger``; NaN where that is not known.
    """

    model: str
    claimed: float
    ends: tuple[float, float]
    danger: float = math.nan
    alarms: float = math.nan
    misses: bool = False
    alarms_ends: tuple[float, float] = (math.nan, math.nan)
    dangers: float = math.nan
    n_alarms: float = math.nan
    best: float = math.nan
    danger_ends: tuple[float, float] = (math.nan, math.nan)

    @property
    def missed(self) -> float:
        """Mean over plausible truths of the number of dangerous cases that it misses; NaN where not known."""
        return missed_cases(self.danger, self.dangers)

    @property
    def missed_range(self) -> str:
        """Between how many it misses on as many other cases like these, in words; empty where not known."""
        return missed_range(self.danger_ends, self.dangers)

    @property
    def is_exact(self) -> bool:
        """Whether all that may be true, and so a reference, gives the same accuracy."""
        return self.ends[0] == self.ends[1]

    @property
    def side(self) -> Side:
        """Where the claim lies, by the percents that are shown; one that equals an exact one is below."""
        low, high = (round(100 * end) for end in self.ends)
        share = round(100 * self.claimed)
        if self.is_exact and share == high:
            return "below"
        return "beyond" if share > high else "below" if share < low else "within"

    @property
    def excess(self) -> int:
        """Percentage points, of the percents that are shown, by which the claim lies above what is supported.

        None at all, 0, where it does not.
        """
        return max(round(100 * self.claimed) - round(100 * self.ends[1]), 0)

    @property
    def follows(self) -> str:
        """What follows for whoever chooses among several models, what matters most first.

        Empty where it is not known how often the model is the most accurate.
        """
        if math.isnan(self.best):
            return ""
        if self.misses:
            return NOT_SO
        if self.side == "beyond":
            return ASK
        return LOOK if self.best >= RIVAL else SELDOM

    @property
    def why(self) -> str:
        """What `follows` is for, in a few words; empty where nothing follows."""
        of = "samples" if self.is_exact else "truths"
        first = f"best in {of_hundred(self.best)} of 100 {of}" if not math.isnan(self.best) else ""
        return {NOT_SO: "misses more dangers", ASK: "claim too high"}.get(self.follows, first)


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
            caught = float(of.get("caught", math.nan))
            misses = not math.isnan(caught) and not of["caught_alike"]
            alarms, *ends = (float(of.get(f"false_alarms{end}", math.nan)) for end in ("", "_low", "_high"))
            caught_ends = [float(of.get(f"caught_{end}", math.nan)) for end in ("low", "high")]
            known.append(
                Judged(
                    model,
                    share,
                    ranges[model],
                    danger=caught,
                    alarms=alarms,
                    misses=misses,
                    alarms_ends=(ends[0], ends[1]),
                    dangers=float(of.get("dangers", math.nan)),
                    n_alarms=float(of.get("alarms", math.nan)),
                    best=float(of.get("best", math.nan)),
                    danger_ends=(caught_ends[0], caught_ends[1]),
                )
            )
    return tuple(sorted(known, key=lambda one: -sum(one.ends)))


def granted(ceiling: tuple[float, float], claims: Sequence[Judged]) -> float:
    """The most that the labels support, of any model on any of the cases that are judged, in [0, 1].

    Models that predicted some of the cases alone may be granted more there than any is on all of them.
    """
    return max(ceiling[1], *(one.ends[1] for one in claims), 0.0)


def tells_danger(claims: Sequence[Judged]) -> bool:
    """Whether of any model it is known how many of the dangerous truths it warns of."""
    return any(not math.isnan(one.danger) for one in claims)


def too_high(points: int) -> str:
    """Say by how many percentage points a claim lies above what is supported, and whether that is little."""
    return f"{few_or_many(points)} too high"


def few_or_many(points: float) -> str:
    """Write percentage points, and whether they are few: only 1 point, 11.5 points."""
    return f"{'only ' * (points <= ONLY_JUST)}{points_in_words(points)}"


def tells_best(claims: Sequence[Judged]) -> bool:
    """Whether there are several models, and it is known how often each is the most accurate."""
    return len(claims) > 1 and not any(math.isnan(one.best) for one in claims)


def points_in_words(points: float) -> str:
    """Write percentage points: 1 point, 11.5 points."""
    return f"{points:g} point{'s' * (points != 1)}"


def missed_of(claim: Judged) -> str:
    """Write how many of how many dangerous cases a model misses on average: 14 of 50, fewer than 1 of 3.

    Some are never written as 0; of dangers that are less than half a case it is not said of how many.
    """
    return missed_in_cases(claim.missed, claim.dangers)


def about_missed(claim: Judged) -> str:
    """Write the same in a sentence: about 14 of 50, fewer than 1 of 3; where it is exact 28 or none of 44."""
    if not claim.dangers >= WHOLE:
        return missed_of(claim)
    return f"{about_cases(claim.missed, is_exact=claim.is_exact)} of {cases_on_average(claim.dangers)}"


def table_of(
    claims: Sequence[Judged], supported: str = SUPPORTED, *, has_ranges: bool = False
) -> tuple[list[str], list[list[str]]]:
    """Write the claims: heads of columns, that of the accuracies as it is given, and a row for each.

    With ``has_ranges`` that of the missed dangers stands beside them, and what advice is for beside it.
    """
    has_danger, has_best = tells_danger(claims), tells_best(claims)
    rows = [
        [
            one.model,
            *[_follows(one, says_why=has_ranges)] * has_best,
            percent(one.claimed),
            (percent(one.ends[0]) if one.is_exact else percent_range(*one.ends)).replace(" ", "\u00a0"),
            _outcome(one),
            *(_missed(one, has_range=has_ranges), _false(one, has_number=has_ranges)) * has_danger,
        ]
        for one in claims
    ]
    return heads_of(has_danger=has_danger, has_best=has_best, supported=supported), rows


def heads_of(*, has_danger: bool, has_best: bool, supported: str = SUPPORTED) -> list[str]:
    """Heads of the table of claims: with what models do of danger, and with what follows, where it tells."""
    model, claimed, _, becomes = HEADS
    return [model, *[FOLLOWS] * has_best, claimed, supported, becomes, *DANGER_HEADS * has_danger]


def columns_meant(
    heads: Sequence[str], *, is_explained: bool = False, meanings: Mapping[str, str] = MEANINGS
) -> list[tuple[str, str]]:
    """Heads of the table of claims with what they mean; plausible truths are too, unless ``is_explained``."""
    meant = [(head, meanings[head]) for head in heads if head in meanings]
    if is_explained or not any(TRUTHS in words for _, words in meant):
        return meant
    first = next(place for place, (_, words) in enumerate(meant) if TRUTHS in words)
    head, words = meant[first]
    return [*meant[:first], (head, words.replace(TRUTHS, TRUTHS_EXPLAINED, 1)), *meant[first + 1 :]]


def legend(heads: Sequence[str], claims: Sequence[Judged] = (), *, warns: bool) -> str:
    """Say in a few words what the signs of the table of claims mean; `columns_meant` has the rest.

    Of how many dangers some are missed is said where all ``claims`` are of as many.
    """
    is_exact = bool(claims) and all(one.is_exact for one in claims)
    said = f"~\u00a0{_POSSIBLE}: not proven." * (not is_exact)
    if _MISSED not in heads:
        return said
    dangers = {cases_on_average(one.dangers) for one in claims if not math.isnan(one.dangers)}
    told = [f"of {dangers.pop()}{' on average' * (not is_exact)}"] if len(dangers) == 1 else []
    told += [f"{BY_CHANCE} beneath"] * any(one.missed_range for one in claims)
    of = f" ({', '.join(told)})" if told else ""
    more = "; ⚠\u00a0clearly more than the best" * warns
    missed = f"Missed: a danger{of}, but none is put first{more}."
    return f"{said} {missed}".strip()


def _outcome(claim: Judged) -> str:
    """Where a claim lies beside its range: below it is supported, within it is possible, above it too high.

    By what is exact it holds, of these cases alone.

    Lines break where a narrow column has them.
    """
    if claim.side == "below":
        return "✓\u00a0holds\u00a0here" if claim.is_exact else "✓\u00a0supported"
    if claim.side == "within":
        return f"~\u00a0{_POSSIBLE}"
    by = points_in_words(claim.excess).replace(" ", "\u00a0")
    return f"✗\u00a0{by} too\u00a0high" + " here" * claim.is_exact


def _follows(claim: Judged, *, says_why: bool) -> str:
    """What follows for a model, and what that is for."""
    return f"{claim.follows} ({claim.why})" if says_why and claim.why else claim.follows


def _missed(claim: Judged, *, has_range: bool) -> str:
    """About how many of how many dangerous cases a model misses, with a mark where it misses clearly more."""
    said = "–" if math.isnan(claim.missed) else missed_of(claim).replace(" of ", "\u00a0of\u00a0")
    said += "\u00a0⚠" * claim.misses
    within = claim.missed_range if has_range else ""
    return f"{said} ({within})".replace(" to ", "\u00a0to\u00a0") if within else said


def _false(claim: Judged, *, has_number: bool) -> str:
    """Share of a model's warnings that is false, and of how many where that has no place of its own."""
    of = warnings_in_words(claim.n_alarms) if has_number else ""
    return f"{false_of(claim.alarms)} ({of})" if of else false_of(claim.alarms)


def warnings_in_words(n_alarms: float) -> str:
    """Say of how many warnings a share is false; empty where there are none, or it is not known."""
    if not n_alarms >= WHOLE:
        return ""
    many = cases_on_average(n_alarms)
    return f"of {many} {WARNING}{'s' * (many != '1')}"


def false_of(alarms: float) -> str:
    """Which share of its own warnings is false, in [0, 1]; a dash where a model has none.

    A count would be taken for one of the missed dangers beside it.
    """
    return "–" if math.isnan(alarms) else percent(alarms)
