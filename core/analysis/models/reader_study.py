"""What readers said with which modality, what models said, and what the truth is or could be."""

from __future__ import annotations

from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from core.analysis.formatting import percent
from core.analysis.models.own_raters import OWN_RATERS, own_curves, who_read_both, without_each
from core.analysis.models.settings import OtherReadersSettings
from core.analysis.models.truth_draws import plausible_truths
from core.metrics.mrmc.checks import LEAST, can_judge, check_classes, class_fault
from core.metrics.mrmc.curves import NO_READER, Curves
from core.plausibility.settings import Aggregation
from core.study.brief import brief
from core.study.model import IntArray, Study, Task
from core.study.references import reference_codes

MOST_LEFT_OUT = 0.05
"""Share of the plausible truths that may be left out because nothing can be judged by them."""


@dataclass(frozen=True, eq=False)
class ReaderStudy:
    """What readers and models said of the cases, and what the truth of these is or could be.

    Attributes
    ----------
    curves : Curves
        Of all modalities, those that are read first.
    truths : ndarray of bool with shape (n_truths, n_cases) or (n_truths, n_curves, n_cases)
        Whether each case is positive: one truth by the reference, else plausible ones; of each curve its own
        where raters are readers.
    cases : ndarray of int with shape (n_cases,)
        Which cases of the study.
    label : str
        The positive label.
    truth : {"reference", "plausibility"}
        Where the truths come from.
    n_left_out : int
        Plausible truths that were drawn and left out, because nothing can be judged by them.
    beside : bool
        Whether each model has a curve beside each rater, by the same truth, though nobody reads with it.
    n_readers_left_out : int
        Raters who are no readers here, because they read no case of a class.
    """

    curves: Curves
    truths: NDArray[np.bool_]
    cases: IntArray
    label: str
    truth: str
    n_left_out: int = 0
    beside: bool = False
    n_readers_left_out: int = 0

    __repr__ = brief

    def is_read(self, modality: int) -> bool:
        """Whether somebody reads the modality; nobody does what is judged beside readers."""
        is_model = self.beside and self.curves.modalities[modality] != OWN_RATERS
        return not is_model and self.curves.has_readers(modality)


def reader_study(
    study: Study, task: Task, settings: OtherReadersSettings, aggregation: Aggregation
) -> ReaderStudy:
    """Gather what readers and models said, and the truths.

    Raises
    ------
    ValueError
        Where nobody reads, a modality or label does not exist, there is no reference or nothing to draw, or
        there are too few cases of a class: by the reference, or by more than 1 in 20 plausible truths.

    Notes
    -----
    A plausible truth with fewer than two cases of a class, or under which a reader read none of one, has no
    AUROC with a variance. Up to 1 in 20 such truths are left out, and what is said is said of the others;
    where there are more, leaving them out would make rare positives look less rare than the readings do.
    """
    own = settings.own_raters
    if not own and not task.reader_predictions:
        raise ValueError(
            f'nobody reads any modality of the task "{task.name}"; add a column reader to '
            "predictions.csv, beside the model, which then names what they read with, or take the study's "
            "own raters as readers"
        )
    label = _label(task, settings.reader_positive)
    codes = reference_codes(study, task)
    kind = settings.truth or ("reference" if (codes >= 0).any() else "plausibility")
    beside = own and kind == "plausibility"
    curves = (
        _own(study, task, label, settings.modalities, beside=beside)
        if own
        else _curves(task, label, settings.modalities)
    )
    read = ~np.isnan(curves.score).all(axis=0)
    if kind == "reference":
        if not (codes >= 0).any():
            raise ValueError(
                f'no case has a reference that is a label of the task "{task.name}"; add a column '
                "reference to cases.csv, or take plausible truths"
            )
        cases = np.flatnonzero(read & (codes >= 0))
        truths = (codes[cases] == task.labels.index(label))[None]
    else:
        cases = np.flatnonzero(read & (task.readings.per_case > 0))
        if not beside:
            truths = plausible_truths(study, task, cases, label, aggregation, settings.n_truths)
    if beside:
        kept, truths = without_each(study, task, curves, cases, label, aggregation, settings.n_truths)
    else:
        kept = replace(curves, score=curves.score[:, cases])
    lacking = 0
    if own:
        kept, truths, lacking = who_read_both(kept, truths)
    if kind == "reference":
        check_classes(kept, truths[0])
        return ReaderStudy(kept, truths, cases, label, kind, n_readers_left_out=lacking)
    judged = _judged(kept, truths)
    return ReaderStudy(kept, judged, cases, label, kind, len(truths) - len(judged), beside, lacking)


def _own(study: Study, task: Task, label: str, wanted: tuple[str, ...], *, beside: bool) -> Curves:
    """Curves of models and of the study's raters: of all models, or of the one that is wanted."""
    models = tuple(name for name in task.predictions if name in wanted or not wanted)
    if wanted and (len(models) != 1 or OWN_RATERS not in wanted):
        raise ValueError(
            f'modalities must be "{OWN_RATERS}" and one of {", ".join(task.predictions)}, got '
            f"{' and '.join(wanted)}"
        )
    if not models:
        raise ValueError(
            f'the task "{task.name}" has no model that its raters could be compared with; add predictions'
        )
    curves = own_curves(study, task, label, models, beside=beside)
    if not wanted or wanted[-1] == OWN_RATERS:
        return curves
    return replace(curves, modalities=wanted, modality=1 - curves.modality)


def _label(task: Task, wanted: str) -> str:
    """The positive label."""
    if wanted and wanted not in task.labels:
        raise ValueError(f"positive must be one of {', '.join(task.labels)}, got {wanted!r}")
    if wanted:
        return wanted
    usual = task.labels[-1] if task.kind == "score" or len(task.labels) == 2 else None
    label = task.positive or task.scored_label or usual
    if label is None:
        raise ValueError(
            f"positive must name one of the {len(task.labels)} labels {', '.join(task.labels[:5])} …: "
            "readers are judged on one label against all others"
        )
    return label


def _curves(task: Task, label: str, wanted: tuple[str, ...]) -> Curves:
    """Scores of all modalities and models, or of those that are wanted, in that order."""
    known = [
        *task.reader_predictions,
        *(name for name in task.predictions if name not in task.reader_predictions),
    ]
    for name in wanted:
        if name not in known:
            raise ValueError(f"modalities must be two of {', '.join(known)}, got {name!r}")
    if len(set(wanted)) == 1:
        raise ValueError(f"modalities must be two different ones, got {wanted[0]!r} twice")
    modalities = wanted or tuple(known)
    readers = tuple(dict.fromkeys(reader for of in task.reader_predictions.values() for reader in of))
    modality, by, score = [], [], []
    for at, name in enumerate(modalities):
        given = task.reader_predictions.get(name) or {"": task.predictions[name]}
        for reader, of in given.items():
            modality.append(at)
            by.append(readers.index(reader) if reader else NO_READER)
            score.append(task.numbers_for(of, label))
    return Curves(modalities, readers, np.array(modality), np.array(by), np.array(score, np.float64))


def reader_threshold(task: Task, settings: OtherReadersSettings) -> float | None:
    """From which number on a reading says positive."""
    if settings.reader_metric == "AUROC" or settings.threshold is not None:
        return settings.threshold
    given = [of for readers in task.reader_predictions.values() for of in readers.values()]
    if any(of.kind == "score" for of in (*given, *task.predictions.values())):
        raise ValueError(
            f"{settings.reader_metric} needs a threshold where there are scores: from which one on does a "
            "reading say positive?"
        )
    return 0.5


def _judged(curves: Curves, truths: NDArray[np.bool_]) -> NDArray[np.bool_]:
    """Plausible truths by which something can be judged; refuse where these are too few."""
    passed = can_judge(curves, truths)
    n_left_out = int((~passed).sum())
    if n_left_out <= MOST_LEFT_OUT * len(truths) and passed.sum() >= LEAST:
        return truths[passed]
    fault = class_fault(curves, truths[int(passed.argmin())])
    raise ValueError(
        f"nothing can be judged by {n_left_out:,} of {len(truths):,} plausible truths, and no more than "
        f"{percent(MOST_LEFT_OUT)} of them can be left out; by one of them: {fault}; where there is a "
        "reference, take that for the truth"
    )
