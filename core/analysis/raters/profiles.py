"""What is known of each rater: accuracy four ways, confidence and its calibration, severity, workload."""

from __future__ import annotations

import numpy as np
import pandas as pd

from core.analysis.raters.ability import abilities
from core.analysis.raters.accuracy import (
    Given,
    positive_code,
    rater_accuracy,
    readings_right,
)
from core.analysis.raters.panel import Panel
from core.metrics.agreement.concordance import confidence_variability
from core.metrics.agreement.rater_accuracy import Ties, mean_by_rater, severity
from core.metrics.estimate import Estimate
from core.study.model import RISK_NAMES, UNKNOWN_RISK, FloatArray, IntArray

EVERYBODY = "all raters"
N_BINS = 20
"""Bins of confidence where values are too many to be kept."""
MOST_VALUES = 21
"""Different confidences that are kept as they are: steps of a twentieth, 0 and 1 included."""


def profile_table(panel: Panel, *, given: Given | None = None, ties: Ties = "split") -> pd.DataFrame:
    """Everything about each rater in one row.

    Parameters
    ----------
    panel : Panel
        Raters and cases.
    given : float or mapping of str to float, optional
        Accuracies as given.
    ties : {"split", "positive"}
        What the majority of the others says where they tie.

    Returns
    -------
    DataFrame
        One row a rater, in the study's order: ``rater``; ``readings`` (repeats included), ``cases``,
        ``repeats`` (readings beyond the first of a case), ``self_agreement`` (share of the repeats with the
        label of the first reading); ``accuracy_reference``, ``accuracy_majority`` with ``…_error`` (standard
        error) and ``…_n`` (readings that entered); ``accuracy_given``; ``accuracy_model`` (Dawid–Skene);
        ``ability`` (logits) and ``accuracy_ability`` (chance of being right if the rater leaned to no label),
        ``leans_to`` and ``leaning`` (the label that the rater says most where a case tells nothing, and how
        often), ``sensitivity`` and ``specificity`` (of two labels, leaning included), each with ``…_error``,
        by `core.plausibility.rater_ability.model`; ``confidence`` (mean), ``confidence_variability`` (1.96 s
        / √k over repeats), ``overconfidence`` (mean confidence − accuracy on the same readings),
        ``calibration_error`` (mean distance of accuracy from confidence over the values stated),
        ``judged_by`` (what those two take for right: "reference" or "majority") and ``severity`` with
        ``severity_error`` (how much higher the rater goes than the others do on the same cases;
        ``attrs["severity_unit"]`` says in what). NaN where unknown; ``attrs["ability_withdrawn"]`` says why
        no ability is given, where none is. Empty where raters are not identified.
    """
    if not panel.identified:
        return pd.DataFrame(columns=["rater"])
    n, everything, readings = panel.n_raters, panel.all_readings, panel.readings
    read = np.bincount(everything.rater, minlength=n)
    first = np.bincount(readings.rater, minlength=n)
    columns: dict[str, object] = {
        "rater": list(panel.rater_ids),
        "readings": read,
        "cases": first,
        "repeats": read - first,
        "self_agreement": _self_agreement(panel),
    }
    undefined = np.full(readings.n_readings, np.nan)
    by_reference = readings_right(panel, "reference") if panel.has_reference else undefined
    by_majority = readings_right(panel, "majority", ties=ties)
    columns |= _estimates("accuracy_reference", mean_by_rater(readings, by_reference, n), with_n=True)
    columns |= _estimates("accuracy_majority", mean_by_rater(readings, by_majority, n), with_n=True)
    known = np.full(n, np.nan) if given is None else rater_accuracy(panel, "given", given=given)
    columns |= {"accuracy_given": known, "accuracy_model": rater_accuracy(panel, "model")}
    fitted = abilities(panel, by_majority)
    columns |= fitted.columns
    columns |= {
        "confidence": [e.value for e in mean_by_rater(readings, readings.confidence, n)],
        "confidence_variability": confidence_variability(everything, n),
    }
    right = by_reference if panel.has_reference else by_majority
    columns |= _calibration(panel, right)
    columns["judged_by"] = "reference" if panel.has_reference else "majority"
    worth, unit = worth_of(panel)
    columns |= _estimates("severity", mean_by_rater(readings, severity(readings, worth), n), with_n=False)
    table = pd.DataFrame(columns)
    table.attrs |= {"severity_unit": unit, "ability_withdrawn": fitted.withdrawn}
    return table


def _estimates(name: str, found: list[Estimate], *, with_n: bool) -> dict[str, object]:
    """Columns of estimates."""
    columns: dict[str, object] = {
        name: [e.value for e in found],
        f"{name}_error": [e.standard_error for e in found],
    }
    if with_n:
        columns[f"{name}_n"] = [e.n_cases for e in found]
    return columns


def _self_agreement(panel: Panel) -> FloatArray:
    """Share of each rater's repeated readings with the label of the first; NaN without repeats."""
    count, same = self_agreement_sums(panel)
    return np.divide(same, count, out=np.full(panel.n_raters, np.nan), where=count > 0)


def self_agreement_sums(panel: Panel) -> tuple[IntArray, FloatArray]:
    """Repeated readings of each rater, and how many of them have the label of the first."""
    readings, n = panel.all_readings, panel.n_raters
    key = readings.case * n + readings.rater
    order = np.lexsort((readings.repeat, key))
    opens = np.append(True, np.diff(key[order]) > 0)[: len(order)]
    first = np.flatnonzero(opens)[np.cumsum(opens) - 1]
    same = (readings.label[order] == readings.label[order][first])[~opens]
    rater = readings.rater[order][~opens]
    return np.bincount(rater, minlength=n), np.bincount(rater, same, n).astype(np.float64)


def _calibration(panel: Panel, right: FloatArray) -> dict[str, object]:
    """Overconfidence and calibration error of each rater."""
    readings, n = panel.readings, panel.n_raters
    both = ~np.isnan(right) & ~np.isnan(readings.confidence)
    gap = np.where(both, readings.confidence - right, np.nan)
    place, n_bins = _confidence_bins(readings.confidence)
    key = readings.rater[both] * n_bins + place[both]
    per_bin = np.abs(np.bincount(key, gap[both], n * n_bins)).reshape(n, n_bins).sum(axis=1)
    count = np.bincount(readings.rater[both], minlength=n)
    return {
        "overconfidence": [e.value for e in mean_by_rater(readings, gap, n)],
        "calibration_error": np.divide(per_bin, count, out=np.full(n, np.nan), where=count > 0),
    }


def _confidence_bins(confidence: FloatArray) -> tuple[IntArray, int]:
    """Bin of each confidence, −1 where none, and their number: one for each value, or `N_BINS` equal ones."""
    stated = ~np.isnan(confidence)
    values = np.unique(confidence[stated])
    place = np.full(len(confidence), -1, np.int64)
    if len(values) <= MOST_VALUES:
        place[stated] = np.searchsorted(values, confidence[stated])
        return place, max(len(values), 1)
    place[stated] = np.minimum((confidence[stated] * N_BINS + 1e-9).astype(np.int64), N_BINS - 1)
    return place, N_BINS


def worth_of(panel: Panel) -> tuple[FloatArray, str]:
    """What each reading says as a number, and in what unit."""
    task = panel.task
    positive = positive_code(panel)
    if task.kind == "score":
        return panel.differentials.score, "score"
    if positive is not None:
        is_positive = (panel.code == positive).astype(np.float64)
        return is_positive, f"share of readings that say {task.labels[positive]}"
    if task.has_risk and (task.risk != UNKNOWN_RISK).all():
        return task.risk[panel.code].astype(np.float64), f"risk level, 0 {RISK_NAMES[0]} to 2 {RISK_NAMES[2]}"
    return np.full(len(panel.code), np.nan), ""


def confidence_table(panel: Panel) -> pd.DataFrame:
    """How often each rater states each confidence (Cabitza 2020, fig. 3).

    Returns
    -------
    DataFrame
        ``rater``, ``confidence`` (the value stated, or the middle of one of `N_BINS` bins), ``low``, ``high``
        (of the bin; both the value itself where values are kept), ``readings`` and ``share`` (of the rater's
        readings with a confidence); every value for every rater who states any, zeros included. Then the same
        for `EVERYBODY`. Empty without confidence; without identities only `EVERYBODY`.
    """
    return _by_confidence(panel, None)


def calibration_table(panel: Panel) -> pd.DataFrame:
    """How often readings of each stated confidence are right (Cabitza 2020, fig. 7).

    Returns
    -------
    DataFrame
        The columns of `confidence_table`, without rows of no readings, then ``accuracy`` (mean over the
        readings, by the reference where there is one, else by the majority of the others), ``accuracy_low``,
        ``accuracy_high`` (95 % Wilson interval), ``judged`` (readings that could be judged) and
        ``judged_by``.
    """
    standard = "reference" if panel.has_reference else "majority"
    table = _by_confidence(panel, readings_right(panel, "reference" if panel.has_reference else "majority"))
    table["judged_by"] = standard
    return table


def _by_confidence(panel: Panel, right: FloatArray | None) -> pd.DataFrame:
    """Rows of rater and confidence; with accuracy where ``right`` is given."""
    readings = panel.readings
    columns = ["rater", "confidence", "low", "high", "readings", "share"]
    columns += ["accuracy", "accuracy_low", "accuracy_high", "judged"] if right is not None else []
    stated = ~np.isnan(readings.confidence)
    if not stated.any():
        return pd.DataFrame(columns=columns)
    place, n_bins = _confidence_bins(readings.confidence)
    values = np.unique(readings.confidence[stated])
    kept = len(values) <= MOST_VALUES
    middle = values if kept else (np.arange(n_bins) + 0.5) / n_bins
    half = 0.0 if kept else 0.5 / n_bins
    names = list(panel.rater_ids) if panel.identified else []
    # Everybody comes last, after the raters who state any confidence.
    group = readings.rater.astype(np.int64) if panel.identified else np.zeros(len(place), np.int64)
    count = _with_everybody(group[stated], place[stated], None, len(names), n_bins)
    of = np.flatnonzero(count.sum(axis=1) > 0)
    table = pd.DataFrame(
        {
            "rater": np.repeat(np.array([*names, EVERYBODY], object)[of], n_bins),
            "confidence": np.tile(middle, len(of)),
            "low": np.tile(middle - half, len(of)),
            "high": np.tile(middle + half, len(of)),
            "readings": count[of].astype(np.int64).ravel(),
            "share": (count[of] / count[of].sum(axis=1, keepdims=True)).ravel(),
        }
    )
    if right is None:
        return table
    judged = stated & ~np.isnan(right)
    n = _with_everybody(group[judged], place[judged], None, len(names), n_bins)[of].ravel()
    hits = _with_everybody(group[judged], place[judged], right[judged], len(names), n_bins)[of].ravel()
    table["accuracy"] = np.divide(hits, n, out=np.full(len(n), np.nan), where=n > 0)
    table["accuracy_low"], table["accuracy_high"] = _wilson(hits, n)
    table["judged"] = n.astype(np.int64)
    return table[table["readings"] > 0].reset_index(drop=True)


def _with_everybody(
    group: IntArray, place: IntArray, weight: FloatArray | None, n_groups: int, n_bins: int
) -> FloatArray:
    """Sums by group and bin with shape (n_groups + 1, n_bins); the last row is that of all together."""
    every = np.bincount(place, weight, n_bins).astype(np.float64)
    if n_groups == 0:
        return every[None, :]
    each = np.bincount(group * n_bins + place, weight, n_groups * n_bins).reshape(n_groups, n_bins)
    return np.vstack([each, every])


def _wilson(hits: FloatArray, n: FloatArray) -> tuple[FloatArray, FloatArray]:
    """95 % Wilson interval of a share; NaN where n is 0."""
    z = 1.959964
    number = np.where(n > 0, n, np.nan)
    share = hits / number
    centre = (share + z**2 / (2 * number)) / (1 + z**2 / number)
    half = z * np.sqrt(share * (1 - share) / number + z**2 / (4 * number**2)) / (1 + z**2 / number)
    return centre - half, centre + half
