"""Which model the labels support best: how often it is right over plausible truths, and where danger is."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field, replace

import numpy as np
import pandas as pd

from core.analysis.models.by_reference import ByReference, Read, by_reference
from core.analysis.models.comparison import Comparison, comparison
from core.analysis.models.danger_by_label import Missed, danger_by_label, missed_by_label
from core.analysis.models.finding import SAME
from core.analysis.models.hard_labels import hard_truth
from core.analysis.models.score_models import left_out
from core.analysis.models.settings import Coverage
from core.analysis.portions import drawn_portion, portions
from core.metrics.adjusted.ceiling import MIDDLE, ceiling_range
from core.metrics.adjusted.metrics import RankedLabels
from core.metrics.adjusted.predicted_order import PredictedOrder
from core.metrics.adjusted.spread import SpreadOverDraws
from core.metrics.estimate import mean_over_cases
from core.metrics.rank_correlation import TIE_DECIMALS
from core.metrics.ratio import NORMAL_95, Ratio, ratio_over_cases
from core.metrics.risk import expected_false_alarms, expected_high_risk_hits
from core.plausibility.aggregate import aggregate
from core.plausibility.posterior import Posterior
from core.plausibility.settings import Aggregation
from core.progress import Progress
from core.study.brief import brief
from core.study.model import FloatArray, Study, Task
from core.study.reference_standard import counted_standards
from core.study.references import reference_codes

_ACCURACY = "top-1 accuracy"


@dataclass(frozen=True, eq=False)
class Supported:
    """How far the labels support each model of a task.

    Attributes
    ----------
    table : DataFrame
        One row a model that names labels, those that predict the very same in one, the best supported
        first: ``model``; ``names``, all of the row; ``value``, the adjusted accuracy, in [0, 1]; ``low`` and
        ``high``, between which the accuracy lies in `MIDDLE` of the plausible truths; ``best``, the share of
        plausible truths in which no other is more accurate, equals sharing it; ``hard``, the accuracy by the
        label with most votes; ``ceiling``, the mean certainty of the cases that it predicted, which no
        adjusted accuracy exceeds, with ``ceiling_low`` and ``ceiling_high``, between which a model that names
        the likeliest label of every case lies in as many truths: no range of a model ends above it, at either
        end; ``high_risk``, the accuracy given that the truth is a high-risk label, NaN without risk levels or
        where none is plausible; ``high_risk_low`` and ``high_risk_high``, its 95 %
        interval for other cases of this kind; ``high_risk_alike``, whether it cannot be told from the
        highest of its column: the 95 % interval of the difference, of the same cases, holds 0; ``dangers``,
        the mean over plausible truths of the number of cases whose truth is a high-risk label, of which
        ``high_risk`` is the share that it names, 0 where ``high_risk`` is NaN; ``caught``, the share of these
        in which it gives a high-risk label first, whichever, and so misses no danger, with ``caught_low``,
        ``caught_high`` and ``caught_alike``, as of ``high_risk``;
        ``false_alarms``, the share of the cases that it gives a high-risk label first whose truth is of no
        high risk, NaN where it names none, with ``false_alarms_low`` and ``false_alarms_high``; ``alarms``,
        how many these cases are, one in which it ties such a label with others in part. Under a point
        estimate, which is one truth, ``low`` and ``high`` are the value.
    n_cases : int
        Cases that were read and are compared.
    is_point : bool
        Whether the aggregation is a point estimate.
    left_out : str
        Which models give scores and name no label; empty where none does.
    by_label : DataFrame
        Of `core.analysis.models.danger_by_label.danger_by_label`; empty without risk levels.
    missed : Missed
        Of `core.analysis.models.danger_by_label.missed_by_label`; empty without risk levels.
    reference : ByReference
        How the models of ``table``, in its order, do by the study's own reference.
    """

    table: pd.DataFrame
    n_cases: int
    is_point: bool
    left_out: str
    by_label: pd.DataFrame = field(default_factory=pd.DataFrame)
    missed: Missed = field(default_factory=Missed)
    reference: ByReference = field(default_factory=ByReference)

    __repr__ = brief


class _Judged:
    """A model over the portions so far."""

    def __init__(self) -> None:
        self.spread = SpreadOverDraws(max_k=1)
        self.hits: list[FloatArray] = []
        self.certainty: list[FloatArray] = []
        self.dangerous: list[FloatArray] = []
        self.alarms: list[FloatArray] = []
        self.by_label = np.zeros((3, 1))
        """Of each label: cases in which it is named first, in which no danger is, and whose truth it is."""

    def add(self, posterior: Posterior, drawn: Posterior, answers: PredictedOrder, task: Task) -> None:
        """Judge the model on some cases."""
        self.spread.add(drawn, answers)
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

    def read(self, names: str, answers: PredictedOrder) -> Read:
        """What is known of it case by case, for `core.analysis.models.by_reference.by_reference`."""
        return Read(names, answers, np.concatenate(self.hits), *self.caught_in(), *self.false_in())

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


def supported(
    study: Study,
    task: Task,
    aggregation: Aggregation,
    *,
    coverage: Coverage = "common",
    progress: Progress | None = None,
) -> Supported:
    """Judge every model of a task that names labels against plausible truths.

    Parameters
    ----------
    study, task : Study, Task
        The task, with predictions, and the study that it belongs to.
    aggregation : Aggregation
        Model and reliability, with their options.
    coverage : {"common", "own"}
        Judge models on the cases that all predicted, or each on its own.
    progress : callable, optional
        Called with the share done, in [0, 1], and what is being done.

    Raises
    ------
    ValueError
        As `core.analysis.models.comparison.comparison` does, and where every model gives scores, or no
        reading of the cases counts.

    Notes
    -----
    ``value`` is the adjusted accuracy of `core.analysis.models.rank_change.rank_change` (Stutz 2025, eq. 12),
    ``hard`` its counterpart; ``low``, ``high`` and ``best`` are over the joint draws of all cases that
    `core.analysis.reliability.sweep.metrics_at` takes its bands from; ``high_risk`` is the expectation over
    draws of `core.analysis.reliability.risk.high_risk_metrics`.
    """
    compared = comparison(study, task, coverage=coverage)
    judged = {
        m: _Judged()
        for m, (only, same) in enumerate(zip(compared.only_scores, compared.same_as, strict=True))
        if not only and not same
    }
    if not judged:
        raise ValueError("every model gives scores, which name no label to be right or wrong")
    for part in portions(task, aggregation):
        if progress is not None:
            progress(part.start / max(study.n_cases, 1), f"from case {part.start + 1:,}")
        places = np.arange(*np.searchsorted(compared.cases, [part.start, part.stop]))
        if len(places) == 0:
            continue
        cases = compared.cases[places].tolist()
        posterior = aggregate(study, task, aggregation, cases=cases)
        drawn = drawn_portion(study, posterior, aggregation, cases)
        for m, of in judged.items():
            of.add(posterior, drawn, compared.answers[m].taken(places), task)
    truth = hard_truth(compared, aggregation.tie_rule)
    table = _table(compared, judged, truth)
    names = dict(zip(table["model"], table["names"], strict=True))
    of_model = {compared.models[m]: of.by_label for m, of in judged.items()}
    counted = [(names[model], of_model[model]) for model in table["model"]] if task.has_risk else []
    by_label = danger_by_label(task, {model: of[[0, 2]] for model, of in counted})
    missed = missed_by_label(task, {model: of[[1, 2]] for model, of in counted})
    in_order = [compared.models.index(model) for model in table["model"]]
    read = [judged[m].read(names[compared.models[m]], compared.answers[m]) for m in in_order]
    codes = reference_codes(study, task)
    standards = counted_standards(study, codes, compared.cases.tolist())
    reference = replace(by_reference(task, codes[compared.cases], read), standards=standards)
    is_point = bool(np.isinf(aggregation.reliability))
    return Supported(table, len(compared.cases), is_point, left_out(task), by_label, missed, reference)


def _table(compared: Comparison, judged: dict[int, _Judged], truth: Posterior) -> pd.DataFrame:
    """Rows of `Supported`, the best supported first."""
    by_model = {m: of.spread.by_draw().get(_ACCURACY, np.full(1, np.nan)) for m, of in judged.items()}
    judged = {m: of for m, of in judged.items() if not np.isnan(by_model[m]).any()}
    if not judged:
        raise ValueError("no reading of the cases that were predicted counts")
    over_draws = np.array([by_model[m] for m in judged])
    low, high = np.quantile(over_draws, [(1 - MIDDLE) / 2, (1 + MIDDLE) / 2], axis=1)
    rounded = over_draws.round(TIE_DECIMALS)
    first = rounded == rounded.max(axis=0)
    names = {
        m: [compared.models[m], *(b for b, a in zip(compared.models, compared.same_as, strict=True)
                                  if a == compared.models[m])]
        for m in judged
    }  # fmt: skip
    table = pd.DataFrame(
        {
            "model": [compared.models[m] for m in judged],
            "names": [SAME.join(of) for of in names.values()],
            "value": [mean_over_cases(np.concatenate(of.hits)).value for of in judged.values()],
            "low": low,
            "high": high,
            "best": (first / first.sum(axis=0)).mean(axis=1),
            "hard": [
                mean_over_cases(RankedLabels(truth, compared.answers[m]).top_k_accuracy(1)).value
                for m in judged
            ],
            **_ceilings(list(judged.values()), None if over_draws.shape[1] == 1 else (low, high)),
            **_where_risk_is_high(list(judged.values())),
        }
    )
    order = np.argsort(-table["value"].round(TIE_DECIMALS).to_numpy(), kind="stable")
    return table.iloc[order].reset_index(drop=True)


def _ceilings(judged: list[_Judged], drawn: tuple[FloatArray, FloatArray] | None) -> dict[str, FloatArray]:
    """Columns of `Supported` for the best possible model, given the ends of the models' own ranges, if any.

    Drawn ranges of the same cases end above its exact one only by chance, or where ties are split: it is
    lifted to them.
    """
    certainty = [np.concatenate(of.certainty) for of in judged]
    mean = np.array([mean_over_cases(of).value for of in certainty])
    if drawn is None:
        return {"ceiling": mean, "ceiling_low": mean, "ceiling_high": mean}
    ends = np.array([ceiling_range(of) for of in certainty])
    same = (ends[:, None, :] == ends[None, :, :]).all(axis=2)
    low, high = (
        np.maximum(end, np.where(same, own, 0).max(axis=1)) for end, own in zip(ends.T, drawn, strict=True)
    )
    return {"ceiling": mean, "ceiling_low": low, "ceiling_high": high}


def _where_risk_is_high(judged: list[_Judged]) -> dict[str, list[float] | list[bool]]:
    """Columns of `Supported` for truths of high risk."""
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
