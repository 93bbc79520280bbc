"""Readers in an analysis of variance with correlated errors (Obuchowski and Rockette 1995)."""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np

from core.metrics.mrmc.choices import CovarianceMethod, Taken
from core.metrics.mrmc.curves import Curves
from core.metrics.mrmc.inference import Inference
from core.metrics.mrmc.pair_sums import NEGATIVE, POSITIVE, PairSums
from core.study.brief import brief
from core.study.model import FloatArray, IntArray


def curve_covariance(sums: PairSums, method: CovarianceMethod = "DeLong") -> FloatArray:
    """Covariance of the metrics of curves over cases, under the first truth.

    Parameters
    ----------
    sums : PairSums
        Of curves that read the same cases.
    method : {"DeLong", "jackknife", "unbiased"}
        DeLong, DeLong and Clarke-Pearson 1988; leaving out one case at a time; or the U-statistic. Of a
        metric of single cases they are one.

    Returns
    -------
    ndarray of float64 with shape (n_curves, n_curves)
    """
    total = sums.total[0]
    mean = sums.value[0]
    squared = np.outer(mean, mean)
    product = {of: each[0] for of, each in sums.product.items()}
    if method == "unbiased" or sums.metric != "AUROC":
        apart = sum((-1.0) ** len(of) * each for of, each in product.items())
        n = sum((-1.0) ** len(of) * each[0] for of, each in sums.count.items())
        return squared - apart / n
    n0, n1 = (float(sums.n_cases[kind][0]) for kind in (NEGATIVE, POSITIVE))
    by0, by1 = product[frozenset([NEGATIVE])], product[frozenset([POSITIVE])]
    if method == "DeLong":
        of_negative = (by0 / n1**2 - n0 * squared) / (n0 - 1) / n0
        return of_negative + (by1 / n0**2 - n1 * squared) / (n1 - 1) / n1
    n = n0 + n1
    without_negative = ((n0 - 2) * np.outer(total, total) + by0) / ((n0 - 1) * n1) ** 2
    without_positive = ((n1 - 2) * np.outer(total, total) + by1) / ((n1 - 1) * n0) ** 2
    return (n - 1) / n * (without_negative + without_positive - n * squared)


@dataclass(frozen=True, eq=False)
class ObuchowskiRockette:
    """Analysis of variance of a metric by modality and reader, with covariances of the errors.

    Attributes
    ----------
    value : ndarray of float64 with shape (n_modalities, n_readers)
        The metric.
    covariance : ndarray of float64 with shape (n_modalities, n_readers, n_modalities, n_readers)
        Of the metrics over cases.
    """

    value: FloatArray
    covariance: FloatArray

    __repr__ = brief

    @property
    def n_modalities(self) -> int:
        """How many modalities there are."""
        return self.value.shape[0]

    @property
    def n_readers(self) -> int:
        """How many readers there are."""
        return self.value.shape[1]

    @property
    def mean_squares(self) -> dict[str, float]:
        """Mean squares of modalities (T), readers (R) and both together (TR)."""
        t, r = self.value.shape
        mean, by_t, by_r = self.value.mean(), self.value.mean(axis=1), self.value.mean(axis=0)
        rest = self.value - by_t[:, None] - by_r + mean
        return {
            "T": float(r * ((by_t - mean) ** 2).sum() / (t - 1)) if t > 1 else math.nan,
            "R": float(t * ((by_r - mean) ** 2).sum() / (r - 1)),
            "TR": float((rest**2).sum() / ((t - 1) * (r - 1))) if t > 1 else math.nan,
        }

    @property
    def components(self) -> dict[str, float]:
        """Variances of readers, of readers by modality and of the error, and covariances of the errors.

        Notes
        -----
        Cov1: the same reader in two modalities; Cov2: two readers in the same; Cov3: two readers in two. The
        variance of readers is (MS(R) − MS(TR))/t − Cov1 + Cov3, that of readers by modality
        MS(TR) − error + Cov1 + max(Cov2 − Cov3, 0) (Hillis 2007).
        """
        t = self.n_modalities
        error, cov1, cov2, cov3 = self._covariances(range(t))
        squares = self.mean_squares
        return {
            "reader": (squares["R"] - squares["TR"]) / t - cov1 + cov3,
            "modality:reader": squares["TR"] - error + cov1 + max(cov2 - cov3, 0.0),
            "error": error,
            "cov1": cov1,
            "cov2": cov2,
            "cov3": cov3,
        }

    def difference(
        self, first: int, second: int, *, readers: Taken = "random", cases: Taken = "random"
    ) -> Inference:
        """Difference of the reader-averaged metrics of two modalities.

        Notes
        -----
        The squared standard error is (2/r)(MS(TR) + r max(Cov2 − Cov3, 0)), with the degrees of freedom of
        Hillis 2007, (MS(TR) + r max(Cov2 − Cov3, 0))² (t − 1)(r − 1)/MS(TR)². With readers fixed it is
        (2/r)(error − Cov1 + (r − 1) max(Cov2 − Cov3, 0)) and normal; with cases fixed (2/r) MS(TR), with
        (t − 1)(r − 1) degrees of freedom.
        """
        t, r = self.value.shape
        _, cov1, cov2, cov3 = self._covariances(range(t))
        of_cases = max(cov2 - cov3, 0.0)
        if readers == "fixed":
            error = self._covariances(range(t))[0]
            squared, df = error - cov1 + (r - 1) * of_cases, math.inf
        else:
            squared, df = _hillis(self.mean_squares["TR"], r * of_cases, (t - 1) * (r - 1), cases)
        estimate = float(self.value[first].mean() - self.value[second].mean())
        return Inference(estimate, math.sqrt(2 / r * squared), df)

    def single(self, modality: int, *, readers: Taken = "random", cases: Taken = "random") -> Inference:
        """Reader-averaged metric of one modality, from its own readings alone.

        Notes
        -----
        The squared standard error is (MS(R) + r max(Cov2, 0))/r, with
        (MS(R) + r max(Cov2, 0))² (r − 1)/MS(R)² degrees of freedom, all of this modality (Hillis 2007).
        """
        r = self.n_readers
        error, _, cov2, _ = self._covariances([modality])
        cov2 = max(cov2, 0.0)
        if readers == "fixed":
            squared, df = error + (r - 1) * cov2, math.inf
        else:
            squared, df = _hillis(float(self.value[modality].var(ddof=1)), r * cov2, r - 1, cases)
        return Inference(float(self.value[modality].mean()), math.sqrt(squared / r), df)

    def _covariances(self, modalities: range | list[int]) -> tuple[float, float, float, float]:
        """Mean variance of the error, and mean covariances of the three kinds; NaN where there is none."""
        of: IntArray = np.array(modalities)
        r = self.n_readers
        table = self.covariance[of][:, :, of]
        same_modality = np.eye(len(of), dtype=bool)[:, None, :, None]
        same_reader = np.eye(r, dtype=bool)[None, :, None, :]
        means = []
        for is_modality, is_reader in ((True, True), (False, True), (True, False), (False, False)):
            chosen = np.broadcast_to((same_modality == is_modality) & (same_reader == is_reader), table.shape)
            means.append(float(table[chosen].mean()) if chosen.any() else math.nan)
        return means[0], means[1], means[2], means[3]


def _hillis(of_readers: float, of_cases: float, df: int, cases: Taken) -> tuple[float, float]:
    """Mean square with its degrees of freedom; of readers alone where cases are fixed."""
    if cases == "fixed":
        return of_readers, float(df)
    total = of_readers + of_cases
    return total, math.inf if of_readers == 0 else total**2 / (of_readers**2 / df)


def obuchowski_rockette(
    curves: Curves, sums: PairSums, *, method: CovarianceMethod = "DeLong"
) -> ObuchowskiRockette:
    """Analyse modalities that all readers read, under the first truth.

    Parameters
    ----------
    curves : Curves
        A curve of every reader in every modality, of the same cases.
    sums : PairSums
        Of these curves.
    method : {"DeLong", "jackknife", "unbiased"}
        As `curve_covariance` has it.

    Raises
    ------
    ValueError
        For a design that is not crossed, or with one reader.
    """
    reason = why_not_crossed(curves)
    if reason:
        raise ValueError(f"{reason}; take the method u-statistics, which any design has")
    t, r = len(curves.modalities), len(np.unique(curves.reader))
    order = np.lexsort((curves.reader, curves.modality))
    covariance = curve_covariance(sums, method)[np.ix_(order, order)]
    return ObuchowskiRockette(sums.value[0][order].reshape(t, r), covariance.reshape(t, r, t, r))


def why_not_crossed(curves: Curves) -> str:
    """Why not every reader read every case in every modality; empty where they did."""
    missing = np.isnan(curves.score)
    if (curves.reader < 0).any():
        alone = [name for i, name in enumerate(curves.modalities) if not curves.has_readers(i)]
        return f"an analysis of variance needs readers in every modality, and nobody reads {', '.join(alone)}"
    readers = np.unique(curves.reader)
    if len(readers) < 2:
        return "an analysis of variance needs two readers or more, and there is one"
    if len(curves.modality) != len(curves.modalities) * len(readers):
        return "an analysis of variance needs every reader in every modality, and some readers miss one"
    read = ~missing.all(axis=0)
    n = int(missing[:, read].any(axis=0).sum())
    if n:
        return (
            f"an analysis of variance needs every case read by every reader in every modality, and {n:,} of "
            f"{int(read.sum()):,} cases are not"
        )
    return ""
