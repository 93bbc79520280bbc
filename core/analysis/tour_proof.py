"""What the toy problem's labels prove of a model: what is claimed, what they support, and what they could.

The range that is supported says what readings alone support. It is no estimate of the known truth: a model
that sees the observation may be better than readings, which know nothing of it, can prove.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import pandas as pd

from core.analysis.formatting import percent, percent_range
from core.analysis.tour import N_RATERS
from core.analysis.tour_leads import ahead, counts_of, leads, votes
from core.metrics.adjusted.ceiling import ceiling_range
from core.study.model import Readings
from core.study.simulation.readers import assign, draw_choices, plain_readings
from core.study.simulation.truth import SimulatedStudy

MODEL, PERFECT = "Shifted", "Bayes-optimal"
"""The model that is judged, and one that always names the likeliest condition."""
READINGS = (N_RATERS, 100)
"""Readings a case: the usual number, and one that tells the two apart."""
TAKE_HOME = (
    "An accuracy proves no more than the labels behind it: ask how many cases there were, how many experts "
    "read each, how often they agreed, and how many of the dangerous cases the model names, before you ask "
    "which model is best."
)


def read_by(simulated: SimulatedStudy, n_raters: int) -> Readings:
    """Readings of the toy problem's cases by its own raters and, beyond these, by others like them.

    Parameters
    ----------
    simulated : SimulatedStudy
        From `core.analysis.tour.toy_study`.
    n_raters : int
        Readings of each case; at least `N_RATERS`.

    Raises
    ------
    ValueError
        If that is fewer.
    """
    (task,) = simulated.study.tasks.values()
    if n_raters < N_RATERS:
        raise ValueError(f"n_raters must be {N_RATERS} or more, got {n_raters}")
    if n_raters == N_RATERS:
        return task.readings
    n_cases, more = simulated.study.n_cases, n_raters - N_RATERS
    rng = np.random.default_rng([simulated.study.seed, n_raters])
    others = assign(rng, n_cases, raters_per_case=more, n_raters=more)
    drawn = draw_choices(rng, others, simulated.truth.plausibility, np.ones(more))
    label = np.hstack([one.label.reshape(n_cases, -1) for one in (task.readings, drawn)]).ravel()
    every = assign(rng, n_cases, raters_per_case=n_raters, n_raters=n_raters)
    return plain_readings(every, np.ones(len(label), np.int64), label, np.zeros_like(label))


def proof_table(
    simulated: SimulatedStudy,
    *,
    reliability: float = 1.0,
    n_readings: Sequence[int] = READINGS,
) -> pd.DataFrame:
    """Say what the labels prove of `MODEL` and of `PERFECT`, with few readings a case and with more.

    Parameters
    ----------
    simulated : SimulatedStudy
        From `core.analysis.tour.toy_study`.
    reliability : float
        γ of the plausible truths, positive.
    n_readings : sequence of int
        Readings a case, each at least `N_RATERS`.

    Returns
    -------
    DataFrame
        One row a number of readings and model: ``readings`` a case; ``model``; ``claimed``, the accuracy by
        the majority label; ``low`` and ``high``, between which the accuracy lies in `MIDDLE` of the plausible
        truths, and ``supported``, its mean; ``ceiling``, the highest mean that any model could have,
        and ``ceiling_low`` and ``ceiling_high``, between which that model lies in `MIDDLE` of the truths;
        ``ahead``, the share of plausible truths by which this model is better than the other, equals counting
        half; ``known``, the accuracy by the true plausibilities; ``n_cases``.

    Notes
    -----
    By the majority label: most votes, ties split, which is the point estimate of label counts, γ = ∞.
    ``supported`` is the mean of P(arg max λ is the label predicted) (Stutz 2025, eq. 12), ``low`` and
    ``high`` are quantiles of the number of cases that are right, a sum of independent trials that is counted
    exactly, and ``ceiling`` is the mean certainty (eq. 8); both ranges are those of
    `core.metrics.adjusted.ceiling.ceiling_range`. ``ahead`` is exact as well (`core.analysis.tour_leads`).
    """
    study, truth = simulated.study, simulated.truth
    (task,) = study.tasks.values()
    cases = np.arange(study.n_cases)
    predicted = {name: task.predictions[name].probability.argmax(axis=1) for name in (MODEL, PERFECT)}
    rows = []
    for n in n_readings:
        counts = counts_of(read_by(simulated, n), len(task.labels))
        voted, leading = votes(counts), leads(counts, reliability)
        certainty = leading.max(axis=1)
        ceiling = ceiling_range(certainty)
        for name, other in ((MODEL, PERFECT), (PERFECT, MODEL)):
            right = leading[cases, predicted[name]]
            low, high = ceiling_range(right)
            differ = predicted[name] != predicted[other]
            rows.append(
                {
                    "readings": n,
                    "model": name,
                    "claimed": float(voted[cases, predicted[name]].mean()),
                    "low": low,
                    "high": high,
                    "supported": float(right.mean()),
                    "ceiling": float(certainty.mean()),
                    "ceiling_low": ceiling[0],
                    "ceiling_high": ceiling[1],
                    "ahead": ahead(right[differ], leading[cases, predicted[other]][differ]),
                    "known": float((predicted[name] == truth.reference).mean()),
                    "n_cases": study.n_cases,
                }
            )
    return pd.DataFrame(rows)


def row_of(table: pd.DataFrame, model: str = MODEL, *, readings: int = N_RATERS) -> pd.Series:
    """Row of `proof_table` of a model and a number of readings."""
    return table[(table["model"] == model) & (table["readings"] == readings)].iloc[0]


def range_in_words(row: pd.Series, between: str = " to ") -> str:
    """Write what is supported: 61 to 73 %; one number where both ends are the same as written."""
    return percent_range(row["low"], row["high"], between)


def ceiling_in_words(row: pd.Series, between: str = " to ") -> str:
    """Write what is granted to any model at most, as `range_in_words`: 73 to 85 %."""
    return percent_range(row["ceiling_low"], row["ceiling_high"], between)


def wrong_labels(n_cases: int, ceiling: float) -> int:
    """Number of labels kept that are expected to be wrong, as uncertain as they are."""
    return round(n_cases * (1 - ceiling))


def claim_in_words(table: pd.DataFrame) -> str:
    """Say what is claimed of a model, and what the labels support of it, and of any model at most."""
    row = row_of(table)
    wrong = wrong_labels(row["n_cases"], row["ceiling"])
    return (
        f"An example, not your model: it names the majority label in {percent(row['claimed'])} of "
        f"{row['n_cases']} such cases: that is the claim. But about {wrong} of these labels are probably "
        "wrong, nobody knows which. To agree with those is no merit.\n\n"
        f"So these labels support **{range_in_words(row)}** of this model, and of any model at most "
        f"**{ceiling_in_words(row)}**: the ceiling.\n\nA better model "
        "cannot be told from it by these labels; with more readings of each case it could be."
    )
