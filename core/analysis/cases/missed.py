"""Which models put no high-risk label first where high risk is plausible: the dangers that each misses."""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np
from numpy.typing import NDArray

from core.analysis.tied_labels import listed_in_words
from core.metrics.adjusted.predicted_order import PredictedOrder
from core.metrics.risk import HIGH
from core.study.model import IntArray

MISSES = "{}: misses danger"
"""What the worklist calls the column of a model."""
MISSED = "models_missing"
"""Column of the worklist that names these models; empty where none misses danger."""


def misses_danger(order: PredictedOrder, risk: IntArray, plausible: NDArray[np.bool_]) -> NDArray[np.bool_]:
    """Whether a model puts no high-risk label first, in cases in which high risk is plausible.

    A model that names danger only where it is likelier than not leaves every one that is behind to others.

    Parameters
    ----------
    order : PredictedOrder
        What the model names. Labels of high and of lower risk that are first alike count as naming danger; a
        case that was not predicted is not missed.
    risk : ndarray of int with shape (n_labels,)
        Level of each label.
    plausible : ndarray of bool with shape (n_cases,)
        Whether high risk is plausible, as `core.analysis.cases.high_risk.high_risk_plausible` says.

    Returns
    -------
    ndarray of bool with shape (n_cases,)
    """
    first = order.places.before == 0
    alarm = order.total(first * (risk[order.label] == HIGH)) > 0
    return plausible & order.covered & ~alarm


def missing_in_words(
    missed: Mapping[str, NDArray[np.bool_]], answers: Mapping[str, np.ndarray]
) -> np.ndarray:
    """Name for each case the models that miss danger, each with what it puts first: “A: x; B: y”.

    Parameters
    ----------
    missed : mapping of str to ndarray of bool with shape (n_cases,)
        By model, as `misses_danger` gives it.
    answers : mapping of str to ndarray of str with shape (n_cases,)
        What each model puts first.
    """
    of_model = np.stack(list(missed.values()))
    words = np.full(of_model.shape[1], "", dtype=object)
    for case in np.flatnonzero(of_model.any(axis=0)):
        words[case] = listed_in_words(
            [f"{name}: {answers[name][case]}" for name in missed if missed[name][case]]
        )
    return words
