"""Study folders and zipped ones: reading with every problem gathered, and writing."""

from __future__ import annotations

import os
from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path

from core.progress import Progress
from core.study.images import image_paths
from core.study.model import Study
from core.study.problems import Problem, StudyError
from core.study.reading.archive import unpack
from core.study.reading.checks import PACKED, UNPACK, nearest
from core.study.reading.files import visible
from core.study.reading.prediction_files import FOLDER as PREDICTIONS
from core.study.reading.prediction_files import WideTable, read_wide
from core.study.reading.report import Report
from core.study.reading.scratch import scratch_folder
from core.study.reading.settings import FILE as SETTINGS_FILE
from core.study.reading.settings import Settings, read_settings
from core.study.reading.source import read_source
from core.study.reading.table_files import ENDINGS, find_table, read_table
from core.study.reading.tables import Table
from core.study.writing import write_study

__all__ = ["read_study", "read_zip", "write_study"]

TABLES = ("annotations", "labels", "cases", "predictions", "features", "references")
PARTS = "parts.json"
"""Names the parts of a study that is divided (`core.study.partitions`)."""
ZIP_LIMIT = 200 * 1024**2


def read_study(folder: Path | str, *, progress: Progress | None = None) -> Study:
    """Read a study folder.

    Parameters
    ----------
    folder : Path or str
        Holds ``annotations.csv`` or ``.parquet`` and, each if wanted, ``study.toml``, ``labels``, ``cases``,
        ``predictions`` (a long table, or a folder with a wide one for each model, named after it with unusual
        characters as in addresses: %2F), ``features`` and ``references``.
    progress : function of (float, str), optional
        Called with the share done, from 0 to 1, and what is being done.

    Returns
    -------
    Study
        Raters and models are in natural order, and the readings of a case in the order of raters, so that the
        order of the rows changes nothing. Cases are in the order of the case table, else of first appearance.
        Ids and labels are text, without spaces at the ends, in Unicode normal form C.

    Raises
    ------
    StudyError
        With all problems, errors first, if there is any error.
    """
    folder = Path(folder)
    report = Report()
    names = _names(folder, report)
    if PARTS in names:
        what = "the study is in parts, which are not held in memory at once"
        mend = (
            "`loupe evaluate`, which ranks models too, `loupe raters` and `loupe disagreement` take it; "
            "other questions need all cases at once: give the study as it was."
        )
        report.add(PARTS, what, mend)
    report.raise_errors()
    _note_other_files(names, report)
    return read_source(_Folder(folder.resolve(), names), report, progress or _tell_nobody)


@dataclass(frozen=True)
class _Folder:
    """The tables of a study folder, with the names of all that is in it."""

    folder: Path
    names: Sequence[str]

    def settings(self, report: Report) -> Settings:
        """Read ``study.toml``."""
        return read_settings(self.folder, report)

    def table(self, stem: str, report: Report, *, text: Collection[str] | None = None) -> Table | None:
        """Read a table, CSV or Parquet; there has to be one of annotations."""
        path = find_table(self.folder, stem, report)
        if path is not None:
            return read_table(path, path.name, report, text=text)
        if stem == "annotations":
            report.add("annotations.csv", "there is no such file", _where_annotations_may_be(self.names))
        return None

    def models(self, tasks: Sequence[str], report: Report) -> list[WideTable]:
        """Read the tables in ``predictions/``."""
        return read_wide(self.folder, tasks, report)


RELEASES = {
    "dermatology_selectors.json": "dermatology-ddx",
    "cifar10h-counts.npy": "cifar10h",
    "preds.csv": "rater-matrix",
}
"""Files by which a published release is known, and the format that imports it."""


def _where_annotations_may_be(names: Sequence[str]) -> str:
    release = next((RELEASES[name] for name in names if name in RELEASES), None)
    if release is not None:
        return (
            f"This is a published release, not yet a study: loupe import {release} FROM TO writes it as one, "
            "FROM being this folder and TO a new one, which you then open. Where loupe is not installed, "
            "python -m core stands for it."
        )
    packed = [name for name in names if name.startswith("annotations.") and name.endswith(PACKED)]
    if packed:
        return f'"{packed[0]}" is packed. {UNPACK}'
    close = nearest("annotations", [name.rsplit(".", 1)[0] for name in names])
    found = [name for name in names if close is not None and name.rsplit(".", 1)[0] == close]
    mend = "Add annotations.csv with the columns case_id, rater_id and label."
    if found and not found[0].endswith(ENDINGS):
        return f'Save "{found[0]}" as annotations.csv (UTF-8).'
    return f'Rename "{found[0]}" to annotations.csv.' if found else mend


def read_zip(data: bytes, *, limit_bytes: int = ZIP_LIMIT) -> Study:
    """Read a zipped study folder, such as an upload.

    Parameters
    ----------
    data : bytes
        Of a zip archive with a study folder's files at its top, or in a single folder there.
    limit_bytes : int
        Most that the archive may hold, packed or unpacked.

    Returns
    -------
    Study
        In memory with its images: the private temporary folder that it is read from goes at once.

    Raises
    ------
    StudyError
        If the archive is damaged, too large, or holds paths or links that lead out of it, and as
        `read_study` does.
    """
    try:
        with scratch_folder() as folder:
            study = read_study(unpack(data, folder / "study", limit_bytes))
            return replace(study, root=None, images=dict(study_images(study)))
    except OSError as error:
        what = f"there is no temporary folder to unpack it in ({error.strerror or error})"
        mend = "Set TMPDIR to a folder that can be written, and start Loupe again."
        raise StudyError([Problem("the archive", what, mend)]) from error


def study_images(study: Study) -> Mapping[str, bytes]:
    """Images of a study, those that are there, by their paths in the case table; each read when asked for."""
    if study.root is None or "image" not in study.cases:
        return study.images
    names = {path for given in study.cases["image"].unique() for path in image_paths(given)}
    paths = {name: (study.root / name).resolve() for name in sorted(names)}
    root = study.root.resolve()
    return _Images(
        {name: path for name, path in paths.items() if path.is_relative_to(root) and path.is_file()}
    )


class _Images(Mapping[str, bytes]):
    """Contents of files, one in memory at a time."""

    def __init__(self, paths: Mapping[str, Path]) -> None:
        self._paths = paths

    def __getitem__(self, name: str) -> bytes:
        return self._paths[name].read_bytes()

    def __iter__(self) -> Iterator[str]:
        return iter(self._paths)

    def __len__(self) -> int:
        return len(self._paths)


def _tell_nobody(share: float, what: str) -> None:
    """Progress that nobody asked for."""


def _names(folder: Path, report: Report) -> list[str]:
    """Names of the files and folders in a study folder; none, with an error, where it cannot be opened."""
    if os.path.isdir(folder) or os.path.islink(folder):
        return [path.name for path in visible(folder, folder.name, report)]
    came = "a file" if os.path.isfile(folder) else "nothing"
    what = "there is no such folder" if came == "nothing" else "expected a folder, got a file"
    report.add(folder.name or str(folder), what, "Give the path of a study folder.")
    return []


def _note_other_files(names: Sequence[str], report: Report) -> None:
    """Note files that look like a study's, but are not read: an error where a table would be left out."""
    expected = {SETTINGS_FILE, PREDICTIONS, *(stem + ending for stem in TABLES for ending in ENDINGS)}
    for name in names:
        inner, ending = os.path.splitext(name)
        if ending.lower() in PACKED and inner in expected and inner not in names:
            if inner != "annotations.csv":  # else reported as missing, with the same mend
                report.add(name, "the file is packed, and would not be read", UNPACK)
        elif name not in expected and ending.lower() in (*ENDINGS, ".tsv", ".xlsx", ".xls", ".toml"):
            what, mend = "the file is not read", f"Files that are read: {', '.join(sorted(expected))}."
            report.add(name, what, mend, severity="warning")
