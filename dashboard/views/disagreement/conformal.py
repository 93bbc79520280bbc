"""What to answer when unsure: how many labels a model must name to hold the truth as often as is wanted."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pandas as pd
import streamlit as st

from core.analysis.disagreement.conformal import CHOSEN, ON_LEADING, ConformalSets, conformal_sets
from core.analysis.disagreement.conformal_finding import (
    MEANINGS,
    PROMISES,
    labels_words,
    set_finding,
    set_sentence,
    share_range,
    shown_calibration,
)
from core.analysis.disagreement.conformal_settings import TRUTH_CHOICES, ConformalSettings
from core.analysis.disagreement.conformal_tables import ALL_CASES, TRUE_RISK, coverage_table, set_words
from core.analysis.disagreement.conformal_truths import LEADING_LABEL, TRUTHS, Truths, truths
from core.analysis.export import provenance
from core.analysis.formatting import percent
from core.analysis.raters.case_groups import grouping_columns
from core.plausibility.settings import MODELS, Aggregation
from core.progress import Progress
from core.recalibration.conformal_choices import SCORES
from core.settings import entries
from core.study.model import Study, Task
from dashboard.charts.disagreement.conformal import held_chart
from dashboard.components.picture import picture
from dashboard.components.text import count, table
from dashboard.shell import cache, state, theme, widgets
from dashboard.views import parts

COVERAGES = (50.0, 60.0, 70.0, 80.0, 85.0, 90.0, 95.0, 98.0, 99.0)
"""Steps of the slider, in percent; a link may name any other."""
MOST_NAMED = 8
"""Labels of a case's set that are named; how many more there are is said."""
MOST_GROUPS = 24
"""Groups that the picture shows; the data have all."""
_SCORES = {
    "threshold": "probability of the label",
    "aps": "probability down to the label (APS)",
    "raps": "the same, long sets penalised (RAPS)",
}
_TRUTHS = {"leader": "the label that leads it", "label": "a label drawn with its shares"}


@cache.background
def _truths(progress: Progress, study: Study, task: Task, aggregation: Aggregation) -> Truths:
    progress(0.0, "plausible truths of all cases")
    return truths(study, task, aggregation)


_sets = cache.cached(16)(conformal_sets)


@cache.cached()
def _coverage(study: Study, task: Task, found: Truths, sets: ConformalSets, by: str) -> pd.DataFrame:
    return coverage_table(study, task, found, [sets], by=by)


def asked() -> ConformalSettings:
    """What is chosen in the panel."""
    now = state.view()
    return ConformalSettings(
        coverage=now.conformal_coverage,
        truth=now.conformal_truth,  # type: ignore[arg-type]
        score=now.conformal_score,  # type: ignore[arg-type]
        by=now.conformal_by,
    )


@st.fragment
def show(study: Study, task: Task, model: str) -> None:
    """Offer the panel, folded; nothing is worked out until it is opened."""
    _panel(study, task, model)
    state.write_address()


@parts.folded("What should the model answer when it is unsure?", key="conformal")
def _panel(study: Study, task: Task, model: str) -> None:
    parts.note(
        "Not one label but as many as it takes: a set that holds the truth as often as you ask for. How many "
        "that are is learned from the other cases, never from the case itself (conformal prediction). Where "
        "experts disagree, it matters what is taken for the truth while learning."
    )
    columns = list(grouping_columns(study))
    state.keep_choice("conformal_by", columns)
    _choose(columns)
    settings, aggregation = asked(), state.aggregation()
    found = parts.result_of(_truths(study, task, aggregation), what="Drawing plausible truths", key="sets")
    if found is None:
        return
    try:
        sets = _sets(study, task, found, model, replace(settings, by=""))
        rows = _coverage(study, task, found, sets, settings.by)
    except ValueError as why:
        parts.note(f"No sets: {why}.")
        return
    source = provenance(study, task, aggregation) | {"models": model} | entries(settings)
    parts.sentence(set_sentence(rows, model, settings))
    truth = CHOSEN[settings.truth]
    under = plausible_by(aggregation)
    parts.note(" ".join([f"Truth: the {truth}, {MEANINGS[truth]}; {under}.", *sets.notes]))
    parts.beside(
        lambda: _picture(rows, model, settings, source), lambda: _groups(rows, model, settings, source)
    )
    _table(rows, model, settings)


def plausible_by(aggregation: Aggregation) -> str:
    """Say under what readings leave truths plausible."""
    model = MODELS[aggregation.model]
    if not model.has_reliability:
        return f"plausible by {model.title}"
    reliability = "∞" if np.isinf(aggregation.reliability) else f"{aggregation.reliability:g}"
    return f"plausible by {model.title} at reliability {reliability}"


def _choose(columns: list[str]) -> None:
    """Offer what sets are made for."""
    now = state.view()
    with st.container(key="conformal-choices", horizontal=True, vertical_alignment="bottom"):
        st.select_slider(
            "The set holds the truth in",
            sorted({*COVERAGES, float(now.conformal_coverage)}),
            format_func=lambda of: f"{of:g} % of cases",
            width=260,
            **widgets.bind("conformal_coverage", float(now.conformal_coverage)),
        )
        st.selectbox(
            "True under a plausible truth",
            width=230,
            format_func=_TRUTHS.__getitem__,
            help="The leading label is what all adjusted metrics of Loupe take for true. A label drawn with "
            "the shares is what one more reading could say (Stutz 2023).",
            **widgets.choice("conformal_truth", now.conformal_truth, TRUTH_CHOICES),
        )
        st.selectbox(
            "Labels are taken by",
            width=270,
            format_func=_SCORES.__getitem__,
            **widgets.choice("conformal_score", now.conformal_score, SCORES),
        )
        if columns:
            st.selectbox(
                "For every group of",
                width=190,
                format_func=lambda column: column or "none",
                **widgets.choice("conformal_by", now.conformal_by, ["", *columns]),
            )


def _picture(rows: pd.DataFrame, model: str, settings: ConformalSettings, source: dict[str, str]) -> None:
    """Draw how often sets hold each truth, by what they were calibrated on."""
    whole = rows[rows["by"] == ALL_CASES]
    picture(
        held_chart(
            whole.assign(
                row=whole["calibrated_on"],
                says=whole["set_size"].map(labels_words),
                series=whole["truth"],
                value=whole["coverage"],
            ),
            series=TRUTHS,
            neutral=(LEADING_LABEL,),
            title="Share of cases in which the set holds it",
            guide=settings.coverage / 100,
            tokens=theme.tokens(),
        ),
        name="conformal",
        alternative=f"How often the sets of {model} hold each notion of the truth, by what they were "
        "calibrated on",
        caption="Rows: what the sets were calibrated on; at the right, how many labels they name on average. "
        "Dashed: what was asked for. Lines: 95 % intervals over cases, the calibration taken as it is.",
        table=rows,
        provenance=source,
    )


def _table(rows: pd.DataFrame, model: str, settings: ConformalSettings) -> None:
    """List what each calibration promises, names and holds."""
    truth, lines = CHOSEN[settings.truth], []
    for name in dict.fromkeys(rows["calibrated_on"]):
        one = set_finding(rows, model, name, truth)
        if one is not None:
            held = f"{percent(one.held)} {share_range(one.low, one.high)}"
            lines.append((name, labels_words(one.size), held, PROMISES[name]))
    heads = ["Calibrated on", "Names", "Holds the truth here", "Promises to hold in further cases"]
    table(heads, lines, name="Sets by what they are calibrated on", scrolls=True)


def _groups(rows: pd.DataFrame, model: str, settings: ConformalSettings, source: dict[str, str]) -> None:
    """Draw how often the sets hold the truth by its risk, and in each group of cases."""
    compared = (shown_calibration(rows, model), ON_LEADING)
    part = rows[
        (rows["by"] != ALL_CASES)
        & (rows["truth"] == CHOSEN[settings.truth])
        & rows["calibrated_on"].isin(compared)
        & rows["coverage"].notna()
    ]
    if part.empty:
        return
    part = part.assign(
        row=[
            f"{row['group']} risk" if row["by"] == TRUE_RISK else f"{row['by']}: {row['group']}"
            for row in part.to_dict("records")
        ]
    )
    shown = part[part["row"].isin(part["row"].unique()[:MOST_GROUPS])]
    first = shown["calibrated_on"] == compared[0]
    says = [
        f"{labels_words(size)}, {count(n, 'case')}"
        for size, n in zip(shown.loc[first, "set_size"], shown.loc[first, "n_cases"], strict=True)
    ]
    shown = shown.assign(
        says=shown["row"].map(dict(zip(shown.loc[first, "row"], says, strict=True))),
        series=shown["calibrated_on"],
        value=shown["coverage"],
    )
    picture(
        held_chart(
            shown,
            series=compared,
            neutral=compared[1:],
            title="Share of cases in which the set holds the truth",
            guide=settings.coverage / 100,
            tokens=theme.tokens(),
        ),
        name="conformal-groups",
        alternative=f"How often the sets of {model} hold the truth, by group",
        caption="The same by group: what is asked for holds over all cases together, not in each group. At "
        f"the right: labels and cases of the sets calibrated on {compared[0]}."
        + (
            " A case counts for each risk that its truth may have." if (part["by"] == TRUE_RISK).any() else ""
        ),
        table=part.drop(columns="row"),
        provenance=source,
    )


@st.fragment
def show_case(study: Study, task: Task, index: int) -> None:
    """Offer, folded, the sets of one case; nothing is worked out until it is opened."""
    _of_case(study, task, index)


@parts.folded("Which labels should each model name?", key="case-sets")
def _of_case(study: Study, task: Task, index: int) -> None:
    settings, aggregation = replace(asked(), by=""), state.aggregation()
    found = parts.result_of(_truths(study, task, aggregation), what="Drawing plausible truths", key="sets")
    if found is None:
        return
    lines, truth, refusals = [], CHOSEN[settings.truth], []
    for model in task.probability_models:
        try:
            sets = _sets(study, task, found, model, settings)
        except ValueError as why:
            refusals.append(f"No sets of {model}: {why}.")
            continue
        if sets.judged[index]:
            lines.append((model, _set_of(task, found, sets, index, truth)))
    for refusal in refusals[:1]:
        parts.note(refusal)
    if lines:
        table(["Model", "Names"], lines, name="Sets of the case")
        parts.note(
            "Each model names as many labels as it takes for the truth to be among them in "
            f"{settings.coverage:g}\u00a0% of all cases: where it has to name many, its first alone tells "
            "little. Right: in how many of this case's plausible truths one of those named is right. The "
            f"truth is the {truth} here, {plausible_by(aggregation)}; sets as on the page Disagreement. "
            "Readings count as they are in the study."
        )
    elif not refusals:
        parts.note("No model predicted this case, or nobody read it.")


def _set_of(task: Task, found: Truths, sets: ConformalSets, index: int, truth: str) -> str:
    """Labels of a case's set, and how often it holds the truth."""
    held = sets.holds[next(name for name in PROMISES if name in sets.holds)][index]
    if not held.any():
        return "none: no label is probable enough"
    order = np.argsort(-task.predictions[sets.model].probability[index], kind="stable")
    share = min(float((found.of[truth][index] * held).sum()), 1.0)
    named = set_words(task, held, order, most=MOST_NAMED).replace("; ", ", ")
    return f"{named} \u2013 {count(int(held.sum()), 'label')}, right in {percent(share)}"
