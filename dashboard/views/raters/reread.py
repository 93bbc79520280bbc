"""Which cases to read again, given so many further readings."""

from __future__ import annotations

from collections.abc import Iterable
from functools import partial
from typing import Any, cast

import streamlit as st

from core.analysis.formatting import percent
from core.analysis.planning.budget import Budget
from core.analysis.planning.budget_report import panel_budget
from core.analysis.planning.settings import ORDERS, BudgetSettings
from core.analysis.raters.panel import Panel
from core.plausibility.settings import MODELS, Aggregation
from core.progress import Progress
from core.settings import entries
from dashboard.charts.planning.reread import reread_chart
from dashboard.components.case_list import Column, case_list
from dashboard.components.picture import data_button, picture
from dashboard.components.text import count
from dashboard.shell import cache, state, theme, widgets
from dashboard.views import parts
from dashboard.views.raters.tables import unbroken
from dashboard.views.review import make

MOST_CASES = 100
"""Listed; the data have all."""
_HEIGHT = 420
_ORDERS = {
    "certainty": "the leading label certain",
    "risk": "no higher risk overlooked",
    "models": "two models told apart",
}
_NEED = {
    "certainty": (
        "Uncertain",
        "How probably another label leads than the one that seems to.",
    ),
    "risk": ("At stake", "How probably the leading label is really one of a higher risk."),
    "models": ("Open", "Variance of which of the two models is right here, where they differ: at most 1."),
}
_OPEN = "What of this is expected to stay open after these readings: the same number, if it were read so."


@parts.folded("Which cases to read again", key="panel-reread")
def show(chosen: Panel, source: dict[str, str]) -> None:
    """Draw the panel."""
    if chosen.task.kind == "score":
        parts.note("Cases to read again are planned for labels, and this task asks for a number.")
        return
    _page(chosen, source)


@st.fragment
def _page(chosen: Panel, source: dict[str, str]) -> None:
    """Ask how many readings there are and what for, and answer."""
    settings = _settings(chosen)
    job = _work_out(chosen, settings, state.aggregation())
    budget = parts.result_of(job, what="Working out which cases to read again", key="reread")
    if budget is not None:
        _answer(chosen, budget, settings, source)
    state.write_address()


def _settings(chosen: Panel) -> BudgetSettings:
    """Offer what can be chosen."""
    now, task = state.view(), chosen.task
    names = task.probability_models
    orders = ["certainty", *(["risk"] if task.has_risk else []), *(["models"] if len(names) > 1 else [])]
    order: Any = now.reread_order if now.reread_order in orders else ORDERS[0]
    if len(orders) > 1:
        order = st.segmented_control(
            "I want",
            format_func=_ORDERS.__getitem__,
            required=True,
            **widgets.choices("reread_order", order, orders),
        )
    left, right = st.columns(2, gap="large")
    with left:
        readings = st.number_input(
            "Further readings in all",
            min_value=1,
            max_value=1_000_000,
            step=10,
            **widgets.bind("reread_readings", now.reread_readings),
        )
    with right:
        most = st.number_input(
            "Of one case at most",
            min_value=1,
            max_value=20,
            step=1,
            **widgets.bind("reread_most", now.reread_most),
        )
    between = _between(names) if order == "models" else ()
    return BudgetSettings(readings=readings, order=order, most_each=most, between=between)


def _between(names: tuple[str, ...]) -> tuple[str, ...]:
    """Offer two models."""
    asked = [name for name in state.view().reread_between if name in names]
    first, second, *_ = dict.fromkeys([*asked, *names])

    def take(place: int, said: str) -> None:
        """Keep both, the other as it is now."""
        pair = [first, second]
        pair[place] = said
        state.change(reread_between=tuple(pair))

    def offer(place: int, value: str, other: str) -> None:
        """Offer one of them."""
        known = [name for name in names if name != other]
        st.selectbox(
            ("One model", "The other model")[place],
            **widgets.choice(f"reread-model-{place}", value, known, take=partial(take, place)),
        )

    parts.beside(lambda: offer(0, first, second), lambda: offer(1, second, first))
    return first, second


@cache.background
def _work_out(
    progress: Progress, chosen: Panel, settings: BudgetSettings, aggregation: Aggregation
) -> Budget:
    """Plan as the command does."""
    return panel_budget(chosen, settings, aggregation, progress=progress)


def _answer(chosen: Panel, budget: Budget, settings: BudgetSettings, source: dict[str, str]) -> None:
    """Say the answer, draw what it was read from, and list the cases."""
    parts.sentence(unbroken(budget.sentence))
    model, gamma = MODELS[budget.aggregation.model].title, f"{budget.aggregation.reliability:g}"
    made = source | entries(settings) | {"aggregation model": model, "reliability": gamma}
    picture(
        reread_chart(budget, tokens=theme.tokens()),
        name="reread",
        alternative=f"Expected {budget.worth} against further readings, in this order and at random",
        caption="Solid: readings go to the case that calls for one most, each in its turn. Dashed: the same "
        "number, on any cases. Ring: your readings. Dotted: what they are expected to be worth.",
        table=budget.curve,
        provenance=made,
    )
    said = (
        f"Further readings are foreseen by {model} at γ = {gamma}: each names a label as often as the "
        "readings so far make it plausible. What they will really say is not known: plan anew after each "
        "round."
    )
    parts.note(unbroken(" ".join([said, *budget.notes])))
    again = budget.cases[budget.cases["further_readings"] > 0]["case_id"].tolist()
    if again:
        words = f"{count(int(budget.cases['further_readings'].sum()), 'further reading')}"
        st.button(
            f"Make a round of these {count(len(again), 'case')}",
            key="reread-round",
            on_click=make.plan,
            args=(chosen.study, chosen.task.name, again, words),
        )
    _list(budget, settings, made)


def _list(budget: Budget, settings: BudgetSettings, made: dict[str, str]) -> None:
    """List the first cases; a click opens one."""
    what, how = _NEED[settings.order]
    columns = [
        Column("Case"),
        Column("Read again", is_number=True, help="Further readings of this case."),
        Column("Readings", is_number=True, help="That it has."),
        Column(what, is_share=True, help=how),
        Column("Then", is_number=True, help=_OPEN),
    ]
    listed = budget.cases.head(MOST_CASES)
    rows = [
        [row.case_id, f"{row.further_readings}", f"{row.readings}", percent(row.need), percent(row.need_then)]
        for row in cast("Iterable[Any]", listed.itertuples())
    ]
    opened = case_list(
        columns,
        rows,
        name="Cases to read again",
        key="reread-cases",
        height=_HEIGHT,
        shares=[min(max(float(need), 0.0), 1.0) for need in listed["need"]],
    )
    with st.container(horizontal=True, wrap=False, vertical_alignment="center"):
        parts.note(
            f"{len(rows):,} of {len(budget.cases):,} cases, those that call for a reading most first.",
            at_screen="Click a row, or mark one with ↓ and ↑ and press Enter, to open the case in Cases.",
        )
        data_button(name="reread-cases", table=budget.cases, provenance=made)
    if opened is not None:
        state.choose_case(opened)
        state.open_page("cases")
