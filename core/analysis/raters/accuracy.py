"""Accuracy of each rater, four ways: against a reference, the other raters, as given, and from a model."""

from __future__ import annotations

from collections.abc import Mapping
from typing import get_args

import numpy as np

from core.analysis.raters.panel import Panel
from core.analysis.raters.settings import Standard
from core.metrics.agreement.rater_accuracy import Ties, mean_by_rater, right_by_majority, right_by_reference
from core.plausibility.dawid_skene import fit_dawid_skene
from core.study.model import FloatArray

STANDARDS: dict[Standard, str] = {
    "reference": "the reference label of each case",
    "majority": "the label that most of the other raters give",
    "given": "accuracies as given",
    "model": "a Dawid–Skene model of the truth and of every rater's errors, whose prior counts as one right "
    "reading a rater and truth and one spread over all labels",
}
"""What an accuracy is judged by, in words."""

Given = float | Mapping[str, float]
"""One accuracy for all raters, or one for each rater id."""


def best_standard(panel: Panel, given: Given | None = None) -> Standard:
    """What accuracy is best judged by: what is given, else a reference, else the majority of the others."""
    if given is not None:
        return "given"
    return "reference" if panel.has_reference else "majority"


def readings_right(panel: Panel, standard: Standard, *, ties: Ties = "split") -> FloatArray:
    """How right each of the panel's readings is, in [0, 1]; NaN where it cannot be said.

    Raises
    ------
    ValueError
        If the standard does not judge single readings, or for ties = "positive" without a positive label.
    """
    if standard == "reference":
        return right_by_reference(panel.readings, panel.code, panel.reference)
    if standard == "majority":
        return right_by_majority(panel.readings, panel.code, ties=ties, positive=positive_code(panel))
    raise ValueError(f'single readings are judged by "reference" or "majority", got {standard!r}')


def positive_code(panel: Panel) -> int | None:
    """Code of the positive label; the upper side of a score task; None where there is none."""
    if panel.task.kind == "score":
        return 1
    if panel.task.positive is None:
        return None
    return panel.task.labels.index(panel.task.positive)


def rater_accuracy(
    panel: Panel, standard: Standard, *, given: Given | None = None, ties: Ties = "split"
) -> FloatArray:
    """Accuracy of each rater of the panel, with shape (n_raters,).

    Parameters
    ----------
    panel : Panel
        Raters and cases.
    standard : {"reference", "majority", "given", "model"}
        What the raters are judged by.
    given : float or mapping of str to float, optional
        Accuracy of all raters, or by rater id, in [0, 1]; needed for "given".
    ties : {"split", "positive"}
        For "majority": what the others say where they tie
        (`core.metrics.agreement.rater_accuracy.right_by_majority`).

    Returns
    -------
    ndarray of float64
        In [0, 1]; NaN where it is not known. Where raters are not identified, all have their common mean.

    Raises
    ------
    ValueError
        For an unknown standard or rater, an accuracy outside [0, 1], where nothing is given, and for
        "reference" where no case has one.
    """
    if standard not in STANDARDS:
        raise ValueError(f"standard must be one of {', '.join(get_args(Standard))}, got {standard!r}")
    if standard == "given":
        return _given(panel, given)
    if standard == "reference" and not panel.has_reference:
        raise ValueError(
            f'no case has a reference that is a label of the task "{panel.task.name}", so nobody can be '
            "judged by it; add a column reference to the case table, or judge by the majority"
        )
    if standard == "model":
        accuracy = fit_dawid_skene(panel.readings, panel.n_labels, panel.n_raters).accuracy
        read = np.bincount(panel.readings.rater, minlength=panel.n_raters) > 0
        value = np.where(read, accuracy, np.nan)
    else:
        right = readings_right(panel, standard, ties=ties)
        value = np.array([e.value for e in mean_by_rater(panel.readings, right, panel.n_raters)])
    if not panel.identified:
        known = value[~np.isnan(value)]
        return np.full(panel.n_raters, known.mean() if len(known) else np.nan)
    return value


def _given(panel: Panel, given: Given | None) -> FloatArray:
    """Accuracies from a number or a mapping."""
    if given is None:
        raise ValueError("accuracies must be given, as one number or by rater id, got none")
    if isinstance(given, Mapping):
        unknown = sorted(set(given) - set(panel.study.rater_ids))
        if unknown:
            raise ValueError(
                f"accuracies must be of raters of the study, got {', '.join(map(str, unknown[:20]))}"
            )
        value = np.array([float(given.get(rater, np.nan)) for rater in panel.rater_ids])
    else:
        value = np.full(panel.n_raters, float(given))
    known = value[~np.isnan(value)]
    if len(known) and not (known.min() >= 0 and known.max() <= 1):
        hint = "; divide percentages by 100" if known.max() > 1 else ""
        raise ValueError(f"accuracies must be in [0, 1], got {known.min():g} to {known.max():g}{hint}")
    return value
