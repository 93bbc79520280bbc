"""Agreement: raters two by two, coefficients side by side, label by label."""

from __future__ import annotations

import numpy as np
import pandas as pd
import streamlit as st

from core.analysis.formatting import percent
from core.analysis.raters.coefficients import OVERLAP, TOP1
from core.analysis.raters.pairs import by_agreement, pair_table
from core.analysis.raters.panel import Panel, busiest
from core.analysis.raters.skew import skew_table
from core.metrics.agreement.chance_names import AC1, AC2, FLEISS, OBSERVED
from dashboard.charts.raters.agreement import agreement_matrix_chart
from dashboard.charts.raters.coefficients import intervals_chart
from dashboard.charts.raters.skew import skew_chart
from dashboard.components.picture import Caption, picture
from dashboard.components.text import count, table
from dashboard.shell import cache, state, theme, widgets
from dashboard.views import parts
from dashboard.views.raters import tables
from dashboard.views.raters.tables import unbroken

MOST_RATERS = 20
"""Raters in the matrix: those who read most cases."""
MOST_LABELS = 12
"""Labels that are drawn: those given most often."""
_MEASURES = {
    "agreement": ("Same label", True),
    "same_first": ("Same first label", True),
    "overlap": ("Overlap of the first three labels", True),
    "kappa": ("Cohen κ: agreement beyond chance", False),
}
"""Columns of the pairs: what they are called, and whether they are shares."""
_SHARES = (OBSERVED, OVERLAP, TOP1)


def show(chosen: Panel, source: dict[str, str]) -> None:
    """Draw the panel."""
    several = chosen.task.kind != "score" and chosen.n_labels > 2
    left, right = st.columns([11, 10], gap="large")
    with left:
        parts.head("Who agrees with whom?")
        _matrix(chosen, source)
        if several:
            _by_label(chosen, source)
        else:
            _skew(chosen, source)
    with right:
        _coefficients(chosen, several, source)
        if several:
            _skew(chosen, source)


_pairs = cache.cached()(pair_table)
_skews = cache.cached()(skew_table)


@st.fragment
def _matrix(chosen: Panel, source: dict[str, str]) -> None:
    """Draw the agreement of every two raters."""
    if chosen.n_raters < 2:
        parts.note("There is one rater only; agreement takes two.")
        return
    if not chosen.identified:
        parts.note(
            "Raters of this study are numbered anew in each case, so that “reader 1” is not one person. "
            "Who agrees with whom cannot be said; the coefficients beside this, which do not ask who "
            "reads, can."
        )
        return
    ranking = chosen.task.kind == "ranking"
    measures = ("overlap", "same_first", "kappa") if ranking else ("agreement", "kappa")
    measure = st.segmented_control(
        "Measure",
        format_func=lambda name: _MEASURES[name][0],
        label_visibility="collapsed",
        required=True,
        **widgets.choices(name := f"pairs-{chosen.task.kind}", widgets.own(name, measures), measures),
    )
    words, shares = _MEASURES[measure]
    shown = busiest(chosen, MOST_RATERS)
    pairs = by_agreement(_pairs(shown), measure)
    caption = (
        f"{words}{', in % of the cases in common' if shares else ''}; below it, the number of cases that "
        "both read (on the diagonal, that the rater read). Those who agree most with the others stand "
        "first; bluer is more. "
    )
    two = pairs["rater"] != pairs["other"]
    apart = int((two & (pairs["common"] == 0)).sum()) // 2
    if apart:
        caption += f"{count(apart, 'pair')} of raters with no case in common: an empty cell. "
    if (two & pairs["value"].isna() & (pairs["common"] > 0)).any():
        caption += "A dash: undefined, as both always say the same label. "
    if chosen.n_raters > MOST_RATERS:
        caption += f"The {MOST_RATERS} who read most cases, of {chosen.n_raters:,}. "
    picture(
        agreement_matrix_chart(pairs, measure=words, shares=shares, tokens=theme.tokens()),
        name="agreement-matrix",
        alternative=f"{words} of every two raters, with the number of cases in common",
        caption=Caption(caption.strip(), "Pick others above." if chosen.n_raters > MOST_RATERS else ""),
        table=pairs.drop(columns="value"),
        provenance=source,
    )


def _coefficients(chosen: Panel, several: bool, source: dict[str, str]) -> None:
    """Draw the coefficients with their intervals, and say what each means."""
    parts.head("How far do they agree, and how far beyond chance?")
    if several:
        st.toggle(
            "Labels have an order, that of labels.csv",
            help="Adds coefficients for which a near miss is less of a disagreement.",
            **widgets.bind("label_order", state.view().label_order),
        )
    found = tables.coefficients(chosen, ordered=state.view().label_order)
    known = found.dropna(subset=["value"])
    if not known.empty:
        low = min(0.0, float(known[["value", "low"]].min().min()))
        picture(
            intervals_chart(
                known.assign(row=_names(known), series="value"),
                series=("value",),
                title="0 is luck (for shares: never), 1 is full agreement",
                domain=(round(low, 2), 1.02),
                tokens=theme.tokens(),
            ),
            name="coefficients",
            alternative="Coefficients of agreement with 95 % intervals",
            caption="Dot: value. Line: 95 % of resamples of the cases, with the raters as they are. The data "
            "have standard errors and intervals without resampling too.",
            table=found,
            provenance=source,
        )
    rows = [
        (name, f"{_value(row)}{unbroken(row['sentence'])}")
        for name, (_, row) in zip(_names(found), found.iterrows(), strict=True)
    ]
    table(["Coefficient", "Value (95 % interval)"], rows, name="Coefficients of agreement")
    if not several and chosen.task.kind != "score":
        parts.note("With two labels, agreement about one is agreement about the other.")


def _names(found: pd.DataFrame) -> list[str]:
    """Names of coefficients as they begin a line."""
    return [f"{name[0].upper()}{name[1:]}" for name in found["coefficient"]]


def _value(row: pd.Series) -> str:
    """Value and interval of a coefficient, as they begin a line; shares in percent."""
    if np.isnan(row["value"]):
        return ""
    if row["coefficient"] in _SHARES:
        text, ends = percent(row["value"]), f"{100 * row['low']:.0f} to {100 * row['high']:.0f}\u00a0%"
    else:
        text, ends = f"{row['value']:.2f}", f"{row['low']:.2f} to {row['high']:.2f}"
    return (text if np.isnan(row["low"]) else f"{text} ({ends})").replace("-", "−") + ". "


def _skew(chosen: Panel, source: dict[str, str]) -> None:
    """Show why AC1 survives a very common label."""
    parts.head("Why more than one coefficient?")
    curves = _skews(chosen)
    if curves.empty:
        parts.note(
            f"κ, α and {AC1} count different things as luck. Where all readings are alike, or no two raters "
            "read a case, there is nothing to compare them by."
        )
        return
    label, observed = curves.attrs["label"], curves.attrs["observed"]
    here = {row["coefficient"]: row for row in curves[curves["here"]].to_dict("records")}
    picture(
        skew_chart(curves, coefficients=(FLEISS, AC1), label=label, tokens=theme.tokens()),
        name="skew",
        alternative=f"{FLEISS} and {AC1} against the share of readings that say {label}",
        caption=f"Two raters agree on {percent(observed)} of cases all along the curves; only how common "
        f"the label is changes. Dotted: as it is here, {percent(here[AC1]['share'])}, with κ "
        f"{here[FLEISS]['value']:.2f} and AC1 {here[AC1]['value']:.2f}. κ (and α) take as luck what two "
        "raters with these habits would share if they named labels blindly. Where nearly all say one "
        "label, that is nearly everything, and κ falls to 0 or below though they agree as often as before. "
        f"{AC1} and {AC2} take as luck guesses alone, which are made in hard cases, and few there are where "
        "one label is so common: they survive.".replace("-", "−"),
        table=curves,
        provenance=source | {"label": label},
    )


def _by_label(chosen: Panel, source: dict[str, str]) -> None:
    """Draw the agreement about each label."""
    parts.head("About which label do they agree?")
    found = tables.labels(chosen)
    common = found.drop_duplicates("label").nlargest(MOST_LABELS, "share")["label"]
    shown = found[found["label"].isin(common) & found["coefficient"].isin((FLEISS, AC1))]
    shown = shown.sort_values("share", ascending=False, kind="stable")
    if shown["value"].notna().sum() == 0:
        parts.note(f"No label has a coefficient of its own: {shown['undefined'].iloc[0]}.")
        return
    names = [
        f"{label} ({percent(share)})" for label, share in zip(shown["label"], shown["share"], strict=True)
    ]
    n_labels = found["label"].nunique()
    picture(
        intervals_chart(
            shown.assign(row=names, series=shown["coefficient"]),
            series=(FLEISS, AC1),
            neutral=(FLEISS,),
            title="Agreement beyond chance about the label",
            guide=0.0,
            tokens=theme.tokens(),
        ),
        name="agreement-by-label",
        alternative="Fleiss κ and Gwet AC1 of each label against all others",
        caption="Each label against all others together, the most often given first (in brackets: share of "
        "the readings). Line: 95 % of resamples of the cases; the data have standard errors and intervals "
        "without resampling too. Dashed: luck."
        + (f" {MOST_LABELS} of {n_labels} labels; the data hold all." if n_labels > MOST_LABELS else ""),
        table=found,
        provenance=source,
    )
