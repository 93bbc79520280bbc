"""Buttons for ready-made worklists."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass

import pandas as pd
import streamlit as st

from core.analysis.cases.missed import MISSED, MISSES
from core.analysis.cases.missed_words import missed_in_words
from core.analysis.cases.presets import (
    ANY_HIGH_RISK,
    DANGER_MISSED,
    MISSED_PARTS,
    NAMED_ONLY,
    OF_HIGH_RISK,
    PRESETS,
    Preset,
)
from core.analysis.cases.select import ANY_MODEL, Filters, select
from dashboard.shell import widgets
from dashboard.views import parts

_GIVEN_BY = {
    "risk": "risk levels of the labels",
    "high_risk": "risk levels of the labels",
    "high_risk_tied": "risk levels of the labels",
    "high_risk_named": "risk levels of the labels",
    "model_error": "predictions of a model",
    MISSED: "predictions of a model and risk levels of the labels",
}
"""What a study needs for a column of the worklist to be there."""
OF_MISSED = (DANGER_MISSED, *MISSED_PARTS)
"""Lists of dangers that models miss, of any model or of those that are asked for."""


@dataclass(frozen=True)
class ByModel:
    """Models of which one can be chosen, where a list is about what models miss.

    Attributes
    ----------
    models : sequence of str
        All that give probabilities.
    chosen : tuple of str
        Those that are asked for; none stands for any of them.
    adopt : callable
        Called with what is asked for then.
    """

    models: Sequence[str]
    chosen: tuple[str, ...]
    adopt: Callable[[tuple[str, ...]], None]


def choose(
    rows: pd.DataFrame, chosen: str, *, adopt: Callable[[str], None], by_model: ByModel | None = None
) -> pd.DataFrame:
    """Draw a button for each preset that suits, and return the rows of the chosen one in its order.

    ``rows`` are those that pass the filters, and the buttons count them. Without a preset all of them stay,
    the least certain first; ``adopt`` is called with the preset clicked, or "". Where dangers are listed that
    models miss, how likely they are and each of several models are buttons beneath, which keep what
    ``by_model`` asks for: ``rows`` are then those whichever of them is asked for.
    """
    counts = {name: int(of.keep(rows).sum()) for name, of in PRESETS.items() if of.suits(rows)}
    found = kept(rows, chosen)
    asked = by_model if chosen in OF_MISSED and chosen in counts else None
    if asked is not None:
        of_model = select(rows, Filters(missed_by=asked.chosen))
        counts |= {name: int(PRESETS[name].keep(of_model).sum()) for name in MISSED_PARTS}
    _buttons(counts, chosen, adopt=adopt, missed=found, by_model=asked)
    if chosen in OF_MISSED and chosen in counts:
        part = chosen if chosen in MISSED_PARTS else ""
        parts.note(missed_in_words(rows, asked.chosen if asked is not None else (), part))
    elif chosen in counts:
        parts.note(PRESETS[chosen].meaning + (_more(counts) if chosen == ANY_HIGH_RISK else ""))
    elif chosen in PRESETS:
        parts.warning(f"The list “{chosen}” is not for this study. {why_not(rows, PRESETS[chosen])}")
    elif chosen:
        parts.warning(f"There is no preset “{chosen}”; all cases are listed.")
    return found if asked is None else select(found, Filters(missed_by=asked.chosen))


def _more(counts: Mapping[str, int]) -> str:
    """Say how many cases the list of all high risk leaves out, in which somebody names it nonetheless."""
    n = counts.get(NAMED_ONLY, 0)
    return f" In {n:,} more a reading names one that leads less often: “{PRESETS[NAMED_ONLY].short}”." * (
        n > 0
    )


def kept(rows: pd.DataFrame, chosen: str) -> pd.DataFrame:
    """Rows of the chosen preset in its order; all, the least certain first, without one that suits."""
    if chosen in PRESETS and PRESETS[chosen].suits(rows):
        return PRESETS[chosen].apply(rows)
    return rows.sort_values("certainty", kind="stable", na_position="last")


def _buttons(
    counts: Mapping[str, int],
    chosen: str,
    *,
    adopt: Callable[[str], None],
    missed: pd.DataFrame,
    by_model: ByModel | None,
) -> None:
    """One row of presets, each with how many cases it lists; those of high risk unfold beneath theirs.

    So do those of danger that is missed, and the models that miss it, each with how many of the ``missed``
    cases it misses.
    """
    first = [name for name in counts if name not in (*OF_HIGH_RISK, *MISSED_PARTS)]
    is_high, is_missed = chosen in (ANY_HIGH_RISK, *OF_HIGH_RISK), chosen in OF_MISSED
    of_all = ANY_HIGH_RISK if is_high else DANGER_MISSED if is_missed else chosen
    _row("presets", "Ready-made worklists", "preset-button", first, of_all, counts, adopt)
    # A place of its own: where the row comes or goes, what stands below is not made anew.
    with st.container():
        if is_high and ANY_HIGH_RISK in counts:
            parts_of = [name for name in counts if name in OF_HIGH_RISK]
            _row("presets-high", "High risk, in parts", "preset-part", parts_of, chosen, counts,
                 lambda said: adopt(said or ANY_HIGH_RISK))  # fmt: skip
        elif is_missed and DANGER_MISSED in counts:
            _row("presets-missed-parts", "Danger missed, in parts", "preset-missed-part", MISSED_PARTS,
                 chosen, counts, lambda said: adopt(said or DANGER_MISSED))  # fmt: skip
            if by_model is not None and len(by_model.models) > 1:
                _models(by_model, missed)


def _models(by: ByModel, missed: pd.DataFrame) -> None:
    """A row of models, one of which is on, or any of them; none where several are asked for elsewhere."""
    counts = {ANY_MODEL: len(missed)} | {name: int(missed[MISSES.format(name)].sum()) for name in by.models}
    chosen = by.chosen[0] if len(by.chosen) == 1 else "" if by.chosen else ANY_MODEL
    _row("presets-missed", "Danger missed by", "preset-missed", list(counts), chosen, counts,
         lambda said: by.adopt((said,) if said not in ("", ANY_MODEL) else ()),
         words=lambda one: "By any model" if one == ANY_MODEL else one)  # fmt: skip


def _row(
    key: str,
    title: str,
    name: str,
    presets: Sequence[str],
    chosen: str,
    counts: Mapping[str, int],
    adopt: Callable[[str], None],
    words: Callable[[str], str] = lambda one: PRESETS[one].short,
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
                words=words,
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
