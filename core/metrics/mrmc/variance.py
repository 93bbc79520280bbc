"""Variance of a modality and of a difference by U-statistics, in any design (Gallas 2006)."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from itertools import chain, combinations

import numpy as np
from numpy.typing import NDArray

from core.metrics.mrmc.checks import check_readers
from core.metrics.mrmc.choices import Taken
from core.metrics.mrmc.curves import Curves
from core.metrics.mrmc.pair_sums import NOTHING, PairSums, Shared
from core.study.brief import brief
from core.study.model import FloatArray

READER = "reader"


@dataclass(frozen=True, eq=False)
class Variance:
    """Estimate of a modality or a difference with its variance, under each of some truths.

    Attributes
    ----------
    estimate : ndarray of float64 with shape (n_truths,)
        The metric, or the first modality's less the second's.
    part : mapping of frozenset to ndarray of float64 with shape (n_truths,)
        What each component adds to the variance: readers ({"reader"}), cases of a kind, and what readers
        and cases do together. Unbiased, so that a small one may come out below 0.
    component : mapping of frozenset to ndarray of float64 with shape (n_truths,)
        The components themselves: what each would add with one reader and one case of each kind.
    df : ndarray of float64 with shape (n_truths,)
        Degrees of freedom of the variance.
    """

    estimate: FloatArray
    part: Mapping[Shared, FloatArray]
    component: Mapping[Shared, FloatArray]
    df: FloatArray

    __repr__ = brief

    @property
    def variance(self) -> FloatArray:
        """Total variance, with shape (n_truths,)."""
        return np.sum([*self.part.values()], axis=0)

    def share_of(self, source: str) -> FloatArray:
        """Sum of the parts that a source takes part in, with shape (n_truths,)."""
        return np.sum([part for of, part in self.part.items() if source in of], axis=0)


def variance(
    curves: Curves,
    sums: PairSums,
    first: int,
    second: int | None = None,
    *,
    readers: Taken = "random",
    cases: Taken = "random",
) -> Variance:
    """Estimate and variance of a modality, or of the difference of two.

    Parameters
    ----------
    curves : Curves
        What was said.
    sums : PairSums
        Of these curves.
    first, second : int
        Modalities; without the second, the first by itself.
    readers, cases : {"random", "fixed"}
        A sample of all readers or cases, or those that there are.

    Raises
    ------
    ValueError
        Where the design does not tell the variance: one reader, cases that are fixed though readers read
        different ones, nothing random.

    Notes
    -----
    The estimate is the mean success over all observations, pooled over readers. With K the sum of products
    over pairs of observations of which no reader and no case is shared, and W the number of such pairs, the
    variance is Û_m Û_n − K/W (Gallas 2006: Σ c_k M_k − M_8, with any design in the
    coefficients c_k). The components are those of Barrett, Clarkson and Kupinski (Gallas et al. 2009): the
    second moments given what is shared, less those of the smaller sets that it holds. A moment that no pair
    in the design tells is taken to add nothing by itself; it is then part of the next larger one that
    can be told.

    Degrees of freedom are those of Obuchowski, Gallas and Hillis 2012 ("BDG"), V²/Σ_k V_k²/ν_k after
    Satterthwaite, with V_k the mean square of readers, negative or positive cases by its number. In a design
    with holes that is (S_k − Û_m Û_n)/ν_k, with S_k the mean product over pairs that share k at least and
    1/(ν_k + 1) the share of these pairs among all; of the two modalities together where both have what k
    counts in common, with the smaller ν_k, else of each by itself. They are no fewer than the smallest ν_k
    (Gaylor and Hopper 1969).
    """
    if readers == cases == "fixed":
        raise ValueError(
            "with readers and cases both fixed nothing is left to chance; take readers or cases as random"
        )
    sides = [(first, 1.0)] if second is None else [(first, 1.0), (second, -1.0)]
    if readers == "random":
        for modality, _ in sides:
            check_readers(curves, modality)
    if cases == "fixed":
        _check_same_cases(curves, [modality for modality, _ in sides])
    estimate = np.sum([sign * _mean(curves, sums, of) for of, sign in sides], axis=0)
    part: dict[Shared, FloatArray] = {}
    component: dict[Shared, FloatArray] = {}
    for one, sign in sides:
        for other, other_sign in sides:
            parts, components = _covariance(curves, sums, one, other, readers, cases)
            for into, found in ((part, parts), (component, components)):
                for of, value in found.items():
                    into[of] = into.get(of, 0.0) + sign * other_sign * value
    modalities = [modality for modality, _ in sides]
    if readers == "random":
        df = _mean_square_df(curves, sums, modalities, [] if cases == "fixed" else [*sums.kinds], part)
    else:
        df = _case_df(sums, part)
    return Variance(estimate, part, component, df)


def _mean(curves: Curves, sums: PairSums, modality: int) -> FloatArray:
    """Mean success over all observations of a modality."""
    of = curves.of(modality)
    return sums.total[:, of].sum(axis=1) / sums.weight[:, of].sum(axis=1)


def _covariance(
    curves: Curves, sums: PairSums, first: int, second: int, readers: Taken, cases: Taken
) -> tuple[dict[Shared, FloatArray], dict[Shared, FloatArray]]:
    """Parts and components of the covariance of two modalities."""
    of, with_ = curves.of(first), curves.of(second)
    same = curves.same_reader[np.ix_(of, with_)]
    sources = [*([READER] if readers == "random" else []), *(sums.kinds if cases == "random" else [])]
    products: dict[Shared, FloatArray] = {}
    counts: dict[Shared, FloatArray] = {}
    for table, into in ((sums.product, products), (sums.count, counts)):
        for shared in _subsets(sums.kinds if cases == "random" else ()):
            pairs = table[shared][:, of][:, :, with_]
            if readers == "fixed":
                into[shared] = pairs
                continue
            into[shared] = pairs.sum(axis=(1, 2))
            into[shared | {READER}] = (pairs * same).sum(axis=(1, 2))
    _check_identified(curves, first, second, counts, sources, cases)
    components = _components(products, counts, sources)
    parts = {shared: counts[shared] * components[shared] for shared in components if shared}
    del components[NOTHING]
    if readers == "fixed":
        weight = counts[NOTHING]
        components = {of_: (weight * each).sum(axis=(1, 2)) for of_, each in components.items()}
        components = {of_: each / weight.sum(axis=(1, 2)) for of_, each in components.items()}
        parts = {of_: each.sum(axis=(1, 2)) for of_, each in parts.items()}
    n = sums.weight[:, of].sum(axis=1) * sums.weight[:, with_].sum(axis=1)
    return {of_: each / n for of_, each in parts.items()}, components


def _components(
    products: Mapping[Shared, FloatArray], counts: Mapping[Shared, FloatArray], sources: Iterable[str]
) -> dict[Shared, FloatArray]:
    """Each second moment less the components of the smaller sets; 0 where no pair tells it."""
    found: dict[Shared, FloatArray] = {}
    for shared in _subsets(sources):
        n = _just(counts, shared)
        with np.errstate(divide="ignore", invalid="ignore"):
            moment = _just(products, shared) / n
        smaller = [value for of, value in found.items() if of < shared]
        found[shared] = np.where(n > 0, moment - np.sum(smaller, axis=0), 0.0) if smaller else moment
    return found


def _just(table: Mapping[Shared, FloatArray], shared: Shared) -> FloatArray:
    """Sum over pairs that share these and nothing else, from sums over pairs that share at least these."""
    signed = [(-1.0) ** len(of - shared) * value for of, value in table.items() if of >= shared]
    return np.sum(signed, axis=0)


def _subsets(sources: Iterable[str]) -> list[Shared]:
    """All sets of some sources, small ones first."""
    names = list(sources)
    each = chain.from_iterable(combinations(names, n) for n in range(len(names) + 1))
    return [frozenset(of) for of in each]


def _case_df(sums: PairSums, part: Mapping[Shared, FloatArray]) -> FloatArray:
    """Degrees of freedom where only cases are random, from what each kind of case takes part in."""
    below = np.zeros(len(sums.total))
    for kind, n in sums.n_cases.items():
        below += np.sum([each for of, each in part.items() if kind in of], axis=0) ** 2 / (n - 1)
    with np.errstate(divide="ignore", invalid="ignore"):
        return np.sum([*part.values()], axis=0) ** 2 / below


def _mean_square_df(
    curves: Curves, sums: PairSums, modalities: list[int], kinds: list[str], part: Mapping[Shared, FloatArray]
) -> FloatArray:
    """Degrees of freedom from the mean squares of readers and of each kind of case."""
    below = np.zeros(len(sums.total))
    least = np.full(len(sums.total), np.inf)
    for source in (READER, *kinds):
        own = [_mean_square(curves, sums, of, of, source) for of in modalities]
        of_all = [(total, nu) for total, nu in own if (nu > 0).any()]
        if not of_all:
            continue
        least = np.minimum(least, np.min([nu for _, nu in of_all], axis=0))
        shared, nu = _mean_square(curves, sums, modalities[0], modalities[-1], source)
        if len(of_all) == 2 and (nu > 0).any():
            nu = np.min([each for _, each in of_all], axis=0)
            of_all = [(of_all[0][0] + of_all[1][0] - 2 * shared, nu)]
        for total, nu in of_all:
            below += (total / nu) ** 2 / nu
    with np.errstate(divide="ignore", invalid="ignore"):
        return np.maximum(np.sum([*part.values()], axis=0) ** 2 / below, least)


def _mean_square(
    curves: Curves, sums: PairSums, first: int, second: int, source: str
) -> tuple[FloatArray, FloatArray]:
    """(S_k − Û_m Û_n) of a source and its ν_k, which is 0 where no pair of observations shares any."""
    of, with_ = curves.of(first), curves.of(second)
    entering = curves.same_reader[np.ix_(of, with_)] if source == READER else True
    shared = NOTHING if source == READER else frozenset([source])

    def total(table: FloatArray, where: NDArray[np.bool_] | bool = True) -> FloatArray:
        return (table[:, of][:, :, with_] * where).sum(axis=(1, 2))

    everything = total(sums.count[NOTHING])
    n = total(sums.count[shared], entering)
    if not (n > 0).any():
        return np.zeros(len(n)), np.zeros(len(n))
    mean = total(sums.product[NOTHING]) / everything
    return total(sums.product[shared], entering) / n - mean, everything / n - 1


def _check_identified(
    curves: Curves,
    first: int,
    second: int,
    counts: Mapping[Shared, FloatArray],
    sources: list[str],
    cases: Taken,
) -> None:
    """Refuse a design in which no two observations have nothing in common."""
    if cases == "fixed" or (_just(counts, NOTHING) > 0).all():
        return
    names = " and ".join(dict.fromkeys(curves.modalities[of] for of in (first, second)))
    raise ValueError(
        f"{names}: no two readings are of different {' and of different '.join(_plural(sources))}, so the "
        "design does not tell how these scatter; let a further reader read further cases of both classes"
    )


def _plural(sources: list[str]) -> list[str]:
    return [READER + "s", "cases"] if READER in sources else ["cases"]


def _check_same_cases(curves: Curves, modalities: list[int]) -> None:
    """Refuse fixed cases of which not every reader read all."""
    read = ~np.isnan(curves.score[np.isin(curves.modality, modalities)])
    if (read != read[0]).any():
        names = " and ".join(curves.modalities[of] for of in modalities)
        raise ValueError(
            f"{names}: with cases fixed every reader has to have read the same ones, and here readers read "
            "different cases; take cases as random"
        )
