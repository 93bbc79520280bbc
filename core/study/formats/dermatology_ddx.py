"""The public dermatology release: differential diagnoses of 1,947 cases (Stutz 2025)."""

from __future__ import annotations

import io
import json
import os
import warnings
from pathlib import Path
from typing import NamedTuple

import numpy as np

from core.study.formats.common import assemble_study, note_anonymous, read_text
from core.study.model import FloatArray, Predictions, Study
from core.study.natural import natural_key
from core.study.reading.assemble import row_table
from core.study.reading.checks import clean_text
from core.study.reading.report import Report

CONDITIONS = "dermatology_conditions.txt"
RISKS = "dermatology_risks.txt"
SELECTORS = "dermatology_selectors.json"
PREDICTIONS = "dermatology_predictions*.txt"
TASK = "condition"
RATER = "reader"

_AGAIN = "Download the release again."
_LARGEST_GAP = 0.01


class Entry(NamedTuple):
    """One label of one reading; ``block`` is 0 for the labels ranked first."""

    case: int
    reading: int
    label: int
    block: int


def read_dermatology_ddx(source: Path) -> Study:
    """Read the release from its folder.

    Parameters
    ----------
    source : Path
        Folder with the conditions and risks (one a line) and the selectors: for each case and reader the
        blocks of tied conditions, first choice first, as line numbers from 0. Prediction matrices, cases ×
        conditions, are taken where present; their rows are divided by their sums, which rounding to four
        digits has moved from 1.

    Returns
    -------
    Study
        One ranking task, ``condition``. Case ids are positions from 0. The release does not identify
        readers: "reader 1" is the first one of each case.

    Raises
    ------
    StudyError
        With all problems found.
    """
    report = Report()
    conditions = _conditions(source / CONDITIONS, report)
    risk = _risks(source / RISKS, len(conditions), report)
    cases = _selectors(source / SELECTORS, report)
    entries = _entries(cases, len(conditions), report)
    predictions = _all_predictions(source, len(cases), len(conditions), report)
    report.raise_errors()
    note_anonymous(SELECTORS, RATER, report)
    columns = np.array(entries, np.int64).reshape(-1, 4)
    most = int(columns[:, 1].max()) + 1
    return assemble_study(
        report,
        name="Dermatology differential diagnoses",
        task=TASK,
        kind="ranking",
        labels=conditions,
        rows=row_table(columns[:, 0], columns[:, 1], columns[:, 2], rank=columns[:, 3] + 1),
        case_ids=[str(case) for case in range(len(cases))],
        rater_ids=[f"{RATER} {i + 1}" for i in range(most)],
        risk=risk,
        predictions=predictions,
        description="Differential diagnoses of skin conditions. Readers are not identified: they are "
        "numbered within each case, so comparisons between readers mean nothing.",
        source="google-deepmind/uncertain_ground_truth (Stutz et al., Medical Image Analysis 2025)",
        licence="CC BY 4.0",
    )


def _lines(path: Path, report: Report) -> list[str]:
    text = read_text(path, report)
    return [] if text is None else text.rstrip("\r\n").split("\n")


def _conditions(path: Path, report: Report) -> list[str]:
    conditions = [clean_text(line) for line in _lines(path, report)]
    known: set[str] = {""}
    bad: list[int] = []
    for i, condition in enumerate(conditions):
        if condition in known or "\0" in condition:
            bad.append(i)
        known.add(condition)
    report.add_many(
        path.name,
        bad,
        lambda i: (
            f'expected a condition of its own, got "{conditions[i]:.100}", empty or for the second time'
        ),
        lambda _: _AGAIN,
        row=lambda i: i + 1,
    )
    return conditions


def _risks(path: Path, n_conditions: int, report: Report) -> np.ndarray:
    lines = [line.strip() for line in _lines(path, report)]
    bad = [i for i, line in enumerate(lines) if line not in ("0", "1", "2")]
    report.add_many(
        path.name,
        bad,
        lambda i: f'expected a risk of 0, 1 or 2, got "{lines[i]:.100}"',
        lambda _: _AGAIN,
        row=lambda i: i + 1,
    )
    if lines and n_conditions and len(lines) != n_conditions:
        report.add(path.name, f"expected {n_conditions} risks, one a condition, got {len(lines)}", _AGAIN)
    return np.zeros(len(lines), np.int8) if bad else np.array([int(line) for line in lines], np.int8)


def _selectors(path: Path, report: Report) -> list[object]:
    text = read_text(path, report)
    if text is None:
        return []
    try:
        cases = json.loads(text)
    except (ValueError, RecursionError) as error:
        report.add(path.name, f"not valid JSON: {error}", _AGAIN, row=getattr(error, "lineno", None))
        return []
    if isinstance(cases, list) and cases:
        return cases
    report.add(path.name, "expected a list with an entry for each case", _AGAIN)
    return []


def _entries(cases: list[object], n_conditions: int, report: Report) -> list[Entry]:
    """Flatten the selectors; what is no list of lists of lists of condition numbers goes to the report."""
    entries: list[Entry] = []
    faults: list[str] = []
    for case, readings in enumerate(cases):
        if not isinstance(readings, list):
            faults.append(f"case {case}: expected a list of readings")
            continue
        for reading, blocks in enumerate(readings):
            fault = _fault(blocks, n_conditions)
            if fault is not None:
                faults.append(f"case {case}, reading {reading + 1}: {fault}")
                continue
            entries += [Entry(case, reading, label, i) for i, block in enumerate(blocks) for label in block]
    report.add_many(SELECTORS, faults, str, lambda _: _AGAIN, noun="reading")
    if cases and not entries and not faults:
        report.add(SELECTORS, "there is no reading", _AGAIN)
    return entries


def _fault(blocks: object, n_conditions: int) -> str | None:
    """What is wrong with one differential; None if nothing."""
    if not isinstance(blocks, list) or not all(isinstance(block, list) for block in blocks):
        return "expected a list of lists of condition numbers"
    if not blocks or not all(blocks):
        return "the differential or a block of it is empty"
    labels = [label for block in blocks for label in block]
    if not all(type(label) is int and 0 <= label < n_conditions for label in labels):
        return f"expected condition numbers from 0 to {n_conditions - 1}, got {labels!s:.100}"
    return "a condition comes twice" if len(set(labels)) < len(labels) else None


def _all_predictions(source: Path, n_cases: int, n_labels: int, report: Report) -> dict[str, Predictions]:
    paths = (
        sorted(source.glob(PREDICTIONS), key=lambda path: natural_key(path.name))
        if os.path.isdir(source)
        else []
    )
    found: dict[str, Predictions] = {}
    for path in paths:
        model = "model " + path.stem.removeprefix("dermatology_predictions")
        probability = _matrix(path, n_cases, n_labels, report)
        if probability is not None:
            found[model] = Predictions(model, probability)
    return found


def _matrix(path: Path, n_cases: int, n_labels: int, report: Report) -> FloatArray | None:
    text = read_text(path, report)
    if text is None:
        return None
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore", UserWarning)
            matrix = np.loadtxt(io.StringIO(text), ndmin=2)
    except ValueError as error:
        report.add(path.name, f"expected a matrix of numbers ({error})", _AGAIN)
        return None
    if matrix.shape != (n_cases, n_labels):
        what = f"expected {n_cases} × {n_labels} probabilities, got {matrix.shape[0]} × {matrix.shape[1]}"
        report.add(path.name, what, _AGAIN)
        return None
    with np.errstate(invalid="ignore", over="ignore"):
        total = matrix.sum(axis=1)
        is_right = (matrix >= 0).all(axis=1) & (np.abs(total - 1) <= _LARGEST_GAP)
    report.add_many(
        path.name,
        np.flatnonzero(~is_right).tolist(),
        lambda row: f"expected probabilities that sum to 1, got the sum {total[row]:.6g}",
        lambda _: _AGAIN,
        row=lambda row: row + 1,
    )
    return matrix / total[:, None] if is_right.all() else None
