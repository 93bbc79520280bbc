"""Two aggregation models in their metrics: certainty, and score and rank of every model under both."""

from __future__ import annotations

from typing import Any

import numpy as np
import pandas as pd

from core.analysis.models.finding import listed, signed
from core.analysis.portions import aggregate_portion, portions
from core.analysis.reliability.measure_sums import ANNOTATIONS
from core.analysis.reliability.measures import HELD_OUT, Measures
from core.analysis.reliability.words import aggregation_title
from core.metrics.estimate import mean_over_cases
from core.metrics.rank_correlation import shared_ranks
from core.plausibility.settings import Aggregation
from core.progress import Progress
from core.study.model import FloatArray, Study, Task

COLUMNS = [
    "subject", "metric", "value_a", "value_b", "difference", "standard_error", "n_cases", "rank_a", "rank_b",
    "rank_change",
]  # fmt: skip
CLAIM = (
    "Both take the same readings of the same cases, so a difference shows how far a score depends on how "
    "readings become a truth; it does not show which of the two is right."
)
_LESS = "footrule"
"""Begins the names of metrics of which less is better."""


def two_aggregations(
    study: Study,
    task: Task,
    a: Aggregation,
    b: Aggregation,
    *,
    max_k: int = 3,
    progress: Progress | None = None,
) -> pd.DataFrame:
    """Measure certainty and every model under two aggregation models, on the same cases.

    Parameters
    ----------
    study, task : Study, Task
        The task, and the study that it belongs to.
    a, b : Aggregation
        Two models, or one at two reliabilities.
    max_k : int
        Largest k of the top-k metrics; no more than there are labels.
    progress : callable, optional
        Called with the share done, and with what is done.

    Returns
    -------
    DataFrame
        One row a subject and metric, as `core.analysis.reliability.sweep.metrics_at` has them: ``subject``,
        ``metric``; ``value_a`` and ``value_b``, means over the ``n_cases`` for which both are defined;
        ``difference``, b less a, and its ``standard_error`` over cases, paired; ``rank_a`` and ``rank_b``
        among the models, 1 for the best, equals sharing the best of their ranks, and ``rank_change``, ranks
        gained under b. Of the annotations and the held-out reader there are no ranks.

    Raises
    ------
    ValueError
        As `core.plausibility.aggregate.aggregate` does.
    """
    both = []
    for place, aggregation in enumerate((a, b)):
        if progress is not None:
            progress(place / 2, aggregation_title(aggregation))
        both.append(_per_case(study, task, aggregation, max_k))
    rows = []
    for (subject, metric), first in both[0].items():
        second = both[1].get((subject, metric))
        if second is not None:
            defined = ~np.isnan(first) & ~np.isnan(second)
            moved = mean_over_cases(second[defined] - first[defined])
            means = (mean_over_cases(of[defined]).value for of in (first, second))
            rows.append((subject, metric, *means, moved.value, moved.standard_error, moved.n_cases))
    table = pd.DataFrame(rows, columns=COLUMNS[:7])
    of_models = table[~table["subject"].isin([ANNOTATIONS, HELD_OUT])]
    for side in "ab":
        table[f"rank_{side}"] = of_models.groupby("metric", sort=False)[f"value_{side}"].transform(
            lambda of: _ranks(of.to_numpy(np.float64), str(of_models.loc[of.index[0], "metric"]))
        )
    table["rank_change"] = table["rank_a"] - table["rank_b"]
    return table[COLUMNS].astype(dict.fromkeys(COLUMNS[7:], "Int64"))


def _ranks(value: FloatArray, metric: str) -> Any:
    """Ranks of the models by a metric."""
    return np.asarray(shared_ranks(value, larger_is_better=not metric.startswith(_LESS)), np.float64)


def _per_case(
    study: Study, task: Task, aggregation: Aggregation, max_k: int
) -> dict[tuple[str, str], FloatArray]:
    """Every metric of every subject and case, by subject and metric."""
    measures = Measures(study, task, aggregation, max_k=max_k, spread=False)
    for cases in portions(task, aggregation):
        measures.add(cases, aggregate_portion(study, task, aggregation, cases))
    return measures.per_case


def two_aggregations_finding(table: pd.DataFrame, metric: str, titles: tuple[str, str]) -> str:
    """Say who leads under both, how many models change places, and how far scores move.

    Parameters
    ----------
    table : DataFrame
        Of `two_aggregations`.
    metric : str
        One of its metrics.
    titles : tuple of str
        What the two are called.
    """
    rows = table[(table["metric"] == metric) & table["rank_a"].notna() & table["rank_b"].notna()]
    if rows.empty:
        certainty = table[(table["subject"] == ANNOTATIONS) & (table["metric"] == "top-1 certainty")].iloc[0]
        return (
            f"No model is measured by {metric}. The mean certainty of the leading label is "
            f"{certainty['value_a']:.3f} under {titles[0]} and {certainty['value_b']:.3f} under {titles[1]}."
        )
    leads = [listed(rows.loc[rows[f"rank_{side}"] == 1, "subject"].tolist()) for side in "ab"]
    by = " to ".join(
        dict.fromkeys(signed(end) for end in (rows["difference"].min(), rows["difference"].max()))
    )
    if len(rows) == 1:
        return (
            f"By {metric} {leads[0]} scores {rows['value_a'].iloc[0]:.3f} under {titles[0]} and "
            f"{rows['value_b'].iloc[0]:.3f} under {titles[1]} ({by})."
        )
    moved = int((rows["rank_change"] != 0).sum())
    best = f"by {metric} the best"
    who = (
        f"{leads[0]} is {best} under {titles[0]} and under {titles[1]}"
        if leads[0] == leads[1]
        else f"Under {titles[0]} {leads[0]} is {best}, under {titles[1]} {leads[1]}"
    )
    changed = (
        f"{moved or 'none'} of {len(rows)} models {'changes its place' if moved <= 1 else 'change places'}"
    )
    return f"{who}; {changed}, and scores move by {by}."
