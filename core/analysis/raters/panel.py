"""The raters and cases that are looked at, and what their readings say as one label each."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from hashlib import blake2b

import numpy as np

from core.analysis.raters.identified import raters_are_identified
from core.metrics.agreement.rating_counts import RatingCounts, first_labels, first_readings, rating_counts
from core.study.brief import brief
from core.study.model import FloatArray, IntArray, Readings, Study, Task
from core.study.references import reference_codes
from core.study.seeds import case_seeds


@dataclass(frozen=True, eq=False)
class Panel:
    """Some raters and some cases of a task; everything on the page Raters is computed from it.

    Attributes
    ----------
    study, task
        Where the readings come from.
    rater_ids : tuple of str
        The raters looked at, in the study's order; codes of ``readings`` count these.
    case_ids : tuple of str
        The cases looked at, in the study's order.
    all_readings : Readings
        Of these raters and cases, repeated readings included, each one label (a choice). A differential
        counts with its first label, of tied ones one by lot, from the study's seed; a score with its side
        of the threshold.
    differentials : Readings
        The first reading of each rater and case, as it was made.
    reference : ndarray of int64 with shape (n_cases,)
        Code of the reference label of each case; −1 where there is none.
    identified : bool
        Whether a rater is the same person in every case; if not, nothing about single raters means anything.
    """

    study: Study
    task: Task
    rater_ids: tuple[str, ...]
    case_ids: tuple[str, ...]
    all_readings: Readings
    differentials: Readings
    reference: IntArray
    identified: bool

    __repr__ = brief

    @property
    def n_raters(self) -> int:
        """Number of raters looked at."""
        return len(self.rater_ids)

    @property
    def n_labels(self) -> int:
        """Labels of the task, 2 at least: the only label of a task stands beside "another"."""
        return max(len(self.task.labels), 2)

    @cached_property
    def key(self) -> str:
        """Short text that differs for different raters or cases of a task, to keep tables under."""
        digest = blake2b(digest_size=16)
        for ids in (self.rater_ids, self.case_ids):
            digest.update(repr(ids).encode())
        return digest.hexdigest()

    @cached_property
    def readings(self) -> Readings:
        """The first reading of each rater and case: nobody agrees with themselves."""
        return first_readings(self.all_readings)

    @property
    def code(self) -> IntArray:
        """Label of each of ``readings``."""
        return self.readings.label.astype(np.int64)

    @cached_property
    def counts(self) -> RatingCounts:
        """Labels of each case."""
        return rating_counts(self.readings, self.code, self.n_labels)

    def ordered_counts(self) -> RatingCounts:
        """Labels of each case as numbers 0, 1, 2 … in the label order; scores as they are."""
        if self.task.kind != "score":
            number = np.arange(self.n_labels, dtype=np.float64)
            return rating_counts(self.readings, self.code, self.n_labels, number=number)
        scores, code = np.unique(self.differentials.score, return_inverse=True)
        return rating_counts(self.differentials, code, len(scores), number=scores)

    @property
    def has_confidence(self) -> bool:
        """Whether any reading states a confidence."""
        return bool((~np.isnan(self.all_readings.confidence)).any())

    @property
    def has_reference(self) -> bool:
        """Whether any case has a reference label."""
        return bool((self.reference >= 0).any())

    def generator(self, purpose: str) -> np.random.Generator:
        """Source of randomness that depends on the study's seed and the purpose alone."""
        return generator_of(self.study.seed, purpose)


def generator_of(seed: int, purpose: str) -> np.random.Generator:
    """Source of randomness that depends on a study's seed and the purpose alone."""
    return np.random.default_rng(case_seeds(seed, ["raters"], purpose))


def panel(
    study: Study,
    task: Task,
    *,
    raters: Collection[str] | None = None,
    cases: Sequence[int] | IntArray | None = None,
) -> Panel:
    """Choose raters and cases of a task.

    Parameters
    ----------
    study, task
        Where the readings come from.
    raters : collection of str, optional
        Ids of the raters looked at; all that read something by default.
    cases : sequence of int, optional
        Indices of the cases looked at; all by default.

    Raises
    ------
    ValueError
        For an unknown rater, or where nothing is chosen.
    """
    chosen_cases = np.arange(study.n_cases) if cases is None else np.unique(np.asarray(cases, np.int64))
    if len(chosen_cases) == 0:
        raise ValueError("choose at least one case, got none")
    readings = task.readings if cases is None else task.readings.take_cases(chosen_cases)
    place = {rater: code for code, rater in enumerate(study.rater_ids)}
    if raters is None:
        codes = np.flatnonzero(np.bincount(task.readings.rater))
        if len(codes) == 0:
            raise ValueError(f"there are no raters to look at: no case of task {task.name!r} was read")
    else:
        unknown = [rater for rater in raters if rater not in place]
        if unknown:
            raise ValueError(
                f"raters must be some of {_listed(study.rater_ids)}, got {_listed(sorted(unknown))}"
            )
        codes = np.array(sorted({place[rater] for rater in raters}), np.int64)
    if len(codes) == 0:
        raise ValueError("choose at least one rater, got none")
    new = np.full(len(study.rater_ids), -1, np.int32)
    new[codes] = np.arange(len(codes))
    readings = _of_raters(readings, new)
    return Panel(
        study,
        task,
        tuple(study.rater_ids[code] for code in codes),
        study.case_ids if cases is None else tuple(study.case_ids[case] for case in chosen_cases),
        _choices(readings, _codes(study, task, readings, codes, chosen_cases)),
        first_readings(readings),
        reference_codes(study, task)[chosen_cases],
        raters_are_identified(study, task),
    )


def busiest(chosen: Panel, most: int) -> Panel:
    """Panel of the raters who read most cases, at most so many; of equals those that come first.

    They keep the study's order. A panel with no more raters is returned as it is.
    """
    if chosen.n_raters <= most:
        return chosen
    n_cases = np.bincount(chosen.readings.rater, minlength=chosen.n_raters)
    codes = np.sort(np.argsort(-n_cases, kind="stable")[:most])
    new = np.full(chosen.n_raters, -1, np.int32)
    new[codes] = np.arange(most)
    return replace(
        chosen,
        rater_ids=tuple(chosen.rater_ids[code] for code in codes),
        all_readings=_of_raters(chosen.all_readings, new),
        differentials=_of_raters(chosen.differentials, new),
    )


def _of_raters(readings: Readings, new: IntArray) -> Readings:
    """Readings of the raters that have a new code, −1 being none."""
    kept = readings.keep(new[readings.rater] >= 0)
    return replace(kept, rater=new[kept.rater])


def _listed(names: Sequence[str], most: int = 20) -> str:
    """The first of many names."""
    more = f" and {len(names) - most:,} more" if len(names) > most else ""
    return ", ".join(names[:most]) + more


def _codes(study: Study, task: Task, readings: Readings, raters: IntArray, cases: IntArray) -> IntArray:
    """The one label that each reading stands for; lots depend on case, rater and repeat, on no order."""
    if task.kind == "score":
        return _side(task, readings.score)

    def lot(tied: IntArray) -> IntArray:
        """Numbers for readings whose first place several labels share."""
        names = [
            f"{study.case_ids[cases[readings.case[r]]]}\0{study.rater_ids[raters[readings.rater[r]]]}"
            f"\0{readings.repeat[r]}"
            for r in tied
        ]
        return (case_seeds(study.seed, names, "first label of a reading") >> np.uint64(1)).astype(np.int64)

    by_name = np.argsort(np.argsort(np.array(task.labels, dtype=str)))
    return first_labels(readings, rank=by_name, lot=lot)


def _side(task: Task, score: FloatArray) -> IntArray:
    """Side of the threshold that each score is on."""
    if task.threshold is None:
        raise ValueError(f"task {task.name!r} needs a threshold")
    return (score >= task.threshold).astype(np.int64)


def _choices(readings: Readings, code: IntArray) -> Readings:
    """Readings that say one label each."""
    n = readings.n_readings
    return replace(
        readings,
        entry_start=np.arange(n + 1, dtype=np.int64),
        label=code.astype(np.int32),
        block=np.zeros(n, np.int32),
    )
