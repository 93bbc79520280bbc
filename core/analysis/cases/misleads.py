"""Where plain accuracy misleads: a model is counted as right, or as wrong, against most plausible truths."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import numpy as np
import pandas as pd

from core.analysis.cases.high_risk import high_risk_leads
from core.analysis.cases.named_danger import row_of_models, short_names
from core.analysis.cases.percent_ranges import whole_percent
from core.analysis.cases.worklist import PLAUSIBLE, models_with
from core.analysis.tied_labels import tied_labels
from core.metrics.adjusted.metrics import RankedLabels
from core.metrics.adjusted.predicted_order import order_of_probabilities
from core.plausibility.reductions import majority
from core.study.model import FloatArray, Task

COUNTED = "{}: counted right"
"""What a worklist calls the column of a model that says how far plain accuracy counts it as right."""
MISLEADS = "accuracy_misleads"
"""Column of the largest difference between that and how often a model is right."""
FAR = 0.5
"""Difference from which on accuracy is said to mislead."""
_MOST_NAMED = 2
"""Models that a line of a list has room for; of more it is said how many they are."""
_ROUNDING = 1e-9
"""What a difference may lack of `FAR`."""


def counted_right(task: Task) -> dict[str, FloatArray]:
    """Say how far the label with most votes counts the first label of each model as right, from 0 to 1.

    It is what plain accuracy is the mean of, whatever the reliability. Labels with equally many votes, and
    labels that a model puts first alike, are split. NaN where a case is not read or not predicted.

    Returns
    -------
    dict of str to ndarray of float with shape (n_cases,)
        By model; empty for a task of scores, and without models that give probabilities.
    """
    if task.kind == "score" or not task.probability_models:
        return {}
    voted = majority(task.readings, len(task.labels))
    return {
        name: RankedLabels(
            voted, order_of_probabilities(task.predictions[name].probability, 1)
        ).top_k_accuracy(1)
        for name in task.probability_models
    }


def with_counted(
    cases: pd.DataFrame, counted: Mapping[str, FloatArray], *, is_point: bool = False
) -> pd.DataFrame:
    """Add to a whole worklist what `counted_right` says, and how far it is from how often a model is right.

    Parameters
    ----------
    cases : DataFrame
        As `core.analysis.cases.worklist.worklist` gives it, of all cases in the study's order.
    counted : mapping of str to ndarray of float with shape (n_cases,)
        By model; without any nothing is added.
    is_point : bool
        Whether the worklist is that of a point estimate, which knows one truth alone: nothing differs from
        most of them.

    Returns
    -------
    DataFrame
        With ``MODEL: counted right`` and `MISLEADS`, the largest difference of any model, 0 where none is
        known.
    """
    if not counted:
        return cases
    columns = {COUNTED.format(name): right for name, right in counted.items()}
    cases = cases.assign(**columns)
    return cases.assign(**{MISLEADS: 0.0 if is_point else _differences(cases, list(counted)).max(axis=1)})


def misleading(cases: pd.DataFrame) -> pd.Series:
    """Whether accuracy misleads about some model, of a worklist as `with_counted` gives it.

    It counts a model as right that is right in at most half of the plausible truths, or as wrong that is
    right in at least half of them.
    """
    return cases[MISLEADS] >= FAR - _ROUNDING


def clearest_first(values: pd.Series) -> pd.Series:
    """What puts such cases in order, of the columns ``high_risk`` and `MISLEADS`, each the larger the sooner.

    Where high risk leads comes before where it is plausible, and that before all others; then how far
    accuracy is off, in whole percent, as what is written alike is equal.
    """
    if values.name != "high_risk":
        return whole_percent(values)
    return (values >= PLAUSIBLE).astype(int) + high_risk_leads(values)


def misled_told(cases: pd.DataFrame) -> list[tuple[str, ...]]:
    """Say of each case which models accuracy misleads about, and how; () of none.

    In full, such as “Counted right: Models A, C, not likeliest: only 38 of 100; counted wrong: Model B, but
    likeliest: 62 of 100”; on two lines, of those with the largest difference alone; and on two that are
    shorter, which count them. What accuracy counts too high may be the likeliest label nonetheless, or one of
    several that lead, as the case itself says (`core.analysis.cases.misled_words`).
    """
    models = models_with(cases, COUNTED)
    far = _differences(cases, models)
    counted = {name: cases[COUNTED.format(name)].tolist() for name in models}
    right = {name: whole_percent(cases[f"{name}: right"]).tolist() for name in models}
    leaders = [set(tied_labels(str(words))) for words in cases["leading"].tolist()]
    answers = {name: [tied_labels(str(words)) for words in cases[f"{name}: answer"]] for name in models}
    told: list[tuple[str, ...]] = []
    for row, differences in enumerate(far):
        alike: dict[tuple[float, float, int], list[str]] = {}
        for of in np.argsort(-differences, kind="stable"):
            if differences[of] >= FAR - _ROUNDING:
                name = models[of]
                n_likeliest = 0 if leaders[row].isdisjoint(answers[name][row]) else len(leaders[row])
                how = counted[name][row], right[name][row], n_likeliest
                alike.setdefault(how, []).append(name)
        said = [(*_told(names, *how), len(names)) for how, names in alike.items()]
        words = ("; ".join(f"{who}, {how}" for who, how, _ in said), *_lines(*said[0])) if said else ()
        told.append(tuple(f"C{one[1:]}" for one in words))
    return told


def _told(names: Sequence[str], counted: float, right: float, n_likeliest: int) -> tuple[str, str]:
    """Say how accuracy counts some models, whether theirs is the likeliest label, and how likely it is.

    Parameters
    ----------
    names : sequence of str
        Models that are counted alike.
    counted, right : float
        How far as right, from 0 to 1, and in how many of 100 truths they are.
    n_likeliest : int
        Labels that lead, where theirs is among them; 0 where it is not.
    """
    who = row_of_models(names, short_names(names))
    if len(names) > _MOST_NAMED:
        who = f"{len(names):,} models"
    of_100 = f"{right:.0f} of 100"
    if 100 * counted <= right:
        how = f"but likeliest: {of_100}" if n_likeliest == 1 else f"but right in {of_100}"
    elif n_likeliest > 1:
        how = f"none clearly likelier, but only {of_100}"
    else:
        how = f"likeliest, but only {of_100}" if n_likeliest else f"not likeliest: only {of_100}"
    return f"counted {counted_words(counted)}: {who}", how


def _lines(who: str, how: str, n: int) -> tuple[str, str]:
    """The same on two lines, of ``n`` models, and on two shorter ones."""
    counted = who.partition(":")[0]
    shorter = how.removeprefix("but ").replace(", but only", ":").replace(": only", ":")
    return f"{who}\n{how}", f"{counted}: {n:,} model{'s' * (n > 1)}\n{shorter}"


def is_far(counted: float, right: float) -> bool:
    """Whether how far accuracy counts an answer as right misleads about how often it is."""
    return abs(counted - right) >= FAR - _ROUNDING


def counted_words(counted: float) -> str:
    """Say how accuracy counts an answer: right, half right, partly right or wrong."""
    part = "half right" if counted == 1 / 2 else "partly right"
    return "right" if counted == 1 else "wrong" if counted == 0 else part


def _differences(cases: pd.DataFrame, models: Sequence[str]) -> FloatArray:
    """How far accuracy is from how often each model is right, with shape (n_cases, n_models)."""
    counted = cases[[COUNTED.format(name) for name in models]].to_numpy(float)
    right = cases[[f"{name}: right" for name in models]].to_numpy(float)
    return np.nan_to_num(np.abs(counted - right))
