"""What a model is to answer when it is unsure, as far as a person can choose it."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal, get_args

from core.recalibration.conformal_choices import FREE, PENALTY, SCORES, ScoreName
from core.settings import YES_OR_NO, Settings, number, one_of, option, whole

Truth = Literal["leader", "label"]
"""What a plausible truth says is true: the label that leads it, or a label drawn with its shares."""
TRUTH_CHOICES: tuple[Truth, ...] = get_args(Truth)
N_FOLDS = 5
MOST_FOLDS = 50


@dataclass(frozen=True)
class ConformalSettings(Settings):
    """How sets of labels are made that hold the truth as often as is wanted.

    Attributes
    ----------
    predictor : str
        The model; empty for all that give probabilities.
    coverage : float
        Percent of the cases in which the set is to hold the truth, from 50 to 99.9.
    truth : {"leader", "label"}
        What is true under a plausible truth: the label that leads it, as in every adjusted metric, or a label
        drawn with its shares, as in Stutz 2023.
    score : {"threshold", "aps", "raps"}
        What makes a label unlike what the model says
        (`core.recalibration.conformal_scores.nonconformity`).
    randomised : bool
        APS and RAPS: whether a random part of a label's own probability counts.
    penalty : float
        RAPS: weight of each label beyond the free ones.
    free : int
        RAPS: labels that a set holds free of the penalty.
    by : str
        A column of the cases whose groups have rows of their own; empty for none.
    folds : int
        In how many parts the cases are dealt; each is judged by a calibration on the others.
    """

    predictor: str = option(
        "", "model that makes predictions; all if left out", scope="task", noun="the model", said=None
    )
    coverage: float = option(
        90.0,
        "percent of the cases in which the set is to hold the truth",
        number(50, 99.9),
        scope="everything",
        tell=lambda now: f"{now.coverage:g} %",
    )
    truth: Truth = option(
        "leader",
        "what is true under a plausible truth: the label that leads it, or a label drawn with its shares",
        one_of(TRUTH_CHOICES),
        scope="everything",
    )
    score: ScoreName = option(
        "threshold",
        "what makes a label unlike what the model says: 1 less its probability, or that of all labels down "
        "to it (aps), with a penalty for long sets (raps)",
        one_of(SCORES),
        scope="everything",
    )
    randomised: bool = option(
        False,
        "aps and raps: count a random part of a label's own probability",
        YES_OR_NO,
        address=None,
        tell=lambda now: "yes" if now.randomised else "no",
        applies=lambda now: now.score != "threshold",
    )
    penalty: float = option(
        PENALTY,
        "raps: weight of each label beyond the free ones",
        number(),
        address=None,
        applies=lambda now: now.score == "raps",
    )
    free: int = option(
        FREE,
        "raps: labels that a set holds free of the penalty",
        whole(0),
        address=None,
        applies=lambda now: now.score == "raps",
    )
    by: str = option("", "column of the cases whose groups have rows of their own", noun="the column")
    folds: int = option(
        N_FOLDS,
        "parts that the cases are dealt in, each judged by the others",
        whole(3, MOST_FOLDS),
        address=None,
    )

    @property
    def miss(self) -> float:
        """α: the share of the cases in which the set may lack the truth."""
        return 1.0 - self.coverage / 100.0
