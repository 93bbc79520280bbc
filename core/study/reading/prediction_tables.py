"""Predictions of a task, assembled from all its tables and checked."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import numpy as np

from core.study.model import FloatArray, Predictions
from core.study.natural import natural_key
from core.study.reading.columns import add_rows, of_listed
from core.study.reading.label_table import TaskLabels
from core.study.reading.limits import Room
from core.study.reading.prediction_cells import Cells, long_cells, warn_strange_cases, wide_cells
from core.study.reading.prediction_files import DRAW, LongTable, WideTable
from core.study.reading.report import Report
from core.study.reading.score_cells import (
    ScoreCells,
    check_scored_task,
    holds_scores,
    long_scores,
    wide_scores,
)
from core.study.reading.settings import TaskSettings
from core.study.reading.tables import Table

_EXACT = 1e-12
_SILENT = 1e-6
_LARGEST_GAP = 0.01


def build_predictions(  # noqa: PLR0913, PLR0917 - all that is known when predictions come
    name: str,
    position: int,
    task: TaskSettings,
    labels: TaskLabels,
    case_ids: Mapping[str, int],
    long: LongTable | None,
    wide: Sequence[WideTable],
    room: Room,
    report: Report,
) -> dict[str, Predictions]:
    """Check and assemble the predictions of one task, models in natural order.

    Parameters
    ----------
    name, position
        The task, and its place among the tasks.
    case_ids : mapping of str to int
        Index of every case.
    room : Room
        What is left for probabilities and scores.
    """
    if task.kind == "score" and not labels.labels:
        return {}  # the threshold is missing, which is said elsewhere: nothing can be asked of predictions
    positive = labels.labels[1] if task.kind == "score" and labels.labels else task.positive
    known = {label: i for i, label in enumerate(labels.labels)}
    only = known.get(positive, -1) if positive is not None and len(known) == 2 else -1
    found: dict[str, Predictions] = {}
    tables: list[tuple[str, Table, Cells | ScoreCells]] = []
    given: Cells | ScoreCells | None
    for w in wide:
        if holds_scores(w.table, known):
            check_scored_task(w.table, name, known, only, report)
            given = wide_scores(w.table, known, case_ids, room, report)
        else:
            given = wide_cells(w.table, labels, known, only, case_ids, room, report)
        if given is not None:
            tables.append((w.model, w.table, given))
    if long is not None:
        of_task = np.flatnonzero(long.task == position)
        warn_strange_cases(long.table, long.case, of_task, case_ids, report)
        if long.holds_scores and len(of_task):
            check_scored_task(long.table, name, known, only, report)
        cells_of = long_scores if long.holds_scores else long_cells
        tables += [
            (model, long.table, cells)
            for model, cells in cells_of(long, of_task, labels, known, only, case_ids, room, report)
        ]
    for model, table, cells in tables:
        if len(cells.case) == 0:
            what = f'the model "{model}" predicts no case of the study'
            report.add(table.file, what, "Correct the case ids, or delete the file.")
        if model in found:
            what = f'the model "{model}" has predictions for the task "{name}" in another file already'
            report.add(table.file, what, "Delete one of the two.")
        if isinstance(cells, ScoreCells):
            score = np.full(len(case_ids), np.nan)
            score[cells.case] = cells.score
            found[model] = Predictions.of_scores(model, score)
            continue
        _check_draws(table, model, cells, list(case_ids), report)
        probability = _normalised(table, model, cells, only, list(case_ids), report)
        shape = (int(cells.draw.max(initial=0)) + 1, len(case_ids), len(known))
        full = np.full(shape, np.nan, probability.dtype)
        full[cells.draw, cells.case] = probability
        found[model] = Predictions.of_ensemble(model, full) if len(full) > 1 else Predictions(model, full[0])
    return {model: found[model] for model in sorted(found, key=natural_key)}


def _check_draws(table: Table, model: str, cells: Cells, case_ids: Sequence[str], report: Report) -> None:
    """Note cases that do not have every draw of the model."""
    n_draws = int(cells.draw.max(initial=0)) + 1
    if n_draws == 1 or (cells.draw < 0).any():
        return
    covered, first, count = np.unique(cells.case, return_index=True, return_counts=True)
    short = count < n_draws
    given = of_listed(cells.row[first[short]], [covered[short], count[short]])
    add_rows(
        report,
        table,
        cells.row[first[short]],
        DRAW,
        lambda row: (
            f'the case "{case_ids[given[row][0]]:.200}" has {given[row][1]:,} of the {n_draws:,} draws of '
            f'the model "{model}"'
        ),
        "Give every case that the model predicts the same draws.",
    )


def _normalised(
    table: Table, model: str, cells: Cells, only: int, case_ids: Sequence[str], report: Report
) -> FloatArray:
    """Probabilities as given, rows summing to 1; sums that are off are reported."""
    probability = cells.probability
    if cells.only_positive.any():
        given = probability[cells.only_positive, only]
        probability[cells.only_positive, 1 - only] = 1 - given
    total = probability.sum(axis=1, dtype=np.float64)
    with np.errstate(invalid="ignore"):
        off = np.abs(total - 1)
        wrong = off > _LARGEST_GAP
    is_percent = bool(wrong.any() and np.median(total[wrong]) > 50)
    row_total = of_listed(cells.row[wrong], [cells.case[wrong], total[wrong]])
    add_rows(
        report,
        table,
        cells.row[wrong],
        "probability" if "probability" in table else "",
        lambda row: (
            f'the probabilities of the case "{case_ids[row_total[row][0]]}" by the model "{model}" sum to '
            f"{row_total[row][1]:.6g} instead of 1"
        ),
        "Divide percentages by 100."
        if is_percent
        else "Give every label its probability; they have to sum to 1.",
    )
    exact = _EXACT if probability.dtype == np.float64 else _SILENT
    uneven = (off > exact) & ~wrong
    noted = (off > _SILENT) & ~wrong
    if noted.any():
        report.add(
            table.file,
            f'probabilities of {int(noted.sum()):,} cases by the model "{model}" sum to 1 only within '
            f"{off[noted].max():.2g}; they were divided by their sum",
            "Write more digits.",
            severity="warning",
        )
    if uneven.any():
        probability[uneven] /= total[uneven, None].astype(probability.dtype)
    return probability
