"""Plausibilities of one case: draws, interval, mean and point estimate, one row a label."""

from __future__ import annotations

from functools import lru_cache

import altair as alt
import pandas as pd

from core.analysis.cases.truths import moved, of_100
from core.analysis.cases.worklist import PLAUSIBLE
from core.analysis.formatting import percent
from dashboard.charts.figure import BAND, CROSS, DOT, UNIT, Figure, Spec, layout, named, tips
from dashboard.components.text import wrapped
from dashboard.shell.theme import Tokens

ROW, GHOST = 46, 18
"""Height of a row in pixels: one line of words and one of marks; and of the line of how it was before."""
AXIS = 52
MOST_LABELS = 8
"""Rows shown; the table behind the picture has all."""
MORE_DANGERS = 4
"""Rows beyond them for labels of high risk."""

_BEFORE_TIPS = (
    ("leads_before:Q", "Before the change, led in", ".1%"),
    ("mean_before:Q", "Before the change, mean share", ".1%"),
    ("point_before:Q", "Before the change, point estimate", ".1%"),
)

_LETTER = 6.6
"""Pixels that a letter takes, about: a name ends before what is said of how often it leads."""
_POINT = 1e-9
"""Spread of draws that are all alike."""


def plausibility_chart(
    table: pd.DataFrame, draws: pd.DataFrame, *, tokens: Tokens, together: str = ""
) -> Figure:
    """Draw the plausibility of the labels most likely to lead, with ``draws`` of each.

    The row of the label ``together`` is of several labels, whose shares are added up.
    """
    has_before = "leads before" in table
    shown = drawn_rows(table)
    often = _often(shown, together)
    rows = pd.DataFrame(
        {
            "row": range(len(shown)),
            "words": [
                (f"({risk})  " if risk else "") + wrapped(label, 38, lines=1)
                for label, risk in zip(shown["label"], shown["risk"], strict=True)
            ],
            "leads": often,
            "label": shown["label"].to_numpy(),
            "chance": shown["leads"].to_numpy(),
            "mean": shown["plausibility"].to_numpy(),
            "low": shown["low"].to_numpy(),
            "high": shown["high"].to_numpy(),
            "point": shown["point"].to_numpy(),
            "room": [_LETTER * (len(words) + 2) for words in often],
            "zero": 0.0,
            "one": 1.0,
        }
    )
    if has_before:
        was = {name: f"{name} before" for name in ("leads", "low", "high", "point")}
        for name, column in (was | {"mean": "plausibility before"}).items():
            rows[f"{name}_before"] = shown[column].to_numpy()
        rows["said"] = ["before", *[""] * (len(rows) - 1)]
    row_of = dict(zip(shown["label"], range(len(shown)), strict=True))
    visible = draws[draws["label"].isin(row_of)]
    ticks = pd.DataFrame(
        {"row": visible["label"].map(row_of).to_numpy(), "plausibility": visible["plausibility"].to_numpy()}
    )
    return Figure(_layout(len(rows), has_before, tokens), {"rows": rows, "ticks": ticks})


def drawn_rows(table: pd.DataFrame) -> pd.DataFrame:
    """Rows that are drawn: of the labels that lead most often, those that never have a share left out.

    Of high risk, `MORE_DANGERS` that lead more rarely are drawn as well, where that is plausible.
    """
    if "leads before" in table:
        return _leading(table)
    known = table[table["high"] > 0]
    first, later = known.head(MOST_LABELS), known.iloc[MOST_LABELS:]
    dangers = later[(later["risk"] == "H") & (later["leads"] >= PLAUSIBLE)].head(MORE_DANGERS)
    return known.loc[[*first.index, *dangers.index]]


def _leading(table: pd.DataFrame) -> pd.DataFrame:
    """Rows of the labels that lead most often, now or before, in their order."""
    most = table[["leads", "leads before"]].max(axis=1)
    kept = most[most > 0].nlargest(MOST_LABELS).index
    return table.loc[kept.sort_values()]


def _often(table: pd.DataFrame, together: str) -> list[str]:
    """Say in how many plausible truths each label leads; of a point estimate its share.

    However much several labels have together, what matters is whether one of them leads.
    """
    spread = (table["high"] - table["low"]).fillna(0)
    if (spread > _POINT).any() or "leads before" in table:
        never = table.filter(["leads", "leads before"]).max(axis=1) < _POINT
        return [
            f"leads in {words}"
            if label != together
            else "none of them leads"
            if is_none
            else f"one leads in {words}"
            for label, is_none, words in zip(table["label"], never, leads_words(table), strict=True)
        ]
    return [f"share {percent(share)}" for share in table["point"]]


def leads_words(table: pd.DataFrame) -> list[str]:
    """Say in how many plausible truths each label leads: "52 of 100", or "38 → 52 of 100" after a change."""
    if "leads before" not in table:
        return [of_100(share) for share in table["leads"]]
    return [moved(was, now) for was, now in zip(table["leads before"], table["leads"], strict=True)]


@lru_cache(maxsize=32)
def _layout(n_rows: int, has_before: bool, tokens: Tokens) -> Spec:
    # What stands in a row stands around the middle of its upper part.
    y = alt.Y("row:O", axis=None, scale=BAND, bandPosition=0.5 * ROW / (ROW + GHOST * has_before))
    # Ticks alone take no notice of that.
    zero, one = alt.X("zero:Q", scale=UNIT), alt.X("one:Q", scale=UNIT)
    base = named("rows", y=y)
    track = base.mark_rule(color=tokens.rule, strokeWidth=10, yOffset=9).encode(x=zero, x2="one:Q")
    cloud = named("ticks", y=y, x=alt.X("plausibility:Q", scale=UNIT)).mark_tick(
        color=tokens.soft,
        opacity=0.28,
        thickness=1.5,
        size=14,
        orient="vertical",
        yOffset=9 - GHOST / 2 * has_before,
    )
    interval = base.mark_rule(color=tokens.soft, strokeWidth=3, yOffset=9).encode(
        x=alt.X(
            "low:Q",
            scale=UNIT,
            axis=alt.Axis(values=[0, 0.25, 0.5, 0.75, 1], format=".0%"),
            title="Share of a plausible truth that the label has",
        ),
        x2="high:Q",
    )
    mean = base.mark_point(**DOT, size=75, color=tokens.soft, stroke=tokens.page, yOffset=9).encode(
        x=alt.X("mean:Q", scale=UNIT),
        tooltip=tips(
            ("label:N", "Label"),
            ("chance:Q", "Has the largest share (leads) in", ".1%"),
            ("mean:Q", "Its mean share", ".1%"),
            ("low:Q", "Low end, 5 % of draws below", ".1%"),
            ("high:Q", "High end, 5 % of draws above", ".1%"),
            ("point:Q", "Point estimate of its share", ".1%"),
            *_BEFORE_TIPS[: 2 * has_before],
        ),
    )
    cross = base.mark_point(**CROSS, size=95, color=tokens.hard, yOffset=9).encode(
        x=alt.X("point:Q", scale=UNIT)
    )
    words = base.mark_text(
        align="left",
        baseline="middle",
        dy=-11,
        fontWeight=600,
        limit=alt.expr("width - datum.room"),
    ).encode(x=zero, text="words:N")
    leads = base.mark_text(align="right", baseline="middle", dy=-11, color=tokens.muted).encode(
        x=one, text="leads:N"
    )
    layers = [track, cloud, interval, mean, cross, words, leads]
    if has_before:
        layers += _ghost(base, one, tokens)
    height = (ROW + GHOST * has_before) * max(n_rows, 1) + AXIS
    return layout(alt.layer(*layers).properties(height=height), tokens, many_marks=True)


def _ghost(base: alt.Chart, one: alt.X, tokens: Tokens) -> list[alt.Chart]:
    """How it was before the change: thin, pale and hollow, in a line of its own."""
    down = 9 + GHOST
    interval = base.mark_rule(color=tokens.soft, strokeWidth=1.2, opacity=0.55, yOffset=down)
    mean = base.mark_point(
        shape="circle", filled=False, size=60, stroke=tokens.soft, strokeWidth=1.6, opacity=0.75, yOffset=down
    )
    cross = base.mark_point(
        shape="cross", angle=45, filled=False, size=60, stroke=tokens.hard, opacity=0.5, yOffset=down
    )
    said = base.mark_text(align="right", baseline="middle", dy=down, fontSize=11, color=tokens.muted).encode(
        x=one, text="said:N"
    )
    tooltip = tips(("label:N", "Label"), *_BEFORE_TIPS)
    return [
        interval.encode(x=alt.X("low_before:Q", scale=UNIT), x2="high_before:Q"),
        cross.encode(x=alt.X("point_before:Q", scale=UNIT)),
        mean.encode(x=alt.X("mean_before:Q", scale=UNIT), tooltip=tooltip),
        said,
    ]
