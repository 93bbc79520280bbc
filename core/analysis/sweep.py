"""Certainty and adjusted metrics: at one reliability, and against reliability."""

from __future__ import annotations

from collections.abc import Callable, Sequence

import numpy as np
import pandas as pd

from core.analysis.aggregate import RELIABILITIES, Aggregation, aggregate
from core.analysis.human import held_out_reader, lists_labels
from core.metrics.adjusted import adjusted_metrics
from core.metrics.certainty import certainties, share_below
from core.metrics.estimate import Estimate, mean_over_cases
from core.metrics.predicted_order import PredictedOrder
from core.metrics.spread import spread_over_draws
from core.plausibility.draws import SampledPosterior
from core.plausibility.posterior import Posterior
from core.study.model import FloatArray, Predictions, Study, Task
from core.study.seeds import case_seeds

Progress = Callable[[float, str], None]

ANNOTATIONS = "annotations"
HELD_OUT = "held-out reader"
TOP_1 = "top-1 accuracy"
WORST_RHAT = "worst R-hat"
SMALLEST_ESS = "smallest effective sample size"
NOT_MIXED = "share of cases whose chains have not mixed"
N_DRAWS = 1000
"""Draws for the spread of a metric under an exact posterior."""
_COLUMNS = ["reliability", "subject", "metric", "value", "standard_error", "low", "high", "n_cases"]


def metrics_at(study: Study, task: Task, aggregation: Aggregation, *, max_k: int = 3) -> pd.DataFrame:
    """Measure certainty and every model at one reliability.

    Parameters
    ----------
    study, task, aggregation
        As for `core.analysis.aggregate.aggregate`.
    max_k : int
        Largest k of the top-k metrics; no more than there are labels.

    Returns
    -------
    DataFrame
        One row a subject and metric: ``reliability``; ``subject`` ("annotations", the name of a model that
        gives probabilities, or "held-out reader"); ``metric``; ``value`` and ``standard_error`` over cases;
        ``low`` and ``high``, the 2.5 % and 97.5 % quantiles over plausibility draws (NaN for certainty, which
        is itself a statement about all draws); ``n_cases`` that entered. The held-out reader of a choice has
        top-1 accuracy alone (`core.analysis.human.reader_left_out`). Of a posterior that is sampled, the
        annotations have `WORST_RHAT`, `SMALLEST_ESS` and `NOT_MIXED` too (`core.plausibility.convergence`),
        without an error.
    """
    posterior = aggregate(study, task, aggregation)
    max_k = min(max_k, len(task.labels))
    rows = [
        (ANNOTATIONS, name, estimate, (np.nan, np.nan))
        for name, estimate in _certainties(task, posterior, max_k)
    ]
    if isinstance(posterior, SampledPosterior):
        rows += [(ANNOTATIONS, name, value, (np.nan, np.nan)) for name, value in _sampling(posterior)]
    subjects: list[tuple[str, Posterior, Predictions | PredictedOrder, int]] = [
        (model, posterior, task.predictions[model], max_k) for model in task.probability_models
    ]
    if task.kind != "score" and (task.readings.per_case >= 2).any():
        depth = max_k if lists_labels(task) else 1
        reader = held_out_reader(study, task, aggregation, length=depth)
        subjects.append((HELD_OUT, reader.posterior, reader.predicted, depth))
    draws_of = {truth: sampled_posterior(study, truth, aggregation) for _, truth, _, _ in subjects}
    for subject, truth, predicted, depth in subjects:
        spread = spread_over_draws(draws_of[truth], predicted, max_k=depth)
        for name, per_case in adjusted_metrics(truth, predicted, max_k=depth).items():
            # A list of one label has no other metric: the rest would say the same under other names.
            if depth == max_k or name == TOP_1:
                rows.append((subject, name, mean_over_cases(per_case), _band(spread[name])))
    return pd.DataFrame(
        [
            (aggregation.reliability, subject, name, e.value, e.standard_error, *band, e.n_cases)
            for subject, name, e, band in rows
        ],
        columns=_COLUMNS,
    )


def _certainties(task: Task, posterior: Posterior, max_k: int) -> list[tuple[str, Estimate]]:
    """Mean certainties of the annotations, and the share of cases that are not quite certain."""
    per_case = certainties(posterior, task.risk if task.has_risk else None, max_j=max_k)
    estimates = [(name, mean_over_cases(value)) for name, value in per_case.items()]
    estimates.append(("share of cases below 99 % certainty", share_below(per_case["top-1 certainty"])))
    if task.has_risk:
        estimates.append(
            ("share of cases below 99 % risk certainty", share_below(per_case["risk certainty"]))
        )
    return estimates


def _sampling(posterior: SampledPosterior) -> list[tuple[str, Estimate]]:
    """Whether the draws can be trusted, in the worst case and over all."""
    # It takes half a second to import, which a first page need not wait for.
    from core.plausibility.convergence import convergence, convergence_summary

    table = convergence(posterior)
    summary, n = convergence_summary(table), len(table.dropna())
    return [
        (WORST_RHAT, Estimate(summary["worst_rhat"], np.nan, n)),
        (SMALLEST_ESS, Estimate(summary["smallest_ess"], np.nan, n)),
        (NOT_MIXED, Estimate(summary["share_above_limit"], np.nan, n)),
    ]


def sampled_posterior(study: Study, posterior: Posterior, aggregation: Aggregation) -> Posterior:
    """Draws of the posterior: its own, or new ones from an exact one; of a point estimate there are none."""
    if isinstance(posterior, SampledPosterior) or np.isinf(aggregation.reliability):
        return posterior
    return posterior.sample(N_DRAWS, case_seeds(study.seed, study.case_ids, f"{aggregation.model} spread"))


def _band(over_draws: FloatArray) -> tuple[float, float]:
    """2.5 % and 97.5 % quantiles over draws."""
    low, high = np.quantile(over_draws, [0.025, 0.975])
    return float(low), float(high)


def sweep(
    study: Study,
    task: Task,
    aggregation: Aggregation,
    *,
    reliabilities: Sequence[float] = RELIABILITIES,
    progress: Progress | None = None,
) -> pd.DataFrame:
    """Measure certainty and every model against reliability (Stutz 2025, fig. 6).

    Parameters
    ----------
    study, task, aggregation
        As for `metrics_at`; the aggregation's own reliability does not matter.
    reliabilities : sequence of float
        In any order; ∞ gives the point estimates (the crosses of the figure).
    progress : callable, optional
        Called with the share done, in [0, 1], and what is being done.

    Returns
    -------
    DataFrame
        The rows of `metrics_at` for each reliability.
    """
    tables = []
    for step, reliability in enumerate(reliabilities):
        if progress is not None:
            progress(step / len(reliabilities), f"reliability {reliability:g}")
        tables.append(metrics_at(study, task, aggregation.at(reliability)))
    if progress is not None:
        progress(1.0, "done")
    return pd.concat(tables, ignore_index=True)


def compare_certainty(study: Study, task: Task, a: Aggregation, b: Aggregation) -> pd.DataFrame:
    """Lay the certainties of two aggregations side by side (Stutz 2025, fig. E.15).

    Returns
    -------
    DataFrame
        ``case_id``, ``certainty_a``, ``certainty_b`` for cases that both define; ``attrs["correlation"]`` is
        Pearson's, NaN where one of them does not vary.
    """
    table = pd.DataFrame(
        {
            "case_id": study.case_ids,
            "certainty_a": aggregate(study, task, a).certainty(1),
            "certainty_b": aggregate(study, task, b).certainty(1),
        }
    ).dropna(ignore_index=True)
    pair = table[["certainty_a", "certainty_b"]].to_numpy()
    varies = len(table) > 1 and (np.ptp(pair, axis=0) > 0).all()
    table.attrs["correlation"] = float(np.corrcoef(pair.T)[0, 1]) if varies else np.nan
    return table
