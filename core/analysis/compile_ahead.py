"""Compile the numeric kernels before anybody waits for them.

numba compiles a kernel when it is first called, once for each installation, and keeps the code beside the
source. It compiles one kernel at a time in a process; so the longest, the Plackett–Luce sampler, is left to
a second process (``python -m core.analysis.compile_ahead``), which goes on with what later pages need.
"""

from __future__ import annotations

import os
import sys
from collections.abc import Iterable
from contextlib import suppress
from pathlib import Path
from threading import Thread

import llvmlite.binding as llvm
import numba
import numpy as np

from core.analysis.cases.case import (
    open_case,
    plausibility_table,
    predictions_table,
)
from core.analysis.cases.chosen import chosen_truths
from core.analysis.cases.dots import dot_table
from core.analysis.cases.simplex import simplex_of
from core.analysis.cases.worklist import worklist
from core.analysis.models.settings import ComparisonSettings
from core.analysis.raters.settings import RaterSettings
from core.analysis.reliability.sweep import metrics_at
from core.plausibility.aggregate import aggregate
from core.plausibility.candidates import candidates_of
from core.plausibility.draws import Draws
from core.plausibility.plackett_luce.sampler import sample_range
from core.plausibility.plackett_luce.shares import largest_shares
from core.plausibility.posterior import SampledPosterior
from core.plausibility.settings import Aggregation, models_for
from core.study.model import KINDS, Study, Task
from core.study.simulation.simulate import simulate

SAMPLER, ALL = "sampler", "all"
"""What the second process reports, in this order."""

_CASES, _FEW = 6, 3
_WHOLE, _FRACTIONAL = 3.0, 2.5
_MARK = "loupe-compiled"


def is_compiled() -> bool:
    """Whether everything was compiled ahead, by this numba for this processor, since the source changed."""
    mark = _mark()
    try:
        if mark is None or mark.read_bytes() != _compiler().encode():
            return False
        written = mark.stat().st_mtime
    except OSError:
        return False
    root = Path(__file__).parents[1]
    return all(path.stat().st_mtime <= written for path in root.rglob("*.py"))


def can_be_stored() -> bool:
    """Whether what one process compiles is there for another."""
    return _mark() is not None


def _mark() -> Path | None:
    """File that says that all is compiled; it lies where numba keeps the sampler, if anywhere."""
    folder = sample_range.stats.cache_path
    return None if folder is None else Path(folder) / _MARK


def _compiler() -> str:
    """Everything but the source that decides whether compiled code can be used."""
    return f"numba {numba.__version__}, Python {sys.version}, {llvm.get_host_cpu_name()}"


def compile_worklist() -> None:
    """Compile what a worklist of sampled plausibilities needs, the sampler apart."""
    study, task = _tiny("ranking")
    worklist(study, task, _sampled_posterior(task))


def _tiny(kind: str) -> tuple[Study, Task]:
    """Simulate a study that is only big enough for every kernel to be called."""
    study = simulate(kind, n_cases=_CASES, seed=0).study
    return study, next(iter(study.tasks.values()))


def _sampled_posterior(task: Task) -> SampledPosterior:
    """Make a posterior of the form that the sampler gives, without sampling."""
    candidates = candidates_of(task.readings, len(task.labels))
    n_draws = 2
    sizes, size = np.unique(candidates.unmentioned, return_inverse=True)
    return SampledPosterior(
        Draws(
            candidates,
            np.full((len(candidates.label), n_draws), 0.1, np.float32),
            np.full((candidates.n_cases, n_draws), 0.1, np.float32),
            largest_shares(sizes, 1.0, n_draws, 0),
            size.astype(np.int64),
            concentration=1.0,
        )
    )


def compile_all() -> Iterable[str]:
    """Compile the sampler, then all else; yield `SAMPLER`, then `ALL`, as each is ready."""
    study, task = _tiny("ranking")
    aggregate(study, task, Aggregation("plackett-luce", _WHOLE, draws=2, warmup=2))
    yield SAMPLER
    for kind in KINDS:
        study, task = _tiny(kind)
        for model in models_for(task):
            for reliability in (_WHOLE, _FRACTIONAL):
                _compute_pages(study, task, Aggregation(model, reliability))
    for kind in KINDS:
        _report_on(*_tiny(kind))
    mark = _mark()
    if mark is not None:
        with suppress(OSError):
            mark.parent.mkdir(parents=True, exist_ok=True)
            mark.write_bytes(_compiler().encode())
    yield ALL


def _compute_pages(study: Study, task: Task, aggregation: Aggregation) -> None:
    """Compute what the pages show at one aggregation."""
    worklist(study, task, aggregate(study, task, aggregation))
    case = open_case(study, task, aggregation, 0)
    for table in (plausibility_table, dot_table, predictions_table):
        table(case)
    simplex_of(case, 3)
    chosen_truths(case, [0])
    metrics_at(study, task, aggregation)


def _report_on(study: Study, task: Task) -> None:
    """Compute what the pages show of models, of disagreement and of raters."""
    # Half a second of imports that the first process, which reads this module too, need not wait for.
    from core.analysis.disagreement.forecasts import loss_table
    from core.analysis.disagreement.recalibrated import recalibrate
    from core.analysis.models.report import compare
    from core.analysis.raters.report import rater_report

    compare(study, settings=ComparisonSettings(n_draws=_FEW))
    rater_report(study, RaterSettings(resamples=_FEW))
    recalibrated = recalibrate(study, task, next(iter(task.predictions)), n_folds=_FEW)
    loss_table(study, task, recalibrated.forecasts())


def _end_with_parent() -> None:
    """Leave when whoever started this process has gone."""
    while os.read(sys.stdin.fileno(), 1):
        pass
    os._exit(1)


def main() -> None:
    """Compile everything; say on standard output what is ready."""
    Thread(target=_end_with_parent, daemon=True).start()
    for ready in compile_all():
        print(ready, flush=True)  # noqa: T201
        if ready == SAMPLER and hasattr(os, "nice"):
            os.nice(10)


if __name__ == "__main__":
    main()
