"""A part of Study: its readings and labels, its raters, where it comes from, and what it lacks."""

from __future__ import annotations

from functools import partial

import pandas as pd
import streamlit as st

from core.analysis import overview
from core.analysis.cases.bars import Quantity, label_bars, number_bars
from core.analysis.raters.identified import raters_are_identified
from core.study.model import Study, Task
from dashboard.charts.raters import workload
from dashboard.charts.study import counts
from dashboard.components import text
from dashboard.components.picture import picture
from dashboard.components.text import count
from dashboard.shell import cache, theme
from dashboard.views import parts
from dashboard.views.study import opening

_AGREES = {
    "choice": "",
    "score": "",
    "ranking": ": names, in any place, the label that they put first. It is rarer that two put the same "
    "label first; Raters says how rare",
}
"""What agreement is, where that needs saying."""
_APART = 3
"""Times as many readings as another rater has are seen in the size of a dot."""
_workload = cache.cached()(overview.rater_workload)


def show(study: Study, task: Task, table: pd.DataFrame, source: dict[str, str]) -> None:
    """Draw the part; ``table`` is the worklist."""
    per_case = partial(_per_case, overview.spread_per_case(table), table, source)
    readings, about = partial(per_case, "readings", "Readings per case"), partial(_about, study)
    if task.has_risk:
        parts.risk_key("Risk of the leading label, as this study’s labels.csv gives it:")
    if task.kind == "score":
        parts.beside(readings, about)
    else:
        parts.beside(readings, partial(per_case, "labels", "Different labels per case"))
        parts.beside(partial(_labels, task, table, source), about)
    _raters(study, task, source)
    _missing(study, task)


def _per_case(
    spread: pd.DataFrame, table: pd.DataFrame, source: dict[str, str], unit: Quantity, title: str
) -> None:
    """Draw one histogram of whole numbers per case, split by risk where there are risk levels."""
    parts.head(title)
    values = table[unit]
    if values.min() == values.max():
        parts.note(f"Every case has {count(values.min(), unit.removesuffix('s'))}.")
        return
    shown = spread[spread["quantity"] == unit].drop(columns="quantity")
    has_risk = "risk" in table
    opening.show(
        table,
        number_bars(spread, unit),
        partial(
            counts.spread_chart if has_risk else counts.count_histogram, title=title, tokens=theme.tokens()
        ),
        name=f"{unit}-per-case",
        alternative=f"Histogram: {title.lower()}" + (", by the risk of the leading label" * has_risk),
        caption=f"Median {values.median():g}, from {values.min()} to {values.max():,} {unit} per case."
        + (" L, M, H: risk of the leading label." if has_risk else ""),
        table=shown if has_risk else shown.drop(columns="risk"),
        provenance=source,
    )


def _labels(task: Task, cases: pd.DataFrame, source: dict[str, str]) -> None:
    """Draw the labels that are named most, and lead to the cases in which each is plausible."""
    parts.head("Most named labels")
    table = overview.label_spread(task, top=len(task.labels))
    shown = min(len(table), counts.MOST_LABELS)
    picture(
        counts.label_chart(table.rename(columns={"named": "readings"}), tokens=theme.tokens()),
        name="labels-named",
        alternative="Labels by the number of readings that name them",
        caption=(
            f"The first {shown} of {count(len(task.labels), 'label')}, by the readings that name them"
            if shown < len(task.labels)
            else "Labels by the readings that name them"
        )
        + ("; L, M, H: risk." if task.has_risk else "."),
        table=table,
        provenance=source,
        selections=opening.menu(
            cases, label_bars(cases, table["label"].head(shown).tolist()), "labels-named"
        ),
    )


def _raters(study: Study, task: Task, source: dict[str, str]) -> None:
    """Draw what each rater read, where a rater is the same person in all cases."""
    if not raters_are_identified(study, task):
        parts.head("Raters")
        parts.note(
            "Raters are numbered within each case: the first of one case may not be the first of another, "
            "so nothing can be said about a single rater. If annotations.csv gives the same person the same "
            "rater_id in every case, workload and agreement are shown here."
        )
        return
    table = _workload(study, task)
    if len(table) < 2:
        return
    folded = ""
    if len(table) > workload.MOST_RATERS:
        folded = f" The {workload.MOST_RATERS} of {len(table):,} raters with the most readings."
    drawn = workload.most_readings(table)["readings"]
    left, right = st.columns(2, gap="large")
    with left:
        parts.head("How much did each rater read?")
        picture(
            workload.workload_chart(table, tokens=theme.tokens()),
            name="workload",
            alternative="Number of readings of each rater",
            caption=_workload_words(table["readings"]) + folded,
            table=table,
            provenance=source,
        )
    with right:
        parts.head("Do the raters agree?")
        if table["agreement"].isna().all():
            parts.note(
                "Agreement is measured only where raters choose labels."
                if task.kind == "score"
                else "No case has two readers whose answers could be compared."
            )
            return
        picture(
            workload.agreement_chart(table, tokens=theme.tokens()),
            name="agreement",
            alternative="Agreement of each rater with the others of the same cases",
            caption=f"How often a rater agrees with the others of the same cases{_AGREES[task.kind]}. "
            + "Large dots: many readings. " * bool(drawn.max() >= _APART * drawn.min())
            + "Dotted: median. Agreement does not prove that raters are right.",
            table=table[["rater", "readings", "agreement"]],
            provenance=source,
        )


def _workload_words(readings: pd.Series) -> str:
    """Say how many readings the raters have."""
    if readings.min() == readings.max():
        return f"Every rater has {count(readings.min(), 'reading')}."
    return f"Median {readings.median():g}, from {readings.min():,} to {readings.max():,} readings per rater."


def _missing(study: Study, task: Task) -> None:
    """Say what the study does not have, and what it would make possible."""
    table = overview.missing_parts(study, task)
    if table.empty:
        return
    parts.head("What is missing, and what it would show")
    rows = [(missing[:1].upper() + missing[1:], enables, add) for missing, enables, add in table.to_numpy()]
    text.table(["Missing", "Would show", "To add it"], rows, name="What is missing")


def _about(study: Study) -> None:
    """Show where the study comes from."""
    parts.head("Where it comes from")
    models = dict.fromkeys(model for task in study.tasks.values() for model in task.predictions)
    rows = [
        ("Source", study.source or "not given"),
        ("Licence", study.licence or "not given"),
        ("Tasks", ", ".join(f"{task.name} ({task.kind})" for task in study.tasks.values())),
        ("Models", ", ".join(models) or "none"),
        ("Case details", ", ".join(map(str, study.cases.columns)) or "none"),
    ]
    text.table(["What", "As the files say"], rows, name="Where the study comes from")
