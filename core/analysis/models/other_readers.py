"""Whether a result would hold with other readers, other cases, and under what else the truth could be."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from itertools import combinations

import numpy as np
import pandas as pd

from core.analysis.models.reader_study import ReaderStudy, reader_study, reader_threshold
from core.analysis.models.settings import OtherReadersSettings
from core.metrics.holm import holm
from core.metrics.mrmc.checks import check_readers
from core.metrics.mrmc.curves import NO_READER, Curves
from core.metrics.mrmc.inference import Inference
from core.metrics.mrmc.obuchowski_rockette import obuchowski_rockette
from core.metrics.mrmc.pair_sums import PairSums, Shared, pair_sums
from core.metrics.mrmc.plausible_truths import OverTruths, over_truths
from core.metrics.mrmc.sizing import cases_needed
from core.metrics.mrmc.variance import READER, Variance, variance
from core.plausibility.settings import Aggregation
from core.study.model import Study, Task

LEVEL = 0.95
SHARES = ("share_readers", "share_cases", "share_readers_and_cases", "share_truth")
"""Columns that divide a variance by what it comes from; negative parts are counted as 0."""
_SIZED_READERS = (3, 4, 5, 6, 8, 10, 15, 20, 30)


@dataclass(frozen=True, eq=False)
class OtherReaders:
    """Tables of a reader study.

    Attributes
    ----------
    modalities : DataFrame
        A row a modality: ``modality``, ``n_readers``, ``n_cases`` (read by anybody), ``estimate``,
        ``standard_error``, ``df``, ``low``, ``high`` (95 %, within [0, 1]), and `SHARES`.
    readers : DataFrame
        A row a modality and reader: ``modality``, ``reader`` (empty for a model by itself), ``n_cases``,
        ``n_positive`` (mean over truths) and ``value`` (mean over truths).
    differences : DataFrame
        A row a pair: ``first``, ``second``, ``difference``, ``standard_error``, ``df``, ``low``, ``high``,
        ``p_two_sided``, ``p_holm`` (over the pairs), `SHARES`, and with a margin ``margin``,
        ``p_not_inferior`` and ``p_equivalent``, both one-sided.
    sizes : DataFrame
        A row a pair and number of readers: ``first``, ``second``, ``n_readers``, ``n_cases`` that reach the
        wanted power (missing where more than 100,000), empty where nothing is to be shown.
    components : DataFrame
        Of the analysis of variance: ``component`` and ``value``; empty for U-statistics.
    study : ReaderStudy
        What they were made from.
    """

    modalities: pd.DataFrame
    readers: pd.DataFrame
    differences: pd.DataFrame
    sizes: pd.DataFrame
    components: pd.DataFrame
    study: ReaderStudy


def other_readers(
    study: Study, task: Task, settings: OtherReadersSettings, aggregation: Aggregation
) -> OtherReaders:
    """Infer from readers and cases to others like them.

    Parameters
    ----------
    study : Study
        What was observed.
    task : Task
        One of the study's, with readers.
    settings : OtherReadersSettings
        What is asked.
    aggregation : Aggregation
        Of plausible truths.

    Raises
    ------
    ValueError
        As `reader_study` and `core.metrics.mrmc.variance` do, saying how to mend it.

    Notes
    -----
    Under plausible truths everything is worked out under each of them, and combined by Rubin's rules
    (`core.metrics.mrmc.plausible_truths`).
    """
    found = reader_study(study, task, settings, aggregation)
    sums = pair_sums(
        found.curves, found.truths, metric=settings.reader_metric, threshold=reader_threshold(task, settings)
    )
    inferred = _Inferring(found.curves, sums, settings)
    pairs = _pairs(found.curves, settings)
    return OtherReaders(
        pd.DataFrame(inferred.modalities()),
        pd.DataFrame(_reader_rows(found, sums)),
        _with_holm(pd.DataFrame([inferred.difference_row(*pair) for pair in pairs])),
        pd.DataFrame(
            [row for pair in pairs for row in inferred.sizes(*pair)],
            columns=["first", "second", "n_readers", "n_cases"],
        ).astype({"n_cases": "Int64"}),
        inferred.components(),
        found,
    )


class _Inferring:
    """Inferences of one reader study, each from the same sums."""

    def __init__(self, curves: Curves, sums: PairSums, settings: OtherReadersSettings) -> None:
        self._curves = curves
        self._sums = sums
        self._settings = settings
        self._has_anova = settings.method == "anova"
        self._analyses = (
            [
                obuchowski_rockette(curves, sums.under(truth), method=settings.covariances)
                for truth in range(len(sums.total))
            ]
            if self._has_anova
            else []
        )

    def modalities(self) -> Iterator[dict[str, object]]:
        """Rows of `OtherReaders.modalities`."""
        for modality, name in enumerate(self._curves.modalities):
            of = self._curves.of(modality)
            is_alone = not self._curves.has_readers(modality)
            row: dict[str, object] = {
                "modality": name,
                "n_readers": 0 if is_alone else len(of),
                "n_cases": int((~np.isnan(self._curves.score[of])).any(axis=0).sum()),
            }
            yield row | self._single(modality)

    def _single(self, modality: int) -> dict[str, object]:
        """Estimate of a modality, its interval and shares; without an interval where nothing tells it."""
        try:
            over, parts = self._inferred(modality, None)
        except ValueError:
            of = self._curves.of(modality)
            value = self._sums.total[:, of].sum(axis=1) / self._sums.weight[:, of].sum(axis=1)
            columns = ("standard_error", "df", "low", "high", *SHARES)
            return {"estimate": float(value.mean()), **dict.fromkeys(columns, np.nan)}
        low, high = over.inference.share_interval(LEVEL)
        return {
            "estimate": over.inference.estimate,
            "standard_error": over.inference.standard_error,
            "df": over.inference.df,
            "low": low,
            "high": high,
            **_shares(over, parts),
        }

    def difference_row(self, first: int, second: int) -> dict[str, object]:
        """Row of `OtherReaders.differences`."""
        over, parts = self._inferred(first, second)
        found = over.inference
        low, high = found.interval(LEVEL)
        row: dict[str, object] = {
            "first": self._curves.modalities[first],
            "second": self._curves.modalities[second],
            "difference": found.estimate,
            "standard_error": found.standard_error,
            "df": found.df,
            "low": low,
            "high": high,
            "p_two_sided": found.p_two_sided(),
            **_shares(over, parts),
        }
        margin = self._settings.margin
        if margin:
            row |= {
                "margin": margin,
                "p_not_inferior": found.p_not_inferior(margin),
                "p_equivalent": found.p_equivalent(margin),
            }
        return row

    def _inferred(self, first: int, second: int | None) -> tuple[OverTruths, dict[str, float]]:
        """Inference over truths, and the parts of the variance within one, as the U-statistics have them."""
        taken = {"readers": self._settings.readers, "cases": self._settings.cases}
        by_u = variance(self._curves, self._sums, first, second, **taken)
        if not self._has_anova:
            return over_truths(by_u.estimate, by_u.variance, by_u.df), _parts(by_u)
        by_truth = [
            of.single(first, **taken) if second is None else of.difference(first, second, **taken)
            for of in self._analyses
        ]
        return _combined(by_truth), _parts(by_u)

    def sizes(self, first: int, second: int) -> Iterator[dict[str, object]]:
        """Rows of `OtherReaders.sizes`, where something is to be shown."""
        settings = self._settings
        if settings.expected is None and not settings.margin:
            return
        for modality in (first, second):
            if self._curves.has_readers(modality):
                check_readers(self._curves, modality)
        found = variance(self._curves, self._sums, first, second)
        component: dict[Shared, float] = {of: float(value.mean()) for of, value in found.component.items()}
        number = {kind: float(n.mean()) for kind, n in self._sums.n_cases.items()}
        for n_readers in _SIZED_READERS:
            n_cases = cases_needed(
                component,
                n_readers,
                {kind: n / sum(number.values()) for kind, n in number.items()},
                difference=settings.expected or 0.0,
                margin=settings.margin,
                wanted=settings.power,
            )
            yield {
                "first": self._curves.modalities[first],
                "second": self._curves.modalities[second],
                "n_readers": n_readers,
                "n_cases": n_cases,
            }

    def components(self) -> pd.DataFrame:
        """Mean squares and components of the analysis of variance, their means over truths."""
        if not self._analyses:
            return pd.DataFrame(columns=["component", "value"])
        each = [
            {f"MS({name})": value for name, value in of.mean_squares.items()} | of.components
            for of in self._analyses
        ]
        return pd.DataFrame(
            [
                {"component": name, "value": float(np.mean([values[name] for values in each]))}
                for name in each[0]
            ]
        )


def _combined(found: list[Inference]) -> OverTruths:
    """Rubin's rules of inferences under each truth."""
    estimate, error, df = np.array([[of.estimate, of.standard_error, of.df] for of in found]).T
    return over_truths(estimate, error**2, df)


def _parts(found: Variance) -> dict[str, float]:
    """Mean parts of a variance: of readers, of cases, and of both together, none below 0."""
    parts = dict.fromkeys(SHARES[:3], 0.0)
    for of, value in found.part.items():
        name = SHARES[1] if READER not in of else SHARES[0] if of == {READER} else SHARES[2]
        parts[name] += float(value.mean())
    return {name: max(value, 0.0) for name, value in parts.items()}


def _shares(over: OverTruths, parts: dict[str, float]) -> dict[str, object]:
    """Shares of the total variance, of what is within one truth in proportion to its parts."""
    within, total = sum(parts.values()), 1 - over.truth_share
    shares: dict[str, object] = {
        name: value / within * total if within else np.nan for name, value in parts.items()
    }
    return {**shares, SHARES[3]: over.truth_share}


def _reader_rows(found: ReaderStudy, sums: PairSums) -> Iterator[dict[str, object]]:
    """Rows of `OtherReaders.readers`."""
    curves, read = found.curves, ~np.isnan(found.curves.score)
    for at, (modality, reader) in enumerate(zip(curves.modality, curves.reader, strict=True)):
        yield {
            "modality": curves.modalities[modality],
            "reader": curves.readers[reader] if reader != NO_READER else "",
            "n_cases": int(read[at].sum()),
            "n_positive": float((found.truths & read[at]).sum(axis=1).mean()),
            "value": float(sums.value[:, at].mean()),
        }


def _with_holm(table: pd.DataFrame) -> pd.DataFrame:
    """Differences with p-values corrected for the number of pairs (Holm 1979)."""
    corrected = holm(table["p_two_sided"].to_numpy(float))
    table.insert(list(table.columns).index("p_two_sided") + 1, "p_holm", corrected)
    return table


def _pairs(curves: Curves, settings: OtherReadersSettings) -> list[tuple[int, int]]:
    """Modalities to be compared: those that are asked for, else all pairs of which one is read."""
    if settings.modalities:
        return [(0, 1)]
    everything = combinations(range(len(curves.modalities)), 2)
    return [pair for pair in everything if any(curves.has_readers(of) for of in pair)] or _lonely(curves)


def _lonely(curves: Curves) -> list[tuple[int, int]]:
    """Refuse a single modality, which nothing can be compared with."""
    raise ValueError(
        f"{curves.modalities[0]} is the only modality, so there is nothing to compare it with; add "
        "predictions of another modality, or of a model"
    )
