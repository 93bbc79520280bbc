"""Aggregation models by name: from the readings of a task to a posterior over plausibilities."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import lru_cache
from typing import Literal

from core.plausibility.dawid_skene import DawidSkene, dawid_skene, fit_dawid_skene
from core.plausibility.dirichlet import label_counts, prirn
from core.plausibility.gaussian import gaussian, score_prior
from core.plausibility.irn import irn
from core.plausibility.plackett_luce.posterior import plackett_luce
from core.plausibility.point import TieRule, check_tie_rule
from core.plausibility.posterior import Posterior
from core.plausibility.reading_agreement import rater_agreement
from core.plausibility.reading_weights import stated_confidence
from core.plausibility.reductions import (
    accuracy_weighted_majority,
    confidence_weighted_majority,
    majority,
    mean_frequency,
)
from core.study.model import Kind, Readings, Study, Task
from core.study.seeds import case_seeds

RELIABILITIES: tuple[float, ...] = (
    0.25, 0.5, 0.75, 1, 1.5, 2, 3, 5, 7.5, 10, 15, 20, 30, 50, 100, math.inf,
)  # fmt: skip
"""The steps of the reliability slider, about even on a log scale; ∞ is the point estimate."""

LABEL_COUNT_ALPHA = 0.5
"""Prior weight of each label under label counts (Stutz 2025, app. A)."""

Answer = Literal["exact", "draws", "point"]


@dataclass(frozen=True)
class Aggregation:
    """How readings become a posterior: a model, its reliability and its options.

    Attributes
    ----------
    model : str
        A key of `MODELS`.
    reliability : float
        γ > 0, the trust in the raters: each reading counts γ times, under PrIRN all readings of a case
        together γ times; ∞ is the point estimate.
    confidence : {"ignored", "weights"}
        Plackett–Luce, PrIRN and label counts: whether a reading counts as much as its stated confidence c in
        [0, 1], γ·c times: 1 where none is stated, and 0 as if it had not been given. Weights are not scaled
        up, so readings of less than full confidence count less in all.
    error_prior : float
        Dawid–Skene: how strongly raters are taken to be right before they are heard. For each truth, every
        rater is given so many further readings that are right, and so many spread evenly over all labels;
        prevalences are given so many cases spread evenly. 0 is the maximum-likelihood estimate of 1979.
    ties : {"split", "full"}
        IRN and PrIRN: whether tied labels divide their block's weight or each get all of it.
    prior : {"released", "per_label"}
        Plackett–Luce: the prior on the labels' rates.
    draws, warmup : int
        Plackett–Luce: draws kept for each case, and dropped before them.
    tie_rule : {"split", "first label"}
        What becomes of labels that lead alike, in a point estimate or a hard label: every metric is its mean
        over all ways of breaking the tie, or the study's first label is taken. It has nothing to do with
        ``ties``, which is about labels that one differential ranks alike.
    """

    model: str
    reliability: float = math.inf
    ties: Literal["split", "full"] = "split"
    prior: Literal["released", "per_label"] = "released"
    draws: int = 1000
    warmup: int = 500
    tie_rule: TieRule = "split"
    confidence: Literal["ignored", "weights"] = "ignored"
    error_prior: float = 1.0

    def __post_init__(self) -> None:
        check_tie_rule(self.tie_rule)
        if self.model not in MODELS:
            raise ValueError(f"model must be one of {', '.join(MODELS)}, got {self.model!r}")
        if not self.reliability > 0:
            raise ValueError(f"reliability must be above 0 (inf allowed), got {self.reliability!r}")
        if self.confidence not in ("ignored", "weights"):
            raise ValueError(f"confidence must be ignored or weights, got {self.confidence!r}")
        if self.confidence == "weights" and not MODELS[self.model].can_weigh:
            able = ", ".join(name for name, model in MODELS.items() if model.can_weigh)
            raise ValueError(f"confidence can be weights under {able}, got the model {self.model!r}")
        if not 0 <= self.error_prior < math.inf:
            raise ValueError(f"error_prior must be finite and 0 or more, got {self.error_prior!r}")
        if not MODELS[self.model].has_reliability:
            object.__setattr__(self, "reliability", math.inf)

    def at(self, reliability: float) -> Aggregation:
        """Return the same model and options at another reliability."""
        return replace(self, reliability=reliability)

    @property
    def point(self) -> Aggregation:
        """The point estimate of the same model: γ = ∞."""
        return self.at(math.inf)


@dataclass(frozen=True)
class Model:
    """What a person needs to know to choose an aggregation model.

    Attributes
    ----------
    title : str
        Name for people.
    kinds : tuple of {"choice", "ranking", "score"}
        Tasks it is made for.
    answer : {"exact", "draws", "point"}
        Whether its probabilities are exact, estimated from draws, or it is a single plausibility.
    summary : str
        One plain sentence.
    source : str
        Where it comes from.
    default_reliability : float
        Where the slider starts; the study's own data may suggest another.
    counts : {"each", "together"}
        Whether γ is how often each reading counts, or the weight of all readings of a case together.
    can_weigh : bool
        Whether readings can count by their stated confidence.
    """

    title: str
    kinds: tuple[Kind, ...]
    answer: Answer
    summary: str
    source: str
    default_reliability: float = math.inf
    counts: Literal["each", "together"] = "each"
    can_weigh: bool = False

    @property
    def has_reliability(self) -> bool:
        """Whether the reliability changes the result."""
        return self.answer != "point"


MODELS: dict[str, Model] = {
    "label-counts": Model(
        "Label counts",
        ("choice",),
        "exact",
        "A Dirichlet distribution around the share of raters who chose each label. Each reading counts "
        "γ times, beside half a reading given to every label.",
        "Stutz 2025, app. A",
        1.0,
        can_weigh=True,
    ),
    "plackett-luce": Model(
        "Plackett–Luce",
        ("ranking", "choice"),
        "draws",
        "Every differential is a race between the labels; plausibilities are the racers' speeds. Each "
        "reading counts γ times.",
        "Stutz 2025, §2.3.3 and app. B",
        1.0,
        can_weigh=True,
    ),
    "prirn": Model(
        "PrIRN",
        ("ranking",),
        "exact",
        "A Dirichlet distribution around the inverse-rank-normalised average of the differentials. γ is the "
        "weight of that average, however many readings it is made of.",
        "Stutz 2025, §2.3.2",
        10.0,
        counts="together",
        can_weigh=True,
    ),
    "gaussian": Model(
        "Gaussian scores",
        ("score",),
        "exact",
        "The true score is uncertain around the mean of the raters' scores. Each score counts γ times.",
        "Stutz 2025, app. A",
        1.0,
    ),
    "irn": Model(
        "IRN",
        ("ranking",),
        "point",
        "Inverse rank normalisation: first place counts 1, second ½, third ⅓ …, averaged over raters.",
        "Stutz 2025, eq. 3 to 5",
    ),
    "frequency": Model(
        "Mean frequency",
        ("choice", "ranking"),
        "point",
        "The share of raters who put each label first.",
        "Cabitza 2020, eq. 6",
    ),
    "majority": Model(
        "Majority",
        ("choice", "ranking"),
        "point",
        "All plausibility goes to the label that most raters put first.",
        "Cabitza 2020, eq. 5",
    ),
    "confidence-weighted": Model(
        "Confidence-weighted majority",
        ("choice", "ranking"),
        "point",
        "Majority in which each reading counts with its rater's confidence.",
        "Cabitza 2020, eq. 7",
    ),
    "accuracy-weighted": Model(
        "Accuracy-weighted majority",
        ("choice", "ranking"),
        "point",
        "Majority in which each reading counts with its rater's accuracy against the other raters.",
        "Cabitza 2020, eq. 8",
    ),
    "dawid-skene": Model(
        "Dawid–Skene",
        ("choice",),
        "point",
        "How probably each label is the truth, from what each rater tends to say for each truth. A prior "
        "takes raters to be right: it counts as one right reading for each rater and truth, and one spread "
        "over all labels, unless chosen otherwise.",
        "Dawid and Skene 1979",
    ),
}


def models_for(task: Task) -> list[str]:
    """Names of the aggregation models that suit the task, the recommended one first."""
    return [name for name, model in MODELS.items() if task.kind in model.kinds]


def default_aggregation(task: Task) -> Aggregation:
    """Return the recommended model for a task at its default reliability."""
    name = models_for(task)[0]
    return Aggregation(name, MODELS[name].default_reliability)


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
    model = MODELS[aggregation.model]
    if task.kind not in model.kinds:
        raise ValueError(
            f"model for a {task.kind} task must be one of {', '.join(models_for(task))}, "
            f"got {aggregation.model!r}"
        )
    ids = study.case_ids if cases is None else [study.case_ids[i] for i in cases]
    readings = task.readings if cases is None else task.readings.take_cases(cases)
    return aggregate_readings(study, task, aggregation, readings, ids)


def aggregate_readings(
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
            return _scores(task, readings, gamma)
        case "irn":
            return irn(readings, n_labels, ties=aggregation.ties, tie_rule=tie_rule)
        case "frequency":
            return mean_frequency(readings, n_labels, tie_rule=tie_rule)
        case "majority":
            return majority(readings, n_labels, tie_rule=tie_rule)
        case "confidence-weighted":
            return confidence_weighted_majority(readings, n_labels, tie_rule=tie_rule)
        case "accuracy-weighted":
            # Changed readings may come from raters that the study does not have; their accuracy is unknown.
            n_raters = max(len(study.rater_ids), int(readings.rater.max(initial=-1)) + 1)
            accuracy = rater_agreement(task.readings, n_raters)
            return accuracy_weighted_majority(readings, n_labels, accuracy=accuracy, tie_rule=tie_rule)
        case "dawid-skene":
            fitted = _fitted_dawid_skene(
                task.readings, n_labels, len(study.rater_ids), aggregation.error_prior
            )
            return dawid_skene(readings, n_labels, fitted, tie_rule=tie_rule)
        case unknown:
            raise AssertionError(f"model {unknown!r} is listed but not built")


@lru_cache(maxsize=2)
def _fitted_dawid_skene(readings: Readings, n_labels: int, n_raters: int, prior: float) -> DawidSkene:
    """Fit to all of a task's readings, once for the many questions that a page asks."""
    return fit_dawid_skene(readings, n_labels, n_raters, diagonal=prior, total=prior)


def _scores(task: Task, readings: Readings, gamma: float) -> Posterior:
    """Aggregate scores; the prior comes from all of the task's readings, whichever cases are asked for."""
    if task.threshold is None:
        raise ValueError(f"task {task.name!r} needs a threshold")
    prior = score_prior(task.readings) if task.readings.n_readings else None
    return gaussian(readings, threshold=task.threshold, gamma=gamma, prior=prior)
