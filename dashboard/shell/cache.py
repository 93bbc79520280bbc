"""What is kept between runs, in bounded caches keyed by a study's fingerprint and the settings.

The only user of Streamlit's caches. Big things go in under a leading underscore: they are never hashed.
"""

from __future__ import annotations

from collections.abc import Callable
from contextlib import nullcontext
from dataclasses import dataclass
from pathlib import Path
from typing import Any, TypeVar, cast

import pandas as pd
import streamlit as st

from core.plausibility.settings import Aggregation
from core.study.model import Study, Task
from core.study.problems import Problem, StudyError
from core.study.reading.folder import read_study, read_zip
from dashboard.shell import compiling
from dashboard.shell.jobs import Job
from dashboard.shell.steps import Steps
from dashboard.shell.studies import Source

T = TypeVar("T")


@dataclass(frozen=True, eq=False)
class Opened:
    """A study, or why it could not be read.

    Attributes
    ----------
    study : Study or None
        None where it was refused.
    problems : tuple of Problem
        Reasons for the refusal; of a study that was read, its warnings.
    """

    study: Study | None
    problems: tuple[Problem, ...]


def open_source(source: Source) -> Opened:
    """Read a study, again only when its files have changed."""
    return _read(source.key, _stamp(source.folder), source)


@st.cache_resource(max_entries=6, show_spinner="Reading the study …")
def _read(key: str, stamp: tuple[float, int], _source: Source) -> Opened:  # noqa: ARG001
    try:
        study = read_study(_source.folder) if _source.folder is not None else read_zip(_source.content or b"")
    except StudyError as refused:
        return Opened(None, refused.problems)
    return Opened(study, study.notes)


def _stamp(folder: Path | None) -> tuple[float, int]:
    """Newest change and total size of a study folder's tables."""
    if folder is None or not folder.is_dir():
        return 0.0, 0
    files = [
        path.stat() for pattern in ("*", "predictions/*") for path in folder.glob(pattern) if path.is_file()
    ]
    return max((file.st_mtime for file in files), default=0.0), sum(file.st_size for file in files)


def steps(study: Study, task: Task, aggregation: Aggregation) -> Steps:
    """Worklists over the slider, shared by all sessions."""
    return _steps(study.fingerprint, task.name, repr(aggregation.at(1.0)), study, task, aggregation)


@st.cache_resource(max_entries=4, show_spinner=False, on_release=Steps.stop)
def _steps(
    fingerprint: str,  # noqa: ARG001
    task: str,  # noqa: ARG001
    settings: str,  # noqa: ARG001
    _study: Study,
    _task: Task,
    _aggregation: Aggregation,
) -> Steps:
    return Steps(_study, _task, _aggregation)


def worklist_at(study: Study, task: Task, aggregation: Aggregation) -> pd.DataFrame:
    """Worklist of the study; while a step is not ready yet, the page says so."""
    steps_of_study = steps(study, task, aggregation)
    if steps_of_study.ready(aggregation.reliability):
        return steps_of_study.at(aggregation.reliability)
    waiting = f"Aggregating {study.n_cases:,} cases …"
    if compiling.in_progress():
        waiting = "Preparing Loupe for its first use on this computer: about ten seconds, this once …"
    with st.spinner(waiting):
        return steps_of_study.at(aggregation.reliability)


def job(kind: str, study: Study, task: Task, *settings: object) -> Job[Any]:
    """Long work of one kind on one study, shared by all sessions; work that does not end leaves nothing."""
    return _job(kind, study.fingerprint, task.name, repr(settings))


@st.cache_resource(max_entries=24, show_spinner=False, on_release=Job.stop)
def _job(kind: str, fingerprint: str, task: str, settings: str) -> Job[Any]:  # noqa: ARG001
    return Job()


def kept(
    kind: str, study: Study, task: Task, *settings: object, compute: Callable[[], T], waiting: str = ""
) -> T:
    """Return what is computed from a whole study, computed once.

    Parameters
    ----------
    kind : str
        What it is.
    study, task
        What it is computed from.
    *settings
        Everything else that it depends on; their ``repr`` is the key.
    compute : callable
        Computes it.
    waiting : str
        Shown while it is computed, where that takes longer than half a second.
    """
    with st.spinner(waiting) if waiting else nullcontext():
        return cast("T", _kept(kind, study.fingerprint, task.name, repr(settings), compute))


@st.cache_resource(max_entries=64, show_spinner=False)
def _kept(
    kind: str,  # noqa: ARG001
    fingerprint: str,  # noqa: ARG001
    task: str,  # noqa: ARG001
    settings: str,  # noqa: ARG001
    _compute: Callable[[], object],
) -> object:
    return _compute()


class Drawn(dict[str, Any]):
    """Pictures, texts and tables by their names, each made once."""

    def kept(self, name: str, make: Callable[[], T]) -> T:
        """Return what has this name; it is made where there is none yet."""
        if name not in self:
            self[name] = make()
        return cast("T", self[name])


def drawn(kind: str, study: Study, task: Task, *settings: object) -> Drawn:
    """Return the place of the pictures and texts that depend on these settings alone.

    The parameters are those of `kept`; what is small and shown together has one place here, for looking up a
    place takes a millisecond or two.
    """
    return _drawn(kind, study.fingerprint, task.name, repr(settings))


@st.cache_resource(max_entries=96, show_spinner=False)
def _drawn(kind: str, fingerprint: str, task: str, settings: str) -> Drawn:  # noqa: ARG001
    return Drawn()


def kept_case(
    kind: str, study: Study, task: Task, index: int, *settings: object, compute: Callable[[], T]
) -> T:
    """Return what is computed from one case, as `kept` does for a study; small, so many are kept."""
    return cast("T", _kept_case(kind, study.fingerprint, task.name, index, repr(settings), compute))


@st.cache_resource(max_entries=256, show_spinner=False)
def _kept_case(
    kind: str,  # noqa: ARG001
    fingerprint: str,  # noqa: ARG001
    task: str,  # noqa: ARG001
    index: int,  # noqa: ARG001
    settings: str,  # noqa: ARG001
    _compute: Callable[[], object],
) -> object:
    return _compute()
