"""A study in parts, evaluated: what `core.analysis.evaluate` says, from sums over its parts."""

from __future__ import annotations

import os
from collections.abc import Mapping
from dataclasses import dataclass
from functools import partial
from pathlib import Path

import numpy as np
import pandas as pd

from core.analysis.cases.worklist import worklist_of
from core.analysis.portions import FEWEST_FOR_DEVIATION, draws_for_spread
from core.analysis.reliability.measure_sums import MeasureSums
from core.metrics.exact_sums import Moments
from core.metrics.soft.in_order import RankedInOrder
from core.plausibility.aggregate import require_suited
from core.plausibility.settings import Aggregation, AggregationChoice
from core.progress import Progress
from core.streamed.distinct import require_distinct
from core.streamed.engine import Engine
from core.streamed.evaluation_part import BINS, EvaluationQuestion, PartResult
from core.streamed.files import scratch_in
from core.streamed.part import BRIER, LOG_LOSS, measure_part
from core.streamed.patterns import MOST_PATTERNS, agreement_table, joined_patterns
from core.streamed.pooling import Learnt, PoolingQuestion, learn, read_learnt
from core.streamed.ranking import rank_label
from core.streamed.sample import MOST_CASES, least_certain, read_cases
from core.study.model import Study, Task
from core.study.partitions.manifest import Partitions
from core.study.partitions.reading import read_part

MOST_LABELS = 25
"""Labels that models are ranked by unless some are chosen: the first of the task."""
NO_AGREEMENT = "There are no coefficients of agreement"
"""Begins the note that says why."""
_LEARNING, _MEASURING, _RANKING = 0.25, 0.85, 0.95
"""Shares of the time up to which, roughly, is learnt, measured and ranked."""
_LABEL_COLUMNS = ["label", "model", "metric", "value", "standard_error", "n_cases"]
"""Of the table by label."""


@dataclass(frozen=True, eq=False)
class StreamedEvaluation:
    """What a study in parts comes to.

    Attributes
    ----------
    tables : mapping of str to DataFrame
        ``metrics`` (`core.analysis.reliability.sweep.metrics_at`), ``by_label`` (label, model, metric, value,
        standard error over cases, cases), ``agreement`` (`core.streamed.patterns.agreement_table`),
        ``certainty`` (cases by certainty, in hundredths), ``least_certain``
        (`core.analysis.cases.worklist.worklist` of the least certain cases) and ``facts``.
    study : Study
        The least certain cases, in memory.
    task : Task
        Of that study.
    aggregation : Aggregation
        Model and reliability in force.
    notes : tuple of str
        What reading warns of, and what is left out.
    """

    tables: Mapping[str, pd.DataFrame]
    study: Study
    task: Task
    aggregation: Aggregation
    notes: tuple[str, ...]


@dataclass(frozen=True)
class StreamedChoice:
    """What is asked of a study in parts.

    Attributes
    ----------
    chosen : AggregationChoice
        Aggregation model, its reliability and options.
    task : str, optional
        The study's first by default.
    labels : tuple of str
        Labels that models are ranked by; all by default, or the first `MOST_LABELS`.
    most : int
        Cases of the worklist.
    """

    chosen: AggregationChoice
    task: str | None = None
    labels: tuple[str, ...] = ()
    most: int = MOST_CASES


def evaluate_parts(
    study: Partitions,
    asked: StreamedChoice,
    cases: Path,
    workers: Engine,
    *,
    progress: Progress | None = None,
) -> StreamedEvaluation:
    """Aggregate one task of a study in parts and measure everything that is a sum over cases.

    Parameters
    ----------
    study : Partitions
        In parts.
    asked : StreamedChoice
        What is asked.
    cases : Path
        Folder for what is known of each case, a Parquet file a part; it comes into being.
    workers : Engine
        Who does the work; the numbers do not depend on it.
    progress : callable, optional
        Called with the share done, in [0, 1], and what is being done.

    Returns
    -------
    StreamedEvaluation
        Means and standard errors over cases are the nearest numbers to the exact ones, however the study is
        divided; spreads over draws add rounding errors of some 1e-15.

    Raises
    ------
    ValueError
        For a task, label or model that does not exist or does not suit.
    StudyError
        If a part cannot be read.
    """
    tell = progress or (lambda _share, _what: None)
    tell(0.0, "part 1")
    task = _first_task(study, asked.task)
    aggregation = asked.chosen.for_task(task)
    require_suited(task, aggregation)  # Before any part is read.
    cases = Path(os.path.realpath(cases))  # Workers may run in other folders.
    cases.mkdir(parents=True, exist_ok=True)
    with scratch_in(cases.parent, prefix=".scores-") as scores:
        labels = _labels(task, asked.labels) if task.predictions else ()
        pooling = PoolingQuestion(study, task.name, scores / "learnt", aggregation)
        path = learn(pooling, workers, lambda share, what: tell(_LEARNING * share, what))
        learnt = None if path is None else read_learnt(path)
        question = EvaluationQuestion(study, task.name, scores, aggregation, labels, cases, path)
        results, ranked = _measured(question, workers, tell)
        agreement, left_out = _agreement(question, task)
    tell(_RANKING, "least certain cases")
    positions, _ = least_certain(study, cases, most=asked.most)
    some = read_cases(study, positions)
    if learnt is not None:
        some, _ = learnt.applied(some, task.name)
    tables = _tables(study, task, aggregation, labels, results, ranked)
    if agreement is not None:
        tables["agreement"] = agreement
    tables["least_certain"] = worklist_of(some, some.tasks[task.name], aggregation)
    tell(1.0, "done")
    notes = (*left_out, *_notes(results, learnt))
    return StreamedEvaluation(tables, some, some.tasks[task.name], aggregation, notes)


def _measured(
    question: EvaluationQuestion, workers: Engine, tell: Progress
) -> tuple[list[PartResult], list[list[RankedInOrder]]]:
    """Measure all parts, and rank by every label where all models predicted a case."""
    n_parts, begun = question.study.n_parts, 0.0 if question.learnt is None else _LEARNING
    results = workers.run(
        partial(measure_part, question),
        n_parts,
        lambda share: tell(begun + (_MEASURING - begun) * share, f"{n_parts:,} parts"),
    )
    for left in question.cases.glob(".*"):  # By workers that were lost while they wrote.
        left.unlink(missing_ok=True)
    require_distinct(question)
    if not question.labels or sum(one.n_common for one in results) == 0:
        return results, []
    ranked = workers.run(
        partial(rank_label, question),
        len(question.labels),
        lambda share: tell(_MEASURING + (_RANKING - _MEASURING) * share, "ranking"),
    )
    return results, ranked


def _agreement(question: EvaluationQuestion, task: Task) -> tuple[pd.DataFrame | None, tuple[str, ...]]:
    """Coefficients of agreement, and why there are none; a score task, whose scores have no end, has none."""
    if task.kind == "score":
        return None, ()
    patterns = joined_patterns(question.folder, question.study.n_parts)
    if patterns is None:
        what = f"cases are answered in more than {MOST_PATTERNS:,} ways, which are not all counted here"
        return None, (f"{NO_AGREEMENT}: {what}; `loupe raters` counts them.",)
    return agreement_table(patterns, len(task.labels)) if patterns else None, ()


def _notes(results: list[PartResult], learnt: Learnt | None) -> tuple[str, ...]:
    """Warnings of all parts, one of each kind, with how many there are of it; and of a fit that goes on."""
    kinds: dict[str, list[str]] = {}
    for one in results:
        for what, mend in one.notes:
            kinds.setdefault(mend, []).append(what)
    fitted = None if learnt is None else learnt.pooled.fitted
    if fitted is not None and not fitted.converged:
        n = len(fitted.log_posterior)
        kinds[f"It was ended after {n:,} steps."] = ["Dawid–Skene still changes from step to step"]
    return tuple(
        f"{what[0]}. {mend}" + (f" ({len(what) - 1:,} more like this)" if len(what) > 1 else "")
        for mend, what in kinds.items()
    )


def _first_task(study: Partitions, name: str | None) -> Task:
    """Task as the first part has it."""
    wanted = next(iter(study.settings.tasks)) if name is None else name
    if wanted not in study.settings.tasks:
        raise ValueError(f"task must be one of {', '.join(study.settings.tasks)}, got {name!r}")
    return read_part(study, 0).tasks[wanted]


def _labels(task: Task, chosen: tuple[str, ...]) -> tuple[str, ...]:
    unknown = [label for label in chosen if label not in task.labels]
    if unknown:
        shown = ", ".join(task.labels[:20]) + (" …" if len(task.labels) > 20 else "")
        raise ValueError(f"label must be one of {shown}, got {unknown[0]!r}")
    return chosen or task.labels[:MOST_LABELS]


def _tables(
    study: Partitions,
    task: Task,
    aggregation: Aggregation,
    labels: tuple[str, ...],
    results: list[PartResult],
    ranked: list[list[RankedInOrder]],
) -> dict[str, pd.DataFrame]:
    """All tables but the worklist."""
    sums: MeasureSums = results[0].sums
    for one in results[1:]:
        sums = sums.joined(one.sums)
    n_draws = draws_for_spread(study.n_cases, fewest=FEWEST_FOR_DEVIATION)
    tables = {"metrics": sums.table(aggregation, n_draws)}
    if ranked:
        tables["by_label"] = _by_label(task, labels, results, ranked)
    histogram = np.sum([one.histogram for one in results], axis=0)
    edges = np.arange(BINS + 1) / BINS
    tables["certainty"] = pd.DataFrame({"from": edges[:-1], "to": edges[1:], "cases": histogram})
    raters = frozenset().union(*(one.raters for one in results))
    tables["facts"] = pd.DataFrame(
        [
            ("cases", study.n_cases),
            ("parts", study.n_parts),
            ("cases read", sum(one.n_read for one in results)),
            ("cases read and predicted by every model", sum(one.n_common for one in results)),
            ("readings", sum(one.n_readings for one in results)),
            ("raters", len(raters)),
            ("labels", len(task.labels)),
            ("models", len(task.predictions)),
        ],
        columns=["fact", "value"],
    )
    return tables


def _by_label(
    task: Task, labels: tuple[str, ...], results: list[PartResult], ranked: list[list[RankedInOrder]]
) -> pd.DataFrame:
    """Ranking metrics and soft losses of every model for every label."""
    losses: dict[tuple[str, str, str], Moments] = {}
    for one in results:
        for key, value in one.losses.items():
            losses[key] = losses.get(key, Moments()) + value
    rows: list[tuple[object, ...]] = []
    for label, of_models in zip(labels, ranked, strict=True):
        for model, found in zip(task.predictions, of_models, strict=True):
            rows.append((label, model, "s-AUROC", found.auroc, found.auroc_error, found.n_cases))
            rows.append((label, model, "s-AP", found.ap, found.ap_error, found.n_cases))
            for metric in (BRIER, LOG_LOSS):
                if (model, label, metric) in losses:
                    e = losses[model, label, metric].estimate()
                    rows.append((label, model, metric, e.value, e.standard_error, e.n_cases))
    return pd.DataFrame(rows, columns=_LABEL_COLUMNS)
