"""What a study holds: readings, labels, raters, and what is missing."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator

import numpy as np
import pandas as pd

from core.analysis.cases.case import risk_letter
from core.analysis.formatting import percent_range
from core.analysis.raters.identified import raters_are_identified
from core.metrics.ratio import ratio_over_cases
from core.plausibility.reading_agreement import rater_agreement
from core.study.model import RISK_NAMES, FloatArray, Study, Task
from core.study.reading.checks import personal_content

OTHERS = "others"
PERCENT, _DIGITS = "\u00a0%", 9
_LOOKED_AT = 1000
"""Values of a column by which it is judged."""
_LEVELS = (*RISK_NAMES, "unknown", "")


def spread_per_case(cases: pd.DataFrame) -> pd.DataFrame:
    """Count cases by their number of readings, and by their number of labels (Stutz 2025, fig. D.13).

    Parameters
    ----------
    cases : DataFrame
        As `core.analysis.cases.worklist.worklist` gives it.

    Returns
    -------
    DataFrame
        ``quantity`` ("readings" or "labels"), ``number``, ``risk`` (of the leading label; empty without risk
        levels or readings) and ``cases``, above 0; in ascending order, low risk first.
    """
    risk = cases["risk"] if "risk" in cases else pd.Series("", index=cases.index)
    tables = []
    for quantity in ("readings", "labels"):
        counts = pd.DataFrame({"number": cases[quantity], "risk": risk}).value_counts()
        table = counts.rename("cases").reset_index()
        table.insert(0, "quantity", quantity)
        tables.append(_by_level(table, "number"))
    return pd.concat(tables, ignore_index=True)


def _by_level(table: pd.DataFrame, first: str) -> pd.DataFrame:
    """Sort rows by a column, then by risk, low first."""
    level = table["risk"].map({name: i for i, name in enumerate(_LEVELS)})
    return table.iloc[np.lexsort((level, table[first]))].reset_index(drop=True)


def risk_levels_in_words(task: Task) -> tuple[str, ...]:
    """Say whose the risk levels are, and how many labels each has.

    Returns
    -------
    tuple of str
        A paragraph each.
    """
    whose = (
        "These levels are the study’s own: whoever made it gave each label one, in the file labels.csv. "
        "Loupe does not judge them, and every number about danger rests on them."
    )
    if task.published_risk is not None:
        whose = (
            "Which labels are of high risk was chosen; all other levels are the study’s own, from the file "
            "labels.csv. Every number about danger rests on them."
        )
    of_level = Counter(RISK_NAMES[level] if level >= 0 else "unknown" for level in task.risk.tolist())
    told = [f"{name} {of_level[name]:,}" for name in (*RISK_NAMES[::-1], "unknown") if of_level[name]]
    return whose, f"Of {len(task.labels):,} labels: {', '.join(told)}."


def risk_table(task: Task) -> pd.DataFrame:
    """List every label with its risk level, high risk first, and of each level those named most.

    Returns
    -------
    DataFrame
        ``label``; ``risk``, "unknown" where none is given; ``readings`` that name it.
    """
    times_named = np.bincount(task.readings.label, minlength=len(task.labels))[: len(task.labels)]
    order = np.lexsort((np.arange(len(task.labels)), -times_named, -task.risk))
    return pd.DataFrame(
        {
            "label": [task.labels[code] for code in order],
            "risk": [RISK_NAMES[task.risk[code]] if task.risk[code] >= 0 else "unknown" for code in order],
            "readings": times_named[order],
        }
    )


def label_spread(task: Task, *, top: int = 20) -> pd.DataFrame:
    """Count how often each label is named, and how often in first place.

    Parameters
    ----------
    task : Task
        A choice or ranking task.
    top : int
        Labels listed by themselves; the rest are counted together.

    Returns
    -------
    DataFrame
        ``label``, ``risk`` (L, M, H or empty), ``first`` (readings with the label in first place, tied or
        not), ``named`` (readings that name it at all) and ``cases`` (in which somebody names it), the most
        often named label first; then, if there are more labels, one row `OTHERS` in which readings and cases
        count once for each label. ``attrs["n_others"]`` is the number of labels in that row.

    Raises
    ------
    ValueError
        For a score task, or if ``top`` is below 1.
    """
    if task.kind == "score":
        raise ValueError("labels are counted for choice and ranking tasks, got a score task")
    if top < 1:
        raise ValueError(f"top must be 1 or more, got {top}")
    readings, n_labels = task.readings, len(task.labels)
    named = np.bincount(readings.label, minlength=n_labels)
    first = np.bincount(readings.label[readings.block == 0], minlength=n_labels)
    in_case = np.unique(readings.case[readings.entry_reading] * n_labels + readings.label)
    cases = np.bincount(in_case % n_labels, minlength=n_labels)
    order = np.lexsort((np.arange(n_labels), -first, -named))
    shown, others = order[:top], order[top:]
    table = pd.DataFrame(
        {
            "label": [task.labels[k] for k in shown],
            "risk": [risk_letter(task, k) for k in shown],
            "first": first[shown],
            "named": named[shown],
            "cases": cases[shown],
        }
    )
    if len(others):
        table.loc[len(table)] = [OTHERS, "", first[others].sum(), named[others].sum(), cases[others].sum()]
    table.attrs["n_others"] = len(others)
    return table


def rater_workload(study: Study, task: Task) -> pd.DataFrame:
    """Count what each rater read, and how often the rater agrees with the others.

    Returns
    -------
    DataFrame
        One row for each rater with a reading, in the study's order: ``rater``, ``readings``, ``cases``,
        ``repeats`` (readings beyond the first of a case), ``labels`` (mean number named in a reading; NaN for
        scores) and ``agreement`` (`core.plausibility.reading_agreement.rater_agreement`, in [0, 1]; NaN for
        scores and where there is nothing to compare). Empty where raters are not identified
        (`raters_are_identified`): nothing about a single one of them means anything then.
    """
    readings, n = task.readings, len(study.rater_ids)
    count = np.bincount(readings.rater, minlength=n)
    pairs = np.unique(readings.case * n + readings.rater)
    cases = np.bincount(pairs % n, minlength=n)
    entries = np.bincount(readings.rater, np.diff(readings.entry_start), n)
    is_score = task.kind == "score"
    table = pd.DataFrame(
        {
            "rater": list(study.rater_ids),
            "readings": count,
            "cases": cases,
            "repeats": count - cases,
            "labels": np.divide(entries, count, out=np.full(n, np.nan), where=(count > 0) & (not is_score)),
            "agreement": np.full(n, np.nan) if is_score else rater_agreement(readings, n),
        }
    )
    kept = count > 0 if raters_are_identified(study, task) else np.zeros(n, bool)
    return table[kept].reset_index(drop=True)


def range_for_others(per_case: FloatArray) -> str:
    """Write the range, for other cases of the same kind, of the mean over cases of what lies in [0, 1].

    Parameters
    ----------
    per_case : ndarray of float64 with shape (n_cases,)
        NaN where it is not known: such a case does not count.

    Returns
    -------
    str
        As in "88 to 91 %"; empty of fewer than two cases.

    Notes
    -----
    The range is the 95 % interval of `core.metrics.ratio.Ratio.share_interval`, of cases drawn anew; it holds
    no uncertainty about readings or their reliability.
    """
    values = np.asarray(per_case, np.float64)
    found = ratio_over_cases(np.nan_to_num(values), (~np.isnan(values)).astype(np.float64))
    if found.n_cases == 0 or found.why_no_interval:
        return ""
    low, high = (round(end, _DIGITS) for end in found.share_interval())
    return percent_range(low, high)


def personal_columns(study: Study) -> dict[str, str]:
    """Columns of metadata that may identify a person, and what each looks like.

    Judged as when the files were read (`core.study.reading.checks.personal_content`), by the names and the
    first values.
    """
    found = {}
    for column in study.cases:
        values = study.cases[column].head(_LOOKED_AT).dropna().astype(str).unique()
        content = personal_content(str(column), values)
        if content is not None:
            found[str(column)] = content
    return found


def missing_parts(study: Study, task: Task) -> pd.DataFrame:
    """List what the study does not have, and what it would make possible.

    Returns
    -------
    DataFrame
        ``missing``, ``enables`` (what cannot be shown without it) and ``add`` (how to add it); empty where
        nothing is missing.
    """
    return pd.DataFrame(_missing(study, task), columns=["missing", "enables", "add"])


def _missing(study: Study, task: Task) -> Iterator[tuple[str, str, str]]:
    """Rows of `missing_parts`."""
    readings = task.readings
    if not task.predictions:
        yield (
            "predictions",
            "accuracy of models under uncertain truth, in Reliability, and the models' answers in Cases",
            "predictions.csv with case_id, model, label, probability",
        )
    elif task.score_models:
        yield (
            f"probabilities of {', '.join(task.score_models)}",
            "accuracy, Brier score, log loss and calibration: scores only rank the cases (AUROC, AP)",
            "a column of probabilities for each label in place of the column score",
        )
    if not task.has_risk and task.kind != "score":
        yield (
            "risk levels",
            "risk certainty, expected risk and the filters by risk in Cases",
            "a column risk (0 low, 1 medium, 2 high) in labels.csv",
        )
    if not (readings.per_case >= 2).any():
        yield (
            "second readings",
            "disagreement, agreement, and the reliability that the readings support",
            "more rows per case in annotations.csv",
        )
    if np.isnan(readings.confidence).all():
        yield (
            "confidence",
            "the confidence-weighted majority",
            "a column confidence (0 to 1) in annotations.csv",
        )
    if not raters_are_identified(study, task):
        yield (
            "rater identities",
            "comparisons between raters: workload and agreement",
            "the same rater_id for the same person in every case of annotations.csv",
        )
    if not _has_text(study, "image"):
        yield "images", "the picture of each case in Cases", "a column image (a path) in cases.csv"


def _has_text(study: Study, column: str) -> bool:
    """Whether a column of the cases has a value anywhere."""
    return column in study.cases and bool((study.cases[column].fillna("") != "").any())
