"""Dots for how often each label leads: about twenty, each for five of a hundred plausible truths."""

from __future__ import annotations

from functools import lru_cache

import altair as alt
import pandas as pd

from core.analysis.cases.dots import N_DOTS, OTHERS
from dashboard.charts.figure import BAND, Figure, Spec, layout, named, span
from dashboard.components.text import wrapped
from dashboard.shell.theme import PADDING, Tokens, risk_scale

ROW, GHOST = 44, 22
"""Height of a row in pixels, and of the line of how it was before."""
MOST_ROWS = 8
"""Labels that lead in fewer dots than those of the first rows share the last one."""
WIDTH = 310
"""In pixels: the dots of a row touch, so that rows are read like bars."""


def dot_chart(table: pd.DataFrame, *, tokens: Tokens) -> Figure:
    """Draw one row of dots for each label of `core.analysis.cases.dots.dot_table`.

    The risk letter stands in each dot, so that colour is not the only carrier.
    """
    table = _folded(table)
    labels = list(zip(table["label"], table["risk"], table["dots"], strict=True))
    before = [int(n) for n in table["dots before"]] if "dots before" in table else []
    often = truths_words(table)
    words = [
        f"{wrapped(label, 34 if before else 38, lines=1)}: {n}"
        for label, n in zip(table["label"], often, strict=True)
    ]
    rows = pd.DataFrame({"row": range(len(table)), "words": words, "start": 0.0})
    frames = {"rows": rows, "dots": _dots([(risk, n) for _, risk, n in labels])}
    if before:
        frames["before"] = _dots([(risk, n) for (_, risk, _), n in zip(labels, before, strict=True)])
        first = next((row for row, n in enumerate(before) if n), 0)
        frames["said"] = pd.DataFrame({"row": [first], "end": [before[first] + 0.1], "said": ["before"]})
    known = bool((table["risk"] != "").any())
    return Figure(_layout(len(rows), known, bool(before), tokens), frames)


def truths_words(table: pd.DataFrame) -> list[str]:
    """Say in how many of a hundred truths each label leads: "52 of 100", or "38 → 52 of 100"."""
    now = [f"{n} of 100" for n in table["truths"]]
    if "truths before" not in table:
        return now
    return [f"{was} → {words}" for was, words in zip(table["truths before"], now, strict=True)]


def _dots(rows: list[tuple[str, int]]) -> pd.DataFrame:
    """One row a dot, for rows of so many of a risk."""
    dots = [(row, place + 0.5, risk) for row, (risk, n) in enumerate(rows) for place in range(n)]
    return pd.DataFrame(dots, columns=["row", "place", "risk"])


def _folded(table: pd.DataFrame) -> pd.DataFrame:
    """Put what goes beyond `MOST_ROWS` labels into one last row."""
    if len(table) <= MOST_ROWS:
        return table
    rest = table.iloc[MOST_ROWS - 1 :]
    counts = rest.drop(columns=["label", "risk"]).sum()
    row = {"label": OTHERS, "risk": "", **counts}
    return pd.concat([table.iloc[: MOST_ROWS - 1], pd.DataFrame([row])], ignore_index=True)


@lru_cache(maxsize=64)
def _layout(n_rows: int, known: bool, has_before: bool, tokens: Tokens) -> Spec:
    y = alt.Y("row:O", axis=None, scale=BAND, bandPosition=0.5 * ROW / (ROW + GHOST * has_before))
    scale = span(0, N_DOTS)
    place = alt.X("place:Q", axis=None, scale=scale)
    words = named("rows", y=y, x=alt.X("start:Q", axis=None, scale=scale), text="words:N").mark_text(
        align="left", baseline="middle", dy=-12, fontWeight=600, limit=WIDTH
    )
    base = named("dots", y=y, x=place)
    circle = base.mark_circle(size=210, opacity=1, yOffset=8, stroke=tokens.muted, strokeWidth=0.6).encode(
        color=alt.Color("risk:N", legend=None, scale=risk_scale(tokens.risk))
        if known
        else alt.ColorValue(tokens.soft)
    )
    letter = base.mark_text(baseline="middle", fontSize=11, fontWeight=700, yOffset=8).encode(
        text="risk:N", color=alt.Color("risk:N", legend=None, scale=risk_scale(tokens.on_risk))
    )
    layers = [circle, letter, words]
    if has_before:
        pale = (
            alt.Fill("risk:N", legend=None, scale=risk_scale(tokens.risk))
            if known
            else alt.FillValue(tokens.soft)
        )
        hollow = named("before", y=y, x=place, fill=pale).mark_point(
            shape="circle", fillOpacity=0.25, size=75, stroke=tokens.muted, strokeWidth=1.2, yOffset=25
        )
        said = named("said", y=y, x=alt.X("end:Q", axis=None, scale=scale), text="said:N").mark_text(
            align="left", baseline="middle", dy=25, fontSize=11, color=tokens.muted
        )
        layers += [hollow, said]
    chart = alt.layer(*layers).resolve_scale(color="independent", fill="independent")
    height = (ROW + GHOST * has_before) * max(n_rows, 1) + PADDING
    return layout(chart.properties(width=WIDTH, height=height), tokens)
