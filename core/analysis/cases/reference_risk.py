"""How many cases are dangerous by the study's own reference."""

from __future__ import annotations

import pandas as pd

from core.analysis.cases.worklist import REFERENCE_RISK
from core.study.model import RISK_NAMES


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
