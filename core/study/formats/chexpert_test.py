"""The CheXpert test-set release: radiologists' findings in 500 chest X-ray studies, and models' scores."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np
import pandas as pd

from core.study.fingerprint import fingerprint
from core.study.model import FloatArray, IntArray, Predictions, Study, Task
from core.study.natural import natural_key
from core.study.reading.assemble import build_readings, row_table
from core.study.reading.case_table import CASE_ID, add_repeated_cases
from core.study.reading.columns import add_rows, each_column, has_columns, look_up, numbers_of, texts_of
from core.study.reading.report import Report
from core.study.reading.table_files import read_table
from core.study.reading.tables import Table, Texts

FINDINGS = (
    "No Finding",
    "Enlarged Cardiomediastinum",
    "Cardiomegaly",
    "Lung Opacity",
    "Lung Lesion",
    "Edema",
    "Consolidation",
    "Pneumonia",
    "Atelectasis",
    "Pneumothorax",
    "Pleural Effusion",
    "Pleural Other",
    "Fracture",
    "Support Devices",
)
LABELS = ("absent", "present")
STUDY = "Study"
GROUPS = ("radiologists/groundtruth", "radiologists/benchmark_radiologists")
"""Folders of the radiologists who made the release's ground truth, and of those who were compared with it."""
MODELS = "example_models/predictions/standard"

_PREFIX = "CheXpert-v1.0/test/"
_AGAIN = "Download the release again."


@dataclass(frozen=True, eq=False)
class Sheet:
    """One file of the release: a row a study, a column a finding.

    Attributes
    ----------
    name : str
        Of the radiologist or model.
    table : Table
        As read.
    ids : Texts
        Study of each row.
    """

    name: str
    table: Table
    ids: Texts


def read_chexpert_test(source: Path) -> Study:
    """Read the release from its folder.

    Parameters
    ----------
    source : Path
        Folder with a CSV file for each radiologist in the folders `GROUPS`: ``Study``, and 0 (absent) or 1
        (present) for each of the 14 findings, in any order of columns. Files in the folder `MODELS`, where
        present, hold ``Study`` and a score, any finite number, for some of the findings.

    Returns
    -------
    Study
        One choice task a finding, those with predictions first, with the labels absent and present; the
        latter is positive. Case ids are the release's paths after ``CheXpert-v1.0/test/``: pseudonyms, and
        all that the release says about patients and views. Raters and models are called as
        their files, without ``_gt`` and ``_predictions``.

    Raises
    ------
    StudyError
        With all problems found.

    Notes
    -----
    A few published scores exceed 1, so their column holds no probabilities. It is kept as published, as
    scores (`core.study.model.Predictions`): cases can be ranked by them, and what needs probabilities is
    refused. A warning and the description of the study say which columns these are. The other columns, all
    within [0, 1], are taken for probabilities of the finding.
    """
    report = Report()
    raters = [sheet for group in GROUPS for sheet in _sheets(source, group, "_gt", report)]
    models = _sheets(source, MODELS, "_predictions", report)
    _check_names(raters, report)
    _check_names(models, report)
    if not raters and not report.has_errors:
        what = f"there is no CSV file in {' or '.join(GROUPS)}"
        report.add(source.name, what, "Give the path of the release's folder.")
    for sheets in (raters, models):
        sheets.sort(key=lambda sheet: natural_key(sheet.name))
    case_codes: dict[str, int] = {}
    for sheet in raters:
        for study in sheet.ids.distinct:
            case_codes.setdefault(study, len(case_codes))
    present = [_present(sheet, report) for sheet in raters]
    cases = [_cases(sheet, case_codes, report) for sheet in raters]
    scores = {sheet.name: _scores(sheet, case_codes, report) for sheet in models}
    report.raise_errors()
    return _assemble(raters, cases, present, scores, list(case_codes), report)


def _sheets(source: Path, folder: str, ending: str, report: Report) -> list[Sheet]:
    """All readable files of a folder; none where there is no such folder."""
    found = []
    for path in sorted((source / folder).glob("[!.]*"), key=lambda path: natural_key(path.name)):
        file = f"{folder}/{path.name}"
        if path.suffix != ".csv":
            what, mend = "expected a CSV file; it is not used", "Save the table as CSV, or take it out."
            report.add(file, what, mend, severity="warning")
            continue
        table = read_table(path, file, report)
        if table is not None and has_columns(table, [STUDY], report):
            ids = texts_of(table, STUDY, report)
            add_repeated_cases(table, ids, report, column=STUDY)
            found.append(Sheet(path.stem.removesuffix(ending), table, ids))
    return found


def _check_names(sheets: Sequence[Sheet], report: Report) -> None:
    """Every radiologist, or every model, has a name and one file."""
    seen: dict[str, str] = {"": "no name in it"}
    for sheet in sheets:
        if sheet.name in seen:
            what = f'expected a name of its own, got "{sheet.name}", and there is {seen[sheet.name]}'
            report.add(sheet.table.file, what, "Rename the file, or delete the one that is out of date.")
        seen.setdefault(sheet.name, sheet.table.file)


def _present(sheet: Sheet, report: Report) -> IntArray:
    """Whether each finding is present, with shape (n_rows, 14); meaningless where a problem was reported."""
    table = sheet.table
    value = np.zeros((table.n_rows, len(FINDINGS)))
    if has_columns(table, [STUDY, *FINDINGS], report, optional=[]):
        for column, used in each_column(table, FINDINGS, report):
            given = table.numbers(column).value
            _note_no_reading(table, column, ~np.isin(given, (0, 1)), used)
            value[:, FINDINGS.index(column)] = given == 1
    return value.astype(np.int64)


def _note_no_reading(table: Table, column: str, rows: np.ndarray, report: Report) -> None:
    add_rows(
        report,
        table,
        rows,
        column,
        lambda row: f'expected 0 (absent) or 1 (present), got "{table.cell(column, row):.100}"',
        "Correct the cell; leave the whole row out where the radiologist did not read the study.",
    )


def _cases(sheet: Sheet, case_codes: Mapping[str, int], report: Report) -> IntArray:
    """Case of each row, −1 where nobody read it; a warning where rows are missing or strange."""
    case = look_up(sheet.ids, case_codes)
    add_rows(
        report,
        sheet.table,
        (case < 0) & (sheet.ids.code >= 0),
        STUDY,
        lambda row: f'no radiologist read "{sheet.ids.distinct[sheet.ids.code[row]]:.200}"; it is not used',
        "Correct the path of the study, or add its readings.",
        is_warning=True,
    )
    missing = len(case_codes) - len(np.unique(case[case >= 0]))
    if missing:
        what = f"{missing:,} of {len(case_codes):,} studies have no row"
        mend = "They stay out of what needs this file; add the rows if you have them."
        report.add(sheet.table.file, what, mend, column=STUDY, severity="warning")
    return case


def _scores(sheet: Sheet, case_codes: Mapping[str, int], report: Report) -> dict[str, FloatArray]:
    """Published scores of all cases by finding, NaN for a study that the model did not score."""
    table = sheet.table
    predicted = [column for column in table.columns if column in FINDINGS]
    strange = [column for column in table.columns if column not in (STUDY, *FINDINGS)]
    report.add_many(
        table.file,
        strange,
        lambda _: "the column is not used",
        lambda _: f"Columns that are used: {STUDY} and the findings.",
        row=lambda _: 1,
        column=str,
        severity="warning",
        noun="column",
    )
    if not predicted:
        what, mend = "there is no column of a finding", f"Findings: {', '.join(FINDINGS)}."
        report.add(table.file, what, mend, row=1)
    case = _cases(sheet, case_codes, report)
    known = case >= 0
    if predicted and not known.any():
        report.add(table.file, "the model scores no study that was read", _AGAIN, column=STUDY)
    found = {}
    for column, used in each_column(table, predicted, report):
        score = np.full(len(case_codes), np.nan)
        score[case[known]] = _column_scores(table, column, used)[known]
        if known.any():
            _warn_scores(table, column, score, report)
        found[column] = score
    return found


def _column_scores(table: Table, column: str, report: Report) -> FloatArray:
    """Scores of one column; 0 where a problem was reported."""
    numbers = numbers_of(
        table,
        column,
        report,
        where=np.ones(table.n_rows, bool),
        expected="a finite number",
        mend="Write numbers with a decimal point.",
    )
    mend = "Leave the whole row out where the model did not score the study."
    add_rows(report, table, ~numbers.given, column, "the score is missing", mend)
    return np.where(np.isfinite(numbers.value), numbers.value, 0.0)


def _warn_scores(table: Table, column: str, score: FloatArray, report: Report) -> None:
    """Warn where scores of the study's cases are no probabilities."""
    if not _are_probabilities(score):
        n_out = int(((score < 0) | (score > 1)).sum())
        report.add(
            table.file,
            f"{n_out:,} of {len(score):,} scores lie outside [0, 1] (from {np.nanmin(score):.4g} to "
            f"{np.nanmax(score):.4g}), so the column is kept as scores, not as probabilities",
            "The model can be compared by AUROC and AP; Brier score, log loss, accuracy and calibration are "
            "not defined for it.",
            column=column,
            severity="warning",
        )


def _are_probabilities(score: FloatArray) -> bool:
    """Whether all scores lie in [0, 1]."""
    return bool(np.nanmin(score) >= 0 and np.nanmax(score) <= 1)


def _predictions(model: str, score: FloatArray) -> Predictions:
    """Predictions from published scores of the positive label."""
    if not _are_probabilities(score):
        return Predictions.of_scores(model, score)
    return Predictions(model, np.stack([1 - score, score], axis=1))


def _assemble(
    raters: Sequence[Sheet],
    cases: Sequence[IntArray],
    present: Sequence[IntArray],
    scores: Mapping[str, Mapping[str, FloatArray]],
    studies: Sequence[str],
    report: Report,
) -> Study:
    case = np.concatenate(cases)
    rater = np.repeat(np.arange(len(raters)), [len(rows) for rows in cases])
    found = np.concatenate(present)
    tasks: dict[str, Task] = {}
    for finding in sorted(FINDINGS, key=lambda finding: not any(finding in of for of in scores.values())):
        tasks[finding] = Task(
            name=finding,
            kind="choice",
            labels=LABELS,
            readings=build_readings(row_table(case, rater, found[:, FINDINGS.index(finding)]), len(studies)),
            predictions={
                model: _predictions(model, of[finding]) for model, of in scores.items() if finding in of
            },
            description=("",) * len(LABELS),
            positive=LABELS[1],
        )
    case_ids = _short_ids(studies)
    rater_ids = tuple(sheet.name for sheet in raters)
    table = pd.DataFrame(index=pd.Index(case_ids, name=CASE_ID))
    return Study(
        name="CheXpert test set",
        case_ids=case_ids,
        rater_ids=rater_ids,
        tasks=tasks,
        cases=table,
        fingerprint=fingerprint(case_ids, rater_ids, tasks, table),
        description=_description(raters, scores),
        source="rajpurkarlab/cheXpert-test-set-labels",
        licence="Research use; see the terms of the release.",
        notes=tuple(report.problems),
    )


def _short_ids(studies: Sequence[str]) -> tuple[str, ...]:
    """Paths of the studies without what they all begin with in the release."""
    short = tuple(study.removeprefix(_PREFIX) for study in studies)
    return short if len(set(short)) == len(studies) and all(short) else tuple(studies)


def _description(raters: Sequence[Sheet], scores: Mapping[str, Mapping[str, FloatArray]]) -> str:
    """What the study is, who read for what, and which scores are no probabilities."""
    text = f"Findings in chest X-ray studies, each marked absent or present by {len(raters)} radiologists."
    for group, did in zip(GROUPS, ("made the release's ground truth", "were compared with it"), strict=True):
        names = [sheet.name for sheet in raters if sheet.table.file.startswith(f"{group}/")]
        if names:
            text += f" {', '.join(names)} {did}."
    kept = [
        f"{model} ({finding})"
        for model, of in scores.items()
        for finding, score in of.items()
        if not _are_probabilities(score)
    ]
    if kept:
        text += (
            f" Some published scores lie outside [0, 1] and are kept as scores: {', '.join(kept)}. They rank "
            "the studies, but are no probabilities."
        )
    return text
