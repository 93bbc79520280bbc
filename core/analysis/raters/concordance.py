"""Weighted concordance of the panel: overall and case by case."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import pandas as pd

from core.analysis.raters.accuracy import STANDARDS, Given, Standard, best_standard, rater_accuracy
from core.analysis.raters.pairs import compare_differentials
from core.analysis.raters.panel import Panel
from core.analysis.tied_labels import labels_in_words
from core.metrics.agreement.concordance import (
    NORMAL_95,
    RULE_OF_THUMB,
    Concordance,
    concordance,
    confidence_variability,
)
from core.metrics.agreement.pairs import MOST_RATERS
from core.metrics.estimate import mean_over_cases
from core.study.model import FloatArray


@dataclass(frozen=True, eq=False)
class Weights:
    """What agreement is weighted with.

    Attributes
    ----------
    accuracy : ndarray of float64 with shape (n_raters,), or None
        Of each rater; None where none is known and every agreement counts as right.
    variability : ndarray of float64 with shape (n_raters,), or None
        Of each rater's confidence; None where nothing is known of it.
    assumed : str
        What is assumed where something is not stated, in plain sentences.
    """

    accuracy: FloatArray | None
    variability: FloatArray | None
    assumed: str


def concordance_weights(
    panel: Panel,
    *,
    standard: Standard | None = None,
    given: Given | None = None,
    variability: float | None = None,
) -> Weights:
    """Choose what agreement is weighted with.

    Parameters
    ----------
    panel : Panel
        Raters and cases.
    standard : {"reference", "majority", "given", "model"}, optional
        What accuracies are judged by; the best there is by default (`best_standard`).
    given : float or mapping of str to float, optional
        Accuracies as given.
    variability : float, optional
        Of every rater's confidence, 0 or more; from repeated readings by default.

    Raises
    ------
    ValueError
        As `rater_accuracy`, and for a negative variability.
    """
    judged = best_standard(panel, given) if standard is None else standard
    if variability is not None and not variability >= 0:
        raise ValueError(f"variability must be 0 or more, got {variability}")
    measured = None
    if variability is None and panel.identified:
        measured = confidence_variability(panel.all_readings, panel.n_raters)
    confidence = panel.readings.confidence
    return weights_from(
        judged,
        rater_accuracy(panel, judged, given=given),
        (int(np.isnan(confidence).sum()), len(confidence)),
        identified=panel.identified,
        variability=variability,
        measured=measured,
    )


def weights_from(
    judged: Standard,
    accuracy: FloatArray,
    unstated: tuple[int, int],
    *,
    identified: bool,
    variability: float | None,
    measured: FloatArray | None,
) -> Weights:
    """Weights of `concordance_weights`, and what is assumed.

    Parameters
    ----------
    judged : {"reference", "majority", "given", "model"}
        What accuracies were judged by.
    accuracy : ndarray of float64 with shape (n_raters,)
        NaN where it is not known.
    unstated : (int, int)
        Readings without a confidence, of how many.
    identified : bool
        Whether a rater is the same person in every case.
    variability : float or None
        Of every rater's confidence, where it is given.
    measured : ndarray of float64 with shape (n_raters,), or None
        Else what repeated readings show.
    """
    said = [f"Accuracy is judged by {STANDARDS[judged]}."]
    if np.isnan(accuracy).all():
        said = ["No accuracy is known, so every agreement counts as right."]
    elif np.isnan(accuracy).any():
        said.append("A rater whose accuracy is not known counts with the mean of the others.")
    if not identified:
        said.append("Raters have no identity, so all count with one accuracy.")
    without, n_readings = unstated
    if without == n_readings:
        said.append("No reading states a confidence, so every reading counts as fully confident.")
    elif without:
        said.append(
            f"{without:,} of {n_readings:,} readings state no confidence and count as fully confident."
        )
    shift = measured
    if variability is not None:
        shift = np.full(len(accuracy), variability)
        said.append(f"Confidence is taken to vary by ±{variability:g} between readings of a case.")
    elif shift is not None:
        if np.isnan(shift).all():
            shift = None
        elif np.isnan(shift).any():
            said.append("A rater without repeated readings counts with the mean variability of the others.")
    if shift is None:
        said.append("No case was read twice by a rater, so there is no interval from their variability.")
    known = None if np.isnan(accuracy).all() else accuracy
    return Weights(known, shift, " ".join(said))


def weighted_concordance(panel: Panel, weights: Weights) -> Concordance:
    """Concordance of each case of the panel."""
    return concordance(
        panel.readings,
        panel.code,
        panel.n_labels,
        accuracy=weights.accuracy,
        variability=weights.variability,
    )


def concordance_table(panel: Panel, weights: Weights, found: Concordance) -> pd.DataFrame:
    """Concordance of the whole panel, step by step from agreement to what it is worth.

    Parameters
    ----------
    panel : Panel
        Raters and cases.
    weights : Weights
        From `concordance_weights`.
    found : Concordance
        From `weighted_concordance`.

    Returns
    -------
    DataFrame
        Three rows; ``measure`` ("agreement" σ, "with confidence", "with confidence and accuracy" ϱ),
        ``value``, ``low``, ``high`` (from the variability of confidence, the last row only; NaN without
        repeated readings), ``error_low``, ``error_high`` (95 % interval over cases: 1.96 standard errors),
        ``n_cases`` and ``sentence``.
    """
    by_confidence = concordance(panel.readings, panel.code, panel.n_labels).weighted
    return steps_from(weights, found, by_confidence)


def steps_from(weights: Weights, found: Concordance, by_confidence: FloatArray) -> pd.DataFrame:
    """Table of `concordance_table` from what is known of each case."""
    no_interval = weights.variability is None
    rows = []
    for measure, per_case in (
        ("agreement", found.unweighted),
        ("with confidence", by_confidence),
        ("with confidence and accuracy", found.weighted),
    ):
        mean = mean_over_cases(per_case)
        last = measure == "with confidence and accuracy"
        low, high = (
            (np.nan, np.nan)
            if no_interval or not last
            else (mean_over_cases(found.low).value, mean_over_cases(found.high).value)
        )
        error = NORMAL_95 * mean.standard_error
        sentence = _sentence(measure, mean.value)
        rows.append(
            (
                measure,
                mean.value,
                low,
                high,
                max(mean.value - error, 0.0),
                min(mean.value + error, 1.0),
                mean.n_cases,
                sentence,
            )
        )
    columns = ["measure", "value", "low", "high", "error_low", "error_high", "n_cases", "sentence"]
    return pd.DataFrame(rows, columns=columns)


def _sentence(measure: str, value: float) -> str:
    """What a concordance says, in plain words."""
    if np.isnan(value):
        return "No case has readings by two raters, so there is no concordance."
    percent = f"{100 * value:.0f} %"
    if measure == "agreement":
        return f"Two raters of the same case agree in {percent} of pairs (σ)."
    if measure == "with confidence":
        return f"Counting an agreement only as far as both were sure, {percent} is left."
    than = "reaches" if value >= RULE_OF_THUMB else "stays below"
    return (
        f"Counting it only as far as both are likely right, too, {percent} is left (ϱ); this {than} two "
        "thirds, the rule of thumb for annotations to rely on."
    )


def case_table(panel: Panel, found: Concordance) -> pd.DataFrame:
    """Agreement about each case of the panel.

    Returns
    -------
    DataFrame
        One row a case in the study's order: ``case_id``, ``readings`` (raters who read it), ``labels``
        (different ones given), ``leading`` (the label most often given, of equals all; empty without
        readings), ``agreement`` (σ), ``concordance`` (ϱ), ``low``, ``high`` (from the
        variability of confidence; ϱ itself without) and, for rankings, ``overlap`` and ``same_first``. NaN
        with fewer than two readings.
    """
    counts = panel.counts
    most = np.zeros(len(panel.case_ids))
    np.maximum.at(most, counts.case, counts.count)
    leads = counts.count == most[counts.case]
    leading = labels_in_words(len(most), counts.case[leads], counts.value[leads], panel.task.labels)
    columns: dict[str, object] = {
        "case_id": list(panel.case_ids),
        "readings": panel.readings.per_case,
        "labels": np.diff(counts.start),
        "leading": leading,
        "agreement": found.unweighted,
        "concordance": found.weighted,
        "low": found.low,
        "high": found.high,
    }
    if panel.task.kind == "ranking" and panel.n_raters <= MOST_RATERS:
        differentials = compare_differentials(panel)
        columns |= {"overlap": differentials.overlap, "same_first": differentials.top1}
    return pd.DataFrame(columns)


def ordered_cases(cases: pd.DataFrame) -> pd.DataFrame:
    """Rows of a `case_table` with a concordance, the lowest first, and ``share``, of the cases so far.

    Equal cases keep the study's order; ``share`` is the middle of a case's place, in (0, 1).
    """
    known = cases.dropna(subset=["concordance"]).sort_values("concordance", kind="stable", ignore_index=True)
    known.insert(0, "share", (np.arange(len(known)) + 0.5) / max(len(known), 1))
    return known
