"""The study in memory: tasks, readings and predictions as flat arrays of integer codes.

Nothing here is ever a dense cases × raters × labels block: readings are kept in compressed-row form,
so their cost grows with the number of annotations and not with the number of labels.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Literal

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from core.study.brief import first_names, number_of
from core.study.problems import Problem

Kind = Literal["choice", "ranking", "score"]
PredictionKind = Literal["probability", "score"]
IntArray = NDArray[np.integer]
FloatArray = NDArray[np.floating]

KINDS: tuple[Kind, ...] = ("choice", "ranking", "score")
RISK_NAMES = ("low", "medium", "high")
LOW_RISK, MEDIUM_RISK, HIGH_RISK = range(len(RISK_NAMES))
UNKNOWN_RISK = -1


def freeze(array: np.ndarray) -> np.ndarray:
    """Make an array read-only, in place, and return it: studies are shared between threads."""
    array.setflags(write=False)
    return array


@dataclass(frozen=True, eq=False)
class Readings:
    """All readings of one task, sorted by case.

    A reading is one rater's annotation of one case. It holds entries: the labels named, each in a block;
    labels of one block are tied. A choice is a reading with a single entry; a score has no entries.

    Attributes
    ----------
    case_start : ndarray of int64 with shape (n_cases + 1,)
        Readings of case ``i`` are ``case_start[i]:case_start[i + 1]``.
    rater : ndarray of int32 with shape (n_readings,)
        Index into the study's ``rater_ids``.
    repeat : ndarray of int32 with shape (n_readings,)
        Number of the reading among those of the same case by the same rater, from 1.
    confidence : ndarray of float64 with shape (n_readings,)
        In [0, 1]; NaN where none was given.
    score : ndarray of float64 with shape (n_readings,)
        The number given, for a score task; NaN otherwise.
    entry_start : ndarray of int64 with shape (n_readings + 1,)
        Entries of reading ``r`` are ``entry_start[r]:entry_start[r + 1]``.
    label : ndarray of int32 with shape (n_entries,)
        Index into the task's ``labels``.
    block : ndarray of int32 with shape (n_entries,)
        0 for the labels ranked first, 1 for the next, without gaps and ascending within a reading.
    """

    case_start: IntArray
    rater: IntArray
    repeat: IntArray
    confidence: FloatArray
    score: FloatArray
    entry_start: IntArray
    label: IntArray
    block: IntArray

    def __post_init__(self) -> None:
        for name in self.__dataclass_fields__:
            freeze(getattr(self, name))

    def __repr__(self) -> str:
        return f"Readings({number_of(self.n_readings, 'reading')} of {number_of(self.n_cases, 'case')})"

    @property
    def n_cases(self) -> int:
        """Number of cases, those without a reading included."""
        return len(self.case_start) - 1

    @property
    def n_readings(self) -> int:
        """Number of readings of all cases."""
        return len(self.rater)

    @property
    def per_case(self) -> IntArray:
        """Number of readings of each case, with shape (n_cases,)."""
        return np.diff(self.case_start)

    @property
    def case(self) -> IntArray:
        """Case index of each reading, with shape (n_readings,)."""
        return np.repeat(np.arange(self.n_cases), self.per_case)

    @property
    def entry_reading(self) -> IntArray:
        """Reading index of each entry, with shape (n_entries,)."""
        return np.repeat(np.arange(self.n_readings), np.diff(self.entry_start))

    def of_case(self, case: int) -> range:
        """Indices of the readings of one case."""
        return range(int(self.case_start[case]), int(self.case_start[case + 1]))

    def differential(self, reading: int) -> list[list[int]]:
        """Return the blocks of one reading, first choice first, each a list of label codes."""
        entries = slice(int(self.entry_start[reading]), int(self.entry_start[reading + 1]))
        blocks: list[list[int]] = []
        for label, block in zip(self.label[entries].tolist(), self.block[entries].tolist(), strict=True):
            if block == len(blocks):
                blocks.append([])
            blocks[block].append(label)
        return blocks

    def keep(self, mask: NDArray[np.bool_]) -> Readings:
        """Return the readings where ``mask``, with shape (n_readings,), is true; all cases stay."""
        kept = np.flatnonzero(mask)
        lengths = np.diff(self.entry_start)[kept]
        entry_mask = np.repeat(mask, np.diff(self.entry_start))
        counts = np.bincount(self.case[kept], minlength=self.n_cases)
        return Readings(
            case_start=_starts(counts),
            rater=self.rater[kept],
            repeat=self.repeat[kept],
            confidence=self.confidence[kept],
            score=self.score[kept],
            entry_start=_starts(lengths),
            label=self.label[entry_mask],
            block=self.block[entry_mask],
        )

    def take_cases(self, cases: IntArray | Sequence[int]) -> Readings:
        """Return the readings of the given cases, in the given order, renumbered from 0."""
        cases = np.asarray(cases, dtype=np.int64)
        reading = _ranges(self.case_start[cases], self.per_case[cases])
        entry = _ranges(self.entry_start[reading], np.diff(self.entry_start)[reading])
        return Readings(
            case_start=_starts(self.per_case[cases]),
            rater=self.rater[reading],
            repeat=self.repeat[reading],
            confidence=self.confidence[reading],
            score=self.score[reading],
            entry_start=_starts(np.diff(self.entry_start)[reading]),
            label=self.label[entry],
            block=self.block[entry],
        )


def _starts(lengths: IntArray) -> IntArray:
    """Row starts of a compressed-row layout with rows of the given lengths."""
    return np.concatenate([[0], np.cumsum(lengths)]).astype(np.int64)


def _ranges(first: IntArray, lengths: IntArray) -> IntArray:
    """Concatenate ``first[i], first[i] + 1, …`` for each i, ``lengths[i]`` long."""
    offsets = np.arange(int(lengths.sum())) - np.repeat(np.cumsum(lengths) - lengths, lengths)
    return np.repeat(first, lengths) + offsets


@dataclass(frozen=True, eq=False)
class Predictions:
    """What one model predicts for the cases of one task: probabilities of the labels, or mere scores.

    Attributes
    ----------
    model : str
        Name of the model.
    probability : ndarray of float64 or float32 with shape (n_cases, n_labels)
        Rows sum to 1; a row of NaN is a case that the model did not predict. All NaN where the model gives
        scores, so that nothing can take these for probabilities.
    ensemble : ndarray of the same type with shape (n_draws, n_cases, n_labels), or None
        Several predictions of each case, as by Monte Carlo dropout or test-time augmentation; ``probability``
        is their mean (see `of_ensemble`). None where there is one.
    score : ndarray of float64 with shape (n_cases,), or None
        Of a model that has no probabilities for a task of two labels (see `of_scores`): any finite number,
        just as the model gave it, a higher one speaking more for the positive label; NaN for a case that the
        model did not predict. None where there are probabilities.
    """

    model: str
    probability: FloatArray
    ensemble: FloatArray | None = None
    score: FloatArray | None = None

    def __post_init__(self) -> None:
        freeze(self.probability)
        if self.score is not None:
            freeze(self.score)
            if self.score.dtype != np.float64 or np.isinf(self.score).any():
                raise ValueError("scores must be finite numbers of type float64")
            if not np.isnan(self.probability).all() or self.probability.shape != (len(self.score), 2):
                raise ValueError("a model gives either probabilities or scores of a task of two labels")
        if self.ensemble is not None:
            freeze(self.ensemble)
            if self.ensemble.ndim != 3 or self.ensemble.shape[1:] != self.probability.shape:
                raise ValueError(
                    f"ensemble must have shape (n_draws, {self.probability.shape[0]}, "
                    f"{self.probability.shape[1]}), got {self.ensemble.shape}"
                )

    def __repr__(self) -> str:
        given = "scores" if self.kind == "score" else f"probabilities of {self.probability.shape[1]:,} labels"
        draws = "" if self.ensemble is None else f", {number_of(len(self.ensemble), 'draw')} each"
        cases = f"{int(self.covered.sum()):,} of {number_of(len(self.covered), 'case')}"
        return f"Predictions({self.model!r}: {given}, {cases}{draws})"

    @classmethod
    def of_ensemble(cls, model: str, ensemble: FloatArray) -> Predictions:
        """Predictions of a model from several for each case, with shape (n_draws, n_cases, n_labels)."""
        mean = ensemble.mean(axis=0, dtype=np.float64).astype(ensemble.dtype)
        return cls(model, mean, ensemble if len(ensemble) > 1 else None)

    @classmethod
    def of_scores(cls, model: str, score: FloatArray) -> Predictions:
        """Predictions of a model that gives a score for each case, with shape (n_cases,)."""
        return cls(model, np.full((len(score), 2), np.nan), score=np.array(score, np.float64))

    @property
    def kind(self) -> PredictionKind:
        """Whether the model gives probabilities, or only scores to rank the cases by."""
        return "probability" if self.score is None else "score"

    @property
    def covered(self) -> NDArray[np.bool_]:
        """Whether the model predicted each case, with shape (n_cases,)."""
        return ~np.isnan(self.probability[:, 0] if self.score is None else self.score)


@dataclass(frozen=True, eq=False)
class Task:
    """One question that was put to the raters for every case.

    Attributes
    ----------
    name : str
        Unique within the study.
    kind : {"choice", "ranking", "score"}
        One label, a differential diagnosis, or a number.
    labels : tuple of str
        In the study's label order, which decides every remaining tie. For a score task the two sides of
        the threshold.
    readings : Readings
        What the raters said.
    predictions : mapping of str to Predictions
        By model, in the study's order.
    reader_predictions : mapping of str to mapping of str to Predictions
        What readers say who read with a model, or in some other way: by modality and reader. These are not
        models: nothing ranks or recalibrates them; `core.metrics.mrmc` compares modalities.
    risk : ndarray of int8 with shape (n_labels,)
        0 low, 1 medium, 2 high, ``UNKNOWN_RISK`` where not given.
    published_risk : ndarray of int8 with shape (n_labels,), or None
        What the study's files say, where other labels were chosen to count as high risk.
    description : tuple of str
        One for each label, empty where not given.
    settled_by : tuple of str
        For each label what examination settles whether it is the truth, such as "biopsy"; empty where the
        study does not say.
    positive : str or None
        The positive label of a two-label task.
    threshold : float or None
        Of a score task: scores at or above it are on the second side.
    pooled : object or None
        What an aggregation model learnt from more cases than these (`core.plausibility.pooled.Pooled`), which
        then stands for what these would tell it.
    """

    name: str
    kind: Kind
    labels: tuple[str, ...]
    readings: Readings
    predictions: Mapping[str, Predictions] = field(default_factory=dict)
    risk: IntArray = field(default_factory=lambda: np.empty(0, np.int8))
    description: tuple[str, ...] = ()
    positive: str | None = None
    threshold: float | None = None
    reader_predictions: Mapping[str, Mapping[str, Predictions]] = field(default_factory=dict)
    pooled: object | None = None
    settled_by: tuple[str, ...] = ()
    published_risk: IntArray | None = None

    def __post_init__(self) -> None:
        if len(self.risk) == 0:
            object.__setattr__(self, "risk", np.full(len(self.labels), UNKNOWN_RISK, np.int8))
        if len(self.settled_by) == 0:
            object.__setattr__(self, "settled_by", ("",) * len(self.labels))
        freeze(self.risk)
        if self.score_models and self.scored_label is None:
            raise ValueError(
                f"task {self.name!r} needs two labels, one of them positive, for the scores of "
                f"{', '.join(self.score_models)}; got {len(self.labels)} labels, positive {self.positive!r}"
            )

    def __repr__(self) -> str:
        return f"Task({self.name!r}: {self._said()}, {number_of(self.readings.n_cases, 'case')})"

    def _said(self) -> str:
        """Kind and sizes in words."""
        readings, labels = (
            number_of(self.readings.n_readings, "reading"),
            number_of(len(self.labels), "label"),
        )
        read = self.reader_predictions
        modalities = f", modalities that are read: {len(read)}" if read else ""
        return f"{self.kind}, {readings}, {labels}, {number_of(len(self.predictions), 'model')}{modalities}"

    @property
    def has_risk(self) -> bool:
        """Whether any label has a risk level."""
        return bool((self.risk != UNKNOWN_RISK).any())

    @property
    def score_models(self) -> tuple[str, ...]:
        """Models that give scores in place of probabilities."""
        return tuple(model for model, of in self.predictions.items() if of.kind == "score")

    @property
    def probability_models(self) -> tuple[str, ...]:
        """Models that give probabilities, so that each has a most probable label."""
        return tuple(model for model, of in self.predictions.items() if of.kind == "probability")

    @property
    def scored_label(self) -> str | None:
        """Label that a higher score speaks for: the positive one, or the second side; None without one."""
        positive = self.labels[-1] if self.kind == "score" and self.labels else self.positive
        return positive if len(self.labels) == 2 else None

    def ranking_score(self, model: str, label: str) -> FloatArray:
        """Numbers that rank the cases by how much a model takes them for a label.

        Parameters
        ----------
        model : str
            One of the task's.
        label : str
            One of the task's.

        Returns
        -------
        ndarray of float64 with shape (n_cases,)
            The label's probability; or the model's score, its sign turned for the label that it speaks
            against, which keeps order and ties. NaN for a case that the model did not predict.
        """
        return self.numbers_for(self.predictions[model], label)

    def numbers_for(self, of: Predictions, label: str) -> FloatArray:
        """Numbers of any predictions that rank the cases, as `ranking_score` has them."""
        if of.score is None:
            return of.probability[:, self.labels.index(label)].astype(np.float64)
        return of.score if label == self.scored_label else -of.score

    def braces(self, reading: int) -> str:
        """One reading in brace notation, tied labels together: ``{A} {B, C}``."""
        blocks = self.readings.differential(reading)
        return " ".join("{" + ", ".join(self.labels[label] for label in block) + "}" for block in blocks)


@dataclass(frozen=True, eq=False)
class Study:
    """Everything that was observed.

    Attributes
    ----------
    name, description, source, licence : str
        As written in ``study.toml``.
    case_ids, rater_ids : tuple of str
        Cases in the order of `cases.csv`, else of first appearance; raters in natural order of their ids.
    tasks : mapping of str to Task
        At least one, in the study's order.
    cases : DataFrame with n_cases rows
        Indexed by case id: ``image``, ``reference`` and free metadata, each where given.
    features : DataFrame with n_cases rows, or None
        Indexed by case id, all columns numeric.
    references : DataFrame with n_cases rows, or None
        Indexed by case id, a column of reference labels for each task that has them; empty cells
        where there is none.
    seed : int
        Every random number of an analysis derives from it.
    flags : tuple of str
        Reasons for which cases are flagged in a review; empty for the usual ones.
    counted : str
        What counts beside what was published; empty for nothing (`core.reviews.applied.with_rounds`).
    condition : str
        The condition that its cases fulfil, where others are left out (`core.study.narrowed.narrowed`).
    high_risk_labels : tuple of str
        Labels that count as high risk in place of those that its files say (`core.study.high_risk`); empty
        where those count. It is chosen, not observed, and no part of the fingerprint.
    published : Study or None
        As it was published, where something else counts.
    whole : Study or None
        That they were taken from: it tells of the raters what a few cases cannot.
    root : Path or None
        The folder that images lie in.
    images : mapping of str to bytes
        Of a study without a folder, such as an upload: its images by their paths in ``cases["image"]``.
    fingerprint : str
        Changes when any observation changes; keys caches and labels exports.
    notes : tuple of Problem
        Warnings: what was read, but deserves a look.
    reference_standard : str
        How the references were established, one of `core.study.reference_standard.STANDARDS`; empty where
        that is not stated. A cell of that name in ``cases`` comes before it.
    """

    name: str
    case_ids: tuple[str, ...]
    rater_ids: tuple[str, ...]
    tasks: Mapping[str, Task]
    cases: pd.DataFrame
    fingerprint: str
    description: str = ""
    source: str = ""
    licence: str = ""
    features: pd.DataFrame | None = None
    seed: int = 0
    flags: tuple[str, ...] = ()
    counted: str = ""
    condition: str = ""
    high_risk_labels: tuple[str, ...] = ()
    published: Study | None = None
    whole: Study | None = None
    root: Path | None = None
    images: Mapping[str, bytes] = field(default_factory=dict)
    notes: tuple[Problem, ...] = ()
    references: pd.DataFrame | None = None
    reference_standard: str = ""

    def __repr__(self) -> str:
        sizes = f"{number_of(self.n_cases, 'case')}, {number_of(len(self.rater_ids), 'rater')}"
        one = next(iter(self.tasks.values()), None)
        if one is not None and len(self.tasks) == 1:
            return f"Study({self.name!r}: {sizes}, task {one.name!r}: {one._said()})"
        tasks = f"{number_of(len(self.tasks), 'task')}: {first_names(self.tasks)}"
        return f"Study({self.name!r}: {sizes}, {tasks})"

    @property
    def n_cases(self) -> int:
        """Number of cases."""
        return len(self.case_ids)
