"""How often a model is right, names danger and warns falsely, whatever its truths are taken from."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import numpy as np
import pandas as pd

from core.analysis.models.danger_by_label import LISTED, Missed, danger_by_label, missed_by_label
from core.metrics.adjusted.metrics import RankedLabels
from core.metrics.adjusted.predicted_order import PredictedOrder
from core.metrics.rank_correlation import TIE_DECIMALS
from core.metrics.ratio import NORMAL_95, Ratio, ratio_over_cases
from core.metrics.risk import HIGH, expected_false_alarms, expected_high_risk_hits
from core.plausibility.posterior import Posterior
from core.study.model import FloatArray, Task


class JudgedModel:
    """A model, judged against what may be the truth of the cases so far."""

    def __init__(self) -> None:
        self.hits: list[FloatArray] = []
        self.certainty: list[FloatArray] = []
        self.dangerous: list[FloatArray] = []
        self.alarms: list[FloatArray] = []
        self.by_label = np.zeros((3, 1))
        """Of each label: cases in which it is named first, in which no danger is, and whose truth it is."""
        self.listed = 0.0
        """Cases that it misses and whose truth, a danger, is its second or third choice."""

    def add(self, posterior: Posterior, answers: PredictedOrder, task: Task, listed: PredictedOrder) -> None:
        """Judge the model on some cases, by its answers and the distribution over their truths.

        ``listed`` are its first `LISTED` choices, of which ``answers`` are the first.
        """
        ranked = RankedLabels(posterior, answers)
        hits = ranked.top_k_accuracy(1)
        self.hits.append(hits)
        self.certainty.append(np.where(np.isnan(hits), np.nan, posterior.certainty(1)))
        if task.has_risk:
            self.dangerous.append(np.stack(expected_high_risk_hits(posterior, answers, task.risk, 1)))
            false, alarm = expected_false_alarms(posterior, answers, task.risk)
            self.alarms.append(np.stack([false, alarm]))
            missed = ranked.truths_by_label(1 - alarm)
            counts = np.stack([ranked.hits_by_label(), missed, ranked.truths_by_label()])
            self.by_label = self.by_label + counts
            among = RankedLabels(posterior, listed).hits_by_label(LISTED, 1 - alarm)
            self.listed += float(among[task.risk == HIGH].sum())

    @property
    def high_risk(self) -> Ratio:
        """Accuracy given that the truth is a high-risk label; NaN where none is plausible."""
        return ratio_over_cases(*self.named_in())

    @property
    def false_alarms(self) -> Ratio:
        """Share of the cases in which it names a high-risk label whose truth is of no high risk."""
        return ratio_over_cases(*self.false_in())

    def false_in(self) -> tuple[FloatArray, FloatArray]:
        """Probability, case by case, of a warning without danger, and how far it warns."""
        false, alarms = np.concatenate(self.alarms, axis=1) if self.alarms else np.zeros((2, 1))
        return false, alarms

    def caught_in(self) -> tuple[FloatArray, FloatArray]:
        """Probability, case by case, of a high-risk truth where it warns, and of a high-risk truth.

        It warns where it gives a high-risk label first, be it that truth or another one.
        """
        if not self.alarms:
            return np.zeros(1), np.zeros(1)
        false, alarms = self.false_in()
        return alarms - false, self.named_in()[1]

    def named_in(self) -> tuple[FloatArray, FloatArray]:
        """Probability, case by case, of a high-risk truth that is named, and of a high-risk truth."""
        named, high = np.concatenate(self.dangerous, axis=1) if self.dangerous else np.zeros((2, 1))
        return named, high


_Cases = tuple[FloatArray, FloatArray]
"""Two parts of a ratio, case by case."""


def _are_alike(mine: _Cases, others: _Cases) -> bool:
    """Whether the 95 % interval of the difference of two ratios of the same cases holds 0.

    Notes
    -----
    The error of a difference of two ratios of the same cases, both linearised (Cochran 1977, sec. 6.3):
    Σ d_i² n / (n − 1) with d_i = (a_i − R b_i) / Σ b − (a'_i − R' b'_i) / Σ b'.
    """
    deviation, counts = np.zeros(len(mine[0])), np.zeros(1, bool)
    ratios = [ratio_over_cases(*of) for of in (mine, others)]
    for sign, (part, whole), ratio in zip((1, -1), (mine, others), ratios, strict=True):
        deviation = deviation + sign * (part - ratio.value * whole) / ratio.weight
        counts = counts | (whole > 0)
    n = int(counts.sum())
    if n < 2:
        return True
    error = float(np.sqrt(n / (n - 1) * (deviation**2).sum()))
    return bool(abs(ratios[0].value - ratios[1].value) <= max(NORMAL_95 * error, 10.0**-TIE_DECIMALS))


def _like_the_highest(of: Sequence[_Cases]) -> list[bool]:
    """Whether each ratio cannot be told from the highest of them; of those that are not known none is."""
    values = [ratio_over_cases(*cases).value for cases in of]
    known = [i for i, value in enumerate(values) if not np.isnan(value)]
    best = max(known, key=lambda i: values[i], default=0)
    return [i in known and _are_alike(cases, of[best]) for i, cases in enumerate(of)]


def often_first(accuracy: FloatArray) -> FloatArray:
    """Share of the draws in which no other model is more accurate, equals sharing it; (n_models, n_draws)."""
    rounded = accuracy.round(TIE_DECIMALS)
    first = rounded == rounded.max(axis=0)
    return np.asarray((first / first.sum(axis=0)).mean(axis=1))


def where_risk_is_high(judged: Sequence[JudgedModel]) -> dict[str, list[float] | list[bool]]:
    """Columns of `core.analysis.models.supported.Supported` for truths of high risk."""
    ratios = [of.high_risk for of in judged]
    ends = [ratio.share_interval() for ratio in ratios]
    caught = [ratio_over_cases(*of.caught_in()) for of in judged]
    caught_ends = [ratio.share_interval() for ratio in caught]
    false = [of.false_alarms for of in judged]
    false_ends = [ratio.share_interval() for ratio in false]
    return {
        "high_risk": [ratio.value for ratio in ratios],
        "high_risk_low": [low for low, _ in ends],
        "high_risk_high": [high for _, high in ends],
        "dangers": [ratio.weight for ratio in ratios],
        "high_risk_alike": _like_the_highest([of.named_in() for of in judged]),
        "caught": [ratio.value for ratio in caught],
        "caught_low": [low for low, _ in caught_ends],
        "caught_high": [high for _, high in caught_ends],
        "caught_alike": _like_the_highest([of.caught_in() for of in judged]),
        "alarms": [ratio.weight for ratio in false],
        "false_alarms": [ratio.value for ratio in false],
        "false_alarms_low": [low for low, _ in false_ends],
        "false_alarms_high": [high for _, high in false_ends],
    }


def label_by_label(task: Task, judged: Mapping[str, JudgedModel]) -> tuple[pd.DataFrame, Missed]:
    """Which dangers models name and miss, the first model first; both empty without risk levels.

    Returns
    -------
    by_label : DataFrame
        Of `core.analysis.models.danger_by_label.danger_by_label`.
    missed : Missed
        Of `core.analysis.models.danger_by_label.missed_by_label`.
    """
    counted = {name: of.by_label for name, of in judged.items()} if task.has_risk else {}
    by_label = danger_by_label(task, {name: of[[0, 2]] for name, of in counted.items()})
    listed = {name: of.listed for name, of in judged.items()}
    return by_label, missed_by_label(task, {name: of[[1, 2]] for name, of in counted.items()}, listed)
