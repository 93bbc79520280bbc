"""The worklist at every step of the reliability slider, computed ahead in the background."""

from __future__ import annotations

import gc
from collections import OrderedDict
from concurrent.futures import Future
from threading import Event, Lock, Thread

import numpy as np
import pandas as pd

from core.analysis.cases.worklist import worklist_of
from core.plausibility.settings import MODELS, RELIABILITIES, Aggregation
from core.study.model import Study, Task
from core.threads import one_core_left
from dashboard.shell import compiling

MOST_CASES_AHEAD = 20_000
"""Studies with more cases are not computed ahead of the slider, and keep two of its steps only."""
_FEW = 2
"""Tables that are kept of a large study: no more than are in use."""
PAUSE_AHEAD = 1.5
"""Seconds before the work ahead begins: the page that is on its way to the browser comes first."""
MOST_STAGES = 2
"""After the imports, and after the first study: later on, studies come and go and must be collected."""
_stages, _stages_lock = 0, Lock()


def keep_for_good() -> None:
    """Take what is alive now out of garbage collection; works once for each stage of a process's life.

    With the numeric libraries loaded a full collection takes 160 to 300 ms, in which no page is answered;
    modules and compiled code live as long as the process anyway.
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

    A step is computed when it is asked for; the others are computed in the background, nearest first: on the
    public dermatology release (1,947 cases) each costs 0.7 to 1.3 s of processor time under Plackett–Luce at
    γ = 1 to 10, medians of five, and 0.03 s under PrIRN. Meanwhile one core is left to the pages. Only the
    small tables are kept, never the draws.

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

    @property
    def are_ahead(self) -> bool:
        """Whether the other steps are being computed in the background, or have been."""
        return self._ahead is not None

    @property
    def go_ahead(self) -> bool:
        """Whether other steps are computed in the background: not of a study whose tables are large."""
        return self._most > _FEW

    def ready(self, reliability: float) -> bool:
        """Whether the step can be had at once."""
        with self._lock:
            future = self._tables.get(reliability)
        return future is not None and future.done()

    def at(self, reliability: float) -> pd.DataFrame:
        """Worklist at a reliability, as `core.analysis.cases.worklist.worklist` gives it."""
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
                aggregation = self._aggregation.at(reliability)
                future.set_result(worklist_of(self._study, self._task, aggregation))
            except BaseException as failure:
                with self._lock:
                    self._tables.pop(reliability, None)
                future.set_exception(failure)
                raise
        return future.result()

    def compute_ahead(self, around: float) -> None:
        """Begin, once, to compute the other steps in the background, the nearest ones first."""
        if (
            self._ahead is not None
            or not self.go_ahead
            or not MODELS[self._aggregation.model].has_reliability
        ):
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
            with one_core_left():
                self.at(float(steps[step]))
        keep_for_good()

    def stop(self) -> None:
        """End the work in the background after the step that it is at."""
        self._stopped.set()
