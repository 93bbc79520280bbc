"""Tables of any length, read some rows at a time, and divided among the parts of a study."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import ExitStack
from pathlib import Path

import numpy as np
import pyarrow as pa
import pyarrow.csv as pa_csv
import pyarrow.parquet as pq

from core.study.model import IntArray
from core.study.partitions.cases import UNKNOWN, CasePlaces, clean_ids
from core.study.problems import Problem, StudyError
from core.study.reading.case_table import CASE_ID
from core.study.reading.tables import is_string

_ROWS = 2**20
"""Rows that are in memory at once."""
_ROWS_OF_GROUP = 2**15
"""Rows of a part that are read together: of some cases not all the others need be."""
_BLOCK = 64 * 1024**2


class Source:
    """A table of a study, CSV or Parquet.

    Parameters
    ----------
    path : Path
        Of the file.
    file : str
        What to call it in problems.
    """

    def __init__(self, path: Path, file: str) -> None:
        self.path, self.file = path, file
        try:
            self.names = [name.strip() for name in self._schema()]
        except (OSError, pa.ArrowException, ValueError) as error:
            raise StudyError(
                [Problem(file, f"the table cannot be read ({error})", "Save it again.")]
            ) from error
        if CASE_ID not in self.names:
            what = f'there is no column "{CASE_ID}"; the header has {", ".join(self.names)[:300]}'
            raise StudyError([Problem(file, what, "Add the column.", row=1, column=CASE_ID)])

    def _schema(self) -> list[str]:
        if self.path.suffix == ".parquet":
            return list(pq.read_schema(self.path).names)
        with pa_csv.open_csv(self.path) as opened:
            return list(opened.schema.names)

    def rows(self, columns: list[str] | None = None) -> Iterator[pa.Table]:
        """Some rows after the other, all of them or of some columns; cells of CSV are text.

        Raises
        ------
        StudyError
            Where the file is damaged.
        """
        held: list[pa.RecordBatch] = []
        try:
            for batch in self._batches(columns):
                held.append(batch.rename_columns([name.strip() for name in batch.schema.names]))
                if sum(one.num_rows for one in held) >= _ROWS:
                    yield pa.Table.from_batches(held)
                    held = []
        except (OSError, pa.ArrowException, ValueError) as error:
            what = f"the table cannot be read to its end ({str(error)[:200]})"
            raise StudyError([Problem(self.file, what, "Save the table again.")]) from error
        if held:
            yield pa.Table.from_batches(held)

    def _batches(self, columns: list[str] | None) -> Iterator[pa.RecordBatch]:
        if self.path.suffix == ".parquet":
            with pq.ParquetFile(self.path) as opened:
                texts = [field.name for field in opened.schema_arrow if is_string(field.type)]
            with pq.ParquetFile(self.path, read_dictionary=texts) as opened:
                wanted = [n for n in opened.schema_arrow.names if columns is None or n.strip() in columns]
                yield from opened.iter_batches(2**17, columns=wanted)
            return
        kept = self._schema()
        options = pa_csv.ConvertOptions(
            column_types=dict.fromkeys(kept, pa.string()),
            include_columns=[name for name in kept if columns is None or name.strip() in columns],
            strings_can_be_null=False,
        )
        block = pa_csv.ReadOptions(block_size=_BLOCK)
        parse = pa_csv.ParseOptions(newlines_in_values=True)
        with pa_csv.open_csv(self.path, block, parse, options) as opened:
            yield from opened


def divide(
    source: Source, name: str, places: CasePlaces, ends: IntArray, folders: list[Path], *, known: bool = True
) -> None:
    """Write each row of a table into the part of its case, in the order of the table.

    Parameters
    ----------
    source : Source
        The table.
    name : str
        Of the file in each part; one comes into being where a part has rows.
    places : CasePlaces
        Of all cases of the study.
    ends : ndarray of int with shape (n_parts,)
        Position after the last case of each part.
    folders : list of Path
        Of the parts.
    known : bool
        Whether a row of a case that the study does not have is an error; else it is left out.

    Raises
    ------
    StudyError
        Naming the first row of an unknown case.
    """
    above = 0
    with ExitStack() as opened:
        writers: dict[int, pq.ParquetWriter] = {}
        for rows in source.rows():
            case = places.find(clean_ids(rows[CASE_ID]))
            _require_known(source, rows, case, above, known=known)
            above += rows.num_rows
            part = np.where(case == UNKNOWN, len(folders), np.searchsorted(ends, case, side="right"))
            if (np.diff(part) < 0).any():
                order = np.argsort(part, kind="stable")
                rows, part = rows.take(order), part[order]
            for one in np.unique(part[part < len(folders)]).tolist():
                begin, end = np.searchsorted(part, [one, one + 1])
                if one not in writers:
                    path = folders[one] / name
                    path.parent.mkdir(parents=True, exist_ok=True)
                    texts = [field.name for field in rows.schema if pa.types.is_dictionary(field.type)]
                    writer = pq.ParquetWriter(path, rows.schema, use_dictionary=texts or False)
                    writers[one] = opened.enter_context(writer)
                writers[one].write_table(rows.slice(begin, end - begin), _ROWS_OF_GROUP)


def _require_known(source: Source, rows: pa.Table, case: IntArray, above: int, *, known: bool) -> None:
    unknown = np.flatnonzero(case == UNKNOWN)
    if known and len(unknown):
        row = int(unknown[0])
        given = rows[CASE_ID][row].as_py()
        what = f'unknown case "{given!s:.200}"' if given not in (None, "") else "case_id is empty"
        mend = "Add the case to the case table, or correct the id."
        raise StudyError([Problem(source.file, what, mend, row=above + row + 2, column=CASE_ID)])
