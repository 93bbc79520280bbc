"""Which models miss danger, in words: how many dangers, of how many, and which models miss one of them."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import pandas as pd

from core.analysis.cases.missed import MISSES
from core.analysis.cases.named_danger import row_of_models, short_names
from core.analysis.cases.preset_rules import missing_models
from core.analysis.cases.presets import (
    A_MODEL,
    ANY_HIGH_RISK,
    DANGER_MISSED,
    MISSED_BEHIND,
    MISSED_BY_ALL,
    MISSED_LIKELY,
    MISSED_UNSETTLED,
    OF_MISSED,
    PRESETS,
    SOME_MODEL,
)
from core.analysis.cases.reference_risk import dangerous_by_reference
from core.analysis.cases.select import ANY_MODEL, EVERY_MODEL
from core.analysis.formatting import WHOLE, cases_on_average

MISSED_RULES = (
    f"{PRESETS[MISSED_LIKELY].short}: a high-risk label leads. {PRESETS[MISSED_BEHIND].short}: a high-risk "
    f"one is plausible, but does not lead. {PRESETS[MISSED_UNSETTLED].short}: danger is neither ruled out "
    f"nor certain. {PRESETS[MISSED_BY_ALL].short}: none puts such a label first."
)
"""Which cases are in which part."""


def missing_told(cases: pd.DataFrame, first: Sequence[str] = ()) -> list[tuple[str, ...]]:
    """Name for each case the models that miss its danger, and the same shorter; () where none does.

    Such as “Models A, B” and “2 of 4 models”, or “Model A and 1 more” where it is asked
    for.

    Parameters
    ----------
    cases : DataFrame
        As `core.analysis.cases.worklist.worklist` gives it, with risk levels and models.
    first : sequence of str
        Models of which the first is named where there is room for one alone.
    """
    known = missing_models(cases)
    asked = [*dict.fromkeys(name for name in first if name in known)]
    if not known:
        return [()] * len(cases)
    missed = np.column_stack([cases[MISSES.format(name)].to_numpy(bool) for name in known])
    named = [[name for name, misses in zip(known, row, strict=True) if misses] for row in missed]
    return [_told(who, len(known), asked) if who else () for who in named]


def _told(who: Sequence[str], of: int, asked: Sequence[str]) -> tuple[str, ...]:
    """Name models by what tells them apart, and say their number; what is the same is said once."""
    return tuple(dict.fromkeys((row_of_models(who, short_names(who)), _counted(who, of, asked))))


def _counted(who: Sequence[str], of: int, asked: Sequence[str]) -> str:
    """Count models, of how many; the first of them is named where it is asked for."""
    n = len(who)
    if named := [name for name in asked if name in who]:
        return f"{named[0]} and {n - 1:,} more" if n > 1 else named[0]
    if n == of:
        return f"all {of:,} models" if of > 1 else "the model"
    return f"{n:,} of {of:,} models"


def _asked(chosen: Sequence[str], known: Sequence[str]) -> list[str]:
    """Models that are asked for; none where any is."""
    return [] if ANY_MODEL in chosen else [name for name in chosen if name in known]


def _are_all(chosen: Sequence[str]) -> bool:
    """Whether what all models miss is asked for, and nothing else."""
    return tuple(chosen) == (EVERY_MODEL,)


def missed_in_brief(cases: pd.DataFrame, chosen: Sequence[str], preset: str) -> str:
    """Say the same in a few words: of a list, one of `core.analysis.cases.presets.OF_MISSED`."""
    if _are_all(chosen):
        return PRESETS[preset].brief.replace(f"{SOME_MODEL} does not warn", "no model warns")
    models = _asked(chosen, missing_models(cases))
    who = f"one of {' and '.join(models)}" if len(models) > 1 else "".join(models)
    return PRESETS[preset].brief.replace(SOME_MODEL, who or SOME_MODEL)


def missed_in_words(cases: pd.DataFrame, chosen: Sequence[str] = (), part: str = "") -> str:
    """Say what listed cases have in common in which the models that are asked for miss danger.

    Parameters
    ----------
    cases : DataFrame
        As `core.analysis.cases.worklist.worklist` gives it, with risk levels and models.
    chosen : sequence of str
        Models of which one misses danger; none and `ANY_MODEL` stand for all. `EVERY_MODEL`: each of them
        does.
    part : str
        Of `core.analysis.cases.presets.OF_MISSED`, the one that is listed; empty where all are.
    """
    known = missing_models(cases)
    models = _asked(chosen, known) or known
    dangerous = PRESETS[ANY_HIGH_RISK].apply(cases)
    if dangerous.empty:
        left = f"High risk is plausible in none of the {len(cases):,} left by search and filters."
        return left if len(cases) else ""
    who = A_MODEL if models == known else f"at least one of {' and '.join(models)}"
    if _are_all(chosen):
        who = "every model"
    elif len(models) == 1:
        who = models[0]
    predicts = ""
    if len(models) == 1 and f"{models[0]}: answer" in cases:
        predicted = int((dangerous[f"{models[0]}: answer"] != "").sum())
        of = f" It has an answer for {predicted:,} of the {len(dangerous):,} in which high risk is plausible."
        predicts = of * (predicted < len(dangerous))
    return f"{PRESETS[part if part in OF_MISSED else DANGER_MISSED].meaning.replace(A_MODEL, who)}{predicts}"


def expected_in_words(listed: pd.DataFrame) -> str:
    """Say in how many of several listed cases danger is the truth, on average over plausible truths.

    Danger is missed where high risk is plausible, whichever the truth is: a reader may take the one for the
    other. On average as many are as Study counts, but for those in which it is less than plausible. Under a
    point estimate each is certain, and nothing is averaged.
    """
    chance = listed["high_risk"].fillna(0)
    if len(listed) < 2 or chance.isin([0, 1]).all():
        return ""
    mean = float(chance.sum())
    about = "about " * (mean >= WHOLE)
    said = f"{about}{cases_on_average(mean)}"
    return f"Danger is expected in {said} of these {len(listed):,} cases{_by_reference(listed)}."


def _by_reference(listed: pd.DataFrame) -> str:
    """Say in how many it is by the study's reference; empty where none has one."""
    dangerous, n = dangerous_by_reference(listed)
    if not n:
        return ""
    which = "" if n == len(listed) else f" of the {n:,} that have one"
    return f"; by the study’s reference in {f'{dangerous:,}' if dangerous else 'none'}{which}"
