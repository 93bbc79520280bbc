"""What was counted of a study in parts, kept for whoever opens it: numbers of all cases, and some cases."""

from __future__ import annotations

import json
import os
from collections.abc import Mapping
from dataclasses import dataclass, replace
from hashlib import blake2b
from pathlib import Path

import pandas as pd

import core
from core.analysis.columns import find_table
from core.analysis.guarded_text import unguarded
from core.analysis.report_files import CASES
from core.plausibility.settings import Aggregation
from core.streamed.sample import MOST_CASES, least_certain, read_cases
from core.study.model import Study
from core.study.own_folder import own_folder
from core.study.partitions.manifest import Partitions

COMMAND = "evaluate"
"""Folder that the command of this name writes into."""
_SAID = "evaluation.json"
"""What the numbers were made with, and what is left out."""
_TABLES = ("metrics", "by_label", "agreement", "certainty", "facts")


@dataclass(frozen=True, eq=False)
class Aggregates:
    """What was counted of all cases.

    Attributes
    ----------
    tables : mapping of str to DataFrame
        ``metrics``, ``certainty`` and ``facts``; ``by_label`` and ``agreement`` where there are such, as
        `core.streamed.evaluate.StreamedEvaluation` has them.
    study : Study
        The least certain cases, in memory; `Study.counted` says that these are they.
    aggregation : Aggregation
        Model and reliability that the numbers are under.
    notes : tuple of str
        What reading warned of, and what is left out.
    """

    tables: Mapping[str, pd.DataFrame]
    study: Study
    aggregation: Aggregation
    notes: tuple[str, ...]


def are_some(counted: str) -> bool:
    """Whether what counts (`Study.counted`) are some cases of a study in parts."""
    return counted.startswith("the ")


def aggregates_folder(study: Partitions) -> Path:
    """Where what is counted of a study is kept: a folder that `loupe evaluate --out` is given.

    Its name follows from what the list of parts says, from the settings and labels, and from when each table
    was last written: whoever counts them reads all of them, and finds those that are not what they were.

    Raises
    ------
    RuntimeError
        If the account has no home folder.
    """
    hasher = blake2b(study.fingerprint.encode(), digest_size=8)
    for part in range(study.n_parts):
        for above, _, names in sorted(os.walk(study.part_folder(part))):
            for name in sorted(names):
                path = Path(above, name)
                hasher.update(f"\0{path.relative_to(study.folder)}\0{path.stat().st_mtime_ns}".encode())
    return own_folder("state") / "parts" / f"{hasher.hexdigest()}-{core.__version__}"


def are_counted(study: Partitions) -> bool:
    """Whether the parts of a study have been counted, by this version of Loupe."""
    folder = aggregates_folder(study) / COMMAND
    return (folder / _SAID).is_file() and (folder / CASES).is_dir()


def read_aggregates(study: Partitions) -> Aggregates:
    """Read what was counted of a study, and its least certain cases.

    Raises
    ------
    StudyError, OSError
        If a part, or what was counted, cannot be read.
    """
    folder = aggregates_folder(study) / COMMAND
    tables = {}
    for name in _TABLES:
        path = folder / f"{name}.csv"
        if path.is_file():
            table = pd.read_csv(path, keep_default_na=False, na_values=[""])
            texts = table.select_dtypes(exclude="number").columns
            table[texts] = table[texts].map(lambda cell: unguarded(cell) if isinstance(cell, str) else cell)
            of = find_table("evaluation", name)
            short = {} if of is None else {written: key for key, written in of.names.items()}
            tables[name] = table.rename(columns=short)
    said = json.loads((folder / _SAID).read_bytes())
    reliability = float(tables["metrics"]["reliability"].iloc[0])
    aggregation = Aggregation(said["settings"]["aggregation model"], reliability)
    return Aggregates(tables, read_some(study).study, aggregation, tuple(said["notes"]))


@dataclass(frozen=True, eq=False)
class SomeCases:
    """Some cases of a study in parts.

    Attributes
    ----------
    study : Study
        The least certain that fulfil a condition, in memory; `Study.counted` says that these are they.
    n_fulfilling : int
        Cases of the whole study that fulfil it.
    """

    study: Study
    n_fulfilling: int


def read_some(study: Partitions, where: str = "") -> SomeCases:
    """Read the least certain cases, of those that fulfil a condition.

    Parameters
    ----------
    study : Partitions
        That has been counted.
    where : str
        As `core.streamed.sample.least_certain` takes it; empty for all cases.

    Raises
    ------
    ValueError
        For a condition that cannot be read, or that no case with a reading fulfils.
    StudyError, OSError
        If a part, or what was counted, cannot be read.
    """
    folder = aggregates_folder(study) / COMMAND
    positions, number = least_certain(study, folder / CASES, where=where)
    if len(positions) == 0:
        raise ValueError(f"no case of {study.n_cases:,} fulfils {where!r}")
    some = read_cases(study, positions)
    those = (
        f"{number:,} of {study.n_cases:,} cases that fulfil the condition" if where else f"{number:,} cases"
    )
    said = f"the {some.n_cases:,} least certain of {those}"
    if some.n_cases < min(MOST_CASES, number):
        said = f"the {some.n_cases:,} cases with a reading, of {those}"
    return SomeCases(replace(some, counted=said, condition=where), number)
