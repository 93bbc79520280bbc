"""What one part of a study says of its models' probabilities, as sums over its cases."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from core.analysis.disagreement.forecasts import given_forecasts
from core.metrics.calibration.bins import Binning
from core.metrics.calibration.disagreement import statistic_sums
from core.metrics.calibration.label_histogram import task_histograms
from core.metrics.calibration.loss_sums import BinSums, LossSums
from core.metrics.calibration.losses import loss_sums
from core.metrics.calibration.u_statistics import pair_disagreement
from core.streamed.arrays import load_arrays, part_file, save_arrays
from core.streamed.distinct import keep_ids
from core.streamed.question import Question
from core.streamed.resampled import read_resamples
from core.study.partitions.reading import read_part

SHARES, PAIRS, CASES = "shares", "pairs", "cases"
"""What is kept of each part: sums over class probabilities, over disagreement, and both of each case."""


@dataclass(frozen=True)
class DisagreementQuestion(Question):
    """What is asked of every part about its models; the folder holds the resamples of its cases.

    Attributes
    ----------
    models : tuple of str
        Models that are judged.
    bins : int
        Bins, all equally wide.
    """

    models: tuple[str, ...]
    bins: int


@dataclass(frozen=True)
class LabelCounts:
    """How a part was labelled.

    Attributes
    ----------
    n_readings, n_tied : int
        Readings, and those that give no single label.
    cases : (int, int, int)
        Cases without a label, with one, and with more.
    n_read : int
        Cases with a reading.
    raters : frozenset of str
        Who read.
    """

    n_readings: int
    n_tied: int
    cases: tuple[int, int, int]
    n_read: int
    raters: frozenset[str]


def count_disagreement(asked: DisagreementQuestion, part: int) -> LabelCounts:
    """Add up one part, and keep its sums.

    Raises
    ------
    StudyError
        If the part cannot be read.
    """
    study = read_part(asked.study, part)
    keep_ids(asked, part, study.case_ids)
    task = study.tasks[asked.task]
    histograms = task_histograms(task)
    observed = pair_disagreement(histograms)
    weights = read_resamples(asked.folder, part, study.n_cases)
    binning = Binning("equal width", asked.bins)
    edges = binning.edges(np.empty((0, len(task.labels))))
    of_cases = {"observed": observed, "labels": histograms.per_case.astype(np.int32)}
    for place, forecast in enumerate(one for one in given_forecasts(task) if one.model in asked.models):
        shares = loss_sums(histograms, forecast.probability, edges=edges, weights=weights)
        pairs = statistic_sums(observed, forecast.disagreement, binning=binning, weights=weights)
        for what, sums in ((SHARES, shares), (PAIRS, pairs)):
            save_arrays(part_file(asked.folder, part, f"{what} {place}"), _arrays(sums))
        of_cases[f"expected {place}"] = forecast.disagreement
    save_arrays(part_file(asked.folder, part, CASES), of_cases)
    n = histograms.per_case
    read = np.bincount(task.readings.rater, minlength=len(study.rater_ids)) > 0
    return LabelCounts(
        task.readings.n_readings,
        histograms.n_tied,
        (int((n == 0).sum()), int((n == 1).sum()), int((n > 1).sum())),
        int((task.readings.per_case > 0).sum()),
        frozenset(study.rater_ids[code] for code in np.flatnonzero(read)),
    )


def _arrays(sums: LossSums) -> dict[str, np.ndarray]:
    """Sums as plain arrays."""
    rest = {name: of for name, of in vars(sums).items() if name != "bins"}
    return {**{f"bins.{name}": of for name, of in vars(sums.bins).items()}, **rest}


def load_sums(asked: DisagreementQuestion, what: str, model: int) -> LossSums:
    """Sums over all parts of one model, which is counted from 0."""
    total: LossSums | None = None
    for part in range(asked.study.n_parts):
        found = load_arrays(part_file(asked.folder, part, f"{what} {model}"))
        bins = BinSums(**{name[5:]: of for name, of in found.items() if name.startswith("bins.")})
        rest = {name: of for name, of in found.items() if not name.startswith("bins.")}
        own = LossSums(bins, **rest)
        total = own if total is None else total + own
    assert total is not None  # A study has a part at least.
    return total
