"""Functions whose results are kept between runs, by all arguments; the only user of Streamlit's caches.

A function is decorated, and every argument is part of its key: small things by their value, a study by its
fingerprint, what is large and never changes by its identity. So no key can be forgotten; what can be no part
of one is refused by Streamlit. What is kept is shared between sessions and must not be changed.
"""

from __future__ import annotations

import inspect
from collections.abc import Callable
from dataclasses import dataclass
from functools import wraps
from hashlib import blake2b
from itertools import count
from pathlib import Path
from threading import Lock
from typing import Any, Concatenate, ParamSpec, TypeVar, cast
from weakref import finalize

import numpy as np
import pandas as pd
import streamlit as st

from core.analysis.models.settings import ComparisonSettings, OtherReadersSettings, SliceSettings
from core.analysis.planning.settings import BudgetSettings
from core.plausibility.settings import Aggregation, AggregationChoice
from core.progress import Progress
from core.streamed.aggregates import Aggregates, are_counted, read_aggregates
from core.study.model import Study, Task
from core.study.partitions.manifest import Partitions, is_partitioned, read_manifest
from core.study.problems import Problem, StudyError
from core.study.reading.folder import read_study, read_zip
from core.study.settings import StudyChoice
from dashboard.shell import compiling
from dashboard.shell.jobs import Job
from dashboard.shell.steps import Steps
from dashboard.shell.studies import Source
from dashboard.shell.theme import Tokens

P = ParamSpec("P")
T = TypeVar("T")

MOST_JOBS = 8
"""Kept of each kind of long work."""

_numbers: dict[int, int] = {}
_next_number = count()
_numbering = Lock()


def identity(value: object) -> int:
    """Number of an object that is never changed: no two that live, or have lived, share one."""
    with _numbering:
        place = id(value)
        if place not in _numbers:
            _numbers[place] = next(_next_number)
            finalize(value, _numbers.pop, place, None)
        return _numbers[place]


def _content(array: np.ndarray) -> tuple[str, tuple[int, ...], str]:
    """Key of an array by all of its values; Streamlit looks at some of a large one's only."""
    values = np.ascontiguousarray(array)
    return str(values.dtype), values.shape, blake2b(values.tobytes(), digest_size=16).hexdigest()


def _study(study: Study) -> tuple[str, str, str, tuple[str, ...]]:
    """Key of a study: what was observed, and how tables say which of it they are of.

    Two conditions may keep the same cases: the numbers are the same, but not what made them.
    """
    return study.fingerprint, study.condition, study.counted, study.high_risk_labels


_KEYS: dict[str | type, Callable[[Any], Any]] = {
    Study: _study,
    Task: identity,
    Aggregation: repr,
    AggregationChoice: repr,
    ComparisonSettings: repr,
    OtherReadersSettings: repr,
    SliceSettings: repr,
    BudgetSettings: repr,
    StudyChoice: repr,
    Tokens: identity,
    pd.DataFrame: identity,
    np.ndarray: _content,
    "core.study.images.Window": repr,
    Steps: identity,
    # By name, for a page that needs none of them need not wait for their modules.
    "core.analysis.cases.what_if.WhatIf": lambda change: repr(
        (sorted(change.off), change.added, change.edited)
    ),
    "core.analysis.raters.panel.Panel": lambda panel: (
        _study(panel.study),
        identity(panel.task),
        panel.key,
    ),
    "core.analysis.raters.fineness.PanelAccuracies": identity,
    "core.analysis.raters.concordance.Weights": identity,
    "core.analysis.raters.comparable_rows.Rows": lambda rows: (
        _content(rows.case),
        _content(rows.value),
        rows.columns,
        blake2b("\0".join(map(str, rows.raw.index)).encode(), digest_size=16).hexdigest(),
    ),
    "core.analysis.disagreement.recalibrated.Recalibrated": identity,
    "core.analysis.disagreement.forecasts.Forecast": lambda one: (
        one.model,
        one.method,
        identity(one.probability),
    ),
    "core.analysis.disagreement.conformal_settings.ConformalSettings": repr,
    "core.analysis.disagreement.conformal_truths.Truths": identity,
    "core.analysis.disagreement.conformal.ConformalSets": identity,
    "core.analysis.models.tables.Measured": identity,
    "core.analysis.models.tables.Resampled": identity,
    "dashboard.views.models.model_comparison.ModelComparison": lambda comparison: comparison.key,
}
"""How what Streamlit cannot take by its value, or takes too long for, is part of a key."""


def cached(most: int = 64, *, waiting: str = "") -> Callable[[Callable[P, T]], Callable[P, T]]:
    """Decorate a function so that it computes once for the same arguments.

    Parameters
    ----------
    most : int
        Results that are kept; beyond them the one that was asked for longest ago goes.
    waiting : str
        Shown on the page while it computes.
    """

    def decorate(compute: Callable[P, T]) -> Callable[P, T]:
        _refuse_hidden(compute)
        keep = st.cache_resource(max_entries=most, show_spinner=waiting or False, hash_funcs=_KEYS)
        return cast("Callable[P, T]", keep(compute))

    return decorate


def _refuse_hidden(compute: Callable[..., Any]) -> None:
    """Refuse a function with an argument that Streamlit would leave out of the key."""
    hidden = [name for name in inspect.signature(compute).parameters if name.startswith("_")]
    if hidden:
        raise TypeError(f"{compute.__qualname__}: {', '.join(hidden)} would be no part of the key")


def background(
    compute: Callable[Concatenate[Progress, P], T], *, recall: Callable[P, T | None] | None = None
) -> Callable[P, Job[T]]:
    """Decorate long work, whose first argument is told how far it is: the same arguments give the same job.

    All sessions share a job; the page starts it and shows how far it is (`dashboard.views.parts.result_of`).
    What an earlier start has kept of it (``recall``) is its result, and no work is done then.
    """
    _refuse_hidden(compute)

    @wraps(compute)
    def make(*given: P.args, **named: P.kwargs) -> Job[T]:
        known = None if recall is None else recall(*given, **named)
        return Job(lambda progress: compute(progress, *given, **named), compute.__name__, known)

    _, *parameters = inspect.signature(compute).parameters.values()
    make.__signature__ = inspect.Signature(parameters)  # type: ignore[attr-defined]
    keep = st.cache_resource(max_entries=MOST_JOBS, show_spinner=False, hash_funcs=_KEYS, on_release=Job.stop)
    kept = keep(make)
    _works.append(kept.clear)
    return cast("Callable[P, Job[T]]", kept)


_works: list[Callable[[], None]] = []


def forget_work() -> None:
    """Stop all long work and forget its results."""
    for clear in _works:
        clear()


@dataclass(frozen=True, eq=False)
class Opened:
    """A study, or why it could not be read.

    Attributes
    ----------
    study : Study or None
        None where it was refused.
    problems : tuple of Problem
        Reasons for the refusal; of a study that was read, its warnings.
    in_parts : Partitions or None
        The study in parts that ``study`` has some cases of, or that has not been counted yet.
    counted : Aggregates or None
        What was counted of it.
    """

    study: Study | None
    problems: tuple[Problem, ...]
    in_parts: Partitions | None = None
    counted: Aggregates | None = None


def open_source(source: Source) -> Opened:
    """Read a study, again only when its files have changed."""
    return _read(source.key, _stamp(source.folder), source)


def forget_studies() -> None:
    """Read every study anew when it is next asked for."""
    _read.clear()


@st.cache_resource(max_entries=6, show_spinner="Reading the study …")
def _read(key: str, stamp: tuple[float, int], _source: Source) -> Opened:  # noqa: ARG001
    try:
        if _source.folder is not None and is_partitioned(_source.folder):
            return _read_parts(_source.folder)
        study = read_study(_source.folder) if _source.folder is not None else read_zip(_source.content or b"")
    except StudyError as refused:
        return Opened(None, refused.problems)
    return Opened(study, study.notes)


def _read_parts(folder: Path) -> Opened:
    """Read some cases of a study in parts, where it has been counted."""
    parts = read_manifest(folder)
    if not are_counted(parts):
        return Opened(None, (), parts)
    found = read_aggregates(parts)
    return Opened(found.study, found.study.notes, parts, found)


def _stamp(folder: Path | None) -> tuple[float, int]:
    """Newest change and total size of a study folder's tables."""
    if folder is None or not folder.is_dir():
        return 0.0, 0
    files = [
        path.stat() for pattern in ("*", "predictions/*") for path in folder.glob(pattern) if path.is_file()
    ]
    return max((file.st_mtime for file in files), default=0.0), sum(file.st_size for file in files)


@st.cache_resource(max_entries=4, show_spinner=False, hash_funcs=_KEYS, on_release=Steps.stop)
def _steps(study: Study, task: Task, aggregation: Aggregation) -> Steps:
    return Steps(study, task, aggregation)


def steps(study: Study, task: Task, aggregation: Aggregation) -> Steps:
    """Worklists over the slider, shared by all sessions."""
    return _steps(study, task, aggregation.at(1.0))


def worklist_at(study: Study, task: Task, aggregation: Aggregation) -> pd.DataFrame:
    """Worklist of the study; while a step is not ready yet, the page says so."""
    steps_of_study = steps(study, task, aggregation)
    if steps_of_study.ready(aggregation.reliability):
        return steps_of_study.at(aggregation.reliability)
    waiting = f"Aggregating {study.n_cases:,} cases …"
    if compiling.in_progress():
        waiting = (
            "Preparing Loupe for its first use on this computer: this once, the first cases take longer …"
        )
    with st.spinner(waiting):
        return steps_of_study.at(aggregation.reliability)
