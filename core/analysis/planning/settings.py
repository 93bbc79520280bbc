"""What a study is planned for, and what is assumed of its raters, as far as a person can choose it."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal, get_args

from core.settings import SHARE, Settings, number, one_of, option, texts, whole

Order = Literal["certainty", "risk", "models"]
"""What further readings are for: the leading label, the risk at stake, what decides between two models."""
ORDERS: tuple[Order, ...] = get_args(Order)
MOST_DIFFICULTY = 30.0
"""The largest spread of difficulty that a link can ask for, as `core.metrics.fineness.difficulty` has it."""


@dataclass(frozen=True)
class PlanSettings(Settings):
    """What is wanted of a study, and the raters that it would have.

    Attributes
    ----------
    fineness, certainty, ranking : float, optional
        What is wanted: the share of cases that the majority gets right, the mean certainty of the leading
        label, the probability of ranking two models rightly; a fineness of 0.95 if nothing is said.
    models : tuple of str
        For ``ranking``: accuracies of two models, or names of the study's; by default its first two with
        different accuracies.
    accuracy, difficulty, labels : optional
        Accuracy of a rater, spread of case difficulty in logits (0: raters err independently) and number of
        labels, instead of the study's. With any of them, cases are simulated from the assumptions and not
        from the study's own.
    """

    fineness: float | None = option(None, "wanted share of cases that the majority gets right", SHARE)
    certainty: float | None = option(None, "wanted mean certainty of the leading label", SHARE)
    ranking: float | None = option(None, "wanted probability of ranking two models rightly", SHARE)
    models: tuple[str, ...] = option(
        (), "for --ranking: accuracies of two models, or names of the study's", texts("models")
    )
    accuracy: float | None = option(
        None, "of a rater, from 0 to 1; from the study if left out", SHARE, said=None
    )
    difficulty: float | None = option(
        None,
        "spread of case difficulty in logits; 0: raters err independently",
        number(),
        link=number(0, MOST_DIFFICULTY),
        said=None,
    )
    labels: int | None = option(None, "number of labels; 2, or the study's, if left out", whole(2), said=None)


@dataclass(frozen=True)
class BudgetSettings(Settings):
    """How many further readings there are, and what they are for.

    Attributes
    ----------
    readings : int
        Further readings in all.
    order : {"certainty", "risk", "models"}
        What calls for a reading: an uncertain leading label, a higher risk that may be overlooked, or a
        case that decides between two models.
    most_each : int
        Further readings of a case at most.
    between : tuple of two str
        For "models": their names; the study's first two if empty.
    """

    readings: int = option(100, "further readings in all", whole(1, 1_000_000))
    order: Order = option(
        "certainty",
        "what calls for a reading: an uncertain leading label, a higher risk that may be overlooked, or a "
        "case that decides between two models",
        one_of(ORDERS),
    )
    most_each: int = option(5, "further readings of a case at most", whole(1, 20))
    between: tuple[str, ...] = option(
        (),
        "for --order models: names of two models; the first two if left out",
        texts("models", most=2, count=2),
        scope="task",
        noun="the model",
        applies=lambda now: now.order == "models",
    )
