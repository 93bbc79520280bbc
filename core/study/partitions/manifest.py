"""``parts.json``: which parts a study consists of, and what is true of all of them."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property
from hashlib import blake2b
from itertools import accumulate
from pathlib import Path
from typing import Any

from core.study.partitions.contents import MEND, Mark, digest_of, marks_of, require_sizes
from core.study.partitions.labels import STEM as LABELS
from core.study.partitions.labels import listed_labels, require_listed
from core.study.problems import Problem, StudyError
from core.study.reading.folder import PARTS
from core.study.reading.report import Report
from core.study.reading.settings import FILE as SETTINGS_FILE
from core.study.reading.settings import Settings, read_settings
from core.study.reading.table_files import find_table

FILE, FOLDER = PARTS, "parts"
_VERSION = 2
_LARGEST = 64 * 1024**2
"""Bytes of a list of parts."""


@dataclass(frozen=True)
class Partitions:
    """A study in parts, of which none has been read.

    Attributes
    ----------
    folder : Path
        Holds ``study.toml``, the label table, ``parts.json`` and the folder ``parts``.
    settings : Settings
        What ``study.toml`` says.
    cases : tuple of int
        Number of cases of each part, in order: the cases of the study are those of its parts, one after the
        other.
    models : mapping of str to tuple of str
        Names of the models by task, in the study's order; not every one need predict cases of every part.
    labels : mapping of str to tuple of str
        Labels by task, which every part has in this order.
    shared : mapping of str to str
        Digests of the files above the parts, as `core.study.partitions.contents.digest_of` gives them.
    """

    folder: Path
    settings: Settings
    cases: tuple[int, ...]
    models: Mapping[str, tuple[str, ...]]
    labels: Mapping[str, tuple[str, ...]]
    shared: Mapping[str, str]

    @cached_property
    def fingerprint(self) -> str:
        """Of the contents of all files: changes when anything observed or set changes, or how it is divided.

        The list of parts holds digests of the tables of each part.
        """
        said = json.dumps(sorted(self.shared.items()))
        return blake2b(said.encode(), digest_size=8).hexdigest()

    @property
    def n_cases(self) -> int:
        """Number of cases of the study."""
        return sum(self.cases)

    @property
    def n_parts(self) -> int:
        """Number of parts."""
        return len(self.cases)

    @property
    def first(self) -> tuple[int, ...]:
        """Position in the study of the first case of each part."""
        return tuple(accumulate(self.cases[:-1], initial=0))

    def part_folder(self, part: int) -> Path:
        """Folder of the tables of a part, counted from 0."""
        return self.folder / FOLDER / part_name(part)


def part_name(part: int) -> str:
    """Name of a part, counted from 0."""
    return f"part-{part:05d}"


def is_partitioned(folder: Path | str) -> bool:
    """Whether a study folder is one of parts."""
    return (Path(folder) / FILE).is_file()


def write_manifest(folder: Path, cases: tuple[int, ...], models: Mapping[str, tuple[str, ...]]) -> None:
    """Write the list of parts, with what each of their tables holds.

    Parameters
    ----------
    folder : Path
        Holds all parts already; see `Partitions` for the others.
    """
    parts = []
    for part, n_cases in enumerate(cases):
        marks = marks_of(folder / FOLDER / part_name(part))
        files = {name: [mark.size, mark.digest] for name, mark in marks.items()}
        parts.append({"cases": n_cases, "files": files})
    content = {
        "version": _VERSION,
        "models": {task: list(of) for task, of in models.items()},
        "parts": parts,
    }
    written = json.dumps(content, ensure_ascii=False, indent=1) + "\n"
    (folder / FILE).write_text(written, encoding="utf-8", newline="\n")


def read_manifest(folder: Path | str) -> Partitions:
    """Read what is true of all parts of a study.

    Parameters
    ----------
    folder : Path or str
        Of a study that `core.study.partitions.writing.write_partitions` made.

    Raises
    ------
    StudyError
        If the list of parts is damaged, does not suit the tasks of ``study.toml``, or a table that it lists
        is not there or has another size; if nothing lists the labels of a task.
    """
    folder = Path(folder).resolve()
    report = Report()
    shared = shared_digests(folder)
    content = _content(folder / FILE)
    settings = read_settings(folder, report)
    if not settings.tasks:
        report.add(SETTINGS_FILE, "there is no task, and the parts cannot say which", MEND)
    report.raise_errors()
    models = {task: tuple(of) for task, of in content["models"].items()}
    _require_tasks(tuple(models), tuple(settings.tasks))
    labels = listed_labels(folder, settings)
    table = find_table(folder, LABELS, report)
    require_listed(labels, f"{LABELS}.csv" if table is None else table.name, exists=table is not None)
    cases = tuple(part["cases"] for part in content["parts"])
    found = Partitions(folder, settings, cases, models, labels, shared)
    missing = [part_name(i) for i in range(found.n_parts) if not found.part_folder(i).is_dir()]
    if missing:
        what = f"{len(missing):,} of {len(found.cases):,} parts are not there: {', '.join(missing[:5])}"
        raise StudyError([Problem(f"{FOLDER}/{missing[0]}", what, f"Copy the whole folder. {MEND}")])
    for part in range(found.n_parts):
        require_sizes(found.part_folder(part), _marks(content, part), f"{FOLDER}/{part_name(part)}")
    return found


def read_marks(study: Partitions, part: int) -> dict[str, Mark]:
    """Read what the tables of a part held when it was made, by their paths in its folder.

    Raises
    ------
    StudyError
        If a file above the parts has changed since the study was opened.
    """
    now = shared_digests(study.folder)
    changed = [name for name in {**study.shared, **now} if study.shared.get(name) != now.get(name)]
    if changed:
        what = "the file has changed since the study was opened, and parts read before had another"
        raise StudyError([Problem(name, what, "Run the command again.") for name in changed])
    return _marks(_content(study.folder / FILE), part)


def shared_digests(folder: Path) -> dict[str, str]:
    """Digests of the files above the parts that are there, by their names."""
    table = find_table(folder, LABELS, Report())
    names = [FILE, SETTINGS_FILE, *([] if table is None else [table.name])]
    digests = {name: digest_of(folder / name) for name in names}
    return {name: digest for name, digest in digests.items() if digest}


def _marks(content: Mapping[str, Any], part: int) -> dict[str, Mark]:
    return {name: Mark(*mark) for name, mark in content["parts"][part]["files"].items()}


def _require_tasks(listed: tuple[str, ...], described: tuple[str, ...]) -> None:
    """Refuse a list of parts with models of other tasks than the settings have."""
    wrong = [
        *(f'"{name}", which {SETTINGS_FILE} does not describe' for name in listed if name not in described),
        *(f'no task "{name}", which {SETTINGS_FILE} describes' for name in described if name not in listed),
    ]
    if wrong:
        what = f"expected models of the tasks {', '.join(described)}, got {'; '.join(wrong)}"
        raise StudyError([Problem(FILE, what, f"Name tasks in {SETTINGS_FILE} as they were. {MEND}")])


def _content(path: Path) -> dict[str, Any]:
    """Parsed list of parts, each value of its type."""
    try:
        if path.stat().st_size > _LARGEST:
            raise ValueError(f"it has more than {_LARGEST:,} bytes")
        content: dict[str, Any] = json.loads(path.read_bytes())
        _require(isinstance(content, dict), "expected an object")
        version = content.get("version")
        older = ", which an earlier Loupe wrote" if version == 1 else ""
        _require(version == _VERSION, f"expected version {_VERSION}, got {version!r:.100}{older}")
        parts: Any = content.get("parts")
        _require(isinstance(parts, list) and 0 < len(parts) < 100_000, "parts must be a list of parts")
        _require(all(map(_is_part, parts)), "each part must have cases, above 0, and files with their marks")
        models = content.get("models")
        _require(
            isinstance(models, dict)
            and all(isinstance(of, list) and all(isinstance(m, str) for m in of) for of in models.values()),
            "models must be names by task",
        )
    except (OSError, ValueError, RecursionError) as error:
        raise StudyError([Problem(FILE, f"the list of parts cannot be read ({error})", MEND)]) from error
    return content


def _is_part(part: object) -> bool:
    """Whether an entry of the list says how many cases a part has, and what its tables in it hold."""
    if not isinstance(part, dict) or type(part.get("cases")) is not int or part["cases"] < 1:
        return False
    files = part.get("files")
    return isinstance(files, dict) and all(
        isinstance(mark, list)
        and [type(one) for one in mark] == [int, str]
        and not Path(name).is_absolute()
        and ".." not in Path(name).parts
        for name, mark in files.items()
    )


def _require(holds: bool, what: str) -> None:
    if not holds:
        raise ValueError(what)
