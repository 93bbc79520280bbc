"""Files that a person drops, single tables or a packed study folder, as one archive, read as any other."""

from __future__ import annotations

import re
import zipfile
from collections.abc import Sequence
from dataclasses import dataclass
from io import BytesIO
from pathlib import PurePath

from core.study.problems import shown
from core.study.reading.folder import TABLES
from core.study.reading.settings import FILE as SETTINGS_FILE
from core.study.reading.table_files import ENDINGS

KINDS = ("csv", "parquet", "toml", "zip")
"""Endings of files that can be dropped."""
UNNAMED = "Uploaded readings"
"""What a study is called whose files do not say."""
_AGAIN = re.compile(r"(?:[ _-]*(?:\(\d+\)|copy))+$", re.IGNORECASE)
"""What browsers and computers add to the name of a file that is there already."""
_NO_NAME = re.compile(r'[\x00-\x1f\\/:*?"<>|]+')
_FOREVER = (1980, 1, 1, 0, 0, 0)
"""The same tables are the same archive, whenever they are dropped."""


@dataclass(frozen=True)
class Dropped:
    """A file as it was dropped."""

    name: str
    content: bytes

    @property
    def is_packed(self) -> bool:
        """Whether it is a whole study folder."""
        return self.name.lower().endswith(".zip")


def as_archive(files: Sequence[Dropped]) -> Dropped:
    """Make one archive of what was dropped.

    Parameters
    ----------
    files : sequence of Dropped
        The last one last. An archive stands for itself; of tables, those since the last archive count, and of
        two for the same table the later one. A single table that is named after none is taken for the
        annotations.

    Returns
    -------
    Dropped
        A zip archive of a study folder, under the names of what was dropped.

    Raises
    ------
    ValueError
        Where a file is no table of a study, or the annotations are missing; a sentence for people.
    """
    if files[-1].is_packed:
        return files[-1]
    last_packed = max((place for place, file in enumerate(files) if file.is_packed), default=-1)
    files = files[last_packed + 1 :]
    tables: dict[str, bytes] = {}
    for file in files:
        name = _table_name(file.name) or (_annotations(file.name) if len(files) == 1 else "")
        if not name:
            raise ValueError(
                f"“{shown(file.name)}” is no table of a study. Name it after what it holds: "
                f"{', '.join(f'{stem}.csv' for stem in TABLES)} or {SETTINGS_FILE}; or pack the whole "
                "folder into a zip file."
            )
        tables[name] = file.content
    if not any(name.startswith("annotations.") for name in tables):
        found = ", ".join(tables)
        raise ValueError(f"Drop annotations.csv together with {found}: without readings there is no study.")
    names = [file.name for file in files]
    return Dropped(", ".join(dict.fromkeys(names)), _packed(_title(names), tables))


def _table_name(name: str) -> str:
    """Name of the table of a study that a file holds, by its own name; empty for none."""
    path = PurePath(name.lower())
    known = (*(stem + ending for stem in TABLES for ending in ENDINGS), SETTINGS_FILE)
    plain = _AGAIN.sub("", path.stem) + path.suffix
    return plain if plain in known else ""


def _annotations(name: str) -> str:
    """Name of the only table of a study."""
    ending = PurePath(name.lower()).suffix
    return f"annotations{ending}" if ending in ENDINGS else ""


def _title(names: Sequence[str]) -> str:
    """What the study is called: after its only file, where that has a name of its own."""
    stem = "" if len(names) > 1 or _table_name(names[0]) else PurePath(names[0]).stem
    return _NO_NAME.sub(" ", stem).strip(" .") or UNNAMED


def _packed(folder: str, tables: dict[str, bytes]) -> bytes:
    """Archive of a folder of tables."""
    content = BytesIO()
    with zipfile.ZipFile(content, "w") as archive:
        for name in sorted(tables):
            archive.writestr(zipfile.ZipInfo(f"{folder}/{name}", _FOREVER), tables[name])
    return content.getvalue()
