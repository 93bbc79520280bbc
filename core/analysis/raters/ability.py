"""Ability of each rater apart from leaning, and when the readings do not say it."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from scipy.stats import spearmanr

from core.analysis.raters.accuracy import positive_code
from core.analysis.raters.panel import Panel
from core.metrics.agreement.rater_accuracy import mean_by_rater
from core.plausibility.rater_ability.model import MOST_NUMBERS, RaterAbility, fit_rater_ability
from core.study.model import FloatArray, IntArray, Readings

FEWEST_RATERS, FEWEST_CASES, FEWEST_READINGS = 3, 30, 10
"""Raters, cases with two readings, and such cases that a rater has read, from which on ability is said."""
FEWEST_TRUE = 5.0
"""Expected number of cases whose truth is other than the commonest label."""
LARGEST_SHIFT = 0.2
"""By how much the share of a label among the truths may exceed its share among majorities."""
LARGEST_RIVALRY = 0.1
"""By how much an accuracy may differ between two fits that explain the readings nearly as well."""


@dataclass(frozen=True, eq=False)
class Abilities:
    """Columns of a profile about ability, and why there are none.

    Attributes
    ----------
    columns : dict of str to ndarray or list
        ``ability``, ``ability_error``, ``accuracy_ability``, ``accuracy_ability_error``, ``leans_to``,
        ``leaning``, ``leaning_error``, ``sensitivity``, ``sensitivity_error``, ``specificity``,
        ``specificity_error``; see `core.analysis.raters.profiles.profile_table`.
    withdrawn : str
        A sentence that says why no ability is given, to anybody; empty where it is.
    """

    columns: dict[str, object]
    withdrawn: str


def abilities(panel: Panel, by_majority: FloatArray) -> Abilities:
    """Fit ability and leaning, and withdraw them where the fit cannot be trusted.

    Parameters
    ----------
    panel : Panel
        Raters and cases.
    by_majority : ndarray of float64 with shape (n_readings,)
        How right each reading is by the majority of the others.
    """
    reason = _too_little(panel)
    if not reason:
        fitted = fit_rater_ability(panel.readings, panel.n_labels, panel.n_raters)
        reason = _doubt(panel, fitted, by_majority)
        if not reason:
            return Abilities(_columns(panel, fitted), "")
    nothing = np.full(panel.n_raters, np.nan)
    columns: dict[str, object] = dict.fromkeys(_NUMBERS, nothing)
    return Abilities(
        columns | {"leans_to": [""] * panel.n_raters}, f"Ability and leaning are not given: {reason}."
    )


_NUMBERS = (
    "ability",
    "ability_error",
    "accuracy_ability",
    "accuracy_ability_error",
    "leaning",
    "leaning_error",
    "sensitivity",
    "sensitivity_error",
    "specificity",
    "specificity_error",
)


def _too_little(panel: Panel) -> str:
    """Why the readings are too few, or too many, to fit anything; empty where they are not."""
    readings = panel.readings
    shared = int((readings.per_case > 1).sum())
    if panel.n_raters < FEWEST_RATERS:
        return f"at least {FEWEST_RATERS} raters are needed, for two do not tell better from worse"
    if shared < FEWEST_CASES:
        return f"at least {FEWEST_CASES} cases with two readings are needed, there are {shared:,}"
    if len(np.unique(panel.code)) < 2:
        return "all readings say the same label"
    if readings.n_readings * panel.n_labels > MOST_NUMBERS:
        return f"readings times labels are more than {MOST_NUMBERS:,}; choose fewer raters or cases"
    return ""


def _doubt(panel: Panel, fitted: RaterAbility, by_majority: FloatArray) -> str:
    """Why a fit is not to be trusted; empty where it is."""
    readings, n = panel.readings, panel.n_raters
    n_cases = int((readings.per_case > 0).sum())
    if not fitted.converged:
        return "the fit did not settle"
    gained = fitted.log_likelihood - fitted.log_likelihood_by_chance
    if gained < n + np.count_nonzero(fitted.prevalence):
        return "the readings of a case are no more alike than chance makes them"
    apart = max((float(np.nanmax(np.abs(rival - fitted.accuracy))) for rival in fitted.rivals), default=0.0)
    if apart > LARGEST_RIVALRY:
        return (
            "another explanation fits the readings nearly as well, and differs by "
            f"{100 * apart:.0f} percentage points in a rater’s ability"
        )
    common = int(fitted.prevalence.argmax())
    others = n_cases - float(fitted.truth[:, common].sum())
    if others < FEWEST_TRUE:
        return (
            f"by the fit, the truth is other than {panel.task.labels[common]} in only {others:.1f} cases; "
            f"at least {FEWEST_TRUE:.0f} are needed"
        )
    majorities = _majority_shares(panel)
    label = int((fitted.prevalence - majorities).argmax())
    if fitted.prevalence[label] - majorities[label] > LARGEST_SHIFT:
        return (
            f"the fit takes {panel.task.labels[label]} for true in {100 * fitted.prevalence[label]:.0f} % of "
            f"the cases, the majority of the raters in {100 * majorities[label]:.0f} %"
        )
    agreed = np.array([e.value for e in mean_by_rater(readings, by_majority, n)])
    right = fitted.truth[readings.case, panel.code]
    expected = np.array([e.value for e in mean_by_rater(readings, right, n)])
    known = ~np.isnan(agreed + expected)
    if np.nanmean(right) < 0.5 < np.nanmean(by_majority):
        return "the fit takes most of the readings for wrong: the mirror image of the truth"
    if known.sum() > FEWEST_RATERS and spearmanr(agreed[known], expected[known]).statistic < 0:
        return "by the fit, raters who agree more with the others are more often wrong"
    return ""


def _majority_shares(panel: Panel) -> FloatArray:
    """Share of the cases whose most frequent label is each; labels that tie share the case."""
    counts = np.zeros((panel.readings.n_cases, panel.n_labels))
    np.add.at(counts, (panel.readings.case, panel.code), 1)
    counts = counts[counts.any(axis=1)]
    leads = counts == counts.max(axis=1, keepdims=True)
    return (leads / leads.sum(axis=1, keepdims=True)).mean(axis=0)


def _columns(panel: Panel, fitted: RaterAbility) -> dict[str, object]:
    """What the profile says of each rater with enough readings of cases that others read too."""
    n, labels = panel.n_raters, panel.task.labels
    enough = _shared(panel.readings, n) >= FEWEST_READINGS
    rows = np.arange(n)
    leans = np.where(np.isnan(fitted.unclear), -1, fitted.unclear).argmax(axis=1)
    named = np.flatnonzero(fitted.prevalence > 0)
    undefined = np.full(n, np.nan)
    columns = {
        "ability": fitted.ability,
        "ability_error": fitted.ability_error,
        "accuracy_ability": fitted.accuracy,
        "accuracy_ability_error": fitted.accuracy_error,
        "leaning": fitted.unclear[rows, leans],
        "leaning_error": fitted.unclear_error[rows, leans],
        "sensitivity": undefined,
        "sensitivity_error": undefined,
        "specificity": undefined,
        "specificity_error": undefined,
    }
    positive = positive_code(panel)
    if positive is not None and len(named) == 2 and positive in named:
        negative = int(named[named != positive][0])
        columns |= {
            "sensitivity": fitted.recall[:, positive],
            "sensitivity_error": fitted.recall_error[:, positive],
            "specificity": fitted.recall[:, negative],
            "specificity_error": fitted.recall_error[:, negative],
        }
    given: dict[str, object] = {name: np.where(enough, value, np.nan) for name, value in columns.items()}
    return given | {"leans_to": [labels[k] if known else "" for k, known in zip(leans, enough, strict=True)]}


def _shared(readings: Readings, n_raters: int) -> IntArray:
    """Readings of each rater in cases that others have read too."""
    shared = readings.per_case[readings.case] > 1
    return np.bincount(readings.rater[shared], minlength=n_raters)
