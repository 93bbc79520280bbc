"""s-AUROC and s-AP of all models for one label, over the cases of all parts at once."""

from __future__ import annotations

import numpy as np

from core.metrics.soft.in_order import RankedInOrder, rank_in_order
from core.streamed.job import Job
from core.streamed.part import score_path, soft_path


def rank_label(job: Job, label: int) -> list[RankedInOrder]:
    """Rank the cases of all parts by every model's scores for one label.

    Parameters
    ----------
    job : Job
        Whose parts have all been measured.
    label : int
        Place of the label among ``job.labels``.

    Returns
    -------
    list of RankedInOrder
        For each model. The numbers are those of the study in memory, for the cases stand in the same order;
        memory is some 50 bytes a case.
    """
    parts = range(len(job.study.cases))
    soft = np.concatenate([np.load(soft_path(job.scores, label, part)) for part in parts])
    given = [np.load(score_path(job.scores, label, part), mmap_mode="r") for part in parts]
    n_models = given[0].shape[0]
    return [rank_in_order(np.concatenate([of[model] for of in given]), soft) for model in range(n_models)]
