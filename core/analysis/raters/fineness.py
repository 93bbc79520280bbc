"""Tables of fineness: by number of raters and reduction, raters needed, and concordance beside accuracy."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from math import comb

import numpy as np
import pandas as pd

from core.analysis.raters.accuracy import Given, Standard, best_standard, rater_accuracy
from core.analysis.raters.panel import Panel
from core.metrics.agreement.chance import agreement_per_case
from core.metrics.agreement.rater_groups import (
    LARGEST_ENUMERATED,
    REDUCTIONS,
    GroupVotes,
    Reduction,
    dependent_group_fineness,
    group_fineness,
    rater_groups,
    weighted_group_fineness,
)
from core.metrics.estimate import mean_over_cases
from core.metrics.fineness.difficulty import difficulty_from_agreement, expected_agreement
from core.metrics.fineness.majority import probabilistic_fineness
from core.metrics.fineness.raters_needed import raters_bound, raters_needed_each
from core.progress import Progress
from core.study.model import FloatArray, IntArray

MOST_GROUPS = 2_000
"""Groups of one size that are looked at; with 13 raters, all 8,191 of them."""
FEW_GROUPS = 50
"""Groups of one size whose fineness has to be simulated."""
MOST_WORK = 200_000
"""Groups of one size times the square of the size, at most, averaged over difficulties."""
MOST_SIZES = 25
"""Sizes of groups in a table; with more raters, some sizes are left out."""
LARGEST_GROUP = 200
"""Groups beyond this size are not tabulated: what more raters can add is seen long before."""
MOST_CELLS = 30_000_000
"""Groups of one size times cases at most: with many cases, fewer groups are looked at."""
MOST_ACCURACIES = 500
"""Of more raters, the difficulty is fitted to so many means of neighbours in accuracy."""
ACCURACIES = tuple(round(0.55 + 0.01 * i, 2) for i in range(45))
"""Accuracies at which the raters needed are tabulated with two labels."""


@dataclass(frozen=True, eq=False)
class PanelAccuracies:
    """A panel whose raters' accuracies are known.

    Attributes
    ----------
    panel : Panel
        Raters and cases.
    standard : {"reference", "majority", "given", "model"}
        What the accuracies are judged by (`core.analysis.raters.accuracy.STANDARDS`).
    member : ndarray of int with shape (n,)
        Codes, within the panel, of the raters whose accuracy is known; only they enter.
    accuracy : ndarray of float64 with shape (n,)
        Of these, in [0, 1].
    truth : ndarray of int with shape (n_cases,)
        Label that counts as right: the reference where the panel has any, else the majority of all its
        readings; −1 where there is none, as where a majority ties.
    """

    panel: Panel
    standard: Standard
    member: IntArray
    accuracy: FloatArray
    truth: IntArray

    @property
    def n_raters(self) -> int:
        """Number of raters that enter."""
        return len(self.member)

    @cached_property
    def confidence(self) -> FloatArray:
        """Mean stated confidence of each rater, a reading without one counting as 1; shape (n,)."""
        readings, n = self.panel.readings, self.panel.n_raters
        total = np.bincount(readings.rater, _stated(self.panel), n)[self.member]
        count = np.bincount(readings.rater, minlength=n)[self.member]
        return np.divide(total, count, out=np.ones(len(count)), where=count > 0)

    @cached_property
    def agreement(self) -> float:
        """Share of agreeing pairs of readings, the mean over cases; NaN where no case has two."""
        return mean_over_cases(agreement_per_case(self.panel.counts)).value

    @cached_property
    def difficulty(self) -> float:
        """Spread of difficulty, in logits, that explains the agreement (`core.metrics.fineness.difficulty`).

        0 for a single rater, and where no two raters read the same case.
        """
        if self.n_raters < 2 or np.isnan(self.agreement):
            return 0.0
        accuracy = condensed(self.accuracy, MOST_ACCURACIES)
        return difficulty_from_agreement(accuracy, self.agreement, n_labels=self.panel.n_labels)


def condensed(accuracy: FloatArray, most: int) -> FloatArray:
    """Accuracies, those of more raters than ``most`` as so many means of neighbours, with shape (n,)."""
    if len(accuracy) <= most:
        return accuracy
    return np.array([part.mean() for part in np.array_split(np.sort(accuracy), most)])


def judge(panel: Panel, *, standard: Standard | None = None, given: Given | None = None) -> PanelAccuracies:
    """Judge the raters of a panel.

    Parameters
    ----------
    panel : Panel
        Raters and cases.
    standard : {"reference", "majority", "given", "model"}, optional
        What they are judged by; by default what is given, else a reference, else the majority of the others.
    given : float or mapping of str to float, optional
        Accuracies from elsewhere.

    Raises
    ------
    ValueError
        Where no rater's accuracy is known, and as `core.analysis.raters.accuracy.rater_accuracy`.
    """
    chosen = best_standard(panel, given) if standard is None else standard
    accuracy = rater_accuracy(panel, chosen, given=given)
    member = np.flatnonzero(~np.isnan(accuracy))
    if len(member) == 0:
        raise ValueError(
            "no rater's accuracy is known: nobody read a case that has a reference or another reading; "
            "give accuracies"
        )
    truth = panel.reference if panel.has_reference else _majority(panel)
    return PanelAccuracies(panel, chosen, member, accuracy[member], truth)


def _majority(panel: Panel) -> IntArray:
    """Label that most readings give, −1 where several tie or nobody read; with shape (n_cases,)."""
    counts = panel.counts
    most = np.zeros(counts.n_cases)
    np.maximum.at(most, counts.case, counts.count)
    leads = counts.count == most[counts.case]
    single = np.bincount(counts.case[leads], minlength=counts.n_cases) == 1
    winners = leads & single[counts.case]
    truth = np.full(counts.n_cases, -1)
    truth[counts.case[winners]] = counts.value[winners]
    return truth


def _stated(panel: Panel) -> FloatArray:
    """Confidence of each reading; 1 where none is stated."""
    confidence = panel.readings.confidence
    return np.where(np.isnan(confidence), 1.0, confidence)


def group_sizes(n_raters: int) -> list[int]:
    """Sizes of groups from 1 to all raters, or `LARGEST_GROUP`: `MOST_SIZES` at most, denser at the start."""
    if n_raters <= MOST_SIZES:
        return list(range(1, n_raters + 1))
    sizes = np.unique(np.geomspace(1, min(n_raters, LARGEST_GROUP), MOST_SIZES).round().astype(int))
    return [int(size) for size in sizes]


def fineness_by_size(
    raters: PanelAccuracies, *, most_groups: int = MOST_GROUPS, progress: Progress | None = None
) -> pd.DataFrame:
    """Fineness and observed accuracy of every reduction against the number of raters (Cabitza 2020, fig. 5).

    Parameters
    ----------
    raters : PanelAccuracies
        Raters, their accuracies, and the labels that count as right.
    most_groups : int
        Groups of one size that are looked at, drawn by the study's seed where there are more.
    progress : callable, optional
        Called with the share done and what is being done.

    Returns
    -------
    DataFrame
        A row for each reduction and size: ``reduction`` (of
        `core.metrics.agreement.rater_groups.REDUCTIONS`), ``n_raters``; ``n_groups`` looked at, and
        ``all_groups``, whether that is all there are; ``readings_per_case`` of those that a group read, the
        mean over groups: less than ``n_raters`` where not everybody read every case, NaN where nobody did;
        ``fineness``, the mean over groups if all read the case and err independently, ``fineness_low`` and
        ``fineness_high`` (5th and 95th percentile of the groups), ``fineness_error`` (standard error of the
        simulation, 0 where exact; a simulation takes `FEW_GROUPS` of the groups);
        ``fineness_dependent``, the mean over groups if raters err on the same, difficult cases (majority, and
        the probabilistic reduction, which does not depend on it; else NaN); ``accuracy``, ``accuracy_low``,
        ``accuracy_high``, the same of the share of cases that the reduction gets right.
    """
    n_raters = raters.n_raters
    most = max(20, min(most_groups, MOST_CELLS // max(1, len(raters.truth))))
    votes = {reduction: _votes(raters, reduction) for reduction in REDUCTIONS}
    rows = []
    sizes = group_sizes(n_raters)
    for place, size in enumerate(sizes):
        if progress is not None:
            progress(place / len(sizes), f"groups of {size} of {n_raters:,} raters")
        groups = rater_groups(n_raters, size, most=most, seed=raters.panel.study.seed)
        dependent = _dependent(raters, groups)
        left = votes["majority"].readings_per_case(raters.member[groups])
        left = left[~np.isnan(left)]
        for reduction in REDUCTIONS:
            fineness, error = _fineness(raters, groups, reduction)
            observed = votes[reduction].accuracy(
                raters.member[groups], probabilistic=reduction == "probabilistic"
            )
            rows.append(
                {
                    "reduction": reduction,
                    "n_raters": size,
                    "n_groups": len(groups),
                    "all_groups": len(groups) == comb(n_raters, size),
                    "readings_per_case": float(left.mean()) if len(left) else float("nan"),
                    **_spread("fineness", fineness),
                    "fineness_error": float(np.sqrt((error**2).sum()) / len(error)),
                    "fineness_dependent": {
                        "majority": dependent,
                        "probabilistic": float(fineness.mean()),
                    }.get(reduction, float("nan")),
                    **_spread("accuracy", observed),
                }
            )
    return pd.DataFrame(rows)


def _dependent(raters: PanelAccuracies, groups: IntArray) -> float:
    """Mean dependent fineness of the majority, over as many groups as the work allows."""
    some = _some(groups, max(FEW_GROUPS, MOST_WORK // groups.shape[1] ** 2))
    found = dependent_group_fineness(raters.accuracy, some, raters.difficulty, n_labels=raters.panel.n_labels)
    return float(found.mean())


def _some(groups: IntArray, most: int) -> IntArray:
    """Draw at most so many of the groups."""
    if len(groups) <= most:
        return groups
    return groups[np.random.default_rng(len(groups)).permutation(len(groups))[:most]]


def _fineness(
    raters: PanelAccuracies, groups: IntArray, reduction: Reduction
) -> tuple[FloatArray, FloatArray]:
    """Fineness of one reduction for each group, and its standard error."""
    exact, n_labels = np.zeros(len(groups)), raters.panel.n_labels
    if reduction == "majority":
        return group_fineness(raters.accuracy, groups, n_labels=n_labels), exact
    if reduction == "probabilistic":
        return probabilistic_fineness(raters.accuracy[groups]), exact
    return weighted_group_fineness(
        raters.accuracy,
        raters.confidence if reduction == "confidence-weighted" else raters.accuracy,
        _some(groups, FEW_GROUPS) if n_labels > 2 or groups.shape[1] > LARGEST_ENUMERATED else groups,
        n_labels=n_labels,
        seed=raters.panel.study.seed,
    )


def _votes(raters: PanelAccuracies, reduction: Reduction) -> GroupVotes:
    """Votes of the panel's readings as the reduction weighs them."""
    panel, weight = raters.panel, None
    if reduction == "confidence-weighted":
        weight = _stated(panel)
    elif reduction == "accuracy-weighted":
        of_rater = np.zeros(panel.n_raters)
        of_rater[raters.member] = raters.accuracy
        weight = of_rater[panel.readings.rater]
    return GroupVotes(
        panel.readings, raters.truth, n_labels=panel.n_labels, n_raters=panel.n_raters, weight=weight
    )


def _spread(name: str, values: FloatArray) -> dict[str, float]:
    """Mean and 5th and 95th percentile of the defined values."""
    defined = values[~np.isnan(values)]
    if len(defined) == 0:
        return dict.fromkeys([name, f"{name}_low", f"{name}_high"], float("nan"))
    low, high = np.percentile(defined, [5, 95])
    return {name: float(defined.mean()), f"{name}_low": float(low), f"{name}_high": float(high)}


def accuracies_for(n_labels: int) -> tuple[float, ...]:
    """Accuracies at which the raters needed are tabulated: above chance, up to .99."""
    if n_labels == 2:
        return ACCURACIES
    lowest = max(0.3, 1 / n_labels + 0.05)
    return tuple(round(0.99 - 0.03 * i, 2) for i in range(24) if 0.99 - 0.03 * i >= lowest)[::-1]


def raters_needed_table(
    fineness: float,
    *,
    difficulty: float = 0.0,
    n_labels: int = 2,
    accuracies: Sequence[float] | None = None,
) -> pd.DataFrame:
    """Raters needed for a wanted fineness, against the accuracy of a rater (Cabitza 2020, fig. 10).

    Parameters
    ----------
    fineness : float
        Wanted, in (0, 1).
    difficulty : float
        Spread of the cases' difficulty on the logit scale, for dependent errors.
    n_labels : int
        Number of labels.
    accuracies : sequence of float, optional
        At which the table is made; `accuracies_for` by default.

    Returns
    -------
    DataFrame
        ``accuracy``; ``needed``, of independent raters; ``needed_dependent``, if they err on the same cases;
        ``bound`` and ``bound_printed`` of eq. 23 with the natural and, as the figure is printed, the decimal
        logarithm (two labels only). Missing where no number of raters is enough.
    """
    accuracies = accuracies_for(n_labels) if accuracies is None else accuracies
    two = n_labels == 2
    columns = {
        "needed": raters_needed_each(accuracies, fineness, n_labels=n_labels),
        "needed_dependent": raters_needed_each(
            accuracies, fineness, difficulty=difficulty, n_labels=n_labels
        ),
        "bound": [raters_bound(a, fineness) if two else None for a in accuracies],
        "bound_printed": [
            raters_bound(a, fineness, logarithm="decimal") if two else None for a in accuracies
        ],
    }
    return pd.DataFrame({"accuracy": accuracies} | columns).astype(dict.fromkeys(columns, "Int64"))


def agreement_of_two(accuracy: float, difficulty: float, *, n_labels: int = 2) -> float:
    """Share of the cases on which two equally accurate raters agree: what a spread of difficulty means."""
    return expected_agreement(np.array([accuracy, accuracy]), difficulty, n_labels=n_labels)
