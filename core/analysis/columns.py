"""The data dictionary: what every column of every table means, as the questions declare it."""

from __future__ import annotations

from collections.abc import Mapping

import pandas as pd

from core.analysis import checklist_columns, parts_columns, picture_columns, round_columns
from core.analysis.column import Column, Table
from core.analysis.disagreement import columns as disagreement
from core.analysis.export import NOTICE, json_text
from core.analysis.models import columns as models
from core.analysis.models import other_readers_columns as other_readers
from core.analysis.planning import columns as planning
from core.analysis.raters import columns as raters
from core.analysis.reliability import columns as reliability

COLUMNS = "columns.json"
"""Name of the dictionary that lies beside the tables."""
PICTURE = "picture"
"""What the columns behind pictures are declared under."""
TABLES: tuple[Table, ...] = tuple(
    table
    for of in (
        reliability,
        parts_columns,
        models,
        other_readers,
        disagreement,
        raters,
        planning,
        round_columns,
        checklist_columns,
        picture_columns,
    )
    for table in of.TABLES
)
_BY_NAME = {(table.report, table.name): table for table in TABLES}
EMPTY = (
    "An empty cell has no value. Words such as NA and None are labels and names that are written so: "
    'pandas.read_csv(FILE, keep_default_na=False, na_values=[""]) keeps them.'
)
"""How the tables are read by programs that take such words for nothing."""
_FIELDS = ("meaning", "unit", "range", "source")


def find_table(report: str, name: str) -> Table | None:
    """Declaration of a table; None where there is none."""
    return _BY_NAME.get((report, name))


def find_column(report: str, table: str, name: str) -> Column | None:
    """Declaration of a column; None where there is none."""
    of = find_table(report, table)
    return None if of is None else of.find(name)


def as_written(report: str, name: str, table: pd.DataFrame) -> pd.DataFrame:
    """Name the columns of a table as its files have them, which say what an interval is of.

    Parameters
    ----------
    report, name : str
        Of the table, as `find_table` has them.
    table : DataFrame
        With the names that are short, or those that are written already.
    """
    of = find_table(report, name)
    return table if of is None else table.rename(columns=of.names)


def header(table: pd.DataFrame) -> list[str]:
    """Names of the columns as they are written: an index that has a name stands first."""
    front = [] if table.index.name is None else [str(table.index.name)]
    return [*front, *map(str, table.columns)]


def columns_json(report: str, tables: Mapping[str, pd.DataFrame]) -> str:
    """Write what each column of some tables means, to lie beside them.

    Parameters
    ----------
    report : str
        Name of the report, as `core.analysis.report_files.write_report` has it.
    tables : mapping of str to DataFrame
        The tables that were written.
    """
    return json_text(
        {
            "notice": NOTICE,
            "empty cells": EMPTY,
            "columns of": report,
            "tables": [
                {
                    "table": f"{name}.csv",
                    "a row is": of.meaning if (of := find_table(report, name)) else "",
                    "columns": [
                        _said(written, find_column(report, name, written)) for written in header(table)
                    ],
                }
                for name, table in tables.items()
            ],
        }
    )


def _said(name: str, of: Column | None) -> dict[str, str]:
    """What is said of a column."""
    found = {"name": name} | {part: "" if of is None else getattr(of, part) for part in _FIELDS}
    return found | ({"interval of": of.interval_of} if of is not None and of.interval_of else {})


def dictionary_json() -> str:
    """Write all declared columns of all tables."""
    return json_text(
        [
            {
                "command": table.command,
                "table": f"{table.name}.csv",
                "a row is": table.meaning,
                "columns": [_said(of.name, of) for of in table.columns],
            }
            for table in TABLES
        ]
    )


def dictionary_markdown() -> str:
    """Write all declared columns of all tables as Markdown, one table below the other."""
    from core.analysis.printed_tables import markdown_row

    lines = [f"# Columns of the tables that Loupe writes\n\n{NOTICE}"]
    for table in TABLES:
        lines.append(f"\n## `loupe {table.command}`: {table.name}.csv\n\nA row is {table.meaning}.\n")
        lines += [markdown_row(["column", *_FIELDS, "interval of"]), markdown_row(["---"] * 6)]
        lines += [
            markdown_row([of.name, *(getattr(of, part) for part in _FIELDS), of.interval_of])
            for of in table.columns
        ]
    return "\n".join(lines) + "\n"
