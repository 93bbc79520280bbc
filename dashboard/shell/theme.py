"""Design tokens in one place: colours, type and marks of pages and pictures, light and dark."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import altair as alt
import streamlit as st

from dashboard.shell.mode import follow, mode

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


LIGHT = Tokens(
    page="#FFFFFF",
    panel="#F6F7F9",
    text="#1A1F26",
    muted="#596370",
    rule="#DDE2E8",
    soft="#0072B2",
    hard="#1A1F26",
    other="#8C96A3",
    models=("#D55E00", "#009E73", "#CC79A7", "#E69F00", "#56B4E9"),
    risk={"L": "#EAD9B5", "M": "#C98A4B", "H": "#7A1F1F", "": "#D5DAE0"},
    on_risk={"L": "#1A1F26", "M": "#1A1F26", "H": "#FFFFFF", "": "#1A1F26"},
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


_STYLE = """
<style>
.stMainBlockContainer { padding: 2.4rem 2.4rem 1.5rem; max-width: 1560px; }
.stSidebar [data-testid="stSidebarUserContent"] { padding-top: 0; }
/* What says how readings are counted is folded as one, though the slider is drawn beneath what folds. */
.stSidebar:has(.st-key-counting details:not([open]))
  [data-testid="stLayoutWrapper"]:has(> [class*="st-key-counting-"]) { display: none; }
/* What is chosen, under the pointer: its own colour would be too pale there. */
.stApp .stButtonGroup [aria-checked=true]:hover :is(p, div) { color: TEXT; }
.loupe-text { margin: 0; padding: 0; overflow-wrap: anywhere; white-space: pre-wrap; }
.stApp .loupe-h1 {
  font-size: 1.65rem; font-weight: 650; letter-spacing: -0.01em; line-height: 1.2; padding: 0;
}
.stApp .loupe-h2 { font-size: 1.03rem; font-weight: 650; line-height: 1.3; padding: 0.6rem 0 0; }
.loupe-sentence { font-size: 1.22rem; line-height: 1.4; font-weight: 560; }
.loupe-quoted { white-space: pre-wrap; overflow-wrap: anywhere; font-size: 0.93rem; line-height: 1.4;
  border-left: 3px solid RULE; padding-left: 0.7rem; margin: 0.3rem 0; }
.loupe-quoted summary { color: MUTED; cursor: pointer; width: max-content; max-width: 100%; }
.loupe-strong { font-weight: 600; }
.loupe-note { color: MUTED; font-size: 0.87rem; line-height: 1.4; }
.loupe-key { display: flex; flex-wrap: wrap; align-items: center; gap: 0.2rem 0.45rem; }
.loupe-key b {
  display: inline-block; width: 1.25rem; border-radius: 3px; border: 0.4px solid MUTED;
  text-align: center; font-weight: 600;
}
.loupe-key span { margin-right: 0.6rem; white-space: nowrap; }
.loupe-labels { color: TEXT; }
.loupe-labels span { white-space: normal; }
.loupe-key i { display: inline-block; box-sizing: border-box; vertical-align: middle;
  margin: 0 0.3rem 0.1rem 0; }
RISKS
.loupe-warning { border-left: 3px solid SOFT; background: PANEL; padding: 0.6rem 0.9rem; }
.loupe-unsaved { border-left: 4px solid HARD; color: HARD; font-weight: 600; }
.loupe-facts { display: flex; flex-wrap: wrap; gap: 0.6rem 3rem; margin: 0; padding: 0 !important; }
.loupe-facts div { display: flex; flex-direction: column; }
.loupe-facts dd { margin: 0; font-size: 1.5rem; font-weight: 600; line-height: 1.2; }
.loupe-facts dt { color: MUTED; font-size: 0.87rem; font-weight: 400; }
.loupe-table { width: 100%; border-collapse: collapse; font-size: 0.93rem; line-height: 1.4; }
.loupe-table th { text-align: left; font-weight: 400; color: MUTED; font-size: 0.87rem; }
.loupe-table th, .loupe-table td {
  border: 0; border-bottom: 1px solid RULE;
  padding: 0.28rem 1.2rem 0.28rem 0; vertical-align: top; overflow-wrap: anywhere;
}
.loupe-scroll { overflow-x: auto; }
.loupe-scroll :is(th, td) { overflow-wrap: normal; }
.loupe-table td:first-child { color: MUTED; min-width: 6.5rem; }
.st-key-by-reliability .loupe-table :is(th, td) { overflow-wrap: break-word; padding-right: 0.7rem; }
.st-key-readings .loupe-table td:first-child { min-width: 4.8rem; }
.st-key-readings .loupe-table th { overflow-wrap: normal; }
:is(.stPopover, [class*="st-key-open-bars-"]) button { font-size: 0.87rem; color: MUTED; min-height: 0; }
/* Room for the arrow, which stands out of its button. */
.stPopover button { padding-right: 0.5rem; }
[data-testid="stLayoutWrapper"]:has(> .st-key-case-change) { position: sticky; top: 0; z-index: 5; }
/* Beneath the list of contents, and the head of the page. A whole body that is asked what it :has is asked
   again at every change of the page. */
[data-contents] [data-testid="stLayoutWrapper"]:has(> .st-key-case-change) { top: 2.3rem; }
.stSidebar[data-collapsed=true] ~ div
  [data-testid="stLayoutWrapper"]:has(> .st-key-case-change) { top: 3.7rem; }
[data-contents] .stSidebar[data-collapsed=true] ~ div
  [data-testid="stLayoutWrapper"]:has(> .st-key-case-change) { top: 5.9rem; }
.st-key-case-change:empty { display: none; }
.st-key-what-if-banner {
  background: PANEL; border-left: 3px solid SOFT; padding: 0.4rem 0.9rem; border-radius: 0 6px 6px 0;
}
.st-key-condition { background: PANEL; border-left: 3px solid SOFT; padding: 0.15rem 0.9rem;
  margin-top: 0.5rem; }
.st-key-what-if-banner .loupe-warning { border: 0; padding: 0; }
[class*="st-key-finding"] button p { font-size: 1.08rem; font-weight: 560; text-align: left; }
[class*="st-key-finding"] button p { color: SOFT; text-decoration: underline; text-underline-offset: 3px; }
[class*="st-key-anchor-"] button { min-height: 0; }
/* Until the code of buttons is there, what stands in their place is as high as they will be. */
[class*="st-key-anchor-"] [data-testid=stSkeleton] { height: 1.4rem; }
[class*="st-key-parts-of-"] [data-testid=stSkeleton] { height: 2rem; }
[class*="st-key-anchor-"] button p { font-size: 0.87rem; color: SOFT; text-align: left; }
[class*="st-key-anchor-"] button p { text-decoration: underline; text-underline-offset: 3px; }
.stApp kbd { color: MUTED; opacity: 1; }
.stApp [data-testid="stWidgetLabel"][disabled] { color: MUTED; }
.stApp :is(a, button, summary, [type=checkbox], [type=range]):focus-visible,
.stDataFrame:has(canvas:focus-visible) {
  outline: 2px solid SOFT; outline-offset: 1px;
}
.st-key-mode { position: absolute; max-width: 0; overflow: hidden; }
.st-key-case-title { scroll-margin-top: 6.5rem; }
.st-key-footer { border-top: 1px solid RULE; margin-top: 1.2rem; padding-top: 0.5rem; }
[data-testid="stElementToolbar"] :is([aria-label^="Show data"], [aria-label^="Download as PNG"],
  [aria-label^="Copy Vega-Lite"]) { display: none; }
[data-testid="stLayoutWrapper"]:has(> .st-key-contents) {
  position: sticky; top: 2.3rem; z-index: 50; height: 0; margin-bottom: -1rem;
}
.st-key-contents > div { position: absolute; top: -2.3rem; left: 0; right: 0; }
/* With the sidebar folded, the head of the page has the place above. */
.stSidebar[data-collapsed=true] ~ div [data-testid="stLayoutWrapper"]:has(> .st-key-contents) {
  top: 6rem;
}
.st-key-filter button { min-height: 2.5rem; }
/* A picture ends in some room of its own. */
CAPTION { margin-top: -0.55rem; }
/* Streamlit folds the sidebar on narrower screens alone; here it leaves the pages more room. */
@media (min-width: 769px) and (max-width: 1000px) {
  .stApp .stSidebar[data-collapsed=false] { width: 15.7rem !important; min-width: 15.7rem !important; }
  .stSidebar [data-testid="stSidebarContent"] { padding-inline: 0.9rem; }
}
/* Beside a long case its list stays in sight, and ends above the foot of the window. */
@media (min-width: 1181px) {
  .st-key-wide > [data-testid="stLayoutWrapper"] > [data-testid="stHorizontalBlock"]
    > [data-testid="stColumn"]:has(.st-key-worklist) {
    position: sticky; top: 2.6rem; align-self: flex-start;
  }
  .st-key-worklist { --most-height: max(260px, calc(100vh - 25.6rem)); }
}
@media (max-width: 1180px) {
  .st-key-wide [data-testid="stHorizontalBlock"]:has(> [data-testid="stColumn"]) {
    flex-wrap: wrap; row-gap: 1rem;
  }
  .st-key-wide [data-testid="stHorizontalBlock"] > [data-testid="stColumn"] {
    flex: 1 1 100%; min-width: min(100%, 330px);
  }
  .st-key-worklist { --most-height: 300px; }
  .stMainBlockContainer { padding: 2.6rem 1.2rem 1.2rem; }
}
/* Where there is hardly a keyboard, keys are not named on buttons. */
@media (max-width: 640px) {
  .stApp button kbd, .st-key-review-re-read button [class*="ColoredText"],
  [data-testid="stHorizontalBlock"]:has(> .st-key-data-worklist) .loupe-at-screen { display: none; }
  .stApp .loupe-h1 { font-size: 1.4rem; }
  .loupe-facts { gap: 0.5rem 1.35rem; }
  .loupe-facts dd { font-size: 1.25rem; }
  :is(.st-key-case-title, .st-key-review-row) { gap: 0.4rem; }
  :is(.st-key-case-title, .st-key-review-row) button {
    padding: 0.2rem 0.55rem; font-size: 0.9rem; min-height: 2.2rem;
  }
  .stApp .st-key-choose-review-status { width: 8.3rem !important; flex: 0 0 8.3rem !important; }
  CAPTION { flex-wrap: wrap; row-gap: 0; }
  CAPTION > :first-child { flex: 1 1 100%; max-width: 100%; }
}
</style>
"""


_CAPTION = (
    '[data-testid="stHorizontalBlock"]:has(> [class*="st-key-data-"]):not(:has(> .st-key-data-worklist))'
)
"""What stands below a picture: how to read it, and its buttons."""


def apply() -> None:
    """Put the style sheet on the page: type scale, spacing and the stacking of columns on narrow screens."""
    palette = tokens()
    st.logo(WORDMARK.replace("ACCENT", palette.soft).replace("TEXT", palette.text), size="large")
    style = _STYLE.replace("CAPTION", _CAPTION)
    st.html(paired(style.replace("RISKS", risk_style(".loupe-key b[data-level=LEVEL]"))))
    follow()
