"""What the reports of the commands share: the task they are about, and the files they are written to."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import pandas as pd

from core.analysis.columns import COLUMNS, as_written, columns_json, find_table
from core.analysis.export import guarded_csv, json_text, provenance_json
from core.analysis.methods_text import METHODS_BEGIN, Paragraph, methods_bibtex, methods_text
from core.analysis.printed_tables import ENDINGS, further_files
from core.analysis.recipe import RECIPE, RECIPE_BEGIN, Recipe, digest, recipe_text
from core.analysis.table_choice import TableChoice
from core.study.model import Study, Task
from core.study.output_place import require_apart, require_writable
from core.study.whole_files import holds_files, write_folder

PROVENANCE = ".provenance.json"
"""Ending of what made a table, beside it."""
METHODS, REFERENCES = "methods.md", "references.bib"
"""What was done, in words, and the works that it rests on."""
_BEGINNINGS = {
    METHODS: METHODS_BEGIN.encode(),
    REFERENCES: b"@",
    COLUMNS: b'{\n "notice": "',
    RECIPE: RECIPE_BEGIN,
}
_BESIDE_PROVENANCE = {".csv", ".svg", ".png", ".pdf", *(f".{ending}" for ending in ENDINGS.values())}
CASES = "cases"
"""Folder for what is known of each case of a study in parts, a Parquet file a part."""
_PART = re.compile(r"part-[0-9]{5,}\.parquet")
_OF_THE_SYSTEM = (".DS_Store", "Thumbs.db", "desktop.ini")


@dataclass(frozen=True)
class Output:
    """Where and how a report is written.

    Attributes
    ----------
    folder : Path
        Comes into being with all files at once, or not at all.
    overwrite : bool
        Take the place of what an earlier report left there.
    choice : TableChoice
        As what tables are written.
    recipe : Recipe, optional
        What was asked for; it is written beside the tables.
    """

    folder: Path
    overwrite: bool = False
    choice: TableChoice = field(default_factory=TableChoice)
    recipe: Recipe | None = None


def find_task(study: Study, name: str | None, *, predicted: bool = False) -> Task:
    """Find a task of the study by name.

    Parameters
    ----------
    study : Study
        Where to look.
    name : str or None
        The study's first task if None.
    predicted : bool
        Whether that is the first one with predictions.

    Raises
    ------
    ValueError
        If the study has no such task.
    """
    if name is not None:
        if name not in study.tasks:
            raise ValueError(f"task must be one of {', '.join(study.tasks)}, got {name!r}")
        return study.tasks[name]
    for task in study.tasks.values():
        if task.predictions or not predicted:
            return task
    raise ValueError(f"study {study.name!r} has no predictions, so there is no model to judge")


def records(report: str, name: str, table: pd.DataFrame) -> list[dict[str, Any]]:
    """Rows of a table of a report as JSON has them."""
    rows = as_written(report, name, table).to_dict("records")
    return [{str(key): value for key, value in row.items()} for row in rows]


def write_report(
    to: Output,
    name: str,
    tables: Mapping[str, pd.DataFrame],
    settings: Mapping[str, str],
    content: Mapping[str, object],
    *,
    methods: Sequence[Paragraph] = (),
    pictures: Mapping[str, str] | None = None,
) -> list[Path]:
    """Write each table as CSV beside its provenance, and settings with all other content as one JSON file.

    What the columns mean stands in ``columns.json`` (`core.analysis.columns`). Where the methods are given,
    they stand in words in ``methods.md``, with the works that they rest on in ``references.bib``.

    Parameters
    ----------
    to : Output
        Where, and as what.
    name : str
        Of the JSON file, and of what the columns are declared under.
    methods : sequence of Paragraph
        What was done (`core.analysis.methods_text`).
    pictures : mapping of str to str
        SVG of pictures, by the names of their tables.

    Returns
    -------
    list of Path
        The tables, the pictures, the methods where they are given, and last the JSON file.

    Raises
    ------
    ValueError, OSError
        As `require_free`; if a file cannot be written.
    """
    folder, drawn = to.folder, pictures or {}
    tables = {table: as_written(name, table, of) for table, of in tables.items()}
    digests: dict[str, str] = {}

    def files() -> Iterator[tuple[str, str | bytes]]:
        for table in tables:
            for file, written in table_files(table, tables[table], settings, report=name, choice=to.choice):
                if file.endswith(".csv"):
                    digests[file] = digest(written)
                yield file, written
        for picture, svg in drawn.items():
            yield f"{picture}.svg", svg
        yield COLUMNS, columns_json(name, tables)
        if methods:
            yield METHODS, methods_text(methods)
            yield REFERENCES, methods_bibtex(methods)
        yield f"{name}.json", json_text({"settings": dict(settings), **content})
        if to.recipe is not None:
            yield RECIPE, recipe_text(to.recipe, settings, digests)

    require_free(folder, overwrite=to.overwrite)
    write_folder(folder, files(), overwrite=to.overwrite)
    said = [f"{picture}.svg" for picture in drawn] + ([METHODS, REFERENCES] if methods else [])
    return [
        *(folder / f"{table}.csv" for table in tables),
        *(folder / one for one in said),
        folder / f"{name}.json",
    ]


def table_files(
    name: str,
    table: pd.DataFrame,
    settings: Mapping[str, str],
    *,
    report: str = "",
    choice: TableChoice = TableChoice(),  # noqa: B008 - frozen
) -> Iterator[tuple[str, str | bytes]]:
    """Names and contents of a table's files: CSV, what made it, and what else was chosen."""
    text = guarded_csv(table)
    yield f"{name}.csv", text
    yield f"{name}{PROVENANCE}", provenance_json(f"{name}.csv", text, settings)
    yield from further_files(name, table, find_table(report, name), choice)


def require_free(folder: Path, *, overwrite: bool = False) -> None:
    """Refuse a folder that a report may not take the place of.

    Raises
    ------
    ValueError
        If the folder is a study or lies inside one, or holds files: any, or those that no report has left
        there where ``overwrite`` is allowed.
    OSError
        If the folder cannot be written.
    """
    require_apart(folder)
    require_writable(folder)
    if not holds_files(folder):
        return
    if not overwrite:
        raise ValueError(f"{folder} holds files; give --overwrite to replace them, or another --out")
    strange = sorted(path.name for path in folder.iterdir() if not _is_of_a_report(path))
    if strange:
        raise ValueError(
            f"{folder} holds {strange[0]}, which is no output of Loupe; move it away, or give another --out"
        )


def _is_of_a_report(path: Path) -> bool:
    """Whether a report has left this file: a table or picture with its provenance, or settings as JSON."""
    if path.name == CASES and path.is_dir() and not path.is_symlink():
        return all(_PART.fullmatch(inner.name) for inner in path.iterdir())
    if path.is_symlink() or not path.is_file():
        return False
    if path.name in _OF_THE_SYSTEM or path.name.endswith(PROVENANCE):
        return True
    if path.name in _BEGINNINGS:
        with path.open("rb") as start:
            return start.read(20).startswith(_BEGINNINGS[path.name])
    if path.suffix in _BESIDE_PROVENANCE:
        return path.with_suffix(PROVENANCE).is_file()
    if path.suffix != ".json":
        return False
    with path.open("rb") as start:
        return start.read(20).split()[:3] == [b"{", b'"settings":', b"{"]
