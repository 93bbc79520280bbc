"""Studies with a known truth: for samples, for testing estimators, for asking how many raters one needs."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any

import numpy as np
import pandas as pd

from core.study.fingerprint import fingerprint
from core.study.model import FloatArray, IntArray, Study, Task
from core.study.reading.checks import score_labels
from core.study.simulation.models import simulate_models, votes
from core.study.simulation.readers import (
    LENGTHS,
    TIED,
    Assignment,
    assign,
    draw_choices,
    draw_rankings,
    draw_reliability,
    rater_truth,
)
from core.study.simulation.scores import (
    draw_rater_errors,
    draw_scores,
    side_plausibility,
    simulate_score_models,
)
from core.study.simulation.truth import (
    SimulatedStudy,
    Truth,
    draw_lead,
    draw_plausibility,
    group_resemblance,
    look_alike_groups,
)

SIMULATED = "Simulated, not real patients."


def simulate(kind: str, **options: Any) -> SimulatedStudy:
    """Draw a study of one task with a known truth.

    Parameters
    ----------
    kind : {"ranking", "choice", "score"}
        What the raters are asked for.
    **options
        Passed to `simulate_rankings`, `simulate_choices` or `simulate_scores`.

    Returns
    -------
    SimulatedStudy
        The same for the same options, ``seed`` included.

    Raises
    ------
    ValueError
        If the kind is unknown or an option lies outside its range.
    """
    kinds: dict[str, Callable[..., SimulatedStudy]] = {
        "ranking": simulate_rankings,
        "choice": simulate_choices,
        "score": simulate_scores,
    }
    if kind not in kinds:
        raise ValueError(f"kind must be one of {', '.join(kinds)}, got {kind!r}")
    return kinds[kind](**options)


def simulate_rankings(  # noqa: PLR0913 - what a simulation assumes, by name
    *,
    n_cases: int = 300,
    n_labels: int = 40,
    raters_per_case: int | tuple[int, int] = (3, 10),
    n_raters: int = 24,
    reliability: float = 1.0,
    rater_spread: float = 0.25,
    ambiguity: float = 0.4,
    lengths: Sequence[float] = LENGTHS,
    tied: float = TIED,
    seed: int = 0,
) -> SimulatedStudy:
    """Draw differential diagnoses.

    Parameters
    ----------
    n_cases, n_labels, n_raters : int
        Sizes; ``n_raters`` is the pool that the raters of a case are drawn from.
    raters_per_case : int or (int, int)
        The same for all cases, or the fewest and the most.
    reliability : float
        γ: a rater ranks by Plackett–Luce with weights λ^γ. Positive and finite.
    rater_spread : float
        Standard deviation of the raters' log reliability about it.
    ambiguity : float
        Mean share of plausibility that does not go to the label that a case was built around, in (0, 1).
    lengths : sequence of float
        Relative frequency of naming 1, 2, … labels.
    tied : float
        Probability that a label is tied with the one before it.
    seed : int
        Every random number derives from it.
    """
    rng = _generator(seed, n_cases=n_cases, n_labels=n_labels)
    plausibility, risk = _label_truth(rng, n_cases, n_labels, ambiguity)
    assignment = assign(rng, n_cases, raters_per_case=raters_per_case, n_raters=n_raters)
    own = draw_reliability(rng, assignment, reliability=reliability, spread=rater_spread)
    readings = draw_rankings(rng, assignment, plausibility, own, lengths=lengths, tied=tied)
    hard_label = np.argmax(votes(readings, n_labels), axis=1)
    predictions = simulate_models(rng, plausibility, hard_label, risk=risk)
    task = Task("diagnosis", "ranking", _label_names(n_labels), readings, predictions, risk)
    truth = Truth(plausibility, rater_truth(plausibility, own, assignment.rater_ids))
    return simulated_study(task, truth, assignment, name="Simulated differentials", seed=seed)


def simulate_choices(
    *,
    n_cases: int = 300,
    n_labels: int = 10,
    raters_per_case: int | tuple[int, int] = (3, 7),
    n_raters: int = 12,
    reliability: float = 1.0,
    rater_spread: float = 0.25,
    ambiguity: float = 0.4,
    seed: int = 0,
) -> SimulatedStudy:
    """Draw single choices with confidences; options as for `simulate_rankings`, with P(label) ∝ λ^γ."""
    rng = _generator(seed, n_cases=n_cases, n_labels=n_labels)
    plausibility, risk = _label_truth(rng, n_cases, n_labels, ambiguity)
    assignment = assign(rng, n_cases, raters_per_case=raters_per_case, n_raters=n_raters)
    own = draw_reliability(rng, assignment, reliability=reliability, spread=rater_spread)
    readings = draw_choices(rng, assignment, plausibility, own)
    hard_label = np.argmax(votes(readings, n_labels), axis=1)
    predictions = simulate_models(rng, plausibility, hard_label, risk=risk)
    task = Task("label", "choice", _label_names(n_labels), readings, predictions, risk)
    truth = Truth(plausibility, rater_truth(plausibility, own, assignment.rater_ids))
    return simulated_study(task, truth, assignment, name="Simulated choices", seed=seed)


def simulate_scores(  # noqa: PLR0913 - what a simulation assumes, by name
    *,
    n_cases: int = 150,
    raters_per_case: int | tuple[int, int] = (3, 6),
    n_raters: int = 10,
    rater_bias: float = 0.5,
    noise: float = 1.2,
    rater_spread: float = 0.25,
    scale: tuple[float, float] = (0.0, 10.0),
    step: float = 0.5,
    threshold: float = 5.0,
    regressor: bool = False,
    seed: int = 0,
) -> SimulatedStudy:
    """Draw scores.

    Parameters
    ----------
    n_cases, n_raters, seed : int
        Sizes, and what every random number derives from; ``n_raters`` is the pool that the raters of a case
        are drawn from.
    raters_per_case : int or (int, int)
        The same for all cases, or the fewest and the most.
    rater_bias : float
        Standard deviation of the raters' biases, in score units.
    noise : float
        Typical standard deviation of a rater's score about the true mean and the rater's bias.
    rater_spread : float
        Standard deviation of the raters' log noise.
    scale : (float, float)
        Lowest and highest score.
    step : float
        Scores are multiples of it.
    threshold : float
        Scores at or above it are on the second side.
    regressor : bool
        Whether there is also a model that predicts the number, not the probability of each side.
    """
    rng = _generator(seed, n_cases=n_cases)
    low, high = scale
    if not low < threshold < high:
        raise ValueError(f"threshold must lie inside the scale {scale}, got {threshold}")
    if not step > 0:
        raise ValueError(f"step must be positive, got {step}")
    mean = low + (high - low) * rng.beta(1.6, 1.6, size=n_cases)
    assignment = assign(rng, n_cases, raters_per_case=raters_per_case, n_raters=n_raters)
    raters = draw_rater_errors(rng, assignment, bias=rater_bias, noise=noise, spread=rater_spread)
    readings = draw_scores(rng, assignment, mean, raters, scale=scale, step=step)
    predictions = simulate_score_models(
        rng, mean, readings, noise=noise, threshold=threshold, regressor=regressor
    )
    task = Task("score", "score", score_labels(threshold), readings, predictions, threshold=threshold)
    truth = Truth(side_plausibility(mean, noise, threshold), raters, score=mean)
    return simulated_study(task, truth, assignment, name="Simulated scores", seed=seed)


def simulated_study(  # noqa: PLR0913 - what a simulation assumes, by name
    task: Task,
    truth: Truth,
    assignment: Assignment,
    *,
    name: str,
    description: str = "",
    metadata: Mapping[str, Sequence[object] | np.ndarray] | None = None,
    case_ids: Sequence[str] | None = None,
    features: pd.DataFrame | None = None,
    source: str = "",
    licence: str = "",
    seed: int = 0,
) -> SimulatedStudy:
    """Make a study of one simulated task, with its truth among the cases' columns.

    Parameters
    ----------
    task : Task
        Readings and predictions.
    truth : Truth
        What they were drawn from.
    assignment : Assignment
        Names of the raters.
    name, description, source, licence : str
        As in ``study.toml``; the description begins by saying that the study is simulated.
    metadata : mapping of str to n_cases values, optional
        More columns of the cases, before the truth.
    case_ids : sequence of str, optional
        Numbered if left out.
    features : DataFrame with n_cases rows, optional
        As in the study.
    seed : int
        The study's seed.

    Returns
    -------
    SimulatedStudy
        Cases have a column ``reference``, the most plausible label, and ``true_share``, its plausibility
        (labels), or ``true_score`` (scores).
    """
    n_cases = task.readings.n_cases
    width = max(3, len(str(n_cases)))
    ids = (
        tuple(case_ids) if case_ids is not None else tuple(f"case-{i + 1:0{width}d}" for i in range(n_cases))
    )
    cases = pd.DataFrame(
        {"reference": [task.labels[label] for label in truth.reference], **(metadata or {})},
        index=pd.Index(ids, name="case_id"),
    )
    if truth.score is None:
        cases["true_share"] = np.round(truth.plausibility.max(axis=1), 4)
    else:
        cases["true_score"] = np.round(truth.score, 3)
    study = Study(
        name=name,
        case_ids=ids,
        rater_ids=assignment.rater_ids,
        tasks={task.name: task},
        cases=cases,
        fingerprint=fingerprint(
            ids, assignment.rater_ids, {task.name: task}, cases, features=features, seed=seed
        ),
        description=f"{SIMULATED} {description}".strip(),
        source=source,
        licence=licence,
        features=features,
        seed=seed,
    )
    return SimulatedStudy(study, truth)


def _generator(seed: int, **sizes: int) -> np.random.Generator:
    """Random generator of a seed, after a check that every size is 1 or more."""
    for name, size in sizes.items():
        if size < 1:
            raise ValueError(f"{name} must be 1 or more, got {size}")
    return np.random.default_rng(seed)


def _label_truth(
    rng: np.random.Generator, n_cases: int, n_labels: int, ambiguity: float
) -> tuple[FloatArray, IntArray]:
    """Plausibilities over labels in look-alike groups of four, the last of which is of high risk."""
    prevalence = rng.dirichlet(np.full(n_labels, 2.0))
    lead = draw_lead(rng, prevalence, n_cases)
    resemblance = group_resemblance(look_alike_groups(n_labels), lead)
    risk = np.resize(np.array([0, 0, 1, 2], np.int8), n_labels)
    return draw_plausibility(rng, lead, resemblance, ambiguity=ambiguity), risk


def _label_names(n_labels: int) -> tuple[str, ...]:
    """Labels by number, in an order that is also alphabetical."""
    width = len(str(n_labels))
    return tuple(f"Label {k + 1:0{width}d}" for k in range(n_labels))
