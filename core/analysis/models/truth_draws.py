"""Draws of what the truth could be: readings resampled, or plausibilities drawn from a posterior."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from core.analysis.models.comparison import Comparison, votes
from core.analysis.models.reading_resamples import SAME_VOTES, Leaders, VoteDraws, resampled_leaders
from core.metrics.adjusted.predicted_order import PredictedOrder
from core.metrics.soft.hard import hard_shares
from core.plausibility.aggregate import aggregate
from core.plausibility.candidates import Candidates
from core.plausibility.irn import block_sizes
from core.plausibility.posterior import Posterior, SampledPosterior
from core.plausibility.reductions import mean_frequency
from core.plausibility.settings import MODELS, Aggregation, TieRule
from core.study.model import FloatArray, IntArray, Study, Task
from core.study.seeds import case_seeds

_OTHER = -1
"""Leading label of a draw: one of those that nobody mentioned for the case."""


class Truth(NamedTuple):
    """Some truths of all cases of a comparison.

    Attributes
    ----------
    plausibility : ndarray of float64 with shape (n_draws, n_cases)
        Of the compared label.
    hard : ndarray of float64 with shape (n_draws, n_cases)
        How far the compared label is the hard one, the most plausible: 0, 1, or a part where labels tie.
    credit : ndarray of float64 with shape (n_models, n_draws, n_cases), or None
        P(a model's label is the hard one), over the ways of breaking ties; None where there are two labels,
        so that ``hard`` says it.
    """

    plausibility: FloatArray
    hard: FloatArray
    credit: FloatArray | None


TruthSource = Callable[[int, int], Truth]
"""Gives the draws from the first number up to the second: the same ones, however they are divided."""

LabelSource = Callable[[str, int, int], tuple[FloatArray, FloatArray]]
"""Gives plausibilities of a label and its shares of the hard label, with shape (n_draws, n_cases) each, from
the first draw up to the second."""
_BOOTSTRAP = "bootstrap of readings"


def resampled_readings(study: Study, compared: Comparison, *, tie_rule: TieRule = "split") -> TruthSource:
    """Draw truths by the annotation bootstrap.

    Parameters
    ----------
    study : Study
        Gives the seed and the case ids: a case's draws depend on nothing else.
    compared : Comparison
        Label and cases.
    tie_rule : {"split", "first label"}
        What becomes of labels that have equally many votes in a draw.

    Notes
    -----
    The R readings of a case are drawn R times with replacement and their votes averaged anew (Lionetti 2025,
    app. C). A reading without a score does not take part.
    """
    task = compared.task
    given = ~np.isnan(votes(task, compared.label))
    readings = task.readings.keep(given).take_cases(compared.cases)
    seeds = _seeds(study, compared, _BOOTSTRAP)
    of_label = VoteDraws(replace(task, readings=readings), seeds)
    n_labels = len(task.labels)

    def draws(begin: int, end: int) -> Truth:
        plausibility = of_label(compared.label, begin, end)
        if n_labels == 2:
            first = compared.label_code == 0
            return Truth(plausibility, hard_shares(plausibility, tie_rule=tie_rule, first=first), None)
        leaders = resampled_leaders(readings, n_labels, seeds, range(begin, end), tie_rule, compared.answers)
        return Truth(plausibility, leaders.share(compared.label_code, plausibility), leaders.credit)

    return draws


def lost_scatter(compared: Comparison) -> float:
    """How much more the readings scatter than readings drawn anew from them do.

    Parameters
    ----------
    compared : Comparison
        Cases and their readings.

    Returns
    -------
    float
        1 or more: a factor for standard deviations. 1 where no two readings of a case differ; NaN where no
        case has two, so that nothing is known of their scatter.

    Notes
    -----
    Votes of a case with R readings scatter about their own mean (R − 1)/R times as much as about the true
    one, on average, so that R readings drawn anew understate the variance of the shares by as much. The
    factor is the root of Σ s²/R over Σ s²(R − 1)/R², over the cases, with s² the unbiased variance of the
    votes of a case, summed over labels; a case with one reading is given the mean s² of the others.
    """
    task = compared.task
    if task.kind == "score":
        given = task.readings.case[~np.isnan(votes(task, compared.label))]
        n: IntArray = np.bincount(given, minlength=task.readings.n_cases)[compared.cases]
        about_own = 2 * compared.plausibility * (1 - compared.plausibility)
    else:
        readings = task.readings.take_cases(compared.cases)
        n = readings.per_case
        first = readings.block == 0
        case = readings.case[readings.entry_reading[first]]
        squares = np.bincount(case, 1 / block_sizes(readings)[first] ** 2, len(n)) / n
        share = mean_frequency(readings, len(task.labels))
        squared_share = np.bincount(share.candidates.case, share.mean.candidate**2, len(n))
        about_own = np.maximum(squares - squared_share, 0.0)
    known = n > 1
    if not known.any():
        return np.nan
    if not (about_own[known] > SAME_VOTES).any():
        return 1.0
    unbiased = about_own * n / np.maximum(n - 1, 1)
    unbiased[~known] = unbiased[known].mean()
    return float(np.sqrt((unbiased / n).sum() / (about_own / n).sum()))


def resampled_labels(study: Study, compared: Comparison, *, tie_rule: TieRule = "split") -> LabelSource:
    """Draw truths by the annotation bootstrap, label by label: the same readings as `resampled_readings`.

    Parameters
    ----------
    study : Study
        Gives the seed.
    compared : Comparison
        Cases, models and answers; the task is not one of scores.
    tie_rule : {"split", "first label"}
        What becomes of a hard label that is tied.
    """
    task = replace(compared.task, readings=compared.task.readings.take_cases(compared.cases))
    seeds = _seeds(study, compared, _BOOTSTRAP)
    of_label, n_labels = VoteDraws(task, seeds), len(task.labels)
    kept: dict[tuple[int, int], Leaders] = {}

    def draws(label: str, begin: int, end: int) -> tuple[FloatArray, FloatArray]:
        if (begin, end) not in kept:
            kept.clear()
            which = range(begin, end)
            kept[begin, end] = resampled_leaders(task.readings, n_labels, seeds, which, tie_rule, ())
        plausibility = of_label(label, begin, end)
        return plausibility, kept[begin, end].share(task.labels.index(label), plausibility)

    return draws


def drawn_plausibilities(
    study: Study, compared: Comparison, aggregation: Aggregation, n_draws: int
) -> TruthSource:
    """Draw truths from the posterior over plausibilities.

    Parameters
    ----------
    study : Study
        Gives the seed.
    compared : Comparison
        Cases, models and answers.
    aggregation : Aggregation
        Model and reliability, which must be finite: a point estimate leaves nothing to draw.
    n_draws : int
        How many will be asked for. A model that samples gives the draws that it has, in turn.

    Raises
    ------
    ValueError
        For a point estimate, and as `aggregate` does.
    """
    posterior = _posterior(study, compared, aggregation)
    seeds = _seeds(study, compared, f"{aggregation.model} truths")
    code = compared.label_code
    if len(compared.task.labels) == 2:
        group = (np.arange(2) == code).astype(np.int64)
        plausibility = posterior.grouped(group, 2).sample(n_draws, seeds).draws.value[1::2].T

        def of_two(begin: int, end: int) -> Truth:
            part = _proper(plausibility[begin:end])
            return Truth(part, hard_shares(part, tie_rule=aggregation.tie_rule, first=code == 0), None)

        return of_two
    sample = posterior.sample(n_draws, seeds)
    leading, plausibility = _leading(sample), _of_label(sample, code)

    def of_many(begin: int, end: int) -> Truth:
        part = leading[begin:end]
        credit = np.array([_mean_share(sample.candidates, part, of) for of in compared.answers])
        return Truth(_proper(plausibility[begin:end]), _share_of(sample.candidates, part, code), credit)

    return of_many


def _leading(sample: SampledPosterior) -> IntArray:
    """Most plausible label of each draw, with shape (n_draws, n_cases); `_OTHER` for an unmentioned one."""
    candidates = sample.candidates
    first = sample.leaders(1)[:, :, 0].astype(np.int64)
    named = candidates.label[np.maximum(candidates.start[:-1, None] + first, 0)]
    return np.where(first >= 0, named, _OTHER).astype(np.int32).T


def _share_of(candidates: Candidates, leading: IntArray, code: IntArray | int) -> FloatArray:
    """P(a label leads), in each draw: one of m unmentioned labels leads in 1/m of what the draw may be."""
    codes = np.broadcast_to(np.asarray(code, np.int64), candidates.n_cases)
    is_other = (candidates.locate(codes[:, None])[:, 0] < 0) & (codes >= 0)
    of_other = is_other / np.maximum(candidates.unmentioned, 1)
    return np.where(leading == _OTHER, of_other, (leading == codes) & (codes >= 0))


def _mean_share(candidates: Candidates, leading: IntArray, answers: PredictedOrder) -> FloatArray:
    """`_share_of` the labels that a model finds most probable, their mean where there are several."""
    count = np.diff(answers.start)
    total = np.zeros(leading.shape)
    for place in range(int(count.max(initial=0))):
        at = np.minimum(answers.start[:-1] + place, max(len(answers.label) - 1, 0))
        codes = np.where(place < count, answers.label[at], -1)
        total += _share_of(candidates, leading, codes)
    return total / np.maximum(count, 1)


def plausible_truths(
    study: Study, task: Task, cases: IntArray, label: str, aggregation: Aggregation, n_draws: int
) -> NDArray[np.bool_]:
    """Draw whether a label is the truth of each case: the most plausible one of a drawn plausibility.

    Parameters
    ----------
    study : Study
        Gives the seed.
    task : Task
        One of the study's.
    cases : ndarray of int with shape (n_cases,)
        Which ones.
    label : str
        One of the task's.
    aggregation : Aggregation
        Model and reliability, which must be finite.
    n_draws : int
        How many.

    Returns
    -------
    ndarray of bool with shape (n_draws, n_cases)
        Where labels tie, one of them by lot.

    Raises
    ------
    ValueError
        For a point estimate, and as `aggregate` does.
    """
    require_uncertain(aggregation)
    ids = [study.case_ids[case] for case in cases.tolist()]
    seeds = case_seeds(study.seed, ids, f"{aggregation.model} truths")
    code = task.labels.index(label)
    posterior = aggregate(study, task, aggregation, cases=cases.tolist())
    if len(task.labels) == 2:
        group: IntArray = (np.arange(2) == code).astype(np.int64)
        drawn = posterior.grouped(group, 2).sample(n_draws, seeds).draws.value[1::2].T
        share = hard_shares(_proper(drawn), tie_rule=aggregation.tie_rule, first=code == 0)
    else:
        sample = posterior.sample(n_draws, seeds)
        share = _share_of(sample.candidates, _leading(sample), code)
    lot = np.random.default_rng(case_seeds(study.seed, [task.name], "ties of plausible truths"))
    return share > lot.uniform(size=share.shape)


def drawn_labels(study: Study, compared: Comparison, aggregation: Aggregation, n_draws: int) -> LabelSource:
    """Draw truths from the posterior over plausibilities, label by label.

    Parameters and errors are those of `drawn_plausibilities`, and so are the draws.
    """
    seeds = _seeds(study, compared, f"{aggregation.model} truths")
    sample = _posterior(study, compared, aggregation).sample(n_draws, seeds)
    labels, leading = compared.task.labels, _leading(sample)

    def draws(label: str, begin: int, end: int) -> tuple[FloatArray, FloatArray]:
        code = labels.index(label)
        share = _share_of(sample.candidates, leading[begin:end], code)
        return _proper(_of_label(sample, code)[begin:end]), share

    return draws


def _posterior(study: Study, compared: Comparison, aggregation: Aggregation) -> Posterior:
    """Plausibilities of the compared cases, which must leave something to draw."""
    require_uncertain(aggregation)
    return aggregate(study, compared.task, aggregation, cases=compared.cases.tolist())


def require_uncertain(aggregation: Aggregation) -> None:
    """Refuse a point estimate, which leaves nothing to draw."""
    if np.isinf(aggregation.reliability):
        can = [name for name, model in MODELS.items() if model.has_reliability]
        raise ValueError(
            "plausibilities can be drawn from an aggregation model with a finite reliability "
            f"({', '.join(can)}), got {aggregation.model} at ∞, which is certain of one truth"
        )


def _of_label(sample: SampledPosterior, code: int) -> FloatArray:
    """Drawn plausibilities of one label, with shape (n_draws, n_cases)."""
    group = (np.arange(sample.candidates.n_labels) == code).astype(np.int64)
    return sample.grouped(group, 2).draws.value[1::2].T


def _proper(plausibility: FloatArray) -> FloatArray:
    """Plausibilities in double precision: a float32 just above 1 would not be one."""
    return np.clip(plausibility.astype(np.float64), 0.0, 1.0)


def _seeds(study: Study, compared: Comparison, purpose: str) -> NDArray[np.uint64]:
    """Seeds of the compared cases."""
    return case_seeds(study.seed, [study.case_ids[i] for i in compared.cases], purpose)
