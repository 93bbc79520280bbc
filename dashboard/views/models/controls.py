"""What a comparison of models rests on: settled from the address, and offered to be changed."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import TypeVar

import pandas as pd
import streamlit as st

from core.analysis.aggregate import MODELS, Aggregation
from core.analysis.comparison import COVERAGES, Coverage, labels_by_votes
from core.analysis.export import format_reliability
from core.analysis.model_finding import distinct
from core.analysis.model_tables import Measured, differ_in_cases
from core.analysis.rank_change import COUNTERPARTS
from core.analysis.stability import ANNOTATIONS, SOURCES, Annotations, Source
from core.metrics.soft import MAJORITY_RULES, MajorityRule
from core.study.model import Study, Task
from dashboard import state

T = TypeVar("T", bound=str)

MOST_LABELS = 200
"""Labels offered; a task may have ten thousand."""
SIDES = ("soft", "hard")
"""By which metric models are put in order."""
_RULES = {"more than half": "more than half of the votes", "half or more": "half of the votes or more"}
_CASES = {"common": "those that every model predicted", "own": "each model's own"}


@dataclass(frozen=True)
class Basis:
    """What a comparison rests on; its ``repr`` is a key.

    Attributes
    ----------
    label : str or None
        That counts as positive; None for the task's own.
    rule : {"more than half", "half or more"}
        When votes make a hard label.
    coverage : {"common", "own"}
        Which cases models are judged on.
    truths : {"bootstrap", "plausibility"}
        How truths are drawn.
    """

    label: str | None
    rule: MajorityRule
    coverage: Coverage
    truths: Annotations


@dataclass(frozen=True, eq=False)
class Scene:
    """What the pictures of the page show.

    Attributes
    ----------
    study, task, aggregation
        As chosen in the sidebar.
    basis : Basis
        What the comparison rests on.
    found : Measured
        All models by all metrics.
    measure, counterpart : str
        A hard metric, and the one that keeps every reading.
    rows : DataFrame
        Their rows of ``found.metrics``.
    source : mapping of str to str
        Goes with every download.
    """

    study: Study
    task: Task
    aggregation: Aggregation
    basis: Basis
    found: Measured
    measure: str
    counterpart: str
    rows: pd.DataFrame
    source: Mapping[str, str]

    @property
    def models(self) -> list[str]:
        """All models of the task: they decide colours and marks."""
        return list(self.task.predictions)

    @cached_property
    def distinct(self) -> pd.DataFrame:
        """Rows of the models that differ and have both values, the best by the counterpart first."""
        rows = distinct(self.rows).dropna(subset=["hard", "soft"])
        return rows.sort_values("soft_rank", kind="stable")

    @property
    def ranks(self) -> bool:
        """Whether there is an order: two models that differ."""
        return len(self.distinct) > 1


def settle(task: Task, aggregation: Aggregation) -> Basis:
    """Read the choices; unknown ones fall back, with a note."""
    state.keep_choice("positive", task.labels, "the label")
    state.keep_choice("hard_rule", MAJORITY_RULES, "the rule for hard labels")
    state.keep_choice("judged_on", COVERAGES, "the cases")
    state.keep_choice("truths", ANNOTATIONS, "the draws of truths")
    state.keep_choice("unsure", SOURCES, "the source of uncertainty")
    state.keep_choice("ranked_by", SIDES, "the order by the metric")
    now = state.view()
    return Basis(
        now.positive or None,
        _chosen(MAJORITY_RULES, now.hard_rule),
        _chosen(COVERAGES, now.judged_on if differ_in_cases(task) else ""),
        _chosen(ANNOTATIONS, now.truths if _can_draw(aggregation) else ""),
    )


def _chosen(allowed: Sequence[T], asked: str) -> T:
    """What is asked for, or the first."""
    return next((one for one in allowed if one == asked), allowed[0])


def unsure() -> Source:
    """What is drawn: annotations, cases, or both."""
    return _chosen(SOURCES, state.view().unsure)


def ranked_by() -> str:
    """Whether the soft or the hard metric puts the models in order."""
    return _chosen(SIDES, state.view().ranked_by)


def measure_of(found: Measured) -> str | None:
    """The hard metric that is asked for, or the first that can be had; None where none can."""
    offered = _offered(found)
    state.keep_choice("measure", offered, "the metric")
    return _chosen(offered, state.view().measure) if offered else None


def _offered(found: Measured) -> list[str]:
    """Metrics with values, in their order."""
    return [metric for metric in dict.fromkeys(found.metrics["metric"]) if metric not in found.refused]


def _can_draw(aggregation: Aggregation) -> bool:
    """Whether there are plausibilities to draw."""
    return not math.isinf(aggregation.reliability)


def drawn_words(basis: Basis, source: Source) -> str:
    """What the draws are, in plain words."""
    truths = "resamplings of the readings"
    if basis.truths == "plausibility":
        truths = "draws of plausible truths"
    if source == "annotations":
        return truths
    return "resamplings of the cases" if source == "cases" else f"{truths} and of the cases"


def show(
    task: Task, aggregation: Aggregation, basis: Basis, found: Measured | None, measure: str | None
) -> None:
    """Offer the choices; what makes no difference, or cannot be had, is disabled and says why.

    Parameters
    ----------
    task, aggregation, basis
        What is chosen now.
    found : Measured or None
        None where nothing could be measured.
    measure : str or None
        None where no metric can be had.
    """
    with st.container(horizontal=True, key="models-basis"):
        if found is not None and measure is not None:
            pairs = found.metrics.drop_duplicates("metric").set_index("metric")["counterpart"]
            st.selectbox(
                "Metric, hard and with every reading kept",
                _offered(found),
                format_func=lambda metric: f"{metric} → {pairs[metric]}",
                width=250,
                **state.bind("measure", measure),
            )
        if found is not None and (len(task.labels) > 2 or (task.kind != "score" and task.positive is None)):
            _choose_label(task, found.compared.label, measure)
        st.selectbox(
            "A hard label takes",
            MAJORITY_RULES,
            format_func=lambda rule: _RULES[rule],
            width=240,
            **state.bind("hard_rule", basis.rule),
        )
        differ = differ_in_cases(task)
        st.selectbox(
            "Cases",
            COVERAGES,
            format_func=lambda coverage: _CASES[coverage],
            disabled=not differ,
            help=None if differ else "Every model predicted the same cases: there is nothing to choose.",
            width=255,
            **state.bind("judged_on", basis.coverage),
        )
        _choose_truths(aggregation, basis)


def _choose_label(task: Task, label: str, measure: str | None) -> None:
    """Offer the labels that have votes, those with most votes first."""
    voted = labels_by_votes(task)
    offered = list(dict.fromkeys([label, *voted[:MOST_LABELS]]))
    all_at_once = measure is not None and measure not in set(COUNTERPARTS) - {"accuracy"}
    why = f"{len(voted):,} labels have votes; most votes come first."
    if len(voted) > MOST_LABELS:
        why += f" The first {MOST_LABELS} are offered."
    if all_at_once:
        why = f"There is no label to choose for {measure}: it is of all labels at once."
    st.selectbox(
        "Label that counts as positive",
        sorted(offered, key=lambda name: voted.index(name) if name in voted else len(voted)),
        disabled=all_at_once,
        help=why,
        width=255,
        **state.bind("positive", label),
    )


def _choose_truths(aggregation: Aggregation, basis: Basis) -> None:
    """Offer to draw readings or plausibilities."""
    model = MODELS[aggregation.model].title
    can = _can_draw(aggregation)
    gamma = f"{model}, γ = {format_reliability(aggregation.reliability)}"
    words = {"bootstrap": "readings drawn anew", "plausibility": f"plausibilities of {gamma}"}
    why = "How other truths are imagined: the readings of each case drawn anew, or plausibilities."
    if not can:
        why = f"Plausibilities cannot be drawn from {gamma}, which is certain of one truth."
    st.selectbox(
        "Other truths come from",
        ANNOTATIONS,
        format_func=lambda truths: words[truths],
        disabled=not can,
        help=why,
        width=275,
        **state.bind("truths", basis.truths),
    )
