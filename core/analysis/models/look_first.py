"""Which model deserves the first look of whoever decides, and why, in one line."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence

from core.analysis.formatting import of_hundred, percent
from core.analysis.models.claims import Judged, points_in_words

SURE = 0.8
"""Share of the plausible truths from which on a model that is best in them is named alone."""
_PAIR = 2


def look_first(claims: Sequence[Judged], best: Mapping[str, float]) -> tuple[str, str]:
    """Name the model to look at first, or the two that cannot be told apart, and say why.

    Parameters
    ----------
    claims : sequence of Judged
        Of all models.
    best : mapping of str to float
        For each model the share of plausible truths in which it is the most accurate, in [0, 1].

    Returns
    -------
    who, why : str
        Both empty for fewer than two models, and where it is not known who is best.
    """
    ranked = sorted((one for one in claims if one.model in best), key=lambda one: -best[one.model])
    if len(ranked) < _PAIR:
        return "", ""
    top, second = ranked[:_PAIR]
    if best[top.model] < SURE:
        who = f"Look first at {top.model} and {second.model}"
        why = ["which is more accurate, these labels leave open"]
        why += [f"{one.model} names {_of_danger(one, claims)}" for one in (top, second) if one.misses]
    else:
        who = f"Look first at {top.model}"
        why = [f"the most accurate in {of_hundred(best[top.model])} of 100 plausible truths"]
        if not math.isnan(top.danger):
            why.append(f"it names {_of_danger(top, claims)}")
        if top.excess:
            why.append(f"its claim is {points_in_words(top.excess)} too high")
    return who, "; ".join(why)


def _of_danger(one: Judged, claims: Sequence[Judged]) -> str:
    """How many of the dangerous truths a model names, and who names the most."""
    most = max((other for other in claims if not math.isnan(other.danger)), key=lambda other: other.danger)
    share = f"{'only ' * one.misses}{percent(one.danger)} of the dangerous truths"
    if percent(most.danger) == percent(one.danger):
        return f"{share}, none more"
    return f"{share}, {most.model} {percent(most.danger)}"
