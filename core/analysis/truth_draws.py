"""Draws of what the truth could be: readings resampled, or plausibilities drawn from a posterior."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from core.analysis.aggregate import MODELS, Aggregation, aggregate
from core.analysis.comparison import Comparison, votes
from core.compiled import njit
from core.plausibility.draws import SampledPosterior
from core.plausibility.irn import block_sizes
from core.plausibility.posterior import Posterior
from core.plausibility.random import seed_state, uniform
from core.plausibility.reductions import mean_frequency
from core.study.model import FloatArray, IntArray, Study, Task
from core.study.seeds import case_seeds

OTHER = -1
"""Leading label of a draw: one of those that nobody mentioned for the case."""

_SAME_VOTES = 1e-9
"""Sums of votes that differ by less are equal on paper."""


class Truth(NamedTuple):
    """Some truths of all cases of a comparison.

    Attributes
    ----------
    plausibility : ndarray of float64 with shape (n_draws, n_cases)
        Of the compared label.
    leading : ndarray of int32 with shape (n_draws, n_cases), or None
        Code of the most plausible label, of equals the first, or `OTHER`; None where there are two labels, so
        that the plausibility says it.
    """

    plausibility: FloatArray
    leading: IntArray | None


TruthSource = Callable[[int, int], Truth]
"""Gives the draws from the first number up to the second: the same ones, however they are divided."""

LabelSource = Callable[[str, int, int], FloatArray]
"""Gives plausibilities of a label, with shape (n_draws, n_cases), from the first draw up to the second."""
_BOOTSTRAP = "bootstrap of readings"


def resampled_readings(study: Study, compared: Comparison) -> TruthSource:
    """Draw truths by the annotation bootstrap.

    Parameters
    ----------
    study : Study
        Gives the seed and the case ids: a case's draws depend on nothing else.
    compared : Comparison
        Label and cases.

    Notes
    -----
    The R readings of a case are drawn R times with replacement and their votes averaged anew (Lionetti 2025,
    app. C). A reading without a score does not take part.
    """
    task = compared.task
    given = ~np.isnan(votes(task, compared.label))
    readings = task.readings.keep(given).take_cases(compared.cases)
    seeds = _seeds(study, compared, _BOOTSTRAP)
    of_label = _VoteDraws(replace(task, readings=readings), seeds)
    n_labels = len(task.labels)

    def draws(begin: int, end: int) -> Truth:
        plausibility = of_label(compared.label, begin, end)
        if n_labels == 2:
            return Truth(plausibility, None)
        leading = np.empty(plausibility.shape, np.int32)
        _resample_leading(
            readings.case_start,
            readings.entry_start,
            readings.label,
            readings.block,
            np.zeros(n_labels),
            seeds,
            begin,
            leading,
        )
        return Truth(plausibility, leading)

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
    if not (about_own[known] > _SAME_VOTES).any():
        return 1.0
    unbiased = about_own * n / np.maximum(n - 1, 1)
    unbiased[~known] = unbiased[known].mean()
    return float(np.sqrt((unbiased / n).sum() / (about_own / n).sum()))


def resampled_labels(study: Study, compared: Comparison) -> LabelSource:
    """Draw truths by the annotation bootstrap, label by label: the same readings as `resampled_readings`.

    Parameters
    ----------
    study, compared
        As for `resampled_readings`; the task is not one of scores.
    """
    task = replace(compared.task, readings=compared.task.readings.take_cases(compared.cases))
    return _VoteDraws(task, _seeds(study, compared, _BOOTSTRAP))


@dataclass(frozen=True, eq=False)
class _VoteDraws:
    """Votes of readings drawn with replacement, for any label of a task."""

    task: Task
    seeds: NDArray[np.uint64]

    def __call__(self, label: str, begin: int, end: int) -> FloatArray:
        """Plausibilities of a label, with shape (end - begin, n_cases)."""
        start = self.task.readings.case_start
        vote = votes(self.task, label)
        has_vote = np.add.reduceat(np.append(vote, 0.0), start[:-1]) > 0
        plausibility = np.zeros((end - begin, len(self.seeds)))
        _resample_votes(start, vote, np.flatnonzero(has_vote), self.seeds, begin, plausibility)
        return plausibility


@njit(cache=True, nogil=True)
def _resample_votes(
    case_start: IntArray,
    vote: FloatArray,
    cases: IntArray,
    seeds: NDArray[np.uint64],
    first_draw: int,
    plausibility: FloatArray,
) -> None:
    """Average the votes of readings drawn with replacement; every draw of a case has its own stream."""
    for case in cases:
        start = case_start[case]
        n = case_start[case + 1] - start
        for d in range(len(plausibility)):
            state = seed_state(seeds[case], first_draw + d)
            total = 0.0
            for _ in range(n):
                u, state = uniform(state)
                total += vote[start + int(u * n)]
            plausibility[d, case] = total / n


@njit(cache=True, nogil=True)
def _resample_leading(
    case_start: IntArray,
    entry_start: IntArray,
    label: IntArray,
    block: IntArray,
    tally: FloatArray,
    seeds: NDArray[np.uint64],
    first_draw: int,
    leading: IntArray,
) -> None:
    """Find the label with most votes among the same readings as `_resample_votes` draws; ``tally`` is 0."""
    for case in range(len(seeds)):
        start = case_start[case]
        n = case_start[case + 1] - start
        entries = range(entry_start[start], entry_start[start + n])
        for d in range(len(leading)):
            state = seed_state(seeds[case], first_draw + d)
            for _ in range(n):
                u, state = uniform(state)
                reading = start + int(u * n)
                named = entry_start[reading]
                while named < entry_start[reading + 1] and block[named] == 0:
                    named += 1
                for entry in range(entry_start[reading], named):
                    tally[label[entry]] += 1.0 / (named - entry_start[reading])
            best = -1
            for entry in entries:
                y = label[entry]
                lead = tally[y] - (tally[best] if best >= 0 else 0.0)
                if lead > _SAME_VOTES or (abs(lead) <= _SAME_VOTES and y < best):
                    best = y
            leading[d, case] = best
            for entry in entries:
                tally[label[entry]] = 0.0


def drawn_plausibilities(
    study: Study, compared: Comparison, aggregation: Aggregation, n_draws: int
) -> TruthSource:
    """Draw truths from the posterior over plausibilities.

    Parameters
    ----------
    study, compared
        As for `resampled_readings`.
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
    if len(compared.task.labels) == 2:
        group = (np.arange(2) == compared.label_code).astype(np.int64)
        return _stored(posterior.grouped(group, 2).sample(n_draws, seeds).draws.value[1::2].T, None)
    sample = posterior.sample(n_draws, seeds)
    candidates = sample.candidates
    first = sample.leaders(1)[:, :, 0].astype(np.int64)
    named = candidates.label[np.maximum(candidates.start[:-1, None] + first, 0)]
    leading = np.where(first >= 0, named, OTHER).astype(np.int32)
    return _stored(_of_label(sample, compared.label_code), leading.T)


def drawn_labels(study: Study, compared: Comparison, aggregation: Aggregation, n_draws: int) -> LabelSource:
    """Draw truths from the posterior over plausibilities, label by label.

    Parameters and errors are those of `drawn_plausibilities`, and so are the draws.
    """
    seeds = _seeds(study, compared, f"{aggregation.model} truths")
    sample = _posterior(study, compared, aggregation).sample(n_draws, seeds)
    labels = compared.task.labels

    def draws(label: str, begin: int, end: int) -> FloatArray:
        return _proper(_of_label(sample, labels.index(label))[begin:end])

    return draws


def _posterior(study: Study, compared: Comparison, aggregation: Aggregation) -> Posterior:
    """Plausibilities of the compared cases, which must leave something to draw."""
    if np.isinf(aggregation.reliability):
        can = [name for name, model in MODELS.items() if model.has_reliability]
        raise ValueError(
            "plausibilities can be drawn from an aggregation model with a finite reliability "
            f"({', '.join(can)}), got {aggregation.model} at ∞, which is certain of one truth"
        )
    return aggregate(study, compared.task, aggregation, cases=compared.cases.tolist())


def _of_label(sample: SampledPosterior, code: int) -> FloatArray:
    """Drawn plausibilities of one label, with shape (n_draws, n_cases)."""
    group = (np.arange(sample.candidates.n_labels) == code).astype(np.int64)
    return sample.grouped(group, 2).draws.value[1::2].T


def _stored(plausibility: FloatArray, leading: IntArray | None) -> TruthSource:
    """Give out draws that are there already."""

    def draws(begin: int, end: int) -> Truth:
        part = None if leading is None else leading[begin:end]
        return Truth(_proper(plausibility[begin:end]), part)

    return draws


def _proper(plausibility: FloatArray) -> FloatArray:
    """Plausibilities in double precision: a float32 just above 1 would not be one."""
    return np.clip(plausibility.astype(np.float64), 0.0, 1.0)


def _seeds(study: Study, compared: Comparison, purpose: str) -> NDArray[np.uint64]:
    """Seeds of the compared cases."""
    return case_seeds(study.seed, [study.case_ids[i] for i in compared.cases], purpose)
