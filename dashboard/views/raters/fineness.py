"""Fineness: what the readings of some raters promise as a truth, and what they reach."""

from __future__ import annotations

import pandas as pd
import streamlit as st

from core.analysis.formatting import percent
from core.analysis.raters.fineness import PanelAccuracies, fineness_by_size
from core.analysis.raters.panel import Panel
from core.metrics.agreement.rater_groups import REDUCTIONS
from core.progress import Progress
from dashboard.charts.raters.fineness import promise_chart, reductions_chart
from dashboard.components.picture import picture
from dashboard.components.text import count, element
from dashboard.shell import cache, state, theme, widgets
from dashboard.views import parts
from dashboard.views.raters import accuracies

_WORDS = {
    "majority": "the label of most readings",
    "probabilistic": "a label drawn by its share of the readings",
    "confidence-weighted": "the label with most confidence behind it",
    "accuracy-weighted": "the label with most accuracy behind it",
}
_ONE_LABEL = {
    "ranking": " A differential counts with its first label, one by lot where several share the first place.",
    "score": " A score counts with its side of the threshold.",
}
_QUANTITIES = {"reached": "Reached on these cases", "promised": "Promised by independent readers"}


def show(chosen: Panel, source: dict[str, str]) -> None:
    """Draw the panel."""
    parts.head("How fine is the truth that some of the raters make?")
    raters = accuracies.accuracies_of(chosen)
    if raters is None:
        return
    table = parts.result_of(_by_size(raters), what="Forming groups of raters", key="fineness")
    if table is not None:
        _pictures(raters, table, source | {"accuracy by": accuracies.words(raters)})


@cache.background
def _by_size(progress: Progress, raters: PanelAccuracies) -> pd.DataFrame:
    return fineness_by_size(raters, progress=progress)


@st.fragment
def _pictures(raters: PanelAccuracies, table: pd.DataFrame, source: dict[str, str]) -> None:
    """Draw the two pictures."""
    element("p", _finding(raters, table))
    parts.note(
        "Fineness is the probability that readings, reduced to one label, give the true one. The "
        f"reduction that everybody uses is the majority.{_ONE_LABEL.get(raters.panel.task.kind, '')}"
    )
    parts.beside(lambda: _promise(raters, table, source), lambda: _reductions(raters, table, source))
    state.write_address()


def _finding(raters: PanelAccuracies, table: pd.DataFrame) -> str:
    """Say what independence promises of the largest group, and what it reaches."""
    last = table[table["reduction"] == "majority"].iloc[-1]
    n = int(last["n_raters"])
    if n == 1:
        return (
            f"One rater is right in {percent(last['fineness'])} of the cases; there is no majority to form."
        )
    promise = f"would be right in {percent(last['fineness'])} of the cases if they erred independently"
    if raters.difficulty == 0:
        more = "They agree no more often than independent raters would, so nothing speaks against it."
    else:
        more = (
            "But they err on the same, difficult cases; allowing for that, as far as it explains how "
            f"often they agree, it is {percent(last['fineness_dependent'])}. Independence makes fineness "
            "optimistic."
        )
    if raters.panel.has_reference and last["readings_per_case"] == n:
        more += f" Here their majority is right in {percent(last['accuracy'])}."
    return f"The majority of {count(n, 'rater')} {promise}. {more}"


def _offered(raters: PanelAccuracies) -> list[str]:
    """Reductions that differ: where no reading states a confidence, weighing by it is the majority."""
    return [name for name in REDUCTIONS if raters.panel.has_confidence or name != "confidence-weighted"]


def _promise(raters: PanelAccuracies, table: pd.DataFrame, source: dict[str, str]) -> None:
    """Draw what one reduction promises and reaches."""
    state.keep_choice("reduction", offered := _offered(raters))
    reduction = st.selectbox(
        "How readings are reduced to one label",
        format_func=lambda name: f"{name[0].upper()}{name[1:]}: {_WORDS[name]}",
        **widgets.choice("reduction", state.view().reduction or offered[0], offered),
    )
    shown = table[table["reduction"] == reduction]
    dependent = shown["fineness_dependent"].notna().any()
    simulated = bool((shown["fineness_error"] > 0).any())
    caption = (
        "Blue: the cases that such readings get right if raters err independently; "
        + ("dashed: if they err on the same, difficult cases. " if dependent else "")
        + f"{'Black' if theme.tokens() is theme.LIGHT else 'White'}: what they do get right here, at the "
        "number of readings that the group left on a case. Pale bands: 5 to 95 % of the groups of so many "
        "raters."
        + (" Darker band: error of the simulation (95 %)." if simulated else "")
        + ("" if dependent else " How far shared errors lower this weighted vote was not worked out.")
        + _caveats(raters, shown)
    )
    picture(
        promise_chart(shown, tokens=theme.tokens()),
        name="fineness",
        alternative=f"Fineness and accuracy of the {reduction} reduction against the number of readings",
        caption=caption,
        table=shown,
        provenance=source | {"reduction": reduction},
    )


def _caveats(raters: PanelAccuracies, shown: pd.DataFrame) -> str:
    """Say what the curves cannot say."""
    words = ""
    if not raters.panel.has_reference:
        words += (
            " There is no reference: right is what most of all readings say, the group’s own among them, "
            "so that what all raters reach is 100 % by construction."
        )
    if (shown["readings_per_case"] < 0.95 * shown["n_raters"]).any():
        words += " Not everybody read every case: larger groups left fewer readings on a case than raters."
    if not shown["all_groups"].all():
        most = int(shown["n_groups"].max())
        words += f" Of more than {most:,} groups of one size, {most:,} were drawn at random."
    return words


def _reductions(raters: PanelAccuracies, table: pd.DataFrame, source: dict[str, str]) -> None:
    """Draw all reductions beside each other."""
    quantity = st.selectbox(
        "All reductions",
        format_func=_QUANTITIES.__getitem__,
        **widgets.choice("fineness-of", widgets.own("fineness-of", list(_QUANTITIES)), list(_QUANTITIES)),
    )
    reached = quantity == "reached"
    table = table[table["reduction"].isin(_offered(raters))]
    simulated = not reached and bool((table["fineness_error"] > 0).any())
    picture(
        reductions_chart(table, reached=reached, tokens=theme.tokens()),
        name="reductions",
        alternative=f"{_QUANTITIES[quantity]}: cases that each reduction gets right, by number of readings",
        caption="The mean over groups of raters. "
        + (
            "No reading states a confidence, so accuracy alone weighs votes. "
            if not raters.panel.has_confidence
            else "Confidence and accuracy weigh the votes. "
        )
        + "With an even number, weights decide where a majority ties. A label that is drawn by its share "
        "gains nothing from more readings."
        + (" Darker band: error of the simulation (95 %)." if simulated else ""),
        table=table,
        provenance=source,
    )
