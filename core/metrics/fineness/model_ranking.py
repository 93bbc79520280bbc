"""P(two models are ranked rightly) when the truth they are judged by is read by fallible raters."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal, get_args

import numpy as np
from scipy.fft import irfft, next_fast_len, rfft
from scipy.stats import binom

from core.metrics.fineness.difficulty import WEIGHTS, accuracy_by_difficulty
from core.metrics.fineness.majority import check_labels, majority_fineness
from core.study.model import FloatArray

Truth = Literal["majority", "shares"]
TRUTHS: tuple[Truth, ...] = get_args(Truth)
MOST_RATERS = 500
"""Readings of a case at most."""
LARGEST_STUDY = 200_000
"""Cases that are looked for at most."""


@dataclass(frozen=True, eq=False)
class ScoreDifference:
    """How much more the better model scores than the other in one case.

    Attributes
    ----------
    probability : ndarray of float64 with shape (2 n_steps + 1,)
        P(difference = k / n_steps) for k = −n_steps … n_steps.
    """

    probability: FloatArray

    @property
    def n_steps(self) -> int:
        """Steps of a full point."""
        return len(self.probability) // 2

    @property
    def mean(self) -> float:
        """Expected difference, in points a case."""
        steps = np.arange(-self.n_steps, self.n_steps + 1)
        return float(self.probability @ steps / self.n_steps)

    def ranked_rightly(self, n_cases: int) -> float:
        """P(the sum over cases is positive) + P(it is 0) / 2.

        Parameters
        ----------
        n_cases : int
            1 or more.

        Notes
        -----
        Exact: the distribution of the sum by the discrete Fourier transform, of a length that is quick.
        """
        if n_cases < 1:
            raise ValueError(f"n_cases must be 1 or more, got {n_cases}")
        length = 2 * self.n_steps * n_cases + 1
        quick = next_fast_len(length, real=True)
        total = irfft(rfft(self.probability, quick) ** n_cases, quick)[:length]
        middle = self.n_steps * n_cases
        return float(np.clip(total[middle + 1 :].sum() + total[middle] / 2, 0, 1))

    def cases_needed(self, wanted: float) -> int | None:
        """Fewest cases for a wanted P(ranked rightly); None where `LARGEST_STUDY` are not enough.

        Where the raters' errors favour the worse model, no number of cases helps.
        """
        if not 0.5 < wanted < 1:
            raise ValueError(f"the wanted probability must lie between 0.5 and 1, got {wanted}")
        if self.mean <= 1e-12:
            return None
        high = 1
        while self.ranked_rightly(high) < wanted:
            if high >= LARGEST_STUDY:
                return None
            high = min(2 * high, LARGEST_STUDY)
        low = high // 2
        while high - low > max(1, high // 200):
            middle = (low + high) // 2
            low, high = (low, middle) if self.ranked_rightly(middle) >= wanted else (middle, high)
        return high


def score_difference(
    better: float,
    worse: float,
    accuracy: float,
    n_raters: int,
    *,
    truth: Truth = "majority",
    difficulty: float = 0.0,
    n_labels: int = 2,
) -> ScoreDifference:
    """Distribution of the difference of two models' scores in one case.

    Parameters
    ----------
    better, worse : float
        Accuracy of the models, the better one first.
    accuracy : float
        Of each rater.
    n_raters : int
        Readings of each case.
    truth : {"majority", "shares"}
        A model scores 1 where it names the label of the majority (ties by lot), or the share of the readings
        that name its label.
    difficulty : float
        Spread of the cases' difficulty on the logit scale, shared by raters and models.
    n_labels : int
        Number of labels; a wrong answer names each of the wrong labels with the same probability.

    Raises
    ------
    ValueError
        For numbers out of range, or a better model that is not better.

    Notes
    -----
    Given the difficulty, raters and models err independently of one another.
    """
    check_labels(n_labels)
    if not 1 <= n_raters <= MOST_RATERS:
        raise ValueError(f"n_raters must be from 1 to {MOST_RATERS}, got {n_raters}")
    if truth not in TRUTHS:
        raise ValueError(f"truth must be one of {', '.join(TRUTHS)}, got {truth!r}")
    if not worse < better:
        raise ValueError(f"the better model must have the higher accuracy, got {better} and {worse}")
    first, second, reader = accuracy_by_difficulty(np.array([better, worse, accuracy]), difficulty).T
    only_first, only_second = first * (1 - second), (1 - first) * second
    other_wrong = (1 - first) * (1 - second) * (n_labels - 2) / (n_labels - 1)
    if truth == "majority":
        gains = _majority_gains(reader, n_raters, n_labels)
    else:
        gains = _share_gains(reader, n_raters, n_labels)
    right_over_wrong, wrong_over_wrong = gains
    mixed = (WEIGHTS * only_first) @ right_over_wrong + (WEIGHTS * only_second) @ right_over_wrong[:, ::-1]
    mixed = mixed + (WEIGHTS * other_wrong) @ wrong_over_wrong
    mixed[len(mixed) // 2] += 1 - mixed.sum()
    return ScoreDifference(mixed)


def _majority_gains(accuracy: FloatArray, n_raters: int, n_labels: int) -> tuple[FloatArray, FloatArray]:
    """Distribution of the difference (−1, 0, 1) for right against wrong, and wrong against wrong, answers."""
    raters = np.repeat(accuracy[:, None], n_raters, axis=1)
    right = majority_fineness(raters, n_labels=n_labels)
    wrong = (1 - right) / (n_labels - 1)
    return (
        np.stack([wrong, 1 - right - wrong, right], axis=1),
        np.stack([wrong, 1 - 2 * wrong, wrong], axis=1),
    )


def _share_gains(accuracy: FloatArray, n_raters: int, n_labels: int) -> tuple[FloatArray, FloatArray]:
    """The same for shares of the readings, in steps of one reading; shapes (n_nodes, 2 n_raters + 1)."""
    wrong = (1 - accuracy) / (n_labels - 1)
    return _difference(accuracy, wrong, n_raters), _difference(wrong, wrong, n_raters)


def _difference(first: FloatArray, second: FloatArray, n: int) -> FloatArray:
    """P(readings of one label less those of another = k), −n … n, for a reading's probabilities of each."""
    result = np.zeros((len(first), 2 * n + 1))
    either = np.minimum(first + second, 1)
    share = np.divide(first, either, out=np.full_like(first, 0.5), where=either > 0)
    for named in range(n + 1):
        ups = np.arange(named + 1)
        both = np.asarray(binom.pmf(named, n, either[:, None])) * binom.pmf(ups, named, share[:, None])
        result[:, n + 2 * ups - named] += both
    return result
