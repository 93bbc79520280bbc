"""The hard labels that models are compared with: the label with most votes of every case, by one rule."""

from __future__ import annotations

import numpy as np

from core.analysis.models.comparison import Comparison
from core.analysis.tied_labels import labels_in_words
from core.metrics.soft.hard import hard_shares
from core.plausibility.candidates import Candidates
from core.plausibility.one_hot import OneHotPosterior
from core.plausibility.posterior import Posterior
from core.plausibility.reductions import majority
from core.plausibility.settings import TieRule
from core.study.model import FloatArray


def hard_truth(compared: Comparison, tie_rule: TieRule) -> Posterior:
    """Put every compared case on the label with most votes.

    Parameters
    ----------
    compared : Comparison
        Cases and their readings.
    tie_rule : {"split", "first label"}
        A case whose leading labels have equally many votes is each of them in an equal part of the ways of
        breaking the tie, or is the study's first one.

    Returns
    -------
    Posterior
        Of the compared cases; its ``top1`` has each label's share of being the hard label.
    """
    task = compared.task
    if task.kind != "score":
        return majority(task.readings.take_cases(compared.cases), len(task.labels), tie_rule=tie_rule)
    code, n = compared.label_code, len(compared.cases)
    share = hard_shares(compared.plausibility, tie_rule=tie_rule, first=code == 0)
    both = np.stack([share, 1 - share] if code == 0 else [1 - share, share], axis=1)
    candidates = Candidates(np.arange(n + 1, dtype=np.int64) * 2, np.tile(np.arange(2, dtype=np.int32), n), 2)
    return OneHotPosterior(candidates, both.ravel())


def n_tied(compared: Comparison) -> int:
    """Number of compared cases in which several labels have most votes."""
    return int((hard_truth(compared, "split").certainty(1) < 1).sum())


def share_of_label(truth: Posterior, code: int) -> FloatArray:
    """How far a label is the hard label of each case, with shape (n_cases,): 0, 1, or 1/m in a tie of m."""
    candidates = truth.candidates
    slots = candidates.locate(np.full((candidates.n_cases, 1), code))
    return truth.top1.at(slots)[:, 0]


def shares_of_labels(truth: Posterior) -> FloatArray:
    """How far every label is the hard label of each case, with shape (n_cases, n_labels)."""
    candidates = truth.candidates
    dense = np.zeros((candidates.n_cases, candidates.n_labels))
    dense[candidates.case, candidates.label] = truth.top1.candidate
    return dense


def hard_label_words(truth: Posterior, labels: tuple[str, ...]) -> np.ndarray:
    """Name the hard label of each case; of a tie all labels, “A or B (tied)”."""
    candidates = truth.candidates
    leads = np.flatnonzero(truth.top1.candidate > 0)
    return labels_in_words(candidates.n_cases, candidates.case[leads], candidates.label[leads], labels)
