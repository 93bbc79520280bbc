"""How often conformal sets hold the truth, and how many labels they name, as tables."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from core.analysis.disagreement.conformal import ON_REGIONS, ConformalSets
from core.analysis.disagreement.conformal_truths import TRUTHS, Truths
from core.analysis.raters.case_groups import MOST_GROUPS, cases_of_group, grouping_columns
from core.metrics.ratio import ratio_over_cases
from core.study.model import RISK_NAMES, FloatArray, IntArray, Study, Task

ALL_CASES = "all cases"
TRUE_RISK = "risk of the truth"


def coverage_table(
    study: Study, task: Task, truths: Truths, sets: Sequence[ConformalSets], *, by: str = ""
) -> pd.DataFrame:
    """Say how often sets hold the truth, and how many labels they name.

    Parameters
    ----------
    study, task : Study, Task
        Of the sets.
    truths : Truths
        What counts as the truth.
    sets : sequence of ConformalSets
        Of each model.
    by : str
        A column of the cases whose groups have rows too; empty for none.

    Returns
    -------
    DataFrame
        One row a model, calibration, group and truth: ``model``; ``calibrated_on`` (`CALIBRATIONS`); ``by``
        ("all cases", "risk of the truth" where labels have risk levels, or the column) and ``group``;
        ``truth`` (`TRUTHS`); ``coverage`` (share of the truths that the sets hold, in [0, 1]) with
        ``coverage_error`` (standard error over cases), ``low`` and ``high`` (95 % interval);
        ``set_size`` (mean number of labels) with ``set_size_error``, ``set_size_low``, ``set_size_high``;
        ``empty`` (share of sets without a label); ``region_coverage`` (share of the plausible truths in
        their regions; NaN but for regions), ``n_cases`` (cases that entered) and ``why_no_interval`` (empty
        where there is one).

    Raises
    ------
    ValueError
        If the column makes no groups.

    Notes
    -----
    By the risk of the truth, a case counts with the share of its truth that is of that risk. Intervals are
    over cases, as `core.metrics.ratio` says; calibrations are taken as they are.
    """
    columns = grouping_columns(study)
    if by and by not in columns:
        raise ValueError(
            f"by must be a column of the cases with 2 to {MOST_GROUPS} different values, of "
            f"{', '.join(columns) or 'which there is none'}, got {by!r}"
        )
    rows = []
    for of in sets:
        for calibration, holds in of.holds.items():
            for truth in TRUTHS:
                weight = truths.of[truth]
                for kind, group, cases, labels in _groups(study, task, by, columns):
                    entered = of.judged & cases
                    rows.append(
                        {
                            "model": of.model,
                            "calibrated_on": calibration,
                            "by": kind,
                            "group": group,
                            "truth": truth,
                            **_row(holds[entered], weight[entered], labels),
                            "region_coverage": _in_region(of, calibration, entered, labels),
                        }
                    )
    table = pd.DataFrame(rows)
    return table[[*(name for name in table if name not in _LAST), *_LAST]]


_LAST = ("region_coverage", "n_cases", "why_no_interval")


def _groups(
    study: Study, task: Task, by: str, columns: Mapping[str, Sequence[str]]
) -> Iterator[tuple[str, str, NDArray[np.bool_], NDArray[np.bool_]]]:
    """What rows are about: kind, name, cases and true labels that count."""
    cases, labels = np.ones(study.n_cases, bool), np.ones(len(task.labels), bool)
    yield ALL_CASES, "", cases, labels
    for level, name in enumerate(RISK_NAMES):
        if (task.risk == level).any():
            yield TRUE_RISK, name, cases, task.risk == level
    for value in columns[by] if by else ():
        chosen = np.zeros(study.n_cases, bool)
        chosen[cases_of_group(study, by, value)] = True
        yield by, value, chosen, labels


def _row(holds: NDArray[np.bool_], truth: FloatArray, labels: NDArray[np.bool_]) -> dict[str, object]:
    """Coverage and set size of some cases, of truths that are some of the labels."""
    of_interest = truth[:, labels]
    weight = of_interest.sum(axis=1)
    size = holds.sum(axis=1)
    covered = ratio_over_cases((of_interest * holds[:, labels]).sum(axis=1), weight)
    named = ratio_over_cases(weight * size, weight)
    empty = ratio_over_cases(weight * (size == 0), weight)
    low, high = covered.share_interval()
    size_low, size_high = named.interval()
    return {
        "coverage": covered.value, "coverage_error": covered.standard_error, "low": low, "high": high,
        "set_size": named.value, "set_size_error": named.standard_error,
        "set_size_low": max(size_low, 0.0), "set_size_high": size_high,
        "empty": empty.value, "n_cases": covered.n_cases, "why_no_interval": covered.why_no_interval,
    }  # fmt: skip


def _in_region(
    of: ConformalSets, calibration: str, entered: NDArray[np.bool_], labels: NDArray[np.bool_]
) -> float:
    if calibration != ON_REGIONS or of.in_region is None or not labels.all() or not entered.any():
        return float("nan")
    return float(of.in_region[entered].mean())


MOST_NAMED = 50
"""Labels of a set that the table of sets names; how many more there are is said."""


def set_table(study: Study, task: Task, truths: Truths, sets: Sequence[ConformalSets]) -> pd.DataFrame:
    """List the set of every case.

    Returns
    -------
    DataFrame
        One row a case, model and calibration: ``case_id``, ``model``, ``calibrated_on``, ``size``,
        ``labels`` (the most probable first, separated by "; ") and ``holds LEADING`` … for each notion of the
        truth (the share of it that is in the set).
    """
    tables = []
    for of in sets:
        cases = np.flatnonzero(of.judged)
        order = np.argsort(-task.predictions[of.model].probability[cases], axis=1, kind="stable")
        for calibration, holds in of.holds.items():
            held = holds[cases]
            shares = {f"holds {truth}": (truths.of[truth][cases] * held).sum(axis=1) for truth in TRUTHS}
            tables.append(
                pd.DataFrame(
                    {
                        "case_id": [study.case_ids[case] for case in cases],
                        "model": of.model,
                        "calibrated_on": calibration,
                        "size": held.sum(axis=1),
                        "labels": [set_words(task, row, rank) for row, rank in zip(held, order, strict=True)],
                        **shares,
                    }
                )
            )
    return pd.concat(tables, ignore_index=True)


def set_words(task: Task, held: NDArray[np.bool_], order: IntArray, *, most: int = MOST_NAMED) -> str:
    """Name the first labels of a set, in the given order of all labels, and say how many more there are."""
    codes = order[held[order]]
    more = len(codes) - most
    named = "; ".join(task.labels[code] for code in codes[:most].tolist())
    return f"{named}; and {more:,} more" if more > 0 else named
