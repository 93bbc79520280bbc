"""How a predictor that is always right fares under losses estimated from few labels a case."""

from __future__ import annotations

from collections.abc import Callable, Sequence

import numpy as np
import pandas as pd

from core.metrics.calibration.label_histogram import label_histograms
from core.metrics.calibration.losses import CALIBRATION, EPISTEMIC, calibration_losses
from core.study.seeds import case_seeds

LABELS_PER_CASE = (2, 5)
NUMBERS_OF_CASES = (100, 250, 500, 1000, 2500, 5000, 10000)
PLUG_IN = "plug-in"
DEBIASED = "debiased"


def perfect_predictor(
    *,
    labels_per_case: Sequence[int] = LABELS_PER_CASE,
    numbers_of_cases: Sequence[int] = NUMBERS_OF_CASES,
    repeats: int = 100,
    seed: int = 0,
    progress: Callable[[float, str], None] | None = None,
) -> pd.DataFrame:
    """Estimate the losses of a perfect predictor in simulated studies (Mimori 2021, fig. 2).

    Parameters
    ----------
    labels_per_case : sequence of int
        Numbers of labels a case, 2 or more each.
    numbers_of_cases : sequence of int
        Sizes of the studies, 1 or more each.
    repeats : int
        Studies of each size, 2 or more.
    seed : int
        Of the simulation.
    progress : callable, optional
        Called with the share done, in [0, 1], and what is being done.

    Returns
    -------
    DataFrame
        One row a setting, loss and estimate: ``labels_per_case``, ``n_cases``, ``loss`` ("epistemic loss" or
        "calibration loss"), ``estimate`` ("plug-in" or "debiased"), ``truth`` (0: the predictor is perfect),
        ``mean`` over the studies, its ``standard_error``, the ``standard_deviation`` of a study, ``repeats``.

    Raises
    ------
    ValueError
        Where a number is smaller than allowed.

    Notes
    -----
    Two classes; the probability that a rater chooses the first is uniform on [0, 1], and is predicted so.
    The plug-in epistemic loss is 1/(3n) under n labels, however many the cases.
    """
    for name, given, least in (
        ("labels_per_case", min(labels_per_case), 2),
        ("numbers_of_cases", min(numbers_of_cases), 1),
        ("repeats", repeats, 2),
    ):
        if given < least:
            raise ValueError(f"{name} must be {least} or more, got {given}")
    settings = [(n_labels, n_cases) for n_labels in labels_per_case for n_cases in numbers_of_cases]
    rows: list[tuple[object, ...]] = []
    for step, (n_labels, n_cases) in enumerate(settings):
        if progress is not None:
            progress(step / len(settings), f"{n_cases:,} cases of {n_labels} labels")
        rng = np.random.default_rng(case_seeds(seed, [f"{n_labels} {n_cases}"], "perfect predictor")[0])
        estimates = np.array([_estimates(n_labels, n_cases, rng) for _ in range(repeats)])
        for i, loss in enumerate((EPISTEMIC, CALIBRATION)):
            for j, estimate in enumerate((PLUG_IN, DEBIASED)):
                spread = estimates[:, i, j].std(ddof=1)
                mean = estimates[:, i, j].mean()
                error = spread / np.sqrt(repeats)
                rows.append((n_labels, n_cases, loss, estimate, 0.0, mean, error, spread, repeats))
    if progress is not None:
        progress(1.0, "done")
    columns = ["labels_per_case", "n_cases", "loss", "estimate", "truth", "mean"]
    return pd.DataFrame(rows, columns=[*columns, "standard_error", "standard_deviation", "repeats"])


def _estimates(n_labels: int, n_cases: int, rng: np.random.Generator) -> list[list[float]]:
    """Plug-in and debiased epistemic and calibration loss of one simulated study."""
    first = rng.random(n_cases)
    chosen = rng.binomial(n_labels, first)
    histograms = label_histograms(np.column_stack([chosen, n_labels - chosen]))
    losses = calibration_losses(histograms, np.column_stack([first, 1 - first]))
    return [[losses[name].plug_in.total, losses[name].debiased.total] for name in (EPISTEMIC, CALIBRATION)]
