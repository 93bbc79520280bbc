"""How readings are aggregated, as far as a person can choose it: models by name, and their options."""

from __future__ import annotations

import math
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Literal, get_args

from core.settings import Settings, number, one_of, option, options, settled, whole

if TYPE_CHECKING:
    from core.study.model import Kind, Task

MOST_RELIABILITY = 1000.0
"""The largest finite reliability that a link can ask for."""
TieRule = Literal["split", "first label"]
"""What becomes of labels that lead alike: all ways of breaking the tie count, or the study's first label."""
TIE_RULES: tuple[TieRule, ...] = get_args(TieRule)

RELIABILITIES: tuple[float, ...] = (
    0.25, 0.5, 0.75, 1, 1.5, 2, 3, 5, 7.5, 10, 15, 20, 30, 50, 100, math.inf,
)  # fmt: skip
"""The steps of the reliability slider, about even on a log scale; ∞ is the point estimate."""

Answer = Literal["exact", "draws", "point"]


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


@dataclass(frozen=True)
class AggregationChoice(Settings):
    """How readings are to become a posterior, as far as somebody has said so.

    Attributes
    ----------
    model : str
        A key of `MODELS`; empty for the one that is recommended for the task.
    reliability : float, optional
        γ > 0, the trust in the raters: each reading counts γ times, under PrIRN all readings of a case
        together γ times; ∞ is the point estimate. None is the model's own default.
    tie_rule : {"split", "first label"}
        What becomes of labels that lead alike, in a point estimate or a hard label: every metric is its mean
        over all ways of breaking the tie, or the study's first label is taken. It has nothing to do with
        ``ties``, which is about labels that one differential ranks alike.
    ties : {"split", "full"}
        IRN and PrIRN: whether tied labels divide their block's weight or each get all of it.
    error_prior : float
        Dawid–Skene: how strongly raters are taken to be right before they are heard. For each truth, every
        rater is given so many further readings that are right, and so many spread evenly over all labels;
        prevalences are given so many cases spread evenly. 0 is the maximum-likelihood estimate of 1979.
    confidence : {"ignored", "weights"}
        Plackett–Luce, PrIRN and label counts: whether a reading counts as much as its stated confidence c in
        [0, 1], γ·c times: 1 where none is stated, and 0 as if it had not been given. Weights are not scaled
        up, so readings of less than full confidence count less in all.
    prior : {"released", "per_label"}
        Plackett–Luce: the prior on the labels' rates.
    draws, warmup : int
        Plackett–Luce: draws kept for each case, and dropped before them.
    """

    model: str = option(
        "",
        "aggregation model; the recommended one for the task if left out",
        one_of(MODELS),
        scope="task",
        said="aggregation model",
    )
    reliability: float | None = option(
        None,
        'γ, how often each reading counts: above 0, or "inf"; the model\'s own if left out',
        number(0, above=True, infinite=True),
        link=number(0, MOST_RELIABILITY, above=True, infinite=True),
        scope="model",
    )
    tie_rule: TieRule = option(
        TIE_RULES[0],
        "labels that lead a case alike, in a point estimate or a hard label: metrics are their mean over all "
        "ways of breaking the tie, or the study's first label is taken",
        one_of(TIE_RULES),
        noun="the rule for ties",
        said="ties for the lead",
    )
    ties: Literal["split", "full"] = option(
        "split",
        "IRN and PrIRN: whether labels tied in one differential divide the weight of their place, or each "
        "get all of it",
        one_of(["split", "full"]),
        address=None,
        said="ties within a differential",
        applies=lambda now: now.model in ("irn", "prirn"),
    )
    error_prior: float = option(
        1.0,
        "Dawid–Skene: so many readings more that are right, for each rater and truth, and so many spread "
        "over all labels; 0 for maximum likelihood",
        number(),
        address=None,
        said="prior of errors",
        tell=lambda now: error_prior_words(now.error_prior),
        applies=lambda now: now.model == "dawid-skene",
    )
    confidence: Literal["ignored", "weights"] = option(
        "ignored",
        "whether a reading counts γ times the confidence stated, 1 where there is none (label counts, PrIRN, "
        "Plackett–Luce)",
        one_of(["ignored", "weights"]),
        scope="task",
        said="stated confidences",
    )
    prior: Literal["released", "per_label"] = option(
        "released",
        "Plackett–Luce: prior on the labels' rates",
        one_of(["released", "per_label"]),
        address=None,
        applies=lambda now: MODELS[now.model].answer == "draws",
    )
    draws: int = option(
        1000,
        "Plackett–Luce: draws a case",
        whole(1),
        address=None,
        tell=lambda now: f"{now.draws} after {now.warmup}",
        applies=lambda now: MODELS[now.model].answer == "draws",
    )
    warmup: int = option(
        500, "Plackett–Luce: draws dropped before them", whole(0), address=None, flag=None, said=None
    )

    def for_task(self, task: Task) -> Aggregation:
        """Return what is chosen, with what is recommended for the task where nothing is."""
        return self.under(self.model or models_for(task)[0])

    def under(self, model: str) -> Aggregation:
        """Return what is chosen under a model, with its own reliability where none is chosen."""
        chosen = {of.name: getattr(self, of.name) for of in options(AggregationChoice)}
        if self.reliability is None and model in MODELS:
            chosen["reliability"] = MODELS[model].default_reliability
        return Aggregation(**chosen | {"model": model})


@dataclass(frozen=True)
class Aggregation(AggregationChoice):
    """How readings become a posterior: a model, its reliability and its options.

    Without a reliability it is the point estimate of the model, γ = ∞; for the rest see `AggregationChoice`.
    """

    model: str = settled(AggregationChoice, "model")
    reliability: float = settled(AggregationChoice, "reliability", default=math.inf)

    def __post_init__(self) -> None:
        super().__post_init__()
        if self.confidence == "weights" and not MODELS[self.model].can_weigh:
            able = ", ".join(name for name, model in MODELS.items() if model.can_weigh)
            raise ValueError(f"confidence can be weights under {able}, got the model {self.model!r}")
        if not MODELS[self.model].has_reliability:
            object.__setattr__(self, "reliability", math.inf)

    def at(self, reliability: float) -> Aggregation:
        """Return the same model and options at another reliability."""
        return replace(self, reliability=reliability)

    @property
    def point(self) -> Aggregation:
        """The point estimate of the same model: γ = ∞."""
        return self.at(math.inf)


def error_prior_words(prior: float) -> str:
    """Say what a prior of Dawid–Skene's error rates is."""
    if prior == 0:
        return "none (maximum likelihood, Dawid and Skene 1979)"
    return (
        f"{prior:g} times: a right reading and one spread over all labels, for each rater and truth; a case "
        "spread over all truths"
    )


def default_aggregation(task: Task) -> Aggregation:
    """Return the recommended model for a task at its default reliability."""
    return AggregationChoice().for_task(task)
