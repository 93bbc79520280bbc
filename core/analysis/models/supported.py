"""Which model the labels support best: how often it is right over plausible truths, and where danger is."""

from __future__ import annotations

from dataclasses import dataclass, field

import numpy as np
import pandas as pd

from core.analysis.models.by_reference import ByReference, Read, by_reference
from core.analysis.models.comparison import Comparison, comparison
from core.analysis.models.danger_by_label import LISTED, Missed
from core.analysis.models.finding import SAME
from core.analysis.models.hard_labels import hard_truth
from core.analysis.models.judged_model import (
    JudgedModel,
    label_by_label,
    often_first,
    where_risk_is_high,
)
from core.analysis.models.score_models import left_out
from core.analysis.models.settings import Coverage
from core.analysis.portions import drawn_portion, portions
from core.metrics.adjusted.ceiling import MIDDLE, ceiling_range
from core.metrics.adjusted.metrics import RankedLabels
from core.metrics.adjusted.predicted_order import PredictedOrder, order_of_probabilities
from core.metrics.adjusted.spread import SpreadOverDraws
from core.metrics.estimate import mean_over_cases
from core.metrics.rank_correlation import TIE_DECIMALS
from core.plausibility.aggregate import aggregate
from core.plausibility.settings import Aggregation
from core.progress import Progress
from core.study.brief import brief
from core.study.model import FloatArray, Study, Task

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
    judged = _unjudged(compared)
    spread = {m: SpreadOverDraws(max_k=1) for m in judged}
    listed = {m: _listed(compared, m) for m in judged}
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
            answers = compared.answers[m].taken(places)
            spread[m].add(drawn, answers)
            of.add(posterior, answers, task, listed[m].taken(places))
    truth = hard_truth(compared, aggregation.tie_rule)
    hard = {m: RankedLabels(truth, compared.answers[m]).top_k_accuracy(1) for m in judged}
    by_draw = {m: spread[m].by_draw().get(_ACCURACY, np.full(1, np.nan)) for m in judged}
    table = _table(compared, judged, by_draw, hard)
    in_order = [compared.models.index(model) for model in table["model"]]
    by_name = {name: judged[m] for name, m in zip(table["names"], in_order, strict=True)}
    by_label, missed = label_by_label(task, by_name)
    read = [
        Read(name, compared.answers[m], hard[m], judged[m], listed[m])
        for name, m in zip(table["names"], in_order, strict=True)
    ]
    reference = by_reference(study, task, compared.cases, read)
    is_point = bool(np.isinf(aggregation.reliability))
    return Supported(table, len(compared.cases), is_point, left_out(task), by_label, missed, reference)


def _listed(compared: Comparison, m: int) -> PredictedOrder:
    """The first choices of a model, through which it is looked for dangers that it does not put first."""
    probability = compared.task.predictions[compared.models[m]].probability
    return order_of_probabilities(probability[compared.cases], LISTED)


def _unjudged(compared: Comparison) -> dict[int, JudgedModel]:
    """Places of the models that name labels, of those that predict the very same the first."""
    places = enumerate(zip(compared.only_scores, compared.same_as, strict=True))
    judged = {m: JudgedModel() for m, (only, same) in places if not only and not same}
    if not judged:
        raise ValueError("every model gives scores, which name no label to be right or wrong")
    return judged


def _table(
    compared: Comparison,
    judged: dict[int, JudgedModel],
    by_draw: dict[int, FloatArray],
    hard: dict[int, FloatArray],
) -> pd.DataFrame:
    """Rows of `Supported`, the best supported first."""
    judged = {m: of for m, of in judged.items() if not np.isnan(by_draw[m]).any()}
    if not judged:
        raise ValueError("no reading of the cases that were predicted counts")
    over_draws = np.array([by_draw[m] for m in judged])
    low, high = np.quantile(over_draws, [(1 - MIDDLE) / 2, (1 + MIDDLE) / 2], axis=1)
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
            "best": often_first(over_draws),
            "hard": [mean_over_cases(hard[m]).value for m in judged],
            **_ceilings(list(judged.values()), None if over_draws.shape[1] == 1 else (low, high)),
            **where_risk_is_high(list(judged.values())),
        }
    )
    order = np.argsort(-table["value"].round(TIE_DECIMALS).to_numpy(), kind="stable")
    return table.iloc[order].reset_index(drop=True)


def _ceilings(
    judged: list[JudgedModel], drawn: tuple[FloatArray, FloatArray] | None
) -> dict[str, FloatArray]:
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
