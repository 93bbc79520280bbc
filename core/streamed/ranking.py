"""s-AUROC and s-AP of all models for one label, over the cases of all parts at once."""

from __future__ import annotations

import numpy as np

from core.metrics.soft.in_order import RankedInOrder, rank_in_order
from core.streamed.evaluation_part import EvaluationQuestion
from core.streamed.part import score_path, soft_path


def rank_label(question: EvaluationQuestion, label: int) -> list[RankedInOrder]:
    """Rank the cases of all parts by every model's scores for one label.

    Parameters
    ----------
    question : EvaluationQuestion
        Whose parts have all been measured.
    label : int
        Place of the label among ``question.labels``.

    Returns
    -------
    list of RankedInOrder
        For each model. The numbers are those of the study in memory, for the cases stand in the same order;
        memory is some 50 bytes a case.
    """
    parts = range(question.study.n_parts)
    soft = np.concatenate([np.load(soft_path(question.folder, label, part)) for part in parts])
    given = [np.load(score_path(question.folder, label, part), mmap_mode="r") for part in parts]
    n_models = given[0].shape[0]
    return [rank_in_order(np.concatenate([of[model] for of in given]), soft) for model in range(n_models)]
