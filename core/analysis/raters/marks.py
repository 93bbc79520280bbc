"""Accuracy, confidence and severity of raters with their intervals, as pictures mark them."""

from __future__ import annotations

import numpy as np
import pandas as pd

from core.analysis.raters.profiles import EVERYBODY
from core.metrics.agreement.concordance import NORMAL_95

ACCURACIES = {
    "accuracy_reference": "reference",
    "accuracy_majority": "most others",
    "accuracy_given": "given",
    "accuracy_model": "Dawid–Skene",
    "accuracy_ability": "ability",
}
"""Columns of a profile that are accuracies: what each is judged by, in few words."""


def accuracy_marks(profile: pd.DataFrame) -> pd.DataFrame:
    """Every accuracy of every rater.

    Parameters
    ----------
    profile : DataFrame
        From `core.analysis.raters.profiles.profile_table`.

    Returns
    -------
    DataFrame
        ``rater``, ``judged_by`` (among the values of `ACCURACIES`, in their order; those of which nothing is
        known are left out), ``value``, ``low``, ``high`` (95 %, 1.96 standard errors within [0, 1]; NaN where
        there is no error). The raters with the highest first accuracy come first.
    """
    ways = {name: words for name, words in ACCURACIES.items() if profile[name].notna().any()}
    if not ways:
        return pd.DataFrame(columns=["rater", "judged_by", "value", "low", "high"])
    order = profile.sort_values(next(iter(ways)), ascending=False, kind="stable")
    tables = [_interval(order, name).assign(judged_by=words) for name, words in ways.items()]
    return pd.concat(tables, ignore_index=True)[["rater", "judged_by", "value", "low", "high"]]


def _interval(profile: pd.DataFrame, name: str) -> pd.DataFrame:
    """An accuracy with its interval."""
    value = profile[name].to_numpy(float)
    error = profile[f"{name}_error"].to_numpy(float) if f"{name}_error" in profile else np.nan
    return pd.DataFrame(
        {
            "rater": profile["rater"].to_numpy(),
            "value": value,
            "low": np.clip(value - NORMAL_95 * error, 0, 1),
            "high": np.clip(value + NORMAL_95 * error, 0, 1),
        }
    )


def severity_marks(profile: pd.DataFrame) -> pd.DataFrame:
    """Severity of every rater, where known, the highest first: ``rater``, ``value``, ``low``, ``high``."""
    known = profile.dropna(subset=["severity"]).sort_values("severity", ascending=False, kind="stable")
    error = NORMAL_95 * known["severity_error"]
    return pd.DataFrame(
        {
            "rater": known["rater"],
            "value": known["severity"],
            "low": known["severity"] - error,
            "high": known["severity"] + error,
        }
    ).reset_index(drop=True)


def confidence_marks(profile: pd.DataFrame) -> pd.DataFrame:
    """Accuracy against confidence of every rater of whom both are known.

    Returns
    -------
    DataFrame
        ``rater``, ``confidence`` (mean), ``accuracy`` with ``low`` and ``high`` (95 %), by what the profile's
        ``judged_by`` says, and ``verdict``: "too sure" or "not sure enough" where confidence lies outside
        that interval, else empty.
    """
    by_reference = bool((profile["judged_by"] == "reference").all())
    found = _interval(profile, "accuracy_reference" if by_reference else "accuracy_majority")
    found = found.rename(columns={"value": "accuracy"})
    found.insert(1, "confidence", profile["confidence"].to_numpy(float))
    found = found.dropna(subset=["confidence", "accuracy"]).reset_index(drop=True)
    sure = [found["confidence"] > found["high"], found["confidence"] < found["low"]]
    return found.assign(verdict=np.select(sure, ["too sure", "not sure enough"], default=""))


def sure_and_right(calibration: pd.DataFrame) -> tuple[float, float]:
    """Mean confidence and accuracy of all readings that state the one and can be judged by the other.

    Parameters
    ----------
    calibration : DataFrame
        From `core.analysis.raters.profiles.calibration_table`.

    Returns
    -------
    tuple of float
        In [0, 1]; NaN where no reading can be judged.
    """
    of = calibration[(calibration["rater"] == EVERYBODY) & (calibration["judged"] > 0)]
    if of.empty:
        return float("nan"), float("nan")
    weight = of["judged"] / of["judged"].sum()
    return float((weight * of["confidence"]).sum()), float((weight * of["accuracy"]).sum())
