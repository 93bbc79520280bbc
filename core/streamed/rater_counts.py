"""What one part of a study says of its raters, as sums, and its readings as plain codes."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path

import numpy as np

from core.analysis.raters.accuracy import readings_right
from core.analysis.raters.identified import Numbering, numbering
from core.analysis.raters.pairs import compare_differentials
from core.analysis.raters.panel import Panel, panel
from core.analysis.raters.profiles import self_agreement_sums, worth_of
from core.metrics.agreement.concordance import variability_sums
from core.metrics.agreement.pairs import MOST_RATERS
from core.metrics.agreement.rater_accuracy import severity
from core.metrics.exact_sums import Moments, moments
from core.plausibility.reading_patterns import patterns_of, patterns_of_cases
from core.streamed.arrays import load_arrays, part_file, save_arrays
from core.streamed.distinct import keep_ids
from core.streamed.question import Question
from core.streamed.rater_pairs import are_too_many, count_pairs
from core.study.model import FloatArray, IntArray, Kind, Readings, Study, Task
from core.study.partitions.reading import read_part

READINGS, EVERY, LABELS, VALUES, PATTERNS, PAIRS, OVERLAPS = (
    "readings", "every", "labels", "values", "patterns", "pairs", "overlaps",
)  # fmt: skip
"""Folders of what is kept of each part."""


@dataclass(frozen=True)
class RaterQuestion(Question):
    """What is asked of every part about its raters.

    Attributes
    ----------
    raters : tuple of str
        Raters looked at; empty for all.
    gold : bool
        Whether references are known truths where raters' confusion is estimated.
    """

    raters: tuple[str, ...]
    gold: bool


@dataclass(frozen=True, eq=False)
class RaterCounts:
    """What one part says of its raters; arrays have the shape (n_raters,), of the raters of the part.

    Attributes
    ----------
    every : tuple of str
        All who read anything in the part, whatever the task.
    rater_ids : tuple of str
        Of these the ones looked at.
    n_cases, n_readings, n_read : int
        Cases; readings of the raters looked at; cases with such a reading.
    readings, cases : ndarray of int
        Readings, repeats included, and cases read.
    again, same : ndarray
        Repeated readings, and how many of them have the label of the first.
    variability : ndarray of float64 with shape (4, n_raters)
        As `core.metrics.agreement.concordance.variability_sums` has it.
    means : mapping of str to list of Moments
        Of each rater's readings: "accuracy_reference", "accuracy_majority", "confidence",
        "overconfidence_reference", "overconfidence_majority", "severity".
    n_stated : int
        First readings that state a confidence.
    has_reference : bool
        Whether any case has a reference label.
    """

    every: tuple[str, ...]
    rater_ids: tuple[str, ...]
    n_cases: int
    n_readings: int
    n_read: int
    readings: IntArray
    cases: IntArray
    again: IntArray
    same: FloatArray
    variability: FloatArray
    means: Mapping[str, list[Moments]]
    n_stated: int
    has_reference: bool


def count_raters(asked: RaterQuestion, part: int) -> RaterCounts:
    """Count what one part says of its raters, and keep its readings as codes.

    Raises
    ------
    StudyError
        If the part cannot be read.
    """
    study = read_part(asked.study, part, readings_only=True)
    keep_ids(asked, part, study.case_ids)
    task = study.tasks[asked.task]
    chosen = _panel(study, task, asked.raters)
    _keep(asked, part, task, chosen)
    readings, n = chosen.readings, chosen.n_raters
    again, same = self_agreement_sums(chosen)
    return RaterCounts(
        every=study.rater_ids,
        rater_ids=chosen.rater_ids,
        n_cases=study.n_cases,
        n_readings=chosen.all_readings.n_readings,
        n_read=int((readings.per_case > 0).sum()),
        readings=np.bincount(chosen.all_readings.rater, minlength=n),
        cases=np.bincount(readings.rater, minlength=n),
        again=again,
        same=same,
        variability=variability_sums(chosen.all_readings, n),
        means=_means(chosen),
        n_stated=int((~np.isnan(readings.confidence)).sum()),
        has_reference=chosen.has_reference,
    )


def _panel(study: Study, task: Task, raters: tuple[str, ...]) -> Panel:
    """Panel of the raters that a part has; it may have none."""
    own = [rater for rater in raters or study.rater_ids if rater in set(study.rater_ids)]
    found = panel(study, task, raters=own or study.rater_ids[:1])
    if own:
        return found
    none = found.all_readings.keep(np.zeros(found.all_readings.n_readings, bool))
    nobody = found.differentials.keep(np.zeros(found.differentials.n_readings, bool))
    return replace(found, rater_ids=(), all_readings=none, differentials=nobody)


def _means(chosen: Panel) -> dict[str, list[Moments]]:
    """Sums of every rater's readings."""
    readings = chosen.readings
    right = {
        "reference": readings_right(chosen, "reference"),
        "majority": readings_right(chosen, "majority"),
    }
    values = {
        **{f"accuracy_{judge}": of for judge, of in right.items()},
        "confidence": readings.confidence,
        **{f"overconfidence_{judge}": readings.confidence - of for judge, of in right.items()},
        "severity": severity(readings, worth_of(chosen)[0]),
    }
    order = np.argsort(readings.rater, kind="stable")
    ends = np.cumsum(np.bincount(readings.rater, minlength=chosen.n_raters))
    return {
        name: [moments(of) for of in np.split(value[order], ends[:-1])] if chosen.n_raters else []
        for name, value in values.items()
    }


def _keep(asked: RaterQuestion, part: int, task: Task, chosen: Panel) -> None:
    """Write the readings of a part as codes, and how often patterns and pairs of them come."""

    def save(what: str, **arrays: np.ndarray) -> None:
        save_arrays(part_file(asked.folder, part, what), arrays)

    readings = chosen.readings
    stated = {} if np.isnan(readings.confidence).all() else {"confidence": readings.confidence}
    save(READINGS, case_start=readings.case_start, rater=readings.rater, label=readings.label, **stated)
    every = task.readings
    labels = {"label": every.label} if task.kind == "choice" else {}
    save(EVERY, case_start=every.case_start, rater=every.rater, **labels)
    found, of_case = patterns_of_cases(_of_values(readings, readings.label), 1)
    save(LABELS, **vars(found), of_case=of_case)
    if task.kind == "score":
        scores, code = np.unique(chosen.differentials.score, return_inverse=True)
        found, of_case = patterns_of_cases(_of_values(chosen.differentials, code.astype(np.int32)), 1)
        save(VALUES, **vars(found), of_case=of_case, scores=scores)
    known = chosen.reference if asked.gold else None
    save(PATTERNS, **vars(patterns_of(readings, chosen.n_labels, known=known)))
    if not are_too_many(chosen.n_raters, chosen.n_labels) and chosen.n_raters <= MOST_RATERS:
        pairs = count_pairs(readings, chosen.n_labels, chosen.n_raters)
        place = np.flatnonzero(pairs)
        save(PAIRS, place=place, count=pairs.ravel()[place], n_labels=np.array(chosen.n_labels))
        if task.kind == "ranking":
            alike = compare_differentials(chosen)
            save(OVERLAPS, **vars(alike))


def _of_values(readings: Readings, value: IntArray) -> Readings:
    """Readings that say a value, whoever gives them: the value stands for the rater, beside one label."""
    return replace(readings, rater=value, label=np.zeros(len(value), np.int32))


def load_readings(folder: Path, part: int, code: IntArray, *, every: bool = False) -> Readings:
    """First readings of a part by the raters looked at, or all of them, with the given codes of raters."""
    found = load_arrays(part_file(folder, part, EVERY if every else READINGS))
    n = len(found["rater"])
    unsaid, none = np.broadcast_to(np.nan, n), np.broadcast_to(np.int32(0), n)
    return Readings(
        case_start=found["case_start"],
        rater=code[found["rater"]].astype(np.int32),
        repeat=np.broadcast_to(np.int32(1), n),
        confidence=found.get("confidence", unsaid),
        score=unsaid,
        entry_start=np.arange(n + 1, dtype=np.int64),
        label=found.get("label", none),
        block=none,
    )


def see_numbering(asked: RaterQuestion, kind: Kind, numbers: Sequence[IntArray], part: int) -> Numbering:
    """See how numbered raters come in a part; for each part, the number of each of its raters."""
    every = np.arange(len(numbers[part]))
    return numbering(load_readings(asked.folder, part, every, every=True), numbers[part], kind)
