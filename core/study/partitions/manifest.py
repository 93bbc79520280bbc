"""``parts.json``: which parts a study consists of, and what is true of all of them."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from core.study.problems import Problem, StudyError
from core.study.reading.folder import PARTS
from core.study.reading.report import Report
from core.study.reading.settings import Settings, read_settings

FILE, FOLDER = PARTS, "parts"
_VERSION = 1
_LARGEST = 64 * 1024**2
"""Bytes of a list of parts."""
_MEND = "Make the parts again with `loupe partition`."


@dataclass(frozen=True)
class Partitions:
    """A study in parts, of which none has been read.

    Attributes
    ----------
    folder : Path
        Holds ``study.toml``, ``labels.csv``, ``parts.json`` and the folder ``parts``.
    settings : Settings
        What ``study.toml`` says.
    cases : tuple of int
        Number of cases of each part, in order: the cases of the study are those of its parts, one after the
        other.
    models : mapping of str to tuple of str
        Names of the models by task, in the study's order; not every one need predict cases of every part.
    fingerprint : str
        Of the contents of all parts: changes when anything observed changes, or how it is divided.
    """

    folder: Path
    settings: Settings
    cases: tuple[int, ...]
    models: Mapping[str, tuple[str, ...]]
    fingerprint: str

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
        return tuple(sum(self.cases[:i]) for i in range(len(self.cases)))

    def part_folder(self, part: int) -> Path:
        """Folder of the tables of a part, counted from 0."""
        return self.folder / FOLDER / part_name(part)


def part_name(part: int) -> str:
    """Name of a part, counted from 0."""
    return f"part-{part:05d}"


def is_partitioned(folder: Path | str) -> bool:
    """Whether a study folder is one of parts."""
    return (Path(folder) / FILE).is_file()


def manifest_text(cases: tuple[int, ...], models: Mapping[str, tuple[str, ...]], fingerprint: str) -> str:
    """Content of ``parts.json``; parameters as `Partitions` has them."""
    content = {
        "version": _VERSION,
        "cases": list(cases),
        "models": {task: list(of) for task, of in models.items()},
        "fingerprint": fingerprint,
    }
    return json.dumps(content, ensure_ascii=False, indent=1) + "\n"


def read_manifest(folder: Path | str) -> Partitions:
    """Read what is true of all parts of a study.

    Parameters
    ----------
    folder : Path or str
        Of a study that `core.study.partitions.writing.write_partitions` made.

    Raises
    ------
    StudyError
        If the list of parts is damaged, or a part is not there.
    """
    folder = Path(folder)
    report = Report()
    content = _content(folder / FILE)
    settings = read_settings(folder, report)
    if not settings.tasks:
        report.add("study.toml", "there is no task, and the parts cannot say which", _MEND)
    report.raise_errors()
    found = Partitions(
        folder.resolve(),
        settings,
        tuple(content["cases"]),
        {task: tuple(of) for task, of in content["models"].items()},
        content["fingerprint"],
    )
    missing = [part_name(i) for i in range(len(found.cases)) if not found.part_folder(i).is_dir()]
    if missing:
        what = f"{len(missing):,} of {len(found.cases):,} parts are not there: {', '.join(missing[:5])}"
        raise StudyError([Problem(f"{FOLDER}/{missing[0]}", what, f"Copy the whole folder. {_MEND}")])
    return found


def _content(path: Path) -> dict[str, Any]:
    """Parsed list of parts, each value of its type."""
    try:
        if path.stat().st_size > _LARGEST:
            raise ValueError(f"it has more than {_LARGEST:,} bytes")
        content: dict[str, Any] = json.loads(path.read_bytes())
        if not isinstance(content, dict) or content.get("version") != _VERSION:
            raise ValueError(f"expected version {_VERSION}")
        _require(
            isinstance(content.get("cases"), list)
            and 0 < len(content["cases"]) < 100_000
            and all(type(n) is int and n > 0 for n in content["cases"]),
            "cases must be numbers of cases, above 0",
        )
        models = content.get("models")
        _require(
            isinstance(models, dict)
            and all(isinstance(of, list) and all(isinstance(m, str) for m in of) for of in models.values()),
            "models must be names by task",
        )
        _require(isinstance(content.get("fingerprint"), str), "fingerprint must be text")
    except (OSError, ValueError, RecursionError) as error:
        raise StudyError([Problem(FILE, f"the list of parts cannot be read ({error})", _MEND)]) from error
    return content


def _require(holds: bool, what: str) -> None:
    if not holds:
        raise ValueError(what)
