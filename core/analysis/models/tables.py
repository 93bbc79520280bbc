"""Everything that is asked of a comparison of models, as tables: measured once, and drawn again and again."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np
import pandas as pd

from core.analysis.models.best import (
    best_table,
    correlation_draws,
    correlation_table,
    pair_table,
    rank_table,
    stability_tests,
)
from core.analysis.models.comparison import Comparison, comparison
from core.analysis.models.finding import reasons
from core.analysis.models.hard_labels import hard_label_words, hard_truth, share_of_label
from core.analysis.models.meter import METRICS
from core.analysis.models.rank_change import rank_agreement, rank_change
from core.analysis.models.settings import ComparisonSettings
from core.analysis.models.stability import stability
from core.plausibility.settings import Aggregation, TieRule, default_aggregation
from core.progress import Progress
from core.study.brief import brief
from core.study.model import Study, Task


@dataclass(frozen=True, eq=False)
class Measured:
    """All models of a task against hard and soft labels, on the readings and cases as they are.

    Attributes
    ----------
    compared : Comparison
        Label, models and cases.
    metrics, agreement, labels : DataFrame
        Of `core.analysis.models.rank_change.rank_change`, of
        `core.analysis.models.rank_change.rank_agreement`, and of `label_table`.
    refused : mapping of str to str
        Metrics without a hard and a soft value of any model, with the reason.
    """

    compared: Comparison
    metrics: pd.DataFrame
    agreement: pd.DataFrame
    labels: pd.DataFrame
    refused: Mapping[str, str]

    __repr__ = brief


def measured(
    study: Study,
    task: Task,
    settings: ComparisonSettings = ComparisonSettings(),  # noqa: B008 - frozen
    *,
    aggregation: Aggregation | None = None,
    averages: bool = True,
) -> Measured:
    """Measure all models of a task.

    Parameters and errors are those of `core.analysis.models.rank_change.rank_change`.
    """
    compared = comparison(study, task, label=settings.label, coverage=settings.coverage)
    metrics = rank_change(study, task, settings, aggregation=aggregation, averages=averages)
    return Measured(
        compared,
        metrics,
        rank_agreement(metrics),
        label_table(study, compared, tie_rule=(aggregation or default_aggregation(task)).tie_rule),
        _refused(metrics),
    )


def _refused(metrics: pd.DataFrame) -> dict[str, str]:
    """Metrics that no model has both values of, with the reasons."""
    refused = {}
    for metric, of in metrics.groupby("metric", sort=False):
        if of[["hard", "soft"]].isna().any(axis=1).all():
            refused[str(metric)] = reasons(of)
    return refused


def label_table(study: Study, compared: Comparison, *, tie_rule: TieRule = "split") -> pd.DataFrame:
    """Soft and hard label of every compared case (Lionetti 2025, fig. 4).

    Returns
    -------
    DataFrame
        One row a case: ``case_id``; ``plausibility``, the share of votes for the compared label, in [0, 1];
        ``hard_label``, the label with most votes, of a tie all of them (“A or B (tied)”); ``hard_share``, how
        far the compared label is the hard one: 0, 1, or 1/m in a tie of m labels; ``n_readings``.
    """
    task = compared.task
    truth = hard_truth(compared, tie_rule)
    return pd.DataFrame(
        {
            "case_id": [study.case_ids[i] for i in compared.cases],
            "plausibility": compared.plausibility,
            "hard_label": hard_label_words(truth, task.labels),
            "hard_share": share_of_label(truth, compared.label_code),
            "n_readings": task.readings.per_case[compared.cases],
        }
    )


@dataclass(frozen=True, eq=False)
class Resampled:
    """How sure the order of the models is.

    Attributes
    ----------
    pairs, best, ranks, correlation_draws, correlations, tests : DataFrame
        As the functions of `core.analysis.models.best` give them.
    drawn : frozenset of (source, metric)
        What there are draws of.
    left_out : mapping of str to mapping of str to str
        For each metric, the models that it is not defined for, with the reason.
    refused : mapping of str to str
        Metrics that are defined for no model, with the reason.
    n_draws : int
        Draws of truths and cases.
    """

    pairs: pd.DataFrame
    best: pd.DataFrame
    ranks: pd.DataFrame
    correlation_draws: pd.DataFrame
    correlations: pd.DataFrame
    tests: pd.DataFrame
    drawn: frozenset[tuple[str, str]]
    left_out: Mapping[str, Mapping[str, str]]
    refused: Mapping[str, str]
    n_draws: int

    __repr__ = brief


def resampled(
    study: Study,
    task: Task,
    settings: ComparisonSettings = ComparisonSettings(),  # noqa: B008 - frozen
    *,
    metrics: Sequence[str] = METRICS,
    aggregation: Aggregation | None = None,
    progress: Progress | None = None,
) -> Resampled:
    """Draw truths and cases, and say what that does to the order of the models.

    Parameters and errors are those of `core.analysis.models.stability.stability`.
    """
    stable = stability(
        study,
        task,
        settings,
        metrics=metrics,
        sources=settings.sources,
        aggregation=aggregation,
        progress=progress,
    )
    draws = correlation_draws(stable)
    return Resampled(
        pairs=pair_table(stable),
        best=best_table(stable),
        ranks=rank_table(stable),
        correlation_draws=draws,
        correlations=correlation_table(draws),
        tests=stability_tests(draws),
        drawn=frozenset(stable.drawn),
        left_out=stable.left_out,
        refused=stable.refused,
        n_draws=settings.n_draws,
    )


def differ_in_cases(task: Task) -> bool:
    """Whether the models of a task predicted different cases, so that it matters which they are judged on."""
    covered = np.array([of.covered for of in task.predictions.values()])
    return len(covered) > 0 and bool((covered != covered[0]).any())
