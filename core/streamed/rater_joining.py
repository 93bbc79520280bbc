"""What was kept of all parts about readings and raters, put together."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

import numpy as np

from core.metrics.agreement.differentials import DifferentialAgreement
from core.metrics.agreement.rating_counts import RatingCounts
from core.plausibility.reading_patterns import UNKNOWN, ReadingPatterns, joined, joined_rows
from core.streamed.arrays import load_arrays, part_file
from core.streamed.rater_counts import LABELS, OVERLAPS, PAIRS, PATTERNS, VALUES
from core.streamed.rater_pairs import PairMatrices, are_too_many, pair_matrices
from core.study.model import IntArray

MOST_SCORES = 20_000
"""Different scores that coefficients of agreement are made of."""
_OF_PATTERNS = tuple(ReadingPatterns.__dataclass_fields__)


def _patterns(arrays: dict[str, np.ndarray]) -> ReadingPatterns:
    return ReadingPatterns(**{name: arrays[name] for name in _OF_PATTERNS})


def joined_counts(folder: Path, n_parts: int, n_labels: int) -> RatingCounts:
    """Labels of each case, cases that are labelled alike together."""
    parts = [load_arrays(part_file(folder, part, LABELS)) for part in range(n_parts)]
    return _counts(parts, [np.arange(n_labels)] * n_parts, n_labels)


def joined_scores(folder: Path, n_parts: int) -> RatingCounts | None:
    """Scores of each case, cases with the same scores together; None where too many scores differ."""
    parts = [load_arrays(part_file(folder, part, VALUES)) for part in range(n_parts)]
    scores = np.unique(np.concatenate([of["scores"] for of in parts]))
    if len(scores) > MOST_SCORES:
        return None
    codes = [np.searchsorted(scores, of["scores"]) for of in parts]
    return replace(_counts(parts, codes, len(scores)), number=scores.astype(np.float64))


def _counts(parts: list[dict[str, np.ndarray]], codes: Sequence[IntArray], n_values: int) -> RatingCounts:
    """Counts of values, which stand for raters in the patterns of the parts."""
    patterns, row = joined_rows([_patterns(of) for of in parts], codes, 1)
    first = np.cumsum([0, *(len(of["n_cases"]) for of in parts)])
    of_case = np.concatenate(
        [
            np.append(row[first[i] : first[i + 1]], -1)[of["of_case"]].astype(np.int32)
            for i, of in enumerate(parts)
        ]
    )
    pattern = np.repeat(np.arange(len(patterns.n_cases)), np.diff(patterns.start))
    value = patterns.cell[patterns.reading]
    keys, count = np.unique(pattern * n_values + value, return_counts=True)
    per_pattern = np.bincount(keys // n_values, minlength=len(patterns.n_cases))
    start = np.concatenate([[0], np.cumsum(per_pattern)]).astype(np.int64)
    return RatingCounts(start, keys % n_values, count.astype(np.float64), n_values, None, of_case)


def joined_patterns(
    folder: Path, codes: Sequence[IntArray], n_labels: int
) -> tuple[ReadingPatterns, ReadingPatterns]:
    """Patterns of readings as if no truth were known, and with the truths that are known."""
    parts = [_patterns(load_arrays(part_file(folder, part, PATTERNS))) for part in range(len(codes))]
    whole = joined(parts, codes, n_labels)
    if (whole.known == UNKNOWN).all():
        return whole, whole
    untold = [replace(of, known=np.full(len(of.known), UNKNOWN)) for of in parts]
    return joined(untold, codes, n_labels), whole


def joined_pairs(
    folder: Path, codes: Sequence[IntArray], n_labels: int, read: IntArray
) -> PairMatrices | None:
    """Agreement of raters two by two; None where raters or labels are too many."""
    n_raters = len(read)
    files = [part_file(folder, part, PAIRS) for part in range(len(codes))]
    if are_too_many(n_raters, n_labels) or not all(file.is_file() for file in files):
        return None
    total = np.zeros(n_raters**2 * n_labels**2, np.int64)
    for file, code in zip(files, codes, strict=True):
        found = load_arrays(file)
        raters, labels = np.divmod(found["place"], n_labels**2)
        first, second = np.divmod(raters, max(len(code), 1))
        total[(code[first] * n_raters + code[second]) * n_labels**2 + labels] += found["count"]
    return pair_matrices(total.reshape(n_raters, n_raters, n_labels, n_labels), read)


def joined_overlaps(folder: Path, codes: Sequence[IntArray], n_raters: int) -> DifferentialAgreement | None:
    """Overlap of differentials, of each case and of raters two by two; None where raters are too many."""
    files = [
        (part_file(folder, part, OVERLAPS), part_file(folder, part, PAIRS)) for part in range(len(codes))
    ]
    if not all(file.is_file() for both in files for file in both):
        return None
    overlap, top1 = [], []
    total, n_common = np.zeros((2, n_raters, n_raters)), np.zeros((n_raters, n_raters))
    for (file, pairs), code in zip(files, codes, strict=True):
        found, counted = load_arrays(file), load_arrays(pairs)
        overlap.append(found["overlap"])
        top1.append(found["top1"])
        own = len(code)
        n_labels = int(counted["n_labels"])
        common = np.bincount(
            counted["place"] // n_labels**2, counted["count"].astype(np.float64), own**2
        ).reshape(own, own)
        common = common + common.T
        read = np.flatnonzero(code >= 0)  # Others read another task only.
        at, of_read = np.ix_(code[read], code[read]), np.ix_(read, read)
        n_common[at] += common[of_read]
        for i, name in enumerate(("pair_overlap", "pair_top1")):
            total[i][at] += np.where(common > 0, found[name] * common, 0.0)[of_read]
    mean = np.divide(total, n_common, out=np.full(total.shape, np.nan), where=n_common > 0)
    return DifferentialAgreement(np.concatenate(overlap), np.concatenate(top1), mean[0], mean[1])
