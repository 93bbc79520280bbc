"""How well each reliability predicts left-out readings, kept at this computer from one start to the next.

Finding it takes seconds, in which a study would be counted at another reliability than its readings support.
Kept are the numbers of the curve alone: no readings, no labels and no name of a study.
"""

from __future__ import annotations

import json
from contextlib import suppress
from hashlib import blake2b
from pathlib import Path

import numpy as np
import pandas as pd

import core
from core.analysis.reliability.fit import CURVE_COLUMNS
from core.plausibility.settings import Aggregation
from core.study.model import Study, Task
from core.study.own_folder import own_folder
from core.study.whole_files import replace_files

MOST_KEPT = 500
"""Curves that are kept; those that were found longest ago go first."""


def keep_curve(
    study: Study, task: Task, aggregation: Aggregation, curve: pd.DataFrame, folder: Path | None = None
) -> None:
    """Keep a curve of `core.analysis.reliability.fit.predictive_curve`; nothing happens where that fails.

    Parameters
    ----------
    study, task, aggregation
        What it was found of; the aggregation's reliability does not matter.
    curve : DataFrame
        As found, whole.
    folder : Path, optional
        Where it is kept, if not with what Loupe remembers at this computer.
    """
    with suppress(OSError, RuntimeError):
        place = folder or _folder()
        place.mkdir(parents=True, exist_ok=True)
        replace_files(place, [(_name(study, task, aggregation), json.dumps(curve.to_dict("list")))])
        kept = sorted(place.glob("*.json"), key=lambda one: one.stat().st_mtime)
        for old in kept[:-MOST_KEPT]:
            old.unlink(missing_ok=True)


def kept_curve(
    study: Study, task: Task, aggregation: Aggregation, folder: Path | None = None
) -> pd.DataFrame | None:
    """Return the curve that was kept of the same readings, at this computer by this version of Loupe.

    Parameters
    ----------
    study, task, aggregation, folder
        As in `keep_curve`.

    Returns
    -------
    DataFrame or None
        The same numbers as were kept, bit by bit; None where none was, or where what lies there is no curve.
    """
    try:
        file = (folder or _folder()) / _name(study, task, aggregation)
        kept = json.loads(file.read_text(encoding="utf-8"))
        curve = pd.DataFrame(kept)[CURVE_COLUMNS].astype(dict.fromkeys(CURVE_COLUMNS[:-1], float))
    except (OSError, RuntimeError, ValueError, TypeError, KeyError):
        return None
    tried = curve["reliability"].to_numpy()
    is_curve = len(curve) > 0 and bool(np.isfinite(tried).all() and (tried > 0).all())
    return curve if is_curve and curve["log_likelihood"].notna().all() else None


def _folder() -> Path:
    """Where it is kept at this computer; another version may count otherwise."""
    return own_folder("state") / "supported" / core.__version__


def _name(study: Study, task: Task, aggregation: Aggregation) -> str:
    """Name of its file: follows from all that the numbers depend on."""
    settings = json.dumps([study.fingerprint, task.name, repr(aggregation.point)])
    return f"{blake2b(settings.encode(), digest_size=16).hexdigest()}.json"
