"""Finding and reading the tables of a study, CSV or Parquet."""

from __future__ import annotations

from collections.abc import Collection
from pathlib import Path

from core.study.reading.csv_files import read_csv
from core.study.reading.csv_text import COMMAS, Dialect
from core.study.reading.files import add_unreadable, exists, open_file
from core.study.reading.parquet_files import read_parquet
from core.study.reading.report import Report
from core.study.reading.tables import Table

ENDINGS = (".csv", ".parquet")


def find_table(folder: Path, stem: str, report: Report) -> Path | None:
    """Path of the table of that name, CSV or Parquet; None where there is neither."""
    found = [folder / (stem + ending) for ending in ENDINGS if exists(folder / (stem + ending))]
    if len(found) > 1:
        report.add(
            found[1].name,
            f"expected one file, but there are both {found[0].name} and {found[1].name}",
            "Delete the one that is out of date.",
        )
    return found[0] if found else None


def read_table(
    path: Path,
    file: str,
    report: Report,
    *,
    text: Collection[str] | None = None,
    dialect: Dialect = COMMAS,
) -> Table | None:
    """Read one table; what is wrong with the file itself goes to the report.

    Parameters
    ----------
    path : Path
        Parquet if the ending is ``.parquet``, else CSV.
    file : str
        What to call it in problems.
    report : Report
        Gathers what is wrong.
    text : collection of str, optional
        Where given, all other columns are expected to hold numbers, which saves memory; they come as text
        all the same if they do not.
    dialect : Dialect
        Of CSV.

    Returns
    -------
    Table or None
        None if the file cannot be read, with at least one error in the report.
    """
    opened = open_file(path, file, report)
    if opened is None:
        return None
    try:
        with opened:
            if not opened.peek(1):  # type: ignore[attr-defined]
                report.add(file, "the file is empty", "Save the table again, or delete the file.")
                return None
            if path.suffix == ".parquet":
                return read_parquet(opened, file, report)
            return read_csv(opened, file, report, text=text, dialect=dialect)
    except (OSError, MemoryError) as error:
        add_unreadable(file, error, report)
        return None
