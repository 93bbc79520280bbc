"""Cases that a table names, such as a worklist that was kept as CSV."""

from __future__ import annotations

from pathlib import Path

from core.analysis.guarded_text import unguarded
from core.analysis.round_sheet import cells_of, dialect_of
from core.study.model import Study
from core.study.reading.case_table import CASE_ID
from core.study.reading.checks import clean_text
from core.study.reading.columns import has_columns
from core.study.reading.report import Report
from core.study.reading.table_files import read_table


def read_case_list(path: Path, study: Study) -> list[str]:
    """Read which cases a table names.

    Parameters
    ----------
    path : Path
        CSV with a column ``case_id``, with commas or semicolons between cells; other columns do not count.
    study : Study

    Returns
    -------
    list of str
        Each case once, in the order of the rows. An id is taken as a sheet of a round has it: without spaces
        at its ends, and without what keeps a spreadsheet from taking it for a formula. One that the study
        does not have is there too.

    Raises
    ------
    StudyError
        If it is no such table, or names no case.
    """
    report = Report()
    table = read_table(path, path.name, report, dialect=dialect_of(path))
    report.raise_errors()
    assert table is not None
    others = [name for name in table.columns if name != CASE_ID]
    has_columns(table, [CASE_ID], report, optional=others)
    report.raise_errors()
    known = set(study.case_ids)
    found = []
    for text in filter(None, cells_of(table, CASE_ID)):
        ways = [clean_text(unguarded(text)), clean_text(text)]
        found.append(next((way for way in ways if way in known), ways[0]))
    if not found:
        report.add(path.name, "no case is named", "List at least one, a row each.", column=CASE_ID)
        report.raise_errors()
    return list(dict.fromkeys(found))
