"""What the study's own reference says of the cases of a worklist: danger, and whether it settles them."""

from __future__ import annotations

import numpy as np
import pandas as pd

from core.metrics.certainty import risk_levels
from core.study.model import RISK_NAMES, Study, Task
from core.study.reference_standard import STANDARD, outweighs_readings, reference_standards
from core.study.references import has_references, reference_codes

REFERENCE_RISK = "reference_risk"
"""Column of the worklist: the risk level of the study's reference."""
SETTLED = "settled_by_reference"
"""Column of the worklist: whether more than readers established the case's reference."""


def reference_risk(study: Study, task: Task) -> dict[str, np.ndarray]:
    """Column `REFERENCE_RISK`: level of each case's reference; no column where the task has none."""
    if not has_references(study, task):
        return {}
    codes = reference_codes(study, task)
    names = np.array([*RISK_NAMES, "unknown"], dtype=object)
    return {REFERENCE_RISK: np.where(codes < 0, "", names[risk_levels(task.risk)[codes]])}


def settled_by_reference(study: Study, task: Task) -> dict[str, np.ndarray]:
    """Column `SETTLED`: whether its reference settles each case; no column where no standard is stated."""
    if not has_references(study, task) or not (study.reference_standard or STANDARD in study.cases):
        return {}
    outweighs = np.array([outweighs_readings(one) for one in reference_standards(study)], bool)
    return {SETTLED: outweighs & (reference_codes(study, task) >= 0)}


def dangerous_by_reference(cases: pd.DataFrame) -> tuple[int, int]:
    """Count the cases whose reference is a high-risk label, and those that have a reference at all.

    Parameters
    ----------
    cases : DataFrame
        As `core.analysis.cases.worklist.worklist` gives it; without risk levels or references both are 0.
    """
    if REFERENCE_RISK not in cases:
        return 0, 0
    return int((cases[REFERENCE_RISK] == RISK_NAMES[-1]).sum()), int((cases[REFERENCE_RISK] != "").sum())
