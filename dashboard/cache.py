"""What is kept between runs, in bounded caches keyed by a study's fingerprint and the settings.

The only user of Streamlit's caches. Big things go in under a leading underscore: they are never hashed.
"""

from __future__ import annotations

import gc
import math
from collections import OrderedDict
from collections.abc import Callable
from concurrent.futures import Future
from dataclasses import dataclass
from pathlib import Path
from threading import Event, Lock, Thread

import numpy as np
import pandas as pd
import streamlit as st

from core.analysis import case as case_analysis
from core.analysis import draws_view, overview, risk
from core.analysis.aggregate import MODELS, RELIABILITIES, Aggregation, aggregate
from core.analysis.reasons import reasons
from core.analysis.sweep import Progress
from core.analysis.what_if import WhatIf, apply, effect_sentence
from core.analysis.worklist import worklist
from core.metrics.adjusted import adjusted_metrics
from core.plausibility.draws import SampledPosterior
from core.study.folder import read_study, read_zip
from core.study.model import Study, Task
from core.study.problems import Problem, StudyError
from dashboard import compiling
from dashboard.studies import Source

MOST_CASES_AHEAD = 20_000
"""Studies with more cases are not computed ahead of the slider, and keep two of its steps only."""
PAUSE_AHEAD = 1.5
"""Seconds before the work ahead begins: the page that is on its way to the browser comes first."""
MOST_STAGES = 2
"""After the imports, and after the first study: later on, studies come and go and must be collected."""
_stages, _stages_lock = 0, Lock()
N_TICKS = 40
"""Draws shown as single marks for each label."""


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


def keep_for_good() -> None:
    """Take what is alive now out of garbage collection; works once for each stage of a process's life.

    Streamlit collects garbage after every run of a page. With the numeric libraries loaded that took 160 to
    300 ms of every step of the slider; modules and compiled code live as long as the process anyway.
    """
    global _stages
    with _stages_lock:
        _stages += 1
        if _stages > MOST_STAGES:
            return
    gc.collect()
    gc.freeze()


class Steps:
    """The worklist of a study at every step of the reliability slider.

    A step is computed when it is asked for; the others are computed in the background, nearest first.
    Only the small tables are kept, never the draws.

    Parameters
    ----------
    study, task
        What is aggregated.
    aggregation : Aggregation
        Its reliability does not matter.
    """

    def __init__(self, study: Study, task: Task, aggregation: Aggregation) -> None:
        self._study, self._task, self._aggregation = study, task, aggregation
        self._tables: OrderedDict[float, Future[pd.DataFrame]] = OrderedDict()
        self._most = 2 * len(RELIABILITIES) if study.n_cases <= MOST_CASES_AHEAD else 2
        self._lock = Lock()
        self._stopped = Event()
        self._ahead: Thread | None = None

    def ready(self, reliability: float) -> bool:
        """Whether the step can be had at once."""
        with self._lock:
            future = self._tables.get(reliability)
        return future is not None and future.done()

    def at(self, reliability: float) -> pd.DataFrame:
        """Worklist at a reliability, as `core.analysis.worklist.worklist` gives it."""
        with self._lock:
            future = self._tables.get(reliability)
            mine = future is None
            if future is None:
                future = self._tables[reliability] = Future()
            self._tables.move_to_end(reliability)
            while len(self._tables) > self._most:
                self._tables.popitem(last=False)
        if mine:
            try:
                compiling.wait()
                posterior = aggregate(self._study, self._task, self._aggregation.at(reliability))
                future.set_result(worklist(self._study, self._task, posterior))
            except BaseException as failure:
                with self._lock:
                    self._tables.pop(reliability, None)
                future.set_exception(failure)
                raise
        return future.result()

    def compute_ahead(self, around: float) -> None:
        """Begin, once, to compute the other steps in the background, the nearest ones first."""
        if self._ahead is not None or self._most <= 2 or not MODELS[self._aggregation.model].has_reliability:
            return
        self._ahead = Thread(target=self._compute_all, args=(around,), name="loupe-steps", daemon=True)
        self._ahead.start()

    def _compute_all(self, around: float) -> None:
        self._stopped.wait(PAUSE_AHEAD)
        steps = np.array(RELIABILITIES, dtype=float)
        here = int(np.abs(np.minimum(steps, 1e3) - min(around, 1e3)).argmin())
        for step in sorted(range(len(steps)), key=lambda i: abs(i - here)):
            if self._stopped.is_set():
                return
            self.at(float(steps[step]))
        keep_for_good()

    def stop(self) -> None:
        """End the work in the background after the step that it is at."""
        self._stopped.set()


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


@dataclass(frozen=True, eq=False)
class CaseTables:
    """Everything that the page of a case shows, as `core.analysis.case` gives it.

    Attributes
    ----------
    readings, plausibility, simplex, dots, predictions : DataFrame
        One row a reading, label, draw, label and model.
    draws : DataFrame
        ``label`` and ``plausibility`` of `N_TICKS` draws.
    sentence : str
        How certain the leading label is.
    effect : str
        What changed readings do to it; empty where the readings are the study's.
    convergence : DataFrame or None
        R-hat and effective sample sizes; None unless the model samples.
    """

    readings: pd.DataFrame
    plausibility: pd.DataFrame
    simplex: pd.DataFrame
    dots: pd.DataFrame
    predictions: pd.DataFrame
    draws: pd.DataFrame
    sentence: str
    effect: str
    convergence: pd.DataFrame | None


def case_tables(study: Study, task: Task, aggregation: Aggregation, index: int, change: WhatIf) -> CaseTables:
    """Aggregate and describe one case, its readings changed as asked."""
    key = (study.fingerprint, task.name, repr(aggregation), index, _change_key(change))
    return _case_tables(*key, study, task, aggregation, change)


def case_reasons(
    study: Study, task: Task, aggregation: Aggregation, index: int, change: WhatIf
) -> pd.DataFrame:
    """Why one case is uncertain, as `core.analysis.reasons.reasons` says it."""
    key = (study.fingerprint, task.name, repr(aggregation), index, _change_key(change))
    return _case_reasons(*key, study, task, aggregation, change)


def _change_key(change: WhatIf) -> str:
    """Text that differs for different changes; sets have no order of their own."""
    return repr((sorted(change.off), change.added, change.edited))


def _open_case(
    study: Study, task: Task, aggregation: Aggregation, index: int, change: WhatIf
) -> case_analysis.Case:
    """Open a case with changed readings."""
    readings = apply(study, task, index, change) if change else None
    return case_analysis.open_case(study, task, aggregation, index, readings=readings)


@st.cache_resource(max_entries=64, show_spinner=False)
def _case_reasons(
    fingerprint: str,  # noqa: ARG001
    task: str,  # noqa: ARG001
    settings: str,  # noqa: ARG001
    index: int,
    changes: str,  # noqa: ARG001
    _study: Study,
    _task: Task,
    _aggregation: Aggregation,
    _change: WhatIf,
) -> pd.DataFrame:
    return reasons(_open_case(_study, _task, _aggregation, index, _change))


@st.cache_resource(max_entries=256, show_spinner=False)
def _case_tables(
    fingerprint: str,  # noqa: ARG001
    task: str,  # noqa: ARG001
    settings: str,  # noqa: ARG001
    index: int,
    changes: str,  # noqa: ARG001
    _study: Study,
    _task: Task,
    _aggregation: Aggregation,
    _change: WhatIf,
) -> CaseTables:
    case = _open_case(_study, _task, _aggregation, index, _change)
    effect = ""
    if _change:
        before = case_analysis.open_case(_study, _task, _aggregation, index)
        effect = effect_sentence(before, case)
    plausibility = case_analysis.plausibility_table(case)
    return CaseTables(
        readings=case_analysis.readings_table(case),
        plausibility=plausibility,
        simplex=case_analysis.simplex_table(case),
        dots=case_analysis.dot_table(case),
        predictions=case_analysis.predictions_table(case),
        draws=_shown_draws(case, plausibility["label"]),
        sentence=case_analysis.certainty_sentence(case),
        effect=effect,
        convergence=_convergence(case, _aggregation),
    )


def _shown_draws(case: case_analysis.Case, labels: pd.Series) -> pd.DataFrame:
    """Evenly chosen draws of each label's plausibility, and of any other label's together."""
    draws = case.draws.draws
    slots = case.posterior.candidates.locate(case.order[None, :])[0]
    value = np.concatenate([draws.value[slots], draws.rest])[: len(labels)]
    if value.shape[1] < 2:
        return pd.DataFrame({"label": [], "plausibility": []})
    kept = value[:, np.linspace(0, value.shape[1] - 1, N_TICKS).astype(int)]
    return pd.DataFrame({"label": np.repeat(labels.to_numpy(), kept.shape[1]), "plausibility": kept.ravel()})


def _convergence(case: case_analysis.Case, aggregation: Aggregation) -> pd.DataFrame | None:
    """Diagnostics of a sampled posterior."""
    if MODELS[aggregation.model].answer != "draws" or math.isinf(aggregation.reliability):
        return None
    if not isinstance(case.posterior, SampledPosterior):
        return None
    # It takes half a second to import, which the first page need not wait for.
    from core.plausibility.convergence import convergence

    return convergence(case.posterior)


class Stopped(Exception):  # noqa: N818
    """Somebody stopped the work."""


class Job:
    """Long work in the background: it goes on while the page is used, and can be stopped.

    Attributes
    ----------
    share : float
        Of the work done, in [0, 1].
    doing : str
        What is being done.
    result : DataFrame or None
        None until the work is done.
    failure : str
        Why it ended without a result, in plain words; empty otherwise.
    """

    def __init__(self) -> None:
        self.share = 0.0
        self.doing = ""
        self.result: pd.DataFrame | None = None
        self.failure = ""
        self._stop = Event()
        self._thread: Thread | None = None
        self._lock = Lock()

    def start(self, compute: Callable[[Progress], pd.DataFrame]) -> None:
        """Begin, unless it has begun or is done."""
        with self._lock:
            if self.running or self.result is not None:
                return
            self._stop.clear()
            self.share, self.doing, self.failure = 0.0, "starting", ""
            self._thread = Thread(target=self._run, args=(compute,), name="loupe-job", daemon=True)
            self._thread.start()

    @property
    def running(self) -> bool:
        """Whether it is at work."""
        return self._thread is not None and self._thread.is_alive()

    @property
    def begun(self) -> bool:
        """Whether anybody has started it."""
        return self._thread is not None

    @property
    def stopped(self) -> bool:
        """Whether somebody has asked it to stop."""
        return self._stop.is_set()

    def stop(self) -> None:
        """End the work at its next step."""
        self._stop.set()

    def _run(self, compute: Callable[[Progress], pd.DataFrame]) -> None:
        try:
            self.result = compute(self._report)
        except Stopped:
            self.failure = "stopped"
        except Exception as failure:
            self.failure = str(failure) or type(failure).__name__

    def _report(self, share: float, doing: str) -> None:
        if self._stop.is_set():
            raise Stopped
        self.share, self.doing = share, doing


@st.cache_resource(max_entries=24, show_spinner=False, on_release=Job.stop)
def _job(kind: str, fingerprint: str, task: str, settings: str) -> Job:  # noqa: ARG001
    return Job()


def job(kind: str, study: Study, task: Task, *aggregations: Aggregation) -> Job:
    """Long work of one kind on one study, shared by all sessions; work that does not end leaves nothing."""
    return _job(kind, study.fingerprint, task.name, repr(aggregations))


@dataclass(frozen=True, eq=False)
class RiskTables:
    """What the panel of risk shows, as `core.analysis.risk` gives it.

    Attributes
    ----------
    by_case : DataFrame
        One row a case.
    by_model : DataFrame
        One row a model, k and condition.
    why : str
        Why accuracy on the high-risk cases has no single meaning.
    """

    by_case: pd.DataFrame
    by_model: pd.DataFrame
    why: str


def risk_tables(study: Study, task: Task, aggregation: Aggregation) -> RiskTables:
    """Describe the risk of all cases, and every model where it is high."""
    return _risk_tables(study.fingerprint, task.name, repr(aggregation), study, task, aggregation)


@st.cache_resource(max_entries=16, show_spinner="Measuring risk over plausible truths …")
def _risk_tables(
    fingerprint: str,  # noqa: ARG001
    task: str,  # noqa: ARG001
    settings: str,  # noqa: ARG001
    _study: Study,
    _task: Task,
    _aggregation: Aggregation,
) -> RiskTables:
    posterior = aggregate(_study, _task, _aggregation)
    point = aggregate(_study, _task, _aggregation.point)
    return RiskTables(
        risk.risk_by_case(_study, _task, posterior),
        risk.high_risk_metrics(_task, posterior, point),
        risk.why_ill_defined(_task, posterior, point),
    )


def metric_names(study: Study, task: Task, aggregation: Aggregation, model: str) -> tuple[str, ...]:
    """Metrics that a model can be measured by."""
    return _metric_names(
        study.fingerprint, task.name, repr(aggregation.point), model, study, task, aggregation
    )


@st.cache_resource(max_entries=32, show_spinner=False)
def _metric_names(
    fingerprint: str,  # noqa: ARG001
    task: str,  # noqa: ARG001
    settings: str,  # noqa: ARG001
    model: str,
    _study: Study,
    _task: Task,
    _aggregation: Aggregation,
) -> tuple[str, ...]:
    point = aggregate(_study, _task, _aggregation.point)
    return tuple(adjusted_metrics(point, _task.predictions[model]))


def over_draws(
    study: Study, task: Task, aggregation: Aggregation, model: str, metric: str
) -> draws_view.OverDraws:
    """Measure one model against each of many plausible truths."""
    key = (study.fingerprint, task.name, repr(aggregation))
    return _over_draws(*key, model, metric, study, task, aggregation)


@st.cache_resource(max_entries=32, show_spinner="Measuring the model against plausible truths …")
def _over_draws(
    fingerprint: str,  # noqa: ARG001
    task: str,  # noqa: ARG001
    settings: str,  # noqa: ARG001
    model: str,
    metric: str,
    _study: Study,
    _task: Task,
    _aggregation: Aggregation,
) -> draws_view.OverDraws:
    return draws_view.over_draws(_study, _task, _aggregation, model, metric)


def rater_workload(study: Study, task: Task) -> pd.DataFrame:
    """Count what each rater read; empty where raters are not identified."""
    return _rater_workload(study.fingerprint, task.name, study, task)


@st.cache_resource(max_entries=8, show_spinner=False)
def _rater_workload(
    fingerprint: str,  # noqa: ARG001
    task: str,  # noqa: ARG001
    _study: Study,
    _task: Task,
) -> pd.DataFrame:
    return overview.rater_workload(_study, _task)
