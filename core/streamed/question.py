"""What every question put to the parts of a study has."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

from core.study.partitions.manifest import Partitions


@dataclass(frozen=True)
class Question:
    """What is asked of every part; the questions of one kind add to it what they want to know.

    Attributes
    ----------
    study : Partitions
        In parts; every worker can read its folder.
    task : str
        Name of the task.
    folder : Path
        For what is kept of each part until the end; every worker can read and write it.
    """

    study: Partitions
    task: str
    folder: Path
