"""One part of a study: read, aggregated and measured as if it were a study of its own."""

from __future__ import annotations

from functools import partial
from pathlib import Path

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq
from numpy.typing import NDArray

from core.analysis.models.comparison import mean_vote, votes
from core.analysis.portions import aggregate_portion, portions
from core.analysis.reliability.measures import TOP_1, Measures
from core.analysis.tied_labels import labels_in_words
from core.metrics.exact_sums import Moments, moments
from core.metrics.soft.metrics import log_losses
from core.plausibility.posterior import Posterior
from core.streamed.distinct import keep_ids
from core.streamed.evaluation_part import BINS, EvaluationQuestion, PartResult
from core.streamed.files import whole_file
from core.streamed.patterns import count_patterns, keep_patterns
from core.streamed.pooling import read_learnt
from core.study.model import FloatArray, Study, Task
from core.study.partitions.manifest import part_name
from core.study.partitions.reading import read_part

CERTAINTY = "certainty"
BRIER, LOG_LOSS = "soft Brier score", "soft log loss"
_OF_CERTAINTY = ("annotations", "top-1 certainty")


def measure_part(question: EvaluationQuestion, part: int) -> PartResult:
    """Measure one part, and write down what is known of its cases.

    Parameters
    ----------
    question : EvaluationQuestion
        What is asked.
    part : int
        Counted from 0. Doing a part twice leaves the same files.

    Raises
    ------
    StudyError
        If the part cannot be read.
    """
    study = read_part(question.study, part)
    raters, task = frozenset(study.rater_ids), study.tasks[question.task]
    keep_ids(question, part, study.case_ids)
    if task.kind != "score":
        keep_patterns(question.folder, part, count_patterns(study, task))
    if question.learnt is not None:
        study, task = read_learnt(question.learnt).applied(study, question.task)
    measures = Measures(study, task, question.aggregation, n_cases=question.study.n_cases)
    leading: list[NDArray[np.object_]] = []
    for cases in portions(task, question.aggregation, n_draws=measures.n_draws):
        posterior = aggregate_portion(study, task, question.aggregation, cases)
        measures.add(cases, posterior)
        leading.append(_leading(posterior, task.labels))
    per_case = measures.per_case
    certainty = per_case[_OF_CERTAINTY]
    _write_cases(question, part, study, task, np.concatenate(leading), per_case)
    read = task.readings.per_case > 0
    common = read & _covered(task)
    losses = _write_scores(question, part, task, common)
    known = certainty[~np.isnan(certainty)]
    place = np.minimum((known * BINS).astype(np.int64), BINS - 1)
    return PartResult(
        sums=measures.sums,
        losses=losses,
        histogram=np.bincount(place, minlength=BINS),
        n_readings=task.readings.n_readings,
        n_read=int(read.sum()),
        n_common=int(common.sum()) if task.predictions else 0,
        raters=raters,
        notes=tuple((problem.what, problem.mend) for problem in study.notes),
    )


def _leading(posterior: Posterior, labels: tuple[str, ...]) -> NDArray[np.object_]:
    """Label of each case that leads most often; of equals all of them."""
    candidates, top = posterior.candidates, posterior.top1
    best = np.full(candidates.n_cases, -np.inf)
    np.maximum.at(best, candidates.case, top.candidate)
    leads = np.flatnonzero((top.candidate == best[candidates.case]) & (top.candidate > 0))
    return labels_in_words(candidates.n_cases, candidates.case[leads], candidates.label[leads], labels)


def _covered(task: Task) -> NDArray[np.bool_]:
    """Cases that every model predicted."""
    found = np.ones(task.readings.n_cases, bool)
    for predictions in task.predictions.values():
        found &= predictions.covered
    return found


def _write_cases(
    question: EvaluationQuestion,
    part: int,
    study: Study,
    task: Task,
    leading: NDArray[np.object_],
    per_case: dict[tuple[str, str], FloatArray],
) -> None:
    """Write what is known of each case: readings, certainty, leading label, how probably a model is right."""
    columns: dict[str, pa.Array] = {
        "case_id": pa.array(study.case_ids, pa.string()),
        "readings": pa.array(task.readings.per_case, pa.int32()),
        CERTAINTY: pa.array(per_case[_OF_CERTAINTY], from_pandas=True),
        "leading": pa.array(leading, pa.string()).dictionary_encode(),
    }
    for model in task.probability_models:
        columns[f"{model}: right"] = pa.array(per_case[model, TOP_1], from_pandas=True)
    path = question.cases / f"{part_name(part)}.parquet"
    texts = ["leading"]
    whole_file(path, lambda beside: pq.write_table(pa.table(columns), beside, use_dictionary=texts))


def _write_scores(
    question: EvaluationQuestion, part: int, task: Task, common: NDArray[np.bool_]
) -> dict[tuple[str, str, str], Moments]:
    """Write soft labels and scores of the cases that all models predicted, and sum their soft losses."""
    losses: dict[tuple[str, str, str], Moments] = {}
    with_losses = frozenset(task.probability_models)
    for place, label in enumerate(question.labels):
        p = mean_vote(task.readings, votes(task, label))[common]
        rows = []
        for model in task.predictions:
            of = task.predictions[model]
            if of.score is None:
                score = of.probability[common, task.labels.index(label)]
            else:
                score = task.ranking_score(model, label)[common]
            rows.append(score)
            if model in with_losses:
                losses |= _losses(model, label, p, score)
        scores = np.array(rows, np.result_type(*rows) if rows else np.float64)
        whole_file(soft_path(question.folder, place, part), partial(_save, array=p))
        whole_file(score_path(question.folder, place, part), partial(_save, array=scores))
    return losses


def _losses(model: str, label: str, p: FloatArray, score: FloatArray) -> dict[tuple[str, str, str], Moments]:
    """Sums of the soft losses of a model that gives probabilities."""
    score = score.astype(np.float64)
    if_positive, if_negative = log_losses(score)
    brier = p * (1 - score) ** 2 + (1 - p) * score**2
    return {
        (model, label, BRIER): moments(brier),
        (model, label, LOG_LOSS): moments(p * if_positive + (1 - p) * if_negative),
    }


def soft_path(folder: Path, label: int, part: int) -> Path:
    """File of the soft labels of a part's cases, with shape (n_common,)."""
    return folder / f"{label:05d}" / f"{part_name(part)}-soft.npy"


def score_path(folder: Path, label: int, part: int) -> Path:
    """File of the scores of a part's cases, with shape (n_models, n_common)."""
    return folder / f"{label:05d}" / f"{part_name(part)}-scores.npy"


def _save(path: Path, array: FloatArray) -> None:
    with path.open("wb") as out:
        np.save(out, array, allow_pickle=False)
