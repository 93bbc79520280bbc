"""Tables for other programs: CSV that spreadsheets cannot execute, valid JSON, and what made them."""

from __future__ import annotations

import json
import math
from collections.abc import Iterable, Iterator, Mapping
from hashlib import sha256
from itertools import chain
from numbers import Number
from typing import Any

import numpy as np
import pandas as pd

import core
from core.analysis.guarded_text import guarded
from core.plausibility.reading_weights import stated_confidence
from core.plausibility.settings import Aggregation
from core.settings import entries
from core.study.chosen import choice_of
from core.study.model import Study, Task

NOTICE = "Research use, not for diagnosis."
APOSTROPHES = (
    "An apostrophe stands before text that a spreadsheet could take for a formula; "
    "core.analysis.guarded_text.unguarded gives the text as it was."
)
_EMPTY_LINE = '""'
"""Row of a single empty cell: readers skip lines without anything."""
_QUOTED = frozenset(',;"\t\n\r')


def provenance(study: Study, task: Task, aggregation: Aggregation) -> dict[str, str]:
    """Say what made a table: version, study, fingerprint, seed and settings."""
    settings = made_by(study, task) | entries(aggregation)
    if np.isnan(task.readings.confidence).all() or aggregation.model == "confidence-weighted":
        del settings["stated confidences"]
    elif aggregation.confidence == "weights":
        mean = stated_confidence(task.readings).mean()
        settings["stated confidences"] += f", not rescaled; mean weight {mean:.6g}"
    return settings


def made_by(study: Study | None = None, task: Task | None = None) -> dict[str, str]:
    """Say with what a table was made, and from what."""
    said = {"made by": f"Loupe {core.__version__}", "notice": NOTICE}
    if study is not None and task is not None:
        said |= {"study": study.name, "fingerprint": study.fingerprint, "seed": str(study.seed)}
        said["task"] = task.name
        if study.counted:
            said["what counts"] = study.counted
        said |= entries(choice_of(study))
    return said


def format_reliability(reliability: float) -> str:
    """γ as people write it: 0.25, 3, ∞."""
    return "∞" if math.isinf(reliability) else f"{reliability:g}"


def guarded_csv(table: pd.DataFrame) -> str:
    """Write a table as CSV text that every program opens as it is.

    Parameters
    ----------
    table : DataFrame
        Its index is written only where it has a name.

    Returns
    -------
    str
        Header first. Names and text are `guarded`, so that no spreadsheet takes them for formulas; numbers
        are written with as many digits as they need, absent values as empty cells.
    """
    if table.index.name is not None:
        table = table.reset_index()
    rows: Iterator[Iterable[object]] = chain([table.columns], table.itertuples(index=False, name=None))
    return "".join(f"{','.join([_cell(value) for value in row]) or _EMPTY_LINE}\n" for row in rows)


def provenance_json(name: str, csv: str, provenance: Mapping[str, str]) -> str:
    """Write what made a table, to lie beside it as ``NAME.provenance.json``.

    Parameters
    ----------
    name : str
        File name of the table.
    csv : str
        Its text; the digest (SHA-256 of the file) tells later whether the two belong together.
    provenance : mapping of str to str
        What made it.
    """
    content = {
        "table": name,
        "sha256": sha256(csv.encode()).hexdigest(),
        "apostrophes": APOSTROPHES,
        "settings": dict(provenance),
    }
    return json_text(content)


def json_text(content: object) -> str:
    """Write JSON that every program reads: NaN becomes null, an infinite number "inf" or "-inf"."""
    return json.dumps(_finite(content), ensure_ascii=False, indent=1, allow_nan=False) + "\n"


def _cell(value: object) -> str:
    """Text of a cell: a number as it is, an absent value empty, all else guarded, quoted where need be."""
    if isinstance(value, bool | np.bool_ | Number):
        return "" if value != value else str(value)
    if value is None or value is pd.NA or value is pd.NaT:
        return ""
    text = guarded(str(value))
    return text if _QUOTED.isdisjoint(text) else '"' + text.replace('"', '""') + '"'


def _finite(content: Any) -> Any:
    """Content with numbers that JSON knows, and those of NumPy as Python's."""
    if isinstance(content, Mapping):
        return {str(key): _finite(value) for key, value in content.items()}
    if isinstance(content, list | tuple):
        return [_finite(value) for value in content]
    if isinstance(content, np.generic):
        content = content.item()
    if isinstance(content, float) and not math.isfinite(content):
        return None if math.isnan(content) else str(content)
    return None if content is pd.NA or content is pd.NaT else content
