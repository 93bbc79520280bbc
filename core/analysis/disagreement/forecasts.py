"""What models say about class probabilities and about disagreement, judged against the raters' labels."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from core.analysis.disagreement.settings import RESAMPLES
from core.analysis.models.score_models import left_out
from core.metrics.bootstrap import case_weights
from core.metrics.calibration.bins import Binning
from core.metrics.calibration.disagreement import independent_disagreement, statistic_losses
from core.metrics.calibration.label_histogram import LabelHistograms, task_histograms
from core.metrics.calibration.losses import CALIBRATION, Loss, calibration_losses
from core.metrics.calibration.u_statistics import pair_disagreement
from core.study.brief import brief, number_of
from core.study.model import FloatArray, Study, Task
from core.study.seeds import case_seeds

AS_GIVEN = "as given"
ALL_LABELS = ""
"""In tables, where a number is of all labels together: no label of a study can be called that."""
CLASS_PROBABILITIES = "class probabilities"
DISAGREEMENT = "disagreement"
CALIBRATION_ERROR = "calibration error"


_LOSS_COLUMNS = [
    "model", "method", "about", "label", "loss", "plug_in", "plug_in_error", "debiased", "debiased_error",
    "below_zero", "n_cases", "n_cases_debiased", "lone_bins",
]  # fmt: skip


@dataclass(frozen=True, eq=False)
class Forecast:
    """What one model says of every case, as it is or after a recalibration.

    Attributes
    ----------
    model : str
        Name of the model.
    method : str
        How its output was treated: `AS_GIVEN`, or the name of a recalibration.
    probability : ndarray of float with shape (n_cases, n_labels)
        Class probabilities; a row of NaN is a case that was not predicted.
    disagreement : ndarray of float with shape (n_cases,)
        Probability that two raters choose different labels, in [0, 1]; NaN where not predicted.
    """

    model: str
    method: str
    probability: FloatArray
    disagreement: FloatArray

    __repr__ = brief


def given_forecasts(task: Task) -> list[Forecast]:
    """Take every model of a task at its word: raters draw their labels from its class probabilities.

    Models that give scores in place of probabilities say nothing of either kind and are left out.
    """
    return [
        Forecast(model, AS_GIVEN, p.probability, independent_disagreement(p.probability))
        for model, p in task.predictions.items()
        if p.kind == "probability"
    ]


def resampled_cases(study: Study, resamples: int = RESAMPLES) -> NDArray[np.uint8]:
    """Weights of the study's cases in each resample, from the study's seed."""
    seed = case_seeds(study.seed, [""], "resampled cases")[0]
    return case_weights(study.n_cases, resamples, np.random.default_rng(seed))


def label_notes(task: Task, histograms: LabelHistograms) -> list[str]:
    """Say in sentences what counts as a label, what is left out, and what cannot be estimated."""
    n = histograms.per_case
    return notes_of(task, histograms.n_tied, (int((n == 0).sum()), int((n == 1).sum()), int((n > 1).sum())))


def notes_of(task: Task, n_tied: int, by_labels: tuple[int, int, int]) -> list[str]:
    """Sentences of `label_notes` from numbers.

    Parameters
    ----------
    task : Task
        For its kind and its models.
    n_tied : int
        Readings that give no single label.
    by_labels : (int, int, int)
        Cases without a label, with one, and with more.
    """
    none, single, several = by_labels
    notes = [left_out(task)] if task.score_models else []
    if task.kind == "ranking":
        notes.append("A differential counts as the label that it puts first.")
    if task.kind == "score":
        notes.append("A score counts as the side of the threshold that it is on.")
    if n_tied:
        notes.append(f"Left out: {number_of(n_tied, 'reading')} that put several labels first, or none.")
    if none:
        notes.append(f"Left out: {number_of(none, 'case')} without a label.")
    if not several:
        notes.append(
            "No case has two labels: how far raters disagree cannot be seen. The epistemic, irreducible and "
            "dispersion losses cannot be debiased, and nothing can be said about disagreement; the expected "
            "squared loss, the calibration loss and the refinement loss still can."
        )
    elif single:
        notes.append(
            "Left out of the debiased epistemic and irreducible losses and of everything about disagreement: "
            f"{number_of(single, 'case')} with a single label."
        )
    return notes


def loss_table(
    study: Study,
    task: Task,
    forecasts: Sequence[Forecast],
    *,
    binning: Binning = Binning(),  # noqa: B008 - frozen
    resamples: int = RESAMPLES,
    by_label: bool = False,
) -> pd.DataFrame:
    """Lay the losses of forecasts side by side, plug-in beside debiased.

    Parameters
    ----------
    study : Study
        Gives the seed of the resamples.
    task : Task
        Its readings are counted as labels; see `label_notes`.
    forecasts : sequence of Forecast
        `given_forecasts`, or recalibrated ones.
    binning : Binning
        Bins of the calibration losses.
    resamples : int
        Resamples of the cases for the standard errors.
    by_label : bool
        Whether each label has rows of its own too.

    Returns
    -------
    DataFrame
        One row a forecast, subject, label and loss: ``model``, ``method``; ``about`` ("class probabilities"
        or "disagreement"); ``label`` (a label's name; `ALL_LABELS`, which is empty: the sum over labels, and
        for disagreement); ``loss`` ("expected squared loss", "epistemic loss", "irreducible loss",
        "calibration loss", "dispersion loss", "refinement loss", "calibration error"; for disagreement the
        first, fourth and the last two); ``plug_in``, ``debiased`` and their standard errors
        ``plug_in_error``, ``debiased_error`` (NaN where it cannot be estimated); ``below_zero`` (whether the
        debiased loss is negative; a debiased calibration error is then 0); ``n_cases`` and
        ``n_cases_debiased``, the cases that entered; ``lone_bins``, how many bins hold a single case, whose
        part could not be debiased (0 for losses without bins).

    Notes
    -----
    See `core.metrics.calibration.losses.calibration_losses` and
    `core.metrics.calibration.disagreement.statistic_losses`.
    """
    histograms = task_histograms(task)
    observed = pair_disagreement(histograms)
    weights = resampled_cases(study, resamples)
    rows: list[tuple[object, ...]] = []
    for forecast in forecasts:
        losses = calibration_losses(histograms, forecast.probability, binning=binning, weights=weights)
        of_pairs = statistic_losses(observed, forecast.disagreement, binning=binning, weights=weights)
        who = (forecast.model, forecast.method)
        rows += rows_of_losses(who, losses, of_pairs, labels=task.labels if by_label else ())
    return losses_in_rows(rows)


def losses_in_rows(rows: Sequence[tuple[object, ...]]) -> pd.DataFrame:
    """Table of `loss_table` from its rows."""
    return pd.DataFrame(list(rows), columns=_LOSS_COLUMNS)


def rows_of_losses(
    who: tuple[str, str], losses: Mapping[str, Loss], of_pairs: Mapping[str, Loss], *, labels: Sequence[str]
) -> list[tuple[object, ...]]:
    """Rows of `loss_table` for one forecast, by its model and method; with rows for each of the labels."""
    rows = [(*who, CLASS_PROBABILITIES, ALL_LABELS, *row) for row in _loss_rows(losses)]
    for k, label in enumerate(labels):
        of_label = {name: loss.of_class(k) for name, loss in losses.items()}
        rows += [(*who, CLASS_PROBABILITIES, label, *row) for row in _loss_rows(of_label)]
    return rows + [(*who, DISAGREEMENT, ALL_LABELS, *row) for row in _loss_rows(of_pairs)]


def _loss_rows(losses: Mapping[str, Loss]) -> Iterator[tuple[object, ...]]:
    """Last columns of the loss table: one row a loss, then the root of the calibration loss."""
    for name, loss in losses.items():
        plain, debiased = loss.plug_in, loss.debiased
        yield (
            name, plain.total, plain.total_error, debiased.total, debiased.total_error, debiased.total < 0,
            plain.n_cases, debiased.n_cases, int(loss.lone_bins.sum()),
        )  # fmt: skip
    loss = losses[CALIBRATION]
    plug_in, root = loss.plug_in.root, loss.debiased.root
    yield (
        CALIBRATION_ERROR, plug_in.value, plug_in.standard_error, root.value, root.standard_error,
        root.is_below_zero, loss.plug_in.n_cases, loss.debiased.n_cases, int(loss.lone_bins.sum()),
    )  # fmt: skip
