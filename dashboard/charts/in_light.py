"""A picture as the light mode draws it, whatever mode it was drawn in: what is saved stands on white."""

from __future__ import annotations

from typing import Any

import pandas as pd

from dashboard.charts.figure import Figure
from dashboard.shell.theme import DARK, LIGHT, Tokens

_LETTERS = (list(DARK.on_risk.values()), list(LIGHT.on_risk.values()))
"""Colours of letters on the ramp of risks: in the dark two of them are those of the page."""


def in_light(figure: Figure) -> Figure:
    """Give every colour of the dark mode as that of the light one; a light picture stays as it is."""
    is_dark = figure.spec["config"].get("text", {}).get("color") == DARK.text
    if not is_dark:
        return figure
    return Figure(_turned(figure.spec), {name: _lit(frame) for name, frame in figure.data.items()})


def _colours(tokens: Tokens) -> list[str]:
    """Colours of a mode, each with the same meaning at the same place."""
    single = (getattr(tokens, name) for name in ("page", "panel", "text", "muted", "rule", "soft", "hard"))
    return [*single, tokens.other, *tokens.models, *tokens.risk.values()]


_LIGHT_OF = dict(zip(_colours(DARK), _colours(LIGHT), strict=True))


def _lit(frame: pd.DataFrame) -> pd.DataFrame:
    """Frame with the colours of the light mode, where it has a colour a row."""
    if "colour" not in frame:
        return frame
    return frame.assign(colour=[_LIGHT_OF.get(colour, colour) for colour in frame["colour"]])


def _turned(part: Any) -> Any:
    """Part of a specification with the colours of the light mode."""
    if isinstance(part, dict):
        return {key: _turned(value) for key, value in part.items()}
    if isinstance(part, list | tuple):
        return _LETTERS[1] if list(part) == _LETTERS[0] else [_turned(value) for value in part]
    return _LIGHT_OF.get(part, part) if isinstance(part, str) else part
