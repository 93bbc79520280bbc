"""Ability and leaning of raters, where nobody knows the truth: a hidden label, in clear and unclear cases."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from scipy.optimize import minimize
from scipy.special import log_softmax, softmax

from core.plausibility.rater_ability.errors import standard_errors
from core.plausibility.rater_ability.likelihood import (
    LEANING_SPREAD,
    NODES,
    Choices,
    Parameters,
    Scores,
    describe,
    prior,
    scores,
)
from core.study.model import FloatArray, IntArray, Readings, freeze

SPREAD_RANGE = (0.25, 2.0)
"""Within which σ is sought: the grid of clarities resolves no less and reaches no further."""
MOST_NUMBERS = 10**7
"""Readings times labels that are fitted."""
CLOSE = 0.5
"""Share of what the best fit gains over raters who read by chance, from which another maximum is a rival."""
_STARTS = ((2.0, 1.0, 0.0), (0.7, 0.0, 0.0), (2.0, 1.0, LEANING_SPREAD))
"""Where the search starts: ability, log-prevalence as a multiple of the readings', spread of leanings."""


@dataclass(frozen=True, eq=False)
class RaterAbility:
    """A fitted model. A rater who reads nothing, and a label that nobody names, has NaN.

    Attributes
    ----------
    ability : ndarray of float64 with shape (n_raters,)
        θ in logits: how strongly a case of middling clarity draws the rater to its truth; 0 is guessing.
    leaning : ndarray of float64 with shape (n_raters, n_labels)
        s in logits: how much the rater prefers each label, whatever the case; 0 on average over labels and
        over all readings.
    accuracy : ndarray of float64 with shape (n_raters,)
        P(right) of a rater of this ability who leans to no label, over the clarities of cases.
    unclear : ndarray of float64 with shape (n_raters, n_labels)
        P(the rater says the label) where a case tells nothing: the leaning as a probability.
    recall : ndarray of float64 with shape (n_raters, n_labels)
        P(the rater says the label | it is the truth), leaning included: of two labels, sensitivity and
        specificity.
    ability_error, accuracy_error, unclear_error, recall_error
        Standard errors (`core.plausibility.rater_ability.errors`); NaN where parameters are too many.
    spread : float
        σ, the standard deviation of the log-clarity of cases.
    prevalence : ndarray of float64 with shape (n_labels,)
        Share of cases whose truth is each label; 0 for a label that nobody names.
    difficulty : ndarray of float64 with shape (n_cases,)
        Minus the expected log-clarity; NaN for a case without readings.
    truth : ndarray of float64 with shape (n_cases, n_labels)
        P(the label is the truth), given the case's readings; 0 throughout in a case without readings.
    log_posterior, log_likelihood : float
        What was maximised, and the readings' part of it.
    converged : bool
        Whether the search ended at a maximum.
    rivals : tuple of ndarray with shape (n_raters,)
        ``accuracy`` at other maxima that gain at least `CLOSE` of what this one gains over raters who say
        each label as often as they do, whatever the case.
    log_likelihood_by_chance : float
        Log-likelihood of such raters.
    """

    ability: FloatArray
    leaning: FloatArray
    accuracy: FloatArray
    unclear: FloatArray
    recall: FloatArray
    ability_error: FloatArray
    accuracy_error: FloatArray
    unclear_error: FloatArray
    recall_error: FloatArray
    spread: float
    prevalence: FloatArray
    difficulty: FloatArray
    truth: FloatArray
    log_posterior: float
    log_likelihood: float
    converged: bool
    rivals: tuple[FloatArray, ...]
    log_likelihood_by_chance: float

    def __post_init__(self) -> None:
        for value in (*vars(self).values(), *self.rivals):
            if isinstance(value, np.ndarray):
                freeze(value)


def _choices_of(readings: Readings, n_labels: int) -> tuple[Choices, IntArray, IntArray]:
    """Number the raters who read and the labels that they name; return their codes in the study too."""
    if n_labels < 2:
        raise ValueError(f"n_labels must be 2 or more, got {n_labels}")
    named = np.diff(readings.entry_start)
    if len(named) == 0:
        raise ValueError("abilities need at least one reading, got none")
    if (named != 1).any():
        raise ValueError(
            f"abilities need readings of one label, got readings of {named.min()} to {named.max()} labels"
        )
    raters, rater = np.unique(readings.rater, return_inverse=True)
    labels, label = np.unique(readings.label, return_inverse=True)
    if len(labels) == 1:
        # The label that nobody names stands beside the one that everybody does.
        labels = np.append(labels, (labels[0] + 1) % n_labels)
    if len(label) * len(labels) > MOST_NUMBERS:
        raise ValueError(
            f"abilities may need {MOST_NUMBERS:,} readings times labels, got {len(label):,} readings of "
            f"{len(labels):,} labels: choose fewer raters or cases"
        )
    data = Choices(readings.case_start.astype(np.int64), rater, label, len(raters), len(labels))
    return data, raters, labels


def fit_rater_ability(
    readings: Readings, n_labels: int, n_raters: int, *, max_iterations: int = 500
) -> RaterAbility:
    """Fit abilities and leanings of raters, prevalences of labels and the spread of clarity of cases.

    Parameters
    ----------
    readings : Readings
        Of a choice task, at least one.
    n_labels, n_raters : int
        Of the task, 2 or more, and of the study.
    max_iterations : int
        Largest number of iterations from each start.

    Returns
    -------
    RaterAbility

    Raises
    ------
    ValueError
        If an option is out of range, there is no reading, a reading does not name exactly one label, or there
        are more than `MOST_NUMBERS` readings times labels.

    Notes
    -----
    The truth z of a case is label k with probability π_k; its clarity is c = e^u with u ~ N(0, σ²), on a
    grid. Rater r then says label l with probability

        P(l | z = k, c) = exp(s_rl + θ_r c [l = k]) / Σ_m exp(s_rm + θ_r c [m = k]),

    independently of the others. θ_r is ability and s_rl the leaning to a label. For two labels and s = 0 this
    is GLAD (Whitehill et al. 2009, eq. 1: P(right) = 1/(1 + e^{−αβ})); with s, the log-odds of the
    second label are (s_r2 − s_r1) ± θ_r c: an item-response model with two parameters a rater (Birnbaum
    1968), discrimination and threshold, whose trait ±c has the truth for its sign. With σ = 0 it is
    a Dawid–Skene model (1979) whose K(K − 1) errors a rater are tied to K parameters; a spread of
    clarity makes errors come together on unclear cases, as the random effect of Qu, Tan and Kutner (1996)
    does. Clarity scales ability and never reverses it, so no case is so hard that all are wrong together.

    If all raters leaned alike, their readings could not tell it from a rarer truth. So leanings are
    relative: Σ_r n_r s_rl = 0 for each label, with n_r the readings of rater r, and Σ_l s_rl = 0.

    Maximised is the marginal log-likelihood, truth and clarity summed out (Bock and Aitkin 1981), plus the
    log-prior (`core.plausibility.rater_ability.likelihood.prior`), by L-BFGS with the exact gradient, from
    three starts and from the best end with able and unable raters exchanged. The prior of abilities, whose
    mean is positive, tells the truth from its mirror image.
    """
    if max_iterations < 1:
        raise ValueError(f"max_iterations must be 1 or more, got {max_iterations}")
    data, raters, labels = _choices_of(readings, n_labels)
    found = [_maximise(data, start, max_iterations) for start in _starts(data)]
    best = max(found, key=lambda one: one.log_posterior)
    found.append(_maximise(data, _turned_round(data, best.parameters), max_iterations))
    best = max(found, key=lambda one: one.log_posterior)
    chance = _by_chance(data)
    enough = chance + CLOSE * (best.log_posterior - chance)
    near = [one for one in found if one is not best and one.log_posterior > enough]
    per_case = readings.per_case > 0
    truth = np.zeros((readings.n_cases, n_labels))
    truth[:, labels] = best.scores.truth
    prevalence = np.zeros(n_labels)
    prevalence[labels] = np.exp(best.parameters.log_prevalence)

    def of_raters(values: FloatArray) -> FloatArray:
        """Values of the raters who read, and of the labels named, among all of them."""
        if values.ndim == 1:
            spread_out = np.full(n_raters, np.nan)
            spread_out[raters] = values
        else:
            spread_out = np.full((n_raters, n_labels), np.nan)
            spread_out[np.ix_(raters, labels)] = values
        return spread_out

    accuracy, unclear, recall = describe(best.parameters)
    ability_error, accuracy_error, unclear_error, recall_error = standard_errors(
        data, best.parameters, best.scores
    )
    return RaterAbility(
        ability=of_raters(best.parameters.ability),
        leaning=of_raters(best.parameters.leaning),
        accuracy=of_raters(accuracy),
        unclear=of_raters(unclear),
        recall=of_raters(recall),
        ability_error=of_raters(ability_error),
        accuracy_error=of_raters(accuracy_error),
        unclear_error=of_raters(unclear_error),
        recall_error=of_raters(recall_error),
        spread=float(np.exp(best.parameters.log_spread)),
        prevalence=prevalence,
        difficulty=np.where(per_case, -best.scores.node @ NODES, np.nan),
        truth=truth,
        log_posterior=best.log_posterior,
        log_likelihood=best.scores.log_likelihood,
        converged=best.converged,
        rivals=tuple(of_raters(describe(one.parameters)[0]) for one in near),
        log_likelihood_by_chance=chance,
    )


@dataclass(frozen=True, eq=False)
class _Maximum:
    """Where a search ended."""

    parameters: Parameters
    scores: Scores
    log_posterior: float
    converged: bool


def _starts(data: Choices) -> list[FloatArray]:
    """Starting points of the search, each all parameters in one row."""
    share = np.log(np.bincount(data.label, minlength=data.n_labels) + 1.0)
    rng = np.random.default_rng(0)
    size = data.n_raters * data.n_labels
    return [
        np.concatenate(
            [np.full(data.n_raters, able), spread * rng.standard_normal(size), multiple * share, [-0.5]]
        )
        for able, multiple, spread in _STARTS
    ]


def _by_chance(data: Choices) -> float:
    """Log-likelihood where raters say each label as often as they do, whatever the case."""
    count = np.zeros((data.n_raters, data.n_labels))
    np.add.at(count, (data.rater, data.label), 1)
    return float((count * np.log(np.where(count > 0, count / count.sum(axis=1, keepdims=True), 1))).sum())


def _turned_round(data: Choices, at: Parameters) -> FloatArray:
    """Start from which the able raters are unable and the unable able: where camps disagree, a rival."""
    turned = at.ability.max() + at.ability.min() - at.ability
    flat = np.zeros(data.n_raters * data.n_labels)
    return np.concatenate([turned, flat, at.log_prevalence, [at.log_spread]])


def _maximise(data: Choices, start: FloatArray, max_iterations: int) -> _Maximum:
    """Climb the log-posterior from a starting point."""
    low, high = np.log(SPREAD_RANGE)
    free: list[tuple[float | None, float | None]] = [(None, None)] * (len(start) - 1)

    def loss(row: FloatArray) -> tuple[float, FloatArray]:
        at = _parameters(row, data)
        found = scores(at, data)
        log_prior, by_prior = prior(at)
        gradient = _gradient(found, data, at)
        total = [one + other for one, other in zip(gradient, by_prior, strict=True)]
        return -(found.log_likelihood + log_prior), -_in_a_row(total, data)

    ended = minimize(
        loss,
        start,
        jac=True,
        method="L-BFGS-B",
        bounds=[*free, (low, high)],
        options={"maxiter": max_iterations, "maxfun": 2 * max_iterations, "ftol": 1e-11, "gtol": 1e-5},
    )
    at = _parameters(ended.x, data)
    return _Maximum(at, scores(at, data), -float(ended.fun), bool(ended.success))


def _parameters(row: FloatArray, data: Choices) -> Parameters:
    """Parameters from one row of numbers, leanings centred over readings and labels."""
    n, size = data.n_raters, data.n_raters * data.n_labels
    leaning = row[n : n + size].reshape(n, data.n_labels)
    leaning = leaning - data.share @ leaning
    leaning = leaning - leaning.mean(axis=1, keepdims=True)
    return Parameters(row[:n], leaning, log_softmax(row[n + size : -1]), float(row[-1]))


def _gradient(found: Scores, data: Choices, at: Parameters) -> list[FloatArray]:
    """Derivatives of the log-likelihood by ability, leaning, logits of prevalence and log σ."""
    by_rater = data.sum_by_rater(found.reading)
    of_truth = found.truth.sum(axis=0)
    return [
        by_rater[:, -1],
        by_rater[:, :-1],
        of_truth - of_truth.sum() * softmax(at.log_prevalence),
        np.array([found.by_spread(at.log_spread).sum()]),
    ]


def _in_a_row(parts: Sequence[FloatArray], data: Choices) -> FloatArray:
    """Derivatives by the numbers of `_parameters`, which centres leanings."""
    ability, leaning, prevalence, spread = parts
    leaning = leaning - leaning.mean(axis=1, keepdims=True)
    leaning = leaning - data.share[:, None] * leaning.sum(axis=0)
    return np.concatenate([ability, leaning.ravel(), prevalence, spread])
