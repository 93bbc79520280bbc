"""The picture of the perfect predictor, written as SVG: it needs no drawing library and no browser."""

from __future__ import annotations

import math
from html import escape

import pandas as pd

from core.analysis.disagreement.perfect_predictor import DEBIASED, PLUG_IN

PANEL_WIDTH, PANEL_HEIGHT = 300, 190
LEFT, TOP, GAP_X, GAP_Y = 70, 70, 70, 62
COLOURS = {PLUG_IN: "#595959", DEBIASED: "#0072B2"}
"""Grey for the estimate that takes shares for the truth, blue for the one that allows for chance."""
DASHES = {PLUG_IN: "6 3", DEBIASED: "none"}
SIDESTEP = {PLUG_IN: -3.0, DEBIASED: 3.0}
"""Pixels between the two estimates, so that their error bars do not cover each other."""


def perfect_predictor_svg(table: pd.DataFrame) -> str:
    """Draw the estimates against the number of cases: a row of panels a number of labels, a column a loss.

    Parameters
    ----------
    table : DataFrame
        Of `core.analysis.disagreement.perfect_predictor.perfect_predictor`.

    Returns
    -------
    str
        A complete SVG file. A mark is the mean over studies, its bar one standard deviation of a study to
        each side; the thin line at 0 is the truth.
    """
    numbers = table["labels_per_case"].unique().tolist()
    losses = table["loss"].unique().tolist()
    width = LEFT + len(losses) * (PANEL_WIDTH + GAP_X)
    height = TOP + len(numbers) * (PANEL_HEIGHT + GAP_Y)
    title = "Losses of a perfect predictor, estimated from few labels a case"
    parts = [
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width} {height}" width="{width}" '
        f'height="{height}" font-family="sans-serif" font-size="12" fill="#222222" role="img">',
        f"<title>{escape(title)}</title>",
        f'<rect width="{width}" height="{height}" fill="#ffffff"/>',
        _text(LEFT, 22, title, "start", 'font-size="15" font-weight="bold"'),
        *_legend(LEFT, 42),
    ]
    for row, n_labels in enumerate(numbers):
        for column, loss in enumerate(losses):
            panel = table[(table["labels_per_case"] == n_labels) & (table["loss"] == loss)]
            x, y = LEFT + column * (PANEL_WIDTH + GAP_X), TOP + row * (PANEL_HEIGHT + GAP_Y)
            same_loss = table[table["loss"] == loss]
            parts += _panel(panel, same_loss, x, y, f"{loss}, {n_labels} labels a case")
    return "\n".join([*parts, "</svg>", ""])


def _panel(panel: pd.DataFrame, same_scale: pd.DataFrame, x: float, y: float, heading: str) -> list[str]:
    """One panel, its value axis spanning everything drawn of the same loss."""
    low = min(0.0, float((same_scale["mean"] - same_scale["standard_deviation"]).min()))
    high = max(0.0, float((same_scale["mean"] + same_scale["standard_deviation"]).max()))
    step = _round_step((high - low) / 6)
    low, high = math.floor(low / step) * step, max(math.ceil(high / step) * step, step)
    cases = sorted(panel["n_cases"].unique().tolist())
    span = math.log(cases[-1] / cases[0]) or 1.0

    def across(n_cases: float) -> float:
        return x + 16 + (PANEL_WIDTH - 32) * math.log(n_cases / cases[0]) / span

    def up(value: float) -> float:
        return y + PANEL_HEIGHT * (high - value) / (high - low)

    parts = [_text(x, y - 8, heading, "start", 'font-weight="bold"')]
    for i in range(round((high - low) / step) + 1):
        value = low + i * step
        colour = "#222222" if abs(value) < step / 2 else "#e0e0e0"
        parts.append(_line(x, up(value), x + PANEL_WIDTH, up(value), f'stroke="{colour}"'))
        parts.append(_text(x - 6, up(value) + 4, f"{value if abs(value) > step / 2 else 0:.3g}", "end"))
    parts += [_text(across(n), y + PANEL_HEIGHT + 16, f"{n:,}", "middle", 'font-size="10"') for n in cases]
    parts.append(_text(x + PANEL_WIDTH / 2, y + PANEL_HEIGHT + 32, "number of cases", "middle"))
    for estimate, colour in COLOURS.items():
        points = panel[panel["estimate"] == estimate].sort_values("n_cases")
        places = []
        columns = points[["n_cases", "mean", "standard_deviation"]].to_numpy(float)
        for n, mean, spread in columns.tolist():
            px = across(n) + SIDESTEP[estimate]
            places.append(f"{px:.1f},{up(mean):.1f}")
            parts.append(_line(px, up(mean - spread), px, up(mean + spread), f'stroke="{colour}"'))
            parts.append(_mark(estimate, px, up(mean)))
        parts.append(
            f'<polyline points="{" ".join(places)}" fill="none" stroke="{colour}" stroke-width="1.5" '
            f'stroke-dasharray="{DASHES[estimate]}"/>'
        )
    return parts


def _legend(x: float, y: float) -> list[str]:
    """Line, mark and name of each estimate."""
    parts = []
    for i, (estimate, colour) in enumerate(COLOURS.items()):
        at = x + 110 * i
        style = f'stroke="{colour}" stroke-width="1.5" stroke-dasharray="{DASHES[estimate]}"'
        parts += [_line(at, y - 4, at + 26, y - 4, style), _mark(estimate, at + 13, y - 4)]
        parts.append(_text(at + 32, y, estimate, "start"))
    parts.append(_text(x + 230, y, "bars: one standard deviation of a study; truth: 0", "start"))
    return parts


def _mark(estimate: str, x: float, y: float) -> str:
    """A square for plug-in, a disc for debiased: colour is not the only carrier."""
    if estimate == PLUG_IN:
        return f'<rect x="{x - 3:.1f}" y="{y - 3:.1f}" width="6" height="6" fill="{COLOURS[estimate]}"/>'
    return f'<circle cx="{x:.1f}" cy="{y:.1f}" r="3.5" fill="{COLOURS[estimate]}"/>'


def _line(x1: float, y1: float, x2: float, y2: float, style: str) -> str:
    """A straight line."""
    return f'<line x1="{x1:.1f}" y1="{y1:.1f}" x2="{x2:.1f}" y2="{y2:.1f}" {style}/>'


def _text(x: float, y: float, text: str, anchor: str, style: str = "") -> str:
    """A piece of text on its baseline."""
    return f'<text x="{x:.1f}" y="{y:.1f}" text-anchor="{anchor}" {style}>{escape(text)}</text>'


def _round_step(least: float) -> float:
    """Smallest of 1, 2, 5 times a power of ten that is not below ``least``."""
    power = 10.0 ** math.floor(math.log10(least)) if least > 0 else 1.0
    return next(power * digit for digit in (1, 2, 5, 10) if power * digit >= least)
