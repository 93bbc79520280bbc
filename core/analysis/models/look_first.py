"""Which model is right most often, for whoever decides, and what it misses, in short sentences."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence

from core.analysis.formatting import of_hundred, percent
from core.analysis.models.basis import READINGS, Basis
from core.analysis.models.claims import ASK, LOOK, NOT_SO, SELDOM, Judged, tells_best
from core.analysis.models.finding import listed
from core.analysis.support_words import TRUTHS_EXPLAINED

SURE = 0.8
"""Share of the plausible truths from which on a model that is best in them is named alone."""
UNDECIDED = "These labels cannot tell which."
_PAIR = 2
_DECIDED = {
    LOOK: "consider {} further",
    ASK: "ask first about {}",
    NOT_SO: "do not use {} as it is",
    SELDOM: "rarely best: {}",
}
"""What is said of models by what follows for them, in this order."""


def first_alone(best: Mapping[str, float]) -> str:
    """Name the model that is most accurate in `SURE` of the plausible truths or more; empty for none.

    ``best`` is that of `look_first`; of a single model there is nothing to tell.
    """
    top = max(best, key=lambda model: best[model], default="")
    return top if len(best) >= _PAIR and best[top] >= SURE else ""


def look_first(claims: Sequence[Judged], basis: Basis = READINGS) -> tuple[str, str]:
    """Name the model that is right most often, or the two that cannot be told apart, and say how surely.

    In short sentences, without what stands beside the claims.

    Parameters
    ----------
    claims : sequence of Judged
        Of all models.
    basis : Basis
        What they are judged by.

    Returns
    -------
    who, why : str
        Both empty for fewer than two models, and where it is not known who is best.
    """
    if not tells_best(claims):
        return "", ""
    top, second, *_ = sorted(claims, key=lambda one: -one.best)
    if top.best < SURE:
        who = f"Most often right: {top.model} or {second.model}"
        undecided = "These cases are too few to tell which." if basis.is_reference else UNDECIDED
        why = [undecided, _by_majority(top, claims)]
        why += [_misses(one, claims) for one in (top, second) if one.misses]
    else:
        who = f"Most often right: {top.model}"
        first = f"It comes first in {of_hundred(top.best)} of 100 {TRUTHS_EXPLAINED}."
        if basis.is_reference:
            others = max(one.ends[0] for one in claims if one is not top)
            then = f"{second.model} in" if len(claims) == _PAIR else "no other in more than"
            first = (
                f"{basis.short_head}, it is right in {percent(top.ends[0])} of {basis.n_cases:,} cases, "
                f"{then} {percent(others)}. It comes first in {of_hundred(top.best)} of 100 samples of "
                "these cases."
            )
        why = [first, _by_majority(top, claims)]
        if top.misses:
            why.append(_of_danger(top, claims))
    return who, " ".join(filter(None, why))


def decided(claims: Sequence[Judged]) -> str:
    """Say in one sentence what follows for each of several models; empty where it is not known who is best.

    Without its full stop. Of many models that the same follows for some are named.
    """
    if not tells_best(claims):
        return ""
    said = []
    for follows, words in _DECIDED.items():
        models = [one.model for one in claims if one.follows == follows]
        if models:
            they = words.replace("it is", "they are") if len(models) > 1 else words
            said.append(they.format(listed(models)))
    words = "; ".join(said)
    return f"{words[:1].upper()}{words[1:]}"


def _by_majority(top: Judged, claims: Sequence[Judged]) -> str:
    """Say which model would be first by the label with most readings, where that is clearly another.

    Clearly is by the percents that are shown.
    """
    first = max(claims, key=lambda one: one.claimed)
    if round(100 * first.claimed) <= round(100 * top.claimed):
        return ""
    return f"By the majority label, {first.model} would be first."


def _of_danger(top: Judged, claims: Sequence[Judged]) -> str:
    """Say which model misses clearly fewer dangers, at which cost, as far as that can be told."""
    most = _most(claims)
    return f"{most.model} misses clearly fewer dangers{_at_the_cost(most, top)}."


def _at_the_cost(most: Judged, top: Judged) -> str:
    """Say how false warnings compare; nothing where their intervals overlap, or are not known."""
    (low, high), (least, greatest) = most.alarms_ends, top.alarms_ends
    if not (low > greatest or high < least):
        return ""
    return f", {'but a larger' if low > greatest else 'and a smaller'} share of its warnings is false"


def _misses(one: Judged, claims: Sequence[Judged]) -> str:
    """Say that a model misses clearly more dangers than the best."""
    return f"{one.model} misses clearly more dangers than {_most(claims).model}."


def _most(claims: Sequence[Judged]) -> Judged:
    """The model that misses the fewest dangers, of those of which it is known."""
    return max((one for one in claims if not math.isnan(one.danger)), key=lambda one: one.danger)
