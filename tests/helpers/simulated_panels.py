"""Studies of two labels with a known truth: what panels like these say, of these cases and of others."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import pandas as pd

from core.metrics.soft.hard import hard_ranking_metrics, hard_shares
from core.metrics.soft.ranking import ranking_metrics, sort_scores
from core.study.model import FloatArray, IntArray, Predictions, Readings, Study, Task

HARD = ("AUROC", "AP", "Brier score", "log loss", "accuracy")
SOFT = ("s-AUROC", "s-AP", "soft Brier score", "soft log loss")
N_REREADINGS = 100
N_POPULATION = 8_000


@dataclass(frozen=True)
class Panel:
    """What studies are drawn from; ``share`` has the parameters of the plausibilities' Beta distribution.

    The numbers of readings of a case are ``fewest``, ``fewest + 2`` … up to ``most``, equally often.
    """

    n_cases: int
    fewest: int
    most: int
    share: tuple[float, float]
    n_models: int = 1

    def draw(self, seed: int) -> tuple[Study, Task, dict[tuple[str, str], FloatArray]]:
        """Study, task, and by ("these cases" or "other cases", metric) each model's true value.

        Soft metrics are those of the plausibilities. Hard ones are what they are on average over panels: the
        mean over readings drawn anew. Other cases are many, so that the mean is over them.
        """
        rng = np.random.default_rng(seed)
        noise = rng.uniform(0.5, 3, self.n_models)
        plausibility, readings, scores = self._cases(rng, self.n_cases, noise)
        study, task = _study(rng, seed, plausibility, readings, scores)
        found = {}
        again = rng.binomial(readings, plausibility, (N_REREADINGS, self.n_cases)) / readings
        others, their_readings, their_scores = self._cases(rng, N_POPULATION, noise)
        read = rng.binomial(their_readings, others)[None] / their_readings
        for whose, of, soft, shares in (
            ("these cases", scores, plausibility, again),
            ("other cases", their_scores, others, read),
        ):
            hard = measured(of, shares)
            found |= {(whose, metric): np.nanmean(hard[metric], axis=1) for metric in HARD}
            true = measured(of, soft[None])
            found |= {(whose, metric): true[metric][:, 0] for metric in SOFT}
        return study, task, found

    def _cases(
        self, rng: np.random.Generator, n: int, noise: FloatArray
    ) -> tuple[FloatArray, IntArray, FloatArray]:
        """Plausibilities, numbers of readings, and scores of models that see the log odds through noise."""
        p = rng.beta(*self.share, n)
        clipped = np.clip(p, 1e-4, 1 - 1e-4)
        odds = np.log(clipped / (1 - clipped)) + noise[:, None] * rng.standard_normal((len(noise), n))
        return p, rng.choice(np.arange(self.fewest, self.most + 1, 2), n), 1 / (1 + np.exp(-odds))


def measured(scores: FloatArray, shares: FloatArray) -> dict[str, FloatArray]:
    """Metrics with shape (n_models, n_vectors) for shares of votes with shape (n_vectors, n_cases)."""
    found, hard, scored = {}, hard_shares(shares), sort_scores(scores)
    losses = (np.square(1 - scores), np.square(scores)), (-np.log(scores), -np.log(1 - scores))
    for truth, rank, names in ((hard, hard_ranking_metrics, HARD[:-1]), (shares, ranking_metrics, SOFT)):
        means = [(one @ truth.T + zero @ (1 - truth).T) / scores.shape[1] for one, zero in losses]
        found |= dict(zip(names, (*rank(scored, truth), *means), strict=True))
    says = (scores > 0.5).astype(float)
    found["accuracy"] = (says @ hard.T + (1 - says) @ (1 - hard).T) / scores.shape[1]
    return found


def _study(
    rng: np.random.Generator, seed: int, plausibility: FloatArray, readings: IntArray, scores: FloatArray
) -> tuple[Study, Task]:
    """A study in which every case has so many readings."""
    n, total = len(plausibility), int(readings.sum())
    start = np.concatenate([[0], np.cumsum(readings)])
    case = np.repeat(np.arange(n), readings)
    given = Readings(
        case_start=start,
        rater=(np.arange(total) - start[case]).astype(np.int32),
        repeat=np.ones(total, np.int32),
        confidence=np.full(total, np.nan),
        score=np.full(total, np.nan),
        entry_start=np.arange(total + 1),
        label=(rng.random(total) < plausibility[case]).astype(np.int32),
        block=np.zeros(total, np.int32),
    )
    models = {f"m{m}": Predictions(f"m{m}", np.stack([1 - s, s], axis=1)) for m, s in enumerate(scores)}
    task = Task("finding", "choice", ("absent", "present"), given, models, positive="present")
    ids = tuple(f"case {i}" for i in range(n))
    raters = tuple(f"R{r}" for r in range(int(readings.max())))
    frame = pd.DataFrame(index=pd.Index(ids, name="case_id"))
    return Study("simulated", ids, raters, {"finding": task}, frame, str(seed), seed=seed), task
