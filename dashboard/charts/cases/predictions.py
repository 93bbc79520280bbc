"""What each model says of one case, and in how many plausible truths that is right."""

from __future__ import annotations

import math
from functools import lru_cache

import altair as alt
import pandas as pd

from core.analysis.cases.truths import of_100, times
from core.analysis.formatting import rounded_percent
from core.analysis.models.finding import ordinal
from dashboard.charts.figure import BAND, FILLED, UNIT, Figure, Spec, layout, named, tips
from dashboard.components.text import wrapped
from dashboard.shell.theme import PADDING, Tokens, model_colour, model_mark

ROW, GHOST = 120, 16
"""Height of a row in pixels, and of the line of how it was before."""
LINE = 15
"""Height of a line of a model's labels."""
SAYS, FIRST, ALONE = 62, 26, 36
"""Characters a line of a model's labels, and of the first of them, beside a verdict and without any."""
_VERDICTS = {"": "", "yes": "warns of danger", "no": "no warning"}
"""What is said of a model where danger is plausible."""

_ZERO, _ONE = (alt.X(f"{name}:Q", scale=UNIT, axis=None) for name in ("zero", "one"))
_COLOUR = alt.Color("colour:N", scale=None)
_BEFORE_TIPS = (
    ("right_before:Q", "Before the change, its first label is right in", ".1%"),
    ("held_before:Q", "Before the change, those named held the truth in", ".1%"),
)


def predictions_chart(
    table: pd.DataFrame, models: list[str], *, k: int, tokens: Tokens, is_point: bool = False
) -> Figure:
    """Draw one row a model: what it puts first, whether it warns, what next, and how often that is right.

    Its first label has the badge of its level; ``k`` labels are named, and the place of the reference.

    ``models`` are all of the task, in order: they decide colour and mark. Where ``is_point``, a point
    estimate supports a label or not, and there are no truths to count.
    """
    place = {name: i for i, name in enumerate(models)}
    order = [place[name] for name in table["model"]]
    risk, warns = list(table.get("risk", [""] * len(table))), list(table.get("warns", [""] * len(table)))
    room = FIRST if any(warns) else ALONE
    rows = pd.DataFrame(
        {
            "row": range(len(table)),
            "model": table["model"].to_numpy(),
            "name": [wrapped(name, 34, lines=1) for name in table["model"]],
            "first": [
                wrapped(score, SAYS, lines=1) if score else _named(first, share, room)
                for first, share, score in zip(
                    table["first answer"], table["probability"], table["score"], strict=True
                )
            ],
            "says": [
                wrapped(then if score or not then else f"then {then}", SAYS, lines=2)
                for then, score in zip(table["then"], table["score"], strict=True)
            ],
            "risk": risk,
            "fill": [tokens.risk[letter] for letter in risk],
            "ink": [tokens.on_risk[letter] for letter in risk],
            "verdict": [_VERDICTS[said] for said in warns],
            "zero": 0.0,
            "one": 1.0,
            "end": table["right"].notna().astype(float).to_numpy(),
            "right": table["right"].to_numpy(),
            "held": table["holds the truth"].to_numpy(),
            "reference": [
                "" if math.isnan(place) else f"the reference is its {ordinal(int(place))} choice"
                for place in table.get("reference place", pd.Series(math.nan, table.index))
            ],
            "words": [
                _words(right, held, k, is_point=is_point)
                for right, held in zip(table["right"], table["holds the truth"], strict=True)
            ],
            "colour": [model_colour(i, tokens) for i in order],
            "mark": [model_mark(i) for i in order],
        }
    )
    rows["said"] = [
        "; ".join(filter(None, (f"{model} says {text}", verdict, words)))
        for model, text, verdict, words in zip(
            table["model"], table["prediction"], rows["verdict"], rows["words"], strict=True
        )
    ]
    has_before = "right before" in table
    if has_before:
        right, held = table["right before"], table["holds the truth before"]
        rows["right_before"], rows["held_before"] = right.to_numpy(), held.to_numpy()
        rows["was"] = [
            f"before: {words}" if (words := _words(*shares, k, is_point=is_point)) else ""
            for shares in zip(right, held, strict=True)
        ]
    lines = max((text.count("\n") + 1 for text in rows["says"]), default=1)
    return Figure(_layout(len(rows), any(risk), has_before, lines, tokens), {"rows": rows})


def _named(first: str, probability: float, room: int) -> str:
    """The label that a model puts first, in so many characters, with the probability that it gives it."""
    return f"{wrapped(first, room, lines=1)}\u2002{rounded_percent(probability)} sure"


def _words(right: float, held: float, k: int, *, is_point: bool) -> str:
    """In how many plausible truths a first label is right; empty where there is none, or nothing is known.

    A point estimate knows one truth alone: that the leading label is right.
    """
    if math.isnan(right):
        return ""
    if is_point and right in (0.0, 1.0):
        return f"{'right' if right else 'wrong'}, if the leading label is the truth"
    first = f"right in {of_100(right)} truths"
    return first + (f"; its top {k} hold the truth in {times(held)}" if k > 1 else "")


@lru_cache(maxsize=32)
def _layout(n_rows: int, has_risk: bool, has_before: bool, lines: int, tokens: Tokens) -> Spec:
    """Lay out a row a model: where no row says more than one line, all are lower by the other."""
    less = 0 if lines > 1 else LINE
    row = ROW - less + 2 * GHOST * has_before
    y = alt.Y("row:O", axis=None, scale=BAND, bandPosition=0.5 * (ROW - less) / row)
    base = named("rows", y=y)
    layers = _bars(base, less / 2, tokens, has_before=has_before) + _texts(base, less / 2, tokens)
    layers += _first(base, less / 2, tokens, has_risk=has_risk)
    if has_before:
        layers += _before(base, less / 2, tokens)
    return layout(alt.layer(*layers).properties(height=row * max(n_rows, 1) + PADDING), tokens)


def _texts(base: alt.Chart, nearer: float, tokens: Tokens) -> list[alt.Chart]:
    """Mark and name, the place of the reference, further labels, and in how many truths the first leads."""
    mark = base.mark_point(**FILLED, size=70, xOffset=6, yOffset=nearer - 48).encode(
        x=_ZERO, color=_COLOUR, shape=alt.Shape("mark:N", scale=None)
    )
    name = base.mark_text(
        align="left", dx=16, dy=nearer - 48, fontWeight=600, limit=alt.expr("width - 200")
    ).encode(x=_ZERO, text="name:N")
    reference = base.mark_text(align="right", dy=nearer - 48, color=tokens.muted).encode(
        x=_ONE, text="reference:N"
    )
    # As small as what was before: all of it has to fit half of a page's width.
    words = base.mark_text(
        align="left", dy=41 - nearer, fontSize=11.5, color=tokens.text, limit=alt.expr("width")
    ).encode(x=_ZERO, text="words:N")
    says = base.mark_text(
        align="left",
        baseline="top",
        dy=nearer - 15,
        fontSize=12,
        color=tokens.muted,
        lineBreak="\n",
        lineHeight=LINE,
        limit=alt.expr("width"),
    ).encode(x=_ZERO, text="says:N")
    return [mark, name, reference, words, says]


def _first(base: alt.Chart, nearer: float, tokens: Tokens, *, has_risk: bool) -> list[alt.Chart]:
    """The first answer beside the badge of its level, and whether it warns of danger."""
    at = nearer - 26
    badge = base.transform_filter("datum.risk !== ''")
    square = badge.mark_point(
        shape="square", filled=True, opacity=1, size=270, xOffset=8, yOffset=at, stroke=tokens.muted,
        strokeWidth=0.4,
    ).encode(x=_ZERO, color=alt.Color("fill:N", scale=None))  # fmt: skip
    letter = badge.mark_text(dx=8, dy=at, fontSize=11, fontWeight=700).encode(
        x=_ZERO, text="risk:N", color=alt.Color("ink:N", scale=None)
    )
    first = base.mark_text(
        align="left", dx=24 if has_risk else 0, dy=at, fontSize=13.5, limit=alt.expr("width - 24")
    ).encode(x=_ZERO, text="first:N")
    verdict = base.mark_text(align="right", dy=at, fontWeight=600).encode(x=_ONE, text="verdict:N")
    return [*[square, letter] * has_risk, first, verdict]


def _bars(base: alt.Chart, nearer: float, tokens: Tokens, *, has_before: bool) -> list[alt.Chart]:
    """The track of each bar, and how often the first label is right."""
    at = 24 - nearer
    track = base.mark_rule(
        color=tokens.rule, strokeWidth=9, yOffset=at, aria=True, ariaRoleDescription="model"
    ).encode(x=_ZERO, x2="end:Q", description="said:N")
    right = base.mark_rule(strokeWidth=9, yOffset=at).encode(
        x=_ZERO,
        color=_COLOUR,
        x2="right:Q",
        tooltip=tips(
            ("model:N", "Model"),
            ("right:Q", "Its first label is right in", ".1%"),
            ("held:Q", "Those named hold the truth in", ".1%"),
            *_BEFORE_TIPS[: 2 * has_before],
        ),
    )
    return [track, right]


def _before(base: alt.Chart, nearer: float, tokens: Tokens) -> list[alt.Chart]:
    """A hollow mark and words of how it was before the readings were changed."""
    at = 40 - nearer + GHOST
    hollow = base.encode(color=_COLOUR, tooltip=tips(("model:N", "Model"), *_BEFORE_TIPS))
    mark = hollow.mark_point(
        shape="circle", filled=False, size=55, strokeWidth=1.6, yOffset=at, opacity=0.9
    ).encode(x=alt.X("right_before:Q", scale=UNIT, axis=None))
    words = base.mark_text(align="right", dy=at + GHOST, fontSize=11.5, color=tokens.muted)
    return [mark, words.encode(x=_ONE, text="was:N")]
