"""The raters of a study in parts: tables of `core.analysis.raters.report` that are sums over its parts."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from functools import partial
from pathlib import Path

import numpy as np
import pandas as pd

from core.analysis.export import made_by
from core.analysis.raters.coefficients import Evidence, coefficients_from, labels_from
from core.analysis.raters.concordance import Weights, steps_from, weights_from
from core.analysis.raters.confusion import confusion_from, why_withdrawn
from core.analysis.raters.identified import are_identified, numbers_of_raters
from core.analysis.raters.methods import of_raters
from core.analysis.raters.pairs import pairs_from
from core.analysis.raters.report import RaterReport, notes_from
from core.analysis.raters.settings import RaterSettings
from core.metrics.agreement.concordance import variability_of
from core.metrics.agreement.pairs import PairAgreement
from core.plausibility.dawid_skene import DawidSkene, fit_patterns
from core.plausibility.settings import error_prior_words
from core.progress import Progress
from core.settings import entries
from core.streamed.distinct import require_distinct
from core.streamed.engine import Engine
from core.streamed.files import scratch_in
from core.streamed.rater_counts import RaterCounts, RaterQuestion, count_raters, see_numbering
from core.streamed.rater_joining import (
    MOST_SCORES,
    joined_counts,
    joined_overlaps,
    joined_pairs,
    joined_patterns,
    joined_scores,
)
from core.streamed.rater_judging import judge_cases, judged_cases, keep_known
from core.streamed.rater_profiles import Raters, accuracy_by, best_standard, profiles
from core.streamed.report import data_paragraph
from core.study.model import FloatArray, IntArray, Study, Task
from core.study.natural import natural_key
from core.study.partitions.manifest import Partitions
from core.study.partitions.reading import read_part

LEFT_OUT = (
    "Of a study in parts there are no tables of cases, groups of raters, stated confidences and their "
    "calibration, no abilities, and no intervals of confusion: these need all readings at once. Give the "
    "study as it was for them."
)
_COUNTED, _JUDGED = 0.6, 0.8
"""Shares of the time up to which, roughly, parts are counted and judged."""


@dataclass(frozen=True, eq=False)
class _Found:
    """What the parts come to, before tables are made of it."""

    raters: Raters
    task: Task
    study: Study
    n_labels: int
    codes: Sequence[IntArray]
    folder: Path

    @property
    def n_parts(self) -> int:
        return len(self.codes)


def raters_of_parts(
    study: Partitions,
    settings: RaterSettings,
    workers: Engine,
    *,
    task_name: str | None = None,
    scratch: Path | None = None,
    progress: Progress | None = None,
) -> RaterReport:
    """Compute the tables about raters that are sums over the parts of a study.

    Parameters
    ----------
    study : Partitions
        In parts.
    settings : RaterSettings
        Which raters, and what they are judged by.
    workers : Engine
        Who does the work; the numbers do not depend on it.
    task_name : str, optional
        The study's first task by default.
    scratch : Path, optional
        Folder for what is kept until the end, which every worker can read and write; the system's own
        temporary folder by default.
    progress : callable, optional
        Called with the share done, in [0, 1], and what is being done.

    Returns
    -------
    RaterReport
        ``coefficients``, ``labels``, ``concordance``, ``raters`` (without abilities and calibration),
        ``pairs`` and ``confusion`` (without intervals), as `core.analysis.raters.report.rater_report` has
        them to 1e-12, resamples included; what is left out, and why, is among the notes.

    Raises
    ------
    ValueError
        For a task or rater that the study does not have, a setting out of range, and a comparison of two
        groups of raters.
    StudyError
        If a part cannot be read.
    """
    tell = progress or (lambda _share, _what: None)
    if settings.other_raters:
        raise ValueError(
            "--other-raters is not possible with a study in parts; leave it out, or give the study as it was"
        )
    with scratch_in(scratch) as folder:
        found = _count(study, settings, workers, task_name, folder, tell)
        return _report(study, settings, workers, found, tell)


def _count(
    study: Partitions,
    settings: RaterSettings,
    workers: Engine,
    task_name: str | None,
    folder: Path,
    tell: Progress,
) -> _Found:
    """Count every part, and put together what they say of each rater."""
    name = next(iter(study.settings.tasks)) if task_name is None else task_name
    if name not in study.settings.tasks:
        raise ValueError(f"task must be one of {', '.join(study.settings.tasks)}, got {task_name!r}")
    asked = RaterQuestion(study, name, folder, settings.raters, settings.gold)
    n_parts = study.n_parts
    counted: list[RaterCounts] = workers.run(
        partial(count_raters, asked), n_parts, lambda share: tell(_COUNTED * share, f"{n_parts:,} parts")
    )
    require_distinct(asked)
    every = tuple(sorted(set().union(*(one.every for one in counted)), key=natural_key))
    unknown = sorted(set(settings.raters) - set(every))
    if unknown:
        raise ValueError(f"raters must be some of {', '.join(every[:20])}, got {', '.join(unknown[:20])}")
    first = read_part(study, 0, readings_only=True)
    task = first.tasks[name]
    raters = Raters.of(
        counted, every, settings.raters, identified=_identified(asked, task, every, counted, workers)
    )
    place = {rater: code for code, rater in enumerate(raters.ids)}
    codes = [np.array([place.get(rater, -1) for rater in one.rater_ids], np.int64) for one in counted]
    return _Found(raters, task, first, max(len(task.labels), 2), codes, folder)


def _identified(
    asked: RaterQuestion, task: Task, every: Sequence[str], counted: Sequence[RaterCounts], workers: Engine
) -> bool:
    """Whether a rater is the same person in every case of the study."""
    numbers = numbers_of_raters(tuple(every))
    if (numbers < 0).all():
        return True
    place = {rater: code for code, rater in enumerate(every)}
    own = [numbers[np.array([place[rater] for rater in one.every], np.int64)] for one in counted]
    seen = workers.run(partial(see_numbering, asked, task.kind, own), len(counted), lambda _share: None)
    return are_identified(seen, task.kind)


def _report(
    study: Partitions, settings: RaterSettings, workers: Engine, found: _Found, tell: Progress
) -> RaterReport:
    """All tables, and what to know of them."""
    raters, task, folder = found.raters, found.task, found.folder
    tell(_COUNTED, "raters two by two")
    pairs = joined_pairs(folder, found.codes, found.n_labels, raters.cases) if raters.identified else None
    plain, gold = _fits(found, gold=settings.gold)
    weights = _weights(found, settings, plain)
    keep_known(folder, weights, pairs)
    workers.run(
        partial(judge_cases, folder, found.codes, found.n_labels),
        found.n_parts,
        lambda share: tell(_COUNTED + (_JUDGED - _COUNTED) * share, "concordance"),
    )
    steps, by_confidence, influence = judged_cases(folder, found.n_parts)
    tell(_JUDGED, "coefficients")
    two = None if pairs is None else pairs.with_influence(influence)
    seen = _evidence(found, settings, two)
    tables = {
        "coefficients": coefficients_from(seen, n_boot=settings.resamples),
        "labels": labels_from(seen, n_boot=settings.resamples),
        "concordance": steps_from(weights, steps, by_confidence),
        "raters": profiles(raters, task, plain, given=settings.rater_accuracy),
        "confusion": _confusion(found, gold, with_gold=settings.gold),
    }
    if two is not None or not raters.identified:
        tables["pairs"] = pairs_from(raters.ids, two, seen.differentials)
    notes = [weights.assumed, *_notes(found, tables, is_ordered=seen.ordered is not None)]
    tell(1.0, "tables")
    facts = raters.facts(len(task.labels), found.n_parts, study.n_cases)
    methods = (
        data_paragraph(study, task.name, facts),
        of_raters(settings, judged_by=settings.standard or best_standard(raters, settings.rater_accuracy)),
    )
    made = {
        **made_by(replace(found.study, fingerprint=study.fingerprint), task),
        "raters": ", ".join(raters.ids) if settings.raters else "all",
        "cases": "all",
        **entries(settings),
        "prior of Dawid–Skene": error_prior_words(1.0),
        "parts": f"{found.n_parts:,}, of {study.n_cases:,} cases together",
    }
    return RaterReport(tables, made, tuple(notes), methods)


def _weights(found: _Found, settings: RaterSettings, fitted: DawidSkene) -> Weights:
    """What agreement is weighted with."""
    raters = found.raters
    if settings.variability is None and raters.identified:
        measured = variability_of(raters.variability)
    else:
        measured = None
    given = settings.rater_accuracy
    judged = settings.standard or best_standard(raters, given)
    return weights_from(
        judged,
        accuracy_by(raters, judged, found.task, given=given, model=fitted.accuracy),
        (raters.n_first - raters.n_stated, raters.n_first),
        identified=raters.identified,
        variability=settings.variability,
        measured=measured,
    )


def _evidence(found: _Found, settings: RaterSettings, pairs: PairAgreement | None) -> Evidence:
    """What coefficients of agreement are made of."""
    task, folder = found.task, found.folder
    counts = joined_counts(folder, found.n_parts, found.n_labels)
    ordered = overlaps = None
    if task.kind == "score":
        ordered = joined_scores(folder, found.n_parts)
    elif settings.label_order:
        ordered = replace(counts, number=np.arange(found.n_labels, dtype=np.float64))
    if task.kind == "ranking":
        overlaps = joined_overlaps(folder, found.codes, len(found.raters.ids))
    return Evidence(task, found.study.seed, counts, ordered, pairs, overlaps)


def _notes(found: _Found, tables: Mapping[str, pd.DataFrame], *, is_ordered: bool) -> list[str]:
    """What to know of the tables, and what is left out."""
    raters, task = found.raters, found.task
    notes = notes_from(task, len(raters.ids), raters.n_repeats, identified=raters.identified)
    if tables["confusion"].attrs.get("withdrawn"):
        notes.append(tables["confusion"].attrs["withdrawn"])
    if "pairs" not in tables:
        notes.append("Raters and labels are too many to compare raters two by two; choose some (--raters).")
    if task.kind == "score" and not is_ordered:
        notes.append(
            f"More than {MOST_SCORES:,} scores differ, which are too many for coefficients of scores."
        )
    return [*notes, LEFT_OUT]


def _fits(found: _Found, *, gold: bool) -> tuple[DawidSkene, DawidSkene]:
    """Dawid–Skene without known truths, and with them where there are any."""
    patterns = joined_patterns(found.folder, found.codes, found.n_labels)
    n_raters = len(found.raters.ids)
    plain = fit_patterns(patterns[0], found.n_labels, n_raters)
    return plain, fit_patterns(patterns[1], found.n_labels, n_raters) if gold else plain


def _confusion(found: _Found, fitted: DawidSkene, *, with_gold: bool) -> pd.DataFrame:
    """What every rater says for every truth, without intervals."""
    raters, n_labels = found.raters, found.n_labels
    if with_gold and not raters.has_reference:
        raise ValueError(
            f'no case has a reference that is a label of the task "{found.task.name}", so no truth is known; '
            "add a column reference to the case table"
        )
    withdrawn = why_withdrawn(len(raters.ids), n_labels, identified=raters.identified, gold=with_gold)
    names = [*found.task.labels, "another"][:n_labels]
    value: FloatArray = np.zeros((0, n_labels, n_labels))
    if not withdrawn:
        value = np.stack([fitted.confusion(rater) for rater in range(len(raters.ids))])
    table = confusion_from(
        () if withdrawn else raters.ids,
        names,
        value,
        raters.cases[: len(value)],
        ends=np.full((2, *value.shape), np.nan),
        reason="draws of the truths need all cases at once",
    )
    if withdrawn:
        table.attrs["withdrawn"] = f"Confusion of raters is not given: {withdrawn}."
    return table
