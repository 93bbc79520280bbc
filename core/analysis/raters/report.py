"""Everything about the raters of a task as tables, the ones that the page shows, for the command line."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

import pandas as pd

from core.analysis.export import made_by
from core.analysis.methods_text import Paragraph, of_data
from core.analysis.raters.accuracy import best_standard
from core.analysis.raters.coefficients import coefficient_table, label_table
from core.analysis.raters.concordance import (
    case_table,
    concordance_table,
    concordance_weights,
    weighted_concordance,
)
from core.analysis.raters.confusion import confusion_table
from core.analysis.raters.difference import agreement_difference
from core.analysis.raters.groups import group_table
from core.analysis.raters.methods import of_raters, tells_ability
from core.analysis.raters.pairs import pair_table
from core.analysis.raters.panel import Panel, panel
from core.analysis.raters.profiles import calibration_table, confidence_table, profile_table
from core.analysis.raters.settings import RaterSettings
from core.analysis.report_files import Output, find_task, records, write_report
from core.metrics.agreement.pairs import MOST_RATERS
from core.plausibility.settings import error_prior_words
from core.settings import entries
from core.study.brief import tables_in_brief
from core.study.model import Study, Task


@dataclass(frozen=True, eq=False)
class RaterReport:
    """Tables by name, the settings that made them, and what to know of them.

    Attributes
    ----------
    tables : mapping of str to DataFrame
        ``coefficients``, ``labels``, ``concordance``, ``cases``, ``raters`` (profiles), ``pairs``,
        ``confidence``, ``calibration``, ``confusion``, ``groups``; where two groups of raters are compared
        ``difference``.
    settings : mapping of str to str
        Study, task, raters, cases and choices.
    notes : tuple of str
        Sentences: what was assumed, and what is left out and why.
    methods : tuple of Paragraph
        What was done, in words, as `core.analysis.methods_text` writes it.
    """

    tables: Mapping[str, pd.DataFrame]
    settings: Mapping[str, str]
    notes: tuple[str, ...]
    methods: tuple[Paragraph, ...] = ()

    __repr__ = tables_in_brief


def rater_report(
    study: Study,
    settings: RaterSettings = RaterSettings(),  # noqa: B008 - frozen
    *,
    task_name: str | None = None,
    cases: Sequence[int] | None = None,
) -> RaterReport:
    """Compute every table about the raters of a task.

    Parameters
    ----------
    study : Study
        What was observed.
    settings : RaterSettings
        Which raters, and what they are judged by.
    task_name : str, optional
        The study's first task by default.
    cases : sequence of int, optional
        Indices of the cases looked at; all by default.

    Raises
    ------
    ValueError
        For a task or rater that the study does not have, or a setting out of range.
    """
    chosen = panel(study, find_task(study, task_name), raters=settings.raters or None, cases=cases)
    given, n_boot = settings.rater_accuracy, settings.resamples
    weights = concordance_weights(
        chosen, standard=settings.standard, given=given, variability=settings.variability
    )
    found = weighted_concordance(chosen, weights)
    few = chosen.n_raters <= MOST_RATERS
    tables = {
        "coefficients": coefficient_table(chosen, ordered=settings.label_order, n_boot=n_boot),
        "labels": label_table(chosen, n_boot=n_boot),
        "concordance": concordance_table(chosen, weights, found),
        "cases": case_table(chosen, found),
        "raters": profile_table(chosen, given=given),
        "confidence": confidence_table(chosen),
        "calibration": calibration_table(chosen),
        "confusion": confusion_table(chosen, gold=settings.gold),
    }
    if settings.other_raters:
        second = panel(study, chosen.task, raters=settings.other_raters, cases=cases)
        tables["difference"] = agreement_difference(
            chosen, second, ordered=settings.label_order, n_boot=n_boot
        )
    if few:
        tables |= {"pairs": pair_table(chosen), "groups": group_table(chosen, weights)}
    notes = [weights.assumed, *panel_notes(chosen)]
    for table, reason in (("raters", "ability_withdrawn"), ("confusion", "withdrawn")):
        if tables[table].attrs.get(reason):
            notes.append(tables[table].attrs[reason])
    has_ability = tells_ability(tables["raters"])
    methods = (
        of_data(chosen.study, chosen.task),
        of_raters(settings, judged_by=best_standard(chosen, given), has_ability=has_ability),
    )
    return RaterReport(tables, _provenance(chosen, settings, cases), tuple(notes), methods)


def _provenance(chosen: Panel, settings: RaterSettings, cases: Sequence[int] | None) -> dict[str, str]:
    """Provenance of the tables."""
    return {
        **made_by(chosen.study, chosen.task),
        "raters": ", ".join(chosen.rater_ids) if settings.raters else "all",
        "cases": "all" if cases is None else ", ".join(chosen.case_ids),
        **entries(settings),
        "prior of Dawid–Skene": error_prior_words(1.0),
    }


def panel_notes(chosen: Panel) -> list[str]:
    """Sentences on what to know of a panel before reading its tables: what is counted, what is left out."""
    repeats = chosen.all_readings.n_readings - chosen.readings.n_readings
    return notes_from(chosen.task, chosen.n_raters, repeats, identified=chosen.identified)


def notes_from(task: Task, n_raters: int, repeats: int, *, identified: bool) -> list[str]:
    """Sentences of `panel_notes` on some raters, of whose readings so many are not the first of a case."""
    notes = []
    if not identified:
        notes.append(
            "Raters are numbered anew in each case, so nothing is said of single raters, pairs or groups."
        )
    if n_raters > MOST_RATERS:
        notes.append(
            f"{n_raters:,} raters are too many to compare two by two (at most {MOST_RATERS:,}); "
            "choose some of them for all pairs, groups and the mean Cohen κ."
        )
    if n_raters == 1:
        notes.append("There is one rater only, so no agreement can be measured.")
    if repeats:
        notes.append(
            f"{repeats:,} repeated readings show how far raters agree with themselves; they do not enter "
            "agreement with others."
        )
    if task.kind == "ranking":
        notes.append(
            "A differential counts with its first label; where several share the first place, with one of "
            "them by lot."
        )
    if task.kind == "score":
        notes.append("A score counts with its side of the threshold, except where the basis is scores.")
    return notes


def write_rater_report(report: RaterReport, to: Output) -> list[Path]:
    """Write each table as CSV, and settings, notes and coefficients as ``raters.json``; return the paths."""
    rows = {name: records("raters", name, report.tables[name]) for name in ("coefficients", "concordance")}
    content = {"notes": list(report.notes)} | rows
    return write_report(
        to,
        "raters",
        report.tables,
        report.settings,
        content,
        methods=report.methods,
    )
