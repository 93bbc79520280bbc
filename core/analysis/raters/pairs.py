"""Raters two by two: the agreement matrix."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import pandas as pd

from core.analysis.raters.panel import Panel
from core.metrics.agreement.concordance import NORMAL_95
from core.metrics.agreement.differentials import DifferentialAgreement, differential_agreement
from core.metrics.agreement.pairs import PairAgreement, pair_agreement


def compare_pairs(panel: Panel) -> PairAgreement:
    """Agreement of the panel's raters two by two."""
    return pair_agreement(panel.readings, panel.code, panel.n_labels, panel.n_raters)


def compare_differentials(panel: Panel) -> DifferentialAgreement:
    """Overlap of the differentials of the panel's raters."""
    return differential_agreement(panel.differentials, len(panel.task.labels), panel.n_raters)


def pair_table(panel: Panel) -> pd.DataFrame:
    """Agreement of raters two by two: the cells of the agreement matrix.

    Returns
    -------
    DataFrame
        One row for each ordered pair of raters, the diagonal included, in the study's order: ``rater``,
        ``other``, ``common`` (cases that both read; on the diagonal, cases read), ``agreement`` (share of
        them with the same label), ``kappa``, ``kappa_low``, ``kappa_high`` (Cohen's κ and its large-sample
        95 % interval) and, for rankings, ``overlap`` (average overlap @3) and ``same_first``. NaN on the
        diagonal and without common cases. Empty where raters are not identified.

    Raises
    ------
    ValueError
        For more than `core.metrics.agreement.pairs.MOST_RATERS` raters.
    """
    if not panel.identified:
        return pairs_from((), None)
    of_rankings = compare_differentials(panel) if panel.task.kind == "ranking" else None
    return pairs_from(panel.rater_ids, compare_pairs(panel), of_rankings)


def pairs_from(
    rater_ids: Sequence[str], pairs: PairAgreement | None, of_rankings: DifferentialAgreement | None = None
) -> pd.DataFrame:
    """Table of `pair_table` from the agreement of raters; empty without."""
    if pairs is None:
        names = ["rater", "other", "common", "agreement", "kappa", "kappa_low", "kappa_high"]
        return pd.DataFrame(columns=names)
    ids, n = np.array(rater_ids, object), len(rater_ids)
    columns: dict[str, np.ndarray] = {
        "rater": np.repeat(ids, n),
        "other": np.tile(ids, n),
        "common": pairs.n_common.ravel(),
        "agreement": pairs.observed.ravel(),
        "kappa": pairs.kappa.ravel(),
        "kappa_low": np.maximum(pairs.kappa - NORMAL_95 * pairs.standard_error, -1).ravel(),
        "kappa_high": np.minimum(pairs.kappa + NORMAL_95 * pairs.standard_error, 1).ravel(),
    }
    if of_rankings is not None:
        columns |= {
            "overlap": of_rankings.pair_overlap.ravel(),
            "same_first": of_rankings.pair_top1.ravel(),
        }
    return pd.DataFrame(columns)


def by_agreement(pairs: pd.DataFrame, measure: str) -> pd.DataFrame:
    """Rows of a `pair_table`, the raters who agree most with the others first, in both directions.

    Parameters
    ----------
    pairs : DataFrame
        From `pair_table`.
    measure : str
        The column that agreement is taken from; it is copied to ``value``.

    Returns
    -------
    DataFrame
        Raters in the order of their mean over the others, each other rater counting by the cases in common;
        those without a value last, equal ones in the study's order.
    """
    known = pairs.dropna(subset=[measure])
    weight = known["common"].groupby(known["rater"], sort=False).sum()
    total = (known[measure] * known["common"]).groupby(known["rater"], sort=False).sum()
    mean = (total / weight).reindex(pairs["rater"].drop_duplicates())
    order = mean.sort_values(ascending=False, kind="stable", na_position="last").index
    place = {rater: i for i, rater in enumerate(order)}
    rows = np.lexsort((pairs["other"].map(place), pairs["rater"].map(place)))
    return pairs.iloc[rows].assign(value=lambda table: table[measure]).reset_index(drop=True)
