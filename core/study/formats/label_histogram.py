"""Label histograms as tab-separated text: one case a line, with the counts of its labels."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pandas as pd

from core.study.formats.common import assemble_study, check_counts, count_rows, note_anonymous
from core.study.model import IntArray, Study
from core.study.reading import limits
from core.study.reading.case_table import add_repeated_cases, metadata_columns
from core.study.reading.columns import add_rows, has_columns, texts_of
from core.study.reading.csv_text import TABS
from core.study.reading.report import Report
from core.study.reading.table_files import read_table
from core.study.reading.tables import Table

RATER = "annotator"
_ID, _HIST = "id", "hist"


def read_label_histogram(source: Path) -> Study:
    """Read histograms of labels.

    Parameters
    ----------
    source : Path
        Tab-separated text with a header: ``id``, ``hist`` (whole counts with commas between, as many for
        every case) and any other columns, which are kept as metadata.

    Returns
    -------
    Study
        One choice task, ``class``, with labels "class 0", "class 1" … The counts do not say who chose what:
        "annotator 1" is the first one of each case, in the order of the labels.

    Raises
    ------
    StudyError
        With all problems found.
    """
    report = Report()
    table = read_table(source, source.name, report, dialect=TABS)
    if table is None or not has_columns(table, [_ID, _HIST], report):
        report.raise_errors()
    assert table is not None
    ids = texts_of(table, _ID, report)
    add_repeated_cases(table, ids, report, column=_ID)
    counts = _histograms(table, report)
    metadata = metadata_columns(table, [_ID, _HIST], source.parent, report)
    report.raise_errors()
    note_anonymous(table.file, RATER, report)
    return assemble_study(
        report,
        name=source.stem,
        task="class",
        kind="choice",
        labels=[f"class {i}" for i in range(counts.shape[1])],
        rows=count_rows(counts),
        case_ids=[ids.distinct[code] for code in ids.code.tolist()],
        rater_ids=[f"{RATER} {i + 1}" for i in range(int(counts.sum(axis=1).max()))],
        cases=pd.DataFrame(metadata, index=range(len(counts))),
        description="Read from label histograms. Annotators are not identified: they are numbered within "
        "each case, so comparisons between annotators mean nothing.",
    )


def _histograms(table: Table, report: Report) -> IntArray:
    """Counts with shape (n_cases, n_labels); some zeros where there is a problem."""
    texts = table.texts(_HIST)
    n_counts = sum(text.count(",") + 1 for text in texts.distinct)
    mend = "Split the file."
    if not limits.is_count_allowed(table.file, report, n_counts, limits.MOST_CELLS, "counts", mend):
        report.raise_errors()
    split = [[cell.strip() for cell in text.split(",")] for text in texts.distinct]
    is_count = [all(c.isascii() and c.isdigit() and len(c) <= 9 for c in cells) for cells in split]
    width = len(split[texts.code[0]]) if texts.code[0] >= 0 else 0
    is_right = [right and len(cells) == width for right, cells in zip(is_count, split, strict=True)]
    bad = ~np.array([*is_right, False])[texts.code]
    add_rows(
        report,
        table,
        bad,
        _HIST,
        lambda row: (
            f"expected {width or 'some'} whole counts with commas between, as in the first row, "
            f'got "{table.cell(_HIST, row):.100}"'
        ),
        "Write a count for every label in every row, as in 3,0,1.",
    )
    if bad.any():
        return np.zeros((table.n_rows, 1), np.int64)
    counts = np.array([[int(cell) for cell in cells] for cells in split], np.int64)[texts.code]
    check_counts(table.file, counts, report)
    if counts.sum() == 0:
        report.add(table.file, "all counts are 0", "Check the column hist.", column=_HIST)
    return counts
