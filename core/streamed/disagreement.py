"""What models say of disagreement in a study in parts: losses and diagrams from sums over its parts."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import partial
from pathlib import Path

import numpy as np
import pandas as pd

from core.analysis.disagreement.diagram import bins_table
from core.analysis.disagreement.forecasts import (
    ALL_LABELS,
    AS_GIVEN,
    CLASS_PROBABILITIES,
    DISAGREEMENT,
    given_forecasts,
    losses_in_rows,
    notes_of,
    rows_of_losses,
)
from core.analysis.disagreement.methods import of_disagreement
from core.analysis.disagreement.report import DisagreementReport, judged_models
from core.analysis.disagreement.settings import DisagreementSettings
from core.analysis.disagreement.surprising import (
    places_of_surprise,
    surprising_cases,
    usual_disagreement,
)
from core.analysis.export import made_by
from core.metrics.calibration.disagreement import statistic_losses_of
from core.metrics.calibration.losses import losses_of
from core.progress import Progress
from core.settings import entries
from core.streamed.arrays import load_arrays, part_file
from core.streamed.disagreement_counts import (
    CASES,
    PAIRS,
    SHARES,
    DisagreementQuestion,
    LabelCounts,
    count_disagreement,
    load_sums,
)
from core.streamed.distinct import require_distinct
from core.streamed.engine import Engine
from core.streamed.files import scratch_in
from core.streamed.report import data_paragraph
from core.streamed.resampled import keep_resamples
from core.streamed.sample import read_cases
from core.study.model import Study, Task
from core.study.partitions.manifest import Partitions
from core.study.partitions.reading import read_part
from core.study.seeds import case_seeds

MOST_SURPRISING = 1_000
"""Surprising cases of each kind and model that are listed."""
LEFT_OUT = (
    f"Of a study in parts the {MOST_SURPRISING:,} most surprising cases of each kind and model are listed, "
    "and nothing is recalibrated, which takes all cases at once. Give the study as it was for more."
)
_DRAWN, _COUNTED = 0.1, 0.9
"""Shares of the time up to which, roughly, cases are resampled and parts are counted."""


def disagreement_of_parts(
    study: Partitions,
    settings: DisagreementSettings,
    workers: Engine,
    *,
    task_name: str | None = None,
    scratch: Path | None = None,
    progress: Progress | None = None,
) -> DisagreementReport:
    """Judge class probabilities and expectations of disagreement of the models of a study in parts.

    Parameters
    ----------
    study : Partitions
        In parts.
    settings : DisagreementSettings
        Which models and bins; nothing is recalibrated, and bins are equally wide.
    workers : Engine
        Who does the work; the numbers do not depend on it.
    task_name : str, optional
        The study's first task with predictions by default.
    scratch : Path, optional
        Folder for what is kept until the end, which every worker can read and write; the system's own
        temporary folder by default.
    progress : callable, optional
        Called with the share done, in [0, 1], and what is being done.

    Returns
    -------
    DisagreementReport
        ``losses``, ``probability_diagram`` and ``disagreement_diagram``, as
        `core.analysis.disagreement.report.disagreement_report` has them to 1e-12, resamples included, and the
        first `MOST_SURPRISING` of each kind of its ``surprising_cases``.

    Raises
    ------
    ValueError
        For a task or model that does not exist, a model that gives scores, recalibration, bins of equal mass,
        and a task without a model that gives probabilities or without a label to judge by.
    StudyError
        If a part cannot be read.
    """
    tell = progress or (lambda _share, _what: None)
    _require_sums(settings)
    task = _task(study, task_name)
    models = judged_models(task, settings.predictor or None)
    with scratch_in(scratch) as folder:
        rng = np.random.default_rng(case_seeds(study.settings.seed, [""], "resampled cases")[0])
        tell(0.0, "resamples")
        keep_resamples(folder, study.cases, settings.resamples, rng)
        asked = DisagreementQuestion(study, task.name, folder, tuple(models), settings.bins)
        counted: list[LabelCounts] = workers.run(
            partial(count_disagreement, asked),
            study.n_parts,
            lambda share: tell(_DRAWN + (_COUNTED - _DRAWN) * share, f"{study.n_parts:,} parts"),
        )
        require_distinct(asked)
        tables = _tables(asked, task, settings, counted)
        tell(_COUNTED, "surprising cases")
        tables["surprising_cases"], some = _surprising(asked)
    tell(1.0, "tables")
    judged = _Judged(some, task, tuple(models), counted)
    return _report(study, settings, judged, tables)


@dataclass(frozen=True, eq=False)
class _Judged:
    """What was judged: some cases, the task of the first part, models, and how every part was labelled."""

    some: Study
    task: Task
    models: tuple[str, ...]
    counted: Sequence[LabelCounts]


def _require_sums(settings: DisagreementSettings) -> None:
    """Refuse what is no sum over cases."""
    for option, is_given in (
        ("--recalibrate", settings.recalibrate or bool(settings.methods)),
        ("--bin-kind equal mass", settings.bin_kind != "equal width"),
    ):
        if is_given:
            raise ValueError(f"{option} is not possible with a study in parts; leave it out")


def _task(study: Partitions, name: str | None) -> Task:
    """Task as the first part has it: the one of that name, or the first with predictions."""
    if name is not None and name not in study.settings.tasks:
        raise ValueError(f"task must be one of {', '.join(study.settings.tasks)}, got {name!r}")
    predicted = [task for task, models in study.models.items() if models]
    if name is None and not predicted:
        raise ValueError(f"study {study.settings.name!r} has no predictions, so there is no model to judge")
    return read_part(study, 0).tasks[predicted[0] if name is None else name]


def _tables(
    asked: DisagreementQuestion, task: Task, settings: DisagreementSettings, counted: Sequence[LabelCounts]
) -> dict[str, pd.DataFrame]:
    """Losses and diagrams of all models."""
    if not any(one.cases[1] + one.cases[2] for one in counted):
        raise ValueError(
            f"task {task.name!r} has no reading that counts as one label, so there is nothing to judge by"
        )
    labels = task.labels if settings.by_label else ()
    rows: list[tuple[object, ...]] = []
    shares: dict[str, list[pd.DataFrame]] = {label: [] for label in (ALL_LABELS, *labels)}
    pairs = []
    for place, model in enumerate(asked.models):
        who = model, AS_GIVEN
        of_shares, of_pairs = (load_sums(asked, what, place) for what in (SHARES, PAIRS))
        rows += rows_of_losses(who, losses_of(of_shares), statistic_losses_of(of_pairs), labels=labels)
        shares[ALL_LABELS].append(bins_table(who, CLASS_PROBABILITIES, ALL_LABELS, of_shares.bins))
        for k, label in enumerate(labels):
            own = of_shares.bins.of_class(k)
            shares[label].append(bins_table(who, CLASS_PROBABILITIES, label, own))
        pairs.append(bins_table(who, DISAGREEMENT, ALL_LABELS, of_pairs.bins))
    of_labels = [table for of in shares.values() for table in of]
    return {
        "losses": losses_in_rows(rows),
        "probability_diagram": pd.concat(of_labels, ignore_index=True),
        "disagreement_diagram": pd.concat(pairs, ignore_index=True),
    }


def _surprising(asked: DisagreementQuestion) -> tuple[pd.DataFrame, Study]:
    """The most surprising cases of each model, and the study of these cases."""
    parts = [load_arrays(part_file(asked.folder, part, CASES)) for part in range(asked.study.n_parts)]

    def every(name: str) -> np.ndarray:
        return np.concatenate([of[name] for of in parts])

    observed, n_labels = every("observed"), every("labels")
    usual: dict[str, float] = {}
    chosen = []
    for place, model in enumerate(asked.models):
        expected = every(f"expected {place}")
        usual[model] = usual_disagreement(observed, expected)
        found = places_of_surprise(observed, expected, n_labels, usual[model], MOST_SURPRISING)
        chosen += list(found.values())
    positions = np.unique(np.concatenate([*chosen]))
    # Without any, one case alone stands for the study where its labels are named.
    some = read_cases(asked.study, positions if len(positions) else np.flatnonzero(n_labels > 0)[:1])
    task = some.tasks[asked.task]
    tables = []
    for forecast in given_forecasts(task):
        if forecast.model in usual:
            table = surprising_cases(some, task, forecast, limit=MOST_SURPRISING, usual=usual[forecast.model])
            table.insert(0, "model", forecast.model)
            table.insert(1, "method", forecast.method)
            tables.append(table)
    return pd.concat(tables, ignore_index=True), some


def _report(
    study: Partitions, settings: DisagreementSettings, judged: _Judged, tables: dict[str, pd.DataFrame]
) -> DisagreementReport:
    """Tables with the settings that made them, and what to know of them."""
    counted, task = judged.counted, judged.task
    made = made_by(replace(judged.some, fingerprint=study.fingerprint), task) | {
        "models": ", ".join(judged.models),
        "recalibration": "none",
        **entries(settings),
        "parts": f"{study.n_parts:,}, of {study.n_cases:,} cases together",
    }
    none, single, several = (sum(one.cases[i] for one in counted) for i in range(3))
    notes = notes_of(task, sum(one.n_tied for one in counted), (none, single, several))
    facts = {
        "readings": sum(one.n_readings for one in counted),
        "cases read": sum(one.n_read for one in counted),
        "cases": study.n_cases,
        "raters": len(frozenset[str]().union(*(one.raters for one in counted))),
        "labels": len(task.labels),
        "parts": study.n_parts,
    }
    said = data_paragraph(study, task.name, facts), of_disagreement(settings)
    return DisagreementReport(tables, made, (*notes, LEFT_OUT), said)
