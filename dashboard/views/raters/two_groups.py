"""Two groups: whether the raters that are looked at agree as far as some others, on the same cases."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any, cast

import streamlit as st

from core.analysis.raters.difference import agreement_difference
from core.analysis.raters.panel import Panel, busiest, panel
from core.study.model import Study, Task
from dashboard.charts.raters.coefficients import intervals_chart
from dashboard.components.picture import picture
from dashboard.components.text import table
from dashboard.shell import cache, state, theme, widgets
from dashboard.views import parts

MOST_OFFERED = 500
"""Raters that can be picked: those with most cases."""
MOST_READINGS = 300_000
"""Readings of both groups whose agreement is resampled while the page waits."""
_RESAMPLES = 1_000
_difference = cache.cached()(agreement_difference)


def show(chosen: Panel, source: dict[str, str]) -> None:
    """Draw the panel, where raters are the same persons in every case and more than two read."""
    everybody = _everybody(chosen.study, chosen.task)
    if not chosen.identified or everybody.n_raters < 3:
        return
    parts.head("Do others agree as far?")
    state.keep_known("other_raters", everybody.rater_ids)
    picked = state.view().other_raters
    offered = list(busiest(everybody, MOST_OFFERED).rater_ids)
    offered += [rater for rater in picked if rater not in offered]
    st.multiselect(
        "Compared with the raters",
        placeholder="Pick two or more raters to compare those above with",
        help="The first group are the raters picked on top of the page; both are taken on the same cases.",
        **widgets.choices("other_raters", list(picked), offered, take=_take),
    )
    if len(picked) < 2:
        parts.note("Agreement takes two: pick at least two raters here, and the others on top of the page.")
        return
    _compared(chosen, _others(chosen, picked), source)


@cache.cached()
def _everybody(study: Study, task: Task) -> Panel:
    return panel(study, task)


@cache.cached()
def _of(study: Study, task: Task, raters: tuple[str, ...], cases: tuple[int, ...] | None) -> Panel:
    return panel(study, task, raters=raters, cases=cases)


def _others(chosen: Panel, picked: tuple[str, ...]) -> Panel:
    """Panel of the other raters on the cases of the first."""
    study = chosen.study
    known = state.positions(study)
    cases = tuple(known[case] for case in chosen.case_ids) if len(chosen.case_ids) < study.n_cases else None
    return _of(study, chosen.task, picked, cases)


def _take(said: tuple[str, ...]) -> None:
    """Take over who is picked."""
    state.change(other_raters=tuple(said))


def _compared(chosen: Panel, others: Panel, source: dict[str, str]) -> None:
    """Draw the differences of the coefficients and list both values."""
    many = chosen.readings.n_readings + others.readings.n_readings > MOST_READINGS
    found = _difference(chosen, others, ordered=state.view().label_order, n_boot=0 if many else _RESAMPLES)
    known = found.dropna(subset=["difference"])
    if known.empty:
        parts.note(f"They cannot be compared: {found['why_no_interval'].iloc[0]}.")
        return
    names = [f"{name[0].upper()}{name[1:]}" for name in known["coefficient"]]
    shared = len(set(chosen.rater_ids) & set(others.rater_ids))
    picture(
        intervals_chart(
            known.assign(
                row=names,
                series="difference",
                value=known["difference"],
                low=known["error_low"],
                high=known["error_high"],
            ),
            series=("difference",),
            title="Agreement among the raters above less that among the others",
            guide=0.0,
            tokens=theme.tokens(),
        ),
        name="two-groups",
        alternative="Differences of coefficients of agreement between two groups of raters",
        caption="Dot: difference on the same cases, above 0 where the raters looked at agree further among "
        "themselves than the others do. Line: 95 % interval over other cases, from the standard error; "
        "the data have that of resampled cases too. Dashed: no difference."
        + (f" {shared:,} of the raters are in both groups." if shared else ""),
        table=found,
        provenance=source | {"compared with raters": ", ".join(others.rater_ids)},
    )
    lines = [
        (name, *(f"{value:.2f}".replace("-", "−") for value in (row.first, row.second)), _interval(row))
        for name, row in zip(names, cast("Iterable[Any]", known.itertuples()), strict=True)
    ]
    heads = ["Coefficient", "Raters above", "The others", "Difference (95 % interval)"]
    table(heads, lines, name="Agreement of two groups of raters", scrolls=True)


def _interval(row: Any) -> str:
    """Write a difference with its interval."""
    if row.error_low != row.error_low:
        return f"{row.difference:+.2f}".replace("-", "−")
    said = f"{row.difference:+.2f} ({row.error_low:+.2f} to {row.error_high:+.2f})"
    return said.replace("-", "−")
