"""CIFAR-10H: how often each of ten classes was chosen for each image."""

from __future__ import annotations

import os
from pathlib import Path
from zipfile import BadZipFile

import numpy as np

from core.study.formats.common import assemble_study, check_counts, count_rows, note_anonymous
from core.study.model import IntArray, Study
from core.study.reading import limits
from core.study.reading.files import open_file
from core.study.reading.report import Report

CLASSES = ("airplane", "automobile", "bird", "cat", "deer", "dog", "frog", "horse", "ship", "truck")
COUNTS = "cifar10h-counts.npy"
RATER = "annotator"

_UNREADABLE = (
    OSError,
    ValueError,
    TypeError,
    EOFError,
    SyntaxError,
    ArithmeticError,
    MemoryError,
    BadZipFile,
)
_MEND = f"Give the path of {COUNTS}."


def read_cifar10h(source: Path) -> Study:
    """Read the array of counts.

    Parameters
    ----------
    source : Path
        The ``.npy`` file, cases × 10, or the folder with `COUNTS`.

    Returns
    -------
    Study
        One choice task, ``class``. Case ids are positions from 0. The counts do not say who chose what:
        "annotator 1" is the first one of each case, in the order of the classes.

    Raises
    ------
    StudyError
        If the file is no such array.
    """
    report = Report()
    path = source / COUNTS if os.path.isdir(source) else source
    counts = _counts(path, report)
    report.raise_errors()
    assert counts is not None
    note_anonymous(path.name, RATER, report)
    return assemble_study(
        report,
        name="CIFAR-10H",
        task="class",
        kind="choice",
        labels=CLASSES,
        rows=count_rows(counts),
        case_ids=[str(case) for case in range(len(counts))],
        rater_ids=[f"{RATER} {i + 1}" for i in range(int(counts.sum(axis=1).max()))],
        description="Classes of small photographs as chosen by people. Annotators are not identified: they "
        "are numbered within each case, so comparisons between annotators mean nothing.",
        source="jcpeterson/cifar-10h (Peterson et al., ICCV 2019)",
        licence="CC BY-NC-SA 4.0",
    )


def _counts(path: Path, report: Report) -> IntArray | None:
    opened = open_file(path, path.name, report)
    if opened is None:
        return None
    opened.close()
    try:
        array = np.load(path, allow_pickle=False, mmap_mode="r")
    except _UNREADABLE as error:
        report.add(path.name, f"expected a NumPy array of counts ({error})", _MEND)
        return None
    if (
        not isinstance(array, np.ndarray)
        or array.ndim != 2
        or array.shape[1] != len(CLASSES)
        or len(array) == 0
    ):
        shape = " × ".join(map(str, array.shape)) if isinstance(array, np.ndarray) else "an archive"
        report.add(path.name, f"expected an array of cases × {len(CLASSES)}, got {shape}", _MEND)
        return None
    noun = "counts"
    if not limits.is_count_allowed(path.name, report, array.size, limits.MOST_CELLS, noun, _MEND):
        return None
    if array.dtype.kind not in "iuf":
        report.add(path.name, f"expected numbers, got {array.dtype}", _MEND)
        return None
    values = np.array(array, np.float64)
    if not np.isfinite(values).all() or (np.abs(values) > 1e9).any() or (values != np.floor(values)).any():
        report.add(path.name, "expected whole counts, got other numbers (probabilities?)", _MEND)
        return None
    counts = values.astype(np.int64)
    check_counts(path.name, counts, report)
    if counts.sum() == 0:
        report.add(path.name, "all counts are 0", _MEND)
    return counts
