"""Some cases of a study in parts, as a study in memory: those that readings settle least."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path

import numpy as np
import pandas as pd
import pyarrow as pa
import pyarrow.compute as pc
import pyarrow.parquet as pq

from core.streamed.part import CERTAINTY
from core.study.condition import WORDS, columns_of, fulfilled
from core.study.condition_bounds import Bounds, may_fulfil
from core.study.model import FloatArray, IntArray, Predictions, Study
from core.study.partitions.cases import clean_ids
from core.study.partitions.manifest import Partitions, part_name
from core.study.partitions.reading import case_columns, read_part_cases
from core.study.reading.case_table import CASE_ID
from core.study.reading.prediction_files import FOLDER as PREDICTIONS
from core.study.reading.prediction_files import WideTable
from core.study.reading.report import Report
from core.study.reading.settings import Settings
from core.study.reading.source import read_source
from core.study.reading.table_files import find_table, read_table
from core.study.reading.tables import Table

MOST_CASES = 10_000
"""Cases that are looked at one by one."""
_CASES = "cases.parquet"
"""Table of the cases of a part."""
KNOWN = ("readings", CERTAINTY, "leading")
"""What was counted of each case, by which it can be found."""


def least_certain(
    study: Partitions, cases: Path, *, most: int = MOST_CASES, where: str = ""
) -> tuple[IntArray, int]:
    """Positions of the least certain cases, in the order of the study.

    Parameters
    ----------
    study : Partitions
        In parts.
    cases : Path
        Folder of what is known of each case, as `core.streamed.part.measure_part` writes it.
    most : int
        How many; of equally certain ones the first.
    where : str
        Condition that they fulfil, as `core.study.condition.fulfilled` takes it, put to the metadata and to
        the columns of `KNOWN`; empty for none.

    Returns
    -------
    positions : ndarray of int64
        Ascending; cases without a reading are not among them.
    n_fulfilling : int
        Cases that fulfil the condition, with a reading or without.

    Raises
    ------
    ValueError
        For a condition that cannot be read.
    """
    known: list[FloatArray] = []
    number, named = 0, columns_of(where) if where else frozenset()
    for part in range(study.n_parts):
        path = cases / f"{part_name(part)}.parquet"
        certainty = pc.fill_null(pq.read_table(path, columns=[CERTAINTY])[CERTAINTY], np.inf).to_numpy()
        # The first part is always asked: it is there that a condition which cannot be read is refused.
        if where and part and not _may_fulfil(where, named, [study.part_folder(part) / _CASES, path]):
            certainty = np.full(len(certainty), np.inf)
        elif where:
            kept = fulfilled(where, _known_of(study, part, path, named))
            certainty = np.where(kept, certainty, np.inf)
            number += int(kept.sum())
        known.append(certainty)
    every = np.concatenate(known)
    order = np.argsort(every, kind="stable")[:most]
    return np.sort(order[np.isfinite(every[order])]), number if where else study.n_cases


def _may_fulfil(where: str, named: Collection[str], paths: Sequence[Path]) -> bool:
    """Whether a case of a part may fulfil a condition, by what its files say of the numbers in row groups.

    Of columns in several files those of the first count; the others are not looked at.
    """
    ends, found = [], {}
    for path in paths:
        with pq.ParquetFile(path) as opened:
            meta = opened.metadata
        end = np.cumsum([meta.row_group(i).num_rows for i in range(meta.num_row_groups)])
        ends.append(end)
        for place in range(meta.num_columns):
            name = meta.schema.column(place).path.strip()
            if name in named and name not in found:
                found[name] = (end, _bounds(meta, place))
    stretches = np.unique(np.concatenate(ends))
    bounds = {}
    for name, (end, of) in found.items():
        group = np.searchsorted(end, stretches)
        bounds[name] = Bounds(of.low[group], of.high[group], of.has_gaps[group])
    return bool(may_fulfil(where, bounds, len(stretches)).any())


def _bounds(meta: pq.FileMetaData, place: int) -> Bounds:
    """Bounds of the numbers of a column in each row group; of others than these types nothing is known."""
    is_number = meta.schema.column(place).physical_type in ("INT32", "INT64", "DOUBLE")
    is_plain = meta.schema.column(place).logical_type.type in ("NONE", "INT")
    rows = []
    for i in range(meta.num_row_groups):
        said = meta.row_group(i).column(place).statistics
        if is_number and is_plain and said is not None and said.has_min_max and said.has_null_count:
            # Numbers that are none are not counted among those that lack.
            gaps = said.null_count > 0 or said.physical_type == "DOUBLE"
            rows.append((float(said.min), float(said.max), gaps))
        else:
            rows.append((-np.inf, np.inf, True))
    low, high, gaps = (np.array(column) for column in zip(*rows, strict=True))
    return Bounds(low, high, gaps)


def _known_of(study: Partitions, part: int, path: Path, named: Collection[str]) -> pd.DataFrame:
    """Metadata of the cases of a part, and what was counted of them where no metadata have that name.

    Of either only the columns that are ``named`` are read; all of them where others are named too, of which
    the condition's answer says which there are.
    """
    own = case_columns(study, part)
    every = {*own, *KNOWN}
    wanted = every & set(named)
    if not set(named) - set(WORDS) <= every:
        wanted = every
    frame = read_part_cases(study, part, [name for name in own if name in wanted])
    names = [name for name in KNOWN if name in wanted and name not in own]
    counted = pq.read_table(path, columns=names).to_pandas()
    for name in names:
        column = counted[name].astype(object if name == "leading" else counted[name].dtype)
        frame = frame.assign(**{name: column.to_numpy()})
    return frame


def read_cases(study: Partitions, positions: IntArray) -> Study:
    """Read some cases of a study in parts.

    Parameters
    ----------
    study : Partitions
        In parts.
    positions : ndarray of int with shape (n,)
        Ascending positions of cases in the study, one or more.

    Returns
    -------
    Study
        Of these cases, in that order; of the same name, labels, settings and seed, so that whatever concerns
        a single case is as in the whole study. It has no features and no references.

    Raises
    ------
    StudyError
        If their readings cannot be read.
    """
    report = Report()
    found = read_source(_Some(study, _by_part(study, positions)), report, lambda _share, _what: None)
    tasks = {}
    for name, task in found.tasks.items():
        shape = task.readings.n_cases, len(task.labels)
        given = {
            model: task.predictions.get(model) or Predictions(model, np.full(shape, np.nan, np.float32))
            for model in study.models[name]
        }
        tasks[name] = replace(task, predictions=given)
    return replace(found, tasks=tasks)


def _by_part(study: Partitions, positions: IntArray) -> dict[int, pa.Array]:
    """Ids of the chosen cases by part."""
    first = np.array([*study.first, study.n_cases])
    found = {}
    for part in np.unique(np.searchsorted(first, positions, side="right") - 1).tolist():
        inside = positions[(positions >= first[part]) & (positions < first[part + 1])] - first[part]
        ids = pq.read_table(study.part_folder(part) / _CASES, columns=[CASE_ID])[CASE_ID]
        found[part] = clean_ids(ids).take(pa.array(inside)).dictionary_decode()
    return found


@dataclass(frozen=True)
class _Some:
    """Tables of the chosen cases of all parts, one below the other."""

    study: Partitions
    chosen: Mapping[int, pa.Array]

    @property
    def folder(self) -> Path:
        """Folder that the paths of images start from."""
        return self.study.folder

    def settings(self, _report: Report) -> Settings:
        """What ``study.toml`` says of the whole study."""
        return self.study.settings

    def table(self, stem: str, report: Report, *, text: Collection[str] | None = None) -> Table | None:
        """Rows of the chosen cases; labels are those of the study."""
        if stem == "labels":
            path = find_table(self.folder, stem, report)
            return None if path is None else read_table(path, path.name, report, text=text)
        if stem in ("features", "references"):
            return None
        return self._joined(f"{stem}.parquet")

    def models(self, tasks: Sequence[str], _report: Report) -> list[WideTable]:
        """Rows of the chosen cases in the tables of the models."""
        names = {
            path.relative_to(self.study.part_folder(part)).as_posix()
            for part in self.chosen
            for path in (self.study.part_folder(part) / PREDICTIONS).glob("**/*.parquet")
        }
        found = []
        for name in sorted(names):
            table = self._joined(name)
            if table is not None:
                inner = Path(name)
                task = tasks[0] if len(inner.parts) == 2 else _unquoted(inner.parts[1])
                found.append(WideTable(task, _unquoted(inner.stem), table))
        return found

    def _joined(self, name: str) -> Table | None:
        """Rows of the chosen cases in one table of every part that has it."""
        tables = []
        for part, ids in self.chosen.items():
            path = self.study.part_folder(part) / name
            if path.is_file():
                tables += _rows_of(path, ids)
        if not tables or not sum(table.num_rows for table in tables):
            return None
        whole = pa.concat_tables(tables, promote_options="permissive")
        columns = dict(zip(whole.column_names, whole.columns, strict=True))
        return Table(name, columns, whole.num_rows)


def _rows_of(path: Path, ids: pa.Array) -> list[pa.Table]:
    """Rows of some cases in the order of the table; row groups without any are not read."""
    with pq.ParquetFile(path) as opened:
        found, above = [], 0
        own = clean_ids(opened.read([CASE_ID])[CASE_ID])
        kept = np.isin(own.indices.to_numpy(zero_copy_only=False), _codes(own.dictionary, ids))
        for group in range(opened.num_row_groups):
            n_rows = opened.metadata.row_group(group).num_rows
            inside = kept[above : above + n_rows]
            above += n_rows
            if inside.any():
                found.append(opened.read_row_group(group).filter(pa.array(inside)))
    return found


def _codes(texts: pa.Array, wanted: pa.Array) -> IntArray:
    """Codes of the texts that are wanted."""
    found: IntArray = np.flatnonzero(pc.is_in(texts, wanted).to_numpy(zero_copy_only=False))
    return found


def _unquoted(text: str) -> str:
    from urllib.parse import unquote

    return unquote(text)
