"""Does it hold in every group? A metric by slices of the cases, their largest difference, the way to them."""

from __future__ import annotations

from functools import partial
from typing import Any

import numpy as np
import streamlit as st

from core.analysis.columns import as_written
from core.analysis.export import provenance
from core.analysis.models.case_slices import CaseSlices, sliceable
from core.analysis.models.rank_change import COUNTERPARTS, LOSSES
from core.analysis.models.settings import ComparisonSettings, SliceSettings
from core.analysis.models.slice_differences import slice_differences, slice_finding
from core.analysis.models.slices import CERTAINTY, SliceMetrics, slice_metrics
from core.plausibility.settings import Aggregation
from core.progress import Progress
from core.settings import entries
from core.study.model import Study, Task
from dashboard.charts.models.slices import SLICE, forest_chart
from dashboard.components.picture import Caption, data_button, picture
from dashboard.shell import cache, state, theme, widgets
from dashboard.shell.address import fit_for_address
from dashboard.views import parts
from dashboard.views.models.model_comparison import ModelComparison

READINGS = "readings"
"""Stands for what the readings alone tell, where no model is called so."""
_NO_COLUMN = (
    "No column of cases.csv parts the cases into groups: a site, an age, a device. Add one, and every metric "
    "can be shown for every group."
)
_columns = cache.cached()(sliceable)


@cache.background
def _sliced(
    progress: Progress,
    study: Study,
    task: Task,
    slicing: SliceSettings,
    settings: ComparisonSettings,
    aggregation: Aggregation,
) -> SliceMetrics:
    progress(0.0, "every metric in every group")
    return slice_metrics(study, task, slicing, settings, aggregation=aggregation)


_differences = cache.cached()(slice_differences)


@st.fragment
def show(comparison: ModelComparison) -> None:
    """Offer the panel, folded; nothing is worked out until it is opened."""
    _panel(comparison)
    state.write_address()


@parts.folded("Does it hold in every group?", key="panel-slices")
def _panel(comparison: ModelComparison) -> None:
    study, task = comparison.study, comparison.task
    known = _columns(study)
    if not known:
        parts.note(_NO_COLUMN)
        return
    state.keep_known("slice_by", known)
    by = state.view().slice_by[:2] or (known[0],)
    model = _choose(comparison, known, by)
    slicing = SliceSettings(by=by)
    settings = ComparisonSettings(comparison.settings.positive, comparison.settings.coverage)
    job = _sliced(study, task, slicing, settings, comparison.aggregation)
    found = parts.result_of(job, what="Measuring every group", key="slices")
    if found is None:
        if job.failure:
            parts.note("Choose other columns.")
        return
    _shown(comparison, found, slicing, model)


def _choose(comparison: ModelComparison, known: list[str], by: tuple[str, ...]) -> str:
    """Offer columns and models; return the model, empty for the readings."""
    models = comparison.distinct["model"].tolist()
    offered = [*models, READINGS]
    state.keep_choice("slice_of", offered)
    now = state.view().slice_of or models[0]
    with st.container(horizontal=True, vertical_alignment="bottom", key="slices-choices"):
        st.selectbox(
            "Groups of",
            width=200,
            **widgets.choice(
                "slice-first", by[0], [name for name in known if name not in by[1:]], take=_take_first
            ),
        )
        st.selectbox(
            "crossed with",
            width=200,
            format_func=lambda name: name or "nothing",
            **widgets.choice(
                "slice-second",
                by[1] if len(by) > 1 else "",
                ["", *(name for name in known if name != by[0])],
                take=partial(_take_second, by[0]),
            ),
        )
        st.selectbox(
            "Of",
            width=240,
            format_func=lambda name: "the readings: their certainty" if name == READINGS else name,
            **widgets.choice("slice_of", now, offered),
        )
    return "" if now == READINGS else now


def _take_first(name: str) -> None:
    """Keep the second column, where it is another."""
    state.change(slice_by=(name, *(other for other in state.view().slice_by[1:2] if other != name)))


def _take_second(first: str, name: str) -> None:
    """Keep the first column."""
    state.change(slice_by=(first, name) if name else (first,))


def _metrics(comparison: ModelComparison, model: str) -> tuple[str, ...]:
    """The hard metric of the page and its counterpart; of the readings their certainty."""
    if not model:
        return (CERTAINTY,)
    hard = comparison.measure if comparison.measure in COUNTERPARTS else comparison.measure.split(" ")[0]
    hard = hard if hard in COUNTERPARTS else "AUROC"
    return hard, COUNTERPARTS[hard]


def _shown(comparison: ModelComparison, found: SliceMetrics, slicing: SliceSettings, model: str) -> None:
    """Say and draw what was found."""
    metrics = _metrics(comparison, model)
    table, differences = found.table, _differences(found.table)
    rows = table[table["metric"].isin(metrics) & (table["model"] == model)]
    settings = entries(comparison.settings) | entries(slicing)
    source = provenance(comparison.study, comparison.task, comparison.aggregation) | settings
    source |= {"positive": found.compared.label, "coverage": found.compared.coverage}
    parts.sentence(slice_finding(found, differences, metric=metrics[-1], model=model))
    if rows["value"].notna().any():
        less = " Less is better." if metrics[0] in LOSSES else ""
        chosen = picture(
            forest_chart(
                rows,
                metrics=metrics,
                title=" and ".join(metrics) if model else "Mean certainty of the leading label",
                tokens=theme.tokens(),
            ),
            name="slices",
            alternative=f"{' and '.join(metrics)} {f'of {model} ' if model else ''}in every group of "
            f"{found.slices.what}, with intervals",
            caption=Caption(
                "Lines: 95\u00a0% intervals for other cases, read by as many raters. Dashed: all cases "
                f"together. Faint: too few cases to say.{less}",
                "Click a row to open its cases.",
            ),
            table=table,
            provenance=source,
            selections=(SLICE,),
        )
        _open_clicked(comparison.study, found.slices, chosen.get(SLICE, []))
    with st.container(horizontal=True, vertical_alignment="center"):
        st.selectbox(
            "Open a group in Cases",
            width=260,
            placeholder="Open a group in Cases",
            label_visibility="collapsed",
            **widgets.choice(
                "slice-open",
                None,
                found.slices.names,
                take=lambda name: _lead(comparison.study, found.slices, name),
            ),
        )
        parts.note(f"{len(differences):,} differences of two groups, of every metric and model:")
        written = as_written("comparison", "slice_differences", differences)
        data_button(name="slice-differences", table=written, provenance=source)


def _opened(study: Study, slices: CaseSlices, name: str) -> dict[str, Any]:
    """What Cases shows of a slice: its filter, or its cases one by one where no filter says it."""
    code = slices.names.index(name)
    ids = [study.case_ids[i] for i in np.flatnonzero(slices.of_case == code)]
    wanted = slices.filters[code]
    which = {"metadata": wanted} if wanted else {"only": fit_for_address(ids)}
    return state.ALL_CASES | which | {"case": ids[0]}


def _open_clicked(study: Study, slices: CaseSlices, clicked: list[dict[str, Any]]) -> None:
    """Open the slice whose row was clicked; the browser is not trusted to name one."""
    name = clicked[0].get("slice") if clicked else None
    if name in slices.names:
        state.change(**_opened(study, slices, str(name)))
        state.open_page("cases")


def _lead(study: Study, slices: CaseSlices, name: str) -> None:
    """Open a slice that was chosen from the list."""
    state.lead_to("cases", **_opened(study, slices, name))
