"""Agreement from how often each pattern of answers to a case occurs: many cases are answered alike."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path

import numpy as np
import pandas as pd

from core.analysis.raters.panel import panel
from core.metrics.agreement.chance import Coefficient, coefficients_over, why_undefined, with_interval
from core.metrics.agreement.influence import influence_error, influences
from core.metrics.agreement.rating_counts import RatingCounts
from core.plausibility.alike import first_alike
from core.streamed.arrays import load_arrays, part_file, save_arrays
from core.study.model import Study, Task

Pattern = tuple[tuple[int, int], ...]
"""How many readings gave each label, by its code, ascending; labels that nobody gave are left out."""

MOST_PATTERNS = 2_000_000
"""Patterns that are held at once; of cases with many readings and labels each is a pattern of its own."""
_KEPT = "patterns"
"""Folder of what is kept of each part."""
_NO_BOOTSTRAP = np.full(2, np.nan)


def count_patterns(study: Study, task: Task) -> dict[Pattern, int]:
    """Count the patterns of a part of a study.

    Parameters
    ----------
    study, task : Study, Task
        Not for score tasks, whose values have no end.

    Returns
    -------
    dict of Pattern to int
        Cases without a reading are not counted.
    """
    if task.readings.n_readings == 0:
        return {}
    counts = panel(study, task).counts
    cell = counts.value * (int(counts.count.max()) + 1) + counts.count.astype(np.int64)
    like = first_alike(counts.start, cell, np.zeros((counts.n_cases, 0), np.int64))
    found = {}
    for case, n in enumerate(np.bincount(like).tolist()):
        cells = slice(int(counts.start[case]), int(counts.start[case + 1]))
        if n and cells.start < cells.stop:
            value, count = counts.value[cells].tolist(), counts.count[cells].astype(np.int64).tolist()
            found[tuple(zip(value, count, strict=True))] = n
    return found


def keep_patterns(folder: Path, part: int, patterns: Mapping[Pattern, int]) -> None:
    """Write the patterns of a part, of which there may be as many as it has cases."""
    cells = [cell for pattern in patterns for cell in pattern]
    save_arrays(
        part_file(folder, part, _KEPT),
        {
            "length": np.array([len(pattern) for pattern in patterns], np.int64),
            "value": np.array([value for value, _ in cells], np.int64),
            "count": np.array([count for _, count in cells], np.int64),
            "n_cases": np.array([*patterns.values()], np.int64),
        },
    )


def joined_patterns(folder: Path, n_parts: int) -> dict[Pattern, int] | None:
    """Patterns of all parts, as `keep_patterns` wrote them; None where more differ than `MOST_PATTERNS`."""
    patterns: dict[Pattern, int] = {}
    for part in range(n_parts):
        found = load_arrays(part_file(folder, part, _KEPT))
        cells = list(zip(found["value"].tolist(), found["count"].tolist(), strict=True))
        begin = 0
        for length, n in zip(found["length"].tolist(), found["n_cases"].tolist(), strict=True):
            pattern = tuple(cells[begin : begin + length])
            begin += length
            patterns[pattern] = patterns.get(pattern, 0) + n
        if len(patterns) > MOST_PATTERNS:
            return None
    return patterns


def agreement_table(patterns: Mapping[Pattern, int], n_labels: int) -> pd.DataFrame:
    """Coefficients of agreement of all cases, each with its standard error over cases.

    Parameters
    ----------
    patterns : mapping of Pattern to int
        Of the whole study.
    n_labels : int
        Labels of the task.

    Returns
    -------
    DataFrame
        ``coefficient``, ``value``, ``standard_error``, ``n_cases`` with two readings or more, and
        ``undefined``, why there is no value. As `core.metrics.agreement.chance.chance_agreement` gives them
        without resampling: the sums run over patterns, each weighing as many cases as have it.
    """
    if not patterns:
        return pd.DataFrame(columns=["coefficient", "value", "standard_error", "n_cases", "undefined"])
    ordered = sorted(patterns)
    weight = np.array([patterns[pattern] for pattern in ordered], np.float64)
    cells = [cell for pattern in ordered for cell in pattern]
    counts = RatingCounts(
        np.concatenate([[0], np.cumsum([len(pattern) for pattern in ordered])]).astype(np.int64),
        np.array([value for value, _ in cells], np.int64),
        np.array([count for _, count in cells], np.float64),
        max(n_labels, 2),
    )
    values = coefficients_over(counts)(weight[:, None])
    moved = influences(counts, weight)
    n_cases, n_read = int(weight[counts.n_readings > 1].sum()), int(weight.sum())
    reason = why_undefined(counts) or "chance alone would make every pair agree"
    rows: dict[str, Coefficient] = {}
    for name, value in values.items():
        is_none = bool(np.isnan(value[0]))
        error = np.nan if is_none else influence_error(moved[name], n_read, weight)
        rows[name] = with_interval(value[0], _NO_BOOTSTRAP, n_cases, reason if is_none else "", error)
    return pd.DataFrame(
        [(name, c.value, c.standard_error, c.n_cases, c.undefined) for name, c in rows.items()],
        columns=["coefficient", "value", "standard_error", "n_cases", "undefined"],
    )
