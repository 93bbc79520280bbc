"""Buttons for ready-made worklists."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence

import pandas as pd
import streamlit as st

from core.analysis.cases.presets import PRESETS, Preset
from dashboard.shell import widgets
from dashboard.views import parts

_GIVEN_BY = {
    "risk": "risk levels of the labels",
    "high_risk": "risk levels of the labels",
    "model_error": "predictions of a model",
}
"""What a study needs for a column of the worklist to be there."""


def choose(rows: pd.DataFrame, chosen: str, *, adopt: Callable[[str], None]) -> pd.DataFrame:
    """Draw a button for each preset that suits, and return the rows of the chosen one in its order.

    ``rows`` are those that pass the filters, and the buttons count them. Without a preset all of them stay,
    the least certain first; ``adopt`` is called with the preset clicked, or "".
    """
    unsuited = [name for name, preset in PRESETS.items() if not preset.suits(rows)]
    counts = {name: int(PRESETS[name].keep(rows).sum()) for name in PRESETS if name not in unsuited}
    _buttons(counts, chosen, adopt=adopt)
    for why in dict.fromkeys(why_not(rows, PRESETS[name]) for name in unsuited):
        names = " and ".join(f"“{name}”" for name in unsuited if why_not(rows, PRESETS[name]) == why)
        parts.note(f"Not for this study: {names}. {why}")
    if chosen in PRESETS and chosen not in unsuited:
        parts.note(PRESETS[chosen].meaning)
    if chosen not in PRESETS and chosen:
        parts.warning(f"There is no preset “{chosen}”; all cases are listed.")
    return kept(rows, chosen)


def kept(rows: pd.DataFrame, chosen: str) -> pd.DataFrame:
    """Rows of the chosen preset in its order; all, the least certain first, without one that suits."""
    if chosen in PRESETS and PRESETS[chosen].suits(rows):
        return PRESETS[chosen].apply(rows)
    return rows.sort_values("certainty", kind="stable", na_position="last")


def _buttons(counts: Mapping[str, int], chosen: str, *, adopt: Callable[[str], None]) -> None:
    """One row of presets, each with how many cases it would list, of which one is on or none."""
    with st.container(key="presets", gap=None):
        st.html(_counted(list(counts.values())))
        st.pills(
            "Ready-made worklists",
            label_visibility="collapsed",
            wrap=True,
            **widgets.choices(
                "preset-button",
                chosen if chosen in counts else None,
                list(counts),
                words=lambda name: PRESETS[name].short,
                take=lambda said: adopt(said or ""),
            ),
        )


def _counted(counts: Sequence[int]) -> str:
    """Style that writes a number behind the name of each button.

    Numbers follow the slider, and the browser knows a button by its name: with the number in it another
    button would take its place under the finger that presses it.
    """
    rules = "".join(
        f'.st-key-presets button:nth-of-type({place})::after {{ content: "{count:,}" }}'
        for place, count in enumerate(counts, start=1)
    )
    # What is nothing but style would stand elsewhere, and not go with the buttons.
    return f"<style>{rules}</style><span hidden></span>"


def why_not(rows: pd.DataFrame, preset: Preset) -> str:
    """Say what a study lacks for a preset; empty where it has all."""
    missing = [_GIVEN_BY.get(column, column) for column in preset.needs if column not in rows]
    return f"It would need {' and '.join(dict.fromkeys(missing))}." if missing else ""
