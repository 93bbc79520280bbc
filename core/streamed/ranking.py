"""s-AUROC and s-AP of all models for one label, over the cases of all parts at once."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from core.metrics.soft.average_precision_error import ap_error
from core.metrics.soft.ranking import ranking_metrics, sort_scores
from core.metrics.soft.standard_errors import auroc_error
from core.streamed.job import Job
from core.streamed.part import score_path, soft_path
from core.study.model import FloatArray


class Ranked(NamedTuple):
    """A model's ranking metrics for one label, each with its standard error over cases."""

    auroc: float
    auroc_error: float
    ap: float
    ap_error: float
    n_cases: int


def rank_label(job: Job, label: int) -> list[Ranked]:
    """Rank the cases of all parts by every model's scores for one label.

    Parameters
    ----------
    job : Job
        Whose parts have all been measured.
    label : int
        Place of the label among ``job.labels``.

    Returns
    -------
    list of Ranked
        For each model. The numbers are those of the study in memory, for the cases stand in the same order;
        memory is some 70 bytes a case.
    """
    parts = range(len(job.study.cases))
    soft = np.concatenate([np.load(soft_path(job.scores, label, part)) for part in parts])
    given = [np.load(score_path(job.scores, label, part), mmap_mode="r") for part in parts]
    n_models = given[0].shape[0]
    return [rank_scores(np.concatenate([of[model] for of in given]), soft) for model in range(n_models)]


def rank_scores(scores: FloatArray, soft: FloatArray) -> Ranked:
    """Measure one model's scores against soft labels.

    Parameters
    ----------
    scores : ndarray of float with shape (n_cases,)
        The largest the most positive.
    soft : ndarray of float64 with shape (n_cases,)
        In [0, 1].
    """
    auroc, ap = ranking_metrics(sort_scores(scores), soft[None])
    return Ranked(
        float(auroc[0, 0]), auroc_error(scores, soft), float(ap[0, 0]), ap_error(scores, soft), len(soft)
    )
