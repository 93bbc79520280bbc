"""What every part of a study is asked about its posteriors and models, and what it answers."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path

from core.analysis.reliability.measure_sums import MeasureSums
from core.metrics.exact_sums import Moments
from core.plausibility.settings import Aggregation
from core.streamed.question import Question
from core.study.model import IntArray

BINS = 100
"""Bins of a histogram of certainty, each a hundredth wide."""


@dataclass(frozen=True)
class EvaluationQuestion(Question):
    """What is asked of every part about its posteriors and models; the folder holds scores to be ranked.

    Attributes
    ----------
    aggregation : Aggregation
        Model and reliability, with their options.
    labels : tuple of str
        Labels that models are ranked by, one against the rest.
    cases : Path
        Folder for what is known of each case; every worker can write it.
    learnt : Path, optional
        What the aggregation model learnt of all cases, as `core.streamed.pooling.learn` writes it.
    """

    aggregation: Aggregation
    labels: tuple[str, ...]
    cases: Path
    learnt: Path | None = None


@dataclass(frozen=True, eq=False)
class PartResult:
    """What one part comes to: some hundred numbers, however many cases it has.

    Attributes
    ----------
    sums : MeasureSums
        Certainty, and every model's metrics.
    losses : mapping of (str, str, str) to Moments
        Soft losses by model, label and metric.
    histogram : ndarray of int64 with shape (BINS,)
        Cases by certainty.
    n_readings, n_read, n_common : int
        Readings; cases with one; of these, cases that every model predicted.
    raters : frozenset of str
        Who read.
    notes : tuple of (str, str)
        Warnings of reading, what is wrong and how to mend it.
    """

    sums: MeasureSums
    losses: Mapping[tuple[str, str, str], Moments]
    histogram: IntArray
    n_readings: int
    n_read: int
    n_common: int
    raters: frozenset[str]
    notes: tuple[tuple[str, str], ...] = field(default=())
