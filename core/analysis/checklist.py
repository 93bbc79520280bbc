"""What a study answers of reporting guidelines: CLAIM 2024 and STARD-AI, as far as they ask about labels.

The items that concern reference standard, annotators, annotation, variability, test set, metrics and
uncertainty (Tejani 2024, Radiology: Artificial Intelligence 6(4):e240300; Sounderajah 2025, Nature Medicine
31), named in Loupe's own words. Items of STARD-AI stand without their numbers.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

import pandas as pd

from core.analysis.checklist_columns import NO, PARTLY, YES
from core.analysis.checklist_facts import Facts, counted, listed
from core.analysis.evaluate import evaluate
from core.analysis.export import made_by, provenance
from core.analysis.report_files import Output, find_task, records, write_report
from core.plausibility.settings import AggregationChoice
from core.progress import Progress
from core.study.brief import tables_in_brief
from core.study.model import Study

CLAIM, STARD = "CLAIM 2024", "STARD-AI"
COLUMNS = ["guideline", "item", "topic", "answered", "answer", "source"]
_STUDY, _READINGS, _CASES = "study.toml", "annotations.csv", "cases.csv"
_NOTHING_READ = "no case of this task was read"

Answer = tuple[str, str, str]
"""How far an item is answered, by what, and from where."""


@dataclass(frozen=True, eq=False)
class Checklist:
    """Answers of a study.

    Attributes
    ----------
    table : DataFrame
        As `checklist_rows` gives it.
    settings : mapping of str to str
        `core.analysis.export.provenance`.
    """

    table: pd.DataFrame
    settings: dict[str, str]

    @property
    def tables(self) -> dict[str, pd.DataFrame]:
        """The one table, by its name."""
        return {"checklist": self.table}

    __repr__ = tables_in_brief


def checklist(
    study: Study,
    chosen: AggregationChoice | None = None,
    *,
    task_name: str | None = None,
    progress: Progress | None = None,
) -> Checklist:
    """Answer the items for one task.

    Parameters
    ----------
    study : Study
        What was observed.
    chosen : AggregationChoice, optional
        How readings become a truth; what is recommended for the task by default.
    task_name : str, optional
        The study's first task by default.

    Raises
    ------
    ValueError
        For a task or model that does not exist or does not suit.
    """
    task = find_task(study, task_name)
    if task.readings.n_readings == 0:
        return Checklist(checklist_rows(Facts(study, task, None, None)), made_by(study, task))
    aggregation = (chosen or AggregationChoice()).for_task(task)
    found = evaluate(study, chosen, task_name=task.name, progress=progress)
    facts = Facts(study, task, aggregation, found)
    return Checklist(checklist_rows(facts), provenance(study, task, aggregation))


def checklist_rows(facts: Facts) -> pd.DataFrame:
    """Answer every item.

    Returns
    -------
    DataFrame
        ``guideline``; ``item`` (guideline and number, such as "CLAIM 14", empty where it is not told);
        ``topic``, what is asked;
        ``answered`` ("yes", "partly" or "not in the data"); ``answer``; ``source``, the file or the command
        and table that it comes from, empty where the data have nothing.
    """
    parts = (_standard, _annotation, _variability, _test_set, _judging)
    rows = [
        (guideline, f"CLAIM {item}" if item else "", topic, *answer)
        for part in parts
        for topic, items, answer in part(facts)
        for guideline, item in items
    ]
    return pd.DataFrame(rows, columns=COLUMNS)


Asked = tuple[str, tuple[tuple[str, str], ...], Answer]
"""What is asked, by which items of which guidelines, and the answer."""


def _standard(facts: Facts) -> Iterator[Asked]:
    """What counts as the truth."""
    told: Answer = (NO, f"{_NOTHING_READ}; {facts.references or 'no case has a reference'}", "")
    uncertain: Answer = (NO, _NOTHING_READ, "")
    if facts.evaluation is not None:
        words = facts.evaluation.methods[1].text
        beside = facts.references or "no case has a reference beside its readings"
        told = (
            YES,
            f"{words} {'Models are judged by the readings; ' * bool(facts.task.predictions)}{beside}.",
            "loupe evaluate: methods.md; cases.csv",
        )
        uncertain = (
            YES,
            f"no case is left out for want of agreement: {facts.certainty}; every metric is averaged over "
            "what the truth could be, or over the ways of breaking a tie",
            "loupe evaluate: cases.csv",
        )
    yield "how the reference standard is made", ((CLAIM, "14"), (STARD, "")), told
    yield (
        "why this reference standard was chosen",
        ((CLAIM, "15"), (STARD, "")),
        _for_authors("why readings, and of these experts, stand for the truth"),
    )
    yield "what becomes of cases whose reference standard is uncertain", ((STARD, ""),), uncertain


def _annotation(facts: Facts) -> Iterator[Asked]:
    """Who read what, and how."""
    lacking = "qualifications, experience and training of the raters are for the authors to say"
    raters: Answer = (NO, f"{_NOTHING_READ}; {lacking}", "")
    process = raters
    if facts.n_read:
        who = facts.raters or "raters are numbered anew in each case, so that their number is not known"
        raters = (PARTLY, f"{who}; {lacking}", f"{_READINGS}; loupe raters: raters.csv")
        process = (
            PARTLY,
            f"{facts.readings}; {facts.kind}. "
            "Instructions, tools and what raters knew of the cases are for the authors to say",
            _READINGS,
        )
    yield "who annotated the reference standard", ((CLAIM, "16"), (STARD, "")), raters
    yield "how the test set was annotated", ((CLAIM, "17"), (STARD, "")), process
    yield (
        "whether raters knew what the model said, and clinical details",
        ((STARD, ""),),
        _for_authors("what raters saw when they read"),
    )


def _variability(facts: Facts) -> Iterator[Asked]:
    """How far raters agree with each other, and with themselves."""
    between, why = facts.agreement if facts.n_read else ("", _NOTHING_READ)
    within = facts.self_agreement if facts.n_read else ""
    answer = (
        (between or f"between raters: not in the data, {why}")
        + "; "
        + (within or "within raters: not in the data, nobody read a case twice")
    )
    answered = NO if not (between or within) else YES if between and within else PARTLY
    source = "loupe raters: coefficients.csv, raters.csv" if between or within else ""
    items = ((CLAIM, "18"), (STARD, ""))
    yield "how far raters agree with each other and with themselves", items, (answered, answer, source)


def _test_set(facts: Facts) -> Iterator[Asked]:
    """Which cases models are judged on."""
    study = facts.study
    source = f"source: {study.source}" if study.source else "no source is named"
    about = f"{source}; fingerprint of the data {study.fingerprint}"
    where = f"; only cases where {study.condition}" if study.condition else ""
    yield (
        "where the test data come from",
        ((CLAIM, "7"), (STARD, "")),
        (PARTLY if study.source else NO, f"{about}{where}", _STUDY if study.source else ""),
    )
    for topic, item in (
        ("how cases were assigned to training and test data", "19"),
        ("at which level training and test data share nothing", "20"),
    ):
        yield topic, ((CLAIM, item), (STARD, "")), _for_authors("how the models were trained")
    n_cases = counted(study.n_cases, "case")
    yield (
        "how many test cases, and why so many",
        ((CLAIM, "21"), (STARD, "")),
        (PARTLY, f"{n_cases}; why so many is for the authors to say, `loupe plan` can help", _CASES),
    )
    unread = study.n_cases - facts.n_read
    table, _ = facts.metrics
    judged = f"; each model is judged on {counted(int(table['n_cases'].min()), 'case')}" if len(table) else ""
    yield (
        "how many cases entered, and how many did not",
        ((CLAIM, "35"), (STARD, "")),
        (PARTLY, f"{n_cases}, {unread:,} of them not read{judged}; cases that were excluded before are for "
         "the authors to say", _READINGS),
    )  # fmt: skip
    described = [part for part in (facts.leading, facts.risk) if part]
    columns = f"columns that describe the cases: {listed(facts.metadata)}" if facts.metadata else ""
    yield (
        "what the cases are like",
        ((CLAIM, "36"), (STARD, "")),
        (PARTLY if facts.leading or columns else NO,
         "; ".join([*described, columns or "no column describes the cases"]),
         "loupe evaluate: cases.csv" if facts.leading else _CASES * bool(columns)),
    )  # fmt: skip
    yield (
        "tests on data from elsewhere",
        ((CLAIM, "33"), (STARD, "")),
        _for_authors("whether these cases are from where the models were trained"),
    )


def _judging(facts: Facts) -> Iterator[Asked]:
    """By what models are judged, and how certain that is."""
    _, why = facts.metrics
    values = facts.performance
    bounded = facts.has_intervals
    how_sure = "95 % intervals over cases" if bounded else "no interval can be told of these cases"
    nothing: Answer = (NO, why or "no metric of these models can be told", "")
    names = f"models: {facts.models}" if facts.task.predictions else ""
    yield (
        "by which metrics models are judged",
        ((CLAIM, "28"), (STARD, "")),
        (YES, f"{names}; hard metrics on the leading label beside soft and adjusted ones on every "
         "reading", "loupe compare: metrics.csv") if values else nothing,
    )  # fmt: skip
    yield (
        "how uncertainty of the metrics is measured",
        ((CLAIM, "29"), (STARD, "")),
        (YES, "95 % score intervals from standard errors over cases (DeLong, mean), with Student's t, of "
         "single models here; `loupe compare` gives those of drawing readings, cases or raters anew, and "
         "p-values of differences corrected after Holm", "loupe compare: best.csv, pairs.csv")
        if bounded else (NO, why or how_sure, ""),
    )  # fmt: skip
    yield (
        "how far results depend on choices",
        ((CLAIM, "30"), (STARD, "")),
        (NO, "not worked out here: `loupe evaluate --sweep` repeats them at every reliability, `--against` "
         "under another aggregation model", "") if facts.n_read else (NO, _NOTHING_READ, ""),
    )  # fmt: skip
    yield (
        "performance with its uncertainty",
        ((CLAIM, "37"), (CLAIM, "38"), (STARD, "")),
        (YES if bounded else PARTLY, f"{how_sure}: {values}", "loupe compare: metrics.csv")
        if values
        else nothing,
    )
    groups = listed(facts.groups)
    yield (
        "performance in groups of cases",
        ((STARD, ""),),
        (NO, f"not worked out here: `loupe compare --by COLUMN` tells it, by {groups}", "")
        if values and groups else (NO, why or "no column parts the cases into groups", ""),
    )  # fmt: skip
    failures = facts.failures
    yield (
        "which cases models get wrong, and why",
        ((CLAIM, "39"),),
        (PARTLY, f"{failures}; `loupe disagreement` lists the most surprising cases and `loupe compare "
         "--rivals` those that decide between two models; why they are wrong is for the authors to say",
         "loupe evaluate: cases.csv") if failures else nothing,
    )  # fmt: skip


def _for_authors(what: str) -> Answer:
    """Of what no file of a study tells."""
    return NO, f"{what} is for the authors to say", ""


def write_checklist(answers: Checklist, to: Output) -> list[Path]:
    """Write the rows as CSV, what else is chosen, and ``checklist.json``; return the paths."""
    rows = {"items": records("checklist", "checklist", answers.table)}
    return write_report(to, "checklist", answers.tables, answers.settings, rows)
