"""Buttons for ready-made worklists."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence

import pandas as pd
import streamlit as st

from core.analysis.cases.presets import ANY_HIGH_RISK, OF_HIGH_RISK, PRESETS, Preset
from dashboard.shell import widgets
from dashboard.views import parts

_GIVEN_BY = {
    "risk": "risk levels of the labels",
    "high_risk": "risk levels of the labels",
    "high_risk_tied": "risk levels of the labels",
    "model_error": "predictions of a model",
}
"""What a study needs for a column of the worklist to be there."""


def choose(rows: pd.DataFrame, chosen: str, *, adopt: Callable[[str], None]) -> pd.DataFrame:
    """Draw a button for each preset that suits, and return the rows of the chosen one in its order.

    ``rows`` are those that pass the filters, and the buttons count them. Without a preset all of them stay,
    the least certain first; ``adopt`` is called with the preset clicked, or "".
    """
    counts = {name: int(of.keep(rows).sum()) for name, of in PRESETS.items() if of.suits(rows)}
    _buttons(counts, chosen, adopt=adopt)
    if chosen in counts:
        parts.note(PRESETS[chosen].meaning)
    elif chosen in PRESETS:
        parts.warning(f"The list “{chosen}” is not for this study. {why_not(rows, PRESETS[chosen])}")
    elif chosen:
        parts.warning(f"There is no preset “{chosen}”; all cases are listed.")
    return kept(rows, chosen)


def kept(rows: pd.DataFrame, chosen: str) -> pd.DataFrame:
    """Rows of the chosen preset in its order; all, the least certain first, without one that suits."""
    if chosen in PRESETS and PRESETS[chosen].suits(rows):
        return PRESETS[chosen].apply(rows)
    return rows.sort_values("certainty", kind="stable", na_position="last")


def _buttons(counts: Mapping[str, int], chosen: str, *, adopt: Callable[[str], None]) -> None:
    """One row of presets, each with how many cases it lists; those of high risk unfold beneath theirs."""
    first = [name for name in counts if name not in OF_HIGH_RISK]
    is_high = chosen in (ANY_HIGH_RISK, *OF_HIGH_RISK)
    _row("presets", "Ready-made worklists", "preset-button", first, ANY_HIGH_RISK if is_high else chosen,
         counts, adopt)  # fmt: skip
    # A place of its own: where the row comes or goes, what stands below is not made anew.
    with st.container():
        if is_high and ANY_HIGH_RISK in counts:
            parts_of = [name for name in counts if name in OF_HIGH_RISK]
            _row("presets-high", "High risk, in parts", "preset-part", parts_of, chosen, counts,
                 lambda said: adopt(said or ANY_HIGH_RISK))  # fmt: skip


def _row(
    key: str,
    title: str,
    name: str,
    presets: Sequence[str],
    chosen: str,
    counts: Mapping[str, int],
    adopt: Callable[[str], None],
) -> None:
    """A row of presets, of which one is on or none."""
    with st.container(key=key, gap=None):
        st.html(_counted(key, [counts[one] for one in presets]))
        st.pills(
            title,
            label_visibility="collapsed",
            wrap=True,
            **widgets.choices(
                name,
                chosen if chosen in presets else None,
                presets,
                words=lambda one: PRESETS[one].short,
                take=lambda said: adopt(said or ""),
            ),
        )


def _counted(key: str, counts: Sequence[int]) -> str:
    """Style that writes a number behind the name of each button.

    Numbers follow the slider, and the browser knows a button by its name: with the number in it another
    button would take its place under the finger that presses it.
    """
    rules = "".join(
        f'.st-key-{key} button:nth-of-type({place})::after {{ content: "{count:,}" }}'
        for place, count in enumerate(counts, start=1)
    )
    # What is nothing but style would stand elsewhere, and not go with the buttons.
    return f"<style>{rules}</style><span hidden></span>"


def why_not(rows: pd.DataFrame, preset: Preset) -> str:
    """Say what a study lacks for a preset; empty where it has all."""
    missing = [_GIVEN_BY.get(column, column) for column in preset.needs if column not in rows]
    return f"It would need {' and '.join(dict.fromkeys(missing))}." if missing else ""
