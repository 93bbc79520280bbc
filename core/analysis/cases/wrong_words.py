"""Models that are probably wrong, in few words: who is wrong in what, and how surely."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import pandas as pd

from core.analysis.cases.percent_ranges import shares
from core.analysis.cases.worklist import WRONG, models_with
from core.study.model import FloatArray

_ERROR = "{}: error"
_SAME = 1e-9
"""How far errors may be apart that are equal."""


def wrong_told(cases: pd.DataFrame) -> dict[str, tuple[str, ...]]:
    """Say in ever fewer words what ``models_wrong`` of a worklist says, by these words.

    Of one model, “Model A: Eczema”, its answer; of several “Model A, Model B: Eczema” where they agree, then
    “Model A: Eczema and 2 more”, and that without the name of the model.

    Parameters
    ----------
    cases : DataFrame
        As `core.analysis.cases.worklist.worklist` gives it, with models that give probabilities.
    """
    models, error = models_with(cases, _ERROR), _errors(cases)
    answers = [cases[f"{name}: answer"].tolist() for name in models]
    told: dict[str, tuple[str, ...]] = {}
    for row, words in enumerate(cases["models_wrong"].tolist()):
        order = [of for of in np.argsort(-error[row], kind="stable") if error[row, of] >= WRONG]
        if words in told or not order:
            continue
        answer, more = answers[order[0]][row], len(order) - 1
        if not more:
            told[words] = (answer,)
            continue
        short = f"{answer} and {more:,} more"
        told[words] = (*_together(models, answers, order, row), f"{models[order[0]]}: {short}", short)
    return told


def surest_told(cases: pd.DataFrame) -> list[tuple[str, ...]]:
    """Name for each case the model whose error is surest, or all that are alike; () where none is known.

    In which share of the plausible truths its first label is wrong stands behind: “Model A, Model B: 97 %”;
    and in fewer words “Model A and 1 more: 97 %”.
    """
    models, error = models_with(cases, _ERROR), _errors(cases)
    told: list[tuple[str, ...]] = []
    for row, share in enumerate(shares(cases["model_error"])):
        names = [models[of] for of in np.flatnonzero(error[row] >= error[row].max() - _SAME)]
        short = (f"{names[0]} and {len(names) - 1:,} more: {share}",) if len(names) > 1 else ()
        told.append((f"{', '.join(names)}: {share}", *short) if share else ())
    return told


def _together(
    models: Sequence[str], answers: Sequence[Sequence[str]], order: Sequence[int], row: int
) -> tuple[str, ...]:
    """Name models that give the same answer together, the surest error first; () where none do."""
    groups: dict[str, list[str]] = {}
    for of in order:
        groups.setdefault(answers[of][row], []).append(models[of])
    if len(groups) == len(order):
        return ()
    return ("; ".join(f"{', '.join(names)}: {answer}" for answer, names in groups.items()),)


def _errors(cases: pd.DataFrame) -> FloatArray:
    """Error of each model in each case, with shape (n_cases, n_models); 0 where it is unknown."""
    columns = [cases[_ERROR.format(name)].to_numpy(float) for name in models_with(cases, _ERROR)]
    return np.nan_to_num(np.column_stack(columns))
