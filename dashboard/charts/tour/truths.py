"""The toy problem's plausible truths in a triangle, and who leads in twenty; one slider in the browser."""

from __future__ import annotations

from functools import lru_cache
from typing import Any

import altair as alt
import numpy as np
import pandas as pd

from core.analysis.formatting import percent
from core.analysis.reliability.words import times_in_words
from core.analysis.tied_labels import names_label
from core.analysis.tour import CONDITIONS
from dashboard.charts.figure import CROSS, Figure, Spec, layout, named
from dashboard.charts.tour.tips import only_words
from dashboard.shell.theme import Tokens

STEP, PLAYING = "reliability_step", "reliability_playing"
"""Signals of the picture: position on the slider, and whether it moves by itself."""
HEIGHT = 492
"""In pixels, wide or narrow: what stands beside a large triangle has its place under a small one."""
_DRAW_SIZE, _ALL_SIZE = 24, 620
"""Of the dot of one plausible truth, and of that of all together, in square pixels."""
_MILLISECONDS = 650
"""Between two steps while playing."""
_PLACES = {
    "wide": "width >= 640",
    "side": "wide ? min(384, width - 308) : min(240, width - 90)",
    "start": "wide ? 40 : (width - side) / 2",
    "base": "(wide ? 90 : 80) + 0.866 * side",
    "aside": "wide ? start + side + 36 : max(0, (width - 316) / 2)",
    "heading": "wide ? 124 : base + 64",
    "pitch": "wide ? 10 : min(14, (width - 32) / 20)",
    "second": "min(166, width - 144)",
    "key": "wide ? heading + 128 : heading + 106",
}
"""Where things stand, in pixels from the upper left, by the width that there is."""
_SHOWN = f"datum.step == {STEP}"
_CORNERS = np.array([[0.0, 0.0], [0.5, np.sqrt(3) / 2], [1.0, 0.0]])
"""First label left, second on top, third right: neighbours in the problem are neighbours here."""
_KEY = (
    ("draw", "one plausible truth"),
    ("majority", "the label kept"),
    ("point", "the votes as shares"),
    ("truth", "the true shares"),
)
_SAME = 1e-9
"""Shares that differ by less are equal on paper."""
_X, _Y = (alt.X("across:Q", scale=None, axis=None), alt.Y("down:Q", scale=None, axis=None))


def truths_chart(
    draws: pd.DataFrame,
    certainty: pd.DataFrame,
    dots: pd.DataFrame,
    landmarks: pd.DataFrame,
    *,
    start: int,
    tokens: Tokens,
) -> Figure:
    """Draw the triangle of plausible truths, who leads in some of them, and a slider that moves both.

    ``draws`` have ``step``, then one column for each of three labels: shares that sum to 1; ``certainty`` has
    one row a step, with the probability that each label leads, ``leader`` and ``certainty``; ``dots`` one row
    a step and label, in order; ``landmarks`` one column a label, and ``kind``: "truth", "point", "majority".
    """
    labels = [column for column in draws.columns if column != "step"]
    leads = certainty[["step", *labels]]
    single, heading = _dots(dots, certainty)
    return Figure(
        _layout(tuple(certainty["reliability"]), start, tokens),
        {
            "outline": pd.DataFrame(_CORNERS, columns=["x", "y"]).assign(order=range(3)),
            "sectors": _sectors(leads, labels),
            "draws": _draws(draws, labels),
            "landmarks": _place(landmarks, labels, [dict(_KEY)[kind] for kind in landmarks["kind"]]),
            "corners": _corner_words(leads, labels),
            "dots": single,
            "heading": heading,
            "end": _end(certainty, landmarks, labels),
            "rows": pd.DataFrame({"label": labels, "row": np.arange(len(labels))}),
            "key": pd.DataFrame(_KEY, columns=["kind", "words"]).assign(row=range(len(_KEY))),
        },
    )


@lru_cache(maxsize=4)
def _layout(reliability: tuple[float, ...], start: int, tokens: Tokens) -> Spec:
    words = ", ".join(f"'{_reliability_words(gamma)}'" for gamma in reliability)
    title = named("key").transform_filter("datum.row == 0")
    title = title.mark_text(
        align="left", fontSize=13.5, fontWeight=600, color=tokens.text, text=alt.ExprRef(f"[{words}][{STEP}]")
    ).encode(x=alt.value(0), y=alt.value(10))
    end = named("end", where=_SHOWN).mark_text(align="left", fontSize=13.5, fontWeight=600, color=tokens.hard)
    end = end.encode(x=alt.value(0), y=alt.value(28), text="words:N")
    chart = alt.layer(*_triangle(tokens), *_twenty(tokens), *_key(tokens), title, end)
    chart = chart.properties(height=HEIGHT)
    places = [{"name": name, "expr": words} for name, words in _PLACES.items()]
    return {**only_words(layout(chart, tokens)), "params": [*places, *_controls(len(reliability), start)]}


def _controls(n_steps: int, start: int) -> list[dict[str, Any]]:
    """Slider over the steps, and a switch that moves it until it reaches the end.

    Written out, because Vega-Lite hands event handlers of parameters on to Vega, but its schema, which Altair
    enforces, does not name them.
    """
    last = n_steps - 1
    onward = f"{PLAYING} ? ({STEP} >= {last} ? 0 : {STEP} + 1) : {STEP}"
    return [
        {
            "name": PLAYING,
            "value": False,
            "bind": {"input": "checkbox", "name": "Play"},
            "on": [{"events": {"signal": STEP}, "update": f"{STEP} >= {last} ? false : {PLAYING}"}],
        },
        {
            "name": STEP,
            "value": start,
            "bind": {"input": "range", "min": 0, "max": last, "step": 1, "name": "Reliability"},
            "on": [{"events": {"type": "timer", "throttle": _MILLISECONDS}, "update": onward}],
        },
    ]


def _reliability_words(gamma: float) -> str:
    """What a step of the slider means."""
    if np.isinf(gamma):
        return "The votes are taken for the truth"
    return f"Each reading counts {times_in_words(gamma)}"


def _at(name: str, across: str, down: str, *, where: str = "") -> alt.Chart:
    """Begin a layer over a frame whose rows stand where expressions say."""
    return named(name, where=where).transform_calculate(across=across, down=down).encode(x=_X, y=_Y)


def _in_triangle(name: str, *, where: str = "") -> alt.Chart:
    """Begin a layer over a frame with places in the triangle."""
    return _at(name, "start + datum.x * side", "base - datum.y * side", where=where)


def _triangle(tokens: Tokens) -> list[alt.Chart]:
    """Lay out the triangle: the nearer a dot to a corner, the larger that label's share."""
    tint = alt.Scale(domain=[0, 1], range=[0.012, 0.25])
    sectors = _in_triangle("sectors", where=_SHOWN).mark_line(
        interpolate="linear-closed", fill=tokens.soft, strokeWidth=1, stroke=tokens.rule
    )
    outline = _in_triangle("outline").mark_line(
        interpolate="linear-closed", color=tokens.muted, strokeWidth=1.3
    )
    draws = _in_triangle("draws", where=_SHOWN).mark_point(
        shape="circle", filled=True, opacity=0.55, color=tokens.soft
    )
    return [
        sectors.encode(
            detail="label:N",
            order="order:Q",
            fillOpacity=alt.FillOpacity("share:Q", legend=None, scale=tint),
        ),
        outline.encode(order="order:Q"),
        draws.encode(size=alt.Size("size:Q", scale=None), tooltip="tip:N"),
        *(
            mark.encode(tooltip="tip:N")
            for kind in ("truth", "point", "majority")
            for mark in _landmark(_in_triangle("landmarks", where=f"datum.kind == '{kind}'"), kind, tokens)
        ),
        *_corners(tokens),
    ]


def _landmark(base: alt.Chart, kind: str, tokens: Tokens) -> list[alt.Chart]:
    """Ring for the truth; upright cross for the votes as shares, slanted cross for the majority label."""
    if kind == "truth":
        ring: dict[str, Any] = {"shape": "circle", "size": 210, "filled": False, "opacity": 1}
        return [
            base.mark_point(**ring, stroke=tokens.page, strokeWidth=5),
            base.mark_point(**ring, stroke=tokens.text, strokeWidth=2.2),
        ]
    style = {"size": 150, "color": tokens.hard, "stroke": tokens.page, "strokeWidth": 1.2}
    return [base.mark_point(**CROSS | style | {"angle": 45 if kind == "majority" else 0})]


def _corners(tokens: Tokens) -> list[alt.Chart]:
    """Lay out the labels at their corners, and in how many plausible truths each leads."""
    layers = []
    for top, dy in ((True, -34), (False, 22)):
        base = _in_triangle("corners", where=f"{_SHOWN} && datum.top == {str(top).lower()}")
        layers += [
            base.mark_text(dy=dy, fontSize=16, fontWeight=600, color=tokens.text).encode(text="name:N"),
            base.mark_text(dy=dy + 17, fontSize=12.5, color=tokens.muted).encode(text="words:N"),
        ]
    return layers


def _twenty(tokens: Tokens) -> list[alt.Chart]:
    """Lay out a row of dots for each label, the leader's filled."""
    down = "heading + 26 + 22 * datum.row"
    fill = alt.Scale(domain=[True, False], range=[tokens.soft, tokens.page])
    dots = _at("dots", "aside + 24 + pitch * datum.place", down, where=_SHOWN)
    dots = dots.mark_point(shape="circle", size=58, opacity=1, stroke=tokens.soft, strokeWidth=1.3)
    names = _at("rows", "aside", down).mark_text(
        align="left", baseline="middle", fontSize=14, fontWeight=600, color=tokens.text
    )
    heading = _at("heading", "aside", "heading", where=_SHOWN).mark_text(
        align="left", baseline="middle", fontSize=13.5, fontWeight=600, color=tokens.text
    )
    return [
        names.encode(text="label:N"),
        dots.encode(fill=alt.Fill("leads:N", legend=None, scale=fill), tooltip="tip:N"),
        heading.encode(text="words:N"),
    ]


def _key(tokens: Tokens) -> list[alt.Chart]:
    """Lay out what the marks mean: in a column, or two by two where the picture is narrow."""
    across = "aside + 6 + (wide ? 0 : second * floor(datum.row / 2))"
    down = "key + (wide ? 25 * datum.row : 24 * (datum.row % 2))"

    def of(kind: str) -> alt.Chart:
        return _at("key", across, down, where=f"datum.kind == '{kind}'")

    words = _at("key", across, down).mark_text(
        align="left", baseline="middle", dx=16, fontSize=13, color=tokens.text
    )
    dot = of("draw").mark_point(shape="circle", filled=True, size=34, opacity=0.8, color=tokens.soft)
    marks = [mark for kind, _ in _KEY[1:] for mark in _landmark(of(kind), kind, tokens)]
    return [dot, *marks, words.encode(text="words:N")]


def _draws(draws: pd.DataFrame, labels: list[str]) -> pd.DataFrame:
    """Place the plausible truths; where those of a step are one, a large dot stands for them."""
    is_one = draws.groupby("step")[labels].transform("nunique").eq(1).all(axis=1)
    shown = draws[~(is_one & draws.duplicated("step"))]
    what = np.where(
        is_one[shown.index],
        "all plausible truths",
        [f"{label} leads" for label in shown[labels].idxmax(axis=1)],
    )
    size = np.where(is_one[shown.index], _ALL_SIZE, _DRAW_SIZE)
    return _place(shown, labels, what.tolist()).assign(size=size)


def _place(shares: pd.DataFrame, labels: list[str], what: list[str]) -> pd.DataFrame:
    """Replace shares by their place in the triangle, and by words that say what lies there."""
    value = shares[labels].to_numpy(float)
    at = (value @ _CORNERS).round(4)
    tip = [
        f"{', '.join(f'{label} {percent(share)}' for label, share in zip(labels, row, strict=True))}: {words}"
        for row, words in zip(value, what, strict=True)
    ]
    return shares.drop(columns=labels).assign(x=at[:, 0], y=at[:, 1], tip=tip)


def _sectors(leads: pd.DataFrame, labels: list[str]) -> pd.DataFrame:
    """Where a label has the largest share: its corner, a middle of a side, the centre, the other middle."""
    centre, n = _CORNERS.mean(axis=0), len(leads)
    frames = []
    for k, label in enumerate(labels):
        own, after, before = np.roll(_CORNERS, -k, axis=0)
        path = np.array([own, (own + after) / 2, centre, (own + before) / 2])
        frames.append(
            pd.DataFrame(np.tile(path, (n, 1)), columns=["x", "y"]).assign(
                step=np.repeat(leads["step"].to_numpy(), 4),
                label=label,
                share=np.repeat(leads[label].to_numpy().round(4), 4),
                order=np.tile(range(4), n),
            )
        )
    return pd.concat(frames, ignore_index=True)


def _corner_words(leads: pd.DataFrame, labels: list[str]) -> pd.DataFrame:
    """Name of each corner and how often its label leads."""
    return pd.concat(
        [
            pd.DataFrame(
                {
                    "step": leads["step"],
                    "label": label,
                    "name": f"{label} {CONDITIONS[label]}",
                    "words": [f"leads in {percent(share)}" for share in leads[label]],
                    "top": k == 1,
                    "x": _CORNERS[k, 0],
                    "y": _CORNERS[k, 1],
                }
            )
            for k, label in enumerate(labels)
        ],
        ignore_index=True,
    )


def _dots(dots: pd.DataFrame, certainty: pd.DataFrame) -> tuple[pd.DataFrame, pd.DataFrame]:
    """Single dots in rows by label, those of the leader marked; and a heading for each step."""
    shares = certainty.melt("step", [*dots["label"].unique()], var_name="label", value_name="share")
    table = dots.merge(certainty[["step", "leader", "certainty"]], on="step").merge(shares)
    rows = {label: row for row, label in enumerate(dict.fromkeys(table["label"]))}
    total = int(table["dots"].sum() / len(certainty))
    table["leads"] = [
        names_label(words, label) for words, label in zip(table["leader"], table["label"], strict=True)
    ]
    table["row"] = table["label"].map(rows)
    table["tip"] = [
        f"{label} leads in {_of(n, total, share)} plausible truths"
        for label, n, share in zip(table["label"], table["dots"], table["share"], strict=True)
    ]
    single = table.loc[table.index.repeat(table["dots"]), ["step", "row", "leads", "tip"]]
    single = single.reset_index(drop=True)
    single["place"] = single.groupby(["step", "row"]).cumcount()
    words = {}
    for step, leading in table[table["leads"]].groupby("step"):
        labels, n, share = leading["label"], leading["dots"].iloc[0], leading["certainty"].iloc[0]
        certain = percent(share)
        words[step] = f"{labels.iloc[0]} is {certain} certain: {_of(n, total, share)}"
        if len(labels) > 1:
            words[step] = f"{', '.join(labels[:-1])} and {labels.iloc[-1]} share the lead: {certain} each"
    return single, pd.DataFrame({"step": list(words), "words": list(words.values())})


def _of(n: int, total: int, share: float) -> str:
    """So many dots of all; about so many where the share itself, as it is written, lies between two dots."""
    is_exact = percent(share) == percent(n / total)
    return f"{'' if is_exact else 'about '}{n} of {total}"


def _end(certainty: pd.DataFrame, landmarks: pd.DataFrame, labels: list[str]) -> pd.DataFrame:
    """Say at the last step what trusting the readers has come to, beside the known truth."""
    last = certainty.iloc[-1]
    leads = last[labels].to_numpy(float)
    leading = np.flatnonzero(leads >= leads.max() - _SAME)
    truth = landmarks.loc[landmarks["kind"] == "truth", labels].to_numpy(float)[0]
    if len(leading) > 1:
        words = "Trusted without limit, and still a tie."
    elif truth[leading[0]] >= truth.max() - _SAME:
        words = f"Now {percent(last['certainty'])} certain, and this time the likeliest."
    else:
        words = f"Now {percent(last['certainty'])} certain, though {labels[truth.argmax()]} is likelier."
    return pd.DataFrame({"step": [last["step"]], "words": [words]})
