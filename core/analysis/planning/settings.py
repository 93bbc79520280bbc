"""What a study is planned for, and what is assumed of its raters, as far as a person can choose it."""

from __future__ import annotations

from dataclasses import dataclass

from core.settings import SHARE, Settings, number, option, texts, whole

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
