"""Design tokens in one place: colours, type and marks of pages and pictures, light and dark."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import altair as alt
import streamlit as st

from dashboard.shell.mode import follow, mode
from dashboard.shell.style import STYLE

FONT = '"Source Sans", "Source Sans Pro", system-ui, sans-serif'
ICON = (
    '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 32 32" width="32" height="32">'
    '<circle cx="13" cy="13" r="9" fill="#fff" stroke="#0072B2" stroke-width="3.5"/>'
    '<path d="M20 20l8 8" stroke="#0072B2" stroke-width="4.5" stroke-linecap="round"/>'
    '<circle cx="13" cy="13" r="3" fill="#0072B2"/></svg>'
)
"""A loupe, drawn here so that no icon is fetched from elsewhere."""
WORDMARK = (
    '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 112 32" width="112" height="32">'
    '<circle cx="13" cy="14" r="9" fill="none" stroke="ACCENT" stroke-width="3"/>'
    '<path d="M20 21l7 7" stroke="ACCENT" stroke-width="4" stroke-linecap="round"/>'
    '<circle cx="13" cy="14" r="2.6" fill="ACCENT"/>'
    '<text x="36" y="23" font-family="Source Sans, sans-serif" font-size="22" font-weight="650" fill="TEXT">'
    "Loupe</text>"
    "</svg>"
)
PADDING = 10
"""Above and below a picture together, in pixels: part of its height."""
MARKS = ("circle", "square", "triangle-up", "diamond", "triangle-down")
"""Mark shapes of the models: the second carrier beside colour."""


@dataclass(frozen=True, eq=False)
class Tokens:
    """Colours of one mode; each has one meaning on every page.

    Attributes
    ----------
    page, panel : str
        Background of the page, and of the sidebar and quiet areas.
    text, muted, rule : str
        Words; secondary words and axes; hairlines and grids.
    soft : str
        Plausibilities and everything derived from them; also the one accent colour.
    hard : str
        Point estimates and hard values.
    other : str
        "Any other label" and what is not in focus.
    models : tuple of str
        The models in the study's order, repeated with the next mark shape.
    risk : dict of str to str
        Ordered ramp by the letters L, M, H; the empty letter is an unknown risk.
    on_risk : dict of str to str
        Colour of a letter written on the ramp.
    danger_bar, danger_track : str
        A share of high risk behind the number that says it, in the colour of text, and the room for 100 %.
    """

    page: str
    panel: str
    text: str
    muted: str
    rule: str
    soft: str
    hard: str
    other: str
    models: tuple[str, ...]
    risk: dict[str, str]
    on_risk: dict[str, str]
    danger_bar: str
    danger_track: str


LIGHT = Tokens(
    page="#FFFFFF",
    panel="#F6F7F9",
    text="#1A1F26",
    muted="#4A535F",
    rule="#DDE2E8",
    soft="#0072B2",
    hard="#1A1F26",
    other="#8C96A3",
    models=("#D55E00", "#009E73", "#CC79A7", "#E69F00", "#56B4E9"),
    risk={"L": "#EAD9B5", "M": "#C98A4B", "H": "#7A1F1F", "": "#D5DAE0"},
    on_risk={"L": "#1A1F26", "M": "#1A1F26", "H": "#FFFFFF", "": "#1A1F26"},
    danger_bar="#F0B4AE",
    danger_track="#F8EDEB",
)
DARK = Tokens(
    page="#12161B",
    panel="#1A1F26",
    text="#E9ECF0",
    muted="#A3AEBB",
    rule="#313A45",
    soft="#3C9FD8",
    hard="#FFFFFF",
    other="#7E8996",
    models=("#E8772E", "#1FB58A", "#D993BB", "#E9AB2B", "#8ACBF2"),
    risk={"L": "#6B6555", "M": "#D69A45", "H": "#D8352F", "": "#48515C"},
    on_risk={"L": "#FFFFFF", "M": "#12161B", "H": "#FFFFFF", "": "#FFFFFF"},
    danger_bar="#8A2C2A",
    danger_track="#33221F",
)


def tokens() -> Tokens:
    """Tokens of the mode that the browser shows."""
    return DARK if mode() == "dark" else LIGHT


def paired(style: str) -> str:
    """Put colours in place of the names of tokens in a style sheet: pairs, of which the browser takes one."""
    for name in ("soft", "muted", "rule", "panel", "page", "text", "hard"):
        pair = f"light-dark({getattr(LIGHT, name)}, {getattr(DARK, name)})"
        style = style.replace(name.upper(), pair)
    return style


def risk_style(selector: str) -> str:
    """Style rules that give each risk letter its colour; the selector's LEVEL stands for the letter."""
    return "\n".join(
        f"{selector.replace('LEVEL', letter)} {{ background: light-dark({LIGHT.risk[letter]}, "
        f"{DARK.risk[letter]}); color: light-dark({LIGHT.on_risk[letter]}, {DARK.on_risk[letter]}); }}"
        for letter in filter(None, LIGHT.risk)
    )


def model_colour(index: int, tokens: Tokens) -> str:
    """Colour of the model with this position in the study's order."""
    return tokens.models[index % len(tokens.models)]


def model_mark(index: int) -> str:
    """Mark shape of the model with this position: it changes where the colours repeat, and within a round."""
    return MARKS[(index + index // len(MARKS)) % len(MARKS)]


def risk_scale(ramp: dict[str, str]) -> alt.Scale:
    """Colour scale from risk letters to a ramp of the tokens."""
    return alt.Scale(domain=list(ramp), range=list(ramp.values()))


def vega_config(tokens: Tokens) -> dict[str, Any]:
    """Vega-Lite configuration of all pictures."""
    return {
        "background": "transparent",
        "font": FONT,
        "padding": {"left": 2, "right": 10, "top": 6, "bottom": PADDING - 6},
        "autosize": {"type": "fit", "contains": "padding"},
        "view": {"stroke": None},
        # As texts write them: 50 %, with a space that does not break.
        "locale": {
            "number": {
                "decimal": ".",
                "thousands": ",",
                "grouping": [3],
                "currency": ["", ""],
                "percent": "\u00a0%",
            }
        },
        # Streamlit's own would tell the columns of the frame, under their names and with all digits.
        # Nor is a mark read out, unless it says so: each picture is told in words, and its data are a table.
        "mark": {"tooltip": None, "aria": False},
        "axis": {
            "labelColor": tokens.muted,
            "titleColor": tokens.muted,
            "labelFontSize": 12,
            "titleFontSize": 12,
            "titleFontWeight": "normal",
            "titlePadding": 8,
            "labelPadding": 4,
            "domainColor": tokens.rule,
            "tickColor": tokens.rule,
            "tickSize": 4,
            "gridColor": tokens.rule,
            "gridOpacity": 0.6,
        },
        "text": {"color": tokens.text, "fontSize": 13, "font": FONT},
        "header": {"labelColor": tokens.text, "labelFontSize": 13, "titleColor": tokens.muted},
    }


def streamlit_options() -> dict[str, str | bool | int]:
    """Theme options of the server, by their configuration names."""
    options: dict[str, str | bool | int] = {
        "theme.font": FONT.replace('"', "'"),
        "theme.baseFontSize": 15,
        "theme.baseRadius": "6px",
        "theme.showWidgetBorder": True,
        "theme.showSidebarBorder": True,
    }
    for which, palette in (("light", LIGHT), ("dark", DARK)):
        options |= {
            f"theme.{which}.primaryColor": palette.soft,
            f"theme.{which}.backgroundColor": palette.page,
            f"theme.{which}.secondaryBackgroundColor": palette.panel,
            f"theme.{which}.textColor": palette.text,
            f"theme.{which}.borderColor": palette.rule,
            f"theme.{which}.linkColor": palette.soft,
            f"theme.{which}.sidebar.backgroundColor": palette.panel,
            f"theme.{which}.sidebar.secondaryBackgroundColor": palette.page,
        }
    return options


def apply() -> None:
    """Put the style sheet on the page: type scale, spacing and the stacking of columns on narrow screens."""
    palette = tokens()
    st.logo(WORDMARK.replace("ACCENT", palette.soft).replace("TEXT", palette.text), size="large")
    st.html(paired(STYLE.replace("RISKS", risk_style(".loupe-key b[data-level=LEVEL]"))))
    follow()
