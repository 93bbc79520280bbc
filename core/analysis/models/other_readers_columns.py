"""Columns of what `loupe mrmc` writes."""

from __future__ import annotations

from dataclasses import replace

from core.analysis.column import (
    OF_METRIC,
    SETTINGS,
    SHARE,
    Column,
    Over,
    Table,
    count,
    ends,
    error,
    share,
    text,
)
from core.analysis.shared_columns import CAUTION, N_CASES, P_HOLM, REASON

_U = "U-statistics of readers and cases, or Obuchowski and Rockette 1995"
_OVER = Over("readers_and_cases", "other readers and other cases, as the settings take them")
_SHARES = tuple(
    share(
        f"share_{name}", f"share of the variance that comes from {words}", f"{_U}; negative parts count as 0"
    )
    for name, words in (
        ("readers", "readers"),
        ("cases", "cases"),
        ("readers_and_cases", "readers and cases together"),
        ("truth", "not knowing the truth (Rubin 1987)"),
    )
)
_ERROR = replace(error(of="the estimate", over=_OVER.words, unit=SHARE), source=_U)
_DF = Column("df", "degrees of freedom of the interval", "none", "above 0, up to ∞", _U)
_MENON = "Menon, van Rooyen, Ong and Williamson 2015"
_ATTENUATION = Column(
    "attenuation",
    "what plausible truths show of a difference in AUROC, as a share of it; 1 by the reference, missing for "
    "other metrics",
    SHARE,
    "-1 to 1",
    _MENON,
)
_ESTIMATE = share("estimate", "mean over readers of the metric", _U, "standard_error")
_MODALITIES = (
    text("modality", "the modality, or the model by itself"),
    count("n_readers", "readers; 0 for a model by itself", "readers"),
    N_CASES,
    _ESTIMATE,
    _ERROR,
    _DF,
    *ends("the estimate", _OVER, _ESTIMATE, _U),
    *_SHARES,
    _ATTENUATION,
    REASON,
    CAUTION,
)
_READERS = (
    text("modality", "the modality, or the model by itself"),
    text("reader", "the reader; empty for a model by itself"),
    N_CASES,
    Column(
        "n_positive",
        "of these, cases whose truth is positive; mean over truths",
        "cases",
        "0 or more",
        SETTINGS,
    ),
    share("value", "the metric of this reader, mean over truths", _U),
)
_PAIR = (text("first", "first modality"), text("second", "second modality"))
_DIFFERENCE = Column(
    "difference",
    "estimate of the first less that of the second",
    SHARE,
    "-1 to 1",
    _U,
    digits_by=("standard_error",),
)


def _p(name: str, words: str) -> Column:
    return Column(name, words, "probability", "0 to 1", "Student's t of the interval")


def _holm(name: str) -> Column:
    return replace(P_HOLM, name=f"{name}_holm", meaning=f"{name}, corrected for all pairs")


_DIFFERENCES = (
    *_PAIR,
    _DIFFERENCE,
    _ERROR,
    _DF,
    *ends("the difference", _OVER, _DIFFERENCE, _U),
    _p("p_two_sided", "p-value of no difference, two-sided"),
    P_HOLM,
    *_SHARES,
    _ATTENUATION,
    share("margin", "by how much the first may be worse and still count as no worse", SETTINGS),
    share("margin_shown", "the margin as the truths show it, against which the difference is held", _MENON),
    _p("p_not_inferior", "one-sided p-value of the first being worse by the margin or more"),
    _holm("p_not_inferior"),
    _p("p_equivalent", "p-value of the two being apart by the margin or more (two one-sided tests)"),
    _holm("p_equivalent"),
    REASON,
    CAUTION,
)
_SIZES = (
    *_PAIR,
    count("n_readers", "readers of a study to come", "readers", SETTINGS),
    Column("n_cases", "cases that reach the wanted power; missing above 100,000", "cases", "1 or more", _U),
)
_COMPONENTS = (
    text("component", "mean square or component of variance", "Obuchowski and Rockette 1995"),
    Column(
        "value",
        "its value, mean over truths",
        f"square of {OF_METRIC.removeprefix('that of ')}",
        "any",
        "Obuchowski and Rockette 1995",
    ),
)
TABLES = tuple(
    Table("mrmc", "mrmc", name, meaning, columns)
    for name, meaning, columns in (
        ("modalities", "a modality, mean over its readers", _MODALITIES),
        ("readers", "a reader in a modality", _READERS),
        ("differences", "a pair of modalities", _DIFFERENCES),
        ("sizes", "a size that a study to come could have", _SIZES),
        ("components", "a part of the analysis of variance", _COMPONENTS),
    )
)
