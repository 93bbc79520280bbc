"""What a round changed: certainty, leading labels and the order of models, before and after."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from pathlib import Path

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from core.analysis.cases.leading import point_portion
from core.analysis.cases.worklist import worklist
from core.analysis.export import provenance
from core.analysis.models.comparison import comparison
from core.analysis.models.paired_change import change_errors
from core.analysis.models.rank_change import rank_change
from core.analysis.models.settings import ComparisonSettings
from core.analysis.portions import aggregate_portion, part_of, portions
from core.analysis.report_files import Output, records, write_report
from core.analysis.round_words import change_sentences
from core.analysis.tied_labels import TIED, names_label
from core.plausibility.posterior import Posterior
from core.plausibility.settings import Aggregation
from core.study.brief import tables_in_brief
from core.study.model import FloatArray, IntArray, Study, Task

_MEASURES = {"certainty": "certainty", "risk_certainty": "risk certainty"}
"""Columns of a case, and how they are called."""


@dataclass(frozen=True, eq=False)
class RoundChanges:
    """What changed, as tables and sentences.

    Attributes
    ----------
    tables : mapping of str to DataFrame
        As `round_changes` lists them.
    sentences : tuple of str
        The main things, in plain words.
    settings : mapping of str to str
        `core.analysis.export.provenance` of the study before; what counts after, and its fingerprint.
    """

    tables: Mapping[str, pd.DataFrame]
    sentences: tuple[str, ...]
    settings: Mapping[str, str]

    __repr__ = tables_in_brief


def round_changes(before: Study, after: Study, task_name: str, aggregation: Aggregation) -> RoundChanges:
    """Compare a study before and after further readings.

    Parameters
    ----------
    before, after : Study
        The same cases, tasks and predictions; the second with further readings
        (`core.reviews.applied.with_rounds`).
    task_name : str
        The task.
    aggregation : Aggregation
        Of both.

    Returns
    -------
    RoundChanges
        Tables ``cases`` (`case_changes`), ``certainty`` (`certainty_changes`) and, with predictions,
        ``models`` (`model_changes`).

    Raises
    ------
    ValueError
        If the cases or labels are not the same.
    """
    task, again = before.tasks[task_name], after.tasks[task_name]
    if before.case_ids != after.case_ids or task.labels != again.labels:
        raise ValueError("expected the same cases and labels before and after, got others")
    read = again.readings.per_case - task.readings.per_case
    described = [_described(study, of, aggregation) for study, of in ((before, task), (after, again))]
    cases = case_changes(described[0], described[1], read, task)
    certainty = certainty_changes(described[0][0], described[1][0], read > 0)
    tables = {"cases": cases, "certainty": certainty}
    if task.predictions and (task.readings.n_readings or again.readings.n_readings):
        tables["models"] = model_changes(before, after, task_name, aggregation)
    made = provenance(before, task, aggregation) | {
        "after": after.counted,
        "fingerprint after": after.fingerprint,
    }
    return RoundChanges(tables, tuple(change_sentences(tables)), made)


def write_changes(result: RoundChanges, to: Output) -> list[Path]:
    """Write each table as CSV, and the sentences with the settings as ``changed.json``; return the paths."""
    content = {
        "sentences": list(result.sentences),
        "certainty": records("changed", "certainty", result.tables["certainty"]),
    }
    return write_report(to, "changed", result.tables, result.settings, content)


Described = tuple[pd.DataFrame, pd.DataFrame]
"""Worklist without models, and how often each label leads: ``case``, ``label`` (−1: any other), ``leads``."""


def _described(study: Study, task: Task, aggregation: Aggregation) -> Described:
    """Describe every case, one portion of the study after the other."""
    lists, leads = [], []
    for cases in portions(task, aggregation):
        posterior = aggregate_portion(study, task, aggregation, cases)
        part, part_task = part_of(study, task, cases)
        point = point_portion(study, task, aggregation, cases)
        lists.append(worklist(part, replace(part_task, predictions={}), posterior, point))
        leads.append(_leads(posterior, cases.start))
    return pd.concat(lists), pd.concat(leads, ignore_index=True)


def _leads(posterior: Posterior, first: int) -> pd.DataFrame:
    """How often each label named leads its case, and any single other one; cases count from ``first``."""
    candidates, top1 = posterior.candidates, posterior.top1
    n = candidates.n_cases
    return pd.DataFrame(
        {
            "case": np.concatenate([candidates.case, np.arange(n)]) + first,
            "label": np.concatenate([candidates.label, np.full(n, -1)]),
            "leads": np.concatenate([top1.candidate, top1.other]),
        }
    )


def case_changes(before: Described, after: Described, read: IntArray, task: Task) -> pd.DataFrame:
    """Compare each case that was read again, those that moved most first.

    Parameters
    ----------
    before, after : pair of DataFrame
        See `Described`.
    read : ndarray of int with shape (n_cases,)
        Further readings of each case.
    task : Task
        For the number of labels.

    Returns
    -------
    DataFrame
        One row a case with further readings: ``case_id``; ``readings_before`` and ``further_readings``;
        ``leading_before`` and ``leading_after`` (of equals all, empty without readings);
        ``leading_changed``, whether none of those that led before leads now (false where nobody read before);
        ``certainty_before``, ``certainty_after`` and ``certainty_change``; with risk
        levels the same of ``risk_certainty``, and ``high_risk_before`` and ``high_risk_after``, how often a
        high-risk label leads, in [0, 1] (NaN where nobody read); ``moved``, in [0, 1]: the total variation
        distance between the distributions of which label leads, so 1 where another one surely leads (NaN
        where nobody read before).
    """
    index = np.flatnonzero(read > 0)
    old, new = before[0].iloc[index], after[0].iloc[index]
    columns: dict[str, object] = {
        "case_id": old.index,
        "readings_before": old["readings"].to_numpy(),
        "further_readings": read[index],
        "leading_before": old["leading"].to_numpy(),
        "leading_after": new["leading"].to_numpy(),
        "leading_changed": _another_leads(old["leading"], new["leading"]),
    }
    for name in _measures(old):
        columns[f"{name}_before"] = old[name].to_numpy()
        columns[f"{name}_after"] = new[name].to_numpy()
        columns[f"{name}_change"] = new[name].to_numpy() - old[name].to_numpy()
    if "high_risk" in old:
        for when, of in (("before", old), ("after", new)):
            columns[f"high_risk_{when}"] = of["high_risk"].to_numpy()
    moved = _moved(before[1], after[1], len(read), len(task.labels))[index]
    columns["moved"] = np.where(old["readings"] > 0, moved, np.nan)
    return pd.DataFrame(columns).sort_values("moved", ascending=False, kind="stable", ignore_index=True)


def _moved(before: pd.DataFrame, after: pd.DataFrame, n_cases: int, n_labels: int) -> FloatArray:
    """Half the sum over all labels of how much more or less often each leads, with shape (n_cases,)."""
    both = before.merge(after, on=["case", "label"], how="outer", suffixes=("_before", "_after"))
    is_other = both["label"] == -1
    other = both[is_other].set_index("case")
    for side in ("leads_before", "leads_after"):
        # A label that was named on one side alone is one of the others on the other side.
        both[side] = both[side].fillna(both["case"].map(other[side]))
    named = (~is_other).groupby(both["case"]).transform("sum")
    count = np.where(is_other, n_labels - named, 1)
    distance = (both["leads_after"] - both["leads_before"]).abs() * count / 2
    return np.asarray(distance.groupby(both["case"]).sum().reindex(range(n_cases)), np.float64)


def certainty_changes(before: pd.DataFrame, after: pd.DataFrame, was_read: NDArray[np.bool_]) -> pd.DataFrame:
    """Compare mean certainty, of the cases that were read again and of the study.

    Parameters
    ----------
    before, after : DataFrame
        Worklists of all cases.
    was_read : ndarray of bool with shape (n_cases,)
        Whether a case has further readings.

    Returns
    -------
    DataFrame
        ``scope`` ("cases read again", "study"); ``measure`` ("certainty", with risk levels also "risk
        certainty"); ``before`` and ``after``, means over the cases that have readings both before and after;
        ``change``; ``n_cases`` that entered; of how many of these another label leads, ``leading_changed``,
        and of how many one of several that were tied leads alone, ``ties_broken``.
    """
    other = _another_leads(before["leading"], after["leading"])
    broken = _is_tied(before["leading"]) & ~_is_tied(after["leading"]) & ~other
    rows = []
    for scope, of in (("cases read again", was_read), ("study", np.ones(len(was_read), bool))):
        for name in _measures(before):
            old, new = before[name].to_numpy(), after[name].to_numpy()
            known = of & ~np.isnan(old) & ~np.isnan(new)
            n = int(known.sum())
            means = (old[known].mean(), new[known].mean()) if n else (np.nan, np.nan)
            counts = n, int(other[known].sum()), int(broken[known].sum())
            rows.append((scope, _MEASURES[name], *means, means[1] - means[0], *counts))
    names = ["scope", "measure", "before", "after", "change", "n_cases", "leading_changed", "ties_broken"]
    return pd.DataFrame(rows, columns=names)


def _another_leads(before: pd.Series, after: pd.Series) -> NDArray[np.bool_]:
    """Whether another label leads each case: none of those that led, one or several tied, leads now."""

    def is_another(then: str, now: str) -> bool:
        if then == now or not then or not now:
            return False
        if not now.endswith(TIED):
            return not names_label(then, now)
        return not then.endswith(TIED) and not names_label(now, then)

    return np.array([is_another(then, now) for then, now in zip(before, after, strict=True)], bool)


def _is_tied(leading: pd.Series) -> NDArray[np.bool_]:
    return np.array([words.endswith(TIED) for words in leading], bool)


def model_changes(
    before: Study,
    after: Study,
    task_name: str,
    aggregation: Aggregation,
    settings: ComparisonSettings = ComparisonSettings(),  # noqa: B008 - frozen
) -> pd.DataFrame:
    """Compare each model's metrics and ranks.

    Parameters
    ----------
    before, after, task_name, aggregation
        As of `round_changes`.
    settings : ComparisonSettings
        Label and cases; without a label, the one that is compared before.

    Returns
    -------
    DataFrame
        One row a metric and model: ``metric``, each hard one of
        `core.analysis.models.rank_change.COUNTERPARTS` and its soft or adjusted counterpart; ``kind``
        ("hard", "soft"); ``model``; ``before``, ``after`` and ``change``; ``change_error``, its
        standard error over cases, each with itself (`core.analysis.models.paired_change`; NaN where there is
        none); ``rank_before``, ``rank_after`` (1 for the best, equals sharing the best of their ranks; NaN
        where undefined) and ``rank_change``, ranks gained; ``n_cases_before`` and ``n_cases_after``
        that the model is judged on; ``reason``, why a value is missing or means nothing.

    Raises
    ------
    ValueError
        As `core.analysis.models.rank_change.rank_change`.
    """
    label = settings.label or comparison(before, before.tasks[task_name], coverage=settings.coverage).label
    settings = ComparisonSettings(positive=label, coverage=settings.coverage)
    old, new = (
        rank_change(study, study.tasks[task_name], settings, aggregation=aggregation)
        for study in (before, after)
    )
    errors = change_errors(before, after, task_name, settings, aggregation)
    tables = []
    for kind, name in (("hard", "metric"), ("soft", "counterpart")):
        table = pd.DataFrame(
            {
                "metric": old[name],
                "kind": kind,
                "model": old["model"],
                "before": old[kind],
                "after": new[kind],
                "change": new[kind] - old[kind],
                "change_error": np.concatenate([errors[metric] for metric in old[name].unique()]),
                "rank_before": old[f"{kind}_rank"],
                "rank_after": new[f"{kind}_rank"],
                "rank_change": old[f"{kind}_rank"] - new[f"{kind}_rank"],
                "n_cases_before": old["n_cases"],
                "n_cases_after": new["n_cases"],
                "reason": np.where(new["reason"] == "", old["reason"], new["reason"]),
            }
        )
        table.loc[table["change"].isna(), "change_error"] = np.nan
        tables.append(table)
    return pd.concat(tables, ignore_index=True)


def _measures(cases: pd.DataFrame) -> list[str]:
    return [name for name in _MEASURES if name in cases]
