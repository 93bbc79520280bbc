"""Aggregation models by name: from the readings of a task to a posterior over plausibilities."""

from __future__ import annotations

from collections.abc import Sequence

from core.plausibility.dawid_skene import dawid_skene
from core.plausibility.dirichlet import label_counts, prirn
from core.plausibility.gaussian import gaussian
from core.plausibility.irn import irn
from core.plausibility.plackett_luce.posterior import plackett_luce
from core.plausibility.pooled import accuracy_of, pooled_of
from core.plausibility.posterior import Posterior
from core.plausibility.reading_weights import stated_confidence
from core.plausibility.reductions import (
    accuracy_weighted_majority,
    confidence_weighted_majority,
    majority,
    mean_frequency,
)
from core.plausibility.settings import MODELS, Aggregation, models_for
from core.study.model import Readings, Study, Task
from core.study.seeds import case_seeds

LABEL_COUNT_ALPHA = 0.5
"""Prior weight of each label under label counts (Stutz 2025, app. A)."""


def aggregate(
    study: Study, task: Task, aggregation: Aggregation, *, cases: Sequence[int] | None = None
) -> Posterior:
    """Aggregate the readings of a task into a posterior over plausibilities.

    Parameters
    ----------
    study : Study
        Gives the seed and the case ids: a case's draws depend on nothing else.
    task : Task
        One of the study's tasks.
    aggregation : Aggregation
        Model, reliability and options.
    cases : sequence of int, optional
        Only these cases, in this order; all by default. A case's answer does not depend on the others
        (except through pooled quantities: rater accuracies, the prior of scores).

    Returns
    -------
    Posterior

    Raises
    ------
    ValueError
        If the model does not suit the kind of task.
    """
    require_suited(task, aggregation)
    ids = study.case_ids if cases is None else [study.case_ids[i] for i in cases]
    readings = task.readings if cases is None else task.readings.take_cases(cases)
    return aggregate_readings(study, task, aggregation, readings, ids)


def require_suited(task: Task, aggregation: Aggregation) -> None:
    """Raise a ValueError if the model does not suit the kind of the task."""
    if task.kind not in MODELS[aggregation.model].kinds:
        raise ValueError(
            f"model for a {task.kind} task must be one of {', '.join(models_for(task))}, "
            f"got {aggregation.model!r}"
        )


def aggregate_readings(  # noqa: PLR0911 - one return for each model
    study: Study, task: Task, aggregation: Aggregation, readings: Readings, case_ids: Sequence[str]
) -> Posterior:
    """Aggregate readings that need not be the study's own: some left out, changed or added.

    ``case_ids`` has one id for each case of ``readings``; see `aggregate` for the rest.
    """
    n_labels = len(task.labels)
    gamma, tie_rule = aggregation.reliability, aggregation.tie_rule
    weight = stated_confidence(readings) if aggregation.confidence == "weights" else None
    match aggregation.model:
        case "plackett-luce":
            return plackett_luce(
                readings,
                n_labels,
                gamma=gamma,
                seeds=case_seeds(study.seed, case_ids, aggregation.model),
                prior=aggregation.prior,
                draws=aggregation.draws,
                warmup=aggregation.warmup,
                weight=weight,
                tie_rule=tie_rule,
            )
        case "prirn":
            return prirn(
                readings, n_labels, gamma=gamma, ties=aggregation.ties, weight=weight, tie_rule=tie_rule
            )
        case "label-counts":
            return label_counts(
                readings, n_labels, gamma=gamma, alpha=LABEL_COUNT_ALPHA, weight=weight, tie_rule=tie_rule
            )
        case "gaussian":
            if task.threshold is None:
                raise ValueError(f"task {task.name!r} needs a threshold")
            prior = pooled_of(study, task, aggregation).prior
            return gaussian(readings, threshold=task.threshold, gamma=gamma, prior=prior)
        case "irn":
            return irn(readings, n_labels, ties=aggregation.ties, tie_rule=tie_rule)
        case "frequency":
            return mean_frequency(readings, n_labels, tie_rule=tie_rule)
        case "majority":
            return majority(readings, n_labels, tie_rule=tie_rule)
        case "confidence-weighted":
            return confidence_weighted_majority(readings, n_labels, tie_rule=tie_rule)
        case "accuracy-weighted":
            accuracy = accuracy_of(
                pooled_of(study, task, aggregation), int(readings.rater.max(initial=-1)) + 1
            )
            return accuracy_weighted_majority(readings, n_labels, accuracy=accuracy, tie_rule=tie_rule)
        case "dawid-skene":
            fitted = pooled_of(study, task, aggregation).fitted
            assert fitted is not None
            return dawid_skene(readings, n_labels, fitted, tie_rule=tie_rule)
        case unknown:
            raise AssertionError(f"model {unknown!r} is listed but not built")
