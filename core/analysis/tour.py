"""The toy problem (Stutz 2025, fig. 2): one number is observed, and three overlapping classes explain it.

It is small enough that everything about it is known, the true plausibilities included.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import reduce

import numpy as np
import pandas as pd
from scipy.special import gammaincinv
from scipy.stats import norm, qmc

from core.analysis.tied_labels import tied_in_words
from core.analysis.tour_leads import leads as leads_at
from core.plausibility.aggregate import LABEL_COUNT_ALPHA
from core.plausibility.settings import RELIABILITIES
from core.study.model import FloatArray, IntArray, Predictions, Readings, Study, Task, freeze
from core.study.simulation.models import round_probabilities
from core.study.simulation.readers import assign, draw_choices, draw_reliability, rater_truth, tempered
from core.study.simulation.simulate import simulated_study
from core.study.simulation.truth import SimulatedStudy, Truth

LABELS = ("A", "B", "C")
DANGER = "lymphoma"
CONDITIONS = dict(zip(LABELS, ("eczema", DANGER, "psoriasis"), strict=True))
"""What the tour calls the labels: made up, as the problem is; one of the three is dangerous."""
MEANS = np.array([-1.5, 0.0, 1.5])
DEVIATION = 1.0
N_RATERS = 3
N_CASES = 150
SEED = 2
N_DRAWS = 128
"""Draws shown on the simplex; a power of two, which makes them even."""
N_DOTS = 20
"""Dots of a quantile dot plot: people read counts out of 20 well."""

_DESCRIPTION = (
    "Toy problem after figure 2 of Stutz et al. 2025: an observation x comes from one of three "
    "overlapping normal distributions (means {:g}, {:g} and {:g}, standard deviation 1, equally likely), so "
    "even perfect knowledge leaves a distribution over the three classes. Three raters name one class "
    "each, drawn from it. Bayes-optimal predicts exactly the true plausibilities; Overconfident names "
    "the same class, too surely; Shifted reads x 0.3 too low."
)


def class_density(observation: FloatArray, means: FloatArray = MEANS) -> FloatArray:
    """Density of an observation in each class, with shape (n_cases, 3)."""
    return norm.pdf(np.asarray(observation)[:, None], means, DEVIATION)


def class_plausibility(observation: FloatArray, means: FloatArray = MEANS) -> FloatArray:
    """P(class | x) of the three equally likely classes, with shape (n_cases, 3)."""
    density = class_density(observation, means)
    return density / density.sum(axis=1, keepdims=True)


def observed(n_cases: int = N_CASES, *, seed: int = SEED, apart: float = 1.0) -> FloatArray:
    """Observations of the cases of `toy_study`, which takes the same parameters, in ascending order."""
    return _drawn(np.random.default_rng(seed), n_cases, apart)


def _drawn(rng: np.random.Generator, n_cases: int, apart: float) -> FloatArray:
    """Draw observations of cases of classes that are equally likely, in ascending order."""
    means = MEANS * apart
    observation = means[rng.integers(3, size=n_cases)] + DEVIATION * rng.standard_normal(n_cases)
    return np.sort(np.round(observation, 3))


def toy_study(n_cases: int = N_CASES, *, seed: int = SEED, apart: float = 1.0) -> SimulatedStudy:
    """Draw cases in ascending order of the observation, each read by the same three raters.

    Parameters
    ----------
    n_cases : int
        Number of cases.
    seed : int
        Decides everything that is random.
    apart : float
        How many times as far apart the classes lie, 0 or more: where they overlap less, raters agree more.

    Returns
    -------
    SimulatedStudy
        A choice task ``class`` with the models Bayes-optimal, Overconfident and Shifted.
    """
    rng = np.random.default_rng(seed)
    means = MEANS * apart
    observation = _drawn(rng, n_cases, apart)
    plausibility = class_plausibility(observation, means)
    assignment = assign(rng, n_cases, raters_per_case=N_RATERS, n_raters=N_RATERS)
    reliability = draw_reliability(rng, assignment, reliability=1.0, spread=0.0)
    readings = draw_choices(rng, assignment, plausibility, reliability)
    predicted = {
        "Bayes-optimal": plausibility,
        "Overconfident": tempered(plausibility, 5.0),
        "Shifted": class_plausibility(observation - 0.3, means),
    }
    predictions = {model: Predictions(model, round_probabilities(p)) for model, p in predicted.items()}
    return simulated_study(
        Task("class", "choice", LABELS, readings, predictions),
        Truth(plausibility, rater_truth(plausibility, reliability, assignment.rater_ids)),
        assignment,
        name="Toy problem with three labels (simulated)",
        description=_DESCRIPTION.format(*means),
        metadata={
            "x": observation,
            **{f"true_{label}": np.round(plausibility[:, k], 4) for k, label in enumerate(LABELS)},
        },
        case_ids=[f"toy-{i + 1:03d}" for i in range(n_cases)],
        features=pd.DataFrame({"x": observation}),
        source="Simulated.",
        licence="Apache-2.0",
        seed=seed,
    )


@dataclass(frozen=True, eq=False)
class ToyCase:
    """One observation and what three raters said of it.

    Attributes
    ----------
    observation : float
        The number that was observed.
    plausibility : ndarray of float64 with shape (3,)
        True plausibilities, which only a toy problem knows.
    named : ndarray of int with shape (3,)
        Label that each rater named.
    readings : Readings
        The same, as the aggregation models take them: one case.
    """

    observation: float
    plausibility: FloatArray
    named: IntArray
    readings: Readings

    @property
    def counts(self) -> IntArray:
        """How many raters named each label, with shape (3,)."""
        return np.bincount(self.named, minlength=len(LABELS))

    @property
    def majority(self) -> int | None:
        """Label that most raters named; None where each of them named another."""
        return int(np.argmax(self.counts)) if self.counts.max() > 1 else None


def toy_case(observation: float, *, panel: int = 0) -> ToyCase:
    """Ask three raters about an observation: each names a label, drawn from the true plausibilities.

    Parameters
    ----------
    observation : float
        Any number.
    panel : int
        Which three raters. A panel keeps its luck, so its readings follow the observation in few steps.
    """
    rng = np.random.default_rng([SEED, panel])
    plausibility = class_plausibility(np.array([observation]))
    assignment = assign(rng, 1, raters_per_case=N_RATERS, n_raters=N_RATERS)
    readings = draw_choices(rng, assignment, plausibility, np.ones(N_RATERS))
    return ToyCase(observation, freeze(plausibility[0]), readings.label, readings)


def certainty_table(case: ToyCase) -> pd.DataFrame:
    """Say how certain the leading label is at every step of the reliability slider.

    Returns
    -------
    DataFrame
        One row a reliability: ``reliability``; ``A``, ``B``, ``C``, the probability that the label leads
        (exact, label counts); ``leader``, the label most likely to lead, of equals all, and
        ``certainty``, its probability.
    """
    leads = np.concatenate([leads_at(case.counts[None, :], gamma) for gamma in RELIABILITIES])
    table = pd.DataFrame({"reliability": RELIABILITIES})
    table[list(LABELS)] = leads
    alike = leads >= leads.max(axis=1, keepdims=True) - 1e-9
    table["leader"] = [tied_in_words([LABELS[k] for k in np.flatnonzero(row)]) for row in alike]
    table["certainty"] = leads.max(axis=1)
    return table


def dot_table(certainty: pd.DataFrame) -> pd.DataFrame:
    """Turn the probabilities of leading into twenty dots a reliability.

    Parameters
    ----------
    certainty : DataFrame
        From `certainty_table`.

    Returns
    -------
    DataFrame
        ``reliability``, ``label`` and ``dots``, whole numbers that sum to `N_DOTS` for each reliability.

    Notes
    -----
    Dot i stands for the label that holds the quantile (i + ½)/20 when the labels' probabilities are laid end
    to end.
    """
    cumulative = certainty[list(LABELS)].to_numpy().cumsum(axis=1)[:, :-1]
    quantile = (np.arange(N_DOTS) + 0.5) / N_DOTS
    label = (quantile >= cumulative[:, :, None]).sum(axis=1)
    dots = (label[:, None, :] == np.arange(len(LABELS))[:, None]).sum(axis=2)
    return pd.DataFrame(
        {
            "reliability": np.repeat(certainty["reliability"].to_numpy(), len(LABELS)),
            "label": np.tile(LABELS, len(certainty)),
            "dots": dots.ravel(),
        }
    )


def draw_table(case: ToyCase, *, n: int = N_DRAWS) -> pd.DataFrame:
    """Draw plausibilities at every step of the reliability slider.

    Parameters
    ----------
    case : ToyCase
        What the raters said.
    n : int
        Draws a reliability, a power of two.

    Returns
    -------
    DataFrame
        ``reliability``, ``draw`` (from 0), ``A``, ``B``, ``C`` (a plausibility, sums to 1), ``leader``.

    Notes
    -----
    λ ~ Dirichlet(γ·counts + α), as in `core.plausibility.dirichlet.label_counts`, by inverting the gammas'
    distribution functions at one scrambled Sobol sequence. Draw d has the same quantiles at every γ, so it
    moves without jumps when γ does; every single γ has draws of its own exact distribution.
    """
    quantile = qmc.Sobol(len(LABELS), seed=SEED).random(n)
    share = np.empty((len(RELIABILITIES), n, len(LABELS)))
    for step, gamma in enumerate(RELIABILITIES):
        if np.isinf(gamma):
            share[step] = case.counts / N_RATERS
        else:
            race = gammaincinv(gamma * case.counts + LABEL_COUNT_ALPHA, quantile)
            share[step] = race / race.sum(axis=1, keepdims=True)
    flat = share.reshape(-1, len(LABELS))
    table = pd.DataFrame(
        {"reliability": np.repeat(RELIABILITIES, n), "draw": np.tile(np.arange(n), len(RELIABILITIES))}
    )
    table[list(LABELS)] = flat
    table["leader"] = np.array(LABELS)[flat.argmax(axis=1)]
    return table


def same_case(study: Study, known: Study, case_id: str) -> tuple[str, str] | None:
    """Find the case of a study that has the very readings of a case of another one.

    Parameters
    ----------
    study : Study
        Where it is looked for.
    known : Study
        Of one task, with the case.
    case_id : str
        The case there; it may have any id in the other study.

    Returns
    -------
    (str, str) or None
        Task and case id in ``study``, the first that there is; None where it has no such case.
    """
    (task,) = known.tasks.values()
    wanted = _as_read(task, known.case_ids.index(case_id))
    readings = task.readings.take_cases([known.case_ids.index(case_id)])
    labels = {task.labels[label] for label in readings.label}
    for other in study.tasks.values():
        if other.kind == task.kind and labels <= set(other.labels):
            for case in _naming(other, labels):
                if _as_read(other, case) == wanted:
                    return other.name, study.case_ids[case]
    return None


def _as_read(task: Task, case: int) -> list[str]:
    """Readings of a case in brace notation, in no one's order."""
    return sorted(task.braces(reading) for reading in task.readings.of_case(case))


def _naming(task: Task, labels: set[str]) -> list[int]:
    """Cases in which each of the labels is named."""
    readings = task.readings
    case = readings.case[readings.entry_reading]
    named = [np.unique(case[readings.label == task.labels.index(label)]) for label in labels]
    return reduce(np.intersect1d, named).tolist()
