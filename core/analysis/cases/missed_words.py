"""Which models miss danger, in words: how many dangers, of how many, and which models miss one of them."""

from __future__ import annotations

from collections.abc import Sequence

import pandas as pd

from core.analysis.cases.high_risk import LEADING
from core.analysis.cases.missed import MISSES
from core.analysis.cases.presets import ANY_HIGH_RISK, MISSED_HIDDEN, MISSED_LIKELY, PRESETS
from core.analysis.cases.select import ANY_MODEL, Filters, select
from core.analysis.cases.worklist import METADATA, PLAUSIBLE
from core.analysis.formatting import rounded_percent
from core.analysis.tied_labels import listed_in_words


def missing_models(cases: pd.DataFrame) -> list[str]:
    """Names of the models of which a worklist says whether they miss danger; the study's columns aside."""
    ends = MISSES.format("")
    return [
        str(name).removesuffix(ends)
        for name in cases
        if str(name).endswith(ends) and not str(name).startswith(METADATA)
    ]


def missing_told(cases: pd.DataFrame, first: Sequence[str] = ()) -> list[tuple[str, ...]]:
    """Name for each case the models that miss its danger, and the same ever shorter; () where none does.

    Such as “A: x; B: y”, “A: x and 1 more”, “A and 1 more”: what each puts first stands behind its name.

    Parameters
    ----------
    cases : DataFrame
        As `core.analysis.cases.worklist.worklist` gives it, with risk levels and models.
    first : sequence of str
        Models that are named before the others.
    """
    known = missing_models(cases)
    models = [*dict.fromkeys(name for name in first if name in known)]
    models += [name for name in known if name not in models]
    missed = [cases[MISSES.format(name)].tolist() for name in models]
    answers = [cases[f"{name}: answer"].tolist() for name in models]
    told: list[tuple[str, ...]] = []
    for case in range(len(cases)):
        who = [model for model, misses in enumerate(missed) if misses[case]]
        named = [f"{models[model]}: {answers[model][case]}" for model in who]
        others = f" and {len(who) - 1:,} more" if len(who) > 1 else ""
        told.append(
            (listed_in_words(named), f"{named[0]}{others}", f"{models[who[0]]}{others}") if who else ()
        )
    return told


def missed_in_words(cases: pd.DataFrame, chosen: Sequence[str] = (), part: str = "") -> str:
    """Say in how many cases the models that are asked for miss danger, and how likely it is.

    Parameters
    ----------
    cases : DataFrame
        As `core.analysis.cases.worklist.worklist` gives it, with risk levels and models.
    chosen : sequence of str
        Models of which one misses danger; none and `ANY_MODEL` stand for all.
    part : str
        Of `core.analysis.cases.presets.MISSED_PARTS`, the one that is listed; empty where both are.
    """
    known = missing_models(cases)
    models = [name for name in chosen if name in known]
    if not models or ANY_MODEL in chosen:
        models = known
    dangerous = PRESETS[ANY_HIGH_RISK].apply(cases)
    missed = select(dangerous, Filters(missed_by=tuple(models)))
    likely, hidden = (int(PRESETS[name].keep(missed).sum()) for name in (MISSED_LIKELY, MISSED_HIDDEN))
    one_of = "At least one model" if models == known else f"At least one of {' and '.join(models)}"
    who = models[0] if len(models) == 1 else one_of
    noun = "case" if len(dangerous) == 1 else "cases"
    said = (
        f"{who} puts no high-risk label first in {len(missed):,} of the {len(dangerous):,} {noun} in which "
        f"high risk is plausible ({rounded_percent(PLAUSIBLE)} or more)"
    )
    if len(models) == 1 and f"{models[0]}: answer" in cases:
        predicted = int((dangerous[f"{models[0]}: answer"] != "").sum())
        said += f", of which it predicts {predicted:,}" * (predicted < len(dangerous))
    below = f"{rounded_percent(PLAUSIBLE)} to under {LEADING}\u00a0%"
    of_likely = "such a label leads, alone, tied or with others"
    of_hidden = f"none leads, and high risk has {below}: hidden danger"
    if part == MISSED_LIKELY:
        return f"{said}. Listed: the {likely:,} in which {of_likely}."
    if part == MISSED_HIDDEN:
        return f"{said}. Listed: the {hidden:,} in which {of_hidden}."
    parts = f" Likely ({likely:,}): {of_likely}. Hidden ({hidden:,}): none leads."
    return f"{said}." + parts * bool(len(missed))
