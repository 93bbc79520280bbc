"""What can be chosen in a study of readers, by name; without any library for numbers."""

from __future__ import annotations

from typing import Literal, get_args

Metric = Literal["AUROC", "sensitivity", "specificity", "accuracy"]
METRICS: tuple[Metric, ...] = get_args(Metric)
Taken = Literal["random", "fixed"]
"""Whether readers, or cases, are a sample of all there could be, or just those that there are."""
TAKEN: tuple[Taken, ...] = get_args(Taken)
CovarianceMethod = Literal["DeLong", "jackknife", "unbiased"]
COVARIANCE_METHODS: tuple[CovarianceMethod, ...] = get_args(CovarianceMethod)
