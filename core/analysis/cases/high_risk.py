"""When high-risk labels lead a case together, or may: one rule for list, presets, sentence and tables."""

from __future__ import annotations

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from core.analysis.cases.percent_ranges import whole_percent
from core.metrics.risk import HIGH
from core.study.model import RISK_NAMES

LEADING = 50
"""Percent of plausible truths from which on high-risk labels are said to lead a case together."""


def high_risk_leads(probability: pd.Series) -> NDArray[np.bool_]:
    """Whether high-risk labels together lead in half of the plausible truths or more, in whole percent.

    Whichever single label leads: several labels of high risk may share what makes them likely, so that each
    leads less often than a harmless one. What is shown as 50 % is 50 %.

    Parameters
    ----------
    probability : Series
        Probability in [0, 1] that the leading label is a high-risk one; an unknown one is no danger.

    Returns
    -------
    ndarray of bool with shape (n_cases,)
    """
    return (whole_percent(probability) >= LEADING).to_numpy(bool)


def high_risk_plausible(
    probability: pd.Series, level: pd.Series, tied: pd.Series, least: float
) -> NDArray[np.bool_]:
    """Whether a high-risk label leads or is tied for the lead, or such labels together lead often enough.

    Parameters
    ----------
    probability : Series
        Probability in [0, 1] that the leading label is a high-risk one; an unknown one is no danger.
    level : Series
        Risk of the label that leads, of tied ones the highest.
    tied : Series
        Whether a high-risk label is tied with one of another risk.
    least : float
        Probability from which on it is plausible.

    Returns
    -------
    ndarray of bool with shape (n_cases,)
    """
    return ((probability >= least) | (level == RISK_NAMES[HIGH]) | tied.astype(bool)).to_numpy(bool)
