"""What an aggregation model learns from the cases of all parts, before any of them is measured."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import partial
from pathlib import Path

import numpy as np

from core.plausibility.dawid_skene import DawidSkene, fit_patterns
from core.plausibility.gaussian import ScorePrior, prior_of_moments, score_moments
from core.plausibility.pooled import POOLING, Pooled
from core.plausibility.reading_agreement import agreement_sums, mean_agreement
from core.plausibility.reading_patterns import ReadingPatterns, joined, patterns_of
from core.plausibility.settings import Aggregation
from core.progress import Progress
from core.streamed.arrays import load_arrays, part_file, save_arrays
from core.streamed.engine import Engine
from core.streamed.question import Question
from core.study.model import IntArray, Study, Task
from core.study.natural import natural_key
from core.study.partitions.reading import read_part

_FILE = "learnt.npz"
_GATHERING = 0.6
"""Share of the time that reading the parts takes, roughly."""


@dataclass(frozen=True)
class PoolingQuestion(Question):
    """What is to be learnt; what is learnt is kept in the folder too.

    Attributes
    ----------
    aggregation : Aggregation
        Its model learns from all cases at once, as those of `core.plausibility.pooled.POOLING` do.
    """

    aggregation: Aggregation


@dataclass(frozen=True, eq=False)
class Learnt:
    """What was learnt of all cases.

    Attributes
    ----------
    rater_ids : tuple of str
        Raters of the whole study, in its order: what was learnt counts these.
    pooled : Pooled
        What every part is aggregated with.
    """

    rater_ids: tuple[str, ...]
    pooled: Pooled

    def applied(self, study: Study, name: str) -> tuple[Study, Task]:
        """Study of some cases, and its task of that name, with the raters and parameters of the whole."""
        place = {rater: code for code, rater in enumerate(self.rater_ids)}
        code = np.array([place[rater] for rater in study.rater_ids], np.int32)
        tasks = {
            of.name: replace(of, readings=replace(of.readings, rater=code[of.readings.rater]))
            for of in study.tasks.values()
        }
        tasks[name] = replace(tasks[name], pooled=self.pooled)
        return replace(study, rater_ids=self.rater_ids, tasks=tasks), tasks[name]


def learn(question: PoolingQuestion, workers: Engine, tell: Progress) -> Path | None:
    """Learn what an aggregation model takes from all cases.

    Parameters
    ----------
    question : PoolingQuestion
        What is to be learnt.
    workers : Engine
        Who counts the parts; the fit to what they count is made here.
    tell : callable
        Called with the share done, in [0, 1], and what is being done.

    Returns
    -------
    Path or None
        Of a file for `read_learnt`; None for a model of single cases. The numbers are those of the study in
        memory, bit by bit, however it is divided: sums are of whole numbers, or run over cases in the
        order of the study, or over patterns of readings in an order of their own.

    Raises
    ------
    ValueError
        If Dawid–Skene has too many raters and labels for memory.
    StudyError
        If a part cannot be read.
    """
    if question.aggregation.model not in POOLING:
        return None
    question.folder.mkdir(parents=True, exist_ok=True)
    raters = workers.run(
        partial(_count, question),
        question.study.n_parts,
        lambda share: tell(_GATHERING * share, "what all cases say"),
    )
    rater_ids = tuple(sorted(set().union(*raters), key=natural_key))
    place = {rater: code for code, rater in enumerate(rater_ids)}
    codes = [np.array([place[rater] for rater in of], np.int64) for of in raters]
    tell(_GATHERING, "learning from all cases")
    pooled = _POOLED[question.aggregation.model](question, codes, len(rater_ids))
    path = question.folder / _FILE
    _write(path, Learnt(rater_ids, pooled))
    tell(1.0, "learnt")
    return path


def _count(question: PoolingQuestion, part: int) -> tuple[str, ...]:
    """Count what one part says of the parameters, and write it down; return its raters."""
    study = read_part(question.study, part, readings_only=True)
    task = study.tasks[question.task]
    match question.aggregation.model:
        case "gaussian":
            counted = dict(zip(("n", "mean", "squares"), score_moments(task.readings), strict=True))
        case "dawid-skene":
            counted = vars(patterns_of(task.readings, len(task.labels)))
            counted = {**counted, "n_labels": np.array(len(task.labels))}
        case _:
            counted = dict(
                zip(("n", "total"), agreement_sums(task.readings, len(study.rater_ids)), strict=True)
            )
    save_arrays(_counted(question, part), counted)
    return study.rater_ids


def _of_scores(question: PoolingQuestion, codes: Sequence[IntArray], _n_raters: int) -> Pooled:
    """Prior of scores from the number, mean and scatter of every case's scores."""
    parts = [load_arrays(_counted(question, part)) for part in range(len(codes))]
    n, mean, squares = (np.concatenate([of[name] for of in parts]) for name in ("n", "mean", "squares"))
    return Pooled("gaussian", prior=prior_of_moments(n, mean, squares) if n.any() else None)


def _of_agreement(question: PoolingQuestion, codes: Sequence[IntArray], n_raters: int) -> Pooled:
    """Accuracy of every rater from how often others agree, in all parts."""
    n, total = np.zeros(n_raters, np.int64), np.zeros(n_raters)
    for part, code in enumerate(codes):
        found = load_arrays(_counted(question, part))
        n[code] += found["n"]
        total[code] += found["total"]
    return Pooled("accuracy-weighted", accuracy=mean_agreement(n, total))


def _of_confusion(question: PoolingQuestion, codes: Sequence[IntArray], n_raters: int) -> Pooled:
    """Dawid–Skene fitted to the patterns of readings of all parts."""
    parts = [load_arrays(_counted(question, part)) for part in range(len(codes))]
    n_labels = int(parts[0]["n_labels"])
    patterns = joined(
        [ReadingPatterns(**{name: of for name, of in one.items() if name != "n_labels"}) for one in parts],
        codes,
        n_labels,
    )
    prior = question.aggregation.error_prior
    fitted = fit_patterns(patterns, n_labels, n_raters, diagonal=prior, total=prior)
    return Pooled("dawid-skene", prior, fitted=fitted)


_POOLED = {"gaussian": _of_scores, "accuracy-weighted": _of_agreement, "dawid-skene": _of_confusion}


def _counted(question: PoolingQuestion, part: int) -> Path:
    """File of what was counted of a part."""
    return part_file(question.folder, part, "counted")


def _write(path: Path, learnt: Learnt) -> None:
    """Write what was learnt as plain arrays."""
    pooled = learnt.pooled
    arrays = {"rater_ids": np.array(learnt.rater_ids, str), "model": np.array(pooled.model)}
    arrays["error_prior"] = np.array(pooled.error_prior)
    if pooled.accuracy is not None:
        arrays["accuracy"] = pooled.accuracy
    for name, of in (("fitted", pooled.fitted), ("prior", pooled.prior)):
        if of is not None:
            arrays |= {f"{name}.{key}": np.asarray(value) for key, value in vars(of).items()}
    save_arrays(path, arrays)


def read_learnt(path: Path) -> Learnt:
    """Read what `learn` wrote."""
    found = load_arrays(path)

    def fields(name: str) -> dict[str, np.ndarray]:
        return {key.split(".")[1]: of for key, of in found.items() if key.startswith(f"{name}.")}

    fitted, prior = fields("fitted"), fields("prior")
    converged = bool(fitted.pop("converged", False))
    pooled = Pooled(
        str(found["model"]),
        float(found["error_prior"]),
        accuracy=found.get("accuracy"),
        fitted=DawidSkene(**fitted, converged=converged) if fitted else None,
        prior=ScorePrior(**{key: float(value) for key, value in prior.items()}) if prior else None,
    )
    return Learnt(tuple(found["rater_ids"].tolist()), pooled)
