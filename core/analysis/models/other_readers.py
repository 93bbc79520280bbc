"""Whether a result would hold with other readers, other cases, and under what else the truth could be."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from itertools import combinations

import numpy as np
import pandas as pd

from core.analysis.models.reader_inference import SHARES, Inferring
from core.analysis.models.reader_study import ReaderStudy, reader_study, reader_threshold
from core.analysis.models.settings import OtherReadersSettings
from core.metrics.holm import holm
from core.metrics.mrmc.curves import NO_READER, Curves
from core.metrics.mrmc.pair_sums import PairSums, by_curve, pair_sums
from core.plausibility.settings import Aggregation
from core.study.model import Study, Task

__all__ = ["HOLM", "SHARES", "OtherReaders", "other_readers"]
HOLM = {
    "p_two_sided": "p_holm",
    "p_not_inferior": "p_not_inferior_holm",
    "p_equivalent": "p_equivalent_holm",
}
"""P-values of a pair, and the same corrected for the number of pairs."""


@dataclass(frozen=True, eq=False)
class OtherReaders:
    """Tables of a reader study.

    Attributes
    ----------
    modalities : DataFrame
        A row a modality: ``modality``, ``n_readers``, ``n_cases`` (read by anybody), ``estimate``,
        ``standard_error``, ``df``, ``low``, ``high`` (95 %, within [0, 1]), `SHARES`, ``attenuation``
        (`core.metrics.mrmc.attenuation`), ``reason`` (why there is no interval) and ``caution``.
    readers : DataFrame
        A row a modality and reader: ``modality``, ``reader`` (empty for a model by itself, the rater
        beside whom it is judged where raters are readers), ``n_cases``,
        ``n_positive`` (mean over truths) and ``value`` (mean over truths).
    differences : DataFrame
        A row a pair: ``first``, ``second``, ``difference``, ``standard_error``, ``df``, ``low``, ``high``
        (within [−1, 1]), ``p_two_sided``, ``p_holm`` (over the pairs), `SHARES`, ``attenuation``, and with a
        margin ``margin``, ``margin_shown`` (what a difference is held against), ``p_not_inferior`` and
        ``p_equivalent``, both one-sided, and the same corrected (`HOLM`); ``reason`` (why something is
        missing) and ``caution``. A pair that cannot be told has its difference and the reason.
    sizes : DataFrame
        A row a pair and number of readers: ``first``, ``second``, ``n_readers``, ``n_cases`` that reach the
        wanted power (missing where more than 100,000); empty where nothing is to be shown, or where readers
        or cases are fixed, so that a new study has no others.
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

    @property
    def n_pairs(self) -> int:
        """Pairs of which something can be told: as many p-values are corrected for one another."""
        return int(self.differences["p_two_sided"].notna().sum())


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
        As `reader_study` does, and `core.metrics.mrmc.variance` where it can tell no pair, saying how to mend
        it.

    Notes
    -----
    Under plausible truths everything is worked out under each of them, and combined by Rubin's rules
    (`core.metrics.mrmc.plausible_truths`). Such truths know nothing of the scores, so that they show
    differences smaller than they are; a margin is held against what they show of it
    (`core.metrics.mrmc.attenuation.shown_margin`), and of a metric of one class no margin is answered.
    """
    found = reader_study(study, task, settings, aggregation)
    sums = pair_sums(
        found.curves, found.truths, metric=settings.reader_metric, threshold=reader_threshold(task, settings)
    )
    inferring = Inferring(found, sums, settings)
    pairs = _pairs(found, settings)
    differences = _differences(inferring, pairs)
    told = [pair for pair, known in zip(pairs, differences["standard_error"].notna(), strict=True) if known]
    return OtherReaders(
        pd.DataFrame([inferring.modality_row(of) for of in range(len(found.curves.modalities))]),
        pd.DataFrame(_reader_rows(found, sums)),
        differences,
        pd.DataFrame(
            [row for pair in told for row in inferring.sizes(*pair)],
            columns=["first", "second", "n_readers", "n_cases"],
        ).astype({"n_cases": "Int64"}),
        inferring.components(),
        found,
    )


def _reader_rows(found: ReaderStudy, sums: PairSums) -> Iterator[dict[str, object]]:
    """Rows of `OtherReaders.readers`."""
    curves, read = found.curves, ~np.isnan(found.curves.score)
    own = by_curve(found.truths)
    for at, (modality, reader) in enumerate(zip(curves.modality, curves.reader, strict=True)):
        yield {
            "modality": curves.modalities[modality],
            "reader": curves.readers[reader] if reader != NO_READER else "",
            "n_cases": int(read[at].sum()),
            "n_positive": float((own[:, at % own.shape[1]] & read[at]).sum(axis=1).mean()),
            "value": float(sums.value[:, at].mean()),
        }


def _differences(inferring: Inferring, pairs: list[tuple[int, int]]) -> pd.DataFrame:
    """Rows of all pairs, those that cannot be told with the reason; refuse where that is all of them."""
    rows, refused = [], []
    for pair in pairs:
        try:
            rows.append(inferring.difference_row(*pair))
        except ValueError as why:
            rows.append(inferring.unknown_difference_row(*pair, str(why)))
            refused.append(why)
    if len(refused) == len(pairs):
        raise refused[0]
    return _with_holm(pd.DataFrame(rows))


def _with_holm(table: pd.DataFrame) -> pd.DataFrame:
    """Differences with p-values corrected for the number of pairs (Holm 1979), each beside its own."""
    for name, corrected in HOLM.items():
        if name in table:
            after = [*table.columns].index(name) + 1
            table.insert(after, corrected, holm(table[name].to_numpy(float)))
    return table


def _pairs(found: ReaderStudy, settings: OtherReadersSettings) -> list[tuple[int, int]]:
    """Modalities to be compared: those that are asked for, else all pairs of which one is read."""
    if settings.modalities:
        return [(0, 1)]
    everything = combinations(range(len(found.curves.modalities)), 2)
    return [pair for pair in everything if any(map(found.is_read, pair))] or _lonely(found.curves)


def _lonely(curves: Curves) -> list[tuple[int, int]]:
    """Refuse a single modality, which nothing can be compared with."""
    raise ValueError(
        f"{curves.modalities[0]} is the only modality, so there is nothing to compare it with; add "
        "predictions of another modality, or of a model"
    )
