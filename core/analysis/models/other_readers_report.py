"""The tables of a reader study as files, for the command and for papers."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from pathlib import Path

import pandas as pd

from core.analysis.export import made_by, provenance
from core.analysis.methods_text import Paragraph, of_data
from core.analysis.models.methods import of_readers
from core.analysis.models.other_readers import other_readers
from core.analysis.models.other_readers_words import cautions, claims, finding, verdict
from core.analysis.models.settings import OtherReadersSettings
from core.analysis.reliability.methods import of_aggregation
from core.analysis.reliability.sampling import convergence_of
from core.analysis.report_files import Output, records, write_report
from core.plausibility.settings import AggregationChoice
from core.settings import entries
from core.study.brief import tables_in_brief
from core.study.model import Study, Task


@dataclass(frozen=True, eq=False)
class OtherReadersReport:
    """Tables by name, the settings that made them, and what they say.

    Attributes
    ----------
    tables : mapping of str to DataFrame
        ``modalities``, ``readers``, ``differences``, and where there are any ``sizes`` and ``components``, as
        `core.analysis.models.other_readers.OtherReaders` has them.
    settings : mapping of str to str
        Study, task, truth and choices.
    finding : str
        What the first pair comes to.
    verdicts : tuple of str
        What each pair comes to.
    claims : tuple of str
        What each statistic claims and assumes.
    cautions : tuple of str
        Which intervals are to be taken with care, and why there is none.
    methods : tuple of Paragraph
        What was done, in words, as `core.analysis.methods_text` writes it.
    """

    tables: Mapping[str, pd.DataFrame]
    settings: Mapping[str, str]
    finding: str
    verdicts: tuple[str, ...]
    claims: tuple[str, ...]
    cautions: tuple[str, ...] = ()
    methods: tuple[Paragraph, ...] = ()

    __repr__ = tables_in_brief


def other_readers_report(
    study: Study,
    settings: OtherReadersSettings = OtherReadersSettings(),  # noqa: B008 - frozen
    chosen: AggregationChoice | None = None,
    *,
    task_name: str | None = None,
) -> OtherReadersReport:
    """Infer to other readers and cases, and say what it comes to.

    Parameters
    ----------
    study : Study
        What was observed.
    settings : OtherReadersSettings
        What is asked.
    chosen : AggregationChoice, optional
        Of plausible truths; what is recommended for the task by default.
    task_name : str, optional
        The study's first task with readers by default.

    Raises
    ------
    ValueError
        As `core.analysis.models.other_readers.other_readers`.
    """
    task = _find_task(study, task_name, own_raters=settings.own_raters)
    aggregation = (chosen or AggregationChoice()).for_task(task)
    found = other_readers(study, task, settings, aggregation)
    tables = {
        name: getattr(found, name)
        for name in ("modalities", "readers", "differences", "sizes", "components")
        if len(getattr(found, name))
    }
    uncertain = found.study.truth == "plausibility"
    made = (provenance(study, task, aggregation) if uncertain else made_by(study, task)) | entries(settings)
    if not uncertain:
        made.pop("plausible truths", None)
    made |= {
        "positive": found.study.label,
        "truth": found.study.truth,
        "judged on": f"{len(found.study.cases)} of {study.n_cases} cases, with a truth and a reading",
    }
    verdicts = [verdict(pair, settings, n_pairs=found.n_pairs) for pair in found.differences.itertuples()]
    return OtherReadersReport(
        tables,
        made,
        finding(found, settings),
        tuple(verdicts),
        tuple(claims(found, settings)),
        tuple(cautions(found)),
        (
            of_data(study, task),
            *(
                [of_aggregation(aggregation, convergence_of(study, task, aggregation), task=task)]
                if uncertain
                else []
            ),
            of_readers(
                replace(
                    settings,
                    truth="plausibility" if uncertain else "reference",
                    reader_positive=found.study.label,
                )
            ),
        ),
    )


def write_other_readers(report: OtherReadersReport, to: Output) -> list[Path]:
    """Write each table as CSV, and settings with what they say as ``mrmc.json``; return the paths."""
    content = {
        "verdicts": list(report.verdicts),
        "claims": list(report.claims),
        "cautions": list(report.cautions),
        "differences": records("mrmc", "differences", report.tables["differences"]),
    }
    return write_report(
        to,
        "mrmc",
        report.tables,
        report.settings,
        content,
        methods=report.methods,
    )


def _find_task(study: Study, name: str | None, *, own_raters: bool) -> Task:
    """Task of that name; the first with readers, or whose raters choose labels, by default."""
    if name is not None and name not in study.tasks:
        raise ValueError(f"task must be one of {', '.join(study.tasks)}, got {name!r}")
    if name is not None:
        return study.tasks[name]
    read = [
        task
        for task in study.tasks.values()
        if (task.kind == "choice" and task.predictions if own_raters else task.reader_predictions)
    ]
    return read[0] if read else next(iter(study.tasks.values()))
