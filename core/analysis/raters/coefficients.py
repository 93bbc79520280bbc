"""Coefficients of agreement side by side, each with its interval and a sentence; and by label."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import pandas as pd

from core.analysis.raters.pairs import compare_differentials, compare_pairs
from core.analysis.raters.panel import Panel, generator_of
from core.analysis.raters.settings import N_BOOT
from core.metrics.agreement.chance import (
    Coefficient,
    chance_agreement,
    percentile_interval,
    resampled_means,
    why_undefined,
    with_interval,
)
from core.metrics.agreement.chance_names import (
    AC1,
    AC2,
    ALPHA,
    ALPHA_INTERVAL,
    ALPHA_ORDINAL,
    FLEISS,
    OBSERVED,
    ORDERED_COEFFICIENTS,
)
from core.metrics.agreement.differentials import DifferentialAgreement
from core.metrics.agreement.influence import influence_error
from core.metrics.agreement.labels import agreement_by_label
from core.metrics.agreement.pairs import MOST_RATERS, PairAgreement
from core.metrics.agreement.rating_counts import RatingCounts
from core.metrics.estimate import mean_over_cases
from core.study.model import FloatArray, Task

COHEN = "Mean Cohen κ"
OVERLAP = "average overlap @3"
TOP1 = "same first label"

SKEWED = 0.8
"""Share of one label from which on κ and α are warned about."""
COLUMNS = [
    "coefficient", "basis", "value", "low", "high", "standard_error", "error_low", "error_high", "n_cases",
    "undefined", "why_no_interval", "sentence",
]  # fmt: skip


LABEL_COLUMNS = [
    "label", "share", "coefficient", "value", "low", "high", "standard_error", "error_low", "error_high",
    "n_cases", "undefined", "why_no_interval",
]  # fmt: skip


@dataclass(frozen=True, eq=False)
class Evidence:
    """What coefficients of agreement are made of.

    Attributes
    ----------
    task : Task
        Gives the kind and the labels.
    seed : int
        Of the study.
    counts : RatingCounts
        Labels of each case.
    ordered : RatingCounts or None
        Values of each case in their order; None where they have none.
    pairs : PairAgreement or None
        Raters two by two; None where they cannot be compared.
    differentials : DifferentialAgreement or None
        Overlap of differentials; None where there are none, or too many raters.
    """

    task: Task
    seed: int
    counts: RatingCounts
    ordered: RatingCounts | None = None
    pairs: PairAgreement | None = None
    differentials: DifferentialAgreement | None = None

    def generator(self, purpose: str) -> np.random.Generator:
        """Source of randomness, as `core.analysis.raters.panel.Panel.generator`."""
        return generator_of(self.seed, purpose)

    @property
    def label_share(self) -> FloatArray:
        """Share of the readings that say each label."""
        of_cell = self.counts.count * self.counts.weight[self.counts.case]
        said = np.bincount(self.counts.value, of_cell, self.counts.n_values)
        return said / max(float(said.sum()), 1.0)


def evidence_of(panel: Panel, *, ordered: bool = False) -> Evidence:
    """What a panel says of agreement; ``ordered`` as `coefficient_table` takes it."""
    few = panel.n_raters <= MOST_RATERS
    return Evidence(
        panel.task,
        panel.study.seed,
        panel.counts,
        panel.ordered_counts() if ordered or panel.task.kind == "score" else None,
        compare_pairs(panel) if few and panel.identified else None,
        compare_differentials(panel) if few and panel.task.kind == "ranking" else None,
    )


def coefficient_table(panel: Panel, *, ordered: bool = False, n_boot: int = N_BOOT) -> pd.DataFrame:
    """All coefficients of agreement of the panel.

    Parameters
    ----------
    panel : Panel
        Raters and cases.
    ordered : bool
        Whether the labels of a choice or ranking task have an order, that of the study; scores always have.
    n_boot : int
        Resamples of cases for the intervals; none for 0.

    Returns
    -------
    DataFrame
        ``coefficient``; ``basis`` ("labels", "label order", "scores" or "differentials": what it compares);
        ``value``; ``low``, ``high`` (95 % bootstrap interval over cases); ``standard_error`` over cases,
        without resampling, and ``error_low``, ``error_high`` (95 % interval from it); ``n_cases`` with two
        readings or more; ``undefined`` (why there is no value; empty where there is one),
        ``why_no_interval`` (the same for the intervals) and ``sentence`` (what the value says, in plain
        words).

    Notes
    -----
    The interval of the mean Cohen κ resamples the influence of each case on it (first order), the others
    resample the coefficient itself. Intervals take the raters as they are: they say how much depends on
    which cases were read.
    """
    return coefficients_from(evidence_of(panel, ordered=ordered), n_boot=n_boot)


def coefficients_from(seen: Evidence, *, n_boot: int = N_BOOT) -> pd.DataFrame:
    """Table of `coefficient_table` from what it is made of."""
    rows = [
        (name, "labels", found)
        for name, found in chance_agreement(
            seen.counts, n_boot=n_boot, rng=seen.generator("agreement")
        ).items()
    ]
    cohen = _mean_cohen(seen, n_boot)
    if cohen is not None:
        rows.insert(1, (COHEN, "labels", cohen))
    if seen.ordered is not None:
        basis = "scores" if seen.task.kind == "score" else "label order"
        found = chance_agreement(seen.ordered, n_boot=n_boot, rng=seen.generator("ordered agreement"))
        rows += [(name, basis, found[name]) for name in ORDERED_COEFFICIENTS if name in found]
    rows += [(name, "differentials", found) for name, found in _overlaps(seen, n_boot)]
    skew = _most_given(seen.task, seen.label_share)
    return pd.DataFrame(
        [
            (
                *(name, basis, c.value, c.low, c.high, c.standard_error, *c.error_interval(), c.n_cases),
                *(c.undefined, c.why_no_interval, _sentence(name, c, skew)),
            )
            for name, basis, c in rows
        ],
        columns=COLUMNS,
    )


def _mean_cohen(seen: Evidence, n_boot: int) -> Coefficient | None:
    """Mean of Cohen's κ over pairs of raters; None where raters cannot be compared two by two."""
    if seen.pairs is None:
        return None
    pairs, counts = seen.pairs, seen.counts
    value = pairs.mean_kappa
    if np.isnan(value):
        reason = why_undefined(counts) or "no two raters differ in a way that κ could measure"
        return Coefficient(value, float("nan"), float("nan"), counts.n_paired, reason)
    # A resample that has the cases w_i times has about κ + Σ w_i influence_i, and w_i averages 1.
    shifts = resampled_means(
        pairs.influence * counts.n_in_study, n_boot=n_boot, rng=seen.generator("mean Cohen")
    )
    error = influence_error(pairs.influence, counts.n_read)
    return with_interval(value, percentile_interval(value + shifts), counts.n_paired, standard_error=error)


def _overlaps(seen: Evidence, n_boot: int) -> list[tuple[str, Coefficient]]:
    """Mean overlap of differentials, with intervals."""
    found = seen.differentials
    if found is None:
        return []
    rows = []
    for name, per_case in ((OVERLAP, found.overlap), (TOP1, found.top1)):
        defined = per_case[~np.isnan(per_case)]
        if len(defined) == 0:
            nothing = Coefficient(np.nan, np.nan, np.nan, 0, why_undefined(seen.counts))
            rows.append((name, nothing))
            continue
        means = resampled_means(defined, n_boot=n_boot, rng=seen.generator(name))
        mean = mean_over_cases(defined)
        found_in = percentile_interval(means)
        rows.append(
            (name, with_interval(mean.value, found_in, len(defined), standard_error=mean.standard_error))
        )
    return rows


def largest_share(panel: Panel) -> tuple[str, float]:
    """The label given most often, of equals the first in the label order, and its share of the readings."""
    return _most_given(
        panel.task, np.bincount(panel.code, minlength=panel.n_labels) / max(len(panel.code), 1)
    )


def _most_given(task: Task, share: FloatArray) -> tuple[str, float]:
    """Name and share of the label with the largest share."""
    label = int(share.argmax())
    return task.labels[label] if label < len(task.labels) else "", float(share[label])


_BEYOND = "Of the agreement that chance leaves open, raters reach {percent} %"
_LEFT = "{left} % of the disagreement that chance would give is left"
_BELOW = "Below 0: raters agree less often than chance alone would have them."
_SENTENCES = {
    OBSERVED: "Two raters of a case give the same label {percent} times in 100; some of it is luck.",
    COHEN: f"{_BEYOND} on average over pairs, each rater with their own habits.",
    FLEISS: f"{_BEYOND}, if all raters shared one habit of choosing labels.",
    ALPHA: f"{_LEFT}; missing readings are allowed for.",
    AC1: f"{_BEYOND}, where only guesses at hard cases count as chance: it survives rare labels.",
    ALPHA_ORDINAL: f"{_LEFT}, where a near miss in the order counts less.",
    ALPHA_INTERVAL: f"{_LEFT}, where squared distances count.",
    AC2: f"{_BEYOND}, where near misses count as partial agreement: it survives rare values.",
    OVERLAP: "Two differentials of a case share {percent} % of their leading labels, over depths 1 to 3.",
    TOP1: "Two differentials of a case begin with the same label {percent} times in 100, on average over all "
    "ways of breaking ties; observed agreement breaks each tie once, by lot, and so differs a little.",
}


def _sentence(name: str, found: Coefficient, skew: tuple[str, float]) -> str:
    """What a coefficient says, in plain words."""
    if np.isnan(found.value):
        return f"{name[0].upper()}{name[1:]} has no value here: {found.undefined}."
    percent, left = (f"{100 * value:.0f}" for value in (found.value, 1 - found.value))
    below = found.value < 0 and name not in (OBSERVED, OVERLAP, TOP1)
    sentence = _BELOW if below else _SENTENCES[name].format(percent=percent, left=left)
    label, share = skew
    if share >= SKEWED and name in (FLEISS, ALPHA, COHEN):
        sentence += (
            f" {100 * share:.0f} % of the readings say {label}: chance as it is counted here then explains "
            f"nearly all agreement, and the value is low even where raters agree; look at {AC1} too."
        )
    return sentence


def label_table(panel: Panel, *, n_boot: int = N_BOOT) -> pd.DataFrame:
    """Agreement about each label against all others.

    Returns
    -------
    DataFrame
        One row a label that somebody gave and a coefficient, labels in the study's order: ``label``,
        ``share`` (of the readings), ``coefficient``, ``value``, ``low``, ``high``, ``standard_error``,
        ``error_low``, ``error_high``, ``n_cases``, ``undefined`` and ``why_no_interval``, as in
        `coefficient_table`.
    """
    return labels_from(evidence_of_labels(panel), n_boot=n_boot)


def evidence_of_labels(panel: Panel) -> Evidence:
    """What a panel says of agreement about labels alone."""
    return Evidence(panel.task, panel.study.seed, panel.counts)


def labels_from(seen: Evidence, *, n_boot: int = N_BOOT) -> pd.DataFrame:
    """Table of `label_table` from what it is made of."""
    found = agreement_by_label(seen.counts, n_boot=n_boot, rng=seen.generator("agreement by label"))
    share = seen.label_share
    rows = [
        (
            *(seen.task.labels[k], share[k], name, c.value, c.low, c.high, c.standard_error),
            *(*c.error_interval(), c.n_cases, c.undefined, c.why_no_interval),
        )
        for k in sorted(next(iter(found.values())))
        for name, c in ((name, by_label[k]) for name, by_label in found.items())
    ]
    return pd.DataFrame(rows, columns=LABEL_COLUMNS)
