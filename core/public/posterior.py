"""What readings leave open about the truth, as series, frames and arrays with names."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np
import pandas as pd

from core.metrics.certainty import top_certainty
from core.plausibility import posterior as numeric
from core.plausibility.candidates import LabelValues, no_readings
from core.plausibility.draws import LARGEST
from core.plausibility.posterior import SampledPosterior
from core.plausibility.settings import MODELS, Aggregation
from core.study.model import FloatArray
from core.study.seeds import case_seeds


class Posterior:
    """A distribution over plausibilities for every case of a task: what `Task.aggregate` returns.

    A plausibility is a distribution over labels that could be the truth of a case. Everything is NaN for a
    case that nobody read.

    Attributes
    ----------
    aggregation : Aggregation
        Model, reliability and options.
    case_ids, labels : tuple of str
        Of rows and columns of what the methods return.
    numeric : core.plausibility.posterior.Posterior
        The same without names, with arrays that hold only the labels that somebody mentioned.
    """

    def __init__(
        self,
        posterior: numeric.Posterior,
        aggregation: Aggregation,
        case_ids: tuple[str, ...],
        labels: tuple[str, ...],
    ) -> None:
        self.numeric = posterior
        self.aggregation = aggregation
        self.case_ids = case_ids
        self.labels = labels

    def __repr__(self) -> str:
        model = MODELS[self.aggregation.model]
        how = {"exact": "exact", "point": "point estimate"}.get(model.answer, f"{self._n_draws:,} draws")
        if model.has_reliability:
            at = self.aggregation.reliability
            how = "reliability ∞, point estimate" if np.isinf(at) else f"reliability {at:g}, {how}"
        return f"Posterior({model.title}, {how}: {len(self.case_ids):,} cases, {len(self.labels):,} labels)"

    @property
    def _n_draws(self) -> int:
        return self.numeric.draws.n_draws if isinstance(self.numeric, SampledPosterior) else 0

    @property
    def mean(self) -> pd.DataFrame:
        """Expected plausibility of every label, in [0, 1], cases × labels; rows sum to 1."""
        return self._frame(self.numeric.mean)

    def certainty(self, j: int = 1) -> pd.Series:
        """Top-j annotation certainty of every case.

        Parameters
        ----------
        j : int
            Size of the set of leading labels, 1 to 10; all labels that have mass where they are fewer.

        Returns
        -------
        Series of float64 with n_cases rows
            Indexed by case id, in [0, 1]: the probability that the most probable set of the j most plausible
            labels really is that set.

        Raises
        ------
        ValueError
            If j is out of range.

        Notes
        -----
        max over sets C of P(the j largest plausibilities are exactly C) (Stutz 2025, eq. 7 to 11).
        """
        return pd.Series(
            top_certainty(self.numeric, _depth(j)), self._index, name=f"top-{j} certainty", dtype=float
        )

    def in_top(self, j: int = 1) -> pd.DataFrame:
        """P(label is among the j most plausible), for every label of every case.

        Parameters
        ----------
        j : int
            From 1 to 10.

        Returns
        -------
        DataFrame of float64 with shape (n_cases, n_labels)
            In [0, 1], case ids × labels; a row sums to j, or to the number of labels with mass if smaller.

        Raises
        ------
        ValueError
            If j is out of range.

        Notes
        -----
        Stutz 2025, eq. 7 for j = 1. Where plausibilities are tied, each label has its share of the places.
        """
        return self._frame(self.numeric.in_top(_depth(j)))

    def leading(self, j: int = 1) -> pd.Series:
        """Most probable set of the j most plausible labels: whose probability `certainty` is.

        Returns
        -------
        Series of tuple of str with n_cases rows
            Most plausible label first; fewer than j where fewer have any mass, none where nobody read the
            case.

        Raises
        ------
        ValueError
            If j is out of range.
        """
        sets = self.numeric.best_set(_depth(j)).tolist()
        named = [tuple(self.labels[code] for code in codes if code >= 0) for codes in sets]
        return pd.Series(named, self._index, name=f"top-{j} labels", dtype=object)

    def grouped(self, group_of: Mapping[str, str]) -> Posterior:
        """Distribution over sums of plausibility by group of labels.

        Parameters
        ----------
        group_of : mapping of str to str
            The group of every label, such as its risk level, its organ or its family.

        Returns
        -------
        Posterior
            Its labels are the groups, in the order in which labels first name them. Its certainty is that of
            the group with most plausibility in all.

        Raises
        ------
        ValueError
            If a label has no group.
        """
        missing = [label for label in self.labels if label not in group_of]
        if missing:
            raise ValueError(f"group_of must have a group for each label, got none for {missing[0]!r}")
        groups = tuple(dict.fromkeys(group_of[label] for label in self.labels))
        codes = np.array([groups.index(group_of[label]) for label in self.labels], np.int64)
        return Posterior(self.numeric.grouped(codes, len(groups)), self.aggregation, self.case_ids, groups)

    def sample(self, n: int, seed: int = 0) -> FloatArray:
        """Joint draws of the plausibilities of all cases.

        Parameters
        ----------
        n : int
            Number of draws, 1 or more.
        seed : int
            The same seed gives the same draws.

        Returns
        -------
        ndarray of float64 with shape (n, n_cases, n_labels)
            In [0, 1], summing to 1 over the labels, in the order of ``case_ids`` and ``labels``. It is dense:
            8 bytes for each draw, case and label.

        Raises
        ------
        ValueError
            If n is below 1, or above the number of draws that the posterior is made of.

        Notes
        -----
        Under Plackett–Luce, n of its stored draws are taken at random. What a draw leaves for labels that
        nobody mentioned for the case is shared among them as the prior says. Under a point estimate all draws
        are equal.
        """
        if whole("n", n) < 1:
            raise ValueError(f"n must be 1 or more, got {n}")
        seeds = case_seeds(seed, self.case_ids, "sample")
        if not isinstance(self.numeric, SampledPosterior):
            sampled, chosen = self.numeric.sample(n, seeds), np.arange(n)
        elif self._n_draws == 1:
            sampled, chosen = self.numeric, np.zeros(n, np.int64)
        elif n > self._n_draws:
            more = f"Aggregation({self.aggregation.model!r}, {self.aggregation.reliability:g}, draws={n})"
            raise ValueError(
                f"n must be at most {self._n_draws:,}, the draws of this posterior, got {n:,}: "
                f"aggregate with {more}"
            )
        else:
            every = np.random.default_rng(seed).permutation(self._n_draws)
            sampled, chosen = self.numeric, every[:n]
        draws, candidates = sampled.draws, sampled.candidates
        dense = np.zeros((n, len(self.case_ids), len(self.labels)))
        dense[:, candidates.case, candidates.label] = draws.value[:, chosen].T
        unread = no_readings(candidates)
        for case in np.flatnonzero(candidates.unmentioned * ~unread).tolist():
            others = np.setdiff1d(np.arange(len(self.labels)), candidates.label[candidates.of_case(case)])
            rest = draws.rest[case, chosen].astype(np.float64)
            if rest.any():
                dense[:, case, others] = rest[:, None] * _shares(
                    len(others), draws.concentration, n, int(seeds[case])
                )
        dense[:, unread] = np.nan
        return dense

    def convergence(self) -> pd.DataFrame:
        """Say whether the draws of each case can be trusted.

        Returns
        -------
        DataFrame with n_cases rows
            Indexed by case id: ``rhat``, 1 where the chains agree and above 1.01 where they have not mixed
            (Vehtari et al. 2021), and ``ess``, how many independent draws the draws are worth; NaN where
            nothing is sampled.
        """
        from core.plausibility.convergence import convergence

        if self._n_draws < 2 or not isinstance(self.numeric, SampledPosterior):
            return pd.DataFrame({"rhat": np.nan, "ess": np.nan}, index=self._index)
        return convergence(self.numeric)[["rhat", "ess"]].set_index(self._index)

    @property
    def _index(self) -> pd.Index:
        return pd.Index(self.case_ids, name="case_id")

    def _frame(self, values: LabelValues) -> pd.DataFrame:
        """A number for every label of every case."""
        candidates = self.numeric.candidates
        dense = candidates.table(values)
        dense[no_readings(candidates)] = np.nan
        return pd.DataFrame(dense, self._index, pd.Index(self.labels, name="label"))


def _depth(j: int) -> int:
    """Return a number of leading labels that every model answers for."""
    if not 1 <= whole("j", j) <= LARGEST:
        raise ValueError(f"j must be from 1 to {LARGEST}, got {j}")
    return int(j)


def whole(name: str, value: Any) -> int:
    """Return a whole number; anything else is no number of draws or labels.

    Raises
    ------
    TypeError
        If it is none.
    """
    if isinstance(value, bool) or not isinstance(value, int | np.integer):
        raise TypeError(f"{name} must be a whole number, got {value!r}")
    return int(value)


def _shares(m: int, concentration: float, n: int, seed: int) -> FloatArray:
    """Shares of m unmentioned labels in what is left to them, with shape (n, m)."""
    if np.isinf(concentration):
        return np.full((n, m), 1 / m)
    return np.random.default_rng(seed).dirichlet(np.full(m, concentration), n)
