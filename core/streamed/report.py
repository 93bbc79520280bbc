"""The tables of a study in parts as files, with what is known of each case beside them."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path

from core.analysis.export import provenance
from core.analysis.methods_text import METHODS_BEGIN, Paragraph
from core.analysis.reliability.methods import of_aggregation, of_certainty
from core.analysis.reliability.sampling import convergence_in
from core.analysis.report_files import CASES, Output, records, write_report
from core.progress import Progress
from core.streamed.engine import Engine
from core.streamed.evaluate import StreamedChoice, StreamedEvaluation, evaluate_parts
from core.study.partitions.manifest import Partitions


def write_parts(
    study: Partitions,
    asked: StreamedChoice,
    to: Output,
    workers: Engine,
    *,
    scratch: Path,
    progress: Progress | None = None,
) -> tuple[StreamedEvaluation, list[Path]]:
    """Evaluate a study in parts, and write what came of it.

    Parameters
    ----------
    study : Partitions
        In parts.
    asked : StreamedChoice
        What is asked.
    to : Output
        Where and as what tables are written; its folder gets a folder `CASES` too, a Parquet file a part.
    workers : Engine
        Who does the work.
    scratch : Path
        Folder for what is kept until the end, on the same disk as that of ``to``; workers on other computers
        see it under the same path.
    progress : callable, optional
        Called with the share done, in [0, 1], and what is being done.

    Returns
    -------
    evaluation : StreamedEvaluation
        With all tables.
    paths : list of Path
        What was written.

    Raises
    ------
    ValueError, OSError
        As `core.streamed.evaluate.evaluate_parts` and `core.analysis.report_files.write_report`.
    """
    found = evaluate_parts(study, asked, scratch / CASES, workers, progress=progress)
    of_study = replace(found.study, fingerprint=study.fingerprint)
    settings = provenance(of_study, found.task, found.aggregation)
    settings["parts"] = f"{study.n_parts:,}, of {study.n_cases:,} cases together"
    table = found.tables["facts"]
    facts: dict[str, int] = dict(zip(table["fact"], table["value"], strict=True))
    of_data = data_paragraph(study, found.task.name, facts)
    convergence = convergence_in(found.tables["metrics"])
    methods = of_data, of_aggregation(found.aggregation, convergence), of_certainty()
    metrics = records("evaluation", "metrics", found.tables["metrics"])
    content = {"metrics": metrics, "notes": list(found.notes)}
    paths = write_report(to, "evaluation", found.tables, settings, content, methods=methods)
    (scratch / CASES).rename(to.folder / CASES)
    return found, [*paths, to.folder / CASES]


def data_paragraph(study: Partitions, task: str, facts: Mapping[str, int]) -> Paragraph:
    """Say on what a result rests: readings, cases read, cases, raters, labels and parts are counted."""
    return Paragraph(
        METHODS_BEGIN.removeprefix("## "),
        f"Study “{study.settings.name}”, task “{task}”: {facts['readings']:,} readings of "
        f"{facts['cases read']:,} of {facts['cases']:,} cases by {facts['raters']:,} raters, among "
        f"{facts['labels']:,} labels. Sums ran over {facts['parts']:,} parts. The data have the fingerprint "
        f"{study.fingerprint}; random numbers derive from seed {study.settings.seed}.",
    )
