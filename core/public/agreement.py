"""Agreement between raters on a plain matrix: κ of Fleiss and Cohen, α of Krippendorff, AC1 and AC2 of Gwet.

Every function takes ``ratings``, cases × raters: an array, a frame (``case_id`` may be a column or the index)
or a list of lists, of labels of any hashable kind, with None, NaN or NA where a rater did not read a case.
The numbers are those of the command ``loupe raters``.
"""

from __future__ import annotations

from collections.abc import Hashable, Sequence
from typing import Literal, get_args

import numpy as np
import pandas as pd

from core.analysis.column import RESAMPLED_CASES
from core.metrics.agreement.chance import chance_agreement
from core.metrics.agreement.chance_names import (
    AC1,
    AC2,
    ALPHA,
    ALPHA_INTERVAL,
    ALPHA_ORDINAL,
    COEFFICIENTS,
    FLEISS,
    OBSERVED,
    ORDERED_COEFFICIENTS,
)
from core.metrics.agreement.pairs import pair_agreement
from core.public.names import one_of
from core.public.ratings import RatingMatrix, Ratings, require_order

Level = Literal["nominal", "ordinal", "interval"]
_ALPHAS: dict[str, str] = {"nominal": ALPHA, "ordinal": ALPHA_ORDINAL, "interval": ALPHA_INTERVAL}

Values = Sequence[Hashable]


def krippendorff_alpha(ratings: Ratings, *, level: Level = "nominal", values: Values | None = None) -> float:
    """Krippendorff's α: 1 less the share of the disagreement by chance that is there.

    Parameters
    ----------
    ratings : array-like with shape (n_cases, n_raters)
        Labels, or numbers; missing ones are None or NaN.
    level : {"nominal", "ordinal", "interval"}
        Whether any two different values are equally far apart, apart by their order, or by their squared
        distance.
    values : sequence, optional
        All values in their order, which "ordinal" and "interval" need where they are no numbers; those are
        then 1 apart. By default those that occur.

    Returns
    -------
    float
        At most 1; NaN where chance alone would make all agree, or no case has two ratings.

    Raises
    ------
    ValueError, TypeError
        For a level that does not exist, ratings of another shape, or values that miss one.

    Notes
    -----
    α = 1 − D_o / D_e (Krippendorff 2011); `agreement` gives an interval, and why there is no value.

    Examples
    --------
    >>> print(round(krippendorff_alpha([["a", "a"], ["b", "b"], ["a", "b"], ["b", None]]), 3))
    0.444
    """
    one_of(level, get_args(Level), "level")
    matrix = RatingMatrix(ratings, values)
    if level != "nominal":
        require_order(matrix, values)
    return chance_agreement(matrix.counts(ordered=level != "nominal"))[_ALPHAS[level]].value


def observed_agreement(ratings: Ratings) -> float:
    """Share of the pairs of ratings of a case that are equal, averaged over cases with two ratings or more.

    Parameters
    ----------
    ratings : array-like with shape (n_cases, n_raters)
        Labels; missing ones are None or NaN.

    Returns
    -------
    float
        In [0, 1]; NaN where no case has two ratings.
    """
    return _nominal(ratings, None, OBSERVED)


def fleiss_kappa(ratings: Ratings) -> float:
    """Fleiss' κ: agreement beyond chance, if all raters shared one habit of choosing labels.

    Parameters
    ----------
    ratings : array-like with shape (n_cases, n_raters)
        Labels; missing ones are None or NaN, and cases may have different numbers of ratings.

    Returns
    -------
    float
        At most 1; NaN where chance alone would make all agree, or no case has two ratings.

    Notes
    -----
    (P_o − P_e) / (1 − P_e) with P_e = Σ_k π_k² (Fleiss 1971).
    """
    return _nominal(ratings, None, FLEISS)


def gwet_ac1(ratings: Ratings, *, values: Values | None = None) -> float:
    """Gwet's AC1: agreement beyond chance, where only guesses at hard cases count as chance.

    Parameters
    ----------
    ratings : array-like with shape (n_cases, n_raters)
        Labels; missing ones are None or NaN.
    values : sequence, optional
        All labels that could be given, for their number enters; by default those that occur.

    Returns
    -------
    float
        At most 1; NaN where no case has two ratings.

    Notes
    -----
    P_e = Σ_k π_k (1 − π_k) / (K − 1) (Gwet 2008).
    """
    return _nominal(ratings, values, AC1)


def gwet_ac2(ratings: Ratings, *, values: Values | None = None) -> float:
    """Gwet's AC2: as AC1, where near misses count as partial agreement.

    Parameters
    ----------
    ratings : array-like with shape (n_cases, n_raters)
        Numbers, or labels of an order that ``values`` gives; missing ones are None or NaN.
    values : sequence, optional
        All values in their order; by default those that occur, which have to be numbers.

    Returns
    -------
    float
        At most 1; NaN where no case has two ratings.

    Raises
    ------
    ValueError
        If nothing says the order of the values.

    Notes
    -----
    Two values agree by 1 − (v_k − v_l)² / (range of v)² (Gwet 2014, quadratic weights).
    """
    matrix = RatingMatrix(ratings, values)
    require_order(matrix, values)
    return chance_agreement(matrix.counts(ordered=True))[AC2].value


def cohen_kappa(ratings: Ratings) -> pd.DataFrame:
    """Cohen's κ of every two raters, on the cases that both read.

    Parameters
    ----------
    ratings : array-like with shape (n_cases, n_raters)
        Labels; missing ones are None or NaN. Of a frame, the columns name the raters.

    Returns
    -------
    DataFrame of float64 with shape (n_raters, n_raters)
        Symmetric; NaN on the diagonal, without common cases, and where chance alone would make the two agree
        on all.

    Notes
    -----
    κ = (P_o − P_e) / (1 − P_e) with P_e = Σ_k p_k q_k (Cohen 1960). The mean over pairs is
    ``numpy.nanmean(cohen_kappa(ratings))``.

    Examples
    --------
    >>> matrix = [["a", "a"], ["b", "b"], ["a", "b"], ["b", "b"]]
    >>> print(cohen_kappa(matrix).loc[0, 1])
    0.5
    """
    matrix = RatingMatrix(ratings, None)
    readings = matrix.readings
    n_raters = matrix.code.shape[1]
    n_values = max(len(matrix.possible), 1)
    pairs = pair_agreement(readings, readings.label.astype(np.int64), n_values, n_raters)
    return pd.DataFrame(pairs.kappa.copy(), matrix.raters, matrix.raters)


def agreement(
    ratings: Ratings, *, values: Values | None = None, n_boot: int = 1000, seed: int = 0
) -> pd.DataFrame:
    """All coefficients of agreement side by side, with intervals.

    Parameters
    ----------
    ratings : array-like with shape (n_cases, n_raters)
        Labels, or numbers; missing ones are None or NaN.
    values : sequence, optional
        All values in their order. Coefficients for ordered values are there where it is given, or where all
        values are numbers.
    n_boot : int
        Resamples of the cases for the intervals; none for 0.
    seed : int
        Of the resamples.

    Returns
    -------
    DataFrame
        Indexed by coefficient: ``value``; ``low_over_cases``, ``high_over_cases``, the 95 % percentile
        interval over resampled cases; ``n_cases`` with two ratings or more; ``undefined``, why there is no
        value, else empty.

    Raises
    ------
    ValueError, TypeError
        For ratings of another shape, values that miss one, or a negative number of resamples.
    """
    matrix = RatingMatrix(ratings, values)
    rng = np.random.default_rng(seed)
    found = chance_agreement(matrix.counts(), n_boot=n_boot, rng=rng)
    rows = {name: found[name] for name in COEFFICIENTS}
    if values is not None or matrix.has_numbers:
        found = chance_agreement(matrix.counts(ordered=True), n_boot=n_boot, rng=rng)
        rows |= {name: found[name] for name in ORDERED_COEFFICIENTS}
    return pd.DataFrame(
        [(of.value, of.low, of.high, of.n_cases, of.undefined) for of in rows.values()],
        index=pd.Index(list(rows), name="coefficient"),
        columns=["value", *RESAMPLED_CASES.ends(), "n_cases", "undefined"],
    )


def _nominal(ratings: Ratings, values: Values | None, name: str) -> float:
    """One coefficient for values of any kind."""
    return chance_agreement(RatingMatrix(ratings, values).counts())[name].value
