"""Representativeness: whether some cases look like the others, by their features or other numbers."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import pandas as pd
import streamlit as st

from core.analysis.raters.case_groups import cases_of_group, grouping_columns
from core.analysis.raters.comparable_rows import Rows, comparable_rows, default_columns, numeric_columns
from core.analysis.raters.panel import Panel
from core.analysis.raters.representativeness import (
    compare_sets,
    correspondence_by_group,
    distance_distributions,
    univariate_tests,
)
from core.metrics.correspondence.correspondence import Correspondence
from core.progress import Progress
from core.study.model import IntArray, Study
from dashboard.charts.raters import representativeness as charts
from dashboard.components.picture import picture
from dashboard.components.text import count, element
from dashboard.shell import cache, progress, state, theme, widgets
from dashboard.shell.view import CHOSEN_CASES
from dashboard.views import parts
from dashboard.views.raters import unusual
from dashboard.views.raters.unusual import SPLITS

MOST_COMPARED = 1_000
"""Larger pairs of sets are compared by a random subsample of so many cases."""


@parts.folded("Do the cases represent each other?", key="panel-represent")
def show(chosen: Panel, source: dict[str, str]) -> None:
    """Draw the panel."""
    known = numeric_columns(chosen.study)
    if known:
        _page(chosen.study, chosen, list(known), source)
    else:
        parts.note(
            "This needs numbers about the cases: features.csv with case_id and one numeric column a feature, "
            "or numeric columns in cases.csv, such as age."
        )


@dataclass(frozen=True, eq=False)
class Compared:
    """Two sets of cases: Ψ and what it was read from, distances between cases, and a test for each column."""

    correspondence: Correspondence
    distances: pd.DataFrame
    tests: pd.DataFrame


@dataclass(frozen=True, eq=False)
class Sets:
    """The cases that are looked at, and the indices in the study of those that are compared with the rest.

    What makes the second set is a value of a column; no column where it is the cases chosen above.
    """

    name: str
    rows: Rows
    second: IntArray
    column: str
    value: str


@st.fragment
def _page(study: Study, chosen: Panel, known: list[str], source: dict[str, str]) -> None:
    """Choose two sets and the columns, and compare."""
    element(
        "p",
        "Correspondence Ψ asks whether two sets of cases could come from one population: cases of the "
        "smaller set take the places of the nearest ones in the larger, and the distances between all "
        "cases should hardly change. Ψ is the share of random splits that change them as much; a small "
        "one says that they differ.",
    )
    inside = _cases_shown(study, chosen)
    left, middle, right = st.columns([2, 2, 3], gap="medium")
    with left:
        column = _choose_column(study, inside)
    with middle:
        value = _choose_value(study, inside, column)
    with right:
        columns = _choose_columns(study, known, column)
    try:
        sets = _sets(study, inside, column, value, columns)
        rows = comparable_rows(study, columns, cases=inside) if sets is None else sets.rows
    except ValueError as refusal:
        parts.note(f"These cases cannot be compared: {refusal}.")
        state.write_address()
        return
    if sets is not None:
        source = source | {"compared": sets.name, "columns": ", ".join(sets.rows.columns)}
        _compare(study, sets, source)
        _groups(study, chosen, sets, source)
    unusual.show(study, rows, source)
    state.write_address()


def _cases_shown(study: Study, chosen: Panel) -> IntArray:
    """Indices of the cases that the page looks at."""
    ids = set(chosen.case_ids)
    return np.array([i for i, case_id in enumerate(study.case_ids) if case_id in ids], np.int64)


def _choose_column(study: Study, inside: IntArray) -> str:
    """Offer what parts the cases; empty where nothing does."""
    grouping = grouping_columns(study, inside)
    options = [CHOSEN_CASES] * (len(inside) < study.n_cases) + list(grouping)
    if not options:
        parts.note(
            "No column of cases.csv parts these cases into 2 to 20 groups. To compare some cases with the "
            "rest, filter them on the page Cases and choose them above."
        )
        return ""
    state.keep_choice("sets", options)
    usual = next((name for name in options if name != "reference"), options[0])
    column: str = st.selectbox(
        "Compare by",
        format_func=lambda name: "the cases chosen above" if name == CHOSEN_CASES else name,
        help="A column of cases.csv. Cases that the filters of the page Cases keep can be compared with all "
        "others once they are chosen at the top of this page.",
        **widgets.choice("sets", state.view().sets or usual, options),
    )
    return column


def _choose_value(study: Study, inside: IntArray, column: str) -> str:
    """Offer the groups of the column."""
    if column in ("", CHOSEN_CASES):
        return ""
    values = grouping_columns(study, inside)[column]
    if state.view().set_value not in values and state.view().set_value:
        state.keep_choice("set_value", values, f"{column} ")
    value: str = st.selectbox(
        "These cases, with all others",
        **widgets.choice("set_value", state.view().set_value or values[-1], values),
    )
    return value


def _choose_columns(study: Study, known: list[str], column: str) -> tuple[str, ...]:
    """Offer the numbers that cases are compared by."""
    options = [name for name in known if name != column]
    wanted = tuple(name for name in state.view().set_columns if name in options)
    usual = tuple(name for name in default_columns(study) if name != column)
    shown = list(wanted or usual or options)
    columns = st.multiselect("By these numbers", **widgets.choices("set_columns", shown, options))
    return tuple(columns) or tuple(shown)


def _sets(study: Study, inside: IntArray, column: str, value: str, columns: tuple[str, ...]) -> Sets | None:
    """Make the two sets; None where nothing parts the cases."""
    if column == "":
        return None
    if column == CHOSEN_CASES:
        return Sets("the cases chosen above", comparable_rows(study, columns), inside, "", "")
    rows = comparable_rows(study, columns, cases=inside)
    return Sets(f"{column} {value}", rows, cases_of_group(study, column, value), column, value)


def _compare(study: Study, sets: Sets, source: dict[str, str]) -> None:
    """Draw Ψ, the distances and the columns of two sets."""
    job = _measure(study, sets.rows, sets.second)
    found = parts.result_of(job, what="Splitting the cases at random", key="correspondence")
    if found is None:
        return
    parts.sentence(_verdict(sets, found))
    parts.note(_left_out(sets, found.correspondence))
    tokens = theme.tokens()
    left, middle, right = st.columns(3, gap="large")
    with left:
        picture(
            charts.chance_chart(
                found.correspondence.by_chance, found.correspondence.deviation, tokens=tokens
            ),
            name="correspondence",
            alternative="Deviation of the two sets beside those of random splits of the same cases",
            caption=f"Grey: {SPLITS} random splits of the same cases. Blue: these two sets; the further "
            "right it stands, the less they correspond.",
            table=pd.DataFrame({"deviation by chance": found.correspondence.by_chance}),
            provenance=source | {"psi": f"{found.correspondence.psi:g}"},
        )
    with middle:
        picture(
            charts.distances_chart(found.distances, tokens=tokens),
            name="distances",
            alternative="Distances between cases before and after the smaller set took places in the larger",
            caption="How far two cases lie apart in all columns together. Where the curves part, the other "
            "set is spread differently.",
            table=found.distances,
            provenance=source,
        )
    with right:
        picture(
            charts.columns_chart(found.tests, tokens=tokens),
            name="columns",
            alternative="Difference of the two sets column by column",
            caption="Filled: the column alone tells them apart (p < .05, adjusted for the number of "
            "columns). Columns that differ only together escape this, and not Ψ.",
            table=found.tests,
            provenance=source,
        )


@cache.background
def _measure(progress: Progress, study: Study, rows: Rows, second: IntArray) -> Compared:
    """Compare the second set with the other rows."""
    found = compare_sets(
        rows,
        second,
        splits=SPLITS,
        seed=study.seed,
        most_cases=MOST_COMPARED,
        progress=progress,
    )
    distances = distance_distributions(rows, second, seed=study.seed, most_cases=MOST_COMPARED)
    return Compared(found, distances, univariate_tests(rows, second))


def _verdict(sets: Sets, found: Compared) -> str:
    """Say what Ψ says."""
    psi = found.correspondence.psi
    least = 1 / (SPLITS + 1)
    words = f"Ψ = {psi:.3f}" if psi > least else f"Ψ = {psi:.3f}, the least that {SPLITS} splits can show"
    if psi < charts.UNUSUAL:
        verdict = "they differ from the other cases more than chance would have it"
    else:
        verdict = "nothing speaks against their being like the other cases"
    alone = int((found.tests["p_holm"] < charts.UNUSUAL).sum())
    columns = f"{alone} of {count(len(found.tests), 'column')} differ" + "s" * (alone == 1)
    return f"{sets.name[0].upper()}{sets.name[1:]}: {words}; {verdict}. One by one, {columns}."


def _left_out(sets: Sets, found: Correspondence) -> str:
    """Say how many cases were compared and what was left out."""
    n = len(sets.rows.case)
    inside = int(np.isin(sets.rows.case, sets.second).sum())
    words = f"{count(inside, 'case')} against {n - inside:,}."
    if found.n_left_out:
        words += (
            f" A random {found.n_first + found.n_second:,} of them were compared, in the same proportion."
        )
    if sets.rows.left_out:
        of = count(sets.rows.left_out, "case")
        words += (
            f" {of} without a number in some column {'is' if sets.rows.left_out == 1 else 'are'} left out."
        )
    if sets.rows.constant:
        words += f" Never varying, and left out: {', '.join(sets.rows.constant)}."
    return words


@cache.background
def _by_group(
    progress: Progress, study: Study, column: str, columns: list[str], cases: IntArray
) -> pd.DataFrame:
    return correspondence_by_group(
        study,
        column,
        columns=columns,
        splits=SPLITS,
        most_cases=MOST_COMPARED,
        cases=cases,
        progress=progress,
    )


def _groups(study: Study, chosen: Panel, sets: Sets, source: dict[str, str]) -> None:
    """Draw Ψ of every group of the column, once asked for."""
    if not sets.column:
        return
    inside = _cases_shown(study, chosen)
    groups = grouping_columns(study, inside)[sets.column]
    job = _by_group(study, sets.column, sets.rows.columns, inside)
    if not job.begun:
        st.button(
            f"Compare every {sets.column} with the rest",
            key="start-groups",
            on_click=progress.start,
            args=(job,),
        )
        return
    table = parts.result_of(job, what=f"Comparing {count(len(groups), 'group')}", key="groups-psi")
    if table is None:
        return
    picture(
        charts.psi_chart(table, chosen=sets.value, tokens=theme.tokens()),
        name="correspondence-by-group",
        alternative=f"Correspondence of the cases of each {sets.column} to all others",
        caption=f"Each group of {sets.column}, in brackets its cases, against all other cases; ringed: the "
        "one above. Left of the dotted line (.05) a group is unlike the rest; of twenty alike groups one "
        "stands there by chance.",
        table=table,
        provenance=source,
    )
