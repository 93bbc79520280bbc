"""Study: what is loaded, what deserves a look, and how certain its truth is."""

from __future__ import annotations

from functools import partial

import numpy as np
import pandas as pd
import streamlit as st

from core.analysis import overview
from core.analysis.cases.bars import (
    PERHAPS_HIGH,
    Quantity,
    certainty_bars,
    label_bars,
    number_bars,
    risk_bars,
)
from core.analysis.cases.percent_ranges import SETTLED
from core.analysis.cases.worklist import PLAUSIBLE
from core.analysis.export import provenance
from core.analysis.formatting import percent
from core.analysis.origin import origin_in_words
from core.study.model import Study, Task
from dashboard.charts.raters import workload
from dashboard.charts.study import counts
from dashboard.charts.study.certainty import certainty_histogram
from dashboard.components import text
from dashboard.components.picture import Caption, picture
from dashboard.components.text import count, element
from dashboard.shell import cache, sidebar, state, theme
from dashboard.views import in_parts, methods_text, open_study, parts
from dashboard.views.study import by_reliability, findings, opening

_WHO_SAYS = "Which labels are of high risk, and who says so?"
_AGREES = {
    "choice": "",
    "score": "",
    "ranking": ": names, in whatever place, what they put first. That two put the same label first is rarer; "
    "Raters says how rare",
}
"""What agreement is, where that needs saying."""
_APART = 3
"""Times as many readings as another rater has are seen in the size of a dot."""


def show(chosen: sidebar.Chosen) -> None:
    """Draw the page."""
    if chosen.study is None or chosen.task is None:
        parts.refused(chosen)
        open_study.open_another(opened=chosen.source.folder is None)
        return
    study, task = chosen.study, chosen.task
    element("h1", study.name)
    is_asked = state.is_asked_for_another()
    if is_asked:
        open_study.open_another()
    opened = chosen.opened
    if opened is not None and opened.in_parts is not None and opened.counted is not None:
        in_parts.of_all(opened.in_parts, opened.counted)
        parts.head(f"{study.counted.capitalize()}")
    _personal(study)
    if origin := origin_in_words(study):
        element("p", origin, role="strong loupe-origin")
    of_task = findings.task_words(study, task)
    if of_task:
        words = f"{of_task}. All numbers and pictures here are of this task."
        parts.note(words, at_screen="Choose another on the left.")
    parts.facts(_facts(study, task))
    with st.expander("About this study and its files", key="about-study"):
        if study.description:
            element("p", study.description)
        _files(study, "uploaded" if chosen.source.folder is None else str(chosen.source.folder))
    with st.container(key="wide"):
        _spread(study, task)
        _raters(study, task)
    _missing(study, task)
    if chosen.problems:
        parts.head("Worth a look")
        parts.note("The study was read; these points may matter for what you conclude from it.")
        parts.problems(chosen.problems)
    if not is_asked:
        open_study.open_another()


def _personal(study: Study) -> None:
    """Warn of columns that may identify a person, before anything of them is shared."""
    found = overview.personal_columns(study)
    if found:
        named = "; ".join(f"{column} ({content})" for column, content in found.items())
        parts.warning(
            f"May identify a person: {named}. Leave out of cases.csv what is not needed or may not be "
            "shared; the page Cases shows it, and links and downloads can carry it."
        )


def _facts(study: Study, task: Task) -> list[tuple[str, str]]:
    """Numbers that say how big the study is."""
    labels = len(task.labels)
    return [
        (f"{study.n_cases:,}", "cases"),
        (f"{task.readings.n_readings:,}", "scores" if task.kind == "score" else "readings"),
        _readers(study, task),
        (f"{labels:,}", "sides of the threshold" if task.kind == "score" else "labels"),
        (f"{len(task.predictions)}", "models"),
    ]


def _readers(study: Study, task: Task) -> tuple[str, str]:
    """Count the raters; where each case numbers its own, the most that read one case is all that is known."""
    if overview.raters_are_identified(study, task):
        return f"{len(np.unique(task.readings.rater)):,}", "raters"
    return f"≤ {task.readings.per_case.max():,}", "raters a case, not identified"


@st.fragment
def _spread(study: Study, task: Task) -> None:
    """Draw everything that depends on the reliability, and what stands beside it."""
    by_reliability.use_supported(study, task)
    aggregation = sidebar.reliability_slider(study, task)
    source = provenance(study, task, aggregation)
    table = cache.worklist_at(study, task, aggregation)
    spread = overview.spread_per_case(table)
    places = findings.show(study, task, table, aggregation)
    left, right = st.columns(2, gap="large")
    with left:
        parts.head("How certain is the leading label?")
        opening.show(
            table,
            certainty_bars(table),
            partial(certainty_histogram, tokens=theme.tokens()),
            name="certainty",
            alternative="Histogram of the certainty of the leading label over cases",
            caption=Caption(
                "Cases by the probability that their leading label is the truth. Grey, on the right: "
                f"{SETTLED}\u00a0% or more.",
                "A click on a bar opens its cases.",
            ),
            table=table[["certainty"]].round(6),
            provenance=source,
        )
    with right:
        _stake(task, table, source)
    if task.has_risk:
        parts.risk_key("Risk of the leading label, here and below, as this study’s labels.csv gives it:")
        with st.expander(_WHO_SAYS, key="risk-levels"):
            for words in overview.risk_levels_in_words(task):
                element("p", words)
            with st.container(key=f"{text.AT_SCREEN}-risk-levels"):
                parts.note("All labels, high risk first; the magnifier at the corner of the table searches.")
                st.dataframe(overview.risk_table(task), hide_index=True, height=320)
    about, per_case = partial(_about, study), partial(_per_case, spread, table, source)
    readings = partial(per_case, "readings", "Readings per case")
    if task.kind == "score":
        parts.beside(readings, about)
    else:
        parts.beside(readings, partial(per_case, "labels", "Different labels per case"))
        parts.beside(partial(_labels, task, table, source), about)
    methods_text.show_certainty(study, task, aggregation, page="study")
    cache.steps(study, task, aggregation).compute_ahead(aggregation.reliability)
    state.write_address()
    findings.show_later(study, task, aggregation, places)


def _stake(task: Task, table: pd.DataFrame, source: dict[str, str]) -> None:
    """Draw the cases by the risk of their leading label; of scores the scores, which have none."""
    if task.has_risk:
        parts.head("What is at stake?")
        risks = risk_bars(table)
        behind = int(risks.table.loc[risks.table["part"] == PERHAPS_HIGH, "cases"].sum())
        led = int((table["risk"] == "high").sum())
        same = (
            f"; these {behind:,} and the {led:,} of the lowest bar are the {behind + led:,} cases on top "
            "that may be of high risk"
            if behind
            else ""
        )
        opening.show(
            table,
            risks,
            partial(counts.risk_chart, tokens=theme.tokens()),
            name="risk",
            alternative="Cases by the risk level of their leading label, certain and uncertain",
            caption="By the risk of the leading label. Full colour: certain, the level (not the label) "
            f"at {SETTLED}\u00a0% or more. Pale: another level may be true. Pale red in the upper bars, "
            f"“perhaps high risk”: a high-risk label is plausible ({percent(PLAUSIBLE)} or more), though "
            f"another leads{same}.",
            table=_risk_table(risks.table),
            provenance=source,
        )
    elif task.kind == "score":
        _scores(task, source)
    else:
        parts.head("What is at stake?")
        parts.note(
            "This study gives no risk levels. A column risk in labels.csv (0 low, 1 medium, 2 high) "
            "shows here, and on the cases, where a high-risk label is plausible."
        )


def _risk_table(bars: pd.DataFrame) -> pd.DataFrame:
    """Cases by risk level, a column for each part."""
    return bars.pivot_table("cases", "risk", "part", "sum", fill_value=0, sort=False).reset_index()


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


def _scores(task: Task, source: dict[str, str]) -> None:
    """Draw all scores with the threshold."""
    parts.head("Scores")
    picture(
        counts.score_histogram(task.readings.score, task.threshold, tokens=theme.tokens()),
        name="scores",
        alternative="Histogram of all scores",
        caption="All scores that the raters gave; the two labels are the sides of the threshold.",
        table=pd.DataFrame({"score": task.readings.score}),
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


_workload = cache.cached()(overview.rater_workload)


def _raters(study: Study, task: Task) -> None:
    """Draw what each rater read, where a rater is the same person in all cases."""
    if not overview.raters_are_identified(study, task):
        parts.head("Raters")
        parts.note(
            "Raters are numbered within each case: the first of one case need not be the first of another, "
            "so nothing can be said of a single rater. With the same rater_id for the same person in every "
            "case of annotations.csv, workload and agreement show here."
        )
        return
    table = _workload(study, task)
    if len(table) < 2:
        return
    # Nothing here depends on the reliability.
    source = provenance(study, task, state.aggregation())
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
                "Agreement is counted where raters choose labels."
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
            + "Dotted: median. Agreement need not mean being right.",
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
        ("Said of cases", ", ".join(map(str, study.cases.columns)) or "nothing"),
    ]
    text.table(["What", "As the files say"], rows, name="Where the study comes from")


def _files(study: Study, place: str) -> None:
    """Show what tells these files from others."""
    rows = [("Fingerprint", state.published(study)), ("Seed", str(study.seed))]
    # Where a study lies tells who uses this computer.
    text.table(["What", "As the files say"], rows, name="About this study", at_screen=[("Folder", place)])
