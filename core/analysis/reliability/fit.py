"""The reliability that the readings themselves support: how well each predicts a reading left out."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace

import numpy as np
import pandas as pd
from scipy.stats import t as student_t

from core.plausibility.aggregate import LABEL_COUNT_ALPHA, aggregate_readings, require_suited
from core.plausibility.gaussian import GaussianPosterior, score_prior
from core.plausibility.plackett_luce.likelihood import log_likelihood
from core.plausibility.posterior import SampledPosterior
from core.plausibility.settings import Aggregation
from core.progress import Progress
from core.study.model import FloatArray, IntArray, Readings, Study, Task
from core.study.seeds import case_seeds

STEPS: tuple[float, ...] = (0.25, 0.5, 0.75, 1, 1.5, 2, 3, 5, 10, 30)
"""Reliabilities at which readings are predicted: enough to see the maximum and how flat it is."""

CURVE_COLUMNS = ["reliability", "log_likelihood", "standard_error", "best_share", "n_readings"]
"""Of `predictive_curve`."""

N_RESAMPLES = 1_000
"""Of the cases, to say how sure the best reliability is."""
_MOST_RESAMPLED = 2 * 10**8
"""Cases drawn in all resamples together; of more, fewer resamples are made, but `_FEWEST`."""
_FEWEST = 100
N_DRAWS, N_WARMUP = 500, 250
"""Draws a fold under Plackett–Luce: the error of a reading averages out over thousands of readings."""


def predictive_curve(
    study: Study,
    task: Task,
    aggregation: Aggregation,
    *,
    reliabilities: Sequence[float] = STEPS,
    progress: Progress | None = None,
) -> pd.DataFrame:
    """Predict every reading from the other readings of its case, at each reliability.

    Parameters
    ----------
    study, task : Study, Task
        The task, and the study that it belongs to.
    aggregation : Aggregation
        Model and reliability; its own reliability does not matter.
    reliabilities : sequence of float
        Finite values of γ.
    progress : callable, optional
        Called with the share done, in [0, 1], and what is being done.

    Returns
    -------
    DataFrame
        ``reliability``; ``log_likelihood``, the mean over readings, in nats a reading (a density for scores);
        ``standard_error``, which allows for the readings of a case depending on one another; ``best_share``,
        the share of bootstrap resamples of the cases in which this reliability is the best of those tried,
        the smaller of equals, in [0, 1], NaN with one case; ``n_readings``, those of cases with two or more.

    Raises
    ------
    ValueError
        If the model does not predict readings or suit the task, or no case has two.

    Notes
    -----
    The likelihood of the left-out reading counts once, whatever γ; the others count γ times each.

    - Label counts: Dirichlet–multinomial, p(y) = (γ n_y + α) / (γ N + α K), with counts n of the others.
    - Plackett–Luce: the mean over posterior draws, given the others, of the exact partial-ranking likelihood
      (`core.plausibility.plackett_luce.likelihood`); labels that only the left-out reading names get a random
      share of the unmentioned mass.
    - Gaussian scores: Student t with location m, ν degrees of freedom and squared scale v (1 + 1/k).
    """
    if aggregation.model not in _PREDICTORS:
        raise ValueError(
            f"model must be one of {', '.join(_PREDICTORS)} to predict readings, got {aggregation.model}"
        )
    require_suited(task, aggregation)
    folds = _leave_one_out(task.readings)
    if len(folds.reading) == 0:
        raise ValueError("no case has two readings, so no reading can be predicted from others")
    rows, of_cases = [], []
    for step, gamma in enumerate(reliabilities):
        if progress is not None:
            progress(step / len(reliabilities), f"at reliability {gamma:g}")
        score = _PREDICTORS[aggregation.model](study, task, aggregation.at(gamma), folds)
        of_cases.append(np.bincount(folds.case, folds.weight * score))
        rows.append((gamma, *_clustered_mean(score, folds)))
    if progress is not None:
        progress(1.0, "done")
    curve = pd.DataFrame(rows, columns=["reliability", "log_likelihood", "standard_error"])
    sums = np.array([of[np.unique(folds.case)] for of in of_cases], np.float64)
    order = np.argsort(curve["reliability"].to_numpy(), kind="stable")
    curve.loc[order, "best_share"] = _best_shares(sums[order], study.seed)
    return curve.assign(n_readings=int(folds.weight.sum()))


def _best_shares(sums: FloatArray, seed: int) -> FloatArray:
    """Share of resamples of the cases in which each row has the largest sum; array (n_steps, n_cases)."""
    n_steps, n_cases = sums.shape
    possible = np.array([bool(np.isfinite(of).all()) for of in sums])
    if n_cases < 2 or not possible.any():
        return np.full(n_steps, np.nan)
    sums = np.where(possible[:, None], sums, np.nextafter(-np.inf, 0) / (2 * n_cases))
    rng = np.random.default_rng(case_seeds(seed, [""], "resampled cases of the best reliability")[0])
    n_resamples = min(N_RESAMPLES, max(_FEWEST, _MOST_RESAMPLED // n_cases))
    wins = np.zeros(n_steps)
    for _ in range(n_resamples):
        times = np.bincount(rng.integers(0, n_cases, n_cases), minlength=n_cases)
        wins[np.argmax(sums @ times)] += 1
    return wins / n_resamples


def best_reliability(curve: pd.DataFrame) -> float:
    """Return the reliability at which left-out readings are predicted best; the smaller of equals."""
    return float(curve["reliability"].iloc[int(curve["log_likelihood"].to_numpy().argmax())])


def best_in_words(curve: pd.DataFrame) -> str:
    """Write `best_reliability`; at an end of what was tried, as that or beyond."""
    best, tried = best_reliability(curve), curve["reliability"]
    beyond = " or less" if best == tried.min() else " or more" if best == tried.max() else ""
    return f"{best:g}{beyond}"


def best_range(curve: pd.DataFrame) -> tuple[float, float]:
    """Return the reliabilities between which the best lies in 95 % of the resamples of the cases.

    Parameters
    ----------
    curve : DataFrame
        Of `predictive_curve`.

    Returns
    -------
    tuple of float
        The 0.025 and 0.975 quantiles of the best reliability over resamples: both are reliabilities that
        were tried, and hold `best_reliability`. NaN where nothing was resampled.
    """
    ordered = curve.sort_values("reliability")
    reached = ordered["best_share"].cumsum().to_numpy()
    if np.isnan(reached).any():
        return math.nan, math.nan
    low, high = (int(np.searchsorted(reached, share - 1e-12)) for share in (0.025, 0.975))
    tried, best = ordered["reliability"].to_numpy(), best_reliability(curve)
    return min(float(tried[low]), best), max(float(tried[high]), best)


def range_in_words(curve: pd.DataFrame) -> str:
    """Write `best_range` beside the best reliability: " (1.5 to 3)"; empty where it is not known."""
    low, high = best_range(curve)
    if math.isnan(low):
        return ""
    return (
        f" ({low:g} in 95\u00a0% of resamples of the cases)"
        if low == high
        else (f" ({low:g} to {high:g} in 95\u00a0% of resamples of the cases)")
    )


@dataclass(frozen=True, eq=False)
class _Folds:
    """Readings to be predicted, each with the readings to predict it from.

    Readings of a case that say the same are predicted once and weighted by their number.

    Attributes
    ----------
    reading : ndarray of int with shape (n_folds,)
        Index into the task's readings.
    case : ndarray of int with shape (n_folds,)
        Its case.
    weight : ndarray of float with shape (n_folds,)
        How many readings of the case say the same.
    blocks : list of lists of lists of int
        What each says: its differential, as `Readings.differential` gives it.
    others : Readings
        With n_folds cases: what is left of each case without the reading.
    """

    reading: IntArray
    case: IntArray
    weight: FloatArray
    blocks: list[list[list[int]]]
    others: Readings


def _leave_one_out(readings: Readings) -> _Folds:
    """Set up a fold for every distinct reading of a case that has another."""
    groups: dict[tuple[object, ...], list[int]] = {}
    for member, of_case in enumerate(readings.case.tolist()):
        if readings.per_case[of_case] >= 2:
            groups.setdefault((of_case, *_content(readings, member)), []).append(member)
    reading = np.array([members[0] for members in groups.values()], np.int64)
    case = readings.case[reading]
    others = readings.take_cases(case)
    left_out = others.case_start[:-1] + (reading - readings.case_start[case])
    kept = np.ones(others.n_readings, bool)
    kept[left_out] = False
    weight = np.array([len(members) for members in groups.values()], float)
    blocks = [readings.differential(fold) for fold in reading.tolist()]
    return _Folds(reading, case, weight, blocks, others.keep(kept))


def _content(readings: Readings, reading: int) -> tuple[object, ...]:
    """What a reading says, as a key."""
    score = float(readings.score[reading])
    if not math.isnan(score):
        return (score,)
    return tuple(tuple(sorted(block)) for block in readings.differential(reading))


def _clustered_mean(score: FloatArray, folds: _Folds) -> tuple[float, float]:
    """Mean score of a reading, and its standard error with whole cases as the units that vary."""
    n = folds.weight.sum()
    mean = float((folds.weight * score).sum() / n)
    deviation = np.bincount(folds.case, folds.weight * (score - mean))
    n_cases = len(np.unique(folds.case))
    if n_cases < 2 or not math.isfinite(mean):
        return mean, math.nan
    return mean, float(np.sqrt((deviation**2).sum() * n_cases / (n_cases - 1)) / n)


def _score_counts(_study: Study, task: Task, aggregation: Aggregation, folds: _Folds) -> FloatArray:
    """Log-probability of each left-out choice under label counts."""
    n_others = folds.others.per_case
    label = task.readings.label[task.readings.entry_start[folds.reading]]
    same = folds.others.label == np.repeat(label, n_others)
    n_same = np.bincount(folds.others.case, same, minlength=len(label))
    gamma, n_labels = aggregation.reliability, len(task.labels)
    return np.log((gamma * n_same + LABEL_COUNT_ALPHA) / (gamma * n_others + LABEL_COUNT_ALPHA * n_labels))


def _score_scores(study: Study, task: Task, aggregation: Aggregation, folds: _Folds) -> FloatArray:
    """Log-density of each left-out score."""
    ids = [study.case_ids[case] for case in folds.case]
    posterior = aggregate_readings(study, task, aggregation, folds.others, ids)
    if not isinstance(posterior, GaussianPosterior):
        raise TypeError(f"scores need a Gaussian posterior, got {type(posterior).__name__}")
    weight = score_prior(task.readings).mean_weight + aggregation.reliability * folds.others.per_case
    scale = posterior.scale * np.sqrt(weight + 1)
    score = task.readings.score[folds.reading]
    return np.asarray(student_t.logpdf(score, posterior.degrees_of_freedom, posterior.location, scale))


def _score_rankings(study: Study, task: Task, aggregation: Aggregation, folds: _Folds) -> FloatArray:
    """Log-probability of each left-out differential: its likelihood, averaged over draws from the others."""
    first = task.readings.case_start[folds.case]
    ids = [
        f"{study.case_ids[case]}\0without reading {place}"
        for case, place in zip(folds.case, (folds.reading - first).tolist(), strict=True)
    ]
    brief = replace(aggregation, draws=N_DRAWS, warmup=N_WARMUP)
    posterior = aggregate_readings(study, task, brief, folds.others, ids)
    if not isinstance(posterior, SampledPosterior):
        raise TypeError(f"rankings need a sampled posterior, got {type(posterior).__name__}")
    seeds = case_seeds(study.seed, ids, "shares of labels that only the left-out reading names")
    return np.array(
        [_predictive(posterior, fold, blocks, int(seeds[fold])) for fold, blocks in enumerate(folds.blocks)]
    )


def _predictive(posterior: SampledPosterior, fold: int, blocks: list[list[int]], seed: int) -> float:
    """Log of the mean likelihood of one differential over the draws of one case."""
    candidates, draws = posterior.candidates, posterior.draws
    slots = candidates.of_case(fold)
    column = {int(label): i for i, label in enumerate(candidates.label[slots])}
    rates, rest = draws.value[slots].T.astype(float), draws.rest[fold].astype(float)
    new = [label for block in blocks for label in block if label not in column]
    if new:
        column |= {label: len(column) + i for i, label in enumerate(new)}
        shares = _shares(len(new), int(candidates.unmentioned[fold]), draws.concentration, len(rest), seed)
        rates = np.hstack([rates, shares[:, :-1] * rest[:, None]])
        rest = rest * shares[:, -1]
    columns = [[column[label] for label in block] for block in blocks]
    likelihood = log_likelihood(columns, rates, rest)
    largest = likelihood.max()
    if largest == -np.inf:
        return -math.inf
    return float(largest + np.log(np.exp(likelihood - largest).mean()))


def _shares(n_new: int, n_unmentioned: int, concentration: float, n: int, seed: int) -> FloatArray:
    """Joint shares of ``n_new`` unmentioned labels, and of all others, with shape (n, n_new + 1)."""
    shape = np.full(n_new + 1, concentration)
    shape[-1] = concentration * (n_unmentioned - n_new)
    gammas = np.random.default_rng(seed).standard_gamma(shape, (n, n_new + 1))
    return gammas / gammas.sum(axis=1, keepdims=True)


_PREDICTORS: dict[str, Callable[[Study, Task, Aggregation, _Folds], FloatArray]] = {
    "plackett-luce": _score_rankings,
    "label-counts": _score_counts,
    "gaussian": _score_scores,
}

PREDICTING = tuple(_PREDICTORS)
"""Aggregation models that give every reading a probability."""
