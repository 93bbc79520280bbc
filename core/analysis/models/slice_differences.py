"""How far slices of the cases differ in a metric, corrected for how many pairs of them were compared."""

from __future__ import annotations

import numpy as np
import pandas as pd
from scipy.stats import t as student

from core.analysis.models.finding import p_words, signed
from core.analysis.models.slices import CERTAINTY, UNBOUNDED, SliceMetrics
from core.metrics.holm import holm
from core.metrics.share_intervals import STATED, pooled_df, towards_half
from core.study.model import FloatArray, IntArray

COLUMNS = [
    "metric", "model", "slice_a", "slice_b", "n_a", "n_b", "value_a", "value_b", "difference", "low", "high",
    "p", "p_holm", "n_comparisons", "largest",
]  # fmt: skip
SAID = ("s-AUROC", "adjusted accuracy", CERTAINTY)
"""Metrics that a summary speaks of, the first that can be compared."""


def slice_differences(table: pd.DataFrame) -> pd.DataFrame:
    """Compare every two slices that are large enough, metric by metric and model by model.

    Parameters
    ----------
    table : DataFrame
        Of `core.analysis.models.slices.slice_metrics`.

    Returns
    -------
    DataFrame
        One row a metric, model and pair of slices, the largest difference first: ``metric``, ``model``;
        ``slice_a``, the slice with the higher value, and ``slice_b``; ``n_a`` and ``n_b``, their cases;
        ``value_a``, ``value_b`` and ``difference``; ``low`` and ``high``, the ends of its interval, which
        hold all differences of this metric and model together in 95 %; ``p``, two-sided, of no difference;
        ``p_holm``, corrected for the pairs of this metric and model, ``n_comparisons``; ``largest``, whether
        it is the largest of these. Small slices, and those without an interval, are not compared.

    Notes
    -----
    Slices share no case, so that the variance of a difference is the sum of both. Student's t, with the
    degrees of freedom of Welch 1947; estimates in [0, 1] enter with one right and one wrong case added
    (`core.metrics.share_intervals.towards_half`). p-values are corrected after Holm 1979, intervals after
    Bonferroni: 1 − 0.05/m of each.
    """
    rows = table[(table["slice"] != "") & (table["small"] == "") & table["low"].notna()]
    parts = rows.groupby(["metric", "model"], sort=False).indices.values()
    families = [np.asarray(at) for at in parts if len(at) > 1]
    if not families:
        return pd.DataFrame(columns=COLUMNS)
    value, error, n, df = (
        rows[name].to_numpy(np.float64) for name in ("value", "standard_error", "n_cases", "df")
    )
    pairs = [_largest_first(value, at) for at in families]
    a, b = np.concatenate(pairs, axis=1)
    sizes = np.array([of.shape[1] for of in pairs])
    m = np.repeat(sizes, sizes)
    bounded = ~rows["metric"].isin(UNBOUNDED).to_numpy()
    added, added_error = towards_half(value, error, n)
    centre, spread = np.where(bounded, added, value), np.where(bounded, added_error, error)
    moved, scatter = centre[a] - centre[b], np.hypot(spread[a], spread[b])
    freedom = np.maximum(pooled_df(spread[a], spread[b], (df[a], df[b])), 1.0)
    p = np.asarray(2 * student.sf(np.abs(moved) / scatter, freedom))
    half = np.asarray(student.ppf(1 - (1 - STATED) / (2 * m), freedom)) * scatter
    low, high = _ends(moved, half, value[a] - value[b], np.where(bounded[a], 1.0, np.inf))
    last = np.cumsum(sizes)
    columns = {name: rows[name].to_numpy(object)[a] for name in ("metric", "model")}
    for name, of in (("slice", "slice"), ("n", "n_cases"), ("value", "value")):
        columns |= {f"{name}_{side}": rows[of].to_numpy()[at] for side, at in (("a", a), ("b", b))}
    columns |= {
        "difference": value[a] - value[b],
        "low": low,
        "high": high,
        "p": p,
        "p_holm": np.concatenate([holm(of) for of in np.split(p, last[:-1])]),
        "n_comparisons": m,
        "largest": np.isin(np.arange(len(a)), last - sizes),
    }
    return pd.DataFrame(columns)[COLUMNS]


def _largest_first(value: FloatArray, at: IntArray) -> IntArray:
    """Pairs of some rows, the higher value of each first and the largest difference first; shape (2, n)."""
    i, j = (at[of] for of in np.triu_indices(len(at), 1))
    pairs = np.where(value[i] >= value[j], (i, j), (j, i))
    return pairs[:, np.argsort(value[pairs[1]] - value[pairs[0]], kind="stable")]


def _ends(
    moved: FloatArray, half: FloatArray, difference: FloatArray, most: FloatArray
) -> tuple[FloatArray, FloatArray]:
    """Ends of the intervals, with the difference between them, and no further from 0 than possible."""
    low, high = np.maximum(moved - half, -most), np.minimum(moved + half, most)
    return np.minimum(low, difference), np.maximum(high, difference)


def slice_finding(measured: SliceMetrics, differences: pd.DataFrame, *, metric: str, model: str) -> str:
    """Say between which slices a metric of a model differs most, and how sure that is.

    Parameters
    ----------
    measured : SliceMetrics
        Metrics by slice.
    differences : DataFrame
        Of `slice_differences`.
    metric, model : str
        The model is empty for the certainty of the readings.
    """
    what = measured.slices.what
    whose = f"The mean {CERTAINTY} of the leading label" if metric == CERTAINTY else f"{metric} of {model}"
    rows = differences[(differences["metric"] == metric) & (differences["model"] == model)]
    if rows.empty:
        return f"{whose} cannot be compared between slices by {what}: {_why_not(measured, metric, model)}."
    top = rows.iloc[0]
    n = int(top["n_comparisons"])
    said = (
        f"{whose} differs most between {what} {_slice(top, 'a')} and {_slice(top, 'b')}: by "
        f"{signed(top['difference'])}, 95 % interval {signed(top['low'])} to {signed(top['high'])}"
        + (f" for all {n} comparisons together" if n > 1 else "")
        + ("; after correction for them" if n > 1 else ";")
        + f" p {p_words(top['p_holm'])}."
    )
    clearest = rows.iloc[int(rows["p_holm"].to_numpy().argmin())]
    if top["p_holm"] >= 1 - STATED > clearest["p_holm"]:
        said += (
            f" The clearest difference is smaller: {_slice(clearest, 'a')} and {_slice(clearest, 'b')}, "
            f"p {p_words(clearest['p_holm'])}."
        )
    elif top["p_holm"] >= 1 - STATED:
        said += " Chance alone could do as much, which does not show that the groups are alike."
    return said + _small_ones(measured, metric, model)


def slice_summary(measured: SliceMetrics, differences: pd.DataFrame) -> str:
    """Say of the model whose slices differ most how far, by the first of `SAID` that can be compared."""
    metric = next((of for of in SAID if (differences["metric"] == of).any()), SAID[0])
    rows = differences[(differences["metric"] == metric) & differences["largest"].astype(bool)]
    if rows.empty:
        return slice_finding(measured, differences, metric=metric, model=measured.compared.models[0])
    model = str(rows["model"].iloc[int(rows["difference"].to_numpy().argmax())])
    said = slice_finding(measured, differences, metric=metric, model=model)
    if len(rows) == 1:
        return said
    clear = differences.loc[
        (differences["metric"] == metric) & (differences["p_holm"] < 1 - STATED), "model"
    ].nunique()
    return f"{said} Of {len(rows)} models, {clear or 'none'} differ{'s' if clear <= 1 else ''} at p < 0.05."


def _slice(row: pd.Series, side: str) -> str:
    """A slice with its value and its cases."""
    return f"{row[f'slice_{side}']} ({row[f'value_{side}']:.3f}, n = {int(row[f'n_{side}']):,})"


def _rows(measured: SliceMetrics, metric: str, model: str) -> pd.DataFrame:
    """Slices of one metric and model."""
    table = measured.table
    return table[(table["metric"] == metric) & (table["model"] == model) & (table["slice"] != "")]


def _small_ones(measured: SliceMetrics, metric: str, model: str) -> str:
    """Which slices are left out, as too small or without an interval."""
    rows = _rows(measured, metric, model)
    left_out = rows.loc[(rows["small"] != "") | rows["low"].isna(), "slice"].tolist()
    if not left_out:
        return ""
    named = ", ".join(left_out[:5]) + (f" and {len(left_out) - 5} more" if len(left_out) > 5 else "")
    return f" Too few cases to say: {named}."


def _why_not(measured: SliceMetrics, metric: str, model: str) -> str:
    """Why there are not two slices to compare."""
    rows = _rows(measured, metric, model)
    why = rows["small"].where(rows["small"] != "", rows["reason"])
    given = [f"{name}: {reason}" for name, reason in zip(rows["slice"], why, strict=True) if reason]
    if len(given) == len(why) and len(set(why)) == 1:
        return str(why.iloc[0])
    return "; ".join([*given[:4], *([f"{len(given) - 4} more"] if len(given) > 4 else [])])
