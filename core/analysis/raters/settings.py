"""Which raters are looked at, and what they are judged by, as far as a person can choose it."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal, get_args

from core.settings import SHARE, YES_OR_NO, Settings, number, one_of, option, texts, whole

Standard = Literal["reference", "majority", "given", "model"]
N_BOOT = 1_000
"""Resamples of the cases."""


@dataclass(frozen=True)
class RaterSettings(Settings):
    """How a panel of raters is measured.

    Attributes
    ----------
    raters : tuple of str
        Ids of the raters looked at; empty for all that read something.
    judged_by : {"", "reference", "majority", "given", "model"}
        What their accuracy is judged by (`core.analysis.raters.accuracy.STANDARDS`); empty for the best there
        is.
    rater_accuracy : float, optional
        Accuracy of every rater where it is given, in [0, 1].
    variability : float, optional
        How far a rater's confidence is taken to move between readings of a case, 0 or more; None for what
        repeated readings show.
    label_order : bool
        Whether the labels have an order, that of the study.
    resamples : int
        Resamples of the cases for intervals, 0 or more.
    """

    raters: tuple[str, ...] = option(
        (),
        "ids of raters, separated by commas; all if left out",
        texts("raters"),
        noun="the rater",
        said=None,
    )
    judged_by: Standard | Literal[""] = option(
        "",
        "what accuracy is judged by; --rater-accuracy, else a reference, else the majority of the others",
        one_of(get_args(Standard)),
        former=("judged",),
    )
    rater_accuracy: float | None = option(
        None, "accuracy of every rater, from 0 to 1", SHARE, former_flags=("--accuracy",)
    )
    variability: float | None = option(
        None, "of every rater's confidence; from repeated readings if left out", number(), link=SHARE
    )
    label_order: bool = option(
        False, "the labels have an order, that of the study", YES_OR_NO, former_flags=("--ordered",)
    )
    resamples: int = option(N_BOOT, "of the cases, for the intervals", whole(0), address=None)

    @property
    def standard(self) -> Standard | None:
        """What accuracy is judged by; None for the best there is."""
        return self.judged_by or None
