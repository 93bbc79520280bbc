"""What labels like the tour's can support of a claimed accuracy, whoever the model is, by readers a case."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from core.analysis.formatting import percent
from core.analysis.tour import N_RATERS
from core.analysis.tour_proof import read_by
from core.metrics.adjusted.metrics import RankedLabels
from core.plausibility.aggregate import LABEL_COUNT_ALPHA
from core.plausibility.dirichlet import label_counts
from core.study.model import FloatArray, Readings
from core.study.simulation.truth import SimulatedStudy

MOST_READERS = 100
READERS = (1, 2, 3, 5, 10, 20, 30, 50, MOST_READERS)
"""Readers a case that are tried for what a claim would need."""
QUESTIONS = (
    "Who read the cases, and without seeing what the model says?",
    "How many read each case, independently of each other?",
    "How often did they agree, and what became of the cases in which they did not?",
)
"""What to ask whoever names an accuracy."""
_UNIT = "\u00a0%"


@dataclass(frozen=True)
class Claim:
    """What labels can support of a claim.

    Attributes
    ----------
    claimed : float
        Share of the cases in which a model names the label that was kept, in [0, 1].
    n_readers : int
        Readings a case.
    low, high : float
        Least and most adjusted accuracy that such a model can have.
    ceiling : float
        The most that any model can have: the mean certainty.
    agreement : float
        Share of the pairs of readings of a case that say the same, by as many readers as are tried.
    needed : int or None
        Fewest of `READERS` by whom the ceiling reaches the claim; None where none do.
    """

    claimed: float
    n_readers: int
    low: float
    high: float
    ceiling: float
    agreement: float
    needed: int | None


def claim(simulated: SimulatedStudy, claimed: float, n_readers: int) -> Claim:
    """Bound what labels can support of a claimed accuracy, for cases like those of the toy problem.

    Parameters
    ----------
    simulated : SimulatedStudy
        From `core.analysis.tour.toy_study`.
    claimed : float
        In [0, 1].
    n_readers : int
        From 1 to `MOST_READERS`.

    Raises
    ------
    ValueError
        If either lies outside.

    Notes
    -----
    With p_ik the probability that label k leads in case i, and q_i the largest of them, a model that names
    the leading label in all but m of N cases has an adjusted accuracy (Stutz 2025, eq. 12) of
    (Σ q_i − Σ d_i) / N, with d_i = q_i − p_ik over the m others. It is largest where these are the m cases
    with the smallest distance to the second label, and least where they are those with the largest to the
    last one. Readings count once, γ = 1; of labels that lead alike one was kept.
    """
    if not 0 <= claimed <= 1:
        raise ValueError(f"claimed must lie between 0 and 1, got {claimed}")
    if not 1 <= n_readers <= MOST_READERS:
        raise ValueError(f"n_readers must lie between 1 and {MOST_READERS}, got {n_readers}")
    leads = np.sort(_leads(simulated, n_readers), axis=1)
    certainty = leads[:, -1]
    others = (1 - claimed) * len(leads)
    to_last, to_second = (np.sort(certainty - leads[:, place]) for place in (0, -2))
    lost = [_sum_of_first(of, others) / len(leads) for of in (to_last[::-1], to_second)]
    least, most = (float(certainty.mean() - of) for of in lost)
    ceilings = ((n, float(_leads(simulated, n).max(axis=1).mean())) for n in READERS)
    needed = next((n for n, ceiling in ceilings if ceiling >= claimed), None)
    agreement = _agreement(_readings(simulated, MOST_READERS))
    return Claim(claimed, n_readers, least, most, float(certainty.mean()), agreement, needed)


def in_words(found: Claim) -> str:
    """Say what the labels can support of the claim, and what it would need."""
    who = "one reader" if found.n_readers == 1 else f"{found.n_readers} readers"
    low, high, most = (percent(value) for value in (found.low, found.high, found.ceiling))
    ends = high if low == high else f"{low.removesuffix(_UNIT)} to {high}"
    said = (
        f"A model that claims {percent(found.claimed)}: with {who} a case, such labels can support {ends}, "
        f"on average over plausible truths, and of no model more than {most}."
    )
    if found.ceiling >= found.claimed:
        return said
    if found.needed is None:
        return f"{said} Even {MOST_READERS} readers a case could not support the claim."
    return f"{said} Labels that could support as much as is claimed need some {found.needed} readers a case."


def of_whom(found: Claim) -> str:
    """Say for which cases that holds."""
    return (
        f"For cases as hard as those of this problem, where two readers of a case agree in "
        f"{percent(found.agreement)}: the more yours agree, the more their labels support."
    )


def _readings(simulated: SimulatedStudy, n: int) -> Readings:
    """The first n readings of each case."""
    readings = read_by(simulated, max(n, N_RATERS))
    return readings.keep(readings.rater < n)


def _leads(simulated: SimulatedStudy, n: int) -> FloatArray:
    """Probability that each label leads, with shape (n_cases, n_labels)."""
    (task,) = simulated.study.tasks.values()
    n_labels = len(task.labels)
    posterior = label_counts(_readings(simulated, n), n_labels, gamma=1.0, alpha=LABEL_COUNT_ALPHA)
    named = (np.full((simulated.study.n_cases, 1), label) for label in range(n_labels))
    return np.column_stack([RankedLabels(posterior, label).top_k_accuracy(1) for label in named])


def _sum_of_first(values: FloatArray, n: float) -> float:
    """Sum of the first n values, of the last one a part."""
    whole = int(n)
    rest = (n - whole) * values[whole] if whole < len(values) else 0.0
    return float(values[:whole].sum() + rest)


def _agreement(readings: Readings) -> float:
    """Share of the pairs of readings of a case that say the same label."""
    label, case = readings.label, readings.case
    n_each = readings.per_case
    counts = np.zeros((readings.n_cases, int(label.max(initial=0)) + 1))
    np.add.at(counts, (case, label), 1)
    return float((counts * (counts - 1)).sum() / (n_each * (n_each - 1)).sum())
