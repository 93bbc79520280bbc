"""How much a study may hold: every limit of reading, asked before memory or time is spent.

A study that a person made passes all of them. They keep a small file from asking for much: what is refused is
refused by its size, its metadata or its first rows.
"""

from __future__ import annotations

from core.study.reading.report import Report

LARGEST_FILE = 2 * 1024**3
"""Bytes of a file."""
LARGEST_SETTINGS = 1024**2
"""Bytes of ``study.toml``; its parser takes a second for so many."""
LARGEST_FOOTER = 32 * 1024**2
"""Bytes of the metadata of a Parquet file."""
LARGEST_UNPACKED = 2 * 1024**3
"""Bytes of a Parquet file after unpacking."""
SMALL_UNPACKED = 64 * 1024**2
LARGEST_RATIO = 100
"""A Parquet file that unpacks to more than `SMALL_UNPACKED` may unpack to so many times its own size."""
LARGEST_TABLE = 10**8
"""Rows times columns of a table."""
MOST_ROWS = 2 * 10**7
"""Rows of a table."""
MOST_COLUMNS = 200_000
"""Columns of a table."""
MOST_PROBABILITIES = 10**8
"""Probabilities of all models of a study: cases times labels times draws, given or not."""
MOST_FEATURES = 5 * 10**7
"""Features of a study: cases times columns."""
MOST_LABELS = 100_000
"""Labels of a task."""
MOST_LISTED_LABELS = 2 * MOST_LABELS
"""Labels of all tasks in the label table; one without a task counts for each of them."""
MOST_COUNTED = 10**7
"""Annotations that counts of labels may stand for."""
MOST_CELLS = 5 * 10**6
"""Cells of a published matrix, or counts of published histograms."""
LARGEST_RELEASED = 64 * 1024**2
"""Bytes of a text file of a published release."""
MOST_RATERS = 100_000
"""Raters of a study."""
MOST_TASKS = 300
"""Tasks of a study."""
MOST_MODELS = 1_000
"""Models of a task."""
MOST_FLAGS = 30
"""Reasons for a flag."""
LONGEST_FLAG = 80
"""Characters of a reason for a flag."""
LONGEST_EXAMINATION = 60
"""Characters of what settles a label."""
MOST_KEY_PARTS = 10
"""Parts of a dotted key of ``study.toml``, which needs three."""
LONGEST_NAME = 1_000
"""Characters of a label, or of the name of a case, a rater, a model or a task."""
FIRST_ROWS = 2**16
"""Rows at the start of a table that are looked at before the rest is read."""
MOST_COPIES = 1_000
"""Rows among these that may be copies of others; more, and the rest of the table is not read."""
MOST_RAGGED = 1_000
"""Rows of a wrong width after which the rest of a table is not looked at."""

_SPLIT = "Split the study, or leave out columns that are not needed."


def is_table_allowed(file: str, report: Report, *, rows: int, columns: int) -> bool:
    """Whether a table of so many rows and columns may be read."""
    if columns > MOST_COLUMNS:
        what = f"the table has {columns:,} columns; at most {MOST_COLUMNS:,} can be read"
    elif rows > MOST_ROWS:
        what = f"the table has {rows:,} rows; at most {MOST_ROWS:,} can be read"
    else:
        return is_count_allowed(
            file, report, rows * columns, LARGEST_TABLE, "cells (rows times columns)", _SPLIT
        )
    report.add(file, what, _SPLIT)
    return False


def is_unpacked_allowed(file: str, report: Report, *, packed: int, unpacked: int) -> bool:
    """Whether a file of ``packed`` bytes may be read that holds ``unpacked`` bytes."""
    most = min(LARGEST_UNPACKED, max(SMALL_UNPACKED, LARGEST_RATIO * packed))
    if unpacked > most:
        mega = 1024**2
        what = f"the file unpacks to {unpacked / mega:,.0f} MiB; at most {most / mega:,.0f} MiB can be read"
        report.add(file, what, "Write the table again, without columns that are not needed.")
    return unpacked <= most


def is_count_allowed(file: str, report: Report, count: int, most: int, noun: str, mend: str) -> bool:
    """Whether there may be so many of something; ``noun`` says what, in the plural."""
    if count > most:
        report.add(file, f"there are {count:,} {noun}; at most {most:,} can be read", mend)
    return count <= most


class Room:
    """What is left of a limit that several files share."""

    def __init__(self, most: int) -> None:
        self.most = most
        self.left = most

    def take(self, count: int) -> bool:
        """Whether so much is left; if so, it is taken."""
        is_enough = count <= self.left
        if is_enough:
            self.left -= count
        return is_enough
