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
    other_raters : tuple of str
        Ids of raters whose agreement is compared with that of ``raters``; empty for no comparison.
    gold : bool
        Whether the references of cases are taken for known truths where raters' confusion is estimated.
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
    other_raters: tuple[str, ...] = option(
        (),
        "ids of raters, separated by commas, whose agreement is compared with that of --raters",
        texts("raters"),
        noun="the rater",
        said="compared with raters",
    )
    gold: bool = option(
        False,
        "Dawid–Skene: take the references of the cases for known truths",
        YES_OR_NO,
        address=None,
        said="known truths",
        tell=lambda _: "the references of the cases",
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
